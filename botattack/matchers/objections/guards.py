"""Objections to a gold answer found in a reply: it is denied, only asked about, one of several, said of something else,
or the question said back. Rules over words, cheap and cautious: what they cannot see passes.
"""

from __future__ import annotations

import re

from botattack.matchers.context import Asked
from botattack.matchers.objections import misplaced
from botattack.matchers.objections.attributed import misattributed
from botattack.matchers.objections.hedges import BUILDING, hedged, one_of_a_list
from botattack.matchers.objections.misplaced import BESIDE
from botattack.matchers.objections.neighbours import (
    MONEY_WORDS,
    UP_OFF,
    WORDED_FIGURES,
    in_another_currency,
    in_another_unit,
    may_have_another_figure,
    of_neighbour,
    turned_round,
)
from botattack.matchers.objections.outdated import outdated, retracted, taken_back
from botattack.matchers.objections.place import Grade, Objection, Place
from botattack.text.normalise import normalise

_NEAR = 5
"""How many words before an answer a negation still reaches it."""
_IDIOM = re.compile(
    r" (?:not (?:only|just|merely|simply|doubt|surprisingly|to mention|less than|until|before|far from|least|forget)"
    r"|no (?:doubt|question|wonder|other than|less than|fewer than)|none other than|nothing (?:other than|but)|why not"
    r"|not (?:\S+ ){0,3}later than|without (?:any |extra |further )?(?!\S+ing )\S+(?= (?:up to|until|till|from"
    r"|for|at) )"
    r"|not be anything other than|if i am not mistaken|unless i am (?:very much )?(?:mistaken|wrong)"
    r"|if (?:i|my memory|memory) \S+(?: me)?(?: correctly| right)?)(?= )"
)
"""Negations and conditions that deny nothing."""
_THEN = re.compile(r" (?:then|will|would) ")
""" "If all goes well it will come in May": the answer stands in what follows."""
_DOUBT = re.compile(r" not (?:know|sure|certain|remember|recall|say|tell)\b.* (?:if|whether|that)\b| whether(?= )")
_DISBELIEF = re.compile(
    r" (?:not (?:think|believe|agree|accept|suppose)|doubt|deny|wrong to say|false that|not true that)(?= )"
)
_NO = frozenset(("not", "never", "nor", "neither", "except", "unlike", "excluding", "without", "nothing"))
_NO_PHRASE = re.compile(
    r" (?:instead of|rather than|other than|anything but|opposed to|confused with|mistaken for"
    r"|(?:every|all|any|everything|everyone|everybody|anyone|anybody)(?: \S+){0,2} but)(?: \S+)? $"
)
_THEN_NOT = re.compile(
    r"^ (?:(?:is|was|are|were|has|have|had|does|did|do|can|could|will|would|should) )?"
    r"(?:certainly |definitely |really |actually |probably |surely )?"
    r"(?:(?:not|never|no longer) (?!only |just |merely )|(?:is|was) (?:wrong|incorrect|false|out of question))"
)
_HAS_NOT = re.compile(
    r"^ (?:(?!and |or |which |that |it |he |she |they |so |as |not )\S+ ){0,2}"
    r"(?:is|are|was|were|does|do|did|has|can|will) not (?!only |just |merely )"
)
""" "The black one does not"."""
_SOME_SAY = re.compile(
    r" (?:some|many|most|people|they|others|everyone) (?:people )?(?:say|think|believe|claim|thought|said|count"
    r"|consider|regard) "
)
_REPORTS = re.compile(
    r" (?:(?:you|some|many|most|people|they|others) (?:people )?(?:say|said|think|thought|believe|claim|mean|ask"
    r"|asked|tell|told)"
    r"|some say|you are (?:asking|telling|saying)|your (?:guess|answer|idea|opinion|suggestion) is|if) "
)
_TURNS = re.compile(r" but .*(?:wrong|not|actually|in fact|really|false|myth|mistake)")
_CORRECTED = re.compile(
    r"\b(?i:but|no,)\s+(?i:it(?:'s| is| was)|that is|was|is)\s+(?i:actually|really|in fact)"
    r"\s+(?:the\s+)?[A-Z](?![^.;]*\bthat\b)"
)
_MENTIONED = re.compile(
    r" (?:(?:ask|asks|asked|asking|talk|talking|chat|know|knows|heard|hear|speak)(?: \S+)? about"
    r"|(?:love|like|want|wanted|wish|hope|hoping|plan) to (?:see|visit|go to|travel to)"
    r"|i (?:have )?(?:been|went|was|lived|live|visited|flew)(?: to| in)?"
    r"|interested in|looking for|look up|search for|google) (?:\S+ )?$"
)
_EXAMPLES = re.compile(
    r" (?:examples? (?:are|is|include|includes)|such as|for example|for instance|including) (?:\S+ )*$"
)
_OF_SEVERAL = re.compile(r" (?:examples|such as|for example|for instance|including) .* (?:and|or) ")
_ONLY_ONE = re.compile(r" (?:main|only|capital) ")
_MOST_OF_ALL = re.compile(r" (?:(?!west|forest|guest|test|rest|interest|request|nest|harvest)\S+est|most) ")
_NONE = re.compile(r" (?:no|nothing|nobody|none|not|other|never) ")
_REPUTED = re.compile(
    r" (?:although|though|while|even if) (?:\S+ )?(?:some|many|most|people|they|others)(?: people)? (?:think|believe"
    r"|say|claim|thought|believed) "
)
_RELATIVE = re.compile(
    r"['\u2019]s? (?:\w+ )?(?:wife|husband|brother|sister|son|daughter|mother|father|friend|partner|assistant|deputy"
    r"|secretary|cousin|nephew|niece|uncle|aunt|pupil|student|colleague|successor|predecessor)s?\b"
)
_OF_ANOTHER = re.compile(r"\s+(?:is|was)\s+(?:his|her|their|the|our)\s+(?P<what>deputy|assistant|vice|secretary)\b")
""" "Bob is her deputy", to who the head is."""
_NOT_THEM_ALONE = re.compile(r" (?:everyone|everybody|anyone|anybody|everything) not (?:only|just)(?: for)? $")
_EXCEPT = re.compile(r" (?:except|excluding|except for|(?:all|every|any)\w*(?: \S+){0,2} but) $")
_INCLUDING = re.compile(r" (?:including|inclusive of|even) $")
_BUT_IS = re.compile(r"\bbut (?:it|(?:the|its|their|our)(?: \w+){1,4})(?:'s| is| was| are| were) (?:in )?[A-Z\d]")
_TAG = re.compile(
    r",?\s*(?:right|correct|no|eh|yes|ok|okay|is(?:n't| not) (?:it|that so)|isn't it"
    r"|don't you(?: think| agree)?|was(?:n't| not) it|is it not|is that right|do you agree)\s*\?[\s\"')]*$",
    re.I,
)
_GUESS = frozenset((" ", " maybe ", " perhaps ", " probably ", " possibly ", " i guess ", " i think "))
_TENTATIVE = re.compile(
    r"^ (?:is|was|could|might|would|can|are) (?:not )?(?:it|that|they)(?: be)? (?:in |at |on |called )?$"
)
_CUE_WORDS = (
    "no if unless whether doubt deny wrong incorrect false instead rather other anything opposed confused mistaken "
    "than but used formerly previously or could might may maybe perhaps possibly either between any one 1 who sure "
    "can about love like want wanted wish hope hoping plan interested looking look search google out others "
    "now currently sorry wait oops mistake correction meant make actually scratch rose risen raised fell fallen "
    "dropped lowered cut reduced increased changed moved relocated extended shortened brought put postponed gone "
    "predecessor former previous until till although though while been went lived live visited flew such example "
    "examples instance including stepped resigned retired succeeded replaced took taken"
)
_CUES = _NO | frozenset(_CUE_WORDS.split())
"""Every word without which no rule below, `_elsewhere` and `_echoed` apart, can object."""
_LOUD = _CUES | BESIDE | MONEY_WORDS | UP_OFF | WORDED_FIGURES


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
        and not ("?" in raw or "/" in raw or "$" in raw)
        and _LOUD.isdisjoint(whole.words)
        and not (place.context.choice or place.context.excluding)
        and not (may_have_another_figure(place) or " to " in place.said or misplaced.has_two_clauses(whole))
    )


