from __future__ import annotations

import asyncio
from base64 import b64decode
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from botattack.errors import ConfigError, ExtractionFailed, RequestRefused, ServerFailed
from botattack.model import Prompt, Turn
from botattack.options import BadValue
from botattack.targets.http.http_kind import Http
from botattack.targets.http.logins import ApiKey, Auth
from tests.servers.http import Received, Server, always, replying, response
from tests.targets.asking import Tally, ask, http, options, unit_of

pytestmark = pytest.mark.anyio


async def seen(env: dict[str, str], folder: Path = Path(), **connect: Any) -> Received:
    async with Server(always(response({"text": "ok"}))) as server:
        target = http(f"{server.url}/chat?a=1", env=env, folder=folder, **connect)
        await ask(target)
        await target.close()
        return server.received[0]


async def test_basic_bearer_and_keys(tmp_path: Path) -> None:
    env = {"U": "me", "P": "pä:ss"}
    basic = await seen(env, auth={"basic": {"user": "{{ env.U }}", "password": "{{ env.P }}"}})
    assert b64decode(basic.headers["authorization"].removeprefix("Basic ")).decode() == "me:pä:ss"
    assert (await seen(env, auth={"bearer": "{{ env.U }}"})).headers["authorization"] == "Bearer me"
    assert (await seen(env, auth={"api_key": {"header": "X-Key", "value": "{{ env.U }}"}})).headers["x-key"] == "me"
    assert (await seen(env, auth={"api_key": {"query": "k", "value": "a&b"}})).target == "/chat?a=1&k=a%26b"
    (tmp_path / "token.txt").write_text("from-a-file\n")
    received = await seen(env, tmp_path, auth={"bearer": {"file": "token.txt"}})
    assert received.headers["authorization"] == "Bearer from-a-file"


def test_one_way_of_authorising() -> None:
    with pytest.raises(BadValue):
        Auth()
    with pytest.raises(BadValue):
        ApiKey(value="x")  # type: ignore[arg-type]


def test_a_secret_from_a_file_is_told_to_whoever_masks(tmp_path: Path) -> None:
    (tmp_path / "token.txt").write_text("s3cret-token")
    known: set[str] = set()
    http("http://127.0.0.1:1/", tmp_path, auth={"bearer": {"file": "token.txt"}}).confide(known.update)
    assert known == {"s3cret-token"}


class Shop:
    """Hands out tokens; each is good until `expire` is called."""

    def __init__(self) -> None:
        self.given = 0
        self.logins: list[Received] = []

    def reply(self, request: Received) -> bytes:
        if request.target == "/login":
            self.given += 1
            self.logins.append(request)
            return response({"access_token": f"token-{self.given:04}", "expires_in": 3600}, set_cookie="sid=1")
        if request.headers.get("authorization") != f"Bearer token-{self.given:04}":
            return response("who are you, token-0001?", 401)
        return response({"text": f"hello {request.headers['cookie']} {request.headers['authorization']}"})

    async def behave(self, request: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.01)
        writer.write(self.reply(request))


def logging_in(server: Server) -> dict[str, Any]:
    request = {"headers": {"Authorization": "Bearer {{ login.token }}"}}
    login = {"url": f"{server.url}/login", "json": {"user": "{{ env.U }}"}, "take": {"token": "$.access_token"}}
    return {"request": request, "login": login, "env": {"U": "me"}}


@pytest.mark.parametrize(("content", "said"), [(b" \n", "key is empty"), (b"\xff\xfe", "key is not UTF-8")])
def test_a_file_that_holds_no_secret_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(ConfigError, match=said):
        http("http://127.0.0.1:1/", tmp_path, auth={"bearer": {"file": "key"}})


@pytest.mark.parametrize("reply", ['{"tokn": "fresh-token-1"}', "fresh-token-1"])
async def test_a_login_s_reply_is_never_shown(reply: str) -> None:
    async with Server(always(response(reply))) as server:
        target = http(server.url, login={"url": server.url, "take": {"token": "$.token"}})
        with pytest.raises(ExtractionFailed, match="in the reply to the login") as caught:
            await ask(target)
        await target.close()
    assert caught.value.place == "connect.login.take.token"
    assert "fresh" not in str(caught.value)


