"""How a question may begin that is given up at once: "How long is …", "Who founded …". Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import overload

from botattack.text.function_word_list import word_list

_BARE = word_list("what who where when why how which")
_HOW = word_list("many much long old far often big large high wide")
_WHAT = word_list("year type kind percentage part number country city area group")
_HELPERS = word_list("is are was were do does did has have had can could will would should may might must")
_DENIED = word_list("isn't aren't wasn't weren't don't doesn't didn't hasn't haven't can't couldn't won't wouldn't")
ASKED: Sequence[str] = (
    *_BARE,
    *(f"how {word}" for word in _HOW),
    *(f"{asks} {word}" for asks in ("what", "which") for word in _WHAT),
    *(f"{asks} {word} of" for asks in ("what", "which") for word in ("type", "kind", "percentage", "part")),
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
    return tuple(f"{asked} {word}" for asked in ASKED for word in _HELPERS)


@cache
def short() -> Mapping[Sequence[str], int]:
    """The beginnings that name nothing, and how common they are."""
    return {
        tuple(ASKED): 11,
        tuple(helped()): 7,
        tuple(f"{start} {word}" for start in helped() for word in ("the", "a", "some")): 2,
        tuple(f"{asked} {word}" for asked in _BARE for word in _DENIED): 1,
    }


def naming(pools: Mapping[str, Sequence[str]]) -> Iterator[Sequence[str]]:
    """The beginnings that name something of these phrases by kind; and a phrase alone."""
    nouns, whole, loose = (pools.get(kind, ()) for kind in ("noun", "whole noun", "loose whole noun"))
    verbs = [verb for kind in ("base", "past", "present") for verb in pools.get(kind, ())]
    found = (
        Pairs([start for start in ASKED if start.split()[-1] in ("what", "which", "many", "of")], nouns),
        Pairs(["who", "what", "which"], verbs),
        Pairs(helped(), whole),
        Pairs(helped(), loose),
        whole,
        loose,
    )
    yield from (pool for pool in found if len(pool))
