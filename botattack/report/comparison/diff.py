"""Two runs of one bot compared, unit by unit: what newly breaks, and whether that is more than chance.

Variants count where the original was right in both runs: the older run attacked only what it then answered correctly,
and a question that was right by luck would otherwise look like a loss. For the same reason originals are a row of
their own, over all of them, right or wrong. So every row is fair to an unchanged bot, whatever its noise.

Each family is corrected by itself, so that many attacks do not hide worse originals: originals with the control, the
attacks of each `Expect` (three), and misdeeds. Lost answers are found beside the rows, outside of any correction.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import variance
from typing import Any, Literal

from botattack.cases import Alteration, QuestionCase, cases
from botattack.engine.plan import BASELINE_ASKINGS
from botattack.events import Event
from botattack.model import CONTROL, Expect, content_id
from botattack.report.comparison import sides
from botattack.report.comparison.lost import LostAnswers, lost_answers, right_askings, says_otherwise
from botattack.report.comparison.sides import KNOWN, MARKED, MISDEEDS, Seen, Side, key_of, of_answers, said, side_of
from botattack.report.figures.broken import BrokenFigures
from botattack.report.figures.figure_values import OF_OWN, RunFigures
from botattack.report.statistics.intervals import MIN_QUESTIONS, Interval, t_quantile
from botattack.report.statistics.significance import Name, benjamini_hochberg, mcnemar, questions_needed, sign_flip

ORIGINALS = "originals"
LEVEL = 0.05
"""Share of declared changes that may be false."""
NOISY = 0.10
"""Share of control answers that break from which a bot is too unsteady to call a row without a change steady."""
SHOWN = 1000
"""Changed units that are kept by name."""

Tier = Literal[
    "regression",
    "newly seen",
    "lost answers",
    "drift",
    "improvement",
    "steady",
    "unstable baseline",
    "not enough data",
]
"""`regression` and `improvement` stand after adjusting for the rows of the family, with an interval that excludes 0;
`drift` is worse by the unadjusted test alone; `lost answers` is of originals that show no regression, although answers
were lost. `newly seen` is of what the text of a reply proves, whatever the number of questions: some reply of the newer
run does so, and none of the older one did, or fewer did and the questions are too few for a test."""
ALARMING: tuple[Tier, ...] = ("regression", "newly seen")


@dataclass(frozen=True)
class Change:
    """A unit that broke, or was fixed, since the older run. `broke` is None where the judge was unsure of either reply;
    `before` is then the older one, if it was not wrong. `expected` is what the reply must say, or must not."""

    row: str
    broke: bool | None
    question_id: str
    unit: str
    alteration: Alteration
    expected: tuple[str, ...] = ()
    got: str = ""
    expect: Expect = "same"
    before: str = ""
    usual: str = ""
    """The reply to the unchanged question."""


@dataclass(frozen=True)
class DiffRow:
    """One attack, or the originals. `questions` and `units` were decided in both runs; `old` and `new` of them broke.

    `change` is (new - old) / units with its 95 % interval; `p` is McNemar's where a question has one unit, else that
    of the sign-flip test over questions; `q` is adjusted over the rows of its family. `needed` questions would show a
    drop of five points. `missing` and `added` units are in one run only, `undecided` brought an error or nothing sure
    in either; `marked` are left out in one run at least, as somebody marked them.
    """

    name: str
    questions: int = 0
    units: int = 0
    old: int = 0
    new: int = 0
    broken: int = 0
    fixed: int = 0
    missing: int = 0
    added: int = 0
    undecided: int = 0
    set_apart: int = 0
    marked: int = 0
    change: float | None = None
    interval: Interval | None = None
    p: float | None = None
    q: float | None = None
    needed: int | None = None
    tier: Tier = "not enough data"


@dataclass(frozen=True)
class RunComparison:
    """Originals first, then the attacks. `unstable` questions disagreed with themselves in either run. `recording` is
    that of the newer run, as commands name it, and `gates` are those of its gates that failed. `old_broken` and
    `new_broken` are what broke in each whole run, and `slower` says how much longer the bot takes."""

    old: RunFigures
    new: RunFigures
    rows: tuple[DiffRow, ...]
    changes: tuple[Change, ...] = ()
    unstable: int = 0
    notes: tuple[str, ...] = ()
    slower: tuple[str, ...] = ()
    lost: LostAnswers = field(default_factory=LostAnswers)
    old_broken: BrokenFigures = field(default_factory=BrokenFigures)
    new_broken: BrokenFigures = field(default_factory=BrokenFigures)
    recording: str = ""
    gates: tuple[str, ...] = ()

    @property
    def regressions(self) -> list[DiffRow]:
        return [row for row in self.rows if row.tier in ALARMING]

    @property
    def held(self) -> bool:
        """Whether nothing at all got worse, by chance or not."""
        return held(self.rows, self.lost)

    @property
    def newly_right(self) -> list[Change]:
        """The originals that were wrong in the older run, and are right in the newer."""
        return [change for change in self.changes if change.row == ORIGINALS and change.broke is False]

    def originals(self, questions: Iterable[str]) -> list[Change]:
        """The changes of the originals of some questions."""
        wanted = frozenset(questions)
        return [change for change in self.changes if change.row == ORIGINALS and change.question_id in wanted]


def held(rows: Sequence[DiffRow], lost: LostAnswers) -> bool:
    """Whether units were compared and none of them newly broke, the control's aside, nor did the bot do anything else
    wrong that it did not before."""
    misdeeds = any(row.broken for row in rows if row.name in MISDEEDS)
    return rows[0].units > 0 and not (
        broken(rows) or misdeeds or lost.confirmed or lost.doubted or lost.mixed or lost.unsure
    )


def broken(rows: Iterable[DiffRow]) -> int:
    """Answers that newly broke, the control's aside."""
    return sum(row.broken for row in rows if of_answers(row.name))


