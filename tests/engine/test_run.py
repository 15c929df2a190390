"""The real engine on virtual time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from itertools import count, pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from botattack.engine.ask import Answer, sound
from botattack.engine.clock import loop_clock
from botattack.engine.ending import Ending
from botattack.engine.judging import Judging
from botattack.engine.pacing.laws import CUT, law_for
from botattack.engine.pacing.pacer import Pacer
from botattack.engine.past import Past
from botattack.engine.plan import Plan, Questions
from botattack.engine.purse import Purse
from botattack.engine.running import Run
from botattack.errors import (
    BotattackError,
    ExtractionFailed,
    RateLimited,
    RequestRefused,
    RunStopped,
    ServerFailed,
    TargetError,
    Unreachable,
)
from botattack.events import (
    AnyEvent,
    Asked,
    AttackEnded,
    Left,
    NeedMet,
    OriginalJudged,
    Paced,
    QuestionClosed,
    QuestionOpened,
    RunEnded,
    RunStarted,
    VariantJudged,
)
from botattack.limits import Budget, Limits, Price
from botattack.model import Attempt, GoldAnswer, Need, Prompt, Question, Reply, Unit, Variant, Verdict
from botattack.protocols import Context, NeedHandler, Pace, PartInfo, Proposals, Target
from botattack.report.figures.metrics import figures_of
from botattack.report.wording.words import questions_line
from botattack.targets.messages.signs import Signs
from tests.engine.bots import Drop, Gateway, Listed, Says, Script, inline, knows_numbers, questions
from tests.virtual import run as virtually

FAST = Limits(rate=float("inf"), concurrency=4)


def a_plan(**changes: Any) -> Plan:
    says = Says()
    settings: dict[str, Any] = {
        "run": "r1",
        "target": "script",
        "started": "2026-01-01T00:00:00Z",
        "seed": 7,
        "attacks": {"drop": Drop()},
        "judge": says,
        "own": says,
        "limits": FAST,
    }
    return Plan(**{**settings, **changes})


def play(
    plan: Plan,
    bot: Script | Target,
    asked: Questions,
    past: list[AnyEvent] | None = None,
    stop_after: int | None = None,
) -> tuple[Ending, list[AnyEvent]]:
    """A run's ending and its events; `stop_after` events it is stopped from outside."""
    events: list[AnyEvent] = []

    async def main() -> Ending:
        def sink(event: AnyEvent) -> None:
            events.append(event)
            if len(events) == stop_after:
                engine.stop(BotattackError("enough"))

        before = Past(past or ())
        engine = Run(plan, bot, asked, [sink], clock=loop_clock(), offload=inline, past=before)
        return await engine.run(lambda: Ending(0, "done"))

    return virtually(main()), events


def of(events: list[AnyEvent], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def what_happened(events: list[AnyEvent]) -> Counter[str]:
    """The events without times and run bookkeeping, in any order."""
    kinds = (QuestionOpened, OriginalJudged, VariantJudged, AttackEnded, QuestionClosed)
    told = Counter(repr(_timeless(event)) for event in events if isinstance(event, kinds))
    return told + Counter(f"{event.unit} {event.replies}" for event in of(events, Asked))


def _timeless(event: AnyEvent) -> Any:
    return {name: getattr(event, name) for name in event.__struct_fields__ if name != "at"}


def test_every_question_is_opened_judged_attacked_and_closed_once() -> None:
    bot = Script(knows_numbers)
    ending, events = play(a_plan(), bot, questions(50))
    assert ending == Ending(0, "done")
    assert len(of(events, QuestionOpened)) == len(of(events, QuestionClosed)) == 50
    assert all(event.standing == "kept" for event in of(events, OriginalJudged))
    assert len(of(events, VariantJudged)) == sum(event.variants for event in of(events, AttackEnded)) == 150
    assert all(event.existing == 30 for event in of(events, AttackEnded))
    assert len(bot.times) == len(of(events, Asked)) == 200
    assert bot.most_active == 4
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], RunEnded)
    assert events[-1].requests == sum(bot.asked.values())


