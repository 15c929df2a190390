from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

import botattack
from botattack.errors import (
    BotattackError,
    BrokenReply,
    ExtractionFailed,
    HostRefused,
    RateLimited,
    RequestRefused,
    ServerFailed,
    TargetError,
    Unreachable,
)
from botattack.model import Prompt
from botattack.options import BadValue
from botattack.protocols import Target
from botattack.targets.http.websocket import WebSocket
from botattack.targets.messages.extraction import Silent
from tests.servers.websocket import Talk, talking
from tests.targets.asking import Tally, ask, options, unit_of

pytestmark = pytest.mark.anyio


def target(url: str, **tree: Any) -> Target:
    connect = {"url": url, "send": {"text": "{{ question }}"}, "extract": {"answer": "$.say"}} | tree
    return options(WebSocket, connect).target("bot", {"T": "tok"}, None)


def saying(*messages: Any, pause: float = 0.0, hang_up: bool = False) -> Talk:
    """Says the same to each question."""

    async def talk(socket: web.WebSocketResponse, _: web.Request) -> None:
        async for _message in socket:
            for message in messages:
                await asyncio.sleep(pause)
                await socket.send_str(message if isinstance(message, str) else json.dumps(message))
            if hang_up:
                return

    return talk


async def test_connect_join_ask_and_collect_until_done() -> None:
    heard: list[Any] = []

    async def talk(socket: web.WebSocketResponse, request: web.Request) -> None:
        heard.append((request.headers["Authorization"], request.headers.getall("Host")))
        await socket.send_str("welcome")
        async for message in socket:
            heard.append(message.json())
            if "join" in message.json():
                await socket.send_json({"joined": True})
            else:
                for reply in ({"typing": True}, {"say": "one"}, "42", {"say": "two"}, {"end": True}, {"say": "late"}):
                    await socket.send_str(reply if isinstance(reply, str) else json.dumps(reply))

    tally = Tally()
    async with talking(talk) as server:
        bot = target(
            server.url,
            auth={"bearer": "{{ env.T }}"},
            headers={"Host": "bot.example"},
            join=[{"join": "{{ session }}"}],
            ready={"at": "$.joined"},
            done={"at": "$.end"},
        )
        reply = await ask(bot, pace=tally)
        await bot.close()
    assert reply.text == "one\ntwo"
    assert heard[0] == ("Bearer tok", ["bot.example"])
    assert len(heard[1]["join"]) == 16
    assert heard[2] == {"text": "hello?"}
    assert tally.left == 3
    assert 0 < (reply.first or 0) <= reply.latency
    again = options(WebSocket, {"url": "ws://x/", "send": "", "extract": {"answer": "$.say", "several": "last"}})
    assert again.extractor(None)(reply.raw).text == "two"


@pytest.mark.parametrize(("pieces", "said"), [("incremental", "ab"), ("cumulative", "b"), ("messages", "a\nb")])
async def test_without_an_end_mark_quiet_ends_the_answer(pieces: str, said: str) -> None:
    async with talking(saying({"say": "a"}, {"say": "b"}, pause=0.05)) as server:
        bot = target(server.url, pieces=pieces, quiet="150ms")
        began = asyncio.get_running_loop().time()
        reply = await ask(bot)
        took = asyncio.get_running_loop().time() - began
        await bot.close()
    assert reply.text == said
    assert 0.2 < reply.latency < took


async def test_a_message_that_is_a_stream_names_no_key_that_this_kind_lacks() -> None:
    async with talking(saying("data: {}", {"end": 1})) as server:
        bot = target(server.url, extract={"answer": "$.say"}, done={"at": "$.end"})
        with pytest.raises(TargetError) as caught:
            await ask(bot)
        await bot.close()
    assert "set stream" not in str(caught.value)


async def test_hanging_up_ends_an_answer_without_an_end_mark() -> None:
    async with talking(saying({"say": "bye"}, hang_up=True)) as server:
        bot = target(server.url, quiet="30s")
        assert (await ask(bot)).text == "bye"
        await bot.close()


async def test_what_comes_as_bytes_is_read_as_text_whatever_is_in_it() -> None:
    async def talk(socket: web.WebSocketResponse, _: web.Request) -> None:
        async for _message in socket:
            await socket.send_bytes('{"say": "für '.encode() + b'\xff"}')
            return

    async with talking(talk) as server:
        bot = target(server.url, quiet="30s")
        assert (await ask(bot)).text == "für \ufffd"
        await bot.close()


