"""Words that are turned round: of each pair, what is true of one is not true of the other. Pure; English."""

from __future__ import annotations

from collections.abc import Mapping


def _both_ways(pairs: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for pair in pairs.split():
        one, other = pair.split("/")
        found[one] = (*found.get(one, ()), other)
        found[other] = (*found.get(other, ()), one)
    return found


_DONE = _both_ways(
    "open/close lock/unlock add/remove activate/deactivate enable/disable install/uninstall load/unload "
    "connect/disconnect upload/download subscribe/unsubscribe attach/detach pack/unpack block/unblock freeze/unfreeze "
    "assemble/dismantle inflate/deflate fold/unfold borrow/lend deposit/withdraw raise/lower push/pull"
)
_HAPPENS = _both_ways(
    "open/close start/stop begin/end buy/sell increase/decrease win/lose expand/shrink succeed/fail "
    "appear/disappear marry/divorce hire/fire deposit/withdraw"
)
_HOLDS = _both_ways("accept/reject allow/forbid permit/prohibit import/export love/hate like/dislike")
REVERSED: Mapping[str, Mapping[str, tuple[str, ...]]] = {"done": _DONE, "happens": _HAPPENS, "holds": _HOLDS}
"""Verbs of which one undoes the other, or is true where the other is not, by what they say: what people do with a thing
("how do I lock it"), what happens, and what holds of things ("which cards do you accept"). WordNet's antonyms hold as
well pairs that have the same answer ("go" and "come") and words that nobody uses ("unmake")."""

ENDS: Mapping[str, tuple[str, ...]] = _both_ways(
    "first/last earliest/latest most/least best/worst maximum/minimum biggest/smallest busiest/quietest"
)
"""Adjectives that name one end of an order. All superlatives do too, by WordNet's antonyms."""


def reversed_verbs(lemma: str) -> tuple[str, ...]:
    """The verbs that turn this one round, of whatever kind."""
    return tuple(dict.fromkeys(other for pairs in REVERSED.values() for other in pairs.get(lemma, ())))
