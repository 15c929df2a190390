"""A bot that says the same around every answer: nights learn it from their baseline."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from botattack.audit.viewing.failures import Failures
from botattack.events import BoilerplateKnown, OriginalJudged
from botattack.recordings import manifest
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack, newest

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


@pytest.mark.slow
def test_a_night_learns_it_from_its_baseline_and_a_replay_judges_by_the_same(
    botattack: Botattack, folder: Path
) -> None:
    campaign = library(folder)
    assert botattack("nightly", campaign, "--allow-code", "--pin").status == 0
    assert manifest.read(newest()).learned is None
    assert learnt() == [(AROUND,)]
    (folder / "lost.txt").write_text("oak")
    assert botattack("nightly", campaign, "--allow-code").status == 1
    assert manifest.read(newest()).learned == (AROUND,)
    judged = [event.verdict for event in events(newest()) if isinstance(event, OriginalJudged)]
    assert [verdict.why for verdict in judged if verdict.kind != "correct"] == ["the bot said nothing"]
    assert "no verdict changed" in botattack("replay", newest()).out


def learnt() -> list[tuple[str, ...]]:
    return [event.sentences for event in events(newest()) if isinstance(event, BoilerplateKnown)]


@pytest.mark.slow
def test_a_run_learns_it_says_so_and_is_replayed_by_the_same(botattack: Botattack, folder: Path) -> None:
    campaign = library(folder)
    (folder / "lost.txt").write_text("oak")
    ran = botattack("run", campaign, "--allow-code", "-o", "a.json", "-o", "a.md")
    assert re.search(r"^left out +1 sentence .*learnt from 12", ran.out, re.MULTILINE)
    told = json.loads(Path("a.json").read_text())
    assert (told["run"]["boilerplate"], told["run"]["learnt_from"]) == ([AROUND], 12)
    assert (told["questions"]["correct"], told["questions"]["refused"]) == (11, 1)
    assert "- left out: 1 sentence" in Path("a.md").read_text()
    assert "no verdict changed" in botattack("replay", newest()).out
    assert "no verdict changed" in botattack("replay", newest(), "--jobs", "2").out


@pytest.mark.slow
def test_no_list_of_failures_shows_what_is_said_around_every_answer(botattack: Botattack, folder: Path) -> None:
    campaign = library(folder)
    (folder / "bot.py").write_text(BOT.replace("text.lower()", "text"))
    with (folder / "bot.yaml").open("a") as file:
        file.write(f"boilerplate: [{AROUND}]\n")
    botattack("run", campaign, "--allow-code", "-o", "a.xml", "-o", "a.md")
    texts = Path("a.xml").read_text(), Path("a.md").read_text(), str([*Failures(newest()).examples()])
    for text in texts:
        assert "Sorry, I do not know that." in text
        assert f"{AROUND} Sorry" not in text


@pytest.mark.parametrize(("listed", "known"), [("off", []), ("[]", []), ("[Good day.]", [("Good day.",)])])
def test_what_the_target_file_says_wins(botattack: Botattack, folder: Path, listed: str, known: list[Any]) -> None:
    campaign = library(folder)
    with (folder / "bot.yaml").open("a") as file:
        file.write(f"boilerplate: {listed}\n")
    assert botattack("run", campaign, "--allow-code").status == 0
    assert learnt() == known


@pytest.mark.slow
def test_a_night_learns_nothing_from_its_baseline_where_the_file_says_it(botattack: Botattack, folder: Path) -> None:
    campaign = library(folder)
    assert botattack("nightly", campaign, "--allow-code", "--pin").status == 0
    with (folder / "bot.yaml").open("a") as file:
        file.write("boilerplate: [Good day.]\n")
    botattack("nightly", campaign, "--allow-code")
    made = manifest.read(newest())
    assert (made.boilerplate, made.learned) == (("Good day.",), None)


@pytest.mark.slow
def test_shards_are_judged_by_what_each_learnt(botattack: Botattack, folder: Path) -> None:
    campaign = library(folder)
    for shard in ("1/2", "2/2"):
        assert botattack("run", campaign, "--allow-code", "--shard", shard).status == 0
    shards = sorted(Path("recordings").glob("2*"))
    assert botattack("merge", *shards).status == 0
    assert {AROUND} == {sentence for known in learnt() for sentence in known}
    assert "no verdict changed" in botattack("replay", newest()).out
