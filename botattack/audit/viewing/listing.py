"""The recordings of a folder as a list shows them: their ends and what lies beside them are read. All events are read
only of a small run that ended with 2 or 3, to see whether anything was asked."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import msgspec

from botattack.errors import RecordingError, reason
from botattack.files import content, descriptor
from botattack.recordings import manifest
from botattack.recordings.manifest import Manifest
from botattack.recordings.reader import end_of
from botattack.recordings.writer import EVENTS, LEASES
from botattack.report.numbers import percent

State = Literal["passed", "finished", "failed", "stopped", "running", "damaged", "unanswered"]
AROUND = 50
"""Recordings just newer and just older than those of a page that are read, too: which asked for causes, and the nights
before."""
BEFORE = 4
"""Nights that a night is shown beside."""
SMALL = 1_000_000
"""Bytes of a recording in which an answer is looked for."""
LARGEST = 16_000_000
"""Bytes of a report; those of large runs have a tenth of a megabyte."""


@dataclass(frozen=True)
class Trend:
    """A figure of a night, behind those of the nights before, the oldest first; `moved` is how it differs from the
    last of them."""

    name: str
    before: tuple[str, ...]
    now: str
    moved: Literal["better", "worse", ""]


@dataclass(frozen=True)
class ListedRun:
    """A recording by the name of its folder. `says` is the first sentence of its report, or why there is none, and
    `why` how it ended; `about` is what it asked: `night`, `causes`, `part 1 of 2`. `cause` is what `botattack why`
    found out of its failures, and `cause_at` the page of that."""

    name: str
    state: State
    says: str
    why: str = ""
    bot: str = ""
    started: str = ""
    about: str = ""
    latest: bool = False
    cause: str = ""
    cause_at: str = ""
    trend: tuple[Trend, ...] = ()


def recorded(recordings: Path) -> list[str]:
    """The names of all recordings, the newest first: they begin with the time."""
    try:
        found = [entry.name for entry in os.scandir(recordings) if (Path(entry.path) / manifest.NAME).exists()]
    except OSError as error:
        raise RecordingError(f"{recordings} cannot be read: {reason(error)}; name the folder of recordings") from None
    return sorted(found, reverse=True)


def listed(recordings: Path, names: list[str], start: int, most: int) -> Iterator[ListedRun]:
    """What the list says of so many; a damaged one is named with its fault."""
    made, faults = read(recordings, names[max(start - AROUND, 0) : start + most + AROUND])
    nights = [name for name, each in made.items() if each.is_night]
    latest = {made[name].target: name for name in reversed(nights)} if start == 0 else {}
    left = {name: found for name in nights if (found := _left(recordings / name))}
    for name in names[start : start + most]:
        if name in faults:
            yield ListedRun(name, "damaged", faults[name])
            continue
        run = one(recordings / name, made[name])
        why = why_of(recordings / name, made[name].run, made)
        if why:
            end = end_of(why)
            at = f"{name}/why" if why.parent.name == manifest.WHY else f"{why.name}/report"
            run = replace(run, cause=end.headline if end else "asked, not finished", cause_at=at)
        suite = {each: found for each, found in left.items() if made[each].suite == made[name].suite != ""}
        yield replace(run, latest=latest.get(run.bot) == name, trend=tuple(_trends(suite, name)))


def read(recordings: Path, names: list[str]) -> tuple[dict[str, Manifest], dict[str, str]]:
    """What these were made of, or what is wrong with them."""
    made: dict[str, Manifest] = {}
    faults: dict[str, str] = {}
    for name in names:
        try:
            made[name] = manifest.read(recordings / name)
        except RecordingError as error:
            faults[name] = str(error)
    return made, faults


def one(folder: Path, made: Manifest) -> ListedRun:
    """What the list says of one recording by itself."""
    about = {manifest.NIGHTLY: "night", manifest.SHRINK: "smallest edits", manifest.WHY: "causes"}
    part = "part {} of {}".format(*made.shard) if made.shard != (1, 1) else ""
    what = about.get("".join(made.command[:1]), part)
    end = end_of(folder)
    if end is None:
        running = any(map(_is_written, [folder / EVENTS, *folder.glob(f"{LEASES}/*/{EVENTS}")]))
        state: State = "running" if running else "stopped"
        says, why = "not finished; what it has asked so far is shown", ""
    else:
        passed: State = "passed" if end.gates or made.is_night else "finished"
        state = passed if end.exit == 0 else "failed" if end.exit == 1 else "stopped"
        state = "unanswered" if end.exit in (2, 3) and not _answered(folder) else state
        says, why = end.headline or end.why, end.why
    return ListedRun(folder.name, state, says, why, made.target, made.started, what)


def why_of(folder: Path, run: str, others: Mapping[str, Manifest]) -> Path | None:
    """The newest recording that asked why a run failed: within its folder, as a night does, or among `others`."""
    inside = [path.parent for path in folder.glob(f"{manifest.WHY}/*/{manifest.NAME}")]
    asked = [folder.parent / name for name, made in others.items() if made.explained == run]
    return max((*inside, *asked), key=lambda path: path.name, default=None)


class _Left(msgspec.Struct, frozen=True):
    """What is read of the JSON report that a night left."""

    class Questions(msgspec.Struct, frozen=True):
        asked: int
        correct: int

    class Measure(msgspec.Struct, frozen=True):
        value: float | None = None

    class Run(msgspec.Struct, frozen=True):
        exit: int

    run: Run
    questions: Questions
    measures: dict[str, Measure] = {}


def _left(night: Path) -> _Left | None:
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        found = msgspec.json.decode(content(night / "report.json", LARGEST), type=_Left)
        # One that was stopped asked a part of the suite: its counts are no figures of the bot.
        return found if found.run.exit in (0, 1) else None
    return None


def _trends(suite: Mapping[str, _Left], name: str) -> Iterator[Trend]:
    """How figures moved in the nights of a suite until this one; none of the first night, or of what is no night."""
    until = [suite[each] for each in sorted(suite) if each <= name][-BEFORE - 1 :]
    if name not in suite or len(until) == 1:
        return
    counts = [left.questions.correct for left in until]
    asked = f"right unchanged, of {until[-1].questions.asked:,}"
    yield _trend(asked, counts, [f"{each:,}" for each in counts])
    measure = "accuracy under attack"
    shares = [left.measures.get(measure, _Left.Measure()).value for left in until]
    if shares[-1] is not None:
        known = [share for share in shares if share is not None]
        yield _trend(measure, known, list(map(percent, known)))


def _trend(name: str, values: list[int] | list[float], shown: list[str]) -> Trend:
    last = values[-2] if len(values) > 1 else values[-1]
    moved: Literal["better", "worse", ""] = "worse" if values[-1] < last else "better" if values[-1] > last else ""
    return Trend(name, tuple(shown[:-1]), shown[-1], moved)


def _answered(folder: Path) -> bool:
    """Whether anything was asked to its end; what is large has asked much."""
    try:
        return b'"event":"asked"' in content(folder / EVENTS, SMALL)
    except OSError:
        return True


def _is_written(path: Path) -> bool:
    """Whether another process has the events open to write them."""
    try:
        file = descriptor(path)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False
