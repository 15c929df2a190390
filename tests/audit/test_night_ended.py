"""How a night ended, and whether it can be continued."""

from __future__ import annotations

from pathlib import Path

import pytest

from botattack.audit.nights.night import Night
from botattack.events import Standing
from botattack.report.figures.metrics import figures_of
from tests.report.streams import Asking, ended, stream


@pytest.mark.parametrize(
    ("status", "standings", "resumable"),
    [
        (0, ("kept",), False),
        (1, ("kept",), False),
        (4, ("error",), True),
        (130, ("error",), True),
        (3, ("error", "error"), False),  # nothing was answered: the bot was never there
        (3, ("kept", "error"), True),
    ],
)
def test_a_night_that_was_cut_short_can_be_continued(
    status: int, standings: tuple[Standing, ...], *, resumable: bool
) -> None:
    figures = figures_of(stream([Asking(f"w{n}", standing=one) for n, one in enumerate(standings)], end=ended()))
    assert Night("bot", status, "why", Path("run"), figures).resumable is resumable
    assert not Night("bot", status, "why", None, figures).resumable
