"""A campaign that asks other questions first, against a bot in this process that sticks to the first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import CAPITALS, Botattack

BOT = """
TOWNS = TABLE
class Talk:
    def __init__(self):
        self.town = None
    def __call__(self, text):
        found = next((town for name, town in TOWNS.items() if name in text), "no idea")
        self.town = self.town or found
        return self.town
"""
EXTRA = ("What is the capital of Spain?", "How far is Norway?")


@pytest.fixture
def sticky(folder: Path) -> Path:
    (folder / "bot.py").write_text(BOT.replace("TABLE", repr(CAPITALS)))
    (folder / "bot.yaml").write_text(
        'name: sticky\nconnect: {kind: local, call: "file://bot.py:Talk"}\nlimits: {rate: unlimited}\n'
    )
    rows = [{"question": f"What is the capital of {c}?", "answers": [a]} for c, a in CAPITALS.items()]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "more.jsonl").write_text("".join(json.dumps({"question": text}) + "\n" for text in EXTRA))
    return folder / "campaign.yaml"


def run(botattack: Botattack, path: Path, attacks: str) -> list[dict[str, Any]]:
    path.write_text(f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nseed: 7\nattacks: {attacks}\n")
    ended = botattack("run", path, "--allow-code")
    assert ended.status == 0, ended
    (recording,) = (path.parent / "recordings").iterdir()
    return [json.loads(line) for line in (recording / "events.jsonl").read_text().splitlines()]


@pytest.mark.slow
def test_a_bot_that_sticks_to_what_it_heard_first_is_found_and_the_pair_is_named(
    botattack: Botattack, sticky: Path
) -> None:
    events = run(botattack, sticky, "[carry-over: {rungs: [near, one]}, unchanged]")
    judged = [event for event in events if event["event"] == "variant judged" and event["attack"] == "carry-over"]
    assert len(judged) == 2 * len(CAPITALS)
    assert all(event["took_decoy"] for event in judged)
    (recording,) = (sticky.parent / "recordings").iterdir()
    for event in judged:
        first, decoy = event["edits"][0]["after"], event["decoy"]
        told = " ".join(botattack("replay", recording, "--unit", event["unit"]).out.split())
        assert f" turn 0 {first}" in told
        assert f" decoy {decoy}, the answer to the question before: the reply says it" in told
    shown = botattack("replay", recording).out
    assert shown.count("reply 1: ") == 3
    assert "10 of 10 said the answer to the question before" in " ".join(shown.split())
    assert "no verdict changed since the run" in shown


def test_the_other_questions_may_be_in_a_file_of_their_own(botattack: Botattack, sticky: Path) -> None:
    events = run(botattack, sticky, "[carry-over: {questions: more.jsonl}]")
    before = {turn["text"] for event in events if event["event"] == "asked" for turn in event["turns"][:-1]}
    assert before == {*EXTRA}
    made = json.loads(next((sticky.parent / "recordings").rglob("run.json")).read_text())
    assert made["settings"]["attacks"]["carry-over"]["carry-over"]["questions"].startswith("2 questions, ")


@pytest.mark.parametrize(
    ("attacks", "words"),
    [
        ("[carry-over: {questions: none.jsonl}]", "there is no file"),
        ("[chain: [case, carry-over: {rungs: []}]]", "rungs: must not be empty"),
        ("[carry-over: {rungs: [far]}]", "rungs"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence_at_its_place(
    botattack: Botattack, sticky: Path, attacks: str, words: str
) -> None:
    sticky.write_text(f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nattacks: {attacks}\n")
    ended = botattack("run", sticky, "--allow-code")
    assert ended.status == 2
    assert "campaign.yaml:3:" in ended.err
    assert words in ended.err


def test_a_set_of_one_question_has_no_other(botattack: Botattack, sticky: Path) -> None:
    (sticky.parent / "faq.jsonl").write_text('{"question": "Who?", "answers": ["Ann"]}\n')
    sticky.write_text("target: bot.yaml\nquestions: {file: faq.jsonl}\nattacks: [carry-over]\n")
    ended = botattack("run", sticky, "--allow-code")
    assert ended.status == 2
    assert "no other question in faq.jsonl" in ended.err
