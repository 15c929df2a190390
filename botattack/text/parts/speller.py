"""The part `speller`: whether a reader still sees which word stood where another is written, from how often English
words and pairs of words are used."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from math import log
from pathlib import Path
from typing import Literal

from botattack.errors import MissingPart
from botattack.protocols import PartInfo
from botattack.text.parts.installed import digest_of, package_folder, version_of
from botattack.text.spelling import LONG, LetterIndex, edit_distance, quick_distance, text_distance
from botattack.version import pip_install

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
_REMEMBERED = 64
"""Words whose pairs are kept ready: those of "the" take a megabyte."""

Doubt = Literal["", "far", "other"]
"""Why no reader sees which word was meant: it is too far, or another word may have been."""


class _Pairs:
    """Pairs of words and how often each is used, as arrays of numbers: a dictionary of strings takes ten times as
    much."""

    def __init__(self, path: Path) -> None:
        import numpy as np

        at: dict[str, int] = {}
        first, second, counts = array("i"), array("i"), array("d")
        for pair, count in _read(path):
            one, _, other = pair.partition(" ")
            first.append(at.setdefault(one, len(at)))
            second.append(at.setdefault(other, len(at)))
            counts.append(count)
        self._at, self._words = at, list(at)
        self._all = np.bincount(first, counts, len(at))
        self._sides = []
        for side, others in ((first, second), (second, first)):
            order = np.argsort(side, kind="stable")
            starts = np.searchsorted(np.asarray(side)[order], np.arange(len(at) + 1))
            self._sides.append((starts, np.asarray(others)[order], np.asarray(counts)[order]))
        self.behind = lru_cache(_REMEMBERED)(partial(self._beside, 0))
        self.before = lru_cache(_REMEMBERED)(partial(self._beside, 1))

    def _beside(self, side: int, word: str) -> Mapping[str, float]:
        """The words that are known right behind a word, or right before it, each with how often."""
        starts, others, counts = self._sides[side]
        at = self._at.get(word, -1)
        some = slice(starts[at], starts[at + 1]) if at >= 0 else slice(0)
        return dict(zip(map(self._words.__getitem__, others[some]), counts[some].tolist(), strict=True))

    def all_of(self, word: str) -> float:
        """How often a word is the first of a pair."""
        return float(self._all[self._at[word]])


@dataclass(frozen=True)
class Speller:
    """English words and pairs of words with how often they are used. All words are in lower case; "" is no word."""

    info: PartInfo
    _words: Path
    _pairs: Path

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How often each word is used."""
        return dict(_read(self._words))

    @cached_property
    def known_pairs(self) -> _Pairs:
        return _Pairs(self._pairs)

    @cached_property
    def letters(self) -> LetterIndex:
        return LetterIndex(self.counts)

    @cached_property
    def _all(self) -> int:
        return sum(self.counts.values())

    def used(self, word: str) -> float:
        """The logarithm of how likely a word is, whatever is beside it."""
        return log(max(self.counts.get(word, 0), RARE) / self._all)

    def reads_past(self, word: str, written: str, before: str, after: str) -> bool:
        """Whether a reader passes over what is `written` between two neighbours and sees the `word` that was there, ""
        being no word on either side: what is written is not known beside both. Where nothing is written, what was there
        must be."""
        broken = not self._stands(before, written, after)
        return broken and (bool(written) or self._stands(before, word, after))

    def _stands(self, before: str, word: str, after: str) -> bool:
        """Whether each pair that follow one another is known, "" left out."""
        if not word:
            return not (before and after) or self.together(before, after)
        return (not before or word in self.known_pairs.behind(before)) and (
            not after or word in self.known_pairs.before(after)
        )

    def together(self, one: str, other: str) -> bool:
        """Whether two words are known to stand side by side."""
        return other in self.known_pairs.behind(one)

    def __hash__(self) -> int:
        return hash(self.info)


