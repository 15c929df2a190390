"""What is measured of the form of a reply, of yes and no, and of signs that it declines: each number by itself."""

from __future__ import annotations

import pytest

from botattack.matchers.evidence.all import GROUPS, NAMES, columns
from botattack.matchers.evidence.answer_key import AnswerKey, answer_key
from botattack.matchers.evidence.coverage import match
from botattack.matchers.evidence.reading import read
from botattack.matchers.evidence.traits import Form, Polarity, asks, declining, form, polarity
from botattack.model import GoldAnswer

CAPITAL = "What is the capital of France?"
OPEN = "Is the museum open on Sundays?"


def keyed(question: str, gold: str, refusals: tuple[str, ...] = ()) -> AnswerKey:
    return answer_key(question, (GoldAnswer(gold),), "en", refusals)


def formed(reply: str, gold: str = "Paris", question: str = CAPITAL) -> Form:
    key = keyed(question, gold)
    said = read(reply, key.language)
    found = match(key, said)
    assert found
    return form(key, said, found)


def polar(reply: str, gold: str = "yes", question: str = OPEN) -> Polarity:
    key = keyed(question, gold)
    said = read(reply, key.language)
    found = match(key, said)
    assert found
    return polarity(key, said, found)


def declined(reply: str, *refusals: str) -> dict[str, float]:
    key = keyed(CAPITAL, "Paris", tuple(f" {one} " for one in refusals))
    return declining(key, read(reply, key.language))._asdict()


def test_names_stand_in_the_order_of_what_is_measured() -> None:
    for group, _ in GROUPS:
        assert NAMES[columns(group)] == tuple(f"{group.__name__.lower()}.{name}" for name in group._fields)


@pytest.mark.parametrize(
    ("reply", "name", "number"),
    [
        ("", "words", 0),
        ("Paris", "words", 1),
        ("It is Paris, I say, or so", "words", 7),
        ("It is Paris, I say, or so,", "commas", 2),
        ("Paris", "commas", 0),
        ("It is the capital of France", "novel", 0),
        ("It is Paris or Rome", "novel", 2),
        ("It is the capital of France", "precise", -1),
        ("It is Paris or Rome", "precise", 0.5),
        ("Paris", "precise", 1),
        ("", "from_question", 0),
        ("France has Paris inside", "from_question", 0.25),
        ("the capital of France", "from_question", 1),
        ("It has 12 bridges or 15", "rival_numbers", 2),
        ("It is Paris", "rival_numbers", 0),
        ("It is Rome or Oslo", "rival_names", 2),
        ("It is rome or Paris, France", "rival_names", 0),
        ("It is Paris now", "share", 0.25),
        ("", "share", 1),
        ("Paris? Or Rome? I ask.", "asks", 2),
        ("Paris؟ Or Rome？ I ask!", "asks", 2),
        ("Paris. Or Rome", "asks", 0),
    ],
)
def test_the_form_of_a_reply(reply: str, name: str, number: float) -> None:
    assert getattr(formed(reply), name) == pytest.approx(number)


@pytest.mark.parametrize("word", ["who", "where", "what", "which"])
def test_a_question_word_is_one_at_the_beginning(word: str) -> None:
    key = keyed(f"{word} is it?", "Paris")
    found = match(key, read("x", key.language))
    assert found
    assert asks(key, read("x", key.language), found)._asdict() == {
        **dict.fromkeys(("who", "where", "what", "which"), 0.0),
        word: 1.0,
    }


