from collections.abc import Iterable
from random import Random

import pytest

from botattack.events import Event
from botattack.model import Edit
from botattack.report.figures.findings import Finding, plain_slip
from botattack.report.writers.material import material
from tests.report.streams import Asking, Try, edit, stream


def findings_of(told: Iterable[Event]) -> tuple[Finding, ...]:
    events = list(told)
    return material(lambda: events).findings


def question(number: int, *sizes: int, **more: object) -> Asking:
    """A question broken by one edit of each size."""
    text = f"w{number} is the capital"
    tries = tuple(
        Try("wrong", (Edit(0, "w", "v" * size, "typo"),), distance=size, reply=f"no {size}") for size in sizes
    )
    return Asking(text=text, tries=tries, **more)  # type: ignore[arg-type]


def test_the_shortest_come_first() -> None:
    found = findings_of(stream([question(1, 3, 1), question(2, 2)]))
    assert [(finding.distance, finding.got) for finding in found] == [(1, "no 1"), (2, "no 2"), (3, "no 3")]
    assert found[0].expected == ("Paris",)
    assert found[0].sent == "v1 is the capital"
    assert found[0].question == "w1 is the capital"


def test_no_question_comes_again_while_others_have_some() -> None:
    found = findings_of(stream([question(1, *[1] * 20), *(question(number, 4, 4, 4) for number in range(2, 6))]))
    assert len(found) == 10
    assert [len({finding.question for finding in found[start : start + 5]}) for start in (0, 5)] == [5, 5]


def test_one_question_fills_the_list_where_it_is_alone() -> None:
    found = findings_of(stream([question(1, 1, 2, 3, 4, 5), question(2, 9)]))
    assert [finding.distance for finding in found] == [1, 9, 2, 3, 4, 5]


def broken(text: str, *edits: tuple[str, str, str]) -> Asking:
    """Broken by one edit each: attack, and the word before and after."""
    return Asking(
        text=text,
        tries=tuple(
            Try("wrong", (edit(text, before, after, "typo"),), attack, distance=abs(len(after) - len(before)) + 1)
            for attack, before, after in edits
        ),
    )


def test_no_edit_comes_again_while_others_are_left() -> None:
    same = [broken(f"what does {word} stand for", ("dpaeg", "stand", "stnad")) for word in ("DNA", "FBI", "GUI", "FTP")]
    others = [
        broken("what does a whale eat every day", ("dpaeg", "whale", "whaleee")),
        broken("what does the OLD word Stand mean", ("dpaeg", "Stand", "Stnad"), ("dpaeg", "mean", "meannn")),
    ]
    found = findings_of(stream([*same, *others]))
    assert [finding.edits[0].after for finding in found[:3]] == ["stnad", "whaleee", "meannn"]
    assert {finding.edits[0].after.casefold() for finding in found[3:]} == {"stnad"}
    assert len({finding.question for finding in found[:6]}) == len(found) - 1 == 6


def test_attacks_take_turns_however_long_their_edits_are() -> None:
    asked = [
        broken(
            f"who wrote the book number {word}", ("invisible", word, f"{word}."), ("negate", "wrote", "did not write")
        )
        for word in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    ]
    asked.append(broken("who then ate the cake", ("dpaeg", "cake", "caek")))
    found = findings_of(stream(asked))
    assert [finding.attack for finding in found] == ["dpaeg", *["invisible", "negate"] * 4, "invisible"]
    assert len({finding.question for finding in found}) == 10


def test_only_what_enters_a_rate_is_found() -> None:
    typo = (edit("what is it", "what", "whta"),)
    base = Asking(text="what is it")
    nothing = [
        Asking(text="what is it", standing="wrong", attacked=True, tries=(Try("wrong", typo),)),
        Asking(text="what is it?", tries=(Try("correct", typo), Try("error", typo), Try("unsure", typo))),
        Asking(text="what is it!", tries=(Try("wrong", typo, meaning="unsure"), Try("wrong", (), "unchanged"))),
        base,
    ]
    assert findings_of(stream(nothing)) == ()


