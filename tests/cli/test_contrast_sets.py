"""A campaign that asks contrast sets, against a bot in this process that says Oslo where it does not know."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import CAPITALS, Botattack, Once

BOT = """
TOWNS = TABLE
def answer(text):
    name = text.split()[-1].rstrip("?")
    if name == "Italy":
        return "Bergen"
    return TOWNS[name] if name in KNOWN else "Oslo"
"""
MORE = {**CAPITALS, **{f"Land{n}": f"Town{n}" for n in range(11)}}

FEWER = dict([*MORE.items()][:-4])


@pytest.fixture
def campaign(folder: Path) -> Path:
    rows = [{"question": f"What is the capital of {name}?", "answers": [town]} for name, town in MORE.items()]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "bot.yaml").write_text(
        'name: near\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
    )
    path = folder / "campaign.yaml"
    path.write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\nattacks: [contrast-set: {per_question: 30}]\n"
    )
    return path


@pytest.fixture
def good_and_bad(botattack: Botattack, campaign: Path, once: Once) -> tuple[Path, Path]:
    """Recordings of a bot that knows all towns, and of one that lacks four."""
    once(lambda: [run(botattack, campaign, known=known) for known in (MORE, FEWER)])
    good, bad = sorted((campaign.parent / "recordings").glob("2*"), key=lambda path: path.stat().st_mtime_ns)
    return good, bad


def run(botattack: Botattack, campaign: Path, *, known: dict[str, str]) -> Path:
    (campaign.parent / "bot.py").write_text(BOT.replace("TABLE", repr(MORE)).replace("KNOWN", repr(known)))
    before = {*(campaign.parent / "recordings").glob("*")}
    assert botattack("run", campaign, "--allow-code").status == 0
    (recording,) = {*(campaign.parent / "recordings").iterdir()} - before
    return recording


@pytest.mark.slow
def test_old_right_and_other_answers_are_counted_apart_everywhere(
    botattack: Botattack, good_and_bad: tuple[Path, Path]
) -> None:
    good, bad = good_and_bad
    right, lost = len(MORE) - 1, 4
    kept = right - lost
    for recording, success, robust, other in (
        (good, 0, right * (right - 1), right),
        (bad, lost, kept * (kept - 1), kept + lost * (kept - 1)),
    ):
        ended = botattack("replay", recording, "-o", "report.json", "-o", "page.html", "-o", "page.md")
        assert ended.status == 0, ended
        assert "no verdict changed since the run" in ended.out
        row = json.loads(Path("report.json").read_text("utf-8"))["attacks"]["contrast-set"]["gold"]
        assert (row["success"], row["robust"], row["other"], row["unsure"]) == (success, robust, other, other)
        for shown in (ended.out, Path("page.html").read_text("utf-8"), Path("page.md").read_text("utf-8")):
            assert f"{other} neither the old answer nor the right one" in " ".join(shown.split())
    assert "expected " in ended.out
    assert botattack("compare", good, bad).status == 0


@pytest.mark.slow
def test_the_report_says_for_how_many_questions_there_was_a_contrast(botattack: Botattack, campaign: Path) -> None:
    with (campaign.parent / "faq.jsonl").open("a") as file:
        file.write(json.dumps({"question": "Who wrote Emma?", "answers": ["Oslo"]}) + "\n")
    told = " ".join(botattack("replay", run(botattack, campaign, known=MORE)).out.split())
    assert "for 15 of 16 questions" in told


@pytest.mark.slow
def test_a_finding_is_not_taken_for_the_question_whose_words_it_has(
    botattack: Botattack, good_and_bad: tuple[Path, Path]
) -> None:
    _, recording = good_and_bad
    units = set(
        re.findall(r"--unit ([0-9a-f]{16}\.0)", botattack("replay", recording).out.partition("About this run")[0])
    )
    assert units
    for unit in units:
        told = " ".join(botattack("replay", recording, "--unit", unit).out.split())
        assert " attack contrast-set " in told
        assert " question What is the capital of [Norway → " in told
        assert re.search(" expected Town([7-9]|10) got Oslo ", told)
