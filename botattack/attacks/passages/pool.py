"""Passages from elsewhere, and which of them are near a text. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from math import log, sqrt

from botattack.attacks.fakes.answers import plain
from botattack.model import content_id
from botattack.text.tokens import normalised, words


class Pool:
    """Distinct passages, in their order. As text it is their number and a digest: what a recording keeps of it."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(dict.fromkeys(texts))

    def __str__(self) -> str:
        return f"{len(self.texts)} passages, {self._digest}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pool) and self.texts == other.texts

    def __hash__(self) -> int:
        return hash(self._digest)

    def nearest(self, text: str) -> list[int]:
        """The numbers of the passages that share a word with a text, those that share most first: a word counts the
        more, the fewer passages have it, and the less, the longer the passage is."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word, times in _counted(text).items():
            held = self._index.get(word, ())
            weight = log(len(self.texts) / len(held)) * sqrt(times) if held else 0.0
            for number in held:
                scores[number] += weight
        ranked = {number: score / sqrt(1 + len(self.texts[number])) for number, score in scores.items() if score}
        return sorted(ranked, key=lambda number: (-ranked[number], number))

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The passages as `fakes.plain` has them."""
        return tuple(map(plain, self.texts))

    @cached_property
    def _digest(self) -> str:
        return content_id("passages", self.texts)

    @cached_property
    def _index(self) -> dict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(self.texts):
            for word in _counted(text):
                found[word].append(number)
        return dict(found)


def _counted(text: str) -> Counter[str]:
    return Counter(word.text for word in words(normalised(text)))
