"""Questions that compare ("Which is older, A or B?"): which of the two a sentence says it is.

Read from the comparison itself: "A is older than B", "B is younger than A", "A lies north of B".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from botattack.matchers.claimless.void import content, stem
from botattack.matchers.figures.plain import plain
from botattack.matchers.figures.quantities import Quantity, is_unit, quantities
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


_THAN = frozenset(("than", "before", "after"))
_OF_WHICH = re.compile(r" (?P<one>.+?) (?P<how>than|before|after) (?P<other>.+) $")
_DONE_TEXT = (
    "is are was were does do did has have had can could will would born built founded weigh cost die died live lived "
    "invented written published made discovered completed opened run grow much far any even really still more"
)
_DONE = frozenset(_DONE_TEXT.split())
"""Words around the first of two things that are compared, which say what it is compared by."""
_BEGUN_TEXT = "born built founded died die invented written published made discovered completed opened released"
_BEGUN = frozenset(_BEGUN_TEXT.split())
"""What one thing does before another: "Was A born before B?"."""
_BESIDE_TEXT = (
    "is are was were it they he she far clearly definitely obviously much many times lot slightly little bit way of "
    "course actually considerably significantly certainly by 1 one as in fact about nearly almost came and so very "
    "indeed i think that did does has 2"
)
_BESIDE = frozenset(_BESIDE_TEXT.split())
_ALIKE = frozenset(("same", "equal", "equally", "identical"))
_DEAR = (
    (" more expensive ", " dearer "),
    (" less expensive ", " cheaper "),
    (" costs more ", " is dearer "),
    (" costs less ", " is cheaper "),
    (" cost more ", " are dearer "),
    (" cost less ", " are cheaper "),
)
_SHORT, _LONGEST_NAME = 7, 4
"""Words up to which a reply that compares may leave out one of the two; and words of a name."""


def is_more(question: Normal, reply: Normal) -> Literal["yes", "no"] | None:
    """What a reply says to "Is A older than B?" that names one of the two, or says of both what they measure."""
    if _THAN.isdisjoint(question.words) or "not" in reply.words or "not" in question.words:
        return None
    parted = _OF_WHICH.match(_in_one_word(question.text))
    by = parted and _compared_by(parted)
    if not parted or not by or reply.raw.rstrip().endswith("?"):
        return None
    one, other = _named(parted["one"], by), _named(parted["other"], by)
    if not one or not other or one == other or other[0].isdecimal():
        return None
    named = _brief(by, question, reply, one, other) or winner(by, reply, one, other)
    return "yes" if named == one else "no" if named else None


def _in_one_word(text: str) -> str:
    """ "Dearer", for "more expensive"."""
    for several, word in _DEAR if " expensive " in text or " cost" in text else ():
        text = text.replace(several, word)
    return text


def _compared_by(parted: re.Match[str]) -> Comparison | None:
    """What the first of the things is said to be more of than the other; of time, to be older is to be earlier."""
    words = parted["one"].split()
    if parted["how"] != "than" and words[-1] not in _BEGUN:
        return None
    asked = frozenset(words if parted["how"] == "than" else (parted["how"],))
    pair = next((pair for pair in (*_SIDES, *(side[::-1] for side in _SIDES)) if asked & pair[0]), None)
    ages, orders = _SIDES[1], _SIDES[2]
    if pair in (ages, orders):
        return Comparison(ages[0] | orders[0], ages[1] | orders[1])
    if pair in (ages[::-1], orders[::-1]):
        return Comparison(ages[1] | orders[1], ages[0] | orders[0])
    return pair and Comparison(*pair)


def _named(text: str, by: Comparison) -> str:
    words = text.split()
    while words and words[0] in _DONE:
        words = words[1:]
    while words and (words[-1] in _DONE or words[-1] in by.mine):
        words = words[:-1]
    return " ".join(words) if len(words) <= _LONGEST_NAME else ""


def _brief(by: Comparison, question: Normal, reply: Normal, one: str, other: str) -> str:
    """Of a reply such as "Gold, by far", "Silver is lighter" or "Much heavier": which of the two it is."""
    if len(reply.words) > _SHORT:
        return ""
    text = _in_one_word(reply.text)
    known = {*question.words, *_BESIDE, *by.mine, *by.reverse}
    words = [word if word in known else word.removesuffix("s") for word in text.split()]
    if not _ALIKE.isdisjoint(words):
        return other
    names = {name: {*name.split()} for name in (one, other)}
    said = [name for name in (one, other) if (names[name] - names[other if name == one else one]) & {*words}]
    if len(said) > 1 or any(not (word in known or word.isdecimal() or is_unit(word)) for word in words):
        return ""
    mine, reverse = not by.mine.isdisjoint(words), not by.reverse.isdisjoint(words)
    if mine == reverse:
        return said[0] if said and not mine and not any(map(str.isdecimal, words)) else ""
    first = said[0] if said else one
    return first if mine else other if first == one else one


_BOUND = re.compile(
    r" (?:(?P<more>(?:more|longer|older|higher|taller|heavier|warmer|hotter|bigger|larger|later|further|farther|faster"
    r"|deeper) than|over|above|after|beyond)|(?P<less>(?:less|fewer|shorter|younger|lower|lighter|colder|cooler"
    r"|smaller|earlier|cheaper|nearer|closer) than|under|below|before)|(?P<least>at least)|(?P<most>at most|up to))"
    r" (?=\d|half )"
)
_BOUNDS_TEXT = "than over above after beyond under below before least most up"
_BOUNDS = frozenset(_BOUNDS_TEXT.split())
_HEDGES = frozenset(("not", "or", "no", "never", "only", "except", "unless", "between", "without"))
_STANDS = frozenset(("it", "they", "that", "this", "you", "we", "he", "she"))


def is_beyond(question: Normal, reply: Normal) -> Literal["yes", "no"] | None:
    """What the one figure of a reply says to a question that puts a bound forward: "90 minutes", to "Does it take more
    than an hour?"."""
    if _BOUNDS.isdisjoint(question.words) or not _HEDGES.isdisjoint((*question.words, *reply.words)):
        return None
    if reply.raw.rstrip().endswith("?") or not _is_of(question, reply):
        return None
    return _beyond(question, reply) or _beyond(_plainly(question), _plainly(reply))


