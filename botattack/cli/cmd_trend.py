"""`botattack trend`: the nights of one bot in a row."""

from __future__ import annotations

from pathlib import Path

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
    """Draw the runs of a bot as one page, in order of time; DIR is recordings by default."""
    from botattack.audit.nights.history import runs_of
    from botattack.audit.replaying import by_one_judge
    from botattack.recordings import baseline as baselines
    from botattack.report.comparison.trend import Bisect, ShownRun, write
    from botattack.report.escape import visible
    from botattack.report.figures.metrics import figures_of

    runs = runs_of(recordings, target)
    tracks, judged = Bisect(), by_one_judge(*(folder for folder, _ in runs))
    for (_, made), told in zip(runs, judged, strict=True):
        tracks.add(made.run, made.started[:10], told.events())
    flips = tracks.flips(question)
    if bisect:
        for flip in flips:
            state = "broke" if flip.broke else "fixed"
            click.echo(f"{flip.day}  {visible(flip.first)}  {state}  {visible(flip.row)}: {flip.shown}{flip.beside}")
        if not flips:
            click.echo(f"nothing changed in {len(runs)} runs")
        if output is None:
            return
    path = output or recordings / "trend.html"
    pinned = {baseline.run for baseline in baselines.pinned(recordings)}
    nights = [
        ShownRun(
            made.run,
            figures_of(told.events()),
            "night" if made.command[:1] == ["nightly"] else "run",
            baseline=made.run in pinned,
        )
        for (_, made), told in zip(runs, judged, strict=True)
    ]
    write(path, runs[0][1].target, nights, flips)
    click.echo(path)
