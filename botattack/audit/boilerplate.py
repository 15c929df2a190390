"""Learning what a bot says around its answers, from its replies to unchanged questions."""

from __future__ import annotations

from collections.abc import Iterable

from botattack.cases import cases
from botattack.events import Event
from botattack.matchers.learned import says_no
from botattack.model import Prompt
from botattack.text.boilerplate import recurring
from botattack.text.languages import CODES, language
from botattack.text.normalise import normalise

LEAST = 5
"""Different answers around which a sentence is boilerplate."""
SHARE = 0.05
"""The share of answers around which it is: a greeting may be one of twenty that take turns."""
_BARE = 2
"""Words of a reply that may be nothing but a yes or a no."""


def learned(events: Iterable[Event]) -> tuple[str, ...]:
    """The sentences that recur around unrelated answers of a run, and neither decline nor say yes or no.

    Only first replies to unchanged questions count, one for each question: the same run always teaches the same.
    """
    replies = {case.question.base: case.reply for case in cases(events) if case.reply}
    said = [replies[base] for base in sorted(replies)]
    return tuple(one for one in recurring(said, max(LEAST, round(SHARE * len(said)))) if says_nothing(one))


def says_nothing(sentence: str) -> bool:
    """Whether a sentence is no answer to anything: it does not decline, and is no bare yes or no."""
    words = normalise(sentence).words
    spoken = [language(code) for code in CODES]
    bare = len(words) <= _BARE and any(word in each.yes | each.no for each in spoken for word in words)
    return not bare and all(says_no(Prompt("", lang=code), sentence) < 0 for code in CODES)
