"""Smaller versions of an edit that broke the bot, asked until none breaks it any more: what it consists of, and delta
debugging over that (Zeller & Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE TSE 28(2), 2002,
algorithm ddmin). Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from random import Random
from typing import ClassVar, NamedTuple

import msgspec
from rapidfuzz.distance import Levenshtein

from botattack.attacks.building.composed_edits import distance_of
from botattack.attacks.building.guard import whole
from botattack.attacks.building.parsed import ENDS
from botattack.model import Edit, Outcome, Question, Result, Turns, Variant, edited, places
from botattack.protocols import Attack, Context, Proposals
from botattack.text.sentences import sentence_spans
from botattack.text.tokens import words

Edits = tuple[Edit, ...]
_TOKEN = re.compile(r"\s+|\S+")


class Piece(NamedTuple):
    """A part of an edit that can be made alone: `text` in place of the characters from `start` to `end` of what was
    there before the edit. `number` is its place among all pieces, `edit` that of its edit."""

    number: int
    edit: int
    start: int
    end: int
    text: str
    gone: frozenset[str] = frozenset()
    """The words that it takes away."""
    put: frozenset[str] = frozenset()
    """The words that it puts in."""
    rewrites: frozenset[str] = frozenset()
    """Kinds of edits that only together make a new sentence, so that none of their pieces may go alone."""


Part = tuple[Piece, ...]
"""Pieces that go together."""
Breaks = Callable[[Sequence[Part]], Generator[list[Variant], Sequence[Outcome], bool]]
_Change = tuple[int, int, str]


def ddmin(parts: Sequence[Part], breaks: Breaks) -> Generator[list[Variant], Sequence[Outcome], list[Part]]:
    """A smallest selection of parts that still breaks the bot: with any one part less, it did not. All parts together
    are known to break it."""
    left, chunks = list(parts), 2
    while len(left) > 1:
        cut = [left[len(left) * i // chunks : len(left) * (i + 1) // chunks] for i in range(chunks)]
        found = yield from _first(cut, breaks)
        if found is not None:
            left, chunks = found, 2
            continue
        others = [[part for other in cut if other is not chunk for part in other] for chunk in cut]
        found = (yield from _first(others, breaks)) if chunks > 2 else None
        if found is not None:
            left, chunks = found, max(chunks - 1, 2)
        elif chunks == len(left):
            break
        else:
            chunks = min(len(left), 2 * chunks)
    return left


def _first(
    selections: Sequence[list[Part]], breaks: Breaks
) -> Generator[list[Variant], Sequence[Outcome], list[Part] | None]:
    for selection in selections:
        if (yield from breaks(selection)):
            return selection
    return None


def pieces_of(edits: Edits) -> list[Piece]:
    """What edits consist of. A piece is made only where the claim of the attack carries over to it: a word of several
    that were replaced, a letter of a misspelt word, a sentence of a text that was put in. Words of a sentence that was
    put in are no pieces, as "it is not Lyon" would become "it is Lyon"."""
    changes = [[*_changes(edit.before, edit.after)] for edit in edits]
    rewriting = _rewriting(edits)
    found: list[Piece] = []
    for number, (edit, made) in enumerate(zip(edits, changes, strict=True)):
        rewrites = rewriting.intersection(_kinds(edit))
        for start, end, text in made:
            old, new = _words(edit.before), _words(edit.before[:start] + text + edit.before[end:])
            gone, put = frozenset(old - new), frozenset(new - old)
            found.append(Piece(len(found), number, start, end, text, gone, put, frozenset(rewrites)))
    return found


def _rewriting(edits: Edits) -> set[str]:
    """Kinds of edits that only together make a new sentence: those of an edit that puts in words, but not as many as it
    takes away, and adds no whole sentence. An edit of two kinds counts only if no such edit is of one of them alone."""
    those = [edit for edit in edits if _restates(edit)]
    alone = {edit.kind for edit in those if len(_kinds(edit)) == 1}
    return alone.union(*(_kinds(edit) for edit in those if alone.isdisjoint(_kinds(edit))))


def _restates(edit: Edit) -> bool:
    gone, put = _words(edit.before).total(), _words(edit.after).total()
    sentences = not edit.before and edit.after.rstrip().endswith(tuple(ENDS))
    return 0 < put != gone and not (edit.place.is_added or sentences or _near(edit.before, edit.after))


def _kinds(edit: Edit) -> list[str]:
    return edit.kind.split(" + ")


def parts_of(pieces: Sequence[Piece], *, whole_edits: bool) -> list[Part]:
    """Pieces in groups that go together: those between which a word moved, those that rewrite a sentence, and, with
    `whole_edits`, those of one edit."""
    groups: list[list[Piece]] = []
    for piece in pieces:
        tied = [group for group in groups if any(_tied(piece, other, whole_edits=whole_edits) for other in group)]
        groups = [group for group in groups if group not in tied]
        groups.append([*(each for group in tied for each in group), piece])
    return sorted(tuple(sorted(group)) for group in groups)


def edits_of(edits: Edits, pieces: Sequence[Piece]) -> Edits:
    """The edits of which only these pieces are made; one without any goes."""
    found = []
    for number, edit in enumerate(edits):
        end, after = 0, ""
        for piece in sorted(piece for piece in pieces if piece.edit == number):
            after += edit.before[end : piece.start] + piece.text
            end = piece.end
        after += edit.before[end:]
        if after != edit.before:
            found.append(msgspec.structs.replace(edit, after=after))
    return tuple(found)


def _changes(before: str, after: str) -> Iterator[_Change]:
    """Word by word if most words stay, letter by letter if most letters do, else all at once."""
    if not before:
        yield from ((0, 0, sentence) for sentence in _sentences(after))
        return
    one, other = _TOKEN.findall(before), _TOKEN.findall(after)
    if len(one) > 1 and _near(before.split(), after.split()):
        starts = [0, *accumulate(map(len, one))]
        for start, end, put in _opcodes(one, other):
            old, new = "".join(one[start:end]), "".join(put)
            yield from ((starts[start] + s, starts[start] + e, text) for s, e, text in _letters(old, new))
    else:
        yield from _letters(before, after)


def _letters(before: str, after: str) -> Iterator[_Change]:
    foreign = before.isascii() and not after.isascii()
    if before.casefold() == after.casefold():
        yield from _recased(before, after)
    elif before and after and (foreign or _near(before, after)):
        for start, end, put in _opcodes(before, after):
            yield from _letter_by_letter(start, end, "".join(put))
    else:
        yield 0, len(before), after


def _letter_by_letter(start: int, end: int, put: str) -> Iterator[_Change]:
    """Letter by letter if letters were only added, only removed, or replaced one for one; else one change."""
    if put and start < end and end - start != len(put):
        yield start, end, put
        return
    for at in range(max(end - start, len(put))):
        yield min(start + at, end), min(start + at + 1, end), put[at : at + 1]


def _recased(before: str, after: str) -> Iterator[_Change]:
    """Letters that are written in another case, each whole: "ß" in capitals is two letters."""
    one, other = _ends(before), _ends(after)
    starts, shared = (0, 0), sorted(one.keys() & other.keys())
    for ends in ((one[each], other[each]) for each in shared):
        if (put := after[starts[1] : ends[1]]) != before[starts[0] : ends[0]]:
            yield starts[0], ends[0], put
        starts = ends


def _ends(text: str) -> dict[int, int]:
    """Where each letter ends: in the text without case, and in the text."""
    folded = [len(letter.casefold()) for letter in text]
    return {end: number for number, end in enumerate(accumulate(folded), 1)}


def _sentences(text: str) -> list[str]:
    """The sentences, each with the space behind it."""
    starts = [start for start, _ in sentence_spans(text)] or [0]
    return [text[start:end] for start, end in pairwise([0, *starts[1:], len(text)])]


def _near(one: Sequence[str], other: Sequence[str]) -> bool:
    return 2 * Levenshtein.distance(one, other) <= len(one)


def _opcodes(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, int, Sequence[str]]]:
    for code in Levenshtein.opcodes(one, other):
        if code.tag != "equal":
            yield code.src_start, code.src_end, other[code.dest_start : code.dest_end]


def _words(text: str) -> Counter[str]:
    return Counter(word.text.casefold() for word in words(text))


def _tied(one: Piece, other: Piece, *, whole_edits: bool) -> bool:
    """A word that one piece takes away and the other puts in was moved: half of that would say something else."""
    together = bool(one.rewrites & other.rewrites) or (whole_edits and one.edit == other.edit)
    return together or bool(one.gone & other.put or one.put & other.gone)


SPAN = 10_000
"""Askings of one finding are numbered from a multiple of this, so that no two findings share an asking."""
FRESH = SPAN // 2
"""Askings numbered from here decide whether a claim holds; lower numbers only steer the search."""
ASKINGS = 3
"""As many wrong askings in a row make sure that a lost answer is no chance (`engine.plan.WRONG_RUNNING`)."""
MOST = 60


class Broke(msgspec.Struct, frozen=True):
    """An edit that broke the bot in an earlier run: its unit there, and the fake answer it planted, if any."""

    unit: str
    edits: Edits
    decoy: str = ""


@dataclass(frozen=True)
class Shrink(Attack):
    """Asks smaller versions of edits that broke the bot: fewer edits, then less of each.

    A version counts as breaking the bot only if all of its `askings` do. The search ends after `most` askings. The
    smallest is then asked as often again, and so is the unchanged question: what nobody chose it by. If it does not
    break the bot each time, the next larger one is; if the unchanged question breaks it, nothing is claimed.

    Everything asked is a probe, which enters no rate. `run` is the run that found the edits; `units` are theirs.
    """

    diagnosis: ClassVar[bool] = True
    name: str  # type: ignore[misc]  # it is that of the attack that found them
    run: str
    units: tuple[str, ...]
    askings: int = ASKINGS
    most: int = MOST
    found: Mapping[str, Sequence[Broke]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, name: str, run: str, found: Mapping[str, Sequence[Broke]], askings: int) -> Shrink:
        """`found` are the edits of an attack by the id of their question."""
        units = tuple(f"{question} {each.unit}" for question, those in found.items() for each in those)
        return cls(name, run, units, askings, found=found)

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        for number, broke in enumerate(self.found.get(context.question.id, ())):
            yield from _Search(self, context.question, broke, number * SPAN).run()
        return 0


def decides(asking: int) -> bool:
    """Whether an asking of this number was made to decide on a claim."""
    return asking % SPAN >= FRESH


Asking = Generator[list[Variant], Sequence[Outcome], bool]


@dataclass
class _Search:
    """The search from one finding on."""

    attack: Shrink
    question: Question
    root: Broke
    first: int
    """Numbers its first asking."""
    spent: int = 0
    """Askings so far."""
    known: dict[Edits, bool] = field(default_factory=dict)
    broke: list[Edits] = field(default_factory=list)
    """What broke the bot in every asking, ever smaller."""

    def run(self) -> Generator[list[Variant], Sequence[Outcome], None]:
        edits = self.root.edits
        if not (yield from self._breaks(edits)):
            return
        pieces = pieces_of(edits)

        def breaks(selected: Sequence[Part]) -> Asking:
            return self._breaks(edits_of(edits, [piece for part in selected for piece in part]))

        for whole_edits in (True, False):
            left = yield from ddmin(parts_of(pieces, whole_edits=whole_edits), breaks)
            pieces = [piece for part in left for piece in part]
        if (yield from self._each(self._probe(self.question.turns, ()), FRESH, "robust")):
            for smallest in reversed(self.broke):
                if (yield from self._each(self._variant(smallest), FRESH, "success")):
                    return

    def _breaks(self, edits: Edits) -> Asking:
        """Whether edits break the bot in every asking."""
        if edits in self.known:
            return self.known[edits]
        # Fewer pieces need not be nearer: half of two swapped letters is as far from the question as both.
        variant = self._variant(edits) if self.spent < self.attack.most else None
        if variant is None or (self.broke and variant.distance >= self._distance(self.broke[-1])):
            return False
        self.known[edits] = yield from self._each(variant, 0, "success")
        if self.known[edits]:
            self.broke.append(edits)
        return self.known[edits]

    def _each(self, variant: Variant | None, first: int, wanted: Result) -> Asking:
        """Whether every one of the askings has the wanted result; it ends with the first that has not."""
        for number in range(first, first + self.attack.askings):
            if variant is None:
                return False
            outcome = (yield [msgspec.structs.replace(variant, again=self.first + number)])[0]
            self.spent += 1
            if outcome.result != wanted:
                return False
        return True

    def _variant(self, edits: Edits) -> Variant | None:
        """The question with these edits; None if they tear a character or change nothing."""
        texts = places(self.question.turns)
        for place in {edit.place for edit in edits if not edit.place.is_added}:
            if not whole(texts[place], tuple(edit for edit in edits if edit.place == place)):
                return None
        turns = edited(self.question.turns, edits)
        return None if turns == self.question.turns else self._probe(turns, edits)

    def _probe(self, turns: Turns, edits: Edits) -> Variant:
        far = self._distance(edits)
        root = self.root
        return Variant(turns, self.attack.name, edits, "same", far, parent=root.unit, probe=True, decoy=root.decoy)

    def _distance(self, edits: Edits) -> int:
        return distance_of(self.question.turns, edits)
