"""How a question may begin that is given up at once: "How long is …", "Who founded …". Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import overload

from botattack.text.word_lists import denied, grammar_words, slip_words, word_tuple


@cache
def asked() -> Sequence[str]:
    """What asks for something, before a verb or a noun."""
    bare, nouns = word_tuple("slips.bare"), word_tuple("slips.nouns")
    return (
        *bare,
        *(f"how {word}" for word in word_tuple("slips.how")),
        *(f"{asks} {noun}" for asks in ("what", "which") for noun in nouns),
        *(f"{asks} {noun} of" for asks in ("what", "which") for noun in ("type", "kind", "percentage", "part")),
        "in what year",
        "in which",
    )


class Pairs(Sequence[str]):
    """Every head with every tail, made when looked at."""

    def __init__(self, heads: Sequence[str], tails: Sequence[str]) -> None:
        self._heads = heads
        self._tails = tails

    def __len__(self) -> int:
        return len(self._heads) * len(self._tails)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        head, tail = divmod(at, len(self._tails))
        return f"{self._heads[head]} {self._tails[tail]}"

    def __contains__(self, said: object) -> bool:
        return any(
            said.startswith(f"{head} ") and said[len(head) + 1 :] in self._tails
            for head in self._heads
            if isinstance(said, str)
        )


@cache
def helped() -> Sequence[str]:
    """What is asked for with an auxiliary behind it."""
    helpers = sorted(grammar_words.finite - {"am"})
    return tuple(f"{said} {word}" for said in asked() for word in helpers)


@cache
def short() -> Mapping[Sequence[str], int]:
    """The beginnings that name nothing, and how common they are."""
    return {
        tuple(asked()): 11,
        tuple(helped()): 7,
        tuple(f"{start} {word}" for start in helped() for word in ("the", "a", "some")): 2,
        tuple(f"{said} {word}" for said in word_tuple("slips.bare") for word in denied().values()): 1,
    }


def clashes(beginning: str) -> int:
    """Whether an auxiliary does not agree with what is behind it, or with how much is asked for before it."""
    words = beginning.split()
    at = next((i for i, word in enumerate(words) if word in slip_words.one | slip_words.many), 0)
    if not at:
        return 0
    one, ends = words[at] in slip_words.one, at == len(words) - 1
    if words[at - 1] == "many":
        return int(one or not ends)
    return int(not ends and one == (words[-1].endswith("s") or "and" in words))


def naming(pools: Mapping[str, Sequence[str]]) -> Iterator[tuple[Sequence[str], int]]:
    """The beginnings that name something of these phrases by kind, or are a phrase alone; and how common they are."""
    noun, whole, loose, broken, determined = (
        pools.get(kind, ()) for kind in ("noun", "whole noun", "loose whole noun", "loose noun", "determined")
    )
    verbs = [verb for kind in ("base", "past", "present") for verb in pools.get(kind, ())]
    found = (
        (Pairs([start for start in asked() if start.split()[-1] in ("what", "which", "many", "of")], noun), 3),
        (Pairs(["what", "which"], broken), 1),
        (Pairs(["who", "what", "which"], verbs), 5),
        (Pairs(helped(), whole), 8),
        (Pairs(helped(), loose), 5),
        (Pairs(helped(), determined), 8),
        (whole, 4),
        (loose, 2),
        (determined, 2),
    )
    yield from ((pool, share) for pool, share in found if len(pool))
