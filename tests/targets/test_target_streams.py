from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.errors import BrokenReply, ExtractionFailed, ServerFailed, TargetError
from botattack.targets.http.http_kind import Http
from botattack.targets.http.streams import Splitter, StreamPiece, pack, split, unpack
from botattack.targets.messages.extraction import Silent
from tests.servers.http import Behave, Received, Server, replying, response
from tests.targets.asking import Tally, ask, http, options

pytestmark = pytest.mark.anyio
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def sse(*data: Any, event: str = "") -> bytes:
    name = f"event: {event}\n" if event else ""
    return "".join(f"{name}data: {d if isinstance(d, str) else json.dumps(d)}\n\n" for d in data).encode()


def streaming(*pieces: bytes, end: bool = True, pause: float = 0.0) -> Behave:
    async def behave(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD)
        for piece in pieces:
            await asyncio.sleep(pause)
            writer.write(chunk(piece))
            await writer.drain()
        writer.write(b"0\r\n\r\n") if end else writer.close()

    return behave


def delta(content: str | None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"delta": {"content": content}}], **more}


OPENAI = {
    "stream": {"done": {"data": "[DONE]"}},
    "signs": {"failed": ["$.error"]},
    "extract": {"answer": "$.choices[0].delta.content", "fields": {"usage": "$.usage"}},
}


async def test_openai_deltas_with_null_content_and_usage_at_the_end() -> None:
    pieces = sse(delta(None), delta("Par"), delta("is."), {"choices": [], "usage": {"total": 5}}, "[DONE]")
    async with Server(streaming(*[pieces[i : i + 7] for i in range(0, len(pieces), 7)])) as server:
        target = http(server.url, **OPENAI)
        reply = await ask(target)
        await target.close()
    assert (reply.text, reply.fields) == ("Paris.", {"usage": {"total": 5}})
    assert options(Http, {"request": {"url": server.url}, **OPENAI}).read_raw(reply.raw).text == "Paris."


async def test_time_to_the_first_piece() -> None:
    async with Server(streaming(sse(delta(None)), sse(delta("a")), sse(delta("b"), "[DONE]"), pause=0.05)) as server:
        target = http(server.url, **OPENAI)
        reply = await ask(target)
        await target.close()
    assert reply.first is not None
    assert 0.09 < reply.first < reply.latency
    assert reply.latency > 0.14


async def test_cumulative_pieces_of_named_events() -> None:
    """As gradio sends them: a call gives an event id, and the answer streams from another address."""
    events = (
        sse(["Pa"], event="generating") + sse("null", event="heartbeat") + sse(["Paris"], event="complete") + sse(["x"])
    )

    async def behave(request: Received, writer: asyncio.StreamWriter) -> None:
        if request.method == "POST":
            writer.write(response({"event_id": "e1"}))
        else:
            assert request.target == "/call/chat/e1"
            await streaming(events)(request, writer)

    tally = Tally()
    async with Server(behave) as server:
        target = http(
            f"{server.url}/call/chat",
            request={"json": {"data": ["{{ question }}"]}, "take": {"id": "$.event_id"}},
            poll={"url": f"{server.url}/call/chat/{{{{ request.id }}}}"},
            stream={
                "pieces": "cumulative",
                "events": ["generating", "complete"],
                "done": {"event": "complete"},
            },
            extract={"answer": "$[0]"},
        )
        assert (await ask(target, pace=tally)).text == "Paris"
        await target.close()
    assert tally.left == 2


async def test_json_lines_of_whole_messages() -> None:
    lines = b'{"m":"one"}\n\n{"typing":true}\r\n{"m":"two"}'
    async with Server(streaming(lines)) as server:
        target = http(server.url, stream={"format": "ndjson", "pieces": "messages"}, extract={"answer": "$.m"})
        assert (await ask(target)).text == "one\ntwo"
        await target.close()


TYPED = sse(
    {"type": "start", "delta": "id-1"},
    {"type": "reasoning", "delta": "They ask. ", "part": {"kind": "thought"}},
    {"type": "text", "delta": "Par", "part": {"kind": "said"}},
    "keep-alive",
    {"type": "code", "delta": "is", "part": {"kind": "said", "n": 1}},
    {"type": "finish", "tokens": 7},
    {"type": "text", "delta": " (late)"},
)


