"""How often a night of dialogues rings although the bot has not changed: SmolLM2 behind llama.cpp's server draws its
answers by chance, without a seed, and each night is compared with every other.

From the project's root, with the environment of the live tests:

    python -m benchmarks.nights FOLDER                    12 nights of 20 dialogues; what FOLDER has already is kept
    python -m benchmarks.nights FOLDER --nights 0         only compares the nights that FOLDER has
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from botattack.recordings.reader import events
from botattack.report.comparison import diff_words
from botattack.report.comparison.diff import RunComparison, compare
from tests.live import environments
from tests.live.conftest import llama_bot

ROOT = Path(__file__).parents[1]
DIALOGUES = ROOT / "campaigns" / "conversations" / "dialogues" / "passages.yaml"
ATTACKS = [
    {"at": {"place": "dialogue", "attack": {"noise": {"per_question": 1}}}},
    {"are-you-sure": {"rungs": ["doubt"]}},
]
TOKENS = 24


def nights(folder: Path, number: int, dialogues: int, temperature: float) -> None:
    """Runs nights until there are so many; the first becomes the baseline."""
    shutil.copy(DIALOGUES, folder)
    with llama_bot(folder, environments.smollm2().folder() / "packages") as bot:
        target = {
            "name": "smollm2-by-chance",
            "connect": {
                "kind": "openai",
                "url": f"{bot.url}/v1",
                "model": "smollm2",
                "temperature": temperature,
                "seed": False,
                "max_tokens": TOKENS,
                "fields": {"cache_prompt": True},
            },
            "limits": {"rate": "unlimited", "concurrency": 1, "timeout": "60s"},
        }
        (folder / "target.yaml").write_text(json.dumps(target), "utf-8")
        campaign = {
            "target": "target.yaml",
            "questions": {"file": DIALOGUES.name, "limit": dialogues},
            "seed": 7,
            "attacks": ["unchanged", *ATTACKS],
        }
        (folder / "campaign.yaml").write_text(json.dumps(campaign), "utf-8")
        for _ in range(len(recorded(folder)), number):
            words = ["nightly", folder / "campaign.yaml", "--recordings", folder / "recordings", "--pin"]
            command = [sys.executable, "-c", "from botattack.cli import main; main()", *words]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode not in (0, 1):
                sys.exit(f"a night ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
            print(recorded(folder)[-1].name, "rang" if done.returncode else "held", flush=True)


def recorded(folder: Path) -> list[Path]:
    return sorted((folder / "recordings").glob("*/run.json"))


def compared(folder: Path) -> Iterator[tuple[str, str, RunComparison]]:
    """Every pair of nights, the older first."""
    for old, new in combinations([run.parent for run in recorded(folder)], 2):
        yield old.name, new.name, compare(events(old), events(new))


def main() -> None:
    parser = argparse.ArgumentParser(description="Nights of an unchanged bot that draws its answers by chance.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nights", type=int, default=12)
    parser.add_argument("--dialogues", type=int, default=20)
    parser.add_argument("--temperature", type=float, default=0.8)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.nights:
        nights(given.folder.resolve(), given.nights, given.dialogues, given.temperature)
    pairs = rang = 0
    for old, new, comparison in compared(given.folder):
        why = diff_words.alarms(comparison.rows, comparison.lost)
        originals = comparison.rows[0]
        shown = f"originals wrong {originals.old}/{originals.units} and {originals.new}/{originals.units}"
        print(old, new, shown, "; ".join(why) or "held")
        pairs, rang = pairs + 1, rang + bool(why)
    print(f"{rang} of {pairs} pairs of nights ring ({rang / max(1, pairs):.1%})")


if __name__ == "__main__":
    main()
