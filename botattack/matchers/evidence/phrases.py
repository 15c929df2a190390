"""Where a reply says one of many phrases; only those are looked for of which a telling word is said."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from botattack.matchers.evidence.reading import Reading, read
from botattack.text.languages import Language

MOST = 20
"""Places of one phrase that are read: a reply that says it more often says nothing new."""


def said(phrases: tuple[str, ...], reply: Reading) -> list[int]:
    """The number of the word that each phrase said begins with, in order; once where two begin at the same word."""
    ready = _ready(phrases, reply.language)
    found = set[int]()
    for key in ready.keys() & reply.vocabulary:
        for phrase in ready[key]:
            place = reply.joined.find(phrase)
            for _ in range(MOST):
                if place < 0:
                    break
                found.add(reply.joined.count(" ", 0, place))
                place = reply.joined.find(phrase, place + 1)
    return sorted(found)


@lru_cache(maxsize=64)
def _ready(phrases: tuple[str, ...], language: Language) -> Mapping[str, tuple[str, ...]]:
    """Phrases by the word of theirs that is rarest, as far as length tells."""
    ready = dict[str, tuple[str, ...]]()
    for phrase in phrases:
        reading = read(phrase, language)
        key = max((word for word in reading.words if word not in language.function_words), key=len, default="")
        key = key or max(reading.words, key=len)
        ready[key] = (*ready.get(key, ()), reading.joined)
    return ready
