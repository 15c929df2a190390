"""Runs that stop when they are sure: what they decide, that everybody decides alike, and what they refuse."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import botattack
from botattack.config.flags import with_flags
from botattack.config.run_keys import Changes
from botattack.events import Asked, RunStarted
from botattack.recordings.reader import events
from botattack.report.figures.early import outcomes
from botattack.report.figures.gates import checked, held, value

COUNT = 150
QUESTIONS = [
    {"question": f"What is the number of the famous door {n:03d}?", "answers": [f"n{n}"]} for n in range(COUNT)
]
KNOWN = {row["question"]: row["answers"][0] for row in QUESTIONS}
SHOUTED = {"metric": "success_rate", "attack": "case"}
NEAR = {**SHOUTED, "at_most": 0.7}


async def bot(text: str) -> str:
    """Knows what it reads word by word, and of other questions two in five; answers overtake one another."""
    await asyncio.sleep(0.001 * (crc32(text.encode()) % 5))
    found = re.search(r"\d{3}", text)
    number = int(found[0]) if found else 0
    return f"It is n{number}." if text in KNOWN or crc32(b"%d" % number) % 5 < 3 else "I do not know."


def a_campaign(gates: Sequence[dict[str, Any]], answers: Any = bot, **keys: Any) -> botattack.CampaignConfig:
    keys = {"stop_when_sure": True, "refusals": ["I do not know."], "seed": 7, "match": "contains", **keys}
    return botattack.campaign(answers, QUESTIONS, [{"case": {"per_question": 3}}], gates=list(gates), **keys)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> botattack.Result:
    """The run that asks everything."""
    return botattack.run(a_campaign([], stop_when_sure=False), recordings=tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> botattack.Result:
    """A run that is sure of its gate early."""
    return botattack.run(a_campaign([NEAR]), recordings=tmp_path_factory.mktemp("calm"))


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "exit_status"), [(0.75, 0), (0.1, 1)])
def test_a_gate_is_decided_as_by_the_whole_plan_for_less(
    tmp_path: Path, whole: botattack.Result, limit: float, exit_status: int
) -> None:
    gates = [{**SHOUTED, "at_most": limit}]
    sure = botattack.run(a_campaign(gates), recordings=tmp_path)
    (at_the_end,) = checked(held(a_campaign(gates).gates), whole.figures)
    assert sure.exit == exit_status
    assert [gate.held for gate in sure.gates] == [at_the_end.held] == [not exit_status]
    early, sent = sure.figures.early, whole.figures.requests.sent
    assert early is not None
    assert sure.figures.requests.sent < sent / 2
    assert early.planned == pytest.approx(sent, rel=0.05)
    assert early.saved == early.planned - sure.figures.requests.sent
    assert f"after {early.after} of {COUNT} questions" in sure.why
    assert whole.figures.early is None


@pytest.mark.slow
def test_a_gate_at_the_rate_itself_is_asked_to_the_end(tmp_path: Path, whole: botattack.Result) -> None:
    rate = whole.figures.attacks["case"].gold.success_rate
    close = botattack.run(a_campaign([{**SHOUTED, "at_most": rate}]), recordings=tmp_path)
    assert (close.figures.early, close.figures.questions.asked, close.exit) == (None, COUNT, 0)


@pytest.mark.slow
def test_every_gate_is_decided_before_the_run_stops(tmp_path: Path) -> None:
    far = {**SHOUTED, "at_most": 0.9}
    one = botattack.run(a_campaign([far]), recordings=tmp_path)
    both = botattack.run(a_campaign([far, {**SHOUTED, "at_most": 0.55}]), recordings=tmp_path)
    assert one.figures.early
    assert both.figures.early
    assert one.figures.early.after < both.figures.early.after < COUNT


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", [1, 16])
def test_concurrency_replay_and_resumption_change_no_figure(
    tmp_path: Path, calm: botattack.Result, concurrency: int
) -> None:
    campaign = a_campaign([NEAR])
    other = botattack.run(with_flags(campaign, Changes(concurrency=concurrency)), recordings=tmp_path)
    assert other.figures.attacks == calm.figures.attacks
    assert other.figures.questions == calm.figures.questions
    assert other.figures.early
    assert calm.figures.early
    assert other.figures.early.after == calm.figures.early.after
    assert botattack.replay(other.recording).figures == other.figures
    asked = sum(isinstance(event, Asked) for event in events(other.recording))
    again = botattack.run(campaign, recordings=tmp_path, resume=other.recording)
    assert sum(isinstance(event, Asked) for event in events(other.recording)) == asked
    assert (again.exit, again.gates, again.figures.attacks) == (other.exit, other.gates, other.figures.attacks)


@pytest.mark.slow
def test_a_run_that_was_cut_off_decides_as_if_it_had_not_been(tmp_path: Path, calm: botattack.Result) -> None:
    campaign = a_campaign([NEAR])
    cut = botattack.run(
        replace(campaign, budget=botattack.campaign(bot, QUESTIONS, ["case"], budget={"requests": 60}).budget),
        recordings=tmp_path,
    )
    assert (cut.exit, cut.figures.early) == (4, None)
    again = botattack.run(campaign, recordings=tmp_path, resume=cut.recording)
    assert again.figures.attacks == calm.figures.attacks
    assert again.gates == calm.gates


@pytest.mark.slow
def test_intervals_of_such_a_run_are_wider_and_it_says_so(tmp_path: Path, whole: botattack.Result) -> None:
    # Never sure: the gate is at the rate itself.
    rate = whole.figures.attacks["case"].gold.success_rate
    wider = botattack.run(a_campaign([{**SHOUTED, "at_most": rate}]), recordings=tmp_path)
    rows = [result.figures.attacks["case"].gold for result in (whole, wider)]
    assert rows[0].success_rate == rows[1].success_rate
    widths = [row.interval[1] - row.interval[0] for row in rows if row.interval]
    assert 1.3 < widths[1] / widths[0] < 1.8
    assert any("confidence sequence" in sentence for sentence in wider.figures.run.weaker)
    assert next(event.stops for event in events(whole.recording) if isinstance(event, RunStarted)) is None


@pytest.mark.slow
def test_what_decides_a_gate_is_the_figure_that_is_printed(tmp_path: Path) -> None:
    accuracies: list[Any] = ["standard_accuracy", "robust_accuracy", "perturbation_accuracy"]
    gated = [*product(accuracies, (None, "case")), ("accuracy_under_attack", None), ("success_rate", "case")]

    async def forgetful(text: str) -> str:
        return "I do not know." if crc32(text.encode()) % 7 == 0 else await bot(text)

    gates = [{"metric": metric, "at_least": 0.5} | ({"attack": attack} if attack else {}) for metric, attack in gated]
    campaign = a_campaign(gates, forgetful, stop_when_sure=False, filter="all")
    result = botattack.run(campaign, recordings=tmp_path)
    for gate, (metric, attack) in zip(campaign.gates, gated, strict=True):
        counts = [outcomes(case, metric, attack) for case in result.cases()]
        printed = value(gate, result.figures)
        assert sum(x for x, _ in counts) / sum(n for _, n in counts) == printed, (metric, attack)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"gates": []}, "nothing to be sure of"),
        ({"gates": [{"metric": "perturbation_accuracy", "at_least": 0.5}]}, "filter: all"),
    ],
)
def test_what_no_run_could_be_sure_of_is_refused(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(botattack.BotattackError, match=said):
        botattack.campaign(bot, QUESTIONS, [{"case": {"per_question": 3}}], **{"stop_when_sure": True, **keys})


def test_a_shard_is_never_sure_for_all(tmp_path: Path) -> None:
    with pytest.raises(botattack.BotattackError, match="--shard"):
        botattack.run(a_campaign([NEAR]), recordings=tmp_path, shard=(1, 2))


def test_another_rule_is_another_run(tmp_path: Path, calm: botattack.Result) -> None:
    with pytest.raises(botattack.BotattackError, match="stop_when_sure"):
        botattack.run(a_campaign([{**SHOUTED, "at_most": 0.6}]), recordings=tmp_path, resume=calm.recording)
