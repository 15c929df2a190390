"""Gold answers that describe ("a large body of ice that moves"): the same said in other words, by what carries its
meaning. Names, numbers and single words are compared elsewhere, and never loosely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

from botattack.matchers.claimless.void import is_small
from botattack.matchers.figures.moments import dates
from botattack.matchers.figures.quantities import quantities
from botattack.matchers.gold import golds
from botattack.matchers.phrases import otherwise, said_otherwise
from botattack.matchers.sentences import sentences
from botattack.matchers.wording.synonyms import root, roots_of
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher
from botattack.text.normalise import Normal, normalise

_NEGATIONS = frozenset(["not", "no", "never", "nor", "neither", "none", "without", "hardly", "rarely"])
_PAIR, _MANY = 2, 4
"""Words of meaning of which one may be missing; of eight two."""
_READ = 2000
_LED_TEXT = (
    "through across into onto within between among along around against towards toward over under before after during "
    "than off until till per via upon away 1 themselves itself yourself yours own being able any each every while "
    "because used usually caused"
)
_LED = frozenset(_LED_TEXT.split())
_LACKING = frozenset(("only", "extra", "except", "excluding"))
"""What leaves out a part of a list."""
_TURNING = _NEGATIONS | frozenset(("less", "least", "fewer"))
"""What turns a description round: as many of them must stand on either side."""
_NEVER_MISSING = frozenset(["more", "most", "least", "less", "only", "all", "both", "half", "twice", "1st", "last"])
_LIGHT_TEXT = (
    "kind body mass build house place room person thing something process way device machine group piece amount "
    "practitioner system material spot somewhere"
)
_DIRECTED = frozenset(("within", "into", "than", "from", "to", "by", "over", "under", "before", "after"))
_BE = frozenset(("is", "are", "was", "were", "means"))
_AT_ONCE_TEXT = "it they he she this these that you we i please because yes no well"
_AT_ONCE = frozenset(_AT_ONCE_TEXT.split())
_REFERRING = frozenset(("it", "they", "them", "these", "this", "he", "she"))
_VERBS = frozenset(("they", "it", "he", "she", "you", "we", "is", "are", "was", "were", "to"))
_SIDES = frozenset(("before", "after", "of", "within"))
_TELLING = frozenset(("before", "after", "during", "without", "on", "under", "outside", "inside"))
"""What may lead to a single word that is an answer: "for renovation", "after meals"."""
_ONLY = root("only")
_IF = frozenset(("provided", "providing", "if", "long", "condition", "solely", "exclusively", "reserved"))
"""What a condition begins with ("as long as it is unworn"), where a gold answer says "only"."""
_UN = re.compile(r"un(?!der|i|til)(?P<done>\w{2,}(?:ed|en|rn|id|ept))")
""" "Unopened" is "not opened"."""
_SPAN = "="
_SPANNED = frozenset(("time", "months", "length"))
_JOINING = frozenset(("of", "from", "with", "for", "in", "made", "caused"))
_PART = re.compile(r",\s*(?:and\s+)?|\band\b", re.I)
_ITEM = re.compile(r"(?m)^\s*(?:\d+[.)]|[-*\u2022])\s")
_HEAD_END = re.compile(r"\b(?:of|that|which|who|with|in|for|from|to|on|at|by|through|between|where|made|used|set)\b")
_IN_NAME = re.compile(r"(?:in|at|on) (?:the )?(?P<name>[A-Z][\w'-]*(?: (?:of |the )*[A-Z][\w'-]*)*)")
_NOT_IN = re.compile(
    r" (?:near|outside|beyond|from|to|not|than|like|with"
    r"|before|after|until|till|except|left|leaves|borders|bordering|(?:north|south|east|west) of)"
    r" (?:\S+ )?$"
)
_TOWARDS = re.compile(
    r" in (?:(?:\S+ )?(?:north|south|east|west|\S*ern|central|(?:north|south|east|west|centre|heart) of) )$"
)
""" "In northern europe": what stands behind is a place, written as it may be."""
_INSIDE = re.compile(r" (?:in|on|at|part|city|town) (?:\S+ ){0,3}of (?:\S+ )?$")


_LIGHT = frozenset(map(root, _LIGHT_TEXT.split()))
"""Heads of a description that say little: "the building with the animals", "a large body of ice"."""


class _Description(NamedTuple):
    """A gold answer in words. By roots: what it says, of that what may not be missing, its parts if it is a list, what
    follows which directed preposition or number; for a compound ("sea lion") its two words in order."""

    raw: str
    roots: frozenset[str]
    must: frozenset[str]
    turning: frozenset[str]
    parts: tuple[frozenset[str], ...]
    led: frozenset[tuple[str, str]]
    compound: tuple[str, ...]


@dataclass(frozen=True)
class Words(Matcher):
    """What a gold answer says in words stands in the reply in others: another order or inflection, derived words,
    common synonyms, with things in between. For answers that are no names or figures, of two or more words.

    Asked is one sentence that speaks of what was asked and says all words that carry meaning; of four or more one may
    be missing, of eight two, but never the noun that the description is built around, a name, a number or a negation.
    Of "in Norway" the name counts where nothing sets it off ("near Norway").
    """

    name: ClassVar[str] = "words"
    cost: ClassVar[int] = 4

    def speaks_of(self, gold: tuple[GoldAnswer, ...]) -> bool:
        """Whether any gold answer is a description in words, or a name with a preposition."""
        return bool(_descriptions(gold) or _places(gold) or otherwise(gold))

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        del baseline
        normal = normalise(reply.text)
        for name in _places(gold):
            if place := next((place for place in normal.find(name) if _lies_in(normal, place)), None):
                return Verdict("correct", 0.9, self.name, f"the reply says {name!r}", place)
        if other := said_otherwise(gold, normal):
            return Verdict("correct", 0.9, self.name, f"the reply says {other[0]!r} in other words", other[1])
        said = _with_only(_rooted(normal), normal)
        likely = [each for each in _descriptions(gold) if each.must <= said and _enough(each.roots & said, each.roots)]
        if likely and (found := _in_a_sentence(prompt.text, reply.text[:_READ], likely)):
            return Verdict("correct", 0.9, self.name, f"the reply says {found[0]!r} in other words", found[1])
        return Verdict("wrong", 0.0, self.name, "no gold answer was found")


@lru_cache(maxsize=4096)
def _places(gold: tuple[GoldAnswer, ...]) -> tuple[str, ...]:
    """The names among gold answers such as "in Norway", in normal form."""
    found = (_IN_NAME.fullmatch(each.raw.strip(" .")) for each in golds(gold).literals)
    return tuple(normalise(each["name"]).text.strip() for each in found if each)


def _lies_in(normal: Normal, place: tuple[int, int]) -> bool:
    before = normalise(normal.raw[: place[0]]).text
    if normal.raw[place[0]].islower() and not _TOWARDS.search(before):
        return False
    return not _NOT_IN.search(before) or bool(_INSIDE.search(before))


@lru_cache(maxsize=4096)
def _descriptions(gold: tuple[GoldAnswer, ...]) -> tuple[_Description, ...]:
    return tuple(found for each in golds(gold).literals if (found := _described(each.raw)))


def _described(raw: str) -> _Description | None:
    """None for names, figures and single words."""
    normal = normalise(raw)
    roots = _meant(normal)
    figures = {word for word in roots if word[0].isdecimal()}
    spans = {word for word in roots if word[0] == _SPAN}
    capitals = [word for word in re.findall(r"[^\W\d_]\S*", raw) if word[0].isupper()]
    names = _meant(normalise(" ".join(capitals)))
    lead = normal.words[0] if normal.words else ""
    if len(roots - (either := _alternatives(normal))) >= _PAIR:
        roots -= either
    led = {root(lead)} if len(normal.words) == _PAIR and lead in _TELLING and not figures else set()
    roots |= led
    alone = lead in _VERBS or lead == "for"
    if (
        len(roots) - len(figures) < (1 if alone else 2)
        or not roots - spans
        or (names >= roots and not raw.startswith(("a ", "an ")))
    ):
        return None
    if len(capitals) > 1 and raw[:1].isupper():
        return None
    if figures and (raw[:1].isdecimal() or any(each.dimension for each in quantities(normal)) or any(dates(normal))):
        return None
    if spans and not any(lead in _SIDES for lead, _ in _led(normal)):
        return None
    parts = tuple(_meant(normalise(part)) for part in _PART.split(raw)) if _PART.search(raw) else ()
    must = names | figures | spans | led | (roots & _NEVER_MISSING) | ((_head(raw) & roots) - _LIGHT)
    compound = tuple(map(root, normal.words)) if len(normal.words) == len(roots) == _PAIR else ()
    return _Description(raw, roots, must, _turning(normal.words), parts, _led(normal), compound)


def _alternatives(normal: Normal) -> frozenset[str]:
    """The roots on either side of an "or", of which a reply may choose: "a flat or house"."""
    around = ({*normal.words[at - 1 : at + 2]} for at, word in enumerate(normal.words) if word == "or" and at)
    return frozenset(map(root, frozenset().union(*around)))


def _head(raw: str) -> frozenset[str]:
    """The root of the noun that a description is built around: "mass", of "a slowly moving mass of ice"."""
    first = normalise(_HEAD_END.split(raw, maxsplit=1)[0]).words
    return frozenset(map(root, _carrying(first)[-1:]))


def _meant(normal: Normal) -> frozenset[str]:
    roots = _rooted(normal)
    told = zip(roots, normal.words, strict=True)
    return frozenset(one for one, word in told if one[:1] == _SPAN or (one and _carrying((word,))))


def _rooted(normal: Normal) -> list[str]:
    """The root of each word; a time or length as what it is in seconds or metres, at its first word."""
    roots = roots_of([undone["done"] if (undone := _UN.fullmatch(word)) else word for word in normal.words])
    if not any(word[0].isdecimal() or word == "half" for word in normal.words):
        return roots
    for each in quantities(normal):
        if each.dimension in _SPANNED:
            roots[each.first : each.last + 1] = [
                f"{_SPAN}{each.value:g}{each.dimension}",
                *[""] * (each.last - each.first),
            ]
    return roots


def _turning(words: Iterable[str]) -> frozenset[str]:
    """What turns round what is said; one negation is as good as another."""
    return frozenset(
        word if word in _TURNING - _NEGATIONS else "not" for word in words if word in _TURNING or _UN.fullmatch(word)
    )


def _with_only(roots: list[str], normal: Normal) -> frozenset[str]:
    """The roots of a text; a condition ("as long as it is unworn") says "only"."""
    return frozenset(roots) if _IF.isdisjoint(normal.words) else frozenset((*roots, _ONLY))


def _carrying(words: tuple[str, ...]) -> list[str]:
    return [word for word in words if not (is_small(word) or word in _LED)]


def _led(normal: Normal) -> frozenset[tuple[str, str]]:
    """What directed prepositions and numbers lead to: the word behind, or the noun phrase behind ("retired people")."""
    roots = _rooted(normal)
    found = []
    for at, lead in enumerate(normal.words[:-1]):
        if lead in _DIRECTED:
            found += [(lead, one) for one in roots[at + 1 : at + 3]]
        elif roots[at][:1].isdecimal():
            found.append((lead, roots[at + 1]))
    return frozenset(found)


def _enough(said: frozenset[str], roots: frozenset[str]) -> bool:
    missing, needed = roots - said - _LIGHT, roots - _LIGHT
    return len(roots - said) <= len(roots) // _MANY or (len(missing) <= len(needed) // _MANY and len(said) >= _PAIR)


def _in_a_sentence(question: str, text: str, wanted: list[_Description]) -> tuple[str, tuple[int, int]] | None:
    """The first description that a sentence says, and where."""
    asked, at = _meant(normalise(question)), 0
    for sentence in sentences(text):
        start = text.find(sentence, at)
        at = start + len(sentence)
        normal = normalise(sentence)
        roots = _rooted(normal)
        for each in wanted:
            place = _said(each, normal, roots, asked)
            if place and _speaks_of(asked, normal, roots, each.roots, first=not text[:start].strip()):
                low, high = normal.span(*place)
                return each.raw, (start + low, start + high)
    return _in_steps(text, wanted, asked)


def _in_steps(text: str, wanted: list[_Description], asked: frozenset[str]) -> tuple[str, tuple[int, int]] | None:
    """A description that a list says in several of its items: what is to be done one after the other."""
    if len(_ITEM.findall(text)) < _PAIR:
        return None
    normal = normalise(text)
    roots = _rooted(normal)
    found = ((each, place) for each in wanted if (place := _said(each, normal, roots, asked)))
    each, place = next(found, (None, None))
    return (each.raw, normal.span(*place)) if each and place else None


def _said(wanted: _Description, normal: Normal, roots: list[str], asked: frozenset[str]) -> tuple[int, int] | None:
    """From which to which word a sentence says a description."""
    said = wanted.roots & _with_only(roots, normal)
    if not _enough(said, wanted.roots) or not wanted.must <= said or said <= asked:
        return None
    if any(2 * len(part & said) < len(part) for part in wanted.parts):
        return None
    first, last = _narrowest(roots, said.intersection(roots))
    if last - first > (6 * len(said) if len(said) > _PAIR else 5):
        return None
    run = normal.words[max(0, first - 3) : last + (4 if wanted.turning else 1)]
    if _turning(run) != wanted.turning or (wanted.parts and not _LACKING.isdisjoint(normal.words)):
        return None
    if _is_turned(wanted, normal, roots[first : last + 1]):
        return None
    denied = next((at for at in range(max(0, first - 3), first) if normal.words[at] in _TURNING), first)
    return denied if wanted.turning else first, last


def _is_turned(wanted: _Description, normal: Normal, run: list[str]) -> bool:
    """Whether the words stand the other way round: "from gas into liquid", "a lion by the sea"."""
    led = _led(normal)
    for lead in {lead for lead, _ in wanted.led}:
        if lead in _SIDES and any(word[0] == _SPAN for word in wanted.roots) and lead not in normal.words:
            return True
        mine = {one for other, one in wanted.led if other == lead}
        theirs = {one for other, one in led if other == lead}
        if theirs.isdisjoint(mine) and (lead[0].isdecimal() or not theirs.isdisjoint(wanted.roots)):
            return True
    return bool(wanted.compound) and run[0] != wanted.compound[0] and not _joined(run)


def _joined(run: list[str]) -> bool:
    """ "Waiter who specialises in wine", of "wine waiter"; not "green door is in the dark", of "dark green"."""
    return run[1] in _JOINING or (run[-2] in _JOINING and _BE.isdisjoint(run))


def _narrowest(roots: list[str], said: frozenset[str]) -> tuple[int, int]:
    """The shortest run of words that holds all that is said."""
    latest: dict[str, int] = {}
    best = (0, len(roots) - 1)
    for at, one in enumerate(roots):
        if one in said:
            latest[one] = at
            if len(latest) == len(said) and at - min(latest.values()) < best[1] - best[0]:
                best = min(latest.values()), at
    return best


def _speaks_of(asked: frozenset[str], normal: Normal, roots: list[str], wanted: frozenset[str], *, first: bool) -> bool:
    """Whether a sentence is about what was asked: it names it, or stands for an answer without a subject of its own.

    Where one word is all that is looked for, its subject must be what was asked about, or it must refer to that.
    """
    if len(wanted) == 1 and _REFERRING.isdisjoint(normal.words):
        return {root(word) for word in _carrying(normal.words[: roots.index(min(wanted))])} <= asked
    if not asked.isdisjoint(roots) or normal.words[0] in _AT_ONCE:
        return True
    if first and any(one[:1] == _SPAN for one in wanted):
        return True
    at = next((at for at, word in enumerate(normal.words[:8]) if word in _BE), 0)
    return first and {root(word) for word in _carrying(normal.words[:at])} <= wanted
