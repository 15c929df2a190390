"""How pieces of replies become one text, at the smallest number of pieces and letters that shows it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from botattack.targets.proving.behaviour import Said, goes_on
from botattack.targets.proving.joining import Joined, grows, joined
from botattack.targets.proving.replies import Form

ASKED = ("one?", "two?")


def made(*rows: Sequence[str], form: Form = "sse") -> Joined:
    return joined(form, ASKED[: len(rows)], rows)


@pytest.mark.parametrize(
    ("before", "after", "is_grown"),
    [
        *(("abc", "abcd", True), ("abc", "abX", False), ("abcd", "abXX", True), ("abcd", "aXXX", False)),
        *(("abcdefghij", "abcdefXX", True), ("abcdefghij", "abcdeXX", False), ("", "a", True)),
    ],
)
def test_a_text_grows_if_it_begins_as_before_but_for_its_end(before: str, after: str, is_grown: bool) -> None:
    assert grows([before, after]) is is_grown
    assert grows([before, before, after]) is is_grown


OTHER = ("This was", " another", " one.")


@pytest.mark.parametrize(
    ("rows", "pieces", "doubt"),
    [
        ((("It is", " here.", "It is here."), ("At", " ten.", "At ten.")), "cumulative", ""),
        ((("It is", "It is here"), ("At", "At ten")), "cumulative", ""),
        ((("It is", " here."), ("At", " ten.")), "incremental", ""),
        ((("It is", " here.", "It is here."), OTHER), "incremental", "some replies"),
        ((("It", "It is", "It is here"), OTHER), "incremental", "some replies"),
        ((("It", "It is"), OTHER), "incremental", ""),
        ((("Yes.", "Come in."), ("See you.",)), "messages", "only one message"),
        ((("No.", "Come in."), ("See you",)), "incremental", "between the sentences"),
        ((("Yes.", "Come in."), ("Well.", "At ten.")), "messages", "2 texts"),
        ((("Yes.", "Come in.", "Do."), ("Well.", "At ten.")), "messages", ""),
        ((("a", "b", "c", "d", "e"), ("x", "y")), "incremental", "one long word"),
        ((("a", "b", "c", "d"), ("x", "y")), "incremental", ""),
        ((("0123456789", "0123456789"), OTHER), "incremental", ""),
        ((("abcdefghij ", "abcdefghi k", "abcdefghij abcdefghi k"), OTHER), "incremental", "some replies"),
        ((("01234 6789", " 01234 6789"), OTHER), "incremental", "everything twice"),
        ((("01234 678", " 01234 678"), OTHER), "incremental", ""),
        ((("So?", " It is"), ("So?", " At ten")), "incremental", ""),
        ((("Is it?", "It"), ("Is so", " on")), "incremental", "between the sentences"),
        ((("Let me", " see it"), ("Let me", " go")), "incremental", ""),
        ((("Let me see.", " It is here"), ("Let me see.", " At ten")), "incremental", "begins with 'Let me see.'"),
        ((("See.", " it is here"), ("See.", " at ten")), "incremental", ""),
        ((("It is here.", " Good bye"), ("At ten.", " Good bye")), "incremental", "ends with ' Good bye'"),
    ],
)
def test_pieces_of_a_stream(rows: Sequence[Sequence[str]], pieces: str, doubt: str) -> None:
    found = made(*rows)
    assert (found.pieces, found.doubt if not doubt else doubt in found.doubt) == (pieces, "" if not doubt else True)
    assert bool(found.reason) is not bool(doubt)


@pytest.mark.parametrize("end", [".", "!", "?", "…", "。", "؟", "！", "？", ":"])
def test_pieces_that_end_as_sentences_do_are_messages(end: str) -> None:
    assert made((f"So it is{end}", "Here"), ("Well",)).pieces == "messages"
    for before, after in ((f"So it is{end}", " Here"), (f"So it is{end} ", "Here"), (f"So it is{end}", "here")):
        assert made((before, after), ("Well",)).pieces == "incremental"


@pytest.mark.parametrize(
    ("rows", "several", "glued", "doubt"),
    [
        ((("It is here.",), ("At ten.",)), "", False, ""),
        ((("a", " b", " c", "d", " e"), ("x y",)), "", True, ""),
        ((("a", " b", "c", "d", " e"), ("x y",)), "", True, ""),
        ((("It is", " here", "now and", "then so"), ("At ten",)), "", False, "only one message"),
        ((("It is", "here ", "now", "and", "so it"), ("At ten", " or", "at two")), "", False, "parts of a sentence"),
        ((("Hello!", "It is here."), ("Hello!", "At ten.")), "last", False, ""),
        ((("It is here.", "Bye now!"), ("At ten.", "Bye now!")), "first", False, ""),
        ((("Hello!", "Hm.", "It is here."), ("Hello!", "At ten.")), "", False, "one is no answer: the same"),
        ((("Hello!", "Bye!"), ("Hello!", "Bye!")), "", False, "the first and the last are no answer"),
        ((("It is here.", "Do come."), ("At ten.", "Or at two.")), "", False, "has 2 texts"),
        ((("It is", "here.", "Do."), ("At ten.", "Or at two.")), "", False, "parts of a sentence"),
        ((("It is here.", "Do come.", "Do."), ("At ten.", "Or at two.")), "", False, ""),
    ],
)
def test_members_of_a_list(rows: Sequence[Sequence[str]], several: str, glued: bool, doubt: str) -> None:
    found = made(*rows, form="json")
    assert (found.pieces, found.several, found.glued) == ("", several, glued)
    assert doubt in found.doubt
    assert bool(found.doubt) is bool(doubt)


@pytest.mark.parametrize(
    ("before", "after", "is_one"),
    [
        *((f"It is{sign}", "Here", False) for sign in ".!?:…。؟！？"),
        *((f"the{sign}", "Next", False) for sign in '}])>"”'),
        *((f"the{sign}", "next", True) for sign in '}])>"”'),
        *(("the end", "Next", False), ("the end ", "Next", True), ("It is", "here", True), ("It is", " here", True)),
        *(("It is\n", "here", False), ("It is", "\nhere", False), ("It is ", "{", False), ("It is ", "[0]", False)),
        *(("It is ", "- here", False), ("It is ", "12. here", False), ("", "here", False), (" ", "here", False)),
    ],
)
def test_one_text_continues_in_another_unless_a_sentence_ends(before: str, after: str, is_one: bool) -> None:
    assert goes_on(before, after) is is_one


def said(*texts: str) -> Said:
    return Said(tuple("abcdefg"[at % 2] for at in range(len(texts))), texts)


def test_short_texts_and_those_that_change_by_themselves_count_less() -> None:
    three, two = said("it is here", "so it was"), said("it is", "so was")
    assert (three.score, two.score) == (0, -1)
    assert said("it is 1", "so it was", "it is 2").score == -3  # another number for the same, which is changing
    assert said("it is one", "so it was", "it is two").score == -1
    assert said("is it so?", "so it was?").score == -2


def test_texts_that_share_no_more_for_one_message_than_for_others_are_drawn() -> None:
    assert not said("it is here", "so was that", "it is here now").drawn
    assert said("it is here", "it is there", "so was that").drawn
    assert not said("it is", "so was").drawn


def test_the_piece_that_is_always_there_is_shown_in_part() -> None:
    long = f"Let me {'really ' * 20}see."
    assert f"begins with {long[:80]!r}," in made((long, " It is"), (long, " At ten")).doubt