@pytest.mark.parametrize("concurrency", [1, 3, 64])
def test_concurrency_changes_no_event(concurrency: int) -> None:
    _, calm = play(a_plan(), Script(knows_numbers), questions(20))
    limits = Limits(rate=float("inf"), concurrency=concurrency)
    _, other = play(a_plan(limits=limits, window=5), Script(knows_numbers), questions(20))
    assert what_happened(calm) == what_happened(other)


def test_the_same_words_are_asked_once_and_credited_to_each_attack() -> None:
    class Twin(Drop):
        name = "twin"

        def propose(self, context: Context, rng: Any) -> Any:
            return Drop.propose(self, context, type(rng)("the same"))

    bot = Script(knows_numbers)
    _, events = play(a_plan(attacks={"twin": Twin(), "again": Twin()}), bot, questions(5))
    judged = of(events, VariantJudged)
    assert Counter(event.attack for event in judged) == {"twin": 15, "again": 15}
    assert set(bot.asked.values()) == {1}
    assert len(bot.asked) == 5 + 15


class Same(Drop):
    """A control: the original, again."""

    def propose(self, context: Context, rng: Any) -> Any:
        yield [Variant((context.question.prompt,), "unchanged")] * 2


@dataclass(frozen=True)
class Wants(Drop):
    """Wants to know how long the question is before it drops a letter."""

    def propose(self, context: Context, rng: Random) -> Proposals:
        (length,) = yield [Need("length", context.question.text)]
        assert length == len(context.question.text)
        return (yield from Drop.propose(self, context, rng))


class Measures(NeedHandler):
    """Meets the need; `lost` results of each batch never come."""

    info = PartInfo("length", "1", "none", "")
    result_type = int

    def __init__(self, lost: int = 0) -> None:
        self.lost = lost
        self.met: list[str] = []

    def meet(self, payloads: Sequence[str]) -> list[int]:
        self.met += payloads
        return [len(text) for text in payloads][self.lost :]


def test_what_several_attacks_need_is_met_and_recorded_once_a_question() -> None:
    handler = Measures()
    plan = a_plan(attacks={"one": Wants(), "two": Wants(), "three": Wants()}, handlers={"length": handler})
    _, events = play(plan, Script(knows_numbers), questions(5))
    assert sorted(handler.met) == sorted(event.payload for event in of(events, NeedMet)) == sorted(set(handler.met))
    assert {event.attack for event in of(events, AttackEnded)} == {"one", "two", "three"}


def test_a_part_that_loses_results_costs_the_attacks_that_needed_them() -> None:
    plan = a_plan(attacks={"one": Wants(), "two": Drop()}, handlers={"length": Measures(lost=1)})
    ending, events = play(plan, Script(knows_numbers), questions(5))
    assert ending.exit == 0
    ended = of(events, AttackEnded)
    assert Counter((event.attack, bool(event.failed)) for event in ended) == {("one", True): 5, ("two", False): 5}
    assert all(event.failed.startswith("ValueError at botattack.engine.needs:") for event in ended if event.failed)
    assert not of(events, NeedMet)


class Picky(Measures):
    """Fails on a batch in which there is one question."""

    def meet(self, payloads: Sequence[str]) -> list[int]:
        if any(text.endswith("0003") for text in payloads):
            raise LookupError("0003")
        return super().meet(payloads)


def test_a_part_that_fails_on_one_question_costs_no_other() -> None:
    plan = a_plan(attacks={"one": Wants()}, handlers={"length": Picky()})
    ending, events = play(plan, Script(knows_numbers), questions(5))
    assert ending.exit == 0
    assert Counter(event.failed.partition(" at ")[0] for event in of(events, AttackEnded)) == {"": 4, "LookupError": 1}
    assert len(of(events, NeedMet)) == 4
    _, again = play(replace(plan, handlers={"length": Measures()}), Script(knows_numbers), questions(5), past=events)
    assert not of(again, Asked)


