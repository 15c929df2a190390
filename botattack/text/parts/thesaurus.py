"""The part `thesaurus`: synonyms and antonyms of WordNet, read from its own files."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from botattack.errors import MissingPart
from botattack.protocols import PartInfo
from botattack.text.parts.installed import digest_of, fetched

VARIABLE = "BOTATTACK_WORDNET"
"""The folder with WordNet's files index.noun, data.noun …"""
RESOURCE = "wordnet"
DEBIAN = Path("/usr/share/wordnet")

_FILES = {"NOUN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"}
_CACHED = 16384


class Synset(NamedTuple):
    """Words of one sense, and which word of it has which antonym: (word, synset, word there), counted from 1."""

    words: tuple[str, ...]
    opposites: tuple[tuple[int, int, int], ...]
    above: tuple[int, ...] = ()
    """Synsets of what it is a kind of."""
    field: str = ""
    """The number of the lexicographers' file it is in: 18 has persons."""


@dataclass(frozen=True)
class Thesaurus:
    """WordNet by part of speech (universal names). Words are lemmas in lower case; phrases have spaces.

    Senses come most frequent first, as WordNet orders them. A name (PROPN) and other parts of speech have none.
    """

    info: PartInfo
    _index: Mapping[str, mmap.mmap]
    _data: Mapping[str, mmap.mmap]

    def synonyms(self, lemma: str, pos: str, senses: int = 1) -> tuple[str, ...]:
        """Other words of the first senses of a lemma, in their order, each once."""
        found = {word: None for synset in self.senses(lemma, pos)[:senses] for word in synset.words}
        return tuple(word for word in found if word.lower() != lemma.lower())

    def antonyms(self, lemma: str, pos: str, senses: int | None = None) -> tuple[tuple[str, ...], ...]:
        """Direct antonyms of a lemma by sense, of all or the first; senses without any are left out."""
        name = lemma.lower()
        by_sense = (
            [(there, other) for own, there, other in synset.opposites if synset.words[own - 1].lower() == name]
            for synset in self.senses(lemma, pos)[:senses]
        )
        return tuple(
            tuple(self._synset(pos, there).words[other - 1] for there, other in found) for found in by_sense if found
        )

    def senses(self, lemma: str, pos: str) -> tuple[Synset, ...]:
        return _senses(self, lemma.lower(), pos)

    def kinds(self, lemma: str, levels: int) -> Iterator[str]:
        """The first word of each synset that the first sense of a noun is a kind of, the nearest first."""
        level = self.senses(lemma, "NOUN")[:1]
        for _ in range(levels):
            level = tuple(dict.fromkeys(self._synset("NOUN", above) for synset in level for above in synset.above))
            yield from (synset.words[0] for synset in level)

    def offsets(self, lemma: str, pos: str) -> list[int]:
        """Where the senses of a lemma are in the data file of its part of speech."""
        if pos not in self._index or not lemma:
            return []
        fields = _line_of(self._index[pos], lemma.replace(" ", "_").encode("ascii", "replace")).split()
        return [int(offset) for offset in fields[-int(fields[2]) :]] if fields else []

    def _synset(self, pos: str, offset: int) -> Synset:
        data = self._data[pos]
        return _parsed(data[offset : data.find(b"\n", offset)].decode("ascii", "replace"))

    def __hash__(self) -> int:
        return hash(self.info)


@lru_cache(_CACHED)
def _senses(thesaurus: Thesaurus, lemma: str, pos: str) -> tuple[Synset, ...]:
    return tuple(thesaurus._synset(pos, offset) for offset in thesaurus.offsets(lemma, pos))


def _line_of(index: mmap.mmap, lemma: bytes) -> str:
    """The line that begins with a lemma and a space, found by halving: lines are sorted by their bytes."""
    low, high = 0, len(index)
    while low < high:
        middle = index.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = index.find(b"\n", middle)
        end = len(index) if end < 0 else end
        word = index[middle:end].partition(b" ")[0]
        if word == lemma:
            return index[middle:end].decode("ascii", "replace")
        # The licence at the top has lines that begin with a space, and sorts before every word.
        low, high = (end + 1, high) if word < lemma else (low, middle)
    return ""


def _parsed(line: str) -> Synset:
    """Fields: offset, file, kind, count of words in hexadecimal, words with a number each, pointers, `|`, gloss."""
    fields = line.partition(" | ")[0].split()
    count = int(fields[3], 16)
    # `beautiful(a)` says where an adjective may stand; the word is `beautiful`.
    words = tuple(fields[4 + 2 * i].partition("(")[0].replace("_", " ") for i in range(count))
    at = 4 + 2 * count
    pointers = [fields[at + 1 + 4 * i : at + 5 + 4 * i] for i in range(int(fields[at]))]
    opposites = (
        (int(ends[:2], 16), int(offset), int(ends[2:], 16)) for kind, offset, _, ends in pointers if kind == "!"
    )
    above = tuple(int(offset) for kind, offset, *_ in pointers if kind == "@")
    return Synset(words, tuple(opposites), above, fields[1])


def load() -> Thesaurus:
    """WordNet from BOTATTACK_WORDNET, as fetched by `botattack resources get wordnet`, or of Debian's wordnet-base.

    Raises MissingPart if it is in none of these places.
    """
    folder = _folder()
    paths = [folder / f"{kind}.{name}" for name in _FILES.values() for kind in ("index", "data")]
    version = "3.1" if b"WordNet 3.1" in paths[1].read_bytes()[:4000] else "3.0"
    info = PartInfo("WordNet", version, "WordNet licence", digest_of(paths))
    index, data = (
        {pos: _mapped(folder / f"{kind}.{name}") for pos, name in _FILES.items()} for kind in ("index", "data")
    )
    return Thesaurus(info, index, data)


def lists() -> dict[str, Path]:
    """The lists of WordNet's lemmas by part of speech; empty if it is in none of these places."""
    try:
        folder = _folder()
    except MissingPart:
        return {}
    return {pos: folder / f"index.{name}" for pos, name in _FILES.items()}


def lemmas(path: Path) -> frozenset[str]:
    """The lemmas of a list, those of a phrase with `_` in it."""
    return frozenset(line.partition(" ")[0] for line in path.read_text("ascii", "replace").splitlines())


def _folder() -> Path:
    given = os.environ.get(VARIABLE)
    places = [Path(given).expanduser()] if given else [fetched(RESOURCE), DEBIAN]
    for place in places:
        if all((place / f"{kind}.{name}").is_file() for name in _FILES.values() for kind in ("index", "data")):
            return place
    if given:
        raise MissingPart(f"{VARIABLE} names {given}, which does not contain WordNet's index.noun, data.noun and so on")
    raise MissingPart(
        "there is no thesaurus: botattack resources get wordnet (or apt-get install wordnet-base, "
        f"or set {VARIABLE} to a folder with WordNet's files)"
    )


@cache
def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
