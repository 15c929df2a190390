"""Answers that hold no more: taken back in the same breath, or said of a time before."""

from __future__ import annotations

import re

from botattack.matchers.objections.place import Place
from botattack.text.normalise import normalise

_TAKEN_BACK = re.compile(
    r" (?:(?:but|no) )?(?:this|that|it)(?: answer)? (?:is|was) (?:incorrect|wrong|false|not (?:correct|right|true)) "
)
_RETRACTS = re.compile(
    r"^ (?:oh |but )?(?:(?:no|hold on|oh) (?:wait|sorry|actually)|wait no|actually no|scratch that|correction"
    r"|my mistake|(?:no |oops )?sorry i (?:mean|meant)|i meant|make that|oops) (?P<rest>.*)$"
)
""" "Sorry, I meant €6": what was said just before is taken back."""
_SINCE = re.compile(r" (?:was|were|used to be|been) (?:\S+ ){0,3}$")
_NOW = re.compile(
    r" (?:but|now) (?:\S+ ){0,4}?(?:(?:has|have) (?:since |now )?(?:been |gone |moved |changed |risen )"
    r"|(?:is|are) now |now ).*\d| (?:now|currently|since then) (?:\S+ ){0,3}\d"
)
""" "It was £5, but it has been raised to £6"."""
_TURNED_FROM = re.compile(
    r" (?:rose|risen|raised|fell|fallen|dropped|lowered|cut|reduced|increased|changed|went|gone|moved|relocated"
    r"|extended|shortened|brought forward|put back|postponed)(?: \S+){0,2} from $"
)
""" "It was lowered from €5 to €3"."""
_NO_LONGER = re.compile(
    r"^ (?:used to be|was (?:formerly|previously)|is no longer) "
    r"|^ (?:(?:was|were|had been|ran|led|held|owned) (?:\S+ ){0,5})?(?:until|till|up to) "
    r"(?:early |late |end of |\S+ )?\d{4} "
)
_RESIGNED = re.compile(r"^ (?:who )?(?:has |had )?(?:just |recently |since )?(?:stepped down|resigned|retired) ")
_WAS_UNTIL = re.compile(r" (?:was|were|been|ran|led|held|owned|called|named|formerly) ")
_FORMERLY = re.compile(
    r" (?:used to be|formerly|previously) (?:\S+ )?$| (?:predecessor|former \S+|previous \S+) (?:is|was) (?:\S+ ){0,3}$"
    r"| (?:succeeded|replaced|(?:took|taken) over from) $"
    r"| (?:until|till) (?:last \S+|recently|\d{4}) (?:\S+ ){0,3}(?:was|were|cost) $"
)
_DASH = re.compile(r"[-\u2013\u2014,;(\u2026]|\.\.\.")


def taken_back(following: str) -> bool:
    """Whether what follows an answer, in normal form, may take it back."""
    return bool(_TAKEN_BACK.match(following) or _RETRACTS.match(following))


def retracted(place: Place) -> bool:
    """Whether the reply takes the answer back at once, and gives another."""
    if _TAKEN_BACK.match(place.next_sentence):
        return True
    rests = (normalise(rest).text for rest in _DASH.split(place.raw_after, maxsplit=1)[1:])
    found = next((found for rest in (*rests, place.next_sentence) if (found := _RETRACTS.match(rest))), None)
    return found is not None and f" {place.phrase} " not in f" {found['rest']}"


def outdated(place: Place, before: str) -> bool:
    """Whether an answer is said of a time before ("it used to be", "until 1950", "lowered from"), and the question asks
    of today; or, whatever it asks, whether the reply goes on to what holds now."""
    if _SINCE.search(before) and _NOW.search(normalise(place.raw_after).text):
        return True
    if place.context.past:
        return False
    return bool(_FORMERLY.search(before) or _TURNED_FROM.search(before)) or _no_longer(place)


def _no_longer(place: Place) -> bool:
    """ "It was King Street until 1950", of what it is today."""
    if _RESIGNED.match(normalise(place.raw_after).text):
        return True
    found = _NO_LONGER.search(place.after)
    return bool(found) and ("until" not in place.after or bool(_WAS_UNTIL.search(place.words.text)))
