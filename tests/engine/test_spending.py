"""A budget spent first where the bot breaks: more findings, the same at any concurrency, and rates that stay honest."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from statistics import mean, stdev
from typing import Any
from zlib import crc32

import pytest

from botattack.engine.spending import ORIGINAL, Yield, chosen, drawn
from botattack.events import AttackEnded, AttacksDrawn, RunEnded
from botattack.limits import Budget, Limits
from botattack.model import Edit, Prompt, Variant
from botattack.protocols import Context, Proposals
from botattack.report.figures.figure_values import Figures, Row
from botattack.report.figures.metrics import figures_of
from tests.engine.bots import Drop, Listed, Script, questions
from tests.engine.test_lessons import Fickle
from tests.engine.test_run import a_plan, of, play, what_happened

STRENGTHS = {f"a{number}": share for number, share in enumerate((0.05, 0.05, 0.1, 0.1, 0.15, 0.2, 0.3, 0.8))}
"""Of each attack the share of its variants that break the bot."""


@dataclass(frozen=True)
class Marked(Drop):
    """Adds a mark that the bot breaks at, or not, by its label."""

    label: str = ""

    def propose(self, context: Context, rng: Random) -> Proposals:
        text = context.question.text
        yield [
            Variant((Prompt(f"{self.label} {n} {text}"),), "mark", (Edit(0, "", f"{self.label} {n} ", "mark"),))
            for n in range(self.times)
        ]
        return self.times


def breaks(text: str, seed: int) -> str:
    share = STRENGTHS.get(text.split(" ", maxsplit=1)[0], 0.0)
    return "what?" if crc32(text.encode()) % 1000 < 1000 * share else f"it is {text[-4:]}"


def plan(**changes: Any) -> Any:
    attacks = {label: Marked(label=label) for label in STRENGTHS}
    return a_plan(**{"attacks": attacks, "spend": "weakest-first", **changes})


@pytest.mark.parametrize(("concurrency", "window"), [(1, 256), (32, 256), (8, 3)])
def test_concurrency_changes_nothing_that_is_asked(concurrency: int, window: int) -> None:
    _, calm = play(plan(), Script(breaks), questions(60))
    limits = Limits(rate=float("inf"), concurrency=concurrency)
    _, other = play(plan(limits=limits, window=window), Fickle(breaks), questions(60))
    assert what_happened(calm) == what_happened(other)
    assert met(calm) == met(other)
    assert len({len(labels) for labels in met(calm).values()}) > 1


def met(events: Any) -> dict[str, dict[str, int]]:
    return {event.question: dict(event.one_in) for event in of(events, AttacksDrawn)}


@pytest.mark.parametrize("stop_after", [40, 150, 300])
def test_a_resumed_run_asks_what_an_unbroken_one_would(stop_after: int) -> None:
    _, calm = play(plan(), Script(breaks), questions(60))
    _, cut = play(plan(), Fickle(breaks), questions(60), stop_after=stop_after)
    _, rest = play(
        plan(), Fickle(breaks), questions(60), past=[event for event in cut if not isinstance(event, RunEnded)]
    )
    assert what_happened([*cut, *rest]) == what_happened(calm)
    assert met([*cut, *rest]) == met(calm)


def found(spend: str, seed: int = 7) -> Figures:
    """Of a run that a budget ends long before the last question, in an order of its own."""
    asked = Listed(Random(seed).sample([question for question, _ in questions(200)], 200))
    settings = plan(spend=spend, seed=seed, budget=Budget(requests=400), window=16)
    return figures_of(play(settings, Script(breaks), asked)[1])


@pytest.fixture(scope="module")
def runs() -> list[Figures]:
    return [found("weakest-first", seed) for seed in range(9)]


@pytest.mark.slow
def test_the_budget_finds_more_and_the_report_says_how_much_more(runs: list[Figures]) -> None:
    evenly = found("evenly")
    at_random = 100 * broken(evenly) / evenly.requests.sent
    for first in runs:
        assert first.spending
        assert first.spending.broken == broken(first)
        assert first.spending.per_100 == pytest.approx(100 * broken(first) / first.requests.sent, rel=0.03)
    gained = [one.spending for one in runs if one.spending]
    assert mean(one.per_100 or 0 for one in gained) > 1.2 * at_random
    assert mean(one.evenly_per_100 or 0 for one in gained) == pytest.approx(at_random, rel=0.25)
    assert evenly.spending is None


def broken(figures: Figures) -> int:
    return sum(attack.gold.success for attack in figures.attacks.values())


def test_rates_are_right_on_average_although_some_attacks_are_asked_more(runs: list[Figures]) -> None:
    for label in ("a6", "a7"):
        rows = [run.attacks[label].gold for run in runs]
        texts = [f"{label} {n} what is the number called {number:04d}" for n in range(3) for number in range(200)]
        share = mean(breaks(text, 0) == "what?" for text in texts)
        assert mean(_estimates(rows)) == pytest.approx(share, abs=3 * stdev(_estimates(rows)) / 3 + 0.02), label
    strong = [run.attacks["a7"].gold for run in runs]
    assert mean(row.asked for row in strong) > 3 * mean(run.attacks["a0"].gold.asked for run in runs)


def _estimates(rows: list[Row]) -> list[float]:
    """The rates as printed, or as counted where the questions were too few to print one."""
    return [row.success / row.rated if row.success_rate is None else row.success_rate for row in rows]


def test_what_needs_every_attack_is_withheld(runs: list[Figures]) -> None:
    figures = runs[0]
    assert figures.measures["standard accuracy"].value == 1
    assert figures.measures["accuracy under attack"].value is None
    attack = figures.attacks["a7"]
    assert attack.p is None
    assert not any(measure.value for measure in attack.measures.values())
    assert "weighted" in attack.gold.note
    assert attack.gold.success_rate is not None


def test_the_control_is_always_asked() -> None:
    class Control(Drop):
        name = "unchanged"

    _, events = play(plan(attacks={"unchanged": Control(), **plan().attacks}), Script(breaks), questions(20))
    ended = of(events, AttackEnded)
    assert sum(event.attack == "unchanged" for event in ended) == 20
    assert not any("unchanged" in labels for labels in met(events).values())


def test_attacks_are_chosen_as_long_as_each_finds_more_than_those_before_it() -> None:
    known = {ORIGINAL: Yield(100, 0, 300), "best": Yield(100, 240, 300), "good": Yield(100, 150, 300)}
    assert chosen(["best", "good", "new"], known) == {"best", "good"}, "the original costs as much as an attack"
    assert chosen(["best", "poor"], known | {"poor": Yield(100, 60, 300)}) == {"best"}
    assert chosen(["best", "new"], {}) == frozenset()


def test_every_attack_has_its_chance() -> None:
    labels = [f"a{number}" for number in range(12)]
    known = {ORIGINAL: Yield(100, 0, 100), "a0": Yield(100, 300, 300)}
    draws = [drawn(labels, known, Random(seed)) for seed in range(2000)]
    assert all(one["a0"] == 1 for one in draws)
    for label in labels[1:]:
        assert {one[label] for one in draws if label in one} == {12}
        assert sum(label in one for one in draws) == pytest.approx(2000 / 12, abs=50)
