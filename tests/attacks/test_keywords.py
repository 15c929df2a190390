from random import Random

import pytest

from botattack.attacks.building.keywords import (
    content_keywords,
    dependency_keywords,
    is_content,
    is_content_or_number,
    random_keywords,
)
from botattack.model import Token
from tests.attacks.conftest import tokens_of

FIGURE_2 = tokens_of(
    "Who played the voice of Aladdin",
    "*Who PRON nsubj 1",
    "played VERB ROOT 1",
    "*the DET det 3",
    "voice NOUN dobj 1",
    "*of ADP prep 3",
    "Aladdin PROPN pobj 4",
)


def keywords(tokens: tuple[Token, ...], through: bool = False, numbers: bool = False) -> list[str]:
    content = is_content_or_number if numbers else is_content
    return [tokens[i].text for i in dependency_keywords(tokens, content, through)]


def test_figure_2_read_literally_and_through_prepositions() -> None:
    assert keywords(FIGURE_2) == ["played", "voice"]
    assert keywords(FIGURE_2, through=True) == ["played", "voice", "Aladdin"]


def test_a_root_that_is_no_content_word() -> None:
    tokens = tokens_of(
        "what is the longest river of Egypt",
        "*what PRON attr 1",
        "*is AUX ROOT 1",
        "*the DET det 4",
        "longest ADJ amod 4",
        "river NOUN nsubj 1",
        "*of ADP prep 4",
        "Egypt PROPN pobj 5",
    )
    assert keywords(tokens) == ["river"]
    assert keywords(tokens, through=True) == ["river", "Egypt"]
    assert [tokens[i].text for i in content_keywords(tokens, is_content)] == ["longest", "river", "Egypt"]


def test_a_clause_that_hangs_on_a_noun_below_a_preposition() -> None:
    tokens = tokens_of(
        "list me about islands that Darwin visited with friends",
        "list VERB ROOT 0",
        "*me PRON dative 0",
        "*about ADP prep 0",
        "islands NOUN pobj 2",
        "*that PRON dobj 6",
        "Darwin PROPN nsubj 6",
        "visited VERB relcl 3",
        "*with ADP prep 6",
        "friends NOUN pobj 7",
    )
    assert keywords(tokens) == ["list", "Darwin", "visited"]
    assert keywords(tokens, through=True) == ["list", "islands", "Darwin", "visited", "friends"]


def test_clauses_inside_clauses() -> None:
    tokens = tokens_of(
        "say who thinks birds sing",
        "say VERB ROOT 0",
        "*who PRON nsubj 2",
        "thinks VERB ccomp 0",
        "birds NOUN nsubj 4",
        "sing VERB ccomp 2",
    )
    assert keywords(tokens) == ["say", "thinks", "birds", "sing"]


def test_every_sentence_has_a_head() -> None:
    tokens = tokens_of("Hello sailor . Play chess", *("Hello INTJ ROOT 0", "sailor NOUN npadvmod 0", ". PUNCT punct 0"))
    later = tokens_of("Hello sailor . Play chess", "Play VERB ROOT 3", "chess NOUN dobj 3")
    assert keywords((*tokens, *later)) == ["sailor", "Play", "chess"]


def test_auxiliaries_are_never_keywords() -> None:
    tokens = tokens_of("did Bell invent", "did VERB aux 2", "Bell PROPN nsubj 2", "invent VERB ROOT 2")
    assert keywords(tokens) == ["Bell", "invent"]


def test_words_of_a_wrapper_ask_nothing() -> None:
    tokens = tokens_of(
        "Can you tell me who played Aladdin",
        *("*Can AUX aux 2", "*you PRON nsubj 2", "tell VERB ROOT 2", "*me PRON dative 2"),
        *("*who PRON nsubj 5", "played VERB ccomp 2", "Aladdin PROPN dobj 5"),
    )
    assert keywords(tokens) == ["played", "Aladdin"]
    assert [tokens[i].text for i in content_keywords(tokens, is_content)] == ["played", "Aladdin"]
    assert keywords(tokens_of("tell me", "tell VERB ROOT 0", "*me PRON dative 0")) == ["tell"]


def test_numbers_by_option() -> None:
    tokens = tokens_of("who won 1990", "*who PRON nsubj 1", "won VERB ROOT 1", "1990 NUM dobj 1")
    assert keywords(tokens) == ["won"]
    assert keywords(tokens, numbers=True) == ["won", "1990"]


def test_a_word_twice_is_two_keywords() -> None:
    tokens = tokens_of("dogs chase dogs", "dogs NOUN nsubj 1", "chase VERB ROOT 1", "dogs NOUN dobj 1")
    assert dependency_keywords(tokens, is_content, False) == [0, 1, 2]


@pytest.mark.parametrize("count", [1, 3, 20])
def test_random_words_are_words_and_come_from_the_seed(count: int) -> None:
    tokens = (*FIGURE_2, Token("?", 31, pos="PUNCT", relation="punct", head=1))
    drawn = random_keywords(tokens, count, Random(5))
    assert drawn == random_keywords(tokens, count, Random(5)) == sorted(set(drawn))
    assert len(drawn) == min(count, 6)
    assert 6 not in drawn
