"""`botattack judge`: why a reply is judged as it is, and weights fitted to replies of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from botattack.cli.cmd_review import golds, review
from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FILE, NEW_FILE, READABLE, once

if TYPE_CHECKING:
    from botattack.audit.teaching import Explained, Lesson
    from botattack.matchers.reasons import Contribution


MOST = 5
"""Pieces of evidence that are shown without --all."""
DISAGREED = 10
"""Labels that are shown because the judge disagrees with them."""


@click.group()
def judge() -> None:
    """Explain a grade, let people read replies, and fit the judge (the model that grades)."""


judge.add_command(review)
judge.add_command(golds)


@judge.command(epilog=epilog("explain"))
@click.argument("question", metavar="QUESTION|RUN")
@click.argument("reply", default="")
@click.option("--unit", default="", help="Grade the reply to this unit of RUN, by its id (reports print it).")
@click.option("--gold", multiple=True, help="A right answer (repeatable).")
@click.option("--lang", default="", help="The language of QUESTION, such as de.  [default: detected]")
@click.option("--weights", type=FILE, help="Weights written by `botattack judge fit`.  [default: built in]")
@click.option("--all", "everything", is_flag=True, help="Show all unusual evidence, not only the strongest.")
def explain(
    question: str, reply: str, gold: tuple[str, ...], *, unit: str, weights: Path | None, lang: str, everything: bool
) -> int:
    """Grade one REPLY, or that of a RUN with --unit, and show the strongest evidence that can be said in words.

    The grade comes from a probability: how likely a reader would call the reply correct.
    """
    from botattack.audit import teaching
    from botattack.model import GoldAnswer

    if bool(unit) == bool(reply) or bool(unit) == bool(gold) or (unit and lang):
        raise click.UsageError("give a QUESTION, its REPLY and --gold, or a RUN and --unit")
    told = teaching.Labelled(question, tuple(map(GoldAnswer, gold)), reply, lang=lang)
    row = teaching.asking(Path(question), unit) if unit else told
    click.echo("\n".join(_lines(teaching.explain(row, weights), row.reply, everything)))
    return 0


def _lines(found: Explained, reply: str, everything: bool) -> list[str]:
    from botattack.report.escape import visible
    from botattack.report.wording.verdict_words import thresholds

    verdict, known = found.verdict, found.weights
    first, last = verdict.span or (0, 0)
    marked = f"{visible(reply[:first], None)}[{visible(reply[first:last], None)}]{visible(reply[last:], None)}"
    lines = [
        f"verdict      {verdict.kind}",
        f"because      {visible(verdict.why, None)}",
        f"reply        {marked if verdict.span else visible(reply, None)}",
        f"weights      {visible(known.version)} ({known.digest}), {thresholds(known.point, known.band)}",
    ]
    if found.probability is None or found.log_odds is None:
        return lines
    lines.insert(
        1, f"probability  {found.probability:.2f} that a reader calls it correct (log-odds {found.log_odds:+.2f})"
    )
    told = [each for each in found.evidence if everything or (each.means and abs(each.log_odds) >= 0.005)]
    shown = told if everything else told[:MOST]
    lines += ["", f"  {found.start:+6.2f}  log-odds of a usual reply", *map(_told, shown)]
    if rest := len(found.evidence) - len(shown):
        more = found.log_odds - found.start - sum(each.log_odds for each in shown)
        lines.append(f"  {more:+6.2f}  {rest} other pieces of evidence")
    return [*lines, f"  {found.log_odds:+6.2f}  in all, which is the probability {found.probability:.2f}"]


def _told(each: Contribution) -> str:
    means = each.means or "–"
    return f"  {each.log_odds:+6.2f}  {means}  ({each.name} {each.value:.3g}, usually {each.usual:.3g})"


@judge.command(epilog=epilog("fit"))
@click.argument("labels", type=READABLE, nargs=-1, required=True, callback=once, metavar="LABELS...")
@click.option("-o", "--output", required=True, type=NEW_FILE, help="The file to write the weights to.")
def fit(labels: tuple[Path, ...], output: Path) -> int:
    """Fit the judge to your labelled replies.

    A part of them is kept back to test whether that helps; if it does not, the weights stay unchanged. Use the result
    with `judge: weights.json` in a campaign. A triage.yaml among LABELS gives the verdicts that you marked as wrong,
    and the folder of a run those of the people who read it with botattack judge review.
    """
    from botattack.audit.teaching import fit as fitted
    from botattack.report.wording.verdict_words import thresholds

    if output.resolve() in [path.resolve() for path in labels]:
        raise click.UsageError(f"{output} has labels; name another file for the weights with -o")
    lesson = fitted(labels, output)
    found = lesson.fitted
    number, before, after = found.labels, found.before, found.after
    apart = f"; {lesson.unsure:,} that readers were unsure of or disagree on left out" if lesson.unsure else ""
    apart += f"; {lesson.wordless:,} without an answer in words left out" if lesson.wordless else ""
    known = found.weights
    click.echo(f"{number:,} labels, those of each fifth of the questions held out in turn{apart}")
    click.echo(f"{'':20}{'before':>12}{'after':>12}")
    click.echo(f"{'log loss':20}{before.log_loss:12.4f}{after.log_loss:12.4f}")
    click.echo(f"{'calibration error':20}{before.calibration_error:12.4f}{after.calibration_error:12.4f}")
    click.echo(f"{'agreed, of ' + format(number, ','):20}{before.agreed:12,}{after.agreed:12,}")
    if found.helped:
        has = f"{output} has weights {known.digest}, {thresholds(known.point, known.band)}"
        click.echo(f"this helped, by log loss: {has}")
    else:
        click.echo(f"this did not help, by log loss: {output} has the weights as they were")
    click.echo("\n".join(_disagreements(lesson)))
    return 0


def _disagreements(lesson: Lesson) -> list[str]:
    """The rows that the judge was surest to call otherwise than their label."""
    from botattack.report.escape import visible

    if not lesson.disagreed:
        return ["the judge agrees with every label"]
    count = len(lesson.disagreed)
    shown = f"the {DISAGREED} surest of {count:,}" if count > DISAGREED else f"{count}"
    lines = [f"labels that the judge disagrees with ({shown}): one of them may be a slip"]
    for row, p in lesson.disagreed[:DISAGREED]:
        label = "correct" if row.correct else "not correct"
        lines += [
            f"  {row.place}: labelled {label}; probability of correct {p:.2f}",
            f"    {visible(row.question)}",
            f"    gold {', '.join(visible(answer.text) for answer in row.gold[:3])}",
            f"    {visible(row.reply)}",
        ]
    return lines
