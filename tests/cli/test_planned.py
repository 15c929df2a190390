"""How many requests of a question an attack may make, read off its options."""

from __future__ import annotations

import pytest

from botattack.attacks.building.settling import most_of
from botattack.attacks.combined.chain import Chain
from botattack.attacks.letters.dpaeg import Dpaeg
from botattack.attacks.passages.add_any import AddAny
from botattack.attacks.sentences.restate import Restate
from botattack.attacks.unchanged import Unchanged
from botattack.protocols import Attack


@pytest.mark.parametrize(
    ("attack", "most"),
    [
        (Dpaeg(per_question=7), 7),
        (Dpaeg(stop_at_break=True, per_question=12), 15),
        (AddAny(queries=30), 33),
        (Unchanged(), 1),
        (Chain((Restate(per_question=2), Dpaeg(per_question=3))), 6),
        (Chain((Restate(per_question=2), Dpaeg(stop_at_break=True, per_question=15))), 33),
    ],
)
def test_the_most_of_a_question(attack: Attack, most: int) -> None:
    """What breaks the bot at last is asked again three times beyond `per_question`."""
    assert most_of(attack) == most


def test_the_control_of_a_search_at_most_doubles_it() -> None:
    search = Dpaeg(stop_at_break=True, per_question=30)
    assert 30 + 33 <= (most_of(search, control=True) or 0) <= 2 * 33
    assert most_of(Dpaeg(per_question=7), control=True) == 7
