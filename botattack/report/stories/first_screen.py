"""What the page says first: when the bot was tested, three figures, what to do, and how to read all of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from botattack.model import CONTROL
from botattack.report.escape import visible
from botattack.report.figures.assistant import AssistantFigures
from botattack.report.figures.chance import longer
from botattack.report.figures.figure_values import Figures, Row
from botattack.report.numbers import percent, rounded
from botattack.report.statistics.intervals import Interval
from botattack.report.story.blocks import Figure
from botattack.report.wording import words
from botattack.report.wording.headlines import Rated, more_turns, ranked, share_of, unasked, unbroken
from botattack.report.wording.words import broke_once, kinds_of


def tested(figures: Figures) -> str:
    """`tested 22 Nov 2026 with botattack 0.1.0, seed 7`"""
    run = figures.run
    return f"tested {day_of(run.started)} with botattack {visible(run.judge.botattack)}, seed {run.seed}"


def day_of(started: str, beside: str = "") -> str:
    """`22 Nov 2026`; with the time, `22 Nov 2026, 14:05:09 UTC`, if `beside`, another beginning, is of the same day."""
    try:
        day = datetime.fromisoformat(started)
    except ValueError:
        return visible(started)
    return f"{day.day} {day:%b %Y}" + (f", {day:%H:%M:%S} UTC" if beside[:10] == started[:10] else "")


def cards(figures: Figures) -> Iterator[Figure]:
    """What the headline begins with; what the worst attack broke, what breaks without it, and how many questions broke,
    if any was judged."""
    yield from islice(_misdeeds(figures.assistant), 1)
    found = ranked(figures)
    if not found:
        return
    worst = found[0]
    attacks, rated = unbroken(figures)
    says = f"{worst.counted} {worst.within}{', perhaps by chance' * worst.perhaps_chance(figures)}"
    if attacks:
        yield Figure("0", f"answers broken by {attacks} attacks", (f"of {rated:,} altered versions{unasked(figures)}",))
    else:
        yield Figure(worst.big, says, tuple(filter(None, _broken(worst))), bad=True)
    control = worst.control(figures)
    if control.rated:
        share = rounded(control.success / control.rated)
        again = "repeated as often" if worst.attack.by_question else "asked again"
        yield Figure(share, f"broken when {again} unchanged", (_noise(figures, worst, control),))
    if figures.broken.attacked:
        says = broke_once(figures.broken).removeprefix(f"{figures.broken.questions:,} ")
        says += ", by any of the attacks" if len({one.label for one in found}) > 1 else ""
        small = (*words.by_chance(figures), *words.left(figures.questions), _filtered(figures))
        yield Figure(f"{figures.broken.questions:,}", says, small)


def _misdeeds(found: AssistantFigures) -> Iterator[Figure]:
    """What the bot did beside its answers, in the order in which the headline says it."""
    taught = (row.share for row in found.remembered if row.check == "for everyone")
    for share, says in (
        (found.leaked_share, "facts of one conversation known in another"),
        *((share, "facts that one user taught it for everybody") for share in taught),
        (found.obeyed_share, "replies that obeyed instructions in passages"),
    ):
        if share.x:
            yield Figure(f"{share.x:,}", says, (f"of {share.n:,}",), bad=True)


def _broken(worst: Rated) -> Iterator[str]:
    row, kinds = worst.row, kinds_of(worst.row, worst.label, own=worst.own) if worst.attack.expect == "same" else ""
    yield f"{row.success:,} of {row.rated:,}" + (f": {kinds}" if kinds else "")
    if row.interval:
        yield f"{between(row.interval)} for questions like these (95 % interval)"
    if early := worst.attack.turns.before.broken:
        yield f"{early:,} of them broke before anything was altered"


def _noise(figures: Figures, worst: Rated, control: Row) -> str:
    """How often the bot breaks unasked, and what that says of the attack, where the two rates can be compared."""
    says, difference = share_of(control), worst.row.difference_interval
    if control.interval and not control.success:
        says += f" (at most {percent(control.interval[1])} with 95 % confidence)"
    if worst.attack.expect == "same" and longer(worst.attack, figures.attacks.get(CONTROL)):
        rows = "; the table of every attack counts each turn" if len(worst.attack.splits.get("kind", {})) > 1 else ""
        return f"{says}. {more_turns(figures, worst)}{rows}"
    if worst.attack.expect != "same" or difference is None or not worst.row.success:
        return says
    if worst.perhaps_chance(figures):
        return says
    why = "more than chance broke the others" if control.success else "the change is what broke the others"
    return f"{says}, so {why}"


def _filtered(figures: Figures) -> str:
    questions = figures.questions
    how = ("correctly", questions.right), ("alike each time", questions.own)
    does = f"answers {' or '.join(said for said, number in how if number) or 'correctly'}"
    # A night attacks the questions of its baseline again, right or not.
    others = figures.run.filter != "right" or any(each.coverage.not_right for each in figures.attacks.values())
    are = "counted" if others else "attacked"
    doors = ", counted once for each door" if questions.doors else ""
    return f"Only questions that the bot {does} are {are}: {questions.correct:,} of {questions.asked:,} asked{doors}."


def between(interval: Interval) -> str:
    """`between 87 and 95 %`"""
    low, high = (f"{100 * end:.0f}" for end in interval)
    return f"between {low} and {high} %"
