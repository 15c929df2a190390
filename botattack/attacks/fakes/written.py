"""Whether people write a word beside those of a text. Pure; English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from botattack.model import Token
from botattack.text.parts.speller import Speller


def written(tokens: Sequence[Token], i: int, other: str, parts: Mapping[str, Any]) -> bool:
    """Whether people write a word beside the words that stand before and behind a token, names and marks aside: nobody
    writes "foreign estate"."""
    return all(_pairs(tokens, i, other, parts["speller"]))


def written_as_well(tokens: Sequence[Token], i: int, other: str, parts: Mapping[str, Any]) -> bool:
    """Whether people write a word beside the words beside a token wherever they write that of the token there: they
    write of a fourth quarter, but of no eighth one."""
    speller: Speller = parts["speller"]
    old, new = _pairs(tokens, i, tokens[i].text, speller), _pairs(tokens, i, other, speller)
    return all(new_known or not known for known, new_known in zip(old, new, strict=True))


def ranks(tokens: Sequence[Token], span: tuple[int, int], other: str, parts: Mapping[str, Any]) -> bool:
    """Whether each number word may stand before the noun or superlative behind: no "eighth quarter", no "first
    largest"."""
    first, last = span
    new = other.split()
    for i, word in zip(range(first, last + 1), new, strict=False):
        behind = tokens[i + 1] if i + 1 < len(tokens) else None
        fixed = behind is not None and (behind.pos in ("NOUN", "PROPN") or behind.tag == "JJS")
        moved = len(new) == last - first + 1 and word.isalpha() and word != tokens[i].text
        if moved and fixed and not written_as_well(tokens, i, word, parts):
            return False
    return True


def _pairs(tokens: Sequence[Token], i: int, word: str, speller: Speller) -> list[bool]:
    """Whether a word in place of a token is known with what stands before it, and with what stands behind."""
    before, behind, word = _word(tokens, i - 1), _word(tokens, i + 1), word.lower()
    return [not before or speller.together(before, word), not behind or speller.together(word, behind)]


def _word(tokens: Sequence[Token], i: int) -> str:
    """A word that is no part of a name, in lower case; "" if none stands there."""
    inside = 0 <= i < len(tokens) and tokens[i].text.isalpha() and tokens[i].pos != "PROPN"
    return tokens[i].text.lower() if inside else ""
