"""Lost answers: told by name, rung from the first one on, and never made of a bot's own noise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np
import pytest

from botattack.events import Asked, Event, OriginalJudged, QuestionClosed, QuestionOpened, Standing, VariantJudged
from botattack.model import Expect, GoldAnswer, Prompt, Question, Reply, Verdict
from botattack.report.comparison.diff import RunComparison, compare, fixed
from botattack.report.comparison.lost import lost_answers
from botattack.report.comparison.sides import Seen, Side, side_of
from botattack.report.stories import comparison as comparison_words
from tests.chance import fewest, most
from tests.report.streams import ended, of_unit, started

QUESTIONS = 62
CONTROL = "unchanged"
Random = np.random.Generator


@dataclass(frozen=True)
class Bot:
    """`lost` entries are deleted. Any other asking is wrong with the chance `noise`, of its own or, if the noise is
    `persistent`, all night long; attacks break a fifth of the variants beside. The first `unsteady` entries are wrong
    in every other asking, as are some dialogues of many turns."""

    noise: float = 0.0
    lost: int = 0
    persistent: bool = False
    attacks: int = 1
    changing: int = 0
    unsteady: int = 0

    def night(
        self, seed: int, baseline: dict[str, list[str]] | None = None
    ) -> tuple[list[Event], dict[str, list[str]]]:
        """A night as the engine records it, and what it asked: variants of what is right, or those of a baseline."""
        random, suite = np.random.default_rng(seed), dict[str, list[str]]()
        same = {f"attack {n}": "same" for n in range(self.attacks)}
        names: dict[str, Expect] = {
            CONTROL: "same",
            **same,
            **{f"change {n}": "different" for n in range(self.changing)},
        }
        events: list[Event] = [started(QUESTIONS, names)]
        for number in range(QUESTIONS):
            events += self._question(number, random, names, suite, baseline)
        return [*events, ended()], suite

    def _question(
        self,
        number: int,
        random: Random,
        names: dict[str, Expect],
        suite: dict[str, list[str]],
        baseline: dict[str, list[str]] | None,
    ) -> Iterator[Event]:
        question = Question(f"question {number}", (GoldAnswer("it is so"),))
        noise = 0.5 if number < self.unsteady else self.noise
        bad_night = self.persistent and random.random() < noise

        def wrong(of_itself: float = 0.0) -> bool:
            noisy = bad_night if self.persistent else random.random() < noise
            return bool(number < self.lost or noisy or random.random() < of_itself)

        yield QuestionOpened(question=question)
        answers = [wrong() for _ in range(3 if self.changing else 1)]
        # The rule of the engine: what was right before and is wrong now is asked again.
        while baseline is not None and all(answers) and question.id in baseline and len(answers) < 3:
            answers.append(wrong())
        units = tuple(f"original.{n}" for n in range(len(answers)))
        for unit in units:
            yield _asked(question, unit)
        standing: Standing = "wrong" if all(answers) else "unstable" if any(answers) else "kept"
        yield OriginalJudged(question=question.id, units=units, standing=standing, verdict=_verdict(answers[0]))
        asked = baseline.get(question.id, []) if baseline is not None else list(names) if standing == "kept" else []
        suite.update({question.id: asked} if asked else {})
        weak = np.random.default_rng((7, number)).random(len(names)) < 0.2
        for index, name in enumerate(names):
            if name in asked:
                yield _asked(question, f"{name}.0")
                broke = wrong() or (name != CONTROL and bool(weak[index]))
                verdict = _verdict(broke if names[name] == "same" else not broke)
                meaning = "kept" if names[name] == "same" else "changed"
                yield VariantJudged(
                    question=question.id,
                    unit=f"{name}.0",
                    attack=name,
                    verdict=verdict,
                    expect=names[name],
                    meaning=meaning,
                )
        yield QuestionClosed(question=question.id)


def _asked(question: Question, unit: str) -> Asked:
    return Asked(question=question.id, unit=unit, turns=(Prompt(question.text),), replies=(Reply("it is so"),))


def _verdict(wrong: bool) -> Verdict:
    return Verdict("wrong" if wrong else "correct")


def compared(before: Bot, after: Bot, seed: int = 1) -> RunComparison:
    events, suite = before.night(2 * seed)
    return compare(events, after.night(2 * seed + 1, suite)[0])


def rings(comparison: RunComparison) -> bool:
    return bool(comparison_words.alarms(comparison.rows, comparison.lost))


@pytest.mark.parametrize("attacks", [0, 1, 8])
@pytest.mark.parametrize("lost", [1, 7])
def test_a_lost_answer_rings_however_many_attacks_there_are(lost: int, attacks: int) -> None:
    found = compared(Bot(attacks=attacks), Bot(attacks=attacks, lost=lost))
    assert rings(found)
    assert [change.alteration.question for change in found.originals(found.lost.confirmed)] == [
        f"question {n}" for n in range(lost)
    ]
    title, changes = next(comparison_words.groups(found))
    assert (title, len(changes)) == (f"lost answers ({lost})", lost)
    assert f": {lost} answer" in comparison_words.first_line(found)


@pytest.mark.parametrize(("noise", "seed"), [(0.0, 1), (0.2, 1), (0.2, 2), (0.4, 3)])
def test_the_list_of_answers_that_are_newly_right_has_as_many_as_are_counted(noise: float, seed: int) -> None:
    found = compared(Bot(lost=3, noise=noise), Bot(noise=noise), seed)
    groups = dict(comparison_words.groups(found, 1000))
    again = groups.pop(next(title for title in groups if title.startswith("answers newly right")))
    assert len(again) == found.rows[0].fixed >= 3 * (noise == 0)
    assert len(again) == len(found.newly_right)
    better = fixed(found.rows)
    assert f" {better} {'is' if better == 1 else 'are'} newly right" in comparison_words.first_line(found)
    assert not any(change.row == again[0].row and change.broke is False for each in groups.values() for change in each)
    if not noise:
        assert (rings(found), found.held) == (False, True)


def test_where_the_control_is_not_quiet_lost_answers_do_not_ring_by_themselves() -> None:
    found = compared(Bot(noise=0.4), Bot(noise=0.4, lost=7), seed=5)
    assert found.lost.confirmed
    assert not found.lost.quiet
    assert not found.lost.ring
    assert "perhaps by chance: when asked again unchanged, 24 of 50 broke" in comparison_words.first_line(found)


def test_attacks_do_not_weaken_what_originals_show() -> None:
    """Six lost of 62 stand out by themselves: p is 1/32, whatever is asked beside."""
    for attacks in (1, 8):
        rows = {row.name: row for row in compared(Bot(attacks=attacks), Bot(attacks=attacks, lost=6)).rows}
        assert rows["originals"].p == pytest.approx(2 / 2**6)
        assert rows["originals"].q == pytest.approx(4 / 2**6)  # with the control, the other row of its family


def test_an_answer_that_was_asked_too_seldom_is_named_apart() -> None:
    before, _ = Bot().night(1)
    after, _ = Bot(lost=2).night(3)  # a plain run: it asks what is wrong once
    found = compare(before, after)
    assert (found.lost.confirmed, len(found.lost.doubted), found.held) == ((), 2, False)
    assert [title for title, _ in comparison_words.groups(found)] == [
        "wrong each time, but asked too rarely to be sure (2)"
    ]


def test_of_an_answer_that_became_unsteady_the_reply_that_was_never_said_before_is_shown() -> None:
    """The first asking is right, and what is said of the second one is not its verdict."""
    question = Question("question", (GoldAnswer("Paris"),))

    def night(standing: Standing, *replies: str) -> list[Event]:
        units = tuple(f"original.{number}" for number in range(len(replies)))
        asked = [
            msgspec.structs.replace(_asked(question, unit), replies=(Reply("So it is."), Reply(reply)))
            for unit, reply in zip(units, replies, strict=True)
        ]
        judged = OriginalJudged(question=question.id, units=units, standing=standing, verdict=_verdict(False))
        opened, closed = QuestionOpened(question=question), QuestionClosed(question=question.id)
        return [started(1, {}), opened, *asked, judged, closed, ended()]

    after = night("unstable", "Paris", "Rome")
    (change,) = compare(night("kept", "Paris", "Paris"), after).changes
    assert (change.unit, change.got) == ("original.1", "Rome")
    assert ["on the first asking" in of_unit(after, unit) for unit in ("original.0", change.unit)] == [False, True]


NIGHTS = 60


@pytest.mark.slow
@pytest.mark.parametrize("attacks", [1, 8])
@pytest.mark.parametrize("noise", [0.0, 0.02, 0.05])
def test_seven_lost_of_62_ring_in_99_percent_of_nights_and_an_unchanged_bot_in_at_most_5(
    noise: float, attacks: int
) -> None:
    """57 of 60 nights have to ring, which a true rate of 85 % does in one run of forty; and at most 7 of the others,
    which a true rate of 20 % does in one run of twelve."""
    bot, worse, rung = Bot(noise, attacks=attacks), Bot(noise, lost=7, attacks=attacks), Counter[Bot]()
    nights = NIGHTS if noise else 1  # without noise, all nights are the same
    for seed in range(nights):
        events, suite = bot.night(2 * seed)
        before = side_of(events)
        for after in (bot, worse):
            rung[after] += rings(compare(before, after.night(2 * seed + 1, suite)[0]))
    assert rung[worse] >= fewest(nights, 0.99)
    assert rung[bot] <= most(nights, 0.05)


@pytest.mark.parametrize(("worse", "better", "rings"), [(5, 0, False), (6, 0, True), (10, 3, False), (13, 3, True)])
def test_a_bot_that_became_unsteady_rings_if_that_is_no_chance(worse: int, better: int, rings: bool) -> None:
    right, unsteady = Seen("kept", {(CONTROL, "a.1"): "robust"}, 2), Seen("unstable", {}, 3)
    old, new = Side(), Side()
    for number in range(30):
        old.questions[f"{number}"] = unsteady if worse <= number < worse + better else right
        new.questions[f"{number}"] = unsteady if number < worse else right
    assert lost_answers(old, new).wavers is rings


@pytest.mark.slow
def test_where_some_questions_are_unsteady_two_lost_answers_hardly_ever_are_chance() -> None:
    bot, lost, nights = Bot(unsteady=10, attacks=0), [], 100
    for seed in range(nights):
        found = compared(bot, bot, seed).lost
        lost.append(len(found.confirmed) * found.quiet)
    assert sum(number >= 2 for number in lost) / nights <= 0.05
    assert 0.07 < sum(number >= 1 for number in lost) / nights < 0.25, "docs/nightly.md says how often one rings"


def test_an_answer_that_is_right_only_now_and_then_is_named() -> None:
    """One does not ring, but nobody is told that all held."""
    before = Seen("kept", {(CONTROL, "a.1"): "robust"}, 2)
    for standing, mixed in (("unstable", ("q",)), ("kept", ()), ("wrong", ())):
        old, new = Side(), Side()
        old.questions["q"], new.questions["q"] = before, Seen(standing, {}, 3)
        assert lost_answers(old, new).mixed == mixed
