"""`pytest --botattack CAMPAIGN`, run by pytest itself."""

from __future__ import annotations

import json

import pytest

pytest_plugins = ["pytester"]

BOT = """
def answer(text):
    if "capital of France" in text:
        return "It is Paris."
    return "It is Rome." if "italy" in text.casefold() else "\\x1b[31mAsk another."
"""
QUESTIONS = [
    {"question": "What is the capital of France?", "answers": ["Paris"], "kind": "brittle"},
    *({"question": f"Which city leads Italy, {n}?", "answers": ["Rome"], "kind": "sturdy"} for n in range(21)),
    {"question": "Who are you?", "answers": ["a bot"], "kind": "unknown"},
]
CAMPAIGN = """
target: bot.yaml
questions: {file: faq.jsonl}
attacks: [case, contraction: {bare: false}]
gates:
  - {metric: standard_accuracy, at_least: 0.99}
  - {metric: robust_accuracy, at_least: 0.99}
  - {metric: success_rate, attack: contraction, at_most: 0.1}
"""


@pytest.fixture
def campaign(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.path.joinpath("bot.py").write_text(BOT)
    pytester.path.joinpath("bot.yaml").write_text(
        'connect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
    )
    pytester.path.joinpath("faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))
    pytester.path.joinpath("nightly.yaml").write_text(CAMPAIGN)
    return pytester


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-v", "-rs", "-p", "botattack.pytest_plugin", *words)


@pytest.mark.slow
def test_each_gate_and_group_is_a_test(campaign: pytest.Pytester) -> None:
    result = run(campaign, "--botattack", "nightly.yaml", "--botattack-allow-code")
    result.assert_outcomes(passed=2, failed=3, skipped=2)
    result.stdout.fnmatch_lines_random(
        [
            "*nightly.yaml::run PASSED*",
            "*::gate?standard_accuracy at_least 0.99? FAILED*",
            "*::gate?robust_accuracy at_least 0.99? FAILED*",
            "*::gate?success_rate of contraction at_most 0.1? SKIPPED*",
            "*::group?brittle? FAILED*",
            "*::group?sturdy? PASSED*",
            "*::group?unknown? SKIPPED*",
            "SKIPPED*no question of this group is right as asked: 1 *",
            "*variants broke the bot, on 1 of 1 questions*",
            "*expected*Paris*",
            "*botattack replay*--unit*",
        ]
    )
    assert "\x1b[31m" not in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


@pytest.mark.slow
def test_a_wrong_campaign_is_a_sentence(campaign: pytest.Pytester) -> None:
    refused = run(campaign, "--botattack", "nightly.yaml")
    refused.assert_outcomes(errors=1)
    refused.stdout.fnmatch_lines(["*bot.yaml:*"])
    assert "Traceback" not in refused.stdout.str()
    missing = run(campaign, "--botattack", "none.yaml")
    assert missing.ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.slow
def test_without_the_flag_nothing_is_loaded(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\ndef test_it():\n    assert {m for m in sys.modules if m.startswith('botattack')} == "
        "{'botattack', 'botattack.version', 'botattack.pytest_plugin'}\n"
    )
    result = pytester.runpytest_subprocess("-p", "botattack.pytest_plugin")
    result.assert_outcomes(passed=1)
