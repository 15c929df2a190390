"""Formats whose records stand inside one document."""

from __future__ import annotations

import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botattack.errors import QuestionsError
from botattack.model import Fact, GoldAnswer, Question, Turn
from botattack.protocols import BadRecord
from botattack.questions import documents, stream
from botattack.questions.stream import MEMBERS, Member, members

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def gold(*texts: str) -> tuple[GoldAnswer, ...]:
    return tuple(map(GoldAnswer, texts))


class Trickle(io.BytesIO):
    """Gives a few bytes at a time, however many are asked for."""

    step = 3

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self.step)


@pytest.mark.slow
@given(st.lists(values), st.integers(1, 9), st.sampled_from([None, 1]), st.booleans())
def test_members_are_those_of_the_list_in_any_pieces(
    written: list[Any], step: int, indent: int | None, plain: bool
) -> None:
    text = json.dumps({"a": [[1], {"b": [0]}], "b": {"c": written}, "c": [2]}, indent=indent, ensure_ascii=plain)
    file = Trickle(text.encode())
    file.step = step
    found = [*members(file, ("b", "c"))]
    assert [json.loads(member.text) for member in found] == written
    source = text.encode().split(b"\n")
    for member in found:
        assert member.text.split(b"\n")[0] in source[member.line - 1]


@pytest.mark.slow
@settings(max_examples=50)
@given(st.lists(st.lists(values)))
def test_members_of_lists_within_a_list(written: list[list[Any]]) -> None:
    text = json.dumps({"data": [{"title": "[", "paragraphs": inner} for inner in written]})
    found = members(io.BytesIO(text.encode()), ("data", MEMBERS, "paragraphs"))
    assert [json.loads(member.text) for member in found] == [member for inner in written for member in inner]


@given(st.binary())
def test_any_bytes_come_to_an_end(content: bytes) -> None:
    for path in ((), ("data", MEMBERS, "paragraphs")):
        assert all(isinstance(member, Member) for member in members(io.BytesIO(b'{"data": [' + content), path))
        assert all(isinstance(member, Member) for member in members(io.BytesIO(b"[" + content), path))


def test_a_member_that_is_too_long_is_let_go(monkeypatch) -> None:
    monkeypatch.setattr(stream, "MAX_MEMBER", 1 << 20)
    monkeypatch.setattr(stream, "CHUNK", 1 << 16)
    long = "[" + "1,\n" * (1 << 20) + "1]"
    found = [*members(io.BytesIO(f'[1,\n{long},\n"after", "{"x" * (2 << 20)}", 5]'.encode()))]
    assert [member.text for member in found[:3]] == [b"1", b"", b'"after"']
    assert found[1].fault == "it is longer than 1 MB"
    assert found[2].line == (1 << 20) + 3
    assert [member.fault for member in found[3:]] == ["it is longer than 1 MB", ""]


def test_a_text_without_end_is_not_read_whole(monkeypatch) -> None:
    monkeypatch.setattr(stream, "MAX_MEMBER", 1 << 20)
    monkeypatch.setattr(stream, "CHUNK", 1 << 16)
    file = io.BytesIO(b'["a",\n"' + b"x" * (8 << 20))
    first, last = members(file)
    assert (first.text, last.line) == (b'"a"', 2)
    assert last.fault == "a text is longer than 1 MB; is a quote missing? Nothing after it could be read"
    assert file.tell() < 4 << 20


def test_a_file_cut_short_says_so(write) -> None:
    path = write("a.json", '[\n{"qText": "a", "answers": []},\n{"qText": "b", "ans')
    good, bad = documents.read_webquestions(path)
    assert good == Question("a")
    assert bad == BadRecord(3, "record 2: the file ends before its list is closed; it was cut short")


def test_json_list(write) -> None:
    path = write(
        "a.json", '[\n{"question": "Who?", "answer": "me"},\n"Why?",\n{"question": 1},\n5, {"a":}, , {"text": "x"}\n]'
    )
    rows = [*documents.read_json(path)]
    assert [row for row in rows if isinstance(row, Question)] == [
        Question("Who?", gold("me")),
        Question("Why?"),
        Question("x"),
    ]
    assert [(row.line, row.why[:20]) for row in rows if isinstance(row, BadRecord)] == [
        (4, "record 3: the questi"),
        (5, "record 4: the record"),
        (5, "record 5: it is not "),
        (5, "record 6: it is not "),
    ]


