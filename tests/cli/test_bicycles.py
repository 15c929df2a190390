"""Nights of a support bot with 62 entries that greets in changing words: deleted entries ring, greetings do not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import pytest

from botattack.events import OriginalJudged
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack, newest
from tests.cli.hooks import hook

HERE = Path(__file__).parent / "bicycles"
ENTRIES = [line.split(" | ") for line in (HERE / "faq.txt").read_text().splitlines()]
ONE = "[random-characters: {per_question: 1}]"
EIGHT = "[{}]".format(
    ", ".join(
        f"{name}: {{per_question: 1}}"
        for name in (
            "random-characters",
            "noise",
            "case",
            "contraction",
            "filler",
            "punctuation",
            "homoglyph",
            "swap-words",
        )
    )
)
DELETED = sorted(Random(14).sample(range(len(ENTRIES)), 8))


def rental(folder: Path, attacks: str) -> Path:
    for name in ("bot.py", "faq.txt"):
        shutil.copy(HERE / name, folder / name)
    (folder / "deleted.txt").write_text("")
    (folder / "night.txt").write_text("the baseline")
    (folder / "bot.yaml").write_text(
        'name: pedal\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
        'signs: {refused: ["I have no answer to that"]}\n'
    )
    rows = [{"question": question, "answers": [answer.replace("*", "")]} for question, answer in ENTRIES]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    campaign = folder / "night.yaml"
    campaign.write_text(f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nseed: 7\nattacks: {attacks}\n")
    return campaign


@pytest.mark.slow
@pytest.mark.parametrize(("attacks", "nights"), [(ONE, 3), (EIGHT, 1)], ids=["one attack", "eight attacks"])
def test_changing_greetings_raise_no_alarm_and_deleted_entries_ring_by_name(
    botattack: Botattack, folder: Path, attacks: str, nights: int
) -> None:
    """Nights differ in nothing but their greetings. One night greets its 62 entries once, or with eight attacks nine
    times, so a few nights draw every greeting many times."""
    campaign = rental(folder, attacks)
    assert botattack("nightly", campaign, "--allow-code", "--pin").status == 0
    right = {e.question for e in events(newest()) if isinstance(e, OriginalJudged) and e.standing == "kept"}
    assert len(right) >= 60
    for night in range(nights):
        (folder / "night.txt").write_text(f"night {night}")
        ended = botattack("nightly", campaign, "--allow-code")
        assert ended.status == 0, ended.err
    (folder / "deleted.txt").write_text(" ".join(map(str, DELETED)))
    (folder / "night.txt").write_text("another night")
    with hook() as web:
        ended = botattack("nightly", campaign, "--allow-code", "--webhook", web.url)
    assert (ended.status, "answers lost" in ended.err) == (1, True)
    (message,) = web.received
    assert {*message["lost"]} == {ENTRIES[number][0] for number in DELETED}
    assert message["text"].splitlines()[0] == "botattack night: FAILED"
