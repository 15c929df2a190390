"""Objections to a gold answer found in a reply: it is denied, only asked about, one of several, said of something else,
or the question said back. Rules over words, cheap and cautious: what they cannot see passes.
"""

from __future__ import annotations

import re

from botattack.matchers import misplaced
from botattack.matchers.context import Asked
from botattack.matchers.gold import golds
from botattack.matchers.misplaced import BESIDE
from botattack.matchers.place import HEDGED, Objection, Place
from botattack.matchers.sentences import is_in_first
from botattack.matchers.void import content, stem
from botattack.text.normalise import normalise

_NEAR = 5
"""How many words before an answer a negation still reaches it."""
_IDIOM = re.compile(
    r" (?:not (?:only|just|merely|simply|doubt|surprisingly|to mention|less than|until|before|far from|least|forget)"
    r"|no (?:doubt|question|wonder|other than|less than|fewer than)|none other than|nothing (?:other than|but)|why not"
    r"|not be anything other than|if i am not mistaken|unless i am (?:very much )?(?:mistaken|wrong)"
    r"|if (?:i|my memory|memory) \S+(?: me)?(?: correctly| right)?)(?= )"
)
"""Negations and conditions that deny nothing."""
_DOUBT = re.compile(r" not (?:know|sure|certain|remember|recall|say|tell)\b.* (?:if|whether|that)\b| whether(?= )")
_DISBELIEF = re.compile(
    r" (?:not (?:think|believe|agree|accept|suppose)|doubt|deny|wrong to say|false that|not true that)(?= )"
)
_NO = frozenset(("not", "never", "nor", "neither", "except", "unlike", "excluding", "without", "nothing"))
_NO_PHRASE = re.compile(
    r" (?:instead of|rather than|other than|anything but|opposed to|confused with|mistaken for)(?: \S+)? $"
)
_THAN = re.compile(r" than (?:\S+ )?$")
_THEN_NOT = re.compile(
    r"^ (?:(?:is|was|are|were|has|have|had|does|did|do|can|could|will|would|should) )?"
    r"(?:certainly |definitely |really |actually |probably |surely )?"
    r"(?:(?:not|never|no longer) (?!only |just |merely )|(?:is|was) (?:wrong|incorrect|false|out of question))"
)
_SOME_SAY = re.compile(
    r" (?:some|many|most|people|they|others|everyone) (?:people )?(?:say|think|believe|claim|thought|said) "
)
_REPORTS = re.compile(
    r" (?:(?:you|some|many|most|people|they|others) (?:people )?(?:say|said|think|thought|believe|claim|mean|ask"
    r"|asked|tell|told)"
    r"|some say|you are (?:asking|telling|saying)|if) "
)
_TURNS = re.compile(r" but .*(?:wrong|not|actually|in fact|really|false|myth|mistake)")
_TAKEN_BACK = re.compile(
    r" (?:(?:but|no) )?(?:this|that|it)(?: answer)? (?:is|was) (?:incorrect|wrong|false|not (?:correct|right|true)) "
)
_CORRECTED = re.compile(
    r"\b(?i:but|no,)\s+(?i:it(?:'s| is| was)|that is|was|is)\s+(?i:actually|really|in fact)"
    r"\s+(?:the\s+)?[A-Z](?![^.;]*\bthat\b)"
)
_MENTIONED = re.compile(
    r" (?:(?:ask|asks|asked|asking|talk|talking|chat|know|knows|heard|hear|speak)(?: \S+)? about"
    r"|(?:love|like|want|wanted|wish|hope|hoping|plan) to (?:see|visit|go to|travel to)"
    r"|interested in|looking for|look up|search for|google) (?:\S+ )?$"
)
_FORMERLY = re.compile(r" (?:used to be|formerly|previously) (?:\S+ )?$")
_TAG = re.compile(
    r",?\s*(?:right|correct|no|eh|yes|ok|okay|is(?:n't| not) (?:it|that so)|isn't it"
    r"|don't you(?: think| agree)?|was(?:n't| not) it|is it not|is that right|do you agree)\s*\?[\s\"')]*$",
    re.I,
)
_GUESS = frozenset((" ", " maybe ", " perhaps ", " probably ", " possibly ", " i guess ", " i think "))
_TENTATIVE = re.compile(
    r"^ (?:is|was|could|might|would|can|are) (?:not )?(?:it|that|they)(?: be)? (?:in |at |on |called )?$"
)
_BUILDING_WORDS = (
    "it is was are were be must am they that this i my think guess believe say would probably answer called well yes "
    "of course in at on to"
)
_BUILDING = frozenset(_BUILDING_WORDS.split())
"""Words that say nothing by themselves: a sentence of nothing else and the answer is the answer."""

