"""Matchers that compare values and not letters: numbers with units, dates and times of day."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import ClassVar

from botattack.matchers.figures import moments
from botattack.matchers.figures.loose import Loose, loose
from botattack.matchers.figures.moments import Clock, Date
from botattack.matchers.figures.periods import gold_week, week
from botattack.matchers.figures.plain import plain
from botattack.matchers.figures.quantities import Quantity, elliptic, gold_quantities, quantities
from botattack.matchers.gold import golds
from botattack.matchers.sentences import sentences
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher
from botattack.text.normalise import Normal, normalise

_NO_QUANTITY = Verdict("wrong", 0.0, "numeric", "no quantity to compare with")


@dataclass(frozen=True)
class Numeric(Matcher):
    """A gold answer that is a number with a unit is said in the reply, in the same or another unit of its kind.

    In any spelling: "€1.80" is "1.80 euros", "an hour and a half" "90 minutes", "half a dozen" "6", "a quarter" "25 %".

    Equal means within `tolerance` (relative); a measure (length, mass, speed, temperature …) may be rounded, and one
    within 5 % is unsure. A bare number counts only where it is all that the reply says. `bare`: gold answers without
    a unit are compared too.
    """

    tolerance: float = 0.0
    """The largest relative difference: 0.01 is one per cent."""
    bare: bool = False
    """Compare gold answers without a unit too."""
    name: ClassVar[str] = "numeric"
    cost: ClassVar[int] = 3

    def __post_init__(self) -> None:
        if not 0 <= self.tolerance < 1:
            raise ValueError(f"tolerance must be at least 0 and below 1, not {self.tolerance}")

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        del baseline
        if _AFTER_HOW_MANY.search(prompt.text) and (nth := _counted(gold, normalise(reply.text))):
            return nth
        wanted = _wanted(gold, bare=self.bare)
        found = self._judged(wanted, normalise(reply.text), prompt.text) if wanted else _NO_QUANTITY
        return found if found.kind == "correct" else self._plainly(gold, prompt.text, reply.text, found)

    def _plainly(self, gold: tuple[GoldAnswer, ...], asked: str, text: str, found: Verdict) -> Verdict:
        """As `_judged`, with the figures of the reply and of the gold answers in plain spelling."""
        answers = _plain_golds(gold, bare=self.bare)
        if answers is None:
            return found
        spelt = plain(text)
        if spelt is None and not answers.changed:
            return found
        normal = normalise(spelt.text if spelt else text)
        again = self._judged(answers.quantities, normal, asked) if answers.quantities else found
        if again.kind != "correct":
            place = next((place for phrase in answers.phrases for place in _standing(normal, phrase)), None)
            place = place or next(
                (place for each in answers.loosely if (place := each.place(normal, dated=bool(_WHEN.search(asked))))),
                None,
            )
            again = Verdict("correct", 1.0, self.name, "the reply says the gold figure", place) if place else again
        if again is found or again.span is None or spelt is None:
            return again
        return Verdict(again.kind, again.score, again.matcher, again.why, spelt.raw_span(again.span))

    def _judged(self, wanted: tuple[tuple[Quantity, ...], ...], normal: Normal, asked: str) -> Verdict:
        said = elliptic(tuple(quantities(normal)), normal, asked)
        near: Quantity | None = None
        for parts in wanted:
            likeness, place = self._compared(parts, said, normal, asked)
            if likeness == "same" and place:
                return Verdict("correct", 1.0, self.name, "the reply says the gold quantity", _span(normal, place))
            near = place if likeness == "near" else near
        if near:
            return Verdict("unsure", 0.5, self.name, "a quantity near the gold one", _span(normal, near))
        return Verdict("wrong", 0.0, self.name, "no gold quantity was found")

    def _compared(
        self, parts: Sequence[Quantity], said: Sequence[Quantity], normal: Normal, asked: str
    ) -> tuple[str, Quantity | None]:
        if len(parts) > 1:
            return self._in_a_row(parts, said)
        best: Quantity | None = None
        for quantity in said:
            if not quantity.dimension and parts[0].dimension:
                share = parts[0].dimension == "percent" and 0 < quantity.number < 1
                number = 100 * quantity.number if share else quantity.number
                led = share and normal.words[quantity.last + 1 : quantity.last + 2] == ("of",)
                if abs(number - parts[0].number) < 1e-6 and (led or _alone(normal, quantity)):
                    return "same", quantity
                continue
            likeness = quantity.like(parts[0], self.tolerance)
            if likeness != "other" and self._is_put_forward(quantity, parts[0], asked):
                continue
            if likeness == "same":
                return likeness, quantity
            best = quantity if likeness == "near" and best is None else best
        return ("near", best) if best else ("other", None)

    def _is_put_forward(self, said: Quantity, gold: Quantity, asked: str) -> bool:
        """Whether a figure is the asker's own, as exact as the gold one and another: then it is no rounding of it."""
        if said.like(gold, self.tolerance) == "same" and abs(said.value - gold.value) <= 1e-9 * abs(gold.value):
            return False
        if (
            said.rough
            or gold.rough
            or said.digits < gold.digits
            or said.number * gold.value != gold.number * said.value
        ):
            return False
        return any(each.number == said.number for each in quantities(normalise(asked)))

    @staticmethod
    def _in_a_row(parts: Sequence[Quantity], said: Sequence[Quantity]) -> tuple[str, Quantity | None]:
        """ "35 x 45 mm": only the last number has its unit beside it."""
        wanted, size = _scaled(parts), len(parts)
        for at in range(len(said) - size + 1):
            run = said[at : at + size]
            alike = run[-1].dimension == parts[-1].dimension and _scaled(run) == wanted
            if alike or [quantity.number for quantity in run] == [quantity.number for quantity in parts]:
                return "same", said[at]
        return "other", None


