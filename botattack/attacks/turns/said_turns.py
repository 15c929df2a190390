"""Turns that an attack adds to a conversation, in the words of the question's language (`lang/CODE/*.yaml`), and the
fake answer that it claims in them. Pure."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from random import Random

from botattack.attacks.fakes import answers as fakes
from botattack.attacks.passages.reading import answer_tokens
from botattack.attacks.persian import fakes as persian
from botattack.model import Edit, Need, Question, Token
from botattack.places import Place
from botattack.text.languages import codes, language
from botattack.text.parse_need import parse


def speaking(*purposes: str) -> frozenset[str]:
    """The languages that have words for all these purposes."""
    return frozenset(code for code in codes() if {*purposes} <= language(code).turns.keys())


def phrase(question: Question, purpose: str, rng: Random) -> str:
    """What is said for a purpose in the language of the question; "" if nobody has written it down."""
    known = language(question.language).turns.get(purpose, ())
    return rng.choice(known) if known else ""


def turns_before(question: Question, texts: Sequence[str], kinds: Sequence[str]) -> tuple[Edit, ...]:
    """The edits that say texts right before the question, each a turn."""
    at = Place("added turn", len(question.earlier))
    return tuple(Edit(0, "", text, kind, at) for text, kind in zip(texts, kinds, strict=True))


def in_front(text: str, kind: str) -> tuple[Edit, ...]:
    """The edit that says something right before the question, in the same turn."""
    return (Edit(0, "", f"{text} ", kind),)


def joins(tokens: Sequence[Token], end: int) -> bool:
    """Whether what ends there goes with the word behind it: "the UK parliament", "Tesla's"."""
    behind = next((token for token in tokens if token.start >= end), None)
    return behind is not None and behind.pos in ("PART", "NOUN", "PROPN") and behind.start <= end + 1


def other_answer(question: Question, rng: Random) -> Generator[Sequence[Need], Sequence[object], str]:
    """A fake answer of the kind of the right one; "" if its kind is not known, or if the answer is yes or no."""
    if question.language not in ("en", "fa") or not fakes.shortest_gold(question):
        return ""
    if question.language == "fa":
        return persian.fake_answer(question, rng)
    answer = yield from answer_tokens(question)
    asked = yield from parse(question.text, question.lang, entities=True)
    fake = fakes.fake_answer(question, asked, answer, rng)
    return "" if fake in ("yes", "no") else fake
