"""Why a night lost answers: some of them are asked about, in what is left of the campaign's budget."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path

from botattack.audit.conduct import conduct
from botattack.audit.explaining import ORIGINAL, WhySettings, job_of
from botattack.audit.job import RunSettings
from botattack.audit.stage import Stage
from botattack.config.campaign import CampaignConfig
from botattack.config.run_keys import Changes
from botattack.errors import RecordingError
from botattack.events import RunEnded
from botattack.limits import Budget
from botattack.recordings.reader import events
from botattack.report.figures.figure_values import Figures
from botattack.report.writers.material import write_report
from botattack.report.writers.text_files import write_causes

RECORDINGS = "why"
"""Where a night's folder keeps what was asked: it is deleted with the night."""


def reasons(folder: Path, campaign: CampaignConfig, each: int, lost: Collection[str]) -> Figures:
    """Asks about `each` of the lost answers, and writes `why.html` and `why.json` into the folder of the night. Raises
    RecordingError if nothing is left of the budget."""
    what = WhySettings(folder, each, (ORIGINAL,), frozenset(lost), allow_code=campaign.allow_code)
    settings = RunSettings(recordings=folder / RECORDINGS, command=("why", str(folder)))
    stage = Stage(job_of(what, settings, Changes(budget=_left(folder, campaign.budget))))
    conduct([stage])
    result = stage.result()
    write_report(folder / "why.html", result.material)
    write_causes(folder / "why.json", result.material)
    return result.figures


def _left(folder: Path, budget: Budget) -> str:
    """What the night has left of its budget, as a flag says it."""
    *_, ended = (event for event in events(folder) if isinstance(event, RunEnded))
    left = {name: most - getattr(ended, name) for name, most in asdict(budget).items() if most is not None}
    for name, more in left.items():
        if more <= 0:
            raise RecordingError(f"the night has used up its budget of {name}; raise it in the campaign")
    return ",".join(f"{name}={more}" for name, more in left.items())
