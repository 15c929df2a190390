"""What an attack draws from a whole question set, and how a recording names it. Pure."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from typing import Annotated, Self

from botattack.model import Question, content_id
from botattack.options import File, Read, file
from botattack.text.tokens import normalised, words

LOOKED_AT = 200
"""Questions, the nearest first or drawn by chance, among which some that fit are looked for."""


class DrawnRows:
    """Rows that an attack draws from, equal to others with the same digest. As text they are their number and that
    digest: what a recording keeps of them."""

    def __init__(self, kind: str, rows: Sequence[object]) -> None:
        """`kind` says what the rows are, in the plural."""
        self._kind, self._digested = kind, rows

    def __str__(self) -> str:
        return f"{len(self._digested)} {self._kind}, {self._digest}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    @cached_property
    def _digest(self) -> str:
        return content_id(self._kind, self._digested)


class Others(DrawnRows):
    """Questions that may be asked before another, each text once. Their order in a file does not matter."""

    def __init__(self, questions: Sequence[Question]) -> None:
        single = sorted((each for each in questions if not each.earlier), key=lambda each: each.id)
        self.questions = tuple({each.text: each for each in single}.values())
        super().__init__("questions", [(each.id, each.answers) for each in self.questions])

    def nearest(self, text: str) -> Iterator[Question]:
        """Those that share a word with a text, the nearest first: the share that the words of both are of the words of
        either, where a word counts the more, the fewer questions have it."""
        asked, shared = _words(text), defaultdict[int, float](float)
        for word in asked:
            for number in self._index.get(word, ()):
                shared[number] += self._weight(word)
        whole = sum(map(self._weight, asked))
        near = {number: weight / (whole + self._whole[number] - weight) for number, weight in shared.items()}
        best = heapq.nsmallest(LOOKED_AT, near, key=lambda number: (-near[number], number))
        return map(self.questions.__getitem__, best)

    def _weight(self, word: str) -> float:
        return log(1 + len(self.questions) / max(1, len(self._index.get(word, ()))))

    @cached_property
    def _index(self) -> dict[str, list[int]]:
        found = defaultdict[str, list[int]](list)
        for number, each in enumerate(self.questions):
            for word in _words(each.text):
                found[word].append(number)
        return dict(found)

    @cached_property
    def _whole(self) -> list[float]:
        return [sum(map(self._weight, _words(each.text))) for each in self.questions]


def _words(text: str) -> list[str]:
    """The words of a text, each once, in their order: sums of floats must not depend on that of a set."""
    return [*dict.fromkeys(word.text for word in words(normalised(text)))]


@dataclass(frozen=True, kw_only=True)
class WithOthers:
    """What attacks take that need other questions."""

    questions: Annotated[File | Others | None, Read(file, {"type": "string", "minLength": 1})] = None
    """The file with the other questions, relative to the campaign's folder, or ${NAME}/path as for questions; where
    left out, those of the question set. At most 20,000 are taken."""

    def with_questions(self, questions: Callable[[File | None], Sequence[Question]]) -> Self:
        given = self.questions
        return self if isinstance(given, Others) else replace(self, questions=Others(questions(given)))

    @property
    def others(self) -> Sequence[Question]:
        """The other questions; none before they are known."""
        return self.questions.questions if isinstance(self.questions, Others) else ()
