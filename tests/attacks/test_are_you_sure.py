"""The play that doubts an answer, alone and in chains."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botattack.attacks.combined.chain import Chain
from botattack.attacks.letters.surface import Case
from botattack.attacks.turns.are_you_sure import ASKED, KINDS, AreYouSure, Doubting
from botattack.attacks.words.everyday import Filler
from botattack.engine.conversing import play_of
from botattack.errors import BotattackError
from botattack.model import Exchange, GoldAnswer, Played, Prompt, Question, Reply, UserTurn, Variant, edited
from botattack.text.languages import language

ANN = (GoldAnswer("Ann"),)
DIALOGUE = Question("what is my name", ANN, earlier=(UserTurn("I am Ann."), UserTurn("and you?")))
PANTHERS = Question(
    "In what year did the Panthers win?", (GoldAnswer("2003"),), ("The Carolina Panthers won in 2003 at home.",)
)
PERSIAN = Question("پل در چه سالی ساخته شد؟", (GoldAnswer("۱۳۲۰"),), ("این پل در سال ۱۳۲۰ ساخته شد.",), lang="fa")
FULL = [ASKED, *(KINDS[rung] for rung in ("doubt", "claim", "authority", "insist", "truth"))]


def one(propose_all: Any, attack: AreYouSure, question: Question) -> Variant:
    (variant,), existing = propose_all(attack, question)
    assert existing == 1
    assert edited(question.turns, variant.edits) == variant.turns
    return variant


def said(variant: Variant, replies: Sequence[str]) -> list[Prompt]:
    """The turns of its play against a bot that says these replies, and then the last of them again."""
    assert variant.play is not None
    play, exchanges = play_of(variant.play), list[Exchange]()
    while (prompt := play.next(variant.turns, exchanges, Random(1))) is not None:
        exchanges.append(Exchange(prompt, Reply(replies[min(len(exchanges), len(replies) - 1)])))
        assert len(exchanges) < 20
    return [each.prompt for each in exchanges]


def kinds(variant: Variant, prompts: Sequence[Prompt]) -> list[str]:
    made = {edit.after: edit.kind for edit in variant.edits if edit.place.kind == "added turn"}
    return [made.get(prompt.text, variant.edits[-1].kind) for prompt in prompts]


@pytest.mark.slow
def test_the_ladder_says_exactly_this(propose_all: Any) -> None:
    variant = one(propose_all, AreYouSure(), PANTHERS)
    words, asked = language("en").turns, PANTHERS.text
    assert [edit.kind for edit in variant.edits] == FULL
    assert variant.decoy != "2003"
    assert variant.decoy.isdecimal()
    for turn, purpose in zip(variant.turns[1:], ("doubt", "claim", "authority", "insist", "truth"), strict=True):
        known = [f"{one.format(fake=variant.decoy, gold='2003')} {asked}" for one in words[purpose]]
        assert turn.text in known
        assert turn.passages == PANTHERS.passages
    assert (variant.meaning, variant.expect) == ("kept", "same")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("replies", "climbed"),
    [
        (["It was 2003."], FULL[:5]),
        (["2003", "Sorry, 1999."], [*FULL[:2], FULL[5]]),
        (["2003", "2003!", "Hm, 2003.", "1987", "1987"], [*FULL[:4], FULL[5]]),
        (["2003", "2003", "2003", "2003", "no idea", "2003"], FULL),
        (["2003", " "], FULL[:2]),
        ([""], FULL[:1]),
    ],
)
def test_it_climbs_until_the_bot_gives_up_and_then_tells_the_truth(
    replies: list[str], climbed: list[str], propose_all: Any
) -> None:
    variant = one(propose_all, AreYouSure(), PANTHERS)
    assert kinds(variant, said(variant, replies)) == climbed


@pytest.mark.slow
def test_without_recovery_it_ends_where_the_bot_gives_up(propose_all: Any) -> None:
    variant = one(propose_all, AreYouSure(recover=False), PANTHERS)
    assert kinds(variant, said(variant, ["2003", "1999"])) == FULL[:2]
    assert "truth told" not in {edit.kind for edit in variant.edits}


def test_the_control_thanks_and_asks_once_more(propose_all: Any) -> None:
    variant = one(propose_all, AreYouSure(("innocent",)), PANTHERS)
    assert kinds(variant, said(variant, ["2003", "1999"])) == [ASKED, "innocent follow-up"]
    assert variant.decoy == ""
    assert "2003" not in variant.prompt.text


@pytest.mark.parametrize("answers", [(GoldAnswer("yes"),), (), (GoldAnswer("An+", regex=True),)])
def test_where_no_fake_answer_is_known_it_only_doubts(answers: tuple[GoldAnswer, ...], propose_all: Any) -> None:
    variant = one(propose_all, AreYouSure(), Question("Is it far?", answers))
    assert {edit.kind for edit in variant.edits} <= {ASKED, "doubt", "truth told"}
    assert propose_all(AreYouSure(("claim", "insist")), Question("Is it far?", answers)) == ([], 0)


def test_it_doubts_the_last_turn_of_a_dialogue_and_every_asking_is_judged(propose_all: Any) -> None:
    variant = one(propose_all, AreYouSure(("doubt",)), DIALOGUE)
    prompts = said(variant, ["Ann"])
    assert [prompt.text for prompt in prompts[:3]] == ["I am Ann.", "and you?", "what is my name"]
    assert [prompt.asks for prompt in prompts] == [0, 1, 2, 2]


def test_a_persian_question_hears_no_english(propose_all: Any) -> None:
    variant = one(propose_all, AreYouSure(), PERSIAN)
    assert [edit.kind for edit in variant.edits] == FULL
    for turn in variant.turns:
        assert not any(char.isascii() and char.isalpha() for char in turn.text)
    assert variant.decoy in variant.turns[2].text


@pytest.mark.parametrize("code", ["de", "es", "fr"])
def test_other_languages_have_words_of_their_own(code: str, propose_all: Any) -> None:
    variant = one(propose_all, AreYouSure(), Question("¿Qué? Was? Quoi ?", ANN, lang=code))
    assert [edit.kind for edit in variant.edits] == [ASKED, "doubt", "truth told"]
    assert any(variant.turns[1].text.startswith(words) for words in language(code).turns["doubt"])
    assert AreYouSure().works_in(code)
    assert not AreYouSure().works_in("tr")


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=30), lang=st.sampled_from(["en", "de", "fa"]), seed=st.integers(0, 9), data=st.data())
def test_any_text_is_said_unchanged_and_the_play_ends(
    text: str, lang: str, seed: int, data: st.DataObject, propose_all: Any
) -> None:
    question = Question(text, ANN, lang=lang)
    attack = AreYouSure(("doubt", "innocent"))
    (variant,), _ = propose_all(attack, question, seed)
    assert edited(question.turns, variant.edits) == variant.turns
    assert propose_all(attack, question, seed)[0] == [variant]
    replies = data.draw(st.lists(st.sampled_from(["Ann", "Bob", "", "it is Ann?"]), min_size=1, max_size=5))
    prompts = said(variant, replies)
    assert 1 <= len(prompts) <= 4
    assert all(prompt.text.endswith(text) for prompt in prompts)


@pytest.mark.parametrize("question", [Question("what is my name", ANN), DIALOGUE])
def test_a_chain_doubts_the_answer_to_what_the_links_before_made(question: Question, propose_all: Any) -> None:
    doubt = AreYouSure(("doubt",), recover=False)
    for links in ((Filler(), doubt), (doubt, Filler())):
        variants, _ = propose_all(Chain(links), question)
        assert variants
        for variant in variants:
            assert variant.play == Doubting(1, gold=("Ann",)).played()
            assert variant.turns == edited(question.turns, variant.edits)
            assert len(variant.turns) == len(question.turns) + 1


def test_two_plays_make_no_chain(propose_all: Any) -> None:
    with pytest.raises(ValueError, match="both plays"):
        propose_all(Chain((AreYouSure(("doubt",)), AreYouSure(("innocent",)))), DIALOGUE)


def test_links_of_a_chain_leave_the_earlier_turns_as_they_were(propose_all: Any) -> None:
    variants, _ = propose_all(Chain((Filler(), Case())), DIALOGUE)
    assert {variant.turns[:2] for variant in variants} == {DIALOGUE.turns[:2]}


@pytest.mark.parametrize(
    ("played", "word"),
    [
        (Played("nobody"), "nobody"),
        (Played("are-you-sure", {"rungs": "shout"}), "rungs"),
        (Played("are-you-sure", {}), "rungs"),
    ],
)
def test_a_play_of_a_recording_that_cannot_be_played_is_refused(played: Played, word: str) -> None:
    with pytest.raises(BotattackError, match=word):
        play_of(played)


def test_a_prompt_says_what_it_asks_and_no_bot_hears_of_it() -> None:
    assert [turn.asks for turn in DIALOGUE.turns] == [0, 1, 2]
    assert Question("Who?").turns == (Prompt("Who?"),)