@pytest.mark.parametrize(
    ("reply", "gold", "expected", "agrees", "implies"),
    [
        ("Yes, it is.", "yes", 1, 1, 1),
        ("No, it is closed.", "yes", 1, -1, None),
        ("Yes, it is.", "no", -1, -1, -1),
        ("No.", "no", -1, 1, None),
        ("The museum is open on Sundays.", "yes", 1, 0, 1),
        ("The museum is not open on Sundays.", "yes", 1, 0, -1),
        ("The museum is not open on Sundays.", "no", -1, 0, 1),
        ("It is nice. The museum is not open on Sundays.", "yes", 1, 0, -1),
        ("Trains do not leave. The museum is open on Sundays.", "yes", 1, 0, 1),
        ("Well, yes.", "yes", 1, 1, 1),
        ("Yes", "at ten", 0, 0, 0),
        ("", "yes", 1, 0, 0),
    ],
)
def test_yes_and_no(reply: str, gold: str, expected: int, agrees: int, implies: int | None) -> None:
    found = polar(reply, gold)
    assert (found.expected, found.agrees) == (expected, agrees)
    assert implies in (None, found.implies)


@pytest.mark.parametrize(
    ("reply", "opens"),
    [
        ("Yes.", 1),
        ("No.", -1),
        ("The museum? Yes.", 0),
        *((f"{'it ' * many}yes", int(many <= 7)) for many in (6, 7, 8)),
    ],
)
def test_what_a_reply_opens_with_is_within_eight_words(reply: str, opens: int) -> None:
    assert polar(reply).opens == polar(reply, "at ten").opens == opens


def test_a_question_that_denies_turns_what_a_reply_implies() -> None:
    asked = "Is the museum not open on Sundays?"
    for reply in ("The museum is open on Sundays.", "The museum is closed on Sundays."):
        assert polar(reply, question=asked).implies == -polar(reply).implies != 0


@pytest.mark.parametrize(
    ("reply", "grants"),
    [
        ("It is so.", 0),
        ("It may be.", 1),
        ("It is allowed and permitted.", 2),
        ("It is forbidden.", -1),
        ("Allowed, not forbidden.", 0),
    ],
)
def test_what_is_allowed_speaks_for_yes_and_what_is_forbidden_against_it(reply: str, grants: int) -> None:
    assert polar(reply).grants == -polar(reply, "no").grants == grants


@pytest.mark.parametrize(("reply", "stated"), [("The museum is open on Sundays.", 1), ("It is.", 0)])
def test_how_much_of_what_was_asked_is_stated(reply: str, stated: float) -> None:
    assert polar(reply).stated == stated
    assert 0 < polar("The museum is open.").stated < 1


@pytest.mark.parametrize(
    ("reply", "name", "number"),
    [
        ("", "declines", 0),
        ("", "place", -1),
        ("", "known", -1),
        ("It is Paris.", "declines", 0),
        ("It is Paris.", "place", -1),
        ("I don't know.", "declines", 1),
        ("I don't know.", "place", 1),
        ("Well, I don't know.", "place", 2),
        ("I don't know. Trains leave daily.", "rest", 3),
        ("I don't know trains that leave daily.", "rest", 0),
        ("The capital of France?", "rest", 0),
        ("Do you mean trains?", "rest", 0),
        ("I say trains", "persons", 1 / 3),
        ("Trains", "persons", 0),
        ("It is Paris. Is that so?", "asks_back", 1),
        ("Is that so? It is Paris.", "asks_back", 0),
        ("It is Paris.", "known", -1),
        ("It is Paris.", "within", -1),
    ],
)
def test_signs_that_a_reply_declines(reply: str, name: str, number: float) -> None:
    assert declined(reply)[name] == pytest.approx(number)


@pytest.mark.parametrize(
    ("reply", "known", "within"),
    [
        ("ask at the desk", 1, 1),
        ("so ask at the desk now", None, 1),
        ("ask at the desk or try again later", 0, 2),
        ("abcd", None, 0),
        ("ask at the desk " * 9, 0, 1),
    ],
)
def test_how_like_a_known_refusal_a_reply_is(reply: str, known: float | None, within: int) -> None:
    found = declined(reply, "ask at the desk", "try again later")
    assert found["within"] == within
    assert found["known"] == known if known is not None else 0 < found["known"] < 1
