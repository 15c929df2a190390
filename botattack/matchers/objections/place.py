"""An answer found in a reply, with the words around it, and what may be said against it."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import msgspec

from botattack.matchers.context import Asked
from botattack.matchers.sentences import clause_of, is_in_first, sentence_of
from botattack.text.normalise import Normal, normalise

HEDGED = "and does not choose"
"""How the reason of a hedge ends."""

Grade = Literal["wrong", "unsure"]


class Objection(msgspec.Struct, frozen=True):
    """Why an answer found in a reply does not count; `area` is the part of the reply it is found in."""

    kind: Literal["denied", "doubted", "asked", "hedged", "elsewhere", "echoed", "mentioned", "contradicted"]
    grade: Grade
    why: str
    area: tuple[int, int]


class Place(msgspec.Struct, frozen=True, dict=True):
    """An answer in a reply, with the words around it in normal form."""

    context: Asked
    text: str
    span: tuple[int, int]

    @cached_property
    def whole(self) -> Normal:
        """The whole reply."""
        return normalise(self.text)

    @cached_property
    def in_first(self) -> bool:
        """Whether the answer is surely in the first sentence."""
        return is_in_first(self.text, self.span[0])

    @cached_property
    def sentence(self) -> tuple[int, int]:
        return sentence_of(self.text, self.span)

    @cached_property
    def clause(self) -> tuple[int, int]:
        return clause_of(self.text, self.span, self.sentence)

    @cached_property
    def phrase(self) -> str:
        return normalise(self.text[slice(*self.span)]).text.strip()

    @cached_property
    def before(self) -> str:
        return normalise(self.text[self.clause[0] : self.span[0]]).text

    @cached_property
    def after(self) -> str:
        return normalise(self.text[self.span[1] : self.clause[1]]).text

    @cached_property
    def whole_before(self) -> str:
        return normalise(self.text[self.sentence[0] : self.span[0]]).text

    @cached_property
    def raw_after(self) -> str:
        return self.text[self.span[1] : self.sentence[1]]

    @cached_property
    def words(self) -> Normal:
        return normalise(self.text[slice(*self.sentence)])

    @cached_property
    def next_sentence(self) -> str:
        return normalise(self.text[self.sentence[1] : self.sentence[1] + 60]).text

    @property
    def said(self) -> str:
        return self.text[slice(*self.span)].strip()[:60]
