"""Other questions asked before: which they are, what is sent, and what a bot that mixes them up comes to."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.attacks.combined.at import At
from botattack.attacks.combined.chain import Chain
from botattack.attacks.letters.surface import Case
from botattack.attacks.turns.carry_over import CarryOver, Others
from botattack.events import Asked, VariantJudged
from botattack.model import GoldAnswer, Question, Turn, UserTurn, Variant, edited
from tests.engine.bots import Listed
from tests.engine.test_conversations import Rooms, plan
from tests.engine.test_run import of, play

TOWNS = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Norway": "Oslo", "Peru": "Lima", "Chad": "N'Djamena"}
CAPITALS = [Question(f"What is the capital of {name}?", (GoldAnswer(town),)) for name, town in TOWNS.items()]
MAYOR = Question("Who governs Paris?", (GoldAnswer("Anne"),))
FRANCE = CAPITALS[0]


def proposed(propose_all: Any, question: Question, others: list[Question], seed: int = 1, **options: Any) -> Any:
    attack = CarryOver(**options).with_questions(lambda file: others)
    variants, existing = propose_all(attack, question, seed)
    assert existing == len(variants) <= attack.per_question
    return variants


def kinds(variants: list[Variant]) -> dict[str, list[str]]:
    return {variant.edits[0].kind: [turn.text for turn in variant.turns] for variant in variants}


def test_the_nearest_one_and_several_are_asked_before(propose_all: Any) -> None:
    far = [Question(f"How many legs has animal {n}?", (GoldAnswer(f"{n} legs"),)) for n in range(3, 9)]
    variants = proposed(propose_all, FRANCE, [*far, FRANCE, CAPITALS[1]])
    found = kinds(variants)
    assert [*found] == ["nearest question", "another question", "5 questions"]
    assert found["nearest question"] == [CAPITALS[1].text, FRANCE.text]
    several = found["5 questions"]
    assert len(several) == 6
    assert several[-2:] == found["another question"]
    assert variants[0].decoy == "Rome"
    assert {variant.meaning for variant in variants} == {"kept"}
    for variant in variants:
        assert variant.turns == edited(FRANCE.turns, variant.edits)


@pytest.mark.parametrize(
    "other",
    [
        FRANCE,
        MAYOR,  # its text says the answer
        Question("In which town is the Louvre?", (GoldAnswer("paris"),)),
        Question("Was ist die Hauptstadt von Italien?", (GoldAnswer("Rom"),), lang="de"),
        Question("And of Italy?", (GoldAnswer("Rome"),), earlier=(UserTurn("Hello"),)),
        Question("what is the capital of france", (GoldAnswer("Lutetia"),)),
    ],
)
def test_what_would_help_or_make_no_difference_is_not_asked_before(other: Question, propose_all: Any) -> None:
    assert proposed(propose_all, FRANCE, [FRANCE, other]) == []


def test_few_questions_are_told_as_few(propose_all: Any) -> None:
    variants = proposed(propose_all, FRANCE, CAPITALS[:4], rungs=("several", "one"))
    # Of three others one is the nearest.
    assert [*kinds(variants)] == ["2 questions", "another question"]
    assert proposed(propose_all, FRANCE, CAPITALS[:3], rungs=("several",)) == []


def test_an_answer_that_a_right_reply_may_say_is_no_decoy(propose_all: Any) -> None:
    other = Question("Which town is in the north of France?", (GoldAnswer("France"), GoldAnswer("Lille, I think")))
    assert [variant.decoy for variant in proposed(propose_all, FRANCE, [other])] == [""]


def test_a_question_before_has_its_own_passages_and_none_of_this_one(propose_all: Any) -> None:
    asked = msgspec.structs.replace(FRANCE, passages=("France has towns.",), history=(Turn("bot", "Hi"),))
    other = msgspec.structs.replace(CAPITALS[1], passages=("Rome is in Italy.",))
    (variant,) = proposed(propose_all, asked, [asked, other], rungs=("near",))
    assert [turn.passages for turn in variant.turns] == [other.passages, asked.passages]
    assert [turn.history for turn in variant.turns] == [(), asked.history]


def test_before_a_dialogue_they_are_asked_before_its_first_turn(propose_all: Any) -> None:
    dialogue = Question("And what of its mayor?", (GoldAnswer("Anne"),), earlier=(UserTurn("Who lives there?"),))
    (variant,) = proposed(propose_all, dialogue, CAPITALS[1:3], rungs=("near",))
    assert [turn.asks for turn in variant.turns] == [None, 0, 1]
    assert variant.turns[1:] == dialogue.turns


def test_links_hand_the_questions_on(propose_all: Any) -> None:
    chain = Chain((Case(per_question=1), CarryOver(rungs=("near",)))).with_questions(lambda file: CAPITALS)
    variants, _ = propose_all(chain, FRANCE)
    assert [(len(variant.turns), variant.decoy != "") for variant in variants] == [(2, True)]
    assert variants[0].turns[-1].text != FRANCE.text
    at = At(CarryOver(), "question").with_questions(lambda file: CAPITALS)
    assert isinstance(at.attack, CarryOver)
    assert isinstance(at.attack.questions, Others)


@given(st.lists(st.sampled_from([*CAPITALS, MAYOR]), unique=True), st.integers(0, 9), st.randoms())
def test_the_order_of_the_file_changes_nothing(found: list[Question], seed: int, random: Any) -> None:
    shuffled = [*found]
    random.shuffle(shuffled)
    assert str(Others(found)) == str(Others(shuffled))
    assert Others(found) == Others(shuffled)
    assert Others(found).questions == Others(shuffled).questions


def mixing(before: list[str], text: str) -> str:
    """Answers what it was asked before, if that was another question about capitals."""
    asked = next((told for told in before if told != text and "capital" in told), text)
    return next((town for name, town in TOWNS.items() if name in asked), "I do not know.")


def test_a_finding_names_the_pair_and_the_bot_that_mixes_them_up_gives_the_decoy() -> None:
    attack = CarryOver(rungs=("near", "one")).with_questions(lambda file: CAPITALS)
    _, events = play(plan(attack), Rooms(mixing), Listed(CAPITALS))
    asked = {event.unit: event for event in of(events, Asked)}
    judged = of(events, VariantJudged)
    assert len(judged) == 12
    for event in judged:
        first, second = asked[event.unit].turns
        assert (event.result, event.took_decoy) == ("success", True)
        assert event.edits[0].after == first.text != second.text
    _, calm = play(plan(attack), Rooms(lambda before, text: mixing([], text)), Listed(CAPITALS))
    assert {(event.result, event.took_decoy) for event in of(calm, VariantJudged)} == {("robust", False)}
