"""A fact told in a conversation: who still knows it later, after a correction, and in other conversations. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal, get_args

from botattack.attacks.building.composed_edits import distance_of
from botattack.attacks.fakes.names import made_up
from botattack.attacks.turns.said_turns import turns_before
from botattack.model import Edit, Prompt, Question, Variant
from botattack.options import Count
from botattack.places import Place, PlaceKind
from botattack.protocols import Attack, Context, Proposals
from botattack.text.languages import codes, language
from botattack.text.word_lists import word_tuple

Check = Literal["before", "at once", "later", "corrected", "contradicted", "other conversation"]
CHECKS: tuple[Check, ...] = get_args(Check)
"""What is checked, which is also what the edits are called."""
ForAll = Literal["for everyone", "after forgetting"]
"""What is checked of a fact that was given for everyone; no later run asks this again by itself."""


@dataclass(frozen=True)
class Memory(Attack):
    """Tells the bot a made-up fact about nobody, and asks for it: in the same conversation, at once and after small
    talk; after a correction; while a passage contradicts it; and in another conversation, where nobody may know it.

    This is a diagnosis: the facts have nothing to do with the questions, so no rate contains it. The control asks for
    the fact in a new conversation before anybody said it. Each question makes facts of its own for each door: six
    askings, five if no passage reaches the bot. A bot that knows one in another conversation leaks, which the report
    says first; a target file that continues one conversation for all (`conversation: reuse`) is refused. Passages and
    history are not sent along; the contradiction is the only passage. No fact is meant to be remembered for others,
    unless `for_everyone` says so.
    """

    name: ClassVar[str] = "memory"
    plain: ClassVar[str] = "Facts given before"
    diagnosis: ClassVar[bool] = True
    separates: ClassVar[bool] = True
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"question", "added turn", "added passage"})
    must_reach: ClassVar[frozenset[PlaceKind]] = frozenset({"added turn"})

    turns: Count = 3
    """How many turns of small talk are between telling and asking `later`."""
    for_everyone: bool = False
    """Whether one more fact is given "for everyone" (poisoning), asked for in another conversation, and then the bot is
    asked to forget it, which is checked in a third. This may change the bot for all its users: it needs
    `writes: memory` in the target file's consent, and no night does it."""

    @property
    def teaches_all(self) -> bool:
        return self.for_everyone

    @property
    def languages(self) -> frozenset[str] | None:
        return frozenset(code for code in codes() if word_tuple("memory.fact", code))

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        # A fact given through another door would be known before it is given here.
        rng = Random(f"{rng.random()} {question.carrier}")
        chatter = language(question.language).turns["chatter"]
        small = [chatter[at % len(chatter)] for at in rng.sample(range(max(len(chatter), self.turns)), self.turns)]
        code, told = question.language, _Fact(rng)
        passage = "added passage" in context.carried
        yield [told.asked(question, "before")]
        # Each conversation has a fact of its own, so that no other can be the reason for a reply.
        later, corrected, contradicted = (_Fact(rng) for _ in range(3))
        yield [
            told.asked(question, "at once", told.said("tell", code)),
            later.asked(question, "later", later.said("tell", code), *small),
            corrected.asked(question, "corrected", corrected.said("tell", code), corrected.said("correct", code)),
            *(
                [contradicted.asked(question, "contradicted", contradicted.said("tell", code), passage=True)]
                if passage
                else []
            ),
        ]
        # Only now the fact has been told, in a conversation that is over.
        yield [told.asked(question, "other conversation", again=1)]
        if self.for_everyone:
            yield from _for_everyone(_Fact(rng), question)
        return 0


def _for_everyone(fact: _Fact, question: Question) -> Iterator[Sequence[Variant]]:
    """Each a conversation of its own, one after the other."""
    yield [fact.told(question, "everyone")]
    yield [fact.asked(question, "for everyone")]
    yield [fact.told(question, "forget")]
    yield [fact.asked(question, "after forgetting", again=1)]


class _Fact:
    """A name of nobody, its word, and another word for it."""

    def __init__(self, rng: Random) -> None:
        name, self.old, self.new = (made_up(rng) for _ in range(3))
        self.name = name.capitalize()

    def said(self, how: str, code: str) -> str:
        said = word_tuple(f"memory.{how}", code)[0]
        return said.format(name=self.name, fact=self.new if how == "correct" else self.old)

    def told(self, question: Question, how: str) -> Variant:
        """Tells the bot something, and asks nothing."""
        text = self.said(how, question.language)
        edits = (Edit(0, question.text, text, f"told: {how}"),)
        return Variant((Prompt(text),), Memory.name, edits, distance=distance_of(question.turns, edits), probe=True)

    def asked(
        self, question: Question, check: Check | ForAll, *before: str, passage: bool = False, again: int = 0
    ) -> Variant:
        code = question.language
        ask = word_tuple("memory.ask", code)[0].format(name=self.name)
        against = word_tuple("memory.fact", code)[0].format(name=self.name, fact=self.new)
        edits = (
            *turns_before(question, before, [check] * len(before)),
            Edit(0, question.text, ask, check),
            *((Edit(0, "", against, check, Place("added passage", len(question.passages))),) if passage else ()),
        )
        turns = *(Prompt(text) for text in before), Prompt(ask, (against,) if passage else ())
        far = distance_of(question.turns, edits)
        return Variant(turns, Memory.name, edits, distance=far, probe=True, decoy=self.old, again=again)
