"""`botattack why`: causes named from outside, on a bot with two planted faults, and the same again without it."""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from botattack.config.docstrings import described
from botattack.events import QuestionOpened, RunStarted, VariantJudged
from botattack.recordings.reader import events
from botattack.report.figures.diagnoses import CauseShare, Explained, WhyFigures
from botattack.report.figures.metrics import figures_of
from botattack.report.statistics.intervals import wilson
from botattack.report.stories.asked import caused
from botattack.report.story.blocks import Story
from botattack.report.story.in_markdown import lines
from botattack.report.wording.diagnoses import asked_about, cause_title, fix
from botattack.report.wording.diagnoses import caused as diagnosed
from tests.cli.conftest import Botattack, Once, newest
from tests.cli.test_shrink import asked
from tests.report.streams import fits

BOT = '''
"""Finds a country by its exact name, if "capital" is in the message; it has no passage of Atlantis."""
import json, pathlib, re
LIBRARY = json.loads((pathlib.Path(__file__).parent / "library.json").read_text())
def answer(text):
    pasted = re.search(r"The capital is (\\w+)", text)
    if pasted:
        return f"It is {pasted.group(1)}."
    country = next((name for name in LIBRARY if name in text), "")
    if not country or "capital" not in text.lower():
        return {"text": "Nobody knows.", "fields": {"sources": []}}
    read = f"{country}: The capital is {LIBRARY[country]}."
    return {"text": f"It is {LIBRARY[country]}.", "fields": {"sources": [read]}}
'''
TARGET = (
    'name: capitals\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited, concurrency: 1}\n'
)
CITIES = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Norway": "Oslo", "Portugal": "Lisbon"}
ATTACKS = "[{random-characters: {keywords: all, per_question: 2}}, filler]"


@pytest.fixture
def recording(botattack: Botattack, folder: Path, once: Once) -> Path:
    once(lambda: run_of(botattack, folder, {**CITIES, "Atlantis": "Poseidonis"}))
    return newest()


def run_of(
    botattack: Botattack,
    folder: Path,
    cities: dict[str, str],
    bot: str = BOT,
    attacks: str = ATTACKS,
    library: dict[str, str] = CITIES,
    more: str = "",
) -> Path:
    (folder / "bot.py").write_text(bot)
    (folder / "bot.yaml").write_text(TARGET)
    (folder / "library.json").write_text(json.dumps(library))
    rows = [
        {
            "question": f"What is the famous capital of {country}?",
            "answers": [city],
            "passages": [f"{country}: The capital is {city}."],
        }
        for country, city in cities.items()
    ]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "campaign.yaml").write_text(
        f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nseed: 7\nmatch: contains\nattacks: {attacks}\n{more}"
    )
    assert botattack("run", "campaign.yaml", "--allow-code", "--quiet").status in (0, 1)
    return newest()


FILES = [flag for ending in ("json", "md", "html") for flag in ("-o", f"out/why.{ending}")]


def why(botattack: Botattack, recording: Path, *more: Any) -> Any:
    return botattack("why", recording, "--allow-code", "--recordings", "whys", *more)


def test_two_faults_are_named_apart(botattack: Botattack, recording: Path) -> None:
    ended = why(botattack, recording, "--each", "0", *FILES)
    assert ended.status == 0, ended
    found = json.loads(Path("out/why.json").read_text())["why"]
    causes = {(one["attack"], one["cause"]) for one in found["explained"]}
    assert causes == {("random-characters", "input"), ("original", "retrieval")}
    assert all(one["requests"] <= 6 and one["told"] for one in found["explained"])
    assert sum(one["count"] for one in found["causes"]) == len(found["explained"])
    assert all(0 <= one["interval"][0] < one["interval"][1] <= 1 for one in found["causes"])
    broken = {one.unit for one in events(recording) if isinstance(one, VariantJudged) and one.result == "success"}
    assert {one["variant"] for one in found["explained"] if one["attack"] != "original"} == broken
    for shown in (ended.out, Path("out/why.html").read_text(), Path("out/why.md").read_text()):
        assert "Poseidonis" in shown.partition("expected")[2]
        assert "input" in shown
        assert "retrieval" in shown


