"""What a stranger's target file may do, on every command that reads one, and what is shown of it before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Botattack, Serve
from tests.servers.http import Server, replying, response

PAGE = (
    'open: [{goto: "http://127.0.0.1:9/"}], ask: [{fill: input, with: "{{ question }}"}], answer: p, '
    "settled: {timeout: 5s}"
)
BAIT = {
    "browser": f"{{kind: browser, executable: ./evil.sh, {PAGE}}}",
    "program": "{kind: process, command: [./evil.sh]}",
    "module": '{kind: local, call: "file://evil.py:bot"}',
    "extraction": '{kind: http, request: {url: "http://127.0.0.1:9/", text: "{{ question }}"}, '
    'extract: {answer: "file://evil.py:bot"}}',
}
LIMITS = "limits: {rate: unlimited, retries: 0, timeout: 10s, breaker: 1}\n"
COMMANDS = {
    "check": ("check", "bot.yaml"),
    "run": ("run", "campaign.yaml"),
    "run by flags": ("run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "case"),
    "dry run": ("run", "campaign.yaml", "--dry-run"),
    "login": ("targets", "login", "bot.yaml"),
    "nightly": ("nightly", "campaign.yaml"),
    "resume": ("run", "campaign.yaml", "--resume", "RECORDING"),
    "extraction": ("replay", "RECORDING", "--reextract"),
    "refusals of today": ("replay", "RECORDING", "--target", "bot.yaml"),
    "judge": ("run", "judged.yaml"),
}


def lay(connect: str) -> None:
    """A target file with bait that writes `ran.txt` when it is run."""
    Path("evil.sh").write_text("#!/bin/sh\necho ran > ran.txt\n")
    Path("evil.sh").chmod(0o755)
    Path("evil.py").write_text("open('ran.txt', 'w').close()\ndef bot(text):\n    return text\n")
    Path("bot.yaml").write_text(f"name: capitals\nconnect: {connect}\n{LIMITS}")


@pytest.fixture
def simple(campaign: Path) -> Path:
    """A campaign that needs no language part."""
    campaign.write_text("target: bot.yaml\nquestions: {file: faq.jsonl}\nattacks: [case]\n")
    return campaign


@pytest.mark.parametrize("kind", BAIT)
@pytest.mark.slow
def test_the_bait_works(kind: str, botattack: Botattack, folder: Path) -> None:
    lay(BAIT[kind])
    botattack("check", "bot.yaml", "--allow-code")
    assert Path("ran.txt").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_of_a_stranger_s_file_is_run(
    command: str, botattack: Botattack, simple: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Path("bot.yaml").read_text()
    if "RECORDING" in COMMANDS[command]:
        botattack("run", simple, "--allow-code", "--limit", "1", "--recordings", "old")
    recordings = [*Path("old").iterdir()] if Path("old").exists() else []
    words = [str(recordings[0]) if word == "RECORDING" else word for word in COMMANDS[command]]
    for connect in BAIT.values():
        lay(connect)
        if command == "judge":
            Path("bot.yaml").rename("judge.yaml")
            Path("bot.yaml").write_text(own)
            Path("judged.yaml").write_text(simple.read_text() + "match: {second: {ask: [judge]}}\n")
            monkeypatch.setenv("BOTATTACK_JUDGE", "judge.yaml")
            words = [*COMMANDS[command], "--allow-code"]  # that is said of the target file, and of no other
        refused = botattack(*words)
        assert (refused.status, "would run code on this machine: " in refused.err) == (2, True), refused.err
        assert not Path("ran.txt").exists()


SHOWN = """name: bot
env: [BOT_KEY, BOT_OTHER]
connect:
  kind: http
  request:
    url: "URL"
    headers: {Authorization: "Bearer {{ env.BOT_KEY }}"}
    json: {q: "{{ question }}"}
  auth: {api_key: {header: X-Key, value: {file: note.txt}}}
  extract: {answer: "file://read.py:answer"}
