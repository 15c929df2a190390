"""Gold answers that describe ("a large body of ice that moves"): the same said in other words, by what carries its
meaning. Names, numbers and single words are compared elsewhere, and never loosely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

from botattack.matchers.figures import plain
from botattack.matchers.gold import golds
from botattack.matchers.moments import dates
from botattack.matchers.phrases import otherwise, said_otherwise
from botattack.matchers.quantities import quantities
from botattack.matchers.sentences import sentences
from botattack.matchers.void import is_small
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.text.normalise import Normal, normalise

_NEGATIONS = frozenset(["not", "no", "never", "nor", "neither", "none", "without", "hardly", "rarely"])
_PAIR, _MANY = 2, 4
"""Words of meaning of which one may be missing; of eight two."""
_READ = 2000
_LED_TEXT = (
    "through across into onto within between among along around against towards toward over under before after during "
    "than off until till per via upon away 1 themselves itself any each every while because used usually"
)
_LED = frozenset(_LED_TEXT.split())
_LACKING = frozenset(("only", "extra", "except", "excluding"))
"""What leaves out a part of a list."""
_TURNING = _NEGATIONS | frozenset(("less", "least", "fewer"))
"""What turns a description round: as many of them must stand on either side."""
_NEVER_MISSING = frozenset(["more", "most", "least", "less", "only", "all", "both", "half", "twice", "1st", "last"])
_LIGHT_TEXT = "kind body mass build house place room person thing something process way device machine group piece"
_SAME_TEXT = (
    "kind form type sort variety / large big huge great massive enormous vast giant / small little tiny / move flow "
    "travel / quick fast rapid swift / begin start begun began / end finish / rise increase rose risen growth grow "
    "grew grown / use employ / make made produce create / show display exhibit shown prove proof proven / picture "
    "image / round spherical circular / person someone somebody human people / path way route / region area / illness "
    "sickness disease / house home / sea ocean / rock stone / road street / shop store / child kid children / car "
    "automobile / seller vendor / teacher instructor teach taught / doctor physician / author writer write wrote "
    "written / work labour labor / several many / cure heal / buy purchase bought / help aid / clever intelligent / "
    "old ancient / near close / whole entire / job occupation profession / pay paid / meet met / sit sat / stand "
    "stood / hear heard / feel felt / burn burnt / learn learnt / lend lent / shoot shot / steal stole stolen / throw "
    "threw thrown / catch caught / fight fought / hide hidden / ride rode ridden / blow blown / feed fed / film movie "
    "/ sing sang sung / build built / fall fell fallen / eat ate eaten / fly flew flown flight / tell told / keep "
    "kept / hold held / sell sold sale / lose lost loss / win won / speak spoke spoken speech / give gave given gift "
    "/ take took taken / see saw seen / know knew known / draw drew drawn / drive drove driven / wear wore worn / "
    "tear tore torn / say said / think thought / bring brought / send sent / spend spent / break broke broken / "
    "choose chose chosen choice / run ran / swim swam swum / freeze froze frozen / man men / woman women / foot feet "
    "/ tooth teeth / leaf leaves / life lives live living / birth born / death dead die dying died dies / belief "
    "believe / length long / width wide / sum amount / identification id / "
    "depth deep / strength strong / warmth warm / hot heat"
)
"""Irregular forms, and words for which a reader would as soon say the other."""
_ENDINGS = (
    ("ements", 3), ("ement", 3), ("ments", 4), ("ment", 4), ("ations", 4), ("ation", 4), ("ically", 4), ("ical", 4),
    ("ure", 4), ("ities", 4), ("ity", 4), ("ness", 4), ("ions", 5), ("ion", 5), ("isms", 4), ("ism", 4), ("ists", 4),
    ("ist", 4), ("ings", 3), ("ing", 3), ("ies", 3), ("ied", 3), ("ers", 4), ("ors", 5), ("er", 4), ("or", 5),
    ("ally", 4), ("ly", 4), ("al", 5), ("ic", 5), ("ed", 3), ("es", 3), ("ful", 4), ("s", 3), ("y", 4), ("e", 3),
)  # fmt: skip
_DOUBLING = ("ing", "ed", "er", "ers")
_VOWEL = re.compile(r"[aeiouy]")
_DIRECTED = frozenset(("within", "into", "than", "from", "to", "by", "over", "under", "before", "after"))
_BE = frozenset(("is", "are", "was", "were", "means"))
_AT_ONCE_TEXT = "it they he she this these that you we i please because yes no well"
_AT_ONCE = frozenset(_AT_ONCE_TEXT.split())
_REFERRING = frozenset(("it", "they", "them", "these", "this", "he", "she"))
_VERBS = frozenset(("they", "it", "he", "she", "you", "we", "is", "are", "was", "were", "to"))
_SIDES = frozenset(("before", "after", "of", "within"))
_SPAN = "="
_SPANNED = frozenset(("time", "months", "length"))
_JOINING = frozenset(("of", "from", "with", "for", "in", "made", "caused"))
_PART = re.compile(r",\s*(?:and\s+)?|\band\b", re.I)
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


@lru_cache(maxsize=8192)
def root(word: str) -> str:
    """What a word shares with those derived from it, and with those that say the same: "moves", "movement", "flows"."""
    bare = _stripped(word)
    return _ROOTS.get(word) or _ROOTS.get(bare, bare)


def _stripped(word: str) -> str:
    """ "governmental" is "govern"."""
    for _ in range(3):
        ending = next((each for each in _ENDINGS if _ends(word, *each)), None)
        if ending is None:
            break
        rest = word[: -len(ending[0])]
        word = rest[:-1] if rest[-1] == rest[-2] and ending[0] in _DOUBLING else rest
    return word


def _ends(word: str, ending: str, least: int) -> bool:
    if not word.endswith(ending) or len(word) - len(ending) < least or (ending == "s" and word.endswith(("ss", "us"))):
        return False
    return bool(_VOWEL.search(word, 0, len(word) - len(ending)))


def _roots() -> dict[str, str]:
    found: dict[str, str] = {}
    for group in _SAME_TEXT.split(" / "):
        first, *_ = words = group.split()
        found.update((form, _stripped(first)) for word in words for form in (word, _stripped(word)))
    return found


_ROOTS = _roots()
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
class Words:
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
        said = frozenset(_rooted(normal))
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
    spelt = plain(raw)
    normal = normalise(spelt.text if spelt else raw)
    roots = _meant(normal)
    figures = {word for word in roots if word[0].isdecimal()}
    spans = {word for word in roots if word[0] == _SPAN}
    capitals = [word for word in re.findall(r"[^\W\d_]\S*", raw) if word[0].isupper()]
    names = _meant(normalise(" ".join(capitals)))
    verb = normal.words[:1] and normal.words[0] in _VERBS
    if (
        len(roots) - len(figures) < (1 if verb else 2)
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
    must = names | figures | spans | (roots & _NEVER_MISSING) | ((_head(raw) & roots) - _LIGHT)
    compound = tuple(map(root, normal.words)) if len(normal.words) == len(roots) == _PAIR else ()
    return _Description(raw, roots, must, _turning(normal.words), parts, _led(normal), compound)


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
    roots = [root(word) for word in normal.words]
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
    return frozenset("not" if word in _NEGATIONS else word for word in words if word in _TURNING)


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
    missing = roots - said
    return len(missing) <= len(roots) // _MANY or (missing <= _LIGHT and len(said) >= _PAIR)


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
    return None


def _said(wanted: _Description, normal: Normal, roots: list[str], asked: frozenset[str]) -> tuple[int, int] | None:
    """From which to which word a sentence says a description."""
    said = wanted.roots.intersection(roots)
    if not _enough(said, wanted.roots) or not wanted.must <= said or said <= asked:
        return None
    if any(2 * len(part & said) < len(part) for part in wanted.parts):
        return None
    first, last = _narrowest(roots, said)
    if last - first > (6 * len(said) if len(said) > _PAIR else 5):
        return None
    run = normal.words[max(0, first - 3) : last + (4 if wanted.turning else 1)]
    if _turning(run) != wanted.turning or (wanted.parts and not _LACKING.isdisjoint(normal.words)):
        return None
    return None if _is_turned(wanted, normal, roots[first : last + 1]) else (first, last)


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
    return bool(wanted.compound) and run[0] != wanted.compound[0] and run[1] not in _JOINING


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
