"""`botattack nightly`: all that is about nights, and the run that later nights are compared with."""

from __future__ import annotations

from pathlib import Path

import click

from botattack.cli.cmd_night import night, schedule
from botattack.cli.cmd_trend import trend
from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FOLDER, RUN


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


@click.group(epilog=epilog("baseline"), short_help="Choose the run that nights repeat.")
def baseline() -> None:
    """Choose the run whose questions nightly runs ask again and are compared with."""


@baseline.command("set")
@click.argument("recording", metavar="RUN", type=RUN)
@click.option("--name", default="", help="The name of the baseline.  [default: the target's name]")
@click.option("-y", "--yes", is_flag=True, help="Set it even if it lost answers that the baseline before it has.")
@click.option("--recordings", type=FOLDER, help="Where baselines are.  [default: the folder of RUN]")
def set_(recording: Path, name: str, yes: bool, recordings: Path | None) -> None:
    """Make RUN the baseline of its target.

    Nightly runs then ask exactly the questions and altered questions that RUN asked, broken or not.
    """
    from botattack.audit.nights.pinning import LosesAnswers, pin

    try:
        made = pin(recording, name, recordings, agreed=yes)
    except LosesAnswers as error:
        raise LosesAnswers(f"{error}; if that is right, add --yes") from None
    found = made.baseline
    click.echo(f"{made.name}: {found.questions:,} originals and {found.variants:,} variants of {found.run}")
    for sentence in made.warnings():
        click.echo(sentence)
    click.echo(made.path)


@baseline.command()
@click.argument("recording", metavar="RUN", type=RUN)
@click.option("--by", default="", help="Who settles them.")
def settle(recording: Path, by: str) -> None:
    """Grade the unchanged answers that the judge was unsure of in RUN.

    Answer right, wrong, drop (leave the question out) or skip for each. Nights and all reports then use what you said,
    as long as the bot says the same; it is kept in triage.yaml. Where the bot gave several replies, a question can only
    be dropped. To settle one reply by its id, use `botattack mark UNIT settled`.
    """
    from botattack.audit import marking

    for each in marking.unsure(recording):
        click.echo("\n".join(marking.settling(each)))
        may = [*marking.settles(each), "skip"]
        said = click.prompt(f"{', '.join(may[:-1])} or skip", "skip", type=click.Choice(may))
        if said in marking.SETTLES:
            marking.settle(each.asked.unit, said, by, recording)
    click.echo(f"left to settle: {len(marking.unsure(recording)):,}")


@baseline.command()
@click.argument("name", default="")
@click.option("--recordings", type=FOLDER, default=Path("recordings"), show_default=True, help="Where baselines are.")
@click.option("--units", is_flag=True, help="List every variant with its question, attack and id.")
def show(name: str, recordings: Path, units: bool) -> None:
    """Show the baseline NAME, or all baselines, and the originals that the judge was unsure of."""
    from botattack.audit import marking
    from botattack.errors import RecordingError
    from botattack.recordings import baseline as baselines
    from botattack.recordings.reader import events
    from botattack.recordings.suite import suite_of
    from botattack.report.escape import visible

    for each in [name] if name else baselines.names(recordings) or [""]:
        found = baselines.read(recordings, each) if each else None
        if found is None:
            which = f"there is no baseline{f' {each!r}' if each else ''} in {recordings}"
            raise RecordingError(f"{which}; set one with botattack nightly baseline set RUN")
        click.echo(
            f"{each}: {found.run}, {found.questions:,} originals, {found.variants:,} variants, since {found.since}"
        )
        for unsure in marking.unsure(found.folder(recordings)):
            click.echo("\n".join(f"  {line}" for line in ("unsure:", *marking.settling(unsure))))
        if units:
            for question, attack, variant in suite_of(events(found.folder(recordings))).each():
                sent, text = variant.turns[-1].text, question.text
                told = f"  {variant.id} {attack}: {text}{f' → {sent}' * (sent != text)}"
                click.echo(visible(told, None))


for each in (night, baseline, schedule, trend):
    nightly.add_command(each)
