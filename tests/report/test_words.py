"""Sentences and tables: what a success means, what was judged against what, and which gates held."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import botattack
from botattack.attacks.combined.why import PROBES
from botattack.config.run_keys import Gate
from botattack.events import (
    AnyEvent,
    AttackEnded,
    Event,
    HeldGate,
    Paced,
    QuestionClosed,
    QuestionOpened,
    RunEnded,
    Standing,
)
from botattack.model import Edit, Expect, GoldAnswer, Question, Turn
from botattack.report import numbers
from botattack.report.figures.figure_values import Figures, Measure, Row
from botattack.report.figures.gates import checked, held
from botattack.report.figures.metrics import figures_of
from botattack.report.figures.withheld import CUT, FAIL_FAST, MEMORY
from botattack.report.stories import first_screen
from botattack.report.wording import headlines, measure_words, words
from botattack.report.wording.advice import advice
from botattack.report.wording.marks import hidden_signs
from botattack.report.writers.material import material, write_report
from botattack.report.writers.terminal import Terminal
from tests.report.streams import Asking, Try, broken_gates, ended, stream

TYPO = Edit(0, "w", "v", "typo of keyword")
NOT = Edit(0, "w", "not w", "negation")
BOTH = {"dpaeg": "same", "negate": "different", "unchanged": "same"}


def negated(number: int) -> tuple[Try, ...]:
    """The bot never notices a negation, and every third typo breaks it."""
    typo = Try("wrong" if number % 3 == 0 else "correct", (TYPO,))
    return typo, Try("correct", (NOT,), "negate", expect="different", meaning="changed"), Try(attack="unchanged")


def run(**more: object) -> list[Event]:
    askings = [Asking(text=f"w{number}", tries=negated(number)) for number in range(24)]
    return stream(askings, BOTH, ended(**more))  # type: ignore[arg-type]


def own(many: int = 24) -> list[Event]:
    """Questions without gold answers."""
    tries = (Try("wrong", (TYPO,), "noise"), Try("correct", (TYPO,), "noise"), Try(attack="unchanged"))
    askings = [Asking(text=f"w{number}", answers=(), reference="own", tries=tries) for number in range(many)]
    return stream(askings, {"noise": "same", "unchanged": "same"}, ended())


def test_each_row_is_compared_with_the_unchanged_askings_of_its_own_questions() -> None:
    def asking(number: int) -> Asking:
        kinds = ["typo"] * (number < 24) + ["similar"] * (number < 6)
        altered = tuple(Try("wrong", (Edit(0, "W", "V" * n, kind),)) for n, kind in enumerate(kinds, 1))
        again = Try("wrong" if number in (3, 29) else "correct", (), "unchanged")
        return Asking(f"Which is number {number}?", attacked=True, tries=(*altered, again))

    figures = figures_of(stream(map(asking, range(30)), end=ended()))
    found = {line.name.partition(" (")[0]: line.control for line in words.lines(figures)}
    assert found == {"dpaeg": "1/24", "typo": "1/24", "similar": "1/6", "unchanged": ""}


@pytest.mark.parametrize(("broken", "attacks", "none"), [(0, 2, True), (0, 1, False), (9, 2, False)])
def test_attacks_that_broke_nothing_are_counted_together(broken: int, attacks: int, *, none: bool) -> None:
    names = ("case", "dpaeg")[:attacks]
    asked = [
        Asking(f"w{n}", tries=tuple(Try("wrong" if n < broken else "correct", (TYPO,), name) for name in names))
        for n in range(24)
    ]
    figures = figures_of(stream(asked, dict.fromkeys(names, "same"), ended()))
    said = f"None of {attacks} attacks breaks an answer: all {24 * attacks} judged "
    assert headlines.headline(figures).startswith(said) is none


@pytest.mark.parametrize(
    ("end", "begins"),
    [
        (None, "This run has not ended. Typing mistakes break"),
        (ended(exit=130, why="interrupted"), "Stopped: interrupted. Typing"),
        (ended(exit=1, why="a gate failed"), "Failed: a gate failed. Typing"),
        (ended(), "Typing mistakes break"),
    ],
)
def test_a_headline_says_first_how_the_run_ended(end: RunEnded | None, begins: str) -> None:
    events = [event for event in run() if not isinstance(event, RunEnded)]
    assert headlines.headline(figures_of([*events, end] if end else events)).startswith(begins)


@pytest.mark.parametrize("note", ["too few questions (3 of 20); x", FAIL_FAST, CUT, *MEMORY.values()])
def test_a_cell_in_place_of_an_interval_is_short(note: str) -> None:
    """It is not wrapped: a long one would leave no room for the name of the attack."""
    shown = words.TableLine("a", Row(success=1, robust=2, note=note), "").interval
    assert note.startswith(shown)
    assert len(shown) <= len(FAIL_FAST)


def test_an_unnoticed_change_is_not_called_broken() -> None:
    figures = figures_of(run())
    assert headlines.headline(figures) == (
        "Typing mistakes break 33 % of the answers: 8 of 24 altered versions of the questions. "
        "The same questions asked again unchanged: none of 24."
    )
    rows = {line.name: line for line in words.lines(figures)}
    assert rows["negate †"].control == numbers.NONE
    assert rows["dpaeg"].control == "0/24"
    assert [legend[0] for legend in words.legends(figures)] == ["†"]


def test_the_headline_of_changes_alone_says_that_they_were_not_noticed() -> None:
    figures = figures_of(run())
    alone = Figures(
        figures.run, attacks={"negate": figures.attacks["negate"], "unchanged": figures.attacks["unchanged"]}
    )
    assert headlines.headline(alone) == (
        "Negations go unnoticed in 100 % of the questions: 24 of 24 altered questions."
    )


@pytest.mark.parametrize(
    ("unnoticed", "big", "says"),
    [(55, "92 %", "Negations go unnoticed in 92 %"), (0, "2 %", "No attack breaks clearly more than chance")],
)
def test_what_may_be_chance_hides_no_other_kind_of_attack(unnoticed: int, big: str, says: str) -> None:
    asked = [
        Asking(
            f"w{n}",
            tries=(
                Try("wrong" if n == 0 else "correct", (TYPO,)),
                Try("correct" if n < unnoticed else "wrong", (NOT,), "negate", expect="different", meaning="changed"),
                Try("wrong" if n == 1 else "correct", attack="unchanged"),
            ),
        )
        for n in range(60)
    ]
    figures = figures_of(stream(asked, BOTH, ended()))
    assert headlines.headline(figures).startswith(says)
    assert next(first_screen.cards(figures)).big == big


@pytest.mark.parametrize(("carried", "says"), [(24, "The same questions asked"), (21, "All questions asked")])
def test_a_control_of_more_questions_is_not_called_the_same(carried: int, says: str) -> None:
    again = Try(attack="unchanged")
    asked = [Asking(f"w{n}", tries=(Try("wrong", (TYPO,)), again) if n < carried else (again,)) for n in range(24)]
    figures = figures_of(stream(asked, BOTH, ended()))
    assert headlines.headline(figures).endswith(f"{says} again unchanged: none of 24.")


@pytest.mark.parametrize("everything", [True, False])
def test_variants_are_counted_for_right_questions(*, everything: bool) -> None:
    """Rates leave out those of others, which `filter: all` and nights attack, too."""
    typo = (Try("wrong", (TYPO,)),)
    asked = [Asking(f"w{n}", tries=typo) for n in range(24)]
    asked += [
        Asking(f"w is {n}", standing="wrong", attacked=everything, tries=typo * everything, reply="Rome")
        for n in range(8)
    ]
    figures = figures_of(stream(asked, {"dpaeg": "same"}, ended()))
    ((_, detail, _),) = words.details(figures)
    assert "for 24 questions" in detail
    *_, card = first_screen.cards(figures)
    assert f"correctly are {'counted' if everything else 'attacked'}: 24 of 32 asked" in card.small[-1]


@pytest.mark.parametrize(("expect", "expected"), [("same", "Paris"), ("different", "another answer than Paris")])
@pytest.mark.parametrize("right", [(), ("Lyon", "Lille")])
def test_a_table_says_what_was_expected_of_each_variant(
    tmp_path: Path, expect: Expect, expected: str, right: tuple[str, ...]
) -> None:
    asked = [Asking("w", tries=(Try("wrong", (TYPO,), expect=expect, right=right),))]
    write_report(tmp_path / "out.csv", material(lambda: stream(asked, {"dpaeg": expect}, ended())))
    original, variant = csv.DictReader((tmp_path / "out.csv").open(encoding="utf-8-sig"))
    assert (original["expected"], variant["expected"]) == ("Paris", " | ".join(right) or expected)


def test_a_changed_answer_is_not_called_wrong_where_nobody_knows_what_is_right() -> None:
    assert "24 × changed its answer" in words.details(figures_of(own()))[0][1]


@pytest.mark.parametrize("noise", [0, 2])
@pytest.mark.parametrize("names", [("dpaeg",), ("dpaeg", "noise")])
def test_the_bound_of_a_remedy_for_several_attacks_names_its_own(names: tuple[str, ...], noise: int) -> None:
    asked = [
        Asking(
            f"w{n}",
            tries=(
                *(Try("wrong" if n < 20 else "correct", (TYPO,), name) for name in names),
                Try("wrong" if n < noise else "correct", attack="unchanged"),
            ),
        )
        for n in range(24)
    ]
    said = [each for each, _ in advice(figures_of(stream(asked, dict.fromkeys(names, "same"), ended())), "recording")]
    (bound,) = (each for each in said if "wins back" in each)
    assert ("under typing mistakes alone" in bound) is (len(names) > 1)


def test_files_say_which_successes_are_unnoticed_changes(tmp_path: Path) -> None:
    source = material(run)
    for name in ("out.xml", "out.csv", "out.md", "out.html"):
        write_report(tmp_path / name, source)
    failures = list(ET.parse(tmp_path / "out.xml").getroot().iter("failure"))
    unnoticed = [failure.attrib["message"] for failure in failures if failure.attrib["type"] == "unnoticed"]
    assert any(told.startswith("the bot did not notice 1 of 1 changes") and "(negate)" in told for told in unnoticed)
    assert (tmp_path / "out.csv").read_text().count("did not notice the change") == 24
    page = (tmp_path / "out.html").read_text()
    names = json.loads(page.partition('id="names">')[2].partition("</script>")[0])
    others = {names["attacks"][int(number)]: other for number, other in names["others"].items()}
    assert others == {"negate": "another answer than "}
    assert data_of(page).count("did not notice the change") == 24
    for name in ("out.md", "out.html"):
        text = (tmp_path / name).read_text()
        assert "negate †" in text
        assert "the right answer changes" in text


def data_of(page: str) -> str:
    return "".join(re.findall(r'class="outcomes">(.*?)</script>', page))


def unsupported() -> list[Event]:
    """Questions whose support was removed: a third is declined."""
    kinds = itertools.cycle(("correct", "wrong", "refused"))
    askings = [
        Asking(
            text=f"w{number}",
            tries=(Try(kind, (TYPO,), "unanswerable", expect="declines", meaning="changed"), Try(attack="unchanged")),
        )
        for number, kind in zip(range(24), kinds, strict=False)
    ]
    return stream(askings, {"unanswerable": "declines", "unchanged": "same"}, ended())


def test_answers_that_nothing_supports_are_a_family_of_their_own(tmp_path: Path) -> None:
    figures = figures_of(unsupported())
    assert headlines.headline(figures) == (
        "Removed facts do not keep the bot from answering 67 % of the questions: 16 of 24 altered questions."
    )
    assert figures.attacks["unanswerable"].gold.success == 16
    assert figures.measures["answered without support"].value == pytest.approx(2 / 3)
    assert "over-stability" not in figures.measures
    source = material(unsupported)
    for name in ("out.xml", "out.csv", "out.md", "out.html"):
        write_report(tmp_path / name, source)
    assert (tmp_path / "out.csv").read_text().count("answered though nothing supports it") == 16
    assert 'type="unsupported"' in (tmp_path / "out.xml").read_text()
    for name in ("out.md", "out.html"):
        assert "unanswerable ¶" in (tmp_path / name).read_text()


def test_questions_without_gold_answers_have_a_headline_and_a_row() -> None:
    figures = figures_of(own())
    assert headlines.headline(figures) == (
        "Scrambled letters break 50 % of the answers: 24 of 48 altered versions of the questions, compared with the "
        "bot's own replies. The same questions asked again unchanged: none of 24."
    )
    assert [(line.name, words.share(line.row), line.control) for line in words.lines(figures)] == [
        ("noise ‡", "24/48", "0/24"),
        ("unchanged (control) ‡", "0/24", ""),
    ]
    assert "the bot's own reply" in words.legends(figures)[0]


@pytest.mark.parametrize(
    ("gate", "sentence"),
    [
        (Gate("success_rate", "noise", at_most=0.4), "share broken by noise (own reference) is 50.0 %, above 40.0 %"),
        (Gate("success_rate", "noise", at_most=0.6), ""),
        (Gate("robust_accuracy", "noise", at_least=0.6), "robust accuracy of noise (own reference) is 50.0 %, below"),
        (Gate("robust_accuracy", at_least=0.6), "robust accuracy cannot be given: it needs known answers"),
        (Gate("standard_accuracy", at_least=0.6), "standard accuracy cannot be given: it needs known answers"),
    ],
)
def test_gates_without_gold_answers(gate: Gate, sentence: str) -> None:
    (found, *_) = [*broken_gates([gate], figures_of(own())), ""]
    assert found.startswith(sentence)
    assert bool(found) == bool(sentence)


@pytest.mark.parametrize(
    ("answers", "metrics"),
    [
        (("red",), {"obeyed": 0.02}),
        (("red",), {"standard_accuracy": 0.9, "obeyed": 0.02}),
        ((), {"robust_accuracy": 0.6, "obeyed": 0.02}),
        ((), {"standard_accuracy": 0.6, "robust_accuracy": 0.6}),
    ],
)
def test_why_gates_failed_is_said_once(tmp_path: Path, answers: tuple[str, ...], metrics: dict[str, float]) -> None:
    """The sentences are made again with the figures of today: no part of an old one is left beside them."""
    gates = [
        Gate(name, at_most=limit) if name == "obeyed" else Gate(name, at_least=limit)  # type: ignore[arg-type]
        for name, limit in metrics.items()
    ]
    asked = [Question(f"What colour is door {n}?", tuple(map(GoldAnswer, answers))) for n in range(3)]
    campaign = botattack.campaign(lambda _: "It is red.", asked, ["injection"], carrier="message", gates=gates)
    why = botattack.run(campaign, recordings=tmp_path).figures.run.why
    parts = why.split("; ")
    assert len(parts) == len(set(parts)), why


def test_few_questions_without_gold_answers_hold_no_gate() -> None:
    gate = Gate("success_rate", "noise", at_most=1.0)
    (found,) = broken_gates([gate], figures_of(own(5)))
    assert found == "share broken by noise (own reference) cannot be given: too few questions"


@pytest.mark.parametrize(("asked", "undecided"), [(70, False), (40, True)])
def test_a_gate_is_undecided_only_if_more_right_answers_would_not_decide_it(asked: int, undecided: bool) -> None:
    """There are variants for 11 of the 24 questions that were answered correctly, and 20 are needed."""
    carried = [Asking(text=f"w{number}", tries=(Try("correct", (TYPO,)),)) for number in range(11)]
    unsure = [Asking(text=f"w{number}", tries=(Try("correct", (TYPO,), meaning="unsure"),)) for number in range(11, 24)]
    wrong = [Asking(text=f"w{number}", standing="wrong") for number in range(24, asked)]
    figures = figures_of(stream([*carried, *unsure, *wrong], end=ended()))
    (found,) = checked(held([Gate("success_rate", "dpaeg", at_most=0.5)]), figures)
    assert (found.held, found.undecided, found.failed) == (False, undecided, not undecided)
    (overall,) = checked(held([Gate("robust_accuracy", at_least=0.5)]), figures)
    assert overall.undecided is undecided


def gated() -> tuple[list[Event], Figures]:
    figures = figures_of(run())
    gates = [Gate("success_rate", "dpaeg", at_most=0.5, at_least=0.4), Gate("robust_accuracy", at_least=0.5)]
    return run(exit=1, why="it failed", gates=held(gates)), figures


def test_gates_are_in_every_report_whether_they_held_or_not(tmp_path: Path) -> None:
    events, figures = gated()
    source = material(lambda: events)
    assert [gate.held for gate in source.figures.gates] == [False, True, True]
    assert headlines.headline(source.figures).startswith("Failed: it failed. Typing mistakes break")
    for name in ("out.md", "out.html", "out.json", "out.xml"):
        write_report(tmp_path / name, source)
        text = (tmp_path / name).read_text()
        assert "share broken by dpaeg is 33.3 %, below 40.0 %" in text
        assert "robust accuracy is 66.7 %, at least 50.0 %" in text
    cases = [
        case
        for case in ET.parse(tmp_path / "out.xml").getroot().iter("testcase")
        if case.attrib["classname"] == "alice.gates"
    ]
    assert [case.find("failure") is None for case in cases] == [False, True, True]
    names = [case.attrib["name"] for case in cases]
    assert "success_rate of dpaeg at_least 0.4" in names
    assert not any("%" in name for name in names)
    assert figures.gates == ()


def test_a_recording_gives_the_gates_again() -> None:
    events, _ = gated()
    encode, decode = msgspec.json.encode, msgspec.json.Decoder(AnyEvent).decode
    again = [decode(encode(event)) for event in events]
    assert figures_of(again) == figures_of(events)
    assert isinstance(again[-1], RunEnded)


def test_a_drop_is_looked_at_only_where_there_was_a_baseline() -> None:
    gate = Gate("success_rate", "dpaeg", drop_at_most=0.1)
    figures = figures_of(run())
    assert checked(held([gate]), figures) == ()
    (found,) = checked(held([gate], figures), figures)
    assert found.held
    assert found.sentence == (
        "share broken by dpaeg went from 33.3 % to 33.3 %, not more than 10.0 points for the worse"
    )
    (lost,) = checked([HeldGate(metric="success_rate", attack="dpaeg", drop_at_most=0.1, compared=True)], figures)
    assert not lost.held


@pytest.mark.parametrize("standing", ["wrong", "refused"])
@pytest.mark.parametrize(
    ("follow_ups", "of_them", "others", "said"),
    [
        (8, 8, 0, "8 of the 8 that failed follow"),
        (8, 4, 4, "4 of the 8 that failed follow"),
        (8, 3, 4, ""),
        (8, 0, 4, ""),
        (0, 0, 4, ""),
        (24, 12, 0, ""),
    ],
)
def test_failures_that_follow_earlier_turns_are_said_to(
    standing: Standing, follow_ups: int, of_them: int, others: int, said: str
) -> None:
    """Of 24 questions, so many are follow-ups; of these, and of the others, so many fail."""
    failing = {*range(of_them), *range(follow_ups, follow_ups + others)}
    asked = [Asking(f"w{n}", standing=standing if n in failing else "kept") for n in range(24)]
    follows = {one.question.id for one in asked[:follow_ups]}
    told = [
        msgspec.structs.replace(
            event,
            question=msgspec.structs.replace(
                event.question, masked=event.question.id, history=(Turn("user", "a"), Turn("bot", "b"))
            ),
        )
        if isinstance(event, QuestionOpened) and event.question.id in follows
        else event
        for event in stream(asked, {}, ended())
    ]
    figures = figures_of(told)
    line = words.questions_line(figures)
    assert ("follow earlier turns" in line, said in line) == (bool(said), True), line
    assert (figures.questions.asked, figures.questions.follow_ups) == (24, follow_ups)


def test_what_failed_is_told_once() -> None:
    events = stream([Asking(text=f"w{number}", tries=(Try("error", (TYPO,)),)) for number in range(2)], end=ended())
    assert words.requests_line(figures_of(events)).endswith("; 2 conversations failed, not counted: 2 timeout")


def test_the_reason_of_an_ending_is_not_cut() -> None:
    why = "x" * 400 + " mend"
    assert words.run_line(figures_of(run(exit=1, why=why))).endswith(" mend")


@pytest.mark.parametrize("status", [3, 4, 130])
def test_why_a_run_stopped_is_its_first_sentence_alone(status: int) -> None:
    figures = figures_of(run(exit=status, why="the bot is down"))
    assert words.ended(status, "the bot is down").startswith("Stopped: the bot is down")
    assert "the bot is down" not in words.run_line(figures)


def search() -> list[Event]:
    """A search that breaks each second question at its third request, and asks again; the others hold for six."""
    miss, hit = Try("correct", (TYPO,), search="attempt"), Try("wrong", (TYPO,), search="attempt")
    probe = Try("wrong", (TYPO,), meaning="unsure", probe=True, search="attempt")
    again = (replace(hit, search="again"),) * 2
    broken, held = replace(hit, search="outcome"), replace(miss, search="outcome")
    askings = [
        Asking(text=f"w{n}", tries=(miss, probe, hit, *again, broken) if n % 2 else (*[miss] * 6, held))
        for n in range(24)
    ]
    return stream(askings, {"dpaeg": "same"}, ended())


def test_a_search_is_told_by_the_questions_it_broke() -> None:
    figures = figures_of(search())
    attack = figures.attacks["dpaeg"]
    row = attack.gold
    assert attack.by_question
    assert (row.success, row.rated, row.broken_questions, row.questions, row.first_success) == (12, 24, 12, 24, 3)
    assert row.success_rate == 0.5
    # 12 of 144 answers say nothing of how many questions it breaks.
    assert "break 50 % of the questions (12 of 24). Nothing was asked again unchanged" in headlines.headline(figures)
    assert row.probes == 12 * 5 + 12 * 6
    ((columns, lines),) = words.tables(figures, ("attack", "broken", "share"))
    assert [line.name for line in lines] == ["dpaeg"]
    assert "questions broken" in columns


def test_what_searches_and_what_does_not_share_no_table() -> None:
    askings = [Asking(text=f"w{n}", tries=(Try("wrong", (TYPO,), "noise"),)) for n in range(24)]
    both = figures_of([*search()[:-1], *stream(askings, {"noise": "same"})[1:]])
    first, second = words.tables(both, ("attack", "broken", "share"))
    assert ([line.name for line in first[1]], [line.name for line in second[1]]) == (["noise"], ["dpaeg"])
    assert not {*first[0]} & {*second[0]}


def test_measures_that_lack_the_same_stand_in_one_line() -> None:
    rows = measure_words.overall(figures_of(run()))
    assert [name for name, value, _ in rows if value == numbers.NONE] == ["perturbation accuracy"]
    assert "robust accuracy" in [name for name, _, _ in rows]
    two = stream(
        [Asking(text=f"w{n}", tries=(Try("correct", (TYPO,)), Try("wrong", (TYPO,), "noise"))) for n in range(24)],
        {"dpaeg": "same", "noise": "same"},
    )
    names = [name for name, _, _ in measure_words.overall(figures_of(two))]
    assert {"robust accuracy, micro", "robust accuracy, macro"} <= set(names)
    assert "perturbation accuracy" in names
    assert measure_words.explained("robust accuracy, macro").endswith("each attack counts equally")


def test_hidden_characters_are_named() -> None:
    signs = hidden_signs((Edit(0, "", "\u2061", "invisible"), Edit(1, "a", "\u2061b\u200b", "invisible")))
    assert signs == ("\\u2061 FUNCTION APPLICATION", "\\u200b ZERO WIDTH SPACE")
    assert hidden_signs((TYPO,)) == ()


def test_a_learned_pace_is_told_in_a_form_for_the_file() -> None:
    events = run()
    events[2:2] = [Paced(why="learned", rate=10.2, ceiling=12.0), Paced(why="429", rate=10.2, wait=2.0)]
    assert words.requests_line(figures_of(events)).endswith("learned pace 12/s, to be set as limits: {rate: 12/s}")
    assert "pace" not in words.requests_line(figures_of(run()))


def test_without_gold_answers_there_are_no_accuracies() -> None:
    assert measure_words.overall(figures_of(own())) == [("accuracies", numbers.NONE, "need known answers")]


def test_what_lacks_the_same_is_one_line_and_what_lacks_more_another() -> None:
    few, missing = Measure(note="too few"), Measure(note="needs more")
    assert measure_words.measures({"a": few, "b": Measure(0.5, 30), "c": missing, "d": few}) == [
        ("b", "50.0 %", ""),
        ("not given", numbers.NONE, "a, d: too few"),
        ("c", numbers.NONE, "needs more"),
    ]


@pytest.mark.parametrize(
    ("known", "shown"),
    [
        (("Hello!",), ["Hello!"]),
        (("Hello!", "Hello! I am Ada.", "I am Ada."), ["Hello!", "I am Ada."]),
        (("Hello!", "Hello! I am Ada."), ["Hello!", "Hello! I am Ada."]),
        ((), []),
    ],
)
def test_sentences_said_in_a_row_are_counted_once(known: tuple[str, ...], shown: list[str]) -> None:
    run = replace(figures_of(own()).run, boilerplate=known)
    told = "".join(words.boilerplate(run))
    assert re.findall("“(.*?)”", told) == shown
    assert told.split(" ")[0] == (str(len(shown)) if shown else "")


@pytest.mark.parametrize(
    ("most", "says"),
    [(0.3, "share broken by dpaeg is 75.0 %, above 30.0 %"), (0.8, "a gate failed then, and every gate holds now")],
)
def test_a_run_that_a_gate_failed_says_the_figure_of_now(most: float, says: str) -> None:
    """As marks, or another judge, may have changed it since."""
    askings = [Asking(text=f"number {n}", tries=(Try("wrong" if n % 4 else "correct"),)) for n in range(40)]
    gate = HeldGate(metric="success_rate", attack="dpaeg", at_most=most)
    end = ended(exit=1, why="lost; share broken by dpaeg is 99.0 %, above 30.0 %; left out", gates=(gate,))
    figures = figures_of(stream(askings, {"dpaeg": "same"}, end))
    assert figures.run.why == f"lost; {says}; left out"
    assert [one.sentence for one in figures.gates if one.failed] == [says] * (most < 0.5)


def test_few_right_answers_are_said_once_for_all_gates_and_attacks() -> None:
    """Not once for each gate, nor in a row of its own for each attack."""
    tries = (Try("wrong"), Try("wrong", attack="case"))
    askings = [Asking(text=f"number {n}", tries=tries) for n in range(5)]
    chosen = (HeldGate(metric="success_rate", attack=name, at_most=0.3) for name in ("dpaeg", "case"))
    end = ended(exit=1, why="only 9 of 9 questions were answered correctly; left out", gates=(*chosen,))
    figures = figures_of(stream(askings, {"dpaeg": "same", "case": "same"}, end))
    says = "only 5 of 5 questions were answered correctly, and rates need 20: 2 gates cannot be checked"
    assert words.gates(figures) == [("FAILED", says)]
    assert figures.run.why == f"{says}; left out"
    shown = io.StringIO()
    Terminal(shown, io.StringIO(), width=200).finish(figures, ())
    assert "(5 of 20)" not in shown.getvalue()


def test_each_probe_of_why_has_a_name_in_words() -> None:
    assert words.terms("probes").keys() == {"original", *PROBES}


@pytest.mark.parametrize("known", [0, 3, 8])
def test_no_question_is_called_right_whose_right_answer_nobody_knows(known: int) -> None:
    told = [Asking(f"w{n}", ("x",) if n < known else (), tries=(Try("wrong"),)) for n in range(8)]
    figures = figures_of(stream(told))
    assert (figures.questions.right, figures.questions.own, figures.broken.own) == (known, 8 - known, 8 - known)
    said = words.questions_line(figures)
    assert re.findall(r"(\d+) right\b", said.replace("right question", "")) == ([f"{known}"] if known else [])
    assert ("right question" in said) == (known == 8)


@pytest.mark.parametrize("foreign", [0, 20, 39])
def test_an_attack_has_nothing_for_no_question_in_a_language_that_it_does_not_work_in(foreign: int) -> None:
    told = [Asking(f"w{n}", tries=(Try(attack="unchanged"),) * (n > 0)) for n in range(40)]
    events: list[Event] = []
    for event in stream(told):
        if isinstance(event, QuestionClosed):
            number = sum(isinstance(each, QuestionClosed) for each in events)
            events.append(AttackEnded(event.question, "dpaeg", 0, 0, foreign=number >= 40 - foreign))
        events.append(event)
    found = figures_of(events).attacks["dpaeg"].coverage
    assert (found.attacked, found.carried) == (40 - foreign, 0)
