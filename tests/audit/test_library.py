"""The library: what Python code can do with botattack, and what it does not do to Python."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import botattack
from botattack.events import Asked
from botattack.model import Question
from botattack.recordings.reader import events

CAPITALS = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Norway": "Oslo"}
QUESTIONS = [{"question": f"What is the famous capital of {c}?", "answers": [a]} for c, a in CAPITALS.items()]


def bot(text: str) -> str:
    known = (f"It is {city}." for country, city in CAPITALS.items() if country in text)
    return next(known, "I do not know.")


async def slow_bot(text: str) -> str:
    await asyncio.sleep(0)
    return bot(text)


def a_campaign(answers: Any = bot, **keys: Any) -> botattack.CampaignConfig:
    return botattack.campaign(answers, QUESTIONS, ["case"], refusals=["I do not know."], seed=7, **keys)


def test_a_callable_is_attacked_and_replayed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    result = botattack.run(a_campaign(), recordings=tmp_path)
    assert result.figures.questions.kept == 4
    assert {finding.attack for finding in result.findings} == {"case"}
    assert {case.judged.attack for question in result.cases() for case in question.variants} == {"unchanged", "case"}
    today = botattack.replay(result.recording)
    assert (today.figures, today.findings, today.changes) == (result.figures, result.findings, ())
    assert capfd.readouterr() == ("", "")
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("row", ["Are you open?", {"question": "Are you open?"}, Question("Are you open?")])
def test_questions_without_answers_are_compared_with_the_bots_own_replies(row: Any, tmp_path: Path) -> None:
    campaign = botattack.campaign(lambda _: "Yes.", [row], ["case"])
    figures = botattack.run(campaign, recordings=tmp_path).figures
    assert (figures.questions.kept, figures.attacks["case"].gold.rated) == (1, 0)
    assert figures.attacks["case"].own.rated > 0


def test_dictionaries_are_the_rows_of_the_csv_report(tmp_path: Path) -> None:
    import csv

    result = botattack.run(a_campaign(), recordings=tmp_path)
    rows = result.to_dicts()
    path = botattack.write_report(result, tmp_path / "out.csv")
    with path.open() as file:
        assert [row["unit"] for row in csv.DictReader(file)] == [row["unit"] for row in rows]
    json.dumps(rows)


def test_inside_a_loop_run_says_what_to_await(tmp_path: Path) -> None:
    async def cell() -> botattack.Result:
        with pytest.raises(botattack.BotattackError, match=r"await botattack\.run_async"):
            botattack.run(a_campaign(), recordings=tmp_path)
        return await botattack.run_async(a_campaign(slow_bot), recordings=tmp_path)

    assert asyncio.run(cell()).figures.questions.kept == 4


def test_a_gate_and_a_budget_end_a_run_without_an_exception(tmp_path: Path) -> None:
    gates = [{"metric": "standard_accuracy", "at_least": 1.0}]
    missed = botattack.run(
        a_campaign(lambda text: "Paris" if "France" in text else "", gates=gates), recordings=tmp_path
    )
    assert (missed.exit, missed.ok, [gate.held for gate in missed.gates]) == (1, False, [False])
    stopped = botattack.run(a_campaign(budget={"requests": 3}), recordings=tmp_path)
    assert stopped.exit == 4
    assert botattack.run(a_campaign(budget={"requests": 3}), recordings=tmp_path, resume=stopped.recording).exit == 4


def test_a_run_that_is_continued_keeps_its_errors(tmp_path: Path) -> None:
    down: set[str] = {"Spain"}

    def fails(text: str) -> str:
        if any(name in text for name in down):
            raise RuntimeError("down")
        return bot(text)

    first = botattack.run(a_campaign(fails, budget={"requests": 30}, max_errors=1.0), recordings=tmp_path)
    failed = [one.unit for one in events(first.recording) if isinstance(one, Asked) and one.failure]
    assert failed
    down.clear()
    again = botattack.run(a_campaign(fails, max_errors=1.0), recordings=tmp_path, resume=first.recording)
    asked = [one for one in events(again.recording) if isinstance(one, Asked)]
    assert {one.unit: one.failure is not None for one in asked if one.unit in failed} == dict.fromkeys(failed, True)


def test_a_run_with_nothing_to_attack_says_what_became_of_its_questions(tmp_path: Path) -> None:
    asked: set[str] = set()

    def once(text: str) -> str:
        """Right the first time that it is asked something, of Oslo never."""
        knows = text not in asked and "Norway" not in text
        asked.add(text)
        return bot(text) if knows else "I do not know."

    result = botattack.run(a_campaign(once, repeat=2), recordings=tmp_path)
    assert result.why == "no question left to attack: of 4 asked, 1 not answered, 3 inconsistent"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"sed": 1}, "did you mean 'seed'"),
        ({"match": "contians"}, "did you mean 'contains'"),
        ({"name": "a b"}, "name"),
        ({"limit": 0}, "limit.* at least 1"),
        ({"limit": "a"}, "limit"),
        ({"concurrency": 0}, "concurrency.* at least 1"),
        ({"refusals": "I do not know."}, "refused.* list"),
        ({"refusals": [3]}, "refused"),
        ({"refusals": [403]}, "refused"),
        ({"attacks": "case"}, "attacks.* list"),
        ({"attacks": {"dpaeg": {"per_question": 5}}}, "attacks.* list"),
        ({"questions": {"question": "Are you open?"}}, "list"),
        ({"questions": None}, "list"),
        ({"bot": None}, "callable"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(botattack.BotattackError, match=said):
        botattack.campaign(**{"bot": bot, "questions": QUESTIONS, "attacks": ["case"], **keys})


@pytest.mark.parametrize(
    ("changes", "said"), [({"limit": 0}, "limit"), ({"concurrency": 0}, "concurrency"), ({"sed": 1}, "'seed'")]
)
def test_what_is_wrong_with_a_change_of_a_file_is_said_in_a_sentence(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(botattack.BotattackError, match=said):
        botattack.load("campaigns/demo.yaml", **changes)


@pytest.mark.parametrize("options", [{"shard": (3, 2)}, {"shard": "1/2"}, {"campaign": "campaigns/demo.yaml"}])
def test_what_is_wrong_with_a_run_is_said_in_a_sentence(options: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(botattack.BotattackError, match="write"):
        botattack.run(**{"campaign": a_campaign(), "recordings": tmp_path, **options})
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("row", [3, None, ("What is the famous capital of Spain?", "Madrid")])
def test_a_question_that_cannot_be_read_is_said_in_a_sentence(row: Any, tmp_path: Path) -> None:
    with pytest.raises(botattack.BotattackError, match="it should be a mapping"):
        botattack.run(botattack.campaign(bot, [row], ["case"]), recordings=tmp_path)


@pytest.mark.parametrize("given", [{"reply": None}, {"question": 3}, {"answers": [3]}, {"before": [None]}])
def test_only_texts_are_judged(given: dict[str, Any]) -> None:
    with pytest.raises(botattack.BotattackError, match="text"):
        botattack.judge(**{"question": "How many?", "reply": "Three.", "answers": ["3"], **given})


@pytest.mark.parametrize("key", ["refusals", "boilerplate", "passages"])
def test_one_text_is_a_list_of_one(key: str) -> None:
    one = "I never heard of that."
    as_text, as_list = (botattack.judge("How many?", one, ["3"], **{key: value}) for value in (one, [one]))
    assert as_text == as_list


def test_what_a_result_prints_is_whole(tmp_path: Path) -> None:
    answered = iter(["Paris is right."])
    questions = [{"question": "What is the famous capital of France?", "answers": ["Paris"]}]
    campaign = botattack.campaign(lambda _: next(answered, "Rome is right."), questions, ["case", "dpaeg", "filler"])
    said = str(botattack.run(campaign, recordings=tmp_path))
    assert len(said.splitlines()[0]) > 200
    assert "more characters)" not in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kind": "mdaa"}, "no training set is called 'mdaa'"),
        ({"share": "25%"}, "share is '25%'"),
        ({"share": 25}, "share is 25"),
        ({"per_attack": 0}, "per_attack is 0"),
        ({"half": "tset"}, "half is 'tset'"),
        ({"lang": "fa"}, "only questions in fa are wanted"),
        ({"kind": "pairs", "originals": False}, "every variant with its original"),
    ],
)
def test_what_cannot_be_exported_is_said_in_a_sentence(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    result = botattack.run(a_campaign(), recordings=tmp_path)
    with pytest.raises(botattack.BotattackError, match=said):
        botattack.export(result.recording, **{"kind": "mda", "file": tmp_path / "train.jsonl", **options})
    assert not (tmp_path / "train.jsonl").exists()


def test_one_reply_is_judged_as_a_run_would() -> None:
    question = "What is the capital of France?"
    kinds = [botattack.judge(question, reply, ["Paris"]).kind for reply in ("It is Paris.", "Not Paris.", "")]
    assert kinds == ["correct", "wrong", "refused"]
    assert botattack.judge(question, "Ask my cat.", ["Paris"], refusals=["Ask my cat."]).kind == "refused"
    assert botattack.judge(question, "It is Rome.", before=["It is Paris."]).kind == "wrong"
    with pytest.raises(botattack.BotattackError, match="nothing to compare"):
        botattack.judge(question, "Paris")


def test_importing_loads_no_heavy_part() -> None:
    """Not even the library itself: only what is used is imported."""
    code = "import sys, botattack; print([m for m in sys.modules if m.startswith('botattack') or m == 'spacy'])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert set(json.loads(out.replace("'", '"'))) == {"botattack", "botattack.version"}
    assert set(botattack.__all__) <= set(dir(botattack))
    assert all(vars(botattack).get(name) or getattr(botattack, name) for name in botattack.__all__)
