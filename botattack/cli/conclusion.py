"""The exit status of a run that nothing stopped: whether it could attack at all, and whether its gates held."""

from __future__ import annotations

from pathlib import Path

from botattack.config.campaign import CampaignConfig
from botattack.engine.run import Ending
from botattack.recordings import baseline as baselines
from botattack.recordings.reader import events
from botattack.report.figures import Figures
from botattack.report.gates import Gates
from botattack.report.metrics import figures_of


def conclude(campaign: CampaignConfig, figures: Figures, gates: Gates, recordings: Path) -> Ending:
    """0 where everything held; else 1 and the reasons. `drop_at_most` is held against the baseline of the target."""
    questions = figures.questions
    if questions.kept == 0:
        return Ending(1, f"no question left to attack: of {questions.asked} asked, the bot answered none rightly")
    if gates.failed > campaign.max_errors * gates.asked:
        return Ending(
            1, f"{gates.failed} of {gates.asked} askings failed, more than max_errors ({campaign.max_errors:.0%})"
        )
    compares = any(gate.drop_at_most is not None for gate in campaign.gates)
    baseline = _baseline(recordings, campaign.target.name) if compares else None
    broken = gates.broken(campaign.gates, figures, baseline)
    if broken:
        return Ending(1, "; ".join(broken))
    if compares and baseline is None:
        return Ending(0, "all held; drop_at_most has no baseline yet: pin one with botattack baseline set")
    return Ending(0, "all gates held" if campaign.gates else "finished; no gate is set")


def _baseline(recordings: Path, target: str) -> Figures | None:
    found = baselines.read(recordings, target)
    return figures_of(events(found.folder(recordings))) if found else None
