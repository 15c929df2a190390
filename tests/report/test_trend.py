"""Nights in a row: the page, and the night on which something changed."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from botattack.events import Event, HeldGate, Mark, Marked, OriginalJudged, QuestionOpened
from botattack.report.comparison.diff import compare
from botattack.report.comparison.trend import Bisect, History, State, unit_states
from botattack.report.figures.metrics import figures_of
from botattack.report.stories.comparison import first_line, right_again, since
from botattack.report.stories.trend import ShownRun, charts, counted, story
from botattack.report.story.in_html import page as page_of
from tests.report.streams import Asking, Try, edit, ended, stream
from tests.report.test_terminal import HOSTILE

TEXT = "what is the capital of france"
TYPO = (edit(TEXT, "capital", "captial"),)
SLIPS = (TYPO, (edit(TEXT, "france", "frnace"),))


def night(day: int, wrong: int, broken: int, questions: int = 30, variants: int = 1) -> list[Event]:
    """The first `wrong` originals are wrong, the variants of the last `broken` questions break."""
    askings = [
        Asking(
            f"{TEXT} {number}",
            standing="wrong" if number < wrong else "kept",
            tries=tuple(Try("wrong" if number >= questions - broken else "correct", slip) for slip in SLIPS[:variants]),
            reply=HOSTILE,
            attacked=True,
        )
        for number in range(questions)
    ]
    return stream(askings, end=ended(), run=f"night-{day}", started=f"2026-11-{day:02}T02:30:00Z")


NIGHTS = [night(1, 0, 5), night(2, 0, 5), night(3, 2, 5), night(4, 2, 8), night(5, 1, 4)]


def bisected() -> Bisect:
    tracks = Bisect()
    for day, events in enumerate(NIGHTS, 1):
        tracks.add(f"night-{day}", f"2026-11-{day:02}", unit_states(events))
    return tracks


def test_a_night_says_which_answers_the_run_before_had_lost() -> None:
    found, nights = compare(NIGHTS[0], NIGHTS[4]), bisected()
    said = since(found, nights, right_again(found, nights)).headline
    assert said.endswith(f" 1 answer that the run before had lost is right again: {TEXT} 1.")
    assert not right_again(compare(NIGHTS[0], NIGHTS[3]), nights)


def test_the_first_night_on_which_a_question_turned_over_is_named() -> None:
    flips = [(flip.row, flip.broke, flip.first, flip.fixed_in, flip.shown) for flip in bisected().flips()]
    assert flips == [
        ("originals", True, "night-3", "", f"{TEXT} 0"),
        *(
            ("dpaeg", True, "night-4", "night-5", f"what is the [capital → captial] of france {n}")
            for n in (22, 23, 24)
        ),
        ("originals", True, "night-3", "night-5", f"{TEXT} 1"),
        ("dpaeg", False, "night-5", "", "what is the [capital → captial] of france 25"),
    ]


@pytest.mark.parametrize(
    ("standing", "verdict", "state"),
    [("kept", "wrong", "held"), ("kept", "correct", "broke"), ("wrong", "wrong", ""), ("wrong", "correct", "")],
)
def test_a_change_to_notice_counts_as_in_the_report_of_the_run(standing: str, verdict: str, state: str) -> None:
    """With a wrong original nobody knows what another right answer is."""
    negated = Try(verdict, TYPO, "negate", expect="different", meaning="changed")  # type: ignore[arg-type]
    asked = Asking(TEXT, standing=standing, tries=(negated,), attacked=True)  # type: ignore[arg-type]
    events = stream([asked], {"negate": "different"}, end=ended())
    (seen,) = (seen.state for seen in unit_states(events) if seen.key[0] == "negate")
    broken = figures_of(events).broken
    assert (seen, broken.answers, broken.rated) == (state, int(state == "broke"), int(bool(state)))


@pytest.mark.slow
def test_the_last_night_comes_first_as_the_night_itself_said_it() -> None:
    for number in range(1, len(NIGHTS) + 1):
        shown = [ShownRun(f"night-{day}", figures_of(events)) for day, events in enumerate(NIGHTS[:number], 1)]
        found = compare(NIGHTS[0], NIGHTS[number - 1]) if number > 1 else None
        said = story("alice", shown, bisected().flips(), comparison=found).headline
        assert said.startswith(f"Last night, {number} Nov 2026: ")
        assert (first_line(found) if found else "no other run") in said


def test_a_question_that_a_recording_has_lost_still_turns_over() -> None:
    tracks = Bisect()
    for day in (4, 5):
        told = [event for event in NIGHTS[day - 1] if not isinstance(event, QuestionOpened)]
        tracks.add(f"night-{day}", f"2026-11-{day:02}", unit_states(told))
    flips = tracks.flips()
    assert {flip.alteration.question for flip in flips} == {""}
    assert [flip.shown for flip in flips] == [
        f"{TEXT} 1",
        *(f"what is the captial of france {n}" for n in range(22, 26)),
    ]


def test_the_page() -> None:
    nights = [ShownRun(f"night-{day}", figures_of(events)) for day, events in enumerate(NIGHTS, 1)]
    page = page_of(story(f"alice {HOSTILE}", nights, bisected().flips()))
    assert "<script" not in page
    assert "alert(1)</" not in page.replace("&lt;script&gt;alert(1)&lt;/script&gt;", "")
    assert not [sign for sign in "\x1b\x07\x9b\u202e\u200b" if sign in page]
    assert not re.search(r"(src|href)=", page)
    assert page.count('class="dot"') == sum(p.share is not None for chart in charts(nights) for p in chart.points)
    assert "share broken by dpaeg: 13.8 %" in page
    assert "night-3" in page
    heads = re.findall(r"<th\b[^>]*>(?:<[^>]*>)*([^<]*)", page.partition(">Runs<")[2])
    assert heads[:3] == ["run", "exit", "questions"]


def test_a_bot_without_gold_answers_has_charts_of_its_own() -> None:
    asked = [
        Asking(f"{TEXT} {n}", answers=(), reference="own", tries=(Try("wrong" if n < 6 else "correct", TYPO),))
        for n in range(30)
    ]
    gate = HeldGate(metric="success_rate", attack="dpaeg", at_most=0.5)
    nights = [ShownRun(str(n), figures_of(stream(asked, end=ended(gates=(gate,))))) for n in (1, 2)]
    (chart,) = charts(nights)
    assert (chart.name, chart.latest) == ("share broken by dpaeg (own reference)", "20.0 %")


def test_a_night_with_too_little_to_say_is_a_gap() -> None:
    nights = [ShownRun(str(n), figures_of(night(n, 0, 5, 30 if n != 2 else 10))) for n in (1, 2, 3, 4)]
    chart = next(chart for chart in charts(nights) if chart.name == "share broken by dpaeg")
    assert [point.share is None for point in chart.points] == [False, True, False, False]
    drawn = re.findall(r'points="([^"]+)"', page_of(story("alice", nights, [])))
    assert {len(line.split()) for line in drawn} == {1, 2}


@pytest.mark.parametrize(("variants", "beside"), [(1, " (and 1 variant of it)"), (2, " (and 2 variants of it)")])
def test_variants_that_went_with_their_original_are_counted_with_it(variants: int, beside: str) -> None:
    tracks = Bisect()
    for day, (wrong, broken) in enumerate([(0, 0), (2, 30)], 1):
        tracks.add(f"night-{day}", f"2026-11-{day:02}", unit_states(night(day, wrong, broken, variants=variants)))
    flips = tracks.flips()
    assert [(flip.row, flip.variants) for flip in flips[:2]] == [("originals", variants)] * 2
    assert flips[0].beside == beside
    assert len(flips) == 2 + 28 * variants


@pytest.mark.parametrize("marked", range(3))
def test_a_marked_question_breaks_neither_itself_nor_by_its_variants(marked: int) -> None:
    tracks = Bisect()
    for day, wrong in enumerate((0, 2), 1):
        told = night(day, wrong, 30 * (day > 1))
        lost = [event for event in told if isinstance(event, OriginalJudged) and event.standing == "wrong"]
        known = Mark("accepted", "known")
        marks: dict[int, Event] = {
            id(event): Marked(question=event.question, of="alice", mark=known, judged=event, holds=True)
            for event in lost[:marked]
        }
        tracks.add(f"night-{day}", f"2026-11-{day:02}", unit_states([marks.get(id(event), event) for event in told]))
    flips = tracks.flips()
    assert sum(flip.row == "originals" for flip in flips) == 2 - marked
    assert len(flips) == 30 - marked


def test_runs_are_told_apart() -> None:
    gate = HeldGate(metric="success_rate", attack="dpaeg", at_most=0.5)
    figures = []
    for hour in (1, 2, 3):
        told = night(1, 0, 5)
        told[0] = replace(told[0], started=f"2026-11-01T0{hour}:30:00Z")
        told[-1] = ended(gates=(gate,))
        figures.append(figures_of(told))
    nights = [ShownRun("a", figures[0], "run", baseline=True), *(ShownRun(str(n), figures[n]) for n in (1, 2))]
    assert counted(nights) == "2 nights and 1 other run"
    chart = next(chart for chart in charts(nights) if chart.name == "share broken by dpaeg")
    assert [point.day for point in chart.points] == ["11-01 01:30", "11-01 02:30", "11-01 03:30"]
    assert [point.marked for point in chart.points] == [True, False, False]
    page = page_of(story("alice", nights, []))
    assert page.count('class="base"') == len(charts(nights))
    assert "share broken by dpaeg is 16.7 %, at most 50.0 %" in page


def test_the_first_and_the_last_label_stay_inside_the_chart() -> None:
    nights = [ShownRun(str(number), figures_of(night(number, 0, 5)), "run") for number in (1, 2, 3)]
    page = page_of(story("alice", nights, []))
    below = [end for end in re.findall(r'text-anchor="(\w+)">[-\d]+<', page) if end]
    assert below[:3] == ["start", "middle", "end"]


def test_what_goes_back_and_forth_is_flaky() -> None:
    wrong = (0, 1, 0, 1, 1, 0)
    tracks = Bisect()
    for day, many in enumerate(wrong, 1):
        tracks.add(f"night-{day}", f"2026-11-{day:02}", unit_states(night(day, many, 0)))
    (flip,) = (flip for flip in tracks.flips() if flip.row == "originals")
    assert (flip.history.signs, flip.history.changes, flip.history.flaky) == ("✓✗✓✗✗✓", 4, True)
    nights = [ShownRun(f"night-{day}", figures_of(night(day, many, 0))) for day, many in enumerate(wrong, 1)]
    page = page_of(story("alice", nights, tracks.flips()))
    assert "✓✗✓✗✗✓" in page
    assert "flaky: it changed 4 times in 6 runs" in page


@pytest.mark.parametrize(
    ("standings", "signs", "flip"),
    [
        ("kept kept", "✓✓", None),
        ("kept wrong", "✓✗", (True, "night-2", "")),
        ("kept refused wrong", "✓✗✗", (True, "night-2", "")),
        ("kept wrong kept", "✓✗✓", (True, "night-2", "night-3")),
        ("kept wrong kept wrong", "✓✗✓✗", (True, "night-4", "")),
        ("wrong kept", "✗✓", (False, "night-2", "")),
        ("wrong kept kept", "✗✓✓", (False, "night-2", "")),
        ("kept unstable kept", "✓~✓", None),
        ("kept unstable wrong", "✓~✗", (True, "night-3", "")),
        ("unstable kept wrong", "·✓✗", (True, "night-3", "")),
        ("kept error wrong", "✓·✗", (True, "night-3", "")),
        ("error kept", "·✓", None),
        ("kept unsure kept", "✓·✓", None),
        ("unsure wrong", "·✗", None),
        ("unsure kept wrong", "·✓✗", (True, "night-3", "")),
    ],
)
def test_the_states_of_a_question_over_the_nights(
    standings: str, signs: str, flip: tuple[bool, str, str] | None
) -> None:
    """What is not decided changes nothing."""
    tracks = Bisect()
    for day, standing in enumerate(standings.split(), 1):
        asked = Asking(TEXT, standing=standing)  # type: ignore[arg-type]
        tracks.add(f"night-{day}", f"2026-11-{day:02}", unit_states(stream([asked], end=ended())))
    assert tracks.history(("originals", Asking(TEXT).question.id, "original.0")).signs == signs
    assert [(found.broke, found.first, found.fixed_in) for found in tracks.flips()] == ([flip] if flip else [])
    for found in tracks.flips():
        assert (found.day, found.history.signs) == (f"2026-11-0{found.first[-1]}", signs)
        again = f", right again on 2026-11-0{found.fixed_in[-1:]}, {found.fixed_in}" if found.fixed_in else ""
        assert found.since_fixed == again


@pytest.mark.parametrize(
    ("states", "told"),
    [
        (["held", "broke", "held"], ""),
        (["held", "broke", "held", "broke"], "flaky: it changed 3 times in 4 runs"),
        (["mixed", "mixed"], ""),
        (["mixed", "mixed", "mixed", "", "unsure"], "flaky: it changed 3 times in 5 runs"),
        (["held", "broke", "", "unsure", "held", "mixed"], "flaky: it changed 3 times in 6 runs"),
    ],
)
def test_three_changes_are_flaky(states: list[State], told: str) -> None:
    assert History(tuple(states)).told == told


def test_a_break_and_its_fix_are_not_flaky_and_wavering_askings_are() -> None:
    assert not History(("held", "held", "broke", "broke", "held")).flaky
    assert History(("held", "mixed", "", "mixed", "mixed")).flaky
    assert History(("held", "mixed", "", "broke")).signs == "✓~·✗"
    assert History().told == ""
    assert all(flip.history.signs for flip in bisected().flips())