def fixed(rows: Iterable[DiffRow]) -> int:
    """Answers that were repaired, the control's aside."""
    return sum(row.fixed for row in rows if of_answers(row.name))


def compare(old: Iterable[Event] | Side, new: Iterable[Event], alarm: int = 1) -> RunComparison:
    """Reads both runs once, the older one first, if that was not read already; lost answers ring from `alarm` on."""
    before, after = old if isinstance(old, Side) else side_of(old), Side()
    changes: list[Change] = []
    others: list[Change] = []
    for case in cases(new, besides=after.note):
        for change in _changes(case, before.questions.get(case.question.id, Seen()), after.add(case)):
            # Every original is named, however many variants changed before it.
            (changes if change.row == ORIGINALS else others).append(change)
        del changes[SHOWN:], others[SHOWN:]
    seen = (side.questions[one] for one in before.questions.keys() & after.questions.keys() for side in (before, after))
    unstable = len({one.base for one in seen if one.standing == "unstable"})
    rows, notes, slower = rows_of(before, after), (*sides.notes_of(before, after),), (*sides.slower_of(before, after),)
    lost = lost_answers(before, after, alarm)
    rings = lost.ring and rows[0].tier != "regression"
    if rings or lost.wavers:
        rows = (replace(rows[0], tier="lost answers" if rings else "regression"), *rows[1:])
    return RunComparison(
        before.run, after.run, rows, (*changes, *others), unstable, notes, slower, lost, before.broken, after.broken
    )


def rows_of(before: Side, after: Side) -> tuple[DiffRow, ...]:
    """The rows of two runs, each with its tier."""
    for side in (before, after):
        side.settle()
    rows = [table.row(name) for name, table in _tables(before, after).items()]
    q = adjusted({row.name: row for row in rows}, before.attacks | after.attacks)
    noisy = any(row.name == CONTROL and row.old >= NOISY * row.units > 0 for row in rows)
    # Of too few questions for a test, more replies that prove it than before are news, whatever chance may explain.
    worse = {row.name for row in rows if row.p is None and row.new > row.old}
    newly = after.proven & worse | after.proven - before.proven
    return tuple(
        replace(row, q=q.get(row.name), tier=_tier(row, q.get(row.name), noisy, newly=row.name in newly))
        for row in rows
    )


def adjusted(rows: Mapping[Name, DiffRow], attacks: Mapping[str, str]) -> dict[Name, float]:
    """q of each row that has a p, adjusted over the rows of its family."""
    families: defaultdict[str, dict[Name, float]] = defaultdict(dict)
    for name, row in rows.items():
        if row.p is not None:
            families[_family_of(row.name, attacks)][name] = row.p
    return {name: q for family in families.values() for name, q in benjamini_hochberg(family).items()}


