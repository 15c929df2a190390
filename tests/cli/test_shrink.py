"""`botattack shrink`: the smallest edit that surely breaks the bot, within a budget, and nothing claimed by chance."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from botattack.events import Asked, RunStarted, VariantJudged
from botattack.recordings.reader import events
from botattack.report.figures.metrics import figures_of
from botattack.report.wording.diagnoses import became, headline
from tests.cli.conftest import Botattack, Once, newest
from tests.report.streams import fits

BOT = '''
"""Knows the capital of each country, unless "capital" is misspelt; errs by chance as often as noise.txt says."""
import pathlib, random
HERE = pathlib.Path(__file__).parent
CHANCE = random.Random((HERE / "seed.txt").read_text())
def knows(text):
    return "capital" in text.lower()
def answer(text):
    right = knows(text) and CHANCE.random() >= float((HERE / "noise.txt").read_text())
    return "It is Paris." if right else "It is Atlantis."
'''
TARGET = 'name: capitals\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
ATTACKS = ["random-characters: {keywords: all, per_question: 6}"]


@pytest.fixture
def lay(folder: Path) -> Any:
    def laid(questions: int, noise: float = 0.0, attacks: list[str] = ATTACKS) -> Path:
        (folder / "bot.py").write_text(BOT)
        (folder / "bot.yaml").write_text(TARGET)
        (folder / "noise.txt").write_text(str(noise))
        (folder / "seed.txt").write_text("1")
        rows = [
            {"question": f"What is the <b>famous</b> old capital of country {n}?", "answers": ["Paris"]}
            for n in range(questions)
        ]
        (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        path = folder / "campaign.yaml"
        listed = "".join(f"  - {attack}\n" for attack in attacks)
        path.write_text(
            f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nseed: 7\nmatch: contains\nattacks:\n{listed}"
        )
        return path

    return laid


@pytest.fixture
def run(botattack: Botattack, lay: Any, once: Once) -> Path:
    """A run over four questions, whose variants broke the bot."""
    # By a relative path, so that a copy asks the bot beside it.
    once(lambda: botattack("run", lay(4).name, "--allow-code"))
    return newest()


def asked(recording: Path) -> list[str]:
    return sorted(f"{event.question} {event.unit}" for event in events(recording) if isinstance(event, Asked))


@pytest.mark.slow
def test_the_smallest_edit_is_found_and_shown_next_to_the_first(botattack: Botattack, run: Path) -> None:
    ended = botattack(
        *("shrink", run, "--allow-code", "--recordings", "shrunk"), "-o", "all.html", "-o", "all.md", "-o", "all.json"
    )
    assert ended.status == 0, ended
    started = next(event for event in events(newest("shrunk")) if isinstance(event, RunStarted))
    assert started.shrinks
    assert started.shrinks.run == run.name
    found = fits("run", Path("all.json"))
    shrunk = found["shrunk"]
    assert found["attacks"] == {}
    assert shrunk["before"] >= 3
    assert shrunk["after"] < 2
    assert all(
        one["became"] in ("smaller", "as small") and one["broke"] == one["asked"] == 6 for one in shrunk["shrunk"]
    )
    for one in shrunk["shrunk"]:
        assert "capital" in one["found"]["alteration"]["original"][-1]["text"]
        assert "capital" not in one["smallest"]["alteration"]["sent"][-1]["text"]
    first = shrunk["shrunk"][0]
    page, lines = Path("all.html").read_text(), Path("all.md").read_text()
    for shown in (page, lines):
        assert f"edit distance {first['found']['distance']} → {first['smallest']['distance']}" in shown
    assert "<b>famous" not in page
    assert f"{shrunk['requests']:,} requests for these, smaller edits and unchanged questions" in " ".join(
        lines.split()
    )


@pytest.mark.slow
def test_a_budget_stops_it_and_resume_ends_as_if_it_had_not(botattack: Botattack, run: Path) -> None:
    flags = ("shrink", run, "--allow-code", "--quiet")
    assert botattack(*flags, "--recordings", "whole").status == 0
    stopped = botattack(*flags, "--recordings", "parts", "--budget", "40")
    part = newest("parts")
    assert (stopped.status, "--budget 40 --resume parts/TIME-capitals-ID" in stopped.err) == (4, True), stopped
    assert len(asked(part)) == 40
    assert botattack(*flags, "--resume", part, "--limit", "3").status == 2
    assert botattack(*flags, "--resume", part).status == 0
    assert asked(part) == asked(newest("whole"))
    one, other = (figures_of(events(folder)).shrunk for folder in (part, newest("whole")))
    assert one
    assert one == other
    assert botattack("replay", part).out.count("no verdict changed")


def test_findings_that_did_not_break_it_again_are_not_said_to_have_no_smaller_edit(
    botattack: Botattack, run: Path
) -> None:
    assert botattack("shrink", run, "--allow-code", "--quiet", "--recordings", "shrunk").status == 0
    figures = figures_of(events(newest("shrunk")))
    found = figures.shrunk
    assert found
    assert len(found.shrunk) > 2
    for gone in range(len(found.shrunk)):
        least = [replace(one, became="as small") for one in found.shrunk[gone:]]
        lost = [replace(one, became="not again", smallest=None) for one in found.shrunk[:gone]]
        says = headline(replace(figures, shrunk=replace(found, shrunk=(*lost, *least))))
        assert says.startswith(f"{len(least)} of " if gone else "None of "), says
        assert ("nothing to shrink" in says) == (not gone)


@pytest.mark.parametrize("finished", range(4))
@pytest.mark.parametrize("what", ["smaller", "as small", "not again", "by chance"])
def test_the_headline_counts_only_findings_that_were_finished(
    botattack: Botattack, run: Path, finished: int, what: Any
) -> None:
    assert botattack("shrink", run, "--allow-code", "--quiet", "--recordings", "shrunk").status == 0
    figures = figures_of(events(newest("shrunk")))
    found = figures.shrunk
    assert found
    of = found.findings
    assert of == len(found.shrunk) > 4
    sure = what in ("smaller", "as small")
    done = [replace(one, became=what, smallest=one.smallest if sure else None) for one in found.shrunk[:finished]]
    left = [replace(one, became="unfinished", smallest=None) for one in found.shrunk[finished:]]
    says = headline(replace(figures, shrunk=replace(found, shrunk=(*done, *left))))
    assert f"of {finished or of} finding" in says
    assert ("not finished" in says) == (f"{of - finished} not finished" in says) == bool(finished)
    unasked = replace(found, shrunk=tuple(done))
    says = headline(replace(figures, shrunk=unasked))
    assert f"of {finished or of} finding" in says
    assert (f"{of - finished} not asked" in says) == bool(finished)


@pytest.mark.parametrize(
    ("asked", "right", "lost", "ended"),
    [(4, 0, True, False), (4, 3, True, False), (2, 2, False, True), (3, 2, True, True)],
)
def test_why_a_finding_was_not_asked_is_said_as_far_as_it_is_known(
    botattack: Botattack, run: Path, asked: int, right: int, *, lost: bool, ended: bool
) -> None:
    assert botattack("shrink", run, "--allow-code", "--quiet", "--recordings", "shrunk").status == 0
    figures = figures_of(events(newest("shrunk")))
    assert figures.shrunk
    none = replace(figures.shrunk, shrunk=())
    figures = replace(figures, shrunk=none, questions=replace(figures.questions, total=4, asked=asked, kept=right))
    for says in (headline(figures), next(became(none, figures))):
        assert ("no longer right" in says, "ended" in says) == (lost, ended)


def test_what_is_not_taken_up_and_what_cannot_shrink_is_said_once(botattack: Botattack, run: Path) -> None:
    every = botattack("shrink", run, "--allow-code", "--recordings", "shrunk")
    found = figures_of(events(newest("shrunk"))).shrunk
    assert found
    assert found.of == found.findings == len(found.shrunk)
    said = " ".join(every.out.split())
    assert "--limit" not in said
    assert said.count("break the bot with a smaller edit, too") == 1
    shown = [tuple(map(int, pair)) for pair in re.findall(r"edit distance (\d+) → (\d+)", said)]
    assert len(shown) == found.became("smaller")
    assert all(after < before for before, after in shown)
    some = botattack("shrink", run, "--allow-code", "--recordings", "few", "-n", "2")
    assert f"the first 2 of {found.of} findings" in " ".join(some.out.split())
    assert "--limit takes more" in " ".join(some.out.split())


def test_a_finding_can_be_named(botattack: Botattack, run: Path) -> None:
    broken = [
        one.unit
        for one in events(run)
        if isinstance(one, VariantJudged) and one.result == "success" and one.expect == "same"
    ]
    assert botattack("shrink", run, "--allow-code", "--quiet", "--askings", "4", "--unit", broken[-1]).status == 0
    found = figures_of(events(newest())).shrunk
    assert found
    assert found.findings == 1
    parents = {one.parent for one in events(newest()) if isinstance(one, VariantJudged)}
    assert parents == {broken[-1]}
    none = botattack("shrink", run, "--allow-code", "--unit", "0000.0")
    assert (none.status, "'0000.0'" in none.err) == (2, True)


def test_what_must_change_the_answer_is_not_shrunk(botattack: Botattack, lay: Any) -> None:
    botattack("run", lay(4, attacks=["negate"]), "--allow-code")
    ended = botattack("shrink", newest(), "--allow-code")
    assert (ended.status, "nothing to shrink" in ended.err) == (2, True)


def test_another_bot_is_not_asked(botattack: Botattack, run: Path) -> None:
    Path("bot.yaml").write_text(TARGET.replace("bot.py", "other.py"))
    Path("other.py").write_text("def answer(text): return 'It is Paris.'\n")
    ended = botattack("shrink", run, "--allow-code")
    assert (ended.status, "connect.call" in ended.err) == (2, True), ended


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.1, 0.3])
def test_what_is_claimed_breaks_a_noisy_bot_when_it_is_asked_afresh(
    botattack: Botattack, lay: Any, noise: float
) -> None:
    botattack("run", lay(60, noise), "--allow-code", "--quiet")
    run = newest()
    Path("seed.txt").write_text("2")
    botattack("shrink", run, "--allow-code", "--quiet", "--limit", "200")
    found = figures_of(events(newest())).shrunk
    assert found
    scope: dict[str, Any] = {"__file__": str(Path("bot.py").resolve())}
    exec(BOT, scope)  # the bot of this test, asked afresh
    fresh = [scope["answer"](one.smallest.sent) for one in found.sure for _ in range(20) if one.smallest]
    assert fresh.count("It is Atlantis.") == len(fresh) >= 20


@pytest.mark.slow
def test_a_bot_that_errs_by_chance_alone_has_no_smallest_edit(botattack: Botattack, lay: Any) -> None:
    botattack("run", lay(60, 0.4, ["insert-function-word: {per_question: 3}"]), "--allow-code", "--quiet")
    run = newest()
    Path("seed.txt").write_text("2")
    ended = botattack("shrink", run, "--allow-code", "--limit", "200")
    found = figures_of(events(newest())).shrunk
    assert found
    assert found.findings >= 20
    assert ended.out.startswith(f"None of {len(found.shrunk)} findings ")
    assert found.sure == ()
    assert found.became("not again") + found.became("by chance") == len(found.shrunk) > 0


def test_a_run_of_shrink_is_no_baseline(botattack: Botattack, run: Path) -> None:
    assert botattack("shrink", run, "--allow-code", "--recordings", "shrunk").status == 0
    refused = botattack("nightly", "baseline", "set", newest("shrunk"))
    assert refused.status == 2
    assert "made by botattack shrink" in refused.err
    assert not Path("shrunk/baselines").exists()
    assert botattack("nightly", "baseline", "set", run).status == 0


def test_a_run_of_shrink_is_no_night_and_no_run_of_another_suite(botattack: Botattack, run: Path) -> None:
    botattack("shrink", run, "--allow-code")
    assert newest() != run
    trend = botattack("nightly", "trend", "--bisect")
    assert trend.status == 0
    assert "another suite" not in trend.err
    assert trend.out.strip() == "nothing changed in 1 runs"
