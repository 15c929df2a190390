"""Which of the texts at one place are the answer, where pieces or members of a list are of several kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from botattack.targets.messages.selectors import leaves
from botattack.targets.proving.behaviour import Said, alike, goes_on, is_beside, is_formatting
from botattack.targets.proving.joining import grows
from botattack.targets.proving.readings import EVENT, Kind, Only, Reading, is_ranked, kind_of
from botattack.targets.proving.replies import Form, Parsed, Path, Text

_KIND = re.compile(r"[A-Za-z_][\w.:/ -]{0,60}")
"""What names a kind: a word, no number or id."""
MOST_KINDS = 12
"""Values of a key that may name kinds of pieces; one with more values is text or a number."""
SCORES = frozenset(
    (
        *("score", "p", "prob", "conf", "logprob", "confidence", "probability", "rank", "similarity", "index"),
        *("distance", "relevance", "relevance_score"),
    )
)
Pool = tuple[tuple[Text, ...], ...]
"""The texts of one place, for each reply."""


@dataclass(frozen=True)
class Narrowed:
    """A place narrowed to the texts that are of the answer, and why that may be wrong."""

    reading: Reading
    pool: Pool
    doubt: str = ""
    left_out: tuple[str, ...] = ()

    def follows(self, replies: Sequence[Parsed]) -> bool:
        """Whether a text of each reply comes after the question in a list."""
        return all(
            any(_asked_before(parsed, text) for text in texts) for parsed, texts in zip(replies, self.pool, strict=True)
        )


def _asked_before(parsed: Parsed, text: Text) -> bool:
    here: Any = parsed.values[text.piece]
    for part in text.path:
        if isinstance(part, int) and any(leaf == parsed.message for _, leaf in leaves(here[:part])):
            return True
        here = here[part]
    return False


def narrowed(place: Path, form: Form, replies: Sequence[Parsed], before: tuple[object, ...] = ()) -> Narrowed:
    """The texts at a place without those of other kinds than the answer's; `before` leads to what the replies are
    inside."""
    pool: Pool = tuple(tuple(text for text in each.texts if text.place == place) for each in replies)
    first, doubt = _ranked(place, pool, replies)
    pool = tuple(tuple(t for t in texts if all(t.path[depth] == 0 for depth in first)) for texts in pool)
    found = Narrowed(Reading(form, place, first=first, before=before), pool, doubt)
    for _ in range(3):
        following = _narrower(found, replies)
        if following is None:
            break
        found = following
    return _readable(found, replies)


def _readable(found: Narrowed, replies: Sequence[Parsed]) -> Narrowed:
    """Without pieces that have no text at the place: the reader stops at an object, and at what is no JSON."""
    unread = [
        (parsed, at) for parsed in replies for at in range(len(parsed.pieces)) if not found.reading.reads(parsed, at)
    ]
    if not unread or found.reading.before:
        return found
    for key, depth in _keys(found, replies) if found.reading.form in ("sse", "ndjson", "socket") else ():
        if depth > -1:
            continue
        rows = [
            dict.fromkeys(kind_of(key, depth, parsed, text) for text in texts)
            for parsed, texts in zip(replies, found.pool, strict=True)
        ]
        good = rows[0]
        if any(row.keys() != good.keys() for row in rows):
            continue  # an id, which no other reply has
        bad = {kind_of(key, depth, parsed, Text(at, (), "")) for parsed, at in unread}
        if not bad & good.keys() and None not in good and "" not in good and len(good) <= MOST_KINDS:
            only = Only(key, tuple(good), depth)
            return Narrowed(
                found.reading.with_(only=(*found.reading.only, only)), found.pool, found.doubt, found.left_out
            )
    return replace(found, doubt=found.doubt or "some pieces have no text there")


def _ranked(place: Path, pool: Pool, replies: Sequence[Parsed]) -> tuple[frozenset[int], str]:
    """The lists that the bot itself ranks: the first is its answer."""
    first: set[int] = set()
    for depth in (at for at, part in enumerate(place) if part == "*"):
        told = {
            is_ranked(members, SCORES)
            for parsed, texts in zip(replies, pool, strict=True)
            for members in _lists(parsed, texts, depth)
        }
        if -1 in told:
            return frozenset(), "several candidates, of which the first is not the one that the bot ranks highest"
        if 1 in told:
            first.add(depth)
    return frozenset(first), ""


def _lists(parsed: Parsed, texts: Sequence[Text], depth: int) -> Iterator[Any]:
    for text in texts:
        here: Any = parsed.values[text.piece]
        for part in text.path[:depth]:
            here = here[part]
        yield here


def _narrower(found: Narrowed, replies: Sequence[Parsed]) -> Narrowed | None:
    """Without the kinds that are no part of the answer; None if no key tells such kinds apart."""
    doubt = ""
    used = {(each.key, each.depth) for each in found.reading.only}
    for key, depth in _keys(found, replies):
        if (key, depth) in used:
            continue
        kinds = _Kinds(key, depth, found.pool, replies)
        if not kinds.told_apart:
            continue
        bad = kinds.bad
        good = [kind for kind in kinds.all if kind not in bad]
        if not good or not any(kinds.everywhere(kind) for kind in good) or (depth == -2 and "" in good):
            continue
        if bad and depth == -1 and (None in good or found.reading.before):
            doubt = f"pieces of several kinds that no `where` tells apart by {'.'.join(map(str, key))}"
            continue
        if bad:
            only = Only(key, tuple(good), depth)
            pool = tuple(
                tuple(text for text in texts if kind_of(key, depth, parsed, text) in good)
                for parsed, texts in zip(replies, found.pool, strict=True)
            )
            left = tuple(f"{'.'.join(map(str, key))}: {kind} ({why})" for kind, why in bad.items())
            reading = found.reading.with_(only=(*found.reading.only, only))
            return Narrowed(reading, pool, found.doubt, (*found.left_out, *left))
        formatted = all(isinstance(kind, str) and is_formatting(kind) for kind in good)
        growing = all(grows([text.text for text in texts]) for texts in found.pool)
        if len(good) > 1 and kinds.apart and not formatted and not growing:
            named = " and ".join(map(str, good[:4]))
            doubt = (
                f"texts of several kinds ({'.'.join(map(str, key))}: {named}), which of them is the answer is not clear"
            )
    if doubt and not found.doubt:
        return replace(found, doubt=doubt)
    return None


def _keys(found: Narrowed, replies: Sequence[Parsed]) -> Iterator[tuple[Path, int]]:
    """The keys that may tell kinds apart: the name of an event, a value of the piece, a value of a list's member."""
    if any(piece.event for parsed in replies for piece in parsed.pieces):
        yield (EVENT,), -2
    seen: dict[tuple[Path, int], None] = {}
    for parsed, texts in zip(replies, found.pool, strict=True):
        for text in texts:
            value = parsed.values[text.piece]
            if found.reading.form in ("sse", "ndjson", "socket"):
                seen.update(dict.fromkeys((key, -1) for key in _scalars(value)))
            for depth, part in enumerate(text.path):
                if isinstance(part, int) and depth not in found.reading.first:
                    member: Any = value
                    for step in text.path[: depth + 1]:
                        member = member[step]
                    seen.update(dict.fromkeys((key, depth) for key in _scalars(member, 2)))
    yield from seen


