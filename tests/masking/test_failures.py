"""What a bot, a page or a program says where it fails is quoted in part: never with a part of a secret."""

from __future__ import annotations

import json
import sys
from asyncio import StreamWriter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from botattack.audit.nights import notify
from botattack.audit.nights.night import Night, NightSettings
from botattack.config.target import load_target
from botattack.engine.pacing import breaker
from botattack.errors import TargetDown
from botattack.model import Prompt
from botattack.recordings.masking import MASK, Masker
from botattack.resources.asked import Service
from tests.cli.conftest import Botattack, Serve, botattack, folder, serve
from tests.masking.forms import FORMS, SECRETS, forms, shows
from tests.servers.http import Received, Server, always, replying, response
from tests.timing import quickest

__all__ = ["botattack", "folder", "serve"]

SECRET = "Tk9-7fQz2LmX4vRb8sWc1NdY6hJ"
CUTS = (119, 120, 200)
"""Characters of which a sentence ever quoted as many."""


def leaked(text: str) -> list[str]:
    """Parts of the secret, in any case: hosts are shown in small letters."""
    parts = {SECRET[start : start + 6].casefold() for start in range(len(SECRET) - 5)}
    return sorted(part for part in parts if part in text.casefold())


def page(cut: int, before: str = "") -> str:
    """A text in which a secret has its last sign after `cut`."""
    return before + "-" * (cut - len(before) - len(SECRET)) + " " + SECRET + " and so on"


def plain(status: int, **headers: str) -> Callable[[int], bytes]:
    return lambda cut: response(page(cut), status, "text/plain", **headers)


