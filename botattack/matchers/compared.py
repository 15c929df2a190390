"""Questions that compare ("Which is older, A or B?"): which of the two a sentence says it is.

Read from the comparison itself: "A is older than B", "B is younger than A", "A lies north of B".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from botattack.matchers.figures import plain
from botattack.matchers.quantities import Quantity, quantities
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


_EVEN_MORE = r" (?:but|and|while|yet) {} (?:is|was|are|were) (?:(?:even|far|much|still|lot|bit) )*(?:{}) $"
""" "Ann is tall, but Ida is even taller"."""


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
            if re.search(rf" {re.escape(second)} .*{_EVEN_MORE.format(re.escape(first), said)}", sentence.text):
                return wins
    return _more(asked, sentence, one, other)


_SPANS = frozenset(("time", "months", ""))
_LENGTHS = frozenset(("length",))
_MEASURES: Mapping[str, frozenset[str]] = {
    "older": _SPANS,
    "earlier": _SPANS,
    "heavier": frozenset(("mass",)),
    "faster": frozenset(("speed",)),
    "higher": _LENGTHS,
    "longer": _LENGTHS | _SPANS - {""},
    "farther": _LENGTHS,
    "deeper": _LENGTHS,
    "wider": _LENGTHS,
    "hotter": frozenset(("celsius", "fahrenheit", "degrees")),
    "dearer": frozenset(("cents", "crowns", "euros", "dollars", "sterling", "francs")),
    "bigger": frozenset(("area", "length", "volume")),
    "louder": frozenset(("loudness",)),
}
"""In what the things are measured that one compares so; of a bare number it must be said."""
_FIRST_YEAR, _LAST_YEAR = 1000, 2100


def _more(asked: Comparison, sentence: Normal, one: str, other: str) -> str:
    """Which of two options the figure says it is that stands beside each: "A is 41, B only 9"."""
    spelt = plain(sentence.raw)
    sentence = normalise(spelt.text) if spelt else sentence
    found = [each for each in quantities(sentence) if each.dimension or each.number]
    places = {name: sentence.text.count(" ", 0, sentence.text.find(f" {name} ")) for name in (one, other)}
    first, second = sorted(places, key=lambda name: places[name])
    mine = [each for each in found if places[first] < each.first < places[second]]
    theirs = [each for each in found if each.first > places[second]]
    if len(mine) != 1 or len(theirs) != 1:
        return ""
    up = next((word for word in _MEASURES if word in asked.mine | asked.reverse), "")
    same = mine[0].dimension == theirs[0].dimension
    if not (same or not theirs[0].dimension) or (up and mine[0].dimension not in _MEASURES[up]) or not (up or same):
        return ""
    if not up and "more" not in asked.mine | asked.reverse:
        return ""
    low, high = (each[0].value if same else each[0].number for each in (mine, theirs))
    if not mine[0].dimension and up:
        low, high = _year(sentence, mine[0]), _year(sentence, theirs[0])
    if low == high:
        return ""
    reversed_ = (up not in asked.mine) if up else "more" not in asked.mine
    return first if (low > high) != reversed_ else second


def _year(sentence: Normal, number: Quantity) -> float:
    """How long ago a year was; an age as it is."""
    if sentence.words[number.last + 1 : number.last + 2] in (("bc",), ("bce",)):
        return number.number
    return -number.number if _FIRST_YEAR <= number.number <= _LAST_YEAR else number.number
