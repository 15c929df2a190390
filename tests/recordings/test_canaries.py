"""Secrets in every place that a target file can put them, told back by the bot: nothing of them reaches a disk."""

from __future__ import annotations

import base64
import json
import threading
from asyncio import StreamWriter, new_event_loop
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from botattack.cli import main
from tests.servers.http import Received, Server, response

SECRETS = {
    "CANARY_HEADER": 'hdr-c4n4ry/+"x\\y=é',
    "CANARY_QUERY": "qry c4n4ry&k=1/%41",
    "CANARY_COOKIE": "ck-c4n4ry.77~abc",
    "CANARY_BODY": 'bdy"c4n4ry"\\n\u2603',
}
LITERAL = "lit-c4n4ry-0123456789"
PATTERN = "ptn-c4n4ry-55555"
"""What only a pattern of the target file can know."""
SPLIT = "hdr-c4n4ry"

HTTP = """
env: [CANARY_HEADER, CANARY_QUERY, CANARY_COOKIE, CANARY_BODY]
connect:
  kind: http
  request:
    url: "URL/chat?key={{ env.CANARY_QUERY }}"
    headers:
      X-Api-Key: "k-{{ env.CANARY_BODY | default('') }}"
      X-Token: LITERAL
      Cookie: "sid={{ env.CANARY_COOKIE }}"
    json: {text: "{{ question }}", secret: "{{ env.CANARY_BODY }} {{ env.CANARY_HEADER }}"}
  extract: {answer: "$.reply.text", fields: {echo: "$.echo"}}
redact: ['ptn-c4n4ry-\\d+']
"""


def echo(request: Received) -> str:
    """Everything the bot was told and knows, in every form that JSON and URLs have."""
    told = [*SECRETS.values(), request.target, json.dumps(request.headers), request.body.decode(), LITERAL]
    forms = [*told, *map(quote, told), *map(quote_plus, told), *map(json.dumps, told)]
    return " | ".join([PATTERN, *forms, *(base64.b64encode(text.encode()).decode() for text in told)])


async def tells_everything(request: Received, writer: StreamWriter) -> None:
    writer.write(response({"reply": {"text": echo(request)}, "echo": {"all": [echo(request)]}}))


async def fails_with_everything(request: Received, writer: StreamWriter) -> None:
    writer.write(response({"error": echo(request)}, 500))


async def streams_in_pieces(request: Received, writer: StreamWriter) -> None:
    """A secret is cut in two by the pieces, and once more by the wire."""
    pieces = [SECRETS["CANARY_HEADER"][:7], SECRETS["CANARY_HEADER"][7:], " and ", LITERAL[:9], LITERAL[9:]]
    data = b"".join(f"data: {json.dumps({'text': piece})}\n\n".encode() for piece in pieces)
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
    for part in (data[:30], data[30:]):
        writer.write(b"%x\r\n%b\r\n" % (len(part), part))
        await writer.drain()
    writer.write(b"0\r\n\r\n")


@pytest.fixture
def serve() -> Iterator[object]:
    """Starts a server on a loop of its own, for commands that run one themselves."""
    loop = new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    servers: list[Server] = []

    def run(coroutine: object) -> object:
        done: Future[object] = Future()

        async def call() -> None:
            done.set_result(await coroutine)  # type: ignore[misc]

        loop.call_soon_threadsafe(lambda: loop.create_task(call()))
        return done.result(10)

    def start(behave: object) -> Server:
        servers.append(Server(behave))  # type: ignore[arg-type]
        run(servers[-1].__aenter__())
        return servers[-1]

    yield start
    for server in servers:
        run(server.__aexit__())
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def forms(secret: str) -> set[bytes]:
    """Every form in which a secret might stand in a file."""
    plain = {secret, quote(secret), quote(secret, safe=""), quote_plus(secret)}
    plain |= {json.dumps(text, ensure_ascii=ascii_)[1:-1] for text in tuple(plain) for ascii_ in (True, False)}
    plain |= {json.dumps(text)[1:-1] for text in tuple(plain)}
    data = secret.encode()
    cores = {base64.b64encode(b"\0" * skip + data).decode().rstrip("=")[4:-2] for skip in range(3)}
    return {text.encode() for text in plain | cores}


def leaks(folder: Path, told: str) -> list[tuple[str, str]]:
    """(file, secret) for each secret that stands in a file of the folder, or in what was printed."""
    found = []
    texts = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()} | {"printed": told.encode()}
    assert any(name.endswith("events.jsonl") for name in texts)
    assert any(name.endswith("out.html") for name in texts)
    for name, content in texts.items():
        for secret in (*SECRETS.values(), LITERAL, PATTERN):
            found += [(name, secret) for form in forms(secret) if form in content]
    return found


TARGETS = {
    "echo": (tells_everything, HTTP.replace(" | default('')", "")),
    "errors": (fails_with_everything, HTTP.replace(" | default('')", "") + "limits: {retries: 0}\n"),
    "stream": (
        streams_in_pieces,
        HTTP.replace(" | default('')", "").replace(
            'extract: {answer: "$.reply.text", fields: {echo: "$.echo"}}',
            'stream: {format: sse}\n  extract: {answer: "$.text"}',
        ),
    ),
}


@pytest.mark.parametrize("kind", TARGETS)
def test_secrets_are_found_nowhere(
    kind: str, tmp_path: Path, serve: object, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    behave, text = TARGETS[kind]
    server = serve(behave)  # type: ignore[operator]
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    work, out = tmp_path / "work", tmp_path / "out"
    work.mkdir()
    out.mkdir()
    (work / "bot.yaml").write_text(text.replace("URL", server.url).replace("LITERAL", LITERAL))
    (work / "questions.jsonl").write_text('{"question": "who are you", "answers": ["c4n4ry"]}\n' * 1)
    reports = [out / f"out.{suffix}" for suffix in ("json", "html", "md", "xml", "csv")]
    flags = [word for path in reports for word in ("-o", str(path))]
    command = ["run", "-t", str(work / "bot.yaml"), "-q", str(work / "questions.jsonl"), "-a", "unchanged"]
    with pytest.raises(SystemExit) as ended:
        main([*command, *flags, "--recordings", str(out / "recordings")])
    printed = "".join(capfd.readouterr())
    assert ended.value.code in (0, 1, 3), printed
    assert any(request.body for request in server.received)
    assert SPLIT in str(server.received[0])
    assert leaks(out, printed) == []
