"""The part `speller`: whether a reader still sees which word stood where another is written, from how often English
words and pairs of words are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from math import log
from pathlib import Path

from botattack.errors import MissingPart
from botattack.protocols import PartInfo
from botattack.text.parts.installed import digest_of, package_folder, version_of
from botattack.text.spelling import LONG, SpellingIndex, quick_distance, text_distance

FAR = 3
"""Operations on a word beyond which no reader finds it, however long it is."""
AN_EDIT = 3.0
"""What an operation costs, in nats."""
SURE = 7.0
"""By how much the word that was meant must be likelier than another word that is written in its place, in nats."""
LOOKED_AT = 2
"""Operations within which other words are looked for."""
UNSEEN = 2.0
"""What it costs that two words are not known to stand side by side, in nats."""
RARE = 10_000
"""How often a word is taken to be used that is not in the list."""
# These numbers were fitted to half of the labelled variants (benchmarks/measured/meaning.md).

_WORDS = "frequency_dictionary_en_82_765.txt"
_PAIRS = "frequency_bigramdictionary_en_243_342.txt"
_CACHED = 65_536


@dataclass(frozen=True)
class Speller:
    """English words and pairs of words with how often they are used. All words are in lower case; "" is no word."""

    info: PartInfo
    _words: Path = field(repr=False)
    _pairs: Path = field(repr=False)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How often each word is used."""
        return _read(self._words)

    @cached_property
    def _by_pair(self) -> Mapping[str, int]:
        return _read(self._pairs)

    @cached_property
    def _by_first(self) -> Mapping[str, int]:
        """How often each word is the first of a pair."""
        found = Counter[str]()
        for pair, count in self._by_pair.items():
            found[pair.partition(" ")[0]] += count
        return found

    @cached_property
    def _spelled(self) -> SpellingIndex:
        return SpellingIndex(self.counts)

    @cached_property
    def _all(self) -> int:
        return sum(self.counts.values())

    def recovers(self, word: str, written: str, before: str, after: str) -> bool:
        """Whether what is `written` between two neighbours ("" where none is known) is read as `word`.

        It is where no other word of much the same spelling is likelier between them, and, if it is a word itself, its
        neighbours make it much less likely than the one that was meant: a noisy channel of known outcome (after Mays,
        Damerau & Mercer 1991).
        """
        return near(word, written) and (len(word) > LONG or _restored(self, word, written, before, after))

    def reads_past(self, word: str, written: str, before: str, after: str) -> bool:
        """Whether a reader passes over what is `written` between two neighbours and sees the `word` that was there, ""
        being no word on either side: what is written is not known beside both. Where nothing is written, what was there
        must be."""
        known = self._by_pair
        broken = any(pair not in known for pair in _pairs(before, written, after))
        return broken and (bool(written) or all(pair in known for pair in _pairs(before, word, after)))

    def corrected(self, written: str, more: Collection[str] = ()) -> str:
        """The word that is likeliest meant by what is written, whatever is beside it, of those known here and of
        `more`; the same if none is near."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        most = min(LOOKED_AT, len(written) // 3)
        near_by = [
            (word, far)
            for words in (self.counts, more)
            for word, far, _ in extract(written, list(words), scorer=OSA.distance, score_cutoff=most, limit=None)
        ]
        meant = max(near_by, key=lambda one: self._follows("", one[0]) - one[1] * AN_EDIT, default=None)
        return meant[0] if meant else written

    def together(self, one: str, other: str) -> bool:
        """Whether two words are known to stand side by side."""
        return f"{one} {other}" in self._by_pair

    def _likely(self, word: str, before: str, after: str) -> float:
        """The logarithm of how likely a word is between two others."""
        return self._follows(before, word) + (self._follows(word, after) if after else 0.0)

    def _follows(self, one: str, other: str) -> float:
        if one and (seen := self._by_pair.get(f"{one} {other}")):
            return log(seen / self._by_first[one])
        return log(max(self.counts.get(other, 0), RARE) / self._all) - (UNSEEN if one else 0.0)

    def __hash__(self) -> int:
        return hash(self.info)


@lru_cache(_CACHED)
def _restored(speller: Speller, word: str, written: str, before: str, after: str) -> bool:
    meant = speller._likely(word, before, after)
    if written in speller.counts and meant - speller._likely(written, before, after) < SURE:
        return False
    far = min(quick_distance()(word, written), FAR)
    others = speller._spelled.similar(written, min(far, LOOKED_AT))
    enough = meant - far * AN_EDIT
    return all(speller._likely(other, before, after) - n * AN_EDIT <= enough for other, n in others if other != word)


def near(word: str, written: str) -> bool:
    """Whether a reader who looks for a word finds it: at most a third of its letters were changed, or only their order.
    In what has a digit, each character tells it from another (AS-278, AS-272)."""
    if any(map(str.isdigit, word)):
        return word == written
    most = min(FAR, len(word) // 3)
    far = quick_distance()(word, written) if len(word) <= LONG else text_distance(word, written)
    return far <= most or (len(word) == len(written) and sorted(word) == sorted(written))


def _pairs(*words: str) -> list[str]:
    """The pairs of words that follow one another, "" left out."""
    return list(map(" ".join, pairwise(filter(None, words))))


def _read(path: Path) -> dict[str, int]:
    lines = (line.rpartition(" ") for line in path.read_text("utf-8-sig").splitlines() if line)
    return {words: int(count) for words, _, count in lines}


def load() -> Speller:
    """The lists of symspellpy, read as data; the package is not imported. Raises MissingPart if it is not installed."""
    folder = package_folder("symspellpy")
    paths = [folder / _WORDS, folder / _PAIRS] if folder else []
    if not paths or not all(path.is_file() for path in paths):
        raise MissingPart(
            'telling typing mistakes from other words needs symspellpy: pip install "botattack[english]", or set '
            "`meaning: paper`"
        )
    return Speller(PartInfo("symspellpy", version_of("symspellpy"), "MIT", digest_of(paths)), *paths)
