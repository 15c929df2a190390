r"""The one door to standard output and error: whatever goes through it stays text, for a terminal and for a CI's log.

Replies, pages, recordings and file names may contain escape sequences, which act on a terminal, and commands of the CI
that logs them: GitHub Actions reads `##[…]` anywhere and `::…` where a line begins, Azure DevOps `##vso[…]`, TeamCity
`##teamcity[…]`. One character of such a command is escaped, so that it shows what it is and does nothing:
`##vso\x5btask…`, `:\x3aset-output …`. Strings of YAML write it so too: a printed target file keeps its values.
Headings that only fold a log (Buildkite's `--- `, Travis' `travis_fold:`) set and run nothing, and stay as they are;
those of GitLab need an escape sequence, and end with it.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOBase
from typing import TYPE_CHECKING, TextIO, cast

from botattack.report.escape import escaped, printable

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 100
"""Columns that are used of a wider terminal."""
_BLANK = r"(?:[^\S\n]|\x1b\[[\d;]*m)*"
"""What stands before the first text of a line: space, and colours of ours."""
_COMMAND = re.compile(rf"(^{_BLANK}:(?=:)|##\w{{0,32}}(?=\[))(.)", re.M)
"""What a CI takes for a command, up to and with the character that makes it one; no CI has a longer word there."""
_BEGUN = re.compile(rf"({_BLANK})(.*)")
_REMEMBERED = 64
"""Characters of an unfinished line that are looked at again, as a command may come in pieces."""


class _OpenLine:
    """A stream, and the line on it that is not at its end yet."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self._begun = ""

    def write(self, text: str) -> None:
        """Writes what contains no foreign control character."""
        # What was begun is free of commands: one can only end, and be escaped, in the new part.
        whole = _COMMAND.sub(lambda found: found[1] + escaped(found[2]), self._begun + text)
        new = whole[len(self._begun) :]
        self._begun = _shortened(whole.rpartition("\n")[2])
        encoding = self.stream.encoding or "utf-8"
        with _outlived(self.stream):
            self.stream.write(new.encode(encoding, "backslashreplace").decode(encoding))


@contextmanager
def _outlived(stream: TextIO) -> Iterator[None]:
    """Lets a command clean up and write its files although its terminal was closed, or whoever read it has seen enough:
    from then on, what is written goes nowhere."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.EIO, errno.EPIPE):
            raise
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123  # a device, not a file of anybody's
            os.dup2(nowhere.fileno(), stream.fileno())


def _shortened(line: str) -> str:
    """As much of an unfinished line as says whether a command ends in what comes next."""
    found = _BEGUN.fullmatch(line)
    assert found  # noqa: S101  # it matches every line
    blank, text = found.groups()
    # The sign in front keeps what is cut from looking like the beginning of a line.
    return " " * bool(blank) + (text if len(text) <= _REMEMBERED else "…" + text[-_REMEMBERED:])


class Guarded(TextIOBase):
    """A text stream in front of another: only its own line breaks and tabs act, and nothing raises for its encoding.

    It has no `buffer`, which would lead around it.
    """

    def __init__(self, stream: TextIO) -> None:
        self._line: _OpenLine = stream._line if isinstance(stream, Guarded) else _OpenLine(stream)
        self._clean: Callable[[str], str] = printable

    @classmethod
    def drawn(cls, stream: TextIO) -> Guarded:
        """The stream for text that was cleaned piece by piece and has colours of our own since."""
        found = cls(stream)
        found._clean = str
        return found

    def write(self, text: str, /) -> int:
        self._line.write(self._clean(text))
        return len(text)

    def flush(self) -> None:
        with _outlived(self._line.stream):
            self._line.stream.flush()

    def isatty(self) -> bool:
        return self._line.stream.isatty()

    def fileno(self) -> int:
        return self._line.stream.fileno()

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._line.stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self._line.stream.errors


@contextmanager
def guarded() -> Iterator[None]:
    """Puts the door in front of `sys.stdout` and `sys.stderr`, so that no module and no library prints around it."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast("tuple[TextIO, TextIO]", tuple(map(Guarded, before)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def console(stream: TextIO, width: int | None = None) -> Console:
    """Draws on a stream: colours of ours, and foreign text as plain text, never as markup."""
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class Clean(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else segment._replace(text=printable(segment.text))

    made = Clean(file=cast("TextIO", Guarded.drawn(stream)), width=width, markup=False, emoji=False, highlight=False)
    if width is None:
        made.width = min(made.width, WIDEST)
    return made
