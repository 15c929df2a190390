"""Greetings and offers of help around what a reply says."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from botattack.matchers.evidence.answer_key import AnswerKey, answer_key
from botattack.matchers.evidence.reading import Reading, read

_LONGEST = 16
"""Words of a sentence that may be a courtesy; longer ones say something."""
_PAUSES = frozenset(",!:;-\u2013\u2014")


def body(reading: Reading, context: AnswerKey) -> Reading:
    """The reading without the courtesies it begins and ends with; all of it if nothing else is left.

    What says a gold answer is no courtesy, nor is a yes in reply to a yes/no question.
    """
    spoken = reading.language
    if reading.vocabulary.isdisjoint(spoken.courtesies) and reading.vocabulary.isdisjoint(spoken.yes):
        return reading
    polite = _polite(reading, context)
    first, last = 0, len(reading.words)
    while first < last and polite(first, end := reading.sentence(reading.sentences[first])[1]):
        first = end
    first = _after_greeting(reading, first, polite) if first < last else first
    while first < last and polite(start := reading.sentence(reading.sentences[last - 1])[0], last):
        last = start
    if first >= last or (first, last) == (0, len(reading.words)):
        return reading
    shift = reading.sentences[first]
    return msgspec.structs.replace(
        reading,
        words=reading.words[first:last],
        stems=reading.stems[first:last],
        spans=reading.spans[first:last],
        capitals=reading.capitals[first:last],
        sentences=tuple([sentence - shift for sentence in reading.sentences[first:last]]),
        asks=frozenset(number - shift for number in reading.asks if shift <= number <= reading.sentences[last - 1]),
    )


def without_courtesies(question: str, reply: str) -> str:
    """The text of a reply without the courtesies it begins and ends with."""
    context = answer_key(question, ())
    said = body(read(reply, context.language), context)
    return reply[said.spans[0][0] : said.spans[-1][1]] if said.words else reply


def _polite(reading: Reading, context: AnswerKey) -> Callable[[int, int], bool]:
    """Whether words from one to another are a courtesy: short, of courtesies and function words alone."""
    spoken, answers = reading.language, context.fresh
    polar = spoken.questions.get(context.question.words[0] if context.question.words else "") == "polar"
    courtesies = spoken.courtesies if polar else spoken.courtesies | spoken.yes

    def is_polite(start: int, end: int) -> bool:
        words = reading.words[start:end]
        return (
            len(words) <= _LONGEST
            and not courtesies.isdisjoint(words)
            and answers.isdisjoint(reading.stems[start:end])
            and all(word in courtesies or word in spoken.function_words for word in words)
        )

    return is_polite


def _after_greeting(reading: Reading, first: int, polite: Callable[[int, int], bool]) -> int:
    """ "Hi there, the pool opens at nine": the word after the greeting that begins a sentence."""
    end = min(reading.sentence(reading.sentences[first])[1], first + _LONGEST)
    for at in range(first + 1, end):
        between = reading.text[reading.spans[at - 1][1] : reading.spans[at][0]]
        if not _PAUSES.isdisjoint(between):
            return at if polite(first, at) else first
    return first