def test_webquestions_in_both_shapes(write) -> None:
    records = [
        {"qId": "wqr1", "answers": ["Jazmyn Bieber", "Jaxon Bieber"], "qText": "who?"},
        {"url": "x", "utterance": "what?", "targetValue": '(list (description "A \\"B\\" C") (description Rome))'},
        {"utterance": "how many?", "targetValue": '(list (number 5) (name fb:en.x "X Y"))'},
        {"utterance": "why?", "targetValue": "()"},
        {"qText": "", "answers": []},
        {"qText": "x", "answers": "y"},
        [],
    ]
    rows = [*documents.read_webquestions(write("a.json", json.dumps(records)))]
    assert rows[:3] == [
        Question("who?", gold("Jazmyn Bieber", "Jaxon Bieber"), key="wqr1"),
        Question("what?", gold('A "B" C', "Rome")),
        Question("how many?", gold("5", "X Y")),
    ]
    assert rows[3:] == [
        BadRecord(1, "record 4: `targetValue` contains no (description …)"),
        BadRecord(1, "record 5: the question is empty"),
        BadRecord(1, "record 6: `answers` is not a list"),
        BadRecord(1, "record 7: the record is not a mapping"),
    ]


def test_webquestionssp_takes_names_and_values_of_every_parse(write) -> None:
    entity = {"AnswerType": "Entity", "AnswerArgument": "m.01", "EntityName": "Jaxon Bieber"}
    value = {"AnswerType": "Value", "AnswerArgument": "1994-03-01", "EntityName": None}
    nameless = {"AnswerType": "Entity", "AnswerArgument": "m.02", "EntityName": None}
    question = {
        "QuestionId": "WebQTest-0",
        "RawQuestion": "who?",
        "ProcessedQuestion": "who",
        "Parses": [{"Answers": [entity, nameless]}, {"Answers": [value, entity]}],
    }
    text = json.dumps({"Version": "1.0", "FreebaseVersion": "x", "Questions": [question, {"RawQuestion": "y"}]})
    good, bad = documents.read_webquestionssp(write("a.json", text))
    assert good == Question("who?", gold("Jaxon Bieber", "1994-03-01"), key="WebQTest-0")
    assert bad == BadRecord(1, "record 2: `Parses` is missing")


def test_squad_one_and_two(write) -> None:
    questions = [
        {
            "id": "a",
            "question": "Who?",
            "answers": [{"text": "me", "answer_start": 7}, {"text": "me", "answer_start": 900}],
        },
        {"id": 7, "question": "Why?", "answers": [], "plausible_answers": [{"text": "x"}], "is_impossible": True},
        {"id": "c", "question": "", "answers": []},
        {"id": "d", "question": "Where?", "answers": ["here"]},
    ]
    paragraphs = [{"qas": questions, "context": " It is me. "}, {"context": "x"}, 5]
    text = json.dumps({"version": "v2", "data": [{"title": "t", "paragraphs": paragraphs}, {"title": "empty"}]})
    assert [*documents.read_squad(write("a.json", text))] == [
        Question("Who?", gold("me"), (" It is me. ",), key="a", facts=(Fact(0, 1, 10),)),
        Question("Why?", (), (" It is me. ",), tags=("impossible",), key="7"),
        BadRecord(1, "paragraph 1, question 3: the question is empty"),
        BadRecord(1, "paragraph 1, question 4: an answer is not a mapping"),
        BadRecord(1, "paragraph 2: `qas` is missing"),
        BadRecord(1, "paragraph 3: it is not a mapping"),
    ]


@pytest.mark.parametrize(
    "context",
    [[["Ed Wood", ["He was.", " Yes."]]], {"title": ["Ed Wood"], "sentences": [["He was.", " Yes."]]}],
)
def test_hotpotqa_in_both_layouts(write, context: Any) -> None:
    record = {"_id": "5a", "question": "Who?", "answer": "yes", "type": "bridge", "level": "hard", "context": context}
    bad = {**record, "context": [["Ed Wood"]]}
    named = {**record, "answer": "me"}
    assert [*documents.read_hotpotqa(write("a.json", json.dumps([record, named, bad])))] == [
        Question("Who?", gold("yes"), ("Ed Wood: He was. Yes.",), kind="yes/no", tags=("hard",), key="5a"),
        Question("Who?", gold("me"), ("Ed Wood: He was. Yes.",), kind="bridge", tags=("hard",), key="5a"),
        BadRecord(1, "record 3: a paragraph of `context` is not [title, sentences]"),
    ]


