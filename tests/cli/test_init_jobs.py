"""`init` finds the call that fetches the answer where a reply names only a job, and refuses a job that never ends."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml

from botattack.config.target import load_target
from tests.cli.conftest import Botattack, Serve
from tests.servers.http import Received, Server, replying, response
from tests.targets.asking import ask

QUESTIONS = ("When do you open?", "Who runs the shop?", "Do you sell tea?")


def say(asked: str) -> str:
    return f"You want to know {len(asked) * 7} things, of which {asked[::-1].lower().strip('?')} is the one we know."


def job(named: Callable[[str], dict[str, Any]], done: Callable[[str, float], bytes]) -> Callable[[Received], bytes]:
    """A bot that begins a job, and tells what became of it under /jobs/ID."""
    begun: dict[str, tuple[str, float]] = {}

    def behave(request: Received) -> bytes:
        if request.method == "POST":
            key = f"job{len(begun) + 1:05}x{time.monotonic_ns() % 10**6}"
            begun[key] = (request.json["text"], time.monotonic())
            return response(named(key), status=202)
        found = re.search(r"job\w+", request.target)
        if not found or found[0] not in begun:
            return response({"error": "not found"}, status=404)
        asked, at = begun[found[0]]
        return done(asked, time.monotonic() - at)

    return behave


def in_states(asked: str, since: float) -> bytes:
    """The answer comes in three steps, with a clock in each reply."""
    whole, at = say(asked), time.monotonic_ns()
    part = "" if since < 0.2 else whole[: len(whole) // 2] if since < 0.6 else whole
    return response({"state": "done" if part == whole else "working", "text": part or None, "at": at})


def in_pieces(asked: str, since: float) -> bytes:
    words = re.findall(r"\s*\S+", say(asked))
    lines = [f"event: part\ndata: {json.dumps([''.join(words[: n + 1]), None])}\n\n" for n in range(len(words))]
    return response("event: beat\ndata: null\n\n" + "".join(lines), kind="text/event-stream")


def without_end(asked: str, since: float) -> bytes:
    return response({"state": "working", "text": None, "at": time.monotonic_ns()})


def called(state: str, last: str) -> Callable[[str, float], bytes]:
    """A state in the words of another language, without which the whole answer is known only by waiting."""
    return lambda asked, since: response({state: "..."} if since < 0.2 else {state: last, "text": say(asked)})


JOBS: dict[str, tuple[Callable[[str], dict[str, Any]], Callable[[str, float], bytes]]] = {
    "a link": (lambda key: {"id": key, "state": "queued", "links": {"self": f"/chat/{key}"}}, in_states),
    "an id": (lambda key: {"event": key}, in_pieces),
    "a state in Spanish": (lambda key: {"id": key, "estado": "pendiente"}, called("estado", "listo")),
    "a state in German": (lambda key: {"id": key, "zustand": "wartet"}, called("zustand", "fertig")),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", JOBS)
def test_a_job_is_fetched_as_its_reply_says(name: str, botattack: Botattack, folder: Path, serve: Serve) -> None:
    url = serve(Server(replying(job(*JOBS[name]))))
    ended = botattack("init", "--curl", f"curl {url}/chat -d '{json.dumps({'text': QUESTIONS[0]})}'", "--yes")
    assert ended.status == 0, ended
    path = folder / "my-bot-target.yaml"
    poll = yaml.safe_load(path.read_text())["connect"]["poll"]
    assert ("until" in poll) == ("state" in name or name == "a link")

    async def said() -> list[str]:
        target = load_target(path, environ={}, today=date(2026, 11, 2)).open()
        try:
            return [(await ask(target, question)).text for question in QUESTIONS]
        finally:
            await target.close()

    assert asyncio.run(said()) == [*map(say, QUESTIONS)]


@pytest.mark.slow
def test_a_job_that_never_ends_is_refused(botattack: Botattack, folder: Path, serve: Serve) -> None:
    bot = job(lambda key: {"state": "working", "self": f"/chat/{key}"}, without_end)
    url = serve(Server(replying(bot)))
    ended = botattack("init", "--curl", f"curl {url}/chat -d '{json.dumps({'text': QUESTIONS[0]})}'", "--yes")
    assert (ended.status, "not proven" in ended.err) == (2, True), ended
    assert not (folder / "my-bot-target.yaml").exists()


def in_conversations(jobs: str) -> Callable[[Received], bytes]:
    """A bot whose conversations are opened by a call, and whose answers are fetched below another address."""
    opened, begun = set[str](), dict[str, str]()

    def behave(request: Received) -> bytes:
        *_, before, last = request.target.split("/")
        if request.method == "GET":
            answer = {"status": "done", "said": {"text": say(begun[last])}} if last in begun else {"error": "none"}
            return response(answer, status=200 if request.target.startswith(f"/{jobs}/") and last in begun else 404)
        if last == "conv":
            opened.add(name := str(uuid4()))
            return response({"conversation": {"id": name}, "created": 17.5})
        if before not in opened:
            return response({"error": "no existe"}, status=404)
        begun[key := uuid4().hex] = request.json["texto"]
        return response({"job": key, "status": "queued"}, status=202)

    return behave


def recorded(url: str, jobs: str) -> dict[str, Any]:
    """What a browser kept of a conversation that is long over."""
    conversation, calls = str(uuid4()), []
    calls.append(("POST", "/conv", {}, {"conversation": {"id": conversation}, "created": 17.5}))
    for asked in (*QUESTIONS, QUESTIONS[0]):
        key = uuid4().hex
        calls.append(("POST", f"/conv/{conversation}/msg", {"texto": asked}, {"job": key, "status": "queued"}))
        calls.append(("GET", f"/{jobs}/{key}", None, {"status": "running"}))
        calls.append(("GET", f"/{jobs}/{key}", None, {"status": "done", "said": {"text": say(asked)}}))
    entries = []
    for method, path, sent, reply in calls:
        data = {} if sent is None else {"postData": {"mimeType": "application/json", "text": json.dumps(sent)}}
        content = {"mimeType": "application/json", "text": json.dumps(reply)}
        asked_for = {"method": method, "url": url + path, "headers": [], **data}
        entries.append({"request": asked_for, "response": {"status": 200, "content": content}})
    return {"log": {"entries": entries}}


@pytest.mark.slow
@pytest.mark.parametrize(("given", "jobs"), [("har", "work/of"), ("har, nothing sent", "work/of"), ("curl", "jobs")])
def test_the_calls_around_a_message_are_written(
    given: str, jobs: str, botattack: Botattack, folder: Path, serve: Serve
) -> None:
    url = serve(Server(replying(in_conversations(jobs))))
    (folder / "bot.har").write_text(json.dumps(recorded(url, jobs)))
    curl = f"curl {url}/conv/{uuid4()}/msg -d '{json.dumps({'texto': QUESTIONS[0]})}'"
    flags = ["--curl", curl] if given == "curl" else ["--har", "bot.har", *["--no-send"] * ("nothing" in given)]
    ended = botattack("init", *flags, "--yes")
    assert ended.status == 0, ended
    checked = botattack("check", "my-bot-target.yaml", "--ask", QUESTIONS[0], "--ask", QUESTIONS[1])
    assert (checked.status, say(QUESTIONS[0]) in checked.out + checked.err) == (0, True), checked


@pytest.mark.slow
def test_a_job_that_is_not_found_names_the_keys_that_fetch_it(botattack: Botattack, folder: Path, serve: Serve) -> None:
    url = serve(Server(replying(in_conversations("work/of"))))
    curl = f"curl {url}/conv/{uuid4()}/msg -d '{json.dumps({'texto': QUESTIONS[0]})}'"
    ended = botattack("init", "--curl", curl, "--yes")
    assert (ended.status, "places below" in ended.err) == (2, False), ended
    assert all(key in ended.err for key in ("poll:", "job: $['job']", "--har", "{{ request.job }}")), ended.err
