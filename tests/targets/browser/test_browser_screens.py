"""The file that discover finds for each of twelve pages reads what the page's own log says. `benchmarks/pages.py`
counts more askings of the same pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.pages import count, described
from tests.servers.screens import PAGES, Screens

pytestmark = [pytest.mark.anyio, pytest.mark.live, pytest.mark.usefixtures("chromium")]
ASKINGS, LOGINS = 3, 2


@pytest.mark.parametrize("name", PAGES)
async def test_what_is_recorded_is_what_the_page_said(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "state"))
    done = list[str]()
    async with Screens(name) as screens:
        text = await described(screens, tmp_path, done.append)
        screens.logins = LOGINS
        counted = await count(screens, text, tmp_path, ASKINGS)
    assert "# Proven: " in text
    assert "limits: {rate: 1/s" not in text
    assert len(done) >= 4
    assert (counted.wrong, counted.twice) == ([], 0)
    assert counted.equal == (LOGINS if name == "expires" else ASKINGS), counted.errors
    assert all("targets login" in said for said in counted.errors)