DOWN = """
import json, pathlib
HERE = pathlib.Path(__file__).parent
asked = 0
def answer(text):
    global asked
    asked += 1
    if asked in json.loads((HERE / "down.json").read_text()):
        return "I am being cleaned."
    cities = json.loads((HERE / "library.json").read_text())
    return next(f"It is {city}." for country, city in cities.items() if country in text)
"""


def test_one_wrong_reply_to_three_in_a_row_is_an_outage_and_to_two_is_none(botattack: Botattack, folder: Path) -> None:
    cities = {f"{country} {side}": f"{city}{side}" for side in ("North", "South") for country, city in CITIES.items()}
    (folder / "down.json").write_text("[2, 3, 4, 7, 8]")
    recording = run_of(botattack, folder, cities, DOWN, "[]", library=cities)
    (folder / "down.json").write_text("[]")
    assert why(botattack, recording, "--each", "0", *FILES).status == 0
    explained = json.loads(Path("out/why.json").read_text())["why"]["explained"]
    assert Counter(one["cause"] for one in explained) == {"outage": 3, "chance": 2}


@pytest.mark.parametrize(("share", "weighed"), [(0.85, True), (8 / 12, False)])
def test_a_share_of_all_failures_says_of_how_many_and_how_they_count(share: float, weighed: bool) -> None:
    explained = 12 * (Explained("q", "v", "case", "input", "told", (), sure=True, requests=3),)
    of_input = CauseShare("input", 8, share, (0.5, 0.97))
    found = WhyFigures("run", explained, (of_input,), {"case": 30, "noise": 10})
    told = cause_title(of_input, found)
    assert told.startswith("input: 8 of 12 failures")
    assert diagnosed(found).startswith("12 of 40 failures")
    assert diagnosed(dataclasses.replace(found, failures={"case": 12})).startswith("Of 12 failures")
    assert ("85 % of all 40, if each attack counts by its failures" in told) is weighed, told


@pytest.mark.parametrize("attack", ["are-you-sure", "leading"])
def test_what_makes_a_bot_give_in_is_advised_by_its_attack(attack: str) -> None:
    gave_in = Explained("q", "v", attack, "yielding", "told", (), sure=True, requests=3)
    share = CauseShare("yielding", 1, 1.0, (0.2, 1.0))
    assert fix(share, WhyFigures("run", (gave_in,), (share,), {attack: 1})) == described(attack).advice


def test_files_are_written_as_those_of_run_are(botattack: Botattack, recording: Path) -> None:
    assert why(botattack, recording, "--quiet", "-o", "new/w.json", "-o", "w.md").status == 0
    assert fits("run", Path("new/w.json"))["why"]["explained"]
    assert Path("w.md").is_file()
    asked = sorted(Path("whys").iterdir())
    refused = why(botattack, recording, "-o", "w.pdf")
    assert (refused.status, "w.pdf" in refused.err, sorted(Path("whys").iterdir())) == (2, True, asked)


ADVISED = (
    # of 12, how many come back behind a normaliser; what is advised
    (9, ["A normaliser before", "Normalise a message"]),
    (0, []),
)


def test_what_was_tried_is_advised_and_not_if_it_gains_nothing(botattack: Botattack, recording: Path) -> None:
    why(botattack, recording, "--quiet", "--each", "0")
    found = figures_of(events(newest("whys"))).why
    assert found
    every = {text for *_, texts in ADVISED for text in texts}
    for back, advised in ADVISED:
        tried = dataclasses.replace(found, input_failures=12, come_back=back)
        text = "\n".join(lines(Story("why", "", tuple(caused(tried, ())))))
        places = {one: text.find(one) for one in every if one in text}
        assert sorted(places, key=lambda one: places[one]) == advised, back


