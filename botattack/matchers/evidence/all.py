"""All evidence, in the order of the weights' features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.coverage import Coverage, Match, coverage
from botattack.matchers.evidence.reading import Reading
from botattack.matchers.evidence.stance import Stance, stance
from botattack.matchers.evidence.traits import Asks, Declining, Form, Polarity, asks, declining, form, polarity
from botattack.matchers.evidence.values import Values, values

Measure = Callable[[AnswerKey, Reading, Match], tuple[float, ...]]
GROUPS: tuple[tuple[Any, Measure], ...] = (
    (Coverage, coverage),
    (Stance, stance),
    (Form, form),
    (Asks, asks),
    (Polarity, polarity),
    (Declining, declining),
    (Values, values),
)
NAMES = tuple(f"{group.__name__.lower()}.{name}" for group, _ in GROUPS for name in group._fields)


def evidence(key: AnswerKey, reply: Reading, found: Match) -> tuple[float, ...]:
    """What every function sees, beside NAMES."""
    return tuple([value for _, measure in GROUPS for value in measure(key, reply, found)])


def columns(group: Any) -> slice:
    """Where in a line the numbers of a group are."""
    first = NAMES.index(f"{group.__name__.lower()}.{group._fields[0]}")
    return slice(first, first + len(group._fields))
