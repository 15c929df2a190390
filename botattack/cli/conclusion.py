"""The exit status of a run that nothing stopped: whether it could attack at all, and whether its gates held."""

from __future__ import annotations

from botattack.config.campaign import CampaignConfig
from botattack.engine.run import Ending
from botattack.report.figures import Figures
from botattack.report.gates import Gates


def conclude(campaign: CampaignConfig, figures: Figures, gates: Gates) -> Ending:
    """0 where everything held; else 1 and the reasons."""
    questions = figures.questions
    if questions.kept == 0:
        return Ending(1, f"no question left to attack: of {questions.asked} asked, the bot answered none rightly")
    if gates.failed > campaign.max_errors * gates.asked:
        return Ending(
            1, f"{gates.failed} of {gates.asked} askings failed, more than max_errors ({campaign.max_errors:.0%})"
        )
    broken = gates.broken(campaign.gates, figures)
    return Ending(1, "; ".join(broken)) if broken else Ending(0, "all held")
