"""Of a copied request, each name says what stands there: the question, a speaker, a conversation, a secret, a state."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from botattack.audit.starting.call import BadStart, Call, Place
from botattack.audit.starting.draft import draft
from botattack.audit.starting.fetching import sign_of
from botattack.audit.starting.places import (
    asked_in,
    fixed_conversations,
    fixed_told,
    inner_place,
    question_place,
    with_fresh,
    with_fresh_path,
)

OF_MESSAGES = [
    *("question", "query", "message", "text", "prompt", "input", "user_message", "userInput", "utterance", "content"),
    *("msg", "ask", "q", "body", "inputs", "input-text", "payload"),
]
"""Most telling first."""
UUID = "123e4567-e89b-12d3-a456-426614174000"
SESSION, AS_UUID = "{{ session }}", "{{ session | uuid }}"
HERE = "http://127.0.0.1:9/ask"


@pytest.mark.parametrize("name", OF_MESSAGES)
def test_a_name_tells_where_the_message_is(name: str) -> None:
    assert question_place({"a": "x", name: "harbour", "z": "x"}) == (name,)
    assert question_place({"a": "x", "of": [{name: "harbour"}]}) == ("of", 0, name)
    for later in OF_MESSAGES[OF_MESSAGES.index(name) + 1 :]:
        assert question_place({later: "x", name: "y"}) == question_place({name: "y", later: "x"}) == (name,)


def test_without_a_name_the_only_text_of_several_words_is_it() -> None:
    assert question_place({"zone": "eu", "wish": "where is it"}) == ("wish",)
    assert question_place({"zone": "eu", "wish": "where"}) is None
    assert question_place({"zone": "in eu", "wish": "where is it"}) is None
    assert question_place({"text": '{"a": 1}', "wish": "where is it"}) == ("wish",)
    assert question_place({"text": "x", "of": "an {{ question }}"}) == ("of",)
    assert question_place({"text": "x y", "of": "a b", "also": "a b"}, "a b") == ("also",)
    assert question_place({"text": "x y"}, "a b") is None
    assert question_place({"query": "query Ask { me }", "variables": {"q": "x"}}) == ("variables", "q")


@pytest.mark.parametrize("key", ["role", "author", "sender", "from", "speaker", "type"])
def test_the_last_turn_of_the_user_is_the_question(key: str) -> None:
    others = ("system", "assistant", "bot", "model", "developer", "ai", "agent")
    for user, other in product(("user", "human", "visitor", "customer", "client"), others):
        turns = [{key: user, "content": "a"}, {key: user, "content": "b"}, {key: other, "content": "c"}]
        assert question_place({"question": "x", "turns": turns}) == ("turns", 1, "content")
        assert question_place({"turns": turns[2:]}) is None
    assert question_place({"turns": [{key: "somebody", "content": "c"}]}) == ("turns", 0, "content")


def test_what_is_around_a_question_stays() -> None:
    assert asked_in({"q": "well: a b"}, ("q",), "a b") == "well: {{ question }}"
    assert asked_in({"q": "a"}, ("q",), "") == "{{ question }}"
    assert asked_in({"q": "x {{ question }}"}, ("q",), "x") == "x {{ question }}"
    packed = {"a": "x", "of": '{"text": "a b", "n": 1}'}
    assert inner_place(packed) == ("of",)
    assert asked_in(packed, ("of",), "a b") == '{"text": "{{ question }}", "n": 1}'
    assert asked_in({"of": '["ü", {"text": "a"}]'}, ("of",), "a") == '["ü", {"text": "{{ question }}"}]'
    assert inner_place({"of": '{"zone": "eu"}', "z": "{"}) is None


@pytest.mark.parametrize(
    ("name", "copied", "fresh"),
    [
        *((f"{name}{end}", "x", SESSION) for name in ("session", "conversation", "thread", "chat", "sender", "visitor",
          "dialog", "dialogue", "room") for end in ("Id", "_key", "-uuid")),
        *((name, "x", SESSION) for name in ("guestId", "anonymous_id")),
        *((name, "room-7", SESSION) for name in ("session", "conversation", "thread", "dialog", "dialogue")),
        *((name, "main", "main") for name in ("session", "conversation", "thread", "dialog", "dialogue", "room")),
        *((name, "abcd1234", SESSION) for name in ("room", "chat", "sender", "visitor")),
        *((name, "abc1234", "abc1234") for name in ("room", "chat", "sender", "visitor")),
        *((name, "room-7", "room-7") for name in ("room", "chat", "other")),
        *(("sessionId", UUID, AS_UUID), ("sessionId", UUID.upper(), AS_UUID), ("sessionId", SESSION, SESSION)),
        *((name, "x", "{{ uuid }}") for name in ("idempotency-key", "x-request-id", "messageId", "client_msg_id",
          "nonce", "traceparent", "uuid", "requestToken", "clientMutationId", "eventUuid", "correlation-id")),
        *(("userId", "abcd1234", "abcd1234"), ("lang", "en", "en"), ("sessionId", "", "")),
    ],
)  # fmt: skip
def test_what_must_be_new_for_each_conversation_or_request_is(name: str, copied: str, fresh: str) -> None:
    assert with_fresh({name: copied, "n": 1}) == {name: fresh, "n": 1}
    assert with_fresh([{"of": {name: copied}}]) == [{"of": {name: fresh}}]


def test_the_id_beside_a_message_is_its_own() -> None:
    made = {
        "id": "abcd1234",
        "of": [{"id": "abcd1234", "text": "{{ question }}"}, {"id": "abcd1234"}],
        "by": {"id": "abcd1234"},
    }
    asked: Place = ("of", 0, "text")
    fresh = with_fresh(made, asked)
    assert (fresh["id"], fresh["of"][0]["id"], fresh["of"][1]["id"], fresh["by"]["id"]) == (
        *(SESSION, "{{ uuid }}", "abcd1234", "abcd1234"),
    )  # fmt: skip
    assert with_fresh(made) == made
    assert with_fresh({"id": "main", "text": "x"}, ("text",)) == {"id": "main", "text": "x"}


@pytest.mark.parametrize(
    ("path", "fresh"),
    [
        *((f"/v1/{name}/a7/say", f"/v1/{name}/{SESSION}/say") for name in ("sessions", "conversation", "threads")),
        *((f"/{name}/{UUID}", f"/{name}/{AS_UUID}") for name in ("chat", "convs", "dialogues", "dialog", "Session")),
        *((same, same) for same in ("/v1/sessions/main", "/chat/a7", "/sessions", "/v2/ask", f"/users/{UUID}")),
        (f"/sessions/a7:{UUID}", f"/sessions/a7:{UUID}"),
        ("/sessions/a7:say", f"/sessions/{SESSION}:say"),
    ],
)
def test_a_conversation_in_the_path_of_a_url_is_new(path: str, fresh: str) -> None:
    if path.count(":") and UUID in path:
        fresh = path.replace("a7", SESSION)
    assert with_fresh_path(path) == fresh


def test_what_always_names_the_same_conversation_is_told_with_its_place() -> None:
    made = {
        "request": {"url": HERE, "json": {"sessionId": "a7", "gespraech": "g7", "zz": UUID, "userId": UUID, "n": "x"}}
    }
    found = fixed_conversations(made)
    assert {path[-1] for path in found} == {"sessionId", "gespraech", "zz"}
    told = fixed_told(made)
    assert all(f"connect.request.json.{name} is always {value!r}" in told for name, value in
               (("sessionId", "a7"), ("gespraech", "g7"), ("zz", UUID)))  # fmt: skip
    assert told.endswith(f"write {AS_UUID} or {SESSION}")
    assert fixed_told({"request": {"headers": {"zz": UUID}, "json": {"a": "{{ session }}"}}}) == ""


DONE = ["succeeded", "Success", "successful", "completed", "complete", "done", "FINISHED", "ready", "resolved", "ok"]
FLAGS = ["done", "finished", "completed", "complete", "ready", "isDone", "is_ready", "isFinished", "isComplete"]


@pytest.mark.parametrize(
    ("before", "after", "sign"),
    [
        *(({"state": "working"}, {"state": word}, {"state": word}) for word in DONE),
        *(({name: False}, {name: True}, {name: True}) for name in FLAGS),
        ({}, {"of": {"is-ready": True}}, {"$['of']['is-ready']": True}),
        ({}, {"of": {"state": "done"}}, {"of.state": "done"}),
        ({"state": "done"}, {"state": "done"}, {}),
        ({"state": "working"}, {"state": "failed"}, {}),
        ({"open": False}, {"open": True, "n": 1}, {}),
        ({}, {"of": [{"state": "done"}]}, {}),
    ],
)
def test_the_sign_of_a_complete_reply_is_what_an_earlier_one_lacks(
    before: dict[str, Any], after: dict[str, Any], sign: dict[str, Any]
) -> None:
    assert sign_of([before], after) == sign
    assert sign_of([after, before], after) == sign
    assert sign_of([after], after) == {}


def drafted(headers: dict[str, str] | None = None, bot: str = "my-bot", **more: Any) -> Any:
    return draft(Call(more.pop("url", HERE), headers=headers or {}, **{"json": {"q": "hi there"}, **more}), bot)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "sec-fetch-mode",
            "Accept-Encoding",
            "content-length",
            "Host",
            "connection",
            "priority",
            "TE",
            "dnt",
            "alt-used",
        ),
        *("upgrade-insecure-requests", "pragma", "cache-control", "transfer-encoding", "content-type", "alt-used"),
    ],
)
def test_headers_of_the_transport_are_left_out(name: str) -> None:
    assert drafted({name: "x", "X-Of": "y"}).connect["request"]["headers"] == {"X-Of": "y"}


@pytest.mark.parametrize("scheme", ["Bearer", "basic", "Token", "ApiKey", "Api-Key", "Bot"])
def test_a_secret_is_a_name_of_the_environment_behind_its_scheme(scheme: str) -> None:
    found = drafted({"Authorization": f"{scheme} s3cret-value"})
    assert found.connect["request"]["headers"] == {"Authorization": f"{scheme} {{{{ env.MY_BOT_AUTHORIZATION }}}}"}
    assert found.env == {"MY_BOT_AUTHORIZATION": "s3cret-value"}


def test_each_secret_has_a_name_of_its_own() -> None:
    keys = {"api_key": "s3cret-one", "of": {"api-key": "s3cret-two"}, "also": {"api_key": "s3cret-one"}}
    found = drafted(json={"q": "hi there", **keys}, bot="7 bots!")
    assert found.env == {"BOT_7_BOTS_API_KEY": "s3cret-one", "BOT_7_BOTS_API_KEY_2": "s3cret-two"}
    sent = found.connect["request"]["json"]
    assert sent["also"]["api_key"] == sent["api_key"] == "{{ env.BOT_7_BOTS_API_KEY }}"
    assert set(drafted({"Authorization": "Bearer s3cret-value"}, bot="!").env) == {"BOT_AUTHORIZATION"}


def test_what_of_a_call_is_not_usual_is_in_the_request() -> None:
    assert drafted().connect == {"kind": "http", "request": {"url": HERE, "json": {"q": "{{ question }}"}}}
    assert drafted().asked == "hi there"
    for method, is_said in (("POST", False), ("GET", True), ("PUT", True)):
        assert ("method" in drafted(method=method).connect["request"]) is is_said
    asked = drafted(json=None, url=f"{HERE}?q=hi+there&lang=", method="GET").connect["request"]
    assert asked == {"url": HERE, "query": {"q": "{{ question }}", "lang": ""}}
    for kind in ("form", "multipart"):
        assert drafted(json=None, **{kind: {"q": "hi there"}}).connect["request"][kind] == {"q": "{{ question }}"}
    text = drafted(json=None, text="<a><b>7</b><c>hi there</c></a>").connect["request"]["text"]
    assert text == "<a><b>7</b><c>{{ question }}</c></a>"
    assert drafted(json=None, text="hi there").connect["request"]["text"] == "{{ question }}"
    assert drafted(user="me:s3cret:x").connect["auth"]["basic"]["user"] == "me"
    twice = drafted(json={"q": "hi there", "title": "hi there", "one": "hi"}).connect["request"]["json"]
    assert twice == {"q": "{{ question }}", "title": "{{ question }}", "one": "hi"}
    (note,) = drafted({"Cookie": "a=1"}).notes
    assert "session" in note


def test_a_chat_is_placed_whole_and_that_of_openai_is_of_its_kind() -> None:
    messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "hi there"}]
    found = drafted(json={"messages": messages}).connect
    assert found["request"]["json"] == {"messages": "{{ messages }}"}
    assert found["chat"] == {"system": "Be kind."}
    body = {
        "model": "m",
        "messages": messages,
        "temperature": 0.5,
        "max_tokens": 9,
        "stream": True,
        "seed": 1,
        "top": 2,
    }
    sent = drafted({"Authorization": "Bearer s3cret-value", "X-Of": "y"}, url="http://h/v1/chat/completions", json=body)
    assert sent.connect == {
        "kind": "openai",
        "url": "http://h/v1",
        "model": "m",
        "api_key": "{{ env.MY_BOT_API_KEY }}",
        "system": "Be kind.",
        "temperature": 0.5,
        "max_tokens": 9,
        "stream": True,
        "fields": {"top": 2},
        "headers": {"X-Of": "y"},
    }
    for url, more in (("http://h/v1/chat", {}), ("http://h/v1/chat/completions?a=1", {}),
                      ("http://h/v1/chat/completions", {"user": "me:it"})):  # fmt: skip
        assert drafted(url=url, json=body, **more).connect["kind"] == "http"


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ({"url": "ws://h/x"}, "--url ws://h/x "),
        ({"url": "https://h/x", "headers": {"Sec-WebSocket-Key": "x"}}, "--url wss://h/x "),
        ({"url": "http://["}, "https://HOST/PATH"),
        ({"json": {"zone": "eu"}}, "no text in the body"),
        ({"json": None}, "no text in the URL"),
        ({"json": None, "text": "<a>hi there</a><b>or so</b>"}, "which part of the body"),
        ({"json": None, "text": "a={x y}"}, "which part of the body"),
    ],
)
def test_what_is_no_request_to_a_bot_says_what_to_give(call: dict[str, Any], why: str) -> None:
    with pytest.raises(BadStart, match=re.escape(why)):
        drafted(**call)
