"""Sentences and clauses around a place in a text, by punctuation alone: a bot's reply may be no grammar at all."""

from __future__ import annotations

import re

_END = re.compile(r"[.!?]+[\"')\]]*(?=\s|$)|[.!?]+(?=[A-Z][a-z])|[\n\r]+|\u2026|[\u3002\uff01\uff1f]")
_NOT_AN_END = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|mt|st|jr|sr|vs|prof|gen|col|approx|inc|ltd|ca|no|e\.g|i\.e|u\.s)|\b[a-z])$", re.I
)
_CUT = re.compile(
    r"[,;:()\u2013\u2014]|\s-+\s|\b(?:but|however|although|though|because|while|whereas|yet|instead(?! of)|since)\b",
    re.I,
)


def sentence_of(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The sentence, or run of sentences, that `span` stands in, its final mark included."""
    start, end = 0, len(text)
    for mark in _END.finditer(text):
        if mark.group() == "." and _NOT_AN_END.search(text[max(0, mark.start() - 8) : mark.start()]):
            continue
        if mark.end() <= span[0]:
            start = mark.end()
        elif mark.start() >= span[1]:
            end = mark.end()
            break
    return start, end


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