def test_a_target_that_raises_what_it_should_not_costs_that_unit() -> None:
    def broken(text: str, seed: int) -> str:
        return {}[text] if text.endswith("0003") else knows_numbers(text, seed)  # type: ignore[no-any-return]

    ending, events = play(a_plan(), Script(broken), questions(5))
    assert ending.exit == 0
    (failed,) = [event for event in of(events, Asked) if event.failure]
    assert failed.failure.kind.startswith("KeyError at tests.engine.test_run:")
    assert len(failed.attempts) == 1
    assert Counter(event.standing for event in of(events, OriginalJudged)) == {"kept": 4, "error": 1}
    assert figures_of(events).failures == {failed.failure.kind: 1}


def test_the_control_is_a_new_asking_of_the_same_words() -> None:
    bot = Script(lambda text, seed: f"it is {text[-4:]} {seed}")
    _, events = play(a_plan(attacks={"unchanged": Same()}), bot, questions(1))
    asked = of(events, Asked)
    assert [event.unit.rpartition(".")[2] for event in asked] == ["0", "1", "2"]
    assert len({event.replies[0].text for event in asked}) == 3


def test_what_the_bot_gets_wrong_is_not_attacked() -> None:
    bot = Script(lambda text, seed: "it is 0003")
    _, events = play(a_plan(), bot, questions(5))
    assert Counter(event.standing for event in of(events, OriginalJudged)) == {"wrong": 4, "kept": 1}
    assert {event.question for event in of(events, VariantJudged)} == {
        event.question for event in of(events, OriginalJudged) if event.standing == "kept"
    }
    _, everything = play(a_plan(filter="all"), Script(lambda text, seed: "it is 0003"), questions(5))
    assert len({event.question for event in of(everything, VariantJudged)}) == 5


def test_a_question_without_gold_is_asked_three_times_and_set_apart_if_the_bot_wavers() -> None:
    bot = Script(lambda text, seed: f"hm {seed % 2}" if "waver" in text else "always this")
    asked = Listed([Question("does it waver or not today"), Question("is it always the same thing")])
    _, events = play(a_plan(seed=1), bot, asked)
    standings = {event.standing: event for event in of(events, OriginalJudged)}
    assert len(standings["kept"].units) == 3
    assert standings["kept"].reference == "own"
    assert {event.reference for event in of(events, VariantJudged)} == {"own"}


@pytest.mark.parametrize("gold", [False, True])
def test_a_question_that_the_bot_always_refuses_is_not_right_without_gold(gold: bool) -> None:
    bot, answers = Script(lambda text, seed: "I cannot help with that."), (GoldAnswer("cannot"),) * gold
    _, events = play(a_plan(), bot, Listed([Question("how do I cancel my order today", answers)]))
    (original,) = of(events, OriginalJudged)
    assert (original.standing, original.attacked) == (("kept", True) if gold else ("refused", False))


def test_failures_are_retried_then_recorded_as_errors() -> None:
    tries: Counter[str] = Counter()

    def flaky(text: str, seed: int) -> str:
        tries[text] += 1
        if text.endswith("0001") or tries[text] < 3:
            raise ServerFailed("500 from the bot", status=500)
        return knows_numbers(text, seed)

    limits = Limits(rate=float("inf"), concurrency=1, retries=3, breaker=50)
    _, events = play(a_plan(limits=limits), Script(flaky), questions(5))
    failed = [event for event in of(events, Asked) if event.failure]
    assert [len(event.attempts) for event in failed] == [4]
    assert failed[0].failure.status == 500
    assert Counter(event.standing for event in of(events, OriginalJudged)) == {"kept": 4, "error": 1}
    assert all(len(event.attempts) == 3 for event in of(events, Asked) if not event.failure)


def test_a_bot_that_is_not_there_ends_the_run_before_the_second_question() -> None:
    def gone(text: str, seed: int) -> str:
        raise Unreachable("127.0.0.1:9 refused the connection", delivered=False)

    bot = Script(gone)
    ending, events = play(a_plan(), bot, questions(50))
    assert ending.exit == 3
    assert "refused the connection" in ending.why
    assert len(bot.asked) == 1
    assert not of(events, Asked)


