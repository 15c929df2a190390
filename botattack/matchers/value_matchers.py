"""Matchers that compare values and not letters: numbers with units, dates and times of day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from msgspec.structs import replace

from botattack.matchers.evidence.answer_key import Gold, answer_key
from botattack.matchers.evidence.reading import Reading, read
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.options import Share
from botattack.protocols import Matcher
from botattack.text.values.typed_value import TypedValue, is_open, likeness
from botattack.text.values.vocabulary import vocabulary

_MOMENTS = frozenset(("date", "clock", "weekday"))
_COUNTED = frozenset(("number", "duration", "percent", "data"))
"""What is exact: only measures are rounded. So is money."""
_ROUNDED, _NEAR = 0.001, 0.01
_OTHER, _CLOSE, _SAME = 0.0, 0.5, 1.0
_MORE = 0.75
_Found = tuple[float, TypedValue | None]
_Group = tuple[TypedValue, ...]
"""The readings of one place: "28 degrees" may be an angle or a temperature."""


@dataclass(frozen=True)
class Numeric(Matcher):
    """A gold answer that is a number with a unit is said in the reply, in the same or another unit of its kind.

    In any spelling: "€1.80" is "1.80 euros", "an hour and a half" "90 minutes", "half a dozen" "6", "a quarter" "25 %".

    Equal means within `tolerance` (relative); a measure (length, mass, speed, temperature …) may be rounded, and one
    within 1 % is unsure. A number without a unit counts only if the reply says
    nothing else. `bare`: gold answers without a unit are compared too.
    """

    tolerance: Share = 0.0
    """The largest relative difference: 0.01 is one per cent."""
    bare: bool = False
    """Compare gold answers without a unit too."""
    name: ClassVar[str] = "numeric"
    cost: ClassVar[int] = 3

    def __post_init__(self) -> None:
        if not 0 <= self.tolerance < 1:
            raise ValueError(f"tolerance must be at least 0 and below 1, not {self.tolerance}")

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        context = answer_key(prompt.text, gold, prompt.lang)
        text = read(reply.text, context.language)
        said = _groups(text, moments=False)
        every = [self._found(self._wanted(answer), said, text) for answer in context.golds]
        return _verdict(self.name, "quantity", "a quantity near the gold one", text, _best(every))

    def _wanted(self, gold: Gold) -> list[_Group]:
        """The quantities of a gold answer; a number without a unit only if `bare` or if it is in words."""
        groups = _groups(gold.reading, moments=False)
        with_unit = [group for group in groups if any(each.kind != "number" for each in group)]
        words = vocabulary(gold.reading.language.code)
        in_words = any(word in words.scales or word in words.fractions for word in gold.reading.words)
        whole = [word for word in gold.reading.words if word not in words.roles["article"]]  # "a quarter"
        alone = len(groups) == 1 and groups[0][0].last - groups[0][0].first + 1 >= len(whole)
        return with_unit or (groups if alone and (self.bare or in_words) else [])

    def _found(self, wanted: Sequence[_Group], said: Sequence[_Group], text: Reading) -> _Found:
        """How far all quantities of a gold answer are said one after the other, and where."""
        runs = [said[start : start + len(wanted)] for start in range(len(said) - len(wanted) + 1 if wanted else 0)]
        levels = [(min(self._like(*pair, text) for pair in zip(run, wanted, strict=True)), run[0][0]) for run in runs]
        return _best(levels)

    def _like(self, said: _Group, gold: _Group, text: Reading) -> float:
        return max(self._compared(mine, theirs, text) for mine in said for theirs in gold)

    def _compared(self, said: TypedValue, gold: TypedValue, text: Reading) -> float:
        found = likeness(said, gold)
        if found is None:
            return _OTHER
        if said.kind != gold.kind:
            counts = found.distance <= -6 and (0 < said.number < 1 or _alone(text, said))
            return _SAME if counts and said.kind in ("number", "percent") else _OTHER
        gap = 10**found.distance
        measure = not (gold.kind in _COUNTED or gold.kind.startswith("money"))
        if found.level >= (_MORE if measure else _SAME) or gap <= max(self.tolerance, _ROUNDED if measure else 0.0):
            return _SAME
        return _CLOSE if measure and gap <= _NEAR else _OTHER


def _alone(text: Reading, said: TypedValue) -> bool:
    """Whether a number is all that a reply says: "It is 200.\""""
    known = text.language.function_words | vocabulary(text.language.code).roles["about"]
    return known.issuperset((*text.words[: said.first], *text.words[said.last + 1 :]))


def _groups(text: Reading, *, moments: bool) -> list[_Group]:
    """The quantities of a text, or its dates and times; a year is a number among quantities."""
    values = text.values
    found = [replace(each, kind="number", step=1.0) if each.is_year and not moments else each for each in values]
    chosen = [value for value in found if (value.kind in _MOMENTS) == moments]
    return [tuple(group) for _, group in groupby(chosen, key=lambda value: (value.first, value.last))]


def _best(every: Iterable[_Found]) -> _Found:
    return max(every, key=lambda found: found[0], default=(_OTHER, None))


def _verdict(matcher: str, what: str, close: str, text: Reading, found: _Found) -> Verdict:
    """Correct where a reply says it, or more than it; unsure where it says less."""
    level, place = found
    if place is None or level < _CLOSE:
        return Verdict("wrong", 0.0, matcher, f"no gold {what} was found")
    span = text.span(place.first, place.last)
    if level < _MORE:
        return Verdict("unsure", 0.5, matcher, close, span)
    return Verdict("correct", 1.0, matcher, f"the reply says the gold {what}", span)


@dataclass(frozen=True)
class DateMatch(Matcher):
    """A gold answer that is a date or a time of day is said in the reply, in any notation.

    What the gold answer does not say may be anything; a reply that does not say what the gold answer says is unsure.
    So is an English "04/05/2024", which may be two days, unless the gold answer is written so. A time without am or pm
    matches both. Both ends of a range must be said.
    """

    name: ClassVar[str] = "date"
    cost: ClassVar[int] = 4

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        context = answer_key(prompt.text, gold, prompt.lang)
        text = read(reply.text, context.language)
        every = (_nearest(answer, text) for answer in context.golds)
        return _verdict(self.name, "date or time", "the reply says a part of the gold date", text, _best(every))


def _nearest(gold: Gold, text: Reading) -> _Found:
    """How far a reply says a moment; of a range, the whole or both of its ends."""
    wanted = _groups(gold.reading, moments=True)
    ranges = [group for group in wanted if any(value.low != value.high for value in group)]
    if ranges and len(wanted) > 1:
        whole = _agreed(ranges[0], text)
        if whole[0] >= _MORE:
            return whole
        ends = [_agreed(group, text) for group in wanted if group not in ranges]
        return min(ends, key=lambda found: found[0], default=(_OTHER, None))
    return _agreed(wanted[0], text) if wanted else (_OTHER, None)


def _agreed(wanted: _Group, text: Reading) -> _Found:
    pairs = ((likeness(said, gold), said, gold) for said in text.values for gold in wanted)
    return _best((_CLOSE if is_open(said, gold) else like.level, said) for like, said, gold in pairs if like)
