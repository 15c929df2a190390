"""Dialogues on bots that others wrote: they answer them right, and the same on two nights."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.bots import LiveBot
from tests.live.test_live_campaigns import run

pytestmark = pytest.mark.live
# Limits are small: a dialogue is drawn like any other, and each costs as much again on the second night.
ROOT = Path(__file__).parents[2]
DIALOGUES = ROOT / "campaigns" / "conversations" / "dialogues"
ATTACKS = ("-a", "are-you-sure", "-a", "topic-shift")


def test_nlpjs_fills_its_slots_over_turns_and_the_figures_are_the_same_again(ferry: LiveBot, tmp_path: Path) -> None:
    flags = ("-t", ferry.target_file("nlpjs", tmp_path), "-q", DIALOGUES / "ferry.yaml", *ATTACKS, "--limit", "12")
    figures = run(tmp_path / "one", *flags)
    assert figures["questions"]["kept"] == 12
    assert figures["attacks"]["unchanged"]["gold"]["success"] == 0
    assert figures["attacks"]["are-you-sure"]["gold"]["success"] == 0
    assert figures["attacks"]["topic-shift"]["gold"]["success"] > 6, "chatter fills its slots"
    assert run(tmp_path / "two", *flags, "-j", "1") == figures


def test_what_alice_is_told_she_knows_and_the_figures_are_the_same_again(tmp_path: Path) -> None:
    flags = ("-t", ROOT / "targets" / "bots" / "alice.yaml", "-q", DIALOGUES / "alice.yaml", *ATTACKS, "--limit", "20")
    figures = run(tmp_path / "one", *flags)
    assert figures["questions"]["kept"] >= 18
    assert run(tmp_path / "two", *flags, "-j", "1") == figures
