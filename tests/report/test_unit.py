"""One asking in words, whatever the recording says of it."""

from __future__ import annotations

import msgspec
import pytest

from botattack.errors import RecordingError
from botattack.events import QuestionOpened, VariantJudged
from botattack.model import Edit
from botattack.places import Place
from tests.report.streams import Asking, Try, edit, of_unit, stream

TEXT = "what is the capital of france"
EVENTS = stream([Asking(TEXT, tries=(Try("wrong", (edit(TEXT, "capital", "captial"),)),))])
(JUDGED,) = (event for event in EVENTS if isinstance(event, VariantJudged))


@pytest.mark.parametrize(
    ("edits", "shown"),
    [
        (JUDGED.edits, ["what is the [capital → captial] of france"]),
        ((Edit(0, "Paris", "Pairs", "typo", Place("passage", 0)),), [TEXT, "passage 0: [Paris → Pairs]"]),
        ((Edit(5, "elsewhere", "x", "typo"),), [TEXT]),
        ((), [TEXT]),
    ],
)
def test_the_question_stands_with_its_edits_wherever_they_are(edits: tuple[Edit, ...], shown: list[str]) -> None:
    told = [msgspec.structs.replace(event, edits=edits) if event is JUDGED else event for event in EVENTS]
    lines = of_unit(told, JUDGED.unit).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("question "))
    last = next(number for number, line in enumerate(lines) if line.startswith("sent "))
    assert [line[11:] for line in lines[first:last]] == shown


@pytest.mark.parametrize("unit", [JUDGED.unit, "original.0"])
def test_a_question_that_never_came_is_damage_and_no_fault(unit: str) -> None:
    told = [event for event in EVENTS if not isinstance(event, QuestionOpened)]
    with pytest.raises(RecordingError, match="asked and never opened"):
        of_unit(told, unit)
