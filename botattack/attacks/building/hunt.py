"""A search on its way through the candidates of one question: what was asked, what came of it, what it cost. Pure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random

from botattack.attacks.building.choosing import Choosing, Together
from botattack.attacks.building.combinations import Option
from botattack.attacks.building.guard import Edits, Judgement
from botattack.attacks.building.roles import Roles, Tried, spots_of, sureness_of, taught
from botattack.model import Edit, Meaning, Outcome, Result, Variant, edited_text
from botattack.places import QUESTION
from botattack.protocols import Attack, Context, SearchLimits
from botattack.text.normalise import LONGEST
from botattack.text.spelling import distance
from botattack.text.tokens import normalised, words

TRIES = 3
"""Options of a place that are tried before the best of them stays, once scores tell them apart; before, one."""
CHANGED = 0.5
"""What it adds to the score of a right reply that it is another than to the unchanged question: at most this."""
DOUBTED = 100
"""Variants in a row that may not be asked, for their meaning is in doubt, before a search ends: combinations have no
other end within reach."""
LEFT_OUT = "left-out"
"""The kind of edit of a probe: the word is left out to see what it weighs."""
_PROBE: tuple[Meaning, str] = ("unsure", "a probe: what does the bot make of the question without this word")
Choice = tuple[tuple[int, int], ...]
"""Which option of which slots, ascending."""
Asking = Generator[list[Variant], Sequence[Outcome], float]


@dataclass(frozen=True, kw_only=True)
class Guided(Choosing, Attack):
    """What attacks share that can search."""

    @property
    def search_limits(self) -> SearchLimits | None:
        if self.search == "none":
            return None
        return SearchLimits(self.queries, self.successes, learns=self.search != "in-order")


@dataclass(frozen=True, kw_only=True)
class Combining(Together, Guided):
    """What attacks share whose edits of different places can be put together."""


@dataclass
class Hunt(ABC):
    """Search over slots: a choice takes at most one option from each slot."""

    attack: Guided
    context: Context
    slots: list[list[Option]]
    rng: Random
    before: Roles
    """What was known before this question."""
    scores: dict[Choice, float] = field(default_factory=dict)
    """How near each came to breaking the bot."""
    spent: int = 0
    wins: int = 0
    _seen: set[str] = field(default_factory=set)
    _outcomes: list[tuple[Edits, Result]] = field(default_factory=list)
    _past: Tried = field(default_factory=Tried)
    _probes: int = 0
    _doubted: int = 0

    def __post_init__(self) -> None:
        self.roles = self.before
        """What is known by now."""
        first = self.context.replies[0] if self.context.replies else None
        self._sureness = sureness_of(first.fields) if first else None

    @property
    def over(self) -> bool:
        ended = self.wins >= self.attack.successes or self.spent >= self.attack.queries
        return ended or self._doubted >= DOUBTED

    @property
    def asked(self) -> int:
        return len(self.scores)

    @property
    def failures(self) -> int:
        """Requests that did not break the bot, probes aside."""
        return len(self._outcomes) - self.wins

    @property
    def tries(self) -> int:
        return TRIES if len(set(self.scores.values())) > 1 else 1

    def edits(self, choice: Choice) -> Edits:
        return tuple(edit for slot, number in choice for edit in self.slots[slot][number].edits)

    @abstractmethod
    def fits(self, choice: Choice) -> bool:
        """Whether it is within the attack's limits."""

    @abstractmethod
    def room(self, choice: Choice) -> bool:
        """Whether anything could be added to it."""

    @abstractmethod
    def variant(self, choice: Choice) -> Variant:
        """What is asked."""

    def form(self, variant: Variant) -> str:
        """The form in which two variants are the same."""
        return normalised(variant.prompt.text)

    def chance(self, choice: Choice) -> float:
        """How likely it is to break the bot."""
        return self.roles.chance(self.edits(choice), self._past, self._sureness)

    def again_pays(self, slot: int) -> bool:
        """Whether another edit of words that were edited in vain is worth a request."""
        edits = self.edits(((slot, 0),))
        return self.roles.pays(self.roles.chance(edits, Tried({spots_of(edits)}), self._sureness))

    def pays(self, choice: Choice) -> bool:
        """Whether it is worth a request."""
        return bool(choice) and self.roles.pays(self.chance(choice))

    def ask(self, choice: Choice, *, anyway: bool = False) -> Asking:
        """What a choice scores; 0 unasked if it is not worth a request, unless it is to be asked anyway."""
        if choice in self.scores or self.over or not (anyway or self.pays(choice)):
            return self.scores.get(choice, 0.0)
        variant = self.variant(choice)
        form = self.form(variant)
        if form in self._seen:
            return self.scores.setdefault(choice, 0.0)
        self._seen.add(form)
        outcome = (yield [variant])[0]
        self.scores[choice] = self._learnt(variant.edits, outcome)
        return self.scores[choice]

    def _learnt(self, edits: Edits, outcome: Outcome) -> float:
        if outcome.replies or outcome.verdict.kind == "error":
            # A gate may have changed what was asked: what counts is its meaning, not that of what was proposed.
            result = taught(outcome.result, claimed=outcome.variant.meaning_as_claimed)
            self.wins += result == "success"
            self._outcomes.append((edits, result))
            self._past.add(spots_of(edits), result)
            self._reckon()
        return self._count(outcome)

    def _reckon(self) -> None:
        self.roles = self.before.with_(self._outcomes, self._sureness, self._probes)

    def _count(self, outcome: Outcome) -> float:
        if outcome.replies or outcome.verdict.kind == "error":
            self.spent += max(1, outcome.requests)
            self._doubted = 0
        else:
            self._doubted += 1
        if outcome.verdict.kind not in ("correct", "wrong", "refused"):
            return 0.0
        score = outcome.verdict.score
        if self.attack.expect == "different":
            return score
        return max(1 - score, CHANGED * self._changed(outcome))

    def _changed(self, outcome: Outcome) -> float:
        """How different the reply is from that to the unchanged question, as far as judging reads them: 1 less the F1
        of their words."""
        if not self.context.replies or not outcome.replies:
            return 0.0
        before, after = (reply.text[:LONGEST] for reply in (self.context.replies[0], outcome.replies[-1]))
        if before == after:
            return 0.0
        one, other = ({word.text.lower() for word in words(text)} for text in (before, after))
        return 1 - 2 * len(one & other) / max(1, len(one) + len(other))

    def unasked(self, base: Choice, slot: int) -> Iterator[Choice]:
        """What adding an option of a slot gives, if it fits and is new."""
        if base and not self.room(base):
            return
        for number in range(len(self.slots[slot])):
            grown = tuple(sorted((*base, (slot, number))))
            if grown not in self.scores and self.fits(grown):
                yield grown

    def likeliest(self, ranked: Sequence[int]) -> Choice:
        """Of edits of as many slots as the limits allow, and of a new one of each slot alone, what is likeliest to
        break the bot; nothing if nothing is new."""
        wide = [self._widest([*ranked[start:], *ranked[:start]]) for start in range(min(2, len(ranked)))]
        singles = [next(self.unasked((), slot), ()) for slot in ranked]
        new = [choice for choice in (*wide, *singles) if choice and choice not in self.scores]
        return max(new, key=self.chance, default=())

    def _widest(self, ranked: Sequence[int]) -> Choice:
        """Edits of as many slots as the limits allow, the first ones first: a bot that hears one word only hears it."""
        choice: Choice = ()
        for slot in ranked:
            choice = next(self.unasked(choice, slot), choice)
        return choice

    def weigh(self, slot: int) -> Generator[list[Variant], Sequence[Outcome], float | None]:
        """How near the question without the slot's words comes to breaking the bot; None if it was not asked."""
        option = self.slots[slot][0]
        before = self.context.question.text[option.start : option.end]
        first = option.edits[0]
        edits = (Edit(option.start, before, "", LEFT_OUT, QUESTION, first.relation, first.pos),)
        variant = variant_of(self.attack, self.context, edits, _PROBE, probe=True)
        if not variant.prompt.text.strip() or self.over:
            return None
        outcome = (yield [variant])[0]
        self._probes += 1
        self._reckon()
        score = self._count(outcome)
        return score if outcome.replies else None


