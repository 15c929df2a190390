"""Where in the passages a variant differs from its question: at what spot, and how far from the answer. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from botattack.attacks.building.guard import answer_spans
from botattack.model import Edit, Question
from botattack.text.sentences import sentence_spans

MIXED = "mixed"
"""What is shown for several of a thing in one variant."""
_FAR = 3
"""Sentences from which on they are not counted one by one."""
_SENTENCES = ("0 sentences", "1 sentence", "2 sentences", "3 or more sentences")
_PASSAGES = ("next passage", "farther passage")
_ORDER = {name: rank for rank, name in enumerate((*_SENTENCES, *_PASSAGES))}


def common(names: Sequence[str]) -> str:
    """The name that all of them are, or `mixed`; there is one at least."""
    return names[0] if names.count(names[0]) == len(names) else MIXED


class Whereabouts:
    """What is said of the edits of one question's variants; "" of those that touch no passage."""

    def __init__(self, question: Question) -> None:
        self._question = question

    def place(self, edits: Sequence[Edit]) -> str:
        """Whether passages differ at their beginning, in their middle, at their end, or whole; or where passages were
        added."""
        found = {self._place(edit) for edit in self._in_passages(edits)}
        return "" if not found else found.pop() if len(found) == 1 else MIXED

    def distance(self, edits: Sequence[Edit]) -> str:
        """How far the nearest edit is from a gold answer: in sentences within its passage, else whether the answer is
        in the next passage or farther away."""
        found = [self._distance(edit) for edit in self._in_passages(edits) if self._answers]
        return min(found, key=lambda name: _ORDER[name], default="")

    def _in_passages(self, edits: Sequence[Edit]) -> list[Edit]:
        """Those of passages that are there: a damaged recording may have lost the question."""
        count = len(self._question.passages)
        return [
            edit for edit in edits if "passage" in edit.place.kind and edit.place.index < count + edit.place.is_added
        ]

    @cached_property
    def _answers(self) -> dict[int, list[int]]:
        """The numbers of the sentences with gold answers, by passage."""
        found = {}
        for number, text in enumerate(self._question.passages):
            if spans := answer_spans(text, self._question.answers):
                found[number] = [self._sentence(number, start) for start, _ in spans]
        return found

    @cached_property
    def _ends(self) -> list[list[int]]:
        return [[end for _, end in sentence_spans(text)] for text in self._question.passages]

    def _sentence(self, passage: int, at: int) -> int:
        return sum(end <= at for end in self._ends[passage])

    def _place(self, edit: Edit) -> str:
        index, count = edit.place.index, len(self._question.passages)
        if edit.place.is_added:
            return "before passages" if index == 0 else "behind passages" if index == count else "between passages"
        text = self._question.passages[index]
        if edit.before == text:
            return "whole passage"
        if self._sentence(index, edit.start) == 0 and not edit.before:
            return "beginning of passage"
        return "end of passage" if edit.start + len(edit.before) >= len(text) else "middle of passage"

    def _distance(self, edit: Edit) -> str:
        index = edit.place.index
        if edit.place.is_added:
            beside = {index, index - 1}
        elif index in self._answers:
            at = self._sentence(index, edit.start)
            return _SENTENCES[min(_FAR, *(abs(at - answer) for answer in self._answers[index]))]
        else:
            beside = {index - 1, index + 1}
        return _PASSAGES[not beside & self._answers.keys()]
