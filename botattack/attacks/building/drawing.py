"""Respelt words of a plain text, drawn without listing what they make together. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations, islice, product
from math import prod
from typing import NamedTuple

from botattack.attacks.building.guard import answer_spans, overlaps
from botattack.model import Edit, Expect, Question, Token, Variant, edited_text
from botattack.text.spelling import distance

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
    spans = answer_spans(question.text, question.answers)
    return [word for word in words if not overlaps(word.start, word.end, spans)] if spans else list(words)


def alone(question: Question, respelt: Respellings, attack: str, expect: Expect) -> Iterator[Variant]:
    """Each respelling as a variant of its own."""
    text, worded = question.text, question.worded
    for edit, far in respelt:
        edits = (edit,)
        yield Variant(worded(edited_text(text, edits)), attack, edits, expect, far)


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


def together(
    question: Question, known: Sequence[Shape], numbers: Iterable[int], attack: str, expect: Expect
) -> Iterator[Variant]:
    """The variants of these numbers, of all that have one of these shapes."""
    text, worded = question.text, question.worded
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
        yield Variant(worded(after), attack, edits, expect, far)


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