async def test_a_conversation_keeps_its_connection() -> None:
    async with talking(saying({"say": "yes", "end": 1})) as server:
        bot = target(server.url, done={"at": "$.end"}, send="{{ turn }}: {{ question }}")
        async with bot.session(unit_of("a", "b"), Tally()) as session:
            assert [(await session.ask(Prompt(text))).text for text in ("a", "b")] == ["yes", "yes"]
        await ask(bot)
        await bot.close()
        assert server.handshakes == 2


async def test_several_messages_in_one_with_record_separators() -> None:
    """As SignalR: a handshake that ends with a control character, pings, and frames with several records."""

    async def talk(socket: web.WebSocketResponse, _: web.Request) -> None:
        assert (await socket.receive()).data == '{"protocol":"json"}\x1e'
        await socket.send_str("{}\x1e")
        asked = (await socket.receive()).data
        assert (asked[-1], json.loads(asked[:-1])["arguments"]) == ("\x1e", ['a "b"'])
        await socket.send_str('{"type":6}\x1e{"type":1,"say":"Par"}\x1e')
        assert (await socket.receive()).data == '{"type":6}\x1e'
        await socket.send_str('{"type":1,"say":"is"}\x1e{"type":3}\x1e')
        await socket.receive()

    async with talking(talk) as server:
        bot = target(
            server.url,
            join=['{"protocol":"json"}\x1e'],
            ready={"data": "{}\x1e"},
            pings=[{"when": {"where": {"type": 6}}, "send": '{"type":6}\x1e'}],
            send='{"type":1,"arguments":["{{ question }}"]}\x1e',
            where={"type": 1},
            pieces="incremental",
            done={"where": {"type": 3}},
        )
        assert (await ask(bot, 'a "b"')).text == "Paris"
        await bot.close()


async def test_an_answer_to_this_message_is_found_by_its_id() -> None:
    async def talk(socket: web.WebSocketResponse, _: web.Request) -> None:
        async for message in socket:
            for to in ("another", message.json()["id"]):
                await socket.send_json({"to": to, "say": f"to {to[:3]}", "end": to != "another"})

    async with talking(talk) as server:
        reading = {"extract": {"answer": "$.say"}, "where": {"to": "_.message.uuid"}}
        bot = target(server.url, send={"id": "{{ uuid }}"}, done={"at": "$.end"}, **reading)
        reply = await ask(bot)
        await bot.close()
    assert reply.text not in ("", "to ano")
    assert options(WebSocket, {"url": "ws://x/", "send": "", **reading}).extractor(None)(reply.raw).text == reply.text


@pytest.mark.parametrize(
    ("hang_up", "said"),
    [
        (False, "no complete answer within 3 s; no piece of the stream contains $.say; the last was: {"),
        (True, "the bot hung up before the end of its answer: {"),
    ],
)
async def test_messages_without_an_answer_are_shown(hang_up: bool, said: str, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "Capital of France?", "answers": ["Paris"]}\n')
    (tmp_path / "run.yaml").write_text("target: bot.yaml\nquestions: {file: q.jsonl}\nattacks: [unchanged]\n")
    async with talking(saying({"typing": True}, {"reply": "Paris"}, hang_up=hang_up)) as server:
        (tmp_path / "bot.yaml").write_text(
            f"connect: {{kind: websocket, url: '{server.url}', "
            "send: '{{ question }}', extract: {answer: $.say}}\n"
            "limits: {timeout: 3s, retries: 0, rate: unlimited}\n"
        )
        with suppress(BotattackError):
            campaign = botattack.load(tmp_path / "run.yaml", environ={})
            await botattack.run_async(campaign, recordings=tmp_path / "recordings")
    (events,) = (tmp_path / "recordings").rglob("events.jsonl")
    failures = [json.loads(line).get("failure") for line in events.read_text().splitlines()]
    assert [f["message"] for f in failures if f] == [said + '"reply": "Paris"}'] * 1, events.read_text()