def _beyond(question: Normal, reply: Normal) -> Literal["yes", "no"] | None:
    bound = _BOUND.search(question.text)
    wanted = list(quantities(question)) if bound else []
    if bound is None or len(wanted) != 1 or len(question.words) - wanted[0].last > _TAIL:
        return None
    said = [each for each in quantities(reply) if not wanted[0].dimension or each.dimension]
    if len(said) != 1 or not _of_a_kind(said[0], wanted[0]):
        return None
    after = reply.words[said[0].last + 1 : said[0].last + 2]
    year = _FIRST_YEAR <= said[0].number <= _LAST_YEAR
    if not (said[0].dimension or year) and after and content(normalise(after[0])) - content(question):
        return None
    value, limit = said[0].value, wanted[0].value
    if value == limit and "than" not in bound.group():
        return None
    sides = {"more": value > limit, "less": value < limit, "least": value >= limit, "most": value <= limit}
    return "yes" if sides[bound.lastgroup or "more"] else "no"


_TAIL = 3
"""Words from which on a bound belongs to what is asked about, and is not asked: "Do children under 5 get in free?"."""
_DEGREES = frozenset(("degrees", "celsius", "fahrenheit"))


def _of_a_kind(one: Quantity, other: Quantity) -> bool:
    return one.dimension == other.dimension or (
        {one.dimension, other.dimension} <= _DEGREES and "degrees" in (one.dimension, other.dimension)
    )


def _plainly(text: Normal) -> Normal:
    spelt = plain(text.raw)
    return normalise(spelt.text) if spelt else text


def _is_of(question: Normal, reply: Normal) -> bool:
    """Whether a reply speaks of what was asked about, or is little more than its figure."""
    if not _STANDS.isdisjoint(reply.words[:2]):
        return True
    words = (word for word in reply.words if not word[0].isdecimal() and content(normalise(word)))
    lead = next(words, "")
    return not lead or is_unit(lead) or stem(lead) in content(question)