def _scalars(value: object, deep: int = 3, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, dict) and deep > 1:
                yield from _scalars(item, deep - 1, (*path, key))
            elif isinstance(item, str | bool) and "'" not in key and "\\" not in key:
                yield (*path, key)


class _Kinds:
    """The texts at a place by their kind under one key."""

    def __init__(self, key: Path, depth: int, pool: Pool, replies: Sequence[Parsed]) -> None:
        self._key = key
        self._messages = [parsed.message for parsed in replies]
        self._rows: list[list[tuple[Kind, str]]] = [
            [(kind_of(key, depth, parsed, text), text.text) for text in texts]
            for parsed, texts in zip(replies, pool, strict=True)
        ]
        self.all = list(dict.fromkeys(kind for row in self._rows for kind, _ in row))

    @property
    def told_apart(self) -> bool:
        names = [kind for kind in self.all if isinstance(kind, str)]
        if not 2 <= len(self.all) <= MOST_KINDS or not all(_KIND.fullmatch(name) for name in names):
            return False
        # The text itself is no kind.
        return not {text for row in self._rows for _, text in row}.intersection(names)

    def everywhere(self, kind: Kind) -> bool:
        return all(any(each == kind for each, _ in row) for row in self._rows)

    def _texts(self, kind: Kind) -> tuple[str, ...]:
        return tuple("".join(text for each, text in row if each == kind) for row in self._rows)

    @property
    def bad(self) -> dict[Kind, str]:
        """The kinds that are no part of the answer, and why."""
        found: dict[Kind, str] = {}
        for kind in self.all:
            if why := self._named(kind) or self._behaves(kind):
                found[kind] = why
        left = [kind for kind in self.all if kind not in found]
        for kind in left[1:]:
            # What was said in pieces may be repeated as a whole.
            others = alike("".join(text for each, text in row if each in left and each != kind) for row in self._rows)
            if self.everywhere(kind) and alike(self._texts(kind)) == others:
                found[kind] = "repeats the whole"
                break
        return found

    def _named(self, kind: Kind) -> str:
        if kind is True or (kind is not None and kind is not False and isinstance(kind, str)):
            name = str(self._key[-1]) if kind is True else kind
            return "by its name" if is_beside(str(name)) else ""
        return ""

    def _behaves(self, kind: Kind) -> str:
        """Why the texts of a kind cannot be the answer, unless they are parts of one sentence with others."""
        rows = [(m, t) for m, t in zip(self._messages, self._texts(kind), strict=True) if t.strip()]
        if len({message for message, _ in rows}) < 2:
            return ""
        said = Said(tuple(m for m, _ in rows), tuple(t for _, t in rows))
        fault = said.fault or ("with the question in it" if said.quotes and self.everywhere(kind) else "")
        return "" if fault and not said.code and self._joins(kind) else fault

    def _joins(self, kind: Kind) -> bool:
        """Whether a text of this kind goes on in one of another, or the other way round."""
        return any(
            kind in (one, two) and one != two and goes_on(before, after)
            for row in self._rows
            for (one, before), (two, after) in pairwise(row)
        )

    @property
    def apart(self) -> bool:
        """Whether kinds are texts of their own, or change again and again: then one of them may be something else."""
        named = [kind for kind in self.all if isinstance(kind, str) and kind]
        changes = max(sum(a != b for (a, _), (b, _) in pairwise(row)) for row in self._rows)
        joined = any(self._joins(kind) for kind in self.all)
        return not joined or (len(named) > 1 and changes > 1)
