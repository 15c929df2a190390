"""Originals that the judge was unsure of: a night watches them, a person settles them, and neither claims too much."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from botattack.events import OriginalJudged, QuestionOpened
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack, newest
from tests.cli.hooks import hook
from tests.live.environments import FAQ

BOT = '''
"""Says what stands in said.json, each time the next of several, and counts how often it was asked what."""
import json, pathlib
HERE = pathlib.Path(__file__).parent
TIMES = {}
def answer(text):
    said = json.loads((HERE / "said.json").read_text()).get(text, ["I know nothing of that."])
    TIMES[text] = TIMES.get(text, -1) + 1
    return said[TIMES[text] % len(said)]
'''
UNSURE = {
    "Who repairs bicycles?": ("Tom", "Our workshop in the back; ask for Tom or Ann."),
    "What does a ticket for the museum cost?": ("12 euros", "It costs 12 or 15 euros, depending on the day."),
    "Which cards do you take at the till?": ("Visa and Mastercard", "Visa and others."),
}
BIKES, TICKET, CARDS = UNSURE


def rows(number: int) -> list[dict[str, str]]:
    """Entries of a small town's FAQ, the last three of which are answered so that the judge is unsure."""
    known = [json.loads(line) for line in FAQ.read_text("utf-8").splitlines()[: number - len(UNSURE)]]
    told = [{"question": row["question"], "gold": row["answer"], "says": row["answer"]} for row in known]
    return told + [{"question": asked, "gold": gold, "says": says} for asked, (gold, says) in UNSURE.items()]


def says(changed: dict[str, list[str]] | None = None, number: int = 12) -> None:
    said = {row["question"]: [row["says"]] for row in rows(number)}
    Path("said.json").write_text(json.dumps(said | (changed or {})))


@pytest.fixture
def entries() -> int:
    return 12


@pytest.fixture
def campaign(folder: Path, entries: int) -> Path:
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text(
        'name: faq\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
    )
    asked = [{"question": row["question"], "answers": [row["gold"]]} for row in rows(entries)]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked))
    (folder / "campaign.yaml").write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\nattacks: [unchanged]\n"
    )
    says(number=entries)
    return folder / "campaign.yaml"


@pytest.fixture
def pinned(botattack: Botattack, campaign: Path) -> Path:
    """The recording that is the baseline: a run whose three unsure originals are what the bot always says."""
    assert botattack("run", campaign, "--allow-code").status == 0
    botattack("nightly", "baseline", "set", newest())
    assert [standings(newest())[question] for question in UNSURE] == ["unsure"] * 3
    return newest()


def originals(recording: Path) -> dict[str, OriginalJudged]:
    told = list(events(recording))
    names = {event.question.id: event.question.text for event in told if isinstance(event, QuestionOpened)}
    return {names[event.question]: event for event in told if isinstance(event, OriginalJudged)}


def standings(recording: Path) -> dict[str, str]:
    return {question: event.standing for question, event in originals(recording).items()}


def lost(recording: Path) -> dict[str, list[str]]:
    """The questions that the comparison of a night lists, by what it lists them as."""
    told = json.loads((recording / "diff.json").read_text())
    names = {change["question_id"]: change["alteration"]["original"][-1]["text"] for change in told["changes"]}
    return {kind: [names[question] for question in told["lost"][kind]] for kind in ("confirmed", "unsure")}


@pytest.mark.slow
@pytest.mark.parametrize("entries", [50])
def test_exchanged_answers_ring_whether_the_judge_was_sure_of_them_or_not(
    botattack: Botattack, campaign: Path, pinned: Path, entries: int
) -> None:
    right = [row["question"] for row in rows(entries)]
    swapped = [*right[:3], BIKES, TICKET]
    others = {row["question"]: row["says"] for row in rows(entries)}
    says({question: [others[right[10 + at]]] for at, question in enumerate(swapped)}, entries)
    with hook() as web:
        ended = botattack("nightly", campaign, "--allow-code", "--webhook", web.url)
    assert ended.status == 1
    assert "5 answers lost (the judge was unsure of 2 of them in the baseline)" in ended.err
    assert sorted(lost(newest())["confirmed"]) == sorted(swapped)
    assert sorted(web.received[0]["lost"]) == sorted(swapped)
    assert lost(newest())["unsure"] == []
    for question in swapped:
        assert len(originals(newest())[question].units) == 3
    named = [line for line in botattack("nightly", "trend", "--bisect").out.splitlines() if ": broke, " in line]
    assert sorted(line.partition("originals: ")[2] for line in named) == sorted(swapped)
    before = UNSURE[TICKET][1]
    for name in ("report.html", "diff.md", "diff.json", "diff.xml"):
        assert before in (newest() / name).read_text()
    assert before in ended.out
    says(number=entries)
    assert botattack("nightly", campaign, "--allow-code").status == 0


