"""Guided search over the candidates of an attack, fed by what broke the bot before and by the matcher's scores (section
"AddAny" of Persian QA for the genetic one's numbers; greedy and beam as usual in the field). Pure: asks one variant at
a time, stops at a success."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random
from typing import Any, ClassVar, Literal, Protocol

from botattack.attacks.combine import Option, Slot
from botattack.attacks.guard import Edits, Judgement
from botattack.attacks.roles import PART, Places, Roles, places, sureness_of, taught
from botattack.model import Edit, Expect, Outcome, Prompt, Result, Variant, apply_edits
from botattack.protocols import Context
from botattack.text.spelling import distance
from botattack.text.tokens import normalised, words

Search = Literal["none", "greedy", "beam", "genetic"]
UNGUIDED = 3
"""Failures before words are left out one at a time: a bot that breaks at the first word is not asked about others."""
TRIES = 3
"""Options of a place that are tried before the best of them stays, once scores tell them apart; before, one."""
WIDTH = 3
POPULATION = 6
MUTATION = 0.3
CHANGED = 0.5
"""What it adds to the score of a right reply that it is another than to the unchanged question: at most this."""
LEFT_OUT = "left-out"
"""The kind of edit of a probe: the word is left out to see what it weighs."""
Choice = tuple[tuple[int, int], ...]
"""Which option of which slots, ascending."""
Asking = Generator[list[Variant], Sequence[Outcome], float]
Step = Generator[list[Variant], Sequence[Outcome], None]


class Searches(Protocol):
    """What a search has to know of the attack."""

    name: ClassVar[str]
    expect: ClassVar[Expect]

    @property
    def epsilon(self) -> int | None: ...
    @property
    def combine(self) -> int | None: ...
    @property
    def search(self) -> Search: ...
    @property
    def queries(self) -> int: ...
    @property
    def take(self) -> Any: ...


def searches(attack: Any) -> bool:
    """Whether an attack, or one in it, is guided by what broke the bot before."""
    return getattr(attack, "search", "none") != "none" or any(map(searches, getattr(attack, "attacks", ())))


def search_slots(
    attack: Searches,
    context: Context,
    slots: Sequence[Slot],
    rng: Random,
    *,
    most: int,
    judge: Callable[[Edits], Judgement] | None,
) -> Step:
    """Yields single variants until one breaks the bot, `queries` requests are spent or nothing is left that pays.

    First comes one edit of the word whose role broke most often so far in this run (`Roles`), then twice what is
    likeliest to: another word, or as many words at once as the limits allow. After three failures words are left out
    one at a time to see what each weighs, and the method goes on from the weightiest. What so far in this run broke
    the bot much more seldom than requests do on the whole is not asked (`Roles.pays`).
    """
    roles = context.parts.get(PART) or Roles()
    hunt = _Hunt(attack, context, [_ordered(slot, attack.take, roles, rng) for slot in slots], rng, judge, roles)
    ranked = rng.sample(range(len(slots)), len(slots))
    ranked.sort(key=lambda i: roles.rank(slots[i][0].edits[0]), reverse=True)
    if ranked:
        yield from hunt.ask(((ranked[0], 0),))
    for _ in range(1, UNGUIDED):
        yield from hunt.ask(hunt.likeliest(ranked))
    if hunt.over or not slots:
        return
    ranked = yield from _by_weight(hunt, ranked)
    method = {"greedy": _greedy, "beam": _beam, "genetic": _genetic}[attack.search]
    asked = -1
    while not hunt.over and asked < hunt.asked < most:
        asked = hunt.asked
        yield from method(hunt, ranked)
    # What guesses did not reach is still there to be asked in order.
    for choice in _first(hunt.slots, ranked, attack.queries):
        yield from hunt.ask(choice)


def _ordered(slot: Slot, take: str, roles: Roles, rng: Random) -> list[Option]:
    """Edits of the kinds and sizes that broke most often first; else nearest first, where asked for, or by chance."""
    shuffled = rng.sample(slot, len(slot))
    near = sorted(shuffled, key=lambda option: option.distance) if take == "nearest" else shuffled
    return sorted(near, key=lambda option: -roles.edit_rate(option.edits[0]))


def _first(slots: Sequence[Slot], ranked: Sequence[int], most: int) -> list[Choice]:
    """Single edits: the first option of every slot in turn, then the second of every slot."""
    columns = zip_longest(*([((i, n),) for n in range(len(slots[i]))] for i in ranked))
    return [choice for row in columns for choice in row if choice][:most]


@dataclass
class _Hunt:
    """What has been asked of a question, and at what cost."""

    attack: Searches
    context: Context
    slots: list[list[Option]]
    rng: Random
    judge: Callable[[Edits], Judgement] | None
    before: Roles
    scores: dict[Choice, float] = field(default_factory=dict)
    spent: int = 0
    broken: bool = False
    probes: int = 0
    _seen: set[str] = field(default_factory=set)
    _outcomes: list[tuple[Edits, Result]] = field(default_factory=list)
    _failed: set[Places] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.roles = self.before
        first = self.context.replies[0] if self.context.replies else None
        self.sureness = sureness_of(first.fields) if first else None

    @property
    def over(self) -> bool:
        return self.broken or self.spent >= self.attack.queries

    @property
    def asked(self) -> int:
        return len(self.scores)

    @property
    def tries(self) -> int:
        return TRIES if len(set(self.scores.values())) > 1 else 1

    def edits(self, choice: Choice) -> Edits:
        return tuple(edit for slot, number in choice for edit in self.slots[slot][number].edits)

    def chance(self, choice: Choice) -> float:
        return self.roles.chance(self.edits(choice), self._failed, self.sureness)

    def pays(self, choice: Choice) -> bool:
        """Whether it is worth a request."""
        return self.roles.pays(self.chance(choice), begins=not self.spent)

    def again(self, slot: int) -> bool:
        """Whether another edit of words that were edited in vain is worth a request."""
        edits = self.edits(((slot, 0),))
        return self.roles.pays(self.roles.chance(edits, [places(edits)], self.sureness))

    def ask(self, choice: Choice) -> Asking:
        """How near the choice came to breaking the bot: from 0 to 1; 0 unasked where it is not worth asking."""
        if choice in self.scores or self.over or not choice or not self.pays(choice):
            return self.scores.get(choice, 0.0)
        edits = self.edits(choice)
        variant = self._variant(edits, self.judge(edits) if self.judge else ("kept", ""))
        if normalised(variant.prompt.text) in self._seen:
            return self.scores.setdefault(choice, 0.0)
        self._seen.add(normalised(variant.prompt.text))
        outcome = (yield [variant])[0]
        self.scores[choice] = self._learnt(edits, outcome)
        return self.scores[choice]

    def _learnt(self, edits: Edits, outcome: Outcome) -> float:
        if outcome.replies or outcome.verdict.kind == "error":
            # A gate may have changed what was asked: what counts is its meaning, not that of what was proposed.
            result = taught(outcome.result, claimed=outcome.variant.meaning_as_claimed)
            self.broken = result == "success"
            self._outcomes.append((edits, result))
            if result == "robust":
                self._failed.add(places(edits))
            self._reckon()
        return self._count(outcome)

    def _reckon(self) -> None:
        self.roles = self.before.with_(self._outcomes, self.sureness, self.probes)

    def weigh(self, slot: int) -> Generator[list[Variant], Sequence[Outcome], float | None]:
        """How near the question without the slot's words comes to breaking the bot; None where it was not asked."""
        option = self.slots[slot][0]
        before = self.context.question.text[option.start : option.end]
        first = option.edits[0]
        edit = Edit(option.start, before, "", LEFT_OUT, "question", first.relation, first.pos)
        why = "a probe: what does the bot make of the question without this word"
        variant = self._variant((edit,), ("unsure", why), probe=True)
        if not variant.prompt.text.strip() or self.over:
            return None
        outcome = (yield [variant])[0]
        self.probes += 1
        self._reckon()
        score = self._count(outcome)
        return score if outcome.replies else None

    def _count(self, outcome: Outcome) -> float:
        self.spent += max(1, outcome.requests) if outcome.replies or outcome.verdict.kind == "error" else 0
        if outcome.verdict.kind not in ("correct", "wrong", "refused"):
            return 0.0
        score = outcome.verdict.score
        if self.attack.expect == "different":
            return score
        return max(1 - score, CHANGED * self._changed(outcome))

    def _changed(self, outcome: Outcome) -> float:
        """How different the reply is from that to the unchanged question: 1 less the F1 of their words."""
        if not self.context.replies or not outcome.replies:
            return 0.0
        before, after = (reply.text for reply in (self.context.replies[0], outcome.replies[-1]))
        if before == after:
            return 0.0
        one, other = ({word.text.lower() for word in words(text)} for text in (before, after))
        return 1 - 2 * len(one & other) / max(1, len(one) + len(other))

    def _variant(self, edits: Edits, judgement: Judgement, *, probe: bool = False) -> Variant:
        question = self.context.question
        text = apply_edits(question.text, edits)
        prompt = Prompt(text, question.passages, question.history)
        far = distance(question.text, text)
        return Variant((prompt,), self.attack.name, edits, self.attack.expect, far, *judgement, probe=probe)

    def fits(self, choice: Choice) -> bool:
        options = [self.slots[slot][number] for slot, number in choice]
        far, edits = sum(option.distance for option in options), sum(len(option.edits) for option in options)
        most, epsilon = self.attack.combine, self.attack.epsilon
        return (most is None or edits <= most) and (epsilon is None or far <= epsilon)

    def trimmed(self, choice: Choice) -> Choice:
        """The choice without as many of its edits, by chance, as the limits ask for."""
        while not self.fits(choice):
            drop = self.rng.randrange(len(choice))
            choice = choice[:drop] + choice[drop + 1 :]
        return choice

    def likeliest(self, ranked: Sequence[int]) -> Choice:
        """Of edits of as many slots as the limits allow, and of a new one of each slot alone, what is likeliest to
        break the bot; nothing where nothing is new."""
        wide = [_widest(self, [*ranked[start:], *ranked[:start]]) for start in range(min(2, len(ranked)))]
        singles = [next(iter(_unasked(self, (), slot)), ()) for slot in ranked]
        new = [choice for choice in (*wide, *singles) if choice and choice not in self.scores]
        return max(new, key=self.chance, default=())


