"""`botattack export`: training sets from what a run found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import NEW_FILE, RUN

if TYPE_CHECKING:
    from botattack.report.training_sets.exporting import Exported


def _share(_: click.Context, __: click.Parameter, value: str | None) -> float | None:
    if value is None:
        return None
    from botattack.options import BadValue, share

    try:
        return share(value if "%" in value else float(value))
    except (BadValue, ValueError):
        raise click.BadParameter(f"{value!r} is not a share; write 25% or 0.25") from None


@click.command(epilog=epilog("export"))
@click.argument("recording", metavar="RUN", type=RUN)
@click.option(
    "--for",
    "kind",
    required=True,
    type=click.Choice(["mda", "concat", "pairs", "squad", "rasa", "nlpjs", "openai-jsonl"]),
    help="What the training set is for; see below.",
)
@click.option("-o", "--output", required=True, type=NEW_FILE, help="The file to write.")
@click.option(
    "--share",
    callback=_share,
    help="The share of questions whose variants are added, such as 25%; for concat, how many pairs there are for each "
    "question.  [default: mda 20%, squad 25%, others 100%]",
)
@click.option(
    "--per-attack",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many variants each attack adds to a question.",
)
@click.option("--no-originals", is_flag=True, help="Leave the unchanged questions out.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed picks other variants.")
@click.option(
    "--half",
    type=click.Choice(["train", "test", "all"]),
    default="train",
    show_default=True,
    help="Which half of the questions. The halves are the same for every run and seed.",
)
@click.option("--lang", default="", help="Only questions in this language, such as en.")
def export(recording: Path, kind: str, output: Path, no_originals: bool, **flags: Any) -> None:
    """Write a training set from the questions and variants of RUN.

    Half of the questions is kept for testing. Variants are left out if their attack is unsure what they mean, and if
    they are marked as bad or readers call them another question. A second file, FILE.origins.jsonl, says where each row
    comes from.
    """
    from botattack.audit.library import export as write

    _summary(output, flags["half"], write(recording, kind, output, **flags, originals=not no_originals))


def _summary(output: Path, half: str, made: Exported) -> None:
    from botattack.report.escape import visible
    from botattack.report.numbers import count

    by = ", ".join(f"{number:,} {visible(name or 'unchanged')}" for name, number in sorted(made.attacks.items()))
    click.echo(f"{output}: {count(made.rows, 'row')} from {count(made.questions, 'question')} ({by})")
    click.echo(f"{made.origins}: where each row comes from")
    if half != "all":
        click.echo(f"{count(made.held, 'question')} of the other half left out")
    for why, number in sorted(made.left_out.items()):
        click.echo(f"left out: {number:,} × {why}")
    unknown = made.licences.pop("", 0)
    for licence, number in sorted(made.licences.items()):
        click.echo(f"licence {visible(licence)}: {count(number, 'row')}")
    if unknown:
        click.echo(f"{count(unknown, 'row')} of unknown licence: check that you may train on these questions")
