"""Published question sets, read whole: every record is accounted for."""

from __future__ import annotations

from pathlib import Path

import pytest

from botattack.protocols import BadRecord
from botattack.questions.detect import detect, reader_for
from botattack.questions.order import QuestionSet

SETS = [
    ("webquestions/trainmodel.json", "webquestions", 2834),
    ("webquestions/val.json", "webquestions", 755),
    ("webquestions/devtest.json", "webquestions", 189),
    ("curatedtrec/curated-train.tsv", "curatedtrec", 430),
    ("xquad/xquad.en.part1.json", "squad", 632),
    ("persianqa/pqa_test.part1.json", "squad", 470),
    ("banking77/test.csv", "csv", 3080),
    ("hotpotqa/hotpot_dev_distractor_first50.json", "hotpotqa", 50),
]


@pytest.mark.data
@pytest.mark.parametrize(("name", "reader", "records"), SETS)
def test_every_record_of_a_published_set(data: Path, name: str, reader: str, records: int) -> None:
    bad: list[BadRecord] = []
    assert detect(data / name) == reader
    with QuestionSet.load(data / name, reader_for(data / name), 7, on_bad=bad.append) as questions:
        assert questions.total + questions.duplicates + questions.bad_records == records
        assert len(bad) == questions.bad_records == 0
        found = [question for question, _ in questions]
    gold = [question for question in found if question.answers]
    if reader == "csv":
        assert not gold
        assert all(question.kind for question in found)
    else:
        assert all(question.answers or question.tags == ("impossible",) for question in found)
    if reader in ("squad", "hotpotqa"):
        assert all(question.passages for question in found)
