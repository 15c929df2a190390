"""The file that discover finds for each of twelve pages reads what the page's own log says. `benchmarks/pages.py`
counts more askings of the same pages."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from benchmarks.pages import count, described
from tests.servers.screens import PAGES, Screens

pytestmark = [pytest.mark.anyio, pytest.mark.live, pytest.mark.usefixtures("shell_found")]
LOGINS, GROUPS = 1, 3


def askings(name: str) -> int:
    """Two conversations show whether an answer is mixed up with another; every third answer of `lists` is another."""
    return 3 if name == "lists" else 2


@pytest.mark.parametrize("names", [tuple(PAGES)[part::GROUPS] for part in range(GROUPS)], ids=" ".join)
async def test_what_is_recorded_is_what_the_page_said(
    names: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "state"))

    async def look(name: str) -> None:
        done = list[str]()
        (folder := tmp_path / name).mkdir()
        async with Screens(name) as screens:
            text = await described(screens, folder, done.append)
            screens.logins = LOGINS
            counted = await count(screens, text, folder, askings(name))
        assert "# Proven: " in text, name
        assert len(done) >= 4, name
        assert (counted.wrong, counted.twice) == ([], 0), name
        assert counted.equal == (LOGINS if name == "expires" else askings(name)), (name, counted.errors)
        assert all("targets login" in said for said in counted.errors), name

    # Together: most of an asking is waiting until nothing more comes.
    async with anyio.create_task_group() as group:
        for name in names:
            group.start_soon(look, name)