_CUE_WORDS = (
    "no if unless whether doubt deny wrong incorrect false instead rather other anything opposed confused mistaken "
    "than but used formerly previously or could might may maybe perhaps possibly either between any one 1 who sure "
    "can about love like want wanted wish hope hoping plan interested looking look search google out"
)
_CUES = _NO | frozenset(_CUE_WORDS.split())
"""Every word without which no rule below, `_elsewhere` and `_echoed` apart, can object."""
_LOUD = _CUES | BESIDE


def objection(context: Asked, text: str, span: tuple[int, int]) -> Objection | None:
    """The first objection to the gold answer at `span` of a reply, or None where it stands."""
    place = Place(context, text, span)
    for check in _QUIET if _is_quiet(place) else _FEW if _has_no_cue(place) else _ALL:
        found = check(place)
        if found is not None:
            return found
    return None


def _is_quiet(place: Place) -> bool:
    """Whether the whole reply has no word or sign that could speak against an answer: its sentences need no reading.

    Only where the normal form changes no word: then the words of a sentence are words of the reply, too.
    """
    whole, raw = place.whole, place.whole.raw
    return (
        not whole.changes
        and raw.isascii()
        and not ("?" in raw or "/" in raw or "," in raw or ";" in raw)
        and _LOUD.isdisjoint(whole.words)
        and not place.context.choice
    )


def _has_no_cue(place: Place) -> bool:
    """Whether the answer's sentence has no word or sign that any rule needs, save those of `_FEW`."""
    return (
        not place.context.choice
        and _CUES.isdisjoint(place.words.words)
        and not ("?" in place.words.raw or "/" in place.words.raw)
        and not (place.sentence[1] < len(place.text) and _TAKEN_BACK.match(place.next_sentence))
    )


def _asked_back(place: Place) -> Objection | None:
    sentence = place.text[slice(*place.sentence)].rstrip(" \t\r\n\"')")
    if not sentence.endswith("?") or _TAG.search(sentence):
        return None
    if place.context.stale and f" {place.phrase} " in place.context.question.text:
        return Objection("echoed", "wrong", f"{place.said!r} stands in a question asked back", place.sentence)
    if place.whole_before in _GUESS and place.after == " ":
        if not place.next_sentence.startswith((" no ", " not ", " nope ")):
            return None
        return Objection("denied", "wrong", f"{place.said!r} is denied", place.sentence)
    if _TENTATIVE.match(place.whole_before):
        return Objection("hedged", "unsure", f"{place.said!r} is only asked about", place.sentence)
    return Objection("asked", "wrong", f"{place.said!r} stands in a question, not in an answer", place.sentence)


def _denied(place: Place) -> Objection | None:
    before = _IDIOM.sub("", place.before)
    if before.startswith((" if ", " unless ")):
        return Objection("doubted", "wrong", f"{place.said!r} is only supposed", place.clause)
    if _DOUBT.search(before):
        return Objection("doubted", "unsure", f"the reply is not sure of {place.said!r}", place.clause)
    near = before.split()[-_NEAR:]
    number = place.phrase[:1].isdecimal()
    no = (
        not _NO.isdisjoint(near)
        or near[-1:] == ["no"]
        or _DISBELIEF.search(before)
        or _NO_PHRASE.search(_IDIOM.sub("", place.whole_before))
        or (not number and _THAN.search(before))
        or (not place.context.negated and _THEN_NOT.search(place.after))
        or (_SOME_SAY.search(place.whole_before) and _TURNS.search(normalise(place.raw_after).text))
        or _CORRECTED.search(place.raw_after)
        or _TAKEN_BACK.match(place.next_sentence)
        or (not place.context.past and _FORMERLY.search(before))
    )
    return Objection("denied", "wrong", f"{place.said!r} is denied", place.clause) if no else None


_OR_NEXT = re.compile(
    r"^[\"')]*\s*(?:,?\s*(?:or|/)|,\s*(?:maybe|perhaps|possibly|could be|might be))\s+"
    r"(?:(?:maybe|perhaps|possibly|even|else|in|at|on|it'?s|the|an?|is it|was it)\s+)*[\"']?"
    r"(?!so\b|something\b|thereabouts|anything\b|whatever|rather|so-called)(\w[^,.;?!]*)",
    re.I,
)
_LIST_NEXT = re.compile(r"^[\"')]*(?:\s*,\s*\w[^,.;?!]{0,40}){1,12}?\s*,?\s*\b(?:or|and)\s+(\w[^,.;?!]*)", re.I)
_REACH = 120
"""Characters before an answer in which what stands beside it is looked for."""
_OR_BEFORE = re.compile(r"\bor\s+(?:(?:maybe|perhaps|possibly|even|else|in|at|on|it'?s|the|an?)\s+)*[\"'(]*$", re.I)
_STOP = re.compile(r"[,.;?!]")
_ITEM_BEFORE = re.compile(
    r"(?:(?:^|,)\s*(?:it (?:could|may|might) be\s+)?(?:[A-Z\d][\w'-]*)(?:\s+[A-Z][\w'-]*){0,2}\s*(?=,))+,\s*$", re.I
)
_BETWEEN_ITEMS = re.compile(r",|\bor\b|\band\b", re.I)
_FIGURES_NEXT = re.compile(r"^(?:,\s*\d[\d.]*){2,}")
_MAY = re.compile(
    r" (?:could|might|may|maybe|perhaps|possibly|either|between|any of|one of|who knows|not sure|can be) "
)


