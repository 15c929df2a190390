"""What is done to the knowledge base of a bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botattack.events.base import Event


class DocumentAdding(Event, frozen=True, tag="document adding"):
    """A document is about to be added to the bot's knowledge base; `name` is what we call it. From here on it may be
    there, until it is removed."""

    name: str


class DocumentAdded(Event, frozen=True, tag="document added"):
    """The bot took a document; `fields` are the values of its reply that removing it may need, such as an id. Here and
    below `requests` are those that changed the knowledge base, or waited for it, since the last event that told any."""

    name: str
    fields: Mapping[str, Any] = {}
    requests: int = 0


class DocumentRemoved(Event, frozen=True, tag="document removed"):
    """A document of ours is in the bot's knowledge base no more. `left_by` is the run that had left it there, if this
    one did not add it."""

    name: str
    requests: int = 0
    left_by: str = ""
