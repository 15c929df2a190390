"""The language that a question file names reaches the judge, live, in replay and for Python code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

import botattack
from botattack.engine.ask import Answer
from botattack.engine.judging import Judging
from botattack.matchers.judge import Judge
from botattack.matchers.own import OwnReference
from botattack.model import GoldAnswer, Prompt, Question, Reply, Unit, Variant, Verdict
from botattack.protocols import Matcher

# A dot stands before decimals in English, and between thousands in German.
SHORT = [
    ("Wie viele?", "1.500", "1500", "correct", "wrong"),
    ("Wie teuer?", "1.500 Euro", "1,5 Euro", "wrong", "correct"),
]


@pytest.mark.parametrize("match", [None, {"numeric": {"bare": True}}])
@pytest.mark.parametrize(("question", "reply", "gold", "german", "guessed"), SHORT)
def test_a_thousands_mark_in_a_short_question(
    question: str, reply: str, gold: str, german: str, guessed: str, match: object
) -> None:
    for lang, kind in (("de", german), ("de-AT", german), ("en", guessed)):
        assert botattack.judge(question, reply, [gold], lang=lang, match=match).kind == kind


def test_persian_digits_and_negation() -> None:
    assert botattack.judge("چند؟", "۱۵۰۰ نفر", ["1500"], lang="fa").kind == "correct"
    said = botattack.judge("سگ؟", "سگ آزاد نیست.", ["سگ آزاد است"], lang="fa")
    assert said.kind != "correct"


@dataclass(frozen=True)
class Tells(Matcher):
    """Says of which language it was told."""

    name: ClassVar[str] = "tells"

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        return Verdict("correct", 1.0, self.name, prompt.lang)


@pytest.mark.parametrize(("lang", "told"), [("de", "de"), ("fa-IR", "fa"), ("en", ""), ("nl", "nl")])
def test_originals_and_variants_are_judged_in_the_language_of_the_question(lang: str, told: str) -> None:
    judging = Judging(Judge(Tells()), OwnReference())
    asked = Question("Wie viele?", (GoldAnswer("3"),), lang=lang)
    answer = Answer((Reply("3"),), None, ())
    assert judging.original(asked, [answer])[0].verdict.why == told
    other = answer._replace(turns=(Prompt("Wie viele ?"),))
    assert judging.variant(asked, other, expect="same", own={0: (Reply("3"),)}).verdict.why == told


def test_the_language_is_no_part_of_what_is_sent() -> None:
    asked = Question("Wie viele?", lang="de")
    assert asked.turns == (Prompt("Wie viele?"),)
    assert Unit.of(Variant(asked.turns, "x"), 0, 7).turns[-1].lang == ""
