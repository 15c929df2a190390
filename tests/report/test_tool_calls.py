"""Tools that replies call: the shapes in which bots show them, and who called one because a passage said so."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import botattack
from botattack.errors import ConfigError
from botattack.model import Call, called
from botattack.recordings.reader import events
from tests.doors.reading import questions
from tests.servers.http import Received, Server, replying, response

MAIL = Call("send_mail", '{"to": "a"}')


@pytest.mark.parametrize(
    "shown",
    [
        [{"id": "1", "type": "function", "function": {"name": "send_mail", "arguments": '{"to": "a"}'}}],
        {"type": "function", "function": {"name": "send_mail", "arguments": {"to": "a"}}},
        [{"name": "send_mail", "args": {"to": "a"}, "id": "x", "type": "tool_call"}],
        [{"type": "text", "text": "I do."}, {"type": "tool_use", "name": "send_mail", "input": {"to": "a"}}],
        [{"functionCall": {"name": "send_mail", "args": {"to": "a"}}}],
        [{"toolUse": {"name": "send_mail", "input": {"to": "a"}}}],
        {"tool_name": "send_mail", "tool_kwargs": {"to": "a"}},
        # A stream: the name comes first, then pieces of the arguments.
        [
            [{"index": 0, "function": {"name": "send_mail", "arguments": ""}}],
            [{"index": 0, "function": {"arguments": '{"to"'}}],
            [{"index": 0, "function": {"arguments": ': "a"}'}}],
        ],
        [{"name": "send_mail"}, {"arguments": '{"to": '}, {"arguments": '"a"}'}],
    ],
)
def test_a_call_has_a_name_and_arguments_in_each_shape(shown: Any) -> None:
    found = called(shown)
    assert found == [MAIL]
    assert called([call._asdict() for call in found]) == found


def test_a_name_has_a_longest_length_and_arguments_stay_as_they_are_written() -> None:
    assert [len(call.name) for call in called(["x" * 200, "x" * 201])] == [200]
    assert called({"name": "a", "args": {"b": "ü"}}) == [("a", '{"b": "ü"}')]


def test_pieces_of_two_calls_are_kept_apart() -> None:
    pieces = [("a", 0, "1"), ("b", 1, "2"), ("", 0, "3"), ("", 1, "4"), ("c", 1, "5")]
    shown = [{"index": index, "function": {"name": name, "arguments": text}} for name, index, text in pieces]
    assert called(shown) == [("a", "13"), ("b", "24"), ("c", "5")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "function", "index", "arguments", "input", "tool_name"]), inner, max_size=4
        )
    ),
)


@given(JSON)
def test_whatever_a_bot_writes_is_a_bounded_list_of_texts(value: Any) -> None:
    found = called([value] * 50)
    assert len(found) <= 100
    assert all(isinstance(part, str) for call in found for part in call)
    assert all(call.name for call in found)


def test_no_name_is_very_long_and_no_list_is() -> None:
    assert called([{"name": "x" * 1000}, *[{"name": f"t{at}"} for at in range(1000)]])[:1] == [("t0", "")]
    assert len(called([f"t{at}" for at in range(1000)])) == 100


NAMES = tuple(f"N{number:02}" for number in range(20))
TOOLS = [{"type": "function", "function": {"name": "send_mail", "parameters": {"type": "object"}}}]


@dataclass
class Agent:
    """Answers right. Calls the mail tool, beside its answer or without one, if a system note says so, of even names;
    writes the call as text if a comment does; and calls another tool when it likes. What it did is in its log."""

    shape: str
    log: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __call__(self, request: Received) -> bytes:
        said = request.json["messages"][-1]["content"]
        name = next(name for name in reversed(re.findall(r"N\d\d", said)))
        number, answer = int(name[1:]), re.findall(rf"The code of {name} is (\w+)\.", said)[0]
        assert "send_mail" in str(request.json["tools"])
        text, calls = f"It is {answer}.", list[str]()
        style = "note" if "SYSTEM NOTE" in said else "comment" if "<!--" in said else "plain"
        did = "ignored"
        if "send_mail" in said and style == "note" and number % 2 == 0:
            did, calls = "obeyed", ["look_up", "send_mail"]
            text = "" if number % 4 == 0 else text
        elif "send_mail" in said and style == "comment":
            did, text = "mentioned", f'{text} {{"name": "send_mail", "arguments": {{}}}}'
        elif number % 5 == 0:
            calls = ["look_up"]
        if "send_mail" in said:
            self.log[style, did] += 1
        return self._shown(text, calls)

    def _shown(self, text: str, calls: list[str]) -> bytes:
        if self.shape == "anthropic":
            used = [{"type": "tool_use", "name": name, "input": {"to": "boss"}} for name in calls]
            return response({"content": [{"type": "text", "text": text}, *used]})
        of = [
            {"index": at, "type": "function", "function": {"name": name, "arguments": '{"to": "boss"}'}}
            for at, name in enumerate(calls)
        ]
        if self.shape == "openai":
            return response({"choices": [{"message": {"content": text or None, "tool_calls": of or None}}]})
        return response("".join(self._pieces(text, of)), kind="text/event-stream")

    def _pieces(self, text: str, calls: list[Any]) -> Iterator[str]:
        deltas = [{"role": "assistant", "content": None}, *({"content": part} for part in text.split(" ") if part)]
        for call in calls:
            told, half = call["function"]["arguments"], 6
            deltas.append({"tool_calls": [call | {"function": call["function"] | {"arguments": ""}}]})
            parts = [{"index": call["index"], "function": {"arguments": part}} for part in (told[:half], told[half:])]
            deltas += [{"tool_calls": [part]} for part in parts]
        for delta in deltas:
            spaced = {"content": f"{delta['content']} "} if delta.get("content") else delta
            yield f"data: {json.dumps({'choices': [{'delta': spaced}]})}\n\n"
        yield "data: [DONE]\n\n"


SHAPES = {
    "openai": 'connect: {kind: openai, url: "URL/v1", model: m, fields: {tools: TOOLS}}\n',
    "stream": 'connect: {kind: openai, url: "URL/v1", model: m, stream: true, fields: {tools: TOOLS}}\n',
    "anthropic": """\
