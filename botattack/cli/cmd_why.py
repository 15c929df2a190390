"""`botattack why`: the cause of each failure, found out by asking."""

from __future__ import annotations

import click

from botattack.cli.asking_further import asked, asks_further
from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import Output


@click.command(epilog=epilog("why"))
@click.option(
    "--each", type=click.IntRange(0), default=4, show_default=True, help="Failures of each attack; 0 for all."
)
@click.option("--attack", "only", multiple=True, help="Only failures of this attack (repeatable).")
@click.option(
    "--max-requests", "most", type=click.IntRange(2, 20), default=6, show_default=True, help="Askings for one failure."
)
@asks_further
def why(output: Output, **flags: object) -> int:
    """Ask the bot what shows why it failed in RUN, and report the failures by cause.

    Each request is chosen by what came back: the same again, the changes one by one, the supporting passage in the
    message, an easy question. The cause is the earliest step of the bot that fails. Unchanged questions that were wrong
    are failures, too, of the attack "original". All requests are recorded in a new run.
    """
    from botattack.audit.asking_further import WhySettings, why_job

    return asked(why_job, WhySettings, flags, output)
