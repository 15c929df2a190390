"""Connections are given back only where the next request can be sure of them, and what leaves is one message."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from base64 import b64encode
from contextlib import suppress

import pytest

from botattack.errors import BrokenReply, HostRefused, RequestRefused, TargetError, Unreachable
from botattack.net.client import Client
from botattack.net.hosts import Hosts
from botattack.net.messages import Call
from tests.servers.http import Received, Server, always, in_turn, replying, response
from tests.targets.asking import Tally

pytestmark = pytest.mark.anyio


async def fetched(client: Client, call: Call) -> bytes:
    _, body = await client.fetch(call, Tally())
    return body


async def test_a_reply_that_comes_too_late_is_nobodys() -> None:
    asked, given_up, replied = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def late(received: Received, writer: asyncio.StreamWriter) -> None:
        asked.set()
        if received.target == "/slow":
            await given_up.wait()
        writer.write(response(received.target))
        replied.set()

    async with Server(late) as server:
        client = Client(Hosts.of([server.url]))
        slow = asyncio.create_task(fetched(client, Call("GET", f"{server.url}/slow")))
        await asked.wait()
        slow.cancel()
        await asyncio.wait([slow])
        assert slow.cancelled()
        given_up.set()
        await replied.wait()
        await asyncio.sleep(0.05)  # what has arrived is read on this very loop
        assert await fetched(client, Call("GET", f"{server.url}/quick")) == b"/quick"
        assert server.connections == 2
        await client.close()


async def test_a_reply_whose_body_nobody_read_is_nobodys() -> None:
    left = asyncio.Event()

    async def in_two(received: Received, writer: asyncio.StreamWriter) -> None:
        whole = response(received.target * 100)
        writer.write(whole[:-50])
        await writer.drain()
        if received.target == "/a":
            await left.wait()
        writer.write(whole[-50:])

    async with Server(in_two) as server:
        client = Client(Hosts.of([server.url]))
        async with client.open(Call("GET", f"{server.url}/a"), Tally()) as reply:
            assert reply.status == 200
        left.set()
        assert await fetched(client, Call("GET", f"{server.url}/b")) == b"/b" * 100
        assert server.connections == 2
        await client.close()


@pytest.mark.parametrize("pause", [0.0, 0.02])
async def test_a_second_reply_to_one_request_is_nobodys(pause: float) -> None:
    said = asyncio.Queue[None]()

    async def twice(received: Received, writer: asyncio.StreamWriter) -> None:
        whole = response(received.target)
        writer.write(whole[:-1])
        await writer.drain()
        await asyncio.sleep(0.02)
        writer.write(whole[-1:] + response("once more") if not pause else whole[-1:])
        await writer.drain()
        await asyncio.sleep(pause)
        writer.write(response("once more") if pause else b"")
        said.put_nowait(None)

    async with Server(twice) as server:
        client = Client(Hosts.of([server.url]))
        for path in ("/a", "/b", "/c"):
            assert await fetched(client, Call("GET", server.url + path)) == path.encode()
            await said.get()
            await asyncio.sleep(0.05)  # what has arrived is read on this very loop
        assert server.connections == 3
        await client.close()


async def test_a_cancelled_request_is_not_held_on_to_for_a_server_that_does_not_read() -> None:
    begun, given_up = asyncio.Event(), asyncio.Event()

    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        begun.set()
        await given_up.wait()
        heard = 0
        with suppress(ConnectionResetError):
            while piece := await reader.read(2**20):
                heard += len(piece)
        writer.close()
        all_heard.set_result(heard)

    all_heard: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    async with await asyncio.start_server(deaf, "127.0.0.1", 0, limit=2**16) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        client = Client(Hosts.of([url]))
        asking = asyncio.create_task(fetched(client, Call("POST", url, (), b"x" * 30_000_000)))
        await begun.wait()
        await asyncio.sleep(0.1)  # until the system takes no more of it
        asking.cancel()
        await asyncio.wait([asking])
        assert asking.cancelled()
        given_up.set()
        async with asyncio.timeout(60):
            assert await all_heard < 30_000_000
        await client.close()


@pytest.mark.parametrize("more", ["", "upgrade: other\r\nconnection: upgrade\r\n"])
async def test_another_protocol_is_no_answer(more: str) -> None:
    async with Server(always(f"HTTP/1.1 101 Switching\r\n{more}\r\n".encode())) as server:
        client = Client(Hosts.of([server.url]))
        for _ in range(2):
            with pytest.raises(BrokenReply, match="switches to another protocol"):
                await fetched(client, Call("GET", server.url))
        assert len(server.received) == 2
        await client.close()


async def test_what_comes_before_the_reply_is_passed_over() -> None:
    early = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"

    async def hints(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(early + response("then"))

    async with Server(hints) as server:
        client = Client(Hosts.of([server.url]))
        for _ in range(2):
            assert await fetched(client, Call("POST", f"{server.url}/", (), b"{}")) == b"then"
        assert server.connections == 1
        await client.close()


async def test_a_connection_is_not_used_again_before_its_request_was_sent_whole() -> None:
    connections = 0

    async def hasty(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        with suppress(asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(response("enough"))
            await asyncio.sleep(0.5)
        writer.close()

    async with await asyncio.start_server(hasty, "127.0.0.1", 0, limit=2**16) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        client = Client(Hosts.of([url]))
        for _ in range(2):
            assert await fetched(client, Call("POST", url, (), b"x" * 30_000_000)) == b"enough"
        assert connections == 2
        await client.close()


async def test_a_proxy_is_told_who_asks() -> None:
    signed = "Basic " + b64encode(b"me:secret").decode()
    async with Server(always(response("by proxy"))) as proxy:
        client = Client(Hosts.of(["http://bot.invalid/"]), proxy=f"http://me:secret@127.0.0.1:{proxy.port}")
        for _ in range(2):
            assert await fetched(client, Call("GET", "http://bot.invalid/chat?a=b#c")) == b"by proxy"
        assert proxy.connections == 1
        assert proxy.received[1].target == "http://bot.invalid/chat?a=b"
        assert proxy.received[1].headers["proxy-authorization"] == signed
        await client.close()


async def test_a_tunnel_is_asked_for_by_who_asks() -> None:
    signed = "Basic " + b64encode(b"me:secret").decode()
    async with Server(always(response("no", 407))) as proxy:
        client = Client(Hosts.of(["https://bot.invalid/"]), proxy=f"http://me:secret@127.0.0.1:{proxy.port}")
        with pytest.raises(Unreachable, match="the proxy refused with HTTP 407"):
            await fetched(client, Call("GET", "https://bot.invalid/chat"))
        (asked,) = proxy.received
        assert (asked.method, asked.target) == ("CONNECT", "bot.invalid:443")
        assert asked.headers["proxy-authorization"] == signed
        await client.close()


@pytest.mark.parametrize(("scheme", "method"), [("ws", "GET"), ("wss", "CONNECT")])
async def test_a_proxy_is_told_who_opens_a_websocket(scheme: str, method: str) -> None:
    signed = "Basic " + b64encode(b"me:secret").decode()
    async with Server(always(response("no", 407))) as proxy:
        url = f"{scheme}://bot.invalid/"
        client = Client(Hosts.of([url]), proxy=f"http://me:secret@127.0.0.1:{proxy.port}")
        with pytest.raises(TargetError, match="407"):
            async with client.socket(Call("GET", url), Tally()):
                pass
        (asked,) = proxy.received
        assert (asked.method, asked.headers["proxy-authorization"]) == (method, signed)
        await client.close()


async def test_credentials_of_a_url_are_sent_unless_the_call_has_its_own() -> None:
    async with Server(replying(lambda received: response(received.headers["authorization"]))) as server:
        client = Client(Hosts.of([server.url]))
        url = f"http://me:a%40b@127.0.0.1:{server.port}/"
        assert await fetched(client, Call("GET", url)) == b"Basic " + b64encode(b"me:a@b")
        assert await fetched(client, Call("GET", url, (("authorization", "Bearer x"),))) == b"Bearer x"
        await client.close()


async def test_a_websocket_is_not_opened_again_on_a_connection_that_was_closed() -> None:
    """The server answers the first request on a connection, and hangs up after it has read the second."""
    async with Server(in_turn(always(response("in")), always(close=True))) as server:
        client = Client(Hosts.of([server.url, server.url.replace("http", "ws")]))
        assert await fetched(client, Call("GET", server.url)) == b"in"
        with pytest.raises(BrokenReply) as caught:
            async with client.socket(Call("GET", server.url.replace("http", "ws")), Tally()):
                pass
        await client.close()
    assert (server.connections, len(server.received)) == (1, 2)
    assert caught.value.delivered is None


async def test_no_value_adds_a_header_when_a_websocket_is_opened() -> None:
    async with Server(always(response(""))) as server:
        url = server.url.replace("http", "ws")
        client = Client(Hosts.of([url]))
        with pytest.raises(RequestRefused):
            async with client.socket(Call("GET", url, (("x-a", "a\r\nx-evil: 1"),)), Tally()):
                pass
        assert not server.received
        await client.close()


@pytest.mark.parametrize("value", ["a\r\nx-evil: 1", "a\nb", "a\0b", "\ud800"])
async def test_no_value_adds_a_header(value: str) -> None:
    async with Server(always(response(""))) as server:
        client = Client(Hosts.of([server.url]))
        with pytest.raises(RequestRefused) as refused:
            await fetched(client, Call("GET", server.url, (("x-a", value),)))
        assert refused.value.delivered is False
        assert not server.received
        await client.close()


async def test_a_reply_of_two_codings_is_not_taken_for_one() -> None:
    async with Server(always(response(b"", Content_Encoding="gzip, gzip"))) as server:
        client = Client(Hosts.of([server.url]))
        with pytest.raises(BrokenReply) as caught:
            await fetched(client, Call("GET", server.url))
        assert caught.value.said == "gzip, gzip"
        await client.close()


def bare_deflate(text: bytes) -> bytes:
    made = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return made.compress(text) + made.flush()


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(b"He answers ") + gzip.compress(b"") + gzip.compress(b"twice.")),
        ("gzip", gzip.compress(b"He answers twice.") + b"\0\0junk\x1fmore"),
        ("deflate", zlib.compress(b"He answers twice.")),
        ("deflate", bare_deflate(b"He answers twice.")),
        ("deflate", gzip.compress(b"He answers twice.")),
    ],
    ids=["members", "junk after it", "zlib", "bare", "gzip by another name"],
)
@pytest.mark.parametrize("step", [1, 1000])
async def test_a_compressed_reply_is_read_to_its_end(coding: str, body: bytes, step: int) -> None:
    async def pieces(_: Received, writer: asyncio.StreamWriter) -> None:
        head, _, rest = response(body, Content_Encoding=coding).partition(b"\r\n\r\n")
        writer.write(head + b"\r\n\r\n")
        for at in range(0, len(rest), step):
            writer.write(rest[at : at + step])
            await writer.drain()

    async with Server(pieces) as server:
        client = Client(Hosts.of([server.url]))
        assert await fetched(client, Call("GET", server.url)) == b"He answers twice."
        await client.close()


@pytest.mark.parametrize("scheme", ["ftp", "gopher"])
async def test_a_named_host_is_asked_over_http_alone(scheme: str) -> None:
    async with Server(always(response("", 302, location=f"{scheme}://127.0.0.1/"))) as server:
        client = Client(Hosts.of([server.url], ["127.0.0.1"]))
        with pytest.raises(HostRefused):
            await fetched(client, Call("GET", server.url))
        await client.close()
