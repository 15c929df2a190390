"""What searches learn from question to question: the same whatever the concurrency, and wherever a run breaks off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import pytest

from botattack.attacks.building.combinations import Option
from botattack.attacks.building.listing import Listing, Slots
from botattack.attacks.building.roles import PART, Roles
from botattack.attacks.combined.chain import Chain
from botattack.engine.lessons import LAG, LEARNT, Lessons
from botattack.engine.past import Past
from botattack.engine.running import Run
from botattack.events import AnyEvent, QuestionClosed, QuestionOpened, VariantJudged
from botattack.limits import Limits
from botattack.model import Edit, Expect, GoldAnswer, Prompt, Question, Variant
from botattack.protocols import Context, Proposals
from tests.engine.bots import Listed, Script
from tests.engine.test_run import a_plan, of, play, what_happened

WORDS = {"noun": "number", "verb": "called", "other": "exactly"}
COUNT = 60


def asked(count: int = COUNT) -> Listed:
    texts = [f"what is the number called exactly {number:04d}" for number in range(count)]
    return Listed(Question(text, (GoldAnswer(f"it is {text[-4:]}"),)) for text in texts)


def deaf(text: str, seed: int) -> str:
    """Hears the noun only, and of every fourth question nothing but the number."""
    heard = "number" in text or (text[-4:].isdigit() and int(text[-4:]) % 4 == 0)
    return f"it is {text[-4:]}" if heard else "what?"


@dataclass(frozen=True)
class Misspell(Listing):
    """Puts one of eight other letters in place of the second of each word. Keeps what each search of it knew."""

    name: ClassVar[str] = "misspell"
    knew: ClassVar[dict[str, Roles]] = {}
    expect: ClassVar[Expect] = "same"

    def slots(self, context: Context, rng: Random) -> Slots:
        del rng
        yield from ()
        text = context.question.text
        return [
            [
                Option.of(Edit(text.index(word), word, word[0] + letter + word[2:], "letter", pos=pos), 1)
                for letter in "zxqjvkwy"
            ]
            for pos, word in WORDS.items()
        ]

    def propose(self, context: Context, rng: Random) -> Proposals:
        known: Mapping[str, Any] = context.parts
        self.knew[context.question.id] = known[PART]
        return (yield from super().propose(context, rng))


@pytest.fixture(autouse=True)
def _forget() -> None:
    Misspell.knew.clear()


def plan(**changes: Any) -> Any:
    attacks = {"one": Misspell(search="beam"), "many": Misspell(search="beam", combine=None)}
    return a_plan(**{"attacks": attacks, **changes})


@pytest.mark.parametrize(("concurrency", "window"), [(1, 256), (8, 256), (8, 20), (64, 3)])
def test_concurrency_changes_nothing_that_a_search_asks(concurrency: int, window: int) -> None:
    _, calm = play(plan(limits=Limits(rate=float("inf"), concurrency=4)), Script(deaf), asked())
    limits = Limits(rate=float("inf"), concurrency=concurrency)
    _, other = play(plan(limits=limits, window=window), Script(deaf), asked())
    assert what_happened(calm) == what_happened(other)
    assert any(event.probe for event in of(calm, VariantJudged))


@dataclass(frozen=True)
class Begin(Misspell):
    """Four ways to begin a question."""

    name: ClassVar[str] = "begin"

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        text = context.question.text
        starts = ("so ", "well ", "hm ", "ok ")
        yield [Variant((Prompt(start + text),), self.name, (Edit(0, "", start, "begun"),)) for start in starts]
        return len(starts)


class Fickle(Script):
    """Answers now sooner, now later, so that answers overtake one another."""

    @property
    def latency(self) -> float:
        return 0.01 * (1 + self.asked.total() * 5 % 7)

    @latency.setter
    def latency(self, value: float) -> None: ...


def test_a_search_at_the_end_of_a_chain_learns_the_same_in_any_order_of_answers() -> None:
    chain = Chain((Begin(), Misspell(search="beam", combine=None)))
    told = []
    for concurrency in (1, 32):
        limits = Limits(rate=float("inf"), concurrency=concurrency)
        _, events = play(plan(attacks={"chain": chain}, limits=limits), Fickle(deaf), asked())
        told.append(what_happened(events))
    assert told[0] == told[1]


@pytest.mark.slow
@pytest.mark.parametrize("stop_after", [3, 60, 200, 400, 700, 1000])
def test_stopped_anywhere_and_resumed_it_asks_the_same(stop_after: int) -> None:
    _, whole = play(plan(), Script(deaf), asked())
    assert len(whole) > 1000
    _, before = play(plan(), Script(deaf), asked(), stop_after=stop_after)
    _, after = play(plan(), Script(deaf), asked(), past=before)
    assert what_happened(before + after) == what_happened(whole)


def test_a_search_knows_what_is_far_enough_behind_and_nothing_else() -> None:
    _, events = play(plan(attacks={"misspell": Misspell(search="beam")}), Script(deaf), asked())
    order = [event.question.id for event in of(events, QuestionOpened)]
    assert Misspell.knew.keys() == set(order)
    for number, question in enumerate(order):
        seen = set(order[: max(0, number - LAG + 1)])
        asked_of: dict[str, list[VariantJudged]] = {one: [] for one in seen}
        for event in of(events, VariantJudged):
            if event.question in seen and event.search == "attempt":
                asked_of[event.question].append(event)
        # A longer search teaches no more than a shorter one.
        told = [event for those in asked_of.values() for event in those[:LEARNT]]
        assert Misspell.knew[question].cost == len(told)
        tried = sum(trials.tried for trials in Misspell.knew[question].by_news.values())
        assert tried == sum(not event.probe for event in told)


def test_memory_holds_what_open_questions_need() -> None:
    lessons = Lessons(("misspell",))
    _, events = play(plan(attacks={"misspell": Misspell(search="beam")}, window=20), Script(deaf), asked(200))
    most = 0
    for event in events:
        lessons.update(event)
        most = max(most, len(lessons._after))
    assert LAG <= most <= LAG + 20
    assert not list(lessons._open)
    assert not lessons._closed


def test_it_learns_to_begin_with_the_word_that_matters_and_to_end_where_nothing_does() -> None:
    _, events = play(plan(attacks={"misspell": Misspell(search="beam")}), Script(deaf), asked(200))
    order = [event.question.id for event in of(events, QuestionOpened)]
    variants: dict[str, list[VariantJudged]] = {}
    for event in of(events, VariantJudged):
        variants.setdefault(event.question, []).append(event)
    late = [variants[question] for question in order[100:]]
    assert all(found[0].edits[0].pos == "noun" for found in late)
    hopeless = [found for found in late if found[-1].result == "robust"]
    assert hopeless
    assert max(map(len, hopeless)) <= 6 < max(len(variants[question]) for question in order[:LAG])


def test_an_attack_that_does_not_search_waits_for_nobody() -> None:
    _, events = play(a_plan(attacks={"misspell": Plain()}, window=64), Script(deaf), asked(64))
    kinds = [type(event) for event in events]
    assert len(of(events, QuestionClosed)) == 64
    assert kinds.index(QuestionClosed) > kinds.index(QuestionOpened) + LAG


@dataclass(frozen=True)
class Plain(Misspell):
    def propose(self, context: Context, rng: Random) -> Proposals:
        assert PART not in context.parts
        return (yield from Listing.propose(self, context, rng))


def test_questions_that_are_gone_from_the_file_are_not_waited_for() -> None:
    _, before = play(plan(), Script(deaf), asked(), stop_after=120)
    closed = {event.question for event in of(before, QuestionClosed)}
    opened = [event.question.id for event in of(before, QuestionOpened) if event.question.id not in closed]
    left = Listed(question for question in list.__iter__(asked()) if question.id not in opened[1::2])
    ending, after = play(plan(), Script(deaf), left, past=before)
    assert ending.exit == 0
    assert len(closed) + len(of(after, QuestionClosed)) == COUNT - len(opened[1::2])


def test_a_past_that_was_read_for_other_searches_is_refused() -> None:
    async def main() -> None:
        events: list[AnyEvent] = []
        Run(plan(), Script(deaf), asked(), [events.append], clock=None, offload=None, past=Past())  # type: ignore[arg-type]

    from tests.virtual import run

    with pytest.raises(ValueError, match="searches"):
        run(main())
