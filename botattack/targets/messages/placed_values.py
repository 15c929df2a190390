"""What a conversation's templates place, derived from its unit alone: no clock, no chance."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from botattack.model import Prompt, Turn, Unit, content_id
from botattack.templates import uuid_of


def session_id(unit: Unit) -> str:
    """Names the conversation: the same for the same words, repeat, seed and run, whatever kind of target asks; one of
    several turns has another name if it begins again. A bot draws by the seed, which is the same in each run."""
    return content_id("session", unit.id, unit.seed, *([unit.run, unit.begun] if unit.run else ()))


def small_seed(seed: int) -> int:
    """A seed that every language and server can hold: 31 bits."""
    return seed % 2**31


def place_values(
    session: str, seed: int, prompt: Prompt, before: tuple[Turn, ...], names: Collection[str]
) -> dict[str, object]:
    """The values for one question that stand in `names`; `before` are the turns of this conversation so far.

    `history` holds {speaker, text}; `turn` counts from 0; `seed` fits 31 bits.
    """
    turn = len(before) // 2
    values: dict[str, object] = {"question": prompt.text, "session": session, "turn": turn, "seed": small_seed(seed)}
    for name in names:
        if name in _MADE:
            values[name] = _MADE[name](prompt, (*prompt.history, *before), f"{session}/{turn}")
    return values


# Made only where a template wants them: this is the hot path.
_MADE: Mapping[str, Callable[[Prompt, tuple[Turn, ...], str], Any]] = {
    "history": lambda _, history, __: [{"speaker": past.speaker, "text": past.text} for past in history],
    "uuid": lambda _, __, message: uuid_of(message),
    "passages": lambda prompt, _, __: list(prompt.passages),
}
