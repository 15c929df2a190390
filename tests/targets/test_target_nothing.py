"""What it means when there is nothing at the answer's place, for every kind that extracts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from botattack.errors import AskedTooOften, BrokenReply, ExtractionFailed, TargetError
from botattack.model import Reply
from botattack.protocols import Target
from botattack.targets.http.http_kind import Http
from botattack.targets.http.openai import OpenAI
from botattack.targets.http.websocket import WebSocket
from botattack.targets.process.process_kind import Process
from tests.servers.http import Server, always, in_turn, response
from tests.servers.websocket import talking
from tests.targets.asking import ask, http, options
from tests.targets.test_target_openai import said
from tests.targets.test_target_streams import OPENAI, delta, sse, streaming
from tests.targets.test_target_websocket import saying

pytestmark = pytest.mark.anyio

RASA = {"answer": "$[*].text"}
REFUSED = {"signs": {"refused": ["nothing"]}}
NOTHING = ("", "")
STREAM = {"format": "sse"}


def read_again(kind: type, tree: dict[str, Any], raw: str) -> Reply:
    """A recorded reply, as `replay --reextract` reads it."""
    assert raw
    reply: Reply = options(kind, tree).extractor(Path())(raw)
    return reply


def posting(url: str, **tree: Any) -> dict[str, Any]:
    return {"request": {"url": url, "json": {"text": "{{ question }}"}}, **tree}


async def asked(bot: Target) -> Reply:
    try:
        return await ask(bot)
    finally:
        await bot.close()


async def texts(kind: type, tree: dict[str, Any]) -> tuple[str, str]:
    """What a bot says, and what its recorded reply is read as."""
    reply = await asked(options(kind, tree).target("bot", {}, Path()))
    return reply.text, read_again(kind, tree, reply.raw).text


@pytest.mark.parametrize("body", ["[]", '[{"image": "cat.png"}]', '[{"text": null}]', "{}", "null", "", " \n"])
async def test_over_http(body: str) -> None:
    async with Server(always(response(body))) as server:
        assert await texts(Http, posting(server.url, extract=RASA, **REFUSED)) == NOTHING
        with pytest.raises(ExtractionFailed) as caught:
            await asked(http(server.url, extract=RASA))
    assert caught.value.place == "connect.extract.answer"


async def test_fields_are_kept_of_a_bot_that_says_nothing() -> None:
    extract = {"answer": "$.text", "ranked": "$.all[*]", "fields": {"intent": "$.intent"}}
    async with Server(always(response({"text": None, "intent": "fallback", "all": ["a"]}))) as server:
        reply = await asked(http(server.url, extract=extract, **REFUSED))
    assert (reply.text, reply.ranked, reply.fields) == ("", ("a",), {"intent": "fallback"})


@pytest.mark.parametrize(
    ("body", "kind"),
    [("<h1>It works!</h1>", ExtractionFailed), ('[{"text": ', BrokenReply), ('[{"text": {}}]', ExtractionFailed)],
)
async def test_a_reply_that_cannot_be_read_is_never_silence(body: str, kind: type[TargetError]) -> None:
    async with Server(always(response(body))) as server:
        with pytest.raises(kind):
            await asked(http(server.url, extract=RASA, **REFUSED))


@pytest.mark.parametrize("pieces", [("[DONE]",), (delta(None), "[DONE]"), ({"usage": 3}, "[DONE]")])
async def test_in_a_stream(pieces: tuple[Any, ...]) -> None:
    refused = OPENAI | REFUSED
    async with Server(streaming(sse(*pieces))) as server:
        assert await texts(Http, posting(server.url, **refused)) == NOTHING
        with pytest.raises(ExtractionFailed, match="no piece of the stream"):
            await asked(http(server.url, **OPENAI))


async def test_a_stream_that_breaks_off_is_never_silence() -> None:
    refused = OPENAI | REFUSED
    async with Server(streaming(sse(delta(None)), end=False)) as server:
        with pytest.raises(BrokenReply):
            await asked(http(server.url, **refused))


async def test_in_a_stream_without_a_character() -> None:
    async with Server(streaming()) as server:
        assert await texts(Http, posting(server.url, stream=STREAM, extract=RASA, **REFUSED)) == NOTHING


async def test_over_a_socket_that_tells_the_end() -> None:
    tree = {"send": {"text": "{{ question }}"}, "extract": {"answer": "$.say"}, "done": {"at": "$.end"}, **REFUSED}
    async with talking(saying({"typing": True}, {"end": True})) as server:
        assert await texts(WebSocket, {"url": server.url} | tree) == NOTHING


async def test_of_a_program(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import sys\nfor line in sys.stdin:\n    print('{}', flush=True)\n")
    tree = {"command": [sys.executable, str(tmp_path / "bot.py")], "extract": {"answer": "$.text"}, **REFUSED}
    assert await texts(Process, tree) == NOTHING


@pytest.mark.parametrize(("stream", "sign"), [(True, "$.choices[0].finish_reason"), (False, "$.choices")])
async def test_of_a_server_of_the_openai_shape(stream: bool, sign: str) -> None:
    """It needs no sign in the file; what is busy there has refused nothing."""
    end = {"choices": [{"delta": {}, "finish_reason": "content_filter"}]}
    behave = streaming(sse(delta(None), end, "[DONE]")) if stream else always(said(None))
    async with Server(behave) as server:
        tree = {"url": f"{server.url}/v1/", "model": "m", "stream": stream}
        assert await texts(OpenAI, tree) == NOTHING
        with pytest.raises(AskedTooOften):
            await asked(options(OpenAI, tree | {"signs": {"busy": [sign]}}).target("bot", {}, Path()))


async def test_of_a_bot_that_is_polled_once_it_says_that_it_is_done() -> None:
    pending, done = (always(response(json.dumps({"done": done, "text": None}))) for done in (False, True))
    async with Server(in_turn(always(response({})), pending, pending, done)) as server:
        poll = {"url": f"{server.url}/poll", "until": "$.done", "every": "10ms"}
        assert await texts(Http, posting(server.url, poll=poll, extract={"answer": "$.text"}, **REFUSED)) == NOTHING
        assert len(server.received) == 4


async def test_of_a_bot_that_is_polled_and_does_not_say_so_nothing_is_no_answer_yet() -> None:
    bodies = (response({}), response({"text": None}), response({"text": None}), response({"text": "late"}))
    async with Server(in_turn(*map(always, bodies))) as server:
        poll = {"url": f"{server.url}/poll", "every": "10ms"}
        reply = await asked(http(server.url, poll=poll, extract={"answer": "$.text"}, **REFUSED))
    assert reply.text == "late"
