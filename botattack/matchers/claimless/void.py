"""Replies that claim no answer: every sentence declines, asks back, is small talk or as vague as "a while ago"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from botattack.matchers.claimless.refusals import Refusals, claims_after, declines
from botattack.matchers.claimless.remarks import STARTS, may_remark, remark
from botattack.matchers.claimless.sent_on import asks_how, sends_on
from botattack.matchers.sentences import sentence_of, sentences
from botattack.model import GoldAnswer
from botattack.text.normalise import Normal, normalise

_READ = 1000
_INTERROGATIVE = re.compile(
    r"^ (?:(?:and|but|so|well|oh|ok|okay|hmm|now|then) )*(?:what|who|whom|whose|which|where|when|why|how|is|are|am"
    r"|was|were"
    r"|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must) \S+ \S+"
)
_SMALL_TEXT = (
    "is are was were am be been do does did have has had can could will would should may might must shall a an the "
    "of in on at to from for by with and or not no it its this that these those there here i you he she we they me "
    "my your his her our their what who whom whose which where when why how many much some say think know tell "
    "called so as if than about into out up down over also too very really just"
)
_SMALL = frozenset(_SMALL_TEXT.split())
_VAGUE = re.compile(
    r"^ (?:(?:well|oh|hmm|maybe|perhaps|probably|i think|that|it|this|all) )*(?:varies|nobody knows|no one knows"
    r"|(?:god|heaven|who|goodness) (?:only )?knows|depends(?: (?:on|how|what|who|when|where)(?: \S+){0,2})?"
    r"|(?:is )?(?:hard|difficult|impossible|tough) to (?:say|tell|know)(?: .*)?"
    r") $"
)
_EVALUATION = re.compile(
    r"^ (?:(?:well|oh|ah|hmm|wow|now) )*(?:(?:that is|that|this is|it is|what|is) )?(?:such )?(?:very |really "
    r"|quite |pretty )?"
    r"(?:good|great|interesting|easy|hard|tough|excellent|difficult|funny|fascinating|tricky|simple|fun|nice"
    r"|thoughtful|(?:very )?\S+(?: specific)?(?= question))"
    r"(?: (?:one|1|question|point|topic|thing to ask))?(?: (?:to ask|for me|indeed))? $"
)
_INTERJECTIONS_TEXT = (
    "oops oh ah hmm um well hello hi hey thanks thank you ok okay wow alright great sure certainly absolutely "
    "course of please indeed ha haha hm err interesting pardon sorry dear my there"
)
_INTERJECTIONS = frozenset(_INTERJECTIONS_TEXT.split())
_THANKS = re.compile(
    r"^ (?:(?:many )?thanks|thank you)(?: (?:so|very) much)? for (?:your|\w+ing)"
    r"(?: (?!is |are |was |were |will |we |it |you |i |they |there |can )[a-z]+){1,8} $"
)
_IMPERATIVE = re.compile(
    r"^ (?:(?:well|oh|ok|maybe|perhaps|then|you (?:should|could|can|might|may|will)|i (?:would )?suggest you) )*"
    r"(?:please (?:tell|state|ask|go|continue|specify|wait|stand|try|rephrase|contact|provide|let|consult|check"
    r"|look (?:at|on|up)|visit|refer to|go to|be more|clarify|explain|give|search|see|use)"
    r"|try (?:search|ask|again|look|another|google|\w+ing)|ask (?:me|at|our"
    r"|your|someone|somebody|wikipedia|google|another|friend|teacher|it)"
    r"|use (?:your )?(?:calculator|dictionary|encyclopedia|search|browser|google)|check (?:back|online|web"
    r"|wikipedia|internet|out wikipedia)"
    r"|look (?:online|it up|for help|on internet)|search (?:for it|online|web|internet|it)|google|consult"
    r"|contact (?:our (?:staff|support|team)|support|customer)"
    r"|do (?:web )?search|find someone|tell me|let us|let me|go on|give me|feel free|stand by|hold on|wait"
    r"|if you (?:have|need|want|would like) (?:\S+ )?(?:other|more|further|additional|specific)"
    r" (?:questions?|help|information|assistance|details)|it (?:would be|is|may be|might be) (?:best|better|good idea"
    r"|advisable) to (?:ask|check|contact|consult|call|speak)|find (?:out|more|this|that|information|details|answer)"
    r"|our (?:\S+ ){1,5}?(?:will|can|would) (?:\S+ )?(?:help|assist|tell|answer|advise)"
    r"|do not worry|never mind|lets? (?:discuss|talk|see|change|get back|return|stick))\b"
)
_UNFILLED = re.compile(r"\s*(?:I|My)\b(?:\s+[a-z]+){0,5}\s+\.\s*$")
"""A template whose place for a value stayed empty: "My name is ."."""
_NEEDS = re.compile(r" please (?:tell|give|send) (?:us|me) (?!call)")
""" "Paying in a cheque: please tell us the amount first"."""
_YET = re.compile(
    r" (?:but|however|though|although) .*(?:think|believe|guess|is|was|are|were) | that (?:it|they|he|she) "
)
_ANYBODY = re.compile(r" do you (?:get|call|say|spell|make|need|have|use|find|see|put) ")
""" "What do you get if you mix red and white?" asks nothing about the bot."""
_FOR_MORE = frozenset(("way", "ways", "respect", "else", "example", "instance", "sense", "earth", "mean"))
_SELF = re.compile(
    r"^ (?:(?:well|oh|hmm|sometimes|often|sure|certainly|of course|hello|hi|thanks|thank you|that|while|although"
    r"|it is (?:important|worth|essential|necessary) (?:to )?(?:note|noting|remember|mention|mentioning|understand)"
    r"|as) )*(?:as (?:\S+ ){1,4}?)?(?:i|my) "
    r"(?!do not (?:think|believe|agree)|call|(?:would )?(?:think"
    r"|believe|guess|say)"
    r"|heard|know |would say|suppose|hear|read)"
)
_SOURCE = (
    r"(?:(?:this|your|my|our|provided|given|available|above|following|any) )*(?:text|passage|context|document|article"
    r"|paragraph|information|conversation|data|sources?|excerpt|description|materials?|knowledge base|notes) "
)
_NEAR = 200
_STATED = re.compile(r" (?:is|was|are|were) (?!not )\S.* (?:and|but|though|although) (?:it |this |that )?$")
"""What an answer that went before ends in: "The code is 1234, though it" is not mentioned."""
_LACKS = re.compile(
    r" (?:passage|text|context|document|article|information|source|paragraph|question|answer|data|sources|documents"
    r"|material|my notes|our notes|records|files|history)"
    r"(?: (?:given|provided|above|you provided|you gave|you have provided))? (?:(?:does|do|did) not (?:actually "
    r"|explicitly |directly )?(?:provide|specify|mention|say|state|contain|"
    r"include|give|tell|name|list|describe|discuss|indicate|answer|reveal|explain|talk|make sense"
    r"|record|cover|go into)"
    r"|(?:is|was|are) (?:unclear|not (?:provided|given|specified|mentioned|stated|available|in|contained|clear)))"
    r"| (?:is|was|are|were|been) not (?:mentioned|specified|stated|disclosed|indicated|recorded) (?!as |for its |in )"
    r"|^ (?:it|this|that|answer|name|date) (?:is|was) (?:unclear|unknown|uncertain|not (?:provided|given|clear|known))"
    r"| (?:be|been|is|was|are|were) not (?:mentioned|specified|stated|given|provided|included|described|found|contained"
    rf"|listed|available|explained|discussed|covered|named|identified) in {_SOURCE}"
    r"| (?:can|could) not (?:be )?(?:determined?|inferr?(?:ed)?|deduced?|established|calculated?|identified|answered"
    r"|known|found) (?:from|based on|with|without|using) "
    r"| no (?:entry|entries) (?:about|for|on|under) | (?:says?|tells?|contains?|is|found|there) nothing (?:about|on) "
    rf"| (?:nothing|not anything) in {_SOURCE}| (?:makes?|made) no (?:mention|reference)"
    r"| (?:not possible|impossible|difficult) to (?:determine|say|tell|know|answer)(?! you)"
    r"| (?:there is|there are|contains|provides|gives|has|have) no (?:specific |further |such |clear "
    r"|direct )?(?:information|mention|details?|data|record|answer)"
)


_STALLS = re.compile(
    r" (?:1|just|please wait|hold on for) (?:moment|minute|second) (?:please )?$| moment please | bear with (?:me|us) "
)
_SIDES = frozenset(("correct", "incorrect", "right", "wrong", "true", "false"))
_SUGGESTS = re.compile(r" (?:i (?:say|think|guess|believe)|my guess|is it|was it|could it be) ")
_LACKING = frozenset(("not", "no", "unclear", "unknown", "uncertain", "nothing", "impossible", "difficult"))
_LEARN = re.compile(
    r"^ (?:in order )?to (?:determine|find|know|learn|calculate|count|answer|tell|work out|figure out|see|check"
    r"|establish|give|provide|help|assist)\b.* (?:you|we|i|one|1) (?:(?:would|will|should|could|can|might|may|first) )*"
    r"(?:need|have to|must|require|check|look|count|contact|consult|refer|ask|measure) "
)


_ASKS, _SMALL_TALK, _TOO_VAGUE = "the bot asks back", "small talk", "too vague to be an answer"
_SPEAKS, _SENDS, _ITSELF = "the bot only speaks of the question", "the bot sends elsewhere", "the bot speaks of itself"
CLAIMLESS = frozenset((_ASKS, _SMALL_TALK, _TOO_VAGUE, _SPEAKS, _SENDS, _ITSELF))
"""Reasons that rest on no words of refusal: they do not hold where the reply has a gold answer in its mouth."""


_BEGINNINGS_TEXT = (
    "well oh hmm maybe perhaps probably i think it was that about around quite for not as so more less fewer very "
    "long time ages years many moment while soon some someday sometime sooner in later somewhere nobody no god "
    "heaven goodness depends all hard difficult impossible tough ah wow now this such really pretty good great "
    "interesting easy excellent funny fascinating tricky simple fun nice thoughtful please try ask use check look "
    "search google consult contact do find tell let go give feel stand hold wait never you then ok okay my "
    "sometimes often and but what who whom whose which where when why how is are am were does did have has had "
    "can could will would shall should may might must there lets to our yes yeah nope "
    "see visit details information leave choose below these member this that here i "
    "absolutely definitely affirmative negative exactly precisely naturally positively undoubtedly indubitably always "
)
_BEGINNINGS = frozenset(_BEGINNINGS_TEXT.split()) | _INTERJECTIONS | STARTS
"""Every word that a sentence without a claim can begin with, by the patterns above."""
_SAYING_NOTHING = ((_THANKS, _SMALL_TALK), (_VAGUE, _TOO_VAGUE), (_EVALUATION, _SPEAKS), (_IMPERATIVE, _SENDS))


def void(question: str, text: str, known: Refusals) -> str:
    """Why a reply claims no answer at all, in a few words; empty where one of its sentences may claim one.

    The question's normal form is made where a sentence could be held against it: beside most it need not be.
    """
    if _asks_which(question, text) or _NEEDS.search(normalise(text[:_READ]).text):
        return _ASKS
    first = ""
    for sentence in _parts(text[:_READ], known):
        reason = _void(question, sentence, known)
        if not reason:
            return ""
        first = first or reason
    return first


def _asks_which(question: str, text: str) -> bool:
    """ "Your card does not work? At a cash machine or in a shop?": nothing but questions, the last with a choice."""
    if not text.rstrip().endswith("?") or " or " in normalise(question).text:
        return False
    asked = sentences(text[:_READ])
    last = normalise(asked[-1])
    at = last.words.index("or") if "or" in last.words[1:-1] else 0
    chooses = at and last.words[at - 1] not in _SMALL and last.words[at + 1] != "not"
    return (
        bool(chooses)
        and not _takes_up(normalise(question), last)
        and all(sentence.rstrip().endswith("?") for sentence in asked)
    )


def may_be_void(normal: Normal, known: Refusals) -> bool:
    """Whether `void` could find a reason, at the price of a few look-ups: most replies begin with a claim."""
    first = normal.text[1 : normal.text.find(" ", 1)]
    asks = normal.raw.rstrip().endswith("?") or " please " in normal.text
    return asks or first in _BEGINNINGS or bool(known.within(normal))


def lacks(sentence: Normal) -> str:
    """The words by which a reply says that its source holds no answer."""
    text = sentence.text
    found = _LACKS.search(text) if _LACKING.intersection(sentence.words) else None
    return (
        found.group().strip()
        if found and not _STATED.search(f"{text[max(0, found.start() - _NEAR) : found.start()]} ")
        else ""
    )


_UNKNOWN = re.compile(
    r"^ (?:(?:it|this|that|answer) is )?(?:unknown|unclear|unanswerable|not (?:known|specified|stated|mentioned|given"
    r"|provided|recorded|clear)|(?:no 1|no one|nobody) knows|no answer|i do not know)(?: here| yet| in text)? $"
)
_IGNORANT = re.compile(r" (?:not (?:know|sure|known|certain)|no idea|unknown) ")


@lru_cache(maxsize=4096)
def is_unknown(gold: tuple[GoldAnswer, ...]) -> bool:
    """Whether a gold answer is that nobody knows, as in sets with questions that have none."""
    return any(not answer.regex and _UNKNOWN.match(normalise(answer.text).text) for answer in gold)


def owns_ignorance(reply: Normal) -> bool:
    """Whether a reply says that the answer is not known, rather than that the question was not understood."""
    return bool(_IGNORANT.search(reply.text) or lacks(reply))


def names_first(text: str) -> bool:
    """Whether a reply of several sentences begins with a name or number alone: "The Grand Canyon. Do not ask me." """
    first, *rest = sentences(text[:_READ]) or [""]
    words = first.split()
    if not rest or not 0 < len(words) <= 5 or first.rstrip().endswith("?"):
        return False
    bare = {"The", "A", "An"} & {*words[:1]}
    named = words[1:] if bare else words
    return (
        bool(named)
        and all(word[0].isupper() or word in ("of", "the") for word in named)
        and not _INTERJECTIONS & {*normalise(first).words}
        and not declines(normalise(first))
    )


def content(normal: Normal) -> frozenset[str]:
    """The words that carry a text's meaning, without the endings of number and time."""
    return frozenset(stem(word) for word in normal.words if word not in _SMALL)


