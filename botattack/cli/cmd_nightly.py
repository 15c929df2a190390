"""`botattack nightly`: all that is about nights."""

from __future__ import annotations

import click

from botattack.cli.cmd_baseline import baseline
from botattack.cli.cmd_night import night
from botattack.cli.cmd_schedule import schedule
from botattack.cli.cmd_trend import trend
from botattack.cli.epilogs import epilog


class _Nights(click.Group):
    """A group in which a campaign may stand for the command `run`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = not args or args[0] in self.commands or args[0] in ctx.help_option_names
        return super().parse_args(ctx, args if named else ["run", *args])


@click.group(cls=_Nights, epilog=epilog("nightly"), subcommand_metavar="CAMPAIGN | COMMAND [ARGS]...")
def nightly() -> None:
    """Ask a bot the questions of an earlier run, the baseline, again every night, and report what got worse.

    `botattack nightly CAMPAIGN` is short for `botattack nightly run CAMPAIGN`.
    """


for each in (night, baseline, schedule, trend):
    nightly.add_command(each)
