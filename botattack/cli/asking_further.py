"""What `botattack shrink` and `why` have in common: a job made of an earlier run is asked, shown and written."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

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

_ASKED: tuple[Callable[[Callable[..., object]], Callable[..., object]], ...] = (
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


def asks_further(command: Callable[..., object]) -> Callable[..., object]:
    """The run, and the options, of commands that ask further about what an earlier run found."""
    for option in reversed(_ASKED):
        command = option(command)
    return command


def asked(job_of: Callable[..., Job], what: Callable[..., object], flags: Flags, output: Output) -> int:
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
