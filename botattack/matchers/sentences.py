"""Sentences and clauses around a place in a text, by punctuation alone: a bot's reply may be no grammar at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = re.compile(r"[.!?]+[\"')\]]*|[\n\r\u2026\u3002\uff01\uff1f]|(?<=\S)\s{2,}(?=[A-Z])")
_STOP = re.compile(r"[.!?\u2026\u3002\uff01\uff1f](?:(?<=[.!?])[.!?]*[\"')\]]*)?")
"""The same where no two spaces and no line ends stand: one of a few signs begins each, which is quick to find."""
_NO_END_WORDS = "mr mrs ms dr mt st jr sr vs prof gen col approx inc ltd ca no e.g i.e u.s"
_NO_END = frozenset(_NO_END_WORDS.split())
_CUT = re.compile(
    r"[,;:()\u2013\u2014]|\s-+\s|\b(?:but|however|although|though|because|while|whereas|yet|instead(?! of)|since)\b",
    re.I,
)


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


def _marks(text: str) -> Iterator[re.Match[str]]:
    return (_STOP if "  " not in text and text.isprintable() else _MARK).finditer(text)


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
    return word not in _NO_END and not (len(word) == 1 and word.isalpha())


def clause_of(text: str, span: tuple[int, int], sentence: tuple[int, int]) -> tuple[int, int]:
    """The part of the sentence between commas, dashes and words such as "but" that `span` stands in."""
    start, end = sentence
    for cut in _CUT.finditer(text, *sentence):
        if cut.end() <= span[0]:
            start = cut.end()
        elif cut.start() >= span[1]:
            end = cut.start()
            break
    return start, end


def sentences(text: str) -> list[str]:
    """Every sentence of a text that has more than spaces in it."""
    found, at = [], 0
    for mark in _marks(text):
        if _ends(mark):
            found.append(text[at : mark.end()])
            at = mark.end()
    return [sentence for sentence in (*found, text[at:]) if sentence.strip()]
