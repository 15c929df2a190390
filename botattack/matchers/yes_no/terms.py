"""Terms of an answer: what a sentence says apart from its courtesies, its exceptions and its conditions."""

from __future__ import annotations

import re
from typing import Literal

from botattack.matchers.yes_no.house_rules import things
from botattack.text.normalise import Normal, normalise

Side = Literal["yes", "no"]

_TAG = re.compile(
    r"(?<=\w),\s*(?:(?P<verb>is|are|was|were|do|does|did|ca|can|could|wo|will|would|have|has|should|must|may)"
    r"(?:n['\u2019]t| not)?\s+(?:you|it|they|there|he|she|we|i|one)(?:\s+not)?|right|correct)\s*\?\s*$",
    re.I,
)
_NEGATED_LEAD = re.compile(
    r"^(?P<verb>\s*(?:is|are|was|were|do|does|did|have|has|had|could|would|should|ca|wo))n['\u2019]t\b", re.I
)
_WHOLE_VERB = {"ca": "can", "wo": "will"}
_COURTEOUS = re.compile(
    r"^\s*(?:(?:(?:I(?:['\u2019]m| am)|we(?:['\u2019]re| are)) (?:very |so )?(?:afraid|sorry)"
    r"(?: to say)?(?: that| but|, but)?"
    r"|unfortunately|sadly|regrettably"
    r"|(?:I(?:['\u2019]m| am)|we(?:['\u2019]re| are)) (?:happy|pleased|glad|delighted) to "
    r"(?:say|tell you|confirm|report)(?: that)?"
    r"|please (?:note|be aware)(?: that)?|just so you know|good news|great question|good question)[,:!]?\s+)+",
    re.I,
)
_COURTESIES = frozenset(("i", "we", "unfortunately", "sadly", "regrettably", "please", "just", "good", "great"))
_EXCEPTION_CUES = frozenset(("except", "excepting", "exception", "apart", "excluding", "unless", "save", "but"))
_EXCEPT = re.compile(
    r" (?:except(?: for)?|excepting|with exception of|apart from|excluding|save for|unless|but not) (?P<what>.*)$"
)
_EXCEPTED = re.compile(
    r" (?:but|though|although|however) (?P<what>(?:\S+ ){1,4})(?:is|are) "
    r"(?:exception|exceptions|exempt|excepted|excluded) "
)
_EACH = re.compile(r" (?:and|or) ")
_CLOSED = re.compile(r" (?:not|no|never|none|nobody|closed|forbidden|banned|prohibited|excluded|nothing|neither) ")
_CONDITION = re.compile(
    r",?\s+(?:provided|providing|as long as|so long as|on (?:the )?condition|unless|subject to|if|once|assuming"
    r"|except|apart from|with the exception)\b.*$",
    re.I | re.S,
)
_CONDITIONS = frozenset(
    ("provided", "providing", "long", "condition", "unless", "subject", "if", "once", "assuming", "except", "apart",
     "exception")
)  # fmt: skip
_ON_TERMS = re.compile(
    r"(?P<side>yes|no)\s*[,;:.\u2013-]\s*(?:(?:but|and|though) )?(?:there (?:is|are) )?"
    r"(?:for (?:a )?(?:fee|charge|price) of )?(?P<terms>\w.*)",
    re.I | re.S,
)


def side_and_terms(raw: str) -> tuple[Side, str] | None:
    """ "yes" and "on a lead", of "yes, on a lead"; None for an answer of another form."""
    found = _ON_TERMS.fullmatch(raw)
    return ("yes" if found["side"].lower() == "yes" else "no", found["terms"]) if found else None


def plain_question(question: Normal) -> Normal:
    """ "Are you open", of "You are open, aren't you?"; "Do you deliver?", of "Don't you deliver?".

    Asked with a negation at its head or tail, a question is answered as if it had none.
    """
    words = question.words
    if words[1:2] == ("not",) and (lead := _NEGATED_LEAD.match(question.raw)):
        verb = lead["verb"].strip()
        return normalise(_WHOLE_VERB.get(verb.lower(), verb) + question.raw[lead.end() :])
    tag = _TAG.search(question.raw) if "," in question.raw else None
    return _turned(question.raw[: tag.start()], (tag["verb"] or "").lower()) if tag else question


def _turned(statement: str, verb: str) -> Normal:
    """ "are you open", of "you are open": the question that a statement with a tag at its end asks."""
    verb = _WHOLE_VERB.get(verb, verb)
    rest = re.sub(rf"\b{verb}\s", "", statement, count=1) if verb else statement
    return normalise(f"{verb} {rest.strip()}?".strip())


def without_courtesy(sentence: Normal) -> Normal:
    """A sentence without the words that only make it friendly: "I'm afraid", "Please note that"."""
    if not sentence.words or sentence.words[0] not in _COURTESIES:
        return sentence
    lead = _COURTEOUS.match(sentence.raw)
    return normalise(sentence.raw[lead.end() :]) if lead and lead.end() < len(sentence.raw) else sentence


def excepted(question: Normal, sentence: Normal) -> Side | None:
    """ "Dogs are not admitted, except guide dogs": a yes for who asks about guide dogs; None for whoever does not."""
    if _EXCEPTION_CUES.isdisjoint(sentence.words):
        return None
    found = _EXCEPT.search(sentence.text) or _EXCEPTED.search(sentence.text)
    if found is None:
        return None
    asked = things(question)
    excluded = (things(normalise(each)) for each in _EACH.split(found["what"]))
    if not any(what and what <= asked for what in excluded) or _CLOSED.search(question.text):
        return None
    return "yes" if _CLOSED.search(sentence.text[: found.start() + 1]) else "no"


def unconditional(sentence: Normal) -> Normal | None:
    """What a sentence says before its condition or exception; None where it has none."""
    if _CONDITIONS.isdisjoint(sentence.words):
        return None
    main = normalise(_CONDITION.sub("", sentence.raw, count=1))
    return main if 1 < len(main.words) < len(sentence.words) else None
