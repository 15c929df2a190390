"""Dialogues in question files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from botattack.model import GoldAnswer, Question, Required, UserTurn
from botattack.protocols import BadRecord
from botattack.questions.detect import reader_for
from botattack.questions.documents import read_yaml
from botattack.questions.order import QuestionSet
from botattack.questions.records import MAX_TURNS

PAGE = Path(__file__).parents[2] / "docs" / "passages.md"
TURNS: list[Any] = [
    "Hello",
    {"user": "Book it", "contains": ["seven", "two"], "fields": {"intent": "book", "seats": 2}},
    {"question": "Swear!", "refuses": True},
    {"text": "Who am I?", "answers": ["Ann", {"text": "A.+n", "regex": True}]},
]
READ = Question(
    "Who am I?",
    (GoldAnswer("Ann"), GoldAnswer("A.+n", regex=True)),
    key="d1",
    earlier=(
        UserTurn("Hello"),
        UserTurn(
            "Book it",
            requires=(
                Required("contains", "seven"),
                Required("contains", "two"),
                Required("field", "book", "intent"),
                Required("field", "2", "seats"),
            ),
        ),
        UserTurn("Swear!", requires=(Required("refuses"),)),
    ),
)


def read(path: Path, text: str) -> list[Question | BadRecord]:
    path.write_text(text)
    return [*reader_for(path)(path)]


def test_a_dialogue_reads_the_same_in_every_format(tmp_path: Path) -> None:
    record = {"id": "d1", "turns": TURNS}
    text = json.dumps(record)
    assert read(tmp_path / "d.jsonl", f"{text}\n") == [READ]
    assert read(tmp_path / "d.json", f"[{text}]") == [READ]
    assert read(tmp_path / "d.yaml", f"- {text}\n") == [READ]
    assert read(tmp_path / "e.yaml", f"dialogues:\n  - {text}\n") == [READ]
    for name in ("dialogues", "questions"):
        whole = {"version": [1], "about": {name: 1}, name: [record]}
        assert read(tmp_path / f"{name}.json", json.dumps(whole, indent=1)) == [READ]
    assert read(tmp_path / "one.json", f'{{"dialogues": [{text}]}}') == [READ]


def test_the_example_of_the_page_is_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(dialogues:.*?)```", PAGE.read_text(), re.DOTALL)
    (found,) = read(tmp_path / "example.yaml", example)
    assert isinstance(found, Question)
    assert len(found.turns) == 5
    assert [turn.has_gold for turn in found.earlier] == [False, True, True, True]


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"turns": []}, "0 turns"),
        ({"turns": ["a"] * (MAX_TURNS + 1)}, "turns; it should have"),
        ({"turns": ["a", ""]}, "turn 2 is empty"),
        ({"turns": [{"bot": "hi"}]}, "turn 1 is not the user's"),
        ({"turns": ["a", {"speaker": "bot", "text": "hi"}]}, "turn 2 is not the user's"),
        ({"turns": ["a", "b"], "answers": "x"}, "`answers` in its turns"),
        ({"turns": ["a", {"user": "b", "refuses": True, "answers": "x"}]}, "refuses"),
        ({"turns": ["a", {"user": "b", "refuses": "perhaps"}]}, "true or false"),
        ({"turns": ["a", {"user": "b", "fields": ["x"]}]}, "{NAME: VALUE}"),
        ({"turns": [7]}, "not text"),
        ({"turns": ["a", {"user": "b", "passage": "c"}]}, "`passage`"),
    ],
)
def test_what_is_no_dialogue_is_reported_with_its_reason(tmp_path: Path, record: Any, why: str) -> None:
    (bad,) = read(tmp_path / "d.jsonl", json.dumps(record) + "\n")
    assert isinstance(bad, BadRecord)
    assert why in bad.why


def test_a_question_beside_turns_is_a_question(tmp_path: Path) -> None:
    """Other names are ignored, as they always were."""
    assert read(tmp_path / "d.jsonl", '{"question": "Who?", "turns": 3}\n') == [Question("Who?")]


def test_the_id_depends_on_all_that_is_asked_and_on_no_answer() -> None:
    plain = Question("Who am I?", earlier=(UserTurn("Hello"),))
    assert plain.id == Question("Who am I?", (GoldAnswer("Ann"),), earlier=(UserTurn("Hello", (GoldAnswer("Hi"),)),)).id
    assert len({plain.id, Question("Who am I?").id, Question("Who am I?", earlier=(UserTurn("Hi"),)).id}) == 3


def test_gold_of_equal_dialogues_is_joined_turn_by_turn(tmp_path: Path) -> None:
    path = tmp_path / "d.yaml"
    first, second = ({"turns": [{"user": "Hello", "answers": one}, {"user": "Who?", "answers": "Ann"}]} for one in "ab")
    path.write_text(json.dumps([first, second]))
    with QuestionSet.load(path, read_yaml, Random(1).randint(0, 9), on_bad=lambda bad: None) as questions:
        ((joined, duplicates),) = questions
    assert duplicates == 1
    assert joined.earlier == (UserTurn("Hello", (GoldAnswer("a"), GoldAnswer("b"))),)
    assert joined.answers == (GoldAnswer("Ann"),)
