"""The result of a recording as of today: judged again, and concluded without what was marked since."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from botattack.audit.conclusion import ended_today
from botattack.audit.replays.replaying import Today
from botattack.audit.result import Result
from botattack.events import AnyEvent
from botattack.recordings.reader import events
from botattack.recordings.triage import beside, with_marks
from botattack.report.comparison.changed import Changes, paired
from botattack.report.writers.material import material


def replayed(recording: Path, as_of: Today) -> tuple[Result, Changes]:
    """The result of a recording as of today, and the verdicts that changed since, marked ones among them."""
    changes, fresh, triage = Changes(), [True], beside(recording)

    def told() -> Iterator[AnyEvent]:
        """As often as they are asked for; what changed is noted the first time."""
        noting = bool(fresh and fresh.pop())
        for was, now in paired(events(recording), as_of.again):
            if noting:
                changes.update(was, now)
            yield now

    found = material(lambda: with_marks(told(), triage), str(recording))
    figures = ended_today(recording, found)
    return Result(figures, found.findings, recording, tuple(changes.found), events=found.events), changes
