"""Today's extraction for `replay --reextract`: the target file is read; nothing of it is asked or looked up, and
nothing run but a function of its own that finds answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from botattack.config.target import TargetConfig, load_target
from botattack.errors import BotattackError, RecordingError, TargetError
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


def target_of(made: Manifest, given: Path | None, *, allow_code: bool) -> TargetConfig:
    """The target file as it is today. Raises RecordingError where nobody says which it is, or it is another bot's, and
    what `load_target` raises."""
    path = given or (Path(made.target_file) if made.target_file else None)
    if path is None or not path.is_file():
        where = f"{path} is not there" if path else "this recording does not say which target file it was made with"
        raise RecordingError(f"{where}: name it with --target FILE")
    target = load_target(
        path,
        environ=_Unset(),
        today=datetime.now(UTC).date(),
        allow_code=allow_code,
        resolve=lambda _: [LOOPBACK],
    )
    if target.name != made.target:
        raise RecordingError(
            f"{path} is {target.name!r}, and this recording is of {made.target!r}; "
            f"name the file of that bot with --target, or add name: {made.target} to this one"
        )
    return target


class Extractor:
    """Reads raw replies as the target file says, and notes whether that ever succeeds.

    Raises RecordingError for a kind of bot that keeps none.
    """

    def __init__(self, target: TargetConfig) -> None:
        extract = target.options.extractor(target.path.parent)
        if extract is None:
            raise RecordingError(f"replies of a {target.kind} bot cannot be extracted again")
        self._target = target
        self._extract: Callable[[str], Reply] = extract
        self._read = False
        self._failure: BotattackError | None = None

    def __call__(self, raw: str) -> Reply:
        try:
            reply = self._extract(raw)
        except BotattackError as error:
            self._failure = error
            raise
        self._read = True
        return reply

    def check(self) -> None:
        """Raises RecordingError, with the place in the target file, where no reply could be read."""
        if self._failure is None or self._read:
            return
        place = self._failure.place if isinstance(self._failure, TargetError) else ""
        where = f"{self._target.where(place)}: {place}" if place else str(self._target.path)
        raise RecordingError(f"no reply of this recording can be read as {where} says; the last: {self._failure}")
