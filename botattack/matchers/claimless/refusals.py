"""Replies that decline or fall back: the target's own sentences, and cautious English phrases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from botattack.matchers.sentences import sentence_of
from botattack.text.normalise import Normal, normalise

ALIKE = 90
"""Similarity (indel, in percent) from which a whole reply is one of the target's refusals."""
_READ = 400
"""Characters of the normal form in which a bot that declines has done so."""
_PHRASES: Mapping[str, tuple[str, ...]] = {
    # Keyed by a word that every phrase of the row holds: most replies hold none of them, and are done with.
    "not": (
        "i do not know",
        "i am not sure",
        "i am not certain",
        "not sure what",
        "not sure how",
        "not sure i",
        "i am not able to",
        "can not answer",
        "can not help",
        "can not say",
        "can not tell you",
        "can not provide",
        "can not assist",
        "can not find",
        "could not find",
        "could not say",
        "could not answer",
        "could not tell you",
        "could not understand",
        "did not understand",
        "do not understand",
        "did not get that",
        "did not catch",
        "did not quite",
        "not quite sure",
        "do not have information",
        "do not have any information",
        "do not have access",
        "do not have details",
        "do not have any details",
        "do not have specific",
        "do not have enough",
        "do not have answer",
        "do not have favorite",
        "did not even know",
        "did not know that",
        "not have that knowledge",
        "do not recognize",
        "do not recognise",
        "not familiar with",
        "do not recall",
        "do not remember",
        "not trained to",
        "better not tell",
        "rather not",
        "prefer not",
        "not allowed to",
        "will not answer",
        "not at liberty",
        "not that into",
        "not something i",
        "not enough information",
        "is not available",
        "is not public",
        "not appropriate to",
        "not be appropriate",
        "not something that",
        "not for me to say",
        "but not with",
        "can not give out",
        "can not share",
        "can not disclose",
        "but not about",
        "not something we",
        "not involved in",
    ),
    "no": (
        "i have no idea",
        "no idea",
        "no clue",
        "no information",
        "no results",
        "no answer to",
        "no answer for",
        "no comment",
    ),
    "sorry": ("i am sorry", "sorry i", "sorry but", "sorry that", "sorry could", "sorry can"),
    "answer": ("no answer to", "no answer for", "answer only from", "answer only based on", "answer only with text"),
    "never": ("never thought about", "never been asked"),
    "care": ("do not care", "could not care less"),
    "unable": ("unable to",),
    "unsure": ("i am unsure",),
    "rephrase": ("rephrase",),
    "rephrasing": ("try rephrasing",),
    "clarify": ("you clarify", "please clarify"),
    "again": ("try again", "say that again", "come again", "ask again", "ask me again"),
    "my": ("my thing", "my department", "my area", "my field", "my strong suit", "my remit", "my expertise"),
    "need": ("need to know which", "need to know what", "need to know where", "need to know your"),
    "stumped": ("me stumped",),
    "got": ("got me there",),
    "match": ("no match",),
    "matching": ("no matching",),
    "look": ("have to look that up", "have to look it up", "need to look that up", "need to look it up"),
    "only": ("only for existing", "i only deal", "i only know about", "i can only help", "i can only answer"),
    "pardon": ("pardon me", "beg your pardon"),
    "mean": ("what do you mean",),
    "inappropriate": ("inappropriate to", "be inappropriate"),
    "more": (
        "without more information",
        "without more context",
        "without more details",
        "need more information",
        "need more details",
        "need more context",
    ),
    "further": ("without further information", "without further context", "without further details"),
    "additional": ("without additional information", "without additional context", "without additional details"),
    "model": ("as language model", "as large language model"),
    "later": ("ask me later", "back to that later", "back to you later"),
    "back": ("get back to you",),
    "question": ("is question for", "question is incomplete", "question is unclear", "question is ambiguous"),
    "seems": ("seems to be misunderstanding", "seems to be confusion", "seems to be some"),
    "else": ("ask me something else",),
    "ai": ("as ai language model", "as ai i", "as ai developed", "as ai trained", "as ai assistant"),
    "beyond": ("beyond my", "beyond scope", "beyond me", "beyond what i"),
    "translator": ("i am not translator",),
    "hint": ("give me hint",),
    "give": ("i give up",),
    "trick": ("is this trick question",),
    "learning": ("i am still learning",),
    "agent": ("human agent", "live agent", "to agent"),
    "confidential": ("is confidential",),
    "apologise": ("apologise",),
    "apologize": ("apologize",),
    "apologies": ("apologies",),
    "afraid": ("i am afraid",),
    "outside": ("outside my", "outside of my", "outside what i", "outside scope"),
}
_GUESS = re.compile(
    r"^ (?:(?:well|oh|hmm) )*(?:maybe|perhaps|probably|possibly|it (?:could|might|may|is|was)(?: be)?|i (?:think"
    r"|believe|guess)) (?!if|whether|that i) *\S"
)
_STATES = re.compile(
    r" (?:is|was|are|were) (?!not (?:sure|really|quite)|sorry|unable|afraid|good|great|interesting|difficult|hard)\S"
)
_ASIDE = re.compile(
    r"^ (?:(?:well|oh|hmm|um|ah|ok|okay|so|sorry|unfortunately|honestly|actually|hi|hello|yes|no|and|but) ?)*"
    r"(?:as|if|to|for|about|in|with|when|regarding|unfortunately|i|my|we|that|this|there|while|although|what|who"
    r"|where|how|why)? "
)
_REACH = 40
_PADDED = tuple((f" {cue} ", tuple(f" {phrase} " for phrase in phrases)) for cue, phrases in _PHRASES.items())
_CUES = frozenset(_PHRASES)
_OFFERS = (
    r"(?:\S+ ){0,7}?(?:can|could|will|would|may|might|should|is|are|am|do|does|to) "
    r"(?:(?:always|also|gladly|surely|be|then|more|still) )*"
    r"(?:ask|help|tell(?! you (?:that|it))|check|contact|find out|find more|look|try|know|knows|assist|answer|happy"
    r"|glad|pleased|welcome|able|willing|search|consult|call|ring|visit|inform|explain|advise|support|learn)\b"
    r"|(?:please|feel free|try|ask|let|thank|sorry|here|if you)\b"
    r"|(?:that|this|it) is (?:very |really )?(?:good|great|interesting|fun|difficult|hard|tricky|not|question|worth)\b"
    r"|(?:i|we) (?!(?:would |do |can |could )*(?:tell you (?:that|it)|think|believe|guess|say|suppose|assume|know)"
    r"|am (?:\S+ )?(?:sure|certain|confident))"
)
""" "... but our staff are happy to help": what follows a refusal and claims nothing."""
_YET_GUESSES = re.compile(
    r"(?<! if)(?<! whether)(?<! what)(?<! who)(?<! where)(?<! how)(?<! why)(?<! when)"
    r" (?:maybe|perhaps|possibly|probably|most likely|i (?:would )?(?:think|believe|guess|suppose|assume)"
    r"|my (?:best )?guess is|(?:it|he|she|they|there) (?:could|might|may) (?:be|have(?: been)?)(?: that)?"
    r"|it (?:seems|appears)(?: that)?) "
    rf"(?!{_OFFERS})(?!you|later|i |ask|try|we|not \S|so |that |someone|another)\S"
)
_GOES_ON = re.compile(
    rf" (?:but|however|although|though|yet|still) (?!{_OFFERS}).*"
    r" (?:think|believe|guess|say|probably|maybe|perhaps|is|was|are|were) "
)
_STATES_IT = re.compile(
    rf"^ (?!{_OFFERS})(?:it|he|she|they) (?:is|was|are|were|has|have|had|may|might|could|can|will|would) "
    r"(?!not|important|possible|impossible|unclear|hard|difficult|best|better|worth|advisable|recommended|necessary"
    r"|unknown|up to|depend|question|topic|matter|good|great|interesting)\S"
)
_KNOWING = frozenset(("know", "sure", "certain", "idea", "clue", "unsure", "remember", "recall"))
_YET_STATES = re.compile(
    rf" (?:but|however|although|though|yet|still) (?!{_OFFERS}|i |you |we |not |only )\S+ \S+ \S+ "
)
"""After "I do not know": anything that is said of the world stands in the answer's place."""


