"""Where a fact and its passage are after edits, and which passage holds the answer."""

from __future__ import annotations

from itertools import product

import pytest

from botattack.attacks.building.composed_edits import question_after
from botattack.attacks.passages.reading import answer_sentence, holding
from botattack.model import Edit, Fact, GoldAnswer, Question, edited
from botattack.places import Place

TEXT = "abcdefgh"
ASKED = Question("where", (GoldAnswer("cde"),), ("xyz", TEXT), facts=(Fact(1, 2, 5),))


@pytest.mark.parametrize(("start", "end"), [(a, b) for a, b in product(range(9), repeat=2) if a <= b])
@pytest.mark.parametrize("put", ["", "1", "12345"])
def test_a_fact_keeps_its_words_wherever_its_passage_is_edited(start: int, end: int, put: str) -> None:
    edit = Edit(start, TEXT[start:end], put, "x", Place("passage", 1))
    after = question_after(ASKED, edited(ASKED.turns, [edit]), [edit])
    (fact,) = after.facts
    said = after.passages[fact.passage][fact.start : fact.end]
    touched = start < 5 and end > 2
    # A fact that is touched has all that was put there, and what is left of its own words.
    own = TEXT[2 : max(2, start)] + put + TEXT[min(5, end) : 5] if touched else "cde"
    assert (fact.passage, said) == (1, own)


@pytest.mark.parametrize(("index", "passage"), [(0, 2), (1, 2), (2, 1)])
def test_a_passage_that_is_added_before_it_moves_a_fact(index: int, passage: int) -> None:
    edit = Edit(0, "", "new", "x", Place("added passage", index))
    after = question_after(ASKED, edited(ASKED.turns, [edit]), [edit])
    assert after.facts == (Fact(passage, 2, 5),)
    assert after.passages[passage] == TEXT


@pytest.mark.parametrize(
    ("passages", "facts", "number"),
    [
        (("a cde", "b cde"), (), 0),
        (("a cde", "b cde"), ((1, 0, 5),), 1),
        (("a", "b cde", "c"), ((2, 0, 1),), 1),
        (("a cde", "b cde", "c"), ((2, 0, 1), (1, 0, 5)), 1),
        (("a", "b", "c"), ((1, 0, 1), (2, 0, 1)), 1),
        (("a", "b", "c"), (), 2),
    ],
)
def test_the_passage_with_the_answer_is_that_of_a_fact_before_any_other(
    passages: tuple[str, ...], facts: tuple[tuple[int, int, int], ...], number: int
) -> None:
    asked = Question("where", (GoldAnswer("cde"),), passages, facts=tuple(Fact(*fact) for fact in facts))
    assert holding(asked) == number
    assert (answer_sentence(asked) is None) == ("cde" not in passages[number])
