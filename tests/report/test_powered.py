"""Rates that readers' labels correct."""

from __future__ import annotations

import pytest

from botattack.report.statistics.intervals import wilson
from botattack.report.statistics.powered import Item, Moments, powered
from tests.report.drawn_labels import World, coverage


def _sums(clusters: list[list[Item]]) -> tuple[Moments, Moments]:
    of_clusters = of_items = Moments()
    for cluster in clusters:
        of_clusters = of_clusters.add(cluster)
        for item in cluster:
            of_items = of_items.add([item])
    return of_clusters, of_items


def test_a_judge_who_knows_nothing_leaves_the_labels_alone() -> None:
    labelled = [[Item(0.5, 4.0, float(number % 3 == 0))] for number in range(60)]
    found = powered(*_sums([*labelled, *([Item(0.5)] for _ in range(180))]))

    assert found is not None
    assert (found.rate, found.trust, found.labels) == (pytest.approx(20 / 60), 0.0, 60)
    assert found.interval == found.alone_interval == pytest.approx(wilson(20, 60), abs=0.01)


def test_a_judge_who_is_always_right_is_believed() -> None:
    truth = [float(number % 4 == 0) for number in range(400)]
    clusters = [[Item(value, 4.0 if number % 5 == 0 else 0.0, value)] for number, value in enumerate(truth)]
    found = powered(*_sums(clusters))

    assert found is not None
    assert (found.rate, found.trust) == (pytest.approx(0.25), pytest.approx(1.0, abs=0.02))
    assert found.interval[1] - found.interval[0] < 0.6 * (found.alone_interval[1] - found.alone_interval[0])


@pytest.mark.parametrize(
    ("questions", "labels", "rated"),
    [(19, 380, False), (20, 29, False), (20, 30, True), (20, 31, True), (30, 30, True)],
)
def test_few_labels_or_labels_of_few_questions_give_no_rate(questions: int, labels: int, rated: bool) -> None:
    items = [Item(1.0, 1.0, float(number % 2)) for number in range(labels)]
    clusters = [items[number::questions] for number in range(questions)]
    found = powered(*_sums([*clusters, [Item(1.0)], [Item(1.0, 1.0)]]))

    assert (found is not None) == rated
    assert found is None or found.labels == labels


def test_labels_that_were_not_drawn_count_nowhere() -> None:
    drawn = [[Item(0.5, 1.0, float(number % 2))] for number in range(40)]
    beside = [[Item(0.5, 0.0, 1.0)] for _ in range(40)]

    assert powered(*_sums([*drawn, *beside])) == powered(*_sums([*drawn, *[[Item(0.5)]] * 40]))
    assert powered(*_sums([*drawn[:29], *beside])) is None


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_a_rate_at_the_end_has_the_interval_of_its_questions(label: float) -> None:
    found = powered(*_sums([[Item(0.5, 2.0, label)] * 2 for _ in range(25)]))

    assert found is not None
    assert (found.rate, found.alone, found.trust, found.labels) == (label, label, 0.0, 50)
    assert found.interval == found.alone_interval == wilson(round(25 * label), 25)


def test_labels_that_are_all_alike_leave_an_interval() -> None:
    found = powered(*_sums([[Item(1.0, 1.0, 0.0)] * 3 for _ in range(30)]))

    assert found is not None
    assert (found.rate, found.interval) == (0.0, wilson(0, 30))


def test_weights_undo_how_labels_were_drawn() -> None:
    """Broken replies were drawn twice as often as others: counted as they are, they would be half of all."""
    broken, right = [Item(0.5, 2.0, 1.0)], [Item(0.5, 4.0, 0.0)]
    found = powered(*_sums([*[broken] * 30, *[right] * 30, *[[Item(0.5)]] * 120]))

    assert found is not None
    assert found.rate == pytest.approx(1 / 3)


def test_what_readers_cannot_decide_enters_no_rate() -> None:
    decided = [[Item(0.5, 1.0, float(number % 2))] for number in range(40)]
    found = powered(*_sums([*decided, *[[Item(0.5, 1.0, None)]] * 20]))

    assert found is not None
    assert (found.rate, found.labels) == (pytest.approx(0.5), 40)


def test_the_order_of_questions_changes_no_digit() -> None:
    clusters = [[Item(number % 7 / 7, 1.7, float(number % 2))] for number in range(50)]

    assert powered(*_sums(clusters)) == powered(*_sums(clusters[::-1]))


@pytest.mark.parametrize("uncertain", [0.0, 0.5])
def test_the_rate_is_right_on_average_and_its_interval_seldom_wrong(uncertain: float) -> None:
    world = World(0.3, questions=100, variants=10, correlation=0.3, uncertain=uncertain, graded=True)
    found = coverage(world, draws=300, seed=1)

    assert abs(found.bias) < 0.01
    assert found.corrected > 0.9
    assert found.widest <= 1.05
