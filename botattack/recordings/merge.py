"""Shards of one run joined into the recording that one process would have made."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile
from typing import NamedTuple

import msgspec

from botattack import events
from botattack.engine.ending import Ending
from botattack.errors import RecordingError
from botattack.recordings import manifest, reader, sealing
from botattack.recordings.manifest import Manifest
from botattack.recordings.redaction import Redactor
from botattack.recordings.writer import Recorder

Conclude = Callable[[Manifest, Sequence[events.RunEnded]], Ending]
"""How the whole ends, by how the run was set up and how each process of each shard ended."""


def merge(
    folders: Sequence[Path],
    recordings: Path,
    conclude: Conclude,
    sinks: Sequence[Callable[[events.AnyEvent], None]] = (),
) -> Path:
    """Makes a recording of all shards of a run and gives its folder.

    `sinks` hear of its events, as those of a live run do; `conclude` is asked once they have heard of all but the end.
    Raises RecordingError if they are not of one run, one is missing or there twice, one has not ended, or is not
    what was sealed when it ended.
    """
    manifests = [manifest.read(folder) for folder in folders]
    _check(folders, manifests)
    frames = [frame_of(folder) for folder in folders]
    if wrong := [sentence for folder in folders for sentence in sealing.verify(folder).changed]:
        raise RecordingError(f"cannot merge: {wrong[0]}; copy the shard again from where it was recorded")
    run = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{manifests[0].target}-{secrets.token_hex(4)}"
    settings = {**manifests[0].settings, "shard": [1, 1]}
    whole = msgspec.structs.replace(
        manifests[0],
        run=run,
        settings=settings,
        started=min(one.started for one in manifests),
        command=[],
        ceiling=None,
    )
    folder = recordings / run
    try:
        folder.mkdir(parents=True, mode=0o700)
        if (folders[0] / manifest.WEIGHTS).is_file():
            copyfile(folders[0] / manifest.WEIGHTS, folder / manifest.WEIGHTS)
        manifest.write(folder, whole)
    except OSError as error:
        raise RecordingError(f"{folder}: the recording cannot be made: {error.strerror}") from None
    with Recorder(folder, Redactor(), sinks) as recorder:
        for event in joined(folders, frames, whole):
            recorder(event)
        several = [frame.ends for frame in frames]
        recorder(ended(several, conclude(whole, [end for ends in several for end in ends])))
    sealing.add(folder)
    return folder


def _check(folders: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    first = manifests[0]
    shards = [one.shard for one in manifests]
    for folder, other in zip(folders, manifests, strict=True):
        alike = msgspec.structs.replace(other, settings={**other.settings, "shard": first.settings.get("shard")})
        with_reason = f"cannot merge {folder.name} with {folders[0].name}"
        manifest.refuse_difference(first, alike, with_reason)
    parts = shards[0][1]
    missing = sorted(set(range(1, parts + 1)) - {shard[0] for shard in shards if shard[1] == parts})
    if missing:
        names = ", ".join(f"{part}/{parts}" for part in missing)
        raise RecordingError(f"cannot merge: shard {names} is missing")
    twice = [folder.name for folder, shard in zip(folders, shards, strict=True) if shards.count(shard) > 1]
    if twice:
        raise RecordingError(f"cannot merge: one shard is there twice; name one run of each: {', '.join(twice)}")


class Frame(NamedTuple):
    """How a shard began, how each of its processes ended, and what it was judged by."""

    start: events.RunStarted
    ends: list[events.RunEnded]
    known: events.BoilerplateKnown | None


def joined(
    folders: Sequence[Path], frames: Sequence[Frame], whole: Manifest, total: int | None = None
) -> Iterator[events.AnyEvent]:
    """The events of the whole but its end. Questions belong to one shard each, so that the events of one shard may
    follow those of another. `total` is the number of all questions where some shards have not begun."""
    starts = [frame.start for frame in frames]
    yield msgspec.structs.replace(
        starts[0],
        run=whole.run,
        started=whole.started,
        total=sum(start.total for start in starts) if total is None else total,
        gone=sum(start.gone for start in starts),
    )
    if known := [frame.known for frame in frames if frame.known]:
        # What the whole was judged by; that of each shard stands before its questions.
        sentences = dict.fromkeys(sentence for one in known for sentence in one.sentences)
        yield events.BoilerplateKnown(sentences=tuple(sentences), learnt_from=sum(one.learnt_from for one in known))
    skipped: set[str] = set()
    for folder in folders:
        for event in reader.events(folder):
            if isinstance(event, events.RunStarted | events.RunEnded | events.Paced) or event.key in skipped:
                continue
            if isinstance(event, events.RecordSkipped):
                # Each shard reads the whole file, and so the same bad records.
                skipped.add(event.key)
            yield event


def frame_of(folder: Path) -> Frame:
    """Raises RecordingError for a shard that has not ended: its figures would be wrong."""
    framing = Framing()
    for event in reader.events(folder):
        framing.update(event)
    return framing.frame(folder)


class Framing:
    """Makes the frame of a shard from its events; `update` takes each of them."""

    def __init__(self) -> None:
        self._start: events.RunStarted | None = None
        self._known: events.BoilerplateKnown | None = None
        self._ends: list[events.RunEnded] = []
        self._closed = 0
        self._after = False

    def update(self, event: events.AnyEvent) -> None:
        if isinstance(event, events.RunStarted):
            self._start = event
        elif isinstance(event, events.BoilerplateKnown):
            self._known = event
        elif isinstance(event, events.RunEnded):
            self._ends.append(event)
        elif isinstance(event, events.QuestionClosed):
            self._closed += 1
        self._after = isinstance(event, events.Asked) or (self._after and not isinstance(event, events.RunEnded))

    def frame(self, folder: Path, *, whole: bool = True) -> Frame:
        """Raises RecordingError if a shard that should be `whole` is not."""
        start = self._start
        if start is None or (whole and (self._after or not self._ends or self._closed < start.total)):
            raise RecordingError(f"{folder} has not ended: {self._closed} of its questions are done; --resume it first")
        return Frame(start, self._ends, self._known)


def ended(shards: Sequence[Sequence[events.RunEnded]], ending: Ending) -> events.RunEnded:
    """The end of the whole."""
    ends = [end for several in shards for end in several]
    return events.RunEnded(
        at=max((end.at for end in ends), default=0.0),
        exit=ending.exit,
        why=ending.why,
        gates=ending.gates,
        headline=ending.headline,
        seconds=max(sum(end.seconds for end in several) for several in shards),
        requests=sum(end.requests for end in ends),
        retried=sum(end.retried for end in ends),
        rate_limited=sum(end.rate_limited for end in ends),
        cost=round(sum(end.cost for end in ends), 9),
    )