class Meant:
    """A word between two neighbours ("" where none is known), looked up once for all that may be written in its place.

    What is written is read as that word if it is near to it, no other word of much the same spelling is likelier
    between the neighbours, and, if it is a word itself, they make it much less likely than the one that was meant: a
    noisy channel of known outcome (after Mays, Damerau & Mercer 1991).
    """

    def __init__(self, speller: Speller, word: str, before: str, after: str) -> None:
        self._speller, self._word, self._before = speller, word, before
        self._pairs = speller.known_pairs
        self._behind_it, self._before_it = self._pairs.behind(before), self._pairs.before(after)
        self._alone = UNSEEN if before else 0.0
        self._unseen = speller.used(after) - UNSEEN if after else 0.0
        self._numbered = any(map(str.isdigit, word))
        self._measure = quick_distance() if len(word) <= LONG else text_distance
        # At most a third of the letters, as in `by_letters` (attacks/building/recovering.py), which has the reason.
        self._most, self._letters = min(FAR, len(word) // 3), sorted(word)
        self._edits = edit_distance()
        self._known: dict[str, float] = {}
        self._doubts: dict[str, Doubt] = {}
        self._others: dict[tuple[int, bool, str], list[tuple[str, int]]] = {}
        self._meant = self._likely(word)

    def doubt(self, written: str) -> Doubt:
        """Why a reader would not read what is written as the word that was meant; else ""."""
        doubt = self._doubts.get(written)
        if doubt is None:
            doubt = self._doubts[written] = self._doubt(written)
        return doubt

    def _doubt(self, written: str) -> Doubt:
        word = self._word
        if self._numbered and word != written:
            return "far"
        far = self._measure(word, written)
        ordered = far <= self._most
        if not ordered and (len(word) != len(written) or sorted(written) != self._letters):
            return "far"
        return "" if len(word) > LONG or self._restored(written, min(far, FAR), ordered) else "other"

    def _restored(self, written: str, far: int, ordered: bool) -> bool:
        if written in self._speller.counts and self._meant - self._likely(written) < SURE:
            return False
        key = far, ordered, written[:1] + written[-1:]
        others = self._others.get(key)
        if others is None:
            others = self._others[key] = self._likelier(*key)
        return not any(0 < self._edits(written, other, score_cutoff=most) <= most for other, most in others)

    def _likelier(self, far: int, ordered: bool, ends: str) -> list[tuple[str, int]]:
        """The words with these ends that are likelier meant by something that far from the word than the word is, if
        that is near enough to them: each with how many edits that are at most."""
        likelier = []
        for other in self._speller.letters.alike(self._word, LOOKED_AT + (far if ordered else 0), ends):
            if other != self._word and (likely := self._likely(other)) > self._enough(far, 1):
                most = 2 if far > 1 and likely > self._enough(far, 2) else 1
                if not ordered or self._edits(self._word, other, score_cutoff=far + most) <= far + most:
                    likelier.append((other, most))
        return likelier

    def _enough(self, far: int, edits: int) -> float:
        """How likely another word must be that is so many edits, LOOKED_AT at most, from what is that far from the
        word."""
        return self._meant - (far - edits) * AN_EDIT

    def _likely(self, word: str) -> float:
        """The logarithm of how likely a word is between the two neighbours."""
        known = self._known.get(word)
        if known is None:
            seen = self._behind_it.get(word)
            known = log(seen / self._pairs.all_of(self._before)) if seen else self._speller.used(word) - self._alone
            seen = self._before_it.get(word)
            known += log(seen / self._pairs.all_of(word)) if seen else self._unseen
            self._known[word] = known
        return known


def _read(path: Path) -> Iterator[tuple[str, int]]:
    with path.open(encoding="utf-8-sig") as lines:
        for line in lines:
            words, _, count = line.rstrip().rpartition(" ")
            if words:
                yield words, int(count)


def load() -> Speller:
    """The lists of symspellpy, read as data; the package is not imported. Raises MissingPart if it is not installed."""
    folder = package_folder("symspellpy")
    paths = [folder / _WORDS, folder / _PAIRS] if folder else []
    if not paths or not all(path.is_file() for path in paths):
        raise MissingPart(
            f"telling typing mistakes from other words needs symspellpy: {pip_install('english')}, or set "
            "`meaning: paper`"
        )
    return _speller(PartInfo("symspellpy", version_of("symspellpy"), "MIT", digest_of(paths)), *paths)


# One command makes variants more than once (a night, a hardening), and the pairs take 0.3 s to read.
_speller = lru_cache(1)(Speller)
