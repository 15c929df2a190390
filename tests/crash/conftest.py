"""The tests' own attack is beside the built-in ones while a test lasts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from botattack import registry


@pytest.fixture(autouse=True)
def climb(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(registry.BUILT_IN["attacks"], "climb", "tests.crash.climb:Climb")
    registry.names.cache_clear()
    yield
    registry.names.cache_clear()
