"""The folder of a hardening: two recordings, the training set between them, and how far it has come."""

from __future__ import annotations

import secrets
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from botattack.config.campaign import CampaignConfig
from botattack.config.run_keys import HardenKeys
from botattack.errors import RecordingError
from botattack.options import JsonObject
from botattack.recordings import manifest, stored
from botattack.recordings.locks import alone
from botattack.report.comparison.hardened import Training

NAME, LOCK = "hardening.json", ".lock"
LARGEST = 1_000_000
"""Bytes of that file."""
ENDINGS = {"squad": ".json", "nlpjs": ".json", "rasa": ".yml"}
"""How the name of a training set ends, if not in .jsonl."""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a hardening has come. `settings` say how its training set is made, and `questions` how many there are,
    with their digest; `seconds` is how long retraining took, None before it is done."""

    target: str
    settings: JsonObject
    questions: str = ""
    training: Training | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class HardenFolder:
    """Where everything of a hardening is."""

    path: Path
    kind: str

    @property
    def before(self) -> Path:
        return self.path / "before"

    @property
    def after(self) -> Path:
        return self.path / "after"

    @property
    def training_set(self) -> Path:
        """Absolute: the command that reads it starts elsewhere. The last part may be a link, which is replaced."""
        return self.path.resolve() / f"training-set{ENDINGS.get(self.kind, '.jsonl')}"

    def locked(self) -> AbstractContextManager[None]:
        """Raises RecordingError if another process is at it, as two would train one bot at once."""
        return alone(self.path / LOCK, f"{self.path}: another botattack continues this hardening; wait for it")

    def read(self) -> Progress:
        """Raises RecordingError if this is not the folder of a hardening."""
        found = stored.read(self.path / NAME, Progress, LARGEST)
        if found is None:
            raise RecordingError(f"{self.path} is no hardening: it has no {NAME}; name the folder it printed")
        return found

    def write(self, progress: Progress) -> Progress:
        stored.write(self.path / NAME, progress)
        return progress


def opened(
    campaign: CampaignConfig, keys: HardenKeys, questions: str, recordings: Path, resume: Path | None
) -> HardenFolder:
    """The folder to continue, or a new one. Raises RecordingError if it is of another hardening."""
    target, settings = campaign.target.name, settings_of(keys)
    if resume is None:
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{target}-harden-{secrets.token_hex(4)}"
        folder = HardenFolder(recordings / name, keys.for_)
        try:
            folder.path.mkdir(parents=True, mode=0o700)
            folder.write(Progress(target=target, settings=settings, questions=questions))
        except OSError as error:
            raise RecordingError(f"{folder.path}: the folder cannot be made: {error.strerror}") from None
        return folder
    folder = HardenFolder(resume, keys.for_)
    old = folder.read()
    kept = [(f"harden.{key}", old.settings.get(key), now) for key, now in settings.items()]
    for what, was, now in (("target", old.target, target), *kept):
        if was != now:
            raise RecordingError(
                f"{resume} cannot be continued: {what} was {_shown(was)} and is now {_shown(now)}; set it back, "
                "or leave out --resume to start again"
            )
    if old.questions not in ("", questions):
        before, now = old.questions.partition(" ")[0], questions.partition(" ")[0]
        raise RecordingError(
            f"{resume} cannot be continued: it began with {before} questions, and {campaign.questions.file} now has "
            f"others ({now}); put the file back as it was, or leave out --resume to start again"
        )
    return folder


def _shown(value: object) -> str:
    """A value as a YAML file has it."""
    return "not given" if value is None else str(msgspec.json.encode(value), "utf-8")


def settings_of(keys: HardenKeys) -> dict[str, object]:
    """What decides the training set; the command may change, as one that failed must be fixed."""
    ours = {"share": keys.share, "per_attack": keys.per_attack, "originals": keys.originals, "lang": keys.lang}
    return {"for": keys.for_, **ours}


def resumed(recording: Path) -> Path | None:
    """A recording that has begun."""
    return recording if (recording / manifest.NAME).exists() else None