def test_a_bot_that_is_still_away_when_it_is_gone_on_with_costs_no_question() -> None:
    def gone(text: str, seed: int) -> str:
        raise Unreachable("127.0.0.1:9 refused the connection", delivered=False)

    _, before = play(a_plan(), Script(knows_numbers), questions(30), stop_after=120)
    ending, after = play(a_plan(), Script(gone), questions(30), past=before)
    assert (ending.exit, of(after, Asked)) == (3, [])
    _, last = play(a_plan(), Script(knows_numbers), questions(30), past=before + after)
    _, whole = play(a_plan(), Script(knows_numbers), questions(30))
    assert what_happened(before + after + last) == what_happened(whole)


def test_a_bot_that_dies_opens_the_breaker() -> None:
    def dies(text: str, seed: int) -> str:
        if len(bot.asked) > 20:
            raise ServerFailed("503")
        return knows_numbers(text, seed)

    bot = Script(dies)
    ending, events = play(a_plan(limits=Limits(rate=float("inf"), concurrency=2, retries=0)), bot, questions(50))
    assert ending.exit == 3
    assert "10 times in a row" in ending.why
    assert len(of(events, Asked)) < 35


def test_a_budget_ends_the_run_resumable_and_is_never_overdrawn() -> None:
    bot = Script(knows_numbers)
    ending, events = play(a_plan(budget=Budget(requests=33)), bot, questions(50))
    assert ending.exit == 4
    assert sum(bot.asked.values()) == len(of(events, Asked)) == 33
    later = Script(knows_numbers)
    ending, more = play(a_plan(), later, questions(50), past=events)
    assert ending.exit == 0
    assert not set(bot.asked) & set(later.asked)
    _, whole = play(a_plan(), Script(knows_numbers), questions(50))
    assert what_happened(events + more) == what_happened(whole)


def test_seconds_are_a_budget_too() -> None:
    ending, events = play(
        a_plan(budget=Budget(seconds=3), limits=Limits(rate=10)), Script(knows_numbers), questions(50)
    )
    assert ending.exit == 4
    assert 28 <= len(of(events, Asked)) <= 35


@pytest.mark.parametrize("stop_after", [2, 3, 10, 57, 120, 333])
def test_stopped_anywhere_and_resumed_it_ends_the_same(stop_after: int) -> None:
    _, whole = play(a_plan(), Script(knows_numbers), questions(30))
    first, second = Script(knows_numbers), Script(knows_numbers)
    _, before = play(a_plan(), first, questions(30), stop_after=stop_after)
    _, after = play(a_plan(), second, questions(30), past=before)
    assert what_happened(before + after) == what_happened(whole)
    received = {event.unit for event in of(before, Asked)}
    assert not received & set(second.asked)


def test_a_push_back_shuts_the_gate_for_everybody() -> None:
    pushed: list[float] = []

    def limited(text: str, seed: int) -> str:
        if len(bot.times) == 10 and not pushed:
            pushed.append(bot.times[-1] + bot.latency)
            raise RateLimited("429", retry_after=2.0)
        return knows_numbers(text, seed)

    bot = Script(limited)
    _, events = play(a_plan(limits=Limits(rate=10, burst=1, concurrency=8)), bot, questions(10))
    shut_from = pushed[0]
    assert not [time for time in bot.times if shut_from < time < shut_from + 2.0 - 1e-6]
    assert len(of(events, OriginalJudged)) == 10
    assert all(event.standing == "kept" for event in of(events, OriginalJudged))


def test_a_wait_longer_than_allowed_stops_the_run_resumable() -> None:
    def tomorrow(text: str, seed: int) -> str:
        raise RateLimited("429", retry_after=86400.0)

    ending, events = play(a_plan(), Script(tomorrow), questions(3))
    assert ending.exit == 4
    assert "86400 s" in ending.why
    (end,) = of(events, RunEnded)
    assert (end.requests, end.rate_limited) == (1, 1)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ServerFailed("503"), 3),
        (RequestRefused("401", status=401, place="connect.request"), 2),
        (ExtractionFailed("nothing there", place="connect.request"), 2),
    ],
)
def test_what_is_wrong_with_every_reply_is_told_with_its_place_in_the_file(error: TargetError, status: int) -> None:
    def fails(text: str, seed: int) -> str:
        raise error

    plan = a_plan(where=lambda place: f"bot.yaml:3:5: {place}", limits=Limits(rate=float("inf"), retries=0))
    ending, _ = play(plan, Script(fails), questions(5))
    assert ending.exit == status == error.exit_status
    assert ending.why.startswith("bot.yaml:3:5: connect.request: script answers, but" if status == 2 else "script gave")


