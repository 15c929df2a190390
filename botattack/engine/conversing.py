"""One conversation with a bot: the turns that a unit has, or those that its play makes of the replies. Pure, but for
the play, which is pure as well."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from botattack import registry
from botattack.errors import BotattackError, PlayFailed
from botattack.model import Exchange, Played, Prompt, Unit
from botattack.protocols import Play


class Conversation:
    """`next(said)` gives the turn after what was said, None at the end. At most `most` turns come of a play.

    Raises BotattackError for a play that nobody has, or not with these options.
    """

    def __init__(self, unit: Unit, most: int) -> None:
        self._unit = unit
        self._most = most
        self._play = None if unit.play is None else play_of(unit.play)

    def next(self, said: Sequence[Exchange]) -> Prompt | None:
        """Raises PlayFailed for whatever a play raises."""
        turns, number = self._unit.turns, len(said)
        if self._play is None or self._unit.play is None:
            return turns[number] if number < len(turns) else None
        if number >= self._most:
            return None
        try:
            return _prompt(self._play.next(turns, said, Random(f"{self._unit.play.seed}/{number}")))
        except Exception as error:
            raise PlayFailed(self._unit.play.name, error) from error


def play_of(played: Played) -> Play:
    """The play of a name with its options; raises BotattackError if there is none."""
    kind: type[Any] = registry.find("plays", played.name)
    try:
        play: Play = msgspec.convert(dict(played.options), kind)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise BotattackError(f"the play {played.name!r} cannot be played: {error}") from None
    return play


def _prompt(said: object) -> Prompt | None:
    if said is None or isinstance(said, Prompt):
        return said
    raise TypeError(f"a play says a Prompt or None, not {said!r}")
