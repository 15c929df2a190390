"""The page about the library is right: its examples run in order, in one namespace."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from shutil import copy
from typing import Any

import pytest

from botattack.model import GoldAnswer, Question, Reply
from botattack.protocols import Context
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
    namespace: dict[str, object] = {"__name__": __name__}
    for code in blocks("python"):
        exec(compile(code, "library.md", "exec", dont_inherit=True), namespace)
    assert (tmp_path / "report.html").is_file()
    assert (tmp_path / "games.html").is_file()
    assert "did you mean 'dpaeg'" in capfd.readouterr().out


def test_an_attack_and_a_matcher_of_ones_own_work_as_the_page_has_them() -> None:
    (code,) = (code for code in blocks("python") if "(Attack)" in code)
    mine: dict[str, Any] = {"__name__": __name__}
    exec(compile(code, "library.md", "exec", dont_inherit=True), mine)
    question = Question("What is the population of Oslo?", (GoldAnswer("Oslo"),))
    batches = mine["Vowels"](longest=4).propose(Context(question, (), {}), Random(1))
    assert [variant.turns[-1].text for batch in batches for variant in batch] == [
        "Wht is the population of Oslo?",
        "What is the population of Osl?",
    ]
    judged = [
        mine["Early"](words).judge(question.prompt, Reply("It is in Oslo."), question.answers, ()) for words in (3, 4)
    ]
    assert [verdict.kind for verdict in judged] == ["wrong", "correct"]


@pytest.mark.slow
def test_the_example_for_pytest_runs(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(blocks("python")[0] + "".join(blocks("python test")))
    result = pytester.runpytest_subprocess("-p", "botattack.pytest_plugin")
    result.assert_outcomes(passed=1)


PAGES = sorted((*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")), key=lambda path: path.name)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_pages_that_a_text_names_are_there(page: Path) -> None:
    named = re.findall(r"(?<![\w/])docs/[\w-]+\.md", page.read_text("utf-8"))
    assert [name for name in named if not (ROOT / name).is_file()] == [] or page.name == "CHANGELOG.md"
