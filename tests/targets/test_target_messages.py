"""What people are shown of a request is what left."""

from __future__ import annotations

import pytest

from botattack.net.client import Client
from botattack.net.hosts import Hosts
from botattack.net.messages import Call
from tests.servers.http import Server, always, response
from tests.targets.asking import Tally

pytestmark = pytest.mark.anyio
JSON = ("content-type", "application/json")


@pytest.mark.parametrize("headers", [(), (JSON,), (("host", "elsewhere.example"), ("cookie", "a=b"))])
@pytest.mark.parametrize("body", [b"", b"{}"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
async def test_all_headers_are_shown(method: str, body: bytes, headers: tuple[tuple[str, str], ...]) -> None:
    told: list[str] = []
    async with Server(always(response({}))) as server:
        client = Client(Hosts.of([server.url]))
        client.tell = lambda what, text: told.append(text) if what == "sent" else None
        await client.fetch(Call(method, f"{server.url}/chat", headers, body), Tally())
        await client.close()
    (received,) = server.received
    lines = dict(line.split(": ", 1) for line in told[0].partition("\n\n")[0].splitlines()[1:])
    hidden = {name: f"[{len(value)} characters]" for name, value in received.headers.items() if name == "cookie"}
    assert lines == {**received.headers, **hidden}
