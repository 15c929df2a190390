"""The members of a list inside a JSON document of any size, one by one, each with its line.

A structural scan finds where a member begins and ends; msgspec reads it. So a member that is wrong inside is one bad
record, and the rest is read; event parsers give no lines and stop at the first fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

CHUNK = 1 << 20
MAX_MEMBER = 16 << 20
"""Bytes of the longest member that is read whole."""

Names = tuple[str, ...]
"""Where a list is: names of mappings; MEMBERS for each member of a list; () for the top."""
MEMBERS = "*"
LISTS = ("questions", "dialogues")
"""Keys of a mapping at which the records are."""

_TEXT = rb'"[^"\\]*+(?:\\.[^"\\]*+)*"'
"""Possessive repeats stand on single characters only: Python before 3.11.5 mismatches possessive groups."""
_OUTSIDE = re.compile(rb'[^"\[\]{}:]*+(?:(' + _TEXT + rb')|([\[\]{}:"]?))', re.DOTALL)
_BETWEEN = re.compile(rb'(?:[^"\[\]{},]++|' + _TEXT + rb')*([\[\]{},"]?)', re.DOTALL)
_WITHIN = re.compile(rb'(?:[^"\[\]{}]++|' + _TEXT + rb')*([\[\]{}"]?)', re.DOTALL)
"""Up to the next sign that matters outside the list, between its members, and within one; a quote begins a text whose
end has not been read."""
_OPEN, _CLOSE, _UNDECIDED = (b"[", b"{"), (b"]", b"}"), (b"", b'"')
_LOST = " Nothing after it could be read"


@dataclass(frozen=True)
class Member:
    """One member as it is in the file. `fault` says why it is not whole, if it is not."""

    line: int
    text: bytes
    fault: str = ""


def members(file: BinaryIO, *paths: Names) -> Iterator[Member]:
    """Members of every list found at one of the paths, else at the top."""
    scan = _Scan([tuple(name.encode() for name in path) for path in paths or ((),)])
    # A long text is scanned from its quote at each chunk: reading twice as much each time keeps that linear.
    while chunk := file.read(max(CHUNK, len(scan.buffer))):
        yield from scan.feed(chunk)
        if len(scan.buffer) - scan.at > MAX_MEMBER:
            yield Member(scan.here(), b"", f"a text is longer than {MAX_MEMBER >> 20} MB; is a quote missing?{_LOST}")
            return
    yield from scan.finish()


@dataclass
class _Scan:
    """Where the scan stands: the text not yet done with, the open containers, and the member being collected."""

    paths: Sequence[tuple[bytes, ...]]
    buffer: bytes = b""
    at: int = 0
    start: int = -1
    line: int = 1
    depth: int = 0
    inside: int = 0
    names: list[bytes] = field(default_factory=list)
    text: bytes = b""
    oversized: bool = False
    counted: int = 0

    def feed(self, chunk: bytes) -> Iterator[Member]:
        self._keep()
        self.buffer += chunk
        while self.at < len(self.buffer):
            if self.inside:
                sign = self._next(_WITHIN if self.depth > self.inside else _BETWEEN)
                if sign not in _UNDECIDED:
                    yield from self._within(sign, self.at - 1)
            else:
                sign = self._next(_OUTSIDE)
                self._outside(sign)
            if sign == b'"':
                return

    def _next(self, pattern: re.Pattern[bytes]) -> bytes:
        """The next sign, empty for none before the end; what lies before it is done with."""
        found = pattern.match(self.buffer, self.at)
        assert found is not None  # noqa: S101 - every part of the patterns is optional
        sign = found[found.lastindex or 0]
        self.at = found.end() - (sign == b'"')
        return sign

    def here(self) -> int:
        """The line of the first token not yet done with."""
        rest = self.buffer[self.at :]
        self._count(self.at + len(rest) - len(rest.lstrip()))
        return self.line

    def finish(self) -> Iterator[Member]:
        """What is left when the file ends inside its list."""
        if self.inside or self.depth:
            here = self._member(len(self.buffer)) if self.inside else None
            line = here.line if here else self.line
            yield Member(line, here.text if here else b"", "the file ends before its list is closed; it was cut short")

    def _within(self, first: bytes, at: int) -> Iterator[Member]:
        if first in _OPEN:
            self.depth += 1
        elif first in _CLOSE:
            self.depth -= 1
        if self.depth < self.inside or (first == b"," and self.depth == self.inside):
            member = self._member(at)
            if member.text or member.fault or first == b",":
                yield member
            self.start = at + 1
        if self.depth < self.inside:
            self.inside, self.start = 0, -1
            self.names.pop()

    def _outside(self, first: bytes) -> None:
        if first in _UNDECIDED:
            return
        if first in _OPEN:
            self._enter(first, self.at - 1)
        elif first in _CLOSE:
            self.depth = max(self.depth - 1, 0)
            del self.names[self.depth :]
        elif first != b":":
            self.text = first[1:-1]
        elif self.names:
            self.names[-1] = self.text

    def _enter(self, first: bytes, at: int) -> None:
        is_list = first == b"["
        target = is_list and tuple(self.names) in self.paths
        self.depth += 1
        self.names.append(MEMBERS.encode() if is_list else b"")
        if target:
            self.inside = self.depth
            self._count(at + 1)
            self.start = at + 1

    def _member(self, end: int) -> Member:
        text = self.buffer[self.start : end]
        blank = len(text) - len(text.lstrip())
        self._count(self.start + blank)
        line = self.line
        self._count(end)
        if self.oversized or len(text) > MAX_MEMBER:
            self.oversized = False
            return Member(line, b"", f"it is longer than {MAX_MEMBER >> 20} MB")
        return Member(line, text.strip())

    def _keep(self) -> None:
        """Lets go of the text that is done with; a member that grew too long is let go as well."""
        if self.start >= 0 and self.at - self.start > MAX_MEMBER:
            self.oversized, self.start = True, self.at
            self._count(self.at)
        cut = self.start if self.start >= 0 else self.at
        self._count(cut)
        self.buffer, self.at = self.buffer[cut:], self.at - cut
        self.counted -= cut
        self.start = 0 if self.start >= 0 else -1

    def _count(self, to: int) -> None:
        if to > self.counted:
            self.line += self.buffer.count(b"\n", self.counted, to)
            self.counted = to
