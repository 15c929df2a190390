"""Replay: the same figures offline, verdicts and extraction of today, and campaigns that a recording answers."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from botattack.events import VariantJudged
from botattack.recordings.reader import events
from botattack.targets.browser.launch import SYSTEM
from tests.cli.conftest import CAPITALS, Botattack
from tests.servers.http import Received, Server, response
from tests.servers.pages import chat, serving
from tests.targets.browser.conftest import chromium, shell, shell_found

__all__ = ["chromium", "shell", "shell_found"]  # fixtures
ATTACK = "random-characters"


@pytest.fixture
def campaign(campaign: Path) -> Path:
    """With an attack that needs no parser."""
    campaign.write_text(
        campaign.read_text().replace("dpaeg: {", f"{ATTACK}: {{keywords: all, ").replace(", take: nearest", "")
    )
    return campaign


@contextmanager
def capitals_server() -> Iterator[str]:
    """Knows capitals by their exact names, ranks, and says something short beside it."""

    async def behave(request: Received, writer: asyncio.StreamWriter) -> None:
        text = request.json["text"]
        city = next((city for land, city in CAPITALS.items() if text.endswith(f"capital of {land}?")), "")
        said = f"The capital is {city}." if city else "I can only tell capitals."
        body = {"text": said, "candidates": [{"text": said}, {"text": "Rome"}], "short": city[:3]}
        writer.write(response({"reply": body}))

    with served(Server(behave)) as url:
        yield url


@contextmanager
def served(server: Server) -> Iterator[str]:
    """In a thread of its own."""
    loop, ready, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def serve() -> None:
        async with server:
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    assert ready.wait(60)
    try:
        yield server.url
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


PAGE = """name: web
connect:
  kind: browser
  open: [{{goto: "{url}"}}]
  ask: [{{fill: "#box", with: "{{{{ question }}}}"}}, {{press: Enter}}]
  answer: ".bot"
  settled: {{quiet: 100ms, linger: 0s, timeout: 25s}}
