"""Marked findings: a night before and after, what is left out named, and what changed counted again."""

from __future__ import annotations

import json
import re
import shlex
import time
from pathlib import Path
from random import Random

import pytest

from botattack.audit.teaching import read_labels
from botattack.errors import ConfigError, RecordingError
from botattack.events import Mark, OriginalJudged, QuestionOpened, VariantJudged
from botattack.recordings.reader import events
from botattack.recordings.triage import read
from botattack.recordings.triage_edits import write
from tests.cli.conftest import Botattack, Once, newest

BOT = '''
"""Knows the number in a question, unless otherwise.json has another reply for it."""
import json, pathlib, re
OTHERWISE = pathlib.Path(__file__).parent / "otherwise.json"
def answer(text):
    match = re.search("number ([0-9]+)", text)
    if not match:
        return "I only know numbers."
    known = json.loads(OTHERWISE.read_text())
    return known.get(match[1], f"It is {int(match[1]) * 7}.")
'''
LOST = "What is the famous double of number 1?"


@pytest.fixture
def campaign(botattack: Botattack, folder: Path, once: Once) -> Path:
    """Thirty-six questions to a bot that knows all answers, and a baseline."""
    once(lambda: pinned(botattack, folder))
    return folder / "campaign.yaml"


def pinned(botattack: Botattack, folder: Path) -> None:
    (folder / "bot.py").write_text(BOT)
    (folder / "otherwise.json").write_text("{}")
    (folder / "bot.yaml").write_text(
        'name: numbers\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
        'signs: {refused: ["I only know numbers."]}\n'
    )
    rows = [{"question": f"What is the famous double of number {n}?", "answers": [str(7 * n)]} for n in range(1, 37)]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "campaign.yaml").write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\n"
        "attacks: [unchanged, random-characters: {keywords: all, per_question: 2}]\n"
    )
    assert botattack("nightly", folder / "campaign.yaml", "--allow-code", "--pin").status == 0


@pytest.mark.slow
def test_a_bot_that_is_down_is_the_only_news(botattack: Botattack, campaign: Path, folder: Path) -> None:
    says("1", "It is 3.")
    assert botattack("nightly", campaign, "--allow-code").status == 1
    judged = [event for event in events(newest()) if isinstance(event, OriginalJudged)]
    (unit,) = (event.units[0] for event in judged if event.standing == "wrong")
    assert botattack("mark", unit, "accepted", "--why", "known").status == 0
    assert "marked " in botattack("replay", newest()).out
    request = 'url: "http://127.0.0.1:9/", json: {q: "{{ question }}"}'
    (folder / "bot.yaml").write_text(
        f"name: numbers\nconnect: {{kind: http, request: {{{request}}}}}\nlimits: {{retries: 0}}\n"
    )
    down = botattack("nightly", campaign, "--allow-code")
    assert down.status == 3, down
    assert "marked " not in down.out
    assert "left out " not in down.out
    assert "".join(down.out.split()).count("connection") == 1
    assert down.out.startswith("Stopped:")


def says(number: str, reply: str) -> None:
    Path("otherwise.json").write_text(json.dumps({number: reply}))


def original(question: str, recording: Path) -> OriginalJudged:
    opened = {
        event.question.text: event.question.id for event in events(recording) if isinstance(event, QuestionOpened)
    }
    judged = (event for event in events(recording) if isinstance(event, OriginalJudged))
    return next(event for event in judged if event.question == opened[question])


def broken(recording: Path) -> list[VariantJudged]:
    """Its failures, but for those of questions that it does not get right even unchanged."""
    found = [*events(recording)]
    right = {event.question for event in found if isinstance(event, OriginalJudged) and event.standing == "kept"}
    judged = (event for event in found if isinstance(event, VariantJudged) and event.question in right)
    return [event for event in judged if event.result == "success" and event.attack != "unchanged"]


def report(recording: Path, botattack: Botattack) -> dict[str, object]:
    assert botattack("replay", recording, "--as-recorded", "-o", "report.json").status == 0
    found: dict[str, object] = json.loads(Path("report.json").read_text())
    return found