@pytest.mark.parametrize("gold", [True, False])
@pytest.mark.parametrize("passages", [True, False])
def test_only_what_the_question_file_lacks_is_asked_for(
    botattack: Botattack, recording: Path, *, gold: bool, passages: bool
) -> None:
    why(botattack, recording, "--quiet", "--each", "0")
    opened = [
        replace(
            event,
            question=replace(
                event.question,
                masked=event.question.id,  # what is removed changes the id
                passages=event.question.passages if passages else (),
                answers=event.question.answers if gold else (),
            ),
        )
        if isinstance(event, QuestionOpened)
        else event
        for event in events(newest("whys"))
    ]
    found = figures_of(opened).why
    assert found
    of_originals = tuple(one for one in found.explained if one.attack == "original")
    assert of_originals
    unclear = tuple(dataclasses.replace(one, cause="unclear") for one in of_originals)
    shares = (CauseShare("unclear", len(unclear), 1.0, (0.5, 1.0)),)
    found = dataclasses.replace(found, explained=unclear, causes=shares)
    fixed = fix(found.causes[0], found)
    assert ("gold answers" in fixed, "passages" in fixed) == (not gold, not passages)
    assert ("question file" in fixed) == (not (gold and passages))
    assert "more requests" in fixed


def test_a_recording_tells_the_same_story_without_the_bot(botattack: Botattack, recording: Path) -> None:
    why(botattack, recording, "--quiet")
    Path("bot.py").unlink()
    live = figures_of(events(newest("whys"))).why
    assert botattack("replay", newest("whys"), "-o", "again.json", "--quiet").status == 0
    again = fits("run", Path("again.json"))["why"]
    assert live
    assert [one["told"] for one in again["explained"]] == [one.told for one in live.explained]
    assert [len(one["story"]) for one in again["explained"]] == [one.requests for one in live.explained]


def test_what_was_asked_by_other_rules_names_no_cause(botattack: Botattack, recording: Path) -> None:
    why(botattack, recording, "--quiet", "--attack", "random-characters")
    asked = [
        replace(one, why="something else") if isinstance(one, VariantJudged) and one.why == "again" else one
        for one in events(newest("whys"))
    ]
    found = figures_of(asked).why
    assert found
    assert not found.explained


def test_a_budget_stops_it_and_resume_ends_as_if_it_had_not(botattack: Botattack, recording: Path) -> None:
    assert why(botattack, recording, "--quiet").status == 0
    flags = ("why", recording, "--allow-code", "--quiet")
    stopped = botattack(*flags, "--recordings", "parts", "--budget", "3")
    assert stopped.status == 4, stopped
    assert botattack(*flags, "--resume", newest("parts")).status == 0
    assert asked(newest("parts")) == asked(newest("whys"))


@pytest.mark.parametrize(("other", "named"), [(("--max-requests", "3"), "most"), (("--attack", "original"), "only")])
def test_only_the_same_failures_are_continued(
    botattack: Botattack, recording: Path, other: tuple[str, str], named: str
) -> None:
    flags = ("why", recording, "--allow-code", "--quiet", "--each", "1")
    assert botattack(*flags, "--recordings", "parts", "--budget", "1").status == 4
    refused = botattack(*flags, *other, "--resume", newest("parts"))
    assert (refused.status, f"why.{named} was" in refused.err) == (2, True), refused
    broken = {one.unit for one in events(recording) if isinstance(one, VariantJudged)}
    assert not any(unit in refused.err for unit in broken)


def test_a_target_file_of_another_name_is_refused(botattack: Botattack, recording: Path) -> None:
    Path("other.yaml").write_text(TARGET.replace("capitals", "towns"))
    refused = why(botattack, recording, "-t", "other.yaml")
    assert (refused.status, "`name: capitals`" in refused.err) == (2, True), refused


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_a_failure_that_the_run_did_not_finish_has_no_cause(botattack: Botattack, recording: Path, budget: int) -> None:
    """The bot answers all it is asked: what was never asked, or not asked enough, is neither outage nor unclear."""
    stopped = why(botattack, recording, "--budget", budget)
    assert stopped.status == 4, stopped
    found = figures_of(events(newest("whys"))).why
    assert found
    assert not {"outage", "unclear"} & {one.cause for one in found.causes}


def test_failures_can_be_chosen(botattack: Botattack, recording: Path) -> None:
    why(botattack, recording, "--quiet", "--each", "1", "--attack", "random-characters", "--max-requests", "3")
    started = next(one for one in events(newest("whys")) if isinstance(one, RunStarted))
    assert started.whys
    assert [one.attack for one in started.whys.findings] == ["random-characters"]
    none = why(botattack, recording, "--attack", "fillers")
    assert (none.status, "random-characters" in none.err) == (2, True)


