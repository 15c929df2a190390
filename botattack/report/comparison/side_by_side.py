"""Several bots side by side that were asked the same questions: what breaks more than one of them, how often what
breaks one breaks another, and whether one is better than another by more than chance.

Two bots are compared as two runs of one bot are (`diff`): variants count where both were right about the original, and
originals are a row of their own, over all of them. q is adjusted over the rows of a family in all pairs of bots.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from typing import NamedTuple

from botattack.cases import Alteration, cases
from botattack.errors import BotattackError
from botattack.events import Event
from botattack.model import Expect
from botattack.report.comparison.diff import DiffRow, adjusted, is_sure, rows_of
from botattack.report.comparison.sides import Key, Side, key_of, note_of_own, note_of_untried, of_answers, side_of
from botattack.report.figures.broken import BrokenFigures
from botattack.report.figures.figure_values import RunFigures
from botattack.report.statistics.intervals import MIN_QUESTIONS, ClusterSums, Interval, interval
from botattack.report.wording import verdict_words

LISTED = 1000
"""Variants that break several bots and are kept by name."""


class ReadRun(NamedTuple):
    """A run to compare: `events` gives all its events, as often as it is called; `recording` is where it is kept."""

    events: Callable[[], Iterable[Event]]
    recording: str


@dataclass(frozen=True)
class Bot:
    """One of the bots; `right` of `decided` originals were answered correctly. `name` is no other bot's.
    `broken` is what broke in its whole run."""

    name: str
    run: RunFigures
    recording: str
    right: int = 0
    decided: int = 0
    broken: BrokenFigures = field(default_factory=BrokenFigures)


@dataclass(frozen=True)
class Breaks:
    """How many of `units` variants break a bot. `interval` is at 95 %, None for fewer than 20 questions."""

    questions: int = 0
    units: int = 0
    broken: int = 0
    interval: Interval | None = None

    @property
    def rate(self) -> float | None:
        return self.broken / self.units if self.units else None


@dataclass(frozen=True)
class Transfer:
    """Of the variants that break the bot `source`, those that break `to`, too. `chance` is the share of `both` if
    within each attack the two broke independently of each other: attacks that break no bot would else make any transfer
    look large."""

    source: int
    to: int
    both: Breaks
    chance: float | None = None


@dataclass(frozen=True)
class Pair:
    """Two bots compared: `old` and `broken` of a row are of `first`, `new` is of `second`; `broken` counts what broke
    `second` alone, `fixed` what broke `first` alone."""

    first: int
    second: int
    rows: tuple[DiffRow, ...]


@dataclass(frozen=True)
class SharedAdversary:
    """A variant that breaks several bots; `replies` are those of the bots that it was decided on, by their number, and
    `broke` are the bots that it breaks."""

    row: str
    question_id: str
    unit: str
    alteration: Alteration
    expected: tuple[str, ...]
    expect: Expect
    broke: tuple[int, ...]
    replies: Mapping[int, str]


@dataclass(frozen=True)
class SideBySide:
    """`attacks` are, for each attack, what breaks each bot of the variants that were decided on every bot. Of
    `shared_units` variants that break several bots, the first are in `shared`; `shared_questions` is of how many
    questions they all are."""

    bots: tuple[Bot, ...]
    questions: int
    attacks: Mapping[str, tuple[Breaks, ...]]
    transfers: tuple[Transfer, ...]
    pairs: tuple[Pair, ...]
    shared: tuple[SharedAdversary, ...] = ()
    shared_units: int = 0
    shared_questions: int = 0
    notes: tuple[str, ...] = ()


def side_by_side(runs: Sequence[ReadRun]) -> SideBySide:
    """Reads each run twice. Raises BotattackError for fewer than two, and if no question is in all of them."""
    if len(runs) < 2:
        raise BotattackError("a comparison needs at least two runs; name the recordings of two bots")
    sides = [side_of(run.events()) for run in runs]
    common = set.intersection(*(set(side.questions) for side in sides))
    if not common:
        raise BotattackError("no question is in all of these runs; compare runs of one question file")
    notes = tuple(_notes(sides, common))
    for side in sides:
        side.questions = {question: side.questions[question] for question in sorted(common)}
    doors: defaultdict[str, list[str]] = defaultdict(list)
    for question in sorted(common):
        doors[sides[0].questions[question].base].append(question)
    found = [_Decided.of(sides, asked) for asked in doors.values()]
    shared = _shared_units(found)
    listed = dict(shared[:LISTED])
    return SideBySide(
        _bots(runs, sides),
        len(found),
        _rows(found, len(runs)),
        tuple(_transfer(found, *pair) for pair in permutations(range(len(runs)), 2)),
        _pairs(sides),
        tuple(_named(runs, listed)),
        len(shared),
        sum(any(sum(map(bool, broke)) > 1 for broke in each.units.values()) for each in found),
        notes,
    )


_Unit = tuple[str, Key]
"""Question, and row and unit."""


class _Decided(NamedTuple):
    """The variants of a question, through all its doors, with what came of them on each bot: whether it broke, None
    where that is not decided or the bot is not right about the original. The control is not among them, nor what was
    searched: each bot has variants of its own there."""

    units: Mapping[_Unit, tuple[bool | None, ...]]

    @classmethod
    def of(cls, sides: Sequence[Side], questions: Iterable[str]) -> _Decided:
        units: dict[_Unit, tuple[bool | None, ...]] = {}
        for question in questions:
            seen = [side.questions[question] for side in sides]
            results = [each.results if each.standing == "kept" else {} for each in seen]
            keys = {key for each in results for key in each if of_answers(key[0]) and key[1]}
            for key in sorted(keys):
                units[question, key] = tuple(_BROKE.get(each.get(key, "")) for each in results)
        return cls(units)


_BROKE = {"success": True, "robust": False}


def _bots(runs: Sequence[ReadRun], sides: Sequence[Side]) -> tuple[Bot, ...]:
    names = Counter(side.run.target for side in sides)
    bots = []
    for number, (run, side) in enumerate(zip(runs, sides, strict=True), 1):
        # A table has no room for the ids of runs.
        name = side.run.target if names[side.run.target] == 1 else f"{side.run.target} ({number})"
        standings = Counter(seen.standing for seen in side.questions.values())
        decided = sum(standings[each] for each in ("kept", "wrong", "refused"))
        bots.append(Bot(name, side.run, run.recording, standings["kept"], decided, side.broken))
    return tuple(bots)


def _rows(found: Sequence[_Decided], bots: int) -> dict[str, tuple[Breaks, ...]]:
    sums: defaultdict[str, list[ClusterSums]] = defaultdict(lambda: [ClusterSums()] * bots)
    for each in found:
        by_row: defaultdict[str, list[tuple[bool | None, ...]]] = defaultdict(list)
        for (_, (row, _)), broke in each.units.items():
            if None not in broke:
                by_row[row].append(broke)
        for row, units in by_row.items():
            of = zip(sums[row], zip(*units, strict=True), strict=True)
            sums[row] = [known.add(sum(map(bool, broke)), len(units)) for known, broke in of]
    return {row: tuple(map(_breaks, sums[row])) for row in sorted(sums)}


def _transfer(found: Sequence[_Decided], source: int, to: int) -> Transfer:
    both = ClusterSums()
    rows: defaultdict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for each in found:
        decided = []
        for (_, (row, _)), broke in each.units.items():
            one, other = broke[source], broke[to]
            if one is not None and other is not None:
                decided.append((one, other))
                rows[row].append((one, other))
        both = both.add(sum(one and other for one, other in decided), sum(one for one, _ in decided))
    return Transfer(source, to, _breaks(both), _chance(rows.values(), both.n))


def _chance(rows: Iterable[Sequence[tuple[bool, bool]]], broken: int) -> float | None:
    alone = sum(sum(one for one, _ in row) * sum(other for _, other in row) / len(row) for row in rows)
    return alone / broken if broken else None


def _breaks(sums: ClusterSums) -> Breaks:
    sure = interval(sums) if sums.clusters >= MIN_QUESTIONS else None
    return Breaks(sums.clusters, sums.n, sums.x, sure)


def _pairs(sides: Sequence[Side]) -> tuple[Pair, ...]:
    """All pairs, q adjusted over the rows of a family in all of them."""
    attacks = {name: expect for side in sides for name, expect in side.attacks.items()}
    made = {(i, j): rows_of(sides[i], sides[j]) for i, j in combinations(range(len(sides)), 2)}
    q = adjusted({(pair, row.name): row for pair, rows in made.items() for row in rows}, attacks)
    return tuple(Pair(*pair, tuple(replace(row, q=q.get((pair, row.name))) for row in made[pair])) for pair in made)


def differs(row: DiffRow) -> int | None:
    """Which of two bots breaks more by more than chance: the first (0) or the second (1); None if none does."""
    return int(row.new > row.old) if is_sure(row, row.q) else None


def _shared_units(found: Sequence[_Decided]) -> list[tuple[_Unit, tuple[bool | None, ...]]]:
    """The variants that break several bots, those that break most first; of these one of each question, then a second
    of each, and so on."""
    every = [unit for each in found for unit in each.units.items()]
    several = [(unit, broke) for unit, broke in every if sum(map(bool, broke)) > 1]
    ranked, times = list[tuple[tuple[int, int, _Unit], tuple[bool | None, ...]]](), Counter[tuple[int, str]]()
    for unit, broke in sorted(several, key=lambda one: (one[0][1], one[0][0])):
        number, question = sum(map(bool, broke)), unit[0]
        ranked.append(((-number, times[number, question], unit), broke))
        times[number, question] += 1
    return [(unit, broke) for (_, _, unit), broke in sorted(ranked, key=lambda one: one[0])]


def _named(runs: Sequence[ReadRun], listed: Mapping[_Unit, tuple[bool | None, ...]]) -> Iterator[SharedAdversary]:
    """The listed variants in their order, with what was sent and what each bot said."""
    questions = {question for question, _ in listed}
    made: dict[_Unit, SharedAdversary] = {}
    for number, run in enumerate(runs):
        for case in cases(run.events()) if listed else ():
            if case.question.id not in questions:
                continue
            for judged, _, alteration in case.variants:
                unit = case.question.id, key_of(judged)
                if not judged.is_outcome or unit not in listed or listed[unit][number] is None:
                    continue
                reply = alteration.replies[-1] if alteration.replies else ""
                if unit in made:
                    made[unit] = replace(made[unit], replies={**made[unit].replies, number: reply})
                    continue
                broke = tuple(bot for bot, breaks in enumerate(listed[unit]) if breaks)
                right = case.expected(judged.reference)
                made[unit] = SharedAdversary(
                    unit[1][0], unit[0], unit[1][1], alteration, right, judged.expect, broke, {number: reply}
                )
    yield from (made[unit] for unit in listed if unit in made)


def _notes(sides: Sequence[Side], common: set[str]) -> Iterator[str]:
    """What a reader must know before trusting the figures."""
    every = set().union(*(side.questions for side in sides))
    seen = [(question, one) for side in sides for question, one in side.questions.items()]
    if searched := sorted({row for _, one in seen for row, unit in one.results if not unit}):
        yield f"searched again for each bot, and so compared in the paired tests alone: {', '.join(searched)}"
    yield from note_of_own(one for question, one in seen if question in common)
    if others := len(every - common):
        yield f"{others:,} of {len(every):,} questions are not in every run and are left out"
    seeds = sorted({side.run.seed for side in sides})
    if len(seeds) > 1:
        yield f"the seeds differ ({', '.join(map(str, seeds))}), so that few variants may be the same"
    labels = [{*side.attacks} for side in sides]
    if lone := sorted({name for each in labels for name in each if not all(name in other for other in labels)}):
        yield f"not in every run: {', '.join(lone)}"
    yield from note_of_untried(sides)
    for name, times in Counter(side.run.target for side in sides).items():
        if times > 1:
            yield f"{times} of these runs are of one target, {name}; numbers say in which order they were named"
    for side in sides:
        if left_out := verdict_words.mark_summary(side.marks.value()):
            yield f"{side.run.target}: {left_out}"
        if side.ended is None or side.ended.exit not in (0, 1):
            yield f"the run {side.run.id} did not finish"
