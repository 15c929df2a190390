"""What asking costs, what may be spent, and what a bot says when it was asked too often."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botattack.config.campaign import load_campaign
from botattack.config.flags import with_flags
from botattack.config.run_keys import Changes
from botattack.config.target import TargetConfig
from botattack.errors import ConfigError
from botattack.limits import Budget, Price

TARGET = """
connect: {kind: http, request: {url: "http://127.0.0.1:1/chat", json: {text: "{{ question }}"}}}
limits: {price: {request: 0.002, token: 0.00001}}
signs: {busy: ["too many requests", "slow down"]}
redact: ['key-\\d+']
"""
CAMPAIGN = "target: bot.yaml\nquestions: {file: faq.jsonl}\nattacks: []\nbudget: {cost: 2.5}\n"

Write = Callable[[str, str], Path]


def test_a_target_says_what_it_costs_and_how_it_complains(
    write: Write, read_target: Callable[..., TargetConfig]
) -> None:
    config = read_target(write("bot.yaml", TARGET))
    assert config.limits.price == Price(0.002, 0.00001)
    assert config.signs.busy == ("too many requests", "slow down")
    assert config.redact == (r"key-\d+",)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("limits: {price: {request: free}}", "limits.price.request: expected an amount of at least 0"),
        ("limits: {price: {requests: 1}}", "limits.price.requests: no such key"),
        ("limits: {busy: too many}", "limits.busy: no such key .write signs:"),
        ("redact: ['(']", r"redact\[0\]: '\(' is not a regular expression"),
    ],
)
def test_wrong_prices_and_patterns(
    wrong: str, said: str, write: Write, read_target: Callable[..., TargetConfig]
) -> None:
    text = TARGET.splitlines()[1] + "\n" + wrong + "\n"
    with pytest.raises(ConfigError, match=said):
        read_target(write("bot.yaml", text))


def test_a_budget_of_money_needs_a_price(write: Write, allowed: dict[str, Any]) -> None:
    write("faq.jsonl", '{"question": "who"}\n')
    path = write("campaign.yaml", CAMPAIGN)
    write("bot.yaml", TARGET)
    campaign = load_campaign(path, **allowed)
    assert campaign.budget == Budget(cost=2.5)
    assert with_flags(campaign, Changes(budget="cost=1,requests=9")).budget == Budget(requests=9, cost=1.0)
    write("bot.yaml", TARGET.replace("price: {request: 0.002, token: 0.00001}", "burst: 2"))
    with pytest.raises(ConfigError, match=r"campaign.yaml:4:16: budget.cost: the target file does not say what"):
        load_campaign(path, **allowed)
    free = load_campaign(write("other.yaml", CAMPAIGN.replace("{cost: 2.5}", "{requests: 5}")), **allowed)
    with pytest.raises(ConfigError, match="command line:1:10: the target file does not say what asking costs"):
        with_flags(free, Changes(budget="cost=1"))
