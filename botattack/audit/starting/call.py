"""One request to a bot, as a curl command or an OpenAPI file shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from botattack.errors import BotattackError

Place = tuple[str | int, ...]
"""The keys and indexes that lead to a value of JSON."""


class BadStart(BotattackError):
    """What `init` was given describes no request to a bot."""


@dataclass(frozen=True)
class Call:
    """A request: its body is `json`, `form`, `multipart` or `text`, or there is none."""

    url: str
    method: str = ""
    """Empty for POST where there is a body, and GET where there is none."""
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    form: Mapping[str, str] | None = None
    multipart: Mapping[str, str] | None = None
    text: str = ""
    user: str = ""
    """A name and a password, with a colon between them."""
    env: frozenset[str] = frozenset()
    """The variables that whoever wrote the command wanted the shell to place: {{ env.NAME }} stands there."""
    opening: Mapping[str, Any] = field(default_factory=dict)
    fetching: Mapping[str, Any] = field(default_factory=dict)
    """`open` and `poll` of the target file, where it is known which calls come before and after this one."""
    take: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What of the command the request leaves out, a sentence each."""


def placed(value: Any, path: Place, new: object) -> Any:
    """A JSON value with `new` at a path."""
    if not path:
        return new
    first, *rest = path
    if isinstance(value, Mapping):
        return {key: placed(item, tuple(rest), new) if key == first else item for key, item in value.items()}
    return [placed(item, tuple(rest), new) if index == first else item for index, item in enumerate(value)]
