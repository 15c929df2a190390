"""Recordings made by an earlier botattack still replay, resume, merge and compare, with the same figures as then.

New keys are allowed. If figures are meant to change, `python -m tests.recordings.make_before` writes them again.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from botattack.targets.browser.launch import SYSTEM
from tests.recordings import kept
from tests.recordings.kept import AGAIN, ALL, ASKED, CUT, REEXTRACTED, RESUMED, WHOLE, Cases, Commands, Figures
from tests.servers.ferry import ferry

NO_BROWSER = not any(map(shutil.which, SYSTEM))
BOTS = [
    pytest.param(name, marks=[pytest.mark.live, pytest.mark.skipif(NO_BROWSER, reason="there is no Chromium")])
    if name == "browser"
    else name
    for name in ASKED
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    with ferry() as bot:
        yield Commands(tmp_path_factory.mktemp("before"), bot)


def changed(made: Figures | Cases, expected: Figures) -> list[str]:
    """What of the expected figures is another in those made."""
    return list(kept.differences(expected, made))


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_replay_and_report_give_the_kept_figures(run: Commands, name: str) -> None:
    figures, cases = kept.replayed(run, name)
    assert changed(figures, kept.kept(f"{name}/figures.json")) == []
    assert changed(cases, kept.kept(f"{name}/cases.json")) == []
    assert changed(kept.reported(run, name), kept.kept_report(name)) == []


@pytest.mark.parametrize("name", REEXTRACTED)
def test_reextraction_gives_the_kept_figures(run: Commands, name: str) -> None:
    assert changed(kept.reextracted(run, name), kept.kept(f"{name}/figures.json")) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", AGAIN)
def test_attacks_make_the_kept_variants_again(run: Commands, name: str) -> None:
    """Which may be others than were recorded, as attacks get better."""
    assert kept.units(kept.answered(run, name)[1]) == kept.kept(f"{name}/again.json")


@pytest.mark.parametrize("name", WHOLE)
def test_a_finished_recording_can_be_resumed(run: Commands, name: str) -> None:
    assert changed(kept.resumed(run, name), kept.settled(kept.kept_report(name))) == []


@pytest.mark.parametrize("name", RESUMED)
def test_an_interrupted_run_resumes_to_the_kept_figures(run: Commands, name: str) -> None:
    assert changed(kept.resumed(run, name), kept.kept(f"{name}/resumed.json")) == []


@pytest.mark.parametrize("name", CUT)
def test_the_first_half_of_a_recording_can_be_resumed(run: Commands, name: str) -> None:
    assert changed(kept.without_requests(kept.cut_and_resumed(run, name)), kept.kept(f"{name}/cut.json")) == []


@pytest.mark.parametrize("name", BOTS)
def test_the_bot_itself_gives_the_same_figures(run: Commands, name: str) -> None:
    assert changed(kept.asked_today(run, name), kept.kept(f"{name}/asked.json")) == []


def test_errors_are_asked_again(run: Commands) -> None:
    with ferry() as bot:
        bot.heal()
        assert changed(kept.retried(Commands(run.folder(), bot)), kept.kept("errors/resumed.json")) == []


def test_shards_merge_to_the_kept_figures(run: Commands) -> None:
    assert changed(kept.merged(run), kept.kept("merged.json")) == []


def test_diff_of_two_nights_is_the_kept_one(run: Commands) -> None:
    assert changed(kept.compared(run), kept.kept("diff.json")) == []


def test_a_night_asks_the_suite_of_a_kept_baseline(run: Commands) -> None:
    assert changed(kept.another_night(run), kept.kept("another-night.json")) == []


@pytest.mark.slow
def test_the_demo_gives_the_kept_figures(run: Commands) -> None:
    assert changed(kept.demo(run), kept.kept("demo.json")) == []


@pytest.mark.parametrize(
    ("before", "now", "number"),
    [
        ({"a": [1, {"b": 0.5}]}, {"a": [1, {"b": 0.5, "new": 1}], "new": 2}, 0),
        ({"a": 1, "b": 2}, {"a": 1}, 1),
        ({"a": [1, 2]}, {"a": [1]}, 1),
        ({"a": 0.5}, {"a": 0.51}, 1),
        ({"a": 0}, {"a": False}, 1),
        ({"a": None}, {"a": {}}, 1),
    ],
)
def test_only_what_was_kept_is_compared(before: Figures, now: Figures, number: int) -> None:
    assert len(list(kept.differences(before, now))) == number
