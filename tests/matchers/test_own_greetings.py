"""A bot that greets in another way each time: the same body is the same reply, another body another.

Counted, as few replies cannot tell: with one own reply, what both say may be the answer or a greeting.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from botattack.matchers.own import OwnReference
from botattack.model import Prompt, Reply

BOT: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "data" / "greeting-bot.yaml").read_text(encoding="utf-8"))
FIXED = {"greetings": BOT["greetings"], "signoffs": ["Anything else I can do for you today?"]}
OWN = OwnReference()


class Bot:
    """Says what it is told to, between a greeting and a sign-off that it draws."""

    def __init__(self, words: dict[str, Any]) -> None:
        self._words, self.rng = words, Random(7)

    def says(self, answer: str) -> Reply:
        join = self.rng.choice((" ", "\n\n")) if answer[-1] in ".!?" else "\n\n"
        parts = (self.rng.choice(self._words["greetings"]), answer, self.rng.choice(self._words["signoffs"]))
        return Reply(join.join(part for part in parts if part))


@pytest.mark.parametrize("askings", [1, 3])
@pytest.mark.parametrize(
    "words", [BOT, BOT["second"], BOT["blind"], FIXED], ids=["first", "second", "blind", "fixed sign-off"]
)
def test_the_body_of_a_reply_is_compared_and_not_its_greeting(words: dict[str, Any], askings: int) -> None:
    bot, kinds = Bot(words), dict[str, list[str]](same=[], other=[], changed=[])
    answers = dict(BOT["faq"])
    questions = {answer: question for question, answer in answers.items()}
    said = [(question, answer, "same", answer) for question, answer in answers.items()]
    said += [(question, answer, "other", bot.rng.choice([*questions])) for question, answer in answers.items()]
    said += [(questions[answer], answer, "changed", other) for answer, other in BOT["changed"]] * 3
    for question, answer, what, reply in said:
        if what == "same" or reply != answer:
            own = tuple(bot.says(answer) for _ in range(askings))
            kinds[what].append(OWN.judge(Prompt(question), bot.says(reply), (), own).kind)
    different = {
        what: sum(kind in ("wrong", "refused") for kind in found) / len(found) for what, found in kinds.items()
    }
    assert different["same"] <= 0.03
    assert different["other"] >= 0.94
    assert sum(kind == "correct" for kind in kinds["other"]) <= 0.03 * len(kinds["other"])
    assert sum(kind == "correct" for kind in kinds["changed"]) <= 0.04 * len(kinds["changed"])


@pytest.mark.parametrize("askings", [2, 4])
def test_a_bot_that_only_greets_differently_agrees_with_itself(askings: int) -> None:
    bot = Bot(BOT)
    found = [
        OWN.agree(Prompt(question), tuple(bot.says(answer) for _ in range(askings))) for question, answer in BOT["faq"]
    ]
    assert sum(found) >= 0.97 * len(found)


@pytest.mark.parametrize(
    ("lang", "question", "own", "reply"),
    [
        (
            "de",
            "Hunde?",
            "Hunde sind in allen Zimmern im Haus erlaubt.",
            "Hunde sind in allen Zimmern im Haus nie erlaubt.",
        ),
        ("fa", "سگ؟", "آوردن سگ به همه اتاق‌های هتل ما آزاد است.", "آوردن سگ به همه اتاق‌های هتل ما آزاد نیست."),
    ],
)
def test_negations_are_those_of_the_language_of_the_question(lang: str, question: str, own: str, reply: str) -> None:
    assert OWN.judge(Prompt(question, lang=lang), Reply(reply), (), (Reply(own),)).kind == "wrong"