@pytest.mark.slow
def test_an_accepted_failure_does_not_ring_until_the_bot_fails_otherwise(botattack: Botattack, campaign: Path) -> None:
    says("1", "It is 8.")
    ended = botattack("nightly", campaign, "--allow-code")
    assert (ended.status, "1 answer lost" in ended.err) == (1, True)
    unit = original(LOST, newest()).units[0]
    assert botattack("mark", unit, "accepted", "--why", "gone until <b>May</b>", "--by", "Anna").status == 0

    ended = botattack("nightly", campaign, "--allow-code")
    assert ended.status == 0, ended.err
    assert "gone until <b>May</b> (Anna)" in " ".join(ended.out.split())
    page = (newest() / "report.html").read_text()
    assert "gone until &lt;b&gt;May&lt;/b&gt; (Anna)" in page
    for name in ("report.json", "diff.md", "diff.json"):
        assert "gone until" in (newest() / name).read_text()
    assert report(newest(), botattack)["questions"]["wrong"] == 0  # type: ignore[index]

    says("1", "It is 9.")
    ended = botattack("nightly", campaign, "--allow-code")
    assert (ended.status, "1 answer lost" in ended.err) == (1, True)
    assert f"the mark on “{LOST}” no longer fits: the bot" in " ".join(ended.out.split())

    says("1", "It is 8.")
    assert botattack("mark", unit, "--undo").status == 0
    assert not Path("recordings/triage.yaml").exists()
    assert botattack("nightly", campaign, "--allow-code").status == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_headline_gates_and_rows_show_one_figure_after_each_mark(
    botattack: Botattack, campaign: Path, seed: int
) -> None:
    campaign.write_text(
        campaign.read_text().replace("seed: 7", f"seed: {seed}").replace("per_question: 2", "per_question: 4")
        + "gates: [{metric: success_rate, attack: random-characters, at_most: 0.05}]\n"
    )
    assert botattack("run", campaign, "--allow-code").status == 1
    run, before = newest(), 1.0
    for one in Random(seed).sample(broken(run), 4):
        assert botattack("mark", one.unit, "bad-variant", "--why", "asks something else").status == 0
        shown = botattack("replay", run, "-o", "r.json").out
        found = json.loads(Path("r.json").read_text())
        row, (gate,) = found["attacks"]["random-characters"]["gold"], found["gates"]
        rated = row["success"] + row["robust"]
        share = row["success"] / rated
        assert row["existing"] == row["asked"]
        assert gate["value"] == row["success_rate"] == pytest.approx(share, abs=1e-6)
        assert gate["value"] < before
        before = gate["value"]
        assert gate["sentence"] in found["run"]["why"]
        told = " ".join(shown.split())
        assert f"{100 * share:.0f} % of the answers: {row['success']} of {rated} altered" in told
        # In the headline, the gates' list and the ending, and no other figure of it.
        assert set(re.findall(r"broken by random-characters is ([\d.]+) %", told)) == {f"{100 * share:.1f}"}


@pytest.mark.slow
def test_what_is_marked_leaves_the_figures_gates_and_both_sides_of_a_comparison(
    botattack: Botattack, campaign: Path
) -> None:
    night = newest()
    variant = broken(night)[0]
    before = report(night, botattack)["attacks"]["random-characters"]["gold"]  # type: ignore[index]
    assert botattack("mark", variant.unit, "bad-variant", "--why", "another number").status == 0
    found = report(night, botattack)
    after = found["attacks"]["random-characters"]["gold"]  # type: ignore[index]
    assert (after["success"], after["asked"], after["marked"]) == (before["success"] - 1, before["asked"], 1)
    assert [mark["left_out"] for mark in found["marks"]] == [1]  # type: ignore[attr-defined]
    names = ("report.csv", "report.xml", "report.md")
    written = [word for name in names for word in ("-o", name)]
    assert botattack("replay", night, "--as-recorded", *written).status == 0
    for name in names:
        told = "1 marked finding is not counted as a failure" if name == "report.xml" else "left out"
        assert told in Path(name).read_text()
    ended = botattack("nightly", campaign, "--allow-code")
    assert (ended.status, "1 marked finding is not counted as a failure" in ended.out) == (0, True)
    botattack("compare", night, newest(), "-o", "c.md")
    assert "left out by marks or readers" in Path("c.md").read_text()
    assert "another number" in botattack("replay", night, "--unit", variant.unit).out
    rate = after["success"] / (after["success"] + after["robust"])
    most = f"{rate + 1e-6:.6f}"
    gated = campaign.read_text() + f"gates: [{{metric: success_rate, attack: random-characters, at_most: {most}}}]\n"
    campaign.write_text(gated)
    ended = botattack("nightly", campaign, "--allow-code")
    assert ended.status == 0, ended.err
    assert botattack("mark", variant.unit, "--undo").status == 0
    assert botattack("nightly", campaign, "--allow-code").status == 1