_AFTER_HOW_MANY = re.compile(r"\b(?:after|at|on|from|with) how many\b", re.I)
_NTH = re.compile(r" (?P<number>\d+)(?:st|nd|rd|th) ")


def _counted(gold: tuple[GoldAnswer, ...], reply: Normal) -> Verdict | None:
    """ "After the third wrong PIN", to "After how many?" """
    found = _NTH.search(reply.text)
    if found is None or not any(literal.phrase == found["number"] for literal in golds(gold).literals):
        return None
    place = next(reply.find(found.group().strip()))
    return Verdict("correct", 1.0, Numeric.name, "the reply counts up to the gold number", place)


def _scaled(row: Sequence[Quantity]) -> list[float]:
    """The numbers of a row in the base unit of the last one."""
    factor = row[-1].value / row[-1].number if row[-1].number else 1.0
    return [round(quantity.number * factor, 9) for quantity in row]


@dataclass(frozen=True)
class DateMatch(Matcher):
    """A gold answer that is a date or a time of day is said in the reply, in any notation.

    What the gold answer leaves open may be anything; a reply that leaves open what the gold answer says is unsure.
    A time without half of the day may be of either. Of a range both ends must be said.
    """

    name: ClassVar[str] = "date"
    cost: ClassVar[int] = 4

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        del baseline
        clocks, dates = _moments(gold)
        found = self._clock(clocks, reply.text[:2000]) if clocks else self._span_of_years(gold, reply.text[:2000])
        found = found or self._week(_weeks(gold), prompt.text, reply.text[:2000])
        if found or not dates:
            return found or Verdict("wrong", 0.0, self.name, "no gold date was found")
        return self._date(dates, normalise(reply.text))

    def _clock(self, gold: tuple[tuple[Clock, ...], ...], text: str) -> Verdict | None:
        said = tuple(moments.clocks(text))
        for wanted in gold:
            places = [next((mine for mine in said if mine.same(clock)), None) for clock in wanted]
            found = [place.span for place in places if place]
            if len(found) == len(wanted):
                return Verdict("correct", 1.0, self.name, "the reply says the gold time", found[0])
            for pair in moments.bare_ranges(text) if len(wanted) == len(("from", "to")) else ():
                if all(mine.same(clock) for mine, clock in zip(pair, wanted, strict=True)):
                    return Verdict("correct", 1.0, self.name, "the reply says the gold hours", pair[0].span)
        return None

    def _week(self, gold: tuple[frozenset[int], ...], asked: str, text: str) -> Verdict | None:
        """ "Mon-Thu", for "Monday to Thursday": all of the days and no other, in one sentence."""
        at = 0
        for sentence in sentences(text) if gold else ():
            start = text.find(sentence, at)
            at = start + len(sentence)
            shut = None if "close" in asked or "shut" in asked else _CLOSED.search(sentence)
            told = sentence[: shut.start()] if shut else sentence
            if week(said := normalise(told)) in gold and _NOT_THEN.isdisjoint(said.words):
                return Verdict("correct", 1.0, self.name, "the reply says the gold days", (start, start + len(told)))
        return None

    def _span_of_years(self, gold: tuple[GoldAnswer, ...], text: str) -> Verdict | None:
        """ "In 1613", where the 17th century is meant; no year of another one may stand beside it."""
        wanted = _year_spans(gold)
        years = list(_YEAR.finditer(text)) if wanted else []
        if not years:
            return None
        inside = any(all(first <= int(year.group()) <= last for year in years) for first, last in wanted)
        why = "the reply says a year of the gold century or decade"
        return Verdict("correct", 0.9, self.name, why, years[0].span()) if inside else None

    def _date(self, gold: tuple[Date, ...], normal: Normal) -> Verdict:
        part: tuple[int, int] | None = None
        said = tuple(islice(moments.dates(normal), _MOST_DATES))
        for wanted in gold:
            for date in said:
                likeness = date.like(wanted)
                if likeness == "part" and not date.year and (year := _year_beside(normal, date)):
                    likeness = replace(date, year=year).like(wanted)
                if likeness == "same":
                    return Verdict("correct", 1.0, self.name, "the reply says the gold date", date.span)
                part = date.span if likeness == "part" else part
            if wanted.year > 0 and not part and not said:
                part = next(normal.find(str(wanted.year)), None)
        if part:
            return Verdict("unsure", 0.5, self.name, "the reply says a part of the gold date", part)
        return Verdict("wrong", 0.0, self.name, "no gold date was found")


