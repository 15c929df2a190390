"""How many words two texts have in common, as SQuAD counts it. Pure."""

from __future__ import annotations

from collections import Counter

from botattack.text.tokens import normalised, words

_ARTICLES = frozenset(["a", "an", "the"])


def f1(one: str, other: str) -> float:
    """The F1 of the words of two texts, English articles left out, each word as often as it is in both; 1 if both have
    none."""
    first, second = (_counted(text) for text in (one, other))
    shared = (first & second).total()
    total = first.total() + second.total()
    return 2 * shared / total if total else 1.0


def _counted(text: str) -> Counter[str]:
    return Counter(word for found in words(text) if (word := normalised(found.text)) not in _ARTICLES)
