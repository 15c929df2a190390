"""`botattack judge review`: pages for readers that tell nothing, and answers checked and collected."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from botattack.audit.reviewing.candidates import texts
from botattack.events import LABELS, TRAITS, Asked, Reading, VariantJudged
from botattack.model import Prompt, Reference, Turn
from botattack.recordings.reader import events
from botattack.recordings.redaction import Redactor
from botattack.recordings.reviews import Item
from botattack.recordings.writer import Recorder
from tests.cli.conftest import Botattack
from tests.report.reviewed import HOSTILE, PERSIAN, a_run, answers, attentive, recording, the_review
from tests.report.streams import Asking, Try, edit, ended, fits, stream
from tests.variants.measured import FOLDER, lines

ASKS = list(LABELS)


@pytest.fixture
def run(folder: Path) -> Path:
    return a_run(folder / "recordings" / "run")


def readings(run: Path) -> list[Reading]:
    return [event for event in events(run) if isinstance(event, Reading)]


def data(page: Path) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(), re.S)[1])


@pytest.mark.parametrize("ask", ASKS)
def test_each_reader_gets_every_item_in_an_order_of_her_own_and_nothing_tells_what_it_is(
    botattack: Botattack, run: Path, folder: Path, ask: str
) -> None:
    assert botattack("judge", "review", run, "--ask", ask, "--items", "50", "-o", "pages").status == 0
    pages = sorted((folder / "pages").iterdir())
    assert [page.name for page in pages] == [f"review-reader-{n}.html" for n in (1, 2, 3)]
    shown = [[item["id"] for item in data(page)["items"]] for page in pages]
    review = the_review(run)
    assert Counter(item.role for item in review.items) == {"item": 50, "repeat": 5, "known": 2}
    assert all(sorted(one) == sorted(item.id for item in review.items) for one in shown)
    assert len({tuple(one) for one in shown}) == 3
    text = pages[0].read_text()
    told = [event for event in events(run) if isinstance(event, VariantJudged)]
    assert not any(event.unit in text or event.unit.partition(".")[0] in text for event in told)
    assert not re.search(r"dpaeg|\"known\"|\"repeat\"|expected|chance|" + review.run, text)


def test_the_script_reads_all_that_its_page_holds(botattack: Botattack, run: Path, folder: Path) -> None:
    botattack("judge", "review", run, "--ask", "meaning", "-o", "pages")
    (page, *_) = sorted((folder / "pages").iterdir())
    assert set(re.findall(r"\bdata\.(\w+)", page.read_text())) == {*data(page)}
    assert data(page)["reader"] == page.stem.removeprefix("review-")


def test_a_repeat_shows_the_same_half_a_review_later(botattack: Botattack, run: Path) -> None:
    botattack("judge", "review", run, "--ask", "meaning", "--items", "60", "-o", "pages")
    review = the_review(run)
    for reader in review.readers:
        order = review.order(reader)
        at = {(item.unit, item.role): number for number, item in enumerate(order)}
        twice = [unit for unit, role in at if role == "repeat"]
        assert len(twice) == 6
        assert min(at[unit, "repeat"] - at[unit, "item"] for unit in twice) > len(order) // 3
        first, again = (
            {item.unit: item.blocks for item in order if item.unit in twice and item.role == role}
            for role in ("item", "repeat")
        )
        assert first == again


def test_the_same_command_writes_the_same_pages_and_another_seed_others(botattack: Botattack, run: Path) -> None:
    for into, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert botattack("judge", "review", run, "--items", "20", "--seed", seed, "-o", into).status == 0
    a, b, c = (Path(into, "review-reader-2.html").read_bytes() for into in "abc")
    assert a == b != c


def test_what_others_wrote_ends_no_data_block(botattack: Botattack, folder: Path) -> None:
    evil = Asking(HOSTILE, (HOSTILE,), tries=(Try("wrong", reply=HOSTILE),), reply=HOSTILE)
    persian = Asking(PERSIAN, ("پاریس",), tries=(Try("wrong"),))
    run = recording(folder / "run", stream([evil, persian], {"dpaeg": "same"}, ended()))
    for ask in ASKS:
        assert botattack("judge", "review", run, "--ask", ask, "-o", ask).status == 0
        text = Path(ask, "review-reader-1.html").read_text()
        assert text.count("<script") == 2
        assert "<img" not in text
        assert any(
            HOSTILE in part["text"]
            for item in data(Path(ask, "review-reader-1.html"))["items"]
            for block in item["blocks"]
            for part in block["texts"]
        )


def test_answers_become_readings_once(botattack: Botattack, run: Path, folder: Path) -> None:
    botattack(
        "judge",
        "review",
        run,
        "--ask",
        "meaning",
        "--items",
        "40",
        "--group",
        "native",
        "--readers",
        "anna,ben",
        "-o",
        "pages",
    )
    review = the_review(run)
    files = [answers(folder, review, reader) for reader in ("anna", "ben")]
    done = botattack("judge", "review", run, "--collect", *files)
    assert done.status == 0, done.err
    assert "88 readings added" in done.out
    assert "meaning, items with a known answer, answered right: anna 2 of 2, ben 2 of 2" in done.out
    assert "anna on a second look 4 of 4" in done.out
    found = readings(run)
    assert len(found) == 88
    assert Counter((one.reader, one.repeat) for one in found) == {
        ("anna", False): 40,
        ("ben", False): 40,
        ("anna", True): 4,
        ("ben", True): 4,
    }
    assert {(one.group, one.ask, one.label, one.chance) for one in found} == {("native", "meaning", "same", 0.5)}
    asked = {event.unit for event in events(run) if isinstance(event, Asked)}
    assert {one.unit for one in found} <= asked
    before = (run / "events.jsonl").read_bytes()
    again = botattack("judge", "review", run, "--collect", *files)
    assert "0 readings added" in again.out
    assert "88 were there already" in again.out
    assert (run / "events.jsonl").read_bytes() == before


def test_a_report_says_how_attentive_readers_were(botattack: Botattack, run: Path, folder: Path) -> None:
    botattack("judge", "review", run, "--items", "40", "--readers", "anna,ben", "-o", "pages")
    review = the_review(run)

    def hasty(item: Item) -> str:
        return next(word for word, label in item.means.items() if label != item.expected)

    files = [answers(folder, review, "anna"), answers(folder, review, "ben", hasty)]
    assert botattack("judge", "review", run, "--collect", *files).status == 0
    assert botattack("replay", run, "--as-recorded", "-o", "report.json", "-o", "report.html").status == 0
    found = fits("run", Path("report.json"))["readers"]["asked"]["meaning"]["known"]
    assert found == [{"readers": [name], "same": right, "n": 2} for name, right in (("anna", 2), ("ben", 0))]
    assert "answered right: anna 2 of 2, ben 0 of 2" in Path("report.html").read_text()
    other = answers(folder, review, "ben", lambda item: attentive(item) if item.role == "known" else hasty(item))
    ended = botattack("judge", "review", run, "--collect", other)
    assert (ended.status, ended.err.count("ben answered item")) == (2, 2)


@pytest.mark.parametrize("ask", ASKS)
def test_an_answer_becomes_the_label_that_it_has_on_its_own_screen(
    botattack: Botattack, run: Path, folder: Path, ask: str
) -> None:
    botattack("judge", "review", run, "--ask", ask, "--items", "30", "--readers", "1", "-o", "pages")
    wanted = LABELS[ask][0]
    path = answers(folder, the_review(run), "reader-1", lambda item: labelled(item, wanted))
    done = botattack("judge", "review", run, "--collect", path)
    assert done.status == 0, done.err
    assert {one.label for one in readings(run)} == {wanted}


def labelled(item: Item, label: str) -> str:
    return next(word for word, means in item.means.items() if means == label)


def test_each_reply_comes_first_as_often_as_the_other_and_keeps_its_name(botattack: Botattack, run: Path) -> None:
    botattack("judge", "review", run, "--ask", "preference", "--items", "30", "--readers", "1", "-o", "pages")
    first = [item.blocks[1].texts[0].text for item in the_review(run).items if item.means["first"] == "original"]
    assert len([text for text in first if re.fullmatch(r"City\d+", text)]) == len(first) >= 15


def test_the_right_choice_is_the_unchanged_question(botattack: Botattack, run: Path) -> None:
    botattack("judge", "review", run, "--ask", "comprehension", "--items", "30", "--readers", "1", "-o", "pages")
    review = the_review(run)
    for item in review.items:
        assert len(set(item.options)) == 4
        right = item.options["abcd".index(labelled(item, "right"))]
        assert item.blocks[0].texts[0].text.lstrip("0123") == right
    assert len({labelled(item, "right") for item in review.items}) == 4


def test_every_problem_is_named_at_once_and_nothing_is_written(botattack: Botattack, run: Path, folder: Path) -> None:
    botattack("judge", "review", run, "--ask", "meaning", "--items", "20", "-o", "pages")
    review = the_review(run)
    good = answers(folder, review, "reader-1")
    said = json.loads(good.read_text())["answers"]
    short = answers(folder, review, "reader-2", answers=said[:-3])
    odd = answers(
        folder,
        review,
        "reader-3",
        answers=[
            *said,
            {"item": "ffff", "answer": "same"},
            {**said[0], "answer": "maybe"},
            {**said[1], "answer": "unclear"},
        ],
    )
    other = folder / "other.json"
    other.write_text(good.read_text().replace(review.id, "0123456789abcdef"))
    torn = folder / "torn.json"
    torn.write_text(good.read_text()[:-40])
    before = (run / "events.jsonl").read_bytes()
    done = botattack("judge", "review", run, "--collect", good, short, odd, other, torn)
    assert done.status == 2
    assert (run / "events.jsonl").read_bytes() == before
    for place, what in (
        ("answers-reader-2.json: reader-2 left 3 items of 24", "--partial"),
        (f"answers-reader-3.json:answer {len(said) + 1}:", "'ffff'"),
        (f"answers-reader-3.json:answer {len(said) + 2}:", "use one of same, different, unclear"),
        (f"answers-reader-3.json:answer {len(said) + 3}:", "keep one"),
        ("other.json: ", "name the run that it was made from"),
        ("torn.json: ", "cannot be read as answers"),
    ):
        (line,) = [line for line in done.err.splitlines() if place in line]
        assert what in line
    assert botattack("judge", "review", run, "--collect", "--partial", good, short).status == 0
    assert Counter(one.reader for one in readings(run)) == {
        "reader-1": 22,
        "reader-2": len(
            [1 for one in said[:-3] if one["item"] in {item.id for item in review.items if item.role != "known"}]
        ),
    }


def test_a_reader_who_changes_her_mind_between_files_is_asked_which_counts(
    botattack: Botattack, run: Path, folder: Path
) -> None:
    botattack("judge", "review", run, "--ask", "meaning", "--items", "10", "--readers", "1", "-o", "pages")
    review = the_review(run)
    assert botattack("judge", "review", run, "--collect", answers(folder, review, "reader-1")).status == 0
    done = botattack("judge", "review", run, "--collect", answers(folder, review, "reader-1", lambda item: "unclear"))
    assert done.status == 2
    assert "called" in done.err
    assert len(readings(run)) == 11


def test_a_review_that_was_changed_is_refused(botattack: Botattack, run: Path, folder: Path) -> None:
    botattack("judge", "review", run, "--items", "10", "-o", "pages")
    review = the_review(run)
    path = run / f"review-{review.id}.json"
    path.write_text(path.read_text().replace('"different": "different"', '"different": "same"', 1))
    done = botattack("judge", "review", run, "--collect", answers(folder, review, "reader-1"))
    assert done.status == 2
    assert str(path.name) in done.err
    assert "was changed" in done.err


def test_label_files_of_other_runs_count_where_this_run_asked_the_same(
    botattack: Botattack, run: Path, folder: Path
) -> None:
    units = [event.unit for event in events(run) if isinstance(event, VariantJudged)]
    rows = [
        {"unit": units[0].partition(".")[0], "reader": "one", "label": "same"},
        {"unit": units[1], "reader": "one", "label": "different", "chance": 0.25},
        {"unit": "0" * 16, "reader": "one", "label": "same"},
    ]
    path = folder / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "labels.jsonl:1:" in botattack("judge", "review", run, "--collect", path).err
    done = botattack("judge", "review", run, "--ask", "meaning", "--collect", path)
    assert done.status == 0, done.err
    assert "1 label left out" in done.out
    assert [(one.unit, one.label, one.chance) for one in readings(run)] == [
        (units[0], "same", 1.0),
        (units[1], "different", 0.25),
    ]
    assert botattack("judge", "review", run, "--ask", "verdict", "--collect", path).status == 2


def test_labels_kept_with_the_tests_are_read_into_a_run_that_asks_the_same(botattack: Botattack, folder: Path) -> None:
    asked = [one for one in lines("variants.jsonl") if one["set"] == "today" and one["attack"] == "contraction"][:5]
    (folder / "bot.py").write_text('def answer(text):\n    return "Paris"\n')
    (folder / "bot.yaml").write_text(
        'connect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
    )
    rows = [{"question": one["original"], "answers": ["Paris"], "lang": "en"} for one in asked]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = botattack("run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "contraction", "--allow-code")
    assert done.status == 0, done.err
    (run,) = (folder / "recordings").iterdir()
    done = botattack("judge", "review", run, "--ask", "meaning", "--collect", FOLDER / "labels.jsonl")
    assert done.status == 0, done.err
    assert {(one.unit.partition(".")[0], one.reader) for one in readings(run)} == {
        (one["unit"], reader) for one in asked for reader in "cd"
    }


def test_what_a_reader_agreed_to_tell_is_written_into_the_file_of_answers(
    botattack: Botattack, run: Path, folder: Path
) -> None:
    botattack("judge", "review", run, "--items", "20", "-o", "pages")
    path = answers(folder, the_review(run), "reader-1")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"age": "20 to 29", "mother_tongue": " Persian"}))
    assert botattack("judge", "review", run, "--collect", path).status == 0
    told = [one.traits for one in readings(run) if one.reader == "reader-1"]
    assert told == [{"age": "20 to 29", "mother_tongue": "persian"}] * 22


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.jsonl", '{"unit": "5f2c9a1b7d3e8f60.0", "reader": "a", "label": "same", "gruop": "native"}', "'group'"),
        ("a.json", '{"review": "x", "reader": "a", "answers": [], "mother_tonge": "fa"}', "'mother_tongue'"),
    ],
)
def test_a_misspelt_key_that_is_not_needed_is_named(
    botattack: Botattack, run: Path, folder: Path, name: str, text: str, said: str
) -> None:
    (folder / name).write_text(text)
    ended = botattack("judge", "review", run, "--collect", name)
    assert (ended.status, ": nothing reads its " in ended.err, said in ended.err) == (2, True, True)


def test_each_trait_of_readers_has_a_table_whose_readings_add_up(botattack: Botattack, run: Path, folder: Path) -> None:
    units = sorted({event.unit for event in events(run) if isinstance(event, VariantJudged)})[:30]
    said = [
        {"reader": f"r{n}", "gender": ["female", " Male", ""][n % 3], "age": f"{20 + n}", "mother_tongue": "fa"}
        for n in range(5)
    ]
    labels = [
        {**who, "unit": unit, "label": ("same", "different")[(n + m) % 2], "ask": "meaning"}
        for n, who in enumerate(said)
        for m, unit in enumerate(units)
    ]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels))
    assert botattack("judge", "review", run, "--collect", "labels.jsonl").status == 0
    assert botattack("replay", run, "--as-recorded", "-o", "r.json", "-o", "r.md").status == 0
    rates = json.loads(Path("r.json").read_text())["readers"]["asked"]["meaning"]["rates"]
    shown = Path("r.md").read_text().replace("\\", "")
    for trait in TRAITS:
        told = Counter(str(row[trait]).strip().casefold() for row in labels if row[trait])
        assert {name.removeprefix(f"{trait}: "): rate["n"] for name, rate in rates.items() if trait in name} == told
        assert f"| meaning, {trait.replace('_', ' ')} |" in shown


@pytest.mark.parametrize(
    ("flags", "key"),
    [
        (("--readers", "0"), "--readers"),
        (("--readers", "51"), "--readers"),
        (("--readers", "anna,../ben"), "--readers"),
        (("--items", "0"), "--items"),
        (("--items", "2001"), "--items"),
        (("--group", "a/b"), "--group"),
        (("--collect",), "--collect"),
        (("--partial",), "--partial"),
    ],
)
def test_what_makes_no_sense_is_refused(botattack: Botattack, run: Path, flags: tuple[str, ...], key: str) -> None:
    done = botattack("judge", "review", run, *flags)
    assert done.status == 2
    assert key in done.err
    assert not list(run.glob("review-*"))


@pytest.mark.parametrize(("reference", "instead"), [("own", "--ask meaning or comprehension"), ("gold", "another run")])
def test_a_run_of_which_something_cannot_be_asked_names_what_can(
    botattack: Botattack, folder: Path, reference: Reference, instead: str
) -> None:
    verdict, standing = ("wrong", "kept") if reference == "own" else ("correct", "wrong")
    one = Asking(standing=standing, reference=reference, tries=(Try(verdict, (edit("what", "what", "waht"),)),))
    run = recording(folder / "own", stream([one], {"dpaeg": "same"}, ended()))
    done = botattack("judge", "review", run, "--ask", "verdict")
    assert (done.status, instead in done.err) == (2, True), done.err


def test_a_recording_that_is_written_is_left_alone(botattack: Botattack, run: Path, folder: Path) -> None:
    botattack("judge", "review", run, "--items", "5", "-o", "pages")
    path = answers(folder, the_review(run), "reader-1")
    with Recorder(run, Redactor()):
        done = botattack("judge", "review", run, "--collect", path)
    assert done.status == 2
    assert "is being written" in done.err


def test_a_run_with_readings_is_reported_as_before(botattack: Botattack, run: Path, folder: Path) -> None:
    def figures() -> dict:
        assert botattack("replay", run, "--as-recorded", "-o", "figures.json").status == 0
        found = json.loads(Path("figures.json").read_text())
        return {name: value for name, value in found.items() if name != "readers"}

    before = figures()
    botattack("judge", "review", run, "--ask", "scale", "--items", "10", "-o", "pages")
    assert botattack("judge", "review", run, "--collect", answers(folder, the_review(run), "reader-1")).status == 0
    assert figures() == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.json", b""),
        ("nothing.json", b"{}"),
        ("list.json", b"[]"),
        ("deep.json", b"[" * 100_000),
        ("deep-object.json", b'{"a":' * 100_000),
        ("latin.json", b'{"review": "\xff"}'),
        ("number.json", b'{"review": 1, "reader": "a", "answers": []}'),
        ("path.json", b'{"review": "../../run", "reader": "a", "answers": [{"item": "a", "answer": "same"}]}'),
        ("surrogate.json", b'{"review": "\\ud800", "reader": "a", "answers": [{"item": "a", "answer": "same"}]}'),
        ("task.json", b'[{"data": {"review": "x"}, "annotations": null}]'),
        ("label.jsonl", b'{"unit": "x", "reader": "a", "label": "same", "chance": 0}'),
        ("long.jsonl", b'{"unit": "' + b"x" * 9_999 + b'", "reader": "a", "label": "same"}'),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_has_no_answers_is_refused_in_one_sentence(
    botattack: Botattack, run: Path, folder: Path, name: str, content: bytes
) -> None:
    (folder / name).write_bytes(content)
    before = (run / "events.jsonl").read_bytes()
    done = botattack("judge", "review", run, "--ask", "meaning", "--collect", name)
    assert done.status == 2
    assert done.err.startswith(f"botattack: {name}:")
    assert done.err.count("\n") == 1
    assert len(done.err) < 1000
    assert (run / "events.jsonl").read_bytes() == before


def test_of_a_long_passage_readers_see_what_was_changed() -> None:
    long, other = ("x " * 500 + word + " y" * 500 for word in ("river", "rivver"))
    question = Prompt("who?", (long, "kept"), (Turn("bot", "before"),))
    assert [text.role for text in texts((question,), (question,))] == ["bot", "user"]
    passage, before, asked = texts((Prompt("who??", (other, "kept"), question.history),), (question,))
    assert "rivver" in passage.text
    assert len(passage.text) < 450
    assert (before.text, asked.text) == ("before", "who??")
    (added, *_) = texts((Prompt("who?", ("new", long, "kept")),), (question,))
    assert added.text == "new"
