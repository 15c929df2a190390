"""Readings stay with a run: continued, judged again, joined from shards, and taught to the judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from botattack.audit.teaching import read_labels
from botattack.events import Label, Reading, VariantJudged
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.recordings.redaction import Redactor
from botattack.recordings.writer import Recorder
from tests.cli.conftest import Botattack, Once
from tests.cli.test_merge import a_campaign, in_shards, runs


def _leave_out(run: Path, number: int) -> list[str]:
    """Two readers call the first variants of a run another question."""
    told = [event.unit for event in events(run) if isinstance(event, VariantJudged) and event.attack == "case"][:number]
    with Recorder(run, Redactor()) as record:
        for unit in told:
            for reader in ("ann", "ben"):
                record(Reading(unit=unit, ask="meaning", reader=reader, label="different"))
    return told


def _left(report: str | Path) -> tuple[list[str], int]:
    read: dict[str, Any] = json.loads(Path(report).read_text())
    row = read["attacks"]["case"]["gold"]
    return sorted(one["unit"] for one in read["readers"]["left"]), row["asked"] - row["marked"]


def _reported(botattack: Botattack, run: Path) -> tuple[list[str], int]:
    written = ("-o", "out.json", "-o", "out.html", "-o", "out.csv")
    assert botattack("replay", run, "--as-recorded", *written).status == 0
    return _left("out.json")


@pytest.fixture
def whole(botattack: Botattack, folder: Path, once: Once) -> tuple[Path, int]:
    """A run, and how many variants are in its rates."""

    def run_it() -> None:
        a_campaign(folder, "")
        assert botattack("run", "campaign.yaml", "--allow-code", "-o", "before.json").status == 0

    once(run_it)
    (run,) = runs()
    return run, _left("before.json")[1]


@pytest.mark.slow
def test_a_report_leaves_them_out(botattack: Botattack, whole: tuple[Path, int]) -> None:
    run, before = whole
    units = _leave_out(run, 3)

    assert _reported(botattack, run) == (sorted(units), before - 3)
    assert "3 variants left the rates" in Path("out.html").read_text()
    assert Path("out.csv").read_text().count("left out: bad-variant") == 3


@pytest.mark.slow
def test_a_replay_leaves_them_out_and_says_why(botattack: Botattack, whole: tuple[Path, int]) -> None:
    run, before = whole
    units = _leave_out(run, 2)

    assert botattack("replay", run, "-o", "after.json").status == 0
    assert _left("after.json") == (sorted(units), before - 2)
    assert "2 of 2 readers call it another question" in botattack("replay", run, "--unit", units[0]).out


@pytest.mark.slow
def test_a_run_that_continues_keeps_them(botattack: Botattack, folder: Path) -> None:
    a_campaign(folder, "")
    assert botattack("run", "campaign.yaml", "--allow-code", "--budget", "70").status in (0, 3, 4)
    (run,) = runs()
    units = _leave_out(run, 2)

    ended = botattack("run", "campaign.yaml", "--allow-code", "--resume", run, "-o", "after.json")
    assert ended.status == 0, ended
    assert _left("after.json")[0] == sorted(units)
    assert _reported(botattack, run) == _left("after.json")
    assert sum(isinstance(event, Reading) for event in events(run)) == 4


@pytest.mark.slow
def test_shards_bring_theirs(botattack: Botattack, folder: Path) -> None:
    a_campaign(folder, "")
    _, shards = in_shards(botattack, 2)
    units = [unit for shard in shards for unit in _leave_out(shard, 1)]
    before = runs()

    assert botattack("merge", *shards, "-o", "joined.json").status == 0
    (whole,) = runs() - before
    assert _left("joined.json")[0] == sorted(units)
    assert _reported(botattack, whole) == _left("joined.json")


@pytest.mark.slow
def test_the_judge_learns_what_people_called_replies(botattack: Botattack, whole: tuple[Path, int]) -> None:
    run, _ = whole
    told = [event.unit for event in events(run) if isinstance(event, VariantJudged) and event.attack == "case"]
    with Recorder(run, Redactor()) as record:
        for n, unit in enumerate(told[:60]):
            labels: list[Label] = ["wrong", "wrong", "correct"] if n % 4 else ["correct", "correct", "unclear"]
            for reader, label in zip(("ann", "ben", "eva"), labels, strict=True):
                record(Reading(unit=unit, ask="verdict", reader=reader, label=label, chance=0.25))
        for reader, label in (("ann", "wrong"), ("ben", "correct")):
            record(Reading(unit=told[60], ask="verdict", reader=reader, label=label))  # type: ignore[arg-type]

    ended = botattack("judge", "fit", run, "-o", "weights.json")
    assert ended.status == 0, ended
    assert "60 labels" in ended.out
    assert "1 that readers were unsure of" in ended.out
    rows, unsure = read_labels(run)
    assert {row.place for row in rows} == {str(row.file) for row in rows}  # a folder has no lines
    assert (len(rows), unsure, sum(row.correct for row in rows)) == (60, 1, 15)
    # A unit is judged as in its run: beside the replies to the unchanged question, and with the target's refusals.
    assert all(row.before for row in rows)
    assert {row.refusals for row in rows} == {tuple(manifest.read(run).settings["refusals"])}


def test_a_run_that_nobody_graded_teaches_nothing(botattack: Botattack, whole: tuple[Path, int]) -> None:
    run, _ = whole
    ended = botattack("judge", "fit", run, "-o", "weights.json")

    assert ended.status == 2
    assert "botattack judge review" in ended.err


@pytest.mark.slow
def test_nights_leave_out_what_readers_of_their_baseline_left_out(
    botattack: Botattack, whole: tuple[Path, int]
) -> None:
    run, before = whole
    units = _leave_out(run, 3)
    with Recorder(run, Redactor()) as record:
        record(Reading(unit=units[0], ask="verdict", reader="ann", label="wrong"))
    assert botattack("nightly", "baseline", "set", run).status == 0

    first = botattack("nightly", "campaign.yaml", "--allow-code")
    assert first.status == 0, first
    (night,) = runs() - {run}
    assert _left(night / "report.json") == (sorted(units), before - 3)
    assert "3 variants left the rates" in (night / "report.html").read_text()
    assert _reported(botattack, night) == (sorted(units), before - 3)
    # What was said of replies was said of those of the baseline.
    assert {event.ask for event in events(night) if isinstance(event, Reading)} == {"meaning"}
