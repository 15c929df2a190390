"""Characters that the eye does not tell apart: invisible ones, and letters that look like others. Pure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from math import floor
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.guard import Edits, answer_spans, batches, overlaps, place
from botattack.attacks.building.listing import check_counts
from botattack.attacks.building.plain_words import some_of
from botattack.model import Edit, Expect, Prompt, Question, Variant
from botattack.options import Share
from botattack.protocols import Context, Proposals
from botattack.text.clusters import clusters
from botattack.text.lookalikes import INVISIBLE, LOOKALIKES, SPACES
from botattack.text.spelling import text_distance

Place = Literal["question", "context", "both"]
Position = Literal["before-space", "for-space", "in-words"]
Spot = tuple[str, int, str]
"""A place, where in its text something may be written, and for which character, if for one."""
Way = Mapping[str, str]
"""What may be written for which character, one character each."""
IDLE = 12
"""Drafts in a row that bring nothing new before there is nothing new."""


@dataclass(frozen=True)
class Unseen(ABC):
    """Options:
    per_question: how many variants to draw.
    place: the `question`, the `context` (its passages), or `both`.
    share: how many of the characters that may change do: from 0 to 1, at least one.
    answers: whether gold answers that stand in the text are left as they are; `spare`, or `change`. A bot that
      answers with a piece of its passage would give back what was put into it.
    """

    name: ClassVar[str]
    expect: ClassVar[Expect] = "same"

    per_question: int = 10
    place: Place = "question"
    share: Share = 1.0
    answers: Literal["spare", "change"] = "spare"

    def __post_init__(self) -> None:
        check_counts(self, "per_question")

    def parts(self) -> tuple[str, ...]:
        return ()

    def propose(self, context: Context, rng: Random) -> Proposals:
        yield from batches(islice(self._variants(context.question, rng), self.per_question))
        return None

    def _variants(self, question: Question, rng: Random) -> Iterator[Variant]:
        where, history, name, expect = self._places(question), question.history, self.name, self.expect
        spots = self._spots(question)
        ways = self.ways(rng) if spots else []
        most = max(1, round(self.share * len(spots)))
        drafts = (
            _partly(spots, ways, self.kind, most, rng) if most < len(spots) else _wholly(spots, ways, self.kind, rng)
        )
        texts = {name: place(question, name) for name in where}
        letters = {name: list(text) for name, text in texts.items()}
        plain = all(map(str.isascii, texts.values()))
        seen: set[object] = set()
        idle = 0
        for edits in drafts:
            text, passages = _written(question, letters, edits)
            key = (text, passages) if passages else text
            if key not in seen:
                seen.add(key)
                idle = 0
                prompt = Prompt(text, passages, history)
                # Characters that an ASCII text does not have cannot be had by moving others: each costs one operation.
                far = len(edits) if plain else _far(question, prompt)
                yield Variant((prompt,), name, edits, expect, far)
            elif (idle := idle + 1) > IDLE:
                return

    def _places(self, question: Question) -> list[str]:
        passages = [f"passage {i}" for i in range(len(question.passages))]
        return {"question": ["question"], "context": passages, "both": ["question", *passages]}[self.place]

    def _spots(self, question: Question) -> list[Spot]:
        found = []
        for where in self._places(question):
            text = place(question, where)
            spans = answer_spans(text, question.answers) if self.answers == "spare" else ()
            for start, before in self.spots(text):
                if not (spans and overlaps(start, start + len(before), spans)):
                    found.append((where, start, before))
        return found

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind of its edits."""

    @abstractmethod
    def spots(self, text: str) -> Iterator[tuple[int, str]]:
        """Where something may be written, and for which character; no writing there joins its neighbours."""

    @abstractmethod
    def ways(self, rng: Random) -> Sequence[Way]:
        """What may be written; each character is foreign to ASCII."""


def _partly(spots: Sequence[Spot], ways: Sequence[Way], kind: str, most: int, rng: Random) -> Iterator[Edits]:
    """Edits of so many spots, in rounds without end in which each way changes each spot once."""
    chance = rng.random
    tables = [
        [[Edit(start, before, after, kind, where) for after in way[before]] for where, start, before in spots]
        for way in ways
    ]
    rounds = [
        ([found[0] for found in table], [(i, found, len(found)) for i, found in enumerate(table) if len(found) > 1])
        for table in tables
    ]
    while rounds:
        for firsts, several in rounds:
            order = some_of(len(firsts), len(firsts), rng)
            picked = firsts.copy()
            for i, found, size in several:
                picked[i] = found[floor(chance() * size)]
            for at in range(0, len(order) - most + 1, most):
                yield tuple(map(picked.__getitem__, sorted(order[at : at + most])))


def _wholly(spots: Sequence[Spot], ways: Sequence[Way], kind: str, rng: Random) -> Iterator[Edits]:
    """Edits of all spots, by each way once, or again and again where there are several."""
    chance = rng.random
    places, starts, befores = zip(*spots, strict=True) if spots else ((), (), ())
    while ways:
        several = []
        for way in ways:
            afters = [way[before] for before in befores]
            if len("".join(afters)) > len(afters):
                several.append(way)
                afters = [after[floor(chance() * len(after))] for after in afters]
            yield tuple(map(Edit, starts, befores, afters, repeat(kind), places))
        ways = several


def _written(question: Question, letters: Mapping[str, list[str]], edits: Edits) -> tuple[str, tuple[str, ...]]:
    """The text and the passages with these edits."""
    if not question.passages:
        # Nearly always; it takes half the time.
        new = letters["question"].copy()
        for edit in edits:
            new[edit.start] = edit.after if edit.before else edit.after + new[edit.start]
        return "".join(new), ()
    texts = {where: found.copy() for where, found in letters.items()}
    for edit in edits:
        new, start = texts[edit.where], edit.start
        new[start] = edit.after if edit.before else edit.after + new[start]
    text = "".join(texts["question"]) if "question" in texts else question.text
    return text, tuple(["".join(texts.get(f"passage {i}", passage)) for i, passage in enumerate(question.passages)])


def _far(question: Question, prompt: Prompt) -> int:
    pairs = zip((question.text, *question.passages), (prompt.text, *prompt.passages), strict=True)
    return sum(text_distance(one, other) for one, other in pairs)


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

    @property
    def kind(self) -> str:
        return "space-like" if self.position == "for-space" else "invisible"

    def spots(self, text: str) -> Iterator[tuple[int, str]]:
        if self.position == "in-words":
            return _in_words(text)
        before = " " if self.position == "for-space" else ""
        return ((i, before) for i, other in enumerate(text) if other == " ")

    def ways(self, rng: Random) -> Sequence[Way]:
        known = {**INVISIBLE, **SPACES}
        chosen = [known.get(name, name) for name in rng.sample(self.characters, len(self.characters))]
        return [{"": character, " ": character} for character in chosen]


def _in_words(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    last = ""
    for cluster in clusters(text):
        if last.isalnum() and cluster[0].isalnum():
            yield start, ""
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

    @property
    def kind(self) -> str:
        return "look-alike"

    def spots(self, text: str) -> Iterator[tuple[int, str]]:
        start = 0
        for cluster in clusters(text):
            if cluster in LOOKALIKES:
                yield start, cluster
            start += len(cluster)

    def ways(self, rng: Random) -> Sequence[Way]:
        del rng
        return [LOOKALIKES]
