"""Processes that wait for each other's bots."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from botattack.audit.job import address_of
from botattack.config.target import load_target
from botattack.recordings.locks import Address, asking


def _address(target: Path) -> Address:
    found = address_of(load_target(target, environ={}, today=date(2026, 1, 1)))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "connect",
    [
        "kind: http, request: {{url: 'http://127.0.0.1:{}/', json: '{{{{ question }}}}'}}, extract: {{answer: body}}",
        "kind: openai, url: 'http://127.0.0.1:{}/v1', model: m",
        "kind: websocket, url: 'ws://127.0.0.1:{}/', send: '{{{{ question }}}}', extract: {{answer: body}}",
        "kind: browser, open: [{{goto: 'http://127.0.0.1:{}/'}}], ask: [{{fill: a, with: '{{{{ question }}}}'}}], "
        "answer: p",
    ],
)
def test_two_servers_of_one_machine_are_two_bots(connect: str, folder: Path) -> None:
    found = []
    for port in (8080, 8081):
        (folder / f"{port}.yaml").write_text(f"connect: {{{connect.format(port)}}}\n")
        found.append(_address(folder / f"{port}.yaml"))
    assert found[0].place != found[1].place


@pytest.mark.slow
def test_who_waits_for_one_bot_keeps_nobody_from_another(folder: Path) -> None:
    (folder / "faq.csv").write_text("question,answers\nWho wrote Hamlet?,Shakespeare\n")
    names = ("one", "two")
    for name in names:
        (folder / f"{name}.yaml").write_text(
            f"connect: {{kind: http, request: {{url: 'http://127.0.0.1:9/{name}', json: '{{{{ question }}}}'}}, "
            "extract: {answer: body}}\n"
        )
        (folder / f"ask-{name}.yaml").write_text(
            f"target: {name}.yaml\nquestions: {{file: faq.csv}}\nattacks: [unchanged]\n"
        )
    addresses = {name: _address(folder / f"{name}.yaml") for name in names}
    first, last = sorted(names, key=lambda name: addresses[name].place)
    locks = folder / f"botattack-{os.getuid()}"
    command = [
        sys.executable,
        "-c",
        "from botattack.cli import main; main()",
        "run",
        f"ask-{last}.yaml",
        f"ask-{first}.yaml",
        "--wait",
    ]
    with asking(addresses[first], where=locks):
        waits = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(folder)})
        try:
            assert waits.stderr is not None
            while "waits: another botattack" not in (told := waits.stderr.readline()):
                assert told, "it ended instead of waiting"
            with asking(addresses[last], where=locks):
                pass
        finally:
            waits.kill()
            waits.communicate()
