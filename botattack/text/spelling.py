"""Edit distance, and the words of a list that are spelled like another. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import groupby

CACHED = 8192
"""Keywords whose similar words are remembered: bounded, so that memory does not grow with the question set."""


@cache
def edit_distance() -> Callable[..., int]:
    """The function behind `distance`, for loops that cannot afford to look it up each time."""
    from rapidfuzz.distance import DamerauLevenshtein

    return DamerauLevenshtein.distance


@cache
def quick_distance() -> Callable[[str, str], int]:
    """Optimal string alignment: ten times as fast, and right wherever the distance is 0 or 1; never less than it."""
    from rapidfuzz.distance import OSA

    return OSA.distance


def distance(one: str, other: str) -> int:
    """True Damerau-Levenshtein distance: insertions, deletions, replacements and transpositions, each of one character.

    Not optimal string alignment: a transposed pair may be edited again ("ca" to "abc" is 2, not 3).
    """
    return edit_distance()(one, other)


def text_distance(one: str, other: str) -> int:
    """The same for texts that differ in several places, at a tenth of the cost if a quick look decides it.

    Optimal string alignment never tells less. It is right up to 2; where it is the difference in length; and where each
    operation writes a character that the other text does not have. For texts
    of more than LONG characters it is the answer; those of more than PIECE are compared piece by piece.
    """
    if len(one) <= PIECE:
        quick = quick_distance()(one, other)
    else:
        head = _shared(one, other)
        tail = _shared(one[head:][::-1], other[head:][::-1])
        one, other = one[head : len(one) - tail], other[head : len(other) - tail]
        pieces = range(0, max(len(one), len(other)), PIECE)
        quick = sum(quick_distance()(one[at : at + PIECE], other[at : at + PIECE]) for at in pieces)
    if quick <= 2 or quick == abs(len(one) - len(other)) or len(one) > LONG:
        return quick
    return quick if len(other.translate(_without(one))) == quick else distance(one, other)


LONG = 2000
"""Characters up to which the true distance is worth its cost, which grows with the square of the length."""
PIECE = 5000
"""Characters of longer texts that are compared at once: the cost of a piece grows with the square of its length."""


def measure_of(text: str) -> Callable[[str, str], int]:
    """What measures how far a text is from one made of it."""
    return edit_distance() if len(text) <= LONG else text_distance


@lru_cache(64)
def _without(text: str) -> dict[int, None]:
    return dict.fromkeys(map(ord, text))


def _shared(one: str, other: str) -> int:
    """How many characters two texts have in common at the beginning."""
    return bisect_left(range(min(len(one), len(other))), True, key=lambda at: one[: at + 1] != other[: at + 1])


class SpellingIndex:
    """Words grouped by first and last letter, so that a search compares only those that share both.

    Words are found in the form they were given in; give them in lower case and ask in lower case.
    """

    def __init__(self, words: Iterable[str]) -> None:
        groups: dict[str, list[str]] = {}
        for word in dict.fromkeys(words):
            if word:
                groups.setdefault(word[0] + word[-1], []).append(word)
        self._groups = {ends: sorted(group, key=lambda word: (len(word), word)) for ends, group in groups.items()}
        self.similar = lru_cache(CACHED)(self._similar)

    def _similar(self, word: str, most: int) -> tuple[tuple[str, int], ...]:
        """Other words with the same first and last letter within `most` edits of `word`, each with its distance,
        nearest first. The answer is cached."""
        from rapidfuzz.distance import DamerauLevenshtein
        from rapidfuzz.process import cdist

        near = self._of_length(word, most) if word else []
        if not near:
            return ()
        row = cdist([word], near, scorer=DamerauLevenshtein.distance, score_cutoff=most)[0]
        hits = (row <= most).nonzero()[0].tolist()
        found = [(edits, near[i]) for i, edits in zip(hits, row[hits].tolist(), strict=True) if near[i] != word]
        return tuple((other, edits) for edits, other in sorted(found))

    def _of_length(self, word: str, most: int) -> list[str]:
        group = self._groups.get(word[0] + word[-1], [])
        low = bisect_left(group, len(word) - most, key=len)
        return group[low : bisect_left(group, len(word) + most + 1, key=len)]


class LetterIndex:
    """Words by first and last letter, of which those are found that have nearly all letters of another."""

    def __init__(self, words: Iterable[str]) -> None:
        import numpy as np

        self.words = sorted(filter(None, words), key=_ends)
        written = "\n".join(self.words)
        text = np.frombuffer(written.encode("utf-32-le"), "u4")
        word_of, count = np.cumsum(text == ord("\n"), dtype="u4"), len(self.words)
        # One letter's count in all words is one array: a search looks at those of its own letters alone.
        self._counts = {
            letter: np.bincount(word_of[text == ord(letter)], minlength=count).astype("u1") for letter in set(written)
        }
        self._lengths = np.fromiter(map(len, self.words), "u1", count)
        self._groups: dict[str, range] = {}
        end = 0
        for ends, group in groupby(self.words, _ends):
            start, end = end, end + sum(1 for _ in group)
            self._groups[ends] = range(start, end)

    def alike(self, word: str, most: int, ends: str) -> list[str]:
        """Words with these ends that are within `most` edits of `word` if the order of letters does not count."""
        import numpy as np

        group = self._groups.get(ends, range(0))
        if not group:
            return []
        lengths = self._lengths[group.start : group.stop]
        lacking = np.maximum(lengths, np.full(len(lengths), min(len(word), 255), "u1"))
        for letter, times in Counter(word).items():
            if letter in self._counts:
                counts = self._counts[letter][group.start : group.stop]
                lacking -= np.minimum(counts, np.full(len(lengths), min(times, 255), "u1"))
        return [self.words[group.start + place] for place in (lacking <= most).nonzero()[0]]


def _ends(word: str) -> str:
    return word[0] + word[-1]
