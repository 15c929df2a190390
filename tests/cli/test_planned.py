"""How many requests of a question an attack may make, read off its options."""

from __future__ import annotations

import pytest

from botattack.attacks.combined.chain import Chain
from botattack.attacks.letters.dpaeg import Dpaeg
from botattack.attacks.sentences.restate import Restate
from botattack.attacks.unchanged import Unchanged
from botattack.audit.job import most_of
from botattack.protocols import Attack


@pytest.mark.parametrize(
    ("attack", "most"),
    [
        (Dpaeg(per_question=7), 7),
        (Dpaeg(search="greedy", queries=30), 30),
        (Dpaeg(search="in-order", queries=12), 12),
        (Unchanged(), 1),
        (Chain((Restate(per_question=2), Dpaeg(per_question=3))), 6),
        (Chain((Restate(per_question=2), Dpaeg(search="beam", queries=15))), 15),
    ],
)
def test_the_most_of_a_question(attack: Attack, most: int) -> None:
    assert most_of(attack) == most
