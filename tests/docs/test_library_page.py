"""The page about the library is right: its examples run in order, in one namespace."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copy

import pytest

from tests.games.test_friends import SCHEMA
from tests.games.test_play import PLAYERS, bot, file

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(python|python test)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[str]:
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    return [code for found, code in BLOCK.findall(page) if found == kind]


@pytest.mark.slow
def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("campaigns", "targets"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    copy(PLAYERS, tmp_path / "players.py")
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    bot(tmp_path, "tells", "players.py:Tells")
    bot(tmp_path, "asks", "players.py:Asks")
    file(tmp_path)
    namespace: dict[str, object] = {"__name__": "page"}
    for code in blocks("python"):
        exec(compile(code, "library.md", "exec"), namespace)
    assert (tmp_path / "report.html").is_file()
    assert (tmp_path / "games.html").is_file()
    assert "did you mean 'dpaeg'" in capfd.readouterr().out


@pytest.mark.slow
def test_the_example_for_pytest_runs(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(blocks("python")[0] + "".join(blocks("python test")))
    result = pytester.runpytest_subprocess("-p", "botattack.pytest_plugin")
    result.assert_outcomes(passed=1)
