"""An attack that finds next to nothing to change is named, before a run and in all its reports, and its gates are not
decided by it."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from html import unescape
from pathlib import Path

import pytest

from botattack.report.wording.cautions import ASK_UNSURE
from tests.cli.conftest import Botattack

BOT = '''
"""Adds one to the number in a question."""
import re
def answer(text):
    return f"It is {int(re.search('[0-9]+', text)[0]) + 1}."
'''
FEW = "contraction has variants for 1 of 30 questions, so it says little about this bot"
WHY = f"for 4 its variants may ask something else ({ASK_UNSURE}), for 25 it has none"
GATES = (
    "gates: [{metric: success_rate, attack: contraction, at_most: 20%}, {metric: standard_accuracy, at_least: 90%}]\n"
)


@pytest.fixture
def campaign(folder: Path) -> Path:
    """Thirty questions, all answered correctly, of which one has a contraction and four may have."""
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text(
        'connect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
    )
    openings = ["What is"] + ["What's"] * 4 + ["Name"] * 25
    rows = [{"question": f"{opening} {n} plus one?", "answers": [str(n + 1)]} for n, opening in enumerate(openings, 10)]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = folder / "campaign.yaml"
    path.write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\n"
        f"attacks: [contraction: {{bare: false}}, case: {{per_question: 2}}]\n{GATES}"
    )
    return path


def plain(text: str) -> str:
    """Without the line breaks of a terminal and the marks of Markdown."""
    return " ".join(text.replace("\\", "").split())


def test_every_report_names_an_attack_with_next_to_no_variants(botattack: Botattack, campaign: Path) -> None:
    ended = botattack("run", campaign, "--allow-code", *(f"-oout.{kind}" for kind in ("md", "html", "json", "xml")))
    assert ended.status == 0
    assert f"{FEW}: {WHY}" in plain(ended.out)
    assert "case has variants" not in plain(ended.out)
    for name in ("out.md", "out.html"):
        assert f"{FEW}: {WHY}" in plain(unescape(Path(name).read_text()))
    gates = [case for case in ET.parse("out.xml").getroot().iter("testcase") if case.get("classname") == "bot.gates"]
    assert [[child.tag for child in case] for case in gates] == [["skipped"], ["system-out"]]
    report = json.loads(Path("out.json").read_text())
    assert report["attacks"]["contraction"]["coverage"].items() >= {"attacked": 30, "carried": 1, "unsure": 4}.items()
    assert report["attacks"]["case"]["coverage"].items() >= {"attacked": 30, "carried": 30, "unsure": 0}.items()


def test_what_is_asked_of_unsure_meaning_is_no_variant_of_the_claim(botattack: Botattack, campaign: Path) -> None:
    ended = botattack("run", campaign, "--allow-code", "--ask-unsure", "-o", "out.json")
    assert ended.status == 0, ended
    caution = re.search("contraction has variants.*?for 25 it has none", plain(ended.out))
    assert caution
    assert "ask_unsure" not in caution[0]
    attack = json.loads(Path("out.json").read_text())["attacks"]["contraction"]
    assert attack["coverage"].items() >= {"attacked": 30, "carried": 1, "unsure": 4}.items()
    assert attack["unsure"]["asked"] > 0


@pytest.fixture
def unsure(campaign: Path) -> Path:
    """An attack that has only variants of unsure meaning, on a bot that answers whatever is before the number."""
    rows = [{"question": f"What's {n} plus one?", "answers": [str(n + 1)]} for n in range(10, 40)]
    Path("faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    bot = Path("bot.py").read_text()
    Path("bot.py").write_text(bot.replace("    return", "    if 'is' in text: return 'It is 3.'\n    return"))
    text = campaign.read_text().partition("attacks:")[0]
    campaign.write_text(text + "attacks: [contraction: {bare: false}]\n")
    return campaign


def test_what_only_unsure_variants_broke_is_the_headline_with_examples(botattack: Botattack, unsure: Path) -> None:
    ended = botattack("run", unsure, "--allow-code", "--ask-unsure", "-oout.md", "-oout.html")
    reports = [ended.out, Path("out.md").read_text(), Path("out.html").read_text()]
    for report in map(plain, reports):
        assert "30 of 30 altered questions broke; these may ask something else" in report
        assert "No variant was judged" not in report
        assert "of 0 possible" not in report
        assert "It is 3." in report
        assert "botattack replay" in report


def test_a_run_without_a_variant_to_ask_says_so_and_what_would_ask_more(botattack: Botattack, unsure: Path) -> None:
    ended = botattack("run", unsure, "--allow-code", "-oout.json")
    says = "no variant was asked: some may ask something else, and "
    assert f"warning: {says}{ASK_UNSURE}\n" in ended.err
    assert json.loads(Path("out.json").read_text())["run"]["why"].startswith(says)


@pytest.mark.slow
def test_a_gate_on_such_an_attack_is_undecided_and_named_at_the_top(botattack: Botattack, campaign: Path) -> None:
    undecided = "share broken by contraction is undecided: there are variants for 1 of 30 questions"
    for command in (("run", campaign), ("nightly", campaign, "--pin"), ("nightly", campaign)):
        ended = botattack(*command, "--allow-code")
        assert ended.status == 0
        head = ended.out.partition("likely range")[0]
        assert "undecided share broken by contraction" in plain(head)
        assert undecided in plain(ended.out)
        assert f"undecided {undecided}" in plain(head)
    reports = sorted(Path("recordings").glob("*/report.json"))
    assert len(reports) == 2
    for report in reports:
        gates = json.loads(report.read_text())["gates"]
        assert [(gate["held"], gate["undecided"]) for gate in gates] == [(False, True), (True, False)]


def test_a_gate_without_a_figure_fails_if_the_bot_may_be_why(botattack: Botattack, campaign: Path) -> None:
    """The bot answers ten of thirty: too few for a rate, though the attack has variants for all."""
    campaign.write_text(campaign.read_text().replace("attack: contraction", "attack: case"))
    bot = Path("bot.py")
    bot.write_text(bot.read_text().replace("+ 1}", "+ ('Name 3' in text)}"))
    ended = botattack("run", campaign, "--allow-code")
    assert ended.status == 1
    assert "share broken by case cannot be given: too few questions" in plain(ended.out)


def test_a_dry_run_names_it_and_knows_what_would_be_sent(botattack: Botattack, campaign: Path) -> None:
    planned = plain(botattack("run", campaign, "--allow-code", "--dry-run").out)
    assert f"{FEW}: {WHY}" in planned
    assert "attack contraction: at most 1 request," in planned
    botattack("run", campaign, "--allow-code", "-o", "out.json")
    (most,) = re.findall(r"requests at most (\d+), and retries", planned)
    assert int(most) == json.loads(Path("out.json").read_text())["requests"]["sent"]


@pytest.mark.slow
def test_a_dry_run_judges_many_questions_by_some(botattack: Botattack, campaign: Path) -> None:
    rows = [
        {"question": f"{'What is' if n % 3 else 'Name'} {n} plus one?", "answers": [str(n + 1)]} for n in range(400)
    ]
    Path("faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    planned = plain(botattack("run", campaign, "--allow-code", "--dry-run").out)
    botattack("run", campaign, "--allow-code", "-o", "out.json")
    sent = json.loads(Path("out.json").read_text())["requests"]["sent"]
    assert "estimate from the variants of 100 questions" in planned
    (about,) = re.findall(r"requests about ([\d,]+)", planned)
    assert sent / 1.5 < int(about.replace(",", "")) < sent * 1.5
