"""An attack at other places than the question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from botattack import registry
from botattack.attacks.combined.at import At, Where
from botattack.attacks.letters.characters import Noise, RandomCharacters
from botattack.attacks.letters.invisible import Homoglyph, Invisible
from botattack.attacks.letters.surface import Case
from botattack.attacks.sentences.word_order import SwapWords
from botattack.attacks.words.entities import ConfuseEntity
from botattack.attacks.words.everyday import Filler
from botattack.config.flags import read_attack_flag
from botattack.model import Edit, GoldAnswer, Outcome, Question, Required, Turn, UserTurn, Variant, Verdict, edited
from botattack.protocols import Context, Proposals
from tests.attacks.everything import Parts
from tests.attacks.resources import drive, proposed

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


@pytest.mark.parametrize("rule", ["contains", "field"])
@pytest.mark.parametrize("inner", [RandomCharacters(per_question=60), Noise(per_question=60), SwapWords(), Homoglyph()])
def test_what_a_right_reply_must_say_is_spared_in_every_turn(inner: Any, rule: Any, propose_all: Any) -> None:
    told = UserTurn("my name is Ana and I fly to Lisbon", requires=(Required("refuses"), Required(rule, "Ana")))
    question = Question("where do I fly to", requires=(Required(rule, "Lisbon", "city"),), earlier=(told,))
    variants, _ = propose_all(At(inner, "turns"), question)
    assert variants
    assert all("Ana" in variant.turns[0].text and "Lisbon" in variant.turns[0].text for variant in variants)


@pytest.mark.slow
def test_a_whole_passage_has_variants_that_readers_recover(everything: Parts) -> None:
    """Of many words that change together one is nearly always doubtful: then one changes alone."""
    file = Path(__file__).parents[1] / "live" / "data" / "passages.json"
    passages = [each["context"] for article in json.loads(file.read_bytes())["data"] for each in article["paragraphs"]]
    attack = read_attack_flag("at:place=context,attack=dpaeg")
    parts = {name: everything[name] for name in attack.parts()}
    meets = {"parse": lambda payload: everything.met("parse", payload)}
    for passage in passages[::3]:
        question = Question("who wrote it", (GoldAnswer("nobody"),), (passage,))
        variants, _ = drive(attack, question, parts, meets)
        claimed = [variant for variant in variants if variant.meaning_as_claimed]
        assert len(claimed) >= 7
        assert len({variant.edits for variant in variants}) == len(variants) == 10


def test_words_of_the_answer_are_spared_in_passages_too(propose_all: Any) -> None:
    variants, _ = propose_all(At(RandomCharacters(per_question=20)), QUESTION)
    assert len(variants) > 5
    assert all("Ada" in variant.prompt.passages[0] for variant in variants)
    assert variants == propose_all(At(RandomCharacters(per_question=20)), QUESTION)[0]


def test_a_question_without_such_a_place_has_no_variants(propose_all: Any) -> None:
    assert propose_all(At(Case()), Question("who"))[0] == []


@dataclass(frozen=True)
class Hears(Case):
    """Says after one variant what came of it, and goes on only if that was right."""

    def propose(self, context: Context, rng: Random) -> Proposals:
        text = context.question.text
        for number in range(9):
            edit = Edit(len(text), "", f" {number}", "number")
            (outcome,) = yield [Variant(context.question.worded(text + edit.after), self.name, (edit,))]
            if outcome.result == "success":
                break
        return None


def test_an_attack_hears_what_came_of_its_variants() -> None:
    steps = At(Hears()).propose(Context(QUESTION, (), {}), Random(0))
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


SPOKEN = Question(
    "Does Ann really need a big old car in Berlin?",
    (GoldAnswer("yes"),),
    history=(Turn("user", "Does the old man always buy a bike in Rome?"), Turn("bot", "He does.")),
    earlier=(
        UserTurn("Is John Smith always happy about the big house in Paris?", (GoldAnswer("no"),)),
        UserTurn("Does he really buy a new car in London?"),
    ),
)
STRATEGIES = (
    *("drop-stopwords", "grammar-errors", "reword", "swap-words"),
    *("antonym", "confuse-entity", "negate", "random-input", "random-input-keep-entities"),
)
"""The should-not-change and should-change strategies of the dialogue paper that need no service."""


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_works_at_any_turn_one_or_all(name: str, everything: Any) -> None:
    attack = registry.find("attacks", name)()
    for place, only in (("turns", 0), ("turns", 1), ("turns", None), ("dialogue", None), ("history", None)):
        strategy = At(attack, place, only)  # type: ignore[arg-type]
        known = Context(SPOKEN, (), {part: everything[part] for part in attack.parts()})
        variants, _ = proposed(
            strategy, known, Random(3), lambda needs: [everything.met(need.kind, need.payload) for need in needs]
        )
        assert variants, (place, only)
        for variant in variants:
            assert {edit.place.kind for edit in variant.edits} <= strategy.edits
            assert only is None or {edit.place.index for edit in variant.edits} == {only}
            assert variant.turns == edited(SPOKEN.turns, variant.edits)
            assert [turn.asks for turn in variant.turns] == [0, 1, 2]
            changed = attack.expect == "different" and place != "dialogue"
            assert not changed or variant.meaning == "unsure"
