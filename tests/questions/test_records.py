"""A record of any format as a question: each name of a field, each kind of value and each limit."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from botattack.model import GoldAnswer, Required, Turn
from botattack.questions.files import Unfit
from botattack.questions.naming import NAMES, RIGHT
from botattack.questions.records import MAX_TEXT, MAX_TURNS, said_by_a_bot, to_question

ASKED = "Who won?"
VALUES: dict[str, tuple[Any, Any]] = {
    "question": (ASKED, ASKED),
    "answers": (["Ann", 5], (GoldAnswer("Ann"), GoldAnswer("5"))),
    "regex": ("An+", (GoldAnswer("An+", regex=True),)),
    "key": (7, "7"),
    "kind": ("sport", "sport"),
    "passages": (["One.", "Two. "], ("One.", "Two. ")),
    "history": ([{"speaker": "user", "text": "Hi "}], (Turn("user", "Hi "),)),
    "lang": ("DE", "de"),
    "tags": (["a", 3], ("a", "3")),
    "contains": ("Ann", (Required("contains", "Ann"),)),
    "refuses": (True, (Required("refuses"),)),
    "fields": ({"intent": 3}, (Required("field", "3", "intent"),)),
    "licence": ("MIT", "MIT"),
    "times_asked": ("12", 12),
}
"""A value of each field, and what it becomes."""
PART = {"question": "text", "regex": "answers", **dict.fromkeys(("contains", "refuses", "fields"), "requires")}


def refused(record: Any) -> str:
    with pytest.raises(Unfit) as why:
        to_question(record, {})
    return str(why.value)


@pytest.mark.parametrize(("field", "name"), [(field, name) for field, names in NAMES.items() for name in names])
def test_each_name_of_a_field_is_read(field: str, name: str) -> None:
    if field == "turns":
        assert to_question({name: ["Hi", ASKED]}, {}).earlier[0].text == "Hi"
    elif field == "speaker":
        assert to_question({"question": ASKED, name: "user"}, {}).text == ASKED
        assert "a bot or an agent said it" in refused({"question": ASKED, name: "bot"})
    else:
        value, made = VALUES[field]
        asked = "q" if name == "a" else "question"
        found = to_question({asked: ASKED, name.upper(): value}, {}) if field != "question" else None
        found = found or to_question({name.upper(): value}, {})
        assert getattr(found, PART.get(field, field)) == made


@pytest.mark.parametrize("name", [name for field in RIGHT for name in NAMES[field]])
def test_a_turn_has_its_own_right_answer(name: str) -> None:
    field = next(field for field in RIGHT if name in NAMES[field])
    value, made = VALUES[field]
    for said in ("user", "q" if name == "a" else "text"):
        (turn,) = to_question({"turns": [{said: "Hi", name: value}, ASKED]}, {}).earlier
        assert (turn.text, *(getattr(turn, PART.get(field, field)),)) == ("Hi", made)
    if name != "a":  # which is no answer beside `turns`
        assert f"`{field}` in its turns" in refused({"turns": ["Hi", ASKED], name: value})


@pytest.mark.parametrize("field", ["passages", "history"])
def test_what_belongs_to_a_whole_dialogue_is_refused_in_a_turn(field: str) -> None:
    for name in NAMES[field]:
        assert f"turn 1 has `{name}`" in refused({"turns": [{"user": "Hi", name: VALUES[field][0]}, ASKED]})


@pytest.mark.parametrize(
    ("value", "called"),
    [
        (True, "true or false"),
        *((number, "a number") for number in (3, 2.5, Decimal("1.5"))),
        *(([], "a list"), ({}, "a mapping"), ({1}, "of a type that cannot be read")),
    ],
)
def test_what_is_no_text_is_called_by_its_kind(value: Any, called: str) -> None:
    assert refused({"question": ASKED, "lang": value}) == f"`lang` is {called}, not text"


@pytest.mark.parametrize("flag", [True, "true", False, "false"])
def test_a_flag_may_be_a_word(flag: bool | str) -> None:
    is_set = flag in (True, "true")
    (answer,) = to_question({"question": ASKED, "answers": [{"text": "An+", "regex": flag}]}, {}).answers
    assert answer == GoldAnswer("An+", regex=is_set)
    assert bool(to_question({"question": ASKED, "refuses": flag}, {}).requires) is is_set


@pytest.mark.parametrize(
    "speaker",
    ["bot", "chatbot", "assistant", "ai", "model", "agent", "operator", "support", "system", "tool", "function"],
)
def test_who_answers_asks_nothing(speaker: str) -> None:
    said = (f" #{speaker.upper()} ", *({key: speaker} for key in ("role", "type", "name")))
    assert all(said_by_a_bot(each) for each in said)
    assert not any(said_by_a_bot(each) for each in (f"{speaker}s", {"other": speaker}, None, 3, "user"))


@pytest.mark.parametrize(
    ("said", "speaker"), [("user", "user"), ("human", "user"), ("bot", "bot"), ("assistant", "bot"), ("tool", "")]
)
def test_turns_before_are_of_the_user_or_the_bot(said: str, speaker: str) -> None:
    for name, text in (("speaker", "text"), ("role", "content")):
        record = {"question": ASKED, "history": [{name: said, text: "Hi"}]}
        if speaker:
            assert [(turn.speaker, turn.text) for turn in to_question(record, {}).history] == [(speaker, "Hi")]
        else:
            assert "should be {speaker: user or bot" in refused(record)


def test_texts_and_dialogues_are_read_up_to_their_limits() -> None:
    for letter, size in (("a", 1), ("é", 2)):
        most = MAX_TEXT // size
        assert len(to_question({"question": letter * most}, {}).text) == most
        assert f"longer than 100 kB ({MAX_TEXT + size:,} bytes)" in refused({"question": letter * (most + 1)})
    assert len(to_question({"turns": [ASKED] * MAX_TURNS}, {}).earlier) == MAX_TURNS - 1
    assert "has 201 turns; it should have 1 to 200" in refused({"turns": [ASKED] * (MAX_TURNS + 1)})
    assert "has 0 turns" in refused({"turns": []})


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Decimal("1e5"), "100000"),
        (Decimal("1e30"), "1" + "0" * 30),
        (Decimal("1e31"), "1E+31"),
        (Decimal("1e-30"), "0." + "0" * 29 + "1"),
        (Decimal("1.50"), "1.50"),
        (7, "7"),
        (2.5, "2.5"),
    ],
)
def test_a_number_is_an_answer_as_a_bot_writes_it(value: Any, said: str) -> None:
    assert to_question({"question": ASKED, "answers": value}, {}).answers == (GoldAnswer(said),)


@pytest.mark.parametrize(
    ("value", "number"), [(0, 0), ("9" * 15, 10**15 - 1), ("9" * 16, None), ("-1", None), ("٣", None)]
)
def test_how_often_a_question_was_asked_is_a_number_of_fifteen_digits_at_most(value: Any, number: int | None) -> None:
    record = {"question": ASKED, "times_asked": value}
    if number is None:
        assert f"`times_asked` is {value};" in refused(record)
    else:
        assert to_question(record, {}).times_asked == number
