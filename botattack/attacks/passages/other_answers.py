"""A fake answer, and another title, of the kind of the right one, in the language of the question. Pure; English and
Persian."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from botattack.attacks.building.parsed import entities_of
from botattack.attacks.fakes import answers as english
from botattack.attacks.fakes.names import fake_names
from botattack.attacks.persian import fakes as persian
from botattack.attacks.persian.names import lexicon, plain
from botattack.model import Question, Token

LANGUAGES = frozenset({"en", "fa"})


def other_answer(
    question: Question,
    asked: Sequence[Token],
    answer: Sequence[Token],
    rng: Random,
    *,
    beside: str = "",
) -> str:
    """What `fake_answer` of the language gives for the parsed question and answer; "" without one."""
    if question.language == "fa":
        return persian.fake_answer(question, answer, rng, beside)
    return english.fake_answer(question, asked, answer, rng, beside=beside)


def other_names(question: Question, name: str, parsed: Sequence[Token]) -> Sequence[str]:
    """Names of the type of this one, itself among them perhaps; none if its type is not known."""
    if question.language == "fa":
        return lexicon().names.get(lexicon().kind.get(plain(name), ""), ())
    kind = next((kind for _, _, kind in entities_of(parsed) if kind in fake_names()), "")
    return fake_names().get(kind, ())
