"""Figures that a gold answer says loosely: "about 1,200", "at least 10", "people over 65", "14 Mill Lane, Norwich".

The number is what counts: a reply need not call it rough, say who is of that age, or name the town.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from botattack.matchers.figures.quantities import ROUGHLY
from botattack.matchers.figures.written import STREETS
from botattack.text.normalise import Normal, normalise

_ROUGHLY = re.compile(r"^(?:about|around|approximately|roughly|some|circa|ca|nearly|almost) (?P<bare>\d+)$")
_UP = r"(?:more than|over|above|at least|minimum(?: of)?|no fewer than|no less than|not less than|not fewer than|from)"
_DOWN = (
    r"(?:no more than|not more than|at most|up to|maximum(?: of)?|fewer than|less than|under|below|not exceed|no later"
    r" than)"
)
_BOUND = re.compile(rf"^(?:(?P<down>{_DOWN})|(?P<up>{_UP})) (?P<bare>\d+)$")
_BEFORE = re.compile(rf" (?:(?P<down>{_DOWN})|(?P<up>{_UP})) $")
_AFTER = re.compile(
    r"^ (?:\S+ )?(?:(?P<up>or (?:more|over|above|older)|and (?:over|above|older)|upwards|minimum|at (?:very )?least)"
    r"|(?P<down>or (?:less|fewer|under|younger)|maximum|at (?:very )?most)) "
)
_AGED = re.compile(
    r"^(?:(?:people|persons?|any(?:1|one|body)|every(?:1|one|body)|those|adults|children|kids|passengers|visitors"
    r"|citizens|residents|guests|customers|members|seniors|pensioners) )?(?:who (?:is|are) )?(?:aged? )?"
    r"(?P<bare>(?:over|under)\d+)$"
)
_NOT_THEY = re.compile(r"\b(?:nobody|no\s?one|none|not)\s+(?:aged\s+|who\s+is\s+)?$", re.I)
_SHARE = re.compile(r"^(?P<bare>\d+(?:\.\d+)? percent) (?:of|off|on) (?P<what>(?:\S+ ){0,2}\S+)$")
_OF_WHAT = re.compile(
    r"^ (?:of|off|on) (?:(?:all|any|every|each|your|our|price|cost|full|normal|regular|of) )*(?P<what>\S+) "
)
_AGES = re.compile(
    r"^(?:\S+ )?(?:who (?:is|are) )?(?:aged|between|age|ages) (?P<bare>\d+ to \d+)(?: years)?(?: old| of age)?$"
)
_ADDRESS = re.compile(rf"^(?P<bare>.* (?:{STREETS}) \d+[a-z]?) (?P<town>.*)$")
_YEAR = re.compile(r"(?:19|20)\d\d")
_BESIDE = re.compile(r"\b(?:next to|opposite|near|behind|beside|close to)\s+$", re.I)
_LABELS = frozenset(("room", "gate", "number", "page", "bus", "line", "platform", "table", "seat", "route", "no"))
_IN_TOWN = re.compile(r"^\W{0,2}\s*(?:in\s+)?(?P<town>[A-Z][a-z]\w+)")


@dataclass(frozen=True)
class Loose:
    """A figure that stands for a gold answer: `rough`, a bound on a `side`, an address in a `town`, or a share `of`
    something."""

    phrase: str
    rough: bool = False
    side: str = ""
    town: str = ""
    of: str = ""

    def place(self, normal: Normal, *, dated: bool) -> tuple[int, int] | None:
        """Where a reply says it; None where it does not, or says the other bound or another town. Of
        years (`dated`) a few are close: five in a hundred of 1850 are a lifetime."""
        for at in normal.find(self.phrase):
            if not self._is_turned(normal.raw, at) and not self._is_elsewhere(normal.raw, at):
                return at
        return self._rounded(normal, _YEARS if dated else ROUGHLY * float(self.phrase)) if self.rough else None

    def _is_turned(self, raw: str, at: tuple[int, int]) -> bool:
        if _NOT_THEY.search(raw[max(0, at[0] - _NEAR) : at[0]]):
            return True
        if not self.side:
            return self._is_of_another(raw[at[1] : at[1] + _NEAR])
        before, after = normalise(raw[max(0, at[0] - _NEAR) : at[0]]).text, normalise(raw[at[1] : at[1] + _NEAR]).text
        found = _BEFORE.search(before) or _AFTER.match(after)
        return found is not None and found.lastgroup != self.side

    def _is_of_another(self, following: str) -> bool:
        """ "20 % off drinks", for "20 % off tickets"."""
        found = _OF_WHAT.match(normalise(following).text) if self.of else None
        return found is not None and found["what"].removesuffix("s") not in _EVERYTHING | {
            word.removesuffix("s") for word in self.of.split()
        }

    def _is_elsewhere(self, raw: str, at: tuple[int, int]) -> bool:
        if self.town and _BESIDE.search(raw[max(0, at[0] - _NEAR) : at[0]]):
            return True
        named = _IN_TOWN.match(raw[at[1] : at[1] + _NEAR]) if self.town else None
        return named is not None and named["town"].casefold() not in self.town.split()

    def _rounded(self, normal: Normal, within: float) -> tuple[int, int] | None:
        """Where the only number of a reply is, if it is close to the rough one: 1,187 to about 1,200."""
        said = [at for at, word in enumerate(normal.words) if word[0].isdecimal() and not _YEAR.fullmatch(word)]
        number = normal.words[said[0]] if len(said) == 1 else ""
        if not (self.phrase.endswith("0") and number.isdecimal()) or normal.words[said[0] - 1] in _LABELS:
            return None
        return normal.span(said[0], said[0]) if abs(float(number) - float(self.phrase)) <= within else None


_NEAR, _YEARS = 40, 5.0
_EVERYTHING = frozenset(("everything", "price", "cost", "bill", "total", "purchase", "it", "them", "that", "this"))


def loose(phrase: str) -> Loose | None:
    """The figure that a gold answer in normal form says loosely; None where it says none so."""
    if found := _ROUGHLY.match(phrase):
        return Loose(found["bare"], rough=True)
    if found := _BOUND.match(phrase):
        return Loose(found["bare"], side="down" if found["down"] else "up")
    if found := _AGED.match(phrase) or _AGES.match(phrase):
        return Loose(found["bare"])
    if found := _SHARE.match(phrase):
        return Loose(found["bare"], of=found["what"])
    if found := _ADDRESS.match(phrase):
        return Loose(found["bare"], town=found["town"])
    return None
