"""The GitHub Action, its steps run in an empty checkout, and the Dockerfile, as far as that needs no Docker."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.test_ci_jobs import BOTATTACK, ROOT

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PIP = f"""#!/bin/sh
# Installs nothing: says what was to be installed.
[ "$2" = pip ] && echo "$@" > "$HOME/installed" && exit
exec {sys.executable} "$@"
"""


def ran(step: dict[str, Any], inputs: dict[str, str], folder: Path, programs: Path) -> int:
    """The exit status of a step, with the expressions of its environment put in as GitHub does."""
    given = {f"inputs.{name}": inputs.get(name, value.get("default", "")) for name, value in ACTION["inputs"].items()}
    given["github.action_path"] = str(ROOT)
    env = {
        name: re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda found: given[found[1]], value)
        for name, value in step.get("env", {}).items()
    }
    env |= {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    env |= {name: str(folder / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", step["run"]], cwd=folder, env=env, check=False
    ).returncode


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """The programs of the runner."""
    found = tmp_path / "bin"
    found.mkdir()
    for name, text in (("botattack", BOTATTACK), ("python", PIP)):
        (found / name).write_text(text)
        (found / name).chmod(0o755)
    return found


def test_the_action_has_the_shape_of_a_composite_action() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert {"name", "description", "inputs", "runs"} <= ACTION.keys()
    for step in STEPS:
        assert ("run" in step) is ("shell" in step)
        assert ("run" in step) is not ("uses" in step)
        assert "${{" not in step.get("run", ""), "an input would be text of the script"
    used = set(re.findall(r"inputs\.(\w+)", (ROOT / "action.yml").read_text()))
    assert used == ACTION["inputs"].keys()
    default = ACTION["inputs"]["extras"]["default"]
    assert default in PROJECT["optional-dependencies"]


@pytest.mark.slow
def test_the_steps_of_the_action_run_in_an_empty_checkout(campaign: Path, folder: Path, programs: Path) -> None:
    install, attack = [step for step in STEPS if "run" in step]
    inputs = {"campaign": campaign.name, "arguments": "--allow-code --limit 2", "report": "kept reports"}
    assert ran(install, inputs, folder, programs) == 0
    assert (folder / "installed").read_text().split()[-1] == f"{ROOT}[english]"
    assert ran(attack, inputs, folder, programs) == 0
    assert (folder / "GITHUB_OUTPUT").read_text() == "status=0\n"
    assert "capitals" in (folder / "GITHUB_STEP_SUMMARY").read_text()
    kept = {path.suffix for path in (folder / "kept reports").iterdir()}
    assert kept == {".html", ".md", ".xml", ".json"}


def test_an_input_of_the_action_is_no_command(folder: Path, programs: Path) -> None:
    attack = next(step for step in STEPS if step.get("id") == "run")
    inputs = {"campaign": "$(touch owned)", "arguments": "; touch owned"}
    assert ran(attack, inputs, folder, programs) == 2
    assert not (folder / "owned").exists()
    assert (folder / "GITHUB_OUTPUT").read_text() == "status=2\n"


def test_the_dockerfile_starts_botattack_as_an_ordinary_user(programs: Path, tmp_path: Path) -> None:
    text = (ROOT / "Dockerfile").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    instructions = [tuple(line.split(" ", 1)) for line in lines]
    named = dict(instructions)
    assert named["FROM"].startswith("python:")
    assert "slim" in named["FROM"]
    assert "://" not in text
    assert named["USER"] not in ("root", "0")
    assert f"useradd --create-home --uid 1000 {named['USER']}" in text
    install = next(value for name, value in instructions if name == "RUN" and "pip" in value)
    wanted = next(word for word in shlex.split(install) if word.endswith("]"))
    assert wanted.removeprefix("/src[").removesuffix("]") in PROJECT["optional-dependencies"]
    (program,) = json.loads(named["ENTRYPOINT"])
    assert program in PROJECT["scripts"]
    command = [str(programs / program), *json.loads(named["CMD"])]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
