"""`botattack check` as a user sees it, for every kind of target that runs anywhere."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from botattack.engine.memory import ASK as RECALL
from botattack.engine.memory import TELL as REMEMBER
from tests.cli.conftest import Botattack, Serve
from tests.doors.reading import campaign_file, left_by
from tests.servers.http import Received, Server, always, replying, response
from tests.servers.library import BY_ID, CONSENT, FIND, Library, target_file

FILE = """name: desk
env: [DESK_TOKEN]
connect:
  kind: http
  open: {url: "URL/open", take: {id: "$.id"}}
  request:
    url: "URL/chat"
    headers: {Authorization: "Bearer {{ env.DESK_TOKEN }}"}
    json: {session: "{{ open.id }}", text: "{{ question }}", key: "{{ env.DESK_TOKEN }}"}
  extract: {answer: "$.reply.text", ranked: "$.reply.all[*]", fields: {intent: "$.intent"}}
limits: {rate: unlimited, timeout: 30s}
"""


def bot(*, leaky: bool = False) -> Server:
    """Remembers what it is told: for a conversation, or, leaky, for ever."""
    said: dict[str, list[str]] = {}
    opened = 0

    def reply(request: Received) -> bytes:
        nonlocal opened
        if request.target == "/open":
            opened += 1
            return response({"id": f"c{opened}"})
        known = said.setdefault("all" if leaky else request.json["session"], [])
        known.append(request.json["text"])
        text = f"You told me: {known[:-1]}" if len(known) > 1 else "I am a \x1b[31mdesk"
        return response({"reply": {"text": text, "all": [text, "or not"]}, "intent": "small-talk"})

    return Server(replying(reply))


def checked(botattack: Botattack, folder: Path, url: str, monkeypatch: pytest.MonkeyPatch, text: str = FILE) -> str:
    monkeypatch.setenv("DESK_TOKEN", "s3cret-token")
    (folder / "desk.yaml").write_text(text.replace("URL", url))
    ended = str(botattack("check", "desk.yaml"))
    assert "s3cret" not in ended
    assert "\x1b" not in ended
    return re.sub(r"\d+\.\d+ s\b", "N s", ended)


def test_every_step_is_shown_and_secrets_are_not(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    assert checked(botattack, folder, serve(bot()), monkeypatch) == snapshot


def test_conversations_that_are_not_apart_end_with_1(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = checked(botattack, folder, serve(bot(leaky=True)), monkeypatch)
    assert ended.startswith("exit 1")
    assert "to fix     conversations are not separate" in ended
    reuse = FILE.replace("  kind: http\n", "  kind: http\n  conversation: reuse\n")
    ended = checked(botattack, folder, serve(bot(leaky=True)), monkeypatch, reuse)
    assert ended.startswith("exit 0")
    assert "conversation: reuse lets one question change the next" in ended


@pytest.mark.parametrize(
    ("old", "new", "status", "words"),
    [
        ("$.reply.text", "$.answer", 2, "desk.yaml:10:"),
        ("$.reply.text", "$.answer", 2, "there is nothing at $.answer"),
        ("URL/chat", "http://127.0.0.1:9/chat", 3, "127.0.0.1:PORT"),
        ("limits: {", "lmits: {", 2, "did you mean 'limits'?"),
    ],
)
def test_it_ends_with_the_one_thing_to_mend(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch,
    old: str, new: str, status: int, words: str,
) -> None:  # fmt: skip
    ended = checked(botattack, folder, serve(bot()), monkeypatch, FILE.replace(old, new))
    assert ended.startswith(f"exit {status}")
    assert words in ended.partition("-- err")[2]


def test_a_secret_that_ends_in_a_line_break_is_told_at_its_place(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_TOKEN", "s3cret-token\n")
    (folder / "desk.yaml").write_text(FILE.replace("URL", "http://127.0.0.1:9"))
    ended = botattack("check", "desk.yaml")
    assert ended.status == 2
    assert ended.err.startswith("botattack: desk.yaml:8:30: connect.request.headers.Authorization: the header ")
    assert "(look at the end of the value of DESK_TOKEN)" in ended.err
    assert "s3cret" not in str(ended)


def test_a_silent_bot_ends_at_the_deadline(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.servers.http import silent

    text = FILE.replace("timeout: 30s", "timeout: 200ms")
    ended = checked(botattack, folder, serve(Server(silent)), monkeypatch, text)
    assert ended.startswith("exit 3")
    assert "botattack: desk.yaml:11:36: limits.timeout: " in ended


def test_it_asks_at_the_pace_of_the_file_and_waits_after_a_push_back(
    botattack: Botattack, folder: Path, serve: Serve
) -> None:
    came: list[float] = []

    def reply(request: Received) -> bytes:
        came.append(time.monotonic())
        if len(came) in (2, 6):
            return response("", 429, Retry_After="0.1")
        return response({"reply": f"{len(request.json['q'])} letters."})

    (folder / "desk.yaml").write_text(
        f"name: desk\nconnect: {{kind: http, request: {{url: '{serve(Server(replying(reply)))}', json: "
        "{q: '{{ question }}', id: '{{ session }}'}}, extract: {answer: $.reply}}\nlimits: {rate: 50/s}\n"
    )
    ended = botattack("check", "desk.yaml", "--ask", "Where are you?", "--ask", "What is open?", "--ask", "Who?")
    assert ended.status == 0, ended
    assert ended.err.count("waits      0.1 s: ") == 2
    assert came[2] - came[1] >= 0.1
    assert came[-1] - came[6] >= (len(came) - 8) / 50 - 0.005


@pytest.mark.parametrize(
    ("fails", "waits", "status"), [({2, 5, 6}, 3, 0), ({1}, 1, 0), ({1, 2}, 1, 3), (set(range(3, 99)), 4, 3)]
)
def test_what_fails_now_and_then_is_said_and_asked_again(
    fails: set[int], waits: int, status: int, botattack: Botattack, folder: Path, serve: Serve
) -> None:
    """Once only before the bot has answered at all, and then as often as in a run."""
    asked = 0

    def reply(request: Received) -> bytes:
        nonlocal asked
        asked += 1
        return response("", 503) if asked in fails else response({"reply": f"{len(request.json['q'])} letters."})

    (folder / "desk.yaml").write_text(
        f"name: desk\nconnect: {{kind: http, request: {{url: '{serve(Server(replying(reply)))}', json: "
        "{q: '{{ question }}', id: '{{ session }}'}}, extract: {answer: $.reply}}\nlimits: {retries: 4}\n"
    )
    ended = botattack("check", "desk.yaml")
    assert (ended.status, ended.err.count("with HTTP 503; asked again")) == (status, waits), ended


@pytest.mark.parametrize(("said", "told"), [("999", "limits.max_wait (300 s)"), ("0", "asked to wait (HTTP 429)")])
def test_a_bot_that_only_asks_to_wait_ends_it(
    said: str, told: str, botattack: Botattack, folder: Path, serve: Serve
) -> None:
    url = serve(Server(always(response("", 429, Retry_After=said))))
    (folder / "desk.yaml").write_text(
        f"name: desk\nconnect: {{kind: openai, url: '{url}', model: m}}\nlimits: {{rate: unlimited}}\n"
    )
    ended = botattack("check", "desk.yaml")
    assert ended.status in (3, 4)
    assert told in ended.err


def test_a_bot_in_this_process(botattack: Botattack, campaign: Path, snapshot: SnapshotAssertion) -> None:
    del campaign
    asks = ("--ask", "What is the famous capital of Norway?", "--ask", "What is the famous capital of France?")
    ended = str(botattack("check", "bot.yaml", "--allow-code", *asks))
    assert re.sub(r"\d+\.\d+ s\b", "N s", ended) == snapshot


def test_long_replies_are_bounded(botattack: Botattack, folder: Path, serve: Serve) -> None:
    rows = "\n".join(f"line {n}" for n in range(5000))
    (folder / "long.yaml").write_text(
        'connect: {kind: http, request: {url: "URL", json: {q: "{{ question }}"}}, extract: {answer: "$.a"}}\n'
        "limits: {rate: unlimited}\n".replace("URL", serve(Server(replying(lambda _: response({"a": rows}))))),
    )
    ended = botattack("check", "long.yaml")
    assert ended.status == 0
    assert len(ended.out.splitlines()) < 120
    assert json.dumps(rows)[:20] in ended.out


def test_a_stream_that_is_read_as_one_text_is_noted(botattack: Botattack, folder: Path, serve: Serve) -> None:
    said = "data: hello\n\ndata: world\n\n"
    url = serve(Server(replying(lambda _: response(said, kind="text/event-stream"))))
    request = f'connect: {{kind: http, request: {{url: "{url}", json: {{q: "{{{{ question }}}}"}}}}'
    (folder / "bot.yaml").write_text(request + "}\nlimits: {rate: unlimited}\n")
    ended = botattack("check", "bot.yaml")
    assert ended.status == 0
    assert "read as one text: set stream: {format: sse}" in ended.out
    (folder / "bot.yaml").write_text(
        request + ", stream: {format: sse}, extract: {answer: body}}\nlimits: {rate: unlimited}\n"
    )
    ended = botattack("check", "bot.yaml")
    assert ended.status == 0
    assert "set stream" not in ended.out


def test_what_a_kind_reads_by_itself_is_shown_under_no_key_of_the_file(
    botattack: Botattack, folder: Path, serve: Serve
) -> None:
    said = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
    url = serve(Server(replying(lambda _: response(said))))
    text = f"connect: {{kind: openai, url: {json.dumps(url)}, model: m}}\nlimits: {{rate: unlimited}}\n"
    (folder / "chat.yaml").write_text(text)
    ended = botattack("check", "chat.yaml")
    assert ended.status == 0
    assert "extract    answer: $.choices[0].message['content','refusal']\n    took hi\n" in ended.out
    assert "connect.extract" not in ended.out


STATE = """name: desk
connect:
  kind: http
  request: {url: "URL", json: {session: "{{ session }}", text: "{{ question }}"}}
  extract: {answer: "$.text"}
