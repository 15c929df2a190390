"""`botattack trend`: the nights of one bot in a row."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

EPILOG = """\b
Examples:
  botattack trend --target helpdesk -o trend.html
  botattack trend --target helpdesk --bisect
  botattack trend --bisect --question "what is the capital of france"
"""


@click.command(epilog=EPILOG)
@click.argument(
    "recordings",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path("recordings"),
    metavar="DIR",
)
@click.option("--target", default="", help="Of which bot; needed where DIR holds runs of several.")
@click.option("--bisect", is_flag=True, help="Name the first night on which each question turned over.")
@click.option("--question", default="", help="With --bisect: this question alone, by its text or id.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The page; else trend.html in DIR."
)
def trend(recordings: Path, target: str, bisect: bool, question: str, output: Path | None) -> None:
    """Draw the runs of a bot as one page, in order of time; DIR is recordings by default."""
    from botattack.recordings.reader import events
    from botattack.report.comparison.trend import Bisect, ShownRun, write
    from botattack.report.figures.metrics import figures_of

    runs = _runs(recordings, target)
    tracks = Bisect()
    for folder, made in runs:
        tracks.add(made.run, made.started[:10], events(folder))
    flips = tracks.flips(question)
    if bisect:
        for flip in flips:
            state = "broke" if flip.broke else "mended"
            click.echo(f"{flip.day}  {_visible(flip.first)}  {state}  {_visible(flip.row)}: {flip.shown}{flip.beside}")
        if not flips:
            click.echo(f"nothing turned over in {len(runs)} runs")
        if output is None:
            return
    path = output or recordings / "trend.html"
    pinned = _baselines(recordings)
    nights = [
        ShownRun(
            made.run,
            figures_of(events(folder)),
            "night" if made.command[:1] == ["nightly"] else "run",
            baseline=made.run in pinned,
        )
        for folder, made in runs
    ]
    write(path, runs[0][1].target, nights, flips)
    click.echo(path)


def _baselines(recordings: Path) -> set[str]:
    """The runs that later ones are held against."""
    from botattack.errors import BotattackError
    from botattack.recordings import baseline

    found = set()
    for name in baseline.names(recordings):
        with suppress(BotattackError):
            pinned = baseline.read(recordings, name)
            found |= {pinned.run} if pinned else set()
    return found


def _visible(text: str) -> str:
    from botattack.report.escape import visible

    return visible(text)


def _runs(recordings: Path, target: str) -> list[tuple[Path, Any]]:
    """The runs of one bot, oldest first; raises RecordingError where there is none, or of several bots."""
    from botattack.errors import BotattackError, RecordingError
    from botattack.recordings import manifest

    found = []
    for folder in sorted(path for path in recordings.iterdir() if path.is_dir()):
        with suppress(BotattackError):
            found.append((folder, manifest.read(folder)))
    targets = sorted({made.target for _, made in found})
    runs = [(folder, made) for folder, made in found if made.target == (target or (targets or [""])[0])]
    if not runs:
        raise RecordingError(f"{recordings} holds no recording" + (f" of {target!r}" if target else ""))
    if len(targets) > 1 and not target:
        raise RecordingError(f"{recordings} holds runs of {', '.join(targets)}: name one with --target")
    return sorted(runs, key=lambda entry: (entry[1].started, (entry[0] / "run.json").stat().st_mtime_ns))
