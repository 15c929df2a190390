"""Tests here are coroutines, run by anyio's plugin (httpx depends on it) on asyncio."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
