"""Whether there is something, whether it is included or due, and who is let in: what a plain statement says to that."""

from __future__ import annotations

import re
from typing import Literal

from botattack.matchers.claimless.void import stem
from botattack.matchers.yes_no.dues import paid
from botattack.matchers.yes_no.house_rules import clauses, things
from botattack.text.normalise import Normal, normalise

Side = Literal["yes", "no"]

_HAVE = "have|offer|sell|rent|hire|lend|serve|keep|provide|stock|contain|run|accept|take"
_HAS = re.compile(
    rf"^ (?:is there|are there|will there be|do you (?:{_HAVE})|(?:do|does) (?:\S+ ){{1,4}}?(?:{_HAVE}|come with)"
    r"|(?:can|could|may) (?:i|we|you) (?:get|buy|rent|hire|borrow|have)) (?P<what>.*)$"
)
_THERE_IS = re.compile(
    r" (?:there (?:is|are|will be)|available|(?:we|it|they|you will|guests) (?:have|has|offer|offers|provide|provides"
    r"|sell|sells|stock|serve|find)|comes? with|equipped with|features?) "
)
_INCLUDED = re.compile(r" (?:included|include|includes|inclusive|part|come with|comes with) ")
_WITHIN = re.compile(
    r" (?:comes? with|includes?|including|included|inclusive of|part of|complimentary|no (?:extra|additional)"
    r" (?:charge|cost|fee|costs)) "
)
_APART = re.compile(r" (?:extra|separate|separately|additional|surcharge|supplement|optional) ")
_MUST = re.compile(r" (?:must|need|needs|needed|required|necessary|mandatory|compulsory|obligatory|have to|has to) ")
_DUE = re.compile(
    r" (?:(?:is|are) (?:\w+ly |always )?(?:required|needed|necessary|mandatory|compulsory|obligatory|essential)"
    r"|must|need|needs|required to|have to|has to|is must|ask for|asks? you for|charge) "
)
_UNDUE = re.compile(
    r" (?:no (?P<no>\S+(?: \S+)?) (?:is |are )?(?:needed|required|necessary)|(?:do not|does not|need not|no) need"
    r"|(?:is|are) not (?:needed|required|necessary)) "
)
_PLACED = re.compile(r" (?:in|at|on|near|inside|outside|behind|beside|next to) ")
_HERE_TEXT = "building hotel museum house shop library park restaurant gym store site nearby"
_HERE = frozenset(map(stem, _HERE_TEXT.split()))
_ERRANDS = frozenset(
    ("bring", "wear", "show", "carry", "pay", "have", "need", "requir", "necessary", "must", "include")
)
_DENIES = frozenset(("no", "not", "never", "without", "nor", "neither", "none", "unfortunately", "instead"))
_NARROWS = frozenset(("only", "unless", "except", "if", "some", "other", "another", "until", "used", "might", "may"))
_OUTSIDER = re.compile(r" (?:non|without being|without|who are not|i am not|we are not) (?P<who>\S+?)s? ")
_KEPT = re.compile(r" (?:only|solely|exclusively|reserved|restricted|limited|exclusive) ")


def offered(question: Normal, reply: Normal) -> Side | None:
    """What a plain statement says to whether something is there, included or due; None where it says nothing."""
    if side := _for_insiders(question, reply):
        return side
    if " without " in question.text or len(reply.words) > _LONG:
        return None
    for read in (_exists, _within, _is_due):
        if side := read(question, reply):
            return side
    return None


_LONG = 25
"""Words up to which a sentence is plain."""


def _for_insiders(question: Normal, reply: Normal) -> Side | None:
    """ "For members only", to "Can non-members come in?"."""
    outsider = _OUTSIDER.search(question.text)
    if outsider is None or not _KEPT.search(reply.text) or " non " in reply.text or " not " in reply.text:
        return None
    return "no" if any(word.removesuffix("s") == outsider["who"] for word in reply.words) else None


def missing(question: Normal, reply: Normal) -> Side | None:
    """ "A ticket is required", to "Can I enter without a ticket?": whether what is to be left out is needed."""
    if " without " not in question.text:
        return None
    left_out = things(normalise(question.text.partition(" without ")[2]))
    if left_out and left_out <= _SUMS and (due := paid(reply)) is not None:
        return "no" if due else "yes"
    for clause in clauses(reply.raw) if left_out else ():
        if not left_out <= things(clause):
            continue
        if _UNDUE.search(clause.text):
            return "yes"
        if (_DUE.search(clause.text) or _ONLY.search(clause.text)) and _DENIES.isdisjoint(clause.words):
            return "no"
    return None


_SUMS = frozenset(map(stem, ("fee", "fees", "charge", "charges", "cost", "costs", "extra", "paying", "surcharge")))
_ONLY = re.compile(r" (?:only (?:\S+ )?(?:with|by|on|against|upon|if)|(?:with|by) (?:\S+ ){1,3}only) ")


def _exists(question: Normal, reply: Normal) -> Side | None:
    """ "There is one on the second floor": of what was asked about, and nothing else."""
    asked = _HAS.search(question.text)
    what = things(normalise(asked["what"])) if asked else frozenset()
    what = what - _HERE or what
    # "There is no lift", to "Is there a lift in the lodge?": a place that is not named is the one asked about.
    thing = things(normalise(_PLACED.split(asked["what"])[0])) if asked else what
    if not what:
        return None
    for clause in clauses(reply.raw):
        said = things(clause)
        if (
            (what <= said or (thing and thing <= said and not _PLACED.search(clause.text)))
            and _THERE_IS.search(clause.text)
            and _NARROWS.isdisjoint(clause.words)
        ):
            return "yes" if _DENIES.isdisjoint(clause.words) else _denied(clause)
    return None


def _denied(clause: Normal) -> Side | None:
    return "no" if re.search(r" (?:there (?:is|are) no|not available) ", clause.text) else None


def _within(question: Normal, reply: Normal) -> Side | None:
    """ "All rooms come with breakfast", to "Is breakfast included?"."""
    asked = _INCLUDED.search(question.text)
    what = things(normalise(question.text[: asked.start()])) if asked else frozenset()
    if not what:
        return None
    for clause in clauses(reply.raw):
        if not what <= things(clause) or not _NARROWS.isdisjoint(clause.words):
            continue
        if within := _WITHIN.search(clause.text):
            if within.group().startswith(" no "):
                return "yes"
            return "yes" if _DENIES.isdisjoint(clause.words) and not _APART.search(clause.text) else _outside(clause)
        if _APART.search(clause.text) and _DENIES.isdisjoint(clause.words):
            return "no"
    return None


def _outside(clause: Normal) -> Side | None:
    return "no" if re.search(r" not (?:\w+ )?(?:part|included|include|come with) ", clause.text) else None


def _is_due(question: Normal, reply: Normal) -> Side | None:
    """ "A cap is required", to "Do I have to wear a cap?"."""
    if not _MUST.search(question.text):
        return None
    asked = things(question) - _ERRANDS
    for clause in clauses(reply.raw):
        said = things(clause)
        due = _DUE.search(clause.text) and _DENIES.isdisjoint(clause.words) and _NARROWS.isdisjoint(clause.words)
        if due and asked and 2 * len(asked & said) >= len(asked):
            return "yes"
    return None