async def test_one_login_serves_all_and_is_renewed_once_for_all() -> None:
    shop, tally, known = Shop(), Tally(), set[str]()
    async with Server(shop.behave) as server:
        target = http(server.url, **logging_in(server))
        target.confide(known.update)
        first = await asyncio.gather(*[ask(target, pace=tally) for _ in range(20)])
        assert {reply.text for reply in first} == {"hello sid=1 Bearer token-0001"}
        assert shop.given == 1
        shop.given += 1  # all tokens given so far are worth nothing now
        await asyncio.gather(*[ask(target, pace=tally) for _ in range(20)])
        assert shop.given == 3
        assert known == {"token-0001", "token-0003"}, "a bot may tell an old one back"
        await target.close()
        assert len(server.received) == tally.left == 20 + 1 + 20 + 1 + 20


async def test_a_refused_login_is_told_and_not_repeated_for_one_question() -> None:
    tally = Tally()
    async with Server(always(response("no token-0001", 401))) as server:
        target = http(server.url, **logging_in(server))
        with pytest.raises(RequestRefused) as caught:
            await ask(target, pace=tally)
        await target.close()
        assert len(server.received) == tally.left == 1
    assert caught.value.place == "connect.login"


async def test_a_login_without_its_token_names_the_place() -> None:
    async with Server(always(response({"oops": 1}))) as server:
        target = http(server.url, **logging_in(server))
        with pytest.raises(ExtractionFailed) as caught:
            await ask(target)
        await target.close()
    assert caught.value.place == "connect.login.take.token"


@pytest.mark.parametrize("in_body", [False, True])
async def test_oauth_client_credentials(in_body: bool) -> None:
    shop = Shop()
    async with Server(shop.behave) as server:
        oauth = {"url": f"{server.url}/login", "client_id": "me", "client_secret": "{{ env.S }}", "scope": "chat"}
        target = http(server.url, env={"S": "a b"}, auth={"oauth": {**oauth, "in_body": in_body}})
        await asyncio.gather(*[ask(target) for _ in range(5)])
        await target.close()
    (login,) = shop.logins
    form = parse_qs(login.body.decode())
    assert form["grant_type"] == ["client_credentials"]
    assert form["scope"] == ["chat"]
    if in_body:
        assert (form["client_id"], form["client_secret"]) == (["me"], ["a b"])
    else:
        assert b64decode(login.headers["authorization"].removeprefix("Basic ")) == b"me:a%20b"


async def test_polling_waits_for_the_answer_to_this_message() -> None:
    polls = 0

    def reply(request: Received) -> bytes:
        nonlocal polls
        if request.method == "POST":
            return response({"id": "m2"})
        polls += 1
        items = [{"to": "m1", "text": "old"}, {"to": "m2", "text": "new"}]
        return response({"items": items[: min(2, polls)], "mark": polls})

    tally = Tally()
    async with Server(replying(reply)) as server:
        target = http(
            f"{server.url}/say",
            request={"take": {"id": "$.id"}},
            poll={
                "url": f"{server.url}/all?since={{{{ poll.mark | default('') }}}}",
                "every": "10ms",
                "take": {"mark": "$.mark"},
            },
            extract={"answer": "$.items[?@.to == _.request.id].text"},
        )
        reply_ = await ask(target, pace=tally)
        await target.close()
        assert [r.target for r in server.received] == ["/say", "/all?since=", "/all?since=1"]
    assert reply_.text == "new"
    assert tally.left == 3
    assert '{"request":{"id":"m2"}}' in reply_.raw


async def test_polling_until_done_and_quiet() -> None:
    polls = 0

    def reply(request: Received) -> bytes:
        nonlocal polls
        polls += request.method == "GET"
        return response({"done": polls > 2, "text": "a" * min(polls, 5)})

    async with Server(replying(reply)) as server:
        poll = {"url": f"{server.url}/all", "every": "10ms", "until": "$[?@ == true]", "quiet": "25ms"}
        target = http(f"{server.url}/say", poll=poll)
        assert (await ask(target)).text == "aaaaa"
        await target.close()


@pytest.mark.parametrize("ends", [{"quiet": "60ms"}, {"until": "$.over"}], ids=["quiet", "until"])
async def test_polls_that_give_what_is_new_are_put_together(ends: dict[str, str]) -> None:
    """As Telegram and Direct Line: each reply has the messages after a mark, often none."""
    said = {"": ["old"], "1": [], "2": ["One."], "3": [], "4": ["Two.", "Three."]}

    def reply(request: Received) -> bytes:
        if request.method == "POST":
            return response({})
        mark = request.target.partition("=")[2]
        new = [{"text": text, "by": "bot"} for text in said.get(mark, [])]
        if int(mark) > 8:
            return response(b"", 204)
        return response({"new": [*new, {"text": "me", "by": "me"}], "mark": int(mark) + 1, "over": mark == "5"})

    async with Server(replying(reply)) as server:
        tree = {
            "request": {"url": server.url, "method": "POST"},
            "open": {"url": f"{server.url}/begin", "method": "POST"},
            "poll": {
                "url": f"{server.url}/new?after={{{{ poll.mark | default('1') }}}}",
                "every": "10ms",
                "take": {"mark": "$.mark"},
                **ends,
            },
            "extract": {"answer": "$.new[?@.by == 'bot'].text"},
        }
        target = options(Http, tree).target("bot", {}, Path())
        found = await ask(target)
        await target.close()
    assert found.text == "One.\nTwo.\nThree."
    read = options(Http, tree)
    assert read.read_raw(found.raw).text == found.text


