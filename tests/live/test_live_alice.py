"""ALICE, in this process, through her own target file."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from botattack.config.target import load_target
from tests.targets.asking import Tally, ask

pytestmark = [pytest.mark.live, pytest.mark.anyio]


async def test_she_knows_a_capital_and_not_its_typo_and_every_request_is_counted() -> None:
    target = load_target(
        Path(__file__).parents[2] / "targets" / "bots" / "alice.yaml", environ={}, today=date(2026, 1, 1)
    ).open()
    tally = Tally()
    try:
        right = await ask(target, "What is the capital of France?", tally)
        wrong = await ask(target, "What is the captial of France?", tally)
    finally:
        await target.close()
    assert "Paris" in right.text
    assert "Paris" not in wrong.text
    assert tally.left == 2