@dataclass(frozen=True)
class Refusals:
    """A target's fallback sentences, made ready."""

    sentences: tuple[str, ...]

    @cached_property
    def _forms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(form for form in (normalise(s).text for s in self.sentences) if form != " "))

    @cached_property
    def _longest(self) -> float:
        return 1.25 * max(map(len, self._forms), default=0)

    def exact(self, normal: Normal) -> str:
        """The refusal that the whole reply is; else empty."""
        return normal.text.strip() if normal.text in self._forms else ""

    def near(self, normal: Normal) -> str:
        """The refusal that the whole reply nearly is; else empty."""
        if len(normal.text) <= self._longest:
            from rapidfuzz import fuzz, process

            found = process.extractOne(normal.text, self._forms, scorer=fuzz.ratio, score_cutoff=ALIKE)
            if found:
                return found[0].strip()
        return ""

    @cached_property
    def _open(self) -> frozenset[str]:
        return frozenset(normalise(s).text for s in self.sentences if s.strip() and s.strip()[-1] not in ".!?")

    def is_open(self, form: str) -> bool:
        """Whether a refusal has no end of its own, so that the rest of its sentence belongs to it."""
        return f" {form} " in self._open

    def within(self, normal: Normal) -> str:
        """The longest refusal of three words or more that stands in the reply; else empty."""
        return next((form.strip() for form in self._longer if form in normal.text), "")

    @cached_property
    def _longer(self) -> tuple[str, ...]:
        return tuple(sorted((form for form in self._forms if form.count(" ") > 3), key=len, reverse=True))