@pytest.mark.slow
def test_a_wrong_verdict_teaches_the_judge_and_holds_for_that_reply_alone(botattack: Botattack, campaign: Path) -> None:
    says("1", "As many as there are days in a week.")
    botattack("nightly", campaign, "--allow-code")
    first = original(LOST, newest())
    unit = first.units[0]
    assert botattack("mark", unit, "wrong-verdict", "--why", "it is right", "--label", "correct").status == 0
    rows, _ = read_labels(Path("recordings/triage.yaml"))
    (row,) = rows
    assert (row.question, row.correct, [gold.text for gold in row.gold]) == (LOST, True, ["7"])
    assert botattack("nightly", campaign, "--allow-code").status == 0
    says("1", "It is 8.")
    assert botattack("nightly", campaign, "--allow-code").status == 1


@pytest.mark.slow
def test_undone_for_the_bot_of_a_run_a_mark_of_another_bot_stays(botattack: Botattack, campaign: Path) -> None:
    unit, path = broken(newest())[0].unit, Path("recordings/triage.yaml")
    assert botattack("mark", unit, "bad-variant", "--why", "asks something else").status == 0
    rows = path.read_text().partition("numbers:\n")[2]
    path.write_text(f"numbers:\n{rows}other:\n{rows}")
    assert botattack("mark", unit, "--undo", "--from", newest()).status == 0
    assert [bot for bot, marks in read(path).marks.items() if marks] == ["other"]


@pytest.mark.slow
def test_a_night_ends_without_the_lost_answers_that_are_marked_and_asked_stays(
    botattack: Botattack, campaign: Path
) -> None:
    Path("otherwise.json").write_text(json.dumps({"1": "It is 8.", "2": "It is 9."}))
    assert botattack("nightly", campaign, "--allow-code").status == 1
    night, pinned = newest(), min(Path("recordings").glob("2*"))
    before = report(night, botattack)
    assert "It failed" in botattack("nightly", "trend").err
    for lost, question in ((1, LOST), (0, LOST.replace("1", "2"))):
        unit = original(question, night).units[0]
        assert botattack("mark", unit, "wrong-verdict", "--why", "it is right", "--from", night).status == 0
        for how in ([], ["--as-recorded"]):
            shown = botattack("replay", night, *how, "-o", "r.json", "-o", "r.html").out
            found = json.loads(Path("r.json").read_text())
            assert found["run"]["exit"] == int(lost > 0)
            named = re.findall(r"(\d+) answers? lost", found["run"]["why"])
            assert {*named, *re.findall(r"(\d+) answers? lost", shown)} == ({"1"} if lost else set())
            assert ("1 answer lost" in Path("r.html").read_text()) == (lost == 1)
            asked, were = found["questions"], before["questions"]
            assert (asked["asked"], asked["kept"]) == (were["asked"], were["kept"])  # type: ignore[index]
            assert (asked["wrong"], asked["marked"]) == (lost, 2 - lost)
            for name, attack in found["attacks"].items():
                was = before["attacks"][name]["gold"]  # type: ignore[index]
                assert all(attack["gold"][key] == was[key] for key in ("existing", "variants", "asked"))
                out = [int(number) for number in re.findall(r"left out: (\d+) (?:of|by)", attack["gold"]["note"])]
                assert sum(out) == sum(map(int, re.findall(r"left out: (\d+) (?:of|by)", was["note"])))
        assert f"{lost} answer lost" in botattack("compare", pinned, night).out or not lost
    botattack("compare", pinned, night, "-o", "c.md")
    assert "not right each time" not in Path("c.md").read_text()
    assert "It failed" not in botattack("nightly", "trend").err