def total_of(before: Side, after: Side, name: str, expect: Expect) -> DiffRow | None:
    """All attacks of one expectation in one row, the control aside; None if no unit of theirs was asked in both. Both
    sides settled."""
    attacks = before.attacks | after.attacks
    total = _Table()
    for row, table in _tables(before, after).items():
        if row != ORIGINALS and of_answers(row) and _family_of(row, attacks) == expect:
            total.join(table)
    return total.row(name) if total.units else None


def _family_of(row: str, attacks: Mapping[str, str]) -> str:
    """Which rows are corrected together. The control asks originals again: it says nothing of attacks."""
    name = row.removesuffix(OF_OWN)
    if row in MISDEEDS:
        return "misdeeds"
    return ORIGINALS if name in (ORIGINALS, CONTROL) else attacks.get(name, "same")


@dataclass(slots=True)
class _Table:
    """Sums of one row: `counts` by the names of `DiffRow`, and for each question, through all its doors, newly broken
    minus newly fixed (`changes`) and the units."""

    changes: Counter[str] = field(default_factory=Counter)
    units: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, question: str, results: Iterable[tuple[str, str]]) -> None:
        """The decided results of one question through one door, older and newer."""
        pairs = Counter((was == "success", now == "success") for was, now in results)
        broken, fixed, both = pairs[False, True], pairs[True, False], pairs[True, True]
        self.counts.update(old=fixed + both, new=broken + both, broken=broken, fixed=fixed)
        self.changes[question] += broken - fixed
        self.units[question] += pairs.total()

    def join(self, other: _Table) -> None:
        """Takes in the sums of another row."""
        self.changes.update(other.changes)
        self.units.update(other.units)
        self.counts.update(other.counts)

    def row(self, name: str) -> DiffRow:
        pairs = [(self.changes[question], units) for question, units in self.units.items()]
        counts: dict[str, Any] = {**self.counts, "units": self.units.total()}
        return _with_statistics(DiffRow(name, questions=len(pairs), **counts), pairs)


def _with_statistics(row: DiffRow, pairs: list[tuple[int, int]]) -> DiffRow:
    if len(pairs) < MIN_QUESTIONS:
        return row
    single = row.units == row.questions
    seed = int(content_id("diff", row.name), 16)
    p = mcnemar(row.broken, row.fixed) if single else sign_flip((d for d, _ in pairs), seed)
    return replace(
        row,
        change=(row.new - row.old) / row.units,
        interval=_interval(pairs),
        p=p,
        needed=questions_needed(variance(change / units for change, units in pairs)),
    )


def _interval(pairs: list[tuple[int, int]]) -> Interval:
    """Interval of the change: questions as clusters, half a broken and half a fixed question of each kind added
    (Agresti & Min, Statistics in Medicine 24, 2005), so that no change at all is not taken for certainty."""
    questions, units = len(pairs), sum(n for _, n in pairs)
    each = units / questions
    change = sum(d for d, _ in pairs) / (units + 2 * each)
    squares = sum((d - change * n) ** 2 for d, n in pairs) + each**2 * ((1 - change) ** 2 + (1 + change) ** 2) / 2
    error = (squares * questions / (questions - 1)) ** 0.5 / (units + 2 * each)
    half = t_quantile(0.95, questions - 1) * error
    return max(-1.0, change - half), min(1.0, change + half)


def is_sure(row: DiffRow, q: float | None) -> bool:
    """Whether a change is more than chance: by the test, and by the interval beside it, as nobody believes a change
    whose interval contains 0."""
    return q is not None and q <= LEVEL and row.interval is not None and not row.interval[0] <= 0.0 <= row.interval[1]


def _tier(row: DiffRow, q: float | None, noisy: bool, *, newly: bool = False) -> Tier:
    sure = is_sure(row, q)
    if newly and row.broken and not sure:
        return "newly seen"
    if q is None or row.p is None:
        return "not enough data"
    if sure:
        return "regression" if row.new > row.old else "improvement"
    if row.p <= LEVEL and row.new > row.old:
        return "drift"
    return "unstable baseline" if noisy else "steady"


