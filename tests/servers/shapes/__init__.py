"""Forty shapes of deployed assistants' protocols, imitated from public documentation, served on loopback.

`async with serving() as base_url` serves each of SHAPES below its name. Every bot answers a message with
`answer(message)`: always the same text, and for QUESTIONS a text that is easily spoilt. Ids, times and traces around it
change from reply to reply, and what the real protocol would refuse is refused.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from tests.servers.shapes import agents, chats, flows, models, replies
from tests.servers.shapes.answers import ANSWERS, QUESTIONS, answer
from tests.servers.shapes.serving import Shape, served

__all__ = ["ANSWERS", "QUESTIONS", "SHAPES", "Shape", "answer", "serving"]

SHAPES = (*models.SHAPES, *flows.SHAPES, *chats.SHAPES, *agents.SHAPES, *replies.SHAPES)


def serving() -> AbstractAsyncContextManager[str]:
    """The URL below which each shape is served at its name."""
    return served(SHAPES)