def _widest(hunt: _Hunt, ranked: Sequence[int]) -> Choice:
    """Edits of as many slots as the limits allow, the first ones first: a bot that hears one word only hears it."""
    choice: Choice = ()
    for slot in ranked:
        fitting = _unasked(hunt, choice, slot)
        choice = fitting[0] if fitting else choice
    return choice


def _by_weight(hunt: _Hunt, ranked: list[int]) -> Generator[list[Variant], Sequence[Outcome], list[int]]:
    """The slots by leave-one-out importance, as far as at most half of the queries tell it; ties keep their order.

    Nothing is left out where that could not pay: a word with one edit only, which is sooner made; or any word, where
    so far in this run those that were edited in vain were not worth another edit.
    """
    weights: dict[int, float] = {}
    rich = [slot for slot in ranked if len(hunt.slots[slot]) > 1]
    if len(rich) > 1 and hunt.again(rich[0]):
        for slot in rich:
            if hunt.spent * 2 >= hunt.attack.queries:
                break
            weight = yield from hunt.weigh(slot)
            if weight is None:
                break
            weights[slot] = weight
    return sorted(ranked, key=lambda slot: -weights.get(slot, 0.0))


def _unasked(hunt: _Hunt, base: Choice, slot: int) -> list[Choice]:
    """What adding an option of a slot gives, if it fits and is new."""
    return list(_new(hunt, base, slot))


