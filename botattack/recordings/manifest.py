"""`run.json`: what a run was made of, written before its first event and compared on resume."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from botattack.config.run_keys import MAX_ERRORS
from botattack.errors import RecordingError
from botattack.events import FORMAT, NOBODY, HeldGate, JudgedBy, lines
from botattack.files import content, write_whole
from botattack.options import JsonObject
from botattack.recordings.writer import LEASES

NAME = lines.MANIFEST
LARGEST = lines.LARGEST
WEIGHTS = "weights.json"
"""The file of a recording with the weights that its campaign named, if it did."""
LOOKED_AT = 20
"""Recordings that are asked what rate a bot can take."""
GAMES = "games"
"""The setting that only recordings of games have."""
NIGHTLY = "nightly"
"""What begins the recorded command of a night."""
SHRINK = "shrink"
"""What begins the recorded command that made smaller versions of findings."""
WHY = "why"
"""What begins the recorded command that asked for the causes of failures. A night keeps what was asked in a folder of
this name, which is deleted with it."""
NEWEST = 5
"""Runs that are named for a folder of runs."""
Name = Annotated[str, Meta(pattern=r"\A\w[\w.-]{0,254}\Z")]
"""What names a run or a bot, and so becomes part of the names of folders and reports: it leads nowhere else."""

CONNECTION = "connection"
"""The setting that holds short digests of what the target file says of asking."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`settings` holds every option that decides which units a run asks; `digests` the files and parts it used.

    `address` says where the bot is, empty for one in process; `ceiling` is the rate it was found to bear;
    `target_file` is the path of the target file, as it was given. `gates`, `max_errors` and the number of
    `lost_answers` that rings are what the end is checked by, `judge` what decides the verdicts; games have neither a
    share of errors nor a judge.
    """

    run: Name
    target: Name
    started: str
    seed: int
    settings: JsonObject
    digests: dict[str, str]
    command: list[str] = []
    botattack: str = ""
    address: str = ""
    ceiling: float | None = None
    target_file: str = ""
    gates: tuple[HeldGate, ...] = ()
    max_errors: float = MAX_ERRORS
    lost_answers: int = 1
    judge: JudgedBy = NOBODY
    format: int = FORMAT

    def __post_init__(self) -> None:
        """Raises ValueError for settings that are read and cannot be."""
        msgspec.convert(self.settings, _Settings)

    @property
    def is_night(self) -> bool:
        """Whether botattack nightly made it: only such recordings are ever deleted."""
        return self.command[:1] == [NIGHTLY]

    @property
    def is_shrunk(self) -> bool:
        """Whether botattack shrink or why made it: it asks parts of findings, so it is no run of any suite."""
        return self.command[:1] in ([SHRINK], [WHY])

    @property
    def suite(self) -> str:
        """The run whose variants a night asked again; empty for any other run."""
        return self._option("suite")

    @property
    def explained(self) -> str:
        """The run of whose failures this one asked the causes; empty for any other run."""
        return self._option("run") if self.command[:1] == [WHY] else ""

    def _option(self, name: str) -> str:
        options = [option for attack in self._settings.attacks.values() for option in attack.values()]
        return next((str(option[name]) for option in options if isinstance(option, dict) and name in option), "")

    @property
    def shard(self) -> tuple[int, int]:
        """The i-th of n parts of a run, from 1."""
        return self._settings.shard

    @property
    def refusals(self) -> tuple[str, ...]:
        """What the target file called refusals."""
        return self._settings.refusals

    @property
    def boilerplate(self) -> tuple[str, ...] | None:
        """What the target file called boilerplate; None if it said nothing of it."""
        return self._settings.boilerplate

    @property
    def learned(self) -> tuple[str, ...] | None:
        """What a night knew of it from its baseline, if it knew anything."""
        return self._settings.learned

    @property
    def _settings(self) -> _Settings:
        return msgspec.convert(self.settings, _Settings)


Part = Annotated[int, Meta(ge=1, le=1_000_000)]


class _Settings(msgspec.Struct, frozen=True):
    """The settings that something is done with; all others are only compared."""

    shard: tuple[Part, Part] = (1, 1)
    refusals: tuple[str, ...] = ()
    boilerplate: tuple[str, ...] | None = None
    learned: tuple[str, ...] | None = None
    repeat: Part = 1
    connection: JsonObject = {}
    attacks: dict[str, JsonObject] = {}

    def __post_init__(self) -> None:
        if self.shard[0] > self.shard[1]:
            raise ValueError("`settings.shard` names a part that is not there")


def write(folder: Path, manifest: Manifest) -> None:
    """Written whole or not at all."""
    write_whole(folder / NAME, msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n", private=True)


def _runs_in(folder: Path) -> str:
    """The newest runs in a folder of recordings, whose names begin with the time; empty if it has none."""
    found = sorted((path.parent for path in folder.glob(f"*/{NAME}")), reverse=True)[:NEWEST]
    return f"; name a run in it, the newest first: {', '.join(map(str, found))}" if found else ""


def read(folder: Path, *, games: bool = False) -> Manifest:
    """Raises RecordingError, naming the file, if it is missing, damaged or of another format, and if it is of
    `games` but should not be, or the other way round."""
    path = folder / NAME
    try:
        written = content(path, LARGEST)
        lines.refuse_format(path, written)
        manifest = msgspec.json.decode(written, type=Manifest)
    except FileNotFoundError:
        raise RecordingError(f"{folder} is not a recording: it has no {NAME}{_runs_in(folder)}") from None
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordingError(f"{path} cannot be read: {error}") from None
    if games != (GAMES in manifest.settings):
        what = "contains no games; see 'botattack replay'" if games else "contains games; see 'botattack play --replay'"
        raise RecordingError(f"{folder} {what}")
    return manifest


def recorded_in(
    folder: Path, left_out: Callable[[RecordingError], None] = lambda _: None
) -> list[tuple[Path, Manifest]]:
    """The recordings of a folder, oldest first; `left_out` hears why one cannot be read."""
    found = []
    for path in sorted(folder.glob(f"*/{NAME}")):
        try:
            found.append((path.parent, read(path.parent)))
        except RecordingError as error:
            left_out(error)
    return sorted(found, key=lambda each: (each[1].started, (each[0] / NAME).stat().st_mtime_ns))


def refuse_part(folder: Path) -> None:
    """Raises RecordingError for the recording of one lease of a run on several workers: it is deleted once it is
    merged, and marks, figures and gates are of the whole."""
    whole = folder.resolve().parent.parent
    if folder.resolve().parent.name == LEASES and (whole / NAME).is_file():
        raise RecordingError(f"{folder} is a part of the run {whole}; name that run")


def refuse_difference(old: Manifest, new: Manifest, cannot: str = "") -> None:
    """A resumed run is the same run: raises RecordingError, naming the first thing that differs."""
    if not cannot and old.is_night != new.is_night:
        what, by = ("a night", "botattack nightly") if old.is_night else ("no night", "botattack run")
        raise RecordingError(f"cannot resume {old.run}: it is {what}; continue it with {by} … --resume")
    cannot = cannot or f"cannot resume {old.run}"
    refuse_connection(old, new, cannot)
    for name, was, now in _differences(_decisive(old), _decisive(new)):
        raise RecordingError(
            f"{cannot}: {name} was {_shown(was)} and is now {_shown(now)}; start a new run, or set it back"
        )


def refuse_connection(old: Manifest, new: Manifest, cannot: str) -> None:
    """Two ways of asking are two bots: raises RecordingError, naming the first place that differs."""
    before, now = old.settings.get(CONNECTION), new.settings.get(CONNECTION)
    for place, was, _ in _differences(before, now) if old.target == new.target else ():
        changed = "is not what it was" if was else "was not there"
        raise RecordingError(
            f"{cannot}: {place} in {new.target_file or 'the target file'} {changed}, and answers to two ways of asking "
            "must not be mixed; start a new run, or set it back"
        )


def _decisive(made: Manifest) -> dict[str, object]:
    settings = {name: value for name, value in made.settings.items() if name != CONNECTION}
    return {"target": made.target, "seed": made.seed, **settings, "resources": made.digests}


def _differences(old: object, new: object, name: str = "") -> Iterator[tuple[str, object, object]]:
    """Dotted names with the values before and after; None for what is not there."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            yield from _differences(old.get(key), new.get(key), f"{name}.{key}" if name else key)
    elif old != new:
        yield name, old, new


def _shown(value: object) -> str:
    return "not set" if value is None else repr(value)


def known_ceiling(recordings: Path, target: str, address: str) -> float | None:
    """The rate that this bot was found to bear in the newest recording that says so, of the last few."""
    folders = sorted(recordings.glob(f"*-{target}-*/{NAME}"), reverse=True)[:LOOKED_AT] if address else []
    for path in folders:
        with suppress(RecordingError):
            made = read(path.parent)
            if made.ceiling is not None and (made.target, made.address) == (target, address):
                return made.ceiling
    return None
