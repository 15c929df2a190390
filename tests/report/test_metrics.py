from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botattack.events import (
    AttackEnded,
    Event,
    OriginalJudged,
    Paced,
    QuestionClosed,
    QuestionOpened,
    RecordSkipped,
    VariantJudged,
)
from botattack.model import Edit, Question, Verdict
from botattack.report.figures.figure_values import AttackFigures, Figures, QuestionFigures, RequestFigures, Row
from botattack.report.figures.metrics import Metrics, figures_of
from tests.report.streams import Asking, Try, edit, ended, started, stream

TYPO = Edit(0, "w", "v", "typo of keyword")
SIMILAR = Edit(0, "w", "u", "spell-similar")


def asking(number: int, *tries: Try, **more: object) -> Asking:
    values = {"text": f"w{number} is the capital of france"} | more
    return Asking(tries=tries, **values)  # type: ignore[arg-type]


def test_question_figures_account_for_everything() -> None:
    askings = [
        asking(1),
        asking(2, standing="wrong"),
        asking(3, standing="refused"),
        asking(4, standing="unstable"),
        asking(5, standing="error"),
        asking(6, standing="unsure", duplicates=2),
    ]
    events = [*stream(askings), RecordSkipped(line=9, why="no text")]
    assert figures_of(events).questions == QuestionFigures(
        total=6,
        asked=6,
        correct=1,
        wrong=1,
        refused=1,
        error=1,
        unsure=1,
        unstable=1,
        kept=1,
        bad_records=1,
        duplicates=2,
        left={"unfinished": 1},
        first={
            name: ("original.0", f"w{at} is the capital of france")
            for name, at in (("refused", 3), ("unsure", 6), ("wrong", 2))
        },
    )


def test_a_row_splits_what_was_asked() -> None:
    verdicts = ("correct", "wrong", "refused", "error", "unsure", "wrong")
    tries = tuple(Try(verdict, (TYPO,)) for verdict in verdicts)
    row = figures_of(stream([asking(1, *tries, existing={"dpaeg": 40})])).attacks["dpaeg"].gold
    assert row == Row(
        questions=1,
        existing=40,
        variants=6,
        asked=6,
        success=3,
        refused=1,
        robust=1,
        error=1,
        unsure=1,
        note="too few questions (1 of 20)",
        requests=6,
        broken_questions=1,
    )


def test_expect_different_turns_the_verdict_around() -> None:
    tries = tuple(
        Try(verdict, (TYPO,), "negate", expect="different", meaning="changed")
        for verdict in ("correct", "wrong", "refused")
    )
    attack = figures_of(stream([asking(1, *tries)], {"negate": "different"})).attacks["negate"]
    assert (attack.expect, attack.gold.success, attack.gold.robust, attack.gold.refused) == ("different", 1, 2, 1)


def test_rates_from_twenty_questions_on() -> None:
    def row(questions: int) -> Row:
        many = [asking(number, Try("wrong" if number < 5 else "correct", (TYPO,))) for number in range(questions)]
        return figures_of(stream(many)).attacks["dpaeg"].gold

    assert (row(19).success_rate, row(19).interval, row(19).note) == (None, None, "too few questions (19 of 20)")
    assert row(20).success_rate == 0.25
    assert row(20).interval == pytest.approx((0.111862, 0.468701), abs=1e-6)
    assert row(20).note == ""


def test_a_rate_carried_by_few_questions_says_so() -> None:
    many = [asking(number, *[Try("wrong" if number < 2 else "correct", (TYPO,))] * 3) for number in range(30)]
    assert "few questions" in figures_of(stream(many)).attacks["dpaeg"].gold.note


def test_errors_enter_no_rate_and_carry_no_question() -> None:
    many = [asking(number, Try("error" if number < 5 else "correct", (TYPO,))) for number in range(24)]
    row = figures_of(stream(many)).attacks["dpaeg"].gold
    assert (row.questions, row.rated, row.error, row.note) == (24, 19, 5, "too few questions (19 of 20)")


def test_only_right_originals_count_under_filter_all() -> None:
    askings = [
        asking(1, Try("wrong", (TYPO,)), Try("correct", (TYPO,))),
        asking(2, Try("wrong", (TYPO,)), standing="wrong", attacked=True),
    ]
    figures = figures_of(stream(askings, filter="all"))
    row = figures.attacks["dpaeg"].gold
    assert (figures.questions.kept, figures.questions.correct) == (2, 1)
    assert (row.questions, row.asked, row.variants) == (1, 2, 2)
    assert "left out: 1 of questions whose unchanged answer was not judged correct" in row.note


