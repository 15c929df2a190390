"""What of a message in a log is a question, and whether it stands alone."""

from __future__ import annotations

import pytest

from botattack.audit.starting.logs.asking import Asked, asked
from botattack.audit.starting.logs.counting import Token

LONGER = " ".join(["my card broke"] * 20)


def said(text: str, code: str = "en", *, answers: bool = False) -> list[Asked]:
    def is_name(word: Token, code: str) -> bool:
        return word.folded == "maria"

    return asked(text, code, is_name, answers=answers)


ALONE = {
    "How do I reset my password?": ["How do I reset my password?"],
    "Hi, where is my card?": ["Where is my card?"],
    "Hello Maria, where is my card?": ["Where is my card?"],
    "please where is my card?": ["where is my card?"],
    "hi, i'm maria. where is my card?": ["where is my card?"],
    "maria. where is my card?": ["where is my card?"],
    "Where is my card? How do I reset the password?": ["Where is my card?", "How do I reset the password?"],
    "Where is my card? And when?": ["Where is my card? And when?"],
    "My card broke. Where is the office?": ["Where is the office?"],
    "My card broke, where is it now?": ["My card broke, where is it now?"],
    "Is it possible to reset the password?": ["Is it possible to reset the password?"],
    "Where is this card?": ["Where is this card?"],
    "how do i reset the password": ["how do i reset the password"],
}
STATEMENTS = {
    "My card broke": ["My card broke"],
    "Yes, my card broke": ["Yes, my card broke"],
    "Thanks a lot. My card has not arrived.": ["My card has not arrived."],
    LONGER: [LONGER],
}
LEANING = [
    *("Reset password?", "Where is it?", "My card, where is it now?", "And the fees of it?", "What about parking?"),
    *("Where is that?", "Can you do that?", "Where is this later today shown?"),
]
NOTHING = [
    "Password reset",
    "Thanks a lot.",
    "Hi, Maria.",
    "Maria.",
    "how are you?",
    "yes",
    "No thanks",
    f"{LONGER} now",
]


@pytest.mark.parametrize("answers", [False, True])
@pytest.mark.parametrize("text", ALONE)
def test_what_asks_and_says_what_it_is_about_stands_alone(text: str, answers: bool) -> None:
    assert said(text, answers=answers) == [Asked(each, True) for each in ALONE[text]]


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_is_a_question_unless_it_answers_one(text: str) -> None:
    assert said(text) == [Asked(each, True) for each in STATEMENTS[text]]
    assert said(text, answers=True) == []


@pytest.mark.parametrize("text", LEANING)
def test_what_needs_what_was_said_before_is_marked(text: str) -> None:
    assert said(text) == said(text, answers=True) == [Asked(text, False)]


@pytest.mark.parametrize("text", NOTHING)
def test_courtesies_fragments_and_stories_are_none(text: str) -> None:
    assert said(text) == said(text, answers=True) == []


@pytest.mark.parametrize("mark", "?؟？")
def test_any_sign_of_a_question_tells_one(mark: str) -> None:
    assert said(f"the opening hours today{mark}", answers=True)
    assert not said("the opening hours today", answers=True)
