"""Nights of dialogues of a bot that does not change: each is compared with every other.

From the project's root, with the environment of the live tests:

    python -m benchmarks.nights FOLDER                  12 nights of 20 dialogues of SmolLM2, behind llama.cpp's server,
                                                        which draws its answers by chance at temperature 0.8;
                                                        the control alone, for an attack has verdicts on fewer than the
                                                        20 dialogues that a row needs
    python -m benchmarks.nights FOLDER --bot ferry --nights 2       a campaign of campaigns/conversations/, twice
    python -m benchmarks.nights FOLDER --nights 0       only compares the nights that FOLDER has

What FOLDER has already is kept, so that a series can be continued.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measured import measure
from botattack.events import Asked, OriginalJudged, VariantJudged
from botattack.recordings.reader import events
from botattack.report.comparison.diff import compare
from botattack.report.stories import comparison as diff_words
from tests.live import environments
from tests.live.conftest import llama_bot

CHANCE = "chance"
TOKENS = 24


@contextmanager
def by_chance(folder: Path, dialogues: int, temperature: float) -> Iterator[Path]:
    """SmolLM2 without a seed; the campaign that asks it."""
    (folder / CHANCE).mkdir()
    with llama_bot(folder / CHANCE, environments.smollm2().folder() / "packages") as bot:
        connect = {
            "kind": "openai",
            "url": f"{bot.url}/v1",
            "model": "smollm2",
            "temperature": temperature,
            "seed": False,
            "max_tokens": TOKENS,
            "fields": {"cache_prompt": True, "stop": [".", "\n"]},
        }
        limits = {"rate": "unlimited", "concurrency": 1, "timeout": "60s"}
        target = folder / "targets" / "smollm2-by-chance.yaml"
        target.write_text(json.dumps({"name": target.stem, "connect": connect, "limits": limits}), "utf-8")
        campaign = folder / "campaigns" / "conversations" / f"dialogues-{CHANCE}.yaml"
        questions = {"file": "dialogues/passages.yaml", "limit": dialogues}
        asked = {"target": f"../../targets/{target.name}", "questions": questions, "seed": 7}
        campaign.write_text(json.dumps(asked | {"attacks": ["unchanged"]}), "utf-8")
        yield campaign


@contextmanager
def opened(bot: str, folder: Path, dialogues: int, temperature: float) -> Iterator[Path]:
    """A bot that runs, and its campaign."""
    with measure.laid_out(folder):
        if bot == CHANCE:
            with by_chance(folder, dialogues, temperature) as campaign:
                yield campaign
        else:
            with measure.started(bot, folder):
                yield folder / "campaigns" / "conversations" / f"dialogues-{bot}.yaml"


def night(campaign: Path, recordings: Path) -> bool:
    """Runs a night, the first of which becomes the baseline; whether it rang."""
    words = ["nightly", campaign, "--recordings", recordings, "--pin"]
    command = [sys.executable, "-c", "from botattack.cli import main; main()", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=measure.environ())
    if done.returncode not in (0, 1):
        sys.exit(f"a night ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return bool(done.returncode)


def recorded(folder: Path) -> list[Path]:
    return sorted(run.parent for run in (folder / "recordings").glob("*/run.json"))


def differ(old: Path, new: Path) -> tuple[int, int, int]:
    """Verdicts of the same unit that differ, replies that do, and verdicts of both nights."""
    verdicts, replies = zip(*(_judged(run) for run in (old, new)), strict=True)
    both = verdicts[0].keys() & verdicts[1].keys()
    others = sum(replies[0][key] != replies[1][key] for key in replies[0].keys() & replies[1].keys())
    return sum(verdicts[0][key] != verdicts[1][key] for key in both), others, len(both)


def _judged(run: Path) -> tuple[dict[object, object], dict[object, object]]:
    verdicts: dict[object, object] = {}
    replies: dict[object, object] = {}
    for event in events(run):
        if isinstance(event, Asked):
            replies[event.question, event.unit] = [reply.text for reply in event.replies]
        elif isinstance(event, OriginalJudged):
            verdicts[event.question] = event.standing
        elif isinstance(event, VariantJudged):
            turns = [(turn.turn, turn.verdict.kind) for turn in event.turns]
            verdicts[event.question, event.unit, event.attack] = (event.result, event.verdict.kind, turns)
    return verdicts, replies


def compared(runs: list[Path]) -> None:
    """Prints every pair of nights, the older first."""
    pairs = rang = 0
    for old, new in combinations(runs, 2):
        comparison = compare(events(old), events(new))
        why, originals = diff_words.alarms(comparison.rows, comparison.lost), comparison.rows[0]
        verdicts, replies, both = differ(old, new)
        print(
            f"{old.name} {new.name}: originals wrong {originals.old}/{originals.units} and {originals.new}/"
            f"{originals.units}, {verdicts} of {both} verdicts and {replies} replies differ: {'; '.join(why) or 'held'}"
        )
        pairs, rang = pairs + 1, rang + bool(why)
    print(f"{rang} of {pairs} pairs of nights ring ({rang / max(1, pairs):.1%})")


def main() -> None:
    parser = argparse.ArgumentParser(description="Nights of dialogues of a bot that does not change.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bot", default=CHANCE, choices=[CHANCE, "ferry", "page", "alice", "llama"])
    parser.add_argument("--nights", type=int, default=12)
    parser.add_argument("--dialogues", type=int, default=20)
    parser.add_argument("--temperature", type=float, default=0.8)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    left = given.nights - len(recorded(given.folder))
    if left > 0:
        with (
            TemporaryDirectory() as temporary,
            opened(given.bot, Path(temporary), given.dialogues, given.temperature) as campaign,
        ):
            for _ in range(left):
                rang = night(campaign, given.folder.resolve() / "recordings")
                print("rang" if rang else "held", flush=True)
    compared(recorded(given.folder))


if __name__ == "__main__":
    main()
