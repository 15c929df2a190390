"""Marks of people in the figures of a run."""

from __future__ import annotations

import pytest

from botattack.events import Mark, TriageRead
from botattack.report.figures.metrics import figures_of
from tests.report.streams import RUN, ended, started


@pytest.mark.parametrize(
    ("of", "newer"),
    [
        (RUN, True),
        ("20261120T115959Z-alice-ffff", True),
        ("20261120T120000Z-alice-ffff", True),
        ("20261120T120000Z-alice-0000", True),
        ("20261120T120001Z-alice-0000", False),
    ],
)
def test_what_is_drawn_in_the_id_of_a_run_makes_it_no_newer(of: str, newer: bool) -> None:
    marks = {"b19eabe60000.0": Mark("accepted", "known", run=of)}

    (mark,) = figures_of([started(1), TriageRead(at=0.0, marks=marks), ended()]).marks

    assert mark.newer == newer
