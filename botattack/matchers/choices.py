"""Replies that point at one of two options without its name: "The first one", "the latter", "not a fish"."""

from __future__ import annotations

import re

from botattack.matchers.context import Asked
from botattack.matchers.gold import golds
from botattack.model import VerdictKind
from botattack.text.normalise import Normal

_PLACED = re.compile(
    r"^ (?:(?:it|that|is|was|i|think|believe|would|say|guess|of|course|well|definitely) )*"
    r"(?:(?:1st|former)|(?P<last>2nd|latter|last))(?: one| 1)?(?: (?:i|think|of|course|is|was|believe))* $"
)
_IS_NOT = r" (?:is|was|are|were|does|do|did) not (?:\S+ )?{} $"


def by_place(context: Asked, reply: Normal) -> tuple[VerdictKind, str] | None:
    """The verdict on a reply that points at one of two options, and why; None where it points at none."""
    right, other = _pair(context)
    if not other:
        return None
    named = _PLACED.match(reply.text)
    if named:
        text = context.question.text
        is_first = text.find(f" {right} ") < text.find(f" {other} ")
        return "correct" if is_first != bool(named["last"]) else "wrong", "the reply names an option by its place"
    if f" {right} " in reply.text or not re.search(_IS_NOT.format(re.escape(other)), reply.text):
        return None
    return "unsure", f"the reply only says that it is not {other!r}"


def _pair(context: Asked) -> tuple[str, str]:
    """The right one of two options, and the other; empty where the question does not offer just these."""
    for gold in golds(context.stale).literals:
        others = context.others(gold.phrase)
        if len(others) == 1:
            return gold.phrase, others[0]
    return "", ""
