"""The article before a word, "a" or "an", which agrees with it. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from botattack.model import Edit, Token
from botattack.places import QUESTION
from botattack.text.tokens import match_case

ARTICLES = ("a", "an")
_AN = re.compile(
    r"(?!eu|ewe|ones?\b|once|uni(?![nm])|unan|us(?:[eu]|ab)|ut[ei]|ubi|u\b)[aeiou]|hour|heir|hono|honest|8|1[18](?:th)?\b"
)
_SPELT = re.compile(r"[AEFHILMNORSX][A-Z]{0,2}(?![A-Za-z])")
"""Capitals that are said one by one, the first with a vowel before it: FBI."""


def takes_an(word: str) -> bool:
    """Whether "an" stands before a word, by how it is spelt."""
    capitals = re.match(r"[A-Z]{2,3}\b", word)
    return bool(_SPELT.match(word) if capitals else _AN.match(word.lower()))


def agreeing(tokens: Sequence[Token], i: int, word: str) -> dict[int, str]:
    """What to write for a token, once it becomes `word`, and for an article before it that was right and would be
    wrong."""
    article = tokens[i - 1] if i else None
    if article and article.text.lower() in ARTICLES:
        right, wanted = (ARTICLES[takes_an(text)] for text in (tokens[i].text, word))
        if article.text.lower() == right != wanted:
            capitals = article.text.isupper() and word.isupper()
            return {i - 1: wanted.upper() if capitals else match_case(article.text, wanted), i: word}
    return {i: word}


def edit_of(text: str, tokens: Sequence[Token], i: int, word: str, kind: str, *, stop: int = 0) -> Edit:
    """One edit that makes a token `word`, or a phrase up to before `stop`, with what must agree with it."""
    written = agreeing(tokens, i, word)
    start = tokens[min(written)].start
    after, end = "", start
    for place, new in sorted(written.items()):
        after += text[end : tokens[place].start] + new
        end = tokens[stop - 1 if stop and place == i else place].end
    return Edit(start, text[start:end], after, kind, QUESTION, tokens[i].relation, tokens[i].pos)
