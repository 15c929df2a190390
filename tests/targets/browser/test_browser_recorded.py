"""What is decided from rows alone: when an answer has settled, and what a recording still tells."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.errors import ExtractionFailed
from botattack.targets.browser.answer_watch import AnswerWatch
from botattack.targets.browser.browser_kind import Browser
from botattack.targets.browser.habits import FIRST, SHARED, WHOLE, Habits
from botattack.targets.browser.page_options import Settled
from botattack.targets.browser.recorded import BETWEEN, PageRow, Settling, changes, extract, raw_of, together
from botattack.targets.browser.tree import NotRecorded, texts
from tests.targets.asking import options
from tests.targets.browser.conftest import described

HTML = """<html><body class="dark"><main id="log">
<div class="turn me"><p>hi &amp; bye</p></div>
<div class="turn bot" data-role="assistant"><p>Paris<br>France <b>now</b></p><p class="time">12:00</p></div>
<div class="turn bot" data-role="assistant"><section><p>second</p></section><p hidden="">secret</p></div>
</main></body></html>"""


def browser(**connect: Any) -> Browser:
    settled = {"quiet": "1s"} | connect.pop("settled", {})
    made: Browser = options(Browser, described("http://127.0.0.1:1/", settled=settled, **connect))
    return made


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


MOMENTS = st.tuples(st.floats(0, 3), st.integers(0, 3), st.integers(0, 2), st.text(max_size=6), st.integers(0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("rule", [{}, {"linger": 0.0}, {"linger": 2.0}])
@given(drawn=st.lists(MOMENTS, min_size=1), gone=st.booleans())
def test_a_recording_gives_its_rows_and_its_answer_back(
    rule: dict[str, float], drawn: list[tuple[float, int, int, str, int]], gone: bool
) -> None:
    rows, at = [], 0.0
    for step, count, busy, text, coming in drawn:
        at += step
        rows.append(PageRow(round(at, 4), count, busy, 0, text, coming))
    kept = changes(rows)
    assert [a for a, b in pairwise(rows) if not a.shows(b)] == [a for a, b in pairwise(kept) if not a.shows(b)]
    assert (kept[0], kept[-1]) == (rows[0], rows[-1])
    made = Settled(quiet=1.0, gone=".typing" if gone else None, timeout=10.0, **rule)
    linger = Habits(answers=7, pause=1.0).linger(made)
    live = watched(still=1.0 + linger, gone=gone, linger=linger, most=5.0)
    seen: list[PageRow] = []
    while rows and live.settled is None:
        seen.append(rows.pop(0))
        live.see(seen[-1])
    if live.settled is None:
        return
    target = replace(browser(), settled=made)
    again = extract(raw_of(target, changes(seen), live, None), target)
    assert again.text == together(seen[-1].text, "join")
    assert again.latency == pytest.approx(live.complete, abs=0.001)


def recording(**connect: Any) -> str:
    part, whole = f"Paris{BETWEEN}sec", f"Paris{BETWEEN}second"
    seen = [(0.0, 1, 0, ""), (0.5, 3, 1, part), (0.95, 3, 1, part), (1.0, 3, 0, whole), (3.0, 3, 0, whole)]
    rows = [PageRow(at, count, busy, 0, text) for at, count, busy, text in seen]
    return raw_of(browser(**connect), rows, watched(), HTML)


def test_the_same_rows_are_read_with_other_options() -> None:
    raw = recording()
    assert extract(raw, browser()).text == "Paris\nsecond"
    assert extract(raw, browser(several="first")).text == "Paris"
    assert extract(raw, browser(several="last")).text == "second"
    assert extract(raw, browser(settled={"quiet": "400ms"})).text == "Paris\nsec"


@pytest.mark.parametrize(
    ("connect", "words"),
    [
        ({"settled": {"quiet": "3s"}}, "had not settled when the recording ended"),
        ({"settled": {"gone": ".typing"}}, "settled.gone was not watched for '.typing'"),
        ({"answer": "role=log"}, "only be looked for on the live page"),
        ({"answer": ".bot:nth-child(2)"}, "only be looked for on the live page"),
        ({"answer": "p", "settled": {"quiet": "400ms"}}, "settles before"),
    ],
)
def test_what_would_need_the_page_is_unknown(connect: dict[str, Any], words: str) -> None:
    with pytest.raises(NotRecorded, match=words) as caught:
        extract(recording(), browser(**connect))
    assert caught.value.kind == "unknown"


def test_another_selector_is_looked_for_in_the_recorded_page() -> None:
    assert extract(recording(), browser(answer="[data-role=assistant] section p")).text == "second"
    with pytest.raises(ExtractionFailed, match=r"nothing in the recorded page matches '\.none'"):
        extract(recording(), browser(answer=".none"))
    for raw in ("", "{}", "not json", recording()[:50]):
        with pytest.raises(NotRecorded):
            extract(raw, browser())


@pytest.mark.parametrize(
    ("selector", "exclude", "shown"),
    [
        (".bot", "", ["Paris\nFrance now\n12:00", "second"]),
        (".bot", ".time", ["Paris\nFrance now", "second"]),
        ("#log > .turn:not(.me)", "p", ["", ""]),
        ("main .turn p", ".me", ["Paris\nFrance now", "12:00", "second", ""]),
        ("div:has(> section)", "", ["second"]),
        ("div:has(b), div:has(section > p)", ".time", ["Paris\nFrance now", "second"]),
        ('[data-role="assistant"]:is(.bot, .x)', ".time", ["Paris\nFrance now", "second"]),
        ("[data-role^=assist][class*='BOT' i] b", "", ["now"]),
        ("p, [hidden]", ".me", ["Paris\nFrance now", "12:00", "second", ""]),
        ("[class*='a:b + c'], b", "", ["now"]),
        ("body.dark *.me", "", ["hi & bye"]),
    ],
)
def test_selectors_on_a_recorded_page(selector: str, exclude: str, shown: list[str]) -> None:
    assert texts(HTML, selector, exclude) == shown


@pytest.mark.parametrize(
    "selector",
    ["", "a +b", "a ~ b", "text=Hi", "//div", "a >> b", ":first-child", "a,", "a >", ".x::before", "[a", ":not(a"],
)
def test_selectors_that_need_the_page(selector: str) -> None:
    with pytest.raises(NotRecorded):
        texts(HTML, selector)


def test_elements_nest_as_scripts_nested_them() -> None:
    assert texts("<p><a href=''><div class=x>in</div><a>b</a></a></p><tr>c</tr>", "p > a > .x") == ["in"]


def test_html_without_end_and_without_bottom() -> None:
    deep = "<div>" * 20_000 + "end"
    with pytest.raises(NotRecorded, match="nested too deeply"):
        extract(
            raw_of(browser(), [PageRow(0, 2, 0, 0, "x"), PageRow(5, 2, 0, 0, "x")], watched(), deep),
            browser(answer="div"),
        )
