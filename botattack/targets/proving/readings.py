"""One way to read a bot's replies, in the words of a target file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from botattack.errors import BrokenReply, ExtractionFailed
from botattack.options import JsonObject
from botattack.targets.http.streams import StreamPiece
from botattack.targets.messages.conditions import read_where
from botattack.targets.messages.extraction import Extract
from botattack.targets.messages.selectors import Body, Selector, find, selector, texts
from botattack.targets.messages.signs import found
from botattack.targets.proving.replies import Form, Parsed, Path, Text

Kind = str | bool | None
"""The value that tells kinds of pieces apart; None where its key is missing."""
EVENT = "event"
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True)
class Only:
    """Takes nothing but some kinds: of events, of pieces by a key (`depth` is -1), or of the members of a list."""

    key: Path
    kinds: tuple[Kind, ...]
    depth: int = -1

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(kind for kind in self.kinds if isinstance(kind, str))

    @property
    def filter(self) -> str:
        """As a filter of JSONPath."""
        at = "@" + "".join(_step(part) for part in self.key)
        return " || ".join(_told(at, kind) for kind in self.kinds)


def kind_of(key: Path, depth: int, parsed: Parsed, text: Text) -> Kind:
    """The kind of a text: the name of its event, or the value at a key of its piece or of the member that it is in."""
    if key == (EVENT,) and depth == -2:
        return parsed.pieces[text.piece].event
    here: Any = parsed.values[text.piece]
    for part in (*text.path[: depth + 1], *key):
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            return None
    return here if isinstance(here, str | bool) else None


def _told(at: str, kind: Kind) -> str:
    if kind is None:
        return f"!{at}"
    if isinstance(kind, bool):
        return f"{at} == {'true' if kind else 'false'}"
    return f"{at} == '{kind}'"


def _step(part: str | int) -> str:
    if part == "*":
        return "[*]"
    return f".{part}" if _IDENTIFIER.fullmatch(str(part)) else f"['{part}']"


@dataclass(frozen=True)
class Reading:
    """Where the answer is, and how its pieces become one text."""

    form: Form
    place: Path = ()
    only: tuple[Only, ...] = ()
    first: frozenset[int] = frozenset()
    """The lists of the place of which the first member alone is read."""
    regex: str = ""
    """Instead of a place."""
    whole: bool = False
    """Each piece as it is, instead of a place."""
    pieces: str = ""
    several: str = ""
    glued: bool = False
    html: bool = False
    reasoning: tuple[str, ...] = ()
    escaped: bool = False
    """Whether there is HTML inside markup."""
    before: tuple[object, ...] = ()
    """The places that lead to a text inside which this one is."""
    done: Mapping[str, object] = field(default_factory=dict)
    """What ends every stream."""

    @property
    def at(self) -> str:
        """The place as a JSONPath, or `body`."""
        if self.whole:
            return "body"
        lists = {each.depth: each for each in self.only if each.depth >= 0}
        steps = ""
        for depth, part in enumerate(self.place):
            if depth in self.first:
                steps += "[0]"
            elif depth in lists:
                steps += f"[?{lists[depth].filter}]"
            else:
                steps += _step(part)
        return f"${steps}"

    @property
    def answer(self) -> object:
        last = [{"regex": self.regex}] if self.regex else [] if self.whole and self.before else [self.at]
        places = [*self.before, *last, *(["html"] if self.escaped else [])]
        return places if len(places) > 1 else places[0]

    @property
    def shown(self) -> str:
        """The answer's place, in one line."""
        return " then ".join(str(each) for each in (self.answer if isinstance(self.answer, list) else [self.answer]))

    @property
    def where(self) -> JsonObject:
        """What must be in a piece."""
        by_piece = (each for each in self.only if each.depth == -1)
        return {
            ".".join(map(str, each.key)): [*each.kinds] if len(each.kinds) > 1 else each.kinds[0] for each in by_piece
        }

    @property
    def options(self) -> JsonObject:
        """The options of a target file below `connect`."""
        extract: JsonObject = {"answer": self.answer}
        extract |= {"several": self.several} if self.several else {}
        extract |= {"separator": ""} if self.glued else {}
        extract |= {"reasoning": [*self.reasoning]} if self.reasoning else {}
        extract |= {"html": True} if self.html else {}
        where = {"where": self.where} if self.where else {}
        done = {"done": {**self.done}} if self.done else {}
        if self.form == "socket":
            return {"extract": extract, "pieces": self.pieces or "messages"} | where | done
        if self.form not in ("sse", "ndjson"):
            return {"extract": extract}
        events = [kind for each in self.only if each.depth == -2 for kind in each.words]
        stream = {"format": self.form, "pieces": self.pieces or "incremental"}
        return {"extract": extract, "stream": stream | ({"events": events} if events else {}) | where | done}

    @property
    def names(self) -> tuple[str, ...]:
        """What names say of the text: of kinds, and on the way to it."""
        kinds = [word for each in self.only for word in each.words]
        return (*kinds, *(str(part) for part in self.place if part != "*"))

    @cached_property
    def _extract(self) -> Extract:
        made = Extract(selector(self.answer), html=self.html)
        return replace(made, reasoning=self.reasoning) if self.reasoning else made

    @cached_property
    def _where(self) -> Selector | None:
        return read_where(self.where) if self.where else None

    def _takes(self, piece: StreamPiece) -> bool:
        events = {kind for each in self.only if each.depth == -2 for kind in each.words}
        return (not events or piece.event in events) and (not self._where or bool(found(self._where, Body(piece.data))))

    def reads(self, parsed: Parsed, at: int) -> bool:
        """Whether a piece can be read, or is left out."""
        piece = parsed.pieces[at]
        try:
            return not self._takes(piece) or texts(find(self._extract.answer, "", Body(piece.data)), "") is not None
        except (ExtractionFailed, BrokenReply):
            return False

    def parts(self, parsed: Parsed) -> list[str]:
        """What is found in piece after piece."""
        return [text for _, text in self.placed(parsed)]

    def placed(self, parsed: Parsed) -> list[tuple[int, str]]:
        """The same, with the number of the piece that each is in."""
        said: list[tuple[int, str]] = []
        for at, piece in enumerate(parsed.pieces):
            with suppress(ExtractionFailed, BrokenReply):
                taken = texts(find(self._extract.answer, "", Body(piece.data)), "") if self._takes(piece) else []
                said += [(at, text) for text in taken]
        return said

    def text(self, parsed: Parsed) -> str:
        """The answer."""
        parts = [part for part in self.parts(parsed) if part]
        if not parts:
            return ""
        if self.pieces == "incremental":
            return self._extract.clean("".join(parts))
        if self.pieces == "cumulative":
            parts = parts[-1:]
        elif self.several:
            parts = [parts[0 if self.several == "first" else -1]]
        return ("" if self.glued else "\n").join(map(self._extract.clean, parts))

    def with_(self, **changes: Any) -> Reading:
        return replace(self, **changes)


def said_by(reading: Reading, replies: Sequence[Parsed]) -> tuple[str, ...]:
    return tuple(map(reading.text, replies))


def is_ranked(members: Sequence[Any], scores: frozenset[str]) -> int:
    """1 if members of a list are ranked and the first is the best, -1 if another is, 0 if they are not ranked."""
    if len(members) < 2 or not all(isinstance(each, Mapping) for each in members):
        return 0
    for name in members[0]:
        if name.lower() in scores and all(isinstance(each.get(name), int | float) for each in members):
            values = [each[name] for each in members]
            best = min(values) if name.lower() in ("rank", "index", "distance") else max(values)
            return 1 if values[0] == best else -1
    return 0
