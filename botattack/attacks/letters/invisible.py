"""Characters that the eye does not tell apart: invisible ones, and letters that look like others. Pure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import floor
from random import Random
from typing import ClassVar, Literal
from unicodedata import bidirectional

from botattack.attacks.building.advice import LETTERS
from botattack.attacks.building.choosing import PerQuestion
from botattack.attacks.building.guard import Edits, answer_spans, batches, overlaps
from botattack.model import Edit, Question, Variant, edited_text
from botattack.options import Share
from botattack.protocols import Attack, Context, Proposals
from botattack.text.clusters import clusters
from botattack.text.spelling import text_distance

INVISIBLE: Mapping[str, str] = {
    "left-to-right-mark": "\u200e",
    "right-to-left-mark": "\u200f",
    "zero-width-space": "\u200b",
    "word-joiner": "\u2060",
    "zero-width-no-break-space": "\ufeff",
    "invisible-separator": "\u2063",
    "invisible-times": "\u2062",
    "function-application": "\u2061",
    "soft-hyphen": "\u00ad",
    "arabic-letter-mark": "\u061c",
}
"""Characters that take no room by themselves. Joiners (U+200C, U+200D, variation selectors) are not among them: they
become one cluster with the letter before them and change how Persian, Indic scripts and emoji are drawn."""

SPACES: Mapping[str, str] = {
    "no-break-space": "\u00a0",
    "narrow-no-break-space": "\u202f",
    "figure-space": "\u2007",
    "thin-space": "\u2009",
    "hair-space": "\u200a",
    "en-space": "\u2002",
    "em-space": "\u2003",
    "punctuation-space": "\u2008",
    "ideographic-space": "\u3000",
    "braille-blank": "\u2800",
    "hangul-filler": "\u3164",
}
"""Characters that look like a space. The first nine are spaces to whoever normalises (NFKC), the last two are not."""

LOOKALIKES: Mapping[str, str] = {
    "a": "а", "c": "сϲ", "e": "е", "g": "ɡ", "h": "һ", "i": "і", "j": "јϳ", "n": "ո", "o": "оοօ", "p": "р", "q": "ԛ",
    "s": "ѕ", "u": "ս", "w": "ԝ", "x": "х", "y": "у",
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "E": "ЕΕ", "F": "Ϝ", "H": "НΗ", "I": "ІΙ", "J": "Ј", "K": "Κ", "M": "МΜ", "N": "Ν",
    "O": "ОΟ", "P": "РΡ", "S": "Ѕ", "T": "ТΤ", "W": "Ԝ", "X": "ХΧ", "Y": "ҮΥ", "Z": "Ζ",
    "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ѕ": "s",
    "А": "A", "В": "B", "Е": "E", "М": "M", "Н": "H", "О": "O", "Р": "P", "С": "C", "Т": "T", "Х": "X",
    "ο": "o", "ک": "ك", "ك": "ک", "ي": "ی", "ی": "ى", "ى": "ی",
}  # fmt: skip
"""Letters and the letters of another script, or another letter of the same, with one skeleton in Unicode's table of
confusables (UTS 39), that DejaVu's Sans, Serif and Mono faces draw alike where they have both. None is a compatibility
form, so that normalising (NFKC, case) does not undo it."""

ALIKE_JOINED = frozenset("کكي")
"""Arabic letters that look like the other only where they join the next letter; the rest of the Arabic ones do only
where they join none."""


def looks_alike(letter: str, following: str) -> bool:
    """Whether a letter looks like its others before that character."""
    if letter not in "کكيىی":
        return letter in LOOKALIKES
    joins = "\u0620" < following <= "\u06d3" and following.isalpha()
    return joins == (letter in ALIKE_JOINED)


def base_direction(text: str) -> str:
    """L or R: the direction of the first letter that has one, else L."""
    return next((_DIRECTION[kind] for kind in map(bidirectional, text) if kind in _DIRECTION), "L")


def unseen(mark: str, text: str) -> Callable[[int], bool]:
    """Whether a character without width that is put at a place of the text moves nothing that is seen (Unicode's
    bidirectional algorithm, UAX 9).

    One without a direction never does. One with a direction does not behind a letter of its own class, nor in a text
    of its direction only, nor between two letters of the text's direction: what is neutral around it takes that
    direction either way. Elsewhere it may draw spaces, marks and digits to the other side.
    """
    own, kinds = bidirectional(mark), [bidirectional(other) for other in text]
    if own not in _DIRECTION or (own == "L" and not _TURNING.intersection(kinds)):
        return lambda _: True
    base, after = base_direction(text), ""
    follows = [""] * (len(text) + 1)
    for at in range(len(text) - 1, -1, -1):
        after = follows[at] = after if kinds[at] in _NEUTRAL else kinds[at]

    def moves_nothing(at: int) -> bool:
        before = kinds[at - 1] if at else ""
        return before == own or (_DIRECTION.get(before) == base == _DIRECTION.get(follows[at] or base))

    return moves_nothing


_DIRECTION = {"L": "L", "R": "R", "AL": "R"}
_TURNING = frozenset({"R", "AL", "AN"})
_NEUTRAL = frozenset({"WS", "ON", "B", "S", "BN", "NSM", "CS", "ES", "ET"})


Position = Literal["before-space", "for-space", "in-words"]
Spot = tuple[int, str]
"""Where something may be written, and for which character, if for one."""
Way = Sequence[tuple[int, str, str]]
"""What may be written at which spots, one character each."""
IDLE = 12
"""Drafts in a row that bring nothing new before there is nothing new."""


@dataclass(frozen=True)
class Unseen(PerQuestion, Attack):
    """What attacks share that a reader cannot see."""

    share: Share = 1.0
    """How many of the characters that may change do: from 0 to 1, at least one."""
    answers: Literal["spare", "change"] = "spare"
    """Whether to leave gold answers in the text unchanged (`spare`) or not (`change`). A bot that answers with a piece
    of its passage would repeat the changed characters."""

    def propose(self, context: Context, rng: Random) -> Proposals:
        yield from batches(islice(self._variants(context.question, rng), self.per_question))
        return None

    def _variants(self, question: Question, rng: Random) -> Iterator[Variant]:
        text, plain = question.text, question.text.isascii()
        spans = answer_spans(text, question.golds) if self.answers == "spare" else ()
        spots = [
            (start, before)
            for start, before in self.spots(text)
            if not (spans and overlaps(start, start + len(before), spans))
        ]
        ways = [way for way in self.ways(text, spots, rng) if way]
        seen: set[str] = set()
        idle = 0
        for edits in _rounds(ways, self.kind, self.share, rng):
            after = edited_text(text, edits)
            if after not in seen:
                seen.add(after)
                idle = 0
                # Characters that an ASCII text does not have cannot be had by moving others: each costs one operation.
                far = len(edits) if plain else text_distance(text, after)
                yield Variant(question.worded(after), self.name, edits, self.expect, far)
            elif (idle := idle + 1) > IDLE:
                return

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind of its edits."""

    @abstractmethod
    def spots(self, text: str) -> Iterator[tuple[int, str]]:
        """Where something may be written, and for which character; no writing there joins its neighbours."""

    @abstractmethod
    def ways(self, text: str, spots: Sequence[Spot], rng: Random) -> Sequence[Way]:
        """What may be written; each character is foreign to ASCII."""


