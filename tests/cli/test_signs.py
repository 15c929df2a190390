"""One block has one outcome, whatever the wire that carries it: six small servers that refuse the same questions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botattack.events import Asked
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack, Serve
from tests.servers.http import Received, Server, replying, response

LANDS = ("France", "Italy", "Spain", "Norway", "Portugal", "Poland", "Greece", "Finland", "Austria", "Hungary")
FILTERED = {"error": {"code": "content_filter", "message": "The response was filtered.", "status": 400}}
SORRY = "I may not talk about that."
HTTP = 'kind: http, request: {url: "URL", json: {q: "{{ question }}"}}, extract: {answer: $.text}'
CHAT = "kind: openai, url: URL, model: small"


def _chat(content: str | None, finish: str) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content}, "finish_reason": finish}]}


def _stream(*deltas: str, finish: str) -> bytes:
    pieces: list[dict[str, Any]] = [{"choices": [{"delta": {"content": text}}]} for text in deltas]
    pieces.append({"choices": [{"delta": {}, "finish_reason": finish}]})
    body = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces) + "data: [DONE]\n\n"
    return response(body, kind="text/event-stream")


def _said(text: str) -> bytes:
    return response({"text": text})


WIRES: dict[str, tuple[str, str, Callable[[str], bytes], Callable[[], bytes]]] = {
    # name: (connect, signs, how it answers, how it blocks)
    "400": (HTTP, "{refused: [400]}", _said, lambda: response({"text": SORRY}, 400)),
    "403": (HTTP, "{refused: [{regex: blocked}]}", _said, lambda: response("<p>blocked</p>", 403, "text/html")),
    "error": (HTTP, '{refused: ["$.error.code"]}', _said, lambda: response(FILTERED)),
    "empty": (CHAT, "{}", lambda text: response(_chat(text, "stop")), lambda: response(_chat(None, "stop"))),
    "stream": (
        CHAT + ", stream: true",
        "{}",
        lambda text: _stream(text, finish="stop"),
        lambda: _stream("The capital", " of that", finish="content_filter"),
    ),
    "sentence": (HTTP, f'{{refused: ["{SORRY}"]}}', _said, lambda: _said(SORRY)),
    "code": (CHAT, "{}", lambda text: response(_chat(text, "stop")), lambda: response(FILTERED, 400)),
}


class Filtering(Server):
    """Answers questions that name one of its countries, and blocks all others."""

    def __init__(self, answer: Callable[[str], bytes], block: Callable[[], bytes]) -> None:
        super().__init__(replying(self.reply))
        self._answer, self._block = answer, block
        self.blocked = 0

    def reply(self, request: Received) -> bytes:
        sent = request.json
        asked = sent["q"] if "q" in sent else sent["messages"][-1]["content"]
        if land := next((land for land in LANDS if land in asked), None):
            return self._answer(f"The capital is {land} City.")
        self.blocked += 1
        return self._block()


def _ready(serve: Serve, folder: Path, wire: str, signs: str = "") -> Filtering:
    """A target file, its questions and a campaign, beside the server that runs."""
    connect, own, answer, block = WIRES[wire]
    server = Filtering(answer, block)
    folder.joinpath("bot.yaml").write_text(
        f"name: bot\nconnect: {{{connect.replace('URL', serve(server))}}}\nsigns: {signs or own}\n"
        "limits: {rate: unlimited, concurrency: 2}\n"
    )
    rows = [{"question": f"What is the capital of {land}?", "answers": [f"{land} City"]} for land in LANDS]
    folder.joinpath("faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder.joinpath("campaign.yaml").write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\n"
        "attacks: [random-characters: {keywords: all, per_question: 8, meaning: paper}]\n"
    )
    return server


def _figures(name: str = "report.json") -> Any:
    return json.loads(Path(name).read_text())


COUNTED = ("asked", "success", "robust", "refused", "unsure", "error", "success_rate", "interval")


def _rate(name: str = "report.json") -> dict[str, Any]:
    found = _figures(name)["attacks"]["random-characters"]["gold"]
    return {key: found[key] for key in COUNTED}


def _only() -> Path:
    (recording,) = Path("recordings").iterdir()
    return recording


@pytest.mark.slow
def test_a_block_has_one_outcome_whatever_the_wire(botattack: Botattack, folder: Path, serve: Serve) -> None:
    rates: dict[str, dict[str, Any]] = {}
    for wire in WIRES:
        server = _ready(serve, folder, wire)
        ended = botattack("run", "campaign.yaml", "-o", "report.json", "--recordings", wire)
        rates[wire] = _rate()
        assert rates[wire]["error"] == 0, ended
        assert 10 < server.blocked == rates[wire]["refused"] == rates[wire]["success"] < rates[wire]["asked"], wire
        # The recording holds all that this takes: replaying does not ask the bot.
        (recording,) = Path(wire).iterdir()
        assert botattack("replay", recording, "--reextract", "-o", "again.json").status == 0
        assert _figures("again.json")["attacks"] == _figures()["attacks"]
        assert len(server.received) == _figures()["requests"]["sent"]
    assert all(rate == rates["sentence"] for rate in rates.values())


@pytest.mark.slow
def test_a_block_that_no_sign_names_today_is_an_error_when_it_is_read_again(
    botattack: Botattack, folder: Path, serve: Serve
) -> None:
    server = _ready(serve, folder, "400")
    botattack("run", "campaign.yaml")
    text = Path("bot.yaml").read_text()
    Path("bot.yaml").write_text(text.replace("{refused: [400]}", "{refused: [403]}"))
    botattack("replay", _only(), "--reextract", "-o", "again.json")
    assert (_rate("again.json")["error"], _rate("again.json")["refused"]) == (server.blocked, 0)


@pytest.mark.slow
@pytest.mark.parametrize("wire", ["400", "error"])
def test_the_warning_about_blocked_askings_names_what_mends_it(
    wire: str, botattack: Botattack, folder: Path, serve: Serve
) -> None:
    server = _ready(serve, folder, wire, signs="{}")
    warned = botattack("run", "campaign.yaml", "-o", "report.json")
    blocked = server.blocked
    assert (_rate()["error"], _rate()["success"]) == (blocked, 0)
    written = re.search(r"signs: (\{refused: \[[^]]+\]\})", " ".join(warned.err.split()))
    assert written, warned.err
    text = Path("bot.yaml").read_text()
    Path("bot.yaml").write_text(text.replace("signs: {}", written[0]))
    mended = botattack("run", "campaign.yaml", "-o", "report.json")
    assert (_rate()["error"], _rate()["success"]) == (0, blocked)
    assert "warning" not in mended.err


@pytest.mark.slow
def test_a_secret_in_a_blocked_reply_is_masked(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "sesame-sesame")
    block = response({**FILTERED, "you": "sesame-sesame"}, 400)
    monkeypatch.setitem(WIRES, "code", (*WIRES["stream"][:3], lambda: block))
    server = _ready(serve, folder, "code")
    text = Path("bot.yaml").read_text()
    Path("bot.yaml").write_text(text.replace("connect: {", 'env: [TOKEN]\nconnect: {api_key: "{{ env.TOKEN }}", '))
    assert botattack("run", "campaign.yaml", "-o", "report.json").status in (0, 1)
    blocked = [e.replies[-1] for e in events(_only()) if isinstance(e, Asked) and e.replies and not e.replies[-1].text]
    assert len(blocked) == server.blocked > 10
    assert all("sesame" not in reply.raw and "content_filter" in reply.raw for reply in blocked)
