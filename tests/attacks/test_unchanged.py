from random import Random

import pytest

from botattack.attacks.unchanged import Unchanged
from botattack.model import Question, Turn
from botattack.protocols import Context

QUESTION = Question("who are you?", passages=("a",), history=(Turn("bot", "hi"),))


@pytest.mark.parametrize("times", [1, 3])
def test_the_original_is_asked_again(times: int) -> None:
    steps = Unchanged(times=times).propose(Context(QUESTION), Random(0))
    variants = next(steps)
    assert len(variants) == times
    for variant in variants:
        assert variant.turns == (QUESTION.prompt,)
        assert (variant.attack, variant.edits, variant.distance, variant.expect) == ("unchanged", (), 0, "same")
    with pytest.raises(StopIteration) as stop:
        steps.send([None] * times)
    assert stop.value.value == times


def test_it_needs_nothing() -> None:
    assert Unchanged().parts() == ()
