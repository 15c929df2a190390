"""What services are asked is paid from the run's budget, shown, and told in its figures; their keys reach no disk."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from botattack.cli import main
from botattack.engine.purse import Purse
from botattack.errors import RunStopped
from botattack.events import AnyEvent, NeedMet, RunEnded, ServiceAsked
from botattack.limits import Budget, Price
from botattack.recordings.reader import events
from botattack.report.figures.metrics import figures_of
from botattack.report.wording.progress import Progress
from botattack.report.wording.words import requests_line
from botattack.resources.asked import load_paraphraser
from tests.resources.test_asked import Service, listening
from tests.servers.http import Received

KEY = "svc-c4n4ry-0123456789"
LITERAL = "lit-c4n4ry-9876543210"


class Bot(Service):
    def said(self, request: Any) -> Any:
        return {"text": f"Paris, and {KEY}"}


class Model(Service):
    """Says three other questions, each with its key."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[tuple[str, str]] = []

    async def __call__(self, received: Received, writer: asyncio.StreamWriter) -> None:
        self.keys.append((received.headers["x-api-key"], received.headers["authorization"]))
        await super().__call__(received, writer)

    def said(self, request: Any) -> Any:
        topic = json.dumps(request).partition("capital")[2][:30]
        lines = [f"Which town is the capital{number} {topic}, {KEY} {LITERAL}?" for number in ("", " then", " now")]
        return {"answer": "\n".join(lines)}


MODEL = """
env: [MODEL_KEY]
connect:
  kind: http
  request:
    url: "URL/say"
    headers: {{X-Api-Key: "{{{{ env.MODEL_KEY }}}}", Authorization: "Bearer {literal}"}}
    json: {{text: "{{{{ question }}}}"}}
  extract: {{answer: "$.answer"}}
limits: {{rate: unlimited, price: {{request: 0.5}}}}
"""
BOT = """
connect:
  kind: http
  request: {url: "URL/chat", json: {text: "{{ question }}"}}
  extract: {answer: "$.text"}
limits: {rate: unlimited, price: {request: 0.01}}
"""


