"""Words of a text as tokens, what may stand in their place, and respelt words drawn without listing what they make
together; for attacks that need no parser. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, combinations, islice, product, repeat, starmap
from math import prod
from random import Random
from typing import NamedTuple, overload

import msgspec

from botattack.attacks.building.combinations import Edited, Option
from botattack.attacks.building.guard import answer_spans, overlaps
from botattack.model import Edit, Question, Token, edited_text
from botattack.places import QUESTION
from botattack.text.spelling import distance, measure_of
from botattack.text.tokens import ZWNJ, joined_matches, normalised

SHARED = 1
"""Edits of two words may share an operation: with this slack each, the distance of the whole text is measured as soon
as two are combined, and one alone keeps its own."""

EXACT = 2**40
"""Below this a number made of a fraction is as likely as any other."""

Respelt = tuple[str, str, int]
"""What a word becomes, the kind of edit, and its distance if it is known, else 0."""


def word_tokens(text: str) -> tuple[Token, ...]:
    """The words of a text, ascending, with nothing known of them; each is its own head."""
    return tuple([Token(match[0], match.start(), head=i) for i, match in enumerate(joined_matches(text))])


def stem_of(word: Token) -> Token:
    """The longest piece between zero-width non-joiners: letters change within it, and what it is joined to stays."""
    pieces = word.text.split(ZWNJ)
    at = max(range(len(pieces)), key=lambda i: len(pieces[i]))
    start = word.start + sum(len(piece) + 1 for piece in pieces[:at])
    return word if len(pieces) == 1 else msgspec.structs.replace(word, text=pieces[at], start=start)


def free_words(question: Question) -> Iterator[Token]:
    """The words of a question that are not a gold answer's own."""
    spans = answer_spans(question.text, question.golds)
    for word in word_tokens(question.text):
        if not (spans and any(word.start < end and start < word.end for start, end in spans)):
            yield word


def edits_of(word: Token, respelt: Iterable[Respelt]) -> list[tuple[Edit, int]]:
    """The replacements of a word and their distances, each once; a spelling found in two ways has the kind it was found
    by first."""
    text, start, relation, pos, measure = word.text, word.start, word.relation, word.pos, measure_of(word.text)
    same = str.casefold if text.isascii() else normalised
    found = {same(text): ("", "", 0)}
    for one in respelt:
        found.setdefault(same(one[0]), one)
    return [
        (Edit(start, text, after, kind, QUESTION, relation, pos), far or measure(text, after))
        for after, kind, far in found.values()
        if kind
    ]


def options_of(word: Token, respelt: Iterable[Respelt]) -> list[Option]:
    """The same as options of a slot."""
    start, end = word.start, word.end
    return [Option(start, end, edit.after, (edit,), far, SHARED) for edit, far in edits_of(word, respelt)]


def some_of(size: int, most: int, rng: Random) -> list[int]:
    """At most `most` different numbers below `size`, each set of them equally likely, in random order.

    In a third of the time of `rng.sample`.
    """
    if size <= 3 * most:
        return sorted(range(size), key=by_chance(rng))[:most]
    if size > EXACT:
        return rng.sample(range(size), most)
    chance = rng.random
    found = dict.fromkeys([int(chance() * size) for _ in range(most)])
    while len(found) < most:
        found[int(chance() * size)] = None
    return list(found)


def by_chance(rng: Random) -> Callable[[object], float]:
    """A key to sort by in random order: the next number of `rng`, whatever it is asked for.

    In two thirds of the time of a lambda, for no line of Python is run.
    """
    return partial(next, starmap(rng.random, repeat(())))


def single(start: int, before: str, after: str, kind: str, word: Token | None = None) -> Option:
    """An option of one edit."""
    relation, pos = (word.relation, word.pos) if word else ("", "")
    edit = Edit(start, before, after, kind, QUESTION, relation, pos)
    return Option(start, start + len(before), after, (edit,), measure_of(before)(before, after), SHARED)


def removal(text: str, word: Token, kind: str, *, leads: bool) -> Option:
    """The word goes with the white space before it, or, where it `leads` the text, with that after it."""
    if leads:
        start, end = word.start, len(text) - len(text[word.end :].lstrip())
    else:
        start, end = len(text[: word.start].rstrip()), word.end
    return single(start, text[start:end], "", kind, word)


