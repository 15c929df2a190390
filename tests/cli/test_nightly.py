"""Nights: the suite is asked exactly, what got worse raises the alarm, and only that does."""

from __future__ import annotations

import fcntl
import html
import json
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from botattack.audit.nights import notify, summary
from botattack.audit.nights.history import runs_of
from botattack.audit.nights.night import Night, NightSettings, Shown, run_night
from botattack.cli.shared_flags import Output
from botattack.cli.view import terminal_of
from botattack.errors import RecordingError
from botattack.events import Asked, OriginalJudged, QuestionOpened, VariantJudged
from botattack.recordings import manifest
from botattack.recordings.manifest import Manifest
from botattack.recordings.reader import events
from botattack.report.comparison.trend import Bisect, unit_states
from tests.cli.conftest import Botattack, Serve, newest
from tests.cli.hooks import hook
from tests.servers.http import Server, replying, response

BOT = '''
"""Knows the number in a question; forgets those up to the one in forgotten.txt."""
import pathlib, re
FORGOTTEN = pathlib.Path(__file__).parent / "forgotten.txt"
def answer(text):
    match = re.search("number ([0-9]+)", text)
    if not match:
        return "I only know numbers."
    return f"It is {int(match[1]) * 7}." if int(match[1]) > int(FORGOTTEN.read_text()) else "I only know numbers."
'''
CAMPAIGN = """target: bot.yaml
questions: {file: faq.jsonl}
seed: 7
attacks: [random-characters: {keywords: all, per_question: 1}]
"""


@pytest.fixture
def campaign(folder: Path) -> Path:
    """Forty questions to a bot that knows all answers, and one that it does not know."""
    (folder / "bot.py").write_text(BOT)
    (folder / "forgotten.txt").write_text("0")
    (folder / "bot.yaml").write_text(
        'name: numbers\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
        'signs: {refused: ["I only know numbers."]}\n'
    )
    rows = [{"question": f"What is the famous double of number {n}?", "answers": [str(7 * n)]} for n in range(1, 41)]
    rows += [{"question": "Who is the mayor?", "answers": ["nobody"]}]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = folder / "campaign.yaml"
    path.write_text(CAMPAIGN)
    return path


@pytest.fixture
def pinned(botattack: Botattack, campaign: Path, kept: Path) -> Path:
    """The recording that is the baseline."""
    if not kept.exists():
        assert botattack("run", campaign, "--allow-code").status == 0
        assert botattack("nightly", "baseline", "set", newest()).status == 0
        shutil.copytree("recordings", kept)
    elif not Path("recordings").exists():
        shutil.copytree(kept, "recordings")
    return newest()


def asked(recording: Path) -> set[tuple[str, str]]:
    return {(event.question, event.unit) for event in events(recording) if isinstance(event, Asked)}


