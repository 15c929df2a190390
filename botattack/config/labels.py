"""What gates, recordings and reports call an attack: `dpaeg(epsilon=3)`, or `restate | dpaeg at context` of a chain."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

CHAIN, AT = "chain", "at"
LONGEST = 300
"""A longer label, which only a forged recording has, is not taken apart."""
_LINK = re.compile(r"(?P<name>[^(]*?)(?:\((?P<options>.*)\))?(?P<places>(?: at \w+(?: \d+)?)*)")


@dataclass(frozen=True)
class Link:
    """An attack of a chain: its name, the options it was given, and the places that it edits instead of its own, each
    with the number of the only one of its kind that is edited: `turns 0`."""

    name: str
    options: str = ""
    places: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Link:
        found = _LINK.fullmatch(text)
        return cls(found["name"], found["options"] or "", (*found["places"].split(" at ")[1:],)) if found else cls(text)

    def __str__(self) -> str:
        return " at ".join((f"{self.name}({self.options})" if self.options else self.name, *self.places))


@dataclass(frozen=True)
class AttackLabel:
    """The links of a chain, or the only one."""

    links: tuple[Link, ...]

    @classmethod
    def of(cls, item: object) -> AttackLabel:
        """The label of an attack as a campaign names it, with all options that it gives."""
        if not isinstance(item, Mapping) or not item:
            return cls((Link(str(item)),))
        name, options = next(iter(item.items()))
        if name == CHAIN and isinstance(options, list):
            return cls(tuple(link for each in options for link in cls.of(each).links) or (Link(""),))
        if name == AT and isinstance(options, Mapping):
            *links, last = cls.of(options.get("attack")).links
            only = f" {options['only']}" if "only" in options else ""
            return cls((*links, replace(last, places=(*last.places, f"{options.get('place', 'context')}{only}"))))
        given = sorted(options.items()) if isinstance(options, Mapping) else ()
        return cls((Link(str(name), ", ".join(f"{key}={_brief(value)}" for key, value in given)),))

    @classmethod
    def parse(cls, text: str) -> AttackLabel:
        """What `str` was made of."""
        return cls(tuple(map(Link.parse, text.split(" | "))) if len(text) <= LONGEST else (Link(text),))

    @property
    def short(self) -> AttackLabel:
        """The same without options."""
        places = [tuple(place.partition(" ")[0] for place in link.places) for link in self.links]
        return AttackLabel(tuple(Link(link.name, "", at) for link, at in zip(self.links, places, strict=True)))

    def __str__(self) -> str:
        return " | ".join(map(str, self.links))


def _brief(value: object) -> str:
    return "+".join(map(_brief, value)) if isinstance(value, list) else str(value)
