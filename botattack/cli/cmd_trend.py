"""`botattack trend`: the nights of one bot in a row."""

from __future__ import annotations

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
@click.option("--target", default="", help="Of which bot; needed where DIR contains runs of several.")
@click.option("--bisect", is_flag=True, help="Name the first night on which the result of each question changed.")
@click.option("--question", default="", help="With --bisect: this question alone, by its text or id.")
@click.option("-o", "--output", type=NEW_FILE, help="The page; else trend.html in DIR.")
def trend(recordings: Path, target: str, bisect: bool, question: str, output: Path | None) -> None:
    """Draw the runs of a bot as one page, in order of time; DIR is recordings by default.

    A damaged recording is left out and named.
    """
    from botattack.audit.nights.history import runs_of
    from botattack.audit.replaying import by_one_judge
    from botattack.errors import RecordingError
    from botattack.recordings import baseline as baselines
    from botattack.report.comparison.trend import Bisect, ShownRun, write
    from botattack.report.escape import visible
    from botattack.report.figures.metrics import figures_of

    def left_out(why: object) -> None:
        click.echo(f"left out   {why}", err=True)

    runs = runs_of(recordings, target, left_out)
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
    if bisect:
        for flip in flips:
            state = "broke" if flip.broke else "fixed"
            click.echo(f"{flip.day}  {visible(flip.first)}  {state}  {visible(flip.row)}: {flip.shown}{flip.beside}")
        if not flips:
            click.echo(f"nothing changed in {len(nights)} runs")
        if output is None:
            return
    path = output or recordings / "trend.html"
    write(path, runs[0][1].target, nights, flips)
    click.echo(path)
