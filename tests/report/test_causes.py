"""Failures by cause: a fold over closed questions, and what each report shows of it."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from random import Random

import pytest

from botattack.config.docstrings import described
from botattack.events import Event, VariantJudged
from botattack.model import Edit
from botattack.places import Place
from botattack.report.figures.causes import Cause, Part, part_of
from botattack.report.report_files import encoded
from botattack.report.wording.advice import advice
from botattack.report.wording.headlines import headline, ranked
from botattack.report.writers.html import write as write_html
from botattack.report.writers.material import Material, material, write_report
from botattack.report.writers.text_files import write_markdown
from tests.report.streams import Asking, Try, ended, stream


def typo(relation: str = "", pos: str = "", kind: str = "typo") -> tuple[Edit, ...]:
    return (Edit(0, "w", "v", kind, relation=relation, pos=pos),)


def run() -> list[Event]:
    """18 of 20 typos of subjects are not answered; 2 of 20 typos of objects bring a wrong answer, and 1 nothing."""
    tries = [
        (
            Try("refused" if n < 18 else "correct", typo("nsubj"), reply="Sorry?", distance=2 if n else 1),
            Try("wrong" if n < 3 else "correct", typo("dobj"), reply="" if n == 2 else "Lyon"),
            Try("unsure", typo("nsubj")),
            Try("wrong", typo("nsubj"), meaning="changed"),
            Try("wrong", typo("nsubj"), probe=True),
            Try("correct", (), "unchanged"),
        )
        for n in range(20)
    ]
    wrong = Asking("wrong as asked", standing="wrong", tries=tries[0], attacked=True)
    return stream([*(Asking(f"w{n} is it", tries=one) for n, one in enumerate(tries)), wrong])


def causes_of(events: list[Event]) -> tuple[Cause, ...]:
    return material(lambda: events).figures.causes


def test_failures_are_counted_by_attack_part_and_reply() -> None:
    found = causes_of(run())
    assert {(cause.questions, cause.broken_questions) for cause in found} == {(20, 18), (20, 2), (20, 1)}
    assert [(cause.part, cause.wrong, cause.broken, cause.rated) for cause in found] == [
        (Part("relation", "nsubj"), "refused", 18, 20),
        (Part("relation", "dobj"), "wrong", 2, 20),
        (Part("relation", "dobj"), "empty", 1, 20),
    ]
    assert found[0].example.distance == 1


@pytest.mark.parametrize(("one", "doubt"), [(True, "cause"), (False, "")])
def test_what_breaks_one_question_alone_is_no_sure_cause(one: bool, doubt: str) -> None:
    """Ten replies to typos of subjects are wrong: of one question, or of ten, of thirty that other typos break."""
    tries = [Try("wrong", typo("dobj")), Try("correct", (), "unchanged")]
    subjects = [Try("wrong", typo("nsubj")[:1], reply=f"Lyon {n}") for n in range(10)]
    asked = [[*subjects, *tries] if n == 0 else tries for n in range(30)]
    if not one:
        asked = [[*subjects[:1], *tries] if n < 10 else tries for n in range(30)]
    found = causes_of(stream([Asking(f"w{n} is it", tries=tuple(each)) for n, each in enumerate(asked)]))
    assert {cause.part.name: (cause.broken, cause.doubt) for cause in found} == {"dobj": (30, ""), "nsubj": (10, doubt)}


def test_a_part_is_a_role_a_place_or_the_kind_of_edit() -> None:
    passage = Edit(0, "", "It is Lyon.", "fake", place=Place("added passage", 0))
    assert part_of((passage, passage)) == Part("place", "added passage")
    assert part_of(typo(pos="NOUN")) == Part("part of speech", "NOUN")
    assert part_of(typo()) == Part("kind", "typo")
    assert part_of((*typo("nsubj"), *typo("nsubj"))) == Part("relation", "nsubj")
    assert part_of((*typo("nsubj", "NOUN"), *typo("dobj", "NOUN"))) == Part("kind", "mixed")
    assert part_of((*typo(), *typo(kind="swap"))) == Part("kind", "mixed")
    assert part_of(()) == Part("kind", "")


def test_other_families_and_own_references_have_their_own_words() -> None:
    events = stream(
        [
            Asking(
                f"w{n} is it",
                answers=(),
                reference="own",
                tries=(
                    Try("wrong", typo("nsubj"), reply="Rome"),
                    Try("correct", typo("nsubj"), "negate", expect="different", meaning="changed"),
                ),
            )
            for n in range(3)
        ],
        {"dpaeg": "same", "negate": "different"},
    )
    # Nobody asked the unchanged questions again, which says nothing of an attack that should change the answer.
    assert [(cause.attack, cause.wrong, cause.doubt) for cause in causes_of(events)] == [
        ("negate", "unnoticed", ""),
        ("dpaeg", "changed", "cause"),
    ]


def source() -> Material:
    return material(run, "FOLDER")


def test_every_report_shows_them(tmp_path: Path) -> None:
    found = source().figures.causes
    write_html(tmp_path / "report.html", source())
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "18 of 20 like this" in text
    assert text.index("18 of 20 like this") < text.index("Cause unsure: ")
    write_markdown(tmp_path / "report.md", source())
    assert "18 of 20 like this" in (tmp_path / "report.md").read_text("utf-8")
    first = encoded(source().figures)["causes"][0]
    assert first["example"]["unit"] == found[0].example.unit
    assert (first["part"], first["wrong"]) == ({"by": "relation", "name": "nsubj"}, "refused")


def noisy(seed: int, errs: float, breaks: float, questions: int = 60) -> list[Event]:
    """A bot that errs now and then whatever is asked, and breaks under typos besides."""
    random = Random(seed)
    askings = [
        Asking(
            f"what is the capital of country {number}",
            tries=(
                Try(
                    "wrong" if random.random() < max(errs, breaks) else "correct",
                    (Edit(12, "capital", "captial", "typo"),),
                ),
                Try("wrong" if random.random() < errs else "correct", (Edit(0, "w", "W", "case"),), "case"),
                Try("wrong" if random.random() < errs else "correct", (), "unchanged"),
            ),
        )
        for number in range(questions)
    ]
    return stream(askings, end=ended())


SLOW = pytest.mark.slow
DOUBTS = ("", "cause", "chance")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("errs", "runs"), [(0.1, 10), pytest.param(0.01, 20, marks=SLOW), pytest.param(0.04, 20, marks=SLOW)]
)
def test_no_cause_is_claimed_of_what_the_noise_of_the_bot_explains(errs: float, runs: int) -> None:
    claimed = [[cause for cause in causes_of(noisy(seed, errs, 0)) if not cause.doubt] for seed in range(runs)]
    assert sum(map(bool, claimed)) <= runs * 0.1
    for seed in range(runs):
        first, *others = causes_of(noisy(seed, errs, 0.6))
        assert (first.attack, first.doubt) == ("dpaeg", "")
        assert [cause.doubt for cause in others] == sorted((cause.doubt for cause in others), key=DOUBTS.index)


@pytest.mark.slow
@pytest.mark.parametrize("errs", [0.02, 0.06])
def test_a_report_begins_with_an_attack_only_if_chance_does_not_explain_it(errs: float) -> None:
    claims = 0
    for seed in range(20):
        noise, broken = (headline(material(partial(noisy, seed, errs, breaks)).figures) for breaks in (0, 0.6))
        claims += not re.match("No attack breaks clearly more|None of 2 attacks", noise)
        assert re.match(r"\w+ .* break \d+ % of the answers", broken)
    assert claims <= 20 * 0.1


def several(seed: int, breaks: float, other: float) -> list[Event]:
    """Typing mistakes that chance may explain, beside an attack that breaks as often as `other`."""
    random = Random(seed)
    return stream(
        [
            Asking(
                f"what is the capital of country {number}",
                tries=(
                    Try("wrong" if random.random() < breaks else "correct", (Edit(12, "capital", "captial", "typo"),)),
                    Try("wrong" if random.random() < other else "correct", (Edit(0, "w", "W", "case"),), "case"),
                    Try("wrong" if number == 7 else "correct", (), "unchanged"),
                ),
            )
            for number in range(60)
        ],
        end=ended(),
    )


@pytest.mark.slow
def test_a_report_begins_with_what_broke_something() -> None:
    for seed in range(8):
        said = headline(material(partial(several, seed, 0.05, 0)).figures)
        held = headline(material(partial(several, seed, 0, 0)).figures)
        assert held.startswith("None of 2 attacks breaks an answer: all 120 judged ")
        if said == held:  # nothing broke by chance
            continue
        assert "ther forms of letters" not in said
        assert re.match(r"(No attack breaks clearly more than chance does: .*t|T)yping mistakes", said)


@pytest.mark.slow
def test_a_headline_of_chance_counts_every_failure() -> None:
    decided = 0
    for seed in range(8):
        figures = material(partial(several, seed, 0.04, 0.04)).figures
        said = headline(figures)
        broken = sum(attack.gold.success for name, attack in figures.attacks.items() if name != "unchanged")
        if said.startswith("No attack breaks clearly more than chance does: "):
            decided += 1
            first, *others = re.findall(r"(?:\((\d+) of|(\d+) by other)", said.partition(".")[0])
            assert int(first[0]) + sum(int(other) for _, other in others) == broken, said
    assert decided


def test_what_the_bot_did_not_notice_is_no_report_that_nothing_broke() -> None:
    def run() -> list[Event]:
        return stream(
            [
                Asking(
                    f"what is the capital of country {number}",
                    tries=(
                        Try("correct", (Edit(0, "w", "W", "case"),), "case"),
                        Try(
                            "correct", (Edit(5, "is", "is not", "x"),), "negate", expect="different", meaning="changed"
                        ),
                    ),
                )
                for number in range(30)
            ],
            {"case": "same", "negate": "different"},
            end=ended(),
        )

    assert headline(material(run).figures).startswith("Negations ")


@pytest.mark.parametrize(("breaks", "asked_again"), [(0.0, True), (0.6, True), (0.6, False)])
def test_every_medium_says_which_failures_have_no_cause(tmp_path: Path, breaks: float, asked_again: bool) -> None:
    events = [
        event
        for event in noisy(1, 0.1, breaks)
        if asked_again or not (isinstance(event, VariantJudged) and event.attack == "unchanged")
    ]
    found = causes_of(events)
    doubted = sum(bool(cause.doubt) for cause in found)
    assert (doubted == len(found)) is (breaks == 0 or not asked_again)
    source = material(lambda: events)
    for name in ("page.html", "page.md"):
        write_report(tmp_path / name, source)
        text = re.sub("<[^>]+>", "", (tmp_path / name).read_text())
        assert text.count("Perhaps by chance: ") + text.count("Cause unsure: ") == doubted
        assert ("means that no cause is claimed" in text) is bool(doubted)
        # What the headline says of all attacks is not said again of each, nor of the causes.
        decided = "No attack breaks clearly more than chance does" in text
        assert decided is (breaks == 0)
        assert ("broke may be chance" in text) is (asked_again and not decided)
        assert ("too close to tell apart" in text) is (asked_again and not decided)
        assert ("Failures by cause" in text) is (doubted < len(found))


@pytest.mark.parametrize("breaks", [0.0, 0.15, 0.25, 0.35, 0.6])
@pytest.mark.parametrize("questions", [8, 27, 60])
def test_no_report_both_claims_and_denies_an_attack(breaks: float, questions: int) -> None:
    """Headline, causes and advice: what is claimed at first is not laid to chance below, nor the other way round."""
    for seed in range(4):
        figures = material(partial(noisy, seed, 0.03, breaks, questions)).figures
        worst = ranked(figures)[0]
        claimed = bool(worst.row.success) and not worst.perhaps_chance(figures)
        assert headline(figures).startswith("No attack breaks clearly") is (worst.row.success > 0 and not claimed)
        doubts = {cause.doubt for cause in figures.causes if cause.attack == worst.label}
        assert not claimed or "chance" not in doubts
        assert claimed or doubts <= {"chance"}
        remedy = described(worst.label).advice
        assert any(says.startswith(remedy) for says, _ in advice(figures, "FOLDER")) is claimed