@pytest.mark.parametrize(
    "supporting",
    [[["B", 1], ["A", 0], ["C", 0], ["A", 9]], {"title": ["B", "A", "A"], "sent_id": [1, 0, 9]}],
)
def test_supporting_sentences_of_hotpotqa_are_facts(write, supporting: Any) -> None:
    context = [["A", [" He came. ", "He went. "]], ["B", ["It was.", " It is not. "]]]
    record = {"_id": "5a", "question": "Who?", "answer": "he", "context": context, "supporting_facts": supporting}
    (question,) = documents.read_hotpotqa(write("a.json", json.dumps([record])))
    assert isinstance(question, Question)
    assert [question.passages[fact.passage][fact.start : fact.end] for fact in question.facts] == [
        "He came.",
        "It is not.",
    ]


def test_a_document_without_its_list_is_a_sentence(write) -> None:
    with pytest.raises(QuestionsError, match=r"a\.json contains no JSON list of questions at data\[\]\.paragraphs"):
        [*documents.read_squad(write("a.json", '{"data": {}}'))]
    with pytest.raises(QuestionsError, match="at its top"):
        [*documents.read_json(write("a.json", '{"data": []}'))]


YAML = """
questions:
  - question: "Is it so?"
    answers: [no, 12:30, 0x1F, {text: "a+", regex: true}]
    history: [{speaker: bot, text: Hello}]
  - Who?
  - question: ~
  - &a {question: x}
  - *a
  - {question: x, question: y}
  - question: x
    passages: [[[[[[[[[[1]]]]]]]]]]
  - text: last
"""


def test_yaml_keeps_scalars_as_written_and_reports_the_rest(write) -> None:
    rows = [*documents.read_yaml(write("a.yaml", YAML))]
    assert [row for row in rows if isinstance(row, Question)] == [
        Question(
            "Is it so?",
            (*gold("no", "12:30", "0x1F"), GoldAnswer("a+", regex=True)),
            history=(Turn("bot", "Hello"),),
        ),
        Question("Who?"),
        Question("last"),
    ]
    assert [row for row in rows if isinstance(row, BadRecord)] == [
        BadRecord(7, "record 3: the question is missing, not text"),
        BadRecord(8, "record 4: anchors and aliases are not read here; write the value out"),
        BadRecord(9, "record 5: anchors and aliases are not read here; write the value out"),
        BadRecord(10, "record 6: `question` is there twice"),
        BadRecord(11, "record 7: it is nested too deeply"),
    ]


def test_yaml_that_breaks_keeps_what_came_before(write) -> None:
    good, bad = documents.read_yaml(write("a.yaml", "- Who?\n- question: 'x\n"))
    assert good == Question("Who?")
    assert isinstance(bad, BadRecord)
    assert bad.line == 3
    assert "it is not YAML: found unexpected end of stream; nothing after it could be read" in bad.why


def test_yaml_keys_of_any_kind_are_passed_over(write) -> None:
    text = "? [a, b]\n: c\n? {d: e}\n: [f]\nquestions:\n- Who?\n"
    assert [*documents.read_yaml(write("a.yaml", text))] == [Question("Who?")]


@pytest.mark.parametrize("text", ["a: 1", "just text", "{questions: 5}"])
def test_yaml_without_a_list_is_a_sentence(write, text: str) -> None:
    with pytest.raises(QuestionsError, match=r"contains no list of questions: start each with `- question: …`"):
        [*documents.read_yaml(write("a.yaml", text))]


def test_yaml_builds_no_object(write) -> None:
    (row,) = documents.read_yaml(write("a.yaml", "- question: !!python/object/apply:os.getcwd []\n"))
    assert row == BadRecord(1, "record 1: the question is a list, not text")


@pytest.mark.slow
@given(st.binary(max_size=200))
def test_no_bytes_make_a_reader_fail_otherwise_than_by_a_sentence(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "a")
        for start in (b"", b"- ", b"[{", b'{"data": [{"paragraphs": [{'):
            path.write_bytes(start + content)
            for name in ("json", "yaml", "webquestions", "webquestionssp", "squad", "hotpotqa"):
                try:
                    rows = [*getattr(documents, f"read_{name}")(path)]
                except QuestionsError:
                    continue
                assert all(isinstance(row, Question | BadRecord) for row in rows)
