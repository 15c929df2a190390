"""Small files of ours beside recordings, each one value as JSON: read within bounds, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from botattack.errors import RecordingError
from botattack.files import content, write_whole

T = TypeVar("T")


def read(path: Path, kind: type[T], most: int, fix: str = "") -> T | None:
    """What a file says, None if it is not there; raises RecordingError, with the `fix`, for one that is damaged."""
    try:
        return msgspec.json.decode(content(path, most), type=kind)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordingError(f"{path} cannot be read: {error}{fix and f'; {fix}'}") from None


def write(path: Path, value: object, *, private: bool = True) -> Path:
    """Gives the path; raises RecordingError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, msgspec.json.format(msgspec.json.encode(value)) + b"\n", private=private)
    except OSError as error:
        raise RecordingError(f"{path} cannot be written: {error.strerror}") from None
    return path
