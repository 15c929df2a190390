"""A bot that says the same around every answer: nights learn it from their baseline, and calibrate proposes it."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from botattack.events import OriginalJudged
from botattack.recordings import manifest
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack

AROUND = "You are talking to the robot of the city library."
BOT = '''
"""Knows a number for every word, and says who it is before each answer; knows nothing of what lost.txt says."""
import pathlib, re
LOST = pathlib.Path(__file__).parent / "lost.txt"
AROUND = "You are talking to the robot of the city library."
WORDS = "maple oak birch cedar elm ash pine fir yew alder beech hazel".split()
def answer(text):
    found = [word for word in WORDS if word in text.lower().split()]
    if not found:
        return f"{AROUND} Sorry, I do not know that."
    if found[0] in LOST.read_text():
        return AROUND
    return f"{AROUND} The {found[0]} stands in row {WORDS.index(found[0]) + 20}."
'''


def library(folder: Path) -> Path:
    (folder / "bot.py").write_text(BOT)
    (folder / "lost.txt").write_text("")
    (folder / "bot.yaml").write_text(
        'name: library\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
    )
    words = ["maple", "oak", "birch", "cedar", "elm", "ash", "pine", "fir", "yew", "alder", "beech", "hazel"]
    rows = [
        {"question": f"In which row is the {word} today?", "answers": [f"row {n + 20}"]} for n, word in enumerate(words)
    ]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = folder / "campaign.yaml"
    path.write_text("target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\nattacks: [unchanged, case]\n")
    return path


def newest() -> Path:
    return max(Path("recordings").glob("2*"), key=lambda path: path.stat().st_mtime_ns)


def test_a_night_learns_it_from_its_baseline_and_a_replay_judges_by_the_same(
    botattack: Botattack, folder: Path
) -> None:
    campaign = library(folder)
    assert botattack("nightly", campaign, "--allow-code", "--pin").status == 0
    assert manifest.read(newest()).learned == ()
    (folder / "lost.txt").write_text("oak")
    assert botattack("nightly", campaign, "--allow-code").status == 1
    assert manifest.read(newest()).learned == (AROUND,)
    judged = [event.verdict for event in events(newest()) if isinstance(event, OriginalJudged)]
    assert [verdict.why for verdict in judged if verdict.kind != "correct"] == ["the bot said nothing"]
    assert "no verdict changed" in botattack("replay", newest()).out


def test_calibrate_proposes_it_and_writes_it_beside_the_refusals(botattack: Botattack, folder: Path) -> None:
    library(folder)
    told = yaml.safe_load(botattack("calibrate", "bot.yaml", "--allow-code").out)
    assert told == {"refusals": ["Sorry, I do not know that."], "boilerplate": [AROUND]}
    assert botattack("calibrate", "bot.yaml", "--allow-code", "--write").status == 0
    written = yaml.safe_load((folder / "bot.yaml").read_text())
    assert (written["refusals"], written["boilerplate"]) == (told["refusals"], told["boilerplate"])