@pytest.mark.slow
def test_the_last_sentence_of_a_mark_writes_reports_that_know_of_it(botattack: Botattack, campaign: Path) -> None:
    folder = Path("recordings with ' in it")
    Path("recordings").rename(folder)
    night = next(folder.glob("2*"))
    before = (night / "report.json").read_text()
    for unit in (one.unit for one in broken(night)[:2]):
        ended = botattack("mark", unit, "bad-variant", "--why", "another number", "--recordings", folder)
        sentence = ended.out.splitlines()[-1].replace("TIME-numbers-ID", night.name)
        command = shlex.split(sentence.partition(": ")[2])
        assert botattack(*command[1:]).status == 0
        left_out = [mark["left_out"] for mark in json.loads(Path("report.json").read_text())["marks"]]
        assert left_out == [1] * len(read(folder / "triage.yaml").of("numbers"))
        undone = botattack("mark", unit, "--undo", "--recordings", folder).out.splitlines()[-1]
        assert undone.partition(": ")[2] == sentence.partition(": ")[2].replace(night.name, "TIME-numbers-ID")
        assert botattack("mark", unit, "bad-variant", "--why", "another number", "--recordings", folder).status == 0
    assert (night / "report.json").read_text() == before


@pytest.mark.slow
def test_asked_stays_whatever_is_marked(botattack: Botattack, campaign: Path) -> None:
    night, rng = newest(), Random(5)
    before = report(night, botattack)["attacks"]
    right = [event.units[0] for event in events(night) if isinstance(event, OriginalJudged)]
    units = [one.unit for one in rng.sample(broken(night), 4)]
    for number, unit in enumerate([*units, *rng.sample(right, 2)], 1):
        kind = ("bad-variant", "--why", "another question") if unit in units else ("wrong-verdict", "--why", "no")
        assert botattack("mark", unit, *kind, "--from", night).status == 0
        found = report(night, botattack)["attacks"]
        for name, attack in found.items():  # type: ignore[attr-defined]
            row, was = attack["gold"], before[name]["gold"]  # type: ignore[index]
            assert [row[key] for key in ("existing", "variants", "asked")] == [
                was[key] for key in ("existing", "variants", "asked")
            ]
            assert row["asked"] == sum(row[key] for key in ("success", "robust", "unsure", "error", "marked"))
        assert found["random-characters"]["gold"]["marked"] >= min(number, 4)  # type: ignore[index]


@pytest.mark.slow
def test_a_lost_answer_that_is_lost_otherwise_stays_lost(botattack: Botattack, campaign: Path) -> None:
    says("1", "It is 8.")
    assert botattack("nightly", campaign, "--allow-code").status == 1
    lost = newest()
    unit = original(LOST, lost).units[0]
    assert "nothing to mark" in botattack("mark", unit, "wrong-verdict", "--why", "so", "--label", "wrong").err
    assert botattack("mark", unit, "wrong-verdict", "--why", "it refuses", "--label", "refused").status == 0
    ended = botattack("nightly", campaign, "--allow-code")
    assert (ended.status, "1 answer lost" in ended.err, "counted as refused" in ended.out) == (1, True, True)

    says("1", "It is 7.")
    assert botattack("mark", unit, "--undo").status == 0
    assert botattack("nightly", campaign, "--allow-code").status == 0
    ended = botattack("mark", unit, "wrong-verdict", "--why", "it refuses", "--label", "refused")
    assert (ended.status, "--from" in ended.err) == (2, True)
    assert botattack("mark", unit, "wrong-verdict", "--why", "x", "--label", "refused", "--from", lost).status == 0


