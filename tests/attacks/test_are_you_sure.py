"""The play that doubts an answer, alone and in chains."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from botattack.attacks.combined.chain import Chain
from botattack.attacks.letters.surface import Case
from botattack.attacks.turns.are_you_sure import AreYouSure, Doubting
from botattack.attacks.words.everyday import Filler
from botattack.engine.conversing import play_of
from botattack.errors import BotattackError
from botattack.model import Exchange, GoldAnswer, Played, Prompt, Question, Reply, UserTurn, edited

DIALOGUE = Question("what is my name", (GoldAnswer("Ann"),), earlier=(UserTurn("I am Ann."), UserTurn("and you?")))


def said(play: Any, question: Question, *replies: str) -> list[str]:
    """The turns of a play against a bot that says these replies."""
    exchanges: list[Exchange] = []
    while (prompt := play.next(question.turns, exchanges, Random(1))) is not None:
        exchanges.append(Exchange(prompt, Reply(replies[len(exchanges)])))
    return [each.prompt.text for each in exchanges]


def test_it_asks_doubts_and_asks_again() -> None:
    question = Question("Who?")
    assert said(Doubting(), question, "Ann", "Ann")[1].endswith("Are you sure? Who?")
    assert said(Doubting("innocent"), question, "Ann", "Ann")[1].endswith("once more, please: Who?")


def test_there_is_nothing_to_doubt_in_silence() -> None:
    assert said(Doubting(), Question("Who?"), " ") == ["Who?"]


def test_it_doubts_the_last_turn_of_a_dialogue() -> None:
    turns = said(Doubting(), DIALOGUE, "Hello", "Fine", "Ann", "Ann")
    assert turns[:3] == ["I am Ann.", "and you?", "what is my name"]
    assert len(turns) == 4


@pytest.mark.parametrize("question", [Question("what is my name", (GoldAnswer("Ann"),)), DIALOGUE])
def test_a_chain_doubts_the_answer_to_what_the_links_before_made(question: Question, propose_all: Any) -> None:
    for links in ((Filler(), AreYouSure()), (AreYouSure(), Filler())):
        variants, _ = propose_all(Chain(links), question)
        assert variants
        for variant in variants:
            assert variant.play == Doubting().played()
            assert variant.turns == edited(question.turns, variant.edits)
            assert variant.turns[-1].text != question.text
            assert len(variant.turns) == len(question.turns)


def test_two_plays_make_no_chain(propose_all: Any) -> None:
    with pytest.raises(ValueError, match="both plays"):
        propose_all(Chain((AreYouSure(), AreYouSure("innocent"))), DIALOGUE)


def test_links_of_a_chain_leave_the_earlier_turns_as_they_were(propose_all: Any) -> None:
    variants, _ = propose_all(Chain((Filler(), Case())), DIALOGUE)
    assert {variant.turns[:2] for variant in variants} == {DIALOGUE.turns[:2]}


@pytest.mark.parametrize(
    ("played", "word"),
    [
        (Played("nobody"), "nobody"),
        (Played("are-you-sure", {"rung": "shout"}), "shout|rung"),
        (Played("are-you-sure", {"rung": 7}), "rung"),
    ],
)
def test_a_play_of_a_recording_that_cannot_be_played_is_refused(played: Played, word: str) -> None:
    with pytest.raises(BotattackError, match=word):
        play_of(played)


def test_a_prompt_says_what_it_asks_and_no_bot_hears_of_it() -> None:
    assert [turn.asks for turn in DIALOGUE.turns] == [0, 1, 2]
    assert Question("Who?").turns == (Prompt("Who?"),)
