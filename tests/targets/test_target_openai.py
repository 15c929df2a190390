from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from botattack.errors import BrokenReply, ExtractionFailed, TargetError, Unreachable, excerpt
from botattack.model import Prompt, Turn
from botattack.protocols import Target
from botattack.targets.http.openai import OpenAI
from tests.servers.http import Server, always, response
from tests.targets.asking import Tally, ask, options, unit_of
from tests.targets.test_target_streams import delta, sse, streaming

pytestmark = pytest.mark.anyio


def chat(url: str, **tree: Any) -> Target:
    return options(OpenAI, {"url": f"{url}/v1/", "model": "m"} | tree).target("bot", {"KEY": "sk-1"}, Path())


def said(content: str | None, **message: Any) -> bytes:
    choice = {"message": {"role": "assistant", "content": content, **message}, "finish_reason": "stop"}
    return response({"choices": [choice], "model": "m-1", "usage": None})


async def test_the_request_and_all_that_comes_back() -> None:
    async with Server(always(said("Paris."))) as server:
        bot = chat(server.url, api_key="{{ env.KEY }}", system="Be short.", max_tokens=9, fields={"top_p": 1})
        prompt = Prompt(
            "Capital?", passages=("France is a country.",), history=(Turn("user", "hi"), Turn("bot", "yes?"))
        )
        async with bot.session(unit_of("Capital?"), Tally()) as session:
            reply = await session.ask(prompt)
        await bot.close()
        (received,) = server.received
    assert received.target == "/v1/chat/completions"
    assert received.headers["authorization"] == "Bearer sk-1"
    body = received.json
    assert 0 <= body.pop("seed") < 2**31
    assert body == {
        "model": "m",
        "temperature": 0.0,
        "max_tokens": 9,
        "top_p": 1,
        "messages": [
            {"role": "system", "content": "Be short."},
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": "yes?"},
            {"role": "user", "content": "France is a country.\n\nCapital?"},
        ],
    }
    assert reply.text == "Paris."
    assert reply.fields == {"finish_reason": "stop", "model": "m-1", "usage": None}


async def test_streamed() -> None:
    stop = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    pieces = sse(
        delta(None, model="m-1"), delta("Pa"), delta("ris"), stop, {"choices": [], "usage": {"n": 3}}, "[DONE]"
    )
    async with Server(streaming(pieces)) as server:
        bot = chat(server.url, stream=True)
        reply = await ask(bot)
        await bot.close()
        assert server.received[0].json["stream"] is True
        assert "authorization" not in server.received[0].headers
    assert reply.text == "Paris"
    assert reply.fields == {"finish_reason": "stop", "model": "m-1", "usage": {"n": 3}}
    assert reply.first is not None


@pytest.mark.parametrize("stream", [False, True])
async def test_what_is_beside_the_answer_is_kept_as_with_http(stream: bool) -> None:
    choice = {"finish_reason": "stop", "delta" if stream else "message": {"content": "Paris"}}
    reply = {"choices": [choice], "sources": [{"id": "a"}, {"id": "b"}]}
    async with Server(streaming(sse(reply, "[DONE]")) if stream else always(response(reply))) as server:
        bot = chat(server.url, stream=stream, extract={"fields": {"sources": "$.sources[*].id"}})
        told = await ask(bot)
        await bot.close()
    assert (told.text, told.fields["sources"], told.fields["finish_reason"]) == ("Paris", ["a", "b"], "stop")


async def test_a_stream_may_end_without_its_mark_once_the_reason_was_given() -> None:
    stop = {"choices": [{"delta": {"content": ""}, "finish_reason": "stop"}]}
    for pieces, whole in ((sse(delta("Paris"), stop), True), (sse(delta("Paris")), False)):
        async with Server(streaming(pieces)) as server:
            bot = chat(server.url, stream=True)
            if whole:
                assert (await ask(bot)).text == "Paris"
            else:
                with pytest.raises(BrokenReply, match="before its end mark"):
                    await ask(bot)
            await bot.close()


async def test_null_content_is_a_refusal_and_a_refusal_in_words_is_the_answer() -> None:
    async with Server(always(said(None, refusal="I can't."))) as server:
        bot = chat(server.url)
        assert (await ask(bot)).text == "I can't."
        await bot.close()
    async with Server(always(said(None))) as server:
        bot = chat(server.url)
        reply = await ask(bot)
        assert (reply.text, bool(reply.refused)) == ("", True)
        await bot.close()


def test_hosts_for_consent() -> None:
    assert options(OpenAI, {"url": "https://api.example/v1", "model": "m"}).hosts({}) == {("url",): "api.example"}


STREAM = 'data: {"choices": [{"delta": {"content": "Paris"}}]}\n\ndata: [DONE]\n\n'


@pytest.mark.parametrize(
    ("tree", "reply", "place", "words"),
    [
        ({}, response({"error": "no"}, 401), "connect.api_key", "(is the value of KEY right?)"),
        ({}, response({"error": "no"}, 404), "connect.url", "check the path of the URL"),
        ({}, response({"error": "what is top_q?"}, 400), "connect", "what is top_q?"),
        ({}, response("<html>Hello</html>"), "connect.url", "the reply is HTML"),
        ({}, response({"reply": "Paris"}), "connect.url", "there is nothing at $.choices"),
        ({}, response(STREAM, kind="text/event-stream"), "connect.stream", "(set stream: true)"),
        ({"stream": True}, response(STREAM.replace("[DONE]", "{}")), "connect.stream", "ended before its end mark"),
        ({"headers": {"x": "{{ question }}"}}, said("Paris"), "connect.headers.x", "line break"),
    ],
)
async def test_what_is_wrong_is_told_at_a_key_of_this_kind(
    tree: dict[str, Any], reply: bytes, place: str, words: str
) -> None:
    async with Server(always(reply)) as server:
        bot = chat(server.url, **tree)
        with pytest.raises(TargetError) as caught:
            await ask(bot, "one\ntwo")
        await bot.close()
    assert caught.value.place == place
    assert words in caught.value.told(excerpt)
    assert "{format" not in str(caught.value)


async def test_who_asks_is_told_by_the_key_of_this_kind() -> None:
    async with Server(always(response("", 403))) as server:
        bot = options(OpenAI, {"url": server.url, "model": "m"}).target("bot", {}, Path())
        with pytest.raises(TargetError, match=r"it wants to know who asks: see api_key and headers") as caught:
            await ask(bot)
        await bot.close()
    assert caught.value.place == "connect.api_key"


async def test_a_server_that_is_not_there_is_told_at_its_url() -> None:
    bot = chat("http://127.0.0.1:9")
    with pytest.raises(Unreachable) as caught:
        await ask(bot)
    await bot.close()
    assert caught.value.place == "connect.url"


def test_a_recorded_reply_is_told_of_in_the_same_keys() -> None:
    read = options(OpenAI, {"url": "http://127.0.0.1:9", "model": "m"}).extractor(Path())
    with pytest.raises(ExtractionFailed) as caught:
        read(STREAM)
    assert (caught.value.place, str(caught.value)[-18:]) == ("connect.stream", "(set stream: true)")
