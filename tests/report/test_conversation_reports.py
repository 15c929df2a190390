"""A conversation is drawn as one: the turns of user and bot in turn, each reply with its verdict."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from botattack.events import (
    AnyEvent,
    Asked,
    AttackEnded,
    ConversationBegun,
    OriginalJudged,
    QuestionClosed,
    QuestionOpened,
    TurnSaid,
    VariantJudged,
)
from botattack.model import (
    Attempt,
    Edit,
    Failure,
    GoldAnswer,
    Played,
    Question,
    Reply,
    TurnVerdict,
    UserTurn,
    Variant,
    Verdict,
    edited,
)
from botattack.places import Place
from botattack.report.figures.metrics import figures_of
from botattack.report.writers.material import material, write_report
from botattack.report.writers.terminal import Terminal
from tests.report.streams import of_unit, started

DIALOGUE = Question(
    "What is my name?",
    (GoldAnswer("Ann"),),
    earlier=(UserTurn("I am Ann."), UserTurn("Capital?", (GoldAnswer("Paris"),))),
)
EDITS = (
    Edit(5, "Ann", "Anne", "slip", Place("turn", 0)),
    Edit(0, "", "Nice weather.", "chatter", Place("added turn", 2)),
    Edit(8, "my", "mi", "swap"),
)
SENT = edited(DIALOGUE.turns, EDITS)
REPLIES = ("Hello <b>Anne</b>.", "Paris.", "Yes, nice.", "No idea.")
PLAYED = Played("are-you-sure", {"rung": "doubt"})


def told(failed: bool = False) -> Iterator[AnyEvent]:
    known, names = DIALOGUE.id, ("original.0", "variant.0")
    right, wrong = Verdict("correct", why="it is"), Verdict("refused", why="it does not know")
    yield started(1, {"chatter": "same"})
    yield QuestionOpened(question=DIALOGUE)
    ours = tuple(map(Reply, ("Hello Ann.", "Paris.", "You are Ann.")))
    yield Asked(question=known, unit=names[0], turns=DIALOGUE.turns, replies=ours)
    both = (TurnVerdict(1, right), TurnVerdict(2, right))
    yield OriginalJudged(question=known, units=names[:1], standing="kept", verdict=right, attacked=True, turns=both)
    yield ConversationBegun(question=known, unit=names[1])
    for turn, reply in enumerate(REPLIES[:3]):
        yield TurnSaid(question=known, unit=names[1], turn=turn, said=SENT[turn].text, reply=reply, requests=1)
    failure = Failure("timeout", "no complete answer to turn 3 within 30 s") if failed else None
    replies = () if failed else tuple(map(Reply, REPLIES))
    yield Asked(
        question=known,
        unit=names[1],
        turns=SENT,
        replies=replies,
        failure=failure,
        attempts=(Attempt(4, 1.0, failure),),
    )
    turns = () if failed else (TurnVerdict(1, right), TurnVerdict(3, wrong))
    verdict = Verdict("error", why="timeout") if failed else wrong
    yield VariantJudged(question=known, unit=names[1], attack="chatter", verdict=verdict, edits=EDITS, turns=turns)
    yield AttackEnded(question=known, attack="chatter", existing=1, variants=1)
    yield QuestionClosed(question=known)


SHOWN = [
    "turn 0: I am [Ann → Anne].",
    "reply 0: Hello <b>Anne</b>.",
    "turn 1: Capital?",
    "reply 1: Paris. (correct; expected: Paris)",
    "turn 2: [(nothing) → Nice weather.]",
    "reply 2: Yes, nice.",
    "turn 3: What is [my → mi] name?",
    "reply 3: No idea. (did not answer, breaks here; expected: Ann)",
]


def in_order(text: str, parts: list[str]) -> bool:
    places = [text.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


def test_a_file_and_a_terminal_draw_the_conversation_turn_by_turn(tmp_path: Path) -> None:
    write_report(tmp_path / "out.md", material(told))
    assert in_order((tmp_path / "out.md").read_text(), SHOWN)
    shown, known = io.StringIO(), material(told)
    Terminal(shown, io.StringIO(), width=100).finish(known.figures, known.findings)
    assert in_order(shown.getvalue(), SHOWN)


def test_a_page_draws_it_twice_and_never_as_markup(tmp_path: Path) -> None:
    write_report(tmp_path / "out.html", material(told))
    page = (tmp_path / "out.html").read_text()
    findings = re.sub(r"\s+", " ", re.sub(r"<(?!/?(?:del|ins))[^>]*>", "", page[: page.index('outcomes">[')]))
    assert in_order(
        findings,
        ["turn 0: ", "reply 0: Hello &lt;b&gt;", "turn 1: Capital?", "reply 1: Paris. (correct; expected: Paris)"],
    )
    assert page.count('<p class="said turn bot') == 8
    assert page.count('<p class="said turn bot flip">') == 2
    (data,) = re.findall(r'class="outcomes">(.*?)</script>', page)
    assert '["bot","reply 3: ",""],"No idea.",["broke"," (did not answer, breaks here; expected: Ann)",""]' in data
    assert "<b>Anne" not in page


def test_one_unit_shows_what_was_right_in_each_turn() -> None:
    lines = of_unit(told(), "variant.0")
    assert in_order(
        lines,
        [
            "turn 0     I am Anne.",
            "reply 0    Hello",
            "turn 1     Capital?",
            "reply 1    Paris.",
            "correct",
            "expected Paris",
            "turn 2     Nice weather.",
            "turn 3     What is mi name?",
            "reply 3    No idea.",
            "did not answer",
            "expected Ann",
            "verdict    did not answer",
        ],
    )
    assert in_order(of_unit(told(), "original.0"), ["turn 0     I am Ann.", "turn 2     What", "so         kept"])


def test_a_conversation_that_failed_is_shown_as_far_as_it_went() -> None:
    lines = of_unit(told(failed=True), "variant.0")
    assert in_order(lines, ["turn 2     Nice weather.", "reply 2    Yes, nice.", "turn 3 ", "failed     no complete"])
    assert "reply 3" not in lines


@pytest.mark.parametrize("cut", range(5, 9))
def test_turns_of_a_conversation_that_was_cut_are_counted_and_no_outcome(cut: int) -> None:
    events = list(told())[:cut]
    figures = figures_of(events)
    assert figures.requests.sent == max(0, cut - 5)
    assert figures.attacks["chatter"].gold.asked == 0
    assert figures_of(told()).requests.sent == 4


def test_a_play_is_drawn_with_the_edits_it_began_with(tmp_path: Path) -> None:
    def played() -> Iterator[AnyEvent]:
        slip = EDITS[2:]
        turns = edited(DIALOGUE.turns, slip)
        doubted = (*turns, type(turns[-1])("Are you sure?", asks=2))
        for event in told():
            if isinstance(event, Asked) and event.unit == "variant.0":
                yield Asked(question=event.question, unit=event.unit, turns=doubted, replies=event.replies)
            elif isinstance(event, VariantJudged):
                verdicts = (TurnVerdict(2, Verdict("correct")), TurnVerdict(3, Verdict("wrong")))
                yield VariantJudged(
                    question=event.question,
                    unit=event.unit,
                    attack="chatter",
                    verdict=Verdict("wrong"),
                    edits=slip,
                    turns=verdicts,
                    play=PLAYED,
                )
            else:
                yield event

    assert Variant(DIALOGUE.turns, "x", play=PLAYED).id
    write_report(tmp_path / "out.md", material(played))
    text = (tmp_path / "out.md").read_text()
    assert in_order(
        text,
        [
            "turn 2: What is [my → mi] name?",
            "(correct; expected: Ann)",
            "turn 3: Are you sure?",
            "(wrong answer, breaks here; expected: Ann)",
        ],
    )


def test_a_play_without_edits_is_a_finding() -> None:
    def played() -> Iterator[AnyEvent]:
        for event in told():
            yield msgspec.structs.replace(event, edits=(), play=PLAYED) if isinstance(event, VariantJudged) else event

    assert [found.unit for found in material(played).findings] == ["variant.0"]


def test_a_finding_says_what_was_right_in_the_turn_that_broke(tmp_path: Path) -> None:
    def earlier() -> Iterator[AnyEvent]:
        for event in told():
            if isinstance(event, VariantJudged):
                turns = (TurnVerdict(1, Verdict("wrong")), TurnVerdict(3, Verdict("correct")))
                yield msgspec.structs.replace(event, verdict=Verdict("wrong", why="turn 1: no"), turns=turns)
            else:
                yield event

    write_report(tmp_path / "out.md", material(earlier))
    assert in_order((tmp_path / "out.md").read_text(), ["turn 3: ", "expected  Paris", "got       Paris."])
