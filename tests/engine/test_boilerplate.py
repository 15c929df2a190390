"""A bot that greets in 15 ways and ends in 3: a run learns it before it judges anything."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from botattack.engine.boilerplate import SAMPLE
from botattack.engine.judging import Judging
from botattack.engine.past import Past
from botattack.errors import ServerFailed, TargetDown
from botattack.events import NOBODY, AnyEvent, Asked, BoilerplateKnown, OriginalJudged, VariantJudged, decode, encode
from botattack.limits import Budget
from botattack.matchers.judge import Judge
from botattack.matchers.lexical import Contains
from botattack.matchers.own import OwnReference
from botattack.model import GoldAnswer, Question
from botattack.recordings.rejudge import rejudged
from botattack.text.boilerplate import Boilerplate
from tests.engine.bots import Drop, Listed, Script
from tests.engine.test_run import FAST, a_plan, of, play, what_happened

WORDS: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[1] / "matchers" / "data" / "greeting-bot.yaml").read_text(encoding="utf-8")
)
GREETINGS, SIGNOFFS = WORDS["greetings"], WORDS["signoffs"][:3]
ANSWERS = dict(WORDS["faq"])


def words(text: str) -> set[str]:
    return set(re.findall("[a-z]+", text.lower()))


def says(text: str, seed: int) -> str:
    asked, draw = words(text), Random(f"{text} {seed}")
    nearest = max(ANSWERS, key=lambda one: len(asked & words(one)) / len(asked | words(one)))
    body = ANSWERS[nearest] if len(asked - words(nearest)) <= 1 else "Come again?"
    return "\n\n".join(part for part in (draw.choice(GREETINGS), body, draw.choice(SIGNOFFS)) if part)


def plan(**changes: Any) -> Any:
    known = {"judge": Judge(Contains()), "own": OwnReference(), "attacks": {"drop": Drop(2)}}
    return a_plan(**{**known, "boilerplate": Boilerplate(learns=True), **changes})


def faq(number: int = 60, *, gold: bool = False) -> Listed:
    return Listed(Question(one, (GoldAnswer(ANSWERS[one]),) if gold else ()) for one in [*ANSWERS][:number])


def known(events: list[AnyEvent]) -> BoilerplateKnown:
    (found,) = of(events, BoilerplateKnown)
    return found  # type: ignore[no-any-return]


def mistakes(events: list[AnyEvent]) -> int:
    """Verdicts on variants that do not say whether the body of the reply is that of the original."""
    bodies = {event.unit: body(event.reply) for event in of(events, Asked)}
    own = {event.question: bodies[event.units[0]] for event in of(events, OriginalJudged)}
    judged = of(events, VariantJudged)
    assert judged
    return sum((bodies[one.unit] == own[one.question]) != (one.verdict.kind == "correct") for one in judged)


def body(reply: str) -> str:
    return max((part for part in reply.split("\n\n") if part not in (*GREETINGS, *SIGNOFFS)), default="")


@pytest.mark.slow
def test_what_comes_round_is_learnt_before_anything_is_judged() -> None:
    _, events = play(plan(), Script(says), faq())
    at = events.index(known(events))
    assert not of(events[:at], OriginalJudged)
    assert known(events).learnt_from == len(of(events[:at], Asked)) >= SAMPLE
    together = "Ring ring! Your friendly Bike Buddy at your service."
    assert {*SIGNOFFS, "Beep boop.", "Ahoy! PedalBot here 🚲", together} <= {*known(events).sentences}
    assert not [one for one in known(events).sentences if one in ANSWERS.values()]
    assert {event.standing for event in of(events, OriginalJudged)} == {"kept"}
    assert mistakes(events) <= 2
    assert [*rejudged(map(decode, map(encode, events)), judging(), NOBODY)] == events


def judging() -> Judging:
    return Judging(Judge(Contains()), OwnReference(), Boilerplate(learns=True))


@pytest.mark.slow
@pytest.mark.parametrize("gold", [True, False])
def test_it_is_the_same_at_any_concurrency_and_after_a_kill(gold: bool) -> None:
    _, one = play(plan(limits=replace(FAST, concurrency=1)), Script(says), faq(40, gold=gold))
    _, many = play(plan(limits=replace(FAST, concurrency=16)), Script(says), faq(40, gold=gold))
    assert what_happened(one) == what_happened(many)
    assert known(one).sentences == known(many).sentences
    at = one.index(known(one))
    for length in (1, at - 30, at, at + 1, at + 40, len(one) - 3):
        _, more = play(plan(), Script(says), faq(40, gold=gold), past=one[:length])
        assert known([*one[:length], *more]).sentences == known(one).sentences
        assert what_happened([*one[:length], *more]) == what_happened(one)


@pytest.mark.parametrize("window", [1, 5])
def test_no_more_questions_are_open_than_may_be(window: int) -> None:
    ending, events = play(plan(window=window), Script(says), faq(12))
    assert (ending.exit, known(events).learnt_from) == (0, 3 * window)
    assert len(of(events, OriginalJudged)) == 12


def test_a_run_that_stops_before_judges_what_came() -> None:
    _, events = play(plan(budget=Budget(requests=30)), Script(says), faq(gold=True))
    assert 20 < known(events).learnt_from <= 30
    assert of(events, OriginalJudged)
    assert Past(events).boilerplate == known(events)


def test_what_an_older_version_began_is_judged_as_it_was() -> None:
    _, old = play(plan(boilerplate=Boilerplate()), Script(says), faq(12), stop_after=200)
    assert of(old, OriginalJudged)
    _, events = play(plan(), Script(says), faq(12), past=old)
    assert not of([*old, *events], BoilerplateKnown)


def test_what_the_file_says_is_recorded_and_nothing_learnt() -> None:
    _, events = play(plan(boilerplate=Boilerplate(("Ride safe!",))), Script(says), faq(12))
    assert (known(events).sentences, known(events).learnt_from) == (("Ride safe!",), 0)
    assert not of(play(plan(boilerplate=Boilerplate()), Script(says), faq(12))[1], BoilerplateKnown)


def test_a_bot_that_is_not_there_is_not_asked_more_often() -> None:
    def fails(text: str, seed: int) -> str:
        raise ServerFailed("500")

    asked = []
    for boilerplate in (Boilerplate(), Boilerplate(learns=True)):
        bot = Script(fails)
        ending, _ = play(plan(boilerplate=boilerplate, limits=replace(FAST, retries=0)), bot, faq(gold=True))
        assert ending.exit == TargetDown.exit_status
        asked.append(bot.asked.total())
    assert asked[0] == asked[1]
