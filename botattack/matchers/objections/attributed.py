"""A gold answer that a sentence gives to something else: a second value, what another verb says, the rest of a name."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from botattack.matchers.claimless.void import content, stem
from botattack.matchers.compared import comparison
from botattack.matchers.figures.quantities import Quantity, elliptic, gold_quantities, quantities
from botattack.matchers.gold import golds
from botattack.matchers.objections.place import Objection, Place
from botattack.model import GoldAnswer
from botattack.text.normalise import Normal, normalise

_SECOND = re.compile(
    r"\s*[,;(]?\s*(?:which (?:is|was|equals?)|that is|i\.e\.|approximately|about|around|roughly|equals?|equal to|="
    r"|and (?:it )?(?:weighs|costs|measures|lasts|takes|is|was))\s+(?:\S+\s+){0,2}?$",
    re.I,
)
_OF = re.compile(r"^(?P<thing>(?: \S+)+) of $")
_REFERS_TEXT = "you are refer referring to it is that this mean meaning talk talking about want yes well oh ok"
_REFERS = frozenset(_REFERS_TEXT.split())
_PREPOSITIONS = frozenset(("in", "at", "on", "by", "from", "to", "for"))
_ARTICLES = frozenset(("the", "a", "an"))
_DOING = re.compile(r"\b(?P<verb>[a-z]{3,})\s+(?P<prep>in|at|on|by|from|to|for)\s+(?:the\s+|an?\s+)?$")
_DONE = re.compile(
    r"\b(?P<verb>[a-z]{3,})\s+(?P<prep>in|at|on|by|from|to|for)\s+(?:the\s+|an?\s+)?(?P<value>[A-Z]\w+|\d[\d.,:]*)"
)
_ACTS = re.compile(r" (?P<verb>[a-z]{3,}) (?P<object>\S+) and (?P<other>[a-z]{3,}) (?:off |out |up |away )?$")
_PAIR, _PART = 2, 12
_NEAR = 60
"""Characters before an answer in which all that `_ACTS` finds behind its "and" stands."""
_BEGINS_PART = re.compile(r"[.;,!?\n](?: and| but| while)?\s+(?:[Tt]he )?$")
_GOING = frozenset(map(stem, ("go", "goes", "run", "runs", "leaves", "stops")))
"""What is said of every train."""
_SAYS = re.compile(r"\s+(?:[a-z]+ly )?(?:is|was|has|had|comes?|came|follows?|[a-z]+s|[a-z]+ed)\b")
_HEDGING = frozenset(("not", "no", "never", "think", "thought", "believe", "say", "used", "if", "wrong"))
_CODED = re.compile(r"(?P<letters>[a-z]{1,2})(?P<figure>\d{1,4})")
_ROUGHLY_SAME = 0.1


def misattributed(place: Place) -> Objection | None:
    """The first reason why the answer is said of something else."""
    context = place.context
    found = _second_value(place) if _has_measures(context.fresh + context.stale) else None
    if found is None and not context.lacks("where") and "where" in context.question.words:
        found = _in_its_name(place)
    if found is None and not context.choice and _has_measures(context.fresh + context.stale):
        found = _of_another(place)
    if found is None and context.choice:
        found = _done_by_another(place) or _beside_another(place)
    return found or _other_conjunct(place) or _of_its_twin(place) or _told_of_another(place)


@lru_cache(maxsize=1024)
def _has_measures(answers: tuple[GoldAnswer, ...]) -> bool:
    """Whether a gold answer is a number with a unit."""
    literals = golds(answers).literals
    return any(
        quantity.dimension
        for literal in literals
        if not literal.raw.isdecimal()
        for quantity in gold_quantities(normalise(literal.raw))
    )


def _wrong(place: Place, why: str) -> Objection:
    return Objection("elsewhere", "wrong", f"{place.said!r} {why}", place.sentence)


def _second_value(place: Place) -> Objection | None:
    """ "2.5 hours, which is 4 hours": two values that cannot both be."""
    said = tuple(quantities(place.words))
    gold = _gold_among(place, said)
    for quantity in said if gold else ():
        if gold is None or quantity is gold or quantity.dimension != gold.dimension or _near(quantity, gold):
            continue
        if abs(quantity.first - gold.first) > _MOST:
            continue
        first, second = sorted((quantity, gold), key=lambda each: each.first)
        between = _between(place.words, first, second)
        if _SECOND.fullmatch(between):
            why = f"{place.said!r} and another value of the same thing"
            return Objection("contradicted", "unsure", why, place.sentence)
    return None


def _gold_among(place: Place, said: tuple[Quantity, ...]) -> Quantity | None:
    start = place.span[0] - place.sentence[0]
    first = bisect_left(said, start, key=lambda each: place.words.span(each.first, each.last)[0])
    return next((each for each in said[first:] if each.dimension), None)


def _of_another(place: Place) -> Objection | None:
    """ "Tom measures 160 centimetres, Ida 175", to "How tall is Ida?": a name asked about stands at another figure."""
    asked = {word for word in _NAME.findall(place.context.raw[1:]) if f" {word.lower()} " in place.words.text}
    if not asked:
        return None
    said = elliptic(tuple(quantities(place.words)), place.words, place.context.raw)
    start = place.span[0] - place.sentence[0]
    begins = [] if len(said) > _MOST else [place.words.span(each.first, each.last)[0] for each in said]
    mine = next((at for at, begin in enumerate(begins) if begin >= start), None)
    if mine is None or not 1 < len(said) <= _MOST or not said[mine].dimension:
        return None
    parts = [place.words.raw[low:high] for low, high in zip([0, *begins], begins, strict=False)]
    has = [not asked.isdisjoint(_AT_FIGURE.findall(part)) for part in parts]
    named = [bool(_NAME.search(part)) for part in parts]
    other = next(
        (at for at in range(len(said)) if has[at] and said[at].dimension == said[mine].dimension and at != mine), None
    )
    if other is None or has[mine] or not named[mine] or (other < mine and not _AND_NAME.search(parts[mine])):
        return None
    return _wrong(place, f"is said of another than {min(asked)!r}")


_MOST = 12
"""Figures of a sentence that are read, and words that may stand from one to the next: a place is dear to find."""
_AT_FIGURE = re.compile(r"\b([A-Z][a-z]\w*) (?:[a-z]+ ){0,3}$")
_NAME = re.compile(r"\b[A-Z][a-z]\w*")
_AND_NAME = re.compile(r"(?:,|;|\band\b|\bwhile\b|\bbut\b)\s+(?:the )?[A-Z]\w+ (?:\w+ ){0,3}$")


def _done_by_another(place: Place) -> Objection | None:
    """ "Emily Bronte wrote Emma, and Jane Austen Persuasion", to "Who wrote Emma?"."""
    words = place.context.question.text
    if not words.startswith(" who "):
        return None
    for other in place.context.others(place.phrase):
        at = min(at for name in (other, place.phrase) if (at := words.find(f" {name} ")) >= 0)
        done = words[len(" who") : at + 1]
        said = place.whole.text
        if done.count(" ") > 2 and f" {other}{done}" in said and _DENIES.isdisjoint(said.split()):
            return _wrong(place, f"is not the one of whom the reply says{done}".rstrip())
    return None


def _beside_another(place: Place) -> Objection | None:
    """ "Ann is 41, Carla only 9", to "Which is heavier, Ann or Ben?"."""
    asked = comparison(place.context.raw)
    said = place.whole
    others = place.context.others(place.phrase) if asked else ()
    if not (asked and others) or (asked.mine | asked.reverse) & {*said.words}:
        return None
    found = _PARALLEL.match(place.raw_after)
    if found is None or any(f" {other} " in said.text for other in others):
        return None
    name = normalise(found["name"]).text
    return None if name in place.context.question.text else _wrong(place, f"is compared with{name}".rstrip())


_DENIES = frozenset(("not", "no", "never", "wrong", "false", "incorrect"))
_FIGURE = r"(?:\w+ ){1,3}(?:only |just |about )?\d[\d,.]*\b(?: \w+){0,2}"
_PARALLEL = re.compile(rf" {_FIGURE},? (?:and |but |while )?(?:the )?(?P<name>[A-Z]\w+) {_FIGURE}")


def _near(one: Quantity, other: Quantity) -> bool:
    return abs(one.value - other.value) <= _ROUGHLY_SAME * max(abs(one.value), abs(other.value))


def _between(words: Normal, first: Quantity, second: Quantity) -> str:
    return words.raw[words.span(first.first, first.last)[1] : words.span(second.first, second.last)[0]]


def _ends_in_preposition(text: str) -> bool:
    """Whether its last word is one, or an article after one: what `_DOING` ends with, found without it."""
    last = text.rsplit(None, 2)[-2:]
    return bool(last) and (last[-1] in _PREPOSITIONS or (last[-1] in _ARTICLES and last[0] in _PREPOSITIONS))


def _other_conjunct(place: Place) -> Objection | None:
    """ "It leaves at 16.20 and lands at 18.05", to "When does it land?"; "She wrote Emma and liked Pamela"."""
    start = place.span[0]
    if " and " in place.text[max(0, start - _NEAR) : start] and (acts := _ACTS.search(place.before)):
        asked = place.context.content
        if stem(acts["verb"]) in asked and stem(acts["other"]) not in asked and stem(acts["object"]) not in asked:
            return _wrong(place, f"is said of {acts['other']!r}, not of {acts['verb']!r}")
    if not _ends_in_preposition(place.text[: place.span[0]]):
        return None
    raw, start = place.words.raw, place.span[0] - place.sentence[0]
    mine = _DOING.search(raw[:start])
    if mine is None or stem(normalise(mine["verb"]).text.strip()) in place.context.content:
        return None
    for found in _DONE.finditer(raw):
        if found["prep"] != mine["prep"] or found.start("value") == start:
            continue
        verb = stem(normalise(found["verb"]).text.strip())
        if verb in place.context.content and found["value"][0].isdecimal() == place.said[0].isdecimal():
            return _wrong(place, f"is said of {mine['verb']!r}, not of {found['verb']!r}")
    return None


def _of_its_twin(place: Place) -> Objection | None:
    """ "The keynote is in Hall C; Hall B has the workshops", to where the keynote is: a clause of its own, and nothing
    of what was asked in it, after one that says it of another hall."""
    start = place.span[0]
    if not _BEGINS_PART.search(place.text, max(0, start - _PART), start):
        return None
    words = place.phrase.split()
    twin = _twin(words, place.text[:start]) if len(words) <= _PAIR else ""
    if not twin or f" {twin.lower()} " in place.context.question.text:
        return None
    asked, own, before = place.context.content, content(normalise(place.raw_after)), normalise(place.text[:start])
    told = asked & content(before) - own - _GOING - set(map(stem, words))
    if not own - asked or not (told or len(before.words) <= _PAIR):
        return None
    return _wrong(place, f"is said of other things, after {twin!r}")


def _told_of_another(place: Place) -> Objection | None:
    """ "Jupiter has the most moons. Saturn comes second.", to which planet has the most moons: the question's own words
    are said of another, and this one begins a sentence without them."""
    start = 0 if place.in_first else place.sentence[0]
    if not 0 < start <= place.span[0] or place.context.choice or not _SAYS.match(place.raw_after):
        return None
    question, before = place.context.question.words, normalise(place.text[:start])
    tail = f" {' '.join(question[1 if question[0] == 'who' else 2 :])} "
    if tail.count(" ") <= _PAIR + 1 or tail not in before.text or tail in place.words.text:
        return None
    subject = before.text[: before.text.index(tail)].split()[-1:]
    if not subject or subject[0] in question or not _HEDGING.isdisjoint(before.words):
        return None
    return _wrong(place, f"is not of whom the reply says{tail}".rstrip())


def _twin(words: list[str], before: str) -> str:
    """ "Hall C", beside "Hall B"; "S1", beside "S8"; empty where none stands before."""
    code = _CODED.fullmatch(words[0]) if len(words) == 1 else None
    if len(words) == _PAIR:
        pattern = rf"\b(?i:{re.escape(words[0])})\.?\s+(?!(?i:{re.escape(words[1])})\b)(?:[A-Z]\w*|\d\w*)"
    elif code:
        pattern = rf"\b(?i:{code['letters']})\s?(?!{code['figure']}\b)\d+\b"
    else:
        return ""
    found = re.search(pattern, before)
    return found.group() if found else ""


def _in_its_name(place: Place) -> Objection | None:
    """ "The Great Wall of China", to "Where is the Great Wall?": the thing's name, and no place."""
    found = _OF.match(place.whole_before.rstrip() + " ")
    if found is None or place.raw_after.strip(" .!\"')"):
        return None
    rest = content(normalise(found["thing"])) - place.context.content - {stem(word) for word in _REFERS}
    return None if rest else _wrong(place, "only belongs to the name of what was asked about")
