"""Ten secrets of ten shapes, in every hand, told back by a real bot, and looked for in every place of output.

Before each secret stands its number, such as `S3F07=`: wherever that is found, MASK must follow.
"""

from __future__ import annotations

import json
import re
from asyncio import StreamWriter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from botattack.events import Asked
from botattack.recordings.masking import MASK
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack, Serve, botattack, folder, newest, serve
from tests.cli.hooks import hook
from tests.masking.forms import SECRETS, forms
from tests.servers.http import Received, Server, response

__all__ = ["botattack", "folder", "serve"]

TARGET = """env: [{names}]
connect:
  kind: http
  request: {{url: "{url}/chat?key={{{{ env.BOT_CASE }}}}", json: {{text: "{{{{ question }}}}"}}}}
  extract: {{answer: $.text, ranked: $.ranked, fields: {{echo: $.echo}}}}
limits: {{rate: unlimited, retries: 0, breaker: 10000}}
signs: {{refused: [{refusal}]}}
"""
CAMPAIGN = """target: bot.yaml
match: contains
questions: {file: faq.jsonl}
attacks: [punctuation: {per_question: 1}]
unchanged: false
max_errors: 100%
"""
T = TypeVar("T")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    every = list(items)
    return (every[start : start + size] for start in range(0, len(every), size))


MESSAGES = {
    f"S{number}F{index:02}": (name, text)
    for number, name in enumerate(SECRETS)
    for index, (_, text) in enumerate(forms(name))
}
"""Each secret in each of its forms, by number."""
TOGETHER = 5
"""Tellings in one answer."""
QUESTIONS = [
    *(f"What is the famous number of {number}?" for number in MESSAGES),
    *(f"What is the famous capital of {' '.join(some)}?" for some in batched(MESSAGES, TOGETHER)),
]
WHOLE = {
    *("answers", "raw replies", "failures", "events.jsonl", "diff.json", "diff.xml", "report.html"),
    *("replayed report.html", "replayed report.csv", "replayed report.xml", "output of check"),
}
"""Places that tell all of it."""
NEVER_TOLD = {"error output of a night", "report.json", "replayed report.json", "seal.json"}
"""Places in which nothing stands that the bot said, as long as the run itself does not fail."""
QUOTED = 200
"""Characters of an error page that are quoted."""


def told(number: str) -> str:
    return f"{number}={MESSAGES[number][1]} "


def at_the_cut(number: str) -> str:
    """A page whose first QUOTED characters end with all of a secret but its last one."""
    start = max(0, QUOTED - len(MESSAGES[number][1]) - len(number))
    return "x" * (start - 1) + " " * (start > 0) + told(number)


@dataclass
class Bot:
    """Answers correctly until it is `telling`: then it fails, or answers only the originals correctly."""

    telling: bool = False

    async def __call__(self, request: Received, writer: StreamWriter) -> None:
        text = request.json["text"]
        numbers = re.findall(r"S\dF\d\d", text)
        said = "".join(map(told, numbers))
        if self.telling and "number" in text and text not in QUESTIONS:
            writer.write(response(at_the_cut(numbers[0]) if len(numbers) == 1 else said, 500, "text/plain"))
            return
        word = "Paris" if not self.telling or text in QUESTIONS else "Oslo"
        answer = {"text": f"It is {word} {said}", "ranked": [said], "echo": {said: said}, "unread": said}
        writer.write(response(answer if self.telling else {"text": f"It is {word}"}))