consent: {authorised_by: "A Stranger\\e[2J", until: 2999-01-01}
limits: {rate: unlimited}
"""


@pytest.mark.parametrize("command", [("check", "bot.yaml"), ("run", "campaign.yaml", "--dry-run")])
def test_what_a_file_reaches_for_is_shown_before_anything_is_sent(
    command: tuple[str, ...], botattack: Botattack, simple: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BOT_KEY", "BOT_OTHER"):
        monkeypatch.setenv(name, "s3cret-value")
    Path("note.txt").write_text("n0te-of-the-bot")
    Path("read.py").write_text("def answer(text):\n    return text\n")
    Path("bot.yaml").write_text(SHOWN.replace("URL", serve(Server(replying(lambda _: response("hello"))))))
    out = botattack(*command, "--allow-code").out
    before = out.partition("\nasked ")[0].partition("\npace ")[0].splitlines()
    shown = {line[:11].strip(): line[11:] for line in before}
    assert shown["asks"] == "127.0.0.1"
    assert "A Stranger\\x1b[2J allows it until 2999-01-01" in shown["consent"]
    assert "secret     BOT_KEY goes into connect.request.headers.Authorization" in before
    assert "secret     BOT_OTHER is declared" in before
    assert shown["reads"] == "note.txt (connect.auth.api_key.value)"
    assert shown["runs"] == "file://read.py:answer (connect.extract.answer)"
    assert "s3cret" not in out


@pytest.mark.parametrize(
    ("connect", "lines"),
    [
        (
            "{kind: process, command: [cat, --token, c4n4ry-0123456789]}",
            [
                "secret     BOT_KEY goes into the program that is started",
                "starts     cat --token [redacted] (connect.command)",
            ],
        ),
        (
            f"{{kind: browser, executable: ./evil.sh, sandbox: false, {PAGE}}}",
            [
                "secret     BOT_KEY is declared",
                "starts     ./evil.sh (connect.executable)",
                "starts     Chromium without its sandbox (connect.sandbox)",
            ],
        ),
        (
            "{kind: local, call: 'botattack.bots.gguf:Gguf', options: {model: ../any.gguf}}",
            [
                "runs       botattack.bots.gguf:Gguf, which is botattack's own (connect.call)",
                "loads      ../any.gguf (connect.options.model)",
            ],
        ),
    ],
)
def test_programs_code_and_models_are_shown(
    connect: str, lines: list[str], botattack: Botattack, simple: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_KEY", "s3cret-value")
    Path("bot.yaml").write_text(f"env: [BOT_KEY]\nconnect: {connect}\n{LIMITS}")
    shown = botattack("run", simple, "--dry-run", "--allow-code").out.splitlines()
    assert set(lines) <= set(shown)


def test_a_file_cannot_hide_what_it_reaches_for_as_a_secret(botattack: Botattack, simple: Path) -> None:
    lay(
        '{kind: http, request: {url: "http://127.0.0.1:9/", text: "{{ question }}", '
        'headers: {X-Token: "127.0.0.1", X-Key: "file://evil.py:bot"}}, extract: {answer: "file://evil.py:bot"}}'
    )
    with Path("bot.yaml").open("a") as file:
        file.write("redact: ['.+']\n")
    out = botattack("run", simple, "--dry-run", "--allow-code").out
    assert "asks       127.0.0.1\n" in out
    assert "runs       file://evil.py:bot (connect.extract.answer)\n" in out


REMOTE = (
    'connect: {kind: http, request: {url: "http://192.0.2.1/", text: "{{ question }}"}}\n'
    "consent: {authorised_by: A Stranger, until: 2999-01-01}\n"
)


@pytest.mark.parametrize("file", ["../secrets.txt", "link.txt", "ABSOLUTE"])
def test_a_campaign_sends_no_file_from_outside_its_folder_away(file: str, botattack: Botattack, folder: Path) -> None:
    (folder / "secrets.txt").write_text("the first secret\n")
    (folder / "theirs").mkdir()
    (folder / "theirs" / "link.txt").symlink_to(folder / "secrets.txt")
    (folder / "theirs" / "bot.yaml").write_text(REMOTE)
    campaign = folder / "theirs" / "campaign.yaml"
    name = file.replace("ABSOLUTE", str(folder / "secrets.txt"))
    campaign.write_text(f"target: bot.yaml\nquestions: {{file: {name}, format: txt}}\nattacks: [case]\n")
    refused = botattack("run", campaign, "--dry-run")
    assert refused.status == 2
    assert "questions.file: would send a file from outside the folder of this campaign to 192.0.2.1" in refused.err
    assert botattack("run", campaign, "--dry-run", "--allow-code").status == 0
    (folder / "theirs" / "bot.yaml").write_text(REMOTE.partition("consent")[0].replace("192.0.2.1", "127.0.0.1"))
    assert botattack("run", campaign, "--dry-run").status == 0


@pytest.mark.parametrize("how", ["cron", "systemd", "github", "gitlab"])
@pytest.mark.parametrize(
    "target",
    [
        f'env: ["A\\n* * * * * touch ran.txt"]\nconnect: {{kind: browser, {PAGE}}}\n',
        f'connect: {{kind: browser, browser: "chromium; touch ran.txt", {PAGE}}}\n',
    ],
)
def test_a_job_holds_no_command_of_a_stranger_s(target: str, how: str, botattack: Botattack, folder: Path) -> None:
    Path("bot.yaml").write_text(target)
    Path("night.yaml").write_text("target: bot.yaml\nquestions: {file: faq.jsonl}\nattacks: [case]\n")
    made = botattack("nightly", "schedule", "night.yaml", "--at", "02:30", "--as", how, "--from", "botattack")
    assert (made.status, "ran.txt" in made.out) == (0, False)
    assert "may lack it" in made.err
