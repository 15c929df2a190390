"""Which bots are one bot, and so wait for each other."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from botattack.audit.job import address_of
from botattack.config.target import load_target
from botattack.recordings.locks import Address


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
