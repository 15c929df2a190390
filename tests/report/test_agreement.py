"""Coefficients of agreement, against the worked examples that their authors published."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from botattack.report.statistics.agreement import Same, fleiss_kappa, krippendorff_alpha, pairs

FLEISS_1971 = """
444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333 144444 224445
333335 111455 111112 224444 133555 555555 244444 224555 114444 144445 222224 111155 224444 133333 555555
"""
"""30 patients, each diagnosed by six psychiatrists: 1 depression, 2 personality disorder, 3 schizophrenia, 4 neurosis,
5 other. Psychological Bulletin 76, table 1."""
BINARY = "0100000010", "1110010000"
"""Krippendorff 2011, A: two observers, ten units."""
FOUR = "123321412...", "1233224125.3", ".3332342251.", "12332441251."
"""The same, C: four observers, twelve units, some not read."""


def _items(*readers: Iterable[str]) -> list[dict[str, str]]:
    columns = zip(*readers, strict=True)
    return [{f"r{n}": label for n, label in enumerate(column) if label != "."} for column in columns]


def test_fleiss_kappa_is_that_of_the_paper() -> None:
    found = fleiss_kappa(_items(*zip(*FLEISS_1971.split(), strict=True)))

    assert found.items == 30
    assert found.value == pytest.approx(0.4302445, abs=1e-7)
    assert found.interval is not None
    assert 0.2 < found.interval[0] < 0.43 < found.interval[1] < 0.7


def test_krippendorff_alpha_of_two_observers_and_two_values() -> None:
    assert krippendorff_alpha(_items(*BINARY)).value == pytest.approx(0.095, abs=0.0005)


def test_krippendorff_alpha_of_missing_readings_on_each_scale() -> None:
    items = _items(*FOUR)

    assert krippendorff_alpha(items).value == pytest.approx(0.743, abs=0.0005)
    assert krippendorff_alpha(items, "ordinal").value == pytest.approx(0.815, abs=0.0005)
    assert krippendorff_alpha(items).items == 11  # one unit has a single reader


def test_the_order_of_items_and_readers_changes_nothing() -> None:
    items = _items(*FOUR)
    turned = [dict(reversed(item.items())) for item in reversed(items)]

    assert krippendorff_alpha(turned, seed=3) == krippendorff_alpha(items, seed=3)
    assert fleiss_kappa(turned, seed=3) == fleiss_kappa(items, seed=3)


def test_readers_who_always_say_the_same_prove_no_agreement() -> None:
    found = krippendorff_alpha([{"one": "same", "two": "same"}] * 5)

    assert (found.value, found.interval, found.items) == (None, None, 5)
    assert fleiss_kappa([]).value is None


def test_pairs_count_what_both_have_read() -> None:
    items = [{"b": "x", "a": "x"}, {"a": "x", "b": "y", "c": "y"}, {"c": "x"}]

    assert pairs(items) == (Same(("a", "b"), 1, 2), Same(("a", "c"), 0, 1), Same(("b", "c"), 1, 1))
