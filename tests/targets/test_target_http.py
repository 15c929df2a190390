from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import ValidationError

from botattack import __version__
from botattack.errors import BrokenReply, HostRefused, RequestRefused
from botattack.model import Prompt, Turn
from botattack.options import BadValue
from botattack.targets.http.http_kind import Http
from botattack.targets.messages.calls import Request, read_url
from botattack.targets.messages.filling import Caller
from tests.servers.http import TLS, Received, Server, always, replying, response, server_tls
from tests.targets.asking import Tally, ask, http, options, unit_of

pytestmark = pytest.mark.anyio
HOSTILE = 'a"b\\ \r\nX-Evil: 1 &x=1#y?z={{ env.T }} %41 é {"k": 1}'


def echo(request: Received) -> bytes:
    return response({"text": request.body.decode(), "target": request.target, "headers": request.headers})


async def asked(
    question: str = "hello?", env: dict[str, str] | None = None, folder: Path = Path(), **request: object
) -> Received:
    """What a server sees of one question."""
    async with Server(replying(echo)) as server:
        tree = {"url": f"{server.url}/chat"} | {
            k: v.replace("URL", server.url) if k == "url" else v for k, v in request.items()
        }  # type: ignore[attr-defined]
        target = options(Http, {"request": tree}).target("bot", env or {}, folder)
        await ask(target, question)
        await target.close()
        (received,) = server.received
    return received


async def test_json_body_and_headers() -> None:
    received = await asked(
        env={"TOKEN": "t0ken"},
        headers={"Authorization": "Bearer {{ env.TOKEN }}", "X-Session": "{{ session }}"},
        json={"text": "{{ question }}", "n": 3, "turn": "{{ turn }}", "list": "{{ messages }}"},
    )
    assert received.method == "POST"
    assert received.headers["authorization"] == "Bearer t0ken"
    assert received.headers["user-agent"] == f"botattack/{__version__} (+robustness audit)"
    assert received.headers["content-type"] == "application/json"
    assert len(received.headers["x-session"]) == 16
    expected = {"text": "hello?", "n": 3, "turn": 0, "list": [{"role": "user", "content": "hello?"}]}
    assert received.json == expected


async def test_a_question_cannot_leave_its_place() -> None:
    assert (await asked(HOSTILE, json={"text": "{{ question }}"})).json == {"text": HOSTILE}
    query = urlsplit((await asked(HOSTILE, query={"q": "{{ question }}", "s": "1"})).target).query
    assert parse_qs(query) == {"q": [HOSTILE], "s": ["1"]}
    form = (await asked(HOSTILE, form={"q": "{{ question }}"})).body.decode()
    assert parse_qs(form) == {"q": [HOSTILE]}
    path = await asked(HOSTILE, url="URL/say/{{ question }}?a=b")
    assert path.target.count("?") == 1
    assert path.target.endswith("?a=b")
    assert (await asked(HOSTILE, text="Q: {{ question }}")).body.decode() == f"Q: {HOSTILE}"


async def test_a_line_break_in_a_header_is_refused_before_anything_leaves() -> None:
    tally = Tally()
    target = http("http://127.0.0.1:1/", request={"headers": {"X-Q": "{{ question }}"}})
    with pytest.raises(RequestRefused) as caught:
        await ask(target, HOSTILE, tally)
    assert caught.value.place == "connect.request.headers.X-Q"
    assert tally.left == 0
    await target.close()


async def test_multipart() -> None:
    file = {"text": "\r\n--x", "filename": "note.txt", "type": "text/plain"}
    received = await asked(HOSTILE, multipart={"q": "{{ question }}", "f": file})
    boundary = received.headers["content-type"].split("boundary=")[1]
    parts = received.body.split(f"--{boundary}".encode())
    assert len(parts) == 4
    assert parts[1].endswith(f"\r\n\r\n{HOSTILE}\r\n".encode())
    assert b'filename="note.txt"\r\ncontent-type: text/plain\r\n\r\n\r\n--x\r\n' in parts[2]
    assert parts[3] == b"--\r\n"


async def test_multipart_with_a_file_made_of_text() -> None:
    received = await asked(HOSTILE, multipart={"f": {"text": "{{ question }}", "filename": "{{ question }}.txt"}})
    head, _, body = received.body.partition(b"\r\n\r\n")
    assert head.count(b"\r\n") == 2
    assert head.count(b'"') == 4
    assert b'.txt"\r\ncontent-type: text/plain; charset=utf-8' in head
    assert body.startswith(f"{HOSTILE}\r\n--".encode())