@pytest.mark.parametrize(
    ("talk", "tree", "kind"),
    [
        (saying({"say": "cut"}, hang_up=True), {"done": {"at": "$.end"}}, BrokenReply),
        (saying({"error": "no"}), {"signs": {"failed": ["$.error"]}}, ServerFailed),
        (saying({"end": 1}), {"done": {"at": "$.end"}}, Silent),
        (saying({"say": "a" * 5000}), {"max_body": 1000}, BrokenReply),
        (saying(*[{"say": "a" * 500}] * 5), {"max_body": 1000, "done": {"at": "$.end"}}, ExtractionFailed),
        (saying(*['{"say": "' + "é" * 400 + '"}'] * 2), {"max_body": 1000, "done": {"at": "$.end"}}, ExtractionFailed),
    ],
    ids=["cut", "error", "nothing", "long message", "long answer", "long in bytes"],
)
async def test_sockets_that_go_wrong(talk: Talk, tree: dict[str, Any], kind: type[TargetError]) -> None:
    async with talking(talk) as server:
        bot = target(server.url, **tree)
        with pytest.raises(kind) as caught:
            await ask(bot)
        await bot.close()
    assert type(caught.value) is kind


@pytest.mark.parametrize(
    ("status", "headers", "kind"),
    [
        (401, {}, RequestRefused),
        (500, {}, ServerFailed),
        (429, {"Retry_After": "4"}, RateLimited),
        (302, {"Location": "http://127.0.0.1:1/"}, HostRefused),
        (200, {}, RequestRefused),
    ],
)
async def test_handshakes_that_are_refused(status: int, headers: dict[str, str], kind: type[TargetError]) -> None:
    tally = Tally()
    async with talking(saying(), status, **headers) as server:
        bot = target(server.url)
        with pytest.raises(kind) as caught:
            await ask(bot, pace=tally)
        await bot.close()
        assert server.handshakes == tally.left == 1
    assert type(caught.value) is kind
    assert tally.shuts == ([4.0] if status == 429 else [])


async def test_refused_port() -> None:
    bot = target("ws://127.0.0.1:1/chat")
    with pytest.raises(Unreachable) as caught:
        await ask(bot)
    await bot.close()
    assert caught.value.delivered is False


def test_oauth_is_refused_at_its_place() -> None:
    oauth = {"url": "http://x/", "client_id": "a", "client_secret": "b"}
    with pytest.raises(BadValue, match="cannot use OAuth"):
        WebSocket.__post_init__(type("Stub", (), {"auth": type("A", (), {"oauth": oauth})})())


@pytest.mark.parametrize(
    ("path", "tree"),
    [("?EIO=4", {}), ("", {"pings": [{"when": {"data": "2"}, "send": "3"}]})],
)
async def test_pings_are_answered_while_the_pace_lets_nothing_leave(path: str, tree: dict[str, Any]) -> None:
    asked: list[Any] = []

    async def talk(socket: web.WebSocketResponse, _: web.Request) -> None:
        for _n in range(3):
            await socket.send_str("2")
            message = await asyncio.wait_for(socket.receive(), 60)
            if message.data != "3":
                return
        answered.set()
        frame = await socket.receive_str()
        asked.append(json.loads(frame.removeprefix("42")))
        await socket.send_str("2")
        await socket.send_str('42["bot",{"say":"yes"}]')

    answered = asyncio.Event()

    class Slow(Tally):
        async def leave(self) -> None:
            await super().leave()
            if self.left == 2:
                await answered.wait()

    send = '42["ask",{"text":"{{ question }}"}]'
    extract = {"answer": {"regex": '"say":"(.*?)"'}}
    async with talking(talk) as server:
        bot = target(server.url + path, send=send, extract=extract, quiet="300ms", **tree)
        pace = Slow()
        reply = await ask(bot, 'say "hi"\n\\o/', pace)
        await bot.close()
    assert (reply.text, pace.left) == ("yes", 2)
    assert asked == [["ask", {"text": 'say "hi"\n\\o/'}]]


async def test_a_second_answer_is_never_taken_for_that_to_the_next_turn() -> None:
    again, said = asyncio.Event(), asyncio.Event()

    async def talk(socket: web.WebSocketResponse, _: web.Request) -> None:
        async for message in socket:
            await socket.send_json({"say": f"answer to {message.json()['text']}"})
            await again.wait()
            await socket.send_json({"typing": True})
            await socket.send_json({"say": "and one more thing"})
            said.set()

    async with talking(talk) as server:
        bot = target(server.url, quiet="50ms")
        async with bot.session(unit_of("one", "two"), Tally()) as session:
            assert (await session.ask(Prompt("one"))).text == "answer to one"
            again.set()
            await said.wait()
            await asyncio.sleep(0.2)  # it is read on this very loop
            with pytest.raises(BrokenReply, match="answered again") as failed:
                await session.ask(Prompt("two"))
        await bot.close()
    assert (failed.value.place, failed.value.said) == ("connect.quiet", '{"say": "and one more thing"}')
