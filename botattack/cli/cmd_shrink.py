"""`botattack shrink`: the smallest edit that still breaks the bot."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from typing import Any

import click

from botattack.cli.shared_flags import (
    FILE,
    FOLDER,
    RUN,
    Output,
    allow_code,
    also_written,
    env_file,
    recordings,
    say,
    taken,
)

EPILOG = """\b
Examples:
  botattack shrink recordings/20260101T020000Z-helpdesk-1a2b3c4d
  botattack shrink recordings/20260101T020000Z-helpdesk-1a2b3c4d --limit 50 --budget requests=2000
  botattack shrink recordings/20260101T020000Z-helpdesk-1a2b3c4d --unit 5f2c9a1b7d3e8f60.0 -o smallest.html

Exit status: 0 finished, 1 no question was left to ask about or too many replies failed, 2 a file or flag is wrong, 3
the bot is unreachable, 4 a budget stopped the run, 130 interrupted. After 4 and 130, --resume continues.
"""


@click.command(epilog=EPILOG)
@click.argument("recording", metavar="RUN", type=RUN)
@click.option("--unit", "units", multiple=True, help="Shrink this finding (repeatable).")
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Without --unit: how many findings, in the order of the report.",
)
@click.option(
    "--askings",
    type=click.IntRange(3, 1000),
    default=3,
    show_default=True,
    help="How many askings in a row must break the bot. More are safer on a bot whose answers vary.",
)
@click.option("--budget", default="", help="Stop after N requests, or at requests=N,seconds=S,cost=C.")
@click.option("--rate", default="", help="The most requests per time: 5/s, 300/min, or unlimited.")
@click.option("-t", "--target", type=FILE, help="The target file, if it has moved.")
@click.option("--resume", type=FOLDER, help="Continue the stopped shrink run recorded in this folder.")
@click.option("--wait", is_flag=True, help="If another process is asking the same bot, wait for it.")
@recordings
@also_written
@env_file
@allow_code
def shrink(wait: bool, output: Output, **flags: Any) -> int:
    """Ask the bot smaller versions of the edits that broke it in RUN, and report the smallest that still does.

    Each version must break the bot several times in a row. The smallest is asked as often again, and so is the
    unchanged question: a bot that errs by chance proves nothing. All requests are recorded in a new run.
    """
    from botattack.audit.conduct import conduct
    from botattack.audit.job import RunSettings
    from botattack.audit.shrinking import ShrinkSettings, job_of
    from botattack.audit.stage import Stage
    from botattack.cli.view import check_outputs, terminal_of, write_outputs
    from botattack.config.run_keys import Changes

    check_outputs(output)
    settings = replace(taken(RunSettings, flags), command=tuple(sys.argv[1:]))
    changes = Changes(budget=flags.pop("budget"), rate=flags.pop("rate"))
    job = job_of(ShrinkSettings(**flags), settings, changes)
    with terminal_of(job, output) as view:
        stage = Stage(job, [view])
        (ending,) = conduct([stage], waiting=say if wait else None)
        result = stage.result()
        view.finish(result.figures, result.findings)
    write_outputs(result.material, output)
    if not output.quiet:
        say(f"\nrecording  {job.folder}")
    if ending.exit:
        say(f"botattack: {ending.why}")
    if ending.exit in (4, 130):
        again = [] if settings.resume else ["--resume", str(job.folder)]
        say(f"continue   {shlex.join(['botattack', *sys.argv[1:], *again])}")
    return ending.exit
