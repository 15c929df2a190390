"""Words and phrases of a question that a lexicon knows: the longest match first. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from botattack.attacks.building.agreeing import edit_of
from botattack.attacks.building.combinations import Option
from botattack.attacks.building.plain_words import single
from botattack.model import Token
from botattack.text.tokens import match_case, normalised

JOINS = "-\u2010\u2011@_/"
"""Marks that make one word of what is beside them."""


class Phrase(NamedTuple):
    """Tokens from `first` to before `stop`, their text, and what may stand in their place."""

    first: int
    stop: int
    text: str
    others: Sequence[str]


def matched(
    text: str, tokens: Sequence[Token], longest: int, others: Callable[[Sequence[Token], str], Sequence[str]]
) -> Iterator[Phrase]:
    """From left to right, at each word the longest phrase for which `others` has something; phrases do not overlap."""
    at = 0
    while at < len(tokens):
        for length in range(min(longest, len(tokens) - at), 0, -1):
            span = tokens[at : at + length]
            phrase = text[span[0].start : span[-1].end]
            if not _stands_alone(text, span[0].start, span[-1].end):
                continue
            if found := others(span, phrase):
                yield Phrase(at, at + length, phrase, found)
                at += length
                break
        else:
            at += 1


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a phrase begins and ends where words do; "does" does in "doesn't", and no half of a hyphenated word."""
    before, after = text[max(start - 1, 0) : start], text[end : end + 3].lower().replace("’", "'")
    joined = any(side.isalnum() or side in JOINS for side in (before, after[:1]) if side)
    return not joined or (after == "n't" and not before.strip())


def options(phrase: Phrase, tokens: Sequence[Token], kind: str, text: str = "") -> list[Option]:
    """The replacements of a phrase in its case; none like it or like another. In a `text`, an article before them
    agrees."""
    word = tokens[phrase.first] if phrase.stop == phrase.first + 1 else None
    found: dict[str, Option] = {}
    for other in phrase.others:
        after = match_case(phrase.text, other)
        same = normalised(after)
        if same != normalised(phrase.text) and same not in found:
            start, before = tokens[phrase.first].start, phrase.text
            if text:
                edit = edit_of(text, tokens, phrase.first, after, kind, stop=phrase.stop)
                start, before, after = edit.start, edit.before, edit.after
            found[same] = single(start, before, after, kind, word)
    return list(found.values())
