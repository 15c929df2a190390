"""Campaigns over a bot that reads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import botattack
from tests.servers.http import Server
from tests.servers.library import BY_NAME, CONSENT, Library, target_file

NAMES = ("Alder", "Birch", "Cedar")


def passage(name: str) -> str:
    return f"The code of {name} is {name[:2].lower()}{len(name)}7."


def questions(names: tuple[str, ...] = NAMES) -> list[dict[str, Any]]:
    return [
        {
            "question": f"What is the code of {name}?",
            "answers": [f"{name[:2].lower()}{len(name)}7"],
            "passages": [passage(name)],
        }
        for name in names
    ]


def campaign_file(
    folder: Path, url: str, carrier: str, *, documents: str = BY_NAME, consent: str = CONSENT, more: str = ""
) -> Path:
    """A campaign whose attack changes letters of passages."""
    (folder / "bot.yaml").write_text(target_file(url, documents, consent))
    (folder / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in questions()))
    path = folder / "campaign.yaml"
    path.write_text(
        f"target: bot.yaml\nquestions: {{file: questions.jsonl}}\nmatch: contains\nseed: 3\ncarrier: {carrier}\n{more}"
        "attacks: [{at: {place: context, attack: {homoglyph: {per_question: 3}}}}]\n"
    )
    return path


def with_library(test: Callable[[Library, str], Awaitable[None]]) -> None:
    async def run() -> None:
        library = Library()
        async with Server(library) as server:
            await test(library, server.url)

    asyncio.run(run())


async def run(folder: Path, url: str, carrier: str, **more: Any) -> botattack.Result:
    campaign = botattack.load(campaign_file(folder, url, carrier, **more), environ={})
    return await botattack.run_async(campaign, recordings=folder / "recordings")


def left_by(recording: Path, library: Library) -> str:
    """Cuts a recording off as if the run was killed with a document there, and puts that there; gives its name."""
    lines = (recording / "events.jsonl").read_bytes().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith(b'{"event":"document added"'))
    (recording / "events.jsonl").write_bytes(b"".join(lines[: at + 1]))
    added = json.loads(lines[at])
    library.documents[added.get("fields", {}).get("id", "id-1")] = (added["name"], "The code of Alder is wrong.")
    return str(added["name"])
