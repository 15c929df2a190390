"""Hand-made parses and language parts, small enough to count by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from botattack.attacks.letters.dpaeg import Dpaeg
from botattack.model import Need, Question, Token, Variant
from botattack.protocols import Context, NeedHandler
from botattack.text.parts import dictionary, parse, typos
from botattack.text.parts.dictionary import Dictionary
from botattack.text.parts.typos import Typos
from tests.attacks.everything import INFO, Parts
from tests.attacks.resources import Judge, proposed, reads, right


def tokens_of(text: str, *rows: str) -> tuple[Token, ...]:
    """Tokens from rows `text POS relation head-index`; `*` before the text marks a stop word."""
    found: list[Token] = []
    for row in rows:
        word, pos, relation, head = row.split()
        start = text.index(word.lstrip("*"), found[-1].end if found else 0)
        stop = word.startswith("*")
        found.append(Token(word.lstrip("*"), start, pos=pos, relation=relation, head=int(head), stop=stop))
    return tuple(found)


def typos_of(**by_word: Sequence[str]) -> Typos:
    return Typos(INFO, (), {word: tuple(misspellings) for word, misspellings in by_word.items()})


def dictionary_of(**parts_of_speech: str) -> Dictionary:
    """A dictionary from word=`POS POS`."""
    kinds = {word: frozenset(pos.split()) for word, pos in parts_of_speech.items()}
    return Dictionary(INFO, kinds, {word: pos for word, pos in kinds.items() if pos})


def propose(
    attack: Any, question: Question, tokens: Sequence[Token], parts: Mapping[str, Any], seed: int = 0
) -> tuple[list[Variant], int | None]:
    """All variants of a static attack that asks for one parse, and how many it says exist."""

    def meet(needs: Sequence[Need]) -> Sequence[Any]:
        (need,) = needs
        assert (need.kind, need.payload) == ("parse", {"text": question.text, "lang": question.lang})
        return [tuple(tokens)]

    return proposed(attack, Context(question, (), parts), Random(seed), meet)


@pytest.fixture(scope="session")
def english() -> dict[str, Any]:
    """The real parts."""
    return {"dictionary": dictionary.load(), "typos": typos.load(), "speller": reads()}


class Remembering(NeedHandler):
    """A parser that parses each text once: tests ask for the same few again and again."""

    def __init__(self) -> None:
        self._parser = parse.load()
        self._known: dict[str, Any] = {}

    def meet(self, payloads: Sequence[Any]) -> list[Any]:
        new = {repr(payload): payload for payload in payloads if repr(payload) not in self._known}
        self._known.update(zip(new, self._parser.meet(list(new.values())) if new else (), strict=True))
        return [self._known[repr(payload)] for payload in payloads]


@pytest.fixture(scope="session")
def parser() -> Remembering:
    return Remembering()


@pytest.fixture(scope="session")
def everything(parser: Remembering) -> Parts:
    return Parts(parse=parser)


@pytest.fixture(scope="session")
def attack_english(english: dict[str, Any], parser: Remembering) -> Any:
    """Runs an attack on an English text with the real parts."""

    def run(attack: Dpaeg, text: str, seed: int = 0) -> tuple[list[Variant], int | None]:
        (tokens,) = parser.meet([{"text": text, "lang": "en"}])
        return propose(attack, Question(text), tokens, english, seed)

    return run


def drive(
    attack: Any, context: Context, rng: Random, parser: Any, judge: Judge = right
) -> tuple[list[Variant], int | None]:
    """All variants of any attack, its Needs met by a parser, and how many it says exist."""
    return proposed(attack, context, rng, lambda needs: parser.meet([need.payload for need in needs]), judge)


@pytest.fixture(scope="session")
def propose_all(english: dict[str, Any], parser: Remembering) -> Any:
    """Runs any attack on a question with the real parts."""

    def run(attack: Any, question: Question | str, seed: int = 0) -> tuple[list[Variant], int | None]:
        asked = Question(question) if isinstance(question, str) else question
        return drive(attack, Context(asked, (), english), Random(seed), parser)

    return run


def texts_of(variants: Sequence[Variant]) -> list[str]:
    return [variant.prompt.text for variant in variants]
