"""An answer that is one of several: offered side by side, compared, or told of without saying which it is."""

from __future__ import annotations

import re

from botattack.matchers.claimless.void import content, stem
from botattack.matchers.compared import Comparison, comparison, winner
from botattack.matchers.gold import golds
from botattack.matchers.objections.place import HEDGED, Objection, Place
from botattack.text.normalise import normalise

_BUILDING_WORDS = (
    "it is was are were be must am they that this i my think guess believe say would probably answer called well yes "
    "of course in at on to"
)
BUILDING = frozenset(_BUILDING_WORDS.split())
"""Words that say nothing by themselves: a sentence of nothing else and the answer is the answer."""

_OR_NEXT = re.compile(
    r"^[\"')]*\s*(?:,?\s*(?:or|/)|,\s*(?:maybe|perhaps|possibly|could be|might be))\s+"
    r"(?:(?:maybe|perhaps|possibly|even|else|in|at|on|it'?s|the|an?|is it|was it)\s+)*[\"']?"
    r"(?!so\b|something\b|thereabouts|anything\b|whatever|rather|so-called|until\b|till\b|when\b|if\b|as\b|more\b|less\b"
    r"|longer\b|older\b|younger\b|over\b|under\b|later\b|after\b|before\b|unless\b|while\b|by\b"
    r"|(?:walk|take|go|use|call|ask|write|come|visit|book|see|contact|phone|send|follow|drive)\s"
    r"|[£€$]?\d[\d.,]*\s+for\s+(?:an?|the|each|every|two)\b)([\w£€$][^,.;?!]*)",
    re.I,
)
_OR = re.compile(r"\s+or\s+", re.I)
_LIST_NEXT = re.compile(
    r"^[\"')]*(?:\s*,\s*[\w£€$][^,;?!]{0,40}?){1,12}?\s*,?\s*\b(?:or|and)\s+([\w£€$][^,.;?!]*)", re.I
)
_REACH = 120
"""Characters before an answer in which what stands beside it is looked for."""
_AHEAD = 600
"""Characters behind an answer in which it is looked for: hundreds of spaces are no list."""
_OR_BEFORE = re.compile(r"\bor\s+(?:(?:maybe|perhaps|possibly|even|else|in|at|on|it'?s|the|an?)\s+)*[\"'(]*$", re.I)
_STOP = re.compile(r"[,.;?!]")
_ITEM_BEFORE = re.compile(
    r"(?:(?:^|,)\s*(?:it (?:could|may|might) be\s+)?(?:[A-Z\d][\w'-]*)(?:\s+[A-Z][\w'-]*){0,2}\s*(?=,))+,\s*$", re.I
)
_BETWEEN_ITEMS = re.compile(r",|\bor\b|\band\b", re.I)
_MAYBE_NEXT = re.compile(r",\s*(?:or\s+)?(?:maybe|perhaps|possibly)\s+([\w£€$][^,.;?!]*)", re.I)
_MAY = re.compile(r" (?:could|might|may|maybe|perhaps|possibly|either|any of|one of|who knows|not sure) ")


def hedged(place: Place) -> Objection | None:
    """One of several answers between which the reply does not choose, or the lesser of two that it compares."""
    if place.context.choice and (other := _answer_is(place)):
        return Objection("contradicted", "wrong", f"the reply says that the answer is {other!r}", place.sentence)
    compared = comparison(place.context.raw) if place.context.choice else None
    others = (
        (place.context.others(place.phrase) or place.context.others(place.phrase.removesuffix("s"))) if compared else ()
    )
    if compared and others:
        for text in (place.words, place.whole) if place.whole is not place.words else (place.words,):
            if won := winner(compared, text, place.phrase, others[0]):
                why = f"{place.said!r} is the lesser of the two"
                return None if won == place.phrase else Objection("denied", "wrong", why, place.sentence)
        if _concludes(place, compared, others[0]):
            why = f"the reply concludes that it is {others[0]!r}"
            return Objection("contradicted", "wrong", why, place.sentence)
    return _either(place) or _opinions_differ(place) or _told_of_both(place) or _one_of_several(place)


def one_of_a_list(place: Place) -> Objection | None:
    """ "London, Paris and Rome", to what asks for one: nothing but names, of which one is right."""
    raw = place.whole.raw
    if "," not in raw or " and " not in place.whole.text or len(raw) > _REACH:
        return None
    if not (_NAMES_ALONE.match(raw) and _FOR_ONE.search(place.context.raw)):
        return None
    names = [item for item in re.split(r",|\band\b", _IT_IS.sub("", raw).strip(" .!")) if item.strip()]
    others = [name for name in names if not (place.phrase in normalise(name).text or _is_gold(place, name))]
    if len(others) < _OTHERS:
        return None
    why = f"{place.said!r} stands among several answers: the reply names them {HEDGED}"
    return Objection("hedged", "wrong", why, place.sentence)


def _has_or(listed: re.Match[str] | None) -> bool:
    """A list with "and" alone names all of them, for all it says."""
    return listed is not None and bool(re.search(r"\bor\s", listed.group()))


