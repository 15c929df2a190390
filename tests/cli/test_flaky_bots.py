"""A bot that fails now and then: what `init`, `check` and `run` say of the replies that failed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Botattack, Serve
from tests.cli.test_init import faq, say
from tests.servers.http import Server, replying, response

Say = Callable[[str], bytes]
FAILED: dict[str, Say] = {
    "an error page": lambda _: response("<html><body><h1>Service unavailable</h1></body></html>", kind="text/html"),
    "nothing": lambda _: response(""),
    "an empty answer": lambda _: response({"reply": ""}),
    "another object": lambda _: response({"error": "overloaded"}),
    "half of it": lambda text: response(json.dumps({"reply": text})[:-3]),
    "a status": lambda _: response({"error": "overloaded"}, status=500),
}


def failing(say: Say, fail: Say, *failed: int) -> Server:
    """A bot that fails these replies, counted from 1."""
    numbers = iter(range(1, 1_000))
    return Server(replying(lambda got: (fail if next(numbers) in failed else say)(got.json["text"])))


def answered(text: str) -> bytes:
    return response({"reply": f"You will find '{text[::-1]}' in the handbook of the town."})


def started(botattack: Botattack, serve: Serve, server: Server, *flags: str) -> tuple[int, str]:
    ended = botattack("init", "--curl", f'curl {serve(server)} -d \'{{"text": "hi there"}}\'', "--yes", *flags)
    return ended.status, ended.out + ended.err


@pytest.mark.parametrize("at", [2, 5])
@pytest.mark.parametrize("name", FAILED)
@pytest.mark.slow
def test_one_failed_reply_of_several_is_counted(botattack: Botattack, serve: Serve, name: str, at: int) -> None:
    status, told = started(botattack, serve, failing(answered, FAILED[name], at))
    if asked_again := "asked again" in told:
        assert status == 0, told
        status, told = started(botattack, serve, failing(answered, FAILED[name], *range(at, 99)), "--name", "gone")
    assert asked_again or name != "a status"
    assert status in (2, 3), told
    assert "try again" in told
    (some, of) = re.findall(r"\b(\d+) of (\d+) replies", told)[0]
    assert int(some) == (int(of) - 1 if f"text in {some}" in told else 1), told
    assert at <= int(of) <= 6


@pytest.mark.parametrize("at", [1, 2, 3, 4])
@pytest.mark.parametrize("name", [name for name in FAILED if name != "an empty answer"])
def test_check_says_that_another_reply_could_be_read(
    botattack: Botattack, serve: Serve, folder: Path, name: str, at: int
) -> None:
    for failed in ((at,), range(at, 99)):
        request = {"url": serve(failing(answered, FAILED[name], *failed)), "json": {"text": "{{ question }}"}}
        connect = {"kind": "http", "request": request, "extract": {"answer": "$.reply"}}
        (folder / "bot.yaml").write_text(yaml.safe_dump({"connect": connect}))
        ended = botattack("check", "bot.yaml", "--ask", "Who are you?", "--ask", "How old are you?")
        if "asked again" not in ended.err:
            break
        assert (ended.status == 0) is (len(failed) == 1), ended
    assert ended.status in (2, 3), ended
    assert ("try again" in ended.err) is (at > 1)


@pytest.mark.parametrize(
    ("failed", "different", "warned"),
    [((), 5, False), ((1,), 6, True), ((4,), 6, True), ((2, 3), 4, False), ((5, 6), 4, False)],
)
@pytest.mark.slow
def test_error_texts_are_no_more_proof_than_they_are(
    botattack: Botattack, serve: Serve, failed: tuple[int, ...], different: int, warned: bool
) -> None:
    codes = iter(("0xb7aa", "0x9f76", "0x10fe", "0xd00d"))
    errs: Say = lambda _: response({"reply": f"Internal error {next(codes)}: please try later."})  # noqa: E731
    status, told = started(botattack, serve, failing(answered, errs, *failed))
    assert status == 0, told
    assert f"proven     {different} different texts in 6 replies" in told
    assert ("sent twice" in told) is warned


def stream(*pieces: object, form: str = "sse") -> bytes:
    named = [piece if isinstance(piece, tuple) else ("", piece) for piece in pieces]
    texts = [(event, data if isinstance(data, str) else json.dumps(data)) for event, data in named]
    lines = [f"event: {event}\ndata: {data}\n\n" if event else f"data: {data}\n\n" for event, data in texts]
    return response("".join(lines if form == "sse" else [f"{data}\n" for _, data in texts]), kind="text/event-stream")


def words(text: str) -> list[object]:
    return [{"type": "delta", "text": word} for word in re.findall(r"\S+\s*", text)]


ENDS: dict[str, tuple[object, ...]] = {
    '{"where": {"type": "end"}}': ({"type": "end"},),
    '{"where": {"type": "message_stop"}}': ({"type": "message_stop", "id": 7},),
    '{"where": {"isFinished": true}}': ({"isFinished": True, "text": ""},),
    '{"event": "done"}': (("done", ""),),
    '{"data": "[DONE]"}': ({"type": "usage", "tokens": 12}, "[DONE]"),
    "": ({"type": "usage", "finish_reason": "stop"},),
}


# Slow ones are found as the first is, by what the last piece has.
ALIKE = '{"where": {"type": "message_stop"}}', '{"where": {"isFinished": true}}', '{"event": "done"}'


@pytest.mark.slow
@pytest.mark.parametrize("mark", [pytest.param(mark, marks=[pytest.mark.slow] * (mark in ALIKE)) for mark in ENDS])
def test_a_stream_that_breaks_off_is_not_read_as_a_whole_one(
    botattack: Botattack, serve: Serve, folder: Path, mark: str
) -> None:
    def whole(text: str) -> bytes:
        return stream(*words(say(text) + f" ({text[:9]}) "), *ENDS[mark])

    def cut(text: str) -> bytes:
        return stream(*words(say(text) + f" ({text[:9]}) ")[:2])

    assert started(botattack, serve, failing(whole, cut))[0] == 0
    made = yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]
    assert made["stream"].get("done", {}) == json.loads(mark or "{}")
    for at in (2, 5) if mark else ():
        status, told = started(botattack, serve, failing(whole, cut, at), "--name", "cut")
        if at == 5:  # its end mark is known by then, so it is asked for again
            assert (status, "asked again" in told) == (0, True), told
            status, told = started(botattack, serve, failing(whole, cut, *range(at, 99)), "--name", "gone")
        assert status in (2, 3), told
        assert re.search(rf"\b1 of {max(at, 4)} replies", told), told

    made["request"]["url"] = serve(_server := failing(whole, cut, *range(3, 1_000, 9)))
    open_ = {**made, "stream": {key: value for key, value in made["stream"].items() if key != "done"}}
    faq(folder)
    for connect, is_open in ((open_, bool(mark)), (made, False)):
        Path("open.yaml").write_text(yaml.safe_dump({"connect": connect, "limits": {"rate": "unlimited"}}))
        checked = botattack("check", "open.yaml", "--ask", "What is the famous capital of France?")
        assert (f"connect.stream.done: {mark}" in checked.out) is is_open