def test_a_search_is_told_that_nobody_knows_what_the_judge_failed_on() -> None:
    class Fails(Says):
        def judge(self, prompt: Prompt, *rest: Any) -> Verdict:
            return Says.judge(self, prompt, *rest) if rest[0].text != "what?" else {}["no verdict"]

    told: list[tuple[str, str, int]] = []

    class Learns(Drop):
        def propose(self, context: Context, rng: Any) -> Any:
            proposed = Drop.propose(self, context, rng)
            batch = next(proposed)
            outcomes = yield batch
            told.extend((outcome.result, outcome.verdict.why, len(outcome.replies)) for outcome in outcomes)

    ending, events = play(a_plan(attacks={"learns": Learns()}, judge=Fails()), Script(knows_numbers), questions(5))
    assert ending.exit == 0
    assert len(told) == 15
    assert {(result, replies) for result, _, replies in told} == {("unsure", 1)}
    assert all("KeyError" in why for _, why, _ in told)
    assert {event.verdict.kind for event in of(events, VariantJudged)} == {"unsure"}


def test_a_reply_to_other_wording_is_judged_as_one_to_the_question_that_was_meant() -> None:
    heard = set[str]()

    class Hears(Says):
        def judge(self, prompt: Prompt, *rest: Any) -> Verdict:
            heard.add(prompt.text)
            return Says.judge(self, prompt, *rest)

    _, events = play(a_plan(judge=Hears()), Script(knows_numbers), questions(3))
    assert of(events, VariantJudged)
    assert heard == {question.text for question, _ in questions(3)}


def test_who_ends_the_process_is_not_held_up_by_the_judge() -> None:
    class Interrupted(Says):
        def judge(self, *_: Any) -> Verdict:
            raise KeyboardInterrupt

    (asked,) = list.__iter__(questions(1))
    with pytest.raises(KeyboardInterrupt):
        Judging(Interrupted(), Says()).original(asked, [Answer((Reply("it is 0000"),), None, ())])


def test_a_bot_whose_own_replies_cannot_be_compared_is_unsure() -> None:
    class Fails(Says):
        def agree(self, prompt: Prompt, replies: tuple[Reply, ...]) -> bool:
            raise ValueError(replies[0].text)

    asked = questions(1)
    asked.append(Question("who are you"))
    _, events = play(a_plan(own=Fails()), Script(knows_numbers), asked)
    unsure, kept = sorted(of(events, OriginalJudged), key=lambda event: event.standing, reverse=True)
    assert (unsure.standing, unsure.verdict.kind, unsure.attacked) == ("unsure", "unsure", False)
    assert unsure.verdict.failed.startswith("ValueError at ")
    assert kept.standing == "kept"


def test_an_attack_that_fails_ends_for_that_question_alone() -> None:
    class Broken(Drop):
        def propose(self, context: Context, rng: Any) -> Any:
            if context.question.text.endswith("0001"):
                raise ValueError("no such letter")
            return (yield from Drop.propose(self, context, rng))

    ending, events = play(a_plan(attacks={"broken": Broken(), "drop": Drop()}), Script(knows_numbers), questions(3))
    assert ending.exit == 0
    (failed,) = [event for event in of(events, AttackEnded) if event.failed]
    assert (failed.attack, failed.variants, failed.existing) == ("broken", 0, 0)
    assert "ValueError: no such letter" in failed.why
    assert Counter(event.attack for event in of(events, VariantJudged)) == {"broken": 6, "drop": 9}


def test_fail_fast_stops_at_the_first_success() -> None:
    ending, events = play(a_plan(fail_fast=True), Script(knows_numbers), questions(50))
    assert ending.exit == 1
    assert len(of(events, QuestionClosed)) < 50


