"""Pages are asked with the machine's own Chromium; without one, these tests say so and are skipped.

Where what a page shows matters, and not what it may reach, Chromium's headless shell asks, if there is one: a new
context costs it less than half. `tests/live` and `tests/cli` ask pages with the whole Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botattack.targets.browser.browser_kind import Browser
from botattack.targets.browser.browser_target import BrowserTarget
from botattack.targets.browser.launch import SYSTEM
from tests.targets.asking import options

Make = Callable[..., BrowserTarget]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def chromium() -> str:
    found = next((path for name in SYSTEM if (path := shutil.which(name))), "")
    if not found:
        pytest.skip("no Chromium on this machine")
    return found


@pytest.fixture(scope="session")
def shell(chromium: str) -> str:
    return shutil.which("chromium-headless-shell") or chromium


@pytest.fixture
def shell_found(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Chromium is looked for, the shell is found."""
    (folder := tmp_path / "programs").mkdir()
    (folder / "chromium").symlink_to(shell)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
async def made(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anyio_backend: str) -> Any:
    """Makes targets for pages, and closes them."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "state"))
    targets: list[BrowserTarget] = []

    def make(url: str, env: dict[str, str] | None = None, **connect: Any) -> BrowserTarget:
        if "browser" not in connect:
            connect = {"executable": shell} | connect
        targets.append(options(Browser, described(url, **connect)).target("page", env or {}, tmp_path))
        return targets[-1]

    yield make
    for target in targets:
        await target.close()


def described(url: str, **connect: Any) -> dict[str, Any]:
    """A target for the pages of tests.servers.pages, unless `connect` says otherwise; None leaves a key of `settled`
    to its default."""
    tree: dict[str, Any] = {
        "open": [{"goto": url}],
        "ask": [{"fill": "#box", "with": "{{ question }}"}, {"press": "Enter"}],
        "answer": ".bot",
        "settled": {"quiet": "300ms", "linger": "0s", "timeout": "25s"},
        "step_timeout": "20s",
    }
    settled = tree["settled"] | connect.pop("settled", {})
    return tree | {"settled": {key: value for key, value in settled.items() if value is not None}} | connect
