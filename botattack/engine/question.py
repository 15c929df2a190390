"""The life of one question in a run: original, filter, attacks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from botattack.attacks.building.settling import settled
from botattack.doors import door_of
from botattack.engine.ask import Answer
from botattack.engine.batch import Batcher
from botattack.engine.boilerplate import Learning
from botattack.engine.judging import Judged, Own, own_of
from botattack.engine.needs import Needs
from botattack.engine.plan import BASELINE_ASKINGS, WRONG_RUNNING, Plan, randomness
from botattack.engine.purse import Spare
from botattack.errors import BotattackError, Fault
from botattack.events import AttackEnded, OriginalJudged, QuestionClosed, QuestionOpened, Standing, VariantJudged
from botattack.model import Expect, Need, Outcome, Question, Reference, Reply, Searched, Unit, Variant, Verdict
from botattack.protocols import Context, Proposals, are_needs

AGAIN = 1000
"""An original that is asked again to make sure has this number plus how often it was asked so far: those below belong
to its planned askings and to the control."""


class Stepped(NamedTuple):
    """What a generator yielded (None: it has ended) and, at its end, how many variants existed, or what ended it."""

    batch: Sequence[Variant] | Sequence[Need] | None
    existing: int | None = None
    fault: Fault | None = None


@dataclass(frozen=True)
class Workshop:
    """What all questions of a run share."""

    plan: Plan
    ask: Callable[[str, Hashable, Unit], asyncio.Future[Answer]]
    needs: Needs
    step: Batcher[tuple[Proposals, Any], Stepped | BotattackError]
    emit: Callable[..., None]
    learning: Learning
    spare: Spare


class JudgedOriginal(NamedTuple):
    """What the bot makes of the original."""

    standing: Standing
    judged: Judged
    reference: Reference
    units: tuple[str, ...]
    own: Own
    attacked: bool

    @property
    def replies(self) -> tuple[Reply, ...]:
        """The replies to the question itself, the last turn."""
        return self.own.get(max(self.own, default=0), ())


class QuestionRun:
    """Asks one question and attacks it; `await run()` returns once nothing more will come of it."""

    def __init__(self, shop: Workshop, question: Question, duplicates: int) -> None:
        self._shop = shop
        self._question = question
        self._duplicates = duplicates
        self._asked: dict[str, asyncio.Future[Answer]] = {}
        self._needed: dict[str, asyncio.Task[object]] = {}
        self._judging = shop.learning.judging
        self._controls = 0
        self._planned = shop.plan.askings(gold=question.has_gold)
        self._door = door_of(question, holds_passages=shop.plan.holds_passages)

    async def run(self) -> None:
        question, emit = self._question, self._shop.emit
        emit(QuestionOpened, question=question, duplicates=self._duplicates)
        baseline = await self._baseline(self._shop.learning.joins(self._planned))
        emit(
            OriginalJudged,
            question=question.id,
            units=baseline.units,
            standing=baseline.standing,
            verdict=baseline.judged.verdict,
            reference=baseline.reference,
            attacked=baseline.attacked,
            turns=baseline.judged.turns,
        )
        if baseline.attacked and self._shop.plan.attacks:
            async with asyncio.TaskGroup() as attacks:
                for label in self._shop.plan.attacks:
                    attacks.create_task(self._attack(label, baseline))
        emit(QuestionClosed, question=question.id)

    async def _baseline(self, number: int) -> JudgedOriginal:
        plan, question = self._shop.plan, self._question
        reference: Reference = "gold" if question.has_gold else "own"
        original = Variant(question.turns, attack="original")
        units = [self._door.unit(original, repeat, plan.seed) for repeat in range(self._planned)]
        asked = [self._ask("original", unit) for unit in units]
        # A single unit is awaited directly: creating a task costs a tenth of the whole question.
        answers = await asyncio.gather(*asked) if len(asked) > 1 else [await asked[0]]
        self._judging = await self._shop.learning.after(number, question, answers)
        met = await self._met(answers)
        judged, standing = self._judging.original(question, answers, met)
        while self._in_doubt(standing, len(units)):
            unit = self._door.unit(original, AGAIN + len(units), plan.seed)
            answer = await self._ask("original", unit)
            if answer.failure:
                break  # it says nothing of the answers before it
            units, answers = [*units, unit], [*answers, answer]
            met = await self._met(answers)
            judged, standing = self._judging.original(question, answers, met)
        if plan.pinned is not None:
            attacked = question.id in plan.pinned
        else:
            attacked = standing == "kept" or (plan.filter == "all" and standing not in ("error", "unstable"))
        return JudgedOriginal(standing, judged, reference, tuple(unit.id for unit in units), own_of(answers), attacked)

    def _in_doubt(self, standing: Standing, askings: int) -> bool:
        """Whether the original is asked again, if the budget has room: when it is wrong and was not before, or when the
        judge is unsure, so that a later night knows whether the bot always says the same."""
        shop, most = self._shop, BASELINE_ASKINGS if standing == "unsure" else 1
        if standing in ("wrong", "refused") and self._question.id in shop.plan.watched:
            most = WRONG_RUNNING
        return askings < most and shop.spare.grants()

    async def _met(self, answers: Sequence[Answer], expect: Expect = "same") -> dict[str, object]:
        """What the second opinions on answers need, by the need's id; where a part failed, its exception."""
        needs = self._judging.needs(self._question, answers, expect)
        results = await asyncio.gather(*map(self._need, needs)) if needs else ()
        return {need.id: result for need, result in zip(needs, results, strict=True)}

    async def _attack(self, label: str, baseline: JudgedOriginal) -> None:
        shop, question = self._shop, self._question
        attack = shop.plan.attacks[label]
        if not attack.works_in(question.language):
            shop.emit(AttackEnded, question=question.id, attack=label, existing=0, variants=0, foreign=True)
            return
        parts = {name: shop.plan.parts[name] for name in attack.parts() if name in shop.plan.parts}
        rng = randomness(shop.plan.seed, label, question)
        right = baseline.standing == "kept"
        context = Context(question, baseline.replies, parts, shop.plan.carried, shop.plan.tools, right=right)
        generator = settled(attack, context, rng, control=shop.plan.has_control)
        emitted = skipped = 0
        # In a suite that is asked again, the outcome of a search is a variant like any other. A live search has asked
        # it before, as an attempt, so that only attempts are counted there.
        own: tuple[Searched, ...] = ("attempt",) if attack.counts_questions else ("", "outcome")
        stepped = await self._step(generator, None)
        while (batch := stepped.batch) is not None:
            results: Sequence[Any] | Exception
            if are_needs(batch):
                results = await asyncio.gather(*map(self._need, batch))
                # An attack hears of a part that failed as if it had called it.
                results = next((result for result in results if isinstance(result, Exception)), results)
            else:
                results = await asyncio.gather(*(self._outcome(label, variant, baseline) for variant in batch))
                made = [variant for variant in batch if variant.search in own]
                emitted += sum(not variant.probe for variant in made)
                skipped += sum(not shop.plan.may_ask(variant) for variant in made)
            stepped = await self._step(generator, results)
        fault = stepped.fault
        shop.emit(
            AttackEnded,
            question=question.id,
            attack=label,
            existing=emitted if stepped.existing is None else stepped.existing,
            variants=emitted,
            skipped=skipped,
            failed=fault.kind if fault else "",
            why=fault.why if fault else "",
        )

    async def _step(self, generator: Proposals, sent: object) -> Stepped:
        stepped = await self._shop.step((generator, sent))
        if isinstance(stepped, BotattackError):
            raise stepped
        return stepped

    async def _outcome(self, label: str, variant: Variant, baseline: JudgedOriginal) -> Outcome:
        if not self._shop.plan.may_ask(variant):
            return Outcome(variant, (), Verdict("unsure", why=f"not asked: meaning {variant.meaning}"))
        unit = self._unit(variant, baseline)
        answer = await self._ask(label, unit)
        met = await self._met([answer], variant.expect) if baseline.reference == "gold" else {}
        verdict, turns = self._judging.variant(
            self._question,
            answer,
            expect=variant.expect,
            own=baseline.own,
            met=met,
            right=variant.right,
            decoy=variant.decoy,
        )
        requests = sum(attempt.requests for attempt in answer.attempts)
        outcome = Outcome(variant, answer.replies, verdict, requests, turns)
        self._shop.emit(
            VariantJudged,
            question=self._question.id,
            unit=unit.id,
            attack=label,
            verdict=verdict,
            expect=variant.expect,
            edits=variant.edits,
            distance=variant.distance,
            meaning=variant.meaning,
            why=variant.why,
            parent=variant.parent,
            reference=baseline.reference,
            probe=variant.probe,
            decoy=variant.decoy,
            took_decoy=outcome.took_decoy,
            turns=turns,
            play=variant.play,
            search=variant.search,
            right=variant.right,
        )
        return outcome

    def _unit(self, variant: Variant, baseline: JudgedOriginal) -> Unit:
        """The control asks the very words of the original again: a new asking, not the recorded one."""
        unit = self._door.unit(variant, variant.again, self._shop.plan.seed)
        if unit.id not in baseline.units:
            return unit
        self._controls += 1
        return self._door.unit(variant, self._planned + self._controls - 1, self._shop.plan.seed)

    def _need(self, need: Need) -> asyncio.Task[object]:
        """Met, paid for and recorded once a question, however many attacks ask for it."""
        met = self._needed.get(need.id)
        if met is None:
            met = self._needed[need.id] = asyncio.create_task(self._shop.needs(self._question.id, need))
        return met

    async def _ask(self, lane: str, unit: Unit) -> Answer:
        """Asked once a question, however many attacks made the same words."""
        asked = self._asked.get(name := unit.id)
        if asked is None:
            question = self._question.id
            asked = self._asked[name] = self._shop.ask(question, (question, lane), unit)
        return await asked


def step_all(steps: Sequence[tuple[Proposals, object]]) -> list[Stepped | BotattackError]:
    """Steps generators one after the other, off the event loop; what one raises does not reach the others."""
    return [_step(generator, sent) for generator, sent in steps]


def _step(generator: Generator[Any, Any, int | None], sent: object) -> Stepped | BotattackError:
    """The one door to attacks: an exception ends that attack of that question; what a user can fix ends the run."""
    try:
        batch = tuple(generator.throw(sent) if isinstance(sent, Exception) else generator.send(sent))
        if not any(all(isinstance(item, kind) for item in batch) for kind in (Variant, Need)):
            raise TypeError(f"an attack yields variants or needs, not {batch[0]!r}")
        return Stepped(batch)
    except StopIteration as end:
        return Stepped(None, end.value)
    except BotattackError as error:
        return error
    except Exception as error:
        return Stepped(None, fault=Fault.of(error))
