"""Guided search over the candidates of an attack, fed by the matcher's scores (section "AddAny" of Persian QA for the
genetic one's numbers; greedy and beam as usual in the field). Pure: asks one variant at a time, stops at a success."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random
from typing import Any, ClassVar, Literal, Protocol

from botattack.attacks.combine import Option, Slot
from botattack.attacks.guard import Edits, Judgement
from botattack.attacks.roles import LEFT_OUT, PART, Roles
from botattack.model import Edit, Expect, Outcome, Prompt, Variant, apply_edits
from botattack.protocols import Context
from botattack.text.spelling import distance
from botattack.text.tokens import normalised

Search = Literal["none", "greedy", "beam", "genetic"]
UNGUIDED = 3
"""Failures before words are left out one at a time: a bot that breaks at the first word is not asked about others."""
TRIES = 3
"""Options of a place that are tried before the best of them stays, once scores tell them apart; before, one."""
WIDTH = 3
POPULATION = 6
MUTATION = 0.3
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


def search_slots(
    attack: Searches,
    context: Context,
    slots: Sequence[Slot],
    rng: Random,
    *,
    most: int,
    judge: Callable[[Edits], Judgement] | None,
) -> Step:
    """Yields single variants until one breaks the bot, `queries` requests are spent or nothing new is left.

    First comes one edit of the word whose role broke most often so far in this run (`Roles`), then edits of as many
    words as the limits allow. After three failures the words are left out one at a time, where unsure variants may be
    asked, to see what each weighs; then the method goes on from the weightiest. Where most requests of this run broke
    the bot, a question that holds is given up sooner (`Roles.patience`).
    """
    roles = context.parts.get(PART) or Roles()
    queries = min(attack.queries, max(1.0, roles.patience))
    hunt = _Hunt(attack, context, [_ordered(slot, attack.take, roles, rng) for slot in slots], rng, judge, queries)
    ranked = sorted(range(len(slots)), key=lambda i: (-roles.rate(slots[i][0].edits[0]), rng.random()))
    if ranked:
        yield from hunt.ask(((ranked[0], 0),))
    for turn in range(1, UNGUIDED):
        start = turn % max(1, len(ranked))
        yield from hunt.ask(_widest(hunt, [*ranked[start:], *ranked[:start]]))
    if hunt.over or not slots:
        return
    ranked = yield from _by_weight(hunt, ranked)
    method = {"greedy": _greedy, "beam": _beam, "genetic": _genetic}[attack.search]
    rounds = 0
    while not hunt.over and hunt.asked < most and rounds < attack.queries:
        rounds += 1
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


def _widest(hunt: _Hunt, ranked: Sequence[int]) -> Choice:
    """Edits of as many slots as the limits allow, the first ones first: a bot that hears one word only hears it."""
    choice: Choice = ()
    for slot in ranked:
        fitting = _unasked(hunt, choice, slot)
        choice = fitting[0] if fitting else choice
    return choice


@dataclass
class _Hunt:
    """What has been asked of a question, and at what cost."""

    attack: Searches
    context: Context
    slots: list[list[Option]]
    rng: Random
    judge: Callable[[Edits], Judgement] | None
    most: float
    scores: dict[Choice, float] = field(default_factory=dict)
    spent: int = 0
    broken: bool = False
    _seen: set[str] = field(default_factory=set)

    @property
    def over(self) -> bool:
        return self.broken or self.spent >= self.most

    @property
    def asked(self) -> int:
        return len(self.scores)

    @property
    def tries(self) -> int:
        return TRIES if len(set(self.scores.values())) > 1 else 1

    def ask(self, choice: Choice) -> Asking:
        """How near the choice came to breaking the bot: from 0 to 1; 0 unasked where the search is over."""
        if choice in self.scores or self.over or not choice:
            return self.scores.get(choice, 0.0)
        options = [self.slots[slot][number] for slot, number in choice]
        edits = tuple(edit for option in options for edit in option.edits)
        variant = self._variant(edits, self.judge(edits) if self.judge else ("kept", ""))
        if normalised(variant.prompt.text) in self._seen:
            return self.scores.setdefault(choice, 0.0)
        self._seen.add(normalised(variant.prompt.text))
        outcome = (yield [variant])[0]
        self.broken = outcome.result == "success" and variant.meaning_as_claimed
        self.scores[choice] = self._count(outcome)
        return self.scores[choice]

    def weigh(self, slot: int) -> Generator[list[Variant], Sequence[Outcome], float | None]:
        """How near the question without the slot's words comes to breaking the bot; None where it was not asked."""
        option = self.slots[slot][0]
        before = self.context.question.text[option.start : option.end]
        first = option.edits[0]
        edit = Edit(option.start, before, "", LEFT_OUT, "question", first.relation, first.pos)
        why = "a probe: what does the bot make of the question without this word"
        variant = self._variant((edit,), ("unsure", why))
        if not variant.prompt.text.strip() or self.over:
            return None
        outcome = (yield [variant])[0]
        score = self._count(outcome)
        return score if outcome.replies else None

    def _count(self, outcome: Outcome) -> float:
        self.spent += max(1, outcome.requests) if outcome.replies or outcome.verdict.kind == "error" else 0
        if outcome.verdict.kind not in ("correct", "wrong", "refused"):
            return 0.0
        score = outcome.verdict.score
        return 1 - score if self.attack.expect == "same" else score

    def _variant(self, edits: Edits, judgement: Judgement) -> Variant:
        question = self.context.question
        text = apply_edits(question.text, edits)
        prompt = Prompt(text, question.passages, question.history)
        return Variant(
            (prompt,), self.attack.name, edits, self.attack.expect, distance(question.text, text), *judgement
        )

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


def _by_weight(hunt: _Hunt, ranked: list[int]) -> Generator[list[Variant], Sequence[Outcome], list[int]]:
    """The slots by leave-one-out importance, as far as at most half of the queries tell it; ties keep their order."""
    weights: dict[int, float] = {}
    for slot in ranked:
        if hunt.spent * 2 >= hunt.most:
            break
        weight = yield from hunt.weigh(slot)
        if weight is None:
            break
        weights[slot] = weight
    return sorted(ranked, key=lambda slot: -weights.get(slot, 0.0))


def _unasked(hunt: _Hunt, base: Choice, slot: int) -> list[Choice]:
    """What adding an option of a slot gives, if it fits and is new."""
    options = range(len(hunt.slots[slot]))
    grown = (tuple(sorted((*base, (slot, number)))) for number in options)
    return [choice for choice in grown if choice not in hunt.scores and hunt.fits(choice)]


def _greedy(hunt: _Hunt, ranked: list[int]) -> Step:
    """Word by word, the best of a few options stays unless it brings the bot back."""
    best: Choice = ()
    for slot in ranked:
        tried = _unasked(hunt, best, slot)[: hunt.tries]
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
