"""What users and bots said to each other in a log: every name that a list, a message or a speaker may have."""

from __future__ import annotations

import json
from typing import Any

import pytest

from botattack.protocols import BadRecord
from botattack.questions.conversations import said
from tests.questions.conftest import Write

ASKED, TOLD = ("user", "When?"), ("bot", "At nine.")
MESSAGES = [{"role": "user", "content": "When?"}, {"role": "assistant", "content": "At nine."}]
CHATS = ("conversation", "chat", "session", "thread", "dialogue", "ticket")


def heard(write: Write, *records: object) -> list[Any]:
    path = write("log.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    return [one if isinstance(one, BadRecord) else (one.speaker, one.text) for one in said(path, {})]


def chats(write: Write, *records: object) -> int:
    path = write("log.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    return len({one.chat for one in said(path, {}) if not isinstance(one, BadRecord)})


@pytest.mark.parametrize("name", ["messages", "conversation", "turns", "dialogue", "history", "chat"])
def test_a_conversation_is_a_list_of_messages(write: Write, name: str) -> None:
    assert heard(write, {name: MESSAGES}) == [ASKED, TOLD]
    assert chats(write, {name: MESSAGES}, {name: MESSAGES}) == 2


@pytest.mark.parametrize("name", ["inputs", "input", "request", "body"])
def test_a_call_says_what_was_asked_last(write: Write, name: str) -> None:
    call = {name: {"messages": [*MESSAGES, {"role": "user", "content": "And today?"}]}}
    assert heard(write, call) == [("user", "And today?")]
    assert chats(write, call, {name: {"messages": MESSAGES[:1]}}, {name: {"messages": [*MESSAGES, *MESSAGES]}}) == 2


@pytest.mark.parametrize("name", [f"{chat}{end}" for chat in CHATS for end in ("_id", "Id", "-ID", "")])
def test_messages_of_one_conversation_have_its_name(write: Write, name: str) -> None:
    rows = [{"role": "user", "text": "When?", name: number} for number in (1, 2, 1)]
    assert heard(write, *rows) == [ASKED] * 3
    assert chats(write, *rows) == 2


@pytest.mark.parametrize("name", ["role", "speaker", "sender", "author", "from"])
@pytest.mark.parametrize("text", ["question", "text", "content", "message", "body", "value"])
def test_a_message_says_who_said_what(write: Write, name: str, text: str) -> None:
    row = {name: "user", text: "When?", "chat": 1}
    assert heard(write, row) == heard(write, {"messages": [{name: "user", text: "When?"}]}) == [ASKED]


@pytest.mark.parametrize(
    ("speaker", "names"),
    [
        ("user", "user human customer client visitor end-user kunde nutzer کاربر مشتری me"),
        ("bot", "assistant ai bot chatbot agent operator support model"),
    ],
)
def test_who_is_a_user_and_who_a_bot(write: Write, speaker: str, names: str) -> None:
    for name in names.split():
        for role in (name, name.upper(), name.replace("-", "_")):
            assert heard(write, {"messages": [{"role": role, "content": "a"}]}) == [(speaker, "a")], role


@pytest.mark.parametrize("odd", [{}, {"role": 3, "content": "x"}, {"role": "user"}, {"content": 3}])
def test_what_is_no_message_is_left_out(write: Write, odd: object) -> None:
    assert heard(write, {"messages": [MESSAGES[0], odd, MESSAGES[1]]}) == [ASKED, TOLD]


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ([7], "not a mapping"),
        *(({"messages": [MESSAGES[0], odd]}, "not {role, content}") for odd in (7, None, "a", ["role"])),
        ({"text": "a", "role": "user"}, "its conversation"),
        ({"text": "a", "chat": 1}, "its speaker"),
        ({"role": "user", "chat": 1}, "its text"),
    ],
)
def test_a_record_says_what_it_lacks(write: Write, record: object, why: str) -> None:
    (bad,) = heard(write, record)
    assert why in bad.why
