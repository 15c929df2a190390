"""Figures in plain spelling: "€1.80" is "1.80 euros", "an hour and a half" "1.5 hours", "half a dozen" "6".

What the normal form cannot see, because it drops signs and reads word by word. Only numeric answers are compared so,
and only in replies that hold one of these spellings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from botattack.matchers.figures.spellings import RULES, cue_form
from botattack.matchers.figures.written import LONG_UNITS, SHORT_STREETS, STREETS

_READ = 2000
_ODD_WORDS = (
    r"night|daily|annually|pence|level|trains|buses|trams|take|whole|full|apiece|per|coin|note|cost|complimentary|pay|walk|drive|ride|stroll|foot|floor|level|bus"
    r"|(?:work|busi|week)\w*\s?days|line|route|tram|no\.|quarterly|eur|usd|gbp|half|halves|third|thirds|quarters?|fourths?|fifths?|tenths?|dozen|hundred|thousand|till|until|couple|pair|once|twice|thrice|weekly"
    r"|daily|yearly|annually|monthly|hourly|fortnight\w*|every|each|square|sq|cubic|per cent|below zero|minus|times"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ties|bce|none|oh|pounds|one time|an?\s(?:" + LONG_UNITS + r")|\d+s"
    r"|\w+ centur\w+|in (?:two|three|four|five|ten)|nothing|gratis|no (?:charge|fee)|free|between|world war|[ivx]+"
    r"|the \w+(?:th|st|nd|rd|first|second|third)|pairs|birthday|\d+ of \d+|\d+h\d\d|\d+:\d\d ?h\w*"
    r"|periods|sets|rounds|sessions|lessons|over|under|older|younger|above|below|at least|plus"
)
_ODD = re.compile(
    rf"[+€£$½¼¾⅓⅔⅕⅛*×²³°−]|\d ?[x/]|\d(?:[,.'\u2019 \u00a0]|, )\d|\b(?:{_ODD_WORDS})\b|'\d\d\b"
    rf"|\d[a-z]?,? (?:[a-z'\u2019-]+ ){{1,3}}(?:{STREETS}|{SHORT_STREETS})\b",
    re.I,
)
"""Whether a text could hold a spelling that a rule below knows."""


@dataclass(frozen=True)
class Plain:
    """A text in plain spelling, and for each of its characters where it stands in the raw one."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def raw_span(self, span: tuple[int, int]) -> tuple[int, int]:
        return self.starts[span[0]], self.ends[max(span[0], span[1] - 1)]


@lru_cache(maxsize=64)
def plain(text: str) -> Plain | None:
    """The text with its figures in plain spelling; None where nothing changes."""
    text = text[:_READ]
    if not _ODD.search(text):
        return None
    made, form = Plain(text, range(len(text)), range(1, len(text) + 1)), cue_form(text)
    for cues, pattern, write in RULES:
        if any(map(form.__contains__, cues)):
            before, made = made, _rewritten(made, pattern, write)
            form = form if made is before else cue_form(made.text)
    return None if made.text == text else made


def _rewritten(made: Plain, pattern: re.Pattern[str], write: Callable[[re.Match[str]], str | None]) -> Plain:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    past = 0
    for match in pattern.finditer(made.text):
        written = write(match)
        if written is None or written == match.group():
            continue
        first, last = match.span()
        pieces += [made.text[past:first], written]
        starts += [*made.starts[past:first], *[made.starts[first]] * len(written)]
        ends += [*made.ends[past:first], *[made.ends[last - 1]] * len(written)]
        past = last
    if not past:
        return made
    return Plain("".join([*pieces, made.text[past:]]), (*starts, *made.starts[past:]), (*ends, *made.ends[past:]))