@pytest.mark.parametrize(
    ("done", "stream"),
    [
        ({"event": "end"}, sse({"m": "a"}) + b"event: end\n\n" + sse({"m": "late"})),
        ({"data": "\x1e"}, sse({"m": "a"}) + sse("\x1e") + sse({"m": "late"})),
        ({"data": "{}\x1e"}, sse({"m": "a"}) + sse("{}\x1e") + sse({"m": "late"})),
        ({"data": "\x04"}, sse('{"m": "a"}\x1e') + sse("\x04", {"m": "late"})),
    ],
    ids=["event", "separator", "frame", "end of transmission"],
)
async def test_marks_without_data_and_with_control_characters(done: dict[str, str], stream: bytes) -> None:
    async with Server(streaming(stream)) as server:
        target = http(server.url, stream={"done": done, "pieces": "messages"}, extract={"answer": "$.m"})
        assert (await ask(target)).text == "a"
        await target.close()


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({"type": "text"}, "Par"),
        ({"type": ["text", "code"]}, "Paris"),
        ({"part.kind": "said"}, "Paris"),
        ({"$..kind": "said", "type": "code"}, "is"),
        ({"part.n": 1}, "is"),
    ],
)
async def test_pieces_are_chosen_by_what_is_in_them(where: dict[str, Any], said: str) -> None:
    typed = {
        "stream": {"where": where, "done": {"where": {"type": "finish"}}},
        "extract": {"answer": "$.delta", "fields": {"tokens": "$.tokens"}},
    }
    async with Server(streaming(TYPED)) as server:
        target = http(server.url, **typed)
        reply = await ask(target)
        await target.close()
    assert (reply.text, reply.fields) == (said, {"tokens": 7})
    assert options(Http, {"request": {"url": server.url}, **typed}).read_raw(reply.raw).text == said


@pytest.mark.parametrize(
    ("behave", "kind", "place"),
    [
        (streaming(sse(delta("cut"))), BrokenReply, "connect.stream.done"),
        (streaming(sse(delta("cut")), end=False), BrokenReply, ""),
        (streaming(sse(delta("a"), {"error": {"message": "overloaded"}})), ServerFailed, ""),
        (streaming(sse(delta(None), "[DONE]")), Silent, "connect.extract.answer"),
        (streaming(sse("not json", "[DONE]")), ExtractionFailed, "connect.extract.answer"),
        (replying(lambda _: response({"error": "no stream"})), BrokenReply, "connect.stream.done"),
        (streaming(*[sse(delta("more" * 10_000))] * 40), ExtractionFailed, ""),
        (streaming(b"data: \xff\xff\n\n"), ExtractionFailed, "connect.extract.charset"),
    ],
    ids=["no end mark", "cut", "error piece", "nothing", "not json", "no stream", "endless", "charset"],
)
async def test_streams_that_go_wrong(behave: Behave, kind: type[TargetError], place: str) -> None:
    tally = Tally()
    async with Server(behave) as server:
        target = http(server.url, **OPENAI)
        with pytest.raises(kind) as caught:
            await ask(target, pace=tally)
        await target.close()
        assert len(server.received) == tally.left == 1
    assert (type(caught.value), caught.value.place) == (kind, place)


async def test_a_stream_that_never_ends_is_left_at_its_end_mark() -> None:
    over = asyncio.Event()

    async def behave(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + chunk(sse(delta("a"), "[DONE]")))
        await over.wait()

    async with Server(behave) as server:
        target = http(server.url, **OPENAI)
        assert (await ask(target)).text == "a"
        over.set()
        await target.close()


def test_splitting_follows_the_standard() -> None:
    text = ":comment\n\ndata\n\ndata:a\rdata: b\r\ndata:  c\nid: 3\n\nevent: x\n\nevent: y\ndata: last"
    assert list(split(text, "sse")) == [
        StreamPiece(""),
        StreamPiece("a\nb\n c"),
        StreamPiece("", "x"),  # which browsers drop, and bots end with
        StreamPiece("last", "y"),
    ]


@pytest.mark.slow
@given(st.lists(st.text(), max_size=5), st.data())
def test_where_a_stream_is_cut_does_not_matter(texts: list[str], data: st.DataObject) -> None:
    for form, line in (("sse", "data: {}\n\n"), ("ndjson", "{}\n")):
        text = "".join(line.format(json.dumps(text, ensure_ascii=False)) for text in texts)
        splitter, pieces = Splitter(form), []
        while text:
            size = data.draw(st.integers(1, len(text)))
            pieces += splitter.feed(text[:size])
            text = text[size:]
        pieces += splitter.end()
        assert [json.loads(piece.data) for piece in pieces] == texts


@given(st.lists(st.builds(StreamPiece, st.text(), st.text())))
def test_packing_keeps_pieces(pieces: list[StreamPiece]) -> None:
    assert list(unpack(pack(pieces))) == pieces
