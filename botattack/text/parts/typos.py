"""The part `typos`: misspellings that people really made, by the word they meant."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import msgspec

from botattack.errors import MissingPart, nearest_path
from botattack.protocols import PartInfo
from botattack.text.parts.installed import digest_of, package_folder, version_of
from botattack.text.tokens import normalised
from botattack.version import pip_install

VARIABLE = "BOTATTACK_TYPOS"
"""Files and folders of typo corpora, separated as in PATH; `codespell` names the installed dictionary."""

Pairs = Iterator[tuple[str, str]]
"""A misspelling and the word that was meant."""


@dataclass(frozen=True)
class Typos:
    """Misspellings by meant word. `sources` names what they were read from, with how many each holds."""

    info: PartInfo
    sources: tuple[str, ...]
    by_word: dict[str, tuple[str, ...]] = field(repr=False)

    def of(self, word: str) -> tuple[str, ...]:
        """Misspellings of a word, whatever its case, in the order of their sources; some hold spaces or hyphens."""
        return self.by_word.get(normalised(word), ())


def load(where: str | None = None) -> Typos:
    """The typos of `where`, else of BOTATTACK_TYPOS, else codespell's dictionary as installed.

    Raises MissingPart if there is none, or a place named does not hold typos.
    """
    places = [place for place in (where or os.environ.get(VARIABLE) or "codespell").split(os.pathsep) if place]
    corpora = tuple(corpus for place in places for corpus in _corpora(place))
    return _read(corpora, digest_of(corpus.path for corpus in corpora))


@lru_cache(1)
def _read(corpora: tuple[_Corpus, ...], digest: str) -> Typos:
    by_word: dict[str, dict[str, None]] = {}
    sources = tuple(f"{corpus.name}: {_add(corpus, by_word):,}" for corpus in corpora)
    info = PartInfo(
        name="typos (" + "; ".join(sources) + ")",
        version=", ".join(dict.fromkeys(corpus.version for corpus in corpora if corpus.version)),
        licence=", ".join(dict.fromkeys(corpus.licence for corpus in corpora)),
        digest=digest,
    )
    return Typos(info, sources, {word: tuple(typos) for word, typos in by_word.items()})


@dataclass(frozen=True)
class _Corpus:
    name: str
    path: Path
    read: Callable[[Path], Pairs]
    version: str = ""
    licence: str = "as its publisher states"


def _add(corpus: _Corpus, by_word: dict[str, dict[str, None]]) -> int:
    """How many misspellings the corpus holds; those already known are not taken twice."""
    count = 0
    for typo, word in corpus.read(corpus.path):
        meant = normalised(word)
        if normalised(typo) not in ("", "?", meant) and meant not in ("", "?"):
            by_word.setdefault(meant, {})[typo] = None
            count += 1
    return count


def _corpora(place: str) -> list[_Corpus]:
    if place == "codespell":
        return [_codespell()]
    path = Path(place).expanduser()
    if not path.exists():
        hint = nearest_path(path) or "give a file or folder of typo corpora"
        raise MissingPart(f"{VARIABLE} names {place}, which does not exist: {hint}")
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    found = [_Corpus(file.name, file, read) for file in files if file.is_file() and (read := _reader(file))]
    if not found:
        raise MissingPart(
            f"{place} contains no typo corpus: expected lines `$word` followed by its misspellings (missp.dat), "
            "or JSON of word: [misspelling, …]"
        )
    return found


def _codespell() -> _Corpus:
    folder = package_folder("codespell_lib")
    path = folder / "data" / "dictionary.txt" if folder else None
    if path is None or not path.is_file():
        raise MissingPart(
            f"no source of typos is installed: {pip_install('demo')} (codespell's dictionary), "
            f"or set {VARIABLE} to a file or folder of typo corpora"
        )
    return _Corpus("codespell", path, _read_codespell, f"codespell {version_of('codespell')}", "CC BY-SA 3.0")


def _reader(path: Path) -> Callable[[Path], Pairs] | None:
    if path.suffix == ".json":
        return _read_json
    with path.open("rb") as file:
        return _read_birkbeck if path.suffix in (".dat", ".txt") and file.read(1) == b"$" else None


def _lines(path: Path, encoding: str) -> Iterable[str]:
    return path.read_text(encoding).splitlines()


def _read_codespell(path: Path) -> Pairs:
    """Lines `typo->word`, or `typo->word, word,`; what follows the last comma is a remark, not a word."""
    for line in _lines(path, "utf-8"):
        typo, _, fixes = line.partition("->")
        meant = fixes.split(",")
        for word in meant[:-1] or meant:
            yield typo, word.strip()


def _read_birkbeck(path: Path) -> Pairs:
    """Lines `$word` followed by its misspellings; `_` is a space, a number after a misspelling its count."""
    word = ""
    for line in _lines(path, "latin-1"):
        text = line.strip()
        if text.startswith("$"):
            word = text[1:].replace("_", " ")
        elif text:
            yield text.split()[0].replace("_", " "), word


def _read_json(path: Path) -> Pairs:
    """`spell_errors.json`: an object of lists."""
    try:
        entries = msgspec.json.decode(path.read_bytes(), type=dict[str, list[str]])
    except msgspec.DecodeError as error:
        raise MissingPart(f"{path} is not JSON of word: [misspelling, …] ({error})") from None
    return ((typo.replace("_", " "), word.replace("_", " ")) for word, typos in entries.items() for typo in typos)
