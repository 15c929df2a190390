"""`botattack shrink` and `botattack why`: a job made of an earlier run is asked, shown and written."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import (
    FILE,
    FOLDER,
    RUN,
    Flags,
    Output,
    allow_code,
    also_written,
    continuing,
    env_file,
    recordings,
    say,
    say_ended,
    taken,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from botattack.audit.job import Job

_OPTIONS: tuple[Callable[[Callable[..., object]], Callable[..., object]], ...] = (
    click.argument("recording", metavar="RUN", type=RUN),
    click.option("--budget", default="", help="Stop after N requests, or at requests=N,seconds=S,cost=C."),
    click.option("--rate", default="", help="The most requests per time: 5/s, 300/min, or unlimited."),
    click.option("-t", "--target", type=FILE, help="The target file, if it has moved."),
    click.option("--resume", type=FOLDER, help="Continue the stopped run recorded in this folder."),
    click.option("--wait", is_flag=True, help="If another process is asking the same bot, wait for it."),
    recordings,
    also_written,
    env_file,
    allow_code,
)


def _asks_further(command: Callable[..., object]) -> Callable[..., object]:
    """The run, and the options, of commands that ask further about what an earlier run found."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _asked(job_of: Callable[..., Job], what: Callable[..., object], flags: Flags, output: Output) -> int:
    """Asks, prints and writes; gives the exit status. `what` is made of those `flags` that are not for all."""
    from botattack.audit.conduct import conduct
    from botattack.audit.job import RunSettings
    from botattack.audit.stage import Stage
    from botattack.cli.view import check_outputs, terminal_of, write_outputs
    from botattack.config.run_keys import Changes

    check_outputs(output)
    settings = replace(taken(RunSettings, flags), command=tuple(sys.argv[1:]))
    changes = Changes(budget=flags.pop("budget"), rate=flags.pop("rate"))
    wait = flags.pop("wait")
    job = job_of(what(**flags), settings, changes)
    with terminal_of(job, output) as view:
        stage = Stage(job, [view])
        ending = conduct(stage, waiting=say if wait else None)
        result = stage.result()
        view.finish(result.figures, result.findings)
    write_outputs(result.material, output)
    again = continuing(ending.exit, job.folder, resumes=settings.resume is not None)
    say_ended(job.folder, ending.exit, ending.why, again, quiet=output.quiet)
    return ending.exit


@click.command(epilog=epilog("shrink"))
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
@_asks_further
def shrink(output: Output, **flags: object) -> int:
    """Ask the bot smaller versions of the edits that broke it in RUN, and report the smallest that still does.

    Each version must break the bot several times in a row. The smallest is asked as often again, and so is the
    unchanged question: a bot that errs by chance proves nothing. All requests are recorded in a new run.
    """
    from botattack.audit.asking_further import ShrinkSettings, shrink_job

    return _asked(shrink_job, ShrinkSettings, flags, output)


@click.command(epilog=epilog("why"))
@click.option(
    "--each", type=click.IntRange(0), default=4, show_default=True, help="Failures of each attack; 0 for all."
)
@click.option("--attack", "only", multiple=True, help="Only failures of this attack (repeatable).")
@click.option(
    "--max-requests", "most", type=click.IntRange(2, 20), default=6, show_default=True, help="Askings for one failure."
)
@_asks_further
def why(output: Output, **flags: object) -> int:
    """Ask the bot what shows why it failed in RUN, and report the failures by cause.

    Each request is chosen by what came back: the same again, the changes one by one, the supporting passage in the
    message, an easy question. The cause is the earliest step of the bot that fails. Unchanged questions that were wrong
    are failures, too, of the attack "original". All requests are recorded in a new run.
    """
    from botattack.audit.asking_further import WhySettings, why_job

    return _asked(why_job, WhySettings, flags, output)
