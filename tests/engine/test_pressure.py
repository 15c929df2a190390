"""Pressure and spread over turns in the real engine: who gives up where, who recovers, and edits of earlier turns."""

from __future__ import annotations

from typing import Any

import pytest

from botattack.attacks.combined.at import At
from botattack.attacks.letters.surface import Case
from botattack.attacks.turns.are_you_sure import ASKED, KINDS, AreYouSure
from botattack.attacks.turns.topic_shift import TopicShift
from botattack.attacks.words.entities import ConfuseEntity, RandomInput
from botattack.attacks.words.everyday import Filler
from botattack.engine.judging import Judging
from botattack.events import NOBODY, AnyEvent, Asked, VariantJudged, decode, encode
from botattack.matchers.judge import Judge
from botattack.matchers.lexical import Contains
from botattack.matchers.own import OwnReference
from botattack.model import GoldAnswer, Question, UserTurn
from botattack.recordings.rejudge import rejudged
from botattack.report.figures.metrics import figures_of
from botattack.text.languages import language
from botattack.text.parts import parse
from tests.engine.bots import Listed
from tests.engine.test_conversations import Rooms, plan
from tests.engine.test_run import of, play

YEARS = [
    Question(f"In what year did bridge {number} open?", (GoldAnswer(str(1900 + number)),)) for number in range(1, 7)
]
PARSER = {"parse": parse.load()}
WORDS = language("en").turns


def begins(text: str, purpose: str) -> bool:
    return any(text.startswith(words.partition("{")[0]) for words in WORDS[purpose])


def meek(before: list[str], text: str) -> str:
    """Knows when the bridges opened. Bridge 1 is given up when it is doubted, 2 when another answer is claimed, 3 when
    an authority is named, 4 when that is repeated, 5 and 6 never. 2 is wrong even when the truth is told."""
    number = int(text.rpartition("bridge ")[2].split()[0])
    at = {1: "doubt", 2: "claim", 3: "authority", 4: "insist"}.get(number)
    stubborn = number == 2 and any(begins(told, "claim") for told in before)
    wrong = stubborn or (at is not None and begins(text, at))
    return "In 1850." if wrong else f"In {1900 + number}."


def rows(events: list[AnyEvent], attack: str) -> dict[Any, tuple[int, int]]:
    split = figures_of(events).attacks[attack].splits["kind"]
    return {kind: (row.success, row.rated) for kind, row in split.items()}


def test_reports_count_who_gives_up_at_each_rung_and_who_recovers() -> None:
    _, events = play(plan(AreYouSure(), handlers=PARSER), Rooms(meek), Listed(YEARS))
    figures = figures_of(events).attacks["are-you-sure"]
    assert (figures.gold.success, figures.gold.rated) == (4, 6)
    assert [*rows(events, "are-you-sure").items()] == [
        (ASKED, (0, 6)),
        (KINDS["doubt"], (1, 6)),
        (KINDS["claim"], (1, 5)),
        (KINDS["authority"], (1, 4)),
        (KINDS["insist"], (1, 3)),
        (KINDS["truth"], (1, 4)),
    ], "rungs are listed as they are climbed"
    again = list(rejudged(map(decode, map(encode, events)), Judging(Judge(Contains()), OwnReference()), NOBODY))
    assert figures_of(again) == figures_of(events)


def test_the_control_holds_and_its_rung_is_counted() -> None:
    _, events = play(plan(AreYouSure(("innocent",))), Rooms(meek), Listed(YEARS))
    assert rows(events, "are-you-sure") == {ASKED: (0, 6), KINDS["innocent"]: (0, 6)}


def test_who_says_the_fake_answer_and_takes_it_back_has_taken_it() -> None:
    def parrot(before: list[str], text: str) -> str:
        for purpose in ("claim", "truth"):
            if begins(text, purpose):
                return text.partition("the answer is ")[2]
        return meek([], text)

    _, events = play(plan(AreYouSure(("claim",)), handlers=PARSER), Rooms(parrot), Listed(YEARS[4:]))
    assert [event.took_decoy for event in of(events, VariantJudged)] == [True, True]
    assert [event.result for event in of(events, VariantJudged)] == ["success", "success"]


def test_who_denies_the_fake_answer_and_then_declines_has_not_taken_it() -> None:
    def denies(before: list[str], text: str) -> str:
        if begins(text, "authority"):
            return "That is all."
        _, claimed, said = text.partition("the answer is ")
        return f"{meek([], text)}{f' It is not {said}' if claimed else ''}"

    _, events = play(
        plan(AreYouSure(("claim", "authority"), recover=False), handlers=PARSER), Rooms(denies), Listed(YEARS[4:])
    )
    judged = of(events, VariantJudged)
    assert [(event.result, event.took_decoy, event.decoy != "") for event in judged] == [("success", False, True)] * 2


