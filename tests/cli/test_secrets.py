"""Secrets that stand literally in a target file, wherever its kind lets them stand."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path

import pytest

from botattack.audit.secrets import secrets_of
from botattack.cli import main
from botattack.config.target import load_target
from botattack.recordings.redaction import MASK, Redactor
from tests.cli.conftest import Botattack, Serve
from tests.servers.http import Server, replying, response

CANARY = "c4n4ry-0123456789"
HTTP = "connect: {kind: http, request: {url: 'http://127.0.0.1:9/', json: {text: '{{ question }}'}}, "
SOCKET = "connect: {kind: websocket, url: 'ws://127.0.0.1:9/', "

PAGE = "open: [{goto: 'http://127.0.0.1:9/'}], ask: [{fill: a, with: '{{ question }}'}], answer: p}"

FILES = {
    "token of a browser": f"connect: {{kind: browser, browser: 'wss://127.0.0.1:9/x?token=CANARY', {PAGE}",
    "password of a browser": f"connect: {{kind: browser, browser: 'https://somebody:CANARY@127.0.0.1:9', {PAGE}",
    "basic": HTTP + "auth: {basic: {user: somebody, password: CANARY}}, extract: {answer: $.a}}",
    "bearer": HTTP + "auth: {bearer: CANARY}, extract: {answer: $.a}}",
    "api key": HTTP + "auth: {api_key: {header: X-Who, value: CANARY}}, extract: {answer: $.a}}",
    "bearer in a file": HTTP + "auth: {bearer: {file: token.txt}}, extract: {answer: $.a}}",
    "oauth": HTTP
    + "auth: {oauth: {url: 'http://127.0.0.1:9/t', client_id: me-myself, client_secret: CANARY}}, "
    + "extract: {answer: $.a}}",
    "password of a URL": HTTP.replace("127.0.0.1:9/'", "127.0.0.1:9/?x=1&token=CANARY'") + "extract: {answer: $.a}}",
    "login": HTTP
    + "login: {url: 'http://127.0.0.1:9/l', json: {name: x, password: CANARY}, take: {token: $.t}}, "
    + "extract: {answer: $.a}}",
    "websocket header": SOCKET
    + "headers: {Authorization: 'Bearer CANARY'}, send: '{{ question }}', extract: {answer: $.a}}",
    "websocket auth": SOCKET + "auth: {bearer: CANARY}, send: '{{ question }}', extract: {answer: $.a}}",
    "program, two words": "connect: {kind: process, command: [cat, --api-key, CANARY], send: '{{ question }}'}",
    "program, one word": "connect: {kind: process, command: [cat, --access-token=CANARY], send: '{{ question }}'}",
    "program, environment": "connect: {kind: process, command: [env, BOT_SECRET=CANARY, cat], send: '{{ question }}'}",
    "program, message": "connect: {kind: process, command: [cat], send: {q: '{{ question }}', secret: CANARY}}",
}


@pytest.mark.parametrize("name", FILES)
def test_a_literal_secret_is_known_before_anything_is_written(name: str, tmp_path: Path) -> None:
    (tmp_path / "token.txt").write_text(CANARY + "\n")
    (tmp_path / "bot.yaml").write_text(FILES[name].replace("CANARY", CANARY) + "\n")
    config = load_target(tmp_path / "bot.yaml", environ={}, today=date(2026, 1, 1), allow_code=True)
    found = secrets_of(config, config.open())
    assert CANARY in found
    assert not {"somebody", "X-Who", "cat", "--api-key", "env"} & found
    assert Redactor(found).text(f"it is {CANARY}") == f"it is {MASK}"


PROGRAM = """
import json, sys
for line in sys.stdin:
    json.loads(line)
    print(json.dumps({"text": "I was started with " + " ".join(sys.argv)}), flush=True)
"""


def test_a_program_that_tells_its_arguments(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bot.py").write_text(PROGRAM)
    command = json.dumps([sys.executable, "bot.py", "--token", CANARY, f"--password={CANARY[::-1]}", "--verbose"])
    (tmp_path / "bot.yaml").write_text(f"connect: {{kind: process, command: {command}}}\n")
    (tmp_path / "questions.jsonl").write_text('{"question": "who are you", "answers": ["started"]}\n')
    flags = ["-t", str(tmp_path / "bot.yaml"), "-q", str(tmp_path / "questions.jsonl"), "-a", "unchanged"]
    out = tmp_path / "out"
    with pytest.raises(SystemExit) as ended:
        main(["run", *flags, "--allow-code", "-o", str(out / "report.html"), "--recordings", str(out / "recordings")])
    printed = "".join(capfd.readouterr())
    assert ended.value.code == 0, printed
    texts = [path.read_text("utf-8") for path in out.rglob("*") if path.is_file()]
    assert any("--verbose" in text for text in texts)
    assert not [text for text in (*texts, printed) if CANARY in text or CANARY[::-1] in text]


def test_check_shows_no_literal_secret_of_a_request(botattack: Botattack, folder: Path, serve: Serve) -> None:
    url = serve(Server(replying(lambda request: response({"text": request.headers["x-api-key"]}))))
    head = f'{{X-Api-Key: "{CANARY}"}}'
    request = f'{{url: "{url}", headers: {head}, json: {{q: "{{{{ question }}}}"}}}}'
    text = f'connect: {{kind: http, request: {request}, extract: {{answer: "$.text"}}}}\nlimits: {{rate: unlimited}}\n'
    (folder / "bot.yaml").write_text(text)
    ended = botattack("check", "bot.yaml")
    assert ended.status == 0
    assert f"x-api-key: {MASK}" in ended.out
    assert CANARY not in ended.out + ended.err


def test_check_shows_no_literal_secret(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bot.py").write_text(PROGRAM)
    command = json.dumps([sys.executable, "bot.py", "--token", CANARY, "--verbose"])
    (tmp_path / "bot.yaml").write_text(f"connect: {{kind: process, command: {command}}}\n")
    with pytest.raises(SystemExit) as ended:
        main(["check", str(tmp_path / "bot.yaml"), "--allow-code"])
    printed = "".join(capfd.readouterr())
    assert ended.value.code == 0, printed
    assert "--verbose" in printed
    assert CANARY not in printed
