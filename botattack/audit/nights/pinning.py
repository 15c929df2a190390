"""Makes a recorded run the baseline of its target."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from botattack.errors import RecordingError
from botattack.events import QuestionOpened, RunStarted
from botattack.recordings import baseline as baselines
from botattack.recordings import manifest
from botattack.recordings.baseline import Baseline
from botattack.recordings.reader import events
from botattack.recordings.suite import suite_of
from botattack.recordings.triage import marked_events
from botattack.report.comparison.lost import lost_answers
from botattack.report.comparison.sides import Side, side_of
from botattack.report.escape import flowing, visible
from botattack.report.figures.metrics import Metrics
from botattack.report.numbers import count
from botattack.report.wording.commands import command


class LosesAnswers(RecordingError):
    """The old baseline was right where the run that is to replace it is wrong: no night would report that again."""


@dataclass(frozen=True)
class Pin:
    """A baseline that was set: its file and name, what it `replaces`, the gates that its own run fails, and of how many
    originals the judge was `unsure`."""

    path: Path
    name: str
    baseline: Baseline
    replaces: str
    failed: tuple[str, ...]
    unsure: int

    def warnings(self) -> Iterator[str]:
        """What whoever sets it must know, a sentence each."""
        if self.replaces:
            yield f"replaces {self.replaces}"
        if self.unsure:
            settle = command("nightly", "baseline", "settle", str(self.path.parent.parent / self.baseline.recording))
            yield f"the judge was unsure of {count(self.unsure, 'original')}: read and grade them with {settle}"
        if self.failed:
            yield (
                f"this run fails {len(self.failed)} of its gates, and so will every night, until the cause is gone or "
                f"the campaign's gates are changed: {visible('; '.join(self.failed), None)}"
            )


def refuse_parts(recording: Path, therefore: str) -> None:
    """Raises RecordingError for a run that only asked further about failures of another."""
    started = next((event for event in events(recording) if isinstance(event, RunStarted)), None)
    if started and (of := started.shrinks or started.whys):
        raise RecordingError(
            f"{recording} was made by botattack shrink or why: it asked only parts of what broke in "
            f"{visible(of.run)}, {therefore} a run of botattack run or nightly"
        )


def pin(recording: Path, name: str = "", beside: Path | None = None, *, agreed: bool = False) -> Pin:
    """Writes the file of the baseline; raises RecordingError if the run did not end, or if no night can repeat it, and
    LosesAnswers unless that is `agreed`. `beside` is the folder of baselines, if that is not the recording's own."""
    made, side, metrics = manifest.read(recording), Side(), Metrics()
    texts = dict[str, str]()
    refuse_parts(recording, "which no night can repeat. Set")
    for event in marked_events(recording):
        side.update(event)
        metrics.update(event)
        if isinstance(event, QuestionOpened):
            texts[event.question.id] = event.question.text
    if side.ended is None or side.ended.exit not in (0, 1):
        command = "nightly" if made.is_night else "run"
        raise RecordingError(f"{recording} did not finish: continue it first with botattack {command} … --resume")
    suite, folder = suite_of(events(recording)), recording.resolve()
    recordings = beside.resolve() if beside else folder.parent
    called = name or made.target
    if not agreed and (lost := _lost(recordings, called, side)):
        named = ", ".join(f"“{flowing(texts.get(question, question), 100)}”" for question in lost[:5])
        more = f" and {len(lost) - 5:,} more" if len(lost) > 5 else ""
        raise LosesAnswers(
            f"{recording} lost {count(len(lost), 'answer')} that the baseline {called} has. As the baseline, it would "
            f"hide that from every night to come: {named}{more}"
        )
    found = Baseline(
        run=made.run,
        target=made.target,
        recording=folder.name if folder.parent == recordings else str(folder),
        since=datetime.now(UTC).isoformat(timespec="seconds"),
        questions=len(suite),
        variants=suite.variants,
    )
    replaces = _replaced(recordings, called)
    # A drop counts from the baseline: nights are compared with this run, not with what it was compared with.
    failed = tuple(gate.sentence for gate in metrics.value().gates if gate.failed and gate.bound != "drop_at_most")
    unsure = sum(seen.standing == "unsure" for seen in side.questions.values())
    return Pin(baselines.write(recordings, called, found), called, found, replaces, failed, unsure)


def _lost(recordings: Path, name: str, after: Side) -> tuple[str, ...]:
    """The ids of questions that the present baseline has right and this run wrong; none if nobody can say."""
    with suppress(RecordingError):
        if was := baselines.read(recordings, name):
            lost = lost_answers(side_of(marked_events(was.folder(recordings))), after)
            return lost.confirmed + lost.doubted
    return ()


def _replaced(recordings: Path, name: str) -> str:
    """`RUN (30 originals, 268 variants)`, or that nobody can say; empty if there was no baseline."""
    try:
        was = baselines.written(recordings, name)
    except RecordingError:
        return "a baseline whose file cannot be read"
    if was is None:
        return ""
    return f"{visible(was.run)} ({count(was.questions, 'original')}, {count(was.variants, 'variant')})"
