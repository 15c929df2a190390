"""How a bot says that it refuses, is asked too often or has failed, in whatever way its replies come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from botattack.errors import AskedTooOften, ServerFailed, TargetError
from botattack.options import BadValue, Read, shown, word

Outcome = Literal["busy", "refused", "failed"]
Sign = int | str | Mapping[str, str]
Form = Literal["status", "place", "event", "nothing", "words"]
NOTHING = "nothing"
IN_A_BODY: frozenset[Form] = frozenset({"words", "place", "nothing"})
"""The signs of a reply that has a body to look into, and no status."""
_HINT = "write a status such as 403, a place such as $.error or {regex: …}, {event: NAME}, nothing, or the bot's words"


def form_of(sign: Sign) -> Form:
    if isinstance(sign, int):
        return "status"
    if isinstance(sign, Mapping):
        return "event" if "event" in sign else "place"
    return "place" if sign.startswith("$") else "nothing" if sign == NOTHING else "words"


def read_sign(value: Any) -> Sign:
    """A sign as the file has it, of a known form; raises BadValue. Whether a place can be read, its reader knows."""
    if isinstance(value, int) and not isinstance(value, bool):
        if 400 <= value < 600 and value != 429:
            return value
        raise BadValue(f"{value} is no sign", hint="write a status from 400 to 599; 429 means busy anyway")
    if isinstance(value, Mapping) and set(value) in ({"regex"}, {"event"}):
        word(next(iter(value.values())))
        return value
    if isinstance(value, str) and value.strip():
        return value
    raise BadValue(f"expected a sign, found {shown(value)}", hint=_HINT)


_MAPPINGS = [
    {"type": "object", "properties": {key: {"type": "string"}}, "required": [key]} for key in ("regex", "event")
]
_STATUS = {"type": "integer", "minimum": 400, "maximum": 599, "not": {"const": 429}}
Given = Annotated[Sign, Read(read_sign, {"anyOf": [_STATUS, {"type": "string", "minLength": 1}, *_MAPPINGS]})]


@dataclass(frozen=True)
class Signs:
    """What of a reply says how the bot fared. A sign is a status from 400; a place with something in it, such as
    $.error or {regex: blocked}, in the whole body or in a piece of a stream; {event: NAME} of a stream; `nothing`, for
    a reply with nothing at the answer's place; or words that the bot says."""

    refused: tuple[Given, ...] = ()
    """The bot declines: the reply counts as refused. Words are whole sentences; a reply that is one of them, greetings
    aside, is refused, and so is one that contains one and no right answer."""
    busy: tuple[Given, ...] = ()
    """The bot was asked too often: all requests wait, as after a 429."""
    failed: tuple[Given, ...] = ()
    """The bot has failed: the question is asked again, as after a 500, and then counts as an error, in no rate."""

    def each(self) -> Iterator[tuple[Outcome, int, Sign]]:
        """(what it says, its index there, the sign), in the order in which they are looked for."""
        named: dict[Outcome, tuple[Sign, ...]] = {"busy": self.busy, "refused": self.refused, "failed": self.failed}
        for outcome, signs in named.items():
            for at, sign in enumerate(signs):
                yield outcome, at, sign

    @cached_property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """The words for each outcome."""
        found: dict[str, tuple[str, ...]] = dict.fromkeys(("busy", "refused", "failed"), ())
        for outcome, _, sign in self.each():
            if isinstance(sign, str) and form_of(sign) == "words":
                found[outcome] += (sign,)
        return found

    def heed(self, text: str) -> None:
        """Raises AskedTooOften or ServerFailed if the words of a reply say so; who refused is up to the judge."""
        for outcome in ("busy", "failed"):
            for phrase in self.words[outcome]:
                if phrase.casefold() in text.casefold():
                    raise error_of(outcome, phrase, text)


def error_of(outcome: str, sign: Sign, said: str) -> TargetError:
    """What a sign means that is not of a refusal."""
    if outcome == "busy":
        return AskedTooOften(f"the bot says that it is asked too often ({shown_sign(sign)})", delivered=True)
    return ServerFailed(f"the bot says that it failed ({shown_sign(sign)})", said=said, delivered=True)


def shown_sign(sign: Sign) -> str:
    """`HTTP 403`, `$.error`, `regex: blocked`, `'the words'`."""
    if isinstance(sign, Mapping):
        return ", ".join(f"{key}: {value}" for key, value in sign.items())
    return f"HTTP {sign}" if isinstance(sign, int) else sign if form_of(sign) == "place" else repr(sign)
