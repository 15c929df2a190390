"""All ways to replace some of several words within an edit limit, counted and picked without listing them. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, islice, pairwise, product
from random import Random

import msgspec

from botattack.attacks.building.choosing import Take
from botattack.model import Edit
from botattack.text.spelling import edit_distance, measure_of, quick_distance
from botattack.text.tokens import normalised


class Option(msgspec.Struct, frozen=True):
    """One way to replace a span of the text, by one edit or several; `distance` is the sum of theirs, at least 1.

    `slack` is how many of these operations edits elsewhere might save, see `slack`.
    """

    start: int
    end: int
    after: str
    edits: tuple[Edit, ...]
    distance: int
    slack: int

    @classmethod
    def of(cls, edit: Edit, distance: int) -> Option:
        shared = slack(edit.before, edit.after, distance)
        return cls(edit.start, edit.start + len(edit.before), edit.after, (edit,), distance, shared)


Slot = Sequence[Option]
"""The replacements of one span, none like another when normalised; a combination takes at most one of them."""


def one_span(text: str, options: Sequence[Option]) -> list[Option]:
    """The same replacements as a slot: where some take in what is beside the others, all do."""
    start = min((option.start for option in options), default=0)
    end = max((option.end for option in options), default=0)
    return [
        msgspec.structs.replace(
            option, start=start, end=end, after=text[start : option.start] + option.after + text[option.end : end]
        )
        for option in options
    ]


class _Steps:
    """What may come next: each step takes an option of some later slot, then continues at another node.

    `starts[i]` is the number of the first combination that begins with step i.
    """

    __slots__ = ("starts", "steps", "total")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.steps: list[tuple[Slot, _Steps | None]] = []
        self.total = 0

    def add(self, options: Slot, then: _Steps | None) -> None:
        ways = len(options) * (then.total if then else 1)
        if ways:
            self.starts.append(self.total)
            self.steps.append((options, then))
            self.total += ways


Edited = tuple[str, tuple[Edit, ...], int]
"""A text after edits, the edits, and its Damerau-Levenshtein distance to the text before."""


class Combinations:
    """Ways to edit a text by options of different slots whose distances add up to at most `epsilon`, with at most
    `most` edits (None: as many as fit), numbered from 0 by that sum. Slots ascend, do not overlap and do not touch."""

    def __init__(self, text: str, slots: Sequence[Slot], epsilon: int, most: int | None = None) -> None:
        self._text = text
        self._measure = measure_of(text)
        self._slots = [_by_cost(slot) for slot in slots]
        self._known: dict[tuple[int, int, int], _Steps] = {}
        levels = range(1, epsilon + 1)
        self._levels = [self._node(0, level, level if most is None else min(most, level)) for level in levels]
        self._starts = [0, *accumulate(level.total for level in self._levels)]

    @property
    def total(self) -> int:
        return self._starts[-1]

    def pick(self, number: int) -> Edited:
        """The combination of that number."""
        level = bisect_right(self._starts, number) - 1
        number -= self._starts[level]
        node: _Steps | None = self._levels[level]
        text, head, end = self._text, "", 0
        edits: tuple[Edit, ...] = ()
        shared = 0
        while node is not None:
            step = bisect_right(node.starts, number) - 1
            options, then = node.steps[step]
            which, number = divmod(number - node.starts[step], then.total if then else 1)
            option = options[which]
            head += text[end : option.start] + option.after
            edits += option.edits
            shared += option.slack
            end = option.end
            node = then
        head += text[end:]
        return head, edits, level + 1 if shared < 2 else self._measure(text, head)

    def every(self) -> Iterator[Edited]:
        """All combinations in the order of their numbers."""
        return map(self.pick, range(self.total))

    def take(self, most: int, take: Take, rng: Random) -> Iterator[Edited]:
        """At most `most` different combinations: a uniform draw, or the nearest with ties broken by chance.

        All of them, nearest first, where no more exist.
        """
        return self.every() if most >= self.total else map(self.pick, self._numbers(most, take, rng))

    def _numbers(self, most: int, take: Take, rng: Random) -> Iterator[int]:
        if take == "sample":
            return draw(0, self.total, most, rng)
        levels = (draw(start, stop, most, rng) for start, stop in pairwise(self._starts))
        return islice(chain.from_iterable(levels), most)

    def _node(self, first: int, exactly: int, most: int) -> _Steps:
        """Combinations of the slots from `first` on that add up to `exactly`, with 1 to `most` edits."""
        key = (first, exactly, most)
        if key not in self._known:
            self._known[key] = node = _Steps()
            for place in range(first, len(self._slots)):
                for (distance, edits), options in self._slots[place].items():
                    left = exactly - distance
                    if edits <= most and left >= 0:
                        node.add(options, self._node(place + 1, left, min(most - edits, left)) if left else None)
        return self._known[key]


def _by_cost(slot: Slot) -> dict[tuple[int, int], list[Option]]:
    groups: dict[tuple[int, int], list[Option]] = {}
    for option in slot:
        groups.setdefault((option.distance, len(option.edits)), []).append(option)
    return groups


def draw(start: int, stop: int, most: int, rng: Random) -> Iterator[int]:
    """At most `most` different numbers of a range, each set of them equally likely, in random order.

    `rng.sample` does the same but cannot count beyond 2^63, which a long question passes under a wide limit.
    """
    size = stop - start
    if size <= 3 * most:
        return iter(rng.sample(range(start, stop), min(most, size)))
    seen: dict[int, None] = {}
    while len(seen) < most:
        seen[start + rng.randrange(size)] = None
    return iter(seen)


def unambiguous(text: str, slots: Sequence[Slot], epsilon: int) -> list[Slot]:
    """Slots of which no two combinations give the same text when normalised.

    Two neighbours can where they touch (`5pm`) or replacements of both hold what is between them (`so me` before
    `me things`): such neighbours become one slot of all their combinations, each text once.
    """
    merged: list[Slot] = []
    for slot in slots:
        near: Slot = [option for option in slot if option.distance <= epsilon]
        while near and merged and may_collide(text, merged[-1], near):
            near = _joined(text, merged.pop(), near, epsilon)
        if near:
            merged.append(near)
    return merged


def may_collide(text: str, one: Slot, other: Slot) -> bool:
    """Whether combinations of two neighbours may give one text.

    They cannot where what is between them begins with a character that no word of the first has, the word that is
    there included, or ends with one that none of the other has: that character then parts all of them alike.
    """
    gap = text[one[0].end : other[0].start]
    if len(gap) > FAR and gap.isascii() and not _repeats(gap.lower(), max(len(option.after) for option in one)):
        return False
    return not gap or (_holds(text, one, gap[0]) and _holds(text, other, gap[-1]))


FAR = 64
"""Characters between two words beyond which one text cannot be made in two ways, unless these repeat themselves."""


def _repeats(gap: str, most: int) -> bool:
    """Whether a gap is the same again when it is moved by some characters: as many as a word may grow, or shrink."""
    return any(gap.startswith(gap[by:]) for by in range(1, max(FAR, most + FAR)))


def _holds(text: str, slot: Slot, character: str) -> bool:
    spans = {(option.start, option.end) for option in slot}
    words = (*(text[start:end] for start, end in spans), *(option.after for option in slot))
    return (normalised(character) or " ") in normalised("".join(words))


def _joined(text: str, one: Slot, other: Slot, epsilon: int) -> Slot:
    start, end = one[0].start, other[0].end
    before = text[start:end]
    seen = {normalised(before)}
    joined = []
    for whole, edits, _ in Combinations(text[:end], (one, other), epsilon).every():
        after = whole[start:]
        if normalised(after) not in seen:
            seen.add(normalised(after))
            joined.append(Option(start, end, after, edits, measure_of(before)(before, after), 2))
    return joined


@lru_cache(8192)
def slack(before: str, after: str, distance: int) -> int:
    """How many operations a replacement would save if up to three letters at its ends were its neighbours' concern.

    Edits of different words add up to less than the sum of their distances only if letters cross the gap between them
    ("fast art" to "fas tart" is one transposition). A crossing costs an operation at least, so it needs a slack of 2 or
    more in the words together. Most replacements have none, which spares the distance of the whole text.
    """
    cuts = _cuts(len(before) - len(after), distance)
    if distance == 1:
        return int(any(before[one] == after[other] for one, other in cuts))
    measure = quick_distance() if distance == 2 else edit_distance()
    return distance - min([distance, *(measure(before[one], after[other]) for one, other in cuts)])


@cache
def _cuts(shorter: int, distance: int) -> list[tuple[slice, slice]]:
    """What to cut off the words: at each end letters of one or of the other, unless their lengths then tell enough."""
    ends = range(-3, 4)
    return [
        (slice(max(left, 0), -max(right, 0) or None), slice(max(-left, 0), -max(-right, 0) or None))
        for left, right in product(ends, ends)
        if (left or right) and abs(shorter - left - right) < distance
    ]
