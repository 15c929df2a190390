"""`botattack why`: the cause of each failure, found out by asking."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from botattack.cli.asking_further import asked, asks_further
from botattack.cli.shared_flags import (
    NEW_FOLDER,
    RUN,
    Output,
    allow_code,
    env_file,
    recordings,
    say,
    taken,
)

EPILOG = """\b
Examples:
  botattack why recordings/20260101T020000Z-helpdesk-1a2b3c4d
  botattack why recordings/20260101T020000Z-helpdesk-1a2b3c4d --each all -o why
  botattack why recordings/20260101T020000Z-helpdesk-1a2b3c4d --attack noise --attack reword --each 20

Exit status: 0 finished, 1 no question was left to ask about or too many replies failed, 2 a file or flag is wrong, 3
the bot is unreachable, 4 a budget stopped the run, 130 interrupted. After 4 and 130, --resume continues.
"""
FILES = ("why.html", "why.md")


def _each(ctx: click.Context, param: click.Parameter, value: str) -> int:
    del ctx, param
    if value == "all":
        return 0
    if not value.isdecimal() or len(value) > 9:
        raise click.BadParameter(f"{value!r} is not a whole number of at most nine digits; give one, or all")
    return int(value)


@click.command(epilog=EPILOG)
@click.argument("recording", metavar="RUN", type=RUN)
@click.option(
    "--each",
    default="4",
    show_default=True,
    metavar="K",
    callback=_each,
    help="How many failures of each attack, or all (also 0).",
)
@click.option("--attack", "only", multiple=True, help="Only failures of this attack (repeatable).")
@click.option(
    "--max-requests",
    "most",
    type=click.IntRange(2, 20),
    default=6,
    show_default=True,
    help="The most askings for one failure.",
)
@click.option("-o", "--output", "folder", type=NEW_FOLDER, help="Also write why.json, why.md and why.html into it.")
@asks_further
@click.option("--quiet", is_flag=True, help="Print only errors.")
@recordings
@env_file
@allow_code
def why(wait: bool, quiet: bool, folder: Path | None, **flags: Any) -> int:
    """Ask the bot what shows why it failed in RUN, and report the failures by cause.

    Each request is chosen by what came back: the same again, the changes one by one, the supporting passage in the
    message, an easy question. The cause is the earliest step of the bot that fails. Unchanged questions that were wrong
    are failures, too, of the attack "original". All requests are recorded in a new run.
    """
    from botattack.audit.explaining import WhySettings, job_of
    from botattack.audit.job import RunSettings
    from botattack.cli.view import check_outputs
    from botattack.config.run_keys import Changes
    from botattack.report.writers.text_files import write_causes

    output = Output(tuple(folder / name for name in FILES) if folder else (), quiet=quiet)
    check_outputs(output)
    settings = replace(taken(RunSettings, flags), command=tuple(sys.argv[1:]))
    changes = Changes(budget=flags.pop("budget"), rate=flags.pop("rate"))
    job = job_of(WhySettings(**flags), settings, changes)
    material, status = asked(job, output, resume=settings.resume is not None, wait=wait)
    if folder:
        write_causes(file := folder / "why.json", material)
        if not quiet:
            say(f"written    {file}")
    return status
