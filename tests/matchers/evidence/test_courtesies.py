"""Greetings and asides around what a reply says: each limit, each pause, and all that makes an aside tell something."""

from __future__ import annotations

import pytest

from botattack.matchers.courtesies import body
from botattack.matchers.evidence.answer_key import answer_key
from botattack.matchers.evidence.reading import read
from botattack.model import GoldAnswer

SAID = "It opens at nine."


def left(text: str, *golds: str, question: str = "When does it open?") -> str:
    """What is left of a reply without its courtesies."""
    key = answer_key(question, tuple(map(GoldAnswer, golds)), "en")
    rest = body(read(text, key.language), key)
    return text[rest.spans[0][0] : rest.spans[-1][1]]


@pytest.mark.parametrize(("words", "polite"), [(15, True), (16, True), (17, False)])
def test_a_courtesy_has_sixteen_words_at_most(words: int, polite: bool) -> None:
    assert left(f"{'Thanks ' * words}. {SAID}").startswith("It opens" if polite else "Thanks")


@pytest.mark.parametrize(("words", "aside"), [(5, True), (6, True), (7, False)])
def test_an_aside_has_six_words_at_most_beside_a_gold_answer(words: int, aside: bool) -> None:
    text = f"{' '.join(['Tralala'] * words)}! {SAID}"
    assert left(text, "nine").startswith("It opens" if aside else "Tralala")
    assert left(text).startswith("Tralala")


@pytest.mark.parametrize("pause", [*",!:;-–—", "."])
def test_a_greeting_may_begin_a_sentence(pause: str) -> None:
    assert left(f"Hi there{pause} the shop opens at nine.") == "the shop opens at nine"


@pytest.mark.parametrize(
    ("aside", "polite"),
    [
        *(
            (aside, True)
            for aside in ("Ahoy!", "Ahoy\n\n", "Do you like it?", "Thanks.", "Welcome to the blue museum.")
        ),
        *((f"Ahoy {tells}!", False) for tells in ("5", "no", "but", "open", "nine")),
        *((aside, False) for aside in ("Ahoy.", "Tralala?", "Hello 5.", "Perhaps so!")),
    ],
)
def test_an_aside_is_called_out_and_tells_nothing(aside: str, polite: bool) -> None:
    assert left(f"{aside} {SAID}", "nine").startswith("It opens") is polite


def test_a_yes_is_a_courtesy_unless_it_may_be_the_answer() -> None:
    assert left(f"Yes. {SAID}", "nine") == SAID[:-1]
    assert left(f"Yes. {SAID}", "nine", question="Is it open?") == f"Yes. {SAID}"[:-1]


def test_courtesies_alone_are_what_a_reply_says() -> None:
    assert [left(text) for text in ("Hi there.", "Thanks!")] == ["Hi there", "Thanks"]
