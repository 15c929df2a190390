"""Many runs of one suite in a row: their figures as one page, and the runs on which a question broke and was fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from botattack.cases import Alteration, QuestionCase, cases
from botattack.events import Event
from botattack.model import Edit
from botattack.report import numbers
from botattack.report.comparison.diff import ORIGINALS
from botattack.report.comparison.flaky import LEGEND, History, State
from botattack.report.comparison.sides import key_of
from botattack.report.escape import visible
from botattack.report.figures.figure_values import OF_OWN, Figures, GateFigures, Measure, Row
from botattack.report.figures.gates import name_of
from botattack.report.wording import words
from botattack.report.wording.alterations import marked
from botattack.report.wording.marks import join
from botattack.report.writers.page_template import rendered
from botattack.report.writers.report_files import whole_file

LISTED = 100
"""Askings in each list of the page."""
WIDTH, HEIGHT, LEFT, TOP = 640, 185, 52, 10
"""Of a chart, and where its plot begins, in units of the drawing."""
_STATES: Mapping[str, State] = {"kept": "held", "wrong": "broke", "refused": "broke", "unstable": "mixed"}
_RESULTS: Mapping[str, State] = {"success": "broke", "robust": "held"}


Key = tuple[str, str, str]
"""A row, the id of a question, and a unit."""


@dataclass(frozen=True)
class ShownRun:
    """One run as the page shows it: a night, the `baseline` that nights are compared with, or any other run."""

    name: str
    figures: Figures
    kind: Literal["night", "run"] = "night"
    baseline: bool = False

    @property
    def day(self) -> str:
        return self.figures.run.started[:10]

    @property
    def labels(self) -> tuple[str, str, str]:
        """When it began: the day, with the minute, with the second."""
        started = self.figures.run.started.replace("T", " ")
        return started[:10], started[5:16], started[5:19]


@dataclass(frozen=True)
class Flip:
    """A unit that broke, or was fixed; `first` is the run on which that began.

    If it broke and was fixed later, `fixed_in` is the run on which it was, and `fixed_day` its day. Of an original,
    `variants` went the same way on the same runs and are not listed again.
    """

    row: str
    broke: bool
    first: str
    day: str
    question_id: str
    unit: str
    alteration: Alteration
    variants: int = 0
    fixed_in: str = ""
    fixed_day: str = ""
    history: History = field(default_factory=History)

    @property
    def question(self) -> str:
        return self.alteration.question

    @property
    def beside(self) -> str:
        return f" (and {numbers.count(self.variants, 'variant')} of it)" if self.variants else ""

    @property
    def since_fixed(self) -> str:
        return f", fixed on {self.fixed_day}, {visible(self.fixed_in)}" if self.fixed_in else ""

    @property
    def shown(self) -> str:
        return " · ".join(join(line) for line in marked(self.alteration))


@dataclass(slots=True)
class _Track:
    """`broke` and `fixed` are the last runs on which that happened; `alteration` is of the one to be shown; `states`
    are those of each run by its number."""

    state: State
    broke: int | None = None
    fixed: int | None = None
    unit: str = ""
    alteration: Alteration | None = None
    states: dict[int, State] = field(default_factory=dict)


class Bisect:
    """Follows every unit over the runs, given in order of time; undecided askings change nothing."""

    def __init__(self) -> None:
        self._tracks: dict[Key, _Track] = {}
        self._runs: list[tuple[str, str]] = []

    def add(self, name: str, day: str, events: Iterable[Event]) -> None:
        """One more run."""
        self._runs.append((name, day))
        for case in cases(events):
            if case.original is not None:
                state = _STATES.get(case.original.standing, "")
                self._see((ORIGINALS, case.question.id, case.unit), state, case, case.unit)
            for one in case.judged:
                if one.claimed and one.is_outcome:
                    state = _RESULTS.get(one.result, "")
                    row, unit = key_of(one)
                    self._see((row, case.question.id, unit), state, case, one.unit, one.edits)

    def _see(self, key: Key, state: State, case: QuestionCase, unit: str, edits: tuple[Edit, ...] = ()) -> None:
        number = len(self._runs) - 1
        if state == "mixed" and key in self._tracks:
            self._tracks[key].states[number] = state
        if state in ("", "mixed"):
            return
        track = self._tracks.setdefault(key, _Track(state))
        track.states[number] = state
        if track.state != state:
            track.state = state
            if state == "broke":
                track.broke, track.fixed = number, None
            else:
                track.fixed = number
            if state == "broke" or track.broke is None:
                track.unit, track.alteration = unit, case.alteration(unit, edits)

    def history(self, key: Key) -> History:
        """What became of a unit, by its row, its question's id and its own."""
        track = self._tracks.get(key) or self._tracks.get((*key[:2], ""))
        return History(tuple(track.states.get(number, "") for number in range(len(self._runs))) if track else ())

    def flips(self, question: str = "") -> list[Flip]:
        """The last break of each unit, with the run that fixed it, or its fix if it was broken from the beginning; of
        one question, or of all. What is still broken comes first, then what broke and was fixed, the latest first.

        Among all, variants that went with their original are only counted.
        """
        found: list[tuple[int, Flip]] = []
        for (row, question_id, key), track in self._tracks.items():
            number = track.fixed if track.broke is None else track.broke
            if number is None or track.alteration is None:
                continue
            if question in ("", question_id, track.alteration.question):
                told = *self._runs[number], question_id, track.unit, track.alteration
                flip = Flip(row, track.broke is not None, *told, history=self.history((row, question_id, key)))
                if track.broke is not None and track.fixed is not None:
                    fixed_in, day = self._runs[track.fixed]
                    flip = replace(flip, fixed_in=fixed_in, fixed_day=day)
                found.append((number, flip))
        if not question:
            found = list(_with_originals(found))
        found.sort(key=lambda entry: (_urgency(entry[1]), -entry[0], entry[1].row != ORIGINALS, entry[1].row))
        return [flip for _, flip in found]


