"""Shards joined: what one process would have said of the same answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from botattack.audit.conclusion import conclude_merged
from botattack.events import RunEnded
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.report.figures.metrics import figures_of
from tests.cli.conftest import Botattack

BOT = """
def answer(text):
    if "broken" in text and "What" in text:
        raise RuntimeError("ill")
    return "yes" if text.startswith("What is the famous number") else "no"
"""
TARGET = 'name: numbers\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited, retries: 0}\n'


def a_campaign(folder: Path, more: str, broken: int = 0) -> None:
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text(TARGET)
    asked = [
        f"What is the famous {'broken ' * (n < broken)}number of {'abcdefghij'[n % 10] * 3}{n}?" for n in range(40)
    ]
    (folder / "faq.jsonl").write_text("".join(json.dumps({"question": q, "answers": ["yes"]}) + "\n" for q in asked))
    (folder / "campaign.yaml").write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\nattacks: [case]\n" + more
    )


def told(file: str) -> dict[str, Any]:
    """What stands in a report, but for the name and the time of the run."""
    read: dict[str, Any] = json.loads(Path(file).read_text())
    return {**read, "run": {key: read["run"][key] for key in ("exit", "why", "seed", "filter", "target")}}


def runs() -> set[Path]:
    return {path.parent for path in Path("recordings").glob("*/run.json")}


def the_whole(botattack: Botattack) -> tuple[int, dict[str, Any]]:
    ended = botattack("run", "campaign.yaml", "--allow-code", "-o", "whole.json")
    return ended.status, told("whole.json")


def in_shards(botattack: Botattack, parts: int = 3) -> tuple[list[int], list[Path]]:
    before, flags = runs(), ("run", "campaign.yaml", "--allow-code")
    statuses = [botattack(*flags, "--shard", f"{part}/{parts}").status for part in range(1, parts + 1)]
    return statuses, sorted(runs() - before)


def merged(botattack: Botattack, shards: list[Path]) -> tuple[int, dict[str, Any]]:
    ended = botattack("merge", *shards, "-o", "merged.json")
    found = told("merged.json")
    assert (f"botattack: {found['run']['why']}" in ended.err) == (ended.status != 0)
    return ended.status, found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gate", "status", "why"),
    [
        ("{metric: success_rate, attack: case, at_least: 0.9}", 0, "the gate held"),
        ("{metric: success_rate, attack: case, at_most: 0.2}", 1, "share broken by case is 100.0 %, above 20.0 %"),
    ],
)
def test_gates_are_held_against_the_whole_and_not_against_its_shards(
    botattack: Botattack, folder: Path, gate: str, status: int, why: str
) -> None:
    a_campaign(folder, f"gates: [{gate}]\n")
    whole = the_whole(botattack)
    statuses, shards = in_shards(botattack)
    assert statuses == [1, 1, 1], "too few questions each"
    assert merged(botattack, shards) == whole
    assert (whole[0], whole[1]["run"]["why"]) == (status, why)


@pytest.mark.slow
def test_whole_runs_beside_the_parts_are_left_out(botattack: Botattack, folder: Path) -> None:
    """`recordings/*-bot-*` names them, and once it was merged, what it was merged into."""
    a_campaign(folder, "")
    _, shards = in_shards(botattack, 2)
    once = merged(botattack, shards)
    again = botattack("merge", *sorted(runs()), "-o", "merged.json")
    assert (again.status, told("merged.json")) == once
    assert again.err.count("left out   recordings/") == 1


@pytest.mark.slow
def test_failures_are_counted_over_the_whole(botattack: Botattack, folder: Path) -> None:
    a_campaign(folder, "gates: [{metric: success_rate, attack: case, at_most: 1}]\nmax_errors: 0.03\n", broken=3)
    whole = the_whole(botattack)
    statuses, shards = in_shards(botattack, 8)
    assert merged(botattack, shards) == whole
    assert whole[0] == 0
    assert 1 in statuses


@pytest.mark.slow
def test_what_was_set_up_is_held_where_no_shard_came_to_look(botattack: Botattack, folder: Path) -> None:
    """As where each shard ended with nothing left to attack, or with too many failures."""
    a_campaign(folder, "gates: [{metric: success_rate, attack: case, at_most: 0.2}]\n")
    _, told_whole = the_whole(botattack)
    (whole,) = runs()
    figures = figures_of(events(whole))
    ends = [msgspec.structs.replace(e, gates=(), why="x") for e in events(whole) if isinstance(e, RunEnded)]
    ending = conclude_merged(manifest.read(whole), ends, figures, Path("recordings"))
    assert (ending.exit, ending.why) == (1, told_whole["run"]["why"])
    assert len(ending.gates) == 1


@pytest.mark.slow
def test_a_drop_is_held_against_the_baseline(botattack: Botattack, folder: Path) -> None:
    a_campaign(folder, "gates: [{metric: success_rate, attack: case, drop_at_most: 0.1}]\n")
    the_whole(botattack)
    botattack("nightly", "baseline", "set", *runs())
    whole = the_whole(botattack)
    _, shards = in_shards(botattack)
    assert merged(botattack, shards) == whole
    assert whole[1]["gates"][0]["before"] == 1.0