_OTHERS = 2
_IT_IS = re.compile(r"^\W*(?:(?:it|that|this|the answer)(?: is|'s| was)\s+)?", re.I)
_NAMED = r"(?:(?:the|The|in|In)\s+)?[A-Z][\w'\u2019.-]*(?:\s+(?:of\s+)?[A-Z][\w'\u2019.-]*)*"
_NAMES_ALONE = re.compile(
    rf"^\W*(?:(?:[Ii]t|[Tt]hat|[Tt]his|[Tt]he answer)(?: is|'s| was)\s+)?{_NAMED}(?:,\s+{_NAMED})+,?"
    rf"\s+and\s+{_NAMED}\W*$"
)
_FOR_ONE = re.compile(
    r"\b(?:what|who|where|which)(?:'s| is| was) the (?!names)"
    r"|\b(?:which|what) (?!\w*s\b|do|did|can|could|have|had|will|would|should|may)[a-z]+ (?!are|were)\w",
    re.I,
)
""" "What is the capital", "which city": not "which cities", nor "who wrote it", for more than one may have."""


def _concludes(place: Place, asked: Comparison, other: str) -> bool:
    """ "So Mars is nearer", at the end of a reply that tells of both."""
    words = "|".join(sorted(asked.mine))
    said = rf" (?:so|therefore|thus|hence) {re.escape(other)} (?:is|was|are|were) (?:\S+ )?(?:{words}) "
    return bool(re.search(said, place.whole.text))


def _either(place: Place) -> Objection | None:
    """ "Either he was the teacher or his pupil": as far apart as the two may stand."""
    found = _EITHER.search(place.words.text) if "either" in place.words.words else None
    if found is None or _WAYS.search(place.context.question.text):
        return None
    sides = [f" {side} " for side in (found["one"], found["other"])]
    if sum(f" {place.phrase} " in side for side in sides) != 1 or all(_is_gold(place, side) for side in sides):
        return None
    return Objection("hedged", "unsure", f"the reply says either {place.said!r} or another, {HEDGED}", place.sentence)


_ANSWER_IS = re.compile(r"\banswer\s+(?:to this question\s+)?is\s+(?P<what>[^.;!?\n]{1,60})", re.I)
_ALONE = re.compile(r"[\s\"')]*(?:[,.;:!]|$)")


_EITHER = re.compile(r"^ (?:(?:well|oh|i think|i guess|it is|it was|maybe) )*either (?P<one>\S.*) or (?P<other>\S.*)$")
_SOME_SAY = re.compile(
    r" (?:some|many) (?:people )?(?:say|think|believe|claim|prefer) (?:\S+ ){0,6}others (?P<other>.*)$"
)


def _opinions_differ(place: Place) -> Objection | None:
    """ "Some say X, others Y"."""
    found = _SOME_SAY.search(place.words.text)
    if found is None or _is_gold(place, found["other"]) or place.phrase in found["other"]:
        return None
    return Objection("hedged", "unsure", f"the reply names {place.said!r} and another, {HEDGED}", place.sentence)


def _answer_is(place: Place) -> str:
    """The other option, where the reply says in so many words that it is the answer."""
    found = _ANSWER_IS.search(place.text, 0, place.span[0])
    said = normalise(found["what"]).text if found else " "
    return next(
        (other for other in place.context.others(place.phrase) if f" {other} " in said and place.phrase not in said), ""
    )


def _told_of_both(place: Place) -> Objection | None:
    """At length of both options, and nothing of what was asked about this one."""
    others = [other for other in place.context.others(place.phrase) if f" {other} " in place.whole.text]
    if not others or len(place.whole.words) < _AT_LENGTH or _ALONE.match(place.raw_after):
        return None
    asked = place.context.content - {stem(word) for word in (*place.phrase.split(), *others[0].split())}
    if asked & content(place.words) or _MAY.search(place.words.text):
        return None
    return Objection("mentioned", "wrong", f"nothing of what was asked is said of {place.said!r}", place.span)


_WAYS = re.compile(r" (?:how|where|whom) (?:can|do|could|should|may|must|would) (?:i|you|we|one) ")
""" "How can I pay?": there whoever says "by card or in cash" gives two right answers, and hedges nothing."""


