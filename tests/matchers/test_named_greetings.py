"""A greeting with a name in it says nothing, even where the name is a gold answer."""

from __future__ import annotations

import pytest

from botattack.matchers.learned import Learned
from botattack.model import GoldAnswer, Prompt, Reply

SORRY = "Sorry, I did not get that."


@pytest.mark.parametrize(
    ("question", "gold", "reply", "kind"),
    [
        ("Which app do I need to unlock a bike?", "RadGo", f"Welcome to RadGo. {SORRY}", "refused"),
        ("Which app do I need to unlock a bike?", "RadGo", "Welcome to RadGo. Bring your passport.", "wrong"),
        ("Which app do I need to unlock a bike?", "RadGo", "Welcome to RadGo. You need the RadGo app.", "correct"),
        ("Which app do I need to unlock a bike?", "RadGo", "Welcome to RadGo.", "correct"),
        ("Do you take cards?", "yes", "Welcome to RadGo. Yes, Visa and Mastercard.", "correct"),
        ("Is the lock included?", "yes", "Welcome to our shop. No, the lock is extra.", "wrong"),
        ("Who is the most famous cat of Japan?", "Hello Kitty", "Hello Kitty. She is a cat.", "correct"),
    ],
)
def test_a_name_in_a_greeting_is_no_answer(question: str, gold: str, reply: str, kind: str) -> None:
    judge = Learned().knowing((SORRY,))
    assert judge.judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind == kind
