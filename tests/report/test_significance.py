"""Tests of chance, held against published values and exact enumeration."""

from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.report.statistics.joint import Joint
from botattack.report.statistics.significance import (
    benjamini_hochberg,
    difference,
    fisher,
    mantel_haenszel,
    mcnemar,
    questions_needed,
    sign_flip,
    student_p,
)


def test_mcnemar_is_the_binomial_test() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(0, 6) == pytest.approx(2 / 64)
    assert mcnemar(4, 1) == pytest.approx(2 * (1 + 5) / 32)
    # Agresti, Categorical Data Analysis, table 10.1: 150 against 86.
    exact = 2 * sum(comb(236, k) for k in range(87)) / 2**236
    assert mcnemar(150, 86) == mcnemar(86, 150) == pytest.approx(exact, rel=1e-9)


def test_fisher_is_the_exact_test_of_one_side() -> None:
    # Fisher, The Design of Experiments: the lady names 3 of the 4 cups that had the tea first.
    assert fisher(3, 4, 1, 4) == pytest.approx(17 / 70)
    assert fisher(4, 4, 0, 4) == pytest.approx(1 / 70)
    assert fisher(30, 77, 0, 60) == pytest.approx(comb(77, 30) / comb(137, 30), rel=1e-9)
    assert [fisher(0, 9, 0, 9), fisher(5, 9, 9, 9), fisher(3, 9, 0, 0), fisher(0, 0, 2, 9)] == pytest.approx([1] * 4)


def test_mantel_haenszel_is_that_of_r() -> None:
    # mantelhaen.test(UCBAdmissions): X-squared = 1.4269, p = 0.2323 of both sides. Women and men, by department.
    women = [(89, 108), (17, 25), (202, 593), (131, 375), (94, 393), (24, 341)]
    men = [(512, 825), (353, 560), (120, 325), (138, 417), (53, 191), (22, 373)]
    tables = [(*one, *other) for one, other in zip(women, men, strict=True)]
    assert 2 * mantel_haenszel(tables) == pytest.approx(0.2323, abs=5e-5)
    assert mantel_haenszel(tables) == mantel_haenszel(reversed(tables))
    assert [mantel_haenszel(each) for each in ([], [(0, 5, 0, 2)], [(5, 5, 2, 2)], [(1, 1, 0, 0)])] == [1] * 4


@pytest.mark.parametrize("differences", [[1, 1, 1, -1, 2], [3, -1, 2, 2, 2, 1], [5, 5, 5, 5, 5, 5], [0, 0, 1]])
def test_sign_flips_come_near_the_exact_permutation(differences: list[int]) -> None:
    sums = [abs(sum(map(int.__mul__, differences, signs))) for signs in product((-1, 1), repeat=len(differences))]
    exact = sum(one >= abs(sum(differences)) for one in sums) / len(sums)
    assert sign_flip(differences, seed=1) == pytest.approx(exact, abs=0.015)
    assert sign_flip(differences, seed=1) == sign_flip(reversed(differences), seed=1)


def test_no_change_is_no_evidence() -> None:
    assert sign_flip([], seed=1) == sign_flip([0, 0], seed=1) == 1.0
    assert sign_flip([1] * 60, seed=1) == pytest.approx(1 / 10_001)


def test_benjamini_hochberg_on_the_example_of_the_paper() -> None:
    """Table of Benjamini & Hochberg 1995, section 4.2: at 5 % four of fifteen are declared."""
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528]
    p += [0.7590, 1.0]
    adjusted = benjamini_hochberg(dict(enumerate(p)))
    assert [index for index, q in adjusted.items() if q <= 0.05] == [0, 1, 2, 3]
    assert adjusted[0] == pytest.approx(0.0015)
    assert adjusted[14] == 1.0
    assert benjamini_hochberg({}) == {}


@given(st.dictionaries(st.integers(), st.floats(0, 1), min_size=1))
def test_adjusting_keeps_the_order_and_never_lessens(p_values: dict[int, float]) -> None:
    adjusted = benjamini_hochberg(p_values)
    assert all(p_values[name] <= adjusted[name] <= 1 for name in p_values)
    ranked = sorted(p_values, key=lambda name: p_values[name])
    assert [adjusted[name] for name in ranked] == sorted(adjusted.values())


