"""Secrets that a raw reply holds in pieces: a stream is masked piece by piece, and reads as the masked reply; any other
is kept only if reading it again is clean, and says so otherwise."""

from __future__ import annotations

import base64
import json
from asyncio import StreamWriter
from collections.abc import Callable
from pathlib import Path

import pytest

from botattack.events import Asked
from botattack.recordings.masking import MASK
from botattack.recordings.reader import events
from botattack.recordings.redaction import WITHHELD
from tests.cli.conftest import Botattack, Serve, botattack, folder, serve
from tests.masking.forms import SECRETS, forms
from tests.servers.http import Received, Server, always, replying, response

__all__ = ["botattack", "folder", "serve"]

TARGET = """env: [BOT_TOKEN]
connect:
  kind: http
  request: {{url: "{url}/", json: {{text: "{{{{ question }}}}"}}}}
  {options}
limits: {{rate: unlimited}}
"""
SSE = "stream: {}\n  extract: {answer: $.text}"
LINES = "stream: {format: ndjson}\n  extract: {answer: $.text, fields: {all: $.all}}"


def sse(pieces: list[str]) -> bytes:
    data = [{"text": piece} for piece in pieces] + [{"whole": "".join(pieces)}]
    return response("".join(f"data: {json.dumps(each)}\n\n" for each in data), kind="text/event-stream")


def lines(pieces: list[str]) -> bytes:
    return response("".join(json.dumps({"text": piece}) + "\n" for piece in pieces))


