"""What `diff` declares, over hundreds of simulated pairs of nights; seeds fixed beforehand."""

from __future__ import annotations

import numpy as np
import pytest

from botattack.report.comparison.diff import ALARMING, rows_of
from botattack.report.comparison.sides import KNOWN, Seen, Side
from tests.chance import fewest, most

ATTACKS = 10


def night(side: Side, question: int, right: bool, broken: dict[tuple[str, str], bool]) -> None:
    results = {key: "success" if broke else "robust" for key, broke in broken.items()}
    side.questions[str(question)] = Seen("kept" if right else "wrong", results, base=str(question))


def unchanged_pair(random: np.random.Generator, noise: float, *, shared: bool) -> tuple[Side, Side]:
    """100 questions, 10 variants; each night a question turns over with the chance `noise`, all its variants at once.

    The original turns with them where the state is `shared`, else by itself. What was wrong on the first night has no
    variants, as under `filter: right`; the second night asks exactly what the first did.
    """
    before, after = Side(), Side()
    for question in range(100):
        weak = random.random(10) < 0.3
        turned, alone = random.random(2) < noise, random.random(2) < noise
        right = ~(turned if shared else alone)
        for number, side in enumerate((before, after)):
            asked = right[0]
            broken = {("dpaeg", str(v)): bool(weak[v] ^ turned[number]) for v in range(10)} if asked else {}
            if asked:
                broken["unchanged", "c"] = bool(turned[number] if shared else random.random() < noise)
            night(side, question, bool(right[number]), broken)
    return before, after


@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True], ids=["own state", "shared state"])
@pytest.mark.parametrize("noise", [0.01, 0.05, 0.10])
def test_an_unchanged_bot_is_declared_worse_in_at_most_5_percent(noise: float, shared: bool) -> None:
    random, pairs = np.random.default_rng(20261120), 300
    declared = sum(
        any(row.tier == "regression" for row in rows_of(*unchanged_pair(random, noise, shared=shared)))
        for _ in range(pairs)
    )
    assert declared <= most(pairs, 0.05)


def dropped_pair(random: np.random.Generator) -> tuple[Side, Side]:
    """400 questions and ten attacks of one variant each; answers turn over with 5 % each way, and of one attack
    another tenth of all that held breaks."""
    before, after = Side(), Side()
    weak = random.random((400, ATTACKS)) < 0.3
    lost = weak.copy()
    held = np.flatnonzero(~weak[:, 0])
    lost[random.choice(held, 40, replace=False), 0] = True
    for state, side in ((weak, before), (lost, after)):
        observed = state ^ (random.random(state.shape) < 0.05)
        right = random.random(400) >= 0.05
        for question in range(400):
            broken = {(f"attack {a}", "v"): bool(observed[question, a]) for a in range(ATTACKS)}
            night(side, question, bool(right[question]), broken)
    return before, after


@pytest.mark.slow
def test_a_drop_of_ten_points_in_one_attack_of_ten_is_found_in_90_percent() -> None:
    random, pairs = np.random.default_rng(20261121), 100
    found = sum(
        any(row.name == "attack 0" and row.tier == "regression" for row in rows_of(*dropped_pair(random)))
        for _ in range(pairs)
    )
    assert found >= fewest(pairs, 0.9)  # 82; a true rate of 75 % finds fewer in 19 runs of 20


def leaking_pair(random: np.random.Generator, before: float, now: float, facts: int) -> tuple[Side, Side]:
    """Two nights of a bot that tells each fact of another conversation with these chances."""
    sides = Side(), Side()
    for side, chance in zip(sides, (before, now), strict=True):
        leaks = random.random(facts) < chance
        for number, leak in enumerate(leaks):
            night(side, number, True, {(KNOWN, str(number)): bool(leak)})
        side.proven = {KNOWN} if leaks.any() else set()
    return sides


@pytest.mark.parametrize(
    ("before", "now", "facts", "least", "most_of"),
    [
        (0.0, 0.0, 12, 0.0, 0.0),
        (1.0, 1.0, 12, 0.0, 0.0),
        (0.3, 0.3, 12, 0.3, 0.5),  # more leaks than before, of too few facts for a test
        (0.3, 0.3, 25, 0.0, 0.05),
        (0.3, 0.3, 60, 0.0, 0.05),
        (0.05, 0.05, 12, 0.15, 0.35),  # each alarm names a leak that the baseline did not show
        (0.0, 0.25, 12, 0.9, 1.0),
        (0.0, 0.25, 60, 1.0, 1.0),
    ],
)
@pytest.mark.slow
def test_more_leaks_than_the_baseline_had_ring_unless_a_test_can_call_them_chance(
    before: float, now: float, facts: int, least: float, most_of: float
) -> None:
    random, pairs = np.random.default_rng(20261130), 400
    rang = sum(
        any(row.tier in ALARMING for row in rows_of(*leaking_pair(random, before, now, facts))) for _ in range(pairs)
    )
    assert least <= rang / pairs <= most_of, rang / pairs


def test_a_clear_drop_is_found_and_no_other_declared() -> None:
    rows = {row.name: row.tier for row in rows_of(*dropped_pair(np.random.default_rng(1)))}
    assert rows.pop("attack 0") == "regression"
    assert "regression" not in rows.values()


@pytest.mark.parametrize(
    ("before", "now", "facts", "tier"),
    [
        (range(0), range(0), 12, "not enough data"),
        (range(0), range(1), 12, "newly seen"),
        (range(3), range(1, 4), 12, "not enough data"),  # as many as before
        (range(3), range(1, 3), 12, "not enough data"),
        (range(3), range(2, 6), 12, "newly seen"),
        (range(3), range(3, 7), 19, "newly seen"),
        (range(3), range(3, 7), 20, "steady"),  # a test can call it chance
        (range(0), range(1), 20, "newly seen"),  # of what was never seen before
        (range(3), range(12), 20, "regression"),
        (range(12), range(3), 20, "improvement"),
    ],
)
@pytest.mark.parametrize("proven", [True, False])
def test_more_proof_than_before_is_news(before: range, now: range, facts: int, tier: str, proven: bool) -> None:
    sides = Side(), Side()
    for side, leaks in zip(sides, (before, now), strict=True):
        for number in range(facts):
            night(side, number, True, {(KNOWN, str(number)): number in leaks})
        side.proven = {KNOWN} if leaks and proven else set()
    (found,) = [row.tier for row in rows_of(*sides) if row.name == KNOWN]
    unproven = "not enough data" if facts < 20 else "steady"
    assert found == (unproven if tier == "newly seen" and not proven else tier)


def test_what_only_the_newer_night_asked_is_no_news() -> None:
    sides = before, after = Side(), Side()
    for side in sides:
        night(side, 0, True, {(KNOWN, "0"): False})
    night(after, 1, True, {(KNOWN, "1"): True})
    after.proven = {KNOWN}
    (found,) = [row for row in rows_of(before, after) if row.name == KNOWN]
    assert (found.tier, found.broken, found.units) == ("not enough data", 0, 1)
