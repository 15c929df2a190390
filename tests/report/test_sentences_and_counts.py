"""No sentence that a report prints contradicts the counts of its run: a grid of runs, every sentence of each."""

from __future__ import annotations

import re
from itertools import product

import pytest

from botattack.events import AttackEnded, Event, OriginalJudged, QuestionClosed, Standing, VariantJudged
from botattack.model import Meaning, VerdictKind
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.metrics import figures_of
from botattack.report.statistics.intervals import wilson_at, z_quantile
from botattack.report.stories.attack_figures import every_attack
from botattack.report.wording import cautions, headlines, words
from botattack.report.wording.advice import advice
from botattack.report.wording.progress import Progress
from tests.report.streams import Asking, Try, edit, ended, started, stream

TEXT = "what is the capital of france"
TYPO = (edit(TEXT, "capital", "captial"),)
REPLIES: tuple[tuple[VerdictKind, ...], ...] = (
    (),
    ("correct",),
    ("wrong",),
    ("unsure",),
    ("error",),
    ("wrong", "correct", "unsure", "error"),
)
STANDINGS: tuple[tuple[Standing, ...], ...] = (("kept",), ("wrong",), ("unstable",), ("kept", "wrong", "unsure"))
ENDS = ("altered nothing", "left out unsure ones", "failed", "was not over")
ALTERED = re.compile(r"no attack could alter any of (\d+) question")
WHY_NOT = re.compile(r"(\d[\d,]*) (?:altered )?variants? (?:was|were) asked, but none is in a rate: (.*?)(?:\.|$)")


def run(
    replies: tuple[VerdictKind, ...],
    standings: tuple[Standing, ...],
    meaning: Meaning,
    end: str,
    *,
    everything: bool,
    number: int = 4,
) -> list[Event]:
    """So many questions; what they have is given to them in turn. With `everything`, also wrong ones are attacked."""
    events: list[Event] = [started(number, filter="all" if everything else "right")]
    for at in range(number):
        standing = standings[at % len(standings)]
        attacked = everything or standing == "kept"
        tries = tuple(Try(one, TYPO, meaning=meaning) for one in replies) if attacked else ()
        asking = Asking(text=f"{TEXT} {at}", standing=standing, tries=tries, attacked=attacked)
        told = [event for event in asking.events() if not isinstance(event, AttackEnded | QuestionClosed)]
        if attacked and end != "was not over":
            skipped, failed = 2 * (end == "left out unsure ones"), "ValueError" * (end == "failed")
            made = len(replies) + skipped
            told.append(AttackEnded(asking.question.id, "dpaeg", made, made, skipped=skipped, failed=failed))
        events += [*told, QuestionClosed(question=asking.question.id)]
    return [*events, ended()]


def printed(figures: Figures) -> list[str]:
    """What is said of the counts."""
    return [
        headlines.headline(figures),
        cautions.none_counted(figures),
        *cautions.cautions(figures),
        words.questions_line(figures),
        words.requests_line(figures),
        *(sentence for sentence, _ in advice(figures, "recording")),
    ]


@pytest.mark.parametrize("everything", [False, True], ids=["filter right", "filter all"])
@pytest.mark.parametrize("end", ENDS)
def test_no_sentence_contradicts_the_counts(end: str, *, everything: bool) -> None:
    for replies, standings, meaning in product(REPLIES, STANDINGS, ("kept", "unsure", "changed")):
        events = run(replies, standings, meaning, end, everything=everything)  # type: ignore[arg-type]
        figures, where = figures_of(events), (replies, standings, meaning)
        judged = [event for event in events if isinstance(event, VariantJudged)]
        rated = [event for event in judged if event.result in ("success", "robust")]
        right = {event.question for event in events if isinstance(event, OriginalJudged) and event.standing == "kept"}
        for sentence in printed(figures):
            said = sentence.lower()
            assert not ("no variant was" in said and judged), (where, sentence)
            if found := ALTERED.search(said):
                assert not judged, (where, sentence)
                assert end == "altered nothing", (where, sentence)
            assert not ("the attack failed" in said and end != "failed"), (where, sentence)
            assert not ("answers 0 % of" in said and right), (where, sentence)
        counted = [event for event in rated if event.question in right]
        in_rates = [event for event in counted if event.claimed or event.meaning == "unsure"]
        assert bool(cautions.none_counted(figures)) == (
            not in_rates and bool(judged or figures.attacks["dpaeg"].coverage.attacked)
        ), where
        if found := WHY_NOT.search(cautions.none_counted(figures)):
            parts = [int(part) for part in re.findall(r"\d+", found[2])]
            assert int(found[1]) == len(judged) == sum(parts), (where, found[0])


@pytest.mark.parametrize(
    ("meaning", "of_others"),
    [("unsure", "not counted: 4 whose altered versions may ask something else"), ("kept", "")],
)
def test_right_questions_without_a_rated_version_are_said_to_lack_a_sure_one(meaning: Meaning, of_others: str) -> None:
    """Variants that may ask something else are judged, too, if they are asked for."""
    others = [Asking(f"{TEXT} {n}", tries=(Try("wrong", TYPO, meaning=meaning),)) for n in range(4)]
    events = stream([*others, Asking(TEXT, tries=(Try("wrong", TYPO),))], end=ended())
    line = words.questions_line(figures_of(events))
    assert (of_others in line, "not counted" in line) == (True, bool(of_others))


