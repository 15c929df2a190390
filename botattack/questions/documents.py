"""Formats whose records stand inside one document: JSON lists, WebQuestions, WebQuestionsSP, SQuAD, HotpotQA, YAML.

Read as streams: memory holds one record (of SQuAD, one paragraph).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from botattack.errors import QuestionsError
from botattack.model import Fact, Question
from botattack.protocols import BadRecord
from botattack.questions import records
from botattack.questions.files import Unfit, opened
from botattack.questions.lines import decode_json
from botattack.questions.naming import Columns, has_question
from botattack.questions.records import Row
from botattack.questions.stream import LISTS, MEMBERS, Member, Names, members
from botattack.text.sentences import sentence_spans

USUAL: Sequence[Names] = ((), *((name,) for name in LISTS))
MAX_SIZE = 64 << 20
"""Bytes of the largest document that is searched: it is read whole for that."""
_DEEP = 6
"""Mappings and lists around a list of questions, at most."""
_LOOKED_AT = 100
"""The first members of a list, which tell whether it is one of questions."""


def places_of(path: Path, columns: Columns) -> Sequence[Names]:
    """The usual places, if the first member there has a question; else those of the lists most of whose members have
    one. Raises QuestionsError if these are lists of different names."""
    with opened(path) as file:
        first = next(iter(members(file, *USUAL)), None)
    record = None if first is None else _decoded(first.text)
    if isinstance(record, str) or (isinstance(record, dict) and has_question(record, columns)):
        return USUAL
    if path.stat().st_size > MAX_SIZE:
        return USUAL
    with opened(path) as file:
        found = [*dict.fromkeys(_lists(_decoded(file.read()), columns, ()))]
    if len(found) > 1:
        raise QuestionsError(
            f"{path} has questions at {' and '.join(map(shown, found))}: keep one list, or call it `questions`"
        )
    return found or USUAL


def shown(place: Names) -> str:
    """A place as people write it, such as `data[].faqs`."""
    return "".join("[]" if name == MEMBERS else f".{name}" for name in place).lstrip(".") or "its top"


def _decoded(text: bytes) -> object:
    try:
        return decode_json(text)
    except Unfit:
        return None


def _lists(value: object, columns: Columns, way: Names) -> Iterator[Names]:
    if not isinstance(value, dict | list) or len(way) == _DEEP:
        return
    if isinstance(value, list) and _mostly_questions(value[:_LOOKED_AT], columns):
        yield way
        return
    for name, child in value.items() if isinstance(value, dict) else ((MEMBERS, each) for each in value):
        yield from _lists(child, columns, (*way, name))


def _mostly_questions(rows: list[object], columns: Columns) -> bool:
    return 2 * sum(isinstance(row, dict) and has_question(row, columns) for row in rows) > len(rows)


Mapped = Mapping[str, Any]

_VALUE = re.compile(r'\((?:description|number|name\s+[^\s()"]+)\s+("(?:[^"\\]|\\.)*"|[^()"]+?)\s*\)')
"""The readable part of a term of `targetValue`."""


def read_json(path: Path, columns: Columns | None = None, lang: str = "") -> Iterator[Row]:
    """A JSON list, wherever it is in the document, whose members are what a line of JSON lines is."""
    places = places_of(path, columns or {})
    return _records(path, places, lambda record: records.to_question(record, columns or {}, lang))


def read_faqpage(path: Path) -> Iterator[Row]:
    """FAQPage of schema.org, as JSON-LD: the text of an accepted answer is gold; HTML in it is read as text."""
    places = [("mainEntity",), ("@graph", MEMBERS, "mainEntity"), (MEMBERS, "mainEntity")]
    return _records(path, places, _faq)


def _faq(value: object) -> Question:
    record = _mapping(value, "the member of `mainEntity`")
    given = record.get("acceptedAnswer")
    answers = [_mapping(one, "`acceptedAnswer`").get("text") for one in records.each(given, "answer")]
    return records.question(_unmarked(record.get("name", record.get("text"))), [*map(_unmarked, answers)])


def _unmarked(value: object) -> object:
    from turbohtml import parse

    return parse(value).to_text() if isinstance(value, str) and "<" in value else value


def read_webquestions(path: Path) -> Iterator[Row]:
    """WebQuestions: {qId, qText, answers}, or as first published {utterance, targetValue}."""
    return _records(path, [()], _webquestion)


def read_webquestionssp(path: Path) -> Iterator[Row]:
    """WebQuestionsSP: RawQuestion, and the answers of every parse: an entity's name, a value's text.

    An entity that has no name in the file is known by a database id that no bot says; it is no gold answer.
    """
    return _records(path, [("Questions",)], _parsed_question)


def read_hotpotqa(path: Path) -> Iterator[Row]:
    """HotpotQA, as published or as the hub lays it out. Paragraphs are passages, `title: text`; `type` is the kind,
    or yes/no where the answer is one; supporting sentences are facts."""
    return _records(path, [()], _hop_question)


def read_squad(path: Path) -> Iterator[Row]:
    """SQuAD 1 and 2: the paragraph is the passage; the sentences with an answer are facts.

    A question that its paragraph cannot answer comes without gold answers and with the tag `impossible`.
    """
    number = 0
    for number, member in enumerate(_members(path, [("data", MEMBERS, "paragraphs")]), 1):
        place = f"paragraph {number}"
        try:
            context, questions = _paragraph(member)
        except Unfit as why:
            yield BadRecord(member.line, f"{place}: {why}")
            continue
        for index, item in enumerate(questions, 1):
            yield records.reading(member.line, f"{place}, question {index}", _squad_question, context, item)


def read_yaml(path: Path, columns: Columns | None = None, lang: str = "") -> Iterator[Row]:
    """A list, or a mapping with a list at `questions` or `dialogues`, of what a line of JSON lines is; scalars are text
    as written.

    Anchors and aliases are refused, so that a small file cannot become a large one.
    """
    from botattack.questions.yaml_stream import read

    for number, (line, record) in enumerate(read(path), 1):
        if isinstance(record, Unfit):
            yield BadRecord(line, f"record {number}: {record}")
        else:
            yield records.reading(line, f"record {number}", records.to_question, record, columns or {}, lang)


def _members(path: Path, places: Sequence[Names]) -> Iterator[Member]:
    found = False
    with opened(path) as file:
        for member in members(file, *places):
            found = True
            yield member
    if not found:
        where = " or ".join(map(shown, places))
        raise QuestionsError(
            f"{path} contains no JSON list of questions at {where}: put them into a list called `questions`"
        )


def _records(path: Path, places: Sequence[Names], make: Callable[[object], Question]) -> Iterator[Row]:
    for number, member in enumerate(_members(path, places), 1):
        yield records.reading(member.line, f"record {number}", lambda one: make(_value(one)), member)


def _value(member: Member) -> object:
    if member.fault:
        raise Unfit(member.fault)
    return decode_json(member.text)


def _mapping(value: object, name: str) -> Mapped:
    if not isinstance(value, dict):
        raise Unfit(f"{name} is not a mapping")
    return value


def _list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise Unfit(f"{name} is {'missing' if value is None else 'not a list'}")
    return value


def _webquestion(value: object) -> Question:
    record = _mapping(value, "the record")
    if "utterance" in record:
        return records.question(record["utterance"], _target(record.get("targetValue")), key=record.get("id", ""))
    answers = _list(record.get("answers", []), "`answers`")
    return records.question(record.get("qText"), answers, key=record.get("qId", ""))


def _target(value: object) -> list[str]:
    if value is None:
        return []
    terms = _VALUE.findall(records.clean(value, "`targetValue`"))
    if not terms:
        raise Unfit("`targetValue` contains no (description …)")
    return [_unescaped(term) for term in terms]


def _unescaped(term: str) -> str:
    if not term.startswith('"'):
        return term
    try:
        return msgspec.json.decode(term, type=str)
    except msgspec.DecodeError:
        return re.sub(r"\\(.)", r"\1", term[1:-1])


def _parsed_question(value: object) -> Question:
    record = _mapping(value, "the record")
    answers = [
        _named(_mapping(answer, "an answer"))
        for parse in _list(record.get("Parses"), "`Parses`")
        for answer in _list(_mapping(parse, "a parse").get("Answers"), "`Answers`")
    ]
    text = record.get("RawQuestion", record.get("ProcessedQuestion"))
    return records.question(text, [answer for answer in answers if answer], key=record.get("QuestionId", ""))


def _named(answer: Mapped) -> Any:
    if answer.get("EntityName"):
        return answer["EntityName"]
    return "" if answer.get("AnswerType") == "Entity" else answer.get("AnswerArgument")


def _paragraph(member: Member) -> tuple[str, list[object]]:
    paragraph = _mapping(_value(member), "it")
    context = records.clean(paragraph.get("context"), "`context`", strip=False)
    return context, _list(paragraph.get("qas"), "`qas`")


def _squad_question(context: str, value: object) -> Question:
    record = _mapping(value, "the question")
    given = [_mapping(answer, "an answer") for answer in _list(record.get("answers", []), "`answers`")]
    answers = [answer.get("text") for answer in given]
    impossible = record.get("is_impossible") is True
    return records.question(
        record.get("question"),
        [] if impossible else answers,
        passages=context,
        key=record.get("id", ""),
        tags=["impossible"] if impossible else (),
        facts=() if impossible else _sentences_at(context, [answer.get("answer_start") for answer in given]),
    )


def _sentences_at(context: str, starts: list[object]) -> tuple[Fact, ...]:
    """The sentences in which these places are; what is no place is passed over."""
    places = {start for start in starts if type(start) is int}  # True is an `int` as well
    return tuple(
        Fact(0, start, end) for start, end in sentence_spans(context) if any(start <= at < end for at in places)
    )


def _hop_question(value: object) -> Question:
    record = _mapping(value, "the record")
    paragraphs = _paragraphs(record.get("context", []))
    polar = record.get("answer") in ("yes", "no")
    return records.question(
        record.get("question"),
        record.get("answer", ()),
        passages=[paragraph.text for paragraph in paragraphs],
        key=record.get("_id", record.get("id", "")),
        kind="yes/no" if polar else record.get("type", ""),
        tags=record.get("level", ()),
        facts=_supporting(record.get("supporting_facts", []), paragraphs),
    )


class _Paragraph(NamedTuple):
    """A paragraph as a passage, and where its sentences are."""

    title: str
    text: str
    sentences: list[tuple[int, int]]


def _supporting(given: object, paragraphs: list[_Paragraph]) -> tuple[Fact, ...]:
    """The facts of [[title, number of the sentence]…] or {title: […], sent_id: […]}; what names no sentence of the
    paragraphs is passed over."""
    if isinstance(given, dict):
        titles, numbers = (_list(given.get(name), f"`supporting_facts.{name}`") for name in ("title", "sent_id"))
        pairs = [*zip(titles, numbers, strict=False)]
    else:
        pairs = [tuple(_list(pair, "a supporting fact")) for pair in _list(given, "`supporting_facts`")]
    wanted = {pair for pair in pairs if len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], int)}
    return tuple(
        Fact(number, start, end)
        for number, paragraph in enumerate(paragraphs)
        for index, (start, end) in enumerate(paragraph.sentences)
        if (paragraph.title, index) in wanted and start < end
    )


def _paragraphs(context: object) -> list[_Paragraph]:
    """The paragraphs of [[title, [sentence…]]…] or {title: […], sentences: [[…]…]}."""
    if isinstance(context, dict):
        titles, texts = (_list(context.get(name), f"`context.{name}`") for name in ("title", "sentences"))
        if len(titles) != len(texts):
            raise Unfit(f"`context` has {len(titles)} titles and {len(texts)} texts")
        pairs = [*zip(titles, texts, strict=True)]
    else:
        pairs = [tuple(_list(pair, "a paragraph")) for pair in _list(context, "`context`")]
    return [_titled(pair) for pair in pairs]


def _titled(pair: tuple[object, ...]) -> _Paragraph:
    if len(pair) != 2:
        raise Unfit("a paragraph of `context` is not [title, sentences]")
    sentences = [records.clean(sentence, "a sentence", strip=False) for sentence in _list(pair[1], "the sentences")]
    title = records.clean(pair[0], "a title")
    joined = "".join(sentences)
    text = f"{title}: {joined.strip()}"
    shift = len(title) + 2 - (len(joined) - len(joined.lstrip()))
    ends = [*accumulate(map(len, sentences), initial=0)]
    spans = []
    for sentence, start in zip(sentences, ends, strict=False):
        ahead = len(sentence) - len(sentence.lstrip())
        spans.append((start + ahead + shift, start + shift + len(sentence.rstrip()) if sentence.strip() else 0))
    return _Paragraph(title, text, spans)
