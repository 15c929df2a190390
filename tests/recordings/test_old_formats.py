"""Recordings of every format version load for ever: each keeps one small recording that is never written again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from botattack.config.plugs import matcher_from
from botattack.engine.judging import Judging
from botattack.errors import RecordingError
from botattack.events import FORMAT
from botattack.matchers.judge import Judge
from botattack.matchers.own import OwnReference
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.recordings.rejudge import rejudged
from botattack.recordings.suite import suite_of
from botattack.report.figures.metrics import figures_of

KEPT = Path(__file__).parents[2] / "recordings"
WHAT = {1: {"questions": 3, "asked": 6, "success": 2, "sent": 12}}


def test_every_version_keeps_a_recording() -> None:
    assert sorted(WHAT) == list(range(1, FORMAT + 1))


@pytest.mark.parametrize("version", WHAT)
def test_it_loads_and_is_judged_again(version: int) -> None:
    folder = KEPT / f"format-{version}"
    made = manifest.read(folder)
    assert made.format == version
    refusals = tuple(made.settings["refusals"])
    judging = Judging(Judge(matcher_from(made.settings["match"]), refusals), OwnReference(refusals=refusals))
    for told in (events(folder), rejudged(events(folder), judging)):
        figures = figures_of(told)
        row = figures.attacks["dpaeg"].gold
        assert {
            "questions": figures.questions.asked,
            "asked": row.asked,
            "success": row.success,
            "sent": figures.requests.sent,
        } == WHAT[version]
    assert len(suite_of(events(folder))) == WHAT[version]["questions"]


def test_a_night_and_a_run_are_each_continued_by_their_own_command() -> None:
    night = manifest.Manifest(
        run="a", target="b", started="", seed=0, settings={}, digests={}, command=["nightly", "c.yaml"]
    )
    run = msgspec.structs.replace(night, command=["run"])
    with pytest.raises(
        RecordingError, match="cannot resume a: it is a night; continue it with botattack nightly … --re"
    ):
        manifest.refuse_difference(night, run)
    with pytest.raises(
        RecordingError, match="cannot resume a: it is no night; continue it with botattack run … --resum"
    ):
        manifest.refuse_difference(run, night)