@pytest.fixture
def campaign(folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bot]:
    bot = Bot()
    for name, secret in SECRETS.items():
        monkeypatch.setenv(f"BOT_{name}", secret)
    names = ", ".join(f"BOT_{name}" for name in SECRETS)
    refusal = json.dumps("".join(map(told, sorted(MESSAGES)[:: len(MESSAGES) // 10])))
    Path("bot.yaml").write_text(TARGET.format(names=names, url=serve(Server(bot)), refusal=refusal))
    lines = (json.dumps({"question": text, "answers": ["Paris"]}) for text in QUESTIONS)
    Path("faq.jsonl").write_text("".join(f"{line}\n" for line in lines))
    Path("campaign.yaml").write_text(CAMPAIGN)
    return bot


def places(botattack: Botattack, bot: Bot, folder: Path) -> Iterator[tuple[str, str]]:
    """Every place of output, with what stands there."""
    assert botattack("run", "campaign.yaml").status == 0
    assert botattack("nightly", "baseline", "set", newest()).status == 0
    bot.telling = True
    with hook() as web:
        night = botattack("nightly", "campaign.yaml", "--webhook", f"{web.url}/{told('S9F00').strip()}")
    recording = newest()
    yield "output of a night", night.out
    yield "error output of a night", night.err
    yield "webhook", json.dumps(web.received, ensure_ascii=False)
    for path in sorted(recording.iterdir()):
        yield path.name, path.read_text("utf-8", "replace")
    asked = [event for event in events(recording) if isinstance(event, Asked)]
    yield "answers", repr([(reply.text, reply.ranked, reply.fields) for event in asked for reply in event.replies])
    yield "raw replies", "\n".join(reply.raw for event in asked for reply in event.replies)
    yield "failures", "\n".join(event.failure.message for event in asked if event.failure)
    reports = [f"report.{suffix}" for suffix in ("html", "md", "csv", "json", "xml")]
    replayed = botattack(
        "replay", recording, "--reextract", "--changes", "all", *[w for r in reports for w in ("-o", r)]
    )
    units = [botattack("replay", recording, "--unit", event.unit).out for event in asked[:: len(asked) // 10]]
    yield "output of a replay", "\n".join((replayed.out, replayed.err, *units))
    for report in reports:
        yield f"replayed {report}", Path(report).read_text("utf-8")
    yield from checks(botattack)


def checks(botattack: Botattack) -> Iterator[tuple[str, str]]:
    shown, failed = [], []
    for number in range(len(SECRETS)):
        numbers = [known for known in MESSAGES if known.startswith(f"S{number}")]
        shown.append(botattack("check", "bot.yaml", "--ask", f"the capital of {' '.join(numbers)}").out)
        asked = [f"the number of {' '.join(some)}" for some in batched(numbers, 9)]
        failed += [botattack("check", "bot.yaml", "--ask", text).err for text in asked]
    yield "output of check", "".join(shown)
    yield "error output of check", "".join(failed)


_MARK = "".join(rf"\\?{re.escape(sign)}" for sign in MASK)


def leaks(text: str) -> set[str]:
    """Tellings after whose number stands anything but a mark, or the beginning of one where a text is cut."""
    masked = re.compile(rf"(S\dF\d\d)=(?:{_MARK}|\[?r?e?d?a?c?t?e?d?(?:…|$))", re.MULTILINE)
    return {found[1] for found in re.finditer(r"(S\dF\d\d)=", text) if not masked.match(text, found.start())}


def fragments(secret: str) -> set[str]:
    return {secret[start : start + 12] for start in range(max(1, len(secret) - 11))} if len(secret) > 8 else {secret}


@pytest.mark.slow
def test_secrets_are_found_nowhere(botattack: Botattack, campaign: Bot, folder: Path) -> None:
    found, looked = {}, {}
    plain = set().union(*map(fragments, SECRETS.values()))
    for place, text in places(botattack, campaign, folder):
        looked[place] = set(re.findall(r"(S\dF\d\d)=", text))
        if leaking := leaks(text) | {part for part in plain if part in text}:
            found[place] = sorted(leaking)
    assert found == {}
    assert {place for place, numbers in looked.items() if numbers == MESSAGES.keys()} >= WHOLE
    assert {place for place, numbers in looked.items() if not numbers} <= NEVER_TOLD