def test_a_slow_answer_ends_as_a_timeout() -> None:
    bot = Script(knows_numbers, latency=99.0)
    limits = Limits(rate=float("inf"), timeout=5.0, retries=1)
    ending, _ = play(a_plan(limits=limits), bot, questions(3))
    assert ending.exit == 3
    assert "no complete answer within 5 s" in ending.why


def test_no_gold_words_reach_the_id_of_a_question() -> None:
    assert Question("who", (GoldAnswer("a"),)).id == Question("who", (GoldAnswer("b"),)).id


@pytest.mark.parametrize("text", ["half \ud83d a character", "\udcff"])
def test_broken_unicode_from_a_bot_can_be_recorded(text: str) -> None:
    reply = sound(Reply(text, ranked=(text,), fields={"a": [text]}, raw=text))
    assert msgspec.json.decode(msgspec.json.encode(reply), type=Reply) == reply
    assert "?" in reply.text


def test_a_field_that_is_not_data_is_the_target_files_fault() -> None:
    within_itself: dict[str, Any] = {}
    within_itself["a"] = within_itself
    for field in (object(), within_itself):
        with pytest.raises(ExtractionFailed, match="not plain data"):
            sound(Reply("fine", fields={"a": field}))


def test_a_reply_longer_than_any_recording_holds_is_no_reply() -> None:
    assert sound(Reply("x" * 10_000_000))
    with pytest.raises(ExtractionFailed, match="longer than 16,000,000 bytes"):
        sound(Reply("x" * 20_000_000))


def test_a_target_that_never_does_anything_but_fail_is_not_there() -> None:
    def faulty(text: str, seed: int) -> str:
        raise KeyError("a bug in somebody's target")

    ending, _ = play(a_plan(), Script(faulty), questions(3))
    assert ending.exit == 3
    assert "KeyError at tests.engine.test_run:" in ending.why


def test_a_bot_that_recovers_closes_the_breaker() -> None:
    answers = count()

    def ill(text: str, seed: int) -> str:
        if 20 <= next(answers) < 33:
            raise ServerFailed("503")
        return knows_numbers(text, seed)

    bot = Script(ill)
    ending, events = play(a_plan(limits=Limits(rate=float("inf"), retries=0)), bot, questions(50))
    assert ending.exit == 0
    assert [event.wait for event in of(events, Paced)] == [5.0]
    assert "10 failures in a row" in of(events, Paced)[0].why
    failed = [event for event in of(events, Asked) if event.failure]
    assert 10 <= len(failed) <= 13
    pause = max(later - earlier for earlier, later in pairwise(bot.times))
    assert pause >= 5.0


def test_only_one_unit_probes_a_bot_that_stays_ill() -> None:
    def dies(text: str, seed: int) -> str:
        if len(bot.times) > 20:
            raise ServerFailed("503")
        return knows_numbers(text, seed)

    bot = Script(dies)
    limits = Limits(rate=float("inf"), retries=0, concurrency=8)
    ending, events = play(a_plan(limits=limits), bot, questions(50))
    assert ending.exit == 3
    assert "again 5 s later" in ending.why
    assert len([time for time in bot.times if time > events[-1].at - 5.0]) == 1


def test_the_bots_own_words_for_too_many_requests_shut_the_gate() -> None:
    answers = count()

    def limited(text: str, seed: int) -> str:
        return "Too many requests, please slow down." if next(answers) == 10 else knows_numbers(text, seed)

    bot = Script(limited)
    limits = Limits(rate=float("inf"), concurrency=3)
    bot.signs = Signs(busy=("too many REQUESTS",))
    ending, events = play(a_plan(limits=limits, attacks={}), bot, questions(30))
    assert ending.exit == 0
    assert all(event.standing == "kept" for event in of(events, OriginalJudged))
    assert of(events, RunEnded)[0].rate_limited == 1
    pushed = of(events, Paced)[0]
    assert not [time for time in bot.times if pushed.at < time < pushed.at + 1.0 - 1e-6]


