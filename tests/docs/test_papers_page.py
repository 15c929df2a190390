"""What docs/papers.md says to run can be run."""

from __future__ import annotations

import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from botattack.cli import commands
from botattack.config.flags import read_attack_flag

PAGE = Path(__file__).parents[2] / "docs" / "papers.md"
SAID = sorted(
    {
        found
        for line in PAGE.read_text("utf-8").splitlines()
        for found in re.findall(r"`((?:-a|botattack|python) [^`]+)`", line)
    }
)


def test_the_page_names_commands() -> None:
    assert len([one for one in SAID if one.startswith("-a")]) > 30


@pytest.mark.parametrize("said", [one for one in SAID if one.startswith("-a")])
def test_each_attack_and_its_options_exist(said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text("some words\n")
    attack = read_attack_flag(said.removeprefix("-a "))
    assert attack.name in said


@pytest.mark.parametrize("said", [one for one in SAID if one.startswith("botattack")])
def test_each_command_and_its_flags_exist(said: str) -> None:
    command: click.Command = commands
    words = shlex.split(said)[1:]
    while isinstance(command, click.Group) and words:
        found = command.get_command(click.Context(command), words[0])
        assert found, said
        command, words = found, words[1:]
    flags = {name for param in command.params for name in param.opts}
    assert {word for word in words if word.startswith("-")} <= flags


@pytest.mark.parametrize("said", [one for one in SAID if one.startswith("python")])
def test_each_module_exists(said: str) -> None:
    assert find_spec(said.split()[2])
