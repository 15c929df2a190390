"""A name that stood for this machine when a target file was allowed, and stands for another address when it is asked.

The other address is 0.0.0.0: it reaches this machine too, but is no loopback address.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from botattack.config.target import load_target
from botattack.errors import HostRefused
from botattack.model import Reply
from tests.servers.http import Server, always, response
from tests.servers.websocket import talking
from tests.targets.asking import ask
from tests.targets.test_target_websocket import saying

pytestmark = pytest.mark.anyio
HERE, ELSEWHERE = "127.0.0.1", "0.0.0.0"
Names = dict[str, tuple[str, ...]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """What the name service says; a test may change its mind."""
    known: Names = {"bot.test": (HERE,)}

    def getaddrinfo(host: Any, port: Any, *_: Any, **__: Any) -> list[Any]:
        name = host.decode() if isinstance(host, bytes) else host
        return [
            (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, int(port or 0)))
            for address in known.get(name, (name,))
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return known


async def asked(folder: Path, connect: str, then: Callable[[], object], more: str = "") -> Reply:
    """Loads a target file, lets something happen, and asks."""
    file = folder / "bot.yaml"
    file.write_text(f"connect: {{{connect}}}\n{more}", encoding="utf-8")
    config = load_target(file, environ={}, today=date(2026, 11, 20))
    then()
    target = config.open()
    try:
        return await ask(target)
    finally:
        await target.close()


def http(url: str) -> str:
    named = url.replace(HERE, "bot.test")
    return f'kind: http, request: {{url: "{named}", json: {{text: "{{{{ question }}}}"}}}}, extract: {{answer: $.text}}'


async def test_a_name_that_stays_is_asked(tmp_path: Path, names: Names) -> None:
    async with Server(always(response({"text": "hi"}))) as server:
        assert (await asked(tmp_path, http(server.url), lambda: None)).text == "hi"


async def test_a_name_that_moves_is_not_asked(tmp_path: Path, names: Names) -> None:
    async with Server(always(response({"text": "hi"}))) as server:
        with pytest.raises(HostRefused, match=r"^bot\.test:\d+ now means 0\.0\.0\.0, which is not this machine"):
            await asked(tmp_path, http(server.url), lambda: names.update({"bot.test": (ELSEWHERE,)}))
        assert server.connections == 0


async def test_of_several_addresses_only_those_of_this_machine_are_asked(tmp_path: Path, names: Names) -> None:
    async with Server(always(response({"text": "hi"}))) as server:
        reply = await asked(tmp_path, http(server.url), lambda: names.update({"bot.test": (ELSEWHERE, HERE)}))
        assert reply.text == "hi"


async def test_with_consent_a_name_may_move(tmp_path: Path, names: Names) -> None:
    consent = "consent: {authorised_by: Ada, until: 2030-01-01}\n"
    async with Server(always(response({"text": "hi"}))) as server:
        moved = lambda: names.update({"bot.test": (ELSEWHERE,)})  # noqa: E731
        assert (await asked(tmp_path, http(server.url), moved, consent)).text == "hi"


async def test_a_socket_s_name_that_moves_is_not_asked(tmp_path: Path, names: Names) -> None:
    async with talking(saying({"say": "hi"})) as server:
        url = server.url.replace(HERE, "bot.test")
        connect = f'kind: websocket, url: "{url}", send: "{{{{ question }}}}", extract: {{answer: $.say}}, quiet: 10ms'
        assert (await asked(tmp_path, connect, lambda: None)).text == "hi"
        with pytest.raises(HostRefused, match="now means"):
            await asked(tmp_path, connect, lambda: names.update({"bot.test": (ELSEWHERE,)}))
        assert server.handshakes == 1


async def test_a_proxy_here_gets_no_name_that_it_could_resolve_itself(tmp_path: Path, names: Names) -> None:
    async with Server(always(response({"text": "by proxy"}))) as proxy:
        with pytest.raises(HostRefused, match=r"a proxy may take bot\.test for any machine"):
            await asked(tmp_path, f'{http("http://bot.test/")}, proxy: "{proxy.url}"', lambda: None)
        assert proxy.connections == 0
        assert (await asked(tmp_path, f'{http("http://127.0.0.9/")}, proxy: "{proxy.url}"', lambda: None)).text
