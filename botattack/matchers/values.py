"""Matchers that compare values and not letters: numbers with units, dates and times of day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from botattack.matchers import moments
from botattack.matchers.gold import Golds, golds
from botattack.matchers.quantities import Quantity, gold_quantities, quantities
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.text.normalise import Normal, normalise


@dataclass(frozen=True)
class Numeric:
    """A gold answer that is a number with a unit is said in the reply, in the same or another unit of its kind.

    Equal means within `tolerance` (relative); a measure (length, mass, speed, temperature …) may be rounded, and one
    within 5 % is unsure. A bare number counts only where it is all that the reply says. `bare`: gold answers without
    a unit are compared too.
    """

    tolerance: float = 0.0
    bare: bool = False
    name: ClassVar[str] = "numeric"
    cost: ClassVar[int] = 3

    def __post_init__(self) -> None:
        if not 0 <= self.tolerance < 1:
            raise ValueError(f"tolerance must be at least 0 and below 1, not {self.tolerance}")

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        del prompt, baseline
        wanted = [found for literal in golds(gold).literals if (found := self._wanted(literal.raw))]
        if not wanted:
            return Verdict("wrong", 0.0, self.name, "no quantity to compare with")
        normal = normalise(reply.text)
        said = tuple(quantities(normal))
        near: Quantity | None = None
        for parts in wanted:
            likeness, place = self._compared(parts, said, normal)
            if likeness == "same" and place:
                return Verdict("correct", 1.0, self.name, "the reply says the gold quantity", _span(normal, place))
            near = place if likeness == "near" else near
        if near:
            return Verdict("unsure", 0.5, self.name, "a quantity near the gold one", _span(normal, near))
        return Verdict("wrong", 0.0, self.name, "no gold quantity was found")

    def _wanted(self, raw: str) -> tuple[Quantity, ...]:
        normal = normalise(raw)
        if found := gold_quantities(normal):
            return found
        found = tuple(quantities(normal)) if self.bare else ()
        return found if len(found) == 1 and len(normal.words) == 1 else ()

    def _compared(
        self, parts: Sequence[Quantity], said: Sequence[Quantity], normal: Normal
    ) -> tuple[str, Quantity | None]:
        if len(parts) > 1:
            return self._in_a_row([quantity.number for quantity in parts], said)
        best: Quantity | None = None
        for quantity in said:
            if not quantity.dimension and parts[0].dimension:
                if _alone(normal, quantity) and quantity.number == parts[0].number:
                    return "same", quantity
                continue
            likeness = quantity.like(parts[0], self.tolerance)
            if likeness == "same":
                return likeness, quantity
            best = quantity if likeness == "near" and best is None else best
        return ("near", best) if best else ("other", None)

    @staticmethod
    def _in_a_row(numbers: list[float], said: Sequence[Quantity]) -> tuple[str, Quantity | None]:
        """ "35 x 45 mm": only the last number has its unit beside it."""
        values = [quantity.number for quantity in said]
        places = range(len(said) - len(numbers) + 1)
        at = next((at for at in places if values[at : at + len(numbers)] == numbers), None)
        return ("other", None) if at is None else ("same", said[at])


@dataclass(frozen=True)
class DateMatch:
    """A gold answer that is a date or a time of day is said in the reply, in any notation.

    What the gold answer leaves open may be anything; a reply that leaves open what the gold answer says is unsure.
    A time without half of the day may be of either. Of a range both ends must be said.
    """

    name: ClassVar[str] = "date"
    cost: ClassVar[int] = 4

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        del prompt, baseline
        answers = golds(gold)
        return self._clock(answers, reply.text[:2000]) or self._date(answers, reply.text)

    def _clock(self, answers: Golds, text: str) -> Verdict | None:
        for literal in answers.literals:
            wanted = moments.gold_clocks(literal.raw)
            said = tuple(moments.clocks(text)) if wanted else ()
            places = [next((mine for mine in said if mine.same(clock)), None) for clock in wanted]
            found = [place.span for place in places if place]
            if wanted and len(found) == len(wanted):
                return Verdict("correct", 1.0, self.name, "the reply says the gold time", (found[0][0], found[0][1]))
        return None

    def _date(self, answers: Golds, text: str) -> Verdict:
        part: tuple[int, int] | None = None
        for literal in answers.literals:
            wanted = moments.gold_dates(normalise(literal.raw))
            for date in moments.dates(normalise(text)) if wanted else ():
                likeness = date.like(wanted[0])
                if likeness == "same":
                    return Verdict("correct", 1.0, self.name, "the reply says the gold date", date.span)
                part = date.span if likeness == "part" else part
            if wanted and wanted[0].year > 0 and not part:
                part = next(normalise(text).find(str(wanted[0].year)), None)
        if part:
            return Verdict("unsure", 0.5, self.name, "the reply says a part of the gold date", part)
        return Verdict("wrong", 0.0, self.name, "no gold date was found")


def _alone(normal: Normal, quantity: Quantity) -> bool:
    return len(normal.words) == quantity.last - quantity.first + 1


def _span(normal: Normal, quantity: Quantity) -> tuple[int, int]:
    return normal.span(quantity.first, quantity.last)
