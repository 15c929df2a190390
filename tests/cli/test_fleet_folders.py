"""Folders of runs on several workers: what is not finished is continued as it was, and nothing is asked twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from botattack.events import Asked
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack, Once
from tests.cli.test_merge import a_campaign, runs

RUN = ("run", "campaign.yaml", "--allow-code")


@pytest.fixture
def stopped(botattack: Botattack, folder: Path, once: Once) -> Path:
    """A run on one worker that a budget stopped, with some of its leases done."""

    def run_it() -> None:
        a_campaign(folder, "")
        assert botattack(*RUN, "--on", "local:1", "--budget", "70").status == 4

    once(run_it)
    (run,) = runs()
    return run


def units(run: Path) -> list[str]:
    return [event.unit for event in events(run) if isinstance(event, Asked)]


@pytest.mark.slow
def test_a_run_that_is_not_finished_is_read_and_is_not_added_to(botattack: Botattack, stopped: Path) -> None:
    labels = Path("labels.jsonl")
    labels.write_text(json.dumps({"unit": units(stopped)[0], "reader": "ann", "label": "same", "ask": "meaning"}))
    before = (stopped / "events.jsonl").read_bytes()
    assert botattack("replay", stopped, "--as-recorded").status == 0
    for command in (
        [*RUN, "--resume", stopped],
        [*RUN, "--resume", stopped, "--retry-errors"],
        ["judge", "review", stopped, "--collect", labels],
        ["verify", stopped, "--seal"],
    ):
        ended = botattack(*command)
        assert (ended.status, ended.err.count("\n")) == (2, 1), ended
        assert "is not finished; continue it first" in ended.err
    assert (stopped / "events.jsonl").read_bytes() == before


@pytest.mark.slow
def test_leases_are_no_runs(botattack: Botattack, stopped: Path) -> None:
    lease = min((stopped / "leases").glob("0*"))
    whole_run = ["mark", lease, "accepted", "--why", "known"]
    for command in (["replay", lease], whole_run, ["merge", lease], [*RUN, "--resume", lease]):
        ended = botattack(*command)
        assert ended.status == 2
        assert "is a part of the run" in ended.err
    assert not (stopped / "leases/triage.yaml").exists()


@pytest.mark.slow
def test_before_anything_is_merged_there_is_nothing_to_read(botattack: Botattack, stopped: Path) -> None:
    assert botattack(*RUN).status == 0
    (other,) = runs() - {stopped}
    (stopped / "events.jsonl").unlink()
    for command in (
        ["replay", stopped, "--as-recorded"],
        ["replay", stopped],
        ["export", stopped, "--for", "pairs", "-o", "out.jsonl"],
        ["nightly", "baseline", "set", stopped],
        ["compare", stopped, other],
        ["merge", stopped],
        ["verify", stopped],
    ):
        ended = botattack(*command)
        assert ended.status == 2
        assert "is not finished; continue it first" in ended.err, ended
    assert botattack("mark", units(other)[0], "bad-variant", "--why", "asks something else").status == 0
    assert botattack("nightly", "trend").status == 0


@pytest.mark.slow
def test_other_questions_are_refused(botattack: Botattack, stopped: Path) -> None:
    questions = Path("faq.jsonl").read_text()
    before = (stopped / "events.jsonl").read_bytes()
    for more in (1, 30):
        rows = [{"question": f"What is the famous number of more {n}?", "answers": ["yes"]} for n in range(more)]
        Path("faq.jsonl").write_text(questions + "".join(json.dumps(row) + "\n" for row in rows))
        ended = botattack(*RUN, "--on", "local:1", "--resume", stopped)
        assert ended.status == 2
        assert f"its 40 questions were shared out among workers, and now the file has others ({40 + more})" in ended.err
    assert (stopped / "events.jsonl").read_bytes() == before


@pytest.mark.slow
def test_what_is_finished_is_not_asked_again(botattack: Botattack, stopped: Path) -> None:
    # As of a worker that was killed right after it had made the folder of its lease.
    last = max((stopped / "leases").glob("0*"))
    (last / "events.jsonl").unlink(missing_ok=True)
    before = units(stopped)
    assert botattack("run", "--resume", stopped, "--budget", "requests=1000").status == 0
    assert not (stopped / "leases").exists()
    after = units(stopped)
    assert len(after) == len({*after}) > len(before)
    asked = (stopped / "events.jsonl").read_bytes()
    ended = botattack("run", "--resume", stopped, "--budget", "requests=1000")
    assert ended.status == 0, ended
    assert "has nothing left for workers" in ended.err
    assert (stopped / "events.jsonl").read_bytes().startswith(asked)
    assert units(stopped) == after
    assert botattack("verify", stopped).out.startswith("sealed")
