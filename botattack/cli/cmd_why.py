"""`botattack why`: the cause of each failure, found out by asking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from botattack.cli.asking_further import asked, asks_further
from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import NEW_FOLDER, RUN, Output, allow_code, env_file, recordings, say

FILES = ("why.html", "why.md")


class _Each(click.IntRange):
    """A number, or `all`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(0 if value == "all" else value, param, ctx)


@click.command(epilog=epilog("why"))
@click.argument("recording", metavar="RUN", type=RUN)
@click.option(
    "--each", type=_Each(0, 10**9), default=4, show_default=True, metavar="K", help="Failures of each attack, or all."
)
@click.option("--attack", "only", multiple=True, help="Only failures of this attack (repeatable).")
@click.option(
    "--max-requests", "most", type=click.IntRange(2, 20), default=6, show_default=True, help="Askings for one failure."
)
@click.option("-o", "--output", "folder", type=NEW_FOLDER, help="Also write why.json, why.md and why.html into it.")
@asks_further
@click.option("--quiet", is_flag=True, help="Print only errors.")
@recordings
@env_file
@allow_code
def why(quiet: bool, folder: Path | None, **flags: object) -> int:
    """Ask the bot what shows why it failed in RUN, and report the failures by cause.

    Each request is chosen by what came back: the same again, the changes one by one, the supporting passage in the
    message, an easy question. The cause is the earliest step of the bot that fails. Unchanged questions that were wrong
    are failures, too, of the attack "original". All requests are recorded in a new run.
    """
    from botattack.audit.explaining import WhySettings, job_of
    from botattack.report.writers.text_files import write_causes

    output = Output(tuple(folder / name for name in FILES) if folder else (), quiet=quiet)
    material, status = asked(job_of, WhySettings, flags, output)
    if folder:
        write_causes(file := folder / "why.json", material)
        if not quiet:
            say(f"written    {file}")
    return status
