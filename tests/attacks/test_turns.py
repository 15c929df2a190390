"""Attacks that spread a question over turns, suggest an answer or take an untruth for granted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botattack import registry
from botattack.attacks.turns.ellipsis import Elliptic
from botattack.attacks.turns.false_premise import FalsePremise, premises
from botattack.attacks.turns.leading import Leading
from botattack.attacks.turns.sharded import Sharded
from botattack.attacks.turns.topic_shift import TopicShift
from botattack.model import GoldAnswer, Question, UserTurn, Variant, edited
from botattack.text.languages import codes, language

NAMES = ("ellipsis", "false-premise", "leading", "sharded", "topic-shift")
PASSAGE = "Marie Curie discovered polonium in Paris in 1898."


def texts(variant: Variant) -> list[str]:
    return [turn.text for turn in variant.turns]


def said(purpose: str, code: str = "en", **filled: str) -> list[str]:
    return [words.format(**filled) for words in language(code).turns[purpose]]


def only(propose_all: Any, attack: Any, question: Question) -> Variant:
    (variant,), existing = propose_all(attack, question)
    assert existing == 1 == (attack.per_question or 1)
    assert edited(question.turns, variant.edits) == variant.turns
    return variant


@pytest.mark.parametrize(
    ("asked", "first", "pieces"),
    [
        ("Which team won the game at Super Bowl 50?", "Which team won the game?", ["at Super Bowl 50"]),
        (
            "How were settlers assimilated into American society in 1750?",
            "How were settlers assimilated?",
            ["into American society", "in 1750"],
        ),
        (
            "What did Tesla receive after starting his company?",
            "What did Tesla receive?",
            ["after starting his company"],
        ),
    ],
)
def test_a_question_is_said_piece_by_piece(asked: str, first: str, pieces: list[str], propose_all: Any) -> None:
    variant = only(propose_all, Sharded(), Question(asked, passages=(PASSAGE,)))
    assert texts(variant)[0] == first
    for text, piece in zip(texts(variant)[1:], pieces, strict=True):
        assert text in said("shard", phrase=piece)
    assert {turn.passages for turn in variant.turns} == {(PASSAGE,)}
    assert {edit.kind for edit in variant.edits} == {"shard"}


@pytest.mark.parametrize(
    ("asked", "pieces"),
    [
        ("How old is a lava flow after it cools?", ["after it cools"]),
        ("When was Dali conquered by the Yuan?", ["by the Yuan"]),
        ("What did William Smith cross about 50 times?", ["about 50 times"]),
        ("How long is the section that turns north? ", ["the one that turns north"]),
        ("How old are the gravestones that reference the plague?", ["the ones that reference the plague"]),
        ("Who led the Vikings who sailed to France?", ["the ones who sailed to France"]),
        ("What uprising began in 1351?", ["in 1351"]),
        ("How many firms were there in 2011?", ["in 2011"]),
        ("What did Ann compile in 2004?", ["in 2004"]),
        ("How wide is the Rhine in Germany?", ["in Germany"]),
        ("Who introduced plague to Europe?", ["to Europe"]),
        ("What do they show about how people feel about private schools?", ["about private schools"]),
    ],
)
def test_phrases_of_each_kind_can_wait(asked: str, pieces: list[str], propose_all: Any) -> None:
    variants, _ = propose_all(Sharded(), asked)
    later = texts(variants[0])[1:] if variants else []
    assert len(later) == len(pieces)
    assert all(text in said("shard", phrase=piece) for text, piece in zip(later, pieces, strict=True))


@pytest.mark.parametrize(
    "asked",
    [
        *("Who won?", "What is the capital of France?", "Who is the oldest to play?", "why"),
        # Words that begin no piece, and those that a verb needs.
        *("When did Tom serve as President?", "Which set of countries have lower mobility than the United States?"),
        *("What debate lasts for 55 minutes?", "How fast do objects fall on Earth?", "What land was ceded to Spain?"),
        *("What is included with each packet label", "What happens when particles act upon one another?"),
        # What stands before must be complete, ask, and have three words.
        *("What was Iqbal studying in England and Germany?", "What are public schools called in Germany?"),
        *("Who came up with the term Black Death?", "How many museums are in Warsaw?"),
        *('What is the "hand shake" between communication parties?', "What did the state proclaim itself in 2015?"),
        *("What ends in the same delta?", "Can packets ever collide in route?", "Where is Geoffrey Parker from?"),
        *("In 2005 how many employees were employed by the government?", "What happens as they build phase 1?"),
        *("What is the most snow Fresno has ever had?", "What does the beroe do when pursuing prey?"),
    ],
)
def test_a_question_without_a_phrase_that_can_wait_stays_whole(asked: str, propose_all: Any) -> None:
    assert propose_all(Sharded(), asked) == ([], 0)


def test_fewer_turns_make_fewer_pieces(propose_all: Any) -> None:
    question = Question("How were settlers assimilated into American society in 1750?")
    assert texts(only(propose_all, Sharded(2), question))[0] == "How were settlers assimilated into American society?"


@pytest.mark.parametrize(
    ("asked", "before", "after", "phrase", "kind"),
    [
        ("Who won the Super Bowl in 1999?", "Who won the Super Bowl in ", "?", "in 1999", "year"),
        ("Who was the first president of France?", "Who was the first president of ", "?", "France", "name"),
        ("What did Marie Curie discover?", "What did ", " discover?", "Marie Curie", "name"),
        ("Which ship sails to France?", "Which ship sails to ", "?", "to France", "name"),
    ],
)
def test_behind_a_twin_only_what_differs_is_asked(
    asked: str, before: str, after: str, phrase: str, kind: str, propose_all: Any
) -> None:
    variant = only(propose_all, Elliptic(), Question(asked, (GoldAnswer("polonium"),)))
    twin, last = texts(variant)
    assert twin.startswith(before)
    assert twin.endswith(after)
    assert twin != asked
    assert last in said("ellipsis", phrase=phrase)
    assert {edit.kind for edit in variant.edits} == {kind}


@pytest.mark.parametrize("asked", ["Who won?", "What did the UK parliament decide?", "Did it end in 1914 or in 1918?"])
def test_what_could_stand_for_several_things_is_not_left_out(asked: str, propose_all: Any) -> None:
    assert propose_all(Elliptic(), asked) == ([], 0)


def test_a_name_of_the_answer_is_not_exchanged(propose_all: Any) -> None:
    assert propose_all(Elliptic(), Question("Where is France?", (GoldAnswer("France"),))) == ([], 0)


def test_a_fake_answer_is_suggested_behind_the_question(propose_all: Any) -> None:
    question = Question("When was polonium discovered? ", (GoldAnswer("1898"),), (PASSAGE,))
    variant = only(propose_all, Leading(), question)
    assert variant.decoy.isdecimal()
    assert variant.decoy != "1898"
    assert variant.prompt.text.strip() in [f"{question.text.strip()} {one}" for one in said("lead", fake=variant.decoy)]
    assert (variant.meaning, variant.expect) == ("kept", "same")
    assert propose_all(Leading(), Question("Is it far?", (GoldAnswer("yes"),))) == ([], 0)


def test_a_persian_question_gets_a_persian_suggestion(propose_all: Any) -> None:
    question = Question("پل در چه سالی ساخته شد؟", (GoldAnswer("۱۳۲۰"),), ("پل در سال ۱۳۲۰ ساخته شد.",), lang="fa")
    variant = only(propose_all, Leading(), question)
    assert variant.prompt.text in [f"{question.text} {one}" for one in said("lead", "fa", fake=variant.decoy)]


@pytest.mark.parametrize(
    ("asked", "meaning", "ruled_out"),
    [
        ("What did Marie Curie discover?", "kept", ""),
        ("Where was Marie Curie born?", "kept", "Moon"),
        ("In what year was Marie Curie born?", "unsure", "nothing"),
        ("What is the population of France?", "kept", "lived"),
    ],
)
def test_an_untruth_keeps_the_meaning_only_if_the_answer_does_not_depend_on_it(
    asked: str, meaning: str, ruled_out: str, propose_all: Any
) -> None:
    variant = only(propose_all, FalsePremise(), Question(asked, (GoldAnswer("polonium"),)))
    assert variant.prompt.text.endswith(asked)
    assert variant.meaning == meaning
    assert (variant.why == "") == (meaning == "kept")
    assert not ruled_out or ruled_out not in variant.prompt.text


def test_nothing_untrue_is_said_of_the_answer(propose_all: Any) -> None:
    assert propose_all(FalsePremise(), Question("Who is Marie Curie?", (GoldAnswer("Marie Curie"),))) == ([], 0)


@pytest.mark.parametrize(
    ("asked", "spoken_of"),
    [
        ("What did Kublai believe about the soul?", True),
        ("What was proposed by Kublai?", True),
        ("Who else besides Genoa traded with Kaffa?", False),
        ("What is the full official city name of Miasto?", False),
        ("How many courses are required under Core?", False),
        ("What do the young behave like in the genus Beroe?", False),
        ("Whatare the two forces written as the sum of?", False),
        ("Where was the Palace on the Bank built?", False),
    ],
)
def test_a_word_is_taken_for_somebody_only_where_it_does_something(
    asked: str, spoken_of: bool, propose_all: Any
) -> None:
    found, _ = propose_all(FalsePremise(), Question(asked, (GoldAnswer("gold"),)))
    said = [edit.after for variant in found for edit in variant.edits]
    somebody = {premise.said for premise in premises("en") if "PERSON" in premise.types}
    names = [word.strip("?") for word in asked.split() if word.istitle()]
    told = any(premise.format(name=name) in one for premise in somebody for name in names for one in said)
    assert told == spoken_of
    assert spoken_of or not said


def test_premises_are_data() -> None:
    assert len(premises("en")) >= 6
    for premise in premises("en"):
        assert "{name}" in premise.said
        assert premise.types
        assert premise.about


@pytest.mark.parametrize("code", codes())
def test_the_topic_shifts_and_comes_back(code: str, propose_all: Any) -> None:
    question = Question("¿1234?", (GoldAnswer("5"),), (PASSAGE,), lang=code)
    (repeated, recalled), existing = propose_all(TopicShift(turns=3), question)
    assert existing == 2
    for variant in (repeated, recalled):
        first, *chatter, _ = texts(variant)
        assert first == question.text
        assert len(chatter) == 3
        assert {*chatter} <= {*said("chatter", code)}
        assert edited(question.turns, variant.edits) == variant.turns
    assert repeated.prompt.text in [f"{one} {question.text}" for one in said("back", code)]
    assert recalled.prompt.text in said("recall", code)
    kinds = [{edit.kind for edit in variant.edits} for variant in (repeated, recalled)]
    assert kinds == [{"question repeated"}, {"question referred to"}]


def test_every_language_that_chats_has_more_than_five_things_to_say() -> None:
    for code in TopicShift().languages or ():
        assert len({*said("chatter", code)}) > 5


@pytest.mark.parametrize(
    "asked",
    [
        "When did Victoria enact its constitution?",
        "Who did the Broncos beat?",
        "What did Virgin Media sell?",
        "What is Social Policy?",
        "X.25 uses what network?",
    ],
)
def test_nothing_is_said_of_a_name_whose_type_is_in_doubt(asked: str, propose_all: Any) -> None:
    """A state was born on the Moon, a team lived for two hundred years: what the parser took these for."""
    variants, _ = propose_all(FalsePremise(), Question(asked, (GoldAnswer("x"),)))
    assert not [each for each in variants if "born" in texts(each)[0] or "lived for" in texts(each)[0]]
    assert not variants or "Victoria" in asked or "Media" in asked


def test_more_chatter_than_there_is_is_said_again(propose_all: Any) -> None:
    variants, _ = propose_all(TopicShift(("repeat",), turns=12), "why")
    assert [len(variant.turns) for variant in variants] == [14]


@pytest.mark.parametrize("name", NAMES)
def test_a_dialogue_keeps_its_turns(name: str, propose_all: Any) -> None:
    question = Question(
        "When did Marie Curie discover it in 1898?",
        (GoldAnswer("March 3"),),
        (PASSAGE,),
        earlier=(UserTurn("Hello."), UserTurn("Who is Marie Curie?", (GoldAnswer("a chemist"),))),
    )
    variants, _ = propose_all(registry.find("attacks", name)(), question)
    for variant in variants:
        assert edited(question.turns, variant.edits) == variant.turns
        assert [turn.asks for turn in variant.turns if turn.asks is not None] == [0, 1, 2]
        assert variant.turns[:2] == question.turns[:2]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.one_of(
        st.text(max_size=30),
        st.lists(
            st.sampled_from(
                ["who", "Did", "in", "1999", "France", "the", "Marie Curie", "won", "at", "?", "می‌خواهم", ","]
            ),
            max_size=9,
        ).map(" ".join),
    ),
    lang=st.sampled_from(["en", "fa", "de"]),
    seed=st.integers(0, 9),
)
def test_whatever_is_asked_the_edits_say_what_was_done(
    name: str, text: str, lang: str, seed: int, propose_all: Any
) -> None:
    attack, question = registry.find("attacks", name)(), Question(text, (GoldAnswer("Ann"),), lang=lang)
    if not attack.works_in(lang):
        return
    variants, existing = propose_all(attack, question, seed)
    assert len(variants) == existing
    assert propose_all(attack, question, seed)[0] == variants
    for variant in variants:
        assert variant.edits
        assert edited(question.turns, variant.edits) == variant.turns
        assert (variant.meaning == "kept") == (not variant.why)
        assert {edit.place.kind for edit in variant.edits} <= attack.edits
        assert variant.turns != question.turns