@pytest.mark.slow
def test_only_what_was_judged_since_questions_a_mark(botattack: Botattack, campaign: Path) -> None:
    older = newest()
    says("1", "It is 8.")
    assert botattack("nightly", campaign, "--allow-code").status == 1
    lost = newest()
    unit = original(LOST, lost).units[0]
    assert botattack("mark", unit, "accepted", "--why", "known", "--from", lost).status == 0
    says("1", "It is 9.")
    botattack("nightly", campaign, "--allow-code")
    shown = [botattack("replay", run).out for run in (older, lost, newest())]
    assert ["--undo" in text for text in shown] == [False, False, True]
    assert [LOST in text.partition("\nmarked")[2].partition("\n\n")[0] for text in shown] == [False, True, True]
    another = botattack("run", campaign, "--allow-code", "--limit", 1, "--seed", 9)
    assert "--undo" not in another.out


@pytest.mark.slow
def test_a_mark_that_fits_nothing_is_named(botattack: Botattack, campaign: Path) -> None:
    assert botattack("mark", broken(newest())[0].unit, "bad-variant", "--why", "another number").status == 0
    path = Path("recordings/triage.yaml")
    (name,) = read(path).of("numbers")
    path.write_text(path.read_text().replace(name, "0123456789abcdef"))
    ended = botattack("nightly", campaign, "--allow-code")
    assert (ended.status, "fits 1 mark of triage.yaml" in " ".join(ended.out.split())) == (0, True)


@pytest.mark.slow
def test_a_whole_run_is_accepted_and_the_next_is_quiet(botattack: Botattack, campaign: Path) -> None:
    says("1", "It is 8.")
    assert botattack("nightly", campaign, "--allow-code").status == 1
    failed = len(broken(newest()))
    assert botattack("mark", newest(), "accepted", "--why", "known").status == 0
    shown = botattack("replay", newest()).out
    headline = " ".join(shown.partition("\n\n")[0].split())
    # What was lost is no part of a replay: the last line says how to see it.
    assert shown.splitlines()[-1].endswith("  botattack compare recordings/TIME-numbers-ID recordings/TIME-numbers-ID")
    assert re.search(rf"{failed} more (are|is) marked", headline), headline
    assert botattack("nightly", campaign, "--allow-code").status == 0
    assert botattack("mark", newest(), "bad-variant", "--why", "all of them").status == 2


@pytest.mark.slow
def test_what_is_no_failure_is_refused_with_the_run_that_was_looked_at(botattack: Botattack, campaign: Path) -> None:
    says("1", "It is 8.")
    botattack("nightly", campaign, "--allow-code")
    judged = (event for event in events(newest()) if isinstance(event, OriginalJudged))
    unit = next(event.units[0] for event in judged if event.verdict.kind == "correct")
    for flags, advised in (((), True), (("--from", newest()), False)):
        ended = botattack("mark", unit, "accepted", "--why", "known", *flags)
        assert ended.status == 2
        assert "no failure in TIME-numbers-ID (judged correct)" in ended.err
        assert ("--from RUN" in ended.err) is advised


@pytest.mark.slow
def test_accepting_a_whole_run_leaves_other_marks_as_they_are(botattack: Botattack, campaign: Path) -> None:
    says("1", "As many as there are days in a week.")
    botattack("nightly", campaign, "--allow-code")
    unit = original(LOST, newest()).units[0]
    assert botattack("mark", unit, "wrong-verdict", "--why", "it is right", "--label", "correct").status == 0
    # Of a whole run nothing else can be said.
    assert botattack("mark", newest(), "bad-variant", "--why", "known").status == 2
    assert len(read(Path("recordings/triage.yaml")).of("numbers")) == 1
    assert botattack("mark", newest(), "accepted", "--why", "known").status == 0
    marks = read(Path("recordings/triage.yaml")).of("numbers")
    assert (marks[unit.split(".")[0]].mark, marks[unit.split(".")[0]].label) == ("wrong-verdict", "correct")
    assert [mark.mark for mark in marks.values()].count("accepted") == len(broken(newest()))
    assert "nothing that counts failed" in botattack("mark", newest(), "accepted", "--why", "known").err


