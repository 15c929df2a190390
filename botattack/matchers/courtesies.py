"""Greetings and offers of help around what a reply says."""

from __future__ import annotations

import msgspec

from botattack.matchers.evidence.asked import language_of
from botattack.matchers.evidence.reading import Reading, read

_LONGEST = 16
"""Words of a sentence that may be a courtesy; longer ones say something."""


def body(reading: Reading) -> Reading:
    """The reading without the courtesies it begins and ends with; all of it if nothing else is left."""
    first, last = 0, len(reading.words)
    while first < last and _is_courtesy(reading, *_sentence(reading, first)):
        first = _sentence(reading, first)[1]
    while first < last and _is_courtesy(reading, *_sentence(reading, last - 1)):
        last = _sentence(reading, last - 1)[0]
    if first == last or (first, last) == (0, len(reading.words)):
        return reading
    shift = reading.sentences[first]
    return msgspec.structs.replace(
        reading,
        words=reading.words[first:last],
        stems=reading.stems[first:last],
        spans=reading.spans[first:last],
        capitals=reading.capitals[first:last],
        sentences=tuple([sentence - shift for sentence in reading.sentences[first:last]]),
        asks=frozenset(sentence - shift for sentence in reading.asks if sentence <= reading.sentences[last - 1]),
    )


def same_body(one: str, other: str) -> bool:
    """Whether two replies say the same words, courtesies and line breaks aside; replies without words do not."""
    spoken = language_of(one)
    words = body(read(one, spoken)).words
    return bool(words) and words == body(read(other, spoken)).words


def _sentence(reading: Reading, at: int) -> tuple[int, int]:
    """The first word of the sentence of a word, and the one after its last."""
    number, start, end = reading.sentences[at], at, at + 1
    while start and reading.sentences[start - 1] == number:
        start -= 1
    while end < len(reading.words) and reading.sentences[end] == number:
        end += 1
    return start, end


def _is_courtesy(reading: Reading, start: int, end: int) -> bool:
    """A short sentence that consists of courtesies and function words."""
    if end - start > _LONGEST:
        return False
    words, spoken = reading.words[start:end], reading.language
    return not spoken.courtesies.isdisjoint(words) and all(
        word in spoken.courtesies or word in spoken.function_words for word in words
    )
