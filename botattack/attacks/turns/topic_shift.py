"""Changes the topic, and comes back to the question. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import EARLIER
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.turns.said_turns import in_front, speaking, turns_before
from botattack.model import Edit, Question, Variant
from botattack.options import Count, Some
from botattack.places import PlaceKind
from botattack.protocols import Attack, Context, Proposals
from botattack.text.languages import language

Back = Literal["repeat", "recall"]
KINDS: dict[Back, str] = {"repeat": "question repeated", "recall": "question referred to"}
"""What the edits of each way back are called."""


@dataclass(frozen=True)
class TopicShift(Attack):
    """Asks the question, chats about something else, and comes back to it. Only the last reply is judged.

    There are two ways back, each a variant. `repeat` asks the question again ("Back to my question: …"): a right bot
    answers it as before. `recall` only refers to it ("What is the answer to my last question?"): a bot that remembers
    no turn cannot answer.
    """

    name: ClassVar[str] = "topic-shift"
    plain: ClassVar[str] = "Changes of topic"
    one_of_each: ClassVar[str] = "back"
    advice: ClassVar[str] = EARLIER
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"question", "added turn"})

    back: Some[Back] = ("repeat", "recall")
    """The ways to come back to the question."""
    turns: Count = 2
    """How many turns are small talk."""

    @property
    def languages(self) -> frozenset[str] | None:
        return speaking("chatter", "back", "recall")

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        known = language(question.language).turns["chatter"]
        chatter = [known[i % len(known)] for i in rng.sample(range(max(self.turns, len(known))), self.turns)]
        variants = [self._variant(question, back, chatter, rng) for back in dict.fromkeys(self.back)]
        yield variants
        return len(variants)

    def _variant(self, question: Question, back: Back, chatter: list[str], rng: Random) -> Variant:
        kind, said = KINDS[back], rng.choice(language(question.language).turns["back" if back == "repeat" else back])
        before = turns_before(question, [question.text, *chatter], [kind] * (1 + len(chatter)))
        last = in_front(said, kind) if back == "repeat" else (Edit(0, question.text, said, kind),)
        return variant_of(question, self.name, (*before, *last))
