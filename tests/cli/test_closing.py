"""Bots that hold up the end of a command, through the whole command in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Serve
from tests.servers.deaf import PING, Deaf

IN_ANY_CASE = 240.0
"""Seconds after which a command is held up for ever."""
COMMAND = [sys.executable, "-c", "from botattack.cli import main; main()"]
LEAVES_A_CHILD = """
import json, subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"], start_new_session=True)
for line in sys.stdin:
    print(json.dumps({"text": "here"}), flush=True)
"""


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=IN_ANY_CASE, check=False)


@pytest.mark.slow
def test_a_socket_that_pings_and_never_reads_ends_with_errors_that_are_counted(folder: Path, serve: Serve) -> None:
    (folder / "bot.yaml").write_text(
        f'name: pings\nconnect: {{kind: websocket, url: "{serve(Deaf(PING))}", send: "{{{{ question }}}}"}}\n'
        "limits: {rate: unlimited, timeout: 1s, question_timeout: 1s, retries: 0, concurrency: 2}\n"
    )
    (folder / "faq.jsonl").write_text('{"question": "What is the capital of France?", "answers": ["Paris"]}\n')
    ended = ran("run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "dpaeg")
    assert ended.returncode == 1
    assert "1 conversation failed, not counted: 1 timeout" in " ".join(ended.stdout.split())


@pytest.mark.slow
def test_a_program_whose_child_has_left_with_its_pipes_shows_no_traceback(folder: Path) -> None:
    (folder / "bot.py").write_text(LEAVES_A_CHILD)
    (folder / "bot.yaml").write_text(
        f'name: leaves\nconnect: {{kind: process, command: ["{sys.executable}", bot.py]}}\n'
    )
    ended = ran("check", "bot.yaml", "--allow-code")
    assert (ended.returncode, ended.stderr) == (0, "")
