"""`botattack why`: the cause of each failure, found out by asking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from botattack.cli.asking_further import asked, asks_further
from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import RUN, Output, allow_code, env_file, outputs, recordings, say

FILES = ("why.html", "why.md")
"""What is written into a folder, beside why.json."""


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
@outputs("report", ".json .md .html, or to a folder (no ending): why.json, why.md and why.html")
@asks_further
@click.option("--quiet", is_flag=True, help="Print only errors.")
@recordings
@env_file
@allow_code
def why(quiet: bool, outputs: tuple[Path, ...], **flags: object) -> int:
    """Ask the bot what shows why it failed in RUN, and report the failures by cause.

    Each request is chosen by what came back: the same again, the changes one by one, the supporting passage in the
    message, an easy question. The cause is the earliest step of the bot that fails. Unchanged questions that were wrong
    are failures, too, of the attack "original". All requests are recorded in a new run.
    """
    from botattack.audit.explaining import WhySettings, job_of
    from botattack.report.writers.text_files import write_causes

    folders = [path for path in outputs if not path.suffix or path.is_dir()]
    files = [path for path in outputs if path not in folders]
    files += [folder / name for folder in folders for name in FILES]
    material, status = asked(job_of, WhySettings, flags, Output(tuple(files), quiet=quiet))
    for folder in folders:
        write_causes(file := folder / "why.json", material)
        if not quiet:
            say(f"written    {file}")
    return status
