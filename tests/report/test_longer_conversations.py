"""An attack of several turns is not compared with a control of one: any of its replies may be wrong by chance."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from botattack.config.run_keys import Gate
from botattack.events import (
    Asked,
    AttackEnded,
    Event,
    OriginalJudged,
    QuestionClosed,
    QuestionOpened,
    VariantJudged,
)
from botattack.model import Edit, GoldAnswer, Prompt, Question, Reply, TurnVerdict, Verdict, VerdictKind
from botattack.places import Place
from botattack.report.figures.gates import held
from botattack.report.figures.metrics import figures_of
from botattack.report.stories.first_screen import cards
from botattack.report.wording import headlines, words
from botattack.report.wording.advice import advice
from botattack.report.wording.cautions import cautions
from tests.report.streams import Asking, Try, ended, started, stream

DOUBT = "Are you sure? "
DOUBTS = "Tell the bot to keep a right answer"
TYPO = (Edit(0, "w", "v", "typo"),)


def doubted(number: int, broke: int | None, noise: bool) -> Iterator[Event]:
    """A question that is asked, doubted three times, and broken at a turn, if at any; and asked again unchanged."""
    question = Question(f"who wrote book {number}", (GoldAnswer("Ann"),))
    texts = [question.text, *(f"{DOUBT * times}{question.text}" for times in (1, 2, 3))]
    known, right, wrong = question.id, Verdict("correct"), Verdict("wrong")
    turns = [
        TurnVerdict(turn, wrong if turn == broke else right) for turn in range((3 if broke is None else broke) + 1)
    ]
    edits = (*(Edit(0, "", text, "doubt", Place("added turn", at)) for at, text in enumerate(texts[:3])),)
    sent = tuple(map(Prompt, texts[: len(turns)]))
    yield QuestionOpened(question=question)
    yield Asked(question=known, unit="original.0", turns=(Prompt(question.text),), replies=(Reply("Ann"),))
    yield OriginalJudged(question=known, units=("original.0",), standing="kept", verdict=right, attacked=True)
    yield Asked(question=known, unit="a.0", turns=sent, replies=(Reply("Ann"),) * len(sent))
    yield VariantJudged(
        question=known, unit="a.0", attack="are-you-sure", edits=edits, verdict=turns[-1].verdict, turns=tuple(turns)
    )
    yield Asked(question=known, unit="b.0", turns=(Prompt(question.text),), replies=(Reply("Ann"),))
    yield VariantJudged(question=known, unit="b.0", attack="unchanged", verdict=wrong if noise else right)
    for attack in ("are-you-sure", "unchanged"):
        yield AttackEnded(question=known, attack=attack, existing=1, variants=1)
    yield QuestionClosed(question=known)


def noisy() -> list[Event]:
    """Of forty questions, every turn breaks four, whether anything was doubted by then or not."""
    return night([at for at in range(4) for _ in range(4)])


def night(breaks: list[int]) -> list[Event]:
    found: list[Event] = [started(40, {"are-you-sure": "same", "unchanged": "same"})]
    for number in range(40):
        found += doubted(number, breaks[number] if number < len(breaks) else None, noise=number < 4)
    return [*found, ended()]


def told(events: list[Event]) -> list[str]:
    return [sentence for sentence, _ in advice(figures_of(events), "recording")]


def test_longer_conversations_are_not_compared_with_the_control() -> None:
    figures = figures_of(noisy())
    found = figures.attacks["are-you-sure"]
    assert (found.p, found.q, found.gold.difference, found.turns.most) == (None, None, None, 4)
    assert (found.turns.before.broken, found.turns.after.broken) == (4, 12)
    headline = headlines.headline(figures)
    assert "asked again unchanged" not in headline
    assert "in up to 4 turns" in headline
    broken, control, _ = cards(figures)
    assert "4 of them broke before anything was altered" in broken.small
    assert "chance" not in control.small[0]
    assert "up to 4 turns" in control.small[0]
    (line, *_) = words.lines(figures)
    assert line.control == words.NONE


def test_chance_is_judged_turn_by_turn() -> None:
    assert [sentence for sentence in cautions(figures_of(noisy())) if "are-you-sure" in sentence]
    assert not [sentence for sentence in told(noisy()) if sentence.startswith(DOUBTS)]
    weak = night([1] * 36)
    assert not [sentence for sentence in cautions(figures_of(weak)) if "chance" in sentence]
    assert [sentence for sentence in told(weak) if sentence.startswith(DOUBTS)]


def compared(noise: int, gates: tuple[Gate, ...] = ()) -> list[Event]:
    """Of sixty questions, typos break thirty, look-alikes twenty, and case two."""
    askings = [
        Asking(
            text=f"w{number}",
            tries=(
                Try("wrong" if number < 30 else "correct", TYPO),
                Try("wrong" if number < 20 else "correct", TYPO, "homoglyph"),
                Try("wrong" if number < 2 else "correct", TYPO, "case"),
                Try("wrong" if number < noise else "correct", attack="unchanged"),
            ),
        )
        for number in range(60)
    ]
    attacks = {"dpaeg": "same", "homoglyph": "same", "case": "same", "unchanged": "same"}
    return stream(askings, attacks, ended(gates=held(gates)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verdicts", "unreliable"),
    [
        (["wrong"] * 6, False),
        (["refused"] * 6, True),
        (["refused"] * 4 + ["wrong"] * 2, True),
        (["refused"] + ["wrong"] * 5, False),
    ],
)
def test_a_bot_that_does_not_answer_at_times_is_not_told_to_answer_alike(
    verdicts: list[VerdictKind], unreliable: bool
) -> None:
    tries = [*verdicts, *["correct"] * 20]
    askings = [Asking(text=f"w{n}", tries=(Try(one, attack="unchanged"),)) for n, one in enumerate(tries)]  # type: ignore[arg-type]
    said = " ".join(told(stream(askings, {"unchanged": "same"}, ended())))
    assert ("answer alike" in said, "does not answer each time" in said) == (not unreliable, unreliable)


def remedies(events: list[Event]) -> list[str]:
    known = ("Correct the spelling", "Normalise letters", "Ignore case", "Ignore punctuation", "Ignore filler words")
    return [name for sentence in told(events) for name in known if sentence.startswith(name)]


def test_there_is_advice_against_every_attack_that_clearly_broke_more_than_the_control() -> None:
    assert remedies(compared(0)) == ["Correct the spelling", "Normalise letters"]
    assert remedies(compared(29)) == []
