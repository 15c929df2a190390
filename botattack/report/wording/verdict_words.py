"""What decided the verdicts, in words: the judge, and what people marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from botattack.events import JudgedBy
from botattack.report.escape import flowing, visible
from botattack.report.figures.marks import MarkFigures
from botattack.report.numbers import count
from botattack.report.wording.commands import command


def judging(by: JudgedBy) -> str:
    """How often the judge erred elsewhere, for a reader who does not ask which judge it is."""
    return f"A program judges the replies; {_errs(by)}."


def judge(by: JudgedBy) -> str:
    """Which judge decided, and how often it erred elsewhere, in a sentence."""
    return f"Judged by {judge_named(by)}; {_errs(by)}"


def _errs(by: JudgedBy) -> str:
    """The range of the judge's errors over systems left out: the average of other bots is not true of this one."""
    if by.wrong_as_correct is None or by.correct_as_wrong is None:
        return "how often it errs is not known here"
    wrong, right = _range(by.wrong_as_correct), _range(by.correct_as_wrong)
    return (
        f"on {by.left_out} sets of English replies that it was not trained on, it called {wrong} of the wrong "
        f"replies correct, and {right} of the correct ones wrong"
    )


def _range(shares: tuple[float, float]) -> str:
    """`1 to 7 %`"""
    low, high = (f"{100 * share:.0f}" for share in shares)
    return f"{high} %" if low == high else f"{low} to {high} %"


def judge_named(by: JudgedBy) -> str:
    """`learned weights 1 (5c1b3e0f9a2d), correct from 0.683, wrong below 0.308, unsure between (0.495 if it must
    decide)`"""
    if not by.digest or by.correct is None:
        return f"the matcher {visible(by.matcher)} of botattack {visible(by.botattack)}"
    within = "" if by.matcher == "learned" else f" within the matcher {visible(by.matcher)}"
    return f"learned weights {visible(by.weights)} ({visible(by.digest)}){within}, {thresholds(by.correct, by.unsure)}"


def thresholds(correct: float, unsure: tuple[float, float] | None) -> str:
    """From which probability on the judge calls a reply correct, and what else it calls it."""
    if unsure is None:
        return f"correct from {correct:.3g}, wrong below"
    low, high = unsure
    return f"correct from {high:.3g}, wrong below {low:.3g}, unsure between ({correct:.3g} if it must decide)"


SHOWN = 20
"""Marks that are named one by one."""
FEW = 3
"""Marks that fit nothing, and are named in one line."""
TEXT = 120
"""Characters of a text that are shown."""


def mark_summary(marks: Sequence[MarkFigures]) -> str:
    """`3 marked findings are not counted as failures: 2 accepted, 1 wrong-verdict`; empty if none is. A right answer
    beside what was accepted still counts."""
    kinds = Counter(each.mark.mark for each in marks if each.left_out)
    if not kinds:
        return ""
    not_counted = "is not counted as a failure" if kinds.total() == 1 else "are not counted as failures"
    named = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
    return f"{count(kinds.total(), 'marked finding')} {not_counted}: {named}"


def mark_lines(
    marks: Sequence[MarkFigures], flags: Sequence[str] = (), run: str = "this run", most: int = SHOWN
) -> list[str]:
    """How many findings are left out, each by name, and which marks no longer hold or fit nothing. Only what was judged
    since questions a mark: an older run says nothing of it."""
    fitting = [one for one in marks if one.left_out or one.settled or (one.newer and one.changed)]
    told = [*filter(None, [mark_summary(marks)]), *(_line(one, flags) for one in fitting[:most])]
    more = [f"and {count(len(fitting) - most, 'mark')} more, in triage.yaml"] if len(fitting) > most else []
    if idle := [one for one in marks if not (one.left_out or one.settled or one.changed)]:
        named = "; ".join(f"{one.mark.mark}: {_shown(one)}" for one in idle[:FEW])
        others = f"; and {len(idle) - FEW:,} more" * (len(idle) > FEW)
        more.append(
            f"nothing that was judged in {run} fits {count(len(idle), 'mark')} of triage.yaml ({named}{others})"
        )
    return told + more


def _line(one: MarkFigures, flags: Sequence[str]) -> str:
    """A mark is of one reply, and fits as long as some asking of these words brings it: others may bring others."""
    named, now = "; ".join(_named(one)), " and ".join(one.now)
    if one.left_out or one.settled:
        named += f"; counted as {one.mark.label}" if one.settled else ""
        return named + (f"; other askings of it are {now} here, and count" if one.changed else "")
    was = f"it was {visible(one.mark.verdict)} then, and is {now} here"
    other = "the bot says something else here" if [one.mark.verdict] == [*one.now] else was
    undo = command("mark", one.of, "--undo", flags=flags)
    return f"the mark on “{_shown(one)}” no longer fits: {other}, so it counts again ({undo})"


def _shown(one: MarkFigures) -> str:
    return flowing(one.mark.sent or one.mark.question, TEXT) or one.of


def _named(one: MarkFigures) -> Iterator[str]:
    mark = one.mark
    yield f"{mark.mark}: {_shown(one)}"
    by = f" ({visible(mark.by)})" if mark.by else ""
    yield f"{flowing(mark.why, TEXT)}{by}"
