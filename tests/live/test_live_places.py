"""Attacks on the passages of a question, against bots that answer from the passages they are sent."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.live.bots import TARGETS, LiveBot
from tests.live.environments import DATA
from tests.live.test_live_campaigns import botattack, ended

pytestmark = pytest.mark.live
PASSAGES = DATA / "passages.json"
OF_YEARS = {
    "When was the harbour of Ravensbrook built?": "1887",
    "When was the observatory on Mount Teal opened?": "1934",
    "Since when may visitors look at the stars?": "1998",
    "From which year is the oven in Harrow Fen?": "1702",
    "In which year was the winter fair cancelled?": "1976",
    "Until when did Professor Ilse Brandt teach?": "1979",
}
"""More questions with answers that surely have a fake: under twenty of them, a report withholds F1."""
ON_PASSAGES = ("dpaeg at context", "random-characters at context")


def campaign(folder: Path, target: Path, each: int, place: str = "context", meaning: str = "recoverable") -> Path:
    options = {"per_question": each, "meaning": meaning}
    attacks = [{"at": {"place": place, "attack": {name: options}}} for name in ("dpaeg", "random-characters")]
    path = folder / "campaign.yaml"
    whole = {"target": str(target), "questions": {"file": str(PASSAGES)}, "seed": 7, "attacks": attacks}
    path.write_text(json.dumps(whole), "utf-8")
    return path


def passages() -> dict[str, str]:
    """The passage of each question."""
    paragraphs = [each for article in json.loads(PASSAGES.read_bytes())["data"] for each in article["paragraphs"]]
    return {known["question"]: each["context"] for each in paragraphs for known in each["qas"]}


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return {name: found[name] for name in ("questions", "attacks", "measures")}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["attack"] in ON_PASSAGES]


def check_reports(folder: Path, each: int) -> None:
    """Every edit is in the passage, was sent there, and is shown there."""
    figures, cases, page = read(folder / "run.json"), rows(folder / "run.csv"), (folder / "run.html").read_text("utf-8")
    kept = figures["questions"]["kept"]
    assert figures["attacks"]["unchanged"]["gold"]["success"] == 0
    for name in ON_PASSAGES:
        attack = figures["attacks"][name]["gold"]
        assert kept / 2 <= attack["asked"] <= kept * each
        assert attack["error"] == attack["unsure"] == 0
        assert 0 <= attack["success"] == sum(row["attack"] == name and row["result"] == "success" for row in cases)
    for row in cases:
        question, original = row["question"], passages()[row["question"]]
        start = f"{question} | passage 0: "
        assert row["sent"].startswith(start)
        sent = row["sent"].removeprefix(start)
        assert sent != original
        edits = [edit.partition(": ")[2].split(" → ") for edit in row["edits"].split("; ")]
        assert row["edits"].count("passage 0, ") == len(edits)
        again = original
        for before, after in edits:
            assert before in original
            again = again.replace(before, after, 1)
            assert after in sent
            assert f'["{before}","{after}"]' in page
        assert len(again) == len(sent)
        assert row["expected"] in sent
        assert 1 <= int(row["distance"]) <= 4


def check_readings(folder: Path, packages: str = "") -> None:
    """A recording gives the figures of its run, judged again or not."""
    (recording,) = (folder / "recordings").iterdir()
    botattack(folder, "replay", recording, "-o", "again.json", "-o", "again.csv", packages=packages)
    kept = ("--as-recorded", "-o", "then.json", "-o", "then.csv")
    botattack(folder, "replay", recording, *kept, packages=packages)
    for figures, table in (("again.json", "again.csv"), ("then.json", "then.csv")):
        assert read(folder / figures) == read(folder / "run.json")
        assert sorted(map(str, rows(folder / table))) == sorted(map(str, rows(folder / "run.csv")))


REPORTS = ("-o", "run.json", "-o", "run.csv", "-o", "run.html")


def test_passages_of_a_pipeline_are_attacked(hayhooks: LiveBot, tmp_path: Path) -> None:
    file = campaign(tmp_path, hayhooks.target_file("hayhooks-passages", tmp_path), 3, meaning="paper")
    botattack(tmp_path, "run", file, *REPORTS)
    check_reports(tmp_path, 3)
    check_readings(tmp_path)
    figures = read(tmp_path / "run.json")
    assert figures["questions"]["kept"] >= 28
    for name in ON_PASSAGES:
        assert 0.9 < figures["attacks"][name]["measures"]["question likeness"]["value"] < 1
    assert figures["attacks"]["unchanged"]["measures"]["question likeness"]["value"] == 1


def test_a_pipeline_follows_false_passages_and_not_those_from_elsewhere(hayhooks: LiveBot, tmp_path: Path) -> None:
    attacks = ["counterfactual", {"distractor": {"at": "first"}}, {"add-sent": {}}, "unanswerable"]
    path = tmp_path / "campaign.yaml"
    target = str(hayhooks.target_file("hayhooks-passages", tmp_path))
    asked = json.loads(PASSAGES.read_bytes())
    paragraphs = [each for article in asked["data"] for each in article["paragraphs"]]
    for number, (question, answer) in enumerate(OF_YEARS.items()):
        (where,) = (each for each in paragraphs if answer in each["context"])
        gold = {"text": answer, "answer_start": where["context"].index(answer)}
        where["qas"].append({"id": f"year-{number}", "question": question, "answers": [gold]})
    (tmp_path / "passages.json").write_text(json.dumps(asked), "utf-8")
    whole = {"target": target, "questions": {"file": "passages.json"}, "seed": 7, "filter": "all", "attacks": attacks}
    path.write_text(json.dumps(whole), "utf-8")
    botattack(tmp_path, "run", path, *REPORTS)
    found = read(tmp_path / "run.json")["attacks"]
    assert found["unchanged"]["gold"]["success"] == 0
    assert found["counterfactual"]["gold"]["took_decoy"] > found["counterfactual"]["gold"]["decoys"] / 2
    assert 0 < found["distractor"]["gold"]["asked"] <= 4 * read(tmp_path / "run.json")["questions"]["asked"]
    assert found["distractor"]["gold"]["success"] < found["distractor"]["gold"]["asked"] / 4
    assert found["add-sent"]["gold"]["asked"] + found["unanswerable"]["gold"]["asked"] > 0
    before, after = (found["counterfactual"]["measures"][f"F1 {when}"]["value"] for when in ("before", "after"))
    assert after < before


def test_passages_in_the_prompt_of_a_language_model_are_attacked(smollm2: Path, tmp_path: Path) -> None:
    file = campaign(tmp_path, TARGETS / "smollm2-short.yaml", 1)
    botattack(tmp_path, "run", file, "--limit", "3", *REPORTS, packages=str(smollm2))
    assert read(tmp_path / "run.json")["questions"]["kept"] >= 2
    check_reports(tmp_path, 1)
    check_readings(tmp_path, str(smollm2))


@pytest.mark.parametrize(("name", "place"), [("hayhooks", "context"), ("hayhooks-passages", "history")])
def test_a_bot_that_never_gets_a_place_is_not_attacked_there(
    name: str, place: str, hayhooks: LiveBot, tmp_path: Path
) -> None:
    file = campaign(tmp_path, hayhooks.target_file(name, tmp_path), 1, place)
    before = hayhooks.log.read_bytes()
    end = ended(tmp_path, "run", file)
    assert end.returncode == 2
    assert end.stdout == ""
    problems = [line for line in end.stderr.splitlines() if "campaign.yaml:" in line]
    for attack, problem in zip(("dpaeg", "random-characters"), problems, strict=True):
        assert f"{attack} at {place}" in problem
        assert f"{name}.yaml" in problem
    assert "Traceback" not in end.stderr
    assert hayhooks.log.read_bytes() == before
    assert not (tmp_path / "recordings").exists()
