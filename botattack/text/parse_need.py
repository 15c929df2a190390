"""What a generator asks for, as one line: `tokens = yield from parse(question.text, question.lang)`. Pure."""

from __future__ import annotations

from botattack.model import Need, Token
from botattack.protocols import Needing

Asking = Needing[tuple[Token, ...]]


def parse(text: str, lang: str = "en", *, lemmas: bool = False, entities: bool = False) -> Asking:
    """The tokens of a text with part of speech and dependency relation; lemmas and entities cost more, so ask for them.

    A language without a parser has tokens without relations.
    """
    more = {name: True for name, wanted in (("lemmas", lemmas), ("entities", entities)) if wanted}
    results = yield [Need("parse", {"text": text, "lang": lang, **more})]
    tokens: tuple[Token, ...] = results[0]
    return tokens
