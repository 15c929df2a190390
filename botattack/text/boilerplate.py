"""Sentences that a bot says around every answer: found in a reply, and left out of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from botattack.text.normalise import normalise

_SENTENCE = re.compile(
    r"\S[^\n]*?(?:[.!?…؟]{1,5}[\"'”’»)\]*_]{0,3}(?=\s|$)|[。！？]|$)",
    re.MULTILINE,
)
"""Up to a mark that ends it, or the end of its line."""
_DIGITS = re.compile(r"\d+")
_SELDOM = 5
"""One time in so many, a sentence that says nothing may be all of a reply."""


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence of a text begins and ends."""
    return (match.span() for match in _SENTENCE.finditer(text))


def form_of(sentence: str) -> str:
    """What two sayings of a sentence have in common: its words, whatever the time or the number in it."""
    return normalise(_DIGITS.sub("0", sentence)).text.strip()


@dataclass(frozen=True)
class Boilerplate:
    """Known sentences. One that is also a refusal says something: it never counts."""

    known: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()

    @cached_property
    def _forms(self) -> Mapping[int, frozenset[str]]:
        """By the number of sentences, the most first."""
        refusals = [form_of(refusal) for refusal in self.refusals]
        found: dict[int, set[str]] = {}
        for text in self.known:
            form = form_of(text)
            if form and not any(_within(form, refusal) for refusal in refusals):
                found.setdefault(len([*sentences(text)]), set()).add(form)
        return {number: frozenset(found[number]) for number in sorted(found, reverse=True)}

    def without(self, text: str, right: Iterable[str] = ()) -> str:
        """A text with blanks in place of these sentences, so that places in it stay what they are.

        A sentence that says part of what is `right` stays: in reply to this question it is the answer.
        """
        if not self._forms:
            return text
        answers = [form for form in map(form_of, right) if form]
        spans, parts, at, end = [*sentences(text)], [], 0, 0
        while at < len(spans):
            number = self._known_at(text, spans[at : at + max(self._forms)], answers)
            if number:
                start, stop = spans[at][0], spans[at + number - 1][1]
                parts += [text[end:start], " " * (stop - start)]
                end = stop
            at += number or 1
        return "".join([*parts, text[end:]])

    def _known_at(self, text: str, spans: Sequence[tuple[int, int]], answers: Sequence[str]) -> int:
        """How many of the next sentences are known, together; 0 for none."""
        for number, forms in self._forms.items():
            if number <= len(spans):
                form = form_of(text[spans[0][0] : spans[number - 1][1]])
                if form in forms and not any(_within(form, answer) for answer in answers):
                    return number
        return 0


def _within(one: str, other: str) -> bool:
    """Whether one of two forms has all the words of the other in a row."""
    short, long = sorted((one, other), key=len)
    return f" {short} " in f" {long} "


def recurring(replies: Sequence[str], least: int) -> list[str]:
    """The sentences that begin or end at least so many replies that say different things beside them, the most frequent
    first.

    What a reply says is its longest other sentence. A sentence that is often a reply by itself is an answer, and one
    whose numbers change may be.
    """
    found: dict[str, _Recurring] = {}
    for reply in replies:
        said = [reply[start:end] for start, end in sentences(reply)]
        words = [normalise(one).text for one in said]
        for place in {0, len(said) - 1} if said else ():
            if form := form_of(said[place]):
                beside = max((one for one in words if one != words[place]), key=len, default="")
                found.setdefault(form, _Recurring(said[place], words[place])).add(words[place], beside)
    known = [one for one in found.values() if one.is_around(least)]
    return [one.sentence for one in sorted(known, key=lambda one: (-one.times, one.sentence))]


class _Recurring:
    """A sentence as it was said first, how often it was said, and how often alone; and what was said `beside` it."""

    def __init__(self, sentence: str, words: str) -> None:
        self.sentence = sentence
        self.times = self.alone = 0
        self._words = words
        self._changes = False
        self._beside: set[str] = set()

    def add(self, words: str, beside: str) -> None:
        self.times += 1
        self.alone += not beside
        self._changes = self._changes or words != self._words
        self._beside.update([beside] if beside else [])

    def is_around(self, least: int) -> bool:
        return len(self._beside) >= least and _SELDOM * self.alone <= self.times and not self._changes
