"""What a conversation's templates place, derived from its unit alone: no clock, no chance."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any
from uuid import UUID

from botattack.model import Prompt, Turn, Unit, content_id

_ROLES = {"user": "user", "bot": "assistant"}


def session_id(unit: Unit) -> str:
    """Names the conversation: the same for the same words, repeat and seed, whatever kind of target asks."""
    return content_id("session", unit.id, unit.seed)


def message_uuid(session: str, turn: int) -> str:
    """A version 4 UUID for one message of a conversation."""
    return str(UUID(bytes=blake2b(f"{session}/{turn}".encode(), digest_size=16).digest(), version=4))


def place_values(session: str, seed: int, prompt: Prompt, before: tuple[Turn, ...], turn: int) -> dict[str, Any]:
    """The values for one question. `before` are the turns of this conversation so far, `turn` counts from 0.

    `history` holds {speaker, text}; `messages` the same and the question as chat APIs want them, {role, content};
    `seed` fits 31 bits.
    """
    history = (*prompt.history, *before)
    messages = [{"role": _ROLES[past.speaker], "content": past.text} for past in history]
    return {
        "question": prompt.text,
        "passages": list(prompt.passages),
        "history": [{"speaker": past.speaker, "text": past.text} for past in history],
        "messages": [*messages, {"role": "user", "content": prompt.text}],
        "session": session,
        "seed": seed % 2**31,
        "turn": turn,
        "uuid": message_uuid(session, turn),
    }
