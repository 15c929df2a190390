"""Questions that compare ("Which is older, A or B?"): which of the two a sentence says it is.

Read from the comparison itself ("A is older than B", "B is younger than A", "A lies north of B"), else from two figures
of one kind, one beside each ("A was born in 384 BC, B in 1809").
"""

from __future__ import annotations

import re
from functools import lru_cache

from botattack.matchers.quantities import quantities
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
_BY_TIME_TEXT = "older elder younger newer earlier sooner before 1st later after last"
_BY_TIME = frozenset(_BY_TIME_TEXT.split())
_DIRECTIONS = {"north": "south", "south": "north", "east": "west", "west": "east"}
_YEAR = re.compile(r" (\d{3,4}|\d{1,2}(?= (?:bc|bce|ad|ce) ))(?: (bc|bce|ad|ce))?(?= )")
_REACH = 80


class Comparison:
    """What a question compares by: the words that say it, those that say the reverse, and which of two figures it
    asks for."""

    def __init__(self, mine: frozenset[str], reverse: frozenset[str], *, most: bool) -> None:
        self.mine, self.reverse, self.most = mine, reverse, most
        self.by_time = not mine.isdisjoint(_BY_TIME)

    @property
    def words(self) -> frozenset[str]:
        return self.mine | self.reverse


@lru_cache(maxsize=1024)
def comparison(question: str) -> Comparison | None:
    """What a question that offers a choice compares by; None where it compares nothing."""
    asked = {*normalise(question).words}
    if "or" not in asked:
        return None
    for direction, opposite in _DIRECTIONS.items():
        if direction in asked and opposite not in asked:
            return Comparison(frozenset((direction,)), frozenset((opposite,)), most=True)
    for up, down in _SIDES:
        if asked & up and not asked & down:
            return Comparison(up, down, most=True)
        if asked & down and not asked & up:
            return Comparison(down, up, most=False)
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
    return _by_figures(asked, sentence, one, other)


def _by_figures(asked: Comparison, sentence: Normal, one: str, other: str) -> str:
    mine, theirs = _beside(sentence.text, one, other), _beside(sentence.text, other, one)
    pair = (_year(mine), _year(theirs)) if asked.by_time else _measures(mine, theirs)
    if pair is None or pair[0] is None or pair[1] is None or pair[0] == pair[1]:
        return ""
    earliest = asked.by_time and not asked.mine.isdisjoint(("older", "earlier", "1st"))
    least = earliest or (not asked.by_time and not asked.most)
    return one if (pair[0] < pair[1]) == least else other


def _beside(text: str, option: str, other: str) -> str:
    """What follows an option, up to the other one."""
    at = text.find(f" {option} ") + len(option) + 1
    end = text.find(f" {other} ", at)
    return text[at : end if end >= 0 else at + _REACH][:_REACH] + " "


def _year(text: str) -> int | None:
    found = _YEAR.search(text)
    return None if found is None else int(found[1]) * (-1 if found[2] and found[2].startswith("b") else 1)


def _measures(mine: str, theirs: str) -> tuple[float, float] | None:
    one, other = (next(quantities(normalise(text)), None) for text in (mine, theirs))
    if one is None or other is None or not one.dimension or one.dimension != other.dimension:
        return None
    return one.value, other.value
