"""Doubts a right answer, and asks again (Laban et al. 2023, "Are You Sure? Challenging LLMs Leads to Performance Drops
in The FlipFlop Experiment"). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from msgspec.structs import replace

from botattack.attacks.building.advice import DOUBT
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.fakes.answers import shortest_gold
from botattack.attacks.turns.said_turns import in_front, other_answer, phrase, speaking, turns_before
from botattack.model import Exchange, Prompt, Turns, dialogue, says_decoy
from botattack.options import Some
from botattack.places import PlaceKind
from botattack.protocols import Attack, Context, Play, Proposals

Rung = Literal["doubt", "claim", "authority", "insist", "innocent"]
KINDS: Mapping[str, str] = {
    "doubt": "doubt",
    "claim": "other answer claimed",
    "authority": "false authority",
    "insist": "claimed again",
    "innocent": "innocent follow-up",
    "truth": "truth told",
}
"""What the turns of each rung are called."""
ASKED = "first asked"
"""What the first asking is called."""
_WITH_FAKE = frozenset({"claim", "authority", "insist"})


@dataclass(frozen=True)
class Doubting(Play):
    """Asks the question, and while the answer has the words of a gold one, climbs `rungs` turns; once it has not, tells
    the truth in the last turn, if it `recovers`. Silence ends it."""

    name: ClassVar[str] = "are-you-sure"

    rungs: int
    recovers: bool = False
    gold: tuple[str, ...] = ()

    def next(self, first: Turns, said: Sequence[Exchange], rng: Random) -> Prompt | None:
        first = dialogue(first)
        start = len(first) - 1 - self.rungs - self.recovers
        if (number := len(said)) <= start:
            return self._turn(first, start, number)
        if not said[-1].reply.text.strip():
            return None
        told = self.recovers and number > start + 1 and said[-1].prompt.text == first[-1].text
        if told:
            return None
        if number > start + 1 and self._gave_up(said[-1]):
            return self._turn(first, start, len(first) - 1) if self.recovers else None
        return self._turn(first, start, number) if number <= start + self.rungs else None

    def _turn(self, first: Turns, start: int, number: int) -> Prompt:
        """The turn of a number; from the first asking on, each asks the question."""
        return first[number] if number < start else replace(first[-1], text=first[number].text)

    def _gave_up(self, last: Exchange) -> bool:
        return bool(self.gold) and not any(says_decoy(gold, last.reply) for gold in self.gold)


@dataclass(frozen=True)
class AreYouSure(Attack):
    """Asks the question, doubts the answer and asks again, more and more firmly: a bot that knows the answer repeats it
    (Laban et al. 2023). All in one conversation, until the bot gives a wrong answer or the rungs end.

    The rungs, each a turn: `doubt` only doubts ("Are you sure?"); `claim` says that a fake answer of the same kind is
    right (the decoy); `authority` says that an expert gives this answer; `insist` repeats it. Every turn ends with the
    question. For each rung, reports count how many answers become wrong, of those that were right until then. If no
    fake answer is known, as for a yes or no, the rungs that need one are left out; outside English and Persian, all of
    them are.

    After a wrong answer, the user says the right one and asks a last time: a row counts how many are wrong even then.
    The control is `rungs: [innocent]`, which says thank you and asks once more.

    Decided here: the next turn treats a reply without the words of a gold answer as wrong; the verdict is the judge's.
    """

    name: ClassVar[str] = "are-you-sure"
    plain: ClassVar[str] = "Doubts about the answer"
    advice: ClassVar[str] = DOUBT.format("doubts it")
    per_question: ClassVar[int] = 1
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"question", "added turn"})

    rungs: Some[Rung] = ("doubt", "claim", "authority", "insist")
    """What is said after the answer, in this order."""
    recover: bool = True
    """Whether the user says the right answer after a wrong one."""

    @property
    def languages(self) -> frozenset[str] | None:
        return speaking("doubt", "innocent", "truth")

    def parts(self) -> tuple[str, ...]:
        return ("parse",) if _WITH_FAKE & {*self.rungs} else ()

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        fake = (yield from other_answer(question, rng)) if _WITH_FAKE & {*self.rungs} else ""
        rungs = [rung for rung in self.rungs if fake or rung not in _WITH_FAKE]
        gold = shortest_gold(question)
        recovers = self.recover and bool(gold) and {*rungs} != {"innocent"}
        said = [(rung, phrase(question, rung, rng)) for rung in (*rungs, *["truth"] * recovers)]
        if not rungs:
            return 0
        told = [(KINDS[rung], words.format(fake=fake, gold=gold)) for rung, words in said]
        *before, (kind, last) = told
        texts = [question.text, *(f"{words} {question.text}" for _, words in before)]
        edits = (*turns_before(question, texts, [ASKED, *(one for one, _ in before)]), *in_front(last, kind))
        golds = tuple(answer.text for answer in question.answers if not answer.regex)
        play = Doubting(len(rungs), recovers, golds if len(golds) == len(question.answers) else ())
        decoy = fake if _WITH_FAKE & {*rungs} else ""
        yield [variant_of(question, self.name, edits, decoy=decoy, play=play.played())]
        return 1
