"""What attacks promise that need lexicons, programs or models: every attack of the registry that the other tests of all
attacks leave out, with the real parts as far as they are here."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from botattack import registry
from botattack.model import GoldAnswer, Question, Turn, Variant
from botattack.text.tokens import normalised
from tests.attacks.everything import ON_PASSAGES, PLAYED, Parts
from tests.attacks.resources import drive
from tests.attacks.test_every_attack import NAMES, torn
from tests.edits import apply_edits

APART = {*ON_PASSAGES, *PLAYED, "at", "chain", "unchanged"}
"""What has tests of its own."""
OTHERS = sorted(set(registry.BUILT_IN["attacks"]) - {*NAMES, *APART})
SAID = ("Which large city was bought with a bike in 1992?", "What is not it?", "What is the big city in 1992?")
QUESTIONS = (
    Question(
        "What is the large old city in France, where a bike was bought in 1992?",
        (GoldAnswer("Lyon"), GoldAnswer("1992")),
        history=(Turn("bot", "hi"),),
    ),
    Question("Who does the early bird not see?"),
)


def proposed(attack: Any, question: Question, everything: Parts, seed: int = 0) -> tuple[list[Variant], int | None]:
    needed = {name: everything[name] for name in attack.parts() if name != "paraphrase"}
    meets = {name: partial(everything.met, name) for name, part in needed.items() if hasattr(part, "meet")}
    return drive(attack, question, needed, {**meets, "paraphrase": lambda _: SAID}, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_promises(name: str, everything: Parts) -> None:
    attack = registry.find("attacks", name)()
    made = 0
    for question in QUESTIONS:
        variants, existing = proposed(attack, question, everything)
        made += len(variants)
        known = {normalised(question.text)}
        for variant in variants:
            assert variant.edits
            assert apply_edits(question.text, variant.edits) == variant.prompt.text
            form = normalised(variant.prompt.text)
            assert form not in known
            known.add(form)
            assert (variant.prompt.history, variant.expect) == (question.history, attack.expect)
            assert (variant.meaning == "kept") == (not variant.why)
            assert not torn(question.text, variant)
            assert "1992" in variant.prompt.text or "1992" not in question.text
        assert existing is None or existing >= len(variants)
        assert (variants, existing) == proposed(attack, question, everything)
    assert made


def test_every_attack_is_here_or_there() -> None:
    assert {"reword", "all-should-not-change", "restate"} <= set(OTHERS)
    assert {*OTHERS, *NAMES, *APART} == set(registry.BUILT_IN["attacks"])
