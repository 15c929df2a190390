"""A recording of every kind of bot gives the figures of its run: replayed, extracted again, resumed whole or cut."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from botattack.targets.browser.launch import SYSTEM
from tests.recordings import kinds
from tests.recordings.kinds import KINDS, RAW, campaign, copied, recorded
from tests.servers.ferry import ferry

BROWSER = pytest.param(
    "browser",
    marks=[pytest.mark.live, pytest.mark.skipif(not any(map(shutil.which, SYSTEM)), reason="there is no Chromium")],
)
ALL = [
    *(pytest.param(name, marks=pytest.mark.slow) if name in ("alice", "search") else name for name in KINDS),
    BROWSER,
]
NOBODY = 1009
"""The port of the bots where none of them may be asked; of four digits, as what is shorter is not masked."""
REQUESTS = frozenset(("requests", "first_success", "seconds"))


def without(figures: Any, left_out: frozenset[str] = frozenset(("seconds",))) -> Any:
    """A command that adds nothing still takes time."""
    if not isinstance(figures, dict):
        return figures
    return {key: without(value, left_out) for key, value in figures.items() if key not in left_out}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_a_replay_gives_the_figures_of_the_run(name: str, tmp_path: Path) -> None:
    folder, figures = recorded(name)
    assert figures["questions"]["asked"] > 3
    assert kinds.figures(tmp_path, NOBODY, "replay", folder) == figures


@pytest.mark.slow
@pytest.mark.parametrize("name", RAW)
def test_so_do_replies_that_are_extracted_again(name: str, tmp_path: Path) -> None:
    folder, figures = recorded(name)
    again = "--reextract", "--allow-code", "-t", kinds.CAMPAIGNS / f"{name}-bot.yaml"
    assert kinds.figures(tmp_path, NOBODY, "replay", folder, *again) == figures


@pytest.mark.parametrize("name", ALL)
@pytest.mark.slow
def test_so_does_a_run_that_is_resumed_although_it_ended(name: str, tmp_path: Path) -> None:
    copy = copied(name, tmp_path / "copy")
    found = kinds.figures(tmp_path, NOBODY, *campaign(name), "--resume", copy)
    assert without(found) == without(recorded(name)[1])


@pytest.mark.parametrize("name", ["openai", "errors", "opinions", "deutsch"])
@pytest.mark.slow
def test_so_does_the_first_half_that_is_resumed(name: str, tmp_path: Path) -> None:
    (_, figures), copy = recorded(name), copied(name, tmp_path / "copy")
    lines = (copy / "events.jsonl").read_bytes().splitlines(keepends=True)
    (copy / "events.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    with ferry() as bot:
        found = kinds.figures(tmp_path, bot.port, *campaign(name), "--resume", copy)
    assert without(found, REQUESTS) == without(figures, REQUESTS)
