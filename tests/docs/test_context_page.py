"""The page on attacks on passages: it says what was measured, and no direction of too few questions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import botattack
from benchmarks.measured import context_figures, context_pages
from benchmarks.measured.measure import HERE, ON_PASSAGES, ROOT, asking, campaigns, kept
from tests.report.test_sources import ATTACKS, ROOMS, attentive, question


def test_the_page_says_what_is_kept(tmp_path: Path) -> None:
    context_pages.write(kept(), tmp_path)
    page = (tmp_path / "context-measured.md").read_text("utf-8")
    assert page == (HERE / "context-measured.md").read_text("utf-8")
    for name in ON_PASSAGES:
        assert name not in kept() or f"| {context_pages.BOTS[name.rpartition('-')[2]]}" in page


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([[0.2, 0.1, 0.3], 40], "holds"),
        ([[-0.2, -0.3, -0.1], 40], "the opposite holds"),
        ([[0.1, -0.1, 0.3], 40], "unclear"),
        ([[0.0, 0.0, 0.0], 40], "no difference at all"),
        ([[0.2, 0.1, 0.3], 19], "too few questions"),
        ([None, 40], "too few questions"),
    ],
)
def test_what_is_said_of_a_direction(found: list[Any], said: str) -> None:
    assert context_pages._verdict({"F1": found[0], "questions": found[1]}).startswith(said)


@pytest.mark.slow
def test_figures_of_a_recording(tmp_path: Path) -> None:
    questions = [question(number, room) for number, room in enumerate(ROOMS)]
    result = botattack.run(botattack.campaign(attentive, questions, ATTACKS, seed=7, filter="all"), recordings=tmp_path)
    found = context_figures.measured(result.recording, result.figures, lambda one, other: None)
    assert found["kinds"] == {"even": 12, "odd": 12}
    distractor = found["by attack"]["distractor"]
    assert distractor["measures"]["cites the distractor"][:2] == [0.0, 24]
    assert distractor["measures"]["joint F1 after"][:2] == [1.0, 24]
    assert found["compared"] == found["F1 by requests"] == {}


@pytest.mark.parametrize("name", ON_PASSAGES)
def test_a_campaign_is_asked_of_each_bot_it_is_for(name: str, tmp_path: Path) -> None:
    path = tmp_path / campaigns()[name].name
    path.write_text(campaigns()[name].read_text("utf-8"), "utf-8")
    (target,) = re.findall(r"^target: (.*)$", asking(path, name).read_text("utf-8"), re.MULTILINE)
    assert (ROOT / "campaigns" / target).is_file()
