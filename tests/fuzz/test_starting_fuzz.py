"""No curl command, OpenAPI document or HAR file that somebody wrote makes `init` fail, hang, or steer a terminal."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest

from botattack.audit.starting.curl import read_curl
from botattack.audit.starting.draft import draft
from botattack.audit.starting.har import read_har
from botattack.audit.starting.openapi import read_openapi
from botattack.audit.starting.trial import StartedTarget
from botattack.errors import BotattackError
from botattack.targets.proving.proof import prove
from tests.fuzz.conftest import PARTS, REFUSED, fuzzed, numbers
from tests.fuzz.mutators import in_bytes, in_json, mutated

ALL = 5_000
"""Mutants of each kind."""
FEW = 40
SECONDS = 2.0
"""CPU time that none of them may take."""

OPENAPI: dict[str, Any] = {
    "openapi": "3.1.0",
    "servers": [{"url": "http://127.0.0.1:9/api"}],
    "security": [{"key": []}],
    "paths": {
        "/chat/{id}": {
            "post": {
                "parameters": [{"in": "query", "name": "lang"}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Asked"}}}},
            },
            "get": {"parameters": [{"in": "query", "name": "q"}]},
        },
        "/form": {
            "post": {
                "requestBody": {"content": {"multipart/form-data": {"schema": {"$ref": "#/components/schemas/Filter"}}}}
            }
        },
    },
    "components": {
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
        "schemas": {
            "Asked": {
                "type": "object",
                "required": ["query", "filter"],
                "properties": {"query": {"type": "string"}, "filter": {"$ref": "#/components/schemas/Filter"}},
            },
            "Filter": {
                "properties": {
                    "message": {"type": "string", "example": "hi"},
                    "and": {"type": "array", "items": {"$ref": "#/components/schemas/Filter"}},
                    "not": {"anyOf": [{"$ref": "#/components/schemas/Filter"}, {"type": "null"}]},
                    "all": {"allOf": [{"$ref": "#/components/schemas/Filter"}, {"enum": ["a"]}]},
                }
            },
        },
    },
}
CURL = (
    "curl 'http://127.0.0.1:9/chat?k=$FERRY_TOKEN' -H \"Authorization: Bearer $FERRY_TOKEN\""
    " -H 'Cookie: a=1; s=abcd1234'"
    ' \\\n --data-raw $\'{"message": "it\\\'s ${FERRY_PORT}"}\' --compressed',
    'curl -X POST http://127.0.0.1:9/ -u "me:you" -F q=\'what is it\' -F "t=${FERRY_TOKEN}"',
    'curl http://127.0.0.1:9/ -d "q=what is it&s=\\$FERRY_TOKEN" -b "sid=$FERRY_TOKEN; csrf=abcd1234"',
    'curl http://[::1]:9/v1/chat/completions -H "Authorization: Bearer $FERRY_TOKEN" -H "X-Team: a"'
    ' -d \'{"model": "m", "temperature": 0, "messages": [{"role": "user", "content": "what is it"}]}\'',
)
SIGNS_OF_SHELLS = (
    b"'",
    b'"',
    b"$",
    b"${",
    b"}",
    b"\\",
    b"`",
    b"$'",
    b"{{",
    b"}}",
    b"\n",
    b" -H ",
    b"=",
    b";",
    b"\\u00",
    b"@",
)


def in_shell(content: bytes, rng: Random) -> bytes:
    """With a sign that shells read in their own way at some place."""
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(SIGNS_OF_SHELLS) + content[at + rng.choice((0, 1)) :]


def begun(number: int, words: list[str], work: Path) -> list[str]:
    """An `init` that finds no file that the one before it wrote, and sends nothing: a HAR file has replies."""
    answer = ["--answer", "$.a"] if words[0] != "--har" or number % 3 else []
    message = ["--message", "hi"] if number % 2 else []
    return ["init", *words, "--no-send", "--yes", *answer, *message, "--into", str(work / f"made-{number}")]


def entry(path: str, body: dict[str, Any], reply: str, **more: Any) -> dict[str, Any]:
    request = {
        "method": "POST",
        "url": f"http://127.0.0.1:9{path}?v=2",
        "headers": [{"name": "content-type", "value": "application/json"}, {"name": ":path", "value": path}],
        "postData": {"mimeType": "application/json", "text": json.dumps(body)},
    }
    content = {"mimeType": "application/json", "text": reply, **more}
    return {"request": request, "response": {"status": 200, "content": content}}


HAR: dict[str, Any] = {
    "log": {
        "version": "1.2",
        "entries": [
            entry("/track", {"event": "page view"}, "{}"),
            *(
                entry("/api/chat", {"session": "s1", "message": text}, json.dumps({"id": at, "reply": f"It is {at}."}))
                for at, text in enumerate(("What is it?", "Who wrote Emma?", "How much is it?"))
            ),
            entry("/api/chat", {"session": "s1", "message": "Why?"}, "eyJyZXBseSI6ICJzbyJ9", encoding="base64"),
        ],
    }
}


def an_openapi_document(rng: Random, work: Path) -> list[str]:
    content = mutated(json.dumps(OPENAPI).encode(), rng, (in_json, in_json, in_json, in_bytes))
    (work / "openapi.json").write_bytes(content)
    return ["--openapi", "openapi.json"]


def a_curl_command(rng: Random, work: Path) -> list[str]:
    command = mutated(rng.choice(CURL).encode(), rng, (in_shell, in_shell, in_bytes)).decode("utf-8", "replace")
    return ["--curl", command]


def a_har_file(rng: Random, work: Path) -> list[str]:
    content = mutated(json.dumps(HAR).encode(), rng, (in_json, in_json, in_json, in_bytes))
    (work / "recorded.har").write_bytes(content)
    return ["--har", "recorded.har"]


Kind = Callable[[Random, Path], list[str]]
KINDS = (an_openapi_document, a_curl_command, a_har_file)


def started(words: list[str], message: str) -> None:
    """What `init` makes of these words before it asks the bot. Raises BotattackError."""
    flag, given = words
    if flag == "--har":
        call, seen = read_har(Path(given), message)
        prove(seen)
    else:
        call = read_curl(given) if flag == "--curl" else read_openapi(given, "", "")
    drafted = draft(call, "my-bot", message)
    value = {"name": "my-bot", "env": [*drafted.env], "connect": drafted.connect}
    target = StartedTarget(
        "my-bot", value, {**os.environ, **{name: text for name, text in drafted.env.items() if text}}
    )
    target.loaded()
    if target.kind != "openai":
        target = target.reading({"extract": {"answer": "$.a"}})
        target.loaded()
    assert "\x1b" not in target.text


def misbehaved(kind: Kind, seeds: range, work: Path) -> dict[int, str]:
    found, refused = {}, 0
    for number in seeds:
        words = kind(Random(f"{kind.__name__} {number}"), work)
        before = process_time()
        try:
            started(words, "hi" if number % 2 else "")
        except BotattackError:
            refused += 1
        except Exception as error:
            found[number] = repr(error)
        if (took := process_time() - before) > SECONDS and number > seeds.start:  # the first imports what all need
            found[number] = f"{took:.1f} CPU seconds"
    assert 0 < refused < len(seeds)
    return found


@pytest.fixture(autouse=True)
def _secrets(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_API_KEY", "k3y-of-a-bot")


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_hostile_beginnings(kind: Kind, work: Path) -> None:
    assert misbehaved(kind, range(ALL, ALL + FEW), work) == {}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_hostile_beginnings(kind: Kind, part: int, work: Path) -> None:
    assert misbehaved(kind, numbers(ALL, part), work) == {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_hostile_beginnings_as_whole_commands(kind: Kind, work: Path) -> None:
    def made(number: int) -> list[str]:
        return begun(number, kind(Random(f"{kind.__name__} {number}"), work), work)

    # Of all parts: a few files may all be read.
    found = fuzzed([number for part in range(PARTS) for number in numbers(ALL // 10, part)], made)
    assert found.misbehaved == {}
    assert REFUSED in found.statuses
