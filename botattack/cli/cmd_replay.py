"""`botattack replay`: a recording judged again, offline."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from botattack.cli.shared_flags import also_written
from botattack.events import AnyEvent

EPILOG = """\b
Examples:
  botattack replay recordings/20260101T020000Z-alice-1a2b3c4d
  botattack replay recordings/20260101T020000Z-alice-1a2b3c4d --unit 5f2c9a1b7d3e8f60.0
  botattack replay recordings/20260101T020000Z-helpdesk-1a2b3c4d --reextract --target targets/helpdesk.yaml
"""

Again = Callable[[Iterable[AnyEvent]], Iterator[AnyEvent]]
"""Makes of recorded events what they are today, one for each."""


@click.command(epilog=EPILOG)
@click.argument("recording", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--unit", help="Show one asking: what was sent, what came back, and what it means.")
@click.option("--reextract", is_flag=True, help="Also extract every reply anew, as the target file says today.")
@click.option(
    "-t",
    "--target",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="That target file, if it is not where it was; its refusals count, too.",
)
@click.option(
    "--changes",
    type=click.Choice(["some", "all", "none"]),
    default="some",
    help="How many of the verdicts that changed to list.",
)
@click.option("--allow-code", is_flag=True, help="With --reextract or --target: let the file run code of its own.")
@also_written
def replay(recording: Path, unit: str | None, outputs: tuple[Path, ...], **flags: Any) -> int:
    """Judge a recorded run again with today's matchers. Nothing is asked and no attack is run."""
    from botattack.report.comparison.changed import SHOWN, Changes
    from botattack.report.writers.material import check_output, material, write_report
    from botattack.report.writers.terminal import Terminal

    for file in outputs:
        check_output(file)
    again, check = _again(recording, flags["reextract"], flags["target"], flags["allow_code"])
    if unit:
        from botattack.report.writers.unit import describe_unit

        click.echo(describe_unit(again(_recorded(recording)), unit))
        return 0
    found = Changes()
    source = material(_first_noting(recording, again, found), str(recording))
    with Terminal(sys.stdout, sys.stderr, recording=str(recording)) as terminal:
        terminal.finish(source.figures, source.findings)
    if flags["changes"] != "none":
        most = len(found.found) if flags["changes"] == "all" else SHOWN
        click.echo("\n" + "\n".join(found.lines(str(recording), most)))
    for file in outputs:
        write_report(file, source)
    check()
    return 0


def _recorded(recording: Path) -> Iterator[AnyEvent]:
    from botattack.recordings.reader import events

    return events(recording)


def _first_noting(recording: Path, again: Again, changes: Any) -> Callable[[], Iterator[AnyEvent]]:
    """The events of today, as often as they are asked for; the first time, what changed is noted."""
    from botattack.report.comparison.changed import paired

    fresh = [changes]

    def told() -> Iterator[AnyEvent]:
        noting = fresh.pop() if fresh else None
        for was, now in paired(_recorded(recording), again):
            if noting is not None:
                noting.update(was, now)
            yield now

    return told


def _again(recording: Path, reextract: bool, target: Path | None, allow_code: bool) -> tuple[Again, Callable[[], None]]:
    """Judging, after extraction where that is wanted, as the run was set up and as both are understood today; and what
    raises RecordingError in the end where no reply could be read."""
    from botattack.recordings import manifest
    from botattack.recordings.reextract import reextracted
    from botattack.recordings.rejudge import rejudged

    made = manifest.read(recording)
    if not reextract and target is None:
        judging = _judging(made.settings, tuple(made.settings.get("refusals", ())))
        return lambda events: rejudged(events, judging), lambda: None
    from botattack.audit.reextraction import Extractor, target_of

    today = target_of(made, target, allow_code=allow_code)
    judging = _judging(made.settings, today.refusals)
    if not reextract:
        return lambda events: rejudged(events, judging), lambda: None
    extract = Extractor(today)
    return lambda events: rejudged(reextracted(events, extract), judging), extract.check


def _judging(settings: dict[str, Any], refusals: tuple[str, ...]) -> Any:
    from botattack.config.plugs import matcher_from
    from botattack.engine.judging import Judging
    from botattack.matchers.judge import Judge
    from botattack.matchers.own import OwnReference

    return Judging(Judge(matcher_from(settings.get("match")), refusals), OwnReference(refusals=refusals))
