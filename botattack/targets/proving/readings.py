"""One way to read a bot's replies, in the words of a target file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from botattack.errors import BrokenReply, ExtractionFailed
from botattack.targets.messages.selectors import Body, Selector, clean, find, selector, texts
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

    def kind(self, parsed: Parsed, text: Text) -> Kind:
        return kind_of(self.key, self.depth, parsed, text)

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
    html: bool = False

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
        by_piece = [each for each in self.only if each.depth == -1]
        joined = " && ".join(f"({each.filter})" if len(each.kinds) > 1 else each.filter for each in by_piece)
        return (f"^[?{joined}]" if joined else "$") + steps

    @property
    def answer(self) -> Any:
        return {"regex": self.regex} if self.regex else self.at

    @property
    def options(self) -> dict[str, Any]:
        """The options of a target file below `connect`."""
        extract: dict[str, Any] = {"answer": self.answer}
        extract |= {"several": self.several} if self.several else {}
        extract |= {"html": True} if self.html else {}
        if self.form == "socket":
            return {"extract": extract, "pieces": self.pieces}
        if self.form not in ("sse", "ndjson"):
            return {"extract": extract}
        events = [kind for each in self.only if each.depth == -2 for kind in each.words]
        stream = {"format": self.form, "pieces": self.pieces} | ({"events": events} if events else {})
        return {"extract": extract, "stream": stream}

    @property
    def names(self) -> tuple[str, ...]:
        """What names say of the text: of kinds, and on the way to it."""
        kinds = [word for each in self.only for word in each.words]
        return (*kinds, *(str(part) for part in self.place if part != "*"))

    @cached_property
    def _selector(self) -> Selector:
        return selector(self.answer)

    def parts(self, parsed: Parsed) -> list[str]:
        """What is found in piece after piece."""
        found: list[str] = []
        events = {kind for each in self.only if each.depth == -2 for kind in each.words}
        for piece in parsed.pieces:
            if events and piece.event not in events:
                continue
            try:
                found += texts(find(self._selector, "", Body(piece.data)), "")
            except (ExtractionFailed, BrokenReply):
                continue
        return found

    def text(self, parsed: Parsed) -> str:
        """The answer."""
        parts = [part for part in self.parts(parsed) if part or self.pieces == "incremental"]
        if not parts:
            return ""
        if self.pieces == "cumulative":
            return clean(parts[-1], self.html)
        if self.several:
            return clean(parts[0 if self.several == "first" else -1], self.html)
        return clean(("" if self.pieces == "incremental" else "\n").join(parts), self.html)

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
