"""The pieces that statements are made of: what stands before an answer, and questions that only tags take apart."""

from __future__ import annotations

import pytest

from botattack.attacks.passages.reasoning_chain.graph import graph_of
from botattack.attacks.passages.renaming import subject_of
from botattack.attacks.passages.statements.answer_words import adverbial, is_bare_number
from botattack.attacks.passages.statements.repaired import by_tags, complete, with_both
from botattack.attacks.passages.statements.statement import statement
from botattack.model import GoldAnswer, Question
from tests.attacks.everything import Parts


@pytest.mark.parametrize(
    ("word", "answer", "before"),
    [
        *(("when", answer, "on ") for answer in ("Monday", "12 May", "May 12, 1990", "1 January")),
        *(("when", answer, "in ") for answer in ("1990", "May 1990", "May 123", "spring")),
        *(("when", answer, "at ") for answer in ("10:30", "9 am", "9 pm", "9 a.m.", "9 p.m.", "noon", "midnight")),
        *(("when", answer, "") for answer in ("in 1990", "at noon", "3 years ago")),
        *(("where", answer, "in ") for answer in ("Rome", "quickly")),
        *(("how", answer, before) for answer, before in (("train", "by "), ("quickly", ""))),
        *(("why", answer, before) for answer, before in (("rain", "because of "), ("because of rain", ""))),
    ],
)
def test_an_answer_gets_the_preposition_it_lacks(word: str, answer: str, before: str) -> None:
    assert adverbial(word, answer) == f"{before}{answer}"


@pytest.mark.parametrize(
    ("answer", "is_number"),
    [
        *(
            (text, True)
            for text in ("12", "twelve", "twenty-two", "1,250", "12-15", "12–15", "3.5", "~12.", "about 12")
        ),
        *((text, False) for text in ("12 people", "second", "x12", "Rome")),
    ],
)
def test_an_answer_may_end_in_a_number(answer: str, is_number: bool) -> None:
    assert is_bare_number(answer) is is_number


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("In which city was Tesla born?", ("In which city", "was", "Tesla", "born")),
        ("On what day did he die?", ("On what day", "did", "he", "die")),
        ("Who has she met?", ("Who", "has", "she", "met")),
        ("Where is it still allowed to park?", ("Where", "is", "it", "still allowed to park")),
        ("Which two big dogs did they buy?", ("Which two big dogs", "did", "they", "buy")),
        ("When was the next deadliest plague documented?", ("When", "was", "the next deadliest plague", "documented")),
        ("Who won it?", ("Who", "", "", "won it")),
        *((text, ()) for text in ("Who won?", "In what year?", "In which city lives he?", "Did he come?")),
        *((text, ()) for text in ("Which, in 1990, town was sold?", "What are dogs and what are cats?")),
    ],
)
def test_a_question_is_taken_apart_by_tags_alone(text: str, pieces: tuple[str, ...], everything: Parts) -> None:
    tokens = everything.met("parse", {"text": text, "lang": "en", "entities": True})
    clause = by_tags(text, tokens)
    assert (clause is None) is not bool(pieces)
    if clause:
        auxiliary = "" if clause.auxiliary is None else tokens[clause.auxiliary].text
        assert (clause.said(clause.asked), auxiliary, clause.said(clause.subject), clause.said(clause.rest)) == pieces
        assert complete(clause)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Were Tom and Ann both born in Rome?", ("Tom and Ann", "both born in Rome")),
        ("Is Tom's and Ann's dog both old?", ("Tom's and Ann's dog", "both old")),
        ("Are both Ann Lee and Bob Ray from Oslo?", ("Ann Lee and Bob Ray", "both from Oslo")),
        (
            "Are both Tom, Dick and Harry of the Bank of Rome old?",
            ("Tom, Dick and Harry of the Bank of Rome", "both old"),
        ),
        *((text, ()) for text in ("Tom and Ann both ran?", "Both ran?", "Are both big?", "Are both?")),
    ],
)
def test_both_goes_in_front_of_what_is_asked_of_the_two(text: str, pieces: tuple[str, ...], everything: Parts) -> None:
    clause = with_both(text, everything.met("parse", {"text": text, "lang": "en", "entities": True}))
    assert pieces == (() if clause is None else (clause.said(clause.subject), clause.said(clause.rest)))


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        ("What nationality is Ann Lee?", "Danish", "Ann Lee is Danish."),
        ("What colour was the flag?", "red", "The flag was red."),
        ("What shape were curtains?", "round", "Curtains were round."),
        ("Which company was bought?", "shops", "Shops were bought."),
        ("Which team has won?", "Lions", "Lions has won."),
        ("Who was seen?", "two boys", "Two boys were seen."),
        ("Who was seen?", "the boss", "The boss was seen."),
        ("According to Ann, who won it?", "Tom", "According to Ann, Tom won it."),
        ("While in Rome, what did he eat?", "fish", "While in Rome, he ate fish."),
        ("It was sold for how much?", "5 euros", "It was sold for 5 euros."),
        ("He ruled under which king?", "Otto", "He ruled under Otto."),
        ("Did he come?", "maybe", ""),
        ("Is it true?", "false", "It is not true."),
        ("How tall is the tower?", "12 m", "The tower is 12 m."),
    ],
)
def test_a_statement_says_is_and_are_as_the_answer_needs(text: str, answer: str, said: str, everything: Parts) -> None:
    tokens = everything.met("parse", {"text": text, "lang": "en", "entities": True})
    assert statement(text, tokens, answer, everything["inflection"]) == said


@pytest.mark.parametrize(("before", "person"), [(40, True), (145, True), (146, False), (300, False)])
def test_when_somebody_lived_is_read_right_behind_the_name(before: int, person: bool) -> None:
    body = f"Zog Vrabo {'x' * (before - 11)} (born 1 May 1900) ran. He ran."
    assert body.index("(born") == before
    found = subject_of(Question("Who?", passages=(f"Zog Vrabo: {body}",)), 0)
    assert found is not None
    assert (found.name, found.kind) == ("Zog Vrabo", "MAN" if person else "")


def test_names_are_related_by_the_words_between_them(everything: Parts) -> None:
    texts = (
        "Laysan: Laysan lies near the old capital of Hawaii.",
        "Oslo: The king of Norway gave Oslo to Anna.",
        "Anna: Anna was born near the busy port of Hawaii.",
    )
    question = Question("Where?", (GoldAnswer("Laysan"),), texts)
    wanted = {"lang": "en", "entities": True, "lemmas": True}
    graph = graph_of(question, {at: everything.met("parse", {"text": text, **wanted}) for at, text in enumerate(texts)})
    anna = [("anna", 2, ("bear", "port")), ("hawaii", 0, ("capital", "lie"))]
    for name, steps in (
        ("laysan", [("laysan", 0, ())]),
        ("anna", anna),
        ("oslo", [("oslo", 1, ("give",)), *anna]),
        ("norway", [("norway", 1, ("king", "give")), *anna]),
    ):
        chain = graph.chain(f" {name} ")
        assert [(step.name.strip(), step.passage, step.relation) for step in chain] == steps
    assert graph.chain(" nobody ") == ()
