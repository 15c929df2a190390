"""Secrets never reach a disk: every line is cleaned before its first byte is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from botattack.model import Question, Reply
from botattack.options import JsonObject
from botattack.protocols import Masks
from botattack.recordings.masking import MASK, Masker, SearchTime

WITHHELD = "[redacted: it held a secret in pieces]"
"""Recorded in place of a `Reply.raw` that could not be masked."""

KEPT = frozenset(
    "event run target started question unit units need kind matcher parent attack attacks expect standing reference "  # noqa: SIM905
    "meaning filter gates service speaker where ask label".split()
)
"""Fields that hold botattack's own words and ids: a secret that happens to look like one must not break them."""
_FOREIGN = frozenset(("fields", "payload", "result"))
"""Fields that hold data with names of its own."""


class Redactor:
    """Masks secrets in the values of an encoded event, as `mask` finds them.

    `read` reads `Reply.raw` again: where a secret was read from a reply, its raw form is kept only if nothing of the
    kind can be read from what is left of it. Without `read` it is not kept then. `pieces` masks a raw reply that came
    in pieces, each of which may hold a part of a secret; it gives None for any other. What it gives is kept only if the
    masked reply is read from it.
    """

    def __init__(
        self,
        secrets: Iterable[str] = (),
        patterns: Iterable[str] = (),
        *,
        read: Callable[[str], Reply] | None = None,
        pieces: Callable[[str, Masks], str | None] | None = None,
    ) -> None:
        self.mask = Masker(secrets, patterns)
        self.read = read
        self.pieces = pieces

    def __call__(self, line: bytes) -> bytes:
        """The same object if there was nothing to mask."""
        in_pieces = self.pieces is not None and b'"raw":' in line and self.mask.is_needed
        if not in_pieces and not self.mask.suspects(line.decode()):
            return line
        event: JsonObject = msgspec.json.decode(line)
        masked = _Masked(self).record(event)
        if masked == event:
            return line
        if event["event"] == "question opened" and _unnamed(masked["question"]) != _unnamed(event["question"]):
            # Later events name the question by its id from before masking, so that id is kept.
            masked["question"]["masked"] = msgspec.convert(event["question"], Question).id
        return msgspec.json.encode(masked)

    def reply(self, reply: Reply) -> Reply:
        """A reply as it would be recorded."""
        masked: Reply = msgspec.convert(_Masked(self).record(msgspec.to_builtins(reply)), Reply)
        return masked

    def settings(self, value: object) -> Any:
        """The user's settings, masked; their names and numbers stay."""
        if isinstance(value, dict):
            return {name: self.settings(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.settings(item) for item in value]
        return self.text(value) if isinstance(value, str) else value

    def text(self, text: str) -> str:
        """Plain text with every secret masked, for whatever is shown and is not an event."""
        return self.mask.text(text)


@dataclass(frozen=True)
class _Masked:
    """Makes the masked form of one event."""

    by: Redactor
    left: SearchTime = field(default_factory=SearchTime)

    def text(self, text: str) -> str:
        return self.by.mask.text(text, left=self.left)

    def record(self, value: object) -> Any:
        """What botattack wrote: its names stay."""
        if isinstance(value, list):
            return [self.record(item) for item in value]
        if isinstance(value, dict):
            return self._whole({name: self._field(name, item) for name, item in value.items()}, value)
        return self.text(value) if isinstance(value, str) else value

    def _field(self, name: str, value: object) -> Any:
        if name in KEPT and not (name == "question" and isinstance(value, dict)):
            return value
        return self._data(value) if name in _FOREIGN else self.record(value)

    def _data(self, value: object) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value if (text := str(value)) == self.text(text) else MASK
        if isinstance(value, list):
            return [self._data(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self._data(item) for key, item in value.items()}
        return value

    def _whole(self, masked: JsonObject, reply: JsonObject) -> JsonObject:
        """What was read from a reply's `raw` may contain a secret that is in pieces there."""
        raw = reply.get("raw")
        if not raw:
            return masked
        if (in_pieces := self._in_pieces(raw)) is not None:
            sound = in_pieces == raw or self._reads(in_pieces) == _read_of(masked)
            return {**masked, "raw": in_pieces if sound else WITHHELD}
        if all(masked[name] == value for name, value in reply.items() if name != "raw"):
            return masked
        return {**masked, "raw": masked["raw"] if self._reads_clean(masked["raw"]) else WITHHELD}

    def _in_pieces(self, raw: str) -> str | None:
        try:
            return self.by.pieces(raw, self.by.mask) if self.by.pieces is not None else None
        except Exception:
            # What cannot be taken apart may hold anything in pieces.
            return WITHHELD

    def _reads_clean(self, raw: str) -> bool:
        """Whether no secret can be read from a raw reply; one that cannot be read at all is of no use."""
        found = self._reads(raw)
        return found is not None and bool(self._data(found) == found)

    def _reads(self, raw: str) -> list[object] | None:
        """What is read from a raw reply; None if nothing can be."""
        if self.by.read is None:
            return None
        try:
            read = self.by.read(raw)
        except Exception:
            return None
        return _read_of(msgspec.to_builtins(read))


def _read_of(reply: JsonObject) -> list[Any]:
    """Of an encoded reply what was read from its raw form; what is empty may be left out there."""
    return [reply.get("text", ""), list(reply.get("ranked", ())), reply.get("fields", {})]


def _unnamed(question: dict[str, object]) -> dict[str, object]:
    """What is asked and what is right, without the user's own names for it."""
    return {name: value for name, value in question.items() if name not in ("key", "tags", "licence")}
