"""`run.json`: what a run was made of, written before its first event and compared on resume."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from botattack.errors import RecordingError
from botattack.events import FORMAT

NAME = "run.json"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`settings` holds every option that decides which units a run asks; `digests` the files and parts it used."""

    run: str
    target: str
    started: str
    seed: int
    settings: dict[str, Any]
    digests: dict[str, str]
    command: list[str] = []
    botattack: str = ""
    format: int = FORMAT


def write(folder: Path, manifest: Manifest) -> None:
    """Written whole or not at all."""
    draft = folder / (NAME + ".part")
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    draft.replace(folder / NAME)


def read(folder: Path) -> Manifest:
    """Raises RecordingError, naming the file, where it is missing, damaged or from a newer botattack."""
    path = folder / NAME
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise RecordingError(f"{folder} is not a recording: it has no {NAME}") from None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RecordingError(f"{path} cannot be read: {error}") from None
    if manifest.format > FORMAT:
        raise RecordingError(f"{path} was written by a newer botattack (format {manifest.format}); upgrade to read it")
    return manifest


def refuse_difference(old: Manifest, new: Manifest) -> None:
    """A resumed run is the same run: raises RecordingError, naming the first thing that differs."""
    before: dict[str, Any] = {"target": old.target, "seed": old.seed, **old.settings, **old.digests}
    after: dict[str, Any] = {"target": new.target, "seed": new.seed, **new.settings, **new.digests}
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            raise RecordingError(
                f"cannot resume {old.run}: {name} was {before.get(name)!r} and is now {after.get(name)!r}; "
                "start a new run, or set it back"
            )
