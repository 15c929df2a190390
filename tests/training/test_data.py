"""What trains the judge beside replies that readers judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from botattack.errors import MissingPart
from botattack.matchers.evidence.all import NAMES
from botattack.matchers.weights import weights
from botattack.model import GoldAnswer
from botattack.text.parts.installed import fetched
from training.data import ROOT, SYSTEMS, Row, collected, evouna, invented, mismatched

ANSWERED = {"question": "Capital of France?", "golden_answer": "Paris/City of Light", "improper": False} | {
    f"{what}_{system}": value for system in SYSTEMS for what, value in (("answer", "Paris."), ("judge", True))
}


def row(question: str, gold: str, reply: str, label: str = "correct", source: str = "a") -> Row:
    return Row(question, (GoldAnswer(gold),), reply, frozenset([label]), source)


def test_a_right_reply_is_wrong_under_another_question() -> None:
    rows = collected("alice")
    made = mismatched(rows, seed=3, many=100)
    right = {each.reply: each.question for each in rows if each.label == "correct"}
    golds = {each.question: each.gold for each in rows}
    assert len(made) == 100
    assert made == mismatched(rows, seed=3, many=100) != mismatched(rows, seed=4, many=100)
    for each in made:
        assert each.label == "wrong"
        assert each.reply in right
        assert each.gold == golds[each.question]
        assert not any(answer.text.casefold() in each.reply.casefold() for answer in each.gold)


def test_a_reply_that_would_answer_the_other_question_too_is_left_out() -> None:
    rows = [row("Capital of France?", "Paris", "paris"), row("Where is the Louvre?", "Paris", "In Paris.")]
    assert mismatched(rows, seed=1, many=5) == []
    rows.append(row("Capital of Spain?", "Madrid", "Berlin", label="wrong"))
    assert {(each.question, each.reply) for each in mismatched(rows, seed=1, many=5)} <= {
        ("Capital of Spain?", "paris"),
        ("Capital of Spain?", "In Paris."),
    }


def test_a_rare_source_gives_as_many_questions_as_a_frequent_one() -> None:
    many = [row(f"{number}?", f"g{number}", f"r{number}") for number in range(90)]
    made = mismatched([*many, *(row(f"b{n}?", f"h{n}", f"s{n}", source="b") for n in range(9))], seed=1, many=200)
    assert 70 <= sum(each.question.startswith("b") for each in made) <= 130


def test_invented_rows_are_apart_from_those_that_count() -> None:
    assert {each.source for each in invented()} == {"invented"}
    assert "invented" not in {each.source for each in collected()}


def test_evouna_is_read_as_fetched_where_no_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOTATTACK_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(MissingPart, match="botattack resources get evouna"):
        evouna()
    fetched("evouna").mkdir(parents=True)
    rows = [ANSWERED, {**ANSWERED, "improper": True}]
    (fetched("evouna") / "NQ.json").write_text(json.dumps(rows), encoding="utf-8")
    assert [(row.source, row.label, len(row.gold)) for row in evouna()] == [(name, "correct", 2) for name in SYSTEMS]


def test_the_table_of_worth_is_of_the_weights_that_are_shipped() -> None:
    """Else: python -m training.evaluate --worth"""
    told = (ROOT / "training/worth.md").read_text(encoding="utf-8")
    assert f"weights {weights().version} ({weights().digest})" in told
    assert all(f"| `{name}` | " in told for name in NAMES)
