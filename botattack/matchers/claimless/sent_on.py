"""Sentences that only send the asker on: to a desk, a page, a colleague, a list of topics."""

from __future__ import annotations

import re

from botattack.text.normalise import Normal

_CUES_TEXT = (
    "ask asking check checking contact contacting consult call phone email see visit look speak speaking talk touch "
    "refer question 1 team staff colleague colleagues member someone details information topics things options log "
    "message back"
)
_CUES = frozenset(_CUES_TEXT.split())
"""A word of whatever the patterns below find."""
_ASK = r"ask|check with|contact|consult|refer to|(?:speak|talk) (?:to|with)|get in touch|turn to"
_TURN_TO = (
    rf"(?:{_ASK}|see|visit|call|phone|ring|e ?mail|check|(?:have|take) (?:\S+ )?look|look (?:at|on|up|it)"
    r"|log in|sign in)"
)
_TURNING = (
    r"(?:asking|checking|contacting|consulting|visiting|calling|phoning|(?:speaking|talking) (?:to|with)"
    r"|getting in touch)"
)
_WHOM = r"(?:our|my|your|\S+) (?:\S+ ){0,4}?"
_SENT = re.compile(
    rf"^ (?:(?:for|about|on|regarding) (?:\S+ ){{1,7}}?)?"
    rf"(?:please |kindly |just |simply ){{1,2}}{_TURN_TO} (?!\d)"
    rf"|^ {_TURN_TO} (?:at |with )?(?:our|website|faq|local|member|somebody|someone) "
    rf"|^ (?:you (?:would |will )?(?:have|need|might want|may want) to |you (?:should|could|can|had better) "
    rf"|it (?:is|would be|might be|may be) (?:best|better|good idea) to )(?:{_ASK}) "
    r"|^ (?:you (?:are|would be) (?:best|better) (?:off )?|(?:i|we) (?:would |can |could )?"
    rf"(?:recommend|suggest|advise) ){_TURNING} "
    rf"|^ {_WHOM}(?:team|staff|colleagues?|agents?|experts?|advisers?|advisors?) (?:will|can|would|could)"
    r" (?:be (?:happy|glad|pleased|able) to )?"
    r"(?:help|assist|tell|answer|advise|reply|respond|get back|come back|be in touch) "
    r"|^ (?:all|more|further|full|these|such)? ?(?:details|information) (?:(?:can|may) be found|is|are)(?: available)?"
    r" (?:on|in|at) (?:our|website) "
    r"|^ (?:here are|these are|choose from|below are) (?:\S+ )?(?:topics|things|questions|options) "
    r"|^ (?:please )?leave (?:us )?message and "
)
_FOR_ANOTHER = re.compile(
    r"^ (?:that|this|it) (?:(?:is|would be|sounds like) )?(?:1|question) for (?:our|your|my|\S+) "
)
_HOW = re.compile(
    r" (?:how|where|what|which|who|whom) (?:\S+ ){0,2}?(?:can|do|could|should|must|would|to|shall) (?:i|you|we|one|1) "
    r"| how to "
)


def sends_on(question: Normal, said: Normal) -> bool:
    """Whether a sentence names nothing but who or what could answer; to a question how or where something is done that
    is an answer, right or wrong."""
    if _CUES.isdisjoint(said.words):
        return False
    if _FOR_ANOTHER.match(said.text):
        return True
    return bool(_SENT.match(said.text)) and not asks_how(question)


def asks_how(question: Normal) -> bool:
    """Whether a question asks how, where or with whom something is done."""
    return bool(_HOW.search(question.text))