@pytest.mark.parametrize(
    ("failures", "several"), [({"noise": 9}, False), ({"noise": 9, "case": 2}, True), ({"noise": 0}, False)]
)
def test_failures_are_some_of_each_attack_only_of_several(failures: dict[str, int], several: bool) -> None:
    told = " ".join(asked_about(WhyFigures("run", failures=failures)))
    assert ("of each attack" in told) == several


def test_questions_that_were_wrong_may_all_get_one_reply(botattack: Botattack, folder: Path) -> None:
    run = run_of(botattack, folder, {**CITIES, **{f"Nowhere{n}": f"Town{n}" for n in range(9)}})
    ended = why(botattack, run, "--quiet", "--each", "0", "--attack", "original")
    assert ended.status == 0, ended
    found = figures_of(events(newest("whys"))).why
    assert found
    assert [(one.cause, one.count) for one in found.causes] == [("retrieval", 9)]


def test_a_normaliser_is_tried_where_the_input_is_the_cause(botattack: Botattack, recording: Path) -> None:
    why(botattack, recording, "--quiet", "--each", "0", *FILES)
    found = figures_of(events(newest("whys"))).why
    assert found
    assert 0 < found.come_back <= found.input_failures
    low, high = wilson(found.come_back, found.input_failures)
    assert low < found.come_back / found.input_failures <= high
    assert "only the words of your questions" in Path("out/why.md").read_text()
    assert [len(one.story) for one in found.explained] == [one.requests for one in found.explained]


def test_an_interval_that_says_nothing_is_left_out(botattack: Botattack, folder: Path) -> None:
    run = run_of(botattack, folder, {**CITIES, **{f"Nowhere{n}": f"Town{n}" for n in range(9)}})
    for each, advised, intervals in (("1", 1, 0), ("0", 0, 2)):
        why(botattack, run, "--quiet", "--attack", "original", "--each", each, "-o", f"{each}/why.md")
        told = Path(each, "why.md").read_text().replace("\\", "")
        assert (told.count("--each 20"), len(re.findall(r"[\d.]+ – [\d.]+ %", told))) == (advised, intervals)


FLAKY = '''
"""Knows every answer, and gives an error text in place of each tenth."""
import json, pathlib, random
FOLDER = pathlib.Path(__file__).parent
LIBRARY = json.loads((FOLDER / "library.json").read_text())
def answer(text):
    count = FOLDER / "count"
    asked = int(count.read_text()) if count.exists() else 0
    count.write_text(str(asked + 1))
    if random.Random(asked).random() < 0.1:
        return "Service unavailable, please try again later."
    said = (f"It is {city}." for country, city in LIBRARY.items() if country.lower() in text.lower())
    return next(said, "Nobody knows.")
'''


@pytest.mark.slow
def test_a_bot_that_errs_at_random_has_no_other_cause_than_chance(botattack: Botattack, folder: Path) -> None:
    """Five in a hundred may still be called otherwise: a reply that has to be wrong twice is so by chance as well."""
    cities = {f"{country}{n}": f"{city}{n}" for n in range(8) for country, city in CITIES.items()}
    run = run_of(botattack, folder, cities, FLAKY, "[filler, {case: {per_question: 8}}]", library=cities)
    assert why(botattack, run, "--quiet", "--each", "0", *FILES).status == 0
    found = figures_of(events(newest("whys"))).why
    assert found
    assert len(found.explained) >= 60
    # What nothing shows any more is what the run recorded.
    assert {one.got for one in found.explained} == {"Service unavailable, please try again later."}
    vanished = {(one.question, one.told) for one in found.explained if all(step.right for step in one.story)}
    assert 0 < len(vanished) <= Path("out/why.md").read_text().count("wrong in the run")
    chance = sum(one.cause == "chance" for one in found.explained)
    assert chance >= 0.95 * len(found.explained), found.causes


STARTS = """
def answer(text):
    return f"It is {text.partition('of ')[2].rstrip('?')}ia." if text.startswith("What") else "Nobody knows."
"""