@pytest.mark.parametrize(
    ("t", "freedom", "p"), [(2.093024, 19, 0.05), (2.860935, 19, 0.01), (1.959964, 10**7, 0.05), (12.7062, 1, 0.05)]
)
def test_student_against_tables(t: float, freedom: int, p: float) -> None:
    assert student_p(t, freedom) == student_p(-t, freedom) == pytest.approx(p, rel=1e-4)
    assert student_p(0, freedom) == 1.0


def test_differences_by_newcombes_example() -> None:
    """Newcombe 1998 (Statistics in Medicine 17, 873), method 10, example (a): 56/70 less 48/80, .0524 to .3339."""
    from botattack.report.statistics.intervals import wilson

    low, high = difference(56 / 70, wilson(56, 70), 48 / 80, wilson(48, 80))
    assert (low, high) == pytest.approx((0.0524, 0.3339), abs=1e-4)


def test_questions_needed() -> None:
    assert questions_needed(0.1) == int(7.8489 * 0.1 / 0.0025) + 1
    assert questions_needed(0.0) == questions_needed(0.05 * 0.95)
    assert questions_needed(0.1, 0.1) < questions_needed(0.1)


def test_joint_rates_are_those_of_the_counts() -> None:
    joint = Joint()
    for number in range(40):
        joint.add({"a": (number % 2, 1), "b": (3 * (number % 4 == 0), 3), "unchanged": (1, 1)})
    assert (joint.rate("a"), joint.rate("b")) == (0.5, 0.25)
    mean, (low, high) = joint.macro(["a", "b"]) or (0, (0, 0))
    assert mean == 0.375
    assert low < mean < high
    assert joint.macro(["a", "none"]) is None
    p = joint.p_of_less("a")
    assert p is not None
    assert p < 0.001
    assert joint.p_of_less("unchanged") == 1.0


@pytest.mark.parametrize(("questions", "variants", "errs"), [(20, 5, 0.05), (27, 5, 0.05), (60, 5, 0.02), (60, 2, 0.2)])
@pytest.mark.parametrize("together", [False, True])
def test_noise_is_seldom_taken_for_an_attack(questions: int, variants: int, errs: float, together: bool) -> None:
    """Of bots that err whatever is asked, in single replies or in all of an attack on a question `together`."""
    random, claims, runs = Random(7), 0, 300
    for _ in range(runs):
        joint = Joint()
        for _ in range(questions):
            joint.add({name: _right(random, n, errs, together) for name, n in (("a", variants), ("unchanged", 1))})
        claims += (joint.p_of_less("a") or 0) < 0.05
    assert claims <= 0.07 * runs


def _right(random: Random, n: int, errs: float, together: bool) -> tuple[int, int]:
    return n * (random.random() >= errs) if together else sum(random.random() >= errs for _ in range(n)), n


@pytest.mark.parametrize(("questions", "both", "one"), [(27, 4, 4), (20, 4, 3)])
def test_few_questions_that_break_for_sure_are_claimed(questions: int, both: int, one: int) -> None:
    """Of two versions of each question, both or one broke some, and no unchanged question broke."""
    joint = Joint()
    for number in range(questions):
        joint.add({"a": (2 - (number < both) - (number < both + one), 2), "unchanged": (1, 1)})
    assert (joint.p_of_less("a") or 1) < 0.05 / 4  # beside three attacks that break nothing


def test_a_macro_interval_of_one_rate_is_the_paired_one() -> None:
    """With one outcome a question it is the textbook interval of a share."""
    joint = Joint()
    for number in range(100):
        joint.add({"a": (number < 30, 1)})
    mean, (low, high) = joint.macro(["a"]) or (0, (0, 0))
    half = 1.984217 * (0.3 * 0.7 / 99) ** 0.5
    assert (mean, low, high) == pytest.approx((0.3, 0.3 - half, 0.3 + half), abs=1e-6)
