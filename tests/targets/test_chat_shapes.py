"""What each shape of chat messages writes, and what a server of the OpenAI shape is asked with each option."""

from __future__ import annotations

from typing import Any

import pytest

from botattack.errors import RequestRefused, TargetError
from botattack.model import Turn
from botattack.options import BadValue
from botattack.targets.http.openai import OpenAI
from botattack.targets.messages.chat_messages import Chat, ChatFiller, read_shape
from botattack.templates import Template, uuid_of
from tests.targets.asking import options

HISTORY = (Turn("user", "a"), Turn("bot", "b"))
VALUES = {"passages": ["p", "r"], "question": "q", "session": "s", "turn": 1}
SAID = (("user", "a"), ("bot", "b"), ("user", "p\n\nr\n\nq"))


def written(shape: Any, **chat: Any) -> list[object]:
    made = Chat(messages=None if shape is None else read_shape(shape), **chat)
    return ChatFiller(made, {}).messages(VALUES, HISTORY)


@pytest.mark.parametrize(
    ("shape", "bot", "message"),
    [
        (None, "assistant", lambda role, text, at: {"role": role, "content": text}),
        ("openai", "assistant", lambda role, text, at: {"role": role, "content": text}),
        ("anthropic", "assistant", lambda role, text, at: {"role": role, "content": text}),
        ("gemini", "model", lambda role, text, at: {"role": role, "parts": [{"text": text}]}),
        ("bedrock", "assistant", lambda role, text, at: {"role": role, "content": [{"text": text}]}),
        (
            "parts",
            "assistant",
            lambda role, text, at: {
                "id": uuid_of(f"s/message {at}"),
                "role": role,
                "parts": [{"type": "text", "text": text}],
            },
        ),
        ("{{ role }}: {{ text }}", "assistant", lambda role, text, at: f"{role}: {text}"),
    ],
)
def test_each_message_is_written_in_its_shape(shape: Any, bot: str, message: Any) -> None:
    roles = {"user": "user", "bot": bot}
    assert written(shape) == [message(roles[who], text, at) for at, (who, text) in enumerate(SAID)]
    own = {"user": "USER", "bot": "CHATBOT"}
    assert written(shape, roles=own) == [message(own[who], text, at) for at, (who, text) in enumerate(SAID)]


@pytest.mark.parametrize(
    ("shape", "instead"),
    [("anthropic", "system: …"), ("gemini", "systemInstruction: {parts: [{text: …}]}"), ("bedrock", "system: [{text")],
)
def test_what_the_system_says_goes_elsewhere_in_some_shapes(shape: str, instead: str) -> None:
    with pytest.raises(BadValue) as caught:
        Chat(Template.compile("Be kind."), messages=read_shape(shape))
    (mistake,) = caught.value.mistakes
    assert mistake.path == ("system",)
    assert instead in mistake.hint
    assert options(Chat, {"messages": "parts", "system": "Be kind."}).system is not None


def test_the_system_is_first_and_the_last_message_may_be_of_another_form() -> None:
    made = options(Chat, {"system": "Be kind.", "user": "Q: {{ question }}"})
    found = ChatFiller(made, {}).messages(VALUES, HISTORY)
    assert found[0] == {"role": "system", "content": "Be kind."}
    assert found[-1] == {"role": "user", "content": "Q: q"}
    assert made.asks({"messages"})
    assert not options(Chat, {"user": "hi"}).asks({"messages"})
    assert options(Chat, {"user": "hi"}).asks({"question"})


@pytest.mark.parametrize("shape", ["chatml", {"role": "{{ role }}"}])
def test_no_shape_of_messages_is_one_sentence(shape: Any) -> None:
    with pytest.raises(BadValue):
        read_shape(shape)


URL = "http://127.0.0.1:9/v1"
PLAIN = {"model": "m", "messages": "{{ messages }}", "temperature": 0.0, "seed": "{{ seed }}"}


def server(**more: Any) -> OpenAI:
    made = options(OpenAI, {"url": URL, "model": "m", **more})
    assert isinstance(made, OpenAI)
    return made


@pytest.mark.parametrize(
    ("given", "body"),
    [
        ({}, PLAIN),
        ({"temperature": 0.5}, PLAIN | {"temperature": 0.5}),
        ({"max_tokens": 9}, PLAIN | {"max_tokens": 9}),
        ({"stream": True}, PLAIN | {"stream": True, "stream_options": {"include_usage": True}}),
        ({"fields": {"top_p": 1, "seed": 7}}, PLAIN | {"top_p": 1, "seed": 7}),
        ({"seed": False}, {name: value for name, value in PLAIN.items() if name != "seed"}),
        ({"temperature": None}, {name: value for name, value in PLAIN.items() if name != "temperature"}),
    ],
)
def test_each_option_of_a_server_is_a_field_of_its_request(given: dict[str, Any], body: dict[str, Any]) -> None:
    assert server(**given).http.request.json.source == body  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("url", "asked"),
    [(URL, f"{URL}/chat/completions"), (f"{URL}/", f"{URL}/chat/completions"),
     (f"{URL}?api-version=1", f"{URL}/chat/completions?api-version=1")],
)  # fmt: skip
def test_a_query_stays_at_the_end_of_the_url(url: str, asked: str) -> None:
    assert server(url=url).http.request.url.source == asked


@pytest.mark.parametrize(
    ("place", "own"),
    [
        ("connect.request.headers.X-A", "connect.headers.X-A"),
        ("connect.request.json.top_p", "connect.fields.top_p"),
        ("connect.request.url", "connect.url"),
        ("connect.request.method", "connect"),
        ("connect.auth.bearer", "connect.api_key"),
        ("connect.chat.system", "connect.system"),
        ("connect.extract.answer", "connect.url"),
        ("connect.stream.done", "connect.stream"),
        ("connect.extract.fields.sources", "connect.extract.fields.sources"),
        ("connect.tls", "connect.tls"),
    ],
)
def test_what_is_wrong_is_told_at_the_option_that_a_file_has(place: str, own: str) -> None:
    made = server(extract={"fields": {"sources": "$.sources"}})
    with pytest.raises(TargetError) as caught, made.in_own_keys():
        raise TargetError("see auth and headers", place=place)
    assert caught.value.place == own
    assert str(caught.value) == "see api_key and headers"


@pytest.mark.parametrize(
    ("status", "own"), [(401, "api_key"), (403, "api_key"), (404, "url"), (405, "url"), (400, "request")]
)
def test_a_refusal_is_blamed_on_the_option_that_its_status_is_about(status: int, own: str) -> None:
    with pytest.raises(TargetError) as caught, server().in_own_keys():
        raise RequestRefused("no", status=status, place="connect.poll")
    assert caught.value.place == (f"connect.{own}" if status != 400 else "connect.poll")
