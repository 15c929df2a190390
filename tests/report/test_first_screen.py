"""The first screen of the page: which figures it gives, of what, and what each failure was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from botattack.config.docstrings import described
from botattack.events import AttackEnded, Event, QuestionClosed
from botattack.model import Edit
from botattack.report.stories import first_screen
from botattack.report.stories.attack_figures import most_broken
from botattack.report.story.blocks import Figure
from botattack.report.wording import outcomes
from botattack.report.writers.material import material
from tests.report.streams import Asking, Try, ended, stream
from tests.report.test_html import page

TYPO = (Edit(0, "w", "v", "typo"),)


def run(noise: int = 0) -> list[Event]:
    """Of 24 attacked questions, 6 are not answered and 12 answered wrongly; `noise` break unchanged, too."""
    kinds = ("refused",) * 6 + ("wrong",) * 12 + ("correct",) * 6
    tries = [
        (Try(kind, TYPO), Try("wrong" if number < noise else "correct", attack="unchanged"))
        for number, kind in enumerate(kinds)
    ]
    return stream([Asking(f"w{number}", tries=each) for number, each in enumerate(tries)], end=ended())


def ends(asking: Asking, **how: int) -> list[Event]:
    """What becomes of a question of which nothing is asked."""
    *events, closed = asking.events()
    assert isinstance(closed, QuestionClosed)
    return [*events, AttackEnded(question=asking.question.id, attack="dpaeg", existing=0, **how), closed]


def cards_of(events: list[Event]) -> list[Figure]:
    return list(first_screen.cards(material(lambda: events).figures))


def test_questions_that_no_attack_altered_are_named_apart() -> None:
    events, end = run()[:-1], run()[-1]
    events += ends(Asking("p"), variants=0) + ends(Asking("q"), variants=2, skipped=2) + ends(Asking("r"), variants=0)
    *_, card = cards_of([*events, end])
    assert card.big == "18"
    assert "of 24 right questions" in card.says
    assert [re.findall(r"\d+", line) for line in card.small] == [["2"], ["1"], ["27", "27"]]


def test_what_the_bot_did_wrong_is_split_by_kind() -> None:
    broken, *_ = cards_of(run())
    assert (broken.big, broken.bad) == ("75 %", True)
    assert broken.small[0] == "18 of 24: 6 × did not answer, 12 × wrong answer"
    assert broken.small[1].startswith("between 55 and 88 %")


@pytest.mark.parametrize(
    ("noise", "says"),
    [
        (0, "none of 24 (at most 13.8 % with 95 % confidence), so the change is what broke the others"),
        (4, "4 of 24, so more than chance broke the others"),
        (18, "18 of 24"),
    ],
)
def test_the_change_is_blamed_only_as_far_as_the_control_supports_it(noise: int, says: str) -> None:
    _, control, _ = cards_of(run(noise))
    assert control.small == (says,)


@pytest.mark.parametrize(
    ("noise", "times", "at_most"),
    [(0, 1, []), (1, 1, ["5"]), (4, 1, ["9"]), (1, 10, ["21"]), (4, 10, ["24"])],
)
def test_questions_that_broke_are_set_against_what_chance_may_break(noise: int, times: int, at_most: list[str]) -> None:
    asked = [
        (*[Try("correct", TYPO)] * times, Try("wrong" if number < noise else "correct", attack="unchanged"))
        for number in range(24)
    ]
    events = stream([Asking(f"w{number}", tries=each) for number, each in enumerate(asked)], end=ended())
    *_, card = cards_of(events)
    assert [re.findall(r"\d+", line)[0] for line in card.small[:-1]] == at_most


@pytest.mark.parametrize("broke", [(), ("dpaeg",), ("case", "dpaeg")])
def test_what_broke_most_names_none_that_broke_nothing(broke: tuple[str, ...]) -> None:
    attacks = ("dpaeg", "case", "filler")
    tries = tuple(Try("wrong" if name in broke else "correct", TYPO, name) for name in attacks)
    figures = material(lambda: stream([Asking("w", tries=tries)], dict.fromkeys(attacks, "same"))).figures
    named = [row.cells[0] for section in most_broken(figures) for row in section.blocks[0].rows]  # type: ignore[union-attr, attr-defined]
    assert named == [described(name).plain for name in broke]


def test_there_is_no_card_where_nothing_was_judged() -> None:
    assert cards_of(stream([Asking()])) == []


def test_each_example_says_what_the_bot_did_wrong(tmp_path: Path) -> None:
    text = page(run(), tmp_path)
    examples = text.partition('id="examples"')[2].partition("</section>")[0]
    kinds = re.findall(r'<span class="broke">([^<]*)</span>', examples)
    assert set(kinds) == {"did not answer", "wrong answer"}
    assert len(kinds) == 3
    assert "of 18 failures" in text


def test_answers_that_are_accepted_besides_are_named_as_such() -> None:
    assert outcomes.expected_of(("Tolkien",)) == "Tolkien"
    assert outcomes.expected_of(("Tolkien", "Tolkein")) == "Tolkien (also accepted: Tolkein)"
    assert outcomes.expected_of(("a", "b", "c", "d", "e")) == "a (also accepted: b, c, 2 more)"
    assert outcomes.expected_of(("a", "b"), "different") == "another answer than a or b"


def test_what_broke_under_several_attacks_is_said_to_be_of_any() -> None:
    two = [Asking(f"w{n}", tries=(Try("correct", TYPO), Try("wrong", TYPO, "noise"))) for n in range(24)]
    events = stream(two, {"dpaeg": "same", "noise": "same"}, ended())
    assert cards_of(events)[-1].says.endswith("by any of the attacks")


@pytest.mark.parametrize("asked", ["right", "all"])
def test_questions_that_broke_are_counted_of_right_ones_whatever_is_attacked(asked: str) -> None:
    tries = (Try("wrong", TYPO),)
    wrong = [
        Asking(f"w is {n}", standing="wrong", attacked=asked == "all", tries=tries * (asked == "all")) for n in range(8)
    ]
    events = stream([*(Asking(f"w{n}", tries=tries) for n in range(24)), *wrong], end=ended(), filter=asked)
    assert cards_of(events)[-1].says.startswith("of 24 right questions broke")


def test_the_day_of_a_run_is_a_date_or_what_the_recording_says() -> None:
    source = material(run)
    assert first_screen.tested(source.figures).startswith("tested 20 Nov 2026 with botattack")
    strange = stream([Asking()], started="<b>\u202e")
    assert "<b>\\u202e" in first_screen.tested(material(lambda: strange).figures)
