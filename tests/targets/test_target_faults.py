"""Servers that misbehave: each ends in the right class of error, and what was counted is what the server saw."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
from email.utils import formatdate
from typing import Any

import pytest

from botattack.errors import (
    BrokenReply,
    ExtractionFailed,
    HostRefused,
    RateLimited,
    RequestRefused,
    ServerFailed,
    TargetError,
    Unreachable,
    excerpt,
)
from botattack.targets.messages.extraction import Silent
from tests.servers.http import Behave, Received, Server, always, in_turn, replying, response, server_tls, silent
from tests.targets.asking import Tally, ask, http

pytestmark = pytest.mark.anyio
GOOD = response({"text": "fine"})
BOMB = gzip.compress(b'{"text": "' + b"a" * 50_000_000 + b'"}')
NOW = 1_790_000_000.0


async def reset(_: Received, writer: asyncio.StreamWriter) -> None:
    raw: socket.socket = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def redirect(status: int, where: str) -> Behave:
    return always(response(b"", status, location=where))


CATALOGUE: dict[str, tuple[Behave, type[TargetError], dict[str, Any]]] = {
    "0": (always(response({"text": "fine"}, 0)), RequestRefused, {"status": 0}),
    "401": (always(response("who are you", 401)), RequestRefused, {"status": 401, "place": "connect.request"}),
    "404": (always(response("no", 404)), RequestRefused, {"status": 404}),
    "408": (always(response("late", 408)), ServerFailed, {"status": 408}),
    "429": (always(response("slow down", 429)), RateLimited, {"retry_after": None}),
    "429 in seconds": (always(response("", 429, Retry_After="2")), RateLimited, {"retry_after": 2.0}),
    "429 as a date": (
        always(response("", 429, Date=formatdate(NOW, usegmt=True), Retry_After=formatdate(NOW + 7, usegmt=True))),
        RateLimited,
        {"retry_after": 7.0},
    ),
    "429 for ever": (always(response("", 429, Retry_After="9" * 400)), RateLimited, {"retry_after": 1e9}),
    "429 with nonsense": (always(response("", 429, Retry_After="soon")), RateLimited, {"retry_after": None}),
    "500": (always(response("oops", 500)), ServerFailed, {"status": 500}),
    "503": (always(response("down", 503)), ServerFailed, {"status": 503}),
    "503 with Retry-After": (always(response("down", 503, Retry_After="1")), RateLimited, {"retry_after": 1.0}),
    "redirect to another host": (redirect(302, "http://example.org/chat"), HostRefused, {}),
    "redirect to another port": (redirect(307, "http://127.0.0.1:1/chat"), HostRefused, {}),
    "redirect to a file": (redirect(302, "file:///etc/passwd"), HostRefused, {}),
    "redirect with credentials": (redirect(302, "http://a:b@127.0.0.1/"), HostRefused, {}),
    "redirect in circles": (redirect(307, "/again"), BrokenReply, {}),
    "redirect to nothing": (redirect(302, "http://127.0.0.1:none/"), BrokenReply, {}),
    "redirect to no host name": (redirect(302, "http://xn--0/"), BrokenReply, {}),
    "wrong charset": (
        always(response('{"text": "größer"}'.encode("latin-1"), kind="application/json; charset=utf-8")),
        ExtractionFailed,
        {"place": "connect.extract.charset"},
    ),
    "unknown charset": (
        always(response(b"{}", kind="application/json; charset=klingon")),
        ExtractionFailed,
        {"place": "connect.extract.charset"},
    ),
    "charset that is none": (
        always(response(b"{}", kind="application/json; charset=undefined")),
        ExtractionFailed,
        {"place": "connect.extract.charset"},
    ),
    "charset that is slow": (
        always(response(b"-", kind="application/json; charset=punycode")),
        ExtractionFailed,
        {"place": "connect.extract.charset"},
    ),
    "truncated JSON": (always(response('{"text": "fi')), BrokenReply, {"place": "connect.extract.answer"}),
    "HTML instead of JSON": (
        always(response("<!doctype html><h1>Log in</h1>", kind="text/html")),
        ExtractionFailed,
        {"place": "connect.extract.answer"},
    ),
    "nothing there": (always(response({"error": "no"})), Silent, {"place": "connect.extract.answer"}),
    "object there": (always(response({"text": {"a": 1}})), ExtractionFailed, {"place": "connect.extract.answer"}),
    "empty": (always(response("")), ExtractionFailed, {"place": "connect.extract.answer"}),
    "deep JSON": (always(response("[" * 100_000)), BrokenReply, {}),
    "compressed bomb": (always(response(BOMB, Content_Encoding="gzip")), ExtractionFailed, {}),
    "compressed and cut": (always(response(gzip.compress(GOOD)[:-9], Content_Encoding="gzip")), BrokenReply, {}),
    "compressed and cut at once": (always(response(gzip.compress(GOOD)[:5], Content_Encoding="gzip")), BrokenReply, {}),
    "compressed, then more": (
        always(response(gzip.compress(b"{}") + bytes(2_000_000), Content_Encoding="gzip")),
        ExtractionFailed,
        {},
    ),
    "compressed, and cut in what follows": (
        always(response(gzip.compress(GOOD) + gzip.compress(GOOD)[:-9], Content_Encoding="gzip")),
        BrokenReply,
        {},
    ),
    "compressed nothing without end": (
        always(response(gzip.compress(b"") * 60_000, Content_Encoding="gzip")),
        ExtractionFailed,
        {},
    ),
    "compressed garbage": (always(response(b"no gzip", Content_Encoding="gzip")), BrokenReply, {}),
    "unasked compression": (always(response(b"x", Content_Encoding="br")), BrokenReply, {}),
    "too long": (always(response(b"a" * 1_000_001)), ExtractionFailed, {}),
    "endless": (always(b"HTTP/1.1 200 OK\r\n\r\n", *[b"a" * 65536] * 20), ExtractionFailed, {}),
    "huge header": (always(response("{}", X_Big="a" * 100_000)), BrokenReply, {}),
    "many headers": (always(response("{}", **{f"X{i}": "a" for i in range(2000)})), BrokenReply, {}),
    "closed after reading": (always(close=True), BrokenReply, {"delivered": None}),
    "cut in the body": (always(GOOD[:-3], close=True), BrokenReply, {"delivered": True}),
    "cut in the head": (always(b"HTTP/1.1 200 OK\r\ncontent-le", close=True), BrokenReply, {"delivered": None}),
    "reset": (reset, BrokenReply, {"delivered": None}),
    "garbage": (always(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), BrokenReply, {}),
    "bad chunks": (always(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"), BrokenReply, {}),
}


@pytest.mark.parametrize("name", CATALOGUE)
async def test_each_fault_has_its_class(name: str) -> None:
    behave, expected, attributes = CATALOGUE[name]
    tally = Tally()
    async with Server(behave) as server:
        target = http(f"{server.url}/chat")
        with pytest.raises(expected) as caught:
            await ask(target, pace=tally)
        await target.close()
        assert len(server.received) == tally.left
    assert type(caught.value) is expected
    assert "\n" not in str(caught.value)
    assert {key: getattr(caught.value, key) for key in attributes} == attributes
    assert len(tally.shuts) == (expected is RateLimited)


async def test_pace_is_shut_before_the_body_has_come() -> None:
    tally = Tally()
    async with Server(always(b"HTTP/1.1 429 Slow\r\nretry-after: 3\r\ncontent-length: 100\r\n\r\n")) as server:
        target = http(f"{server.url}/chat")
        with pytest.raises(RateLimited):
            await ask(target, pace=tally)
        await target.close()
    assert tally.shuts == [3.0]


async def test_silence_ends_at_the_callers_deadline() -> None:
    async with Server(silent) as server:
        target = http(f"{server.url}/chat")
        with pytest.raises(TimeoutError):
            await ask(target, seconds=0.2)
        await target.close()


async def test_refused_port_is_surely_not_delivered() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        target = http(f"http://127.0.0.1:{free.getsockname()[1]}/")
    with pytest.raises(Unreachable) as caught:
        await ask(target)
    assert caught.value.delivered is False
    await target.close()


async def test_unknown_host_is_surely_not_delivered() -> None:
    target = http("http://no-such-host.invalid/")
    with pytest.raises(Unreachable) as caught:
        await ask(target, seconds=30)
    assert caught.value.delivered is False
    await target.close()


async def test_self_signed_certificate_is_refused_unless_it_is_named() -> None:
    from tests.servers.http import TLS

    async with Server(always(GOOD), tls=server_tls()) as server:
        target = http(f"{server.url}/chat")
        with pytest.raises(Unreachable) as caught:
            await ask(target)
        await target.close()
        assert (caught.value.delivered, caught.value.place) == (False, "connect.tls.ca")
        assert not server.received
        trusting = http(f"{server.url}/chat", folder=TLS, tls={"ca": "server-cert.pem"})
        assert (await ask(trusting)).text == "fine"
        await trusting.close()


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_nothing_is_sent_again_on_a_connection_that_was_closed(method: str) -> None:
    """The server answers once on each connection and then hangs up after reading."""
    tally = Tally()
    async with Server(in_turn(always(GOOD), always(close=True))) as server:
        target = http(f"{server.url}/chat", request={"method": method})
        assert (await ask(target, pace=tally)).text == "fine"
        with pytest.raises(BrokenReply) as caught:
            await ask(target, pace=tally)
        await target.close()
        assert (server.connections, len(server.received), tally.left) == (1, 2, 2)
    assert caught.value.delivered is None


async def test_redirects_on_the_same_host_are_followed_and_counted() -> None:
    def reply(request: Received) -> bytes:
        return GOOD if request.target == "/new" else response(b"", 308, location="/new")

    tally = Tally()
    async with Server(replying(reply)) as server:
        target = http(f"{server.url}/old")
        assert (await ask(target, pace=tally)).text == "fine"
        await target.close()
        assert [(r.method, r.target) for r in server.received] == [("POST", "/old"), ("POST", "/new")]
        assert server.received[1].body == server.received[0].body
    assert tally.left == 2


async def test_303_turns_into_get_without_a_body() -> None:
    def reply(request: Received) -> bytes:
        return GOOD if request.method == "GET" else response(b"", 303, location="/new")

    async with Server(replying(reply)) as server:
        target = http(f"{server.url}/old")
        assert (await ask(target)).text == "fine"
        await target.close()
        assert server.received[1].body == b""
        assert "content-type" not in server.received[1].headers


async def test_error_pages_are_quoted_on_one_printable_line() -> None:
    async with Server(always(response("bad\r\n\x1b[31mthing\x07" + "x" * 900, 400))) as server:
        target = http(f"{server.url}/chat")
        with pytest.raises(RequestRefused) as caught:
            await ask(target)
        await target.close()
    told = caught.value.told(excerpt)
    assert "bad [31mthing x" in told
    assert told.isprintable()
    assert len(told) < 300


@pytest.mark.slow
async def test_five_clean_requests_after_a_thousand_cancelled() -> None:
    waiting = asyncio.Event()

    async def behave(request: Received, writer: asyncio.StreamWriter) -> None:
        if request.json["text"] == "slow":
            await waiting.wait()
        writer.write(GOOD)

    tally = Tally()
    async with Server(behave) as server:
        target = http(f"{server.url}/chat")
        for go in range(1, 11):
            tasks = [asyncio.create_task(ask(target, "slow", tally)) for _ in range(100)]
            await asyncio.sleep(0.03)
            while tally.left < 100 * go:  # noqa: ASYNC110 - a tally tells nobody
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(end, asyncio.CancelledError) for end in ended)
        assert [(await ask(target, "quick", tally)).text for _ in range(5)] == ["fine"] * 5
        await target.close()
        assert len(server.received) <= tally.left == 1005


async def test_a_server_without_tls_is_told_as_such() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1000)
        writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        target = http(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/chat")
        with pytest.raises(Unreachable) as caught:
            await ask(target)
        await target.close()
    assert "if it speaks plain HTTP, write http://" in str(caught.value)
    assert (caught.value.delivered, caught.value.place) == (False, "connect.request.url")


async def test_a_closed_port_says_what_to_look_at() -> None:
    target = http("http://127.0.0.1:9/chat")
    with pytest.raises(Unreachable, match="is the bot running, and is the port right") as caught:
        await ask(target)
    await target.close()
    assert caught.value.place == "connect.request.url"


@pytest.mark.parametrize(
    ("status", "env", "words"),
    [
        (401, {"DESK_TOKEN": "x", "DESK_ID": "y"}, "is the value of DESK_ID, DESK_TOKEN right?"),
        (401, {"DESK_TOKEN": "bearer x"}, "the file writes Bearer already: is that word in the value of DESK_TOKEN"),
        (403, {}, "see auth and headers"),
        (404, {"DESK_TOKEN": "x"}, "check the path of the URL"),
        (405, {}, "check the method"),
    ],
)
async def test_a_refused_request_says_what_to_mend(status: int, env: dict[str, str], words: str) -> None:
    async with Server(always(response({"error": "no"}, status))) as server:
        headers = {"Authorization": "Bearer {{ env.DESK_TOKEN }}"} if env else {}
        target = http(f"{server.url}/chat", env=env, request={"headers": headers})
        with pytest.raises(RequestRefused) as caught:
            await ask(target)
        await target.close()
    assert words in str(caught.value)
    assert caught.value.place == "connect.request"


@pytest.mark.parametrize(
    ("body", "form"),
    [
        ('data: {"text": "a"}\n\ndata: {"text": "b"}\n\n', "sse"),
        (': hello\n\nevent: message\ndata: {"text": "a"}\n\n', "sse"),
        ('{"text": "a"}\n{"text": "b"}\n', "ndjson"),
        ('{"text": "a"}', ""),
        ('"data: fine"', ""),
    ],
)
async def test_a_stream_that_is_not_read_as_one_says_so(body: str, form: str) -> None:
    async with Server(always(response(body, kind="text/event-stream"))) as server:
        target = http(f"{server.url}/chat")
        if body == '{"text": "a"}':
            assert (await ask(target)).text == "a"
        else:
            with pytest.raises(ExtractionFailed) as caught:
                await ask(target)
            assert f"set stream: {{format: {form}}}" in str(caught.value) if form else "stream" not in str(caught.value)
        await target.close()
