"""The pages on what was measured: differences and verdicts are those of the counts."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.measured import make_yield, pages, persian_pages
from benchmarks.measured.measure import ROOT, difference, kept
from botattack.cases import cases
from botattack.recordings.reader import events
from botattack.report.figures.ranking import overlap
from tests.recordings.kinds import recorded


def counts(rates: list[float], n: int, rng: Random) -> dict[str, tuple[int, int]]:
    return {str(i): (sum(rng.random() < rate for _ in range(n)), n) for i, rate in enumerate(rates)}


def test_the_interval_of_a_difference_holds_the_true_one_as_often_as_it_says() -> None:
    rng, held = Random(5), 0
    for _ in range(300):
        rates = [rng.betavariate(1, 2) for _ in range(60)]
        found = difference(counts(rates, 4, rng), counts([rate * 0.7 for rate in rates], 4, rng))
        assert found
        held += found[1] <= 0.3 / 3 <= found[2]
    assert 273 <= held <= 297


def test_few_questions_have_no_difference() -> None:
    assert difference({"a": (1, 2)}, {"a": (0, 2)}) is None


@pytest.mark.parametrize(
    ("interval", "close", "said"),
    [
        ([0.2, 0.1, 0.3], False, "holds"),
        ([-0.2, -0.3, -0.1], False, "the opposite holds"),
        ([0.01, -0.1, 0.12], False, "unclear"),
        ([0.01, -0.02, 0.04], True, "holds"),
        ([-0.2, -0.3, -0.1], True, "does not hold"),
        ([0.01, -0.1, 0.12], True, "unclear"),
        (None, False, "unclear (too few questions)"),
    ],
)
def test_a_verdict_is_that_of_the_interval(interval: Any, close: bool, said: str) -> None:
    table = pages.Table("t", "", "", {"one": "one", "other": "other"}, ())
    flipped = interval and [-interval[0], -interval[2], -interval[1]]
    for name, given in (("one - other", interval), ("other - one", flipped)):
        run = {"attacks": {"one": {}, "other": {}}, "differences": {name: given}}
        assert pages._verdict(table, pages.Direction("one", "other", close), run).startswith(said)


def test_the_overview_quotes_what_was_measured() -> None:
    page = (ROOT / "benchmarks" / "measured" / "attacks-measured.md").read_text("utf-8")
    dpaeg = next(line for line in page.splitlines() if line.startswith("| `dpaeg` |"))
    measured = re.findall(r"([\d.]+ %) \([^)]*\), (\d+)/(\d+)", dpaeg)
    overview = (ROOT / "docs" / "attacks.md").read_text("utf-8").partition("For example, `dpaeg` broke")[2]
    assert len(measured) == 3
    assert re.findall(r"([\d.]+ %)[^(]*\((\d+) of\s+(\d+)\)", overview)[:3] == measured


def test_the_persian_table_counts_every_question_and_the_worst_of_a_search() -> None:
    """F1 is over all questions with a gold answer, each as it was where an attack has no variant of it."""
    folder, _ = recorded("openai")
    found = persian_pages.measured(folder, lambda *_: None)
    asked = [case for case in cases(events(folder)) if case.question.answers and case.first]
    before = {case.question.id: overlap(case.reply, case.question.answers).f1 for case in asked}
    assert found["original"] == [pytest.approx(sum(before.values()) / len(before)), len(before)]
    for attack, figures in found["attacks"].items():
        after = dict(before)
        for case in asked:
            said = [one for one in case.variants if one.judged.attack == attack and one.asked and not one.judged.probe]
            if said:
                after[case.question.id] = min(overlap(one.reply, case.question.answers).f1 for one in said)
        assert figures["F1"] == pytest.approx(sum(after.values()) / len(after))
        assert 0 < figures["altered"] <= len(before)
    assert len(found["attacks"]) > 2


def test_the_persian_page_is_that_of_the_measurements(tmp_path: Path) -> None:
    persian_pages.write(kept(), tmp_path)
    assert (tmp_path / "languages.md").read_text("utf-8") == (ROOT / "docs/languages.md").read_text("utf-8")
    persian_pages.write({}, tmp_path)
    assert (tmp_path / "languages.md").read_text("utf-8").count("not measured") == 14


def test_the_page_of_yields_has_every_attack_that_it_is_about() -> None:
    rows = [line.split("`")[1] for line in make_yield.PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert rows == [*(attack.name for attack in make_yield.attacks()), *make_yield.ON_PASSAGES]
