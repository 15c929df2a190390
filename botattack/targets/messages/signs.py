"""How a bot says that it refuses, is asked too often or has failed, whatever carries its replies. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from botattack.errors import AskedTooOften, BrokenReply, ExtractionFailed, ServerFailed
from botattack.options import BadValue, Read, word
from botattack.targets.messages.conditions import Where, condition
from botattack.targets.messages.regexes import Pattern
from botattack.targets.messages.selectors import Body, JsonPath, Selector

NOTHING = "nothing"
IN_A_BODY = (str, JsonPath, Pattern, Where)
"""The signs of a reply without a status."""


def read_sign(value: Any) -> int | str | Selector:
    """A status, a place ($…, {regex: …} or {where: …}), `nothing`, or words. Raises BadValue."""
    if isinstance(value, Mapping) or (isinstance(value, str) and value.startswith("$")):
        return condition(value)
    if isinstance(value, str) or value is None or isinstance(value, bool | list | float):
        return word(value)
    if 400 <= value < 500 and value != 429:
        return int(value)
    raise BadValue(f"{value} is no sign", hint="write a status from 400 to 499; 429 means busy, and 5xx failed, anyway")


_SCHEMA = [{"type": "integer", "minimum": 400, "maximum": 499}, {"type": "string", "minLength": 1}, {"type": "object"}]
Sign = Annotated[int | str | Selector, Read(read_sign, {"anyOf": _SCHEMA})]


@dataclass(frozen=True)
class Signs:
    """What of a reply says how the bot fared. A sign is a status such as 403; a place with something in it, $.error or
    {regex: blocked}, or what is there, {where: {status: failed}}, in the whole body or in a piece of a stream;
    `nothing`, for a reply with nothing at the answer's place; or words that the bot says."""

    refused: tuple[Sign, ...] = ()
    """The bot declines: the reply counts as refused. Words are whole sentences; a reply that is one of them, greetings
    aside, is refused, and so is one that contains one and no right answer."""
    busy: tuple[Sign, ...] = ()
    """The bot was asked too often: all requests wait, as after a 429."""
    failed: tuple[Sign, ...] = ()
    """The bot has failed: the question is asked again, as after a 500, and then counts as an error, in no rate."""

    def __add__(self, other: Signs) -> Signs:
        return Signs(self.refused + other.refused, self.busy + other.busy, self.failed + other.failed)

    def each(self) -> Iterator[tuple[str, int, int | str | Selector]]:
        """(what it says, its index there, the sign), in the order in which they are looked for."""
        for outcome, signs in (("busy", self.busy), ("refused", self.refused), ("failed", self.failed)):
            yield from ((outcome, at, sign) for at, sign in enumerate(signs))

    def refusal(self, body: Body, *, nothing: bool = False) -> str:
        """The sign in a body by which the bot refused, empty if there is none; raises AskedTooOften or ServerFailed if
        one says that. `nothing` is whether nothing is at the answer's place. Who refuses in words, the judge knows."""
        for outcome, _, sign in self.each():
            shown = nothing and sign == NOTHING if isinstance(sign, str) else _is_in(sign, body)
            # An error status says more of a failure than what the body calls it.
            if shown and not (outcome == "failed" and body.status):
                return _meant(outcome, str(sign) if isinstance(sign, int | str) else sign.source, body.text)
        return ""

    def heed(self, text: str) -> None:
        """Raises AskedTooOften or ServerFailed if what the bot says has such words in it."""
        for outcome, _, sign in self.each():
            if outcome != "refused" and isinstance(sign, str) and sign.casefold() in text.casefold():
                _meant(outcome, sign, text)


def _is_in(sign: int | Selector, body: Body) -> bool:
    return sign == body.status if isinstance(sign, int) else any(found(sign, body))


def _meant(outcome: str, sign: str, said: str) -> str:
    if outcome == "busy":
        raise AskedTooOften(f"the bot says that it is asked too often: {sign}", delivered=True)
    if outcome == "failed":
        raise ServerFailed(f"the bot says that it failed: {sign}", said=said, delivered=True)
    return sign


def found(place: Selector, body: Body) -> list[object]:
    """What is at a place; nothing in a body of another kind."""
    try:
        return place.find(body)
    except (ExtractionFailed, BrokenReply):
        return []


NO_SIGNS = Signs()
