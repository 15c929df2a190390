"""`stop_at_break`: the variants of the plain draw, one after the other, until one breaks the bot."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from botattack import registry
from botattack.attacks.building.choosing import Choosing
from botattack.attacks.building.settling import settled
from botattack.attacks.letters.dpaeg import Dpaeg
from botattack.model import GoldAnswer, Question, Reply, Variant, Verdict
from botattack.protocols import Attack, Context, Proposals
from tests.attacks.conftest import drive
from tests.attacks.everything import ON_PASSAGES
from tests.attacks.resources import Judge
from tests.attacks.test_every_attack import MODEL_FREE

TEXT = "In which town did Anna visit the river Thames in 1992, and how long didn't she stay?"
STOPPING = sorted(
    name
    for name in registry.BUILT_IN["attacks"]
    if issubclass(registry.find("attacks", name), Choosing)
    and name not in ON_PASSAGES
    and set(registry.find("attacks", name)().parts()) <= MODEL_FREE
)


class AsTheEngineAsks:
    """An attack as a run asks it."""

    def __init__(self, attack: Attack) -> None:
        self.attack = attack

    def parts(self) -> tuple[str, ...]:
        return self.attack.parts()

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from settled(self.attack, context, rng, control=False))


def attempts(attack: Attack, parts: dict[str, Any], parser: Any, judge: Judge) -> list[Variant]:
    context = Context(Question(TEXT, (GoldAnswer("1887"),)), (Reply("x"),), parts)
    found, _ = drive(AsTheEngineAsks(attack), context, Random(1), parser, judge)
    return [variant for variant in found if variant.search in ("", "attempt")]


def test_attacks_that_list_or_draft_candidates_have_it() -> None:
    assert {"dpaeg", "noise", "delete-function-word", "case", "punctuation", "filler", "swap-words"} <= {*STOPPING}


def verdict(variant: Variant, *, broken: bool = False) -> Verdict:
    return Verdict("wrong" if broken == (variant.expect == "same") else "correct")


@pytest.mark.slow
@pytest.mark.parametrize("name", STOPPING)
def test_it_asks_what_the_plain_draw_asks_up_to_the_first_that_breaks(name: str, english: Any, parser: Any) -> None:
    plain, stopping = (registry.find("attacks", name)(stop_at_break=stops) for stops in (False, True))
    whole = [variant.turns for variant in attempts(plain, english, parser, verdict)]
    held = attempts(stopping, english, parser, verdict)
    assert [variant.turns for variant in held] == whole != []
    weak = [variant.turns for variant in held if variant.meaning_as_claimed][-2:]
    broken = attempts(stopping, english, parser, lambda one: verdict(one, broken=one.turns in weak))
    assert [variant.turns for variant in broken] == (whole[: whole.index(weak[0]) + 1] if weak else whole)


def test_it_draws_on_where_the_first_are_unsure(english: Any, parser: Any) -> None:
    sure = [
        sum(variant.meaning_as_claimed for variant in attempts(attack, english, parser, verdict))
        for attack in (Dpaeg(), Dpaeg(stop_at_break=True))
    ]
    assert sure[0] == sure[1] > 0
