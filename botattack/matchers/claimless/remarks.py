"""Sentences that only remark on the question, the asker or the conversation: "Unlikely.", "You do not have to ask."."""

from __future__ import annotations

import re

from botattack.text.normalise import Normal

_FEW = 16
"""Words that a remark has at most."""
_LIKELIHOOD_TEXT = (
    "likely unlikely probable probably improbable possible possibly maybe perhaps conceivable conceivably feasible "
    "plausible doubtful doubt chance presumably supposedly apparently arguably uncertain certainty realm possibility "
    "likelihood highly good fair slim"
)
_LIKELIHOOD = frozenset(_LIKELIHOOD_TEXT.split())
_STANCE_TEXT = (
    "seem seems sound sounds appear appears happen happens case true untrue false right wrong correct sure certain "
    "reason idea clue knowledge opinion guess wonder suppose imagine believe understand remember forget recall mean "
    "means meant hear heard ask asked asking question questions answer answers reply replies respond response discuss "
    "discussed discussing "
    "talk talked talking speak speaking mention mentioned explain explained explanation subject topic conversation "
    "matter matters worry worried care mind minded bother bothered curious honestly frankly quite rather obvious "
    "obviously evident agree disagree know knew known thought decide decided choose concern concerns concerned depends "
    "surprised surprise impossible want wanted like need needed going anyway anymore else often"
)
_STANCE = _LIKELIHOOD | frozenset(_STANCE_TEXT.split())
_FUNCTION_TEXT = (
    "is are was were am be been being do does did have has had can could will would shall should may might must of in "
    "on at to from for by with within and or but not no it its this that these those there here i you we me my your "
    "our us what who which where when why how if whether much many some any all say said saying think thinking tell "
    "told telling so as than about into out up just very really too also only ever never one yet still well oh"
)
_FUNCTION = frozenset(_FUNCTION_TEXT.split())
_SPOKEN_OF = frozenset(("i", "you", "we", "me", "my", "your", "it", "that", "this", "there", "so"))
"""What a remark is about, where it is no word of likelihood alone."""
_ASKER = re.compile(
    r"^ (?:(?:well|oh|but|then|now|maybe|perhaps) )*(?:you|we) "
    r"(?:(?:do|did|will|would|may|might|can|could|should|must|are|were|have|had|seem|just|really|already|always|never"
    r"|not|to|be|being|been|also|quite|very|only|still|now|much|so) )*(?:ask|asks|asked|asking|know|knew|find out"
    r"|wonder|wondering|think|thinking|guess|choose|decide|remember|tell me|say so|said so|mean|understand|worry"
    r"|talk|talking|talked|speak|speaking|discuss|discussing|discussed|chat|chatting|jok(?:e|ing)|kidding|testing"
    r"|certain|sure|positive|negative|uncertain|doubtful|curious|serious|funny|smart|clever|interested|interesting"
    r"|right|wrong|correct|objective|sensible|receptive|welcome|kind|nice|self awareness)\b"
)
_STARTS_TEXT = (
    "it that this there i you we for not if within highly good well oh but then now so does do who what which "
    "how when where why in no like really as"
)
STARTS = _LIKELIHOOD | frozenset(_STARTS_TEXT.split())
"""Every word that a remark can begin with."""
_POLAR_TEXT = "is are was were am do does did can could may might must will would shall should has have had"
_POLAR = frozenset(_POLAR_TEXT.split())
_OPEN = frozenset(("what", "who", "whom", "whose", "which", "where", "when", "why", "how"))


def is_open(question: Normal) -> bool:
    """Whether a question asks for more than yes or no."""
    return not _OPEN.isdisjoint(question.words) or _POLAR.isdisjoint(question.words)


def may_remark(said: Normal) -> bool:
    """Whether a sentence is short enough for a remark and begins like one."""
    return 0 < len(said.words) <= _FEW and said.words[0] in STARTS


def remark(question: Normal, said: Normal) -> bool:
    """Whether a sentence claims nothing about the world: every word of it speaks of likelihood, of knowing, or of the
    conversation, and none of these stands in the question; or it speaks of the asker alone.

    A yes/no question is answered by some of these ("Unlikely."): there only what is said of the asker counts.
    """
    if not may_remark(said):
        return False
    return (is_open(question) and _only_stance(question, said.words)) or _of_the_asker(question, said)


def _only_stance(question: Normal, words: tuple[str, ...]) -> bool:
    stance = _STANCE.intersection(words)
    if not stance or not stance.isdisjoint(question.words) or not (_STANCE | _FUNCTION).issuperset(words):
        return False
    return not _LIKELIHOOD.isdisjoint(words) or not _SPOKEN_OF.isdisjoint(words)


def _of_the_asker(question: Normal, said: Normal) -> bool:
    if not _ASKER.match(said.text) or any(word[0].isdecimal() for word in said.words):
        return False
    names = re.search(r"(?<=[a-z,:;] )[A-Z][a-z]", said.raw)
    common = {word for word in said.words if word not in _FUNCTION} & {*question.words}
    return not names and not common
