"""The first hour: the module as a command, completion, .env files, resuming, and target files in the wheel."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.cli.conftest import Botattack, Serve
from tests.servers.http import Server, replying, response

ROOT = Path(__file__).parents[2]
SECRET = "s3cr3t-4711-xyz"


def recording(folder: Path) -> Path:
    (found,) = folder.glob("recordings/2*")
    return found


def test_the_package_is_a_command() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "botattack", "--version"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.startswith("botattack")


def test_the_shell_completes_commands_and_flags() -> None:
    for words, found in (("botattack compa", b"plain,compare"), ("botattack run --resu", b"plain,--resume")):
        asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1), "_BOTATTACK_COMPLETE": "bash_complete"}
        env = {**os.environ, "PYTHONPATH": str(ROOT), **asked}
        told = subprocess.run([sys.executable, "-m", "botattack"], cwd=ROOT, env=env, capture_output=True, check=True)
        assert found in told.stdout.split()


def test_a_folder_alone_continues_a_recording_with_its_own_flags(
    botattack: Botattack, campaign: Path, folder: Path
) -> None:
    assert botattack("run", campaign.name, "--limit", "4", "--budget", "requests=6", "--allow-code").status == 4
    resumed = botattack("run", "--resume", recording(folder).relative_to(folder), "--budget", "requests=500")
    assert resumed.status in (0, 1), resumed
    assert "4 asked" in resumed.out or "of 4" in resumed.out, resumed


def test_a_folder_whose_campaign_is_gone_or_changed_says_so(botattack: Botattack, campaign: Path, folder: Path) -> None:
    botattack("run", campaign.name, "--budget", "requests=6", "--allow-code")
    text = campaign.read_text()
    campaign.write_text(text.replace("seed: 7", "seed: 8"))
    changed = botattack("run", "--resume", recording(folder))
    assert changed.status == 2
    assert "seed was 7 and is now 8" in changed.err
    campaign.unlink()
    gone = botattack("run", "--resume", recording(folder))
    assert gone.status == 2
    assert "botattack run CAMPAIGN --resume" in gone.err
    assert len(gone.err.strip().splitlines()) == 1


@pytest.mark.slow
def test_an_env_file_is_read_when_it_is_named_and_its_values_stay_out_of_recordings(
    botattack: Botattack, folder: Path, serve: Serve
) -> None:
    server = Server(replying(lambda request: response({"text": f"Paris, says {request.headers['x-token']}."})))
    url = serve(server)
    (folder / "bot.yaml").write_text(
        f'env: [MY_TOKEN]\nconnect:\n  kind: http\n  request: {{url: "{url}", json: {{q: "{{{{ question }}}}"}}, '
        'headers: {X-Token: "{{ env.MY_TOKEN }}"}}\n  extract: {answer: $.text}\n'
    )
    (folder / "faq.csv").write_text("question,answers\nWhat is the capital of France?,Paris\n")
    (folder / ".env").write_text(f"# mine\nexport MY_TOKEN='{SECRET}'\n")
    words = ("run", "-t", "bot.yaml", "-q", "faq.csv", "-a", "case")
    silent = botattack(*words)
    assert silent.status == 2
    assert "MY_TOKEN is not set" in silent.err
    told = botattack(*words, "--env-file", ".env")
    assert told.status == 0, told
    assert server.received[0].headers["x-token"] == SECRET
    assert "MY_TOKEN" not in os.environ
    assert not any(SECRET in path.read_text() for path in recording(folder).rglob("*") if path.is_file())


@pytest.mark.parametrize("line", ["MY_TOKEN", "MY_TOKEN s3cr3t", "MY_TOKEN: s3cr3t"])
def test_a_line_of_an_env_file_without_value_is_named(botattack: Botattack, folder: Path, line: str) -> None:
    (folder / "faq.csv").write_text("question,answers\nq,a\n")
    (folder / ".env").write_text(f"# mine\n\nA=1\n\n{line}\n")
    ended = botattack("run", "-t", "faq.csv", "-q", "faq.csv", "-a", "case", "--env-file", ".env")
    assert ended.status == 2
    assert ".env:5: " in ended.err
    assert "NAME=value" in ended.err
    assert "s3cr3t" not in ended.err


def test_a_name_that_an_env_file_lacks_is_told_with_those_it_has(botattack: Botattack, folder: Path) -> None:
    (folder / "bot.yaml").write_text("env: [MY_TOKEN]\nconnect: {kind: openai, url: http://127.0.0.1:9, model: m}\n")
    (folder / ".env").write_text("MY_TOKENS=s3cr3t\nOTHER=2\n")
    for _ in range(2):
        ended = botattack("check", "bot.yaml", "--env-file", ".env")
        assert ".env has MY_TOKENS, OTHER" in ended.err
        assert "s3cr3t" not in ended.err
    assert "--env-file" in botattack("check", "bot.yaml").err


@pytest.mark.slow
def test_a_wheel_is_all_that_a_stranger_needs(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    ZipFile(wheel).extractall(tmp_path / "installed")
    (entries,) = (tmp_path / "installed").glob("*.dist-info/entry_points.txt")
    module, attribute = re.findall(r"botattack = ([\w.]+):(\w+)", entries.read_text())[0]
    start = f"import {module}, sys; print({module}.__file__, file=sys.stderr); {module}.{attribute}()"

    def run(*words: str) -> str:
        env = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
        command = [sys.executable, "-c", start, *words]
        ended = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
        assert ended.stderr.startswith(str(tmp_path / "installed"))
        return ended.stdout

    assert "botattack init" in run()
    assert "template-http" in run("init", "--list")
    assert run("targets", "show", "template-http").startswith("#")