def test_a_bot_without_memory_knows_no_last_question() -> None:
    def forgetful(before: list[str], text: str) -> str:
        return meek([], text) if "bridge" in text else "What do you mean?"

    _, events = play(plan(TopicShift()), Rooms(forgetful), Listed(YEARS))
    assert rows(events, "topic-shift") == {"question referred to": (6, 6), "question repeated": (0, 6)}


def test_in_a_dialogue_the_question_referred_to_is_that_of_its_last_turn() -> None:
    def literal(before: list[str], text: str) -> str:
        asked = [told for told in before if told.endswith("?")]
        referred = asked[0] if "first" in text else asked[-1] if "last" in text else text
        return meek([], referred) if "bridge" in referred else "Really?"

    question = Question(YEARS[5].text, YEARS[5].answers, earlier=(UserTurn(YEARS[4].text, YEARS[4].answers),))
    _, events = play(plan(TopicShift(("recall",))), Rooms(literal), Listed([question]))
    assert rows(events, "topic-shift") == {"question referred to": (0, 1)}


ANN = Question(
    "What is my name?",
    (GoldAnswer("Ann"),),
    earlier=(
        UserTurn("Hi, I am Ann and I come from France."),
        UserTurn("Did I say that I come from Germany?", (GoldAnswer("No"),)),
        UserTurn("What is the capital of France?", (GoldAnswer("Paris"),)),
    ),
)


def strict(before: list[str], text: str) -> str:
    """Knows what it was told exactly so."""
    if text == "What is my name?":
        return "You are Ann." if any("I am Ann" in told for told in before) else "I have no idea."
    if text == "What is the capital of France?":
        return "Paris."
    return "No." if text.startswith("Did") else "Hello."


def attacked(attack: At, question: Question = ANN, **changes: Any) -> tuple[list[VariantJudged], list[AnyEvent]]:
    _, events = play(plan(attack, ask_unsure=True, **changes), Rooms(strict), Listed([question]))
    return of(events, VariantJudged), events


@pytest.mark.parametrize(
    ("place", "only", "touched"),
    [
        ("turns", None, {"turn 0", "turn 1", "turn 2"}),
        ("turns", 0, {"turn 0"}),
        ("turns", 2, {"turn 2"}),
        ("dialogue", None, {"turn 0", "turn 1", "turn 2", "question"}),
        ("question", None, {"question"}),
    ],
)
def test_any_user_turn_is_edited_alone_or_all_together(place: Any, only: int | None, touched: set[str]) -> None:
    judged, events = attacked(At(Case(kinds=("upper",)), place, only))
    (asked,) = [event for event in of(events, Asked) if event.unit == judged[0].unit]
    assert {str(edit.place) for edit in judged[0].edits} == touched
    changed = [turn.text != before.text for turn, before in zip(asked.turns, ANN.turns, strict=True)]
    assert changed == [f"turn {i}" in touched for i in range(3)] + ["question" in touched]
    assert [each.turn for each in judged[0].turns] == [1, 2, 3]
    assert {turn.asks for turn in asked.turns} == {0, 1, 2, 3}


def test_a_verdict_names_the_judged_turn_that_an_edit_broke() -> None:
    judged, _ = attacked(At(Case(kinds=("upper",)), "turns", 2))
    assert [(each.turn, each.verdict.kind) for each in judged[0].turns] == [
        (1, "correct"),
        (2, "wrong"),
        (3, "correct"),
    ]
    assert judged[0].verdict.why.startswith("turn 2")
    judged, _ = attacked(At(Case(kinds=("upper",)), "turns", 0))
    assert [each.verdict.kind for each in judged[0].turns] == ["correct", "correct", "refused"]


@pytest.mark.parametrize("only", [None, 0])
def test_where_an_earlier_turn_changes_the_answer_may_have_to_change(only: int | None) -> None:
    judged, _ = attacked(At(RandomInput(words="letters", per_question=1), "turns", only), repeat=3)
    assert {(event.meaning, event.result) for event in judged} == {("unsure", "robust")}
    judged, _ = attacked(At(RandomInput(words="letters", per_question=1), "turns", only, depends=True), repeat=3)
    assert {(event.meaning, event.result) for event in judged} == {("changed", "robust")}
    # The last turn of a dialogue must change its answer, whatever the turns before say to it.
    judged, _ = attacked(At(RandomInput(words="letters", per_question=1), "turns", 2, depends=True), repeat=3)
    assert {event.result for event in judged} == {"success"}


def test_a_statement_is_confused_where_the_answer_is_said_to_depend_on_it() -> None:
    for depends, meaning in ((False, "unsure"), (True, "changed")):
        attack = At(ConfuseEntity(entities=("Ann", "Bob")), "turns", 0, depends=depends)
        judged, _ = attacked(attack, repeat=3, handlers=PARSER)
        assert {event.meaning for event in judged if event.edits[0].before == "Ann"} == {meaning}


@pytest.mark.parametrize("given", [{"only": -1}, {"only": 0, "place": "everywhere"}, {"only": 1, "place": "dialogue"}])
def test_one_place_needs_one_kind(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="only"):
        At(Filler(), **given)