def _urgency(flip: Flip) -> int:
    return 2 if not flip.broke else 1 if flip.fixed_in else 0


def _with_originals(found: Sequence[tuple[int, Flip]]) -> Iterator[tuple[int, Flip]]:
    """Variants of an original that went the same way on the same runs stand with it, as their number."""
    same = Counter(_way(flip) for _, flip in found if flip.row != ORIGINALS)
    originals = {_way(flip) for _, flip in found if flip.row == ORIGINALS}
    for run, flip in found:
        if flip.row == ORIGINALS:
            yield run, replace(flip, variants=same[_way(flip)])
        elif _way(flip) not in originals:
            yield run, flip


def _waver(flip: Flip) -> int:
    """Sorts flaky askings: those that changed most often come first."""
    return -flip.history.changes


def _way(flip: Flip) -> tuple[str, bool, str, str]:
    return flip.question_id, flip.broke, flip.first, flip.fixed_in


@dataclass(frozen=True)
class Point:
    """A night in a chart; None if there was not enough to say."""

    x: float
    y: float | None
    low: float = 0.0
    high: float = 0.0
    label: str = ""
    baseline: bool = False


@dataclass(frozen=True)
class Chart:
    """One figure over the nights, drawn from 0 to 100 %."""

    name: str
    points: tuple[Point, ...]
    latest: str = ""
    limits: tuple[float, ...] = ()
    """Heights of the bounds of gates that the newest run was checked against."""
    ticks: tuple[tuple[float, str], ...] = field(default=())

    @property
    def line(self) -> Iterator[str]:
        """Points of each unbroken piece of the line."""
        piece: list[str] = []
        for point in (*self.points, Point(0, None)):
            if point.y is not None:
                piece.append(f"{point.x:.1f},{point.y:.1f}")
            elif piece:
                yield " ".join(piece)
                piece = []


