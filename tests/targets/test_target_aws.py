"""Amazon's signatures and event streams. The signature is checked by the steps of its reference, not by our library."""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import b64encode
from binascii import crc32
from pathlib import Path
from struct import pack
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from botattack.errors import BrokenReply, RequestRefused
from botattack.targets.http.aws import Scope
from botattack.targets.http.http_kind import Http
from tests.servers.http import Received, Server, always, replying, response
from tests.targets.asking import ask, http, options

pytest.importorskip("botocore")
pytestmark = pytest.mark.anyio
ENV = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI", "AWS_SESSION_TOKEN": "token-1"}


def hashed(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def signature(request: Received, names: str, scope: str, secret: str) -> str:
    """By "Create a signed AWS API request" of the reference of IAM."""
    target = urlsplit(request.target)
    query = "&".join(sorted(target.query.split("&"))) if target.query else ""
    headers = "".join(f"{name}:{' '.join(request.headers[name].split())}\n" for name in names.split(";"))
    canonical = [request.method, quote(target.path, safe="/~"), query, headers, names, hashed(request.body)]
    to_sign = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, hashed("\n".join(canonical).encode())]
    key = b"AWS4" + secret.encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    return hmac.digest(key, "\n".join(to_sign).encode(), "sha256").hex()


async def test_requests_are_signed() -> None:
    def reply(request: Received) -> bytes:
        algorithm, *fields = request.headers["authorization"].replace(",", "").split()
        signed = dict(field.split("=", 1) for field in fields)
        key, _, scope = signed["Credential"].partition("/")
        assert (algorithm, key) == ("AWS4-HMAC-SHA256", ENV["AWS_ACCESS_KEY_ID"])
        assert scope.split("/")[1:] == ["us-east-1", "lex", "aws4_request"]
        assert {"host", "x-amz-date", "x-amz-security-token"} <= set(signed["SignedHeaders"].split(";"))
        expected = signature(request, signed["SignedHeaders"], scope, ENV["AWS_SECRET_ACCESS_KEY"])
        return response({"text": "signed"} if signed["Signature"] == expected else {}, 200)

    async with Server(replying(reply)) as server:
        bot = http(
            server.url,
            env=ENV,
            request={
                "url": f"{server.url}/bots/a%3A0/sessions/{{{{ session }}}}/text é",
                "query": {"q": "{{ question }}", "a": "1 2"},
            },
            auth={"aws": {"token": "{{ env.AWS_SESSION_TOKEN }}", "region": "us-east-1", "service": "lex"}},
        )
        assert (await ask(bot, "größer, & dann?")).text == "signed"
        await bot.close()


@pytest.mark.parametrize(
    ("host", "scope"),
    [
        ("runtime-v2-lex.eu-west-1.amazonaws.com", Scope("eu-west-1", "lex")),
        ("bedrock-runtime.us-east-1.amazonaws.com", Scope("us-east-1", "bedrock")),
        ("bedrock-agent-runtime.us-gov-west-1.amazonaws.com", Scope("us-gov-west-1", "bedrock")),
        ("runtime.sagemaker.ap-southeast-2.amazonaws.com", Scope("ap-southeast-2", "sagemaker")),
        ("abc.execute-api.us-west-2.amazonaws.com", Scope("us-west-2", "execute-api")),
        ("abc.lambda-url.us-west-2.on.aws", Scope("us-west-2", "lambda")),
    ],
)
def test_the_host_tells_what_is_signed_for(host: str, scope: Scope) -> None:
    assert Scope("", "").of(f"https://{host}/x") == scope
    assert Scope("r-1", "s").of(f"https://{host}/x") == Scope("r-1", "s")


async def test_a_host_that_does_not_tell_is_refused_before_anything_leaves() -> None:
    async with Server(always(response({"text": "no"}))) as server:
        bot = http(server.url, env=ENV, auth={"aws": {}})
        with pytest.raises(RequestRefused, match="add region and service") as caught:
            await ask(bot)
        await bot.close()
        assert (server.received, caught.value.place) == ([], "connect.auth.aws")


def frame(event: str, payload: bytes) -> bytes:
    headers = b"".join(
        bytes([len(name)]) + name.encode() + b"\7" + pack(">H", len(value)) + value.encode()
        for name, value in ((":event-type", event), (":message-type", "event"))
    )
    prelude = pack(">II", 16 + len(headers) + len(payload), len(headers))
    body = prelude + pack(">I", crc32(prelude)) + headers + payload
    return body + pack(">I", crc32(body))


CONVERSE = [
    frame("messageStart", b'{"role": "assistant"}'),
    *[frame("contentBlockDelta", json.dumps({"delta": {"text": text}}).encode()) for text in ("Gr\u00fc", "\u00dfe")],
    frame("messageStop", b'{"stopReason": "end_turn"}'),
]
INVOKE = [
    frame("chunk", json.dumps({"bytes": b64encode(json.dumps(one).encode()).decode()}).encode())
    for one in ({"type": "start"}, {"type": "delta", "text": "Gr\u00fc\u00dfe"})
]
READING: list[tuple[list[bytes], dict[str, Any]]] = [
    (
        CONVERSE,
        {
            "stream": {"format": "aws", "events": ["contentBlockDelta"], "done": {"event": "messageStop"}},
            "extract": {"answer": "$.delta.text"},
        },
    ),
    (INVOKE, {"stream": {"format": "aws"}, "extract": {"answer": ["$.bytes", "base64", "$.text"]}}),
]


@pytest.mark.parametrize(("frames", "tree"), READING, ids=["converse", "invoke"])
async def test_event_streams(frames: list[bytes], tree: dict[str, Any]) -> None:
    sent = response(b"".join(frames), kind="application/vnd.amazon.eventstream")
    async with Server(always(*[sent[at : at + 37] for at in range(0, len(sent), 37)])) as server:
        bot = http(server.url, Path(), **tree)
        reply = await ask(bot)
        await bot.close()
    assert reply.text == "Gr\u00fc\u00dfe"
    assert options(Http, {"request": {"url": server.url}, **tree}).read_raw(reply.raw).text == reply.text


async def test_a_damaged_event_stream_is_a_broken_reply() -> None:
    async with Server(always(response(CONVERSE[0][:20] + b"x" + CONVERSE[0][21:]))) as server:
        bot = http(server.url, stream={"format": "aws"})
        with pytest.raises(BrokenReply, match="no event stream of AWS"):
            await ask(bot)
        await bot.close()
