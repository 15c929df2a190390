"""Timetables: which times a text says of which day of the week."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

from botattack.matchers.evidence.reading import Reading
from botattack.text.values.typed_value import TypedValue
from botattack.text.values.vocabulary import vocabulary

_WEEK, _HOURS, _HALF_A_DAY = 7, 24, 720
_ENDS = re.compile(r"[,;\n|]|\.\s+[^\Wa-z]")
"""What ends a clause: no full stop of "8 a.m. to"."""
_DASH = re.compile(r"\s*[-\u2010-\u2014\u2212]\s*")
_Time = tuple[str, float]
"""Whether something begins or ends then ("from", "to"; empty if that is not said), and the minutes after midnight or
noon: "until 4" does not say which."""
_Times = defaultdict[int, set[_Time]]
"""Those of each day of the week, from 1."""


def agree(gold: Reading, question: Reading, reply: Reading) -> bool | None:
    """Whether a reply says of each day the times that the gold answer does, whatever it says of other days: "Mon-Tue
    8-4, Wed 8-2" is another than "Wednesdays until 4". A gold answer that names no day is of those of the question.
    None if they have no day in common of which both say a time."""
    wanted, said = _times(gold, days(question.values)), _times(reply, set())
    both = [(wanted[day], said[day]) for day in wanted.keys() & said.keys()]
    return all(_within(ours, theirs) or _within(theirs, ours) for ours, theirs in both) if both else None


def _within(ours: set[_Time], theirs: set[_Time]) -> bool:
    """Whether one side says all of the other's times."""
    return all(any(at == when and (not way or not said or way == said) for said, when in theirs) for way, at in ours)


def days(values: Iterable[TypedValue]) -> set[int]:
    """The days of the week that are said, those between two of them as well."""
    spans = [(int(value.low), int(value.high)) for value in values if value.kind == "weekday"]
    return {(low + more - 1) % _WEEK + 1 for low, high in spans for more in range((high - low) % _WEEK + 1)}


def _times(text: Reading, here: set[int]) -> _Times:
    """The times of each day; those that come before any day are of the days `here`. Days stand before their times, or
    behind them within a clause. Nothing is known beside an exception: "every day but Wednesday"."""
    found, waits, sentence = _Times(set), False, 0
    for clause in _clauses(text) if text.language.exceptions.isdisjoint(text.words) else ():
        runs = [list(run) for _, run in groupby(clause, _is_day)]
        waits = waits and text.sentences[clause[0].first] == sentence
        sentence = text.sentences[clause[-1].last]
        turned = len(runs) > 1 and not _is_day(runs[0][0])
        for run in [each for pair in zip(runs[1::2], runs[::2], strict=False) for each in pair] if turned else runs:
            if _is_day(run[0]):
                # "Monday, Tuesday and Wednesday 8-4": the times of all come behind the last.
                here, waits = days(run) | (here if waits else set()), True
            else:
                waits = False
                for day in here:
                    found[day].update(each for value in run for each in _ends(text, value))
        here = set() if turned else here
    return found


def _is_day(value: TypedValue) -> bool:
    return value.kind == "weekday"


def _ends(text: Reading, value: TypedValue) -> Iterator[_Time]:
    """When a time of day is, or from when to when a range of them."""
    minutes = 1 if value.kind == "clock" else 60
    if value.low != value.high:
        yield from (("from", minutes * value.low % _HALF_A_DAY), ("to", minutes * value.high % _HALF_A_DAY))
    else:
        yield _led(text, value), minutes * value.low % _HALF_A_DAY


def _led(text: Reading, value: TypedValue) -> str:
    """`from` or `to` if such a word leads to a value."""
    roles = vocabulary(text.language.code).roles
    return next((role for role in ("from", "to") if value.first and text.words[value.first - 1] in roles[role]), "")


def _clauses(text: Reading) -> Iterator[list[TypedValue]]:
    """The days and times of a text, clause by clause; the ends of ranges are in these."""
    clause: list[TypedValue] = []
    end, ranged = 0, -1
    for value in sorted(text.values, key=lambda value: (value.first, -value.last)):
        if value.last <= ranged or not (value.kind in ("clock", "weekday") or _is_hour(text, value)):
            continue
        ranged = value.last if value.low != value.high else ranged
        begin, stop = text.span(value.first, value.last)
        if clause and _ENDS.search(text.text[end : begin + 1]):
            yield clause
            clause = []
        clause.append(value)
        end = max(end, stop)
    if clause:
        yield clause


def _is_hour(text: Reading, value: TypedValue) -> bool:
    """Whether a number without a unit is an hour, as in "until 4" and "8-2"."""
    if value.kind != "number" or not (value.low == value.high == int(value.low) <= _HOURS):
        return False
    begin, end = text.span(value.first, value.last)
    before, behind = _DASH.sub("-", text.text[max(0, begin - 4) : begin]), _DASH.sub("-", text.text[end : end + 4])
    return bool(_led(text, value) or re.search(r"\d-$", before) or re.match(r"-\d", behind))