HTTP: dict[str, tuple[Callable[[int], bytes], str]] = {
    "error page": (plain(500), ""),
    "refusal": (plain(404), ""),
    "no JSON": (plain(200), ""),
    "no such field": (lambda cut: response(page(cut, '{"other": "') + '"}'), ""),
    "an object": (lambda cut: response('{"text": ' + page(cut, '{"a": "') + '"}}'), ""),
    "a stream": (lambda cut: response(f"data: {page(cut)}\n\n" * 2), ""),
    "a stream that fails": (
        lambda cut: response("data: " + page(cut, '{"error": "') + '"}\n\n'),
        "stream: {}",
    ),
    "a stream without an answer": (
        lambda cut: response("data: " + page(cut, '{"other": "') + '"}\n\n'),
        "stream: {}",
    ),
    "a stream that ends": (
        lambda cut: response('data: {"text": "a"}\n\ndata: {"text": "b ' + SECRET + " " + "-" * (cut - 30) + '"}\n\n'),
        "stream: {done: {event: end}}",
    ),
    "an event that is cut": (
        lambda cut: response('data: {"text": "a"}\n\ndata: {"text": "b ' + SECRET[:-1]),
        "stream: {done: {event: end}}",
    ),
    "a page that is cut": (lambda cut: response(f"failed with {SECRET[:-1]}", 500, "text/plain"), ""),
    "a host": (lambda cut: response(b"", 302, location=f"http://{SECRET}.invalid/"), ""),
    "a coding": (lambda cut: response(b"x", content_encoding=SECRET), ""),
    "a charset": (lambda cut: response(b"x", 200, f"text/plain; charset={'x' * (42 - len(SECRET))}{SECRET}"), ""),
    "no status": (lambda cut: f"HTTP/1.1 2x0 {page(cut - 60)}\r\n\r\n".encode(), ""),
}


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("kind", HTTP)
def test_a_failure_over_http_quotes_no_part_of_a_secret(
    kind: str, cut: int, botattack: Botattack, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply, options = HTTP[kind]

    async def behave(_: Received, writer: StreamWriter) -> None:
        writer.write(reply(cut))
        writer.close()

    monkeypatch.setenv("BOT_TOKEN", SECRET)
    url = serve(Server(behave))
    Path("bot.yaml").write_text(
        f"env: [BOT_TOKEN]\nconnect:\n  kind: http\n  request: {{url: '{url}/', json: '{{{{ question }}}}'}}\n"
        f"  extract: {{answer: $.text}}\n  {options}\nlimits: {{rate: unlimited}}\n"
    )
    ended = botattack("check", "bot.yaml")
    assert (ended.status in (2, 3), leaked(ended.out + ended.err)) == (True, [])
    assert MASK in ended.out + ended.err


PROGRAMS = {
    "its last line": "sys.exit('-' * (CUT - len(SECRET)) + ' ' + SECRET + ' and so on')",
    "a long last line": "sys.exit('-' * 3000 + ' ' + SECRET + '-' * (1000 - 20))",
    "a line longer than is kept": "sys.exit(SECRET + '-' * (65_536 - 20))",
    "a line that is cut by its end": "sys.exit('failed with ' + SECRET[:-1])",
}


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_program_that_ends_quotes_no_part_of_a_secret(
    kind: str, cut: int, botattack: Botattack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_TOKEN", SECRET)
    source = PROGRAMS[kind].replace("CUT", str(cut)).replace("SECRET", "os.environ['BOT_TOKEN']")
    Path("bot.py").write_text(f"import os, sys\ninput()\n{source}\n")
    command = json.dumps([sys.executable, "bot.py"])
    Path("bot.yaml").write_text(f"env: [BOT_TOKEN]\nconnect: {{kind: process, command: {command}}}\n")
    ended = botattack("check", "bot.yaml", "--allow-code")
    assert (ended.status, leaked(ended.out + ended.err)) == (3, [])


def test_code_that_fails_quotes_no_part_of_a_secret(botattack: Botattack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_TOKEN", SECRET)
    text = page(200, "RuntimeError: ").removeprefix("RuntimeError: ").replace(SECRET, "{os.environ['BOT_TOKEN']}")
    Path("bot.py").write_text(f'import os\ndef answer(text):\n    raise RuntimeError(f"{text}")\n')
    Path("bot.yaml").write_text("env: [BOT_TOKEN]\nconnect: {kind: local, call: 'file://bot.py:answer'}\n")
    ended = botattack("check", "bot.yaml", "--allow-code")
    assert (ended.status, leaked(ended.out + ended.err)) == (3, [])
    assert MASK in ended.err


@pytest.mark.slow
def test_no_cut_of_any_form_shows_a_part_of_a_secret() -> None:
    """Wherever a text ends: after each third sign of a secret, and where an excerpt ends."""
    looked = 0
    for name, secret in SECRETS.items():
        excerpt = Masker([secret]).excerpt
        for form, text in forms(name):
            if " of " in form and form.startswith("base64"):
                continue  # what stands before a secret there is no part of it
            for size in range(3, len(text), 1 + len(text) // 12):
                assert not shows(excerpt(f"it is {text[:size]}"), text, secret), (name, form, size)
                long = excerpt("-" * (199 - size) + " " + text + "!")
                assert not shows(long, text, secret), (name, form, size)
                looked += 2
    assert looked > 20 * len(FORMS) * len(SECRETS)


@pytest.mark.parametrize("text", ["\\" * 65_000, "%" * 65_000, "&amp" * 16_000, "A" * 65_000, "\ufffd" * 65_000])
def test_no_page_keeps_an_excerpt_busy(text: str) -> None:
    masker = Masker([*SECRETS.values(), "A" * 30 + "b"])
    assert quickest(lambda: masker.excerpt(text), 2) <= 2
    assert quickest(lambda: masker.excerpt(text, last=True), 2) <= 2


@pytest.mark.parametrize("cut", CUTS)
def test_a_webhook_that_fails_quotes_no_part_of_its_address(
    cut: int, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notify, "PAUSES", (0.0,))
    fails = serve(Server(replying(lambda asked: response(page(cut, f"{asked.target} "), 404, "text/plain"))))
    leads = serve(Server(replying(lambda asked: response(b"", 302, location=f"http://{SECRET}.invalid{asked.target}"))))
    urls = tuple(f"{url}/services/T0aB/{SECRET}" for url in (fails, leads))
    said = notify.tell(Night("x", 1, "why"), NightSettings(webhooks=urls))
    assert (len(said), leaked(" ".join(said))) == (2, [])
    assert all(MASK in sentence for sentence in said)


def test_a_run_whose_settings_hold_a_secret_is_resumed(
    botattack: Botattack, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_TOKEN", SECRET)
    url = serve(Server(replying(lambda _: response({"text": "yes"}))))
    request = f"request: {{url: '{url}/', json: '{{{{ question }}}}'}}"
    Path("bot.yaml").write_text(
        f"env: [BOT_TOKEN]\nsigns: {{refused: ['I never tell {SECRET}']}}\n"
        f"connect: {{kind: http, {request}, extract: {{answer: $.text}}}}\n"
    )
    Path("faq.jsonl").write_text('{"question": "Is it open?", "answers": ["yes"]}\n' * 3)
    words = ["run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "unchanged"]
    assert botattack(*words).status == 0
    (recording,) = Path("recordings").iterdir()
    made = (recording / "run.json").read_text()
    assert (leaked(made), f"I never tell {MASK}" in made) == ([], True)
    resumed = botattack(*words, "--resume", recording)
    assert (resumed.status, "cannot resume" in resumed.err) == (0, False)


@pytest.mark.parametrize("confided", [True, False])
def test_a_service_that_fails_quotes_no_part_of_a_secret(
    confided: bool, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaker, "COOL_DOWN", 0.0)
    url = serve(Server(always(response(page(200), 400, "text/plain"))))
    (folder / "service.yaml").write_text(
        f"env: [BOT_TOKEN]\nconnect: {{kind: http, request: {{url: '{url}/', json: '{{{{ question }}}}'}}}}\n"
        "limits: {rate: unlimited, retries: 0, breaker: 1, concurrency: 1}\n"
    )
    service = Service(load_target(folder / "service.yaml", environ={"BOT_TOKEN": SECRET}, today=date(2026, 1, 1)))
    if confided:
        service.confide(Masker([SECRET]))
    with pytest.raises(TargetDown) as caught:
        service.replies([Prompt("a"), Prompt("b")])
    assert (leaked(str(caught.value)), "-----" in str(caught.value)) == ([], confided)