def _has_no_cue(place: Place) -> bool:
    """Whether the answer's sentence has no word or sign that any rule needs, save those of `_FEW`."""
    return (
        not place.context.choice
        and _CUES.isdisjoint(place.words.words)
        and not ("?" in place.words.raw or "/" in place.words.raw)
        and not place.context.excluding
        and not (place.sentence[1] < len(place.text) and taken_back(place.next_sentence))
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
    if misplaced.left_out(place.context, place.whole_before):
        return None
    if before.startswith((" if ", " unless ")) and not _THEN.search(before):
        return Objection("doubted", "wrong", f"{place.said!r} is only supposed", place.clause)
    if _DOUBT.search(before):
        return Objection("doubted", "unsure", f"the reply is not sure of {place.said!r}", place.clause)
    if place.context.excluding:
        if _EXCEPT.search(place.whole_before):
            return None
        if _INCLUDING.search(before):
            return Objection("denied", "wrong", f"{place.said!r} is included", place.clause)
    near = before.split()[-_NEAR:]
    no = (
        (
            not _NO.isdisjoint(near)
            and not misplaced.denies_the_opposite(place.context, place.text[slice(*place.clause)])
            and not misplaced.abstains(place.context, before)
        )
        or near[-1:] == ["no"]
        or _DISBELIEF.search(before)
        or _NO_PHRASE.search(_IDIOM.sub("", place.whole_before))
        or (not (place.context.negated or place.context.denying) and _THEN_NOT.search(place.after))
        or (place.context.choice and _HAS_NOT.search(place.after))
        or (
            _SOME_SAY.search(place.whole_before)
            and (_TURNS.search(normalise(place.raw_after).text) or _BUT_IS.search(place.raw_after))
        )
        or _CORRECTED.search(place.raw_after)
        or retracted(place)
        or _NOT_THEM_ALONE.search(place.whole_before)
        or outdated(place, before)
        or (place.context.negated and _does_after_all(place))
        or _REPUTED.search(place.whole_before)
    )
    return Objection("denied", "wrong", f"{place.said!r} is denied", place.clause) if no else None


def _possessive(place: Place) -> int:
    """Where an answer's own word ends: "brother's" is read as "brother"."""
    end = place.span[1]
    return end - 2 if place.text[end - 2 : end] in ("'s", "\u2019s") else end


def _does_after_all(place: Place) -> bool:
    """ "Floods are covered", to "What is not covered?"."""
    asked = _ASKED_NOT.search(place.context.question.text)
    done = asked and re.match(rf" (?:is|are|was|were) (?:\S+ly )?{re.escape(asked['verb'])} ", place.after)
    return bool(done)


_ASKED_NOT = re.compile(r" not (?P<verb>\S+) ")
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?")
_NTH = re.compile(r" (?:1st|2nd|3rd|4th|last|other|every other|every 2nd) $")


def _lesser(place: Place) -> Objection | None:
    """ "It is deeper than the Pacific", to which ocean is the deepest."""
    if not place.whole_before.endswith(" than ") or _NONE.search(place.before):
        return None
    if not _MOST_OF_ALL.search(place.context.question.text):
        return None
    return Objection("denied", "wrong", f"{place.said!r} is the lesser of two", place.clause)


def _asks_for_one(place: Place) -> bool:
    """Whether there is but one answer: to what is the largest, the main one, the capital."""
    question = place.context.question.text
    return bool(_ONLY_ONE.search(question) or _MOST_OF_ALL.search(question))


def _mentioned(place: Place) -> Objection | None:
    if _EXAMPLES.search(place.whole_before) and _OF_SEVERAL.search(place.words.text) and _asks_for_one(place):
        return Objection("mentioned", "wrong", f"{place.said!r} is one of several examples", place.sentence)
    if not _MENTIONED.search(place.before) or "you" in place.context.question.words:
        return None
    return Objection("mentioned", "wrong", f"{place.said!r} is mentioned, not given as the answer", place.sentence)


def _elsewhere(place: Place) -> Objection | None:
    """ "The capital of Spain is Madrid", when the capital of Italy was asked for."""
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
        from rapidfuzz import fuzz

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
    related = _OF_ANOTHER.match(place.text, place.span[1])
    if related and place.before == " " and f" {related['what']} " not in context.question.text:
        return Objection("elsewhere", "wrong", f"{place.said!r} is {related.group().strip()}", place.clause)
    if _RELATIVE.match(place.text, _possessive(place)) and "whose" not in context.question.words:
        return Objection("elsewhere", "wrong", f"somebody related to {place.said!r}", place.sentence)
    if whole := misplaced.longer(context, place.text, place.span):
        why = f"{place.said!r} is only a part of {whole!r}"
        return Objection("elsewhere", "wrong", why, place.sentence)
    if context.turned and f" {context.turned} {place.phrase} " in place.words.text:
        return Objection("elsewhere", "wrong", f"{place.said!r} suffers what was asked about", place.sentence)
    if place.phrase.endswith(("day", "days")) and _WEEKDAY.fullmatch(place.phrase) and _NTH.search(place.before):
        return Objection("elsewhere", "wrong", f"not every {place.said!r}", place.sentence)
    return None


def _beside(place: Place) -> Objection | None:
    """Cutting a sentence into clauses is dear: only where a word or a comma of it could speak against the answer."""
    if not BESIDE.isdisjoint(place.words.words) or place.context.opposites or misplaced.has_two_clauses(place.words):
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
    closed = misplaced.left_out(context, place.whole_before)
    if not closed and (word := misplaced.opposite(context, place.text[slice(*place.clause)], place.before)):
        why = f"{said!r} is said of the opposite ({word})"
    elif subject := misplaced.other_subject(context, place.text, place.span, place.sentence, place.clause):
        why = f"{said!r} is said of something else ({subject})"
    return Objection("elsewhere", "wrong", why, place.clause) if why else None


def _contradicted(place: Place) -> Objection | None:
    if place.in_first or place.sentence[0] == 0:
        return None
    other, offered = misplaced.rival(place.context, place.text, place.span)
    if not other:
        return None
    why = f"the reply gives {other!r} as its answer before it names {place.said!r}"
    grade: Grade = "wrong" if offered or _SOME_SAY.search(place.whole_before) else "unsure"
    return Objection("contradicted", grade, why, place.sentence)


_REJECTS = re.compile(
    r"^ (?:no )?(?:(?:(?:that|this|it|(?:your |my )?(?:guess|answer))(?: is| was)? )?"
    r"(?:not (?:quite |exactly )?(?:correct|right|true)|wrong|incorrect|false) )"
)
_LIES = re.compile(r" (?:is|are|was|were|lies|lie|located|situated|found) in $")


def _echoed(place: Place) -> Objection | None:
    phrase = place.phrase
    if not phrase or f" {phrase} " not in place.context.question.text or place.context.others(phrase):
        return None
    rest = place.words.text.replace(f" {phrase} ", " ").split()
    if _LIES.search(place.before) and "where" in place.context.question.words:
        return None
    if place.context.suggests(phrase) and not _REPORTS.search(place.whole_before):
        if not (place.words.text.startswith(" no ") or _REJECTS.match(place.whole.text)):
            return None
        return Objection(
            "doubted", "unsure", f"the reply says no to {place.said!r}, and does not deny it", place.sentence
        )
    if BUILDING.issuperset(rest) and not place.text[slice(*place.sentence)].rstrip().endswith("?"):
        return None
    return Objection("echoed", "wrong", f"{place.said!r} already stands in the question", place.sentence)


_FEW = (
    _elsewhere,
    _incomplete,
    misattributed,
    in_another_currency,
    in_another_unit,
    one_of_a_list,
    turned_round,
    of_neighbour,
    _beside,
    _echoed,
    _contradicted,
)
_ALL = (_asked_back, _denied, _lesser, hedged, _mentioned, *_FEW)
_QUIET = (
    _elsewhere_if_framed,
    _incomplete,
    misattributed,
    in_another_unit,
    one_of_a_list,
    _opposed,
    _echoed,
    _contradicted,
)
