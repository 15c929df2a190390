"""Target files that come with botattack. Most of those that no live bot was there for are asked in test_shapes.py; here
are bots that answer in several messages, in their own time, or not at all."""

from __future__ import annotations

import asyncio
import re
from datetime import date
from pathlib import Path

import pytest

from botattack.audit.starting.shapes import file_for, products, products_in, to_fill_in
from botattack.config.target import load_target
from botattack.errors import TrustRefused
from botattack.protocols import Target
from tests.servers.http import Received, Server, response
from tests.targets.asking import Tally, ask

pytestmark = pytest.mark.anyio
TARGETS = Path(__file__).parents[2] / "targets"
SHAPES = sorted(TARGETS.glob("*.yaml"))
TODAY = date(2026, 1, 1)


def opened(product: str, fills: dict[str, str], folder: Path, **environ: str) -> Target:
    text = file_for(product, "bot")
    for old, new in fills.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "bot.yaml").write_text(text, "utf-8")
    return load_target(folder / "bot.yaml", environ=environ, today=TODAY).open()


async def test_rasa_answers_in_several_messages(tmp_path: Path) -> None:
    async def rasa(request: Received, writer: asyncio.StreamWriter) -> None:
        to = request.json["sender"]
        texts = [{"recipient_id": to, "text": text} for text in ("We open at nine.", "Anything else?")]
        picture = {"recipient_id": to, "image": "http://127.0.0.1/map.png"}
        writer.write(response([texts[0], picture, texts[1]] if "open" in request.json["message"] else []))

    async with Server(rasa) as server:
        target = opened("Rasa", {"http://127.0.0.1:5005": server.url}, tmp_path)
        assert (await ask(target, "When do you open?")).text == "We open at nine.\nAnything else?"
        senders = {request.json["sender"] for request in server.received}
        await ask(target, "And when do you open on Sunday?")
        assert len(senders | {request.json["sender"] for request in server.received}) == 2
        await target.close()


class DirectLine:
    """Direct Line 3.0: the bot answers in its own time, in two messages, after it has shown that it is typing."""

    def __init__(self) -> None:
        self.activities: list[dict[str, object]] = []
        self.polls = 0

    async def __call__(self, request: Received, writer: asyncio.StreamWriter) -> None:
        if request.headers.get("authorization") != "Bearer the-secret":
            writer.write(response({"error": {"code": "BadArgument"}}, status=403))
        elif request.target.endswith("/conversations"):
            writer.write(response({"conversationId": "c1", "token": "t", "expires_in": 1800}, status=201))
        elif request.method == "POST":
            self.activities.append({**request.json, "id": "c1|0000001"})
            writer.write(response({"id": "c1|0000001"}))
        else:
            self.polls += 1
            self._think()
            writer.write(response({"activities": self.activities, "watermark": str(len(self.activities))}))

    def _think(self) -> None:
        said = {2: ("typing", ""), 3: ("message", "We open at nine."), 4: ("message", "On Sundays at ten.")}
        if self.polls in said:
            kind, text = said[self.polls]
            reply = {"type": kind, "id": f"c1|{self.polls}", "from": {"id": "bot"}, "replyToId": "c1|0000001"}
            self.activities.append({**reply, "text": text} if text else reply)


async def test_bot_framework_answers_in_its_own_time(tmp_path: Path) -> None:
    bot = DirectLine()
    async with Server(bot) as server:
        fills = {"https://directline.botframework.com": server.url}
        target = opened("Bot Framework", fills, tmp_path, DIRECTLINE_SECRET="the-secret")
        tally = Tally()
        reply = await ask(target, "When do you open?", tally)
        assert reply.text == "We open at nine.\nOn Sundays at ten."
        assert tally.left == len(server.received) == 2 + bot.polls
        await target.close()


async def detect_intent(request: Received, writer: asyncio.StreamWriter) -> None:
    """Dialogflow ES, v2: an agent that knows one thing, and says nothing of others."""
    path = r"/v2/projects/shop-7/agent/sessions/[\w-]{1,36}:detectIntent"
    if request.headers.get("authorization") != "Bearer the-token" or not re.fullmatch(path, request.target):
        writer.write(response({"error": {"code": 401, "status": "UNAUTHENTICATED"}}, status=401))
        return
    query = request.json["queryInput"]["text"]
    known = "open" in query["text"] and query["languageCode"] == "en"
    found = {"queryText": query["text"], "intent": {"displayName": "hours"}, "intentDetectionConfidence": 0.9}
    said = {"fulfillmentText": "We open at nine."} if known else {}
    writer.write(response({"responseId": "r", "queryResult": {**found, **said}}))


