"""Failures by cause in words: what was changed, what the bot did, and how often it did so."""

from __future__ import annotations

from collections.abc import Mapping

from botattack.report.escape import visible
from botattack.report.figures.causes import Cause, Part, Wrong
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.whereabouts import MIXED
from botattack.report.wording.diagnoses import role
from botattack.report.wording.families import FAMILIES, VERDICTS
from botattack.report.wording.headlines import plain

SHOWN = 5
"""Causes that plain text shows, of those with more failures than the one example."""
WRONG: Mapping[Wrong, str] = {
    "refused": VERDICTS["refused"],
    "empty": "empty reply",
    "planted": "planted answer",
    "changed": "changed its answer",
    "unnoticed": FAMILIES["different"].broke,
    "answered": FAMILIES["declines"].broke,
    "wrong": VERDICTS["wrong"],
}
TOLD = (
    "“18 of 20 like this” means: the same attack changed the same part of a question in 20 variants that could be "
    "graded, and the bot did the same wrong in 18. Each cause has one example, the most frequent first."
)


def shown(figures: Figures) -> list[Cause]:
    """The causes that plain text lists."""
    return [cause for cause in figures.causes if cause.broken > 1][:SHOWN]


def like_this(cause: Cause) -> str:
    """`18 of 20 like this`"""
    return f"{cause.broken:,} of {cause.rated:,} like this"


def part(changed: Part) -> str:
    """`subject`, `added passage`, `typo`; empty if nothing is known of it."""
    if changed.name == MIXED:
        return "several parts"
    return role(changed.name) if changed.by == "relation" else visible(changed.name)


def title(cause: Cause) -> str:
    """`Typos, subject: did not answer`"""
    changed = part(cause.part)
    return f"{plain(cause.attack)}{f', {changed}' if changed else ''}: {WRONG[cause.wrong]}"