_WHEN = re.compile(r"\b(?:when|year)\b", re.I)
_NOT_THEN = frozenset(("not", "never", "or"))
_CLOSED = re.compile(r"(?:[,;(]|\b(?:and|but))\s*(?:(?:and|but|we are|we're|it is|it's) )*(?:closed|shut)\b", re.I)
""" ", closed on Fridays", of when something is open."""
_APART = re.compile(r"[;.!?]|\b(?:and|but|while|whereas|which|who|that)\b", re.I)
_MOST_DATES = 100
"""How many dates of a reply are read: a place in a text is dear to find."""
_NEARBY = 50
"""Characters between the parts of a date."""


def _year_beside(normal: Normal, date: Date) -> int:
    """The year of "in the summer of 2027, most likely in June"; 0 where none stands near."""
    start, end = date.span
    for year in _YEAR.finditer(normal.raw, max(0, start - _NEARBY), end + _NEARBY):
        between = normal.raw[year.end() : start] if year.end() <= start else normal.raw[end : year.start()]
        if not _APART.search(between):
            return int(year.group())
    return 0


@lru_cache(maxsize=4096)
def _wanted(gold: tuple[GoldAnswer, ...], *, bare: bool) -> tuple[tuple[Quantity, ...], ...]:
    return tuple(found for literal in golds(gold).literals if (found := _quantities_of(literal.raw, bare=bare)))


def _quantities_of(raw: str, *, bare: bool) -> tuple[Quantity, ...]:
    normal = normalise(raw)
    if found := gold_quantities(normal):
        return found
    found = tuple(quantities(normal)) if bare else ()
    return found if len(found) == 1 and len(normal.words) == 1 else ()


_YEAR = re.compile(r"(?<![\d.,:-])(?:1\d|20)\d\d(?![\d%]|[.,]\d| (?:bc|years|people|km|m)\b)", re.I)
_CENTURY = re.compile(r"^ (?P<nth>1\d|20|21)(?:st|nd|rd|th) century (?:ad |ce )?$")
_DECADE = re.compile(r"^ (?P<decade>(?:1\d|20)\d0)s $")


