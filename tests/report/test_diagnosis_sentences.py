"""The sentences about causes and smaller edits: each has its figures, its names and the right number of its words."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, get_args

import pytest
from msgspec.structs import replace as changed

from botattack.cases import Alteration
from botattack.model import Prompt
from botattack.report.figures.causes import Cause, Part
from botattack.report.figures.diagnoses import Became, CauseShare, Explained, ShrinkFigures, Shrunk, WhyFigures
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.findings import Finding
from botattack.report.figures.metrics import figures_of
from botattack.report.figures.whereabouts import MIXED
from botattack.report.wording import diagnoses as words
from botattack.report.wording.words import terms
from tests.report.streams import Asking, Try, ended, stream

FOUND = Finding(Alteration((Prompt("who?"),)), ("you",), "me", "u1", "dpaeg", 5)


def shrunk(became: Became, smallest: int | None = None, broke: int = 6, asked: int = 6, askings: int = 9) -> Shrunk:
    """A finding of distance 5."""
    kept = None if smallest is None else replace(FOUND, distance=smallest)
    return Shrunk(FOUND, became, kept, broke, asked, 20, askings)


def figures(*, kept: int = 4, broken: int = 0, asked: int = 6, **more: Any) -> Figures:
    return replace(read(kept, broken, asked), **more)


@cache
def read(kept: int, broken: int, asked: int) -> Figures:
    """Of 6 questions so many were asked, and so many of these kept and asked again unchanged, some of which broke."""
    verdicts = ["wrong" if n < broken else "correct" for n in range(kept)]
    right = [Asking(f"w{n}", tries=(Try(verdict, attack="unchanged"),)) for n, verdict in enumerate(verdicts)]  # type: ignore[arg-type]
    wrong = [Asking(f"w{n}", standing="wrong") for n in range(kept, asked)]
    made = stream([*right, *wrong], end=ended())
    return figures_of([changed(made[0], total=6), *made[1:]])


SMALLER = shrunk("smaller", 1)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (ShrinkFigures("run", 20, 0, (SMALLER,) * 14 + (shrunk("as small", 5),) * 6, 0, 5.0, 1.0),
         ["14 of 20 findings ", ": 1 letter changed in place of 5 (medians)"]),
        (ShrinkFigures("run", 1, 0, (SMALLER,), 0, 5.0, 2.0), ["1 of 1 finding ", ": 2 letters changed in place of 5"]),
        (ShrinkFigures("run", 20, 0, (SMALLER,) * 14, 0), ["14 of 14 findings ", "; 6 not asked"]),
        (ShrinkFigures("run", 9, 0, (SMALLER, shrunk("unfinished"), shrunk("unfinished")), 0),
         ["1 of 1 finding ", "; 2 not finished; 6 not asked"]),
        (ShrinkFigures("run", 2, 0, (shrunk("as small", 5), shrunk("not again")), 0), ["1 of 2 findings broke"]),
        (ShrinkFigures("run", 2, 0, (shrunk("as small", 5),) * 2, 0), ["None of 2 findings breaks"]),
        (ShrinkFigures("run", 2, 0, (shrunk("by chance"),) * 2, 0), ["None of 2 findings was confirmed"]),
        (ShrinkFigures("run", 2, 0, (shrunk("unfinished"),) * 2, 0), ["None of 2 findings is finished"]),
        (ShrinkFigures("run", 1, 0, (), 0), ["None of 1 finding was asked again: the original is no longer right"]),
    ],
)  # fmt: skip
def test_what_became_of_findings_is_counted(found: ShrinkFigures, told: list[str]) -> None:
    sentence = words.headline(figures(shrunk=found))
    for piece in told:
        assert piece in sentence
    one = found.became("smaller") == 1
    assert ("(medians)" in sentence) == (found.before is not None and not one)


@pytest.mark.parametrize(
    ("kept", "asked", "why"),
    [
        (4, 6, "the original is no longer right"),
        (4, 4, "the run ended before"),
        (3, 4, "the run ended before, or the original is no longer right"),
    ],
)
def test_why_findings_were_not_asked_again_is_said(kept: int, asked: int, why: str) -> None:
    nothing = ShrinkFigures("run", 1000, 0, (), 0)
    assert words.headline(figures(kept=kept, asked=asked, shrunk=nothing)).endswith(f": {why}")
    assert f"1,000 of 1,000 were not asked: {why}" in [*words.became(nothing, figures(kept=kept, asked=asked))]


@pytest.mark.parametrize("what", get_args(Became))
def test_each_fate_of_a_finding_is_counted_but_that_of_the_headline(what: Became) -> None:
    found = ShrinkFigures("the run", 3, 0, (shrunk(what, 1), shrunk(what, 1)), 1234)
    told = [*words.became(found, figures())]
    assert (f"2 of 3 {terms('shrunk')[what]}" in told) == (what != "smaller")
    assert any(line.startswith("1 of 3 were not asked") for line in told)
    assert "3 findings of the run" in told
    assert "the first 3 of 7 findings of the run; --limit takes more" in [
        *words.became(replace(found, of=7), figures())
    ]
    assert any(line.startswith("1,234 requests ") for line in told)


@pytest.mark.parametrize("number", [10, 11])
def test_a_page_of_plain_text_says_that_it_shows_ten(number: int) -> None:
    told = [*words.became(ShrinkFigures("run", number, 0, (SMALLER,) * number, 1), figures())]
    assert any(line.startswith("at most 10 are shown") for line in told) == (number > 10)


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (SMALLER, "edit distance 5 → 1, broke 6 of 6 askings"),
        (shrunk("as small", 5, 1, 1), "edit distance 5, nothing smaller, broke 1 of 1 asking"),
        (shrunk("not again", None, 2, 6), f"{terms('shrunk')['not again']} (broke 2 of 6 askings)"),
        (shrunk("smaller", 1, askings=65), "edit distance 5 → 1, broke 6 of 6 askings"),
        (
            shrunk("smaller", 1, askings=66),
            "edit distance 5 → 1, broke 6 of 6 askings; after 60 askings nothing smaller was tried",
        ),
    ],
)
def test_a_finding_says_how_much_smaller_it_became(one: Shrunk, told: str) -> None:
    assert words.verdict(one) == told
    assert words.title(one).endswith(f": {told}")


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (Part("kind", "typo"), ", typo"),
        (Part("place", "added passage"), ", added passage"),
        (Part("kind", ""), ""),
        (Part("place", MIXED), " in several places at once"),
        (Part("relation", "nsubj"), " in the subject"),
        (Part("part of speech", "PROPN"), " in the name"),
        (Part("relation", "odd one"), " in the odd one"),
        (Part("relation", ""), " in the unknown"),
    ],
)
def test_what_an_attack_changed_is_named(part: Part, told: str) -> None:
    assert words.part(part) == told


def cause(doubt: Any) -> Cause:
    return Cause("dpaeg", Part("kind", "typo"), "wrong", 1800, 2000, FOUND, 9, 8, doubt)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("broken", "decided", "told"),
    [
        (2, False, "again, 2 of 4 broke, too close to tell apart"),
        (0, False, "again, none of 4 broke, but these failures"),
        (2, True, "“Perhaps by chance” means that no cause is claimed. "),
    ],
)
def test_why_no_cause_is_claimed_is_said_of_each_doubt(broken: int, decided: bool, told: str) -> None:
    of = figures(broken=broken)
    both = words.unconfirmed(replace(of, causes=(cause("chance"), cause("cause"))), decided=decided)
    assert told in both
    assert "“Cause unsure” means that no cause is claimed: the attack breaks the bot" in both
    alone = words.unconfirmed(replace(of, causes=(cause("cause"),)), decided=decided)
    assert ("Perhaps by chance" in alone, "Cause unsure" in alone) == (False, True)
    nobody = words.unconfirmed(figures(kept=0, causes=(cause("chance"), cause("cause"))), decided=decided)
    assert nobody.count("so nobody knows how often the bot errs") == 2
    assert words.like_this(cause("")) == "1,800 of 2,000 like this"


def why(*shares: CauseShare, failures: int = 30, explained: int = 30, **more: Any) -> WhyFigures:
    each = Explained("q", "v", "case", shares[0].cause if shares else "input", "", (), sure=True, requests=3)
    return WhyFigures("the run", (each,) * explained, shares, {"case": failures}, **more)


INPUT = CauseShare("input", 12, 0.4, (0.25, 0.57))


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (why(INPUT), f"Of 30 failures, 12 are caused by input: {terms('causes')['input']}"),
        (why(INPUT, failures=90), "30 of 90 failures were asked about: 12 are caused by input: "),
        (why(replace(INPUT, count=1, share=1.0), failures=9, explained=1), "1 of 9 failures was asked about: 1 is "),
        (why(replace(INPUT, count=1, share=1.0), failures=1, explained=1), "Of 1 failure, 1 is caused by input"),
        (why(CauseShare("unclear", 12, 0.4, (0.2, 0.6))), "Of 30 failures, 12 could not be explained"),
        (why(explained=0, failures=1200), "None of 1,200 failures was asked about"),
        (why(replace(INPUT, share=0.405)), "12 (40 % of all 30, if each attack counts by its failures) are caused"),
        (why(replace(INPUT, share=0.404)), "12 are caused"),
    ],
)  # fmt: skip
def test_the_headline_of_causes_counts_failures(found: WhyFigures, told: str) -> None:
    assert told in words.headline(figures(why=found))


@pytest.mark.parametrize(
    ("share", "failures", "told"),
    [
        (INPUT, 30, "input: 12 of 30 failures (25.0 – 57.0 %)"),
        (INPUT, 90, "input: 12 of 30 failures asked about (25.0 – 57.0 %)"),
        (replace(INPUT, interval=(0.1, 0.59)), 30, "input: 12 of 30 failures (10.0 – 59.0 %)"),
        (replace(INPUT, interval=(0.1, 0.61)), 30, "input: 12 of 30 failures"),
    ],
)
def test_a_cause_has_its_share_and_an_interval_unless_it_is_wide(share: CauseShare, failures: int, told: str) -> None:
    found = why(share, failures=failures)
    assert words.cause_title(share, found) == told
    assert any("wider than 50 points" in line for line in words.asked_about(found)) == ("(" not in told)
    worth = words.worth(share, found)
    assert worth == (
        "" if "(" not in told else f"At best, a fix would bring back {told[told.index('(') + 1 : -1]} of all failures."
    )


@pytest.mark.parametrize("name", ["chance", "outage", "unclear", "retrieval"])
def test_a_fix_is_worth_nothing_where_nothing_can_be_fixed(name: Any) -> None:
    assert bool(words.worth(replace(INPUT, cause=name), why(INPUT))) == (name == "retrieval")


@pytest.mark.parametrize(
    ("right", "of", "told"),
    [(9, 12, "46.8 – 91.1 % of these (9 of 12 came right)"), (2, 3, "2 of 3"), (0, 12, "")],
)
def test_a_normaliser_is_worth_what_came_right_behind_it(right: int, of: int, told: str) -> None:
    found = why(INPUT, input_failures=of, come_back=right)
    advice = f"{terms('fixes')['normaliser']} would bring back {told}." if told else ""
    assert words.worth(INPUT, found) == advice
    assert words.fix(INPUT, found) == terms("fixes")["input" if right else "input in vain"]
    assert words.fix(INPUT, why(INPUT)) == terms("fixes")["input"]


@pytest.mark.parametrize(
    ("lacks", "also", "told"),
    [
        (("passages", "gold answers"), ("reading",), ["passages and gold answers in the question file"]),
        ((), (), ["more requests"]),
        (("passages",), (), ["passages in the question file, or more requests"]),
        ((), ("reading",), []),
    ],
)
def test_what_would_show_an_unclear_cause_is_named(lacks: tuple[str, ...], also: Any, told: list[str]) -> None:
    share = CauseShare("unclear", 1, 1.0, (0.2, 1.0))
    one = Explained("q", "v", "case", "unclear", "", also, sure=False, requests=3, lacks=lacks)
    advice = words.fix(share, replace(why(share), explained=(one,)))
    assert advice == (terms("fixes")["unclear"].format(*told) if told else terms("fixes")["outdated"])


@pytest.mark.parametrize(
    ("name", "also", "sure", "told"),
    [
        ("retrieval", (), True, "retrieval (sure)"),
        ("retrieval", ("reading",), False, "retrieval; reading fails, too (likely)"),
        ("retrieval", ("reading", "input"), True, "retrieval; reading, input fail, too (sure)"),
        ("unclear", ("reading", "input"), False, "unclear: reading, input could not be distinguished"),
        ("unclear", (), False, "unclear"),
    ],
)
def test_the_verdict_on_a_failure_names_every_cause(name: Any, also: Any, sure: bool, told: str) -> None:
    assert words.cause_verdict(Explained("q", "v", "case", name, "", also, sure=sure, requests=3)) == told


def test_what_was_asked_about_is_counted() -> None:
    found = why(INPUT, failures=1200)
    first, second, *_ = words.asked_about(found)
    assert first == "30 of 1,200 failures of the run"
    assert second.startswith("3.0 askings each")
    several = replace(found, failures={"case": 1200, "noise": 1})
    assert next(iter(words.asked_about(several))) == "30 of 1,201 failures of the run, some of each attack"
    all_of_it = replace(found, failures={"case": 15, "noise": 15})
    assert next(iter(words.asked_about(all_of_it))) == "30 of 30 failures of the run"