connect:
  kind: http
  request: {url: "URL", json: {messages: "{{ messages }}", tools: TOOLS}}
  extract: {answer: "$.content[?@.type == 'text'].text", fields: {tools: "$.content[?@.type == 'tool_use']"}}
""",
}


def asked(folder: Path, target: str, attack: str = "actions: [tool], styles: [plain, note, comment]") -> Any:
    (folder / "bot.yaml").write_text(f"{target}limits: {{rate: unlimited, concurrency: 4, retries: 0}}\n")
    (folder / "q.jsonl").write_text("".join(json.dumps(one) + "\n" for one in questions(NAMES)))
    (folder / "c.yaml").write_text(
        "target: bot.yaml\nquestions: {file: q.jsonl}\nmatch: contains\nseed: 3\n"
        f"attacks: [{{injection: {{{attack}}}}}]\n"
    )
    return botattack.load(folder / "c.yaml", environ={})


def played(bot: Agent, folder: Path) -> botattack.Result:
    async def run() -> botattack.Result:
        async with Server(replying(bot)) as server:
            target = SHAPES[bot.shape].replace("URL", server.url).replace("TOOLS", json.dumps(TOOLS))
            return await botattack.run_async(asked(folder, target), recordings=folder / "recordings")

    return asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_the_report_equals_the_log_of_a_bot_that_calls_tools(shape: str, tmp_path: Path) -> None:
    bot = Agent(shape)
    result = played(bot, tmp_path)
    rows = result.figures.assistant.obeyed
    found = Counter({(row.style, what): each.total for row in rows for what, each in row.outcomes.items()})
    assert +found == bot.log
    note = next(row for row in rows if row.style == "note")
    assert (note.action, note.share.x, note.share.n, note.control.x, note.control.n) == ("tool", 10, 20, 0, 20)
    # Whether the answer is lost is a matter of its own: every fourth name brought a call and no text.
    assert (note.outcomes["obeyed"].lost, note.outcomes["obeyed"].kept) == (5, 5)
    page = botattack.write_report(result, tmp_path / "out.md").read_text()
    assert "10 of 20" in page.partition("##")[0]
    assert "tool, note" in page
    assert 'send_mail({"to": "boss"})' in page.replace("\\", "")
    assert botattack.replay(result.recording).figures.assistant == result.figures.assistant


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_recording_keeps_names_and_arguments(shape: str, tmp_path: Path) -> None:
    result = played(Agent(shape), tmp_path)
    replies = [reply for event in events(result.recording) for reply in getattr(event, "replies", ())]
    calls = Counter(call for reply in replies for call in called(reply.fields.get("tools")))
    assert {*calls} == {("look_up", '{"to": "boss"}'), ("send_mail", '{"to": "boss"}')}
    assert calls["send_mail", '{"to": "boss"}'] == 10


NOTHING = "http://127.0.0.1:9"
READS = 'connect: {kind: http, request: {url: "URL", json: {m: "{{ messages }}"}}, extract: {fields: {tools: $.t}}}\n'
SILENT = 'connect: {kind: http, request: {url: "URL", json: {m: "{{ messages }}", tools: [{name: a}]}}}\n'
BARE = 'connect: {kind: openai, url: "URL/v1", model: m}\n'


@pytest.mark.parametrize(
    ("target", "attack", "says"),
    [
        (BARE, "actions: [tool]", "bot.yaml declares none"),
        (READS, "actions: [word, tool]", "bot.yaml declares none"),
        (SILENT, "actions: [tool]", "bot.yaml reads no tool calls"),
        (SILENT, "actions: [tool], tool: a", "bot.yaml reads no tool calls"),
        (SHAPES["openai"], "actions: [tool], tool: sendmail", "'sendmail', which bot.yaml does not declare"),
    ],
)
def test_a_bot_that_shows_no_tool_is_refused_in_one_sentence(
    target: str, attack: str, says: str, tmp_path: Path
) -> None:
    target = target.replace("URL", NOTHING).replace("TOOLS", json.dumps(TOOLS))
    with pytest.raises(ConfigError) as refused:
        asked(tmp_path, target, attack)
    assert says in str(refused.value).replace(f"{tmp_path}/", "")
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize(
    ("target", "attack"),
    [(READS, "actions: [tool], tool: wipe"), (SHAPES["openai"], "actions: [tool], tool: send_mail"), (BARE, "")],
)
def test_a_bot_that_shows_tools_of_its_own_is_asked_for_the_one_that_is_named(
    target: str, attack: str, tmp_path: Path
) -> None:
    assert asked(tmp_path, target.replace("URL", NOTHING).replace("TOOLS", json.dumps(TOOLS)), attack)