@pytest.mark.parametrize(
    ("attacked", "ended_too", "says"),
    [
        (True, ("dpaeg", "case"), "not attacked: 4 that could not be altered"),
        (True, ("dpaeg",), "not attacked: 4 that the run did not come to"),
        (True, (), "not attacked: 4 that the run did not come to"),
        (False, (), "not attacked: 4 whose reply the judge was unsure of, though it counts as right now"),
    ],
)
def test_why_a_right_question_was_not_attacked_is_said(attacked: bool, ended_too: tuple[str, ...], says: str) -> None:
    events = stream([Asking(TEXT, tries=(Try("wrong", TYPO),))], {"dpaeg": "same", "case": "same"})
    for n in range(4):
        *opened, closed = Asking(f"{TEXT} {n}", attacked=attacked).events()
        ends = [AttackEnded(question=closed.question, attack=name, variants=0, existing=0) for name in ended_too]
        events += [*opened, *ends, closed]
    assert says in words.questions_line(figures_of([*events, ended()]))


@pytest.mark.parametrize(("status", "lost"), [(130, 0), (130, 3), (3, 0), (4, 3), (0, 3), (0, 0)])
def test_the_first_sentence_says_what_it_is_not_about(status: int, lost: int) -> None:
    """An attack of which nothing was asked, and the versions of questions that are not right any more."""
    events = stream(
        [
            *(Asking(f"{TEXT} {n}", tries=(Try("correct", TYPO),)) for n in range(4)),
            *(
                Asking(f"{TEXT} gone {n}", standing="wrong", attacked=True, tries=(Try("wrong", TYPO),))
                for n in range(lost)
            ),
        ],
        {"dpaeg": "same", "case": "same"},
        end=ended(exit=status),
    )
    said = headlines.headline(figures_of(events))
    assert ("nothing was asked by other forms of letters" in said) is (status > 0)
    assert (f"{lost} of questions whose unchanged answer was not judged correct" in said) is (lost > 0)


@pytest.mark.parametrize("everything", [False, True], ids=["filter right", "filter all"])
def test_progress_counts_as_broken_what_the_report_does(*, everything: bool) -> None:
    for replies, standings, meaning in product(REPLIES, STANDINGS, ("kept", "unsure", "changed")):
        progress = Progress(lambda: 0.0)
        events = run(replies, standings, meaning, "altered nothing", everything=everything)  # type: ignore[arg-type]
        for event in events:
            progress.update(event)
        attack = figures_of(events).attacks["dpaeg"]
        broken = attack.gold.success + attack.own.success
        assert f" {broken:,} broken answer" in progress.done(), (replies, standings, meaning)


def test_too_few_questions_are_said_with_how_many_it_takes() -> None:
    enough = next(n for n in range(1, 1000) if not cautions.too_few(n))
    for n in range(1, enough + 5):
        said, (low, high) = cautions.too_few(n), wilson_at(0.5, n, z_quantile(0.95))
        assert bool(said) is (n < enough)
        assert ("too few for any rate, which takes 20" in said) is (n < 20)
        if 20 <= n < enough:
            assert re.findall(r"\d+", said) == [f"{n}", "10", f"{enough}", f"{50 * (high - low):.0f}"]
    assert high - low < 0.2


@pytest.mark.parametrize("number", [19, 20, 60])
@pytest.mark.parametrize("standings", STANDINGS)
def test_advice_follows_what_was_answered(standings: tuple[Standing, ...], number: int) -> None:
    """A run is only pinned for alarms on lost answers if there are enough to lose; unsure replies are not ignorance."""
    figures = figures_of(run(("correct",), standings, "kept", "altered nothing", everything=True, number=number))
    questions, said = figures.questions, " ".join(sentence for sentence, _ in advice(figures, "recording"))
    assert ("Pin this run" in said) == (questions.correct >= 20)
    assert ("Ask more" in said) == (questions.correct < 20)
    assert ("does not know" in said) == (questions.wrong + questions.refused > number / 2)


@pytest.mark.parametrize("code", [0, 1, 3, 4, 130])
@pytest.mark.parametrize("number", [4, 30])
@pytest.mark.parametrize("standings", STANDINGS)
def test_a_run_that_was_stopped_is_continued_first(standings: tuple[Standing, ...], number: int, code: int) -> None:
    events = run((), standings, "kept", "was not over", everything=False, number=number)
    figures = figures_of([*events[:-1], ended(exit=code)])
    said = " ".join(sentence for sentence, _ in advice(figures, "recording"))
    # A bot that went away before it was right once may never have been there.
    assert ("Continue this run" in said) == (code in (4, 130) or (code == 3 and figures.questions.correct > 0))
    assert ("Ask more" in said or "Pin this run" in said) == (code < 2)
    assert code < 2 or not cautions.none_counted(figures)  # nobody knows yet what attacks can alter


@pytest.mark.parametrize("standing", ["error", "kept"])
def test_no_attack_is_listed_if_the_run_was_stopped_before_any(standing: Standing) -> None:
    told = stream([Asking(TEXT, standing=standing, attacked=True)], filter="all", end=ended(exit=2))
    assert not list(every_attack(figures_of(told)))


@pytest.mark.parametrize("code", [0, 1, 4, 130])
@pytest.mark.parametrize("number", [4, 19])
def test_too_few_questions_for_rates_are_no_fault_of_a_file_that_was_not_asked_whole(number: int, code: int) -> None:
    events = run(("correct",), ("kept",), "kept", "altered nothing", everything=False, number=number)
    told = str(list(every_attack(figures_of([*events[:-1], ended(exit=code)]))))
    assert "Too few questions for rates" in told
    assert ("continue it" in told) == (code > 1)
