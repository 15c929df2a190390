"""Beam search over the candidates of an attack, guided by what broke the bot before and by the matcher's scores. Pure:
asks one variant at a time, stops at a success."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import islice, zip_longest
from random import Random

from botattack.attacks.building.combinations import Option, Slot
from botattack.attacks.building.guard import Edits, Judgement
from botattack.attacks.building.hunt import Choice, Combining, CombiningHunt, Guided, Hunt, VariantHunt
from botattack.attacks.building.roles import PART, Roles, Spot, spots_of
from botattack.model import Outcome, Variant
from botattack.protocols import Attack, Context

UNGUIDED = 3
"""Failures before words are left out one at a time: a bot that breaks at the first word is not asked about others."""
PROBES = 10
"""Words that are left out at most: as many however long a search is, so that a longer one only goes further."""
WIDTH = 3
"""How many of the best so far are built on."""
Step = Generator[list[Variant], Sequence[Outcome], None]


def learns(attack: Attack) -> bool:
    """Whether an attack, or one in it, is guided by what broke the bot before."""
    limits = attack.search_limits
    return (limits is not None and limits.learns) or any(map(learns, attack.links))


def in_order(attack: Guided, variants: Iterable[Variant]) -> Step:
    """Yields variants one by one as they come, until enough broke the bot or all requests are spent."""
    spent = wins = 0
    for variant in variants:
        outcome = (yield [variant])[0]
        spent += outcome.requests
        wins += outcome.result == "success" and outcome.variant.meaning_as_claimed
        if spent >= attack.queries or wins >= attack.successes:
            return


def search_slots(
    attack: Combining,
    context: Context,
    slots: Sequence[Slot],
    rng: Random,
    *,
    most: int,
    judge: Callable[[Edits], Judgement] | None,
) -> Step:
    """Yields single variants until one breaks the bot, `queries` requests are spent, nothing is left that pays or too
    many in a row may not be asked (`DOUBTED`).

    First comes one edit of the word whose role broke most often so far in this run (`Roles`), then twice what is
    likeliest to: another word, or as many words at once as the limits allow. After three failures words are left out
    one at a time to see what each weighs, and the beam grows from the weightiest. What so far in this run broke
    the bot much more seldom than requests do on the whole is not asked (`Roles.pays`).
    """
    roles = _roles(context)
    ordered = [_ordered(slot, attack.take, roles, rng) for slot in slots]
    yield from _search(CombiningHunt(attack, context, ordered, rng, roles, judge=judge), most, leave_out=True)


def search_variants(attack: Guided, context: Context, variants: Sequence[Variant], rng: Random) -> Step:
    """As `search_slots` where candidates are whole variants: those that edit the same places are one slot, and nothing
    is left out."""
    roles = _roles(context)
    slots: dict[frozenset[Spot], list[Option]] = {}
    for variant in variants:
        slots.setdefault(spots_of(variant.edits), []).append(Option(0, 0, "", variant.edits, variant.distance, 0))
    ordered = [_ordered(slot, attack.take, roles, rng) for slot in slots.values()]
    by_edits = {variant.edits: variant for variant in variants}
    yield from _search(
        VariantHunt(attack, context, ordered, rng, roles, variants=by_edits), len(variants), leave_out=False
    )


def _roles(context: Context) -> Roles:
    return context.parts.get(PART) or Roles()


def _search(hunt: Hunt, most: int, *, leave_out: bool) -> Step:
    ranked = hunt.rng.sample(range(len(hunt.slots)), len(hunt.slots))
    ranked.sort(key=lambda slot: hunt.before.rank(hunt.slots[slot][0].edits[0]), reverse=True)
    if not ranked:
        return
    first: Choice = ((ranked[0], 0),)
    if hunt.pays(first) or hunt.pays(hunt.likeliest(ranked)):
        yield from hunt.ask(first, anyway=True)
    for _ in range(1, UNGUIDED):
        yield from hunt.ask(hunt.likeliest(ranked))
    yield from _exploit(hunt, ranked)
    if hunt.over:
        return
    if leave_out:
        ranked = yield from _by_weight(hunt, ranked)
    asked = -1
    while not hunt.over and asked < hunt.asked < most:
        asked = hunt.asked
        yield from _beam(hunt, ranked)
        yield from _exploit(hunt, ranked)
    # What guesses did not reach is still there to be asked in order.
    for choice in _first(hunt.slots, ranked, hunt.attack.queries):
        yield from hunt.ask(choice)


def _exploit(hunt: Hunt, ranked: list[int]) -> Step:
    """Where more than one success is looked for: once there is one, what is likeliest is more of the same."""
    asked = -1
    while hunt.wins and not hunt.over and asked < hunt.asked:
        asked = hunt.asked
        yield from hunt.ask(hunt.likeliest(ranked))


def _ordered(slot: Slot, take: str, roles: Roles, rng: Random) -> list[Option]:
    """Edits of the kinds and sizes that broke most often first; else nearest first, where asked for, or by chance."""
    shuffled = rng.sample(slot, len(slot))
    near = sorted(shuffled, key=lambda option: option.distance) if take == "nearest" else shuffled
    return sorted(near, key=lambda option: -roles.edit_rate(option.edits[0])) if roles.by_edit else near


def _first(slots: Sequence[Slot], ranked: Sequence[int], most: int) -> list[Choice]:
    """Single edits: the first option of every slot in turn, then the second of every slot."""
    columns = zip_longest(*([((i, n),) for n in range(len(slots[i]))] for i in ranked))
    return [choice for row in columns for choice in row if choice][:most]


def _by_weight(hunt: Hunt, ranked: list[int]) -> Generator[list[Variant], Sequence[Outcome], list[int]]:
    """The slots by leave-one-out importance, as far as `PROBES` tell it; ties keep their order.

    Nothing is left out where that could not pay: a word with one edit only, which is sooner made; or any word, where
    so far in this run those that were edited in vain were not worth another edit.
    """
    weights: dict[int, float] = {}
    rich = [slot for slot in ranked if len(hunt.slots[slot]) > 1]
    if hunt.failures >= UNGUIDED and len(rich) > 1 and hunt.again_pays(rich[0]):
        for slot in rich[:PROBES]:
            weight = yield from hunt.weigh(slot)
            if weight is None:
                break
            weights[slot] = weight
    return sorted(ranked, key=lambda slot: -weights.get(slot, 0.0))


def _beam(hunt: Hunt, ranked: list[int]) -> Step:
    """Word by word: each adds its options to the few best so far, and the best of all go on."""
    beam: list[Choice] = [()]
    for slot in ranked:
        grown = [choice for base in beam for choice in islice(hunt.unasked(base, slot), hunt.tries)]
        for choice in grown:
            yield from hunt.ask(choice)
        beam = sorted([*grown, *beam], key=lambda choice: -hunt.scores.get(choice, 0.0))[:WIDTH]
