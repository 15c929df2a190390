"""The signs of a target file as they are looked for in a reply before anything is read from it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from botattack.errors import BrokenReply, ExtractionFailed
from botattack.options import BadValue, Mistake
from botattack.protocols.signs import Outcome, Sign, Signs, form_of
from botattack.targets.messages.selectors import Body, Selector, selector


@dataclass(frozen=True)
class Rule:
    """One sign and what it says."""

    outcome: Outcome
    sign: Sign
    place: Selector | None = None

    def on(self, body: Body, event: str) -> bool:
        if isinstance(self.sign, int):
            return body.status == self.sign
        if self.place is not None:
            # A reply with an error status has failed anyway, and its status says more than what its body calls it.
            return not (self.outcome == "failed" and body.status >= 400) and any(found(self.place, body))
        return isinstance(self.sign, Mapping) and self.sign["event"] == event


def rules_of(signs: Signs) -> tuple[Rule, ...]:
    """Raises BadValue with all places that cannot be read. Words are looked for once the answer is read."""
    rules: list[Rule] = []
    mistakes: list[Mistake] = []
    for outcome, at, sign in signs.each():
        form = form_of(sign)
        try:
            rules += [Rule(outcome, sign, selector(sign) if form == "place" else None)] if form != "words" else []
        except BadValue as error:
            mistakes += [Mistake(one.message, (outcome, at), one.hint) for one in error.mistakes]
    if mistakes:
        raise BadValue(mistakes=mistakes)
    return tuple(rules)


def found(place: Selector, body: Body) -> list[Any]:
    """What is at a place; nothing in a body of another kind."""
    try:
        return place.find(body)
    except (ExtractionFailed, BrokenReply):
        return []
