"""Wrong answers that another bot gave to the very question, which an attack claims in place of a fake one. Pure."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Self

from botattack.attacks.building.drawn_rows import DrawnRows
from botattack.attacks.fakes.answers import like_gold
from botattack.attacks.turns.said_turns import other_answer
from botattack.model import Need, Question
from botattack.options import File, Read, file
from botattack.protocols.attacks import OtherClaims


class Claims(DrawnRows):
    """Wrong answers by `Question.base`, so that it does not matter how the passages reached the other bot."""

    def __init__(self, answers: Mapping[str, Sequence[str]]) -> None:
        self._answers = {asked: sorted(found) for asked, found in answers.items()}
        super().__init__("claims", sorted(self._answers.items()))

    def __str__(self) -> str:
        return f"wrong answers to {len(self._answers)} questions, {self._digest}"

    def to(self, question: Question, rng: Random) -> str:
        """A wrong answer of the form of the right one; "" if none is known."""
        known = self._answers.get(question.base, [])
        return like_gold(question, rng.sample(known, len(known))) if question.language == "en" else ""


@dataclass(frozen=True, kw_only=True)
class Claiming:
    """What attacks that claim a wrong answer take from the recording of another bot."""

    claims: Annotated[File | Claims | None, Read(file, {"type": "string", "minLength": 1})] = None
    """The folder of another bot's recording: what is claimed is a wrong answer that this bot gave to the very question,
    if it is a short one of the form of the right answer, in English. A question without such an answer gets no variant.
    Where left out, a fake answer is claimed."""

    def with_claims(self, claims: OtherClaims) -> Self:
        return replace(self, claims=Claims(claims(self.claims))) if isinstance(self.claims, File) else self

    def wrong_answer(self, question: Question, rng: Random) -> Generator[Sequence[Need], Sequence[object], str]:
        """What is claimed; "" if nothing can be."""
        if self.claims is None:
            return (yield from other_answer(question, rng))
        return self.claims.to(question, rng) if isinstance(self.claims, Claims) else ""
