"""Smaller versions of edits: what they consist of, and delta debugging over it (Zeller & Hildebrandt, "Simplifying and
isolating failure-inducing input", IEEE TSE 28(2), 2002, algorithm ddmin). Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import msgspec

from botattack.attacks.building.parsed import ENDS
from botattack.model import Edit, Outcome, Variant
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
    rewrites: bool = False
    """Whether its edit is one of several that together made another sentence of this one."""


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
        rewrites = not rewriting.isdisjoint(_kinds(edit))
        for start, end, text in made:
            old, new = _words(edit.before[start:end]), _words(text)
            gone, put = frozenset(old - new), frozenset(new - old)
            found.append(Piece(len(found), number, start, end, text, gone, put, rewrites))
    return found


def _rewriting(edits: Edits) -> set[str]:
    """The kinds of edits that make another sentence, so that some of them alone make none: where one puts in words
    without as many going, but for whole sentences. An edit of two kinds in one tells something only where no other
    does."""
    those = [edit for edit in edits if _restates(edit)]
    alone = {edit.kind for edit in those if len(_kinds(edit)) == 1}
    return alone.union(*(_kinds(edit) for edit in those if alone.isdisjoint(_kinds(edit))))


def _restates(edit: Edit) -> bool:
    gone, put = len(edit.before.split()), len(edit.after.split())
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
        starts = [0, *_sums(one)]
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
        yield from ((start, end, "".join(put)) for start, end, put in _opcodes(before, after))
    else:
        yield 0, len(before), after


def _recased(before: str, after: str) -> Iterator[_Change]:
    """Runs of letters that are written in another case, each whole: "ß" in capitals is two letters."""
    one, other = _ends(before), _ends(after)
    ends = sorted(one.keys() & other.keys())
    start = end = 0
    put = ""
    for last, now in pairwise([0, *ends]):
        piece = after[other.get(last, 0) : other[now]]
        if piece == before[end : one[now]]:
            if put:
                yield start, end, put
            start, put = one[now], ""
        else:
            put += piece
        end = one[now]
    if put:
        yield start, end, put


def _ends(text: str) -> dict[int, int]:
    """Where each letter ends: in the text without case, and in the text."""
    folded = [len(letter.casefold()) for letter in text]
    return {end: number for number, end in enumerate(accumulate(folded), 1)}


def _sentences(text: str) -> list[str]:
    """The sentences, each with the space behind it."""
    starts = [start for start, _ in sentence_spans(text)] or [0]
    return [text[start:end] for start, end in pairwise([0, *starts[1:], len(text)])]


def _near(one: Sequence[str], other: Sequence[str]) -> bool:
    from rapidfuzz.distance import Levenshtein

    return 2 * Levenshtein.distance(one, other) <= len(one)


def _opcodes(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, int, Sequence[str]]]:
    from rapidfuzz.distance import Levenshtein

    for code in Levenshtein.opcodes(one, other):
        if code.tag != "equal":
            yield code.src_start, code.src_end, other[code.dest_start : code.dest_end]


def _sums(tokens: Sequence[str]) -> Iterator[int]:
    total = 0
    for token in tokens:
        total += len(token)
        yield total


def _words(text: str) -> Counter[str]:
    return Counter(word.text.casefold() for word in words(text))


def _tied(one: Piece, other: Piece, *, whole_edits: bool) -> bool:
    """A word that one piece takes away and the other puts in was moved: half of that would say something else."""
    together = (one.rewrites and other.rewrites) or (whole_edits and one.edit == other.edit)
    return together or bool(one.gone & other.put or one.put & other.gone)
