"""Turns that an attack adds to a conversation, in the words of the question's language (`lang/CODE/*.yaml`), and the
wrong answer that it claims in them: a fake one, or one that another bot gave to the very question. Pure."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Self

from botattack.attacks.building.drawn_rows import DrawnRows
from botattack.attacks.fakes import answers as fakes
from botattack.attacks.fakes.answers import like_gold
from botattack.attacks.passages.reading import answer_tokens
from botattack.attacks.persian import fakes as persian
from botattack.model import Edit, Need, Question, Token
from botattack.options import File, Read, file
from botattack.places import Place
from botattack.protocols.attacks import OtherClaims
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


class Claims(DrawnRows):
    """Wrong answers by `Question.base`, so that it does not matter how the passages reached the other bot."""

    def __init__(self, answers: Mapping[str, Sequence[str]]) -> None:
        self._answers = {asked: sorted(found) for asked, found in answers.items()}
        super().__init__("claims", sorted(self._answers.items()))

    def __str__(self) -> str:
        return f"wrong answers to {len(self._answers)} questions, {self._digest}"

    def to(self, question: Question, rng: Random) -> str:
        """A wrong answer of the form of the right one; "" if none is known."""
        known = self._answers.get(question.base, [])
        return like_gold(question, rng.sample(known, len(known))) if question.language == "en" else ""


@dataclass(frozen=True, kw_only=True)
class Claiming:
    """What attacks that claim a wrong answer take from the recording of another bot."""

    claims: Annotated[File | Claims | None, Read(file, {"type": "string", "minLength": 1})] = None
    """The folder of another bot's recording: what is claimed is a wrong answer that this bot gave to the very question,
    if it is a short one of the form of the right answer, in English. A question without such an answer gets no variant.
    Where left out, a fake answer is claimed."""

    def with_claims(self, claims: OtherClaims) -> Self:
        return replace(self, claims=Claims(claims(self.claims))) if isinstance(self.claims, File) else self

    def wrong_answer(self, question: Question, rng: Random) -> Generator[Sequence[Need], Sequence[object], str]:
        """What is claimed; "" if nothing can be."""
        if self.claims is None:
            return (yield from other_answer(question, rng))
        return self.claims.to(question, rng) if isinstance(self.claims, Claims) else ""
