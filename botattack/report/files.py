"""Report files appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from botattack.errors import BotattackError


class ReportError(BotattackError):
    """A report that cannot be written."""


@contextmanager
def whole_file(path: Path, newline: str | None = "\n") -> Iterator[IO[str]]:
    """A text file that takes its name only once it is complete; raises ReportError where it cannot be written.

    Lone surrogates, which no encoding holds, are written as backslash escapes.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="utf-8", errors="backslashreplace", newline=newline) as file:
            yield file
        draft.replace(path)
    except OSError as error:
        raise ReportError(f"{path}: the report cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            draft.unlink()
