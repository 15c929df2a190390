"""`botattack judge`: what it says of one reply, and what it learns from labels; and what a campaign does with that."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from botattack.audit.teaching import Labelled, explain
from botattack.events import JudgedBy, VariantJudged
from botattack.matchers.weights import read_weights, weights
from botattack.model import GoldAnswer
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.report.wording.verdict_words import judge_named
from tests.cli.conftest import Botattack

VERDICTS = Path(__file__).parents[1] / "verdicts"
PARIS = ("judge", "explain", "What is the capital of France?")


def labels(number: int, name: str = "third-tune") -> list[dict[str, object]]:
    lines = (VERDICTS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [row for line in lines if (row := json.loads(line))["label"] != "unsure"][:number]


def careless(number: int) -> list[dict[str, object]]:
    """As a reader labels who errs on every third: any judge is too sure for these."""
    turned = {"correct": "wrong", "wrong": "correct", "refused": "correct"}
    rows = labels(number)
    return [{**row, "label": turned[str(row["label"])]} if place % 3 == 0 else row for place, row in enumerate(rows)]


def plain(row: dict[str, object]) -> dict[str, object]:
    """With gold answers as a reader would write them."""
    gold = row["gold"]
    assert isinstance(gold, list)
    return {**row, "gold": [answer["text"] for answer in gold]}


def written(rows: list[dict[str, object]], path: str = "labels.jsonl") -> str:
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_explain_says_what_weighed_most(botattack: Botattack) -> None:
    ended = botattack(*PARIS, "I think Paris is not right, it is Rome.", "--gold", "Lutetia", "--gold", "Paris")
    assert (ended.status, ended.err) == (0, "")
    assert "[Paris] is not right" in ended.out
    assert 1 <= sum("usually" in line for line in ended.out.splitlines()) <= 5
    more = botattack(*PARIS, "I think Paris is not right, it is Rome.", "--gold", "Paris", "--all")
    assert len(more.out.splitlines()) > len(ended.out.splitlines())
    assert "a negation comes right after the answer  (stance.denied_after 1, usually 0)" in more.out


def test_explain_grades_an_asking_of_a_run_as_the_run_did(botattack: Botattack, campaign: Path) -> None:
    botattack("run", campaign, "--allow-code")
    (run,) = Path("recordings").iterdir()
    for judged in [event for event in events(run) if isinstance(event, VariantJudged)][:4]:
        told = botattack("judge", "explain", run, "--unit", judged.unit)
        assert (told.status, told.out.splitlines()[0]) == (0, f"verdict      {judged.verdict.kind}"), told.err
    assert "no reply to 'none'" in botattack("judge", "explain", run, "--unit", "none").err
    for more in ((run,), (run, "It is Paris."), (run, "--unit", "0", "--gold", "Paris")):
        assert "a RUN and --unit" in botattack("judge", "explain", *more).err


def test_explain_words_the_thresholds_as_reports_do(botattack: Botattack) -> None:
    asked = (*PARIS, "It is Paris.", "--gold", "Paris")
    known = weights()
    judged = JudgedBy("2", "learned", "1", "0", known.point, known.band)
    (line,) = (line for line in botattack(*asked).out.splitlines() if line.startswith("weights"))
    assert line.partition(", ")[2] == judge_named(judged).partition(", ")[2]


def test_explain_names_what_weighed_most_first() -> None:
    found = explain(Labelled(PARIS[-1], (GoldAnswer("Paris"),), "It is Paris."))
    assert (found.verdict.kind, found.verdict.span) == ("correct", (6, 11))
    assert found.probability > 0.5
    assert found.log_odds > 0
    pulls = [abs(each.log_odds) for each in found.evidence]
    assert pulls == sorted(pulls, reverse=True)
    assert all(each.value != each.usual for each in found.evidence)


@pytest.mark.parametrize(
    ("question", "reply", "gold"),
    [
        ("Wann ist die Sprechstunde?", "Die Sprechstunde ist dienstags.", "Die Sprechstunde ist montags und freitags."),
        ("What does a locker cost?", "A locker costs £3.50 a day.", "A locker costs £2.50 a day."),
        ("Who founded it?", "Ada Byron.", "Ada Byron and Bo Carr"),
        ("Is it open?", "Yes, it is.", "Yes, it is open."),
    ],
)
def test_explain_adds_up_to_the_probability(question: str, reply: str, gold: str) -> None:
    found = explain(Labelled(question, (GoldAnswer(gold),), reply))
    every = found.start + sum(each.log_odds for each in found.evidence)
    assert every == pytest.approx(found.log_odds, abs=0.01)
    assert 1 / (1 + math.exp(-every)) == pytest.approx(found.probability, abs=0.001)


@pytest.mark.parametrize(
    ("question", "reply", "gold"),
    [
        ("Wann wurde die Firma gegründet?", "Sie wurde 1978 gegründet.", "Das Unternehmen wurde 1987 gegründet."),
        ("Was ist die Hauptstadt von Frankreich?", "Lyon.", "Die Hauptstadt von Frankreich ist Paris."),
        ("What is the capital of France?", "Not Paris, but Lyon.", "The capital of France is Paris."),
        ("Is it open on Sundays?", "Sundays.", "It is open on Sundays from 3 to 5 pm."),
    ],
)
def test_only_a_share_is_said_as_one(question: str, reply: str, gold: str) -> None:
    evidence = explain(Labelled(question, (GoldAnswer(gold),), reply)).evidence
    shares = [each for each in evidence if re.search(r"\ball of|\d%", each.means)]
    assert all(each.value <= 1 for each in shares)
    assert any(each.value > 1 and each.means for each in evidence)


def test_explain_shows_a_hostile_reply_escaped(botattack: Botattack) -> None:
    ended = botattack(*PARIS, "\x1b]0;owned\x07Paris\u202e", "--gold", "Paris")
    assert "\x1b" not in ended.out
    assert "\u202e" not in ended.out


@pytest.mark.slow
def test_labels_that_help_are_fitted_and_used(botattack: Botattack) -> None:
    file = written([plain(row) for row in careless(300)])
    ended = botattack("judge", "fit", file, "-o", "weights.json")
    assert ended.status == 0
    assert "300 labels" in ended.out
    assert "this helped" in ended.out
    fitted = json.loads(Path("weights.json").read_text())
    assert fitted["version"].endswith("fitted to 300 labels")
    assert not fitted["left_out"]
    row = Labelled(PARIS[-1], (GoldAnswer("Paris"),), "Perhaps Paris?")
    shipped, own = (explain(row, path) for path in (None, Path("weights.json")))
    assert own.weights.digest != shipped.weights.digest
    told = botattack(*PARIS, "Perhaps Paris?", "--gold", "Paris", "--weights", "weights.json").out
    assert f"({own.weights.digest})" in told
    assert own.log_odds != shipped.log_odds


@pytest.mark.parametrize("rows", [labels(32), [{**row, "label": "wrong"} for row in labels(32)[:10]] + labels(32)[10:]])
def test_what_is_written_is_new_only_if_it_helped(botattack: Botattack, rows: list[dict[str, object]]) -> None:
    ended = botattack("judge", "fit", written(rows), "-o", "new/own.json")
    assert ended.status == 0
    own = read_weights(Path("new/own.json"))
    assert ("did not help" in ended.out) == (own.digest == weights().digest)


def test_every_problem_of_the_labels_is_told_with_its_line(botattack: Botattack) -> None:
    Path("bad.jsonl").write_text(
        '{"question": 1, "gold": ["a"], "reply": "r", "label": "right"}\n\nnot json\n[]\n'
        '{"question": "q", "gold": [""], "reply": "r", "label": "wrong"}\n'
    )
    ended = botattack("judge", "fit", "bad.jsonl", "-o", "w.json")
    assert ended.status == 2
    for place in ("1: label", "question must be text", "3: this is not JSON", "4: ", "5: gold"):
        assert place in ended.err
    assert not Path("w.json").exists()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (labels(29), "at least 30"),
        ([labels(1)[0]] * 40, "at least 5"),
        ([{**row, "question": f"Who is {at % 4}?"} for at, row in enumerate(labels(60))], "fitting needs 5 or more"),
    ],
)
def test_too_few_labels_are_refused(botattack: Botattack, rows: list[dict[str, object]], said: str) -> None:
    ended = botattack("judge", "fit", written(rows), "-o", "w.json")
    assert ended.status == 2
    assert said in ended.err
    assert not Path("w.json").exists()


def test_labels_that_are_left_out_are_counted_by_why(botattack: Botattack) -> None:
    rows = [{"question": "Which sign?", "gold": ["#"], "reply": "#", "label": "correct"}] * 2
    ended = botattack(
        "judge", "fit", written([*labels(60), *rows, {**labels(1)[0], "label": "unsure"}]), "-o", "w.json"
    )
    assert "60 labels" in ended.out
    assert "1 that readers were unsure of or disagree on left out; 2 without an answer in words left out" in ended.out


def test_no_part_of_a_recording_is_written_over(botattack: Botattack, campaign: Path) -> None:
    campaign.write_text(campaign.read_text().replace("dpaeg: {per_question: 2, take: nearest, meaning: paper}", "case"))
    assert botattack("run", campaign, "--allow-code").status in (0, 1)
    (recording,) = Path("recordings").iterdir()
    before = {path: path.read_bytes() for path in recording.iterdir()}
    for name in ("events.jsonl", "run.json", "seal.json"):
        ended = botattack("judge", "fit", written(labels(60)), "-o", recording / name)
        assert "is a part of that recording" in ended.err
    assert botattack("replay", recording, "-o", recording / "run.json").status == 2
    assert {path: path.read_bytes() for path in recording.iterdir()} == before


@pytest.mark.slow
def test_a_campaign_names_its_weights_and_the_recording_keeps_them(botattack: Botattack, campaign: Path) -> None:
    assert "this helped" in botattack("judge", "fit", written(careless(300)), "-o", "weights.json").out
    text = campaign.read_text().replace("dpaeg: {per_question: 2, take: nearest, meaning: paper}", "case")
    campaign.write_text(text + "judge: weights.json\n")
    reports = ("out.json", "out.md", "out.html")
    ended = botattack("run", campaign, "--allow-code", *(word for name in reports for word in ("-o", name)))
    assert ended.status in (0, 1)
    (recording,) = Path("recordings").iterdir()
    judge = json.loads(Path("out.json").read_text())["run"]["judge"]
    assert not judge.get("left_out")  # how often these weights err elsewhere was not measured
    assert judge["weights"].endswith("300 labels")
    kept = manifest.read(recording)
    assert kept.judge is not None
    assert kept.judge.digest == judge["digest"] == kept.settings["judge"]
    for name in reports[1:]:
        assert judge["digest"] in Path(name).read_text()
    # The file of the campaign may change or go: the recording is judged as it was set up.
    Path("weights.json").unlink()
    same = botattack("replay", recording, "-o", "again.json")
    assert json.loads(Path("again.json").read_text()) == json.loads(Path("out.json").read_text())
    assert "when it was recorded" not in same.out
    assert botattack("judge", "fit", written(labels(200, "fifth-tune")), "-o", "other.json").status == 0
    other = botattack("replay", recording, "--judge", "other.json")
    assert "when it was recorded, by learned weights" in other.out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.json", "judge fit"),
        ("../weights.json", "leaves the folder"),
        ("damaged.json", "weights"),
        ("faq.jsonl", "weights"),
    ],
)
def test_weights_that_cannot_be_used_are_told_with_their_place(
    botattack: Botattack, campaign: Path, name: str, said: str
) -> None:
    assert botattack("judge", "fit", written(labels(40)), "-o", "damaged.json").status == 0
    damaged = json.loads(Path("damaged.json").read_text())
    damaged["correct"]["features"][0][0] = 10_000
    Path("damaged.json").write_text(json.dumps(damaged))
    campaign.write_text(campaign.read_text() + f"judge: {name}\n")
    ended = botattack("run", campaign, "--allow-code")
    assert ended.status == 2
    assert "campaign.yaml:5:8: judge: " in ended.err
    assert said in ended.err


@pytest.mark.slow
def test_other_weights_are_another_run_and_shards_keep_theirs(botattack: Botattack, campaign: Path) -> None:
    for name, number in (("weights.json", 300), ("other.json", 200)):
        assert "this helped" in botattack("judge", "fit", written(careless(number)), "-o", name).out
    text = campaign.read_text().replace("dpaeg: {per_question: 2, take: nearest, meaning: paper}", "case")
    campaign.write_text(text + "judge: weights.json\n")
    for shard in ("1/2", "2/2"):
        assert botattack("run", campaign, "--allow-code", "--shard", shard).status in (0, 1)
    shards = sorted(Path("recordings").iterdir())
    assert botattack("merge", *shards, "-o", "merged.json").status in (0, 1)
    (merged,) = set(Path("recordings").iterdir()) - set(shards)
    assert "when it was recorded" not in botattack("replay", merged, "-o", "again.json").out
    assert json.loads(Path("again.json").read_text()) == json.loads(Path("merged.json").read_text())
    campaign.write_text(text + "judge: other.json\n")
    resumed = botattack("run", campaign, "--allow-code", "--shard", "1/2", "--resume", shards[0])
    assert resumed.status == 2
    assert "judge was " in resumed.err
    assert botattack("run", campaign, "--allow-code").status in (0, 1)
    (newest,) = set(Path("recordings").iterdir()) - {*shards, merged}
    assert "note: judged again by today's judge" in botattack("compare", merged, newest).out


def test_labels_that_look_mistaken_are_shown_with_their_line(botattack: Botattack) -> None:
    rows = [plain(row) for row in labels(60)]
    slip = {
        "question": "Who wrote Emma?",
        "gold": ["Jane Austen"],
        "reply": "Jane Austen\x1b wrote it.",
        "label": "wrong",
    }
    ended = botattack("judge", "fit", written([*rows[:40], slip, *rows[40:]]), "-o", "own.json")
    assert ended.status == 0
    told = ended.out[ended.out.index("disagrees") :].splitlines()
    assert any(line.strip().startswith("labels.jsonl:41: labelled not correct") for line in told)
    assert sum("labels.jsonl:" in line for line in told) <= 10
    assert "\x1b" not in ended.out


def test_a_label_says_the_language_of_its_question(botattack: Botattack) -> None:
    rows = [plain(row) for row in labels(60)]
    german = {"question": "Wie viele?", "gold": ["1500"], "reply": "1.500", "label": "correct", "lang": "de"}
    for lang, agrees in (("de", True), ("en", False)):
        ended = botattack("judge", "fit", written([{**german, "lang": lang}, *rows]), "-o", "own.json")
        assert ("labels.jsonl:1:" not in ended.out) == agrees
    bad = botattack("judge", "fit", written([{**german, "lang": 3}, *rows]), "-o", "own.json")
    assert "labels.jsonl:1: lang must be text" in bad.err
    slip = botattack("judge", "fit", written([{"lnag": german.pop("lang"), **german}, *rows]), "-o", "own.json")
    assert (slip.status, "labels.jsonl:1: nothing reads its 'lnag'; did you mean 'lang'?" in slip.err) == (2, True)


def test_explain_is_told_the_language(botattack: Botattack) -> None:
    asked = ("judge", "explain", "Wie viele?", "1.500", "--gold", "1500")
    assert botattack(*asked, "--lang", "de").out.splitlines()[0].endswith("correct")
    assert botattack(*asked).out.splitlines()[0].endswith("wrong")
