"""A campaign on disk, the process that runs it, and what its recording says."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import botattack
from botattack.events import AnyEvent, Asked, ConversationBegun, encode
from botattack.model import Unit, content_id
from botattack.recordings.reader import events
from botattack.targets.messages.placed_values import session_id

ROOT = Path(__file__).parents[2]


def knows_numbers(body: bytes) -> bytes:
    """Right as long as the word `number` is whole; what it says depends on every letter."""
    text = json.loads(body)["text"]
    known = "number" in text
    answer = f"it is number {text[-5:]}" if known else "I have no idea"
    return json.dumps({"reply": {"text": f"{answer}, says {content_id(text)}"}}).encode()


@dataclass
class Campaign:
    """A folder with a question file of `count` questions, a target file and a campaign file."""

    folder: Path
    url: str
    count: int
    attacks: Any = "[climb]"
    limits: str = "{rate: unlimited, concurrency: 16}"
    environ: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        lines = map(self.question, range(self.count))
        (self.folder / "questions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        (self.folder / "bot.yaml").write_text(
            "connect:\n"
            "  kind: http\n"
            f'  request: {{url: "{self.url}", json: {{text: "{{{{ question }}}}", session: "{{{{ session }}}}"}}}}\n'
            '  extract: {answer: "$.reply.text"}\n'
            f"limits: {self.limits}\n"
        )
        (self.folder / "campaign.yaml").write_text(
            f"target: bot.yaml\nquestions: {{file: questions.jsonl}}\nmatch: contains\nseed: 3\n"
            f"attacks: {self.attacks}\n"
        )

    def question(self, number: int) -> dict[str, Any]:
        """A record of the question file."""
        return {"question": f"what is the number called {number:05d}", "answers": [f"number {number:05d}"]}

    async def start(self, *more: str) -> asyncio.subprocess.Process:
        """One process over the campaign, quiet; continues the recording if there is one."""
        recording = self.recording
        resume = ["--resume", str(recording)] if recording else []
        recordings = ["--recordings", str(self.folder / "recordings")]
        return await self._process("run", str(self.folder / "campaign.yaml"), *resume, *recordings, *more)

    async def command(self, *words: str) -> int:
        """Any command, its output in the same log; gives the exit status."""
        return await (await self._process(*words)).wait()

    async def _process(self, *words: str) -> asyncio.subprocess.Process:
        with (self.folder / "log.txt").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.crash.driver",
                *words,
                cwd=ROOT,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environ},
            )

    async def finish(self, *more: str) -> int:
        """Runs on to the end; gives the exit status."""
        results = str(self.folder / "results.json")
        return await (await self.start("-o", results, *more)).wait()

    async def finish_here(self) -> int:
        """The same, undisturbed and in this process: starting one costs more than what a small campaign asks."""
        campaign = botattack.load(self.folder / "campaign.yaml", environ={})
        result = await botattack.run_async(campaign, recordings=self.folder / "recordings")
        botattack.write_report(result, self.folder / "results.json")
        return result.exit

    @property
    def recording(self) -> Path | None:
        found = sorted((self.folder / "recordings").glob("*/events.jsonl"))
        return found[0].parent if found else None

    def events(self) -> list[AnyEvent]:
        return list(events(self.recording)) if self.recording else []

    def answered(self) -> list[str]:
        """The session of each unit that was recorded, as often as it was."""
        run = self.recording.name if self.recording else ""
        return [session_of(event, run) for event in self.events() if isinstance(event, Asked)]

    @property
    def figures(self) -> dict[str, Any]:
        """What an interruption must not change."""
        told = json.loads((self.folder / "results.json").read_text())
        return {name: told[name] for name in ("questions", "attacks", "requests")}


def session_of(event: Asked | ConversationBegun, run: str) -> str:
    """What `{{ session }}` was in the request of a recorded unit of a run."""
    variant, _, repeat = event.unit.rpartition(".")
    seed = int(content_id("seed", 3, variant, int(repeat)), 16)
    begun = event.conversation if isinstance(event, ConversationBegun) else 0
    return session_id(Unit((), int(repeat), seed, variant, run=run, begun=begun))


def session_in(body: bytes) -> str:
    session: str = json.loads(body)["session"]
    return session


def outcomes(told: list[AnyEvent]) -> set[str]:
    """What was found out, in no order and without times and numbers of tries."""
    kept = ("question opened", "asked", "original judged", "variant judged", "attack ended", "question closed")
    dull = ("at", "attempts", "latency", "first")
    return {json.dumps(_without(event, dull), sort_keys=True) for event in map(_plain, told) if event["event"] in kept}


def _plain(event: AnyEvent) -> Any:
    return json.loads(encode(event))


def _without(value: Any, names: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {name: _without(item, names) for name, item in value.items() if name not in names}
    return [_without(item, names) for item in value] if isinstance(value, list | tuple) else value