def _hedged(place: Place) -> Objection | None:
    raw_before = place.text[place.sentence[0] : place.span[0]]
    named = [option for option in place.context.others(place.phrase) if f" {option} " in place.words.text]
    may = bool(_MAY.search(place.whole_before))
    after, before = _OR_NEXT.match(place.raw_after), _before_or(raw_before[-_REACH:])
    listed = _LIST_NEXT.match(place.raw_after)
    others = [*([after.group(1)] if after else ()), *before]
    if listed and (may or re.search(r"\bor\s", listed.group())):
        others += [item for item in _BETWEEN_ITEMS.split(listed.group()) if item.strip(" \"')")]
    elif (
        may
        and not others
        and (
            before
            or re.search(r",\s*(?:and\s+|or\s+)?[\"']?$", raw_before)
            or re.match(r"\s*,?\s*and\s+\w", place.raw_after)
        )
    ):
        others += raw_before.split(",")[:-1] or ["another"]
    if before and raw_before.count(",") > 1:
        others += raw_before.split(",")[:-2]
    if (after or listed) and (item := _ITEM_BEFORE.search(raw_before)):
        others += [part for part in item.group().split(",") if part.strip()]
    if run := _FIGURES_NEXT.match(place.raw_after):
        others += [part for part in run.group().split(",") if part.strip()]
    others = [name for name in others if not _is_gold(place, name) and not _in_stem(place, name)]
    if named and len(others) < 2:
        return _both_options(place, named[0])
    if not others or _neighbours_are_clauses(after, before, listed, may=may):
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


def _neighbours_are_clauses(
    after: re.Match[str] | None, before: tuple[str, ...], listed: re.Match[str] | None, *, may: bool
) -> bool:
    """ "The Civil War, or War between the States, was fought from 1861": what "or" joins there is not answers."""
    return not may and not after and not listed and any(len(each.split()) > 8 for each in before)


_LONG = 8
"""Words from which a sentence says more than an answer does."""
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?")
_NTH = re.compile(r" (?:1st|2nd|3rd|4th|last|other|every other|every 2nd) $")


def _both_options(place: Place, other: str) -> Objection | None:
    """Both options in one sentence: a comparison or a denial of the other decides, or what is said of the first."""
    rest, mine, theirs = place.words.text, re.escape(place.phrase), re.escape(other)
    why = f"the reply names {place.said!r} and {other!r}, {HEDGED}"
    hedged = Objection("hedged", "unsure", why, place.sentence)
    if re.search(rf" {mine} (?:or|and) {theirs} | {theirs}(?: \S+)? (?:or|and) {mine} ", rest):
        if f" or {place.phrase} " in rest or f" {place.phrase} or " in rest or _rejected(rest, theirs):
            return None if _rejected(rest, theirs) else hedged
        joined = True
    else:
        joined = False
    asked = place.context.content - {stem(word) for word in (*place.phrase.split(), *other.split())}
    if len(place.words.words) >= _LONG and not _MAY.search(place.words.text) and not asked & content(place.words):
        return Objection("mentioned", "wrong", f"nothing of what was asked is said of {place.said!r}", place.sentence)
    clause = normalise(place.text[slice(*place.clause)])
    if joined:
        return hedged
    if _rejected(rest, theirs) or (asked & content(clause) and f" {other} " not in clause.text):
        return None
    return hedged


def _rejected(sentence: str, option: str) -> bool:
    """Whether a sentence denies an option, or sets it below another."""
    return bool(
        re.search(rf" (?:not|than|instead of|unlike|nor|never) (?:\S+ )?{option} ", sentence)
        or re.search(rf" {option} (?:is|was|are|were|does|did|do) not ", sentence)
    )


def _in_stem(place: Place, name: str) -> bool:
    """Whether words beside the answer only repeat what was asked about: "New Zealand, Wellington or Auckland"."""
    options, phrase = place.context.options, normalise(name).text
    return len(options) > 1 and phrase in place.context.question.text and phrase.strip() not in options


