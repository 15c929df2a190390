"""The part `dictionary`: common English words with their parts of speech, searched for words spelled alike."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

from botattack.errors import MissingPart
from botattack.protocols import PartInfo
from botattack.text.parts import thesaurus
from botattack.text.parts.installed import digest_of, package_folder, version_of
from botattack.text.spelling import SpellingIndex
from botattack.version import pip_install

PosRule = Literal["same", "different", "free"]
"""How the part of speech of a word found must stand to that of the word searched for."""

Hits = tuple[tuple[str, int], ...]
"""Words with their distances, nearest first."""

_WORDS = "frequency_dictionary_en_82_765.txt"
_TABLES = ("lemma_lu.csv.gz", "infl_lu.csv.gz")
# Endings that WordNet's own lookup takes off; they pair up by part of speech, so they are rules, not words.
_ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "NOUN": (("s", ""), ("es", ""), ("ies", "y"), ("men", "man")),
    "VERB": (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")),
    "ADJ": (("er", ""), ("er", "e"), ("est", ""), ("est", "e")),
}
_POS = {"noun": "NOUN", "verb": "VERB", "adj": "ADJ", "adv": "ADV", "aux": "AUX"}


class Dictionary:
    """Words in lower case and the universal parts of speech each can have.

    A word that the tables do not hold has none: it is found under `free` alone.
    """

    def __init__(self, info: PartInfo, words: Iterable[str], parts_of_speech: Mapping[str, frozenset[str]]) -> None:
        self.info = info
        self.words = tuple(dict.fromkeys(words))
        self._parts_of_speech = parts_of_speech
        self._of: dict[str, SpellingIndex] = {}

    def parts_of_speech(self, word: str) -> frozenset[str]:
        return self._parts_of_speech.get(word, frozenset())

    def similar(self, word: str, most: int, pos: str = "", rule: PosRule = "free") -> Hits:
        """Other words with the first and last letter of `word`, within `most` edits, under the rule for `pos`.

        `word` is in lower case. Searches are cached, indexes built when first searched.
        """
        if rule == "same":
            return self._with(pos).similar(word, most)
        found: Hits = self._every.similar(word, most)
        return found if rule == "free" else tuple(hit for hit in found if self._differs(hit[0], pos))

    def _differs(self, word: str, pos: str) -> bool:
        known = self.parts_of_speech(word)
        return bool(known) and pos not in known

    def widened(self, lemmas: Lemmas) -> Dictionary:
        """The same with parts of speech from lists of lemmas for words that the tables do not hold."""
        return _widened(self, lemmas)

    @cached_property
    def _every(self) -> SpellingIndex:
        return SpellingIndex(self.words)

    def _with(self, pos: str) -> SpellingIndex:
        if pos not in self._of:
            self._of[pos] = SpellingIndex(word for word in self.words if pos in self.parts_of_speech(word))
        return self._of[pos]


def load() -> Dictionary:
    """The dictionary as installed: symspellpy's word list, with parts of speech of lemminflect's tables.

    Both are read as data; neither package is imported. Raises MissingPart if one is not installed.
    """
    words = _resource("symspellpy", _WORDS)
    tables = [_resource("lemminflect", f"resources/{name}") for name in _TABLES]
    versions = ", ".join(f"{name} {version_of(name)}" for name in ("symspellpy", "lemminflect"))
    info = PartInfo("English word list with parts of speech", versions, "MIT", digest_of([words, *tables]))
    return _read(info, words, *tables)


@lru_cache(1)
def _read(info: PartInfo, words: Path, *tables: Path) -> Dictionary:
    listed = [line.split(" ", 1)[0] for line in words.read_text("utf-8-sig").splitlines() if line]
    return Dictionary(info, listed, _read_parts_of_speech(tables))


@lru_cache(4)
def _widened(dictionary: Dictionary, lemmas: Lemmas) -> Dictionary:
    known = dictionary._parts_of_speech
    more = {word: lemmas.parts_of_speech(word) for word in dictionary.words if word not in known}
    return Dictionary(dictionary.info, dictionary.words, {**known, **{word: pos for word, pos in more.items() if pos}})


class Lemmas:
    """Lemmas by part of speech: a second source, where there is one, for words that a dictionary's tables lack."""

    def __init__(self, info: PartInfo, by_pos: Mapping[str, frozenset[str]]) -> None:
        self.info = info
        self._by_pos = by_pos

    def parts_of_speech(self, word: str) -> frozenset[str]:
        """Those of all lemmas that a word in lower case may be a form of."""
        return frozenset(
            pos for pos, listed in self._by_pos.items() if any(form in listed for form in _uninflected(word, pos))
        )


def _uninflected(word: str, pos: str) -> Iterator[str]:
    """What a word may be a form of, by the endings that WordNet's own lookup takes off."""
    yield word
    for ending, instead in _ENDINGS.get(pos, ()):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            yield word[: -len(ending)] + instead


def load_lemmas() -> Lemmas:
    """Those of WordNet; none at all if it is not installed, which its version says."""
    lists = thesaurus.lists()
    version = "installed" if lists else "not installed"
    info = PartInfo("WordNet's lemmas", version, "WordNet licence", digest_of(lists.values()))
    return _read_lemmas(info, *lists.items())


@lru_cache(1)
def _read_lemmas(info: PartInfo, *lists: tuple[str, Path]) -> Lemmas:
    return Lemmas(info, {pos: thesaurus.lemmas(path) for pos, path in lists})


def _resource(package: str, name: str) -> Path:
    folder = package_folder(package)
    if folder is None or not (folder / name).is_file():
        raise MissingPart(f"the dictionary needs {package}: {pip_install('english')}")
    return folder / name


def _read_parts_of_speech(tables: Iterable[Path]) -> dict[str, frozenset[str]]:
    """Entries with a capital are names: the tables call them nouns."""
    found: dict[str, set[str]] = {}
    for table in tables:
        for line in gzip.decompress(table.read_bytes()).decode("utf-8").splitlines():
            word, category, *_ = line.split(",", 2)
            lower = word.lower()
            found.setdefault(lower, set()).add(_POS[category] if word == lower else "PROPN")
    return _interned(found)


def _interned(found: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    """Few different sets exist; sharing them saves 15 MB."""
    shared: dict[frozenset[str], frozenset[str]] = {}
    return {word: shared.setdefault(kinds, kinds) for word, kinds in ((w, frozenset(s)) for w, s in found.items())}
