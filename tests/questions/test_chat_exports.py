"""Exports of chat tools: every name under which one may keep what was asked, what is right, and its records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from botattack.model import Question
from botattack.protocols import BadRecord
from botattack.questions.detect import reader_for
from tests.questions.conftest import Write

ASKED, OTHER = "Who wrote Emma?", "Nobody asks"
MESSAGES = [{"role": "user", "content": ASKED}]


def read(write: Write, name: str, content: object) -> tuple[str, list[str], str]:
    """The text, the answers and the key of the only question."""
    path = write("a.json", json.dumps(content))
    (row,) = reader_for(path, name)(path)
    if isinstance(row, BadRecord):
        return row.why, [], ""
    assert isinstance(row, Question)
    return row.text, [answer.text for answer in row.answers], row.key


@pytest.mark.parametrize("name", ["data", "examples", "items", "runs", "traces"])
def test_records_are_in_a_list_of_a_name(write: Write, name: str) -> None:
    assert read(write, "langfuse", {name: [{"input": ASKED}]})[0] == ASKED


@pytest.mark.parametrize("name", ["question", "text", "query", "utterance", "input", "prompt", "message", "content"])
@pytest.mark.parametrize("form", [str, str.upper, "user_{}".format, "human_{}".format, "chat_{}".format])
def test_what_was_asked_has_one_of_these_names(write: Write, name: str, form: Any) -> None:
    known = form in (str, str.upper) or name == "input"
    text, *_ = read(write, "langsmith", [{"inputs": {"other": OTHER, form(name): ASKED}}])
    assert (text == ASKED) == known
    assert read(write, "langsmith", [{"inputs": {form(name): ASKED}}])[0] == ASKED  # the only one that is there


@pytest.mark.parametrize("name", ["messages", "chat history"])
def test_messages_are_what_was_asked(write: Write, name: str) -> None:
    assert read(write, "langsmith", [{"inputs": {name: MESSAGES, "question": OTHER}}])[0] == ASKED


@pytest.mark.parametrize(
    "name", ["answer", "answers", "output", "text", "content", "response", "result", "expected", "Expected_Output"]
)
def test_what_is_right_has_one_of_these_names(write: Write, name: str) -> None:
    for record in ({"outputs": {"other": 1, name: "Austen"}}, {"reference_outputs": {"other": 1, name: "Austen"}}):
        assert read(write, "langsmith", [{"inputs": ASKED, **record}])[:2] == (ASKED, ["Austen"])
    for field in ("expectedOutput", "expected_output"):
        assert read(write, "langfuse", [{"input": ASKED, field: {"other": 1, name: "Austen"}}])[:2] == (
            ASKED,
            ["Austen"],
        )


@pytest.mark.parametrize("name", ["run_type", "trace_id", "session_id", "start_time", "dotted_order"])
def test_what_a_run_said_is_no_answer(write: Write, name: str) -> None:
    record = {"inputs": ASKED, "outputs": "Dickens", name: "x"}
    assert read(write, "langsmith", [record])[1] == []
    assert read(write, "langsmith", [record | {"reference_outputs": "Austen"}])[1] == ["Austen"]
    assert read(write, "langsmith", [record | {name: ""}])[1] == ["Dickens"]


@pytest.mark.parametrize("key", ["id", "custom_id"])
@pytest.mark.parametrize("inside", ["", "body", "request"])
def test_a_request_is_read_wherever_it_is(write: Write, key: str, inside: str) -> None:
    said = {"messages": [*MESSAGES, {"role": "assistant", "content": "Austen"}]}
    right = [] if inside == "request" else ["Austen"]
    record = {key: "k", **({inside: said} if inside else said)}
    assert read(write, "openai-chat", [record]) == (ASKED, right, "k")
    assert read(write, "openai-chat", [record | {"ideal": "Jane"}])[1] == ["Jane"]


@pytest.mark.parametrize("kind", ["user", "human", "Human", "HumanMessage"])
@pytest.mark.parametrize("reply", ["assistant", "ai", "bot", "AIMessage"])
def test_a_message_is_of_a_user_or_a_bot(write: Write, kind: str, reply: str) -> None:
    for wrapped in (
        [{"role": kind, "content": ASKED}, {"role": reply, "content": "Austen"}],
        [{"type": kind, "content": ASKED}, {"type": reply, "content": ["Austen"]}],
        [{"type": kind, "data": {"content": ASKED}}, {"kwargs": {"type": reply, "content": [{"text": "Austen"}]}}],
        [[{"role": kind, "content": ASKED}], {"role": "tool", "content": "x"}, {"role": reply, "content": "Austen"}],
    ):
        assert read(write, "openai-chat", [{"messages": wrapped}])[:2] == (ASKED, ["Austen"])


@pytest.mark.parametrize(
    ("name", "record", "why"),
    [
        ("openai-chat", {"text": "a"}, "no list of `messages`"),
        ("langfuse", {"text": "a"}, "no `input`"),
        ("langsmith", {"text": "a"}, "no `inputs`"),
        ("openai-chat", {"messages": [{"role": "bot", "content": "a"}]}, "no message of it is a user's"),
        ("langsmith", {"inputs": {"a": "Why?", "b": "x"}}, "several values of `inputs` may be the question (a, b)"),
        ("langsmith", {"inputs": ASKED, "outputs": {"one": 1, "two": 2}}, "may be the answer (one, two)"),
        ("langfuse", [], "not a mapping"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(write: Write, name: str, record: object, why: str) -> None:
    assert why in read(write, name, [record])[0]