async def test_no_reply_chooses_the_file_of_a_form(tmp_path: Path) -> None:
    """What a bot sends is data: `{"file": …}` in it names no file."""
    (tmp_path / "token.txt").write_text("c4n4ry")
    async with Server(replying(lambda _: response({"doc": {"file": "token.txt"}, "text": "x"}))) as server:
        tree = {
            "open": {"url": server.url, "take": {"doc": "$.doc"}},
            "request": {"url": server.url, "multipart": {"q": "{{ question }}", "doc": "{{ open.doc }}"}},
        }
        target = options(Http, tree).target("bot", {}, tmp_path)
        await ask(target)
        await target.close()
    said = server.received[-1].body
    assert b'{"file":"token.txt"}' in said
    assert b"c4n4ry" not in said


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"file": "note.txt"}, "takes text, filename and type"),
        ({"filename": "a", "text": "b", "type": "text/plain\r\nx: y"}, "expected a content type"),
        ({"filename": "a"}, "takes text, filename and type"),
        ({"filename": "a", "text": "b", "type": "c"}, "expected a content type"),
    ],
)
def test_a_file_of_a_form_is_made_of_text(part: Any, said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        options(Http, {"request": {"url": "http://127.0.0.1:1/", "multipart": {"f": part}}})


def test_the_host_must_be_known_before_the_run() -> None:
    with pytest.raises(BadValue, match="cannot depend"):
        read_url("http://{{ question }}/x")


async def test_an_address_from_a_reply_is_asked_only_where_its_host_is_named() -> None:
    def reply(request: Received) -> bytes:
        where = "http://example.org/" if request.json == "away" else f"{server.url}/here"
        return response({"next": where}) if request.target == "/open" else response({"text": "ok"})

    async with Server(replying(reply)) as server:
        for word in ("here", "away"):
            opening = {"url": f"{server.url}/open", "json": word, "take": {"next": "$.next"}}
            target = http("{{ open.next }}", open=opening)
            if word == "here":
                assert (await ask(target)).text == "ok"
            else:
                with pytest.raises(HostRefused):
                    await ask(target)
            await target.close()
        assert [request.target for request in server.received] == ["/open", "/here", "/open"]


async def test_conversation_is_opened_asked_and_closed_with_its_values_and_cookies() -> None:
    def reply(request: Received) -> bytes:
        if request.target == "/open":
            return response({"id": 7}, set_cookie="sid=abc; Path=/")
        return response({"text": request.headers.get("cookie", "none")})

    tally = Tally()
    async with Server(replying(reply)) as server:
        target = http(
            f"{server.url}/talk/{{{{ open.id }}}}",
            open={"url": f"{server.url}/open", "json": {}, "take": {"id": "$.id"}},
            close={"url": f"{server.url}/talk/{{{{ open.id }}}}", "method": "DELETE"},
        )
        assert (await ask(target, pace=tally)).text == "sid=abc"
        await target.close()
        seen = [(request.method, request.target) for request in server.received]
    assert seen == [("POST", "/open"), ("POST", "/talk/7"), ("DELETE", "/talk/7")]
    assert tally.left == 3


async def test_a_session_in_a_header_is_opened_by_several_requests_and_counts_on() -> None:
    """As MCP over HTTP: initialize gives the session, a notification follows, and each call has a number."""

    def reply(request: Received) -> bytes:
        if request.json["method"] == "initialize":
            return response({"id": 0, "proto": "p1"}, Mcp_Session_Id="s-1")
        assert (request.headers["mcp-session-id"], request.headers["proto"]) == ("s-1", "p1")
        if request.json["method"] == "ready":
            return response(b"", 202)
        return response({"text": f"answer {request.json['id']}"})

    session = {"Mcp-Session-Id": "{{ open.s }}", "Proto": "{{ open.p }}"}
    async with Server(replying(reply)) as server:
        bot = http(
            server.url,
            open=[
                {
                    "url": server.url,
                    "json": {"method": "initialize"},
                    "take": {"s": {"header": "Mcp-Session-Id"}, "p": "$.proto"},
                },
                {"url": server.url, "json": {"method": "ready"}, "headers": session},
            ],
            request={
                "json": {"method": "call", "id": "{{ turn + 1 }}", "q": "{{ question }}"},
                "headers": session,
            },
        )
        async with bot.session(unit_of("a", "b"), Tally()) as conversation:
            assert [(await conversation.ask(Prompt(text))).text for text in ("a", "b")] == ["answer 1", "answer 2"]
        await bot.close()
        assert [one.json["method"] for one in server.received] == ["initialize", "ready", "call", "call"]
    assert bot.may_remember


async def test_what_a_stream_says_of_its_conversation_is_taken_and_kept() -> None:
    def reply(request: Received) -> bytes:
        id_ = {"conversation": "c-1"} if request.json["id"] == "" else {}
        pieces = [{"n": 1}, id_, {"text": f"in {request.json['id'] or 'none'}"}]
        return response("".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces).encode(), X_T="t")

    async with Server(replying(reply)) as server:
        bot = http(
            server.url,
            request={
                "json": {"q": "{{ question }}", "id": "{{ request.id | default('') }}"},
                "take": {"id": "$.conversation", "t": {"header": "x-t"}},
            },
            stream={},
        )
        async with bot.session(unit_of("a"), Tally()) as session:
            said = [(await session.ask(Prompt("a"))).text for _ in range(3)]
        await bot.close()
    assert said == ["in none", "in c-1", "in c-1"]