def charts(nights: Sequence[ShownRun]) -> list[Chart]:
    """Accuracies over all attacks, then the share that each attack broke; gold and own reference are never blended."""
    measures = dict.fromkeys(name for night in nights for name in night.figures.measures)
    attacks = dict.fromkeys(name for night in nights for name in night.figures.attacks)
    gates = next((night.figures.gates for night in reversed(nights) if night.figures.gates), ())
    found = [
        _chart(name, [night.figures.measures.get(name, Measure()) for night in nights], nights) for name in measures
    ]
    for name in attacks:
        gold, own = zip(*(_rates(night, name) for night in nights), strict=True)
        rate = f"share broken by {visible(name)}"
        found += [_chart(rate, gold, nights), _chart(f"{rate}{OF_OWN}", own, nights)]
    found = [replace(chart, limits=tuple(_limits(chart.name, gates))) for chart in found]
    return [chart for chart in found if any(point.y is not None for point in chart.points)]


def _limits(chart: str, gates: Sequence[GateFigures]) -> Iterator[float]:
    for gate in gates:
        name = visible(name_of(gate))
        name += OF_OWN if visible(gate.sentence).startswith(f"{name}{OF_OWN}") else ""
        if chart in (name, f"{name}, micro") and gate.bound != "drop_at_most":
            yield _y(gate.limit)


def _rates(night: ShownRun, name: str) -> tuple[Measure, Measure]:
    """By gold answers, and by the bot's own replies."""
    attack = night.figures.attacks.get(name)
    rows = (attack.gold, attack.own) if attack else (Row(), Row())
    gold, own = (Measure(row.success_rate, row.rated, row.interval, row.note, row.success) for row in rows)
    return gold, own


def _chart(name: str, values: Sequence[Measure], nights: Sequence[ShownRun]) -> Chart:
    points = tuple(_point(number, value, nights) for number, value in enumerate(values))
    last = next((value for value in reversed(values) if value.value is not None), Measure())
    shown = sorted({0, len(nights) // 2, len(nights) - 1})
    exact = list(zip(*(night.labels for night in nights), strict=True))
    labels = next((labels for labels in exact if len(set(labels)) == len(nights)), exact[-1])
    ticks = tuple((_x(number, len(nights)), labels[number]) for number in shown)
    return Chart(name, points, numbers.percent(last.value), ticks=ticks)


def _point(number: int, value: Measure, nights: Sequence[ShownRun]) -> Point:
    x = _x(number, len(nights))
    if value.value is None or value.interval is None:
        return Point(x, None)
    night = nights[number]
    label = f"{visible(night.name)}: {numbers.percent(value.value)}, {numbers.span(value.interval)}"
    label += " (the baseline)" if night.baseline else ""
    return Point(x, _y(value.value), _y(value.interval[0]), _y(value.interval[1]), label, night.baseline)


def _x(number: int, nights: int) -> float:
    return LEFT + (WIDTH - LEFT - 40) * (number / (nights - 1) if nights > 1 else 0.5)


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - 25) * (1 - share)


def counted(nights: Sequence[ShownRun]) -> str:
    """`4 nights and 1 other run`."""
    number = sum(night.kind == "night" for night in nights)
    others = len(nights) - number
    parts = (numbers.count(number, "night") if number else "", numbers.count(others, "other run") if others else "")
    return " and ".join(filter(None, parts)) if number else numbers.count(others, "run")


def write(
    path: Path, target: str, nights: Sequence[ShownRun], flips: Sequence[Flip], notes: Sequence[str] = ()
) -> None:
    """One page without scripts that needs no network; raises ReportError."""
    with whole_file(path) as file:
        file.write(
            rendered(
                "trend.html",
                ("page.css", "trend.css"),
                target=visible(target),
                nights=nights,
                charts=charts(nights),
                counted=counted(nights),
                flaky=sorted((flip for flip in flips if flip.history.flaky), key=_waver)[:LISTED],
                flips=[flip for flip in flips if not flip.history.flaky][:LISTED],
                legend=LEGEND,
                notes=[visible(note) for note in notes],
                words=words,
                visible=visible,
                size=(WIDTH, HEIGHT, LEFT, TOP),
                y=_y,
            )
        )
