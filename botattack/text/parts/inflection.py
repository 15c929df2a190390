"""The part `inflection`: the form of a lemma that a tag asks for, by lemminflect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from botattack.errors import MissingPart
from botattack.protocols import PartInfo
from botattack.text.parts.installed import digest_of, package_folder, version_of
from botattack.version import pip_install

_BASE = frozenset({"NN", "VB", "VBP", "JJ", "RB", "NNP"})
_KNOWN = frozenset({"NOUN", "VERB", "ADJ", "ADV", "AUX", "PROPN"})
_COMPARED = {"JJR": "more", "RBR": "more", "JJS": "most", "RBS": "most"}
_CATEGORY = {"N": "NOUN", "V": "VERB", "J": "ADJ", "R": "ADV"}


@dataclass(frozen=True)
class Inflection:
    """English inflection by Penn tags (VBD, NNS, JJR …)."""

    info: PartInfo
    _inflected: Callable[[str, str], str]
    _lemma: Callable[[str, str], str]

    def inflected(self, lemma: str, tag: str) -> str:
        """The form of a lemma that stands under a tag; the lemma itself where the tag asks for none.

        Of a phrase the first word of a verb and the last word of a noun are inflected.
        """
        words = lemma.split(" ")
        head = 0 if tag.startswith("V") else -1
        words[head] = self._inflected(words[head], tag)
        return " ".join(words)

    def lemma(self, word: str, pos: str) -> str:
        """The lemma of a word in lower case, under a universal part of speech."""
        return self._lemma(word.lower(), pos)


def load() -> Inflection:
    """Raises MissingPart if lemminflect is not installed."""
    folder = package_folder("lemminflect")
    if folder is None:
        raise MissingPart(f"inflection needs lemminflect: {pip_install('english')}")
    tables = sorted((folder / "resources").glob("*.gz"))
    info = PartInfo("lemminflect", version_of("lemminflect"), "MIT", digest_of(tables))
    return Inflection(info, lru_cache(8192)(_inflected), lru_cache(8192)(_lemma))


def _inflected(lemma: str, tag: str) -> str:
    if tag in _BASE or not lemma:
        return lemma
    compared = _COMPARED.get(tag)
    if lemma == "many" and compared:
        return compared
    # By its rules lemminflect makes "expensiver" of what it does not know.
    forms = _lemminflect().getInflection(lemma, tag, inflect_oov=not compared)
    return str(forms[0]) if forms else f"{compared} {lemma}" if compared else lemma


def _lemma(word: str, pos: str) -> str:
    forms = _lemminflect().getLemma(word, pos) if pos in _KNOWN else ()
    return str(forms[0]) if forms else word


def category(tag: str) -> str:
    """The universal part of speech of a tag of a content word, or ""."""
    return (
        "PROPN" if tag.startswith("NNP") else _CATEGORY.get(tag[:1], "") if tag[:2] in ("NN", "VB", "JJ", "RB") else ""
    )


def _lemminflect() -> Any:
    import lemminflect

    return lemminflect
