"""Questions that compare ("Which is older, A or B?"): which of the two a sentence says it is.

Read from the comparison itself: "A is older than B", "B is younger than A", "A lies north of B".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from botattack.text.normalise import Normal, normalise

_GROUPS = (
    ("bigger larger greater", "smaller tinier"),
    ("older elder", "younger newer"),
    ("earlier sooner before 1st", "later after last"),
    ("heavier", "lighter"),
    ("faster quicker", "slower"),
    ("higher taller", "lower shorter"),
    ("longer", "shorter"),
    ("hotter warmer", "colder cooler"),
    ("farther further", "nearer closer"),
    ("deeper", "shallower"),
    ("dearer costlier", "cheaper"),
    ("richer wealthier", "poorer"),
    ("stronger harder", "weaker softer"),
    ("more", "less fewer"),
    ("wider broader", "narrower"),
    ("brighter", "darker dimmer"),
    ("louder", "quieter"),
    ("denser", "thinner"),
)
_SIDES = tuple((frozenset(up.split()), frozenset(down.split())) for up, down in _GROUPS)
_DIRECTIONS = {"north": "south", "south": "north", "east": "west", "west": "east"}


class Comparison(NamedTuple):
    """What a question compares by: the words that say it, and those that say the reverse."""

    mine: frozenset[str]
    reverse: frozenset[str]


@lru_cache(maxsize=1024)
def comparison(question: str) -> Comparison | None:
    """What a question that offers a choice compares by; None where it compares nothing."""
    asked = {*normalise(question).words}
    if "or" not in asked:
        return None
    for direction, opposite in _DIRECTIONS.items():
        if direction in asked and opposite not in asked:
            return Comparison(frozenset((direction,)), frozenset((opposite,)))
    for up, down in _SIDES:
        if asked & up and not asked & down:
            return Comparison(up, down)
        if asked & down and not asked & up:
            return Comparison(down, up)
    return None


def winner(asked: Comparison, sentence: Normal, one: str, other: str) -> str:
    """Which of two options a sentence says it is; empty where it does not say."""
    if f" {one} " not in sentence.text or f" {other} " not in sentence.text or " not " in sentence.text:
        return ""
    for first, second in ((one, other), (other, one)):
        for words, wins in ((asked.mine, first), (asked.reverse, second)):
            said = "|".join(sorted(words))
            pattern = rf" {re.escape(first)} (?:\S+ ){{0,12}}?(?:{said}) (?:\S+ ){{0,3}}?(?:than|of) (?:\S+ ){{0,3}}?"
            if re.search(rf"{pattern}{re.escape(second)} ", sentence.text):
                return wins
    return ""