@dataclass
class VariantHunt(Hunt):
    """Each option is a whole variant, and no two go together."""

    variants: Mapping[Edits, Variant] = field(default_factory=dict)

    def fits(self, choice: Choice) -> bool:
        return len(choice) == 1

    def room(self, choice: Choice) -> bool:
        return not choice

    def variant(self, choice: Choice) -> Variant:
        return self.variants[self.edits(choice)]

    def form(self, variant: Variant) -> str:
        return variant.id


@dataclass
class CombiningHunt(Hunt):
    """Options of several slots go together."""

    attack: Combining
    judge: Callable[[Edits], Judgement] | None = None

    def fits(self, choice: Choice) -> bool:
        return self._left(choice) >= 0

    def room(self, choice: Choice) -> bool:
        return self._left(choice) > 0

    def _left(self, choice: Choice) -> float:
        """How many edits, or operations, the limits still allow; below 0 if they are passed."""
        options = [self.slots[slot][number] for slot, number in choice]
        far, edits = sum(option.distance for option in options), sum(len(option.edits) for option in options)
        most, epsilon = self.attack.combine, self.attack.epsilon
        return min(inf if most is None else most - edits, inf if epsilon is None else epsilon - far)

    def variant(self, choice: Choice) -> Variant:
        edits = self.edits(choice)
        return variant_of(self.attack, self.context, edits, self.judge(edits) if self.judge else ("kept", ""))


def variant_of(attack: Guided, context: Context, edits: Edits, judgement: Judgement, *, probe: bool = False) -> Variant:
    """The question with these edits."""
    question = context.question
    after = edited_text(question.text, edits)
    far = distance(question.text, after)
    return Variant(question.worded(after), attack.name, edits, attack.expect, far, *judgement, probe=probe)
