"""A seal lists the digests of all that a recording contains at one time.

Events are only ever added to a recording, so a seal covers the beginning of the event file, and stays true when a run
is resumed or readers' answers are collected. Each seal names the digest of the one before: they are a chain. All other
files are as the newest seal lists them, since some are written again: `run.json` on resume, reports at any time.
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from array import array
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BufferedReader
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta

from botattack.errors import RecordingError
from botattack.files import descriptor, write_whole
from botattack.recordings.writer import EVENTS
from botattack.version import __version__

LARGEST = 100_000_000
"""Bytes of the file of a seal."""
MOST_FILES = 10_000
"""Files of a recording that can be sealed; botattack writes a dozen."""
LONGEST_PIECE = 1_000_000
"""Bytes that are read at a time of a line."""
MOST_SEALS = 1_000
DRAFT = ".part"
"""Ends the name of a file that is being written; one that stays behind is of no use, and never sealed."""
SUFFIXES = (".sig", ".minisig")
"""Of the signatures of a seal, by ssh-keygen and by minisign."""
_NAME = re.compile(r"seal-([1-9][0-9]{0,5})\.json")
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""SHA-256, in hexadecimal digits."""
Count = Annotated[int, Meta(ge=0)]
Checks = npt.NDArray[np.uint32]
_CHECK = np.dtype("<u4")


class Beginning(msgspec.Struct, frozen=True):
    """The first lines of the event file, and the digest of all their bytes."""

    lines: Count
    bytes: Count
    sha256: Digest


class Seal(msgspec.Struct, frozen=True, kw_only=True):
    """`previous` is the digest of the file of the seal before, empty for the first one. `checks` has a CRC-32 of each
    line since that seal, four bytes each in base64: the digests prove, these say which line differs."""

    number: int
    at: str
    botattack: str
    previous: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")]
    events: Beginning
    files: dict[str, Digest]
    checks: str = ""

    @property
    def name(self) -> str:
        return name_of(self.number)

    @property
    def line_checks(self) -> Checks:
        """Raises ValueError if they are damaged."""
        return np.frombuffer(b64decode(self.checks, validate=True), _CHECK)


@dataclass(frozen=True)
class EventFile:
    """What one reading of the event file found. `at` has the digest of all bytes before each place that was asked
    for."""

    whole: Beginning
    checks: Checks
    at: dict[int, str]
    torn: bool


def name_of(number: int) -> str:
    return f"seal-{number}.json"


def add(folder: Path) -> Seal:
    """Seals what a recording contains now; gives the newest seal if nothing has changed since.

    A last line of which only a part was written is left out. Raises RecordingError.
    """
    try:
        found = numbers(folder)
        before = read(folder, found[-1]) if found else b""
        last = parsed(before) if before else None
        events, files = read_events(folder), digests(folder)
        if last and (last.events, last.files) == (events.whole, files):
            return last
        seal = Seal(
            number=(found[-1] if found else 0) + 1,
            at=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
            botattack=__version__,
            previous=hashlib.sha256(before).hexdigest() if before else "",
            events=events.whole,
            files=files,
            checks=b64encode(events.checks[last.events.lines if last else 0 :].tobytes()).decode(),
        )
        write_whole(folder / seal.name, msgspec.json.encode(seal) + b"\n", private=True)
    except OSError as error:
        what = f"{error.filename or folder}: the recording cannot be sealed: {error.strerror}"
        raise RecordingError(f"{what}; once that is fixed, run botattack verify {folder} --seal") from None
    return seal


def read(folder: Path, number: int) -> bytes:
    """The file of a seal; raises OSError, also for a link."""
    with _opened(folder / name_of(number)) as file:
        return file.read(LARGEST)


def _opened(path: Path) -> BufferedReader:
    return os.fdopen(descriptor(path, os.O_RDONLY | os.O_NOFOLLOW), "rb")


def parsed(data: bytes) -> Seal | None:
    """A seal; None for what is none."""
    try:
        seal = msgspec.json.decode(data, type=Seal)
        return seal if len(seal.line_checks) <= seal.events.lines else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def numbers(folder: Path) -> list[int]:
    """Of the seals of a recording, ascending; raises OSError, and RecordingError for more than anybody makes."""
    found = sorted(int(match[1]) for path in folder.iterdir() if (match := _NAME.fullmatch(path.name)))
    if len(found) > MOST_SEALS:
        raise RecordingError(f"{folder} contains more than {MOST_SEALS:,} seals; copy it again from where it was made")
    return found


def is_seal(name: str) -> bool:
    """Whether a file is a seal or the signature of one."""
    return any(_NAME.fullmatch(name.removesuffix(suffix)) for suffix in ("", *SUFFIXES))


def read_events(folder: Path, places: Collection[int] = ()) -> EventFile:
    """Reads the event file once; raises OSError, also for a link."""
    sha, at, checks, torn = hashlib.sha256(), dict[int, str](), array("I"), False
    waiting = sorted(places, reverse=True)
    size = ended = check = 0
    for piece in _pieces(folder / EVENTS):
        while waiting and waiting[-1] <= size + len(piece):
            upto = sha.copy()
            upto.update(piece[: waiting[-1] - size])
            at[waiting.pop()] = upto.hexdigest()
        sha.update(piece)
        check = zlib.crc32(piece, check)
        size += len(piece)
        torn = not piece.endswith(b"\n")
        if not torn:
            checks.append(check)
            ended, check = size, 0
    # Of a torn last line nothing is sealed: resuming the run cuts it off.
    whole = _digest_of(folder / EVENTS, ended) if torn else sha.hexdigest()
    return EventFile(Beginning(len(checks), ended, whole), np.array(checks, _CHECK), at, torn)


def _digest_of(path: Path, size: int) -> str:
    sha, left = hashlib.sha256(), size
    for piece in _pieces(path):
        sha.update(piece[:left])
        left -= len(piece)
        if left <= 0:
            break
    return sha.hexdigest()


def beginnings(folder: Path) -> Iterator[bytes]:
    """The lines of the event file, long ones shortened."""
    begins = True
    for piece in _pieces(folder / EVENTS):
        if begins:
            yield piece
        begins = piece.endswith(b"\n")


def _pieces(path: Path) -> Iterator[bytes]:
    """The lines of a file; long ones in pieces."""
    with _opened(path) as file:
        while piece := file.readline(LONGEST_PIECE):
            yield piece


def digests(folder: Path) -> dict[str, str]:
    """The digest of every regular file but events, seals, their signatures and drafts, by its path in the folder."""
    found = {}
    for name, entry in sorted(others(folder)):
        if entry.is_file(follow_symlinks=False) and not name.endswith(DRAFT):
            with _opened(Path(entry.path)) as file:
                found[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def others(folder: Path) -> list[tuple[str, os.DirEntry[str]]]:
    """Everything in a recording but events, seals and their signatures; links are not followed. Raises OSError, and
    RecordingError for more than it can look at."""
    found: list[tuple[str, os.DirEntry[str]]] = []
    left = [("", folder)]
    while left:
        below, here = left.pop()
        with os.scandir(here) as entries:
            for entry in entries:
                name = below + entry.name
                if entry.is_dir(follow_symlinks=False):
                    left.append((f"{name}/", Path(entry.path)))
                elif name != EVENTS and not is_seal(name):
                    found.append((name, entry))
                if len(found) + len(left) > MOST_FILES:
                    raise RecordingError(f"{folder} contains more than {MOST_FILES:,} files; remove what is not of it")
    return found
