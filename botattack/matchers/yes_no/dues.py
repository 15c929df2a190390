"""What is to be paid: what a reply says to whether something is free, is charged for or has a fee."""

from __future__ import annotations

import re
from typing import Literal

from botattack.matchers.claimless.void import stem
from botattack.matchers.figures.periods import DAYS, dashed, points
from botattack.matchers.figures.quantities import is_unit
from botattack.matchers.wording.opposites import opposites
from botattack.matchers.yes_no.house_rules import things
from botattack.text.normalise import Normal, normalise

Side = Literal["yes", "no"]

_MONEY = re.compile(r" \d[\d.]* (?:crowns?|euros?|eur|dollars?|cents?|pounds?|pence|p|francs?|quid) ")
_SIGNED = re.compile(r"[€£$]\s?\d|\d\s?[€£$]")
_GRATIS = re.compile(
    r" (?:(?<! not )free|gratis|(?:is |are )?complimentary|costs? nothing|nothing|on us|on house|prepaid"
    r"|no (?:\w+ ){0,2}?(?:charge|charges|fee|fees|cost|costs)|without (?:charge|paying|fee|extra cost)"
    r"|(?:not|never|nobody|no 1|no one|without)(?: \S+){0,4}? (?:pay|paying|cost|charged?)"
    r"(?: \S+ (?:penny|cent|thing))?) "
)
_PAID = re.compile(
    r" (?:(?:bears?|covers?|meets?|pays?|paying) (?:\S+ ){0,3}?(?:costs?|postage|shipping|fees?|charges?)"
    r"|at (?:your|their|customer|own)(?: own)? (?:expense|cost)|(?:is|are|be) (?:charged|deducted|payable|chargeable)"
    r"|we (?:charge|deduct)|costs? extra|(?:extra|additional) (?:cost|charge|fee)"
    r"|(?:fees?|charges?|surcharges?) (?:applies|apply|is due|are due)|for (?:\w+ )?fee"
    r"|there (?:is |are |will be )?(?:\w+ )?(?:fee|fees|charge|charges)"
    r"|(?:has|have|must|need|needs) (?:to )?pay|not free|only pay"
    r"|pay only) "
)
_OWES = re.compile(r" (?:must|expected|supposed|need|needs|have to|has to) ")
_THERE = re.compile(r" (?:(?:is|are) there|do you (?:have|charge)|does \S+(?: \S+){0,3} (?:have|cost|charge)) ")
_DUES_TEXT = "fee fees charge charged cost costs pay paid price charges toll"
_DUES = frozenset(_DUES_TEXT.split())
_FREE = frozenset(("free", "gratis", "complimentary"))
ABOUT_PRICES = _DUES | _FREE
"""Words of a question about what is to be paid."""


def of_price(question: Normal, reply: Normal) -> Side | None:
    """ "Two euros", to "Is it free?", "Is it included?" or "Is there a fee?"."""
    asked = {*question.words}
    free = not _FREE.isdisjoint(asked) or ("included" in asked and "included" not in reply.words)
    if not free and not (asked & _DUES and _is_polar_of_dues(question)):
        return None
    price = paid(reply)
    if price is None or _of_others(question, reply):
        return None
    price = price != _on_other_days(question, reply)
    return "yes" if price != free else "no"


def paid(reply: Normal) -> bool | None:
    """Whether a reply says that one pays; None where it says neither or both."""
    gratis = _GRATIS.search(reply.text)
    rest = f"{reply.text[: gratis.start()]} {reply.text[gratis.end() :]}" if gratis else reply.text
    price = bool(_MONEY.search(rest) or _SIGNED.search(reply.raw) or _PAID.search(rest))
    return None if price == bool(gratis) else price


def _of_others(question: Normal, reply: Normal) -> bool:
    """ "Adults pay 5 euros", to "Is it free for children?"; "Lockers cost 2 euros", to "Are towels free?"."""
    said = {stem(word) for word in reply.words}
    if any(said & other and not said & mine for mine, other in opposites(question)):
        return True
    first = reply.words[:2]
    named = (word for word in first if not (stem(word) in _GENERAL or word[0].isdecimal() or is_unit(word)))
    lead = next((kept for word in named if (kept := things(normalise(word)))), frozenset[str]())
    return bool(lead) and things(question).isdisjoint(lead | things(reply))


_GENERAL_TEXT = (
    "customer guest visitor you we everyone everybody nobody everything nothing all free charge charged fee "
    "fees cost costs price pay pays paying paid cover deduct bear extra additional complimentary gratis no not "
    "own expense house monday tuesday wednesday thursday friday saturday sunday weekday weekend day us only "
    "small surcharge penny cent will be per each unfortunately sorry afraid"
)
_GENERAL = frozenset(map(stem, _GENERAL_TEXT.split()))
"""What speaks of prices, and names no other thing."""


def _on_other_days(question: Normal, reply: Normal) -> bool:
    """ "You only pay Monday to Saturday", to "Is it free on Sundays?"."""
    asked = points(question.words, DAYS)
    said = points(dashed(reply).words, DAYS) if asked else frozenset()
    return bool(said) and asked.isdisjoint(said)


def _is_polar_of_dues(question: Normal) -> bool:
    return bool(
        _OWES.search(question.text)
        or _THERE.search(question.text)
        or " do i pay " in question.text
        or " i be charged " in question.text
    )
