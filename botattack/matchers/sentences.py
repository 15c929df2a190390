"""Sentences and clauses around a place in a text, by punctuation alone: a bot's reply may be no grammar at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SINGLE = "\u2026\u3002\uff01\uff1f"
_MARK = re.compile(rf"[.!?\s{_SINGLE}](?:(?<=[.!?])[.!?]*[\"')\]]*|(?<=[\n\r{_SINGLE}])|(?<=\S\s)\s+(?=[A-Z]))")
"""Full stops with the quotes and brackets after them, ends of lines, and two spaces before a capital. Every mark
begins with one of a few signs, which a pattern is many times quicker to find than one of several beginnings."""
_STOP = re.compile(rf"[.!?{_SINGLE}](?:(?<=[.!?])[.!?]*[\"')\]]*)?")
"""The same where no two spaces stand before a capital, and no ends of lines."""
_SPACED = re.compile(r"  [A-Z]")
"""The space is the only one that is printable."""
_SHORT = 80
"""Characters up to which a pattern is as quick as looking for letters."""
_NO_END_WORDS = "mr mrs ms dr mt st jr sr vs prof gen col approx inc ltd ca no e.g i.e u.s"
_NO_END = frozenset(_NO_END_WORDS.split())
_CUT = re.compile(
    r"[,;:()\u2013\u2014]|\s-+\s|\b(?:but|however|although|though|because|while|whereas|yet|instead(?! of)|since)\b",
    re.I,
)
_CUT_WORDS = ("but", "however", "though", "because", "while", "whereas", "yet", "instead", "since")
_SIGN = re.compile(r"[,;:()\u2013\u2014]")
"""The same where no dash and none of the words stands."""


def sentence_of(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The sentence, or run of sentences, that `span` stands in, its final mark included."""
    start, end = 0, len(text)
    for mark in _marks(text):
        if not _ends(mark):
            continue
        if mark.end() <= span[0]:
            start = mark.end()
        elif mark.start() >= span[1]:
            end = mark.end()
            break
    return start, end


def is_in_first(text: str, place: int) -> bool:
    """Whether a place is surely in the first sentence: nothing before it looks like an end."""
    head = text[: place + 1]
    if not (head.isprintable() and head.isascii()) or _SPACED.search(head):
        return False
    return head.find(".", 0, place) < 0 and head.find("!", 0, place) < 0 and head.find("?", 0, place) < 0


def _marks(text: str) -> Iterator[re.Match[str]]:
    if not text.isprintable():
        return _MARK.finditer(text)
    pattern = _MARK if _SPACED.search(text) else _STOP
    return pattern.finditer(text, _first(text) if len(text) > _SHORT and text.isascii() else 0)


def _first(text: str) -> int:
    """Where the first mark of an ASCII text may stand: looking for letters is quicker than any pattern."""
    first = len(text)
    for sign in (".", "!", "?", "  "):
        at = text.find(sign, 0, first)
        first = at if at >= 0 else first
    return first


def _ends(mark: re.Match[str]) -> bool:
    """Whether a mark ends a sentence: a dot within a word, after a title or after an initial does not."""
    text, sign, end = mark.string, mark.group(), mark.end()
    if sign[0] not in ".!?":
        return True
    if end < len(text) and not text[end].isspace() and not (text[end].isupper() and text[end + 1 : end + 2].islower()):
        return False
    if sign != ".":
        return True
    word = text[max(0, mark.start() - 8) : mark.start()].rpartition(" ")[2].casefold().lstrip("(\"'")
    if word == "no":
        return not text[end:].lstrip()[:1].isdecimal()  # "No. 5", but "No. Only on Mondays."
    return word not in _NO_END and not (len(word) == 1 and word.isalpha())


def clause_of(text: str, span: tuple[int, int], sentence: tuple[int, int]) -> tuple[int, int]:
    """The part of the sentence between commas, dashes and words such as "but" that `span` stands in."""
    start, end = sentence
    for cut in _cuts(text[start:end]).finditer(text, start, end):
        if cut.end() <= span[0]:
            start = cut.end()
        elif cut.start() >= span[1]:
            end = cut.start()
            break
    return start, end


def _cuts(sentence: str) -> re.Pattern[str]:
    if not sentence.isascii() or "-" in sentence:
        return _CUT
    lower = sentence.lower()
    return _CUT if any(map(lower.__contains__, _CUT_WORDS)) else _SIGN


def sentences(text: str) -> list[str]:
    """Every sentence of a text that has more than spaces in it."""
    found, at = [], 0
    for mark in _marks(text):
        if _ends(mark):
            found.append(text[at : mark.end()])
            at = mark.end()
    return [sentence for sentence in (*found, text[at:]) if sentence.strip()]


def places(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence stands that `sentence_of` finds, one after the other: asking it for each is quadratic."""
    start = 0
    for mark in _marks(text):
        if mark.start() > start and _ends(mark):
            yield start, mark.end()
            start = mark.end()
    if start < len(text):
        yield start, len(text)
