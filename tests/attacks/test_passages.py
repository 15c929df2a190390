"""What attacks on passages promise: statements, fake answers, and what is added where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from botattack.attacks.passages.add_sent import AddSent
from botattack.attacks.passages.statements import statement
from botattack.errors import MissingPart
from botattack.model import Fact, GoldAnswer, Question, Reply, Variant, edited, says_decoy
from botattack.places import Place
from botattack.protocols import Attack
from botattack.text.sentences import sentence_spans
from tests.attacks.everything import Parts
from tests.attacks.resources import drive

PARIS = Question(
    "What is the capital of France?",
    (GoldAnswer("Paris"),),
    ("Berlin is in Germany. It is large.", "France is in Europe. Paris is the capital of France. It has 12 bridges."),
    facts=(Fact(1, 21, 52),),
)


def made(attack: Attack, question: Question, everything: Parts, seed: int = 0) -> list[Variant]:
    try:
        needed = {name: everything[name] for name in attack.parts()}
    except MissingPart as missing:
        pytest.skip(str(missing))
    meets: dict[str, Any] = {"parse": lambda payload: everything.met("parse", payload)}
    return drive(attack, question, needed, meets, seed)[0]


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("What city did Tesla move to in 1880?", "Prague", "Tesla moved to Prague in 1880."),
        ("Who played the voice of Aladdin?", "Scott Weinger", "Scott Weinger played the voice of Aladdin."),
        ("What is the capital of France?", "Lyon", "The capital of France is Lyon."),
        ("When did Denmark join the EU?", "1972", "Denmark joined the EU in 1972."),
        ("When did the war end?", "11 November 1918", "The war ended on 11 November 1918."),
        ("Where is the venue located?", "Oslo", "The venue is located in Oslo."),
        (
            "How many people died of plague in Paris in 1466?",
            "40,000",
            "40,000 people died of plague in Paris in 1466.",
        ),
        ("How many times has Polonia won the cup?", "twice", "Polonia has won the cup twice."),
        ("In what year did Luther die?", "1546", "Luther died in 1546."),
        ("What are cilia used for?", "swimming", "Cilia are used for swimming."),
        ("The museum was built in what city?", "Warsaw", "The museum was built in Warsaw."),
        ("Who is older, Annie Morton or Terry Richardson?", "Terry Richardson", "Terry Richardson is older."),
        ("Are Ferocactus and Silene both types of plant?", "yes", "Ferocactus and Silene are both types of plant."),
        (
            "Were Derrickson and Wood of the same nationality?",
            "no",
            "Derrickson and Wood were not of the same nationality.",
        ),
        ("He was born in a civil war that ended when?", "1922", "He was born in a civil war that ended in 1922."),
        ("why", "because", ""),
        ("", "x", ""),
    ],
)
def test_statements(question: str, answer: str, said: str, everything: Parts) -> None:
    tokens = everything.met("parse", {"text": question, "lang": "en", "entities": True})
    assert statement(question, tokens, answer, everything["inflection"]) == said


@pytest.mark.parametrize("at", ["end", "beginning", "random"])
def test_add_sent_puts_one_sentence_with_a_fake_answer_into_the_passage_that_answers(
    at: Any, everything: Parts
) -> None:
    (variant,) = made(AddSent(at=at), PARIS, everything)
    (edit,) = variant.edits
    assert (edit.place, edit.before, variant.prompt.text) == (Place("passage", 1), "", PARIS.text)
    assert variant.turns == edited(PARIS.turns, variant.edits)
    assert edit.after.strip().endswith(f"is {variant.decoy}.")
    assert variant.prompt.passages[0] == PARIS.passages[0]
    text = variant.prompt.passages[1]
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    assert len(sentences) == 4
    assert {"end": sentences[-1], "beginning": sentences[0]}.get(at, edit.after.strip()) == edit.after.strip()
    assert (variant.meaning, variant.expect) == ("kept", "same")


def test_the_added_sentence_says_nothing_of_what_is_asked(everything: Parts) -> None:
    for seed in range(20):
        for variant in made(AddSent(per_question=3), PARIS, everything, seed):
            added = variant.edits[0].after
            assert "Paris" not in added
            assert "France" not in added
            assert not any(variant.decoy in text for text in (*PARIS.passages, PARIS.text))


def test_variants_differ_by_what_is_altered(everything: Parts) -> None:
    question = Question(
        "What is the largest city of France in 1990?", (GoldAnswer("Paris"),), ("Paris was the largest city.",)
    )
    variants = made(AddSent(per_question=5), question, everything)
    assert len({variant.id for variant in variants}) == len(variants) > 1
    assert variants == made(AddSent(per_question=5), question, everything)


@pytest.mark.parametrize(
    "question",
    [
        Question(PARIS.text, PARIS.answers),
        Question(PARIS.text, (), PARIS.passages),
        Question(PARIS.text, (GoldAnswer("P.*", regex=True),), PARIS.passages),
        Question("Why?", PARIS.answers, PARIS.passages),
    ],
    ids=["no passage", "no answer", "a pattern", "nothing to alter"],
)
def test_nothing_is_added_without_a_passage_an_answer_or_something_to_alter(
    question: Question, everything: Parts
) -> None:
    assert made(AddSent(), question, everything) == []


def test_a_decoy_is_found_in_a_reply(everything: Parts) -> None:
    (variant,) = made(AddSent(), PARIS, everything)
    assert says_decoy(variant.decoy, Reply(f"I think it is {variant.decoy.upper()}!"))
    assert not says_decoy(variant.decoy, Reply("Paris"))


def _spans(text: str) -> Sequence[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. J. S. Bach came. He saw.", ["Dr. J. S. Bach came.", "He saw."]),
        ("It cost 3.50 euros. Fine.", ["It cost 3.50 euros.", "Fine."]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("این یک است. آن چیست؟ خوب", ["این یک است.", "آن چیست؟", "خوب"]),
        ("  \n ", []),
        ("no end", ["no end"]),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert _spans(text) == sentences