@pytest.mark.parametrize(
    "status", [{"status": "failed"}, {"result": {"status": {"state": "canceled"}}}, {"run": {"status": "EXPIRED"}}]
)
async def test_a_polled_job_that_has_failed_is_an_error_at_once(status: dict[str, Any]) -> None:
    polls = [{"status": "queued", "text": ""}, {"status": "running"}, {"why": "out of tokens", **status}]
    async with Server(replying(lambda request: response(polls.pop(0) if request.method == "GET" else {}))) as server:
        poll = {"url": server.url, "every": "10ms", "until": {"where": {"status": ["completed", "done"]}}}
        target = http(server.url, poll=poll)
        with pytest.raises(ServerFailed, match="has ended without an answer, stat") as caught:
            await ask(target)
        await target.close()
    assert (polls, caught.value.place, "out of tokens" in caught.value.said) == ([], "connect.poll", True)


async def test_polling_ends_at_the_callers_deadline() -> None:
    async with Server(always(response({}))) as server:
        target = http(server.url, poll={"url": server.url, "every": "10ms"})
        with pytest.raises(TimeoutError):
            await ask(target, seconds=0.1)
        await target.close()


async def test_reused_conversations_are_opened_once_and_closed_at_the_end() -> None:
    async with Server(always(response({"text": "ok", "id": 3}))) as server:
        target = http(
            f"{server.url}/ask",
            open={"url": f"{server.url}/open", "method": "POST"},
            close={"url": f"{server.url}/close", "method": "POST"},
            conversation="reuse",
        )
        for _ in range(3):
            await ask(target)
        await target.close()
        assert [r.target for r in server.received] == ["/open", "/ask", "/ask", "/ask", "/close"]


async def test_history_is_asked_once_before_a_dialogue() -> None:
    history = (Turn("user", "My name is Ann."), Turn("bot", "Hi"))
    async with Server(replying(lambda got: response({"text": f"turn {got.json['turn']}"}))) as server:
        body = {"text": "{{ question }}", "turn": "{{ turn }}", "history": "{{ history }}"}
        target = http(server.url, history="ask", request={"json": body})
        async with target.session(unit_of("a", "b"), Tally()) as session:
            for text in ("Who am I?", "Sure?"):
                await session.ask(Prompt(text, history=history))
        await target.close()
        asked = [request.json for request in server.received]
    assert [each["text"] for each in asked] == ["My name is Ann.", "Who am I?", "Sure?"]
    assert [len(each["history"]) for each in asked] == [0, 2, 4]


async def test_history_can_be_asked_first() -> None:
    async with Server(always(response({"text": "ok"}))) as server:
        target = http(server.url, history="ask")
        history = (Turn("user", "one"), Turn("bot", "1"), Turn("user", "two"), Turn("bot", "2"))
        async with target.session(unit_of("three"), Tally()) as session:
            await session.ask(Prompt("three", history=history))
        await target.close()
        assert [r.json["text"] for r in server.received] == ["one", "two", "three"]


async def test_messages_with_a_system_message_and_passages() -> None:
    async with Server(always(response({"text": "ok"}))) as server:
        chat = {"system": "Be {{ env.MOOD }}.", "user": "{{ passages | join(' / ') }}\n{{ question }}"}
        target = http(server.url, env={"MOOD": "kind"}, request={"json": "{{ messages }}"}, chat=chat)
        async with target.session(unit_of("Who?"), Tally()) as session:
            await session.ask(Prompt("Who?", passages=("A", "B")))
        await target.close()
        expected = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "A / B\nWho?"}]
        assert server.received[0].json == expected


async def test_a_goodbye_that_fails_costs_nothing() -> None:
    def reply(request: Received) -> bytes:
        return response("no", 500) if request.target == "/close" else response({"text": "ok"})

    async with Server(replying(reply)) as server:
        target = http(server.url, close={"url": f"{server.url}/close"})
        assert (await ask(target)).text == "ok"
        await target.close()
