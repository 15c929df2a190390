"""What a generator asks for, as one line: `tokens = yield from parse(question.text, question.lang)`. Pure."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from botattack.model import Need, Token

Asking = Generator[Sequence[Need], Sequence[Any], tuple[Token, ...]]


def parse(text: str, lang: str = "en", *, lemmas: bool = False, entities: bool = False) -> Asking:
    """The tokens of a text with part of speech and dependency relation; lemmas and entities cost more, so ask for them.

    A language without a parser has tokens without relations.
    """
    results = yield [Need("parse", {"text": text, "lang": lang} | _extras(lemmas, entities))]
    tokens: tuple[Token, ...] = results[0]
    return tokens


def _extras(lemmas: bool, entities: bool) -> dict[str, bool]:
    asked = {"lemmas": lemmas, "entities": entities}
    return {name: True for name, wanted in asked.items() if wanted}
