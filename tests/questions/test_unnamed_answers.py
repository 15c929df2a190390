"""Files as people have them: answers under another name, Excel's first line, and languages nobody names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from botattack.errors import QuestionsError
from botattack.model import Question
from botattack.protocols import BadRecord
from botattack.questions.detect import reader_for
from tests.questions.conftest import Write
from tests.questions.test_files_people_have import workbook

NAMES = [
    *("expected", "Expected Answer", "gold", "reference", "expected_answer", "response", "ground_truth", "label"),
    "Reply",
    *("groundTruth", "gold-answers", "GOLD"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_column_that_may_be_the_answers_is_offered_and_taken_only_by_name(write: Write, name: str) -> None:
    table = write("faq.csv", f"question,{name}\nWho wrote Emma?,Jane Austen\n")
    with pytest.raises(QuestionsError, match=f"did you mean '{name}'.*columns: {{answers: {name}}}"):
        list(reader_for(table)(table))
    lines = write("faq.jsonl", json.dumps({"question": "Who wrote Emma?", name: "Jane Austen"}) + "\n")
    (bad,) = reader_for(lines)(lines)
    assert isinstance(bad, BadRecord)
    assert f"columns: {{answers: {name}}}" in bad.why
    for path in (table, lines):
        (question,) = reader_for(path, columns={"answers": name})(path)
        assert isinstance(question, Question)
        assert [answer.text for answer in question.answers] == ["Jane Austen"]


def test_a_turn_of_a_dialogue_is_no_exception(write: Write) -> None:
    path = write("talk.jsonl", json.dumps({"turns": [{"user": "Who wrote Emma?", "expected": "Austen"}, "When?"]}))
    (bad,) = reader_for(path)(path)
    assert isinstance(bad, BadRecord)
    assert "turn 1" in bad.why


@pytest.mark.parametrize("record", [{"answers": ["Austen"], "response": "It was."}, {"refuses": True, "label": "x"}])
def test_beside_what_says_what_is_right_such_a_name_is_nothing_special(write: Write, record: dict[str, object]) -> None:
    path = write("faq.jsonl", json.dumps({"question": "Who wrote Emma?", **record}))
    (question,) = reader_for(path)(path)
    assert isinstance(question, Question)


SLIPS = [
    ("anwsers", "answers"),
    ("Answr", "answer"),
    ("pasages", "passages"),
    ("contians", "contains"),
    ("refused", "refuses"),
    ("regexp", "regex"),
    ("langauge", "language"),
    ("Antwrot", "antwort"),
]


@pytest.mark.parametrize("file", ["faq.csv", "faq.tsv", "faq.xlsx", "faq.jsonl", "faq.json", "faq.yaml"])
@pytest.mark.parametrize(("name", "meant"), SLIPS)
def test_a_misspelt_name_is_refused_with_the_right_one(tmp_path: Path, file: str, name: str, meant: str) -> None:
    said = complaint(tmp_path / file, ["question", name], ["Who wrote Emma?", "Austen"])
    assert f"{name!r}; did you mean {meant!r}?" in said


OTHERS = [
    "contexts",
    "categories",
    "languages",
    "field",
    "gender",
    "content",
    "turn",
    "source",
    "test",
    "answer_id",
    "dialogue_id",
    "context_id",
    "keys",
    "split",
]


@pytest.mark.parametrize("file", ["faq.csv", "faq.xlsx", "faq.jsonl", "faq.yaml"])
def test_a_name_of_its_own_is_left_alone(tmp_path: Path, file: str) -> None:
    row = ["Who wrote Emma?", "Austen", *("x" for _ in OTHERS), "z"]
    assert not complaint(tmp_path / file, ["question", "answers", *OTHERS, "anwsers"], row)


def complaint(path: Path, header: list[str], row: list[str]) -> str:
    """Why a file of this one record cannot be read; empty if it can."""
    if path.suffix == ".xlsx":
        workbook(path, {"FAQ": [header, row]})
    elif path.suffix in (".csv", ".tsv"):
        sign = "," if path.suffix == ".csv" else "\t"
        path.write_text(f"{sign.join(header)}\n{sign.join(row)}\n")
    else:
        record = dict(zip(header, row, strict=True))
        path.write_text(json.dumps(record if path.suffix == ".jsonl" else [record]))
    try:
        return next((each.why for each in reader_for(path)(path) if isinstance(each, BadRecord)), "")
    except QuestionsError as error:
        return str(error)


def test_a_turn_has_no_misspelt_names_either(write: Write) -> None:
    path = write("talk.jsonl", json.dumps({"turns": [{"user": "Who?", "anwser": "Austen"}, "When?"]}))
    (bad,) = reader_for(path)(path)
    assert isinstance(bad, BadRecord)
    assert "turn 1: nothing reads its 'anwser'" in bad.why


@pytest.mark.parametrize("sign", [";", ",", "\t", "|"])
def test_the_line_that_excel_wants_names_the_separator(write: Write, sign: str) -> None:
    path = write(
        "faq.csv", f"sep={sign}\r\nquestion{sign}answers\r\nWho wrote Emma?{sign}Jane Austen\r\nWhy?{sign}\r\n"
    )
    first, second = reader_for(path)(path)
    assert isinstance(first, Question)
    assert isinstance(second, Question)
    assert ([answer.text for answer in first.answers], second.text) == (["Jane Austen"], "Why?")


@pytest.mark.parametrize(
    ("lang", "question", "answer"),
    [
        ("fa", "شرکت Apple در چه سالی تاسیس شد؟", "۱۳۵۵"),
        ("fa", "پایتخت ایران کجاست؟", "تهران"),
        ("ar", "ما هي عاصمة مصر؟", "القاهرة"),
        ("ru", "Кто написал «Идиота»?", "Достоевский"),
        ("zh", "中国的首都是哪里？", "北京"),
    ],
)
def test_squad_in_another_script_needs_no_language(write: Write, lang: str, question: str, answer: str) -> None:
    answers = [{"text": answer, "answer_start": 0}]
    paragraph = {"context": f"{answer} .", "qas": [{"id": "1", "question": question, "answers": answers}]}
    path = write("qa.json", json.dumps({"data": [{"title": "x", "paragraphs": [paragraph]}]}, ensure_ascii=False))
    (read,) = reader_for(path)(path)
    assert isinstance(read, Question)
    assert (read.lang, [gold.text for gold in read.answers]) == (lang, [answer])
