"""Greetings and offers of help around what a reply says."""

from __future__ import annotations

from collections.abc import Callable

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.reading import Reading
from botattack.text.languages import Language
from botattack.text.values.identifiers import is_number

_LONGEST = 16
"""Words of a sentence that may be a courtesy; longer ones say something."""
_ASIDE = 6
"""Words of a sentence that may be an aside."""
_PAUSES = frozenset(",!:;-\u2013\u2014")


def body(reading: Reading, context: AnswerKey) -> Reading:
    """The reading without the courtesies it begins and ends with; all of it if nothing else is left.

    What says a gold answer is no courtesy, unless it begins with a greeting; nor is a yes in reply to a yes/no
    question.
    """
    polite = _polite(reading, context)
    first, last = 0, len(reading.words)
    while first < last and polite(first, end := reading.sentence(reading.sentences[first])[1]):
        first = end
    first = _after_greeting(reading, first, polite) if first < last else first
    while first < last and polite(start := reading.sentence(reading.sentences[last - 1])[0], last):
        last = start
    return reading.part(first, last)


def _polite(reading: Reading, context: AnswerKey) -> Callable[[int, int], bool]:
    """Whether words from one to another are a courtesy: short, of courtesies and function words alone, or an aside."""
    spoken, answers = reading.language, context.fresh
    knows = bool(context.golds) and not context.patterns  # else an aside may be the answer
    polar = spoken.questions.get(context.question.words[0] if context.question.words else "") == "polar"
    courtesies = spoken.courtesies if polar else spoken.courtesies | spoken.yes

    def is_polite(start: int, end: int) -> bool:
        words = reading.words[start:end]
        if start == 0 and knows and _greets(reading, context, end):
            return True
        if len(words) > _LONGEST or not answers.isdisjoint(reading.stems[start:end]):
            return False
        plain = all(word in courtesies or word in spoken.function_words for word in words)
        is_courtesy = plain and not courtesies.isdisjoint(words)
        return is_courtesy or (knows and len(words) <= _ASIDE and _is_aside(reading, context, start, end))

    return is_polite


def _greets(reading: Reading, context: AnswerKey, end: int) -> bool:
    """Whether a reply begins with a short greeting, whatever name is in it ("Welcome to the museum."), and goes on."""
    words, spoken = reading.words[:end], reading.language
    if len(words) > _ASIDE or end == len(reading.words) or _tells(words, spoken):
        return False
    return words[0] in spoken.greetings and not any(words[0] in gold.reading.words for gold in context.golds)


def _tells(words: tuple[str, ...], spoken: Language) -> bool:
    """Whether a number, a yes, a no or a negation is among the words."""
    return any(map(is_number, words)) or not spoken.denying.isdisjoint(words)


def _is_aside(reading: Reading, context: AnswerKey, start: int, end: int) -> bool:
    """Whether a few words are called out, or are a paragraph of their own, and none tells anything ("Ahoy!")."""
    words, stems, spoken = reading.words[start:end], reading.stems[start:end], reading.language
    before = reading.gap(start) if start else ""
    after = reading.gap(end) if end < len(reading.words) else reading.text[reading.spans[-1][1] :]
    mark = after[:3].lstrip(" *_\"')")[:1]
    asks = mark == "?" and not spoken.persons.isdisjoint(words)
    return (
        (mark == "!" or asks or "\n\n" in before or "\n\n" in after)
        and not _tells(words, spoken)
        and (spoken.contrasts | spoken.hedges).isdisjoint(words)
        and context.content.isdisjoint(stems)
        and all(gold.reading.known.isdisjoint(stems) for gold in context.golds)
        and not any(start <= place < end for place in reading.places("declines"))
    )


def _after_greeting(reading: Reading, first: int, polite: Callable[[int, int], bool]) -> int:
    """ "Hi there, the pool opens at nine": the word after the greeting that begins a sentence."""
    end = min(reading.sentence(reading.sentences[first])[1], first + _LONGEST)
    pause = next((at for at in range(first + 1, end) if not _PAUSES.isdisjoint(reading.gap(at))), first)
    return pause if pause > first and polite(first, pause) else first