class LazySlot(Sequence[Option]):
    """A slot whose options are made when looked at: most of many are never drawn."""

    def __init__(self, words: Sequence[str], make: Callable[[str], Option]) -> None:
        self._words = words
        self._make = make

    def __len__(self) -> int:
        return len(self._words)

    @overload
    def __getitem__(self, at: int) -> Option: ...
    @overload
    def __getitem__(self, at: slice) -> list[Option]: ...
    def __getitem__(self, at: int | slice) -> Option | list[Option]:
        return self._make(self._words[at]) if isinstance(at, int) else [self._make(word) for word in self._words[at]]


Respellings = Sequence[tuple[Edit, int]]
"""Ways to write one word, none like another, each with its distance."""

SUMMED = 4
"""Below this sum the distances of words that are parted and keep their length add up: to save an operation, letters
would have to move across what parts the words, which costs one, and another in each word. At it, one letter may."""
SHAPES = 400


def parted(text: str, words: Sequence[Token]) -> bool:
    """Whether the text is ASCII and no word touches a letter or digit that is none of its own."""
    return text.isascii() and not any(
        text[word.start - 1 : word.start].isalnum() or text[word.end : word.end + 1].isalnum() for word in words
    )


def free(question: Question, words: Iterable[Token]) -> list[Token]:
    """The words that are not a gold answer's own."""
    spans = answer_spans(question.text, question.golds)
    return [word for word in words if not overlaps(word.start, word.end, spans)] if spans else list(words)


def alone(text: str, respelt: Respellings) -> Iterator[Edited]:
    """The text with each respelling alone."""
    for edit, far in respelt:
        edits = (edit,)
        yield edited_text(text, edits), edits, far


class Shape(NamedTuple):
    """Words that change together, each by a known distance: what may be written for each."""

    words: tuple[Sequence[Edit], ...]
    distance: int

    @property
    def total(self) -> int:
        return prod(map(len, self.words))


def shapes(words: Sequence[Respellings], epsilon: int, most: int | None) -> list[Shape] | None:
    """Every shape within a sum of distances and with at most so many words; None if there are very many."""
    by_distance = [_by_distance(respelt) for respelt in words]
    count = min(len(words), epsilon, most or epsilon)
    chosen = (some for size in range(1, count + 1) for some in combinations(by_distance, size))
    found = (
        Shape(tuple(groups), far)
        for some in chosen
        for pairs in product(*(groups.items() for groups in some))
        if (far := sum(one for one, _ in pairs)) <= epsilon
        for groups in [[edits for _, edits in pairs]]
    )
    listed = list(islice(found, SHAPES + 1))
    return listed if len(listed) <= SHAPES else None


def _by_distance(respelt: Respellings) -> dict[int, list[Edit]]:
    groups: dict[int, list[Edit]] = {}
    for edit, far in respelt:
        groups.setdefault(far, []).append(edit)
    return groups


def together(text: str, known: Sequence[Shape], numbers: Iterable[int]) -> Iterator[Edited]:
    """The texts of these numbers, of all that have one of these shapes."""
    ends = list(accumulate(shape.total for shape in known))
    for n in numbers:
        words, far = known[bisect_right(ends, n)]
        found, number = [], n
        # The numbers of a shape follow one another: taken modulo how many they are, each is another combination.
        for others in words:
            number, which = divmod(number, len(others))
            found.append(others[which])
        edits = tuple(found)
        after = edited_text(text, edits)
        if far >= SUMMED and len(edits) > 1 and any(map(_crossed, edits, edits[1:])):
            far = distance(text, after)
        yield after, edits, far


def _crossed(one: Edit, other: Edit) -> bool:
    """Whether a letter may have moved from a word into the next."""
    return one.after[-1] == other.before[0] or one.before[-1] == other.after[0]


class Frame:
    """A text whose words are replaced, all at once; they ascend and do not overlap."""

    def __init__(self, text: str, words: Sequence[Token]) -> None:
        starts = [0, *(word.end for word in words)]
        ends = [*(word.start for word in words), len(text)]
        self._pieces = [piece for start, end in zip(starts, ends, strict=True) for piece in (text[start:end], "")]

    def written(self, words: Sequence[str]) -> str:
        """The text with these words."""
        pieces = self._pieces.copy()
        pieces[1:-1:2] = words
        return "".join(pieces)