def test_references_and_meanings_are_never_blended() -> None:
    askings = [
        asking(1, Try("wrong", (TYPO,)), Try("correct", (TYPO,), meaning="unsure"), existing={"dpaeg": 10}),
        asking(2, Try("correct", (TYPO,)), Try("wrong", (TYPO,), meaning="unsure"), reference="own"),
    ]
    attack = figures_of(stream(askings)).attacks["dpaeg"]
    assert (attack.gold.success, attack.gold.robust, attack.gold.existing) == (1, 0, 9)
    assert (attack.unsure.asked, attack.unsure.robust) == (1, 1)
    assert (attack.own.asked, attack.own.robust) == (1, 1)
    assert "left out: 1 whose meaning is not as claimed" in attack.gold.note


def test_kinds_and_distances() -> None:
    tries = (
        Try("wrong", (TYPO,)),
        Try("correct", (SIMILAR,)),
        Try("wrong", (TYPO, replace_start(SIMILAR, 3)), distance=2),
        Try("correct", (), attack="unchanged"),
    )
    attacks = figures_of(stream([Asking(text="wh who is it", tries=tries)])).attacks
    assert {kind: (row.success, row.asked) for kind, row in attacks["dpaeg"].splits["kind"].items()} == {
        "spell-similar": (0, 1),
        "typo of keyword": (1, 1),
        "mixed": (1, 1),
    }
    assert list(attacks["dpaeg"].splits["kind"])[-1] == "mixed"
    assert {size: row.asked for size, row in attacks["dpaeg"].splits["distance"].items()} == {1: 2, 2: 1}
    assert list(attacks["unchanged"].splits) == ["language"]


def test_words_and_questions_split_the_figures_too() -> None:
    subject = Edit(0, "w", "v", "typo", relation="nsubj", pos="NOUN")
    verb = Edit(2, "is", "si", "typo", relation="ROOT", pos="VERB")
    tries = (Try("wrong", (subject,)), Try("correct", (verb,)), Try("wrong", (subject, verb)))
    one = asking(1, *tries, text="w is it")
    splits = figures_of(stream([one])).attacks["dpaeg"].splits
    assert {name: {value: row.success for value, row in rows.items()} for name, rows in splits.items()} == {
        "kind": {"typo": 2},
        "distance": {1: 1, 2: 1},
        "relation": {"ROOT": 0, "nsubj": 1, "mixed": 1},
        "part of speech": {"NOUN": 1, "VERB": 0, "mixed": 1},
        "language": {"en": 2},
    }


def replace_start(one: Edit, start: int) -> Edit:
    return Edit(start, one.before, one.after, one.kind)


def test_attacks_without_outcomes_still_stand() -> None:
    assert figures_of([started(3)]).attacks["dpaeg"].gold.note == "too few questions (0 of 20)"


def test_skipped_variants_are_no_variants_of_a_row() -> None:
    one = asking(1, Try("wrong", (TYPO,)), closed=False)
    events = [*stream([one]), AttackEnded(question=one.question.id, attack="dpaeg", existing=9, variants=4, skipped=3)]
    row = figures_of(events).attacks["dpaeg"].gold
    assert (row.existing, row.variants, row.asked) == (6, 1, 1)


def test_requests_over_processes_even_killed_ones() -> None:
    two = [*asking(1, Try("correct", (TYPO,), requests=3)).events()]
    killed = [started(2), *two]
    assert figures_of(killed).requests == RequestFigures(sent=4, retried=2, rate_limited=2)
    resumed = [*killed, *asking(2).events(), ended(requests=1), *asking(3).events(), ended(seconds=2, requests=5)]
    figures = figures_of(resumed)
    assert figures.requests.sent == 5 + 5
    assert (figures.run.seconds, figures.run.exit) == (14.5, 0)


def test_the_run_stands_in_the_figures() -> None:
    run = figures_of([started(1), Paced(at=3.0, why="429")]).run
    assert (run.target, run.seed, run.filter, run.exit, run.seconds) == ("alice", 7, "right", None, 3.0)


