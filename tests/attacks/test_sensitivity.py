"""Leaving out one word at a time: every text once, each word with its role."""

from __future__ import annotations

from random import Random

import pytest

from botattack.attacks.words.sensitivity import Sensitivity
from botattack.model import Question, Variant
from botattack.protocols import Context


def probes(attack: Sensitivity, text: str) -> list[Variant]:
    found: list[Variant] = []
    steps = attack.propose(Context(Question(text)), Random(0))
    batch = next(steps, ())
    while batch:
        found += (one for one in batch if isinstance(one, Variant))
        try:
            batch = steps.send(())
        except StopIteration:
            break
    return found


def test_each_word_goes_once_with_its_sort() -> None:
    found = probes(Sensitivity(roles=False), "Who met Clara in 1887?")
    assert [(one.prompt.text, one.edits[0].pos) for one in found] == [
        ("met Clara in 1887?", "question word"),
        ("Who Clara in 1887?", "other word"),
        ("Who met in 1887?", "name"),
        ("Who met Clara 1887?", "function word"),
        ("Who met Clara in?", "number"),
    ]
    assert all(one.probe for one in found)


@pytest.mark.parametrize(("text", "texts"), [("to to be", ["to be", "to to"]), ("why", []), ("", [])])
def test_no_text_is_asked_twice_and_none_is_empty(text: str, texts: list[str]) -> None:
    assert [one.prompt.text for one in probes(Sensitivity(roles=False), text)] == texts


def test_askings_of_the_same_words_have_numbers_of_their_own() -> None:
    found = probes(Sensitivity(roles=False, times=3), "who is that")[:3]
    assert [(one.prompt.text, one.again) for one in found] == [("is that", number) for number in range(3)]
