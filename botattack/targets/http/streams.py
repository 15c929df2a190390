"""Replies that come in pieces: server-sent events, JSON lines, messages of a socket. Pure: the same text, kept in a
recording, gives the same reply."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import msgspec

from botattack.errors import BrokenReply, ExtractionFailed
from botattack.model import TOOLS, Reply, called
from botattack.options import JsonObject
from botattack.targets.messages.conditions import Conditions, earlier
from botattack.targets.messages.extraction import PLACE, Extract, Silent
from botattack.targets.messages.selectors import Body, Selected, find, json_or_none, texts
from botattack.targets.messages.signs import found

_LINE_END = re.compile(r"\r\n|\n|\r")


class StreamPiece(msgspec.Struct, frozen=True):
    """One event of a stream."""

    data: str
    event: str = ""


@dataclass(frozen=True)
class Mark:
    """What a piece must be; if there are several conditions, all must be met."""

    event: str = ""
    """The name of a server-sent event."""
    data: str = ""
    """The whole text of the piece, such as [DONE]."""
    at: Selected | None = None
    """A place that contains something that is not null, false or empty."""
    where: Conditions | None = None
    """What is in the piece, such as {type: finish}."""

    def on(self, piece: StreamPiece, body: Body) -> bool:
        if not all(any(found(place, body)) for place in (self.at, self.where) if place is not None):
            return False
        # White space does not count, unless it is all that the mark has: "\\x1e" is white space to Python.
        is_text = self.data in ("", piece.data) or piece.data.strip() == self.data.strip() != ""
        return is_text and (not self.event or piece.event == self.event)


@dataclass(frozen=True)
class Stream:
    """A reply that comes in pieces; `extract` is applied to each of them."""

    format: Literal["sse", "ndjson", "aws"] = "sse"
    """Server-sent events, a JSON value a line, or the event streams of AWS (pip install "botattack[aws]"), whose types
    are events here."""
    pieces: Literal["incremental", "cumulative", "messages"] = "incremental"
    """Each piece is the next part (`incremental`), all so far (`cumulative`), or a complete message (`messages`)."""
    events: tuple[str, ...] = ()
    """Names of the server-sent events that hold pieces; any, where left out."""
    where: Conditions | None = None
    """What is in the pieces that contain the answer, such as {type: text-delta} or {type: [text, code]}; a name inside
    others is written delta.type. `extract.fields` are taken from all pieces."""
    done: Mark | None = None
    """The piece that ends the reply: a stream that breaks off before it is a broken reply. By default the reply ends
    with the stream, or with [DONE]."""
    whole: Mark | None = None
    """A piece after which the reply is complete: the stream may continue, or end without `done`."""

    @property
    def wanted(self) -> frozenset[tuple[str, str]]:
        """(call, name) of the earlier values that it looks at."""
        marks = [mark for mark in (self.done, self.whole) if mark is not None]
        return earlier((self.where, *(place for mark in marks for place in (mark.at, mark.where))))


POLLED = Stream(pieces="messages")
"""For a bot that is polled: the text of each poll is a complete message."""


class Splitter:
    """Cuts text into pieces as it comes."""

    def __init__(self, form: str) -> None:
        self._form = form
        self._rest: list[str] = []
        """Text after the last line end. Each piece is searched only once, as a line may come in very many of them."""
        self._half = False
        """Whether the text ended in \\r, of which \\n may still be on its way."""
        self._data: list[str] = []
        self._event = ""

    def feed(self, text: str) -> Iterator[StreamPiece]:
        self._rest.append(text)
        if not self._half and _LINE_END.search(text) is None:
            return
        *lines, rest = _LINE_END.split("".join(self._rest))
        # Half of a \r\n may still be on its way.
        self._half = text.endswith("\r")
        self._rest = [lines.pop() + "\r" if self._half else rest]
        for line in lines:
            yield from self._line(line)

    def end(self) -> Iterator[StreamPiece]:
        """What stands after the last line end."""
        for line in (*_LINE_END.split("".join(self._rest)), ""):
            yield from self._line(line)
        self._rest = []

    def _line(self, line: str) -> Iterator[StreamPiece]:
        if self._form == "aws":
            yield from unpack(line)
        elif self._form != "sse":
            if line.strip(" \t"):
                yield StreamPiece(line)
        elif line:
            self._field(line)
        else:
            if self._data or self._event:  # the standard drops an event without data, and bots end with one
                yield StreamPiece("\n".join(self._data), self._event)
            self._data, self._event = [], ""

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value


class Gathering:
    """Puts pieces together. `strict`: a piece that is not JSON where a JSONPath wants it is a failure."""

    def __init__(self, stream: Stream, extract: Extract, values: Mapping[str, object], *, strict: bool = True) -> None:
        self._stream = stream
        self._extract = extract
        self._values = values
        self._strict = strict
        self._texts: list[str] = []
        self._ranked: tuple[str, ...] = ()
        self._fields: dict[str, object] = {}
        self._calls: list[object] = []
        self._last = ""
        self._refused = ""
        self.started = False
        """Whether something of the answer is there."""
        self.finished = False
        self._whole = stream.done is None

    @property
    def count(self) -> int:
        """How many texts have come."""
        return len(self._texts)

    @property
    def whole(self) -> bool:
        """Whether the stream may end here."""
        return self.finished or self._whole

    def add(self, piece: StreamPiece) -> None:
        """Raises AskedTooOften or ServerFailed if the piece says so. One that refuses withholds what was said before;
        only a stream that may continue after its answer is read on, for what it tells of itself."""
        if self.finished:
            return
        self._last = piece.data
        body = Body(piece.data, self._values)
        if refused := self._extract.refused(body):
            self._refused, self._fields = refused.refused, {**self._fields, **refused.fields}
            self.started, self._whole, self.finished = True, True, self._stream.whole is None
            return
        self.finished = self._is_end(piece, body)
        self._whole |= self._stream.whole is not None and self._stream.whole.on(piece, body)
        is_mark = not piece.data or piece.data.strip() == "[DONE]"
        # "[END]" is all sign and no text; an end known by its event or a field may contain the last words as well.
        if self.finished and self._stream.done is not None:
            is_mark |= bool(self._stream.done.data)
        if not is_mark and (not self._stream.events or piece.event in self._stream.events):
            self._take(body)

    def _is_end(self, piece: StreamPiece, body: Body) -> bool:
        if self._stream.done is not None:
            return self._stream.done.on(piece, body)
        return piece.data.strip() == "[DONE]"

    def _take(self, body: Body) -> None:
        fits = self._stream.where is None or bool(found(self._stream.where, body))
        try:
            said = texts(find(self._extract.answer, f"{PLACE}.answer", body), f"{PLACE}.answer") if fits else []
            self._keep(body)
        except (ExtractionFailed, BrokenReply):
            if self._strict and fits:
                raise
            return
        self._texts += said
        self.started |= any(said)

    def _keep(self, body: Body) -> None:
        self._fields |= {name: value for name, value in self._extract.values(body).items() if value is not None}
        if TOOLS in self._fields:
            self._calls.append(self._fields.pop(TOOLS))
        if self._extract.ranked is not None:
            ranked = find(self._extract.ranked, f"{PLACE}.ranked", body)
            self._ranked = tuple(texts(ranked, f"{PLACE}.ranked")) or self._ranked

    def reply(self) -> Reply:
        """The reply that the pieces make; empty or ExtractionFailed if none contained an answer."""
        if self._refused:
            return Reply("", (), self._fields, refused=self._refused)
        if calls := called(self._calls):
            self._fields[TOOLS] = [call._asdict() for call in calls]
        if not self._texts and not calls:
            silent = self.silent()
            return Reply(self._extract.silence(str(silent), silent.said), self._ranked, self._fields)
        text = self._extract.clean(self._together())
        return Reply(text, tuple(map(self._extract.clean, self._ranked)), self._fields)

    def silent(self) -> Silent:
        """What to say if no piece contains an answer."""
        which = f" with {self._stream.where.source}" if self._stream.where else ""
        sentence = f"no piece{which} of the stream contains {self._extract.answer.source}; the last was"
        return Silent(sentence, said=self._last, delivered=True, place=f"{PLACE}.answer")

    def _together(self) -> str:
        if self._stream.pieces == "messages":
            return self._extract.together([text for text in self._texts if text])
        if self._stream.pieces == "cumulative":
            return next((text for text in reversed(self._texts) if text), "")
        return "".join(self._texts)


def gather(pieces: Iterable[StreamPiece], into: Gathering) -> Reply:
    """The reply of a whole stream."""
    for piece in pieces:
        into.add(piece)
    return into.reply()


_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_ENDS = re.compile(r"(?:close|complete)d?|completion|done|(?:end|finish)(?:ed)?|eos|stop(?:ped)?", re.IGNORECASE)
_KIND = re.compile(r"(?:\w*(?:type|event|kind|status|state|phase|object)|op)", re.IGNORECASE)
_SIGN = re.compile(r"\W\S{1,18}\W|[A-Z_]{3,20}")
"""A text that is no word of an answer, such as [DONE] or END."""


def end_mark(piece: StreamPiece) -> JsonObject:
    """`done` for a stream that ends with this piece, if it says so; else empty. Why a model stopped is no such mark: it
    differs from reply to reply."""
    if _ends(piece.event):
        return {"event": piece.event}
    value = json_or_none(piece.data)
    if not isinstance(value, dict):
        return {"data": piece.data} if _SIGN.fullmatch(piece.data) and _ends(piece.data) else {}
    named = ((key, it) for key, it in value.items() if key.isidentifier())
    told = ({key: it} for key, it in named if (_KIND.fullmatch(key) and _ends(it)) or (it is True and _ends(key)))
    return next(({"where": each} for each in told), {})


def ending(streams: Iterable[Iterable[StreamPiece]]) -> tuple[JsonObject, int]:
    """What most of these streams end with, and how many do not; empty if most end with nothing that says so, or if it
    comes earlier in one, too."""
    rows = [[end_mark(piece) for piece in stream] for stream in streams]
    for mark in [row[-1] for row in rows if row and row[-1]][: len(rows) // 2 + 1]:
        ended = sum(row[-1:] == [mark] for row in rows)
        if 2 * ended > len(rows) and not any(mark in row[:-1] for row in rows):
            return mark, len(rows) - ended
    return {}, 0


def _ends(said: object) -> bool:
    words = _WORD.findall(said) if isinstance(said, str) else []
    return 0 < len(words) < 4 and _ENDS.fullmatch(words[-1]) is not None


def split(text: str, form: str) -> Iterator[StreamPiece]:
    """The pieces of a whole stream."""
    splitter = Splitter(form)
    yield from splitter.feed(text)
    yield from splitter.end()


def pack(pieces: Iterable[StreamPiece]) -> str:
    """Pieces that did not come as text of one format, as text: JSON lines."""
    return "\n".join(msgspec.json.encode(piece).decode() for piece in pieces)


def unpack(text: str) -> Iterator[StreamPiece]:
    """Raises ExtractionFailed if a line is no piece."""
    decoder = msgspec.json.Decoder(StreamPiece)
    try:
        yield from (decoder.decode(line) for line in text.split("\n") if line)
    except msgspec.MsgspecError:
        raise ExtractionFailed("the recorded pieces of this reply are damaged", delivered=True) from None