def test_own_reference_expects_the_bots_own_reply() -> None:
    (found,) = findings_of(stream([question(1, 1, reference="own", reply="It is Paris.", answers=())]))
    assert (found.reference, found.expected) == ("own", ("It is Paris.",))


def test_order_of_questions_changes_nothing() -> None:
    many = [question(number, *(1 + (number * step) % 5 for step in range(1, 4))) for number in range(30)]
    draw = Random(2)
    for number in range(60):
        words = ("alpha", "bravo", "charlie")
        tries = [(draw.choice(("a", "b", "c")), word, word[: draw.randrange(5)]) for word in words]
        many.append(broken(f"alpha bravo charlie {number}", *tries))
    first = findings_of(stream(many))
    Random(1).shuffle(many)
    assert findings_of(stream(many)) == first


def test_open_questions_count_and_replies_are_cut() -> None:
    one = Asking(text="w", closed=False, tries=(Try("wrong", (Edit(0, "w", "v", "typo"),), reply="x" * 1_000_000),))
    (found,) = findings_of(stream([one]))
    assert len(found.got) < 5000


@pytest.mark.parametrize(
    ("before", "after", "kind", "plain"),
    [
        ("capital", "captial", "typo", True),
        ("Linux", "Linix", "typo", True),
        ("capital", "capitol", "similar", False),
        ("cat", "cot", "similar", False),
        ("FTP", "FPT", "typo", False),
        ("UNESCO", "UNECSO", "typo", False),
        ("hole", "hoe", "typo", False),
        ("10000", "10001", "keyboard", False),
        ("capital", "", "removed", False),
        ("capital", "main city", "synonym", False),
        ("capital", "CAPITAL", "upper", True),
        ("capital", "cap\u200bital", "in-words", True),
        ("", "?!", "doubled", True),
        ("", " not", "negated", False),
        ("", ", please", "after", True),
        ("capital", "captail", "swap + typo", True),
        ("capital", "capitol", "typo + similar", False),
    ],
)
def test_what_surely_leaves_the_question_what_it_was(before: str, after: str, kind: str, plain: bool) -> None:
    assert plain_slip(Edit(0, before, after, kind)) is plain


def test_equally_short_edits_that_surely_ask_the_same_come_first() -> None:
    tries = [
        ("FTP", "FPT", "typo"),
        ("cat", "cot", "similar"),
        ("sound", "soudn", "typo"),
        ("protocol", "portocol", "typo"),
    ]
    asked = [
        Asking(
            text=f"What {before} is this?",
            tries=(Try("wrong", (edit(f"What {before} is this?", before, after, kind),), distance=1),),
        )
        for before, after, kind in tries
    ]
    text = "What cat makes this sound?"
    both = [
        Try("wrong", (edit(text, "cat", "cot", "similar"),), distance=1),
        Try("wrong", (edit(text, "sound", "soudn", "typo"),), distance=1),
    ]
    found = findings_of(stream([*asked, Asking(text=text, tries=tuple(both))]))
    assert [finding.edits[0].after for finding in found] == ["soudn", "portocol", "FPT", "cot", "soudn", "cot"]


def test_a_longer_edit_never_comes_first_however_sure() -> None:
    short, sure = "What is a cat?", "What is a protocol?"
    asked = [
        Asking(text=sure, tries=(Try("wrong", (edit(sure, "protocol", "prtocl", "typo"),), distance=2),)),
        Asking(text=short, tries=(Try("wrong", (edit(short, "cat", "cot", "similar"),), distance=1),)),
    ]
    assert [finding.distance for finding in findings_of(stream(asked))] == [1, 2]


def test_where_the_answer_must_change_no_edit_is_in_doubt() -> None:
    text = "Is Rome in Italy now?"
    tries = (
        Try("correct", (edit(text, "Rome", "Oslo", "confused"),), distance=1, expect="different", meaning="changed"),
        Try("correct", (edit(text, "Italy", "Itlay", "typo"),), distance=1, expect="different", meaning="changed"),
    )
    found = findings_of(stream([Asking(text=text, tries=tries)]))
    assert [finding.edits[0].after for finding in found] == ["Oslo", "Itlay"]