async def test_an_agent_for_google_assistant_answers(tmp_path: Path) -> None:
    async with Server(detect_intent) as server:
        fills = {"https://dialogflow.googleapis.com": server.url, "YOUR_PROJECT": "shop-7"}
        target = opened("Google Assistant", fills, tmp_path, INTENTS_TOKEN="the-token")
        reply = await ask(target, "When do you open?")
        assert (reply.text, dict(reply.fields)) == ("We open at nine.", {"intent": "hours", "confidence": 0.9})
        assert (await ask(target, "Who are you?")).text == ""
        assert len({request.target for request in server.received}) == 2
        await target.close()


@pytest.mark.parametrize("path", [*TARGETS.rglob("*.yaml")], ids=lambda path: path.name)
def test_the_first_line_says_what_it_is_for(path: Path) -> None:
    first = path.read_text("utf-8").splitlines()[0]
    assert first.startswith("# ")
    assert ("not tried on the live service" in first) == (path in SHAPES)


def test_there_are_few_shapes_and_each_product_is_of_one() -> None:
    assert len(SHAPES) <= 15
    named = [name for path in SHAPES for name in products_in(path.read_text("utf-8"))]
    assert len({*map(str.casefold, named)}) == len(named) == len(products()) > 60


def resolved(host: str) -> list[str]:
    return [host if host == "127.0.0.1" else "203.0.113.7"]


@pytest.mark.parametrize("product", sorted(products()))
def test_the_file_for_a_product_is_accepted_with_consent_once_it_is_filled_in(product: str, tmp_path: Path) -> None:
    text = file_for(product, "mine")
    path = tmp_path / "mine.yaml"
    environ = dict.fromkeys(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text), "secret")
    for word in to_fill_in(text):
        text = text.replace(word, word.lower().replace("_", "-"))
    path.write_text(text, "utf-8")
    if "https://" in text or "wss://" in text:
        with pytest.raises(TrustRefused, match="consent"):
            load_target(path, environ=environ, today=TODAY, resolve=resolved)
        path.write_text(text + "consent: {authorised_by: me, until: 2027-01-31}\n", "utf-8")
    config = load_target(path, environ=environ, today=TODAY, resolve=resolved)
    assert config.name == "mine"
    assert config.options.signs


_OPTION = re.compile(r"(\s*)# ((?:- \{)?[a-z_]+: ?.*)")
_GIVEN = {"request": "take:", "open": "open: {"}
TEMPLATES = sorted(TARGETS.glob("templates/*.yaml"))


def with_option(lines: list[str], index: int) -> str:
    """The file with one option taken out of its comment, and what it needs: environment names, values of replies."""
    chosen = list(lines)
    gives = [given for call, given in _GIVEN.items() if f"{{{{ {call}." in lines[index]]
    for i, line in enumerate(lines):
        if (option := _OPTION.fullmatch(line)) and (i == index or option[2].startswith(("env:", *gives))):
            chosen[i] = option[1] + option[2]
    if instead := re.search(r"# instead of (\w+)", lines[index]):
        chosen = [line for line in chosen if not line.strip().startswith(f"{instead[1]}:") or "# instead" in line]
    return "\n".join(chosen)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_option_of_a_template_can_be_used(path: Path, tmp_path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    options = [i for i, line in enumerate(lines) if _OPTION.fullmatch(line)]
    assert len(options) > 4
    for name in ("request.txt", "ca.pem", "bot.py"):
        (tmp_path / name).touch()
    environ = dict.fromkeys(("BOT_USER", "BOT_PASSWORD", "BOT_TOKEN"), "x")
    for index in options:
        copy = tmp_path / "copy.yaml"
        copy.write_text(with_option(lines, index), "utf-8")
        load_target(copy, environ=environ, today=TODAY, allow_code=True)