def _one_of_several(place: Place) -> Objection | None:
    raw_before = place.text[place.sentence[0] : place.span[0]]
    named = [option for option in place.context.others(place.phrase) if f" {option} " in place.words.text]
    freely = not place.context.choice and bool(_WAYS.search(place.context.question.text))
    may = bool(_MAY.search(place.whole_before.replace(" either ", " ") if freely else place.whole_before))
    following = place.raw_after[:_AHEAD]
    after, before = _OR_NEXT.match(following), _before_or(raw_before[-_REACH:])
    listed = _LIST_NEXT.match(following)
    others = [*(_OR.split(after.group(1)) if after else ()), *before]
    offered = listed is not None and any(f" {option} " in normalise(listed.group()).text for option in named)
    if listed := listed if may or offered or _has_or(listed) else None:
        others += [item for item in _BETWEEN_ITEMS.split(listed.group()) if item.strip(" \"')")]
    elif (
        may
        and not others
        and (
            before or re.search(r",\s*(?:and\s+|or\s+)?[\"']?$", raw_before) or re.match(r"\s*,?\s*and\s+\w", following)
        )
    ):
        others += raw_before.split(",")[:-1] or ["another"]
    if before and raw_before.count(",") > 1:
        others += raw_before.split(",")[:-2]
    if (after or listed) and (item := _ITEM_BEFORE.search(raw_before)):
        others += [part for part in item.group().split(",") if part.strip()]
    if may and after:
        others += [name for name in _MAYBE_NEXT.findall(following) if name not in others]
    others = [name for name in others if not (_is_gold(place, name) or _in_stem(place, name) or _restates(place, name))]
    if len(named) > 1 and " or " in place.words.text:
        return Objection("hedged", "wrong", f"the reply names every option {HEDGED}", place.sentence)
    if named and len(others) < 2:
        return _both_options(place, named[0])
    if not may and freely:
        return None
    if not others:
        return None
    why = f"{place.said!r} stands among several answers: the reply names them {HEDGED}"
    return Objection("hedged", "unsure" if len(others) == 1 else "wrong", why, place.sentence)


def _before_or(text: str) -> tuple[str, ...]:
    """What stands before an "or" that a text ends in, back to the last stop; empty where it does not end so."""
    found = _OR_BEFORE.search(text)
    if found is None:
        return ()
    lead = text[: found.start()].rstrip()
    return (_STOP.split(lead.removesuffix(",").rstrip())[-1],)


_AT_LENGTH = 20
"""Words from which a reply that names both options and chooses neither is no hedge, but misses the question."""
_LONG = 8
"""Words from which a sentence says more than an answer does."""


def _both_options(place: Place, other: str) -> Objection | None:
    """Both options in one sentence: a denial of the other decides, or what is said of the first."""
    said, mine, theirs = place.words.text, re.escape(place.phrase), re.escape(other)
    if _rejected(said, theirs):
        return None
    why = f"the reply names {place.said!r} and {other!r}, {HEDGED}"
    unsure = Objection("hedged", "unsure", why, place.sentence)
    joined = re.search(
        rf" (?:{mine}(?: \S+)? (or|and) (?:\S+ )?{theirs}|{theirs}(?: \S+)? (or|and) (?:\S+ )?{mine}) ", said
    )
    if joined and "or" in joined.groups():
        again = place.context.content <= content(place.words)
        why = "the reply only says the choice again"
        return Objection("echoed", "wrong", why, place.sentence) if again else unsure
    asked = _asked_of(place, other, joined=bool(joined))
    if joined and asked & content(place.words) and not comparison(place.context.raw):
        why = f"the reply says it of {place.said!r} and of {other!r}"
        return Objection("contradicted", "unsure", why, (place.sentence[0], len(place.text)))
    short = len(place.whole.words) < _AT_LENGTH or bool(_MAY.search(said))
    if len(place.words.words) >= _LONG and not _MAY.search(said) and not asked & content(place.words):
        return Objection("mentioned", "wrong", f"nothing of what was asked is said of {place.said!r}", place.sentence)
    clause = normalise(place.text[slice(*place.clause)])
    if not (joined and short) and asked & content(clause) and f" {other} " not in clause.text:
        return None
    why = f"nothing says that it is {place.said!r}"
    return unsure if short else Objection("mentioned", "wrong", why, place.sentence)


def _asked_of(place: Place, other: str, *, joined: bool) -> frozenset[str]:
    """What is asked about the two options; "the shower or the washing machine": one word more belongs to the option."""
    asked = place.context.content - {stem(word) for word in (*place.phrase.split(), *other.split())}
    words = place.context.question.words
    return asked - {stem(words[words.index(other) + 1])} if joined and other in words[:-1] else asked


def _rejected(sentence: str, option: str) -> bool:
    """Whether a sentence denies an option, or sets it below another."""
    return bool(
        re.search(rf" (?:not|than|instead of|unlike|nor|never) (?:\S+ )?{option} ", sentence)
        or re.search(rf" {option} (?:is|was|are|were|does|did|do) not ", sentence)
    )


def _restates(place: Place, name: str) -> bool:
    """ "8 bits, or 8 on-off switches"."""
    number = place.phrase.split()[0]
    return number.isdecimal() and number != place.phrase and normalise(name).text.startswith(f" {number} ")


def _in_stem(place: Place, name: str) -> bool:
    """Whether words beside the answer only repeat what was asked about: "New Zealand, Wellington or Auckland"."""
    options, phrase = place.context.options, normalise(name).text
    return len(options) > 1 and phrase in place.context.question.text and phrase.strip() not in options


def _is_gold(place: Place, name: str) -> bool:
    other = normalise(name).text
    every = (*place.context.fresh, *place.context.stale)
    return any(gold.phrase and gold.padded in other for gold in golds(every).literals)