@pytest.mark.parametrize("rate", [1.0, 20.0, 400.0])
def test_a_wait_tells_the_pace_that_the_bot_was_asked_at(rate: float) -> None:
    answers = count()
    bot = Script(lambda text, seed: "busy" if next(answers) == 10 else knows_numbers(text, seed))
    bot.signs = Signs(busy=("busy",))
    _, events = play(a_plan(limits=Limits(rate=rate), attacks={}), bot, questions(30))
    assert 0.9 * rate <= (next(event.rate for event in of(events, Paced)) or 0) <= rate


def test_what_must_not_be_asked_twice_ends_as_unknown_when_the_run_broke_off() -> None:
    limits = Limits(rate=float("inf"), idempotent=False)
    _, whole = play(a_plan(limits=limits), Script(knows_numbers), questions(10))
    left = [index for index, event in enumerate(whole) if isinstance(event, Left)]
    assert len(left) == len(of(whole, Asked)) == 40
    before = whole[: left[17] + 1]
    on_the_way = {event.unit for event in of(before, Left)} - {event.unit for event in of(before, Asked)}
    bot = Script(knows_numbers)
    ending, after = play(a_plan(limits=limits), bot, questions(10), past=before)
    assert ending.exit == 0
    assert not {event.unit for event in of(before, Left)} & set(bot.asked)
    lost = {event.unit for event in of(after, Asked) if event.failure and event.failure.kind == "unknown"}
    assert lost == on_the_way != set()


def test_what_may_have_arrived_is_not_sent_again_where_that_does_harm() -> None:
    def breaks(text: str, seed: int) -> str:
        raise ServerFailed("500") if text.endswith("0001") else Unreachable("not there", delivered=False)

    bot = Script(lambda text, seed: knows_numbers(text, seed) if text.endswith("0000") else breaks(text, seed))
    limits = Limits(rate=float("inf"), idempotent=False, concurrency=1)
    _, events = play(a_plan(limits=limits, attacks={}), bot, questions(3))
    tries = {event.turns[0].text[-4:]: len(event.attempts) for event in of(events, Asked)}
    assert tries == {"0000": 1, "0001": 1, "0002": 4}


def test_cost_is_a_budget() -> None:
    plan = a_plan(budget=Budget(cost=0.1), limits=Limits(rate=float("inf"), price=Price(request=0.01)))
    ending, events = play(plan, Script(knows_numbers), questions(50))
    assert ending.exit == 4
    assert "budget of 0.1" in ending.why
    assert len(of(events, Asked)) == 10
    assert of(events, RunEnded)[0].cost == pytest.approx(0.1)
    assert sum(attempt.cost for event in of(events, Asked) for attempt in event.attempts) == pytest.approx(0.1)


def test_tokens_cost_what_the_bot_says_they_are() -> None:
    purse = Purse(Budget(cost=1.0), Price(request=0.1, token=0.001))
    purse.take()
    assert purse.charge(1, [Reply("a", fields={"tokens": [100, 150]}), Reply("b", fields={"tokens": "many"})]) == 0.35
    assert purse.cost == pytest.approx(0.35)
    purse.charge(0, [Reply("c", fields={"tokens": 700})])
    with pytest.raises(RunStopped, match="budget of 1 is used up"):
        purse.take()


@pytest.mark.parametrize("tokens", [float("inf"), float("nan"), -5, 10**400, [float("inf"), 10**400]])
def test_tokens_beyond_all_sense_are_none_and_can_be_recorded(tokens: Any) -> None:
    purse = Purse(Budget(), Price(request=0.1, token=0.001))
    cost = purse.charge(1, [Reply("a", fields={"tokens": tokens})])
    assert (cost, purse.cost) == (0.1, 0.0)
    assert msgspec.json.decode(msgspec.json.encode(Attempt(1, cost=cost)), type=Attempt).cost == cost


