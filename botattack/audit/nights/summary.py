"""What a night leaves beside its recording, so that a year of nights is read in seconds."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import msgspec

from botattack.files import content, regular, write_whole
from botattack.places import read_place, write_place
from botattack.recordings import triage
from botattack.recordings.triage import marked_events
from botattack.recordings.writer import EVENTS
from botattack.report.comparison.trend import UnitState, unit_states
from botattack.report.figures.figure_values import Figures
from botattack.version import __version__

NAME = "summary.msgpack"
LARGEST = 64_000_000
"""Bytes; a night of 100,000 askings has half of that."""


class _Made(msgspec.Struct, frozen=True):
    """What a summary was made of: it counts as long as all of this is as it was."""

    botattack: str
    events: str
    marks: str


class Summary(_Made, frozen=True):
    """The figures of a night, and what became of each unit."""

    figures: Figures
    units: tuple[UnitState, ...]


_encode = msgspec.msgpack.Encoder(enc_hook=write_place).encode
_decode = msgspec.msgpack.Decoder(Summary, dec_hook=read_place).decode


def write(night: Path, figures: Figures) -> None:
    """Raises OSError."""
    made = _made_of(night)
    units = tuple(unit_states(marked_events(night)))
    summary = Summary(made.botattack, made.events, made.marks, figures, units)
    write_whole(night / NAME, _encode(summary), private=True)


def read(night: Path) -> Summary | None:
    """None if there is none, it cannot be read, or the recording or the marks have changed since."""
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        found = _decode(content(night / NAME, LARGEST))
        made = _made_of(night)
        if (found.botattack, found.events, found.marks) == (made.botattack, made.events, made.marks):
            return found
    return None


def _made_of(night: Path) -> _Made:
    return _Made(__version__, _digest(night / EVENTS), _digest(night.resolve().parent / triage.NAME))


def _digest(path: Path) -> str:
    """Empty if there is no such file."""
    try:
        with regular(path) as file:
            # Processors compute this one themselves: a year of nights is read in half the time of BLAKE2.
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""
