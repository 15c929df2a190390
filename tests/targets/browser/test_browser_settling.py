"""What is decided from rows alone: when an answer has settled."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.targets.browser.answer_watch import AnswerWatch
from botattack.targets.browser.page_options import Settled
from botattack.targets.browser.settling import BETWEEN, FIRST, SHARED, WHOLE, Habits, PageRow, Settling


def settle(rows: list[PageRow], **rule: Any) -> Settling:
    settling = Settling(**({"still": 1.0, "gone": False, "done": False, "before": 1} | rule))
    for row in rows:
        if settling.see(row):
            break
    return settling


def test_quiet_counts_from_the_last_change() -> None:
    rows = [
        PageRow(0.0, 1, 0, 0, ""),
        PageRow(0.5, 2, 0, 0, "a"),
        PageRow(1.4, 2, 0, 0, "ab"),
        PageRow(2.3, 2, 0, 0, "ab"),
    ]
    assert settle(rows).settled is None
    found = settle([*rows, PageRow(2.4, 2, 0, 0, "ab")])
    assert (found.settled, found.complete, found.first) == (2.4, 1.4, 0.5)


def test_signs() -> None:
    busy = [PageRow(0.1, 2, 1, 0, "a"), PageRow(1.5, 2, 1, 0, "a")]
    assert settle(busy, gone=True).settled is None
    found = settle([*busy, PageRow(3.0, 2, 0, 0, "a")], gone=True)
    assert (found.settled, found.complete) == (3.0, 3.0)
    assert settle([PageRow(0.1, 2, 1, 0, "a"), PageRow(1.5, 2, 1, 1, "a")], gone=True, done=True).settled == 1.5
    assert settle([PageRow(0.1, 2, 0, 1, "a"), PageRow(1.5, 2, 0, 1, "a")], done=True, done_before=1).settled is None
    dipped = [PageRow(0.1, 2, 0, 0, "a"), PageRow(1.5, 2, 0, 1, "a")]
    assert settle(dipped, done=True, done_before=1).settled == 1.5


def test_an_empty_message_is_no_answer() -> None:
    assert settle([PageRow(0.1, 2, 0, 0, f" {BETWEEN}\n"), PageRow(9.0, 2, 0, 0, f" {BETWEEN}\n")]).settled is None


@given(
    st.lists(st.floats(0.01, 0.99), min_size=1, max_size=12),
    st.lists(st.floats(0.001, 0.4), max_size=80),
)
def test_pauses_shorter_than_the_quiet_time_never_cut(pauses: list[float], steps: list[float]) -> None:
    """Changes at any moments less than `quiet` apart, looked at whenever: what settles is always the whole text."""
    moments = list(accumulate(pauses))
    whole = "x" * len(moments)
    rows: list[PageRow] = []
    for at in accumulate([*steps, *[0.3] * 60]):
        text = "x" * sum(moment <= at for moment in moments)
        rows.append(PageRow(at, 1 + bool(text), 0, 0, text))
    found = settle(rows)
    assert found.settled is not None
    assert next(row.text for row in rows if row.at == found.settled) == whole


def test_an_answer_that_went_on_after_it_looked_complete_is_watched_for_longer() -> None:
    rows = [PageRow(0.5, 2, 0, 0, "a"), PageRow(1.45, 2, 0, 0, "ab"), PageRow(2.5, 2, 0, 0, "ab")]
    assert settle(rows, still=1.0, linger=0.5).settled == 2.5
    found = settle(rows, still=1.0, linger=0.5, most=10.0)
    assert found.settled is None
    assert (found.silence, found.linger, found.still) == pytest.approx((0.95, 0.64, 1.14))
    assert settle([*rows, PageRow(3.1, 2, 0, 0, "ab")], still=1.0, linger=0.5, most=10.0).settled == 3.1
    assert settle(rows, still=1.0, linger=0.5, most=0.5).settled == 2.5


def test_a_pause_under_a_busy_sign_is_no_silence() -> None:
    found = settle([PageRow(0.5, 2, 1, 0, "a"), PageRow(5.0, 2, 1, 0, "ab")], gone=True, most=10.0)
    assert (found.pause, found.silence) == (4.5, 0.0)


def test_a_response_that_is_still_coming_keeps_the_answer_open() -> None:
    rows = [PageRow(0.1, 2, 0, 0, "a", coming=1), PageRow(9.0, 2, 0, 0, "a", coming=1)]
    assert settle(rows).settled is None
    assert settle([*rows, PageRow(9.1, 2, 0, 0, "a")]).settled == 9.1
    assert settle(rows, gone=True).settled is None
    assert settle([*rows, PageRow(9.1, 2, 0, 1, "a", coming=1)], done=True).settled == 9.1


def test_an_answer_must_look_complete_for_as_long_as_it_is_watched() -> None:
    rows = [PageRow(0.1, 2, 1, 0, "a"), PageRow(5.0, 2, 0, 0, "a"), PageRow(5.9, 2, 0, 0, "a")]
    assert settle(rows, gone=True, still=2.0, linger=1.0).settled is None
    assert settle([*rows, PageRow(6.0, 2, 0, 0, "a")], gone=True, still=2.0, linger=1.0).settled == 6.0


def test_only_a_response_that_was_open_when_the_text_changed_can_bring_more_of_it() -> None:
    watch = AnswerWatch(watched(), None, 0.0, echoed=True)  # type: ignore[arg-type]

    def coming(text: str, *now: str) -> int:
        found = watch.coming(text, frozenset(now))
        watch.see(PageRow(0.0, 2, 0, 0, text, found))
        return found

    assert [coming("", "stream"), coming("a", "stream"), coming("a", "stream", "poll")] == [0, 1, 1]
    assert [coming("ab", "stream", "next poll"), coming("ab", "next poll")] == [1, 0]


RULE = Settled(quiet=0.8)


def answered(*texts: tuple[float, str]) -> Settling:
    return settle([PageRow(at, 2, 0, 0, text) for at, text in texts], still=99.0)


def test_first_answers_are_watched_for_longer_than_later_ones() -> None:
    habits = Habits()
    assert habits.linger(RULE) == FIRST
    assert habits.linger(Settled(quiet=0.8, linger=0.0)) == 0.0
    for _ in range(WHOLE):
        habits.took(answered((0.1, "whole")))
    assert habits.linger(RULE) == 0.4
    habits.took(answered((0.1, "in "), (0.3, "in pieces")))
    lingers = []
    for _ in range(60):
        lingers.append(habits.linger(RULE))
        habits.took(answered((0.1, "in "), (0.3, "in pieces")))
    assert lingers[0] == SHARED / 5
    assert lingers == sorted(lingers, reverse=True)
    assert lingers[10] == pytest.approx(SHARED / 15)
    assert lingers[-1] == 0.4


def test_a_silence_inside_one_answer_is_waited_for_in_all_later_ones() -> None:
    habits = Habits(answers=1000)
    habits.took(answered((0.1, "in "), (2.1, "in pieces")))
    assert RULE.quiet + habits.linger(RULE) == pytest.approx(1.2 * 2.0)
    assert habits.linger(Settled(quiet=0.8, linger=0.0)) == pytest.approx(1.6)
    assert habits.linger(Settled(quiet=0.8, timeout=3.0)) == 1.5
    habits.took_too_early(4.0)
    assert (habits.grown, habits.linger(RULE)) == (1, pytest.approx(4.0))


def watched(before: int = 1, **rule: Any) -> Settling:
    return Settling(**({"still": 0.0, "gone": False, "done": False, "before": before} | rule))