def run(folder: Path, patch: pytest.MonkeyPatch, budget: str, questions: int = 6) -> tuple[Bot, Model, list[AnyEvent]]:
    """A run of `reword` over a bot and a model, both on this machine."""
    bot, model = Bot(), Model()
    records = [{"question": f"What is the capital of country {i}", "answers": ["Paris"]} for i in range(questions)]
    (folder / "questions.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    with listening(bot) as bot_url, listening(model) as model_url:
        (folder / "bot.yaml").write_text(BOT.replace("URL", bot_url))
        (folder / "model.yaml").write_text(MODEL.format(literal=LITERAL).replace("URL", model_url))
        (folder / "campaign.yaml").write_text(
            "target: bot.yaml\nquestions: {file: questions.jsonl}\nask_unsure: true\n"
            f"attacks: [reword: {{sources: [model], gates: []}}]\n{budget}"
        )
        patch.setenv("MODEL_KEY", KEY)
        patch.setenv("BOTATTACK_PARAPHRASER", str(folder / "model.yaml"))
        with pytest.raises(SystemExit):
            main(["run", str(folder / "campaign.yaml"), "--recordings", str(folder / "recordings")])
    (recording,) = (folder / "recordings").iterdir()
    return bot, model, list(events(recording))


def test_requests_to_a_service_are_counted_shown_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, model, told = run(tmp_path, monkeypatch, "")
    (ended,) = [event for event in told if isinstance(event, RunEnded)]
    asked = [event for event in told if isinstance(event, ServiceAsked)]
    assert len(model.seen) == 6
    assert sum(event.requests for event in asked) == 6
    assert {(event.kind, event.service) for event in asked} == {("paraphrase", "model")}
    assert ended.requests == len(bot.seen) + 6 > 12
    assert sum(event.cost for event in asked) == 3.0
    assert ended.cost == pytest.approx(3.0 + 0.01 * len(bot.seen))
    assert model.keys[0] == (KEY, f"Bearer {LITERAL}")
    figures = figures_of(told)
    assert (figures.requests.sent, figures.requests.services) == (ended.requests, 6)
    assert "(6 of them to services)" in requests_line(figures)
    progress = Progress(lambda: 0.0)
    for event in told:
        progress.update(event)
    assert progress.done().startswith(f"{len(bot.seen)} conversations · ")
    assert progress.done().endswith(f" · {ended.cost:.2f} spent")


def test_a_killed_run_still_tells_what_services_were_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, model, told = run(tmp_path, monkeypatch, "")
    killed = [event for event in told if not isinstance(event, RunEnded)]
    assert figures_of(killed).requests.sent == len(bot.seen) + len(model.seen)


@pytest.mark.parametrize("budget", ["budget: {requests: 9}", "budget: {cost: 1.5}"])
def test_the_budget_ends_a_run_that_a_service_used_up(
    budget: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, model, told = run(tmp_path, monkeypatch, f"window: 1\n{budget}\n", 40)
    (ended,) = [event for event in told if isinstance(event, RunEnded)]
    assert (ended.exit, "is used up" in ended.why) == (4, True)
    assert ended.requests == len(bot.seen) + len(model.seen)
    assert (ended.requests, len(model.seen)) == (9, 2) if "requests" in budget else len(model.seen) == 2


def test_keys_of_a_service_reach_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service tells them back in its sentences, and the bot in its replies."""
    bot, _, told = run(tmp_path, monkeypatch, "")
    (recording,) = (tmp_path / "recordings").iterdir()
    assert any(KEY in json.dumps(seen) for seen in bot.seen)
    assert any(isinstance(event, NeedMet) for event in told)
    for path in recording.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert KEY.encode() not in content
        assert LITERAL.encode() not in content


def test_a_part_of_a_purse_draws_on_the_whole() -> None:
    whole = Purse(Budget(requests=3, cost=10.0), Price(request=1.0))
    one, other = whole.part(Price(request=2.0)), whole.part(Price())
    whole.take()
    one.take()
    other.take()
    for purse in (whole, one, other):
        with pytest.raises(RunStopped, match="budget of 3 requests is used up"):
            purse.take()
    assert [(purse.requests, purse.cost) for purse in (whole, one, other)] == [(3, 3.0), (1, 2.0), (1, 0.0)]
    one.retry()
    other.push_back()
    assert (whole.retried, whole.rate_limited, one.rate_limited) == (1, 1, 0)


class Silent(Service):
    async def __call__(self, received: Received, writer: asyncio.StreamWriter) -> None:
        self.seen.append(received.json)
        await asyncio.sleep(3600)


def test_a_run_that_ends_waits_for_no_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    silent, whole = Silent(), Purse(Budget(), Price())
    with listening(silent) as url, ThreadPoolExecutor(1) as thread:
        (tmp_path / "model.yaml").write_text(BOT.replace("URL", url))
        monkeypatch.setenv("BOTATTACK_PARAPHRASER", str(tmp_path / "model.yaml"))
        paraphraser = load_paraphraser()
        paraphraser.pay_from(whole)
        sentences = thread.submit(paraphraser.meet, [{"text": "How old are you", "n": 3}])
        for _ in range(6000):
            if silent.seen:
                break
            time.sleep(0.01)
        whole.end("the run has ended")
        with pytest.raises(RunStopped, match="the run has ended"):
            sentences.result(60)
        assert (whole.requests, len(silent.seen)) == (1, 1)


def test_a_run_that_ends_lets_no_service_be_asked() -> None:
    whole = Purse(Budget(), Price())
    part = whole.part(Price())
    whole.close("interrupted")
    whole.take()
    with pytest.raises(RunStopped, match="interrupted"):
        part.take()
    assert (whole.requests, part.requests) == (1, 0)


def test_a_service_is_asked_in_sessions_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Bot()
    with listening(model) as url:
        asked = '"{{ question }}", session: "{{ session }}", seed: "{{ seed }}"'
        (tmp_path / "model.yaml").write_text(BOT.replace("URL", url).replace('"{{ question }}"', asked))
        monkeypatch.setenv("BOTATTACK_PARAPHRASER", str(tmp_path / "model.yaml"))
        for run in ("monday", "monday", "tuesday"):  # the second is the first, resumed
            paraphraser = load_paraphraser()
            paraphraser.pay_from(Purse(Budget(), Price(), run=run))
            paraphraser.meet([{"text": "How old are you", "n": 3}])
    monday, resumed, tuesday = (seen["session"] for seen in model.seen)
    assert monday == resumed != tuesday
    assert len({seen["seed"] for seen in model.seen}) == 1
