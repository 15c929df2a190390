"""`botattack trend`: the nights of one bot in a row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import click

from botattack.cli.shared_flags import FOLDER, NEW_FILE

EPILOG = """\b
Examples:
  botattack trend --target helpdesk -o trend.html
  botattack trend --target helpdesk --bisect
  botattack trend --bisect --question "what is the capital of france"
"""


@click.command(epilog=EPILOG)
@click.argument(
    "recordings",
    type=FOLDER,
    default=Path("recordings"),
    metavar="DIR",
)
@click.option("--target", default="", help="Which bot; needed if DIR contains runs of several.")
@click.option("--bisect", is_flag=True, help="Name the nights on which each question broke and was fixed.")
@click.option("--question", default="", help="With --bisect: only this question, by its text or id.")
@click.option(
    "--suite", default="", metavar="RUN", help="The baseline whose nights to show.  [default: the newest night's]"
)
@click.option("-o", "--output", type=NEW_FILE, help="The page to write.  [default: trend.html in DIR]")
def trend(recordings: Path, *, target: str, bisect: bool, question: str, suite: str, output: Path | None) -> None:
    """Write one page with all nightly runs of one bot, oldest first.

    DIR is the folder of recordings; `recordings` by default. A damaged recording is left out and named.
    """
    from botattack.audit.nights.history import of_one_suite, runs_of
    from botattack.audit.replays.replaying import by_one_judge
    from botattack.errors import RecordingError
    from botattack.recordings import baseline as baselines
    from botattack.report.comparison.trend import Bisect, ShownRun, write
    from botattack.report.escape import visible
    from botattack.report.figures.metrics import figures_of

    def left_out(why: object) -> None:
        click.echo(f"left out   {why}", err=True)

    every = runs_of(recordings, target, left_out)
    runs = of_one_suite(every, suite)
    tracks, judged, nights = Bisect(), by_one_judge(*(folder for folder, _ in runs)), list[ShownRun]()
    pinned = {baseline.run for baseline in baselines.pinned(recordings)}
    for (_, made), told in zip(runs, judged, strict=True):
        try:
            figures = figures_of(told.events())
        except RecordingError as error:
            left_out(error)
            continue
        kind: Literal["night", "run"] = "night" if made.command[:1] == ["nightly"] else "run"
        nights.append(ShownRun(made.run, figures, kind, baseline=made.run in pinned))
        tracks.add(made.run, made.started[:10], told.events())
    if not nights:
        raise RecordingError(f"no recording of {recordings} can be read; restore one from where it was made")
    flips = tracks.flips(question)
    notes = list(_notes(len(every) - len(runs), sum(told.again for told in judged), len(runs)))
    for note in notes:
        click.echo(f"note: {note}", err=True)
    if bisect:
        for flip in flips:
            state = "broke" if flip.broke else "fixed"
            shown = f"{visible(flip.row)}: {flip.shown}{flip.beside}{flip.since_fixed}"
            click.echo(f"{flip.day}  {visible(flip.first)}  {state}  {shown}")
        if not flips:
            click.echo(f"nothing changed in {len(nights)} runs")
        if output is None:
            return
    path = output or recordings / "trend.html"
    write(path, runs[0][1].target, nights, flips, notes)
    click.echo(path)


def _notes(others: int, again: int, runs: int) -> Iterator[str]:
    """What a reader must know of the runs that are shown."""
    from botattack.report.numbers import count

    if others:
        yield f"{count(others, 'run')} of another suite left out; --suite RUN shows the nights of that baseline"
    if again:
        yield f"{again:,} of {count(runs, 'run')} judged again by the judge of the newest, so that all have one judge"