def _is_gold(place: Place, name: str) -> bool:
    other = normalise(name).text
    every = (*place.context.fresh, *place.context.stale)
    return any(gold.phrase and gold.padded in other for gold in golds(every).literals)


def _mentioned(place: Place) -> Objection | None:
    if not _MENTIONED.search(place.before):
        return None
    return Objection("mentioned", "wrong", f"{place.said!r} is mentioned, not given as the answer", place.sentence)


def _elsewhere(place: Place) -> Objection | None:
    """ "The capital of Spain is Madrid", when the capital of Italy was asked for."""
    from rapidfuzz import fuzz

    sentence = place.words
    for frame, thing in place.context.frames:
        at = sentence.text.find(frame)
        if at < 0 or thing in sentence.text:
            continue
        first = sentence.text.count(" ", 0, at) + 2
        if first >= len(sentence.words):
            continue
        found = sentence.words[first]
        start, end = sentence.span(first, first)
        name = sentence.raw[start:end]
        if not (name[:1].isupper() or name[:1].isdecimal()) or found in place.phrase.split():
            continue
        if max((fuzz.ratio(found, word) for word in place.context.question.words), default=0) >= 65:
            continue
        why = f"{place.said!r} is said of {name!r}, which was not asked about"
        return Objection("elsewhere", "wrong", why, place.sentence)
    return None


def _elsewhere_if_framed(place: Place) -> Objection | None:
    """In a quiet reply, a sentence says what the reply says."""
    framed = any(frame in place.whole.text for frame, _ in place.context.frames)
    return _elsewhere(place) if framed else None


def _incomplete(place: Place) -> Objection | None:
    context = place.context
    if whole := misplaced.longer(context, place.text, place.span):
        why = f"{place.said!r} is only a part of {whole!r}"
        return Objection("elsewhere", "wrong", why, place.sentence)
    if context.turned and f" {context.turned} {place.phrase} " in place.words.text:
        return Objection("elsewhere", "wrong", f"{place.said!r} suffers what was asked about", place.sentence)
    if place.phrase.endswith(("day", "days")) and _WEEKDAY.fullmatch(place.phrase) and _NTH.search(place.before):
        return Objection("elsewhere", "unsure", f"not every {place.said!r}", place.sentence)
    return None


def _beside(place: Place) -> Objection | None:
    """Cutting a sentence into clauses is dear: only where a word or a comma of it could speak against the answer."""
    raw = place.words.raw
    if place.context.opposites or "," in raw or ";" in raw or not BESIDE.isdisjoint(place.words.words):
        return _misplaced(place)
    return None


def _opposed(place: Place) -> Objection | None:
    """All that is left of `_beside` in a quiet reply."""
    return _misplaced(place) if place.context.opposites else None


def _misplaced(place: Place) -> Objection | None:
    context, said = place.context, place.said
    if (other := misplaced.beside(place.before)) and other not in context.question.text:
        return Objection("mentioned", "wrong", f"{said!r} is only mentioned ({other})", place.clause)
    why = ""
    if word := misplaced.opposite(context, place.text[slice(*place.clause)], place.before):
        why = f"{said!r} is said of the opposite ({word})"
    elif subject := misplaced.other_subject(context, place.text, place.span, place.sentence):
        why = f"{said!r} is said of something else ({subject})"
    return Objection("elsewhere", "wrong", why, place.clause) if why else None


def _contradicted(place: Place) -> Objection | None:
    if is_in_first(place.text, place.span[0]) or place.sentence[0] == 0:
        return None
    other, offered = misplaced.rival(place.context, place.text, place.span)
    if not other:
        return None
    why = f"the reply gives {other!r} as its answer before it names {place.said!r}"
    return Objection("contradicted", "wrong" if offered else "unsure", why, place.sentence)


def _echoed(place: Place) -> Objection | None:
    phrase = place.phrase
    if not phrase or f" {phrase} " not in place.context.question.text or place.context.others(phrase):
        return None
    rest = place.words.text.replace(f" {phrase} ", " ").split()
    if place.context.suggests(phrase) and not _REPORTS.search(place.whole_before):
        if not place.words.text.startswith(" no "):
            return None
        return Objection(
            "doubted", "unsure", f"the reply says no to {place.said!r}, and does not deny it", place.sentence
        )
    if _BUILDING.issuperset(rest) and not place.text[slice(*place.sentence)].rstrip().endswith("?"):
        return None
    return Objection("echoed", "wrong", f"{place.said!r} already stands in the question", place.sentence)


_FEW = (_elsewhere, _incomplete, _beside, _echoed, _contradicted)
_ALL = (_asked_back, _denied, _hedged, _mentioned, *_FEW)
_QUIET = (_elsewhere_if_framed, _incomplete, _opposed, _echoed, _contradicted)
