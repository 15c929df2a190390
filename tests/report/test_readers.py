"""What people who read a run said of it: which variants count, how far they agree, and the rates that they correct."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from botattack.events import AskedOf, Event, Label, OriginalJudged, Reading, VariantJudged
from botattack.recordings.triage import marked_events
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.metrics import figures_of
from botattack.report.statistics.agreement import Same
from botattack.report.statistics.powered import LABELS
from botattack.report.wording import reader_words, words
from botattack.report.writers.material import material
from tests.report.reviewed import HOSTILE, askings, recording
from tests.report.streams import Asking, Try, edit, ended, stream

EVERY = 10
"""One reply of so many is read."""


def said(unit: str, label: Label, reader: str = "ann", **more: object) -> Reading:
    values = {"ask": "meaning"} | more
    return Reading(unit=unit, reader=reader, label=label, **values)  # type: ignore[arg-type]


def units(told: Iterable[Event]) -> list[str]:
    return [event.unit for event in told if isinstance(event, VariantJudged)]


def read_of(folder: Path, told: list[Event], readings: Iterable[Reading]) -> Figures:
    """The figures of a recording with readings at its end."""
    return figures_of(marked_events(recording(folder, [*told, *readings])))


@pytest.mark.parametrize(
    ("labels", "leaves"),
    [
        (("different", "different", "same"), True),
        (("different", "same", "same"), False),
        (("different", "different"), True),
        (("different", "same"), False),
        (("different", "unclear"), False),
        (("unclear", "unclear", "unclear"), False),
    ],
)
def test_what_most_readers_call_another_question_leaves_the_rate(
    tmp_path: Path, labels: tuple[Label, ...], leaves: bool
) -> None:
    told = stream(askings(25, 2), {"dpaeg": "same"}, ended())
    unit = units(told)[0]
    found = read_of(tmp_path / "run", told, (said(unit, label, f"r{n}") for n, label in enumerate(labels)))

    assert found.attacks["dpaeg"].gold.rated == 50 - leaves
    assert [variant.unit for variant in found.readers.left] == [unit] * leaves
    assert found.marks == ()


def test_what_left_is_counted_by_attack_and_named(tmp_path: Path) -> None:
    told = stream(askings(25, 2), {"dpaeg": "same"}, ended())
    found = read_of(tmp_path / "run", told, [said(unit, "different") for unit in units(told)[:12]])
    lines = reader_words.lines(found)

    assert any("12 variants left" in line and "dpaeg 12" in line for line in lines)
    assert sum(line.startswith("left out: ") for line in lines) == reader_words.SHOWN
    assert all("what is the capital of country" in line for line in lines if line.startswith("left out"))
    assert len(found.readers.left) == 12


def test_a_reading_is_of_every_asking_of_a_text_and_its_repeat_counts_for_nobody(tmp_path: Path) -> None:
    told = stream(askings(25, 2), {"dpaeg": "same"}, ended())
    text = units(told)[0].partition(".")[0]
    readings = [said(f"{text}.7", "different"), said(f"{text}.7", "same", repeat=True)]

    assert len(read_of(tmp_path / "run", told, readings).readers.left) == 1


def test_variants_that_are_to_change_the_question_stay(tmp_path: Path) -> None:
    tries = (Try("correct", attack="negate", expect="different", meaning="changed"),)
    told = stream([Asking(text=f"w{n}", tries=tries) for n in range(25)], {"negate": "different"}, ended())
    found = read_of(tmp_path / "run", told, [said(unit, "different") for unit in units(told)])

    assert found.attacks["negate"].gold.rated == 25
    assert found.readers.left == ()


def test_a_run_that_nobody_read_says_so() -> None:
    found = figures_of(stream(askings(25, 2), {"dpaeg": "same"}, ended()))

    assert "not read by people" in reader_words.lines(found)[0]
    assert reader_words.brief(found) == "Not read by people."
    assert found.readers.asked == {}


def test_comprehension_is_told_for_each_group_of_readers() -> None:
    told = stream(askings(30, 1), {"dpaeg": "same"}, ended())
    groups = (("ann", "native"), ("ben", "native"), ("eva", "learner"))
    readings = [
        said(unit, "wrong" if group == "learner" and n < 15 else "right", reader, ask="comprehension", group=group)
        for n, unit in enumerate(units(told))
        for reader, group in groups
    ]
    found = figures_of([told[0], *readings, *told[1:]]).readers.asked["comprehension"]

    assert {group: rate.value for group, rate in found.rates.items()} == {
        "": pytest.approx(75 / 90),
        "learner": pytest.approx(0.5),
        "native": 1.0,
    }
    assert found.rates["learner"].interval is not None
    assert found.labels == {"right": 75, "wrong": 15, "unclear": 0}


def test_agreement_counts_items_that_two_have_read_and_repeats_apart() -> None:
    told = stream(askings(30, 1), {"dpaeg": "same"}, ended())
    pairs: list[tuple[Label, Label]] = [("same", "same"), ("different", "different"), ("same", "different")]
    readings = []
    for n, unit in enumerate(units(told)):
        one, other = pairs[n % 3]
        readings += [said(unit, one), said(unit, other, "ben")]
    readings += [said(units(told)[0], "same", repeat=True), said(units(told)[1], "same", repeat=True)]
    found = figures_of([told[0], *readings, *told[1:]]).readers.asked["meaning"]

    assert found.kappa.value == pytest.approx(1 / 3, abs=1e-9)
    assert found.alpha.value == pytest.approx(1 - 59 / 60 * 2 / 3, abs=1e-9)
    assert (found.items, found.readers, len(found.disagreed)) == (30, 2, 10)
    assert found.pairs == (Same(("ann", "ben"), 20, 30),)
    assert found.repeats == (Same(("ann",), 1, 2),)


def _misjudged(number: int, tries: int) -> tuple[list[Event], list[str]]:
    """A run whose judge calls every other reply wrong, and the units of those that really are: a quarter of all."""
    told = stream(askings(number, tries), {"dpaeg": "same"}, ended())
    called = [event.unit for event in told if isinstance(event, VariantJudged) and event.verdict.kind == "wrong"]
    return told, called[::2]


def test_labels_of_people_correct_the_rate() -> None:
    told, wrong = _misjudged(100, 10)
    read = units(told)[::EVERY] + units(told)[1::EVERY]
    readings = [
        said(unit, "wrong" if unit in wrong else "correct", ask="verdict", chance=2 / EVERY) for unit in sorted(read)
    ]
    found = figures_of([told[0], *readings, *told[1:]])
    corrected = found.attacks["dpaeg"].corrected

    assert found.attacks["dpaeg"].gold.success_rate == 0.5
    assert corrected is not None
    assert corrected.labels == len(read)
    assert corrected.interval[0] < 0.25 < corrected.interval[1] < 0.5
    assert found.readers.corrected == corrected
    assert found.readers.judged.value == 0.5
    assert f"{corrected.labels} labels of people" in dict(words.corrections(found))["dpaeg"]


@pytest.mark.parametrize(("label", "agrees"), [("correct", 30), ("wrong", 0)])
def test_a_grade_of_the_reply_to_an_unchanged_question_is_held_against_the_judge(label: Label, agrees: int) -> None:
    told = stream(askings(30), {"dpaeg": "same"}, ended())
    original = next(event for event in told if isinstance(event, OriginalJudged)).units[0]
    judge = figures_of([told[0], said(original, label, ask="verdict"), *told[1:]]).readers.asked["verdict"].judge
    assert (judge.same, judge.n) == (agrees, 30)


def test_what_left_the_rates_does_not_bend_the_correction(tmp_path: Path) -> None:
    """Every other variant asks another question, and the judge calls all of those broken. Of the others about a quarter
    is broken, as the judge says; about half of all is read."""
    random = Random(4)

    def tries() -> tuple[Try, ...]:
        kinds = ["wrong" if n % 2 == 0 or random.random() < 0.25 else "correct" for n in range(8)]
        return tuple(Try(kind, (edit("what", "what", f"{n}what"),)) for n, kind in enumerate(kinds))  # type: ignore[arg-type]

    told = stream([Asking(text=f"what is {n}", tries=tries()) for n in range(60)], {"dpaeg": "same"}, ended())
    judged = [event for event in told if isinstance(event, VariantJudged)]
    good = [event.verdict.kind == "wrong" for n, event in enumerate(judged) if n % 2]
    readings = []
    for n, event in enumerate(judged):
        if random.random() < 0.5:
            label: Label = "correct" if event.verdict.kind == "correct" else "wrong"
            readings.append(said(event.unit, label, ask="verdict", chance=0.5))
            readings.append(said(event.unit, "same" if n % 2 else "different"))
    found = read_of(tmp_path / "run", told, readings).readers

    assert len(found.left) > 100
    assert found.corrected is not None
    assert found.corrected.labels > 100
    assert found.corrected.rate == pytest.approx(sum(good) / len(good), abs=0.05)


def test_labels_of_few_questions_correct_nothing() -> None:
    told, wrong = _misjudged(25, 4)
    readings = [said(unit, "wrong" if unit in wrong else "correct", ask="verdict") for unit in units(told)[:40]]
    found = figures_of([told[0], *readings, *told[1:]])

    assert found.attacks["dpaeg"].corrected is None
    assert found.readers.corrected is None
    assert found.readers.asked["verdict"].items == 40
    assert any("no rate is corrected" in line for line in reader_words.lines(found))


@pytest.mark.parametrize("ask", ["meaning", "comprehension"])
def test_the_sentence_beside_the_headline_says_what_readers_were_asked(ask: AskedOf) -> None:
    told = stream(askings(25, 1), {"dpaeg": "same"}, ended())
    labels: dict[AskedOf, Label] = {"meaning": "different", "comprehension": "wrong"}
    found = figures_of([told[0], *(said(unit, labels[ask], ask=ask) for unit in units(told)), *told[1:]])
    assert f": {ask} (1 reader, 25 items): 0.0 % (0 of 25" in reader_words.brief(found)
    assert ("understood" in reader_words.brief(found)) == (ask == "comprehension")


def test_grades_correct_only_what_readers_are_drawn_from() -> None:
    own = [Asking(f"w{n}", (), reference="own", tries=(Try("wrong"),) * 4) for n in range(60)]
    told = stream([*askings(60, 4), *own], {"dpaeg": "same"}, ended())
    read = [event for event in told if isinstance(event, VariantJudged) and event.reference == "gold"]
    readings = [said(one.unit, "correct" if at % 4 else "wrong", ask="verdict") for at, one in enumerate(read)]
    found = figures_of([told[0], *readings, *told[1:]]).readers
    assert found.corrected is not None
    assert found.corrected.rate == pytest.approx(0.25, abs=0.02)
    assert found.judged.value == 0.5


@pytest.mark.parametrize("graded", [LABELS - 1, LABELS])
def test_a_rate_is_corrected_from_the_fewest_labels_whose_coverage_is_enough(graded: int) -> None:
    told, _ = _misjudged(60, 1)
    readings = [
        said(unit, "wrong" if at % 2 else "correct", ask="verdict") for at, unit in enumerate(units(told)[:graded])
    ]
    found = figures_of([told[0], *readings, *told[1:]])
    shown = found.attacks["dpaeg"].corrected

    assert (shown is not None) == (found.readers.corrected is not None) == (graded >= LABELS)
    assert bool(shown) == ("dpaeg" in dict(words.corrections(found)))
    assert any("no rate is corrected" in line for line in reader_words.lines(found)) == (graded < LABELS)


def test_readers_who_differ_count_half_and_who_cannot_say_not_at_all() -> None:
    told, _ = _misjudged(60, 1)
    labels: list[tuple[Label, ...]] = [("wrong", "correct"), ("correct", "unclear"), ("unclear", "unclear")]
    readings = [
        said(unit, label, f"r{at}", ask="verdict")
        for n, unit in enumerate(units(told))
        for at, label in enumerate(labels[n % 3])
    ]
    found = figures_of([told[0], *readings, *told[1:]]).readers.corrected

    assert found is not None
    assert found.labels == 40
    assert found.rate == pytest.approx(0.25, abs=0.01)


def test_what_was_sent_is_shown_and_not_run(tmp_path: Path) -> None:
    from botattack.report.writers.html import write

    hostile = Asking(tries=(Try("wrong", (edit(Asking().text, "capital", HOSTILE),)),))
    told = stream([hostile, *askings(25, 2)], {"dpaeg": "same"}, ended())
    folder = recording(tmp_path / "run", [*told, said(units(told)[0], "different")])
    write(tmp_path / "page.html", material(lambda: marked_events(folder), str(folder)))
    page = (tmp_path / "page.html").read_text()

    assert "1 variant left the rates" in page
    assert "<script>window.owned=1" not in page
    assert "<img" not in page


def test_figures_are_the_same_wherever_readings_are_written(tmp_path: Path) -> None:
    told, wrong = _misjudged(40, 3)
    readings = [said(unit, "wrong" if unit in wrong else "correct", ask="verdict") for unit in units(told)]
    readings += [said(unit, "different", reader) for unit in units(told)[:5] for reader in ("ann", "ben")]
    last = recording(tmp_path / "last", [*told, *readings])
    amid = recording(tmp_path / "amid", [*told[:100], *readings, *told[100:]])

    found = figures_of(marked_events(last))
    assert found == figures_of(marked_events(amid))
    assert (found.attacks["dpaeg"].gold.asked, found.attacks["dpaeg"].gold.marked) == (120, 5)
