"""A bot before and after it was retrained on what broke it: does it break less, and what did that cost?

Only questions of the test half are compared, of which nothing was trained on: the same questions, and the same
variants of them, before and after. As in every comparison, variants count where the original was right both times, and
originals are compared by themselves. An attack that searches is let loose again, as the variants that it found against
the older bot say little about the newer one: of each question counts only whether it found any that breaks the bot.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from botattack.cases import QuestionCase, cases
from botattack.events import Event
from botattack.model import Expect, content_id
from botattack.report.comparison.diff import Change, DiffRow, Tier, original_changed, rows_of, total_of
from botattack.report.comparison.sides import MARKED, Seen, Side, notes_of
from botattack.report.figures.figure_values import OF_OWN, RunFigures
from botattack.report.statistics.intervals import Interval
from botattack.report.training_sets.examples import Halves

Verdict = Literal["helped", "no sure difference", "worse", "no answer changed", "too few questions"]
VERDICTS: Mapping[Tier, Verdict] = {
    "improvement": "helped",
    "regression": "worse",
    "steady": "no sure difference",
    "not enough data": "too few questions",
}
"""Whether retraining helped, by the first of the totals: variants that keep the answer are what training sets teach,
and only one kind of set, `pairs`, has others."""
TOTALS: Mapping[Expect, str] = {
    "same": "all attacks that keep the answer",
    "different": "all attacks that change the answer",
    "declines": "all attacks that leave no answer",
}

_STRONGEST = ("success", "robust", "unsure", "error", MARKED)
"""Which of several results of a search says what came of it."""


@dataclass(frozen=True)
class Training:
    """What the bot was trained on: the `kind` of the training set, its `rows`, from how many `questions`, how many of
    the rows are of each attack ("unchanged" for questions as they are), and what was left out, by why."""

    kind: str
    rows: int
    questions: int
    attacks: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Accuracy:
    """Originals of the test half that were decided both times: how many, and how many of them were right. `change` is
    (now - before) / asked with its 95 % interval, `p` McNemar's; None for too few questions."""

    asked: int
    before: int
    now: int
    change: float | None
    interval: Interval | None
    p: float | None


@dataclass(frozen=True)
class Hardened:
    """`rows` are those of a comparison, originals first; `totals` has one for the attacks that must not change the
    answer, one for those that must, and one for those after which nothing supports an answer, if there are any.
    `lost` originals were right before and are not now, `found` the other way round. Of `replies` that were given
    both times, `changed` are others than before. `searched` are the attacks that were let loose again. `seconds` is
    how long retraining took."""

    before: RunFigures
    after: RunFigures
    rows: tuple[DiffRow, ...]
    totals: tuple[DiffRow, ...]
    lost: tuple[Change, ...]
    found: tuple[Change, ...]
    replies: int
    changed: int
    training: Training
    seconds: float
    searched: tuple[str, ...]
    notes: tuple[str, ...]
    verdict: Verdict
    accuracy: Accuracy


def hardened(
    before: Iterable[Event],
    after: Iterable[Event],
    halves: Halves,
    *,
    training: Training,
    seconds: float,
    searched: Collection[str] = (),
) -> Hardened:
    """Reads the recordings of both audits once, the older one first; `searched` are labels of attacks."""
    old, new, was = Side(), Side(), dict[tuple[str, str], str]()
    for case in _of_the_test_half(before, halves, old):
        _in_one(old.add(case), searched)
        was |= _replies(case)
    changes, replies, changed = list[Change](), 0, 0
    for case in _of_the_test_half(after, halves, new):
        seen, known = _in_one(new.add(case), searched), old.questions.get(case.question.id, Seen())
        if (change := original_changed(case, known, seen)) is not None:
            changes.append(change)
        both = [(was[unit], reply) for unit, reply in _replies(case).items() if unit in was]
        replies += len(both)
        changed += sum(earlier != later for earlier, later in both)
    every = (total_of(old, new, name, expect) for expect, name in TOTALS.items())
    totals = tuple(replace(row, tier=_tier(row)) for row in every if row)
    rows = rows_of(old, new)
    return Hardened(
        old.run,
        new.run,
        rows,
        totals,
        tuple(change for change in changes if change.broke),
        tuple(change for change in changes if not change.broke),
        replies,
        changed,
        training,
        seconds,
        tuple(searched),
        tuple(notes_of(old, new)),
        "no answer changed" if replies and not changed else VERDICTS[totals[0].tier if totals else "not enough data"],
        _accuracy(rows[0]),
    )


def _accuracy(originals: DiffRow) -> Accuracy:
    change = None if originals.change is None else 0 - originals.change  # −0.0 would be printed
    interval = None if originals.interval is None else (-originals.interval[1], -originals.interval[0])
    right = originals.units - originals.old, originals.units - originals.new
    return Accuracy(originals.units, *right, change, interval, originals.p)


def _tier(total: DiffRow) -> Tier:
    """Better or worse only if the interval of the change excludes 0."""
    if total.interval is None:
        return "not enough data"
    low, high = total.interval
    return "improvement" if high < 0 else "regression" if low > 0 else "steady"


def _of_the_test_half(events: Iterable[Event], halves: Halves, side: Side) -> Iterator[QuestionCase]:
    return (case for case in cases(events, besides=side.note) if halves(case.question) == "test")


def _in_one(seen: Seen, searched: Collection[str]) -> Seen:
    """All that a search found with a question becomes one result: whether anything of it broke the bot."""
    for name in searched:
        keys = [key for key in seen.results if key[0].removesuffix(OF_OWN) == name]
        for row in {row for row, _ in keys}:
            found = {seen.results.pop(key) for key in keys if key[0] == row}
            seen.results[row, ""] = next(result for result in _STRONGEST if result in found)
    return seen


def _replies(case: QuestionCase) -> dict[tuple[str, str], str]:
    """What was said to each unit, as a hash; nothing of those that failed."""
    return {
        (case.question.id, unit): content_id("replies", [reply.text for reply in asked.replies])
        for unit, asked in case.asked.items()
        if not asked.failure
    }