limits: {{rate: unlimited}}
signs: {{refused: ["I can only tell capitals."]}}
"""


@pytest.mark.live
@pytest.mark.usefixtures("shell_found")
def test_figures_of_a_page_and_of_its_replay_are_equal_to_the_last_digit(botattack: Botattack, web: Path) -> None:
    if not any(shutil.which(name) for name in SYSTEM):
        pytest.skip("no Chromium on this machine")
    answers = "".join(f"if (text.endsWith('capital of {land}?')) city = '{city}';" for land, city in CAPITALS.items())
    answer = f"let city = ''; {answers} say('bot', city ? `The capital is ${{city}}.` : 'I can only tell capitals.');"
    web.write_text(web.read_text().replace("per_question: 2", "per_question: 1"))
    with served(serving(chat=chat(answer))) as url:
        Path("web.yaml").write_text(PAGE.format(url=f"{url}/chat"))
        assert botattack("run", web, "-o", "live.json").status == 0
    botattack("replay", only(), "-o", "replayed.json")
    again = botattack("replay", only(), "--reextract")
    assert (again.status, "cannot be extracted again" in again.err) == (2, True)
    live = Path("live.json").read_text()
    assert json.loads(live)["questions"]["correct"] == 5
    assert live == Path("replayed.json").read_text()


def target(url: str, answer: str = "$.reply.text") -> str:
    return (
        f'name: web\nconnect:\n  kind: http\n  request: {{url: "{url}", method: POST, '
        'json: {text: "{{ question }}"}}\n'
        f'  extract: {{answer: "{answer}", ranked: "$.reply.candidates[*].text"}}\n'
        'limits: {rate: unlimited}\nsigns: {refused: ["I can only tell capitals."]}\n'
    )


@pytest.fixture
def web(campaign: Path) -> Path:
    """The campaign of the other tests, over HTTP, with all questions attacked."""
    path = campaign.with_name("web-campaign.yaml")
    path.write_text(campaign.read_text().replace("bot.yaml", "web.yaml") + "filter: all\n")
    return path


def only() -> Path:
    (recording,) = Path("recordings").iterdir()
    return recording


@pytest.mark.parametrize("kind", ["local", "http"])
def test_figures_of_a_live_run_and_of_its_replay_are_equal_to_the_last_digit(
    kind: str, botattack: Botattack, campaign: Path, web: Path
) -> None:
    with capitals_server() as url:
        Path("web.yaml").write_text(target(url))
        asked = campaign if kind == "local" else web
        assert botattack("run", asked, "--allow-code", "-o", "live.json", "-o", "live.md").status == 0
    replayed = botattack("replay", only(), "-o", "replayed.json", "-o", "replayed.md")
    assert replayed.status == 0
    assert "no verdict changed since the run" in replayed.out
    assert botattack("replay", only(), "--reextract", "--allow-code", "-o", "again.json").status == 0
    botattack("replay", only(), "--as-recorded", "-o", "then.json", "-o", "then.md")
    live = Path("live.json").read_text()
    assert live == Path("replayed.json").read_text() == Path("then.json").read_text()
    assert Path("live.md").read_text() == Path("replayed.md").read_text() == Path("then.md").read_text()
    if kind == "http":
        assert live == Path("again.json").read_text()
        assert json.loads(live)["attacks"][ATTACK]["measures"]["R@1 before"]["n"] > 0


@pytest.mark.slow
def test_todays_extraction_is_used_and_what_it_changes_is_listed(botattack: Botattack, web: Path) -> None:
    with capitals_server() as url:
        Path("web.yaml").write_text(target(url))
        assert botattack("run", web).status == 0
    Path("web.yaml").write_text(target(url, "$.reply.short"))
    again = botattack("replay", only(), "--reextract")
    assert again.status == 0
    assert "originals: 2 kept → wrong" in again.out
    assert "What is the famous capital of" in again.out
    assert "--unit" in again.out
    Path("web.yaml").write_text(target(url, "$.reply.absent"))
    gone = botattack("replay", only(), "--reextract")
    assert "originals: 5 kept → error" in gone.out
    assert gone.status == 2
    told = "no reply of this recording can be read as FOLDER/web.yaml:5:21: connect.extract.answer says; the last: "
    assert told in gone.err
    assert "since the run" not in botattack("replay", only(), "--changes", "none").out


def test_code_of_the_file_reads_replies_only_where_that_is_allowed(botattack: Botattack, web: Path) -> None:
    with capitals_server() as url:
        Path("web.yaml").write_text(target(url))
        botattack("run", web)
    Path("read.py").write_text("open('ran.txt', 'w').close()\ndef answer(text):\n    return 'Paris'\n")
    Path("web.yaml").write_text(target(url, "file://read.py:answer"))
    for flags in (["--reextract"], ["--target", "web.yaml"]):
        refused = botattack("replay", only(), *flags)
        assert refused.status == 2
        assert "web.yaml:5:21: connect.extract.answer: would run code on this machine: file://read.py" in refused.err
    assert botattack("replay", only(), "--target", "web.yaml", "--allow-code").status == 0
    assert not Path("ran.txt").exists()
    assert botattack("replay", only(), "--reextract", "--allow-code").status == 0
    assert Path("ran.txt").exists()


def test_a_raw_reply_that_was_not_kept_is_unknown(botattack: Botattack, web: Path) -> None:
    with capitals_server() as url:
        Path("web.yaml").write_text(target(url))
        botattack("run", web)
    path = only() / "events.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        for reply in line.get("replies", ()):
            reply.pop("raw")
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    again = botattack("replay", only(), "--reextract")
    assert "unknown: the raw reply was not kept" in again.out


def test_reextraction_needs_the_target_file_of_the_same_bot(botattack: Botattack, web: Path) -> None:
    with capitals_server() as url:
        Path("web.yaml").write_text(target(url))
        botattack("run", web)
    Path("web.yaml").rename("moved.yaml")
    missing = botattack("replay", only(), "--reextract")
    assert (missing.status, "name it with --target FILE" in missing.err) == (2, True)
    assert botattack("replay", only(), "--reextract", "--target", "moved.yaml").status == 0
    other = botattack("replay", only(), "--reextract", "--target", "bot.yaml", "--allow-code")
    assert (other.status, "is 'capitals', and this recording is of 'web'" in other.err) == (2, True)
    assert "name the file of that bot with --target, or add name: web to this one" in other.err


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text.replace('"event":"asked"', '"event":"asket"', 1), "not an event of a recording"),
        (lambda text: text.replace('"unit":"', '"unit":"x', 1), "was judged and never asked"),
        (lambda text: text[:2000] + "\x00\x01\n" + text[2000:], "not an event of a recording"),
    ],
)
def test_a_damaged_recording_is_one_sentence(damage, said: str, botattack: Botattack, campaign: Path) -> None:
    botattack("run", campaign, "--allow-code")
    path = only() / "events.jsonl"
    path.write_text(damage(path.read_text()))
    ended = botattack("replay", only())
    assert (ended.status, said in ended.err, "fault of botattack" in ended.err) == (2, True, False)


def test_verdicts_of_today_and_those_of_then(botattack: Botattack, campaign: Path) -> None:
    """An original that is right only today was not attacked; one that is wrong only today leaves the rates."""
    botattack("run", campaign, "--allow-code")
    path = only() / "run.json"
    made = json.loads(path.read_text())
    made["settings"]["match"] = {"regex": {"pattern": "Oslo|mayor|only tell"}}
    made["settings"]["refusals"] = []
    path.write_text(json.dumps(made))
    again = botattack("replay", only(), "-o", "again.json", "--changes", "all")
    read = json.loads(Path("again.json").read_text())
    assert "originals: 4 kept → wrong" in again.out
    assert "originals: 1 refused → kept" in again.out
    assert (read["questions"]["correct"], read["questions"]["kept"]) == (2, 5)
    asked = sum(isinstance(event, VariantJudged) and event.attack == ATTACK for event in events(only()))
    assert read["attacks"][ATTACK]["gold"]["asked"] < asked
    assert "whose unchanged answer was not judged correct" in read["attacks"][ATTACK]["gold"]["note"]
