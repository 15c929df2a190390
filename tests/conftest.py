"""What every test may ask for."""

from __future__ import annotations

import gc
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.plugs import hide_installed_plugs

# The first example pays for imports. 60 examples cost two thirds of what 100 do, a fifteenth of all tests' time.
settings.register_profile("botattack", deadline=None, max_examples=60)
settings.load_profile("botattack")
hide_installed_plugs()

DATA = Path(os.environ.get("BOTATTACK_DATA") or Path(__file__).parents[2] / "shared" / "data")

ONE_PROCESS = re.compile(
    r"(?P<bots>tests/live/test_live_(?:campaigns|from_log|http|places|requests)\.py)"
    r"|tests/(?:audit/test_stopping|recordings/test_kinds|report/test_html|targets/test_target_alice"
    r"|cli/test_(?:compare|contrast_sets|fleet_folders|mark|verify|view)"
    r"|live/test_live_(?:assistants|language|pages|review))\.py"
)
"""Modules whose tests share what took a second of CPU or more to make: a recording, a browser, a bot. The bots of
`tests/live` are shared by several modules."""


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of published data sets; tests that take it are marked `data`."""
    if not DATA.is_dir():
        pytest.skip(f"no published data sets at {DATA}: set BOTATTACK_DATA to the folder that holds webquestions/")
    return DATA


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, without a window."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        except Error as error:
            pytest.skip(f"no browser: install chromium ({error.message[:80]})")
        yield started
        started.close()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Tests live as long as the process. The collector would go through all of them again and again: collecting
    them took 4.6 s of CPU instead of 3.0 s."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadgroup`, tests are dealt out one by one, but those of ONE_PROCESS together: each further process
    would make again what they share. Marks of pytest-xdist 3.8 do not say so, as pytest 9 ignores the names of tests
    that it writes."""
    if config.getoption("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            found = ONE_PROCESS.match(nodeid)
            return (found.lastgroup or found[0]) if found else nodeid

    return Together(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    """With BOTATTACK_NO_SKIP=1 a skip is a failure, but for tests marked `data`, whose files nobody may ship."""
    report = yield
    strict = os.environ.get("BOTATTACK_NO_SKIP") == "1" and item.get_closest_marker("data") is None
    if strict and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped while BOTATTACK_NO_SKIP=1: {report.longrepr}"
    return report
