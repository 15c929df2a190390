"""`botattack nightly trend`: the nights of one bot in a row."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FOLDER, NEW_FILE, say

if TYPE_CHECKING:
    from botattack.audit.nights.history import Run
    from botattack.audit.replays.replaying import Judged
    from botattack.report.comparison.diff import RunComparison
    from botattack.report.comparison.trend import Bisect
    from botattack.report.stories.trend import ShownRun


@click.command(epilog=epilog("trend"), short_help="Show all nights on one page, and when what broke.")
@click.argument("recordings", type=FOLDER, default=Path("recordings"), metavar="[DIR]")
@click.option("--target", default="", help="Which bot; needed if several have nights in DIR.")
@click.option("--bisect", is_flag=True, help="Name the nights on which each question broke or became right.")
@click.option("-o", "--output", type=NEW_FILE, help="The page to write.  [default: trend.html in DIR]")
def trend(recordings: Path, *, target: str, bisect: bool, output: Path | None) -> None:
    """Write one page with all nightly runs of one bot, oldest first.

    DIR is the folder of recordings; `recordings` by default. Shown are the newest night and all that asked the same. A
    damaged recording is left out and named.
    """
    from botattack.audit.nights.history import of_one_suite, runs_of
    from botattack.audit.replays.replaying import by_one_judge
    from botattack.errors import RecordingError
    from botattack.recordings import baseline as baselines
    from botattack.report.comparison.trend import Bisect
    from botattack.report.report_files import whole_file
    from botattack.report.stories.trend import changed, latest, story
    from botattack.report.story.in_html import page

    every = runs_of(recordings, target, _left_out)
    runs = of_one_suite(every)
    tracks, judged = Bisect(), by_one_judge(*(folder for folder, _ in runs))
    pinned = {baseline.run for baseline in baselines.pinned(recordings)}
    shown = ((_shown(tracks, pinned, run, told), told) for run, told in zip(runs, judged, strict=True))
    read = [(night, told) for night, told in shown if night]
    if not read:
        raise RecordingError(f"no recording of {recordings} can be read; restore one from where it was made")
    nights, flips = [night for night, _ in read], tracks.flips()
    alarm = next(made.lost_answers for _, made in runs if made.run == nights[-1].name)
    comparison = _with_older(read, alarm)
    say(latest(nights[-1], comparison))
    suites = {made.suite for _, made in every}
    others = [bool(made.suite) or made.run in suites for folder, made in every if (folder, made) not in runs]
    notes = list(_notes(others, sum(told.again for told in judged), len(runs)))
    for note in notes:
        say(f"note: {note}")
    if bisect:
        click.echo("\n".join(map(changed, flips)) if flips else f"nothing changed in {len(nights)} runs")
        if output is None:
            return
    path = output or recordings / "trend.html"
    with whole_file(path) as file:
        file.write(page(story(runs[0][1].target, nights, flips, notes, comparison)))
    click.echo(path)


def _with_older(read: Sequence[tuple[ShownRun, Judged]], alarm: int) -> RunComparison | None:
    """The newest run compared with the baseline, as its own night was, or with the run before it; `alarm` is the number
    of lost answers from which its campaign wants to hear of them."""
    from botattack.report.comparison.diff import compare

    older = [told for night, told in read[:-1] if night.baseline] or [told for _, told in read[-2:-1]]
    return compare(older[-1].events(), read[-1][1].events(), alarm) if older else None


def _left_out(why: object) -> None:
    say(f"left out   {why}")


def _shown(tracks: Bisect, pinned: Container[str], run: Run, judged: Judged) -> ShownRun | None:
    """A run as the page shows it, added to the tracks; None of one that cannot be read."""
    from botattack.audit.conclusion import ended_today
    from botattack.audit.nights.history import left_by
    from botattack.errors import RecordingError
    from botattack.report.comparison.trend import unit_states
    from botattack.report.stories.trend import ShownRun
    from botattack.report.writers.material import material

    folder, made = run
    try:
        left = left_by(folder, judged)
        figures = left.figures if left else ended_today(folder, material(judged.events))
    except RecordingError as error:
        _left_out(error)
        return None
    tracks.add(made.run, made.started[:10], left.units if left else unit_states(judged.events()))
    kind: Literal["night", "run"] = "night" if made.command[:1] == ["nightly"] else "run"
    return ShownRun(made.run, figures, kind, baseline=made.run in pinned)


def _notes(others: list[bool], again: int, runs: int) -> Iterator[str]:
    """What a reader must know of the runs that are shown."""
    from botattack.report.numbers import count

    if nights := others.count(True):
        yield f"{count(nights, 'run')} of another suite left out"
    if beside := others.count(False):
        yield f"{count(beside, 'run')} left out that no night repeats"
    if again:
        yield f"{again:,} of {count(runs, 'run')} judged again by the judge of the newest, so that all have one judge"
