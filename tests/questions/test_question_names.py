"""Which text of a record is most like a question, and what is said where none is called so."""

from __future__ import annotations

from typing import Any

import pytest

from botattack.questions.naming import likely_question, missing_question, offered


@pytest.mark.parametrize(
    ("record", "used", "name"),
    [
        ({"a": "one", "b": "two words"}, (), "b"),
        ({"a": "two words", "b": "one"}, (), "a"),
        ({"a": "one", "b": "one"}, (), ""),
        ({"a": "two words", "prompt": "one"}, (), "prompt"),
        ({"a": "two words", "QUERY": "one"}, (), "QUERY"),
        ({"prompt": "one", "a": "Why?"}, (), "a"),
        ({"prompt": "two words", "a": "Why?"}, (), "prompt"),
        ({"prompt": "two words", "a": "Why so?"}, (), "a"),
        ({"a": "Why?", "prompt": " "}, (), "a"),
        ({"a": "Why so?", "b": "Why?"}, ("a",), "b"),
        ({"a": 7, "b": None, "c": {"d": ["one", "Why?"]}}, (), "$.c.d[1]"),
        ({"c": {"d e": "Why?", "it's": "no"}}, (), "$.c['d e']"),
        ({"c": {"it's": "Why?"}}, (), "$.c['it\\'s']"),
    ],
)
def test_a_question_mark_tells_more_than_a_name_and_that_more_than_words(
    record: dict[str, Any], used: tuple[str, ...], name: str
) -> None:
    assert likely_question([record], {*used}) == name


def test_the_text_that_asks_in_most_records_is_the_question() -> None:
    rows = [{"a": "Why?", "b": "One word"}, {"a": "one", "b": "Why so?"}, {"a": "one", "b": "Who is it?"}]
    assert likely_question(rows, set()) == "b"


def test_a_table_without_a_question_says_what_it_has() -> None:
    names = [f"n{number}" for number in range(10)]
    said = missing_question(names, {"question": "Frage"}, [{"n1": "x"}])
    assert "no `Frage`" in said
    assert [name in said for name in names] == [True] * 8 + [False] * 2
    assert "neither `question` nor `text`" in missing_question(["a"], {}, [{"a": "x"}])
    assert "it has nothing" in missing_question([], {}, [])
    assert "did you mean 'a'?" in missing_question(["a", "b"], {}, [{"a": "Wo?", "b": "Hier"}])
    for length in (60, 61):
        assert ("…" in missing_question(["a" * length], {}, [])) == (length > 60)


@pytest.mark.parametrize(
    ("found", "told"),
    [("antwort", "Call it `answers`, or name it "), ("$.a.b", "Name it "), ("$[0].a", "Name it ")],
)
def test_a_column_can_be_renamed_and_a_place_within_a_record_only_named(found: str, told: str) -> None:
    said = offered("answers", found)
    assert said.startswith(f"did you mean {found!r}? {told}")
    assert f"answers={found}" in said
