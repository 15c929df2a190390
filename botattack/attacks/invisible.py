"""Characters that the eye does not tell apart: invisible ones, and letters that look like others. Pure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.drafting import Drafting, Drafts
from botattack.attacks.guard import Draft, answer_spans, place
from botattack.model import Edit, Question
from botattack.options import Share
from botattack.protocols import Context
from botattack.text.clusters import clusters
from botattack.text.lookalikes import INVISIBLE, LOOKALIKES, SPACES

Place = Literal["question", "context", "both"]
Position = Literal["before-space", "for-space", "in-words"]
Way = Callable[[str, str], Iterator[list[Edit]]]
"""All that may change in a text of a place, each with the edits that may do it."""


@dataclass(frozen=True)
class Unseen(Drafting):
    """Options:
    place: the `question`, the `context` (its passages), or `both`.
    share: how many of the characters that may change do: from 0 to 1, at least one.
    answers: whether gold answers that stand in the text are left as they are; `spare`, or `change`. A bot that
      answers with a piece of its passage would give back what was put into it.
    """

    drawn: ClassVar[bool] = True
    by_cluster: ClassVar[bool] = True

    place: Place = "question"
    share: Share = 1.0
    answers: Literal["spare", "change"] = "spare"

    def form(self, text: str) -> str:
        return text

    @property
    def spares(self) -> bool:
        return self.answers == "spare"

    def places(self, question: Question) -> list[str]:
        passages = [f"passage {i}" for i in range(len(question.passages))]
        return {"question": ["question"], "context": passages, "both": ["question", *passages]}[self.place]

    def spans(self, question: Question, where: str) -> tuple[tuple[int, int], ...]:
        return answer_spans(place(question, where), question.answers) if self.answers == "spare" else ()

    def drafts(self, context: Context, rng: Random) -> Drafts:
        yield from ()
        return self._drafts(context.question, rng)

    def _drafts(self, question: Question, rng: Random) -> Iterator[Draft]:
        """Round after round, each way of changing the text once, until a round brings nothing new."""
        found = [changes for make in self.ways(rng) if (changes := self._everywhere(question, make))]
        seen: set[tuple[int, ...]] = set()
        known = -1
        while known < len(seen):
            known = len(seen)
            for way, changes in enumerate(found):
                most = min(len(changes), max(1, round(self.share * len(changes))))
                # What was drawn comes in the order of the places, as edits must.
                chosen = sorted(rng.sample(range(len(changes)), most))
                seen.add((way, *chosen))
                yield Draft(tuple([_one(changes[i], rng) for i in chosen]))

    def _everywhere(self, question: Question, make: Way) -> list[list[Edit]]:
        return [
            edits
            for where in self.places(question)
            for edits in make(place(question, where), where)
            if not _inside(edits[0], self.spans(question, where))
        ]

    @abstractmethod
    def ways(self, rng: Random) -> list[Way]:
        """Each is one way to change the spans of a text."""


def _one(edits: list[Edit], rng: Random) -> Edit:
    return edits[0] if len(edits) == 1 else edits[int(rng.random() * len(edits))]


def _inside(edit: Edit, spans: tuple[tuple[int, int], ...]) -> bool:
    end = edit.start + len(edit.before)
    return any((edit.start < stop and start < end) or start < edit.start < stop for start, stop in spans)


@dataclass(frozen=True)
class Invisible(Unseen):
    """Puts characters into the text that the eye does not see (Persian QA, Invisible Char).

    There it is U+200E before every space of the context: `{invisible: {place: context, characters:
    [left-to-right-mark]}}`. Letters, ZWNJ and the order of right-to-left text stay as they are.

    Options:
      characters: which; one kind a variant. The names of the table, or the character itself.
      position: `before-space`, `for-space` (in place of spaces; a space-like character wants this), or `in-words`,
        between any two characters of a word.

    Decided here: variants are compared as they are written, for some of these characters are spaces once normalised.
    """

    name: ClassVar[str] = "invisible"

    characters: tuple[str, ...] = tuple(INVISIBLE)
    position: Position = "before-space"

    def __post_init__(self) -> None:
        super().__post_init__()
        known = {**INVISIBLE, **SPACES}
        for name in self.characters:
            if name not in known and name not in known.values():
                raise ValueError(f"no invisible character is called {name!r}: known are {', '.join(known)}")
        if not self.characters:
            raise ValueError("characters must name at least one")

    def ways(self, rng: Random) -> list[Way]:
        known = {**INVISIBLE, **SPACES}
        make = {"before-space": _before_spaces, "for-space": _for_spaces, "in-words": _in_words}[self.position]
        return [partial(make, known.get(name, name)) for name in rng.sample(self.characters, len(self.characters))]


def _before_spaces(character: str, text: str, where: str) -> Iterator[list[Edit]]:
    return ([Edit(i, "", character, "invisible", where)] for i, other in enumerate(text) if other == " ")


def _for_spaces(character: str, text: str, where: str) -> Iterator[list[Edit]]:
    return ([Edit(i, " ", character, "space-like", where)] for i, other in enumerate(text) if other == " ")


def _in_words(character: str, text: str, where: str) -> Iterator[list[Edit]]:
    start = 0
    last = ""
    for cluster in clusters(text):
        if last.isalnum() and cluster[0].isalnum():
            yield [Edit(start, "", character, "invisible", where)]
        start, last = start + len(cluster), cluster[0]


@dataclass(frozen=True)
class Homoglyph(Unseen):
    """Writes letters as others that look alike: the Cyrillic "а" for "a", Arabic "ك" for Persian "ک" (look-alike
    characters; Persian QA's Invisible Char and Unicode's confusables).

    From a small table of our own, which holds Latin, Cyrillic, Greek, Persian, Arabic and Hebrew letters.

    Options:
      share: here by default a tenth of the letters.
    """

    name: ClassVar[str] = "homoglyph"

    share: Share = 0.1

    def ways(self, rng: Random) -> list[Way]:
        del rng
        return [_lookalikes]


def _lookalikes(text: str, where: str) -> Iterator[list[Edit]]:
    start = 0
    for cluster in clusters(text):
        if cluster in LOOKALIKES:
            yield [Edit(start, cluster, other, "look-alike", where) for other in LOOKALIKES[cluster]]
        start += len(cluster)
