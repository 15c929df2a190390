"""What broke is one count: the terminal, JSON, the page, replay, a night, a comparison and the trend say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Botattack, newest

BOT = '''
"""Knows numbers; does not answer what noise.json names, as often as it names it, whatever was asked before."""
import json, pathlib, re
NOISE = json.loads((pathlib.Path(__file__).parent / "noise.json").read_text())
ASKED = {}
def answer(text):
    number = int(re.search("[0-9]+", text)[0])
    plain = text == f"what is the double of number {number}?"
    ASKED[text] = ASKED.get(text, 0) + 1
    if plain and number in NOISE["again"] and ASKED[text] > 1 or not plain and number in NOISE["altered"]:
        return "I only know numbers."
    return f"It is {number * 2}."
'''
COUNT = re.compile(r"(\d+) of (\d+) right questions broke at least once")
NEWLY = re.compile(r"(\d+) answers? newly broke")
QUESTIONS = 22


@pytest.fixture
def campaign(folder: Path) -> Path:
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text(
        'name: numbers\nconnect: {kind: local, call: "file://bot.py:answer"}\n'
        "limits: {rate: unlimited, concurrency: 1}\n"
        'signs: {refused: ["I only know numbers."]}\n'
    )
    rows = [
        {"question": f"what is the double of number {n}?", "answers": [f"{2 * n}"]} for n in range(1, QUESTIONS + 1)
    ]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = folder / "campaign.yaml"
    path.write_text("target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\nattacks: [case: {per_question: 1}]\n")
    return path


def noise(folder: Path, again: int, altered: int) -> None:
    """How many questions break when only asked again, and how many of the others when altered."""
    broke = {"again": [*range(1, again + 1)], "altered": [*range(QUESTIONS - altered + 1, QUESTIONS + 1)]}
    (folder / "noise.json").write_text(json.dumps(broke))


def said(text: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", text).split())


def counts(text: str) -> set[tuple[int, int]]:
    return {(int(broke), int(attacked)) for broke, attacked in COUNT.findall(said(text))}


@pytest.mark.slow
@pytest.mark.parametrize(("again", "altered"), [(3, 0), (3, 4)])
def test_every_door_says_how_many_questions_broke(
    botattack: Botattack, folder: Path, campaign: Path, again: int, altered: int
) -> None:
    noise(folder, again, altered)
    ran = botattack("run", campaign, "--allow-code", "-o", "page.html", "-o", "figures.json", "-o", "run.md")
    assert ran.status == 0, ran
    figures = json.loads((folder / "figures.json").read_text())
    assert figures["attacks"]["unchanged"]["gold"]["success"] == again
    broken = figures["broken"]
    assert (broken["questions"], broken["attacked"], broken["answers"]) == (altered, QUESTIONS, altered)
    replayed = botattack("replay", newest(), "-o", "again.html", "-o", "again.json")
    botattack("nightly", "trend", "recordings", "-o", "trend.html")
    assert json.loads((folder / "again.json").read_text())["broken"] == broken
    texts = [ran.out, replayed.out, botattack("replay", newest(), "--as-recorded").out]
    texts += [(folder / name).read_text() for name in ("page.html", "run.md", "again.html", "trend.html")]
    assert [counts(text) for text in texts] == [{(altered, QUESTIONS)}] * len(texts)
    assert re.findall(r"(\d+) broken answer", ran.err)[-1] == f"{altered}"


@pytest.mark.slow
def test_every_door_says_how_many_answers_newly_broke(botattack: Botattack, folder: Path, campaign: Path) -> None:
    noise(folder, 0, 2)
    assert botattack("run", campaign, "--allow-code").status == 0
    older = newest()
    assert botattack("nightly", "baseline", "set", older).status == 0
    noise(folder, 2, 5)
    night = botattack("nightly", campaign, "--allow-code", "--recordings", "recordings")
    newer = newest()
    compared = botattack("compare", older, newer, "-o", "compared.json")
    trend = botattack("nightly", "trend", "recordings", "-o", "trend.html")
    texts = [
        night.out,
        compared.out,
        trend.err,
        (folder / "trend.html").read_text(),
        (newer / "report.html").read_text(),
    ]
    assert [{int(number) for number in NEWLY.findall(said(text))} for text in texts] == [{3}] * len(texts)
    listed = re.compile(r"[Nn]ewly broken, perhaps by chance \((\d+)\)")
    assert [listed.findall(said(text)) for text in (night.out, compared.out)] == [["3"], ["3"]]
    found = json.loads((folder / "compared.json").read_text())
    assert len([change for change in found["changes"] if change["broke"]]) == 3
    assert (found["old_broken"]["questions"], found["new_broken"]["questions"]) == (2, 5)
    assert counts(compared.out) == {(2, QUESTIONS), (5, QUESTIONS)}


def test_a_comparison_of_runs_without_attacks_counts_no_broken_question(botattack: Botattack, campaign: Path) -> None:
    noise(campaign.parent, 0, 0)
    campaign.write_text(campaign.read_text().replace("case: {per_question: 1}", "unchanged"))
    for _ in range(2):
        assert botattack("run", campaign, "--allow-code").status == 0
    told = botattack("compare", *sorted(Path("recordings").glob("2*"))).out
    assert not counts(told)
    assert "no altered version" in said(told)
