"""Today's extraction for `replay --reextract`: the target file is read; nothing of it is run, asked or looked up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from botattack.config.target import TargetConfig, load_target
from botattack.errors import RecordingError
from botattack.model import Reply
from botattack.recordings.manifest import Manifest

LOOPBACK = "127.0.0.1"


class _Unset(dict[str, str]):
    """An environment in which every name is set: no secret is needed to read recorded replies."""

    def get(self, name: str, default: object = None) -> str:
        del name, default
        return "x"

    def __missing__(self, name: str) -> str:
        return "x"


def target_of(made: Manifest, given: Path | None) -> TargetConfig:
    """The target file as it is today; raises RecordingError where nobody says which it is, or it is another bot's."""
    path = given or (Path(made.target_file) if made.target_file else None)
    if path is None or not path.is_file():
        where = f"{path} is not there" if path else "this recording does not say which target file it was made with"
        raise RecordingError(f"{where}: name it with --target FILE")
    target = load_target(
        path,
        environ=_Unset(),
        today=datetime.now(UTC).date(),
        allow_code=True,
        resolve=lambda _: [LOOPBACK],
    )
    if target.name != made.target:
        raise RecordingError(f"{path} is {target.name!r}, and this recording is of {made.target!r}")
    return target


def extractor(target: TargetConfig) -> Callable[[str], Reply]:
    """Reads raw replies as the target file says; raises RecordingError for a kind of bot that keeps none."""
    make = getattr(target.options, "extractor", None)
    if make is None:
        raise RecordingError(f"replies of a {target.kind} bot cannot be extracted again")
    extract: Callable[[str], Reply] = make(target.path.parent)
    return extract
