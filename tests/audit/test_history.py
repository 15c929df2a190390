"""Which runs asked the same, where there is no night."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from botattack.audit.nights.history import of_one_suite
from botattack.recordings.manifest import Manifest

SETTINGS = {"repeat": 1, "connection": {"url": "http://127.0.0.1:1"}, "shard": [1, 2]}
MADE = Manifest(run="a", target="bot", started="", seed=7, settings=SETTINGS, digests={"questions": "q"})


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({}, True),
        ({"command": ["botattack", "run"], "started": "2026-11-02", "ceiling": 3.0, "max_errors": 0.5}, True),
        ({"settings": SETTINGS | {"connection": {"url": "http://127.0.0.1:2"}}}, True),
        ({"settings": SETTINGS | {"shard": [2, 2]}}, True),
        ({"settings": SETTINGS | {"repeat": 2}}, False),
        ({"seed": 8}, False),
        ({"digests": {"questions": "other"}}, False),
    ],
    ids=["itself", "how it was called", "address", "shard", "setting", "seed", "questions"],
)
def test_runs_that_were_set_up_like_the_newest_asked_the_same(changed: dict[str, Any], same: bool) -> None:
    older, newest = (Path("older"), replace(MADE, **changed)), (Path("newest"), MADE)
    assert of_one_suite([older, newest]) == [older, newest][not same :]
