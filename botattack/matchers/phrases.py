"""Ways, places and reasons that have more than one name: "by phone", "next to the station", "due to fog"."""

from __future__ import annotations

import re
from functools import lru_cache

from botattack.matchers.gold import golds
from botattack.model import GoldAnswer
from botattack.text.normalise import Normal, normalise

_MAIL = r"e ?mail"
_US = r"(?:us|our \S+|them|\S+ (?:desk|office|team|line))"
_WAYS = (
    (
        r"(?:(?:by|via|over|on) )?(?:tele)?phone|by (?:calling|call|phoning)(?: \S+){0,2}",
        rf"(?:by|via|over|on) (?:tele)?phone|(?:call|phone|ring|telephone) {_US}|give {_US} (?:call|ring)",
    ),
    (
        rf"(?:(?:by|via) )?{_MAIL}",
        rf"(?:by|via|through|over) {_MAIL}|(?:send|write|drop) (?:us |them )?(?:an? )?{_MAIL}|{_MAIL} {_US}",
    ),
    (
        r"by (?:post|mail|letter)|(?:by )?(?:send|writ)(?:ing|e)? (?:us )?letter(?: to \S+(?: \S+)?)?",
        r"(?:by|through|in) (?:post|mail|letter)|(?:send|write|post|mail) (?:us |them )?letter",
    ),
    (r"indoors?|inside", r"indoors?|inside"),
    (r"outdoors?|outside|in open air", r"outdoors?|outside|in open(?: air)?|open air"),
    (r"on foot|by walking", r"on foot|by walking|(?:can |could |should |just |simply )walk"),
    (r"by car|by driving", r"by car|by driving|(?:can |could |should |just |simply )drive"),
    (r"by (?:bike|bicycle)|by cycling", r"by (?:bike|bicycle)|by cycling|(?:can |could |should |just |simply )cycle"),
    (r"(?:by|with) (?:\S+ )?card", r"(?:by|with|via|using) (?:\S+ ){0,2}card|card payments?"),
    (
        r"online|on (?:our |your )?website",
        r"online|(?:on|via|through|over) (?:our |your )?(?:website|web site|internet|homepage)",
    ),
    (r"in writing", r"in writing|in written form|written \S+"),
    (r"in person", r"in person|personally"),
    (
        r"(?:(?:at|from|to) )?(?:front desk|reception(?: desk)?)",
        r"(?:at|from|to|by) (?:our |hotel )?(?:front desk|reception(?: desk)?)",
    ),
)
"""What a gold answer may be, and what says the same in a reply."""
_NEXT = "next to|beside|adjacent to|alongside|right by|directly by"
_LEADS = (
    (_NEXT, _NEXT),
    ("near|close to|not far from|nearby", f"near|close to|not far from|nearby|{_NEXT}"),
    ("opposite|across from|facing", "opposite|across from|across (?:street|road) from|facing"),
    ("in front of|outside", "in front of|outside|just before|right before"),
    ("behind|at back of|at rear of", "behind|at back of|at rear of"),
    (
        "because of|due to|owing to|on account of|as result of|caused by",
        "because of|due to|owing to|on account of|as result of|result of|caused by|because there (?:is|was)",
    ),
)
"""What leads to a thing, and what leads to it as well."""
_LED = r"(?: (?!not |no |other |old |new |lack |absence |of |from |and |or |to )[a-z]+){0,2}"
_NUMBERED = re.compile(r"(?:number|no|nr) (?P<number>\d+)")
_BEARING = "bus|line|number|no|nr|route|tram|train|room|gate|platform|hall|table|bay|counter|desk|window|aisle|track"
_FLOOR = re.compile(r"(?P<lead>(?:on|at) )?(?P<which>ground|\d+(?:st|nd|rd|th)|top) floor")
_SHORT = {"street": "st", "road": "rd", "avenue": "ave", "square": "sq", "lane": "ln", "boulevard": "blvd"}


@lru_cache(maxsize=4096)
def alternatives(raw: str) -> re.Pattern[str] | None:
    """What says in a normal form the same as a gold answer; None where nothing else is known to."""
    phrase = normalise(raw).text.strip()
    found = _way(phrase) or _led(phrase) or _with_number(phrase) or _with_street(phrase)
    return re.compile(rf"{_no_other(phrase)} (?P<it>{found})(?= )") if found else None


def said_otherwise(gold: tuple[GoldAnswer, ...], normal: Normal) -> tuple[str, tuple[int, int]] | None:
    """The first gold answer that a reply says in another of these manners, and where."""
    for raw, pattern in otherwise(gold):
        if place := place_of(pattern, normal):
            return raw, place
    return None


@lru_cache(maxsize=4096)
def otherwise(gold: tuple[GoldAnswer, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The gold answers that may be said in other manners, with what says them."""
    return tuple((each.raw, pattern) for each in golds(gold).literals if (pattern := alternatives(each.raw)))


def place_of(pattern: re.Pattern[str], normal: Normal) -> tuple[int, int] | None:
    """Where in the reply itself a pattern of its normal form is found."""
    found = pattern.search(normal.text)
    return next(normal.find(found["it"]), None) if found else None


def _way(phrase: str) -> str:
    return next((said for gold, said in _WAYS if re.fullmatch(gold, phrase)), "")


def _led(phrase: str) -> str:
    for lead, leads in _LEADS:
        if found := re.fullmatch(rf"(?:right |just |directly )?(?:{lead}) (?P<thing>\S+(?: \S+){{0,2}})", phrase):
            return rf"(?:{leads}){_LED} {re.escape(found['thing'])}"
    return ""


def _with_number(phrase: str) -> str:
    if found := _NUMBERED.fullmatch(phrase):
        return rf"(?:{_BEARING}) {found['number']}"
    if found := _FLOOR.fullmatch(phrase):
        return rf"(?:on|at) {found['which']} (?:floor|level)"
    return ""


def _no_other(phrase: str) -> str:
    """Before "bus 12" must stand no "bus 14"."""
    return rf"^(?: (?!(?:{_BEARING}) \d)\S+)*?" if _NUMBERED.fullmatch(phrase) else ""


def _with_street(phrase: str) -> str:
    words = phrase.split()
    if len(words) < 3 or not words[0].isdecimal():
        return ""
    spelt = [f"(?:{word}|{_SHORT[word]})" if word in _SHORT else re.escape(word) for word in words]
    return " ".join(spelt) if not _SHORT.keys().isdisjoint(words) else ""
