"""An attack at other places than the question."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from botattack.attacks.combined.at import At, Where
from botattack.attacks.letters.characters import RandomCharacters
from botattack.attacks.letters.invisible import Homoglyph, Invisible
from botattack.attacks.letters.surface import Case
from botattack.attacks.sentences.word_order import SwapWords
from botattack.attacks.words.entities import ConfuseEntity
from botattack.attacks.words.everyday import Filler
from botattack.model import GoldAnswer, Outcome, Question, Turn, UserTurn, Verdict, edited
from botattack.protocols import Context

QUESTION = Question(
    "who wrote it",
    (GoldAnswer("Ada"),),
    ("Ada wrote the first program.", "Babbage built the machine."),
    (Turn("user", "hello there"), Turn("bot", "good morning"), Turn("user", "tell me")),
)


@pytest.mark.parametrize(
    ("place", "touched"),
    [
        ("question", {"question"}),
        ("context", {"passage 0", "passage 1"}),
        ("history", {"history 0", "history 2"}),
        ("everywhere", {"question", "passage 0", "passage 1", "history 0", "history 2"}),
    ],
)
def test_each_place_is_edited_and_nothing_else(place: Where, touched: set[str], propose_all: Any) -> None:
    variants, _ = propose_all(At(Case(kinds=("upper",)), place), QUESTION)
    assert variants
    for variant in variants:
        assert {str(edit.place) for edit in variant.edits} == touched
        assert edited(QUESTION.turns, variant.edits) == variant.turns
        assert variant.prompt.history[1].text == "good morning"
        assert variant.attack == "at"


def test_words_of_the_answer_are_spared_in_passages_too(propose_all: Any) -> None:
    variants, _ = propose_all(At(RandomCharacters(per_question=20)), QUESTION)
    assert len(variants) > 5
    assert all("Ada" in variant.prompt.passages[0] for variant in variants)
    assert variants == propose_all(At(RandomCharacters(per_question=20)), QUESTION)[0]


def test_a_question_without_such_a_place_has_no_variants(propose_all: Any) -> None:
    assert propose_all(At(Case()), Question("who"))[0] == []


def test_a_search_hears_what_came_of_its_variants() -> None:
    steps = At(Filler(search="in-order", queries=9)).propose(Context(QUESTION, (), {}), Random(0))
    asked, sent = 0, None
    while True:
        try:
            (variant,) = steps.send(sent)
        except StopIteration:
            break
        asked += 1
        sent = [Outcome(variant, (), Verdict("wrong" if asked == 3 else "correct", 1.0), 1)]
    assert asked == 3


def test_no_edit_is_in_two_places(propose_all: Any) -> None:
    variants, _ = propose_all(At(SwapWords(per_question=50)), QUESTION)
    assert variants
    for variant in variants:
        assert edited(QUESTION.turns, variant.edits) == variant.turns


def test_characters_that_the_eye_does_not_tell_apart(propose_all: Any) -> None:
    ((variant,), _) = propose_all(At(Invisible(characters=("\u200e",), answers="change"), "everywhere"), QUESTION)
    assert all("\u200e " in text for text in (variant.prompt.text, *variant.prompt.passages))
    assert propose_all(At(Homoglyph(), "context"), QUESTION)[0][0].prompt.text == QUESTION.text


ANN = Question(
    "What is my name?",
    (GoldAnswer("Ann"),),
    earlier=(UserTurn("I am Ann and I come from France."), UserTurn("What is the capital of France?")),
)


def test_answers_to_earlier_turns_are_spared_there(propose_all: Any) -> None:
    known = Question("Who?", (GoldAnswer("Bob"),), earlier=(UserTurn("Is it Rome or Oslo?", (GoldAnswer("Rome"),)),))
    variants, _ = propose_all(At(Case(kinds=("upper",)), "turns"), known)
    assert variants
    assert all("Rome" in variant.turns[0].text for variant in variants)


@pytest.mark.parametrize("attack", [Filler(per_question=2), ConfuseEntity(per_question=2)])
@pytest.mark.parametrize("place", ["turns", "dialogue"])
def test_strategies_work_at_user_turns(attack: Any, place: Any, propose_all: Any) -> None:
    variants, _ = propose_all(At(attack, place), ANN)
    assert variants
    kinds = {"turn"} if place == "turns" else {"turn", "question"}
    assert {edit.place.kind for variant in variants for edit in variant.edits} <= kinds
