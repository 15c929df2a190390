"""The page on games is that of the measurements."""

from __future__ import annotations

import pytest

from benchmarks.measured import measure_games
from botattack.games.friends import Deal


def test_the_page_says_what_is_kept() -> None:
    page = measure_games.PAGE.read_text("utf-8")
    assert page == measure_games.written(page, measure_games.kept())
    assert measure_games.page({}).count("not measured") == len(measure_games.TITLES)
    assert set(measure_games.kept()) == set(measure_games.FILES)


def test_f1_of_what_is_mentioned() -> None:
    deal = Deal(("Name", "Major"), ((("Ann", "Law"),), (("Ann", "Law"),)), ("Ann", "Law"))
    one, other = measure_games.entities(deal, "ann studies Law"), measure_games.entities(deal, "Ann?")
    assert measure_games.f1(one, other) == pytest.approx(2 / 3)
    assert measure_games.f1(frozenset(), frozenset()) == 1
    assert measure_games.f1(one, frozenset()) == 0