def test_a_fake_that_is_repeated_is_shown_as_wrong(botattack: Botattack, folder: Path) -> None:
    recording = run_of(botattack, folder, CITIES, attacks="[counterfactual]", more="carrier: message\n")
    assert why(botattack, recording, "--quiet", "-o", "why.json").status == 0
    found = [one for one in json.loads(Path("why.json").read_text())["why"]["explained"] if one["attack"] != "original"]
    assert {(one["cause"], one["told"]) for one in found} == {("reading", "It repeats the fake that it was given.")}
    assert {(step["name"], step["right"]) for one in found for step in one["story"]} >= {("again", False)}
    assert ("again", True) not in {(step["name"], step["right"]) for one in found for step in one["story"]}


@pytest.mark.slow
def test_what_is_asked_again_is_no_fact_that_a_bot_remembers(botattack: Botattack, folder: Path) -> None:
    """A filler word before the question is called `before`, as is asking for a fact before it was told."""
    run = run_of(botattack, folder, {name: f"{name}ia" for name in CITIES}, STARTS)
    assert why(botattack, run, "--quiet", "--attack", "filler", "--each", "0").status == 0
    figures = figures_of(events(newest("whys")))
    assert figures.why
    assert figures.why.explained
    assert not figures.assistant.remembered


@pytest.mark.slow
def test_one_cause_of_one_question_is_shown_once(botattack: Botattack, folder: Path) -> None:
    run = run_of(botattack, folder, {name: f"{name}ia" for name in CITIES}, STARTS)
    why(botattack, run, "--quiet", "--each", "0", "--attack", "filler", *FILES)
    found = figures_of(events(newest("whys"))).why
    assert found
    times = Counter((one.question, one.also, one.told) for one in found.explained)
    text = Path("out/why.md").read_text()
    assert max(times.values()) > 1
    assert text.count("versions of this question") == sum(count > 1 for count in times.values())
    assert len(re.findall(r"^so ", text, re.MULTILINE)) == len(times)


def test_its_run_is_no_baseline_and_compared_with_none(botattack: Botattack, recording: Path) -> None:
    why(botattack, recording, "--quiet")
    refused = botattack("compare", recording, newest("whys"))
    assert (refused.status, "botattack shrink or why" in refused.err) == (2, True)
    refused = botattack("nightly", "baseline", "set", newest("whys"))
    assert (refused.status, "botattack shrink or why" in refused.err) == (2, True)


MIXES = '''
"""Once, it answers the question before."""
import json, pathlib
FOLDER = pathlib.Path(__file__).parent
LIBRARY = json.loads((FOLDER / "library.json").read_text())
SAID = []
def answer(text):
    SAID.append(text)
    once = FOLDER / "mixed"
    if len(SAID) > 1 and not once.exists() and text.count("Spain"):
        once.touch()
        text = next(one for one in reversed(SAID) if "Spain" not in one)
    return next((f"It is {city}." for country, city in LIBRARY.items() if country in text), "Nobody knows.")
'''


def test_the_answer_to_the_conversation_before_is_left_over(botattack: Botattack, folder: Path) -> None:
    run = run_of(botattack, folder, {"France": "Paris", "Spain": "Madrid", "Italy": "Rome"}, MIXES)
    assert why(botattack, run, "--quiet", "--each", "0", "--attack", "original").status == 0
    found = figures_of(events(newest("whys"))).why
    assert found
    assert [one.cause for one in found.explained] == ["carry-over"]


FORGETS = '''
"""Knows nothing of earlier turns, and nothing to say to more than twenty words."""
import json, pathlib
LIBRARY = json.loads((pathlib.Path(__file__).parent / "library.json").read_text())
def answer(text):
    country = next((name for name in LIBRARY if name in text and len(text.split()) <= 20), "")
    return f"It is {LIBRARY[country]}." if country else "Sorry, I do not know that."
'''


def test_a_bot_that_forgets_and_loses_a_question_among_many_words_has_no_filter(
    botattack: Botattack, folder: Path
) -> None:
    run = run_of(botattack, folder, CITIES, FORGETS, "[topic-shift]")
    assert why(botattack, run, "--quiet", "--each", "0").status == 0
    found = figures_of(events(newest("whys"))).why
    assert found
    assert [one.cause for one in found.causes] == ["memory"]
