"""Compares a recording with its seals: what differs, what came later, and who signed what."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path

import numpy as np

from botattack.errors import RecordingError
from botattack.recordings import manifest
from botattack.recordings.sealing import seal as seals
from botattack.recordings.sealing.seal import Checks, EventFile, Seal
from botattack.recordings.sealing.signatures import Signature, checked
from botattack.recordings.writer import EVENTS, LEASES, UNFINISHED

_EVENT = re.compile(rb'\{"event":"([a-z ]{1,40})"')
Sealed = tuple[Seal, Signature | None]


@dataclass(frozen=True)
class Verified:
    """`differs` names everything that is not as it was sealed, a sentence each. `added` counts the events that came
    after the newest seal by their kind; `others` are files that it does not list."""

    seals: tuple[Sealed, ...]
    differs: tuple[str, ...]
    added: Counter[str] = field(default_factory=Counter)
    others: tuple[str, ...] = ()
    torn: bool = False

    @property
    def newest(self) -> Seal:
        return self.seals[-1][0]

    @property
    def signed(self) -> Sealed | None:
        """The newest seal with a signature that counts."""
        return next((one for one in reversed(self.seals) if one[1] and one[1].counts), None)

    @property
    def unsigned(self) -> tuple[str, ...]:
        """What a signature that counts does not cover."""
        if self.signed is None:
            return ("the recording",)
        seal = self.signed[0]
        number = self.newest.events.lines - seal.events.lines + self.added.total()
        files = [name for name, digest in self.newest.files.items() if seal.files.get(name) != digest]
        gone = [name for name in seal.files if name not in self.newest.files]
        events = (f"{number:,} event{'s' * (number > 1)} added since",) if number else ()
        return (*events, *files, *gone, *self.others)


def verify(folder: Path, signers: Path | None = None) -> Verified:
    """Raises RecordingError for a folder that is no recording, or was never sealed."""
    try:
        numbers = seals.numbers(folder)
        if not numbers and (folder / LEASES).is_dir():
            raise RecordingError(f"{folder} {UNFINISHED}")
        if not numbers:
            manifest_is_there = (folder / manifest.NAME).exists() or (folder / EVENTS).exists()
            what = "was never sealed" if manifest_is_there else f"is not a recording: it has no {manifest.NAME}"
            fix = f"; seal it as it is now with botattack verify {folder} --seal" if manifest_is_there else ""
            raise RecordingError(f"{folder} {what}{fix}")
        return _verified(folder, numbers, signers)
    except OSError as error:
        fix = "copy the recording again from where it was made"
        raise RecordingError(f"{error.filename or folder} cannot be read: {error.strerror}; {fix}") from None


def _verified(folder: Path, numbers: Sequence[int], signers: Path | None) -> Verified:
    found, differs = [], []
    digest, expected = "", 1
    for number in numbers:
        name = seals.name_of(number)
        data = seals.read(folder, number)
        made = seals.parsed(data)
        if number != expected:
            differs.append(f"{seals.name_of(expected)} is missing")
        elif made is None or made.number != number:
            differs.append(f"{name} is damaged")
        elif made.previous != digest:
            differs.append(f"{name} does not continue {seals.name_of(number - 1)}: one of the two was changed")
        if made is not None:
            found.append((made, signature := checked(folder / name, signers)))
            differs += [signature.wrong] if signature and signature.wrong else []
        digest, expected = hashlib.sha256(data).hexdigest(), number + 1
    if not found:
        raise RecordingError(f"{folder / seals.name_of(numbers[-1])} is damaged; copy the recording again")
    return _compared(folder, found, differs)


def _compared(folder: Path, found: Sequence[Sealed], differs: list[str]) -> Verified:
    newest = found[-1][0]
    added, torn = Counter[str](), False
    if not (folder / EVENTS).exists():
        differs.append(f"{EVENTS} is missing")
    elif (folder / EVENTS).is_symlink():
        differs.append(f"{EVENTS} is a link, not a file")
    else:
        events = seals.read_events(folder, {seal.events.bytes for seal, _ in found})
        wrong = list(_events(folder, [seal for seal, _ in found], events))
        differs += wrong
        added = Counter() if wrong else _kinds(folder, newest.events.lines, events.whole.lines)
        torn = events.torn
    others = dict(seals.others(folder))
    now = seals.digests(folder)
    differs += _files(newest.files, now, others)
    return Verified(tuple(found), tuple(differs), added, tuple(sorted(set(others) - set(newest.files))), torn)


def _files(sealed: dict[str, str], now: dict[str, str], there: Collection[str]) -> Iterator[str]:
    for name, digest in sealed.items():
        if name not in there:
            yield f"{name} is missing"
        elif name not in now:
            yield f"{name} is a link or something else, not the file that was sealed"
        elif now[name] != digest:
            yield f"{name} is not what was sealed"


def _events(folder: Path, sealed: Sequence[Seal], found: EventFile) -> Iterator[str]:
    """The first line that differs, and how many do."""
    broken = next((seal for seal in sealed if found.at.get(seal.events.bytes) != seal.events.sha256), None)
    if broken is None:
        return
    checks, first = _checks(sealed)
    there = found.checks[first:]
    both = min(len(checks), len(there))
    wrong = np.flatnonzero(checks[:both] != there[:both])
    if len(wrong):
        number = int(wrong[0])
        moved = np.flatnonzero(checks == there[number])
        was = f"the line that was sealed as line {first + int(moved[0]) + 1}" if len(moved) else "not as it was sealed"
        more = f"; {len(wrong) - 1:,} more lines differ" if len(wrong) > 1 else ""
        yield f"{EVENTS}:{first + number + 1}: {_told(folder, first + number)} is {was}{more}"
    if len(there) < len(checks):
        gone = len(checks) - len(there)
        yield f"{EVENTS}: {gone:,} of {first + len(checks):,} sealed lines are missing"
    if not len(wrong) and len(there) >= len(checks):
        yield f"{EVENTS}: the first {broken.events.lines:,} lines are not as they were sealed"


def _checks(sealed: Sequence[Seal]) -> tuple[Checks, int]:
    """The checks of all sealed lines in a row, and how many lines come before them: those of a seal that is lost."""
    parts = [sealed[-1].line_checks]
    for later, seal in pairwise(reversed(sealed)):
        if later.events.lines - len(later.line_checks) != seal.events.lines:
            break
        parts.insert(0, seal.line_checks)
    checks = np.concatenate(parts)
    return checks, sealed[-1].events.lines - len(checks)


def _told(folder: Path, number: int) -> str:
    line = next(_lines(folder, number, number + 1), b"")
    kind = _EVENT.match(line)
    return f"the event {kind[1].decode()!r}" if kind else "this line"


def _kinds(folder: Path, first: int, last: int) -> Counter[str]:
    """The lines from one number to another by the kind of their event."""
    if first == last:
        return Counter()
    kinds = (_EVENT.match(line) for line in _lines(folder, first, last))
    return Counter(kind[1].decode() if kind else "no event" for kind in kinds)


def _lines(folder: Path, first: int, last: int) -> Iterator[bytes]:
    """The beginnings of lines."""
    return islice(seals.beginnings(folder), first, last)