def _goes_on(head: str, phrase: str, end: int) -> bool:
    """Whether what follows a declining phrase puts something in the answer's place."""
    if head.startswith((" mean ", " meant "), end):  # "Sorry, I meant 6"
        return True
    if _GOES_ON.search(head, end) or _YET_GUESSES.search(head, end):
        return True
    return not _KNOWING.isdisjoint(phrase.split()) and bool(_YET_STATES.search(head, end))


def _states_next(normal: Normal, phrase: str) -> bool:
    """ "I am not sure. It is 200 years old."."""
    place = next(normal.find(phrase), None)
    if place is None or _KNOWING.isdisjoint(phrase.split()):
        return False
    end = sentence_of(normal.raw, place)[1]
    return bool(_STATES_IT.match(normalise(normal.raw[end : end + _READ]).text))


def claims_after(normal: Normal) -> bool:
    """Whether a sentence that says what the bot does not know goes on to something it puts in the answer's place."""
    return not _KNOWING.isdisjoint(normal.words) and _goes_on(normal.text, "know", 0)


def answered_before(normal: Normal, phrase: str) -> bool:
    """Whether an answer went before the declining words in the same sentence: "Maybe Rio, I do not know"."""
    place = next(normal.find(phrase.strip()), None)
    if place is None:
        return False
    start, _ = sentence_of(normal.raw, place)
    lead = normal.raw[start : place[0]].rstrip()
    before = re.sub(r"[,;]?\s*\b(?:but|and|though|although)?\s*$", "", lead).rstrip(" ,;-")
    text = normalise(before).text
    if text == " " or " question " in text:
        return False
    if _GUESS.match(text) or (_STATES.search(text) and not _ASIDE.match(text)):
        return True
    return (
        bool(re.search(r"[,;]\s*(?:but\s*)?$", lead))
        and bool(re.match(r"[A-Z\d][^,;]*", before))
        and not _ASIDE.match(text)
    )


@lru_cache(maxsize=64)
def refusals_of(sentences: tuple[str, ...]) -> Refusals:
    return Refusals(sentences)


def declines(normal: Normal) -> str:
    """The phrase by which a reply declines or says that it does not know; empty where it goes on to an answer."""
    if _CUES.isdisjoint(normal.words):
        return ""
    head = normal.text[:_READ]
    for cue, phrases in _PADDED:
        at = head.find(cue)
        while at >= 0:
            around = head[max(0, at - _REACH) : at + _REACH]
            for phrase in phrases:
                if phrase in around:
                    end = head.find(phrase, max(0, at - _REACH)) + len(phrase) - 1
                    return (
                        ""
                        if _goes_on(head, phrase, end)
                        or answered_before(normal, phrase)
                        or _states_next(normal, phrase.strip())
                        else phrase.strip()
                    )
            at = head.find(cue, at + 1)
    return ""