async def test_nothing_leaks_from_one_conversation_into_the_next() -> None:
    async with Server(replying(lambda r: response({"text": r.headers.get("cookie", "")}, set_cookie="a=1"))) as server:
        target = http(server.url)
        unit = unit_of("one", "two")
        async with target.session(unit, Tally()) as session:
            assert [(await session.ask(Prompt(text))).text for text in ("one", "two")] == ["", "a=1"]
        assert (await ask(target)).text == ""
        await target.close()


async def test_turns_become_history() -> None:
    body = {"history": "{{ history }}", "messages": "{{ messages }}", "turn": "{{ turn }}"}
    async with Server(replying(lambda r: response({"text": f"answer {r.json['turn']}"}))) as server:
        target = http(server.url, request={"json": body})
        async with target.session(unit_of("one", "two"), Tally()) as session:
            await session.ask(Prompt("one", history=(Turn("user", "hi"), Turn("bot", "hello"))))
            await session.ask(Prompt("two"))
        await target.close()
        first, second = (request.json for request in server.received)
    assert first["history"] == [{"speaker": "user", "text": "hi"}, {"speaker": "bot", "text": "hello"}]
    assert [m["role"] for m in first["messages"]] == ["user", "assistant", "user"]
    assert second["history"] == [{"speaker": "user", "text": "one"}, {"speaker": "bot", "text": "answer 0"}]
    assert second["turn"] == 1


async def test_session_and_uuid_derive_from_the_unit() -> None:
    body = {"session": "{{ session }}", "uuid": "{{ uuid }}", "seed": "{{ seed }}"}
    async with Server(always(response({"text": ""}))) as server:
        target = http(server.url, request={"json": body})
        for repeat, seed in ((0, 7), (0, 7), (1, 7), (0, 8)):
            await ask(target, repeat=repeat, seed=seed)
        await target.close()
        first, again, repeated, seeded = (request.json for request in server.received)
    assert first == again
    for key in body:
        assert len({first[key], repeated[key], seeded[key]}) == 3


@pytest.mark.slow
async def test_client_certificate_is_shown() -> None:
    async with Server(always(response({"text": "welcome"})), tls=server_tls(clients=True)) as server:
        target = http(server.url, folder=TLS, tls={"ca": "server-cert.pem", "cert": "client.pem"})
        assert (await ask(target)).text == "welcome"
        await target.close()
        nobody = http(server.url, folder=TLS, tls={"ca": "server-cert.pem"})
        with pytest.raises(BrokenReply):
            await ask(nobody)
        await nobody.close()


async def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    async with Server(always(response({"text": "direct"}))) as server:
        target = http(server.url)
        assert (await ask(target)).text == "direct"
        await target.close()


async def test_named_proxy_is_used() -> None:
    async with Server(always(response({"text": "by proxy"}))) as proxy:
        target = http("http://bot.invalid/chat", proxy=proxy.url)
        assert (await ask(target)).text == "by proxy"
        await target.close()
        assert proxy.received[0].target == "http://bot.invalid/chat"


async def test_a_recorded_reply_can_be_extracted_again() -> None:
    async with Server(always(response({"text": "a", "other": "b"}))) as server:
        target = http(server.url)
        reply = await ask(target)
        await target.close()
    again = options(Http, {"request": {"url": "http://x/"}, "extract": {"answer": "$.other"}})
    assert again.extractor(Path())(reply.raw).text == "b"
    assert reply.latency > 0


def test_hosts_for_consent() -> None:
    tree = {
        "request": {"url": "{{ env.BASE }}/chat"},
        "open": {"url": "https://login.example/x"},
        "hosts": ["cdn.example:8443", "poll.example"],
    }
    read = options(Http, tree)
    assert read.hosts({"BASE": "http://127.0.0.1:9"}) == {
        ("request", "url"): "127.0.0.1",
        ("open", "url"): "login.example",
        ("hosts", 0): "cdn.example",
        ("hosts", 1): "poll.example",
    }


@given(st.text())
def test_any_question_arrives_byte_for_byte(question: str) -> None:
    request = options(Request, {"url": "http://x/{{ question }}", "json": {"q": "{{ question }}"}})
    call = Caller(request, {}, "connect.request").call({"question": question})
    assert json.loads(call.body) == {"q": question}
    assert "/" not in call.url.removeprefix("http://x/")
