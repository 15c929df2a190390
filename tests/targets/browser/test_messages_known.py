"""Messages are known by their elements, wherever these stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.targets.browser.answer_watch import Message, Taken, fresh

Rows = list[tuple[int, str]]


def said(rows: Rows) -> list[Message]:
    return [Message(*row) for row in rows]


@pytest.mark.parametrize(
    ("before", "now", "new"),
    [
        ([(1, "Hello!")], [(1, "Hello!"), (2, "A")], ["A"]),
        ([(1, "Hello!")], [(2, "A"), (1, "Hello!")], ["A"]),
        ([(1, "Hello!")], [(3, "B"), (2, "A"), (1, "Hello!")], ["A", "B"]),
        ([(1, "M1"), (2, "M2")], [(1, "M2"), (2, "A")], ["A"]),
        ([(1, "M1"), (2, "M2"), (3, "M3")], [(2, "M2"), (3, "M3"), (1, "A")], ["A"]),
        ([(1, "M1"), (2, "M2")], [(11, "M1"), (12, "M2"), (13, "A")], ["A"]),
        ([(1, "same")], [(1, "same"), (2, "same")], ["same"]),
        ([(1, "same")], [(1, "same")], []),
        ([(1, "just now")], [(1, "a minute ago")], []),
        ([], [(1, "A"), (2, "B")], ["A", "B"]),
        ([], [(2, "B"), (1, "A")], ["A", "B"]),
    ],
)
def test_what_is_new_is_known_by_identity(before: Rows, now: Rows, new: list[str]) -> None:
    assert [each.text for each in fresh(said(before), said(now))] == new


TEXTS = st.lists(st.text("ab", min_size=1, max_size=2), max_size=5)


@given(old=TEXTS, new=TEXTS, newest_first=st.booleans(), redrawn=st.booleans())
def test_every_new_message_is_found_in_order(old: list[str], new: list[str], newest_first: bool, redrawn: bool) -> None:
    before = [Message(number, text) for number, text in enumerate(old)]
    came = [Message(20 + number, text) for number, text in enumerate(new)]
    kept = [Message(40 + each.mark, each.text) for each in before] if redrawn else before
    now = [*came[::-1], *kept[::-1]] if newest_first else [*kept, *came]
    if redrawn and ({*old} & {*new}):
        return  # nothing tells a message that was drawn again from one that says the same
    found = fresh(before[::-1] if newest_first else before, now)
    assert [each.text for each in found] == new


@pytest.mark.parametrize("newest_first", [False, True])
def test_an_answer_that_grew_is_no_further_message(newest_first: bool) -> None:
    def there(*rows: tuple[int, str]) -> list[Message]:
        return said([*rows][::-1] if newest_first else [*rows])

    taken = Taken((Message(2, "A"),), 0.0, 0.0, tuple(there((1, "Hello!"), (2, "A"))))
    assert (taken.grown(there((1, "Hello!"), (2, "A"))), taken.further(there((1, "Hello!"), (2, "A")))) == ("", "")
    assert (taken.grown(there((1, "Hi!!!!!"), (2, "A, B"))), taken.further(there((1, "Hi"), (2, "A, B")))) == (
        "A, B",
        "",
    )
    assert (
        taken.grown(there((1, "Hello!"), (2, "A"), (3, "C"))),
        taken.further(there((1, "Hello!"), (2, "A"), (3, "C"))),
    ) == ("", "C")
