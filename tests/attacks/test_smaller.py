"""Smaller versions of edits: what delta debugging finds, and what edits may be taken apart into."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.attacks.combined.shrink import Broke, Piece, Shrink, ddmin, edits_of, parts_of, pieces_of
from botattack.model import Edit, Outcome, Prompt, Question, Verdict, edited
from botattack.places import Place
from botattack.protocols import Context

TEXT = st.text(alphabet="ab é,.\u200b", max_size=30)


def smallest(count: int, needed: set[int]) -> tuple[list[int], int]:
    """What is left of so many parts of which `needed` break the bot together, and how many selections were tried."""
    tried: list[Any] = []

    def breaks(parts: Sequence[Any]) -> Generator[Any, Any, bool]:
        tried.append(parts)
        yield from ()
        return needed <= {piece.number for part in parts for piece in part}

    search = ddmin([(Piece(n, n, 0, 0, ""),) for n in range(count)], breaks)
    with pytest.raises(StopIteration) as end:
        next(search)
    return [piece.number for part in end.value.value for piece in part], len(tried)


@given(st.integers(1, 24).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1), min_size=1))))
def test_exactly_what_breaks_the_bot_is_left(case: tuple[int, set[int]]) -> None:
    left, tried = smallest(*case)
    assert sorted(left) == sorted(case[1])
    assert tried <= case[0] ** 2 + 3 * case[0]


def test_one_of_many_is_found_in_a_few_steps() -> None:
    left, tried = smallest(64, {41})
    assert left == [41]
    assert tried <= 2 * 6


@given(st.lists(st.tuples(TEXT, TEXT), max_size=4))
def test_all_pieces_together_are_the_edits(texts: list[tuple[str, str]]) -> None:
    edits = tuple(Edit(40 * n, before, after, "any") for n, (before, after) in enumerate(texts) if before != after)
    pieces = pieces_of(edits)
    assert edits_of(edits, pieces) == edits
    for whole_edits in (True, False):
        together = [piece for part in parts_of(pieces, whole_edits=whole_edits) for piece in part]
        assert sorted(together) == pieces


def pieces(before: str, after: str) -> list[str]:
    """What is left of an edit when each of its parts is made alone."""
    edits = (Edit(0, before, after, "any", Place("question") if before else Place("added passage", 0)),)
    alone = [edits_of(edits, part) for part in parts_of(pieces_of(edits), whole_edits=False)]
    return [made[0].after for made in alone]


def test_letters_of_a_misspelt_word_are_pieces() -> None:
    assert pieces("capital", "cabitol") == ["cabital", "capitol"]


def test_words_of_a_sentence_are_pieces_and_another_word_is_whole() -> None:
    assert pieces("buy a big old house", "purchase a big ald house") == [
        "purchase a big old house",
        "buy a big ald house",
    ]


def test_a_word_that_moved_is_never_half_moved() -> None:
    assert pieces("show me the red fast car there", "fast show me the red car there") == [
        "fast show me the red car there"
    ]


def test_a_sentence_that_was_added_stays_whole() -> None:
    """Less of it could say what is not so: without "not", that Lyon is the capital."""
    added = "Lyon is not the capital of France. It has a cathedral. Dr. Roux lives there."
    assert pieces("", added) == ["Lyon is not the capital of France. ", "It has a cathedral. ", "Dr. Roux lives there."]


def test_a_text_that_was_written_anew_is_whole() -> None:
    assert pieces("The tower was built in 1887.", "Nobody knows when that happened.") == [
        "Nobody knows when that happened."
    ]


def test_a_question_that_was_restated_is_never_half_restated() -> None:
    """A misspelling that came on top of it can go alone, and so can a dropped word where nothing was put in."""
    restated = (
        Edit(0, "Who", "By", "passive"),
        Edit(4, "takes", "whom is", "passive"),
        Edit(13, "old", "oold", "typo"),
        Edit(25, "", " taken", "passive"),
    )
    whole, typo = parts_of(pieces_of(restated), whole_edits=True)
    assert edits_of(restated, whole) == (*restated[:2], restated[3])
    assert edits_of(restated, typo) == (restated[2],)
    dropped = (Edit(3, " the", "", "dropped"), Edit(12, " of", "", "dropped"))
    assert len(parts_of(pieces_of(dropped), whole_edits=True)) == 2


def test_half_of_a_passage_that_was_added_is_still_one_passage() -> None:
    edits = (Edit(0, "", "One. Two. Three.", "any", Place("added passage", 0)),)
    first, _, third = parts_of(pieces_of(edits), whole_edits=False)
    (sent,) = edited((Prompt("why?"),), edits_of(edits, [*first, *third]))
    assert sent.passages == ("One. Three.",)


ASKED = "What is the capital of France?"
ODD = (
    Edit(0, "What", "Yhat", "noise"),
    Edit(5, "is", "si", "noise"),
    Edit(8, "the", "tje", "noise"),
    Edit(12, "capital", "cwpital", "noise"),
    Edit(23, "France", "Arance", "noise"),
)
INVISIBLE = tuple(Edit(at, "", "\u2060", "invisible") for at, sign in enumerate(ASKED) if sign == " ")
CAPITALS = Edit(12, "capital", "caPITAL", "random")


@pytest.mark.parametrize(
    ("edits", "breaks", "smallest"),
    [
        (ODD, lambda text: len(set(text.split()) - set(ASKED.split())) > 0, 1),
        (ODD, lambda text: len(set(text.split()) - set(ASKED.split())) > 2, 3),
        (INVISIBLE, lambda text: not text.isascii(), 1),
        ((Edit(0, "", "like, ", "before"), Edit(29, "", " lol", "after")), lambda text: len(text) > len(ASKED), 6),
        ((CAPITALS,), lambda text: sum(map(str.isupper, text)) > 3, 2),
        ((Edit(12, "capital", "cabbitll", "noise"),), lambda text: "capital" not in text, 1),
        ((Edit(12, "capital", "ital", "noise"),), lambda text: "capital" not in text, 1),
    ],
)
def test_nothing_smaller_breaks_the_bot(edits: tuple[Edit, ...], breaks: Callable[[str], bool], smallest: int) -> None:
    """Of what one edit less, or a letter of it less, would be; the bot errs exactly where `breaks` says so."""
    question = Question(ASKED)
    found = {question.id: [Broke("unit", edits)]}
    search = Shrink.of("any", "run", found, 3).propose(Context(question), Random(0))
    sent, distances = next(search), list[int]()
    with suppress(StopIteration):
        while True:
            wrong = bool(sent[0].edits) and breaks(sent[0].prompt.text)
            distances += [sent[0].distance] * wrong
            sent = search.send([Outcome(sent[0], (), Verdict("wrong" if wrong else "correct"))])
    assert distances[-1] == smallest


@given(st.text("aßsSçÇİiﬁΣς xY", min_size=1, max_size=12), st.integers(0))
def test_parts_of_another_case_are_of_another_case_alone(before: str, which: int) -> None:
    """A letter may become two: half of them would be a misspelling."""
    after = "".join(letter.upper() if which >> at & 1 else letter for at, letter in enumerate(before))
    for made in pieces(before, after) if before.casefold() == after.casefold() != "" and before != after else ():
        assert made.casefold() == before.casefold()
