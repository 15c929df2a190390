"""Replies taken apart: what form they have, their pieces, and every text in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

from botattack.errors import excerpt
from botattack.targets.http.streams import StreamPiece, split
from botattack.targets.messages.selectors import json_or_none, leaves, stream_format

Form = Literal["json", "sse", "ndjson", "socket", "markup", "text"]
Path = tuple[str | int, ...]
MOST, MOST_TEXTS = 5_000, 1_000
"""Pieces of a reply, and texts of a piece, that are looked at: more would take many seconds."""
DONE = "[DONE]"


@dataclass(frozen=True)
class Asking:
    """What a bot was asked, and its reply as it came: a body, or the messages of a socket."""

    message: str
    reply: str
    messages: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Text:
    """A text in a reply: the number of its piece, and the keys and indexes that lead to it."""

    piece: int
    path: Path
    text: str

    @property
    def place(self) -> Path:
        """The path with every index replaced by `*`: texts of one place are alike."""
        return tuple("*" if isinstance(part, int) else part for part in self.path)


@dataclass(frozen=True)
class Parsed:
    """An asking and the pieces of its reply; a reply that does not come in pieces is one."""

    message: str
    pieces: tuple[StreamPiece, ...]

    @cached_property
    def values(self) -> tuple[object, ...]:
        """The JSON of each piece; None for what is none."""
        return tuple(map(json_or_none, (piece.data for piece in self.pieces)))

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        found = ((at, leaf) for at, value in enumerate(self.values) for leaf in islice(leaves(value), MOST_TEXTS))
        return tuple(Text(at, path, text) for at, (path, text) in found if isinstance(text, str) and text)


_NAMED = {"json": "JSON", "sse": "server-sent events", "ndjson": "JSON lines", "markup": "HTML or XML"}


def form_of(askings: Sequence[Asking]) -> Form | None:
    """The form of all replies; None if they have several."""
    forms = {_form(asking) for asking in askings}
    if forms == {"json", "ndjson"}:  # a short reply may be a single line
        return "ndjson"
    return forms.pop() if len(forms) == 1 else None


def odd_one(askings: Sequence[Asking]) -> str:
    """Which replies have another form than most, in words."""
    forms = Counter(map(_form, askings))
    (most, _), (form, times), *_ = forms.most_common()
    said = excerpt(next(each.reply for each in askings if _form(each) == form))
    told = [_NAMED.get(each, "plain text") for each in (form, most)]
    return f"{times} of {len(askings)} replies came as {told[0]}, most as {told[1]}: {said!r}"


def _form(asking: Asking) -> Form:
    text = asking.reply.strip()
    if asking.messages is not None:
        return "socket"
    if json_or_none(text) is not None:
        return "json"
    if stream := stream_format(text):
        return "sse" if stream == "sse" else "ndjson"
    if re.search(r"(?m)^data:", text) and all(re.match(r"[\w-]*:", line) for line in text.splitlines() if line):
        return "sse"  # fields of other names mean nothing
    return "markup" if re.match(r"<[!?/\w]", text) else "text"


def pieces_of(asking: Asking, form: Form) -> Iterator[StreamPiece]:
    """The pieces in which its reply came; none if it came as one."""
    if asking.messages is not None:
        yield from map(StreamPiece, asking.messages)
    elif form in ("sse", "ndjson"):
        yield from split(asking.reply, form)


def parsed(asking: Asking, form: Form) -> Parsed:
    """An asking with its reply in pieces."""
    pieces = [piece for piece in islice(pieces_of(asking, form), MOST) if piece.data.strip() != DONE]
    return Parsed(asking.message, tuple(pieces or (StreamPiece(asking.reply),)))
