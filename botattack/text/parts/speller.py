"""The part `speller`: whether a reader still sees which word stood where another is written, from how often English
words and pairs of words are used."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from math import exp, log
from pathlib import Path
from typing import Literal

from botattack.errors import MissingPart
from botattack.protocols import PartInfo
from botattack.text.parts.installed import digest_of, package_folder, version_of
from botattack.text.spelling import LONG, LetterIndex, quick_distance, text_distance, words_near
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

    def __init__(self, path: Path, known: Iterable[str]) -> None:
        """Of words that are `known` no second copy is kept."""
        import numpy as np

        same = {word: word for word in known}
        at: dict[str, int] = {}
        first, second, counts = array("i"), array("i"), array("d")
        for pair, count in _read(path):
            one, _, other = pair.partition(" ")
            first.append(at.setdefault(same.get(one, one), len(at)))
            second.append(at.setdefault(same.get(other, other), len(at)))
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
        if (at := self._at.get(word)) is None:
            return {}
        starts, others, counts = self._sides[side]
        some = slice(starts[at], starts[at + 1])
        return dict(zip(map(self._words.__getitem__, others[some]), counts[some].tolist(), strict=True))

    def all_of(self, word: str) -> float:
        """How often a word is the first of a pair."""
        return float(self._all[self._at[word]])


@dataclass(frozen=True)
class Speller:
    """English words and pairs of words with how often they are used. All words are in lower case; "" is no word."""

    info: PartInfo
    _words: Path = field(repr=False)
    _pairs: Path = field(repr=False)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How often each word is used."""
        return dict(_read(self._words))

    @cached_property
    def known_pairs(self) -> _Pairs:
        return _Pairs(self._pairs, self.counts)

    @cached_property
    def letters(self) -> LetterIndex:
        return LetterIndex(self.counts)

    @cached_property
    def _all(self) -> int:
        return sum(self.counts.values())

    def used(self, word: str) -> float:
        """The logarithm of how likely a word is, whatever is beside it."""
        return log(max(self.counts.get(word, 0), RARE) / self._all)

    def count_of(self, used: float) -> float:
        """How often a word is used that is so likely (a logarithm), whatever is beside it; 0 if every word is."""
        count = exp(used) * self._all
        return count if count > RARE else 0

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
        meant = max(near_by, key=lambda one: self.used(one[0]) - one[1] * AN_EDIT, default=None)
        return meant[0] if meant else written

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
        self._most, self._letters = min(FAR, len(word) // 3), sorted(word)
        self._known: dict[str, float] = {}
        self._doubts: dict[str, Doubt] = {}
        self._others: dict[tuple[int, bool, str], list[str]] = {}
        self._meant = self._likely(word)

    def doubt(self, written: str) -> Doubt:
        """Why a reader would not read what is written as the word that was meant; else ""."""
        if written not in self._doubts:
            self._doubts[written] = self._doubt(written)
        return self._doubts[written]

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
            others = self._others[key] = self._near_to(*key)
        # Most lists are empty, or soon are: no word in them is likelier than the one that was meant.
        return not others or all(
            self._likely(other) <= self._meant - (far - edits) * AN_EDIT
            for other, edits, _ in words_near()(written, others, score_cutoff=min(far, LOOKED_AT))
            if edits
        )

    def _near_to(self, far: int, ordered: bool, ends: str) -> list[str]:
        """The words with these ends that may be meant by something that far from the word: near enough, and likely
        enough if it is one edit from them."""
        # What is near to its letters in another order has nearly all of them.
        reach = far + min(far, LOOKED_AT) if ordered else LOOKED_AT
        enough = self._meant - (far - 1) * AN_EDIT
        # Most are used too rarely, which is seen at less cost than how likely each is; a millionth is for rounding.
        count = self._speller.count_of(enough + self._alone - self._unseen - 1e-6)
        counts, behind, before = self._speller.counts, self._behind_it, self._before_it
        near_by = [
            other
            for other in self._speller.letters.alike(self._word, reach, ends)
            if (counts[other] > count or other in behind or other in before)
            and self._likely(other) > enough
            and other != self._word
        ]
        if not ordered or not near_by:
            return near_by
        return [other for other, *_ in words_near()(self._word, near_by, score_cutoff=reach)]

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