@lru_cache(maxsize=4096)
def _year_spans(gold: tuple[GoldAnswer, ...]) -> tuple[tuple[int, int], ...]:
    """The first and last year of each century or decade among gold answers."""
    texts = [normalise(literal.raw).text for literal in golds(gold).literals]
    centuries = ((100 * int(found["nth"]) - 99, 100 * int(found["nth"])) for t in texts if (found := _CENTURY.match(t)))
    decades = ((int(found["decade"]), int(found["decade"]) + 9) for t in texts if (found := _DECADE.match(t)))
    return (*centuries, *decades)


@lru_cache(maxsize=4096)
def _weeks(gold: tuple[GoldAnswer, ...]) -> tuple[frozenset[int], ...]:
    """The days of the week that each gold answer of several days names."""
    return tuple(days for literal in golds(gold).literals if (days := gold_week(normalise(literal.raw))))


@lru_cache(maxsize=4096)
def _moments(gold: tuple[GoldAnswer, ...]) -> tuple[tuple[tuple[Clock, ...], ...], tuple[Date, ...]]:
    """The times of day and the dates among gold answers."""
    literals = golds(gold).literals
    clocks = tuple(times for literal in literals if (times := moments.gold_clocks(literal.raw)))
    days = tuple(found[0] for literal in literals if (found := moments.gold_dates(normalise(literal.raw))))
    return clocks, days


@dataclass(frozen=True)
class _PlainGolds:
    """Gold answers about figures, in plain spelling; `changed` is whether any was spelt otherwise, or said loosely."""

    quantities: tuple[tuple[Quantity, ...], ...]
    phrases: tuple[str, ...]
    loosely: tuple[Loose, ...]
    changed: bool


@lru_cache(maxsize=4096)
def _plain_golds(gold: tuple[GoldAnswer, ...], *, bare: bool) -> _PlainGolds | None:
    """None where no gold answer is about a figure."""
    literals = golds(gold).literals
    spelt = [(literal, plain(literal.raw)) for literal in literals]
    texts = [
        made.text if made else literal.raw
        for literal, made in spelt
        if made or literal.has_figure or not _LIKE_FIGURES.isdisjoint(literal.words)
    ]
    if not texts:
        return None
    found = tuple(each for text in texts if (each := _quantities_of(text, bare=bare)))
    phrases = tuple(" ".join(normalise(text).words) for text in texts if not _quantities_of(text, bare=False))
    as_said = tuple(literal.phrase for literal in literals)
    loosely = tuple(one for phrase in dict.fromkeys((*phrases, *as_said)) if (one := loose(phrase)))
    return _PlainGolds(found, phrases, loosely, changed=bool(loosely) or any(made for _, made in spelt))


def _standing(normal: Normal, phrase: str) -> Iterator[tuple[int, int]]:
    """Where a figure stands that is no share of a hundred."""
    if f" {phrase} " in normal.text.replace(f" {phrase} percent ", " "):
        yield from normal.find(phrase)


_LIKE_FIGURES = frozenset(("every", "free", "none", "zero"))
_BESIDE = frozenset(
    (
        "it",
        "is",
        "from",
        "on",
        "or",
        "older",
        "over",
        "and",
        "age",
        "of",
        "aged",
        "about",
        "exactly",
        "only",
        "at",
        "least",
    )
)


def _alone(normal: Normal, quantity: Quantity) -> bool:
    """Whether a reply is one number ("From eighteen on"), or its only number ends what it says ("I'd go for 200")."""
    beside = (*normal.words[: quantity.first], *normal.words[quantity.last + 1 :])
    if _BESIDE.issuperset(beside):
        return True
    if any(word[0].isdecimal() for word in beside) or not quantity.first:
        return False
    led = normal.words[quantity.first - 1] in _LEADS and _OTHERWISE.isdisjoint(beside)
    return led and bool(_ENDS.match(normal.raw, normal.span(quantity.first, quantity.last)[1]))


_OTHERWISE = frozenset(("price", "cost", "costs", "number", "age", "seat", "table", "gate", "page", "room"))
_LEADS_TEXT = "is at for to about around be exactly only than least most takes weigh was roughly"
_LEADS = frozenset(_LEADS_TEXT.split())
_ENDS = re.compile(r"\s*(?:[.!;]|$|(?:in|on|for|if|unless|when|but|and)\b)")


def _span(normal: Normal, quantity: Quantity) -> tuple[int, int]:
    return normal.span(quantity.first, quantity.last)