def test_two_runs_over_one_bot_share_one_pace() -> None:
    limits = Limits(rate=20, burst=2, concurrency=8)
    bots = [Script(knows_numbers), Script(knows_numbers)]

    async def main() -> list[Ending]:
        clock = loop_clock()
        pacer = Pacer(limits, clock, law_for(limits))
        runs = [
            Run(a_plan(limits=limits, attacks={}), bot, questions(50), [], clock=clock, offload=inline, pacer=pacer)
            for bot in bots
        ]
        return await asyncio.gather(*(run.run(lambda: Ending(0, "done")) for run in runs))

    assert virtually(main()) == [Ending(0, "done")] * 2
    times = sorted(bots[0].times + bots[1].times)
    assert len(times) == 100
    assert times[-1] >= 98 / 20 - 1e-6


def test_a_longer_question_file_is_taken_up_and_counted() -> None:
    _, before = play(a_plan(), Script(knows_numbers), questions(10))
    longer = Listed(reversed(questions(15)))
    bot = Script(knows_numbers)
    _, after = play(a_plan(), bot, longer, past=before)
    assert [event.total for event in of(before + after, RunStarted)] == [10, 15]
    assert len(of(after, QuestionOpened)) == 5
    assert not set(bot.asked) & {event.unit for event in of(before, Asked)}


def test_questions_that_the_file_no_longer_holds_are_told_apart() -> None:
    _, before = play(a_plan(), Script(knows_numbers), questions(10))
    others = Listed(list.__getitem__(questions(12), slice(2, None)))
    _, after = play(a_plan(), Script(knows_numbers), others, past=before)
    assert [(event.total, event.gone) for event in of(after, RunStarted)] == [(10, 2)]
    counted = figures_of(before + after)
    told = counted.questions
    assert (told.asked, told.total, told.gone, told.correct) == (12, 10, 2, 12)
    assert questions_line(counted).startswith("10 of 10 asked, and 2 that the file no longer has: 12 right; ")
    _, back = play(a_plan(), Script(knows_numbers), questions(12), past=before + after)
    assert [(event.total, event.gone) for event in of(back, RunStarted)] == [(12, 0)]
    _, again = play(a_plan(), Script(knows_numbers), others, past=before + after + back)
    assert [(event.total, event.gone) for event in of(again, RunStarted)] == [(10, 2)]
    _, same = play(a_plan(), Script(knows_numbers), others, past=before + after + back + again)
    assert [(event.total, event.gone) for event in of(same, RunStarted)] == [(10, 2)]


def test_what_was_learned_of_the_pace_is_known_when_it_goes_on() -> None:
    gateway = Gateway(5, 3, 1.0)
    bot = Script(gateway.reply)
    _, events = play(a_plan(limits=Limits(), attacks={}), bot, questions(60), stop_after=150)
    learned = [event.ceiling for event in of(events, Paced) if event.ceiling]
    assert Past(events).ceiling == learned[-1]
    later = Script(Gateway(5, 3, 1.0).reply)
    ending, _ = play(a_plan(limits=Limits(), attacks={}), later, questions(60), past=events)
    assert ending.exit == 0
    assert later.times[2] - later.times[1] == pytest.approx(1 / (CUT * learned[-1]))


def test_a_conversation_that_outlives_its_deadline_asks_nothing_more() -> None:
    class Lingering(Script):
        @asynccontextmanager
        async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[Any]:
            async with super().session(unit, pace) as session:
                try:
                    yield session
                finally:
                    with suppress(TargetError):
                        await session.ask(Prompt("goodbye"))

    bot = Lingering(knows_numbers, latency=9.0)
    ending, _ = play(a_plan(limits=Limits(rate=float("inf"), timeout=5.0, retries=0)), bot, questions(1))
    assert ending.exit == 0
    assert len(bot.times) == 1


def test_nothing_follows_the_end_of_a_run_whose_pace_others_change() -> None:
    told: list[AnyEvent] = []

    async def main() -> None:
        limits = Limits(rate=5)
        clock = loop_clock()
        pacer = Pacer(limits, clock, law_for(limits))
        plan = a_plan(limits=limits, attacks={})
        run = Run(plan, Script(knows_numbers), questions(3), [told.append], clock=clock, offload=inline, pacer=pacer)
        await run.run(lambda: Ending(0, "done"))
        pacer.shut(1.0)
        for listen in pacer.listeners:
            listen("another run met a limit", 1.0)

    virtually(main())
    assert isinstance(told[-1], RunEnded)