limits: {rate: unlimited}
"""


class Told:
    """What a bot was told so far: by anyone, and in each session."""

    def __init__(self) -> None:
        self.every: list[str] = []
        self.sessions: dict[str, list[str]] = {}


Says = Callable[[Told, str, str], str]


def serving(says: Says) -> Server:
    told = Told()

    def reply(request: Received) -> bytes:
        session, text = request.json["session"], request.json["text"]
        told.every.append(text)
        told.sessions.setdefault(session, []).append(text)
        return response({"text": says(told, session, text)})

    return Server(replying(reply))


@pytest.mark.parametrize(
    ("says", "warned"),
    [
        (lambda told, session, text: "I am a desk.", False),
        (lambda told, session, text: "", False),
        (lambda told, session, text: f"I was told {len(told.sessions[session])} things in this talk.", False),
        (lambda told, session, text: f"You are visitor {len(told.sessions)} of 9.", True),
        (lambda told, session, text: "Hello." if len(told.every) == 1 else "You again.", True),
        (lambda told, session, text: ("Hm.", "Error 84.")[len(told.sessions) % 3 == 0], True),
    ],
    ids=["the same", "nothing", "per session", "counts", "changed", "errs"],
)
def test_another_answer_in_another_session_is_warned_of(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch, says: Says, warned: bool
) -> None:
    url = serve(serving(says))
    for _ in range(1 if warned else 2):
        # A second check is not in the sessions of the first.
        ended = checked(botattack, folder, url, monkeypatch, STATE)
        assert ended.startswith("exit 0")
        assert ("\nwarning " in ended) == warned
        assert "all is well" not in ended
        # None of them says the word again in the conversation in which it was told.
        assert ("no reply had any text in it" in ended) != ("are separate could not be seen" in ended)
        assert ("temperature" in ended) == warned


def test_a_word_is_known_again_in_capitals_and_with_another_dash(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    def says(told: Told, session: str, text: str) -> str:
        return "It was **MARZIPAN\u20114711**." if REMEMBER in told.every and text == RECALL else "Hello."

    ended = checked(botattack, folder, serve(serving(says)), monkeypatch, STATE)
    assert ended.startswith("exit 1")
    assert "the second conversation knew a word of the first" in ended


def test_where_one_session_is_meant_to_change_the_next_nothing_is_warned_of(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = serve(serving(lambda told, session, text: f"You are number {len(told.every)}."))
    reuse = STATE.replace("  kind: http\n", "  kind: http\n  conversation: reuse\n")
    assert "warning" not in checked(botattack, folder, url, monkeypatch, reuse)


def test_a_secret_in_an_answer_that_differs_is_masked_in_the_warning(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = serve(serving(lambda told, session, text: f"s3cret-token \x1b[31m {len(told.sessions)}"))
    token = STATE.replace("connect:", "env: [DESK_TOKEN]\nconnect:").replace(
        "request: {", 'request: {headers: {X: "{{ env.DESK_TOKEN }}"}, '
    )
    ended = checked(botattack, folder, url, monkeypatch, token)
    assert ended.count("[redacted] \\x1b[31m") >= 2


def test_one_document_is_added_waited_for_and_removed(botattack: Botattack, folder: Path, serve: Serve) -> None:
    library = Library()
    (folder / "bot.yaml").write_text(target_file(serve(Server(library)), BY_ID))
    ended = botattack("check", "bot.yaml")
    assert ended.status == 0
    lines = [line for line in ended.out.splitlines() if line.startswith("documents")]
    assert [line.split()[1] for line in lines] == ["added", "found", "removed"]
    assert (library.added, library.documents) == (1, {})


@pytest.mark.parametrize(
    ("consent", "why"),
    [
        ("", "no consent"),
        (CONSENT.replace(", writes: documents", ""), "no consent"),
        (CONSENT.replace("2099", "2020"), "ended on 2020-01-01"),
    ],
    ids=["none", "without the word", "ended"],
)
def test_no_document_is_added_without_consent(
    consent: str, why: str, botattack: Botattack, folder: Path, serve: Serve
) -> None:
    library = Library()
    (folder / "bot.yaml").write_text(target_file(serve(Server(library)), BY_ID, consent))
    ended = botattack("check", "bot.yaml")
    assert (ended.status, library.added) == (0, 0)
    assert "documents  not tried" in ended.out
    assert why in ended.out


@pytest.mark.parametrize(
    ("method", "status", "step", "left"),
    [("POST", 500, "add", 0), ("GET", 500, "ready", 0), ("DELETE", 500, "remove", 1)],
)
def test_a_step_with_documents_that_fails_is_said_with_its_place(
    method: str, status: int, step: str, left: int, botattack: Botattack, folder: Path, serve: Serve
) -> None:
    library = Library(fails=lambda asked, path: status if asked == method and path.startswith("/documents") else 0)
    (folder / "bot.yaml").write_text(target_file(serve(Server(library)), BY_ID + FIND * (method != "GET")))
    ended = botattack("check", "bot.yaml")
    assert ended.status == (1 if left else 3)
    assert f"documents  {step} failed" in ended.out
    assert re.search(rf"bot\.yaml:\d+:\d+: connect\.documents\.{step}", str(ended))
    assert len(library.documents) == left
    assert ("id: id-1 may still be in the bot's knowledge base: remove it by hand" in ended.err) == bool(left)


@pytest.mark.parametrize(("method", "status"), [("POST", 429), ("GET", 429), ("DELETE", 429), ("POST", 503)])
def test_a_step_with_documents_that_is_pushed_back_is_made_again(
    method: str, status: int, botattack: Botattack, folder: Path, serve: Serve
) -> None:
    refused: list[str] = []

    def fails(asked: str, path: str) -> int:
        if asked != method or not path.startswith("/documents") or refused:
            return 0
        refused.append(path)
        return status

    library = Library(fails=fails, headers={"retry_after": "0"})
    (folder / "bot.yaml").write_text(target_file(serve(Server(library)), BY_ID))
    ended = botattack("check", "bot.yaml")
    assert (ended.status, len(refused)) == (0, 1), ended
    assert [line.split()[1] for line in ended.out.splitlines() if line.startswith("documents")] == [
        "added", "found", "removed",
    ]  # fmt: skip
    assert (library.added, library.documents) == (1, {})


def test_it_first_removes_what_an_unfinished_run_left(botattack: Botattack, folder: Path, serve: Serve) -> None:
    library = Library()
    campaign_file(folder, serve(Server(library)), "document", documents=BY_ID + FIND)
    assert botattack("run", "campaign.yaml").status in (0, 1)
    (recording,) = Path("recordings").glob("2*")
    name = left_by(recording, library)
    asked = len(library.asked)
    ended = botattack("check", "bot.yaml")
    assert ended.status == 0
    assert f"documents  removed {name}, which TIME-bot-ID had left, after" in ended.out
    assert library.documents == {}
    assert {there for _, there in library.asked[asked:]} == {()}
    assert "had left" not in botattack("check", "bot.yaml").out


@pytest.mark.parametrize("status", [200, 404])
def test_a_document_that_stays_ends_it_with_1(status: int, botattack: Botattack, folder: Path, serve: Serve) -> None:
    library = Library(fails=lambda method, _: status if method == "DELETE" else 0)
    text = target_file(serve(Server(library)), BY_ID + FIND)
    (folder / "bot.yaml").write_text(text.replace('{{ add.id }}"}', '{{ add.id }}", every: 1ms}', 1))
    ended = botattack("check", "bot.yaml")
    assert ended.status == 1
    assert "documents  remove failed" in ended.out
    assert "find still finds the document" in ended.err
