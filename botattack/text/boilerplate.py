"""Sentences that a bot says around every answer: found in a reply, and left out of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from botattack.text.normalise import normalise

_SENTENCE = re.compile(
    r"\S[^\n]*?(?:[.!?…؟]{1,5}[\"'”’»)\]*_]{0,3}(?=\s|$)|[。！？]|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?(?=\s|$)|$)",
    re.MULTILINE,
)
"""Up to a mark or an emoji that ends it, or the end of its line."""
_DIGITS = re.compile(r"\d+")
LEAST = 5
"""Different answers around which a sentence is boilerplate."""
SHARE = 0.05
"""The share of replies in which it is."""
FEW = 2
"""So many answers, and so many per cent of the replies, are enough for one of several greetings that take turns."""
MOST = 0.5
"""FEW are enough only if more than this share of the replies begin (or end) with such sentences. One in the middle must
be in more than this share, too."""
LONGEST_RUN = 3
"""Sentences that are said together: "Ring ring! Your friendly Ada here." """
LONGEST = 5_000
"""Characters of a reply from which boilerplate is learnt."""
_SELDOM = 5
"""Up to one in so many occurrences of a sentence may be the whole reply, or contain what is right: with more, it is an
answer. As many may lack the sentences that it is said with: with more, they do not belong together."""


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
    learns: bool = False
    """Whether a run adds what it learns."""

    def knowing(self, sentences: Iterable[str]) -> Boilerplate:
        """This and what a run learnt, if it may learn."""
        return replace(self, known=(*self.known, *sentences)) if self.learns else self

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
    """Whether one of two forms has all the words of the other in a row; an empty one has none."""
    if not (one and other):
        return False
    short, long = sorted((one, other), key=len)
    return f" {short} " in f" {long} "


class Said(NamedTuple):
    """A reply, the question it was given to, and what is right in reply to that, if anybody knows."""

    question: str
    reply: str
    right: tuple[str, ...] = ()


def recurring(said: Iterable[Said], says_nothing: Callable[[str], bool]) -> list[str]:
    """What replies to unrelated questions begin or end with, the most frequent first: a sentence, or up to LONGEST_RUN
    that are hardly ever said without each other; and a sentence within more than MOST of them.

    Beside it must be at least LEAST answers that hardly any other question gets, and SHARE of all replies; FEW are
    enough at an end of the reply where MOST replies have such sentences. It is an answer if it is often a reply by
    itself or says what is right, if numbers in it change, or if it does not say nothing.
    """
    replies = [_Read.of(one) for one in said if len(one.reply) <= LONGEST]
    askers: dict[str, set[str]] = {}
    times = Counter[str]()
    for one in replies:
        times.update(one.words)
        for each in one.words:
            askers.setdefault(each, set()).add(one.said.question)
    rarely = 1 + SHARE * len({one.said.question for one in replies})
    rare = frozenset(each for each, questions in askers.items() if len(questions) <= rarely)
    few, least = max(FEW, len(replies) * FEW // 100), max(LEAST, round(SHARE * len(replies)))

    def inert_at(places: Callable[[_Read], Mapping[_Place, str]]) -> dict[str, _Recurring]:
        found: dict[str, _Recurring] = {}
        for one in replies:
            for place, form in places(one).items():
                found.setdefault(form, _Recurring(one.text(*place), one.words[slice(*place)])).add(one, place, rare)
        return {
            form: one
            for form, one in found.items()
            if form and one.answers >= few and one.is_inert and one.is_whole(times) and says_nothing(one.sentence)
        }

    inert = inert_at(lambda one: one.starts | one.ends)
    kept = {form for form, one in inert.items() if one.answers >= least}
    for end in ([one.starts for one in replies], [one.ends for one in replies]):
        here = [inert.keys() & forms.values() for forms in end]
        kept.update(*here if sum(map(bool, here)) > MOST * len(replies) else ())
    # A fallback or an answer may be within many replies, but not within most of those to unrelated questions.
    within = {form: one for form, one in inert_at(lambda one: one.within).items() if one.times > MOST * len(replies)}
    kept.update(within)
    inert = within | inert
    return [inert[form].sentence for form in sorted(kept, key=lambda form: (-inert[form].times, form))]


_Place = tuple[int, int]
"""The first of the sentences of a reply, and the one behind the last."""


class _Read(NamedTuple):
    """A reply, where its sentences begin and end, and the normal form of each."""

    said: Said
    spans: tuple[_Place, ...]
    words: tuple[str, ...]

    @classmethod
    def of(cls, said: Said) -> _Read:
        spans = tuple(sentences(said.reply))
        return cls(said, spans, tuple([normalise(said.reply[start:end]).text.strip() for start, end in spans]))

    def text(self, first: int, behind: int) -> str:
        return self.said.reply[self.spans[first][0] : self.spans[behind - 1][1]]

    @property
    def starts(self) -> dict[_Place, str]:
        """What the sentences it begins with have in common with others, for each number of them."""
        return {place: form_of(self.text(*place)) for place in ((0, each) for each in self._numbers)}

    @property
    def ends(self) -> dict[_Place, str]:
        last = len(self.spans)
        return {place: form_of(self.text(*place)) for place in ((last - each, last) for each in self._numbers)}

    @property
    def within(self) -> dict[_Place, str]:
        """Each sentence but the first and the last."""
        return {(at, at + 1): form_of(self.text(at, at + 1)) for at in range(1, len(self.spans) - 1)}

    @property
    def _numbers(self) -> range:
        return range(1, min(LONGEST_RUN, len(self.spans)) + 1)


class _Recurring:
    """Sentences as they were said first, and how often they were."""

    def __init__(self, sentence: str, words: tuple[str, ...]) -> None:
        self.sentence = sentence
        self.times = 0
        self._answered = 0
        """How often it was all of a reply, or said what is right."""
        self._words = words
        self._changes = False
        self._questions: set[str] = set()
        self._beside: set[str] = set()
        """The rare things that it was said beside, and the questions to which it was."""
        self._accompanied: set[str] = set()

    def add(self, read: _Read, place: _Place, rare: frozenset[str]) -> None:
        first, behind = place
        words, question = read.words[first:behind], read.said.question
        others = (*read.words[:first], *read.words[behind:])
        right = any(_within(" ".join(words), normalise(answer).text.strip()) for answer in read.said.right)
        self.times += 1
        self._answered += right or not others
        self._changes = self._changes or words != self._words
        self._questions.add(question)
        if beside := max(rare.intersection(others), key=len, default=""):
            self._beside.add(beside)
            self._accompanied.add(question)

    @property
    def answers(self) -> int:
        """Different answers to different questions that it was said beside."""
        return min(len(self._beside), len(self._accompanied))

    @property
    def is_inert(self) -> bool:
        accompanied = 2 * len(self._accompanied) >= len(self._questions)
        return accompanied and _SELDOM * self._answered <= self.times and not self._changes

    def is_whole(self, times: Mapping[str, int]) -> bool:
        """Whether none of several sentences is said much more often than all of them together."""
        return len(self._words) == 1 or all(_SELDOM * (times[each] - self.times) <= times[each] for each in self._words)