@pytest.mark.slow
def test_a_night_without_a_change_is_silent(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    with hook() as web:
        ended = botattack("nightly", campaign, "--allow-code", "--webhook", web.url)
    assert (ended.status, web.received) == (0, [])
    assert ended.out.startswith("No regression since ")
    assert asked(newest()) == asked(pinned)
    assert newest() != pinned
    assert {path.name for path in newest().iterdir()} >= {"report.html", "report.json", "diff.xml", "diff.md"}
    assert ET.parse(newest() / "diff.xml").getroot().attrib["failures"] == "0"


@pytest.mark.slow
def test_a_night_that_got_worse_raises_the_alarm(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    Path("forgotten.txt").write_text("12")
    with hook() as web:
        ended = botattack("nightly", campaign, "--allow-code", "--webhook", web.url)
    assert ended.status == 1
    assert "12 answers lost; regression in originals" in ended.err
    assert len(ended.out.splitlines()) <= 60
    assert ended.out.count("--unit") == 3
    assert ended.err.rstrip().endswith("report.html")
    assert "double of number 5?" in (newest() / "report.html").read_text()
    assert asked(newest()) >= asked(pinned)
    (message,) = web.received
    assert (message["exit"], message["campaign"], message["target"]) == (1, "campaign", "numbers")
    assert "FAILED" in message["text"]
    assert Path(message["report"]).read_text().startswith("<!doctype html>")
    assert {*message["lost"]} == {f"What is the famous double of number {n}?" for n in range(1, 13)}
    # The first sentence names some, the list each of them once.
    listed = message["text"].partition("\nlost answers (12):\n")[2]
    assert [listed.count(f"double of number {n}?") for n in range(1, 13)] == [1] * 12
    assert Path(message["report"]).is_absolute()
    assert ET.parse(newest() / "diff.xml").getroot().attrib["failures"] != "0"
    # The page begins with what rang, and with what to do about that.
    page = " ".join(re.sub("<[^>]+>", " ", (newest() / "report.html").read_text().partition("<main>")[2]).split())
    places = [page.index(part) for part in ("12 answers lost since", "What to do: find what changed", "Every attack")]
    assert places == sorted(places)
    assert page.count("What to do: ") == 1


@pytest.mark.slow
def test_a_lost_answer_comes_with_its_cause_if_the_budget_allows(
    botattack: Botattack, campaign: Path, pinned: Path
) -> None:
    campaign.write_text(CAMPAIGN + "why: {each: 2}\n")
    # One at a time, two nights send the same number of requests: what is asked again depends on what came before.
    Path("bot.yaml").write_text(
        Path("bot.yaml").read_text().replace("rate: unlimited", "rate: unlimited, concurrency: 1")
    )
    Path("forgotten.txt").write_text("3")
    with hook() as web:
        ended = botattack("nightly", campaign, "--allow-code", "--webhook", web.url)
    assert ended.status == 1
    found = json.loads((newest() / "why.json").read_text())["why"]["explained"]
    assert all(one["told"] in html.unescape((newest() / "why.html").read_text()) for one in found)
    assert [one["attack"] for one in found] == ["original"] * 2
    (message,) = web.received
    assert len(message["lost"]) == 3
    reasons = re.findall("^why: (.*)$", message["text"], re.MULTILINE)
    for reason, each in zip(sorted(reasons), sorted(found, key=lambda one: one["cause"]), strict=True):
        assert reason.startswith(each["cause"])
        assert each["told"] in reason
    page, text = ((newest() / f"report.{kind}").read_text() for kind in ("html", "md"))
    sent = [json.loads((newest() / f"{name}.json").read_text())["requests"]["sent"] for name in ("report", "why")]
    asked = f"took {sent[1]} more requests: the night sent {sum(sent)} in all"
    assert asked in " ".join(ended.err.split())
    for told in ("Why answers were lost", asked, *(each["told"] for each in found)):
        assert told in html.unescape(page)
        assert told in text.replace("\\", "")
    assert botattack("verify", newest()).status == 0
    # Nothing of it is a night.
    assert botattack("nightly", "trend").status in (0, 1)
    # As much as the night before sent: nothing is left, unless this one needs an asking less.
    for _ in range(4):
        spent = json.loads((newest() / "report.json").read_text())["requests"]["sent"]
        campaign.write_text(CAMPAIGN + f"why: {{each: 2}}\nbudget: {{requests: {spent}}}\n")
        ended = botattack("nightly", campaign, "--allow-code")
        if "budget of requests" in ended.err:
            break
    assert ended.status in (1, 4)
    assert "budget of requests" in ended.err
    assert not (newest() / "why.json").exists()


@pytest.mark.slow
def test_a_night_says_what_is_flaky_and_seals_its_reports(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    for forgotten in ("1", "0", "1"):
        Path("forgotten.txt").write_text(forgotten)
        botattack("nightly", campaign, "--allow-code")
    page = (newest() / "report.html").read_text("utf-8")
    since = page.partition("<main>")[2].partition("Compared with the baseline")[0]
    assert "✓✗✓✗" in since
    assert "flaky: it changed 3 times in 4 runs" in since
    ended = botattack("verify", newest())
    assert ended.status == 0
    assert "not sealed" not in ended.out
    told = botattack("nightly", "trend", "--bisect").out
    assert "flaky: it changed 3 times" in told
    nights = [path.parent for path in Path("recordings").glob(f"*/{summary.NAME}") if summary.read(path.parent)]
    assert len(nights) == 3
    for night in nights:
        with (night / "events.jsonl").open("ab") as recording:
            recording.write(b"{")
        assert summary.read(night) is None
    assert botattack("nightly", "trend", "--bisect").out == told


@pytest.mark.slow
def test_one_lost_answer_rings_and_is_asked_again_until_it_is_sure(
    botattack: Botattack, campaign: Path, pinned: Path
) -> None:
    Path("forgotten.txt").write_text("1")
    with hook() as web:
        ended = botattack(
            "nightly", campaign, "--allow-code", "--webhook", web.url, "--base-url", "https://ci.example/nights/"
        )
    assert (ended.status, "1 answer lost" in ended.err) == (1, True)
    (message,) = web.received
    assert message["lost"] == ["What is the famous double of number 1?"]
    assert message["text"].index("number 1?") < message["text"].index("report ")
    assert message["report"] == f"https://ci.example/nights/{newest().name}/report.html"
    (judged,) = [event for event in events(newest()) if isinstance(event, OriginalJudged) and len(event.units) > 1]
    assert (judged.standing, len(judged.units)) == ("refused", 3)
    page = (newest() / "report.html").read_text()
    assert page.index("<h2>Lost answers (1)") < page.index("<h2>Compared with") < page.index("<h2>Every attack")
    cases = ET.parse(newest() / "diff.xml").getroot().iter("testcase")
    assert [case.get("classname") for case in cases if case.find("failure") is not None] == ["baseline.lost answers"]
    Path("forgotten.txt").write_text("0")
    assert botattack("nightly", campaign, "--allow-code", "--notify", "always").status == 0
    assert botattack("compare", pinned, newest(), "--fail-on-regression").status == 0


@pytest.mark.slow
def test_a_budget_without_room_leaves_lost_answers_in_doubt(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    """The suite comes to its end in a budget made for it; what was not made sure of is named, and does not ring."""
    campaign.write_text(CAMPAIGN + f"budget: {{requests: {len(asked(pinned))}}}\n")
    Path("forgotten.txt").write_text("2")
    ended = botattack("nightly", campaign, "--allow-code")
    assert (ended.status, asked(newest())) == (0, asked(pinned))
    assert "Wrong each time, but asked too rarely to be sure (2)" in ended.out
    assert "nothing got worse" not in ended.out
    campaign.write_text(CAMPAIGN + f"budget: {{requests: {len(asked(pinned)) + 4}}}\n")
    assert botattack("nightly", campaign, "--allow-code").status == 1


@pytest.mark.slow
def test_a_first_night_may_pin_itself_and_says_so(botattack: Botattack, campaign: Path) -> None:
    with hook() as web:
        first = botattack("nightly", campaign, "--allow-code", "--pin", "--webhook", web.url)
    assert (first.status, "baseline numbers from now on" in first.err) == (0, True)
    assert web.received[0]["text"].startswith("botattack campaign: pinned as the baseline")
    assert botattack("nightly", campaign, "--allow-code", "--pin").err.count("NO BASELINE") == 0
    Path("forgotten.txt").write_text("1")
    assert botattack("nightly", campaign, "--allow-code", "--pin").status == 1


@pytest.mark.slow
def test_without_a_control_a_first_night_asks_twice(botattack: Botattack, campaign: Path) -> None:
    campaign.write_text(CAMPAIGN + "unchanged: false\n")
    botattack("nightly", campaign, "--allow-code", "--pin")
    assert {len(event.units) for event in events(newest()) if isinstance(event, OriginalJudged)} == {2}
    Path("forgotten.txt").write_text("1")
    assert botattack("nightly", campaign, "--allow-code").status == 1


@pytest.mark.slow
def test_a_suite_is_asked_whole_even_of_originals_that_fail_tonight(
    botattack: Botattack, campaign: Path, pinned: Path
) -> None:
    Path("forgotten.txt").write_text("40")
    # A bot that said the same to everything would end the night.
    path = Path("bot.py")
    path.write_text(path.read_text().replace('else "I only know numbers."', 'else f"I only know numbers. Not {text}"'))
    assert botattack("nightly", campaign, "--allow-code").status == 1
    assert asked(newest()) >= asked(pinned)
    standings = [event.standing for event in events(newest()) if isinstance(event, OriginalJudged)]
    assert set(standings) == {"refused"}
    assert any(isinstance(event, VariantJudged) for event in events(newest()))


def test_a_night_that_breaks_off_is_told_too(
    botattack: Botattack, campaign: Path, pinned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notify, "PAUSES", (0.0, 0.0))
    Path("bot.py").unlink()
    with hook(500) as web:
        ended = botattack("nightly", campaign, "--allow-code", "--webhook", web.url)
    assert ended.status == 2
    assert len(web.received) == 2
    assert web.received[1]["exit"] == 2
    assert "DID NOT FINISH" in web.received[1]["text"]


@pytest.mark.slow
def test_a_message_always_where_it_is_wanted(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    with hook() as web:
        ended = botattack("nightly", campaign, "--allow-code", "--webhook", web.url, "--notify", "always")
    assert (ended.status, len(web.received)) == (0, 1)
    assert web.received[0]["text"].startswith("botattack campaign: held")


@pytest.mark.slow
def test_a_gate_against_the_baseline(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    campaign.write_text(CAMPAIGN + "gates: [{metric: standard_accuracy, drop_at_most: 2%}]\n")
    Path("forgotten.txt").write_text("2")
    ended = botattack("nightly", campaign, "--allow-code")
    assert ended.status == 1
    assert "standard accuracy went from 97.6 % to 92.7 %, more than 2.0 points for the worse" in ended.err
    campaign.write_text(CAMPAIGN + "alarm: {lost_answers: 3}\n")
    held = botattack("nightly", campaign, "--allow-code")
    assert held.status == 0
    assert "2 answers lost" in held.out
    assert ET.parse(newest() / "diff.xml").getroot().attrib["failures"] == "0"
    assert "No regression since" in botattack("nightly", "trend").err


@pytest.mark.slow
def test_a_gate_that_fails_with_fewer_originals_says_so(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    campaign.write_text(CAMPAIGN + "gates: [{metric: success_rate, attack: random-characters, at_most: 0%}]\n")
    Path("forgotten.txt").write_text("30")
    ended = botattack("nightly", campaign, "--allow-code")
    assert ended.status == 1
    assert "share broken by random-characters cannot be given: too few questions" in ended.err
    assert "lack the variants of 30 originals that were right in the baseline" in ended.err


@pytest.mark.slow
def test_a_gate_of_a_plain_run_is_held_against_the_baseline(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    campaign.write_text(CAMPAIGN + "gates: [{metric: standard_accuracy, drop_at_most: 2%}]\n")
    Path("forgotten.txt").write_text("2")
    ended = botattack("run", campaign, "--allow-code")
    assert (ended.status, "more than 2.0 points for the worse" in ended.err) == (1, True)
    alone = botattack("run", campaign, "--allow-code", "--recordings", "elsewhere")
    assert (alone.status, "drop_at_most has no baseline yet" in " ".join(alone.out.split())) == (0, True)


@pytest.mark.slow
def test_the_first_night_runs_the_campaign_and_says_how_to_pin_it(botattack: Botattack, campaign: Path) -> None:
    ended = botattack("nightly", campaign, "--allow-code")
    assert ended.status == 0
    assert "botattack nightly baseline set recordings/" in ended.err
    wrong = botattack("nightly", campaign, "--allow-code", "--baseline", "other")
    assert (wrong.status, "no baseline 'other'" in wrong.err) == (2, True)


def test_a_baseline_of_another_bot_is_refused(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    Path("bot.yaml").write_text(Path("bot.yaml").read_text().replace("name: numbers", "name: other"))
    ended = botattack("nightly", campaign, "--allow-code", "--baseline", "numbers")
    assert (ended.status, "is of numbers, this campaign asks other" in ended.err) == (2, True)


def test_runs_with_nothing_in_common_are_not_compared(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    Path("faq.jsonl").write_text(
        json.dumps({"question": "What is the triple of number 50?", "answers": ["350"]}) + "\n"
    )
    assert botattack("run", campaign, "--allow-code").status == 0
    ended = botattack("compare", pinned, newest(), "--fail-on-regression")
    assert (ended.status, ended.out) == (2, "")
    assert "no original was decided in both (41 only in the older run; 1 only in the newer run)" in ended.err
    Path("bot.yaml").write_text(Path("bot.yaml").read_text().replace("name: numbers", "name: other"))
    was = newest()
    assert botattack("run", campaign, "--allow-code").status == 0
    ended = botattack("compare", was, newest(), "--fail-on-regression")
    assert (ended.status, "two bots, numbers and other" in ended.err) == (2, True)


@pytest.mark.slow
def test_old_nights_are_deleted_but_never_the_baseline(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    for _ in range(2):
        botattack("nightly", campaign, "--allow-code")
    nights = sorted(set(Path("recordings").glob("2*")) - {pinned}, key=lambda path: path.stat().st_mtime_ns)
    assert len(nights) == 2
    assert botattack("nightly", campaign, "--allow-code", "--keep-nights", "2").status == 0
    left = set(Path("recordings").glob("2*"))
    assert left == {pinned, nights[1], newest()}


def test_a_night_never_overlaps_itself(folder: Path, campaign: Path) -> None:
    Path("recordings").mkdir()
    with Path("recordings/.campaign.yaml.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        night = run_night(campaign, NightSettings(), Shown(lambda job: terminal_of(job, Output()), print))
    assert (night.exit, "still running" in night.why) == (2, True)


def without_time(report: Path) -> dict[str, object]:
    """The figures of a report that do not depend on when and how fast it was made."""
    figures = json.loads(report.read_text())
    return {name: figures[name] for name in ("questions", "attacks", "measures", "unanswered", "gates")}


@pytest.mark.parametrize(
    ("bots", "shown"),
    [
        ({"a": "run"}, "a"),
        ({"a": "run", "b": "run"}, ""),
        ({"a": "run", "b": "nightly"}, "b"),
        ({"a": "run", "b": "nightly", "c": "nightly"}, ""),
    ],
)
def test_only_bots_that_have_nights_need_to_be_named(tmp_path: Path, bots: dict[str, str], shown: str) -> None:
    for bot, command in bots.items():
        (tmp_path / bot).mkdir()
        made = Manifest(run=bot, target=bot, started="", seed=1, settings={}, digests={}, command=[command])
        manifest.write(tmp_path / bot, made)
    if shown:
        assert {made.target for _, made in runs_of(tmp_path, "", pytest.fail)} == {shown}
        return
    nights = [bot for bot, command in bots.items() if command == "nightly"] or list(bots)
    with pytest.raises(RecordingError, match=f"contains runs of {', '.join(nights)}: name one with --target"):
        runs_of(tmp_path, "", pytest.fail)


CHANGES = [
    # rows removed, added and with another answer; what is said
    (0, 0, 0, ""),
    (2, 0, 0, "2 removed;"),
    (0, 3, 0, "3 added;"),
    (0, 0, 1, "1 with another answer;"),
    (1, 2, 3, "1 removed, 2 added, 3 with another answer;"),
]


def change(removed: int, added: int, other: int) -> None:
    rows = [json.loads(line) for line in Path("faq.jsonl").read_text().splitlines()][removed:]
    rows += [{"question": f"What is the triple of number {n}?", "answers": [str(7 * n)]} for n in range(1, added + 1)]
    rows = [row | {"answers": ["0"]} for row in rows[:other]] + rows[other:]
    Path("faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.slow
@pytest.mark.parametrize(("removed", "added", "other", "says"), CHANGES)
def test_a_night_says_what_of_the_question_file_has_changed(
    botattack: Botattack, campaign: Path, pinned: Path, removed: int, added: int, other: int, says: str
) -> None:
    change(removed, added, other)
    dry = botattack("nightly", campaign, "--allow-code", "--dry-run").out
    with hook() as web:
        ended = botattack("nightly", campaign, "--allow-code", "--notify", "always", "--webhook", web.url)
    assert ended.status == 0
    pages = [(newest() / name).read_text() for name in ("report.html", "report.md", "diff.md")]
    for shown in (ended.err, dry, web.received[0]["text"], *pages):
        assert ("questions changed" in shown, says in shown) == (bool(says), True), shown
    assert asked(newest()) == asked(pinned)


FAILS_LATER = """
import itertools
asked = itertools.count()
def failing(text, after={after}, number={number!r}, right=answer):
    if next(asked) >= after or f"number {{number}}?" in text:
        raise OSError("gone")
    return right(text)
answer = failing
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stops", "forgotten", "lost"),
    [("bot", 0, False), ("bot", 8, True), ("budget", 0, False), ("budget", 2, False), ("budget", 30, False)],
)
def test_a_night_that_stopped_says_what_is_worse_already(
    botattack: Botattack, campaign: Path, pinned: Path, stops: str, forgotten: int, *, lost: bool
) -> None:
    """That all else held it does not say: no file of a comparison is there to be green. A budget that is too small
    leaves nothing to make sure of lost answers; a regression is sure without."""
    Path("forgotten.txt").write_text(str(forgotten))
    most, worse = len(asked(pinned)) - 30, lost or forgotten == 30
    if stops == "budget":
        campaign.write_text(CAMPAIGN + f"budget: {{requests: {most}}}\n")
    else:
        campaign.write_text(CAMPAIGN + "window: 1\n")  # an answer is asked again once its question is done
        Path("bot.py").write_text(BOT + FAILS_LATER.format(after=most, number="none"))
    with hook() as web:
        ended = botattack("nightly", campaign, "--allow-code", "--webhook", web.url)
    assert ended.status == (4 if stops == "budget" else 3)
    (message,) = web.received
    judged = (event for event in events(newest()) if isinstance(event, OriginalJudged))
    sure = sum(event.standing == "refused" and len(event.units) == 3 for event in judged)
    assert ("DID NOT FINISH" in message["text"], len(message["lost"])) == (True, sure if worse else 0)
    assert bool(message["lost"]) is lost
    assert ended.out.startswith("Worse since" if worse else "Stopped: ")
    assert "Stopped: " in " ".join(ended.out.split())
    assert ("Lost answers" in (newest() / "report.html").read_text()) is lost
    assert (newest() / "diff.xml").exists() is worse


@pytest.mark.slow
@pytest.mark.parametrize(("number", "says"), [("none", False), ("3", True)])
def test_a_message_says_how_many_conversations_failed(
    botattack: Botattack, campaign: Path, pinned: Path, number: str, *, says: bool
) -> None:
    Path("bot.py").write_text(BOT + FAILS_LATER.format(after=1_000_000, number=number))
    with hook() as web:
        botattack("nightly", campaign, "--allow-code", "--notify", "always", "--webhook", web.url)
    assert ("failed, not counted" in web.received[0]["text"]) is says, web.received


@pytest.mark.slow
@pytest.mark.parametrize(("removed", "added", "other", "says"), CHANGES)
def test_a_resumed_run_says_what_of_the_question_file_has_changed(
    botattack: Botattack, campaign: Path, removed: int, added: int, other: int, says: str
) -> None:
    assert botattack("run", campaign, "--allow-code").status == 0
    change(removed, added, other)
    ended = botattack("run", "--resume", newest())
    assert ("questions changed" in ended.err, says in ended.err) == (bool(says), True), ended.err


@pytest.mark.slow
@pytest.mark.parametrize("first", [True, False])
def test_a_night_that_a_budget_stopped_is_continued(
    botattack: Botattack, campaign: Path, request: pytest.FixtureRequest, first: bool
) -> None:
    """The night that has nothing to compare with yet, and one that asks a suite."""
    nightly = ("nightly", campaign, "--allow-code")
    if not first:
        request.getfixturevalue("pinned")
    botattack(*nightly, *(["--pin", "--recordings", "others"] if first else []))
    whole = max(Path("others" if first else "recordings").glob("2*"), key=lambda path: path.stat().st_mtime_ns)
    campaign.write_text(CAMPAIGN + "budget: {requests: 50}\n")
    stopped = botattack(*nightly, "--pin")
    assert stopped.status == 4
    recording = newest()
    again = "--pin --allow-code --resume recordings/TIME-numbers-ID"
    assert f"continue   botattack nightly FOLDER/campaign.yaml {again}\n" in stopped.err
    assert "botattack nightly … --resume" in botattack("nightly", "baseline", "set", recording).err
    campaign.write_text(CAMPAIGN)
    assert "it is a night" in botattack("run", campaign, "--allow-code", "--resume", recording).err
    assert botattack(*nightly, "--pin", "--resume", recording).status == 0
    assert without_time(recording / "report.json") == without_time(whole / "report.json")
    assert asked(recording) == asked(whole)
    assert (recording / "diff.json").exists() is not first


def test_gates_are_proposed_beside_the_figures_that_they_keep(botattack: Botattack, campaign: Path) -> None:
    said = " ".join(botattack("run", campaign, "--allow-code", "-o", "r.json").err.split())
    found = json.loads(Path("r.json").read_text())["measures"]
    names = ("standard accuracy", "robust accuracy")
    shown = [f"{name} {100 * (found.get(f'{name}, micro') or found[name])['value']:.1f} %" for name in names]
    assert "; ".join(shown) in said, said


@pytest.mark.parametrize("command", ["run", "why", "shrink", "nightly"])
@pytest.mark.slow
def test_what_continues_a_stopped_command_names_the_file_of_variables(
    botattack: Botattack, campaign: Path, pinned: Path, command: str
) -> None:
    Path("my.env").write_text("TOKEN=x\n")
    about: tuple[object, ...] = (campaign,)
    if command in ("why", "shrink"):
        botattack("run", campaign, "--allow-code")  # in this folder: the baseline's files were in another
        about = newest(), "--budget", "1"
    campaign.write_text(CAMPAIGN + "budget: {requests: 1}\n")
    stopped = botattack(command, *about, "--allow-code", "--env-file", "my.env")
    assert stopped.status == 4
    (line,) = (line for line in stopped.err.splitlines() if line.startswith("continue "))
    assert "--env-file my.env" in line


@pytest.mark.slow
def test_a_continued_night_still_rings(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    Path("forgotten.txt").write_text("30")
    campaign.write_text(CAMPAIGN + "budget: {requests: 20}\n")
    assert botattack("nightly", campaign, "--allow-code").status == 4
    campaign.write_text(CAMPAIGN)
    resumed = botattack("nightly", campaign, "--allow-code", "--resume", newest())
    assert (resumed.status, "regression in originals" in resumed.err) == (1, True)


@pytest.mark.slow
def test_a_continued_night_asks_again_what_failed(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    night = "nightly", campaign, "--allow-code"
    campaign.write_text(CAMPAIGN + "budget: {requests: 50}\n")
    assert botattack(*night).status == 4
    campaign.write_text(CAMPAIGN)
    Path("forgotten.txt").write_text("no number: the bot fails")
    stopped = botattack(*night, "--resume", newest())
    assert (stopped.status, "continue   botattack nightly" in stopped.err) == (3, True)
    Path("forgotten.txt").write_text("0")
    resumed = botattack(*night, "--resume", newest())
    assert (resumed.status, "will be asked again" in resumed.err) == (0, True)
    assert asked(newest()) == asked(pinned)


def test_what_is_no_baseline_is_refused(botattack: Botattack, campaign: Path) -> None:
    botattack("run", campaign, "--allow-code", "--budget", "requests=9")
    refused = botattack("nightly", "baseline", "set", newest())
    assert (refused.status, "did not finish" in refused.err) == (2, True)
    assert botattack("nightly", "baseline", "show", "numbers").status == 2
    none = botattack("nightly", "baseline", "show")
    assert (none.status, "there is no baseline in recordings" in none.err) == (2, True)


def test_what_a_baseline_replaces_is_said(botattack: Botattack, pinned: Path) -> None:
    again = botattack("nightly", "baseline", "set", pinned)
    assert (again.status, "replaces TIME-numbers-ID (41 originals, " in again.out) == (0, True)
    file = Path("recordings/baselines/numbers.json")
    file.write_text("{")
    assert "replaces a baseline whose file cannot be read" in botattack("nightly", "baseline", "set", pinned).out
    file.unlink()
    assert "replaces" not in botattack("nightly", "baseline", "set", pinned).out


@pytest.mark.slow
def test_a_baseline_that_fails_its_gates_says_what_nights_will_do(botattack: Botattack, campaign: Path) -> None:
    campaign.write_text(
        CAMPAIGN + "gates: [{metric: standard_accuracy, at_least: 99%}, {metric: robust_accuracy, at_least: 1%}]\n"
    )
    assert botattack("run", campaign, "--allow-code").status == 1
    ended = botattack("nightly", "baseline", "set", newest())
    assert ended.status == 0
    (line,) = [line for line in ended.out.splitlines() if "fails 1 of its gates" in line]
    assert "standard accuracy is 97.6 %, below 99.0 %" in line
    assert botattack("nightly", campaign, "--allow-code").status == 1

    known = next(
        one for one in events(newest()) if isinstance(one, OriginalJudged) and one.standing in ("wrong", "refused")
    )
    assert botattack("mark", known.units[0], "accepted", "--why", "nobody knows").status == 0
    assert "of its gates" not in botattack("nightly", "baseline", "set", newest()).out
    assert botattack("nightly", campaign, "--allow-code").status == 0


def test_a_baseline_shows_its_suite(botattack: Botattack, pinned: Path) -> None:
    shown = botattack("nightly", "baseline", "show", "--units")
    assert shown.out.startswith("numbers: TIME-numbers-ID, 41 originals, ")
    told = list(events(pinned))
    texts = {event.question.id: event.question.text for event in told if isinstance(event, QuestionOpened)}
    sent = {event.unit: event.turns[-1].text for event in told if isinstance(event, Asked)}
    variants = {
        f"  {one.unit.split('.')[0]} {one.attack}: {texts[one.question]}"
        + (f" → {sent[one.unit]}" if sent[one.unit] != texts[one.question] else "")
        for one in told
        if isinstance(one, VariantJudged)
    }
    assert set(shown.out.splitlines()[1:]) == variants


def told(**places: tuple[str, ...]) -> NightSettings:
    return NightSettings(**places)  # type: ignore[arg-type]


def test_a_message_has_each_figure_under_its_name() -> None:
    found = notify.message(Night("x", 1, "why"))
    told = {"campaign": "x", "exit": 1, "why": "why", "run": "", "target": "", "report": ""}
    assert {name: value for name, value in found.items() if name in told} == told
    assert found.keys() - told.keys() == {"text", "lost", "right_again"}


@pytest.mark.parametrize(
    ("base_url", "link"),
    [
        ("", "{folder}/report.html"),
        ("https://ci.example/n", "https://ci.example/n/a%20night/report.html"),
        ("https://ci.example/n/", "https://ci.example/n/a%20night/report.html"),
    ],
)
def test_a_message_says_where_the_page_is(tmp_path: Path, base_url: str, link: str) -> None:
    folder = tmp_path / "a night"
    found = notify.message(Night("x", 1, "why", folder), base_url)
    assert found["report"] == link.format(folder=folder.resolve())
    assert str(found["text"]).endswith(f"report  {found['report']}")


def test_a_webhook_that_stays_away_is_told_without_its_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notify, "PAUSES", (0.0, 0.0))
    with hook() as web:
        url = web.url + "/secret"
    (sentence,) = notify.tell(Night("x", 1, "why"), told(webhooks=(url,)))
    assert "the webhook was not reached" in sentence
    assert "secret" not in sentence
    (wrong,) = notify.tell(Night("x", 1, "why"), told(webhooks=("ftp://secret",)))
    assert "http://" in wrong
    assert "secret" not in wrong


def test_a_webhook_with_a_password_is_refused_for_its_password(botattack: Botattack, campaign: Path) -> None:
    ended = botattack("nightly", campaign, "--allow-code", "--webhook", "https://user:s3cr3t@127.0.0.1:9/x")
    assert ended.status == 2
    assert "user name or password" in ended.err
    assert "https" not in ended.err, "the URL does start with it"
    assert "s3cr3t" not in ended.err


def test_a_page_that_repeats_its_address_tells_no_webhook(monkeypatch: pytest.MonkeyPatch, serve: Serve) -> None:
    monkeypatch.setattr(notify, "PAUSES", (0.0,))
    url = serve(Server(replying(lambda asked: response(f"Cannot POST {asked.target}: no_service", status=404))))
    (sentence,) = notify.tell(Night("x", 1, "why"), told(webhooks=(f"{url}/services/T0123/s3cr-3t?key=hidden",)))
    assert "no_service" in sentence
    assert not [word for word in ("T0123", "s3cr-3t", "hidden") if word in sentence]


@pytest.mark.slow
def test_apprise_is_sent_on_by_nobody(serve: Serve) -> None:
    stranger = Server(replying(lambda _: response("ok")))
    elsewhere = serve(stranger)
    url = serve(Server(replying(lambda _: response("", status=307, location=f"{elsewhere}/stolen"))))
    failed = notify.tell(Night("x", 1, "why"), told(apprise=(url.replace("http://", "json://user:s3cr3t@"),)))
    assert failed == ["apprise could not deliver to every place"]
    assert stranger.received == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "flags",
    [
        ("--webhook", "http://127.0.0.1:9/s3cr3t"),
        ("--webhook=http://127.0.0.1:9/x?key=s3cr3t",),
        ("--apprise", "json://user:s3cr3t@127.0.0.1:9/"),
        ("--apprise", "json://127.0.0.1:9/?-X=with space and s3cr3t"),
    ],
)
def test_where_a_message_goes_is_in_no_recording(
    botattack: Botattack, campaign: Path, pinned: Path, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...]
) -> None:
    monkeypatch.setattr(notify, "PAUSES", (0.0,))
    botattack("nightly", campaign, "--allow-code", *flags, "--notify", "always")
    assert newest() != pinned
    assert not [path for path in newest().rglob("*") if b"s3cr3t" in path.read_bytes()]


@pytest.mark.slow
def test_apprise_delivers_what_it_is_told() -> None:
    with hook() as web:
        assert notify.tell(Night("x", 1, "a\x1b[2Jb"), told(apprise=(web.url.replace("http://", "json://"),))) == []
    (message,) = web.received
    assert message["title"] == "botattack x: FAILED"
    assert "\x1b" not in message["message"]
    assert notify.tell(Night("x", 1, "why"), told(apprise=("nonsense",))) == [
        "apprise does not understand one of its URLs"
    ]


ALICE = '''
"""ALICE without the categories of the files named in removed.txt."""
import functools, gc, pathlib
import aiml
from botattack.bots import alice
HERE = pathlib.Path(__file__).parent

@functools.cache
def kernel(removed):
    kernel = alice._seeded(aiml.Kernel)()
    kernel.verbose(False)
    gc.disable()
    for path in sorted((pathlib.Path(aiml.__file__).parent / "botdata" / "alice").glob("*.aiml")):
        if path.name not in removed.split():
            kernel.learn(str(path))
    gc.enable()
    return kernel

def bot(session, seed):
    return alice.Alice(kernel((HERE / "removed.txt").read_text()), session, seed)

bot.per_session = True
'''


@pytest.mark.live
def test_alice_without_part_of_her_categories(botattack: Botattack, folder: Path) -> None:
    """A third-party bot that gets worse between two nights, and one that does not."""
    (folder / "worse.py").write_text(ALICE)
    (folder / "removed.txt").write_text("")
    demo = Path(__file__).parents[2] / "campaigns" / "demo-questions.jsonl"
    refusals = (Path(__file__).parents[2] / "targets" / "bots" / "alice.yaml").read_text().partition("signs:")[2]
    (folder / "alice.yaml").write_text(
        'name: alice\nconnect: {kind: local, call: "file://worse.py:bot"}\nlimits: {rate: unlimited}\n'
        f"signs:{refusals}"
    )
    (folder / "night.yaml").write_text(
        f"target: alice.yaml\nquestions: {{file: {demo}, limit: 60}}\nseed: 7\nattacks: [dpaeg: {{per_question: 2}}]\n"
    )
    assert botattack("run", "night.yaml", "--allow-code").status == 0
    old = newest()
    botattack("nightly", "baseline", "set", old)
    with hook() as web:
        assert botattack("nightly", "night.yaml", "--allow-code", "--webhook", web.url).status == 0
    assert web.received == []
    (folder / "removed.txt").write_text("geography.aiml")
    with hook() as web:
        ended = botattack("nightly", "night.yaml", "--allow-code", "--webhook", web.url)
    assert ended.status == 1
    (message,) = web.received
    changes = json.loads((newest() / "diff.json").read_text())["changes"]
    broken = {
        one["alteration"]["original"][-1]["text"] for one in changes if one["row"] == "originals" and one["broke"]
    }
    wrong = {event.question for event in events(newest()) if isinstance(event, OriginalJudged)}
    assert len(wrong) == 60
    assert len(broken) >= 10
    assert all(question in ended.out + json.dumps(message) for question in broken)
    page = (newest() / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    suites = ET.parse(newest() / "diff.xml").getroot()
    assert int(suites.attrib["failures"]) >= 1
    assert next(iter(broken)) in "".join(failure.text or "" for failure in suites.iter("failure"))


@pytest.mark.slow
def test_the_night_on_which_a_question_broke_is_named(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    botattack("nightly", campaign, "--allow-code")
    Path("forgotten.txt").write_text("1")
    botattack("nightly", campaign, "--allow-code")
    broke = newest()
    botattack("nightly", campaign, "--allow-code")
    named = botattack("nightly", "trend", "--bisect")
    assert named.status == 0
    first = next(line for line in named.out.splitlines() if "originals" in line)
    assert "broke, originals: What is the famous double of number 1?" in first
    flips = Bisect()
    for folder in sorted(Path("recordings").glob("2*"), key=lambda path: path.stat().st_mtime_ns):
        flips.add(folder.name, "", unit_states(events(folder)))
    assert {flip.first for flip in flips.flips() if flip.row == "originals"} == {broke.name}
    assert botattack("nightly", "trend", "-o", "trend.html").status == 0
    assert "number 1?" in Path("trend.html").read_text()
    assert botattack("nightly", "trend", "--target", "other").status == 2


@pytest.mark.slow
def test_the_reports_of_a_night_tell_of_regression_and_gates(
    botattack: Botattack, campaign: Path, pinned: Path
) -> None:
    campaign.write_text(
        CAMPAIGN
        + "gates: [{metric: standard_accuracy, drop_at_most: 2%}, {metric: standard_accuracy, at_least: 10%}]\n"
    )
    held = botattack("nightly", campaign, "--allow-code")
    assert held.status == 0
    assert "no regression against the baseline; all 2 gates held" in " ".join(held.out.split())
    Path("forgotten.txt").write_text("12")
    with hook() as web:
        ended = botattack("nightly", campaign, "--allow-code", "--webhook", web.url)
    assert ended.status == 1
    (message,) = web.received
    written = json.loads((newest() / "report.json").read_text())
    page = (newest() / "report.html").read_text()
    for text in (" ".join(ended.out.split()), page, written["run"]["why"], message["text"]):
        assert "regression in originals" in text
        assert "standard accuracy went from 97.6 % to 68.3 %" in text
        assert "no gate is set" not in text
    assert (written["run"]["exit"], [gate["held"] for gate in written["gates"]]) == (1, [False, True])
    first = page.partition('class="headline">')[2]
    assert first.startswith("Worse since ")
    assert "Failed: standard accuracy went from 97.6 % to 68.3 %" in first
    for text in (" ".join(ended.out.partition("What to do")[0].split()), message["text"].partition("lost answers")[0]):
        assert text.count("regression in originals") == text.count("12 answers lost") == 1
    assert botattack("replay", newest(), "--as-recorded", "-o", "again.json").status == 0
    assert json.loads(Path("again.json").read_text()) == written


@pytest.mark.slow
def test_a_night_begins_with_the_comparison_whatever_its_gates(
    botattack: Botattack, campaign: Path, pinned: Path
) -> None:
    gate = "gates: [{metric: standard_accuracy, at_least: 99%}]\n"
    campaign.write_text(CAMPAIGN + gate)
    steady = botattack("nightly", campaign, "--allow-code")
    assert (steady.status, steady.out.startswith("No regression since ")) == (1, True)
    page = (newest() / "report.html").read_text()
    assert page.index("No regression since ") < page.index("Failed: standard accuracy")
    Path("forgotten.txt").write_text("12")
    worse = botattack("nightly", campaign, "--allow-code")
    assert worse.out.startswith("Worse since ")
    lost = " ".join(worse.out.partition("Failed:")[0].split())
    assert "What is the famous double of number" in lost
    assert "and 9 more." in lost


def test_where_nobody_could_be_told_no_night_is_spent(botattack: Botattack, campaign: Path) -> None:
    for flags in (("--webhook", "htp:/secret"), ("--apprise", "nonsense")):
        ended = botattack("nightly", campaign, "--allow-code", *flags)
        assert ended.status == 2
        assert "secret" not in ended.err
        assert not Path("recordings").exists()


@pytest.mark.slow
def test_a_night_without_a_baseline_says_so_loudly(botattack: Botattack, campaign: Path) -> None:
    with hook() as web:
        ended = botattack("nightly", campaign, "--allow-code", "--webhook", web.url, "--notify", "always")
    assert ended.status == 0
    assert ended.err.startswith("NO BASELINE for numbers: ")
    assert "FOLDER/recordings/baselines/numbers.json" in ended.err
    assert "compared with nothing" in web.received[0]["text"]


@pytest.mark.slow
def test_nights_of_another_suite_are_left_out_and_a_question_that_was_fixed_is_still_told(
    botattack: Botattack, campaign: Path, pinned: Path
) -> None:
    for forgotten, again in (("1", False), ("0", True)):
        Path("forgotten.txt").write_text(forgotten)
        with hook() as web:
            flags = "--webhook", web.url, "--notify", "always"
            said = " ".join(botattack("nightly", campaign, "--allow-code", *flags).out.split())
        for told in (said, web.received[0]["text"]):
            assert ("right again: What is the famous double of number 1?" in told) is again
        assert web.received[0]["right_again"] == ["What is the famous double of number 1?"] * again
    campaign.write_text(CAMPAIGN.replace("seed: 7", "seed: 8"))
    botattack("run", campaign, "--allow-code")
    named = botattack("nightly", "trend", "--bisect")
    assert "1 run left out that no night repeats" in named.err
    (line,) = [line for line in named.out.splitlines() if "originals" in line]
    assert " broke, originals: What is the famous double of number 1?" in line
    assert ", right again on " in line
    assert botattack("nightly", "trend", "-o", "trend.html").status == 0
    assert "2 nights and 1 other run" in Path("trend.html").read_text()


@pytest.mark.slow
def test_a_baseline_that_an_older_botattack_judged_is_judged_again(
    botattack: Botattack, campaign: Path, pinned: Path
) -> None:
    """Else an upgrade would look like a change of the bot; what the target file calls a refusal counts, too."""
    made = json.loads((pinned / "run.json").read_text())
    made["judge"]["botattack"] = "0.0.1"
    (pinned / "run.json").write_text(json.dumps(made))
    Path("bot.yaml").write_text(Path("bot.yaml").read_text().replace('["I only', '["It is 7.", "I only'))
    ended = botattack("nightly", campaign, "--allow-code")
    assert (ended.status, "newly broken" in ended.out.partition("row ")[0]) == (0, False)
    assert "1 of 2 runs judged again" in botattack("nightly", "trend").err


@pytest.mark.slow
def test_a_dry_night_asks_nothing(botattack: Botattack, campaign: Path) -> None:
    words = ("nightly", campaign, "--allow-code", "--dry-run")
    first = botattack(*words)
    assert (first.status, "asks the whole campaign" in first.out) == (0, True), first
    assert not Path("recordings").exists()
    assert botattack("run", campaign, "--allow-code", "--quiet").status == 0
    assert botattack("nightly", "baseline", "set", newest(), "--recordings", ".").status == 0
    assert "asks the whole campaign" in botattack(*words).out
    assert botattack("nightly", "baseline", "set", newest()).status == 0
    before = sorted(Path("recordings").rglob("*"))
    for flags in ((), ("--recordings", ".")):
        dry = botattack(*words, *flags)
        assert "41 originals and " in dry.out
        assert "nothing was asked" in dry.out
    assert sorted(Path("recordings").rglob("*")) == before
    assert "there is no baseline" in botattack(*words, "--baseline", "none").err