def test_comments_and_other_rows_of_the_file_stay(botattack: Botattack, campaign: Path) -> None:
    first, second = [event.unit for event in broken(newest())][:2]
    assert botattack("mark", first, "bad-variant", "--why", "one").status == 0
    path = Path("recordings/triage.yaml")
    before = (
        path.read_text()
        .replace("numbers:", "# ours\nnumbers: # the bot")
        .replace("    why:", "    # really?\n    why:")
    )
    path.write_text(before)
    assert botattack("mark", second, "bad-variant", "--why", "two\u2028: # 'x\"").status == 0
    after = path.read_text()
    assert all(line in after for line in before.splitlines())
    assert [*read(path).of("numbers")] == sorted(read(path).of("numbers"))
    assert {mark.why for mark in read(path).of("numbers").values()} == {"one", "two\u2028: # 'x\""}
    assert botattack("mark", second, "--undo").status == 0
    assert path.read_text() == before


def a_mark(why: str) -> Mark:
    return Mark("accepted", why, verdict="wrong", reply=f"{why} is the reply")


@pytest.mark.parametrize("seed", range(6))
def test_any_marks_are_changed_at_once_and_comments_stay(seed: int, tmp_path: Path) -> None:
    rng, path, known = Random(seed), tmp_path / "triage.yaml", dict[tuple[str, str], Mark]()
    keys = [(bot, f"{ord(bot[0]):08x}{number:08x}") for bot in ("a", "b", "c: d") for number in range(8)]
    for step in range(5):
        new = {key: a_mark(f"{step} {key}") for key in rng.sample(keys, rng.randrange(1, 9))}
        changes = {**dict.fromkeys(rng.sample(sorted(known), rng.randrange(len(known) + 1))), **new}
        if known:
            _, name = rng.choice(sorted(known))
            path.write_text(path.read_text().replace(f'  "{name}"', f'  # of {name} {step}\n  "{name}"'))
        comments = [line for line in (path.read_text() if known else "").splitlines() if line.startswith("  # of")]
        write(path, changes)
        known = {key: mark for key, mark in {**known, **changes}.items() if mark is not None}
        found = read(path)
        assert {(bot, name): mark for bot, marks in found.marks.items() for name, mark in marks.items()} == known
        assert [key for key, _ in sorted(found.lines.items(), key=lambda one: one[1])] == sorted(known)
        names = {name for _, name in known}
        assert [line for line in comments if line.split()[2] in names and line not in path.read_text()] == []


@pytest.mark.slow
def test_many_marks_take_one_reading_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "triage.yaml"
    write(path, {("bot", "f" * 16): a_mark("first")})
    before = time.process_time()
    write(path, {("bot", f"{number:016x}"): a_mark("known" * 20) for number in range(200)})
    assert time.process_time() - before < 6, "when the file was read again for each, 500 took 88 s"
    assert len(read(path).of("bot")) == 201
    with pytest.raises(RecordingError, match="no room for 900 more marks"):
        write(path, {("bot", f"{number:016x}"): a_mark("known" * 20) for number in range(600, 1500)})
    assert len(read(path).of("bot")) == 201


def test_every_problem_of_the_file_is_told_before_anything_is_asked(botattack: Botattack, campaign: Path) -> None:
    number = len([*Path("recordings").glob("2*")])
    Path("recordings/triage.yaml").write_text(
        'numbers:\n  "12": {mark: bad-variant, why: x}\n  "0123456789abcdef": {mark: accepted, why: x}\n'
        '  "0123456789abcdee": {mark: ignored, why: ""}\n'
    )
    ended = botattack("nightly", campaign, "--allow-code")
    assert ended.status == 2
    assert all(f"triage.yaml:{line}:" in ended.err for line in (2, 3, 4))
    assert len([*Path("recordings").glob("2*")]) == number
    with pytest.raises(ConfigError):
        read(Path("recordings/triage.yaml"))


def test_a_recording_that_cannot_be_read_does_not_keep_a_unit_of_another_from_being_marked(
    botattack: Botattack, campaign: Path
) -> None:
    del campaign
    unit = original(LOST, newest()).units[0]
    damaged = Path("recordings", "20990101T020000Z-numbers-1a2b3c4d")
    damaged.mkdir()
    for name in ("run.json", "events.jsonl"):
        (damaged / name).write_text("{}\n")
    assert botattack("mark", unit, "bad-variant", "--why", "nobody asks this").status == 0
    assert unit.partition(".")[0] in Path("recordings/triage.yaml").read_text()