PIECES: dict[str, tuple[Callable[[str], bytes], str]] = {
    "two events": (lambda text: sse([text[: len(text) // 2], text[len(text) // 2 :]]), SSE),
    "an event a sign": (lambda text: sse(list(text)), SSE),
    "two lines": (lambda text: lines([text[:9], text[9:]]), LINES),
}
TEXTS: dict[str, tuple[Callable[[str], bytes], str]] = {
    "tags": (
        lambda text: response({"text": "<b>" + "</b><b>".join(text) + "</b>", "whole": text}),
        "extract: {answer: $.text, html: true}",
    ),
    "several messages": (
        lambda text: response([{"text": sign} for sign in text]),
        "extract: {answer: '$[*].text', separator: ''}",
    ),
}


TEXTS["base64"] = (
    lambda text: response([{"b": base64.b64encode(sign.encode()).decode()} for sign in text]),
    "extract: {answer: ['$[*].b', base64], separator: ''}",
)


def recorded(botattack: Botattack, asked: str = "Who?") -> tuple[Asked, Path]:
    Path("faq.jsonl").write_text(json.dumps({"question": asked, "answers": ["nobody"]}) + "\n")
    assert botattack("run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "unchanged").status == 1  # a wrong answer
    (folder,) = Path("recordings").iterdir()
    return next(event for event in events(folder) if isinstance(event, Asked)), folder


@pytest.mark.parametrize("name", [name for name in SECRETS if name not in ("URL", "PEM", "SPACES", "ODD")])
@pytest.mark.parametrize("how", PIECES)
def test_a_stream_is_masked_in_its_pieces_and_read_again(
    how: str, name: str, botattack: Botattack, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, options = PIECES[how]
    secret = SECRETS[name]
    monkeypatch.setenv("BOT_TOKEN", secret)
    url = serve(Server(always(make(f"It is {secret}, they say."))))
    Path("bot.yaml").write_text(TARGET.format(url=url, options=options))
    event, recording = recorded(botattack)
    (reply,) = event.replies
    assert reply.text == f"It is {MASK}, they say."
    data = [json.loads(line.removeprefix("data: ")) for line in reply.raw.split("\n") if line]
    assert "".join(each.get("text", "") for each in data) == reply.text
    assert {each["whole"] for each in data if "whole" in each} <= {reply.text}
    again = botattack("replay", recording, "--reextract", "--unit", event.unit)
    assert (again.status, f"It is {MASK}, they say." in again.out) == (0, True), again


@pytest.mark.parametrize("pieces", ["incremental", "cumulative"])
def test_a_pattern_is_found_across_the_pieces_of_what_is_not_the_answer(
    pieces: str, botattack: Botattack, serve: Serve
) -> None:
    said = "card 4929-1234-5678-9012 ok"
    parts = [said[: at + 3] if pieces == "cumulative" else said[at : at + 3] for at in range(0, len(said), 3)]
    data = [{"text": "no", "thought": part} for part in parts[:1]] + [{"thought": part} for part in parts[1:]]
    url = serve(Server(always(response("".join(json.dumps(each) + "\n" for each in data)))))
    text = TARGET.format(url=url, options="stream: {format: ndjson}\n  extract: {answer: $.text}")
    Path("bot.yaml").write_text(text.removeprefix("env: [BOT_TOKEN]\n") + 'redact: ["\\\\d{4}(-\\\\d{4}){3}"]\n')
    event, _ = recorded(botattack)
    thoughts = [json.loads(line)["thought"] for line in event.replies[0].raw.splitlines()]
    seen = thoughts[-1] if pieces == "cumulative" else "".join(thoughts)
    assert (event.replies[0].text, seen) == ("no", f"card {MASK} ok")
    assert not any(digits in thought for digits in ("49", "12", "78") for thought in thoughts)


@pytest.mark.parametrize("name", [name for name in SECRETS if name not in ("URL", "PEM", "SPACES", "ODD")])
@pytest.mark.parametrize("how", TEXTS)
def test_a_raw_reply_in_pieces_is_not_kept(
    how: str, name: str, botattack: Botattack, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, options = TEXTS[how]
    secret = SECRETS[name]
    monkeypatch.setenv("BOT_TOKEN", secret)
    url = serve(Server(always(make(f"It is {secret}, they say."))))
    Path("bot.yaml").write_text(TARGET.format(url=url, options=options))
    event, recording = recorded(botattack)
    (reply,) = event.replies
    assert reply.text == f"It is {MASK}, they say."
    assert reply.raw == WITHHELD
    again = botattack("replay", recording, "--reextract", "--unit", event.unit)
    assert "held a secret in pieces" in again.out
    checked = botattack("check", "bot.yaml")
    assert (checked.status, WITHHELD in checked.out) == (0, True)
    assert '"' + '"}\n\ndata: {"text": "'.join(secret[:4]) not in checked.out


def test_a_secret_over_several_polls_is_masked(
    botattack: Botattack, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "hunter2-and-more-9931"
    monkeypatch.setenv("BOT_TOKEN", secret)
    said = ["It is ", secret[:9], secret[9:], ", they say."]

    def reply(request: Received) -> bytes:
        at = int(request.target.partition("after=")[2] or 0)
        return response({"text": said[at] if at < 4 else None, "next": at + 1, "over": at == 4})

    url = serve(Server(replying(reply)))
    mark = "{{ poll.next | default('0') }}"
    poll = f'poll: {{url: "{url}/?after={mark}", every: 5ms, take: {{next: $.next}}, until: $.over}}'
    options = f"{poll}\n  extract: {{answer: $.text, separator: ''}}"
    Path("bot.yaml").write_text(TARGET.format(url=url, options=options))
    event, recording = recorded(botattack)
    (reply_,) = event.replies
    assert reply_.text == f"It is {MASK}, they say."
    assert secret[9:] not in reply_.raw
    again = botattack("replay", recording, "--reextract", "--unit", event.unit)
    assert (again.status, f"It is {MASK}, they say." in again.out) == (0, True)


def test_a_raw_reply_that_reads_clean_is_kept(
    botattack: Botattack, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = SECRETS["ODD"]
    monkeypatch.setenv("BOT_TOKEN", secret)
    said = " ".join(text for _, text in forms("ODD"))
    url = serve(Server(replying(lambda _: response({"text": said, "debug": [secret, said]}))))
    Path("bot.yaml").write_text(TARGET.format(url=url, options="extract: {answer: $.text}"))
    event, recording = recorded(botattack)
    (reply,) = event.replies
    assert MASK in reply.text
    assert json.loads(reply.raw)["debug"][0] == MASK
    again = botattack("replay", recording, "--reextract", "--unit", event.unit)
    assert reply.text[:60] in again.out


def test_a_number_that_is_a_secret_is_masked(
    botattack: Botattack, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_TOKEN", "48151623")
    url = serve(Server(replying(lambda _: response({"text": "hi", "pin": 48151623}))))
    Path("bot.yaml").write_text(TARGET.format(url=url, options="extract: {answer: $.text, fields: {pin: $.pin}}"))
    event, recording = recorded(botattack)
    assert event.replies[0].fields == {"pin": MASK}
    assert "48151623" not in (recording / "events.jsonl").read_text()


def write_with_login(url: str) -> None:
    """The target file of a bot that gives its token for a login."""
    options = (
        f"login: {{url: '{url}/login', json: {{}}, take: {{token: $.token}}}}\n"
        "  auth: {bearer: '{{ login.token }}'}\n  extract: {answer: $.text}"
    )
    Path("bot.yaml").write_text(TARGET.format(url=url, options=options).removeprefix("env: [BOT_TOKEN]\n"))


def test_a_token_of_a_login_is_masked_in_every_form(botattack: Botattack, serve: Serve) -> None:
    given = "fresh/tok3n+0123456789"

    async def behave(request: Received, writer: StreamWriter) -> None:
        if request.target == "/login":
            writer.write(response({"token": given}))
            return
        header = request.headers["authorization"]
        coded = base64.b64encode(f"got {header}".encode()).decode()
        writer.write(response({"text": f"{header} {coded} {json.dumps(header)}"}))

    url = serve(Server(behave))
    write_with_login(url)
    event, _ = recorded(botattack)
    assert event.replies[0].text == f'Bearer {MASK} {MASK} "Bearer {MASK}"'


@pytest.mark.parametrize(("given", "said"), [("tok-456", "tok-456"), ("tok-4567", MASK), ("tok-45678", MASK)])
def test_a_token_of_a_login_is_masked_from_eight_characters_on(
    botattack: Botattack, serve: Serve, given: str, said: str
) -> None:
    url = serve(Server(replying(lambda _: response({"token": given, "text": f"I got {given}."}))))
    write_with_login(url)
    event, _ = recorded(botattack)
    assert event.replies[0].text == f"I got {said}."


def test_a_secret_too_short_to_be_masked_is_told(
    botattack: Botattack, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_TOKEN", "abc")
    url = serve(Server(replying(lambda _: response({"text": "hi"}))))
    Path("bot.yaml").write_text(TARGET.format(url=url, options="extract: {answer: $.text}"))
    Path("faq.jsonl").write_text(json.dumps({"question": "Who?", "answers": ["hi"]}) + "\n")
    ran = botattack("run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "unchanged")
    planned = botattack("run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "unchanged", "--dry-run")
    checked = botattack("check", "bot.yaml")
    for ended in (ran, planned, checked):
        assert (ended.status, "BOT_TOKEN has fewer than 4 characters" in " ".join(ended.out.split())) == (0, True)


@pytest.mark.parametrize(
    ("name", "value", "masked"),
    [
        ("CITY", "Paris", False),
        ("BOT_PASSWORD", "Paris", True),
        ("CITY", "Par1s-x", True),
        ("DESK", "parisparispa", True),
    ],
)
def test_a_plain_word_under_a_plain_name_is_no_secret(
    name: str, value: str, masked: bool, botattack: Botattack, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    url = serve(Server(replying(lambda _: response({"text": f"It is {value}."}))))
    text = TARGET.format(url=url, options="extract: {answer: $.text}").replace("BOT_TOKEN", name)
    Path("bot.yaml").write_text(text)
    event, _ = recorded(botattack)
    assert event.replies[0].text == ("It is [redacted]." if masked else f"It is {value}.")
    checked = botattack("check", "bot.yaml")
    assert ("is a plain word" in " ".join(checked.out.split())) is not masked
