"""What a user reads of a bot that says the same to everything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Botattack

BOT = """
import pathlib
def answer(text):
    page = pathlib.Path(__file__).with_name("page.txt")
    return page.read_text() if page.exists() else f"It is {int(text.split()[-1]) * 7}."
"""
PAGE = "Sign in to continue. s3cret-token"


@pytest.fixture
def campaign(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DESK_TOKEN", "s3cret-token")
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text(
        'name: numbers\nenv: [DESK_TOKEN]\nconnect: {kind: local, call: "file://bot.py:answer"}\n'
        "limits: {rate: unlimited}\n"
    )
    rows = [{"question": f"What is seven times {n}", "answers": [str(7 * n)]} for n in range(1, 31)]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = folder / "campaign.yaml"
    path.write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\nmatch: contains\n"
        "attacks: [random-characters: {keywords: all}]\n"
    )
    return path


def recordings() -> list[Path]:
    return sorted(Path("recordings").glob("2*"), key=lambda path: path.stat().st_mtime_ns)


def test_a_run_ends_with_3_and_says_what_every_reply_was(botattack: Botattack, campaign: Path) -> None:
    Path("page.txt").write_text(PAGE)
    ended = botattack("run", campaign, "--allow-code")
    assert ended.status == 3
    assert "says the same to everything: 8 of the first 8" in ended.err
    assert "'Sign in to continue. [redacted]'" in ended.err
    assert "s3cret" not in str(ended)
    assert "\ncontinue" not in ended.err  # it would end with the same sentence
    (recording,) = recordings()
    assert "says the same to everything" in botattack("replay", recording).out
    again = botattack("run", campaign, "--allow-code", "--resume", recording)
    assert (again.status, again.err.count("says the same to everything")) == (3, 1)


STOPS = """
import itertools
asked = itertools.count(1)
def answer(text):
    return f"It is {int(text.split()[-1]) * 7}." if next(asked) <= 30 else "Please come back later. s3cret-token"
"""


def test_a_bot_that_stops_answering_ends_it_too(botattack: Botattack, campaign: Path) -> None:
    Path("bot.py").write_text(STOPS)
    campaign.write_text(campaign.read_text() + "unchanged: true\n")
    ended = botattack("run", campaign, "--allow-code")
    assert (ended.status, ended.err.count("stopped answering"), "\ncontinue" in ended.err) == (3, 1, False)
    assert "'Please come back later. [redacted]'" in ended.err
    assert "s3cret" not in str(ended)
    (recording,) = recordings()
    assert "Nothing that broke is laid to an attack" in botattack("replay", recording).out.replace("\n", " ")


@pytest.mark.slow
def test_a_night_rings_with_the_sentence(botattack: Botattack, campaign: Path) -> None:
    assert botattack("run", campaign, "--allow-code").status == 0
    assert botattack("nightly", "baseline", "set", recordings()[-1]).status == 0
    Path("page.txt").write_text(PAGE)
    ended = botattack("nightly", campaign, "--allow-code")
    assert ended.status == 1
    assert "botattack: numbers says the same to everything" in ended.err
    assert "\ncontinue" not in ended.err
    Path("page.txt").unlink()
    assert botattack("nightly", campaign, "--allow-code").status == 0
