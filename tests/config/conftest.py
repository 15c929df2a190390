"""A folder to write configuration files into, as the current one, so that messages hold short names."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from botattack.config.target import TargetConfig, load_target

TODAY = date(2026, 11, 20)
ADDRESSES = {"localhost": ("127.0.0.1", "::1"), "127.0.0.1": ("127.0.0.1",), "::1": ("::1",)}


def resolve(host: str) -> tuple[str, ...]:
    """A name service of the tests' own: nothing leaves this machine."""
    known = {**ADDRESSES, "bot.example": ("192.0.2.7",), "mixed.example": ("127.0.0.1", "192.0.2.7")}
    if host not in known:
        raise OSError("Name or service not known")
    return known[host]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    monkeypatch.chdir(tmp_path)

    def write(name: str, text: str) -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        return path

    return write


@pytest.fixture
def allowed() -> dict[str, Any]:
    """What `load_target` takes beside the path: nothing set, a known day, our own name service."""
    return {"environ": {}, "today": TODAY, "resolve": resolve}


@pytest.fixture
def read_target(allowed: dict[str, Any]) -> Callable[..., TargetConfig]:
    def read(path: Path, environ: dict[str, str] | None = None, **changed: Any) -> TargetConfig:
        return load_target(path, **{**allowed, "environ": environ or {}, **changed})

    return read
