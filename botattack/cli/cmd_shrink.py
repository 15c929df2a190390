"""`botattack shrink`: the smallest edit that still breaks the bot."""

from __future__ import annotations

import click

from botattack.cli.asking_further import asked, asks_further
from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import Output


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
@asks_further
def shrink(output: Output, **flags: object) -> int:
    """Ask the bot smaller versions of the edits that broke it in RUN, and report the smallest that still does.

    Each version must break the bot several times in a row. The smallest is asked as often again, and so is the
    unchanged question: a bot that errs by chance proves nothing. All requests are recorded in a new run.
    """
    from botattack.audit.asking_further import ShrinkSettings, shrink_job

    return asked(shrink_job, ShrinkSettings, flags, output)
