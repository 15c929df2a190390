"""Asks a target as the engine does."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botattack.config.checking import validator
from botattack.model import Prompt, Reply, Unit, Variant
from botattack.protocols import Target
from botattack.targets.http.http_kind import Http
from botattack.targets.messages.signs import Signs

EXTRACT = {"answer": "$.text"}
IN_ANY_CASE = 240.0
"""Seconds after which a bot on a busy machine is held up for ever."""


@dataclass
class Tally:
    """A pace that lets everything go and counts."""

    left: int = 0
    shuts: list[float | None] = field(default_factory=list)

    async def leave(self) -> None:
        self.left += 1

    def shut(self, seconds: float | None) -> None:
        self.shuts.append(seconds)


def options(cls: type, tree: dict[str, Any]) -> Any:
    """Options as a target file gives them; its `signs` are in the tree, too."""
    keys = {key: value for key, value in tree.items() if key != "signs"}
    read = validator(cls).validate_json(json.dumps(keys), strict=True)
    if "signs" not in tree:
        return read
    return read.heeding(validator(Signs).validate_json(json.dumps(tree["signs"]), strict=True))


def http(url: str, folder: Path = Path(), env: dict[str, str] | None = None, **connect: Any) -> Target:
    """A target that posts {"text": question} and expects {"text": answer}, unless `connect` says otherwise."""
    request = {"url": url, "json": {"text": "{{ question }}"}} | connect.pop("request", {})
    tree = {"request": request, "extract": EXTRACT} | connect
    return options(Http, tree).target("bot", env or {}, folder)


def unit_of(*texts: str, repeat: int = 0, seed: int = 7) -> Unit:
    return Unit.of(Variant(tuple(map(Prompt, texts)), "test"), repeat, seed)


async def ask(
    target: Target, text: str = "hello?", pace: Tally | None = None, seconds: float = IN_ANY_CASE, **unit: int
) -> Reply:
    """One question in a conversation of its own."""
    async with asyncio.timeout(seconds), target.session(unit_of(text, **unit), pace or Tally()) as session:
        return await session.ask(Prompt(text))
