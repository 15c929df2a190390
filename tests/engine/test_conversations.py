"""Conversations in the real engine, on virtual time: dialogues, plays, and every way one can end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest

from botattack import registry
from botattack.attacks.turns.are_you_sure import AreYouSure
from botattack.attacks.unchanged import Unchanged
from botattack.engine.judging import Judging
from botattack.errors import BrokenReply, RateLimited, TargetError, Unreachable
from botattack.events import (
    NOBODY,
    AnyEvent,
    Asked,
    ConversationBegun,
    OriginalJudged,
    QuestionClosed,
    RunEnded,
    TurnSaid,
    VariantJudged,
    decode,
    encode,
)
from botattack.limits import Budget, Limits
from botattack.matchers.judge import Judge
from botattack.matchers.lexical import Contains
from botattack.matchers.own import OwnReference
from botattack.model import (
    Edit,
    Exchange,
    GoldAnswer,
    Played,
    Prompt,
    Question,
    Reply,
    Required,
    Turns,
    Unit,
    UserTurn,
    Variant,
    content_id,
    edited,
)
from botattack.places import Place
from botattack.protocols import Attack, Context, Pace, Play, Proposals, Target
from botattack.recordings.rejudge import rejudged
from botattack.recordings.suite import suite_of
from botattack.report.figures.metrics import figures_of
from botattack.targets.messages.placed_values import session_id
from botattack.text.languages import language
from tests.engine.bots import Listed
from tests.engine.test_run import a_plan, of, play

Says = Callable[[list[str], str], str]
"""What a bot says, given what it was told before and now."""


@dataclass
class Rooms(Target):
    """Remembers what it was told in each session, for ever, as a bot with sessions on its server does."""

    says: Says
    name: str = "rooms"
    latency: float = 0.05
    heard: dict[str, list[str]] = field(default_factory=dict)
    sessions: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[_Room]:
        self.sessions.append(session_id(unit))
        yield _Room(self, session_id(unit), pace)


@dataclass
class _Room:
    bot: Rooms
    id: str
    pace: Pace

    async def ask(self, prompt: Prompt) -> Reply:
        await self.pace.leave()
        await asyncio.sleep(self.bot.latency)
        before = self.bot.heard.setdefault(self.id, [])
        said = self.bot.says(before, prompt.text)
        before.append(prompt.text)
        return Reply(said, fields={"turn": len(before)})


def capitals(before: list[str], text: str) -> str:
    """Knows that its user is called Ann once it was told; gives in when it is doubted."""
    if any(text.startswith(words) for words in language("en").turns["doubt"]):
        return "It is Lyon, then."
    if "my name" in text:
        return "You are Ann." if any("Ann" in told for told in before) else "I have no idea."
    return "Hello Ann." if "Ann" in text else "It is Paris."


DIALOGUE = Question(
    "What is my name?",
    (GoldAnswer("Ann"),),
    earlier=(
        UserTurn("I am Ann."),
        UserTurn("What is the capital of France?", (GoldAnswer("Paris"),), (Required("field", "2", "turn"),)),
    ),
)
FRANCE = Question("What is the capital of France?", (GoldAnswer("Paris"),))
DOUBT = AreYouSure(("doubt",), recover=False)
FAST = Limits(rate=float("inf"), concurrency=1)


def plan(*attacks: Attack, **changes: Any) -> Any:
    named = {attack.name: attack for attack in attacks}
    return a_plan(**{"attacks": named, "judge": Judge(Contains()), "own": OwnReference(), "limits": FAST, **changes})


def test_a_dialogue_is_one_session_and_each_turn_with_gold_gets_a_verdict() -> None:
    bot = Rooms(capitals)
    _, events = play(plan(Unchanged()), bot, Listed([DIALOGUE]))
    (judged,) = of(events, OriginalJudged)
    assert judged.standing == "kept"
    assert [(each.turn, each.verdict.kind) for each in judged.turns] == [(1, "correct"), (2, "correct")]
    assert [len(told) for told in bot.heard.values()] == [3, 3]
    (control,) = of(events, VariantJudged)
    assert control.result == "robust"
    assert [(said.turn, said.said) for said in of(events, TurnSaid)][:2] == [
        (0, "I am Ann."),
        (1, "What is the capital of France?"),
    ]


def changed(**right: Any) -> Question:
    """The dialogue with another gold at its second turn."""
    one, two = DIALOGUE.earlier
    return msgspec.structs.replace(DIALOGUE, earlier=(one, UserTurn(two.text, **right)))


@pytest.mark.parametrize(
    ("right", "standing", "why"),
    [
        ({"answers": (GoldAnswer("Lyon"),)}, "wrong", "turn 1: "),
        ({"requires": (Required("contains", "PARIS"),)}, "kept", ""),
        ({"requires": (Required("contains", "Rome"),)}, "wrong", "turn 1: "),
        ({"requires": (Required("field", "7", "turn"),)}, "wrong", "turn 1: "),
        ({"requires": (Required("refuses"),)}, "wrong", "turn 1: "),
    ],
)
def test_a_dialogue_is_right_if_all_its_judged_turns_are(right: Any, standing: str, why: str) -> None:
    _, events = play(plan(), Rooms(capitals), Listed([changed(**right)]))
    (judged,) = of(events, OriginalJudged)
    assert judged.standing == standing
    assert judged.verdict.why.startswith(why)


def test_only_a_refusal_is_right_where_it_must_refuse() -> None:
    asked = Question("What is my name?", requires=(Required("refuses"),))
    _, events = play(plan(), Rooms(capitals), Listed([asked]))
    assert of(events, OriginalJudged)[0].standing == "kept"


def test_without_gold_each_turn_is_compared_with_the_bots_own() -> None:
    bare = Question("What is my name?", earlier=(UserTurn("I am Ann."), UserTurn("Hi")))
    bot = Rooms(lambda before, text: f"It is {len(bot.sessions)} o'clock." if text == "Hi" else capitals(before, text))
    _, events = play(plan(), bot, Listed([bare]))
    (judged,) = of(events, OriginalJudged)
    assert judged.standing == "unstable"
    _, events = play(plan(Unchanged()), Rooms(capitals), Listed([bare]))
    assert [len(event.turns) for event in of(events, VariantJudged)] == [3]


@dataclass(frozen=True)
class Interjects(Attack):
    """Chatter before the last turn, a slip in the first."""

    name: ClassVar[str] = "interjects"

    def propose(self, context: Context, rng: Random) -> Proposals:
        edits = (
            Edit(5, "Ann", "Bob", "slip", Place("turn", 0)),
            Edit(0, "", "Nice weather.", "chatter", Place("added turn", 2)),
        )
        yield [Variant(edited(context.question.turns, edits), self.name, edits)]
        return 1


def test_an_edit_in_an_earlier_turn_moves_no_verdict_to_another_turn() -> None:
    _, events = play(plan(Interjects()), Rooms(capitals), Listed([DIALOGUE]))
    (judged,) = of(events, VariantJudged)
    assert [(each.turn, each.verdict.kind) for each in judged.turns] == [(1, "correct"), (3, "refused")]
    assert judged.result == "success"


def test_a_play_answers_what_was_said_and_every_reply_is_judged() -> None:
    _, events = play(plan(DOUBT, Unchanged()), Rooms(capitals), Listed([FRANCE, DIALOGUE]))
    doubted = [event for event in of(events, VariantJudged) if event.attack == "are-you-sure"]
    asked = {event.unit: event for event in of(events, Asked)}
    for judged in doubted:
        assert judged.play is not None
        assert (judged.play.name, judged.play.options["rungs"]) == ("are-you-sure", 1)
        assert judged.result == "success"
        assert asked[judged.unit].turns[-1].text != asked[judged.unit].turns[-2].text
        assert [each.verdict.kind for each in judged.turns][-1] == "wrong"
        assert [each.verdict.kind for each in judged.turns][-2] == "correct"
    assert {len(asked[judged.unit].turns) for judged in doubted} == {2, 4}


def test_the_control_of_a_play_holds_what_the_doubt_breaks() -> None:
    _, events = play(plan(AreYouSure(("innocent",))), Rooms(capitals), Listed([FRANCE]))
    assert [event.result for event in of(events, VariantJudged)] == ["robust"]


def test_judging_again_gives_the_same_verdicts_and_plays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    _, events = play(plan(DOUBT, Interjects()), Rooms(capitals), Listed([FRANCE, DIALOGUE]))
    monkeypatch.delitem(registry.BUILT_IN["plays"], "are-you-sure")
    registry.names.cache_clear()
    again = list(rejudged(map(decode, map(encode, events)), Judging(Judge(Contains()), OwnReference()), NOBODY))
    assert again == events
    assert figures_of(again) == figures_of(events)
    registry.names.cache_clear()


def test_another_night_plays_the_pinned_play_against_what_the_bot_says_then() -> None:
    _, first = play(plan(DOUBT), Rooms(capitals), Listed([FRANCE, DIALOGUE]))
    suite = suite_of(map(decode, map(encode, first)))
    firm = Rooms(lambda before, text: "It is Paris." if "capital" in text else capitals(before, text))
    pinned = plan(attacks=suite.attacks, pinned=suite.attacked)
    _, second = play(pinned, firm, suite)
    ids = [{event.unit for event in of(events, VariantJudged)} for events in (first, second)]
    assert ids[0] == ids[1]
    results = Counter(event.result for event in of(second, VariantJudged))
    assert results["robust"] >= 1


def test_two_plays_with_other_options_are_two_units() -> None:
    def variant(**changes: Any) -> str:
        return Variant(FRANCE.turns, "x", play=Played(**{"name": "are-you-sure", **changes})).id

    ids = {variant(), variant(options={"rungs": 2}), variant(seed=1), variant(name="other")}
    assert len(ids | {Variant(FRANCE.turns, "x").id}) == 5


@dataclass(frozen=True)
class Scripted(Play):
    """Says what a function of the test says."""

    name: ClassVar[str] = "scripted"
    what: str = "chat"

    def next(self, first: Turns, said: Sequence[Exchange], rng: Random) -> Prompt | None:
        if self.what == "chat":
            return first[0] if not said else replaced(first[0], f"and {len(said)}? {rng.random():.3f}")
        if self.what == "silent":
            return None
        raise ZeroDivisionError("no more ideas")


def replaced(prompt: Prompt, text: str) -> Prompt:
    return msgspec.structs.replace(prompt, text=text)


@dataclass(frozen=True)
class Plays(Attack):
    name: ClassVar[str] = "plays"
    what: str = "chat"

    def propose(self, context: Context, rng: Random) -> Proposals:
        yield [Variant(context.question.turns, self.name, play=Scripted(self.what).played(7))]
        return 1


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(registry.BUILT_IN["plays"], "scripted", f"{__name__}:Scripted")
    registry.names.cache_clear()
    yield
    registry.names.cache_clear()


def outcome(events: list[AnyEvent], attack: str = "plays") -> tuple[VariantJudged, Asked]:
    (judged,) = [event for event in of(events, VariantJudged) if event.attack == attack]
    (asked,) = [event for event in of(events, Asked) if event.unit == judged.unit]
    return judged, asked


def test_a_play_ends_at_the_limit_of_turns() -> None:
    limits = replace(FAST, turns=7)
    _, events = play(plan(Plays(), limits=limits), Rooms(capitals), Listed([FRANCE]))
    judged, asked = outcome(events)
    assert (len(asked.turns), len(asked.replies)) == (7, 7)
    assert judged.verdict.kind == "correct"
    _, again = play(plan(Plays(), limits=limits), Rooms(capitals), Listed([FRANCE]))
    assert outcome(again)[1].turns == asked.turns


@pytest.mark.parametrize("what", ["silent", "raises"])
def test_a_play_that_fails_costs_its_conversation_alone(what: str) -> None:
    ending, events = play(plan(Plays(what), Unchanged()), Rooms(capitals), Listed([FRANCE]))
    judged, asked = outcome(events)
    assert ending.exit == 0
    assert asked.failure is not None
    assert asked.failure.kind == "play failed"
    assert judged.verdict.kind == "error"
    assert len(of(events, QuestionClosed)) == 1


def test_a_play_that_nobody_has_ends_the_run_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    _, first = play(plan(DOUBT), Rooms(capitals), Listed([FRANCE]))
    suite = suite_of(map(decode, map(encode, first)))
    monkeypatch.delitem(registry.BUILT_IN["plays"], "are-you-sure")
    registry.names.cache_clear()
    ending, _ = play(plan(attacks=suite.attacks, pinned=suite.attacked), Rooms(capitals), suite)
    assert ending.exit == 2
    assert "are-you-sure" in ending.why


def long_dialogue(turns: int) -> Question:
    return Question("What is my name?", (GoldAnswer("Ann"),), earlier=tuple([UserTurn("I am Ann.")] * (turns - 1)))


def test_a_conversation_of_forty_turns_comes_to_its_end() -> None:
    _, events = play(plan(Unchanged()), Rooms(capitals), Listed([long_dialogue(40)]))
    assert of(events, OriginalJudged)[0].standing == "kept"
    assert {len(event.replies) for event in of(events, Asked)} == {40}


def test_each_turn_has_the_timeout_of_an_answer_and_all_have_that_of_a_question() -> None:
    slow = Rooms(capitals, latency=20.0)
    _, events = play(plan(Unchanged(), limits=replace(FAST, timeout=30.0)), slow, Listed([long_dialogue(5)]))
    assert of(events, OriginalJudged)[0].standing == "kept"
    slow = Rooms(capitals, latency=20.0)
    _, events = play(plan(limits=replace(FAST, timeout=30.0)), slow, Listed([long_dialogue(40)]))
    (asked,) = of(events, Asked)
    assert asked.failure is not None
    assert asked.failure.kind == "timeout"
    assert "turn 29" in asked.failure.message or "turn 30" in asked.failure.message
    assert asked.attempts[0].seconds == pytest.approx(600.0)


def test_a_bot_that_falls_silent_in_the_middle_fails_that_conversation() -> None:
    class Falls(Rooms):
        @asynccontextmanager
        async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[Any]:
            room = _Room(self, session_id(unit), pace)

            class Silent:
                async def ask(self, prompt: Prompt) -> Reply:
                    if "name" in prompt.text:
                        await asyncio.sleep(10_000)
                    return await room.ask(prompt)

            yield Silent()

    _, events = play(plan(limits=replace(FAST, retries=1)), Falls(capitals), Listed([DIALOGUE, FRANCE]))
    standing = {event.question: event.standing for event in of(events, OriginalJudged)}
    assert standing == {DIALOGUE.id: "error", FRANCE.id: "kept"}


@pytest.mark.parametrize("error", [Unreachable("gone", delivered=False), RateLimited("later", retry_after=1.0)])
@pytest.mark.parametrize(("idempotent", "sessions"), [(True, 2), (False, 1)])
def test_turns_that_arrived_are_sent_again_only_where_that_does_no_harm(
    error: TargetError, idempotent: bool, sessions: int
) -> None:
    class Refuses(Rooms):
        @asynccontextmanager
        async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[Any]:
            self.sessions.append(session_id(unit))
            room, first = _Room(self, session_id(unit), pace), len(self.sessions) == 1

            class Failing:
                async def ask(self, prompt: Prompt) -> Reply:
                    if first and "name" in prompt.text:
                        raise error
                    return await room.ask(prompt)

            yield Failing()

    bot = Refuses(capitals)
    _, events = play(plan(preflight=False, limits=replace(FAST, idempotent=idempotent)), bot, Listed([DIALOGUE]))
    assert len(bot.sessions) == sessions
    assert of(events, OriginalJudged)[0].standing == ("kept" if idempotent else "error")


def test_a_conversation_that_begins_again_does_so_in_a_session_of_its_own() -> None:
    class Hangs(Rooms):
        times = 0

        @asynccontextmanager
        async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[Any]:
            self.sessions.append(session_id(unit))
            room, bot = _Room(self, session_id(unit), pace), self

            class Breaking:
                async def ask(self, prompt: Prompt) -> Reply:
                    if "name" in prompt.text and bot.times < 2:
                        bot.times += 1
                        raise BrokenReply("the bot hung up", delivered=True)
                    return await room.ask(prompt)

            yield Breaking()

    bot = Hangs(capitals)
    _, events = play(plan(), bot, Listed([DIALOGUE]))
    assert of(events, OriginalJudged)[0].standing == "kept"
    assert len(set(bot.sessions)) == len(bot.sessions) == 3
    assert [event.conversation for event in of(events, ConversationBegun)] == [0, 1, 2]
    assert figures_of(events).requests.sent == of(events, RunEnded)[0].requests == 3 + 2 * 2


@pytest.mark.parametrize("attacks", [(Unchanged(),), (DOUBT,)])
@pytest.mark.slow
def test_a_run_cut_anywhere_begins_open_conversations_again_and_comes_to_the_same(attacks: tuple[Attack, ...]) -> None:
    def told(events: list[AnyEvent]) -> set[tuple[Any, ...]]:
        judged = {(event.unit, event.verdict, event.turns) for event in of(events, VariantJudged)}
        return judged | {(event.unit, event.turns, tuple(r.text for r in event.replies)) for event in of(events, Asked)}

    asked = Listed([DIALOGUE, FRANCE])
    _, calm = play(plan(*attacks), Rooms(capitals), asked)
    for cut in range(1, len(calm) - 1):
        part, bot = calm[:cut], Rooms(capitals)
        for event in of(part, ConversationBegun):
            # The bot remembers something of what was cut.
            bot.heard[first_session(event)] = ["I am Ann.", "my name"]
        _, rest = play(plan(*attacks), bot, asked, past=part)
        assert told([*part, *rest]) == told(calm), cut
        keys = Counter(event.key for event in [*part, *rest] if event.key)
        assert set(keys.values()) == {1}, cut
        sent, open_ = figures_of([*part, *rest]).requests.sent, figures_of(part).requests.cut_off
        broken = {(e.question, e.unit) for e in of(part, ConversationBegun)} - {
            (e.question, e.unit) for e in of(part, Asked)
        }
        lost = sum(e.requests for e in of(part, TurnSaid) if (e.question, e.unit) in broken)
        assert sent == figures_of(calm).requests.sent + lost, cut
        assert (open_, figures_of([*part, *rest]).requests.cut_off) == (len(broken), 0), cut


def first_session(event: ConversationBegun) -> str:
    variant, _, repeat = event.unit.rpartition(".")
    seed = int(content_id("seed", 7, variant, int(repeat)), 16)
    return session_id(Unit((), int(repeat), seed, variant, run="r1"))


def test_turns_count_in_the_budget() -> None:
    ending, events = play(plan(budget=Budget(requests=4)), Rooms(capitals), Listed([DIALOGUE, long_dialogue(3)]))
    assert ending.exit == 4
    assert of(events, RunEnded)[0].requests == 4
    assert len(of(events, QuestionClosed)) == 1


def test_another_run_is_not_in_the_sessions_of_the_last() -> None:
    bot = Rooms(lambda before, text: f"{capitals(before, text)} That is turn {len(before)}.")
    _, first = play(plan(DOUBT, run="monday"), bot, Listed([DIALOGUE]))
    _, second = play(plan(DOUBT, run="tuesday"), bot, Listed([DIALOGUE]))
    asked = [
        {event.unit: [reply.text for reply in event.replies] for event in of(told, Asked)} for told in (first, second)
    ]
    assert asked[0] == asked[1]
    assert len(set(bot.sessions)) == 4


def test_another_run_asks_single_questions_in_other_sessions() -> None:
    bot = Rooms(lambda before, text: f"It is Paris, and you asked {len(before)} times before.")
    _, monday = play(plan(Unchanged(), run="monday"), bot, Listed([FRANCE]))
    sessions = list(bot.sessions)
    _, tuesday = play(plan(Unchanged(), run="tuesday"), bot, Listed([FRANCE]))
    assert len(set(bot.sessions)) == len(bot.sessions) == 2 * len(sessions)
    replies = [
        {event.unit: [one.text for one in event.replies] for event in of(told, Asked)} for told in (monday, tuesday)
    ]
    assert replies[0] == replies[1]


def test_a_resumed_run_keeps_its_sessions() -> None:
    calm = Rooms(capitals)
    _, events = play(plan(Unchanged(), run="monday"), calm, Listed([FRANCE]))
    first = next(at for at, event in enumerate(events) if isinstance(event, Asked))
    bot = Rooms(capitals)
    play(plan(Unchanged(), run="monday"), bot, Listed([FRANCE]), past=events[: first + 1])
    assert bot.sessions == calm.sessions[1:]
