"""What a target file can say of a deployed protocol is in its schema, on the files page and in an example, and a wrong
use of it is one sentence with the place and how to fix it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from botattack.config.target import load_target
from botattack.errors import ConfigError
from tests.cli.conftest import Botattack

ROOT = Path(__file__).parents[2]
REQUEST: dict[str, Any] = {"url": "http://127.0.0.1:1/", "json": {"text": "{{ question }}"}}
POLL: dict[str, Any] = {"url": "http://127.0.0.1:1/"}
KEYS: dict[str, tuple[str, str, dict[str, Any], str, str]] = {
    # What the schema and the page say of it, how an example writes it, a wrong use, its place, and how to fix it.
    "pieces of one kind": (
        "{type: text-delta}",
        "stream: {where: {type: text-delta}",
        {"stream": {"where": "text-delta"}},
        "connect.stream.where",
        "write it like {type: text-delta}",
    ),
    "what `where` replaced": (
        "{type: [text, code]}",
        "where: {type: content_block_delta, delta.type: text_delta}",
        {"extract": {"answer": "^[?@.type == 'text'].text"}},
        "connect.extract.answer",
        "write where: {type: text-delta}",
    ),
    "a header of the reply": (
        "{header: NAME}",
        "take: {s: {header: Mcp-Session-Id}}",
        {"request": {**REQUEST, "take": {"s": {"header": "no name"}}}},
        "connect.request.take.s.header",
        "write it like Mcp-Session-Id",
    ),
    "several requests that open": (
        "a request, or a list of them",
        "open: [{url:",
        {"open": ["http://127.0.0.1:1/"]},
        "connect.open[0]",
        "known: form, headers",
    ),
    "a number with a start": (
        "{{ turn + 1 }}",
        "{{ turn + 1 }}",
        {"request": {**REQUEST, "json": {"text": "{{ question }}", "n": "{{ turn + one }}"}}},
        "connect.request.json.n",
        "cannot be read",
    ),
    "the shape of messages": (
        "`bedrock`",
        "chat: {messages: anthropic}",
        {"chat": {"messages": "claude"}, "request": {**REQUEST, "json": "{{ messages }}"}},
        "connect.chat.messages",
        "one of openai, anthropic, gemini, bedrock, parts",
    ),
    "a shape of one's own": (
        "{{ text }}",
        "chat: {messages: {by:",
        {"chat": {"messages": {"by": "{{ role }}"}}, "request": {**REQUEST, "json": "{{ messages }}"}},
        "connect.chat.messages",
        "write it where the message's text belongs",
    ),
    "places one after another": (
        "applied one after another",
        'answer: ["$.data", base64, "$.text", html]',
        {"extract": {"answer": ["$.data", "hmtl"]}},
        "connect.extract.answer[1]",
        "base64, html, or a list of these",
    ),
    "reasoning": (
        "Tags around reasoning",
        "reasoning: [think, thought]",
        {"extract": {"reasoning": ["<think>"]}},
        "connect.extract.reasoning[0]",
        "write think for <think>",
    ),
    "requests that AWS signs": (
        "AWS",
        "auth: {aws: {}}",
        {"auth": {"aws": "eu-central-1"}},
        "connect.auth.aws",
        "known: key, region",
    ),
    "an event that ends": (
        "The name of a server-sent event",
        "done: {event: complete}",
        {"stream": {"done": {"event": 7}}},
        "connect.stream.done.event",
        "put it in quotes",
    ),
    "what a poll waits for": (
        "{where: {status: completed}}",
        'until: "$.',
        {"poll": {**POLL, "until": {"were": {"status": "completed"}}}},
        "connect.poll.until",
        "write a JSONPath",
    ),
    "a poll that goes on": (
        "{{ poll.last | default('') }}",
        'take: {last: "$.last"}, quiet: 2s',
        {"poll": {**POLL, "quiet": "soon"}},
        "connect.poll.quiet",
        "write it like 30s",
    ),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_is_in_the_schema_on_the_page_and_in_an_example(name: str, botattack: Botattack) -> None:
    said, example, *_ = KEYS[name]
    schema = json.dumps(json.loads(botattack("schema", "target").out), ensure_ascii=False)
    examples = "".join(path.read_text("utf-8") for path in sorted((ROOT / "targets").rglob("*.yaml")))
    page = (ROOT / "docs/files.md").read_text("utf-8")
    assert json.dumps(said, ensure_ascii=False)[1:-1].replace("`", "") in schema.replace("`", "")
    assert said in " ".join(page.split())
    assert example in examples


@pytest.mark.parametrize("name", KEYS)
def test_a_wrong_use_is_a_sentence_with_its_place_and_how_to_fix_it(name: str, tmp_path: Path) -> None:
    *_, wrong, place, fix = KEYS[name]
    path = tmp_path / "bot.yaml"
    path.write_text(yaml.safe_dump({"name": "bot", "connect": {"kind": "http", "request": REQUEST, **wrong}}))
    with pytest.raises(ConfigError) as raised:
        load_target(path, environ={})
    told = [each for each in raised.value.problems if each.path == place]
    assert len(told) == 1, raised.value
    assert fix in told[0].hint + told[0].message
    assert told[0].line > 1
