"""Many runs of one suite in a row, as a story: what broke, figures over the nights, and what goes back and forth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from botattack.report import numbers
from botattack.report.comparison.diff import RunComparison
from botattack.report.comparison.trend import LEGEND, Flip
from botattack.report.escape import visible
from botattack.report.figures.figure_values import OF_OWN, Figures, Measure, Row
from botattack.report.figures.withheld import OF_ORIGINALS, WHOLE
from botattack.report.stories.comparison import first_line
from botattack.report.stories.first_screen import day_of
from botattack.report.story.blocks import Block, Chart, Charts, Listing, Point, Section, Sentence, Story, Table
from botattack.report.wording import words

LISTED = 100
"""Askings in each list."""


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


def story(
    target: str,
    nights: Sequence[ShownRun],
    flips: Sequence[Flip],
    notes: Sequence[str] = (),
    comparison: RunComparison | None = None,
) -> Story:
    """Nights of one bot, oldest first; `flips` are what broke and was fixed, `notes` what a reader must know, and
    `comparison` is of the last night with an older run."""
    every = f"{counted(nights)}, {' to '.join(dict.fromkeys((nights[0].day, nights[-1].day)))}"
    blocks = Sentence(every, "note"), *_blocks(nights, flips, notes)
    return Story(f"nights of {visible(target)}", latest(nights[-1], comparison), blocks)


def latest(last: ShownRun, comparison: RunComparison | None) -> str:
    """`Last night, 5 Nov 2026: No regression since 1 Nov 2026: 3 answers newly broke …`, as the night itself said."""
    run = last.figures.run
    when, why = f"Last {last.kind}, {day_of(run.started)}", f": {visible(run.why, words.WHY)}" if run.why else ""
    if run.exit not in (0, 1):
        return f"{when}: it did not finish{why}."
    if comparison is None:
        return f"{when}: there is no other run to compare it with."
    told = f"{when}: {first_line(comparison)}"
    more = words.unsaid(run.why, told)
    return f"{told} It failed{': ' * bool(more)}{more}." if run.exit else told


def _blocks(nights: Sequence[ShownRun], flips: Sequence[Flip], notes: Sequence[str]) -> Iterator[Block]:
    yield from (Sentence(visible(note), "note") for note in notes)
    notes_of = words.terms("notes")
    yield Section("Figures", (Sentence(notes_of["nights"], "note"), Charts(tuple(charts(nights)))))
    failed = (bool(night.figures.run.exit) for night in reversed(nights))
    runs = Table.of(("run", "", "exit", "questions"), map(_run, reversed(nights)), numbers=9, bad=failed)
    yield Section("Runs", (runs,))
    flaky = sorted((flip for flip in flips if flip.history.flaky), key=lambda flip: -flip.history.changes)[:LISTED]
    if flaky:
        yield Section(
            "Flaky", (Sentence(notes_of["flaky"].format(LEGEND), "note"), Listing(tuple(map(changed, flaky))))
        )
    if others := [flip for flip in flips if not flip.history.flaky][:LISTED]:
        note = Sentence(notes_of["changed"].format(LEGEND), "note")
        yield Section("What changed", (note, Listing(tuple(map(changed, others)))))


def _run(night: ShownRun) -> tuple[str, ...]:
    run = night.figures.run
    ended = "not ended" if run.exit is None else f"{run.exit}"
    why = f": {visible(run.why, words.WHY)}" if run.why else ""
    gates = (f"; {state} {gate}" for state, gate in words.gates(night.figures) if gate not in why)
    kind = f"{night.kind}, baseline" if night.baseline else night.kind
    return visible(night.name), kind, f"{ended}{why}{''.join(gates)}", words.questions_line(night.figures)


def changed(flip: Flip) -> str:
    """One line: how it went, when it last broke or was fixed, and what it is."""
    state, flaky = "broke" if flip.broke else "newly right", flip.history.told
    when = f"{flip.history.signs} {flip.day}, {visible(flip.first)}: {state}{', ' * bool(flaky)}{flaky}"
    return f"{when}, {visible(flip.row)}: {flip.shown}{flip.beside}{flip.since_fixed}"


def charts(nights: Sequence[ShownRun]) -> list[Chart]:
    """Accuracies of all questions, then the share that each attack broke; gold and own reference are never blended. A
    mean over attacks says once more what these shares do."""
    attacks = dict.fromkeys(name for night in nights for name in night.figures.attacks)
    measures = [night.figures.measures for night in nights]
    found = [_chart(name, [of.get(name, Measure()) for of in measures], nights) for name in (*OF_ORIGINALS, *WHOLE)]
    for name in attacks:
        gold, own = zip(*(_rates(night, name) for night in nights), strict=True)
        rate = f"share broken by {visible(name)}"
        found += [_chart(rate, gold, nights), _chart(f"{rate}{OF_OWN}", own, nights)]
    return [chart for chart in found if any(point.share is not None for point in chart.points)]


def _chart(name: str, values: Sequence[Measure], nights: Sequence[ShownRun]) -> Chart:
    exact = list(zip(*(night.labels for night in nights), strict=True))
    days = next((labels for labels in exact if len(set(labels)) == len(nights)), exact[-1])
    points = tuple(_point(value, night, day) for value, night, day in zip(values, nights, days, strict=True))
    last = next((value for value in reversed(values) if value.value is not None), Measure())
    return Chart(name, numbers.percent(last.value), points)


def _point(value: Measure, night: ShownRun, day: str) -> Point:
    if value.value is None or value.interval is None:
        return Point(day, "", None)
    label = f"{visible(night.name)}: {numbers.percent(value.value)}, {numbers.span(value.interval)}"
    label += " (the baseline)" if night.baseline else ""
    return Point(day, label, value.value, value.interval, night.baseline)


def _rates(night: ShownRun, name: str) -> tuple[Measure, Measure]:
    """By gold answers, and by the bot's own replies."""
    attack = night.figures.attacks.get(name)
    rows = (attack.gold, attack.own) if attack else (Row(), Row())
    gold, own = (Measure(row.success_rate, row.rated, row.interval, row.note, row.success) for row in rows)
    return gold, own


def counted(nights: Sequence[ShownRun]) -> str:
    """`4 nights and 1 other run`."""
    number = sum(night.kind == "night" for night in nights)
    others = len(nights) - number
    parts = (numbers.count(number, "night") if number else "", numbers.count(others, "other run") if others else "")
    return " and ".join(filter(None, parts)) if number else numbers.count(others, "run")
