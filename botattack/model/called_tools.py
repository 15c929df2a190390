"""The tools that a reply calls, in the shapes that APIs have. Pure; what a bot wrote may be anything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

TOOLS = "tools"
"""The field of a reply that contains its tool calls, as the bot's API shows them."""
_MOST = 100
"""Calls of a reply that are looked at."""
_LONGEST = 200
"""Characters of a name: a longer one is no tool's."""
_WITHIN = ("function", "functionCall", "toolUse")
_ARGUMENTS = ("arguments", "args", "input", "tool_kwargs")


class Call(NamedTuple):
    """A tool that was called; the arguments are JSON, as far as the bot wrote JSON."""

    name: str
    arguments: str


def called(value: Any) -> list[Call]:
    """Return the calls in a value: OpenAI's `{function: {name, arguments}}`, a `{name, args}` or `{name, input}` of
    others, or names alone. Of a stream, the value is the list of all pieces: one without a name goes on with the call
    of its `index`, or else with the last."""
    calls, by_index = list[tuple[str, list[str]]](), dict[int, tuple[str, list[str]]]()
    for item in _items(value):
        inner = next((item[key] for key in _WITHIN if isinstance(item.get(key), Mapping)), item)
        name = next((inner[key] for key in ("name", "tool_name") if inner.get(key)), "")
        written = next((inner[key] for key in _ARGUMENTS if inner.get(key)), "")
        index = item.get("index")
        had = by_index.get(index) if isinstance(index, int) else calls[-1] if calls and not name else None
        if not isinstance(name, str) or len(name) > _LONGEST:
            continue
        if had is None or name not in ("", had[0]):
            if not name or len(calls) == _MOST:
                continue
            calls.append(had := (name, []))
        if isinstance(index, int):
            by_index[index] = had
        had[1].append(written if isinstance(written, str) else json.dumps(written, ensure_ascii=False, default=str))
    return [Call(name, "".join(parts)) for name, parts in calls]


def _items(value: Any) -> Iterator[Mapping[str, Any]]:
    """What is in lists, at any depth; readers of replies bound it."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _items(item)
    elif isinstance(value, str):
        yield {"name": value}
    elif isinstance(value, Mapping):
        yield value
