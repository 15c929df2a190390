"""The example of white-box training: its page says what was measured, and the figures are those of the counts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

HERE = Path(__file__).parents[2] / "examples" / "white-box"
sys.path.append(str(HERE))  # modules of a program that is no package; none of these needs torch

import comparing  # noqa: E402
import page  # noqa: E402
import sets  # noqa: E402

README = (HERE / "README.md").read_text("utf-8")
RESULTS = json.loads((HERE / "results.json").read_text("utf-8"))
DIFFERENCE = re.compile(r"([+−][\d.]+) \(([+−][\d.]+) to ([+−][\d.]+)\)")

LEARNS = """
import sys
sys.path.append(sys.argv[1])
from methods import Settings, TrainingSet, train

asked = [("the", "longest", "river"), ("the", "shortest", "river"), ("all", "rivers")]
forms = [("argmax", "river"), ("argmin", "river"), ("river",)]
for method in ("plain", "fgm", "pgd", "max-margin"):
    other = {asked[0]: [asked[1]], asked[1]: [asked[0]]} if method == "max-margin" else {}
    data = TrainingSet(tuple(zip(asked, forms, strict=True)), other)
    settings = Settings(method, updates=60, least=1)
    parser = train(data, settings, 1)
    found = [tuple(form) for form in parser.parsed(asked)]
    assert found == forms, (method, found)
    few = Settings(method, updates=10, least=1)
    first, again = (train(data, few, 1).parameters() for _ in range(2))
    assert all((one == same).all() for one, same in zip(first, again, strict=True)), method
"""
"""A program for a Python that has torch; one process for all methods, as importing torch costs most of it."""


def numbers(text: str) -> list[float]:
    return [float(number.replace("−", "-")) for number in text]


def test_the_tables_are_those_of_the_results() -> None:
    assert "\n".join(page.tables(RESULTS)) in README


def test_what_is_bold_is_sure_and_nothing_else() -> None:
    cells = [cell for line in README.splitlines() for cell in re.findall(r"\| (\**[\d.]+: [^|]+) ", line)]
    assert len(cells) > 20
    for cell in cells:
        _, low, high = numbers(DIFFERENCE.search(cell).groups())
        assert cell.startswith("**") == (low > 0 or high < 0) or 0 in (low, high)


def test_verdicts_follow_from_the_intervals_that_are_shown() -> None:
    said = re.findall(r"(holds|the opposite holds|does not hold|unclear): (" + DIFFERENCE.pattern + ")", README)
    assert len(said) >= 12
    for word, _, *shown in said:
        _, low, high = numbers(shown)
        assert (word == "unclear") <= (low <= 0 <= high)
        assert (word in ("does not hold", "the opposite holds")) <= (low >= 0 or high <= 0)


def test_every_method_of_both_papers_was_measured_with_three_seeds() -> None:
    geo = RESULTS["sets"]["geo"]
    assert list(geo["methods"]) == list(page.METHODS)
    for found in geo["methods"].values():
        assert all(len(figure["seeds"]) == RESULTS["seeds"] == 3 for figure in found.values())


@pytest.mark.parametrize(
    ("direction", "difference", "word"),
    [
        (1, (0.1, 0.02, 0.2), "holds"),
        (1, (0.1, -0.02, 0.2), "unclear"),
        (1, (-0.1, -0.2, -0.02), "the opposite holds"),
        (-1, (-0.1, -0.2, -0.02), "holds"),
        (-1, (0.1, 0.02, 0.2), "the opposite holds"),
        (0, (0.01, -0.04, 0.05), "holds"),
        (0, (0.02, 0.01, 0.03), "holds"),
        (0, (0.01, -0.07, 0.09), "unclear"),
        (0, (0.2, 0.1, 0.3), "does not hold"),
        (0, None, "not measured"),
    ],
)
def test_a_verdict_is_that_of_the_interval(direction: int, difference: Any, word: str) -> None:
    assert page.verdict(direction, difference) == word


def counted(rate: float, rng: Random) -> dict[str, Any]:
    """A question with four variants of one attack."""
    right = [int(rng.random() < rate) for _ in range(5)]
    same = {"attack": [4, sum(right[1:])]}
    return {
        "right": right[0],
        "f1": 1.0,
        "same": same,
        "same f1": 4.0,
        "changed": {},
        "changed f1": 0.0,
        "harder": [1, 0],
    }


@pytest.mark.slow
def test_an_interval_contains_the_true_difference_as_often_as_it_says() -> None:
    rng, contained = Random(3), 0
    for _ in range(200):
        rates = [rng.betavariate(1, 2) for _ in range(60)]
        scores = {
            name: [[counted(rate * share, rng) for rate in rates] for _ in range(3)]
            for name, share in (("plain", 1), ("other", 0.7))
        }
        _, low, high = comparing.figures(scores, "plain", 300)["other"]["perturbation"]["difference"]
        contained += low <= -0.3 / 3 <= high
    assert contained >= 184


def test_figures_are_ratios_of_sums() -> None:
    first = counted(0, Random(1)) | {"right": 1, "same": {"a": [2, 1], "b": [1, 1]}, "harder": [2, 1]}
    second = counted(0, Random(1)) | {"right": 0, "same": {"a": [1, 1]}, "changed": {"n": [3, 1]}, "harder": [1, 1]}
    found = comparing.figures({"plain": [[first, second]]}, "plain", 10)["plain"]
    values = {metric: (figure["value"], figure["n"]) for metric, figure in found.items()}
    assert values["standard"] == (0.5, 2)
    assert values["perturbation"] == (0.75, 4)
    assert values["robust"] == (0.6667, 3)
    assert values["black-box"] == (0.3333, 3)
    assert values["must change: kept"] == (0.3333, 3)
    assert "must change: changes" not in values


def test_names_are_replaced_before_parsing_and_written_after() -> None:
    form = "( capital:c new_york:s )"
    names = sets.Names.of([form, "( loc:t $0 new_york_ny:c )", "( len:i ohio_river:r )", "ohio:s"])
    words, meant = names.replaced("what is the capital of new york or the ohio river")
    assert words == ["what", "is", "the", "capital", "of", "@c+s0", "or", "the", "@r0"]
    tokens = sets.form_tokens(form, meant)
    assert tokens == ["(", "capital:c", "@c+s0:s", ")"]
    assert sets.written(tokens, meant) == form


def _has_torch(python: str) -> bool:
    looks = "import sys; from importlib.util import find_spec; sys.exit(find_spec('torch') is None)"
    return subprocess.run([python, "-c", looks], env={}, capture_output=True, check=False).returncode == 0


@pytest.mark.slow
def test_every_way_of_training_teaches_what_it_is_shown() -> None:
    pythons = [sys.executable, "/usr/bin/python3"]
    python = next((one for one in pythons if _has_torch(one)), None)
    if python is None:
        pytest.skip("the example needs torch")
    command = [python, "-W", "ignore", "-c", LEARNS, str(HERE)]
    subprocess.run(command, env={"OMP_NUM_THREADS": "1"}, check=True)
