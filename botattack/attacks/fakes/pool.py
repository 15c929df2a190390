"""The answers of a question set, each with what asked for it: what most easily passes for an answer to another question
of the set. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile
from random import Random
from typing import Annotated, Self

from botattack.attacks.building.agreeing import ARTICLES
from botattack.attacks.building.clauses import BE
from botattack.attacks.building.drawn_rows import DrawnRows
from botattack.model import Question
from botattack.options import File, Read, file
from botattack.protocols.attacks import OtherQuestions
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import fake_words, function_words, grammar_words

_BEFORE_NOUNS = frozenset([*BE, *ARTICLES, "the", "name", "of"])
"""What may stand between "what" and the noun that says what is asked for."""
_EARLY = 2
"""Before so many words stand at most a preposition, and what asks."""
_NO_NOUN = ("ed", "ly", "first")
"""How words end that are rather verbs or adverbs: "which firm previously owned"."""
_LONGEST = 4
"""Words between a question word and what is no noun: of more, the last is hardly the noun."""
_MOST = 30
"""Answers that are tried, drawn by chance: forms must fit as well."""


def keys(text: str) -> frozenset[str]:
    """What an English question asks for, by its words alone: who, else the noun beside "what" or "which".

    A set has thousands of questions, too many to parse for one fake.
    """
    said = [word.text for word in words(normalised(text))]
    asking = [i for i, word in enumerate(said) if word in grammar_words.question_words]
    at = next(iter(asking if asking and asking[0] < _EARLY else asking[::-1]), len(said))  # others may relate
    if said[at : at + 1] and said[at] not in ("what", "which"):
        return frozenset([said[at]]) & {"who", "whom", "whose"}
    behind = [*dropwhile(_BEFORE_NOUNS.__contains__, said[at + 1 :])]
    nouns = [*takewhile(lambda word: word not in function_words() and not word.endswith(_NO_NOUN), behind)]
    sure = 0 < len(nouns) < min(_LONGEST, len(behind))  # else its last word may be a verb: "which town granted"
    return frozenset(nouns[-1:] if sure else ()) - fake_words.vague


Keys = Callable[[str], frozenset[str]]


class Answers(DrawnRows):
    """The shortest answers of other questions. Their order in a file does not matter."""

    def __init__(self, questions: Sequence[Question]) -> None:
        rows = {
            (each.text, min((a.text for a in each.answers if not a.regex), key=len, default=""), each.language)
            for each in questions
        }
        self._rows = sorted(row for row in rows if row[1])
        super().__init__("answers", self._rows)
        self._index: dict[str, defaultdict[str, set[str]]] = {}

    def asked_like(self, asked: Collection[str], keys: Keys, code: str, rng: Random) -> Iterator[str]:
        """Answers to questions of a language with one of these keys, in random order."""
        if code not in self._index:
            index = defaultdict[str, set[str]](set)
            for text, answer, _ in (row for row in self._rows if row[2] == code):
                for key in keys(text):
                    index[key].add(answer)
            self._index[code] = index  # whole at once: generators run in several threads
        found = sorted({answer for key in asked for answer in self._index[code].get(key, ())})
        yield from rng.sample(found, min(_MOST, len(found)))


@dataclass(frozen=True, kw_only=True)
class Faking:
    """What attacks with fake answers take from the question set."""

    questions: Annotated[File | Answers | None, Read(file, {"type": "string", "minLength": 1})] = None
    """The file with the questions whose answers are fakes for others; where left out, the question set."""

    def with_questions(self, questions: OtherQuestions) -> Self:
        given = self.questions
        return self if isinstance(given, Answers) else replace(self, questions=Answers(questions(given, least=0)))

    @property
    def others(self) -> Answers | None:
        return self.questions if isinstance(self.questions, Answers) else None