def _new(hunt: _Hunt, base: Choice, slot: int) -> Iterator[Choice]:
    for number in range(len(hunt.slots[slot])):
        grown = tuple(sorted((*base, (slot, number))))
        if grown not in hunt.scores and hunt.fits(grown):
            yield grown


def _greedy(hunt: _Hunt, ranked: list[int]) -> Step:
    """Word by word, the best of a few options stays unless it brings the bot back."""
    best: Choice = ()
    for slot in ranked:
        tried = _unasked(hunt, best, slot)[: hunt.tries] or _unasked(hunt, (), slot)[: hunt.tries]
        for choice in tried:
            yield from hunt.ask(choice)
        better = max(tried, key=lambda choice: hunt.scores.get(choice, 0.0), default=best)
        best = better if hunt.scores.get(better, 0.0) >= hunt.scores.get(best, 0.0) else best


def _beam(hunt: _Hunt, ranked: list[int]) -> Step:
    """As greedy, from the few best so far instead of one."""
    beam: list[Choice] = [()]
    for slot in ranked:
        grown = [choice for base in beam for choice in _unasked(hunt, base, slot)[: hunt.tries]]
        for choice in grown:
            yield from hunt.ask(choice)
        beam = sorted([*grown, *beam], key=lambda choice: -hunt.scores.get(choice, 0.0))[:WIDTH]


def _genetic(hunt: _Hunt, ranked: list[int]) -> Step:
    """A generation: the fittest so far are crossed at a point and changed by chance."""
    parents = sorted(hunt.scores, key=lambda choice: -hunt.scores[choice])[:POPULATION]
    for _ in range(POPULATION):
        child = _mutated(hunt, _crossed(hunt, parents), ranked)
        yield from hunt.ask(hunt.trimmed(child))


def _crossed(hunt: _Hunt, parents: list[Choice]) -> Choice:
    if len(parents) < 2:
        return parents[0] if parents else ()
    one, other = hunt.rng.sample(parents, 2)
    point = hunt.rng.randrange(len(hunt.slots) + 1)
    return (*(gene for gene in one if gene[0] < point), *(gene for gene in other if gene[0] >= point))


def _mutated(hunt: _Hunt, child: Choice, ranked: list[int]) -> Choice:
    genes = dict(child)
    for slot in ranked:
        if not genes or hunt.rng.random() < MUTATION:
            genes[slot] = hunt.rng.randrange(len(hunt.slots[slot]))
    return tuple(sorted(genes.items()))