def is_small(word: str) -> bool:
    """Whether a word carries no meaning of its own."""
    return word in _SMALL


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The word without its commonest English endings: enough to tell "collected" and "collect" for one word."""
    for ending, least in (("ies", 5), ("er", 6), ("ing", 6), ("ed", 5), ("es", 5), ("s", 4), ("e", 4), ("y", 5)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def _parts(text: str, known: Refusals) -> Iterator[str]:
    normal = normalise(text)
    form = known.within(normal)
    if form:
        start, end = next(normal.find(form))
        if known.is_open(form):
            end = sentence_of(text, (start, end))[1]
        yield form
        text = text[:start] + "." + text[end:]
    yield from (sentence for sentence in sentences(text) if normalise(sentence).words)


def _void(asked: str, sentence: str, known: Refusals) -> str:
    normal = normalise(sentence)
    if known.exact(normal) or known.near(normal):
        return "the target's refusal"
    if not normal.words or _INTERJECTIONS.issuperset(normal.words):
        return _SMALL_TALK
    return "" if _takes_a_side(asked, normal) else _claimless(asked, sentence, normal)


def _claimless(asked: str, sentence: str, normal: Normal) -> str:
    if sentence.rstrip(" \t\r\n\"')").endswith("?"):
        question = normalise(asked)
        back = asks_back(question, normal) or remark(question, normal) or _IMPERATIVE.match(normal.text)
        return _ASKS if back else ""
    if may_remark(normal) and remark(normalise(asked), normal):
        return _SPEAKS
    if declines(normal) or lacks(normal):
        return "the bot declines"
    if _speaks_of_itself(asked, normal):
        return _ITSELF
    if _PROVIDE.match(normal.text) and echoes(normalise(asked), normal) and _own(asked, normal) <= _REQUIRING:
        return ""
    found = next((why for pattern, why in _SAYING_NOTHING if pattern.match(normal.text)), "")
    return found or (_SENDS if _puts_off(asked, normal) or sends_on(normalise(asked), normal) else "")


_PROVIDE = re.compile(r"^ please (?:provide|specify|state|give|tell us|enter) ")
""" "Please provide the coin type you require.", to "Which coin type do I need?": the question asked back."""
_REQUIRING = frozenset(("pleas", "provid", "specif", "stat", "giv", "tell", "enter", "requir", "need", "want"))


def _own(asked: str, said: Normal) -> frozenset[str]:
    return content(said) - content(normalise(asked))


def _takes_a_side(asked: str, said: Normal) -> bool:
    """ "That is correct.", to a question with a guess: it claims something."""
    return not _SIDES.isdisjoint(said.words) and bool(_SUGGESTS.search(normalise(asked).text))


def _puts_off(asked: str, said: Normal) -> bool:
    """Whether a sentence only asks to wait, and does not say the question again; or tells how one could learn it."""
    if _STALLS.search(said.text):
        return not content(normalise(asked)) <= content(said)
    return said.words[0] in ("to", "in") and bool(_LEARN.match(said.text)) and not asks_how(normalise(asked))


def asks_back(question: Normal, said: Normal) -> bool:
    """Whether a question puts nothing in the answer's place: it asks about the asker or for more, and does not say the
    question back."""
    if (_SMALL | _FOR_MORE | _INTERJECTIONS).issuperset(said.words):
        return True
    if not _INTERROGATIVE.match(said.text) or _same_beginning(question, said):
        return False
    own = content(said) - content(question) - _ASKING
    return not echoes(question, said) or (bool(own) and not {"you", "your"}.isdisjoint(said.words))


_ASKING = frozenset(("ask",))
""" "Are you asking who it was?" says the question again."""


def _same_beginning(question: Normal, said: Normal) -> bool:
    """ "How many seals do you have here?", to "How many seals have you got?"."""
    if len(question.words) < 3 or question.words[:2] != said.words[:2]:
        return False
    return question.words[2] == said.words[2] or _takes_up(question, said)


def _takes_up(question: Normal, said: Normal) -> bool:
    """Whether a text has all that a question has, which is more than a word."""
    asked = content(question)
    return len(asked) > 1 and asked <= content(said)


def _speaks_of_itself(asked: str, normal: Normal) -> bool:
    if _UNFILLED.match(normal.raw):
        return True
    if not _SELF.match(normal.text):
        return False
    question = normalise(asked)
    if ({"you", "your"} & {*question.words} and not _ANYBODY.search(question.text)) or echoes(question, normal):
        return False
    if _YET.search(normal.text) or claims_after(normal):
        return False
    names = re.search(r"(?<=[a-z,] )[A-Z][a-z]", normal.raw)
    return not names and not any(
        (word[0].isdecimal() and word != "1") or word in ("million", "thousand", "hundred") for word in normal.words
    )


def echoes(question: Normal, said: Normal) -> bool:
    """Whether a text takes up the question: two of its words, or all it has."""
    asked = content(question)
    common = asked & content(said)
    return bool(asked) and (len(common) >= 2 or common == asked)