def _tables(before: Side, after: Side) -> dict[str, _Table]:
    tables: dict[str, _Table] = {ORIGINALS: _originals(before, after)}
    nothing = Seen()
    for question in before.questions.keys() | after.questions.keys():
        was, now = before.questions.get(question, nothing), after.questions.get(question, nothing)
        right, marked = was.standing == now.standing == "kept", MARKED in (was.standing, now.standing)
        decided: dict[str, list[tuple[str, str]]] = {}
        for key in was.results.keys() | now.results.keys():
            row, _ = key
            if {was.results.get(key), now.results.get(key)} <= {None, sides.SILENT}:
                continue
            table = tables.get(row)
            if table is None:
                table = tables[row] = _Table()
            place = MARKED if marked else _place(was.results.get(key), now.results.get(key), right or row == KNOWN)
            if place == "decided":
                decided.setdefault(row, []).append((was.results[key], now.results[key]))
            else:
                table.counts[place] += 1
        for row, results in decided.items():
            tables[row].add(was.base or now.base, results)
    order = sorted(tables, key=lambda name: (name != ORIGINALS, name in MISDEEDS, name == CONTROL, name))
    return {name: tables[name] for name in order}


def _place(was: str | None, now: str | None, right: bool) -> str:
    if MARKED in (was, now):
        return MARKED
    if was is None or now is None:
        return "added" if was is None else "missing"
    if not right:
        return "set_apart"
    undecided = was in ("unsure", "error") or now in ("unsure", "error")
    return "undecided" if undecided else "decided"


_ORIGINAL = {"kept": "robust", "wrong": "success", "refused": "success", "error": "error", "unsure": "unsure"}


def _originals(before: Side, after: Side) -> _Table:
    table = _Table()
    for question in before.questions.keys() | after.questions.keys():
        was, now = before.questions.get(question), after.questions.get(question)
        first, second = standings = [side.standing if side and side.standing else None for side in (was, now)]
        if MARKED in standings or "unstable" in standings:
            table.counts[MARKED if MARKED in standings else "set_apart"] += 1
            continue
        place = _place(_ORIGINAL.get(first or ""), _ORIGINAL.get(second or ""), right=True)
        if place == "decided":
            table.add((was or now or Seen()).base, [(_ORIGINAL[first or ""], _ORIGINAL[second or ""])])
        else:
            table.counts[place] += 1
    return table


def _changes(case: QuestionCase, old: Seen, new: Seen) -> Iterator[Change]:
    """The units of a question whose result changed."""
    if (change := original_changed(case, old, new)) is not None:
        yield change
    if says_otherwise(old, new):
        broke = _ORIGINAL.get(new.standing) == "success" or None
        before = " / ".join(dict.fromkeys(old.replies))
        yield replace(_change(case, ORIGINALS, broke, case.alteration(case.unit), case.unit), before=before)
    right = old.standing == new.standing == "kept"
    for judged, _, alteration in case.variants if right else ():
        key = key_of(judged)
        if judged.altered and _turned(old.results.get(key), new.results.get(key)):
            yield _change(case, key[0], new.results[key] == "success", alteration, judged.unit, expect=judged.expect)
    for key, one, did, _ in sides.misdeeds_of(case):
        if did and (right or key[0] == KNOWN) and old.results.get(key) in ("robust", sides.SILENT):
            yield replace(_change(case, key[0], True, one.alteration, key[1]), expected=())


def original_changed(case: QuestionCase, old: Seen, new: Seen) -> Change | None:
    """The change of an original that was right and is not always so now, or the other way round."""
    now = _ORIGINAL.get(new.standing)
    if new.standing == "unstable" and right_askings(old) >= BASELINE_ASKINGS and case.original:
        # The first asking may be a right one: what the bot never said before shows the change.
        others = (
            unit for unit in case.original.units if (one := case.asked.get(unit)) and said(one) not in old.replies
        )
        unit = next(others, case.unit)
        return _change(case, ORIGINALS, True, case.alteration(unit), unit)
    if _turned(_ORIGINAL.get(old.standing), now):
        return _change(case, ORIGINALS, now == "success", case.alteration(case.unit), case.unit)
    return None


def _turned(was: str | None, now: str | None) -> bool:
    return (was, now) in (("robust", "success"), ("success", "robust"))


def _change(
    case: QuestionCase, row: str, broke: bool | None, alteration: Alteration, unit: str, *, expect: Expect = "same"
) -> Change:
    got = alteration.replies[-1] if alteration.replies else ""
    expected = case.expected("gold")
    return Change(row, broke, case.question.id, unit, alteration, expected, got, expect, usual=case.reply)