verdicts = st.sampled_from(["correct", "wrong", "refused", "error", "unsure"])
tries = st.builds(
    Try,
    verdicts,
    st.sampled_from([(), (TYPO,), (SIMILAR,)]),
    st.sampled_from(["dpaeg", "unchanged"]),
    expect=st.sampled_from(["same", "different"]),
    meaning=st.sampled_from(["kept", "unsure", "changed"]),
)
askings = st.lists(
    st.builds(
        Asking,
        text=st.integers(0, 10**6).map("w{}".format),
        standing=st.sampled_from(["kept", "kept", "wrong", "refused", "error", "unsure", "unstable"]),
        reference=st.sampled_from(["gold", "own"]),
        tries=st.lists(tries, max_size=6).map(tuple),
        closed=st.booleans(),
        existing=st.just({"dpaeg": 8}),
    ),
    max_size=30,
    unique_by=lambda one: one.text,
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(askings, st.randoms(use_true_random=False))
def test_figures_hold_their_sums_in_any_order(many: list[Asking], random: Random) -> None:
    plain = stream(many)
    figures = figures_of(plain)
    assert figures_of(shuffled(many, random)) == figures
    questions = figures.questions
    assert questions.asked == questions.total == len(many)
    parts = (questions.correct, questions.wrong, questions.refused, questions.error)
    assert questions.asked == sum(parts) + questions.unsure + questions.unstable
    for attack in figures.attacks.values():
        for row in (attack.gold, attack.unsure, attack.own, *attack.splits.get("kind", {}).values()):
            assert row.asked == row.robust + row.success + row.unsure + row.error
            assert row.existing >= row.variants >= row.asked >= row.refused
        for rows in attack.splits.values():
            assert sum(row.asked for row in rows.values()) <= attack.gold.asked
    assert sum(map(rows_asked, figures.attacks.values())) <= sum(len(one.tries) for one in many)
    assert sum(map(rows_asked, figures.attacks.values())) == count_by_hand(many)


def rows_asked(attack: object) -> int:
    return sum(getattr(attack, name).asked for name in ("gold", "unsure", "own"))


def count_by_hand(many: list[Asking]) -> int:
    """What stands in a row, by the rule as written: right originals; as claimed, or gold and unsure."""
    claimed = {("same", "kept"), ("different", "changed")}
    return sum(
        (one.expect, one.meaning) in claimed or (question.reference == "gold" and one.meaning == "unsure")
        for question in many
        if question.standing == "kept"
        for one in question.tries
    )


def shuffled(many: list[Asking], random: Random) -> list[Event]:
    """The events of each question in their order, those of different questions mixed."""
    queues = [list(one.events()) for one in many]
    events: list[Event] = [started(len(many))]
    while queues:
        queue = random.choice(queues)
        events.append(queue.pop(0))
        queues = [queue for queue in queues if queue]
    return events


def test_value_changes_nothing() -> None:
    metrics = Metrics()
    seen: list[Figures] = []
    events = stream([asking(number, Try("wrong", (TYPO,))) for number in range(3)], end=ended())
    for event in events:
        metrics.update(event)
        seen.append(metrics.value())
    assert seen[-1] == figures_of(events)
    assert seen[-1] == metrics.value()


def test_closed_questions_take_no_memory() -> None:
    metrics = Metrics()
    metrics.update(started(500))
    for number in range(500):
        question = Question(f"q{number}").id
        metrics.update(QuestionOpened(question=Question(f"q{number}")))
        verdict = Verdict("correct")
        metrics.update(OriginalJudged(question=question, units=(), standing="kept", verdict=verdict, attacked=True))
        metrics.update(VariantJudged(question=question, unit="u", attack="dpaeg", verdict=verdict, edits=(TYPO,)))
        metrics.update(QuestionClosed(question=question))
    assert not list(metrics._open)
    assert len(metrics._closed.sums._rows) == 4


def test_edit_helper_marks_the_word() -> None:
    assert edit("the capital", "capital", "captial").start == 4
    assert replace(Asking(), text="x").question.text == "x"


@pytest.mark.parametrize(
    "figures",
    [
        Figures(),
        Figures(attacks={"dpaeg": AttackFigures("same")}),
        figures_of([]),
        figures_of([started(0, {"dpaeg": "same"}, seed=0)]),
    ],
)
def test_every_figure_is_nothing_before_something_is_asked(figures: Figures) -> None:
    counted = dict(_numbers(figures, "figures"))
    chance, turns = "figures.unanswered.p", "figures.attacks.dpaeg.turns.most"
    assert {name: number for name, number in counted.items() if number} == {
        name: 1 for name in (chance, turns) if name in counted
    }
    assert {chance, "figures.questions.asked", "figures.requests.sent", "figures.broken.answers"} <= counted.keys()


def _numbers(value: object, name: str) -> Iterator[tuple[str, float]]:
    """Every number within figures, by its place."""
    if isinstance(value, int | float):
        yield name, value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _numbers(part, f"{name}.{key}")
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _numbers(part, name)
    elif is_dataclass(value):
        for key in fields(value):
            yield from _numbers(getattr(value, key.name), f"{name}.{key.name}")