def _rounds(ways: Sequence[Way], kind: str, share: float, rng: Random) -> Iterator[Edits]:
    """Edits of so many spots, in rounds without end in which each way changes each spot once."""
    chance = rng.random
    tables = [[[Edit(start, before, after, kind) for after in afters] for start, before, afters in way] for way in ways]
    rounds = [
        ([found[0] for found in table], [(i, found, len(found)) for i, found in enumerate(table) if len(found) > 1])
        for table in tables
    ]
    while rounds:
        for firsts, several in rounds:
            most = max(1, round(share * len(firsts)))
            order = rng.sample(range(len(firsts)), len(firsts))
            picked = firsts.copy()
            for i, found, size in several:
                picked[i] = found[floor(chance() * size)]
            for at in range(0, len(order) - most + 1, most):
                yield tuple(map(picked.__getitem__, sorted(order[at : at + most])))


@dataclass(frozen=True)
class Invisible(Unseen):
    """Puts invisible characters into the text (Persian QA, Invisible Char).

    There it is U+200E before every space of the context: `{at: {place: context, attack: {invisible: {characters:
    [left-to-right-mark]}}}}`. Letters, ZWNJ and the order of right-to-left text stay as they are.

    Decided here: variants are compared as written, because some of these characters become spaces when normalised. A
    mark of direction is put only where it moves nothing that is seen: not next to digits or marks of a text in another
    direction.
    """

    name: ClassVar[str] = "invisible"
    plain: ClassVar[str] = "Invisible characters"
    advice: ClassVar[str] = LETTERS.format("remove invisible characters")

    characters: tuple[str, ...] = tuple(INVISIBLE)
    """Which; one kind a variant. The names of the table, or the character itself."""
    position: Position = "before-space"
    """`before-space`, `for-space` (in place of spaces; a space-like character wants this), or `in-words`, between any
    two characters of a word."""

    def __post_init__(self) -> None:
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

    def ways(self, text: str, spots: Sequence[Spot], rng: Random) -> Sequence[Way]:
        known = {**INVISIBLE, **SPACES}
        chosen = [known.get(name, name) for name in rng.sample(self.characters, len(self.characters))]
        fits = {one: unseen(one, text) for one in chosen}
        return [[(at, before, one) for at, before in spots if fits[one](at)] for one in chosen]


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

    From a small table of our own, with Latin, Cyrillic, Greek, Persian and Arabic letters that are confusable by
    Unicode's table and that common fonts draw alike. An Arabic letter is replaced only in a form in which both look the
    same.
    """

    name: ClassVar[str] = "homoglyph"
    plain: ClassVar[str] = "Look-alike letters"
    advice: ClassVar[str] = LETTERS.format("write look-alikes in one script")
    kind: ClassVar[str] = "look-alike"

    share: Share = 0.1
    """The share to replace of the letters that have a look-alike: at least one, a tenth by default."""

    def spots(self, text: str) -> Iterator[tuple[int, str]]:
        start = 0
        for cluster in clusters(text):
            end = start + len(cluster)
            if cluster in LOOKALIKES and looks_alike(cluster, text[end : end + 1]):
                yield start, cluster
            start = end

    def ways(self, text: str, spots: Sequence[Spot], rng: Random) -> Sequence[Way]:
        return [[(at, before, LOOKALIKES[before]) for at, before in spots]]
