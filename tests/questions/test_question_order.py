"""The question set: order, duplicates, limit, shards, memory."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.errors import QuestionsError
from botattack.model import GoldAnswer, Question
from botattack.protocols import BadRecord
from botattack.questions import order
from botattack.questions.order import QuestionSet, order_key

Row = Question | BadRecord


@pytest.fixture(scope="module", autouse=True)
def _all_may_be_lost() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "MOST_LOST", 1)
        yield


def loaded(rows: list[Row], seed: int = 7, limit: int | None = None, shard: tuple[int, int] = (1, 1)) -> QuestionSet:
    return QuestionSet.load(Path("set"), lambda path: iter(rows), seed, limit, on_bad=[].append, shard=shard)


def asked(rows: list[Row], seed: int = 7, limit: int | None = None, shard: tuple[int, int] = (1, 1)) -> list[str]:
    with loaded(rows, seed, limit, shard) as questions:
        texts = [question.text for question, _ in questions]
        assert len(questions) == len(texts)
    return texts


rows = st.lists(
    st.builds(
        Question,
        st.sampled_from("abcdefghij"),
        st.lists(st.builds(GoldAnswer, st.sampled_from("xyz")), unique=True).map(tuple),
    )
    | st.builds(BadRecord, st.integers(1, 9), st.just("why")),
    min_size=1,
).filter(lambda rows: any(isinstance(row, Question) for row in rows))


@pytest.mark.slow
@given(rows, st.integers())
def test_every_record_is_accounted_for(written: list[Row], seed: int) -> None:
    bad: list[BadRecord] = []
    with QuestionSet.load(Path("set"), lambda path: iter(written), seed, on_bad=bad.append) as questions:
        found = [*questions]
        assert questions.total + questions.duplicates + questions.bad_records == len(written)
        assert questions.total == len(questions) == len(found)
        assert questions.duplicates == sum(again for _, again in found)
    assert bad == [row for row in written if isinstance(row, BadRecord)]
    counts = Counter(row.text for row in written if isinstance(row, Question))
    assert {question.text: again + 1 for question, again in found} == counts
    for question, _ in found:
        answers = [row.answers for row in written if isinstance(row, Question) and row.text == question.text]
        assert question.answers == tuple(dict.fromkeys(answer for some in answers for answer in some))


@pytest.mark.slow
@given(rows, st.integers(), st.randoms(use_true_random=False))
def test_the_order_is_that_of_the_seed_not_of_the_file(written: list[Row], seed: int, random: Random) -> None:
    shuffled = written[:]
    random.shuffle(shuffled)
    texts = {row.text: row.id for row in written if isinstance(row, Question)}
    assert asked(written, seed) == asked(shuffled, seed) == sorted(texts, key=lambda text: order_key(seed, texts[text]))


@pytest.mark.slow
@given(rows, st.integers(1, 12), st.integers(1, 4))
def test_limit_is_a_beginning_and_shards_are_its_parts(written: list[Row], limit: int, parts: int) -> None:
    whole = asked(written)
    assert asked(written, limit=limit) == whole[:limit]
    shards = [asked(written, limit=limit, shard=(part, parts)) for part in range(1, parts + 1)]
    assert sorted(text for shard in shards for text in shard) == sorted(whole[:limit])
    assert all(shard == [text for text in whole if text in shard] for shard in shards)


def test_seeds_give_different_orders() -> None:
    written: list[Row] = [Question(f"question {number}") for number in range(50)]
    orders = {tuple(asked(written, seed)) for seed in range(20)}
    assert len(orders) == 20
    assert all(sorted(texts) == sorted(row.text for row in written if isinstance(row, Question)) for texts in orders)


@pytest.mark.slow
def test_limit_draws_each_question_equally_often() -> None:
    written: list[Row] = [Question(f"question {number}") for number in range(20)]
    drawn = Counter(text for seed in range(400) for text in asked(written, seed, limit=5))
    assert len(drawn) == 20
    assert all(60 <= count <= 140 for count in drawn.values())  # 100 expected, standard deviation 8.7


def test_total_and_duplicates_are_those_of_the_file_whatever_the_limit() -> None:
    written: list[Row] = [Question("a"), Question("b"), Question("a"), BadRecord(4, "why")]
    with loaded(written, limit=1) as questions:
        assert (questions.total, questions.duplicates, questions.bad_records, len(questions)) == (2, 1, 1, 1)


def test_it_can_be_read_again_and_twice_at_once() -> None:
    with loaded([Question(text) for text in "abcdef"]) as questions:
        pairs = [*zip(questions, questions, strict=True)]
        assert all(first == second for first, second in pairs)
        assert len(pairs) == 6


def test_the_spool_goes_with_the_set(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with loaded([Question("a")]) as questions:
        pass
    assert [*tmp_path.iterdir()] == []
    with pytest.raises(ValueError, match="closed file"):
        next(iter(questions))


def test_an_empty_set_is_a_sentence() -> None:
    with pytest.raises(QuestionsError, match=r"^set contains no questions$"):
        loaded([])
    with pytest.raises(
        QuestionsError, match="set contains no question that can be read: 2 bad records: line 3: why; line 4: else"
    ):
        loaded([BadRecord(3, "why"), BadRecord(4, "else")])


@pytest.mark.parametrize(("bad", "named"), [(0, ""), (1, ""), (2, "line 2, 3: why"), (70, "and 20 more")])
def test_more_than_two_of_a_hundred_records_lost_stop_the_run(monkeypatch, bad: int, named: str) -> None:
    monkeypatch.setattr(order, "MOST_LOST", 0.02)
    written: list[Row] = [Question(f"question {number}") for number in range(51)]
    written[1:1] = [BadRecord(number, "why") for number in range(2, 2 + bad)]
    if named:
        with pytest.raises(QuestionsError, match=f"{bad} of {51 + bad} records of set cannot be read.*{named[5:]}"):
            loaded(written)
    else:
        assert len(asked(written)) == 51


def test_a_full_disk_is_a_sentence(monkeypatch) -> None:
    monkeypatch.setattr(order, "TemporaryFile", lambda: Path("/dev/full").open("w+b"))  # noqa: SIM115
    with pytest.raises(QuestionsError, match=r"set does not fit into .*: No space left on device; set TMPDIR"):
        loaded([Question("a")])


def questions_read(count: int) -> Iterator[Row]:
    return (Question(f"What is the answer to question number {number}?") for number in range(count))


@pytest.mark.slow
@pytest.mark.parametrize("count", [40_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_memory_is_16_bytes_a_question(count: int) -> None:
    sizes = (2_000, count)
    kept, peaks = [], []
    for size in sizes:
        tracemalloc.start()
        with QuestionSet.load(Path("set"), lambda path, size=size: questions_read(size), 7, on_bad=print) as questions:
            kept.append(tracemalloc.get_traced_memory()[0])
            assert len([*islice(questions, 256)]) == 256
            peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    more = 16 * 1.1 * (sizes[1] - sizes[0])
    assert kept[1] - kept[0] <= more
    assert peaks[1] - peaks[0] <= more


@pytest.mark.slow
@given(rows, st.integers(), st.integers(1, 12) | st.none(), st.integers(1, 3))
def test_what_a_set_lacks_is_what_it_does_not_give(written: list[Row], seed: int, limit: int | None, part: int) -> None:
    ids = [Question(text).id for text in "abcdefghijklm"]
    with loaded(written, seed, limit, (part, 3)) as questions:
        given_ids = {question.id for question, _ in questions}
        assert [questions.lacks([one]) for one in ids] == [int(one not in given_ids) for one in ids]
        assert questions.lacks(ids) == len(ids) - len(given_ids)


@pytest.mark.parametrize(("limit", "shard"), [(None, (1, 1)), (3, (1, 1)), (None, (2, 3)), (7, (1, 2)), (1, (1, 1))])
def test_only_questions_that_are_asked_are_disputed(limit: int | None, shard: tuple[int, int]) -> None:
    records: list[Row] = [Question(text, (GoldAnswer(gold),)) for gold in "xy" for text in "abcdefghij"]
    with loaded(records, limit=limit, shard=shard) as questions:
        known = [(one.text, one.records) for one in questions.disputed]
    left = asked(records, limit=limit, shard=shard)
    assert known == [(text, ("abcdefghij".index(text) + 1, "abcdefghij".index(text) + 11)) for text in left][:3]