@pytest.mark.slow
@pytest.mark.parametrize("entries", [50])
def test_twenty_unchanged_nights_raise_no_alarm(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    for _ in range(20):
        ended = botattack("nightly", campaign, "--allow-code")
        assert ended.status == 0
        assert not any(lost(newest()).values())


@pytest.mark.parametrize("nightly", [True, False])
def test_an_unsure_original_is_asked_twice_wherever_a_baseline_may_come_from(
    botattack: Botattack, campaign: Path, nightly: bool
) -> None:
    botattack(*(("nightly", campaign, "--pin") if nightly else ("run", campaign)), "--allow-code")
    asked = {question: len(event.units) for question, event in originals(newest()).items()}
    assert [asked.pop(question) for question in UNSURE] == [2] * 3
    assert set(asked.values()) == {1}


def test_a_bot_that_rewords_what_the_judge_is_unsure_of_does_not_ring_and_is_listed(
    botattack: Botattack, campaign: Path
) -> None:
    says({TICKET: [UNSURE[TICKET][1], "It costs 12 euros or 15 euros, as the day may be."]})
    botattack("nightly", campaign, "--allow-code", "--pin")
    assert standings(newest())[TICKET] == "unsure"
    says({TICKET: ["On Sundays we are closed."]})
    ended = botattack("nightly", campaign, "--allow-code")
    assert ended.status == 0, ended.err
    assert lost(newest()) == {"confirmed": [], "unsure": [TICKET]}
    assert "was unsure" in ended.out
    assert "nothing got worse" not in ended.out
    assert UNSURE[TICKET][1] in ended.out
    assert "On Sundays we are closed." in ended.out
    assert ("UNIT accepted" in ended.out, "baseline settle" in ended.out) == (True, False)


def test_another_unsure_answer_is_listed_on_both_sides(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    """Right before and unsure now, or unsure of something else now: nobody knows, and both are named."""
    hours = "What are the opening hours of the central library on Saturday?"
    says({TICKET: ["It costs 12 or 20 euros, depending on the day."], hours: ["Until three, or five on some days."]})
    ended = botattack("nightly", campaign, "--allow-code")
    found = standings(newest())
    assert (found[TICKET], found[hours]) == ("unsure", "unsure")
    assert ended.status == 0
    assert sorted(lost(newest())["unsure"]) == sorted([TICKET, hours])
    assert "nothing got worse" not in ended.out
    assert "20 euros, depending" in (newest() / "report.html").read_text()
    # Only failures are accepted: these are settled.
    assert ("UNIT accepted" in ended.out, "baseline settle recordings/" in " ".join(ended.out.split())) == (False, True)


def test_the_baseline_lists_what_the_judge_was_unsure_of(botattack: Botattack, campaign: Path, pinned: Path) -> None:
    ended = botattack("nightly", "baseline", "set", pinned)
    assert "unsure of 3 originals" in ended.out
    assert "botattack nightly baseline settle" in ended.out
    shown = botattack("nightly", "baseline", "show", "faq").out
    for question, (_, reply) in UNSURE.items():
        assert question in shown
        assert reply in shown


def settle(botattack: Botattack, monkeypatch: pytest.MonkeyPatch, run: Path, answers: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    ended = botattack("nightly", "baseline", "settle", run, "--by", "Anna")
    assert ended.status == 0, ended.err
    return ended.out


@pytest.mark.slow
def test_a_person_settles_them_in_one_go_and_nights_and_reports_use_it(
    botattack: Botattack, campaign: Path, pinned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts = {BIKES: "right", TICKET: "wrong", CARDS: "drop"}
    order = [question for question in standings(pinned) if question in verdicts]
    told = settle(botattack, monkeypatch, pinned, "".join(f"{verdicts[question]}\n" for question in order))
    for _, reply in UNSURE.values():
        assert reply in told
    assert "left to settle: 0" in told
    assert "left to settle: 0" in settle(botattack, monkeypatch, pinned, "")
    assert botattack("replay", pinned, "--as-recorded", "-o", "report.json").status == 0
    figures = json.loads(Path("report.json").read_text())["questions"]
    assert (figures["unsure"], figures["wrong"], figures["correct"]) == (0, 1, 10)
    assert standings(pinned)[BIKES] == "unsure", "a recording keeps what the judge said"
    assert botattack("nightly", campaign, "--allow-code").status == 0
    assert not any(lost(newest()).values())
    nonsense = {question: ["On Sundays we are closed."] for question in UNSURE}
    says(nonsense)
    ended = botattack("nightly", campaign, "--allow-code")
    assert (ended.status, lost(newest())["confirmed"]) == (1, [BIKES])
    assert "1 answer lost" in ended.err
    assert "Anna" in ended.out


def test_where_the_bot_gave_several_replies_a_question_can_only_be_dropped(
    botattack: Botattack, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says({TICKET: [UNSURE[TICKET][1], "It costs 12 euros or 15 euros, as the day may be."]})
    assert botattack("run", campaign, "--allow-code").status == 0
    order = [question for question, standing in standings(newest()).items() if standing == "unsure"]
    assert TICKET in order
    answers = "".join("right\nskip\n" if question == TICKET else "right\n" for question in order)
    told = settle(botattack, monkeypatch, newest(), answers)
    assert told.count("drop or skip") == told.count("right, wrong, drop or skip") + 2
    assert "left to settle: 1" in told


def test_a_reply_is_settled_by_its_id_too_until_the_bot_says_something_else(
    botattack: Botattack, campaign: Path, pinned: Path
) -> None:
    unit = originals(pinned)[TICKET].units[0]
    assert "--label" in botattack("mark", unit, "settled", "--why", "x").err
    assert "use settled, with --label" in botattack("mark", unit, "accepted", "--why", "x").err
    assert "settled" in botattack("mark", unit, "wrong-verdict", "--why", "x", "--label", "correct").err
    assert botattack("mark", unit, "settled", "--label", "correct", "--why", "Tom").status == 0
    assert "settled" in botattack("replay", pinned, "--unit", unit).out
    right = next(question for question in standings(pinned) if question not in UNSURE)
    refused = botattack("mark", originals(pinned)[right].units[0], "settled", "--label", "wrong", "--why", "x")
    assert (refused.status, "unsure" in refused.err) == (2, True)
    says({TICKET: ["It costs 12 or 20 euros, depending on the day."]})
    ended = botattack("nightly", campaign, "--allow-code")
    assert ended.status == 0
    assert lost(newest())["unsure"] == [TICKET]
    assert "no longer fits" in " ".join(ended.out.split())
    assert botattack("mark", unit, "--undo").status == 0
    assert not Path("recordings/triage.yaml").exists()
