"""Yes and no: what a reply to a yes/no question says, in whatever words."""

from __future__ import annotations

import re
from typing import Literal

from botattack.matchers.claimless.void import content, stem
from botattack.matchers.compared import is_beyond, is_more
from botattack.matchers.sentences import places, sentence_of
from botattack.matchers.yes_no.inferred import follows, opposed
from botattack.matchers.yes_no.offered import missing
from botattack.matchers.yes_no.terms import excepted, plain_question, unconditional, without_courtesy
from botattack.text.normalise import Normal, normalise

Answer = Literal["yes", "no"]

_NO = (
    "no|nope|nah|negative|never|not at all|no way|by no means|not by any means|absolutely not|of course not"
    "|certainly not|definitely not|surely not|probably not|not really|not likely|unlikely|very doubtful|i doubt"
    "|i do not think so|i do not believe so|i do not think|i do not believe|does not seem possible|impossible|false"
    "|incorrect|untrue|wrong|that is false|that is not|that not|it is not|it not|not in least|hardly|far from it"
    r"|(?:that|it|this)(?: is)? (?:\S+ )?(?:misconception|myth)"
)
_YES = (
    "yes|yeah|yep|yup|yea|sure|surely|of course|certainly|definitely|absolutely|affirmative|precisely|positively|indeed"
    "|exactly|correct|right|true|naturally|likely|very likely|probably|most likely|undoubtedly|no doubt|without doubt"
    "|i think so|i believe so|i guess so|i assume so|i suppose so|you bet|you are right|that is right|that right"
    "|that is correct|that correct"
    "|that is true|that true|it is certain|it certain|it is true|it true|it sure is|it is decidedly so|there sure is"
)
_LEAD = r"(?:well|oh|ah|hmm|um|so|ok|okay|i think|i believe|i would say|i say|my answer is|answer is|and|why)"
_NEITHER = (
    "no idea|no clue|no comment|no one|no matter|no problem|no worries|not sure|never mind|right now|true or false"
    "|yes or no|sure i|sure let|correct me|certainly i have|of course i|no information|no results"
    "|(?:that|it) is not (?:specified|mentioned|stated|disclosed|known|clear"
    "|possible to (?:determine|say|tell|know|answer))"
)
_WHOLE_YES = (
    "indubitably|unquestionably|(?:most )?assuredly|highly likely|beyond doubt|i am (?:certain|sure|positive)|always"
    "|signs point to yes|mostly|usually|by all means|with pleasure|gladly|why not|go ahead|feel free|without question"
    "|no question"
)
_WHOLE_NO = (
    "doubtful|highly unlikely|does not seem (?:so|likely|possible)|not (?:to my knowledge|that i (?:know|am aware) of"
    "|as far as i know|anymore|any more|yet|true|so)|there is no reason to think so|out of question|no longer"
)
_WHOLE = re.compile(rf"^ (?:(?:oh|well|but|quite) )*(?:(?P<yes>{_WHOLE_YES})|(?P<no>{_WHOLE_NO})) $")
"""What says yes or no only where it is all that a sentence says."""
_START = re.compile(rf"^ (?:{_LEAD} )*(?:(?P<neither>{_NEITHER})|(?P<no>{_NO})|(?P<yes>{_YES})) ")
OPEN = frozenset(("what", "who", "whom", "whose", "which", "where", "when", "why", "how"))
"""The words an open question begins with."""
_SMALL = frozenset(
    ("is", "are", "was", "were", "do", "does", "did", "has", "have", "can", "could", "will", "would", "in", "of")
)
_CEASED = re.compile(r" (?:stopped|ceased|discontinued|quit) (?:to )?(?P<act>\S+) ")
_NEGATIVE = frozenset(("not", "never", "no", "neither", "nor", "non"))
_NOBODY = re.compile(r"^ (?:no 1|no one|nobody|none of) | neither \S+ nor ")
_PRONOUNS = frozenset(("it", "they", "he", "she", "we", "you"))
_SUPPOSES = frozenset(("if", "then", "whether", "thought", "wonder", "wondered", "heard"))
_PARTLY = re.compile(
    r"^ (?:(?:only|sometimes|partly|in part|occasionally|not always) |(?:it|they|that|this) (?:should|might|may|could)"
    r" (?:be )?(?:though|but|although|however) )"
)
_LEFT_OPEN = re.compile(
    r"^ (?:(?:well|it is|i think|i guess) )*either \S.* or | (?:may|might) or (?:may|might) not "
    r"| (?:perhaps|maybe|possibly) (?:it|they|he|she|we|you|there|that) (?:is|are|was|were|do|does|did|has|have|can)"
    r"(?: not)? but (?:(?:it|they|he|she|there|that) (?:could|may|might)|perhaps|maybe|possibly) "
)
_UNSURE_TEXT = (
    "sure know certain unsure idea maybe perhaps possibly probably think believe guess suppose assume remember recall "
    "mistaken"
)
_UNSURE = frozenset(_UNSURE_TEXT.split())
_GUESSED = re.compile(
    r"^ (?:.* (?:not (?:know|sure|certain)|unsure|no idea)\b.*? )?(?:(?:but|however|although|though|yet|still) )?"
    r"(?:maybe|perhaps|possibly|probably|i (?:would )?(?:think|believe|guess|suppose|assume)"
    r"|if i (?:remember|recall|am not mistaken)(?: it| this| that)?(?: correctly| right| well)?)(?: that)?"
    r" (?P<what>(?!so |not |so$|not$)\S.*)$"
)
_HOW_MANY = re.compile(
    r" (?:are there|have|has|got) (?:exactly )?\d+ (?!percent)| (?:opens?|closes?|starts?|begins?|ends?) at \d+ "
)
_APART = frozenset(map(stem, ("extra", "separate", "separately", "additional", "surcharge", "supplement")))
_HALF_DAY = 12
"""Hours by which two ways of telling a time differ."""
_TIMED = 3
"""Digits from which a number is no hour."""
_PAST_TEXT = (
    "wrote write won win built build sang sing made make sold sell bought buy took take gave give went go came come "
    "ate eat drank drink flew fly grew grow knew know led lead lost lose met meet paid pay ran run spoke speak stood "
    "stand taught teach thought think told tell wore wear began begin became become broke break brought bring caught "
    "catch chose choose drew draw drove drive fought fight held hold kept keep sent send slept sleep spent spend swam "
    "swim threw throw died die lent lend dealt deal"
)
_PAST = dict(zip(_PAST_TEXT.split()[::2], _PAST_TEXT.split()[1::2], strict=True))
_DONE = re.compile(r" (?:is|are) (?:not |always |fully |also )*(?P<act>\w{3,}ed) ")
_OWING, _RELEASING = frozenset(("must", "need")), frozenset(("not", "without"))
_SPOKEN = 80
"""Words that are read of a sentence that doubts, or of a reply that may spell the question's words rightly."""
_LONG = 5
"""Letters from which a word may hold a slip of the pen, one less where only two are exchanged."""
_BOTH = re.compile(
    r" (?:answer|it) (?:\S+ ){0,4}is (?:yes .* is no|no .* is yes) |^ (?:yes and no|yes or no|both yes and no) "
)
_PLAIN = re.compile(r"^ (yes|no) (?!1 )")
_EXCEPTS = re.compile(
    r"^ (?:(?P<yes>except|unless)|(?P<no>nothing|nobody|not (?:for|on|in|with|during|at|before|after|without))) "
)
_LEAVE = frozenset(
    ["allowed", "permitted", "permit", "allow", "can", "may", "welcome", "possible", "free", "accessible", "suitable"]
)
_FORBIDS = re.compile(
    r" (?:banned|forbidden|prohibited|illegal|not (?:allowed|permitted|welcome)|must not"
    r"|may not|off limits|non (?:refundable|returnable|transferable|smoking)"
    r"|smoke free|unsuitable|not suitable|not possible(?! to (?:determine|say|tell|know|answer))) "
)
_SUBJECTS = frozenset(("it", "that", "this", "they", "you", "these", "those", "everything", "anything"))
_GRANTS = re.compile(r" (?:allowed|permitted|welcome|legal|(?:is|are) (?:\w+ly |all )?(?:fine|ok|okay)) ")
_OR_NOT = re.compile(r"\s+or not\W*$", re.I)
""" "We take it back, used or not", which denies nothing."""
_AT_LAST = re.compile(r"^[^,]{1,60},\s*(?P<side>yes|no)\W*$", re.I)
""" "On Sundays, no."."""
_POLAR = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}


def polar(phrase: str) -> Answer | None:
    """What a gold answer in normal form says, if it is a yes or a no."""
    match _POLAR.get(phrase):
        case "yes":
            return "yes"
        case "no":
            return "no"
    return None


def begins(text: Normal) -> Answer | None:
    """The yes or no a text begins with, if any."""
    if text.text == " ":
        return None
    if excepts := _EXCEPTS.match(text.text):
        return "yes" if excepts["yes"] else "no"
    match = _WHOLE.match(text.text) or _START.match(text.text)
    if match is None or match.groupdict().get("neither"):
        return None
    return "no" if match["no"] else "yes"


_GRANTING = frozenset(map(stem, ("possible", "allowed", "fine", "okay", "right", "correct")))


def is_bare(question: Normal, reply: Normal) -> bool:
    """Whether a reply says yes or no, and beside it only words of the question."""
    first = _WHOLE.match(reply.text) or _START.match(reply.text)
    return first is not None and content(normalise(reply.text[first.end() :])) <= content(question) | _GRANTING


def may_be_polar(question: Normal) -> bool:
    """Whether a question could ask for yes or no: it does not begin with a question word, and offers no choice."""
    words = question.words
    return bool(words) and words[0] not in OPEN and "or" not in words


def said(question: Normal, reply: Normal) -> tuple[Answer, tuple[int, int]] | None:
    """The answer a reply gives to a yes/no question and where; None where it gives none.

    Read from the words a sentence begins with, else from a sentence that states the question or its negation, else
    from what follows from the first sentence.
    """
    question = plain_question(question)
    found = _said(question, reply)
    if found is None and (mended := _mended(question, reply)):
        found = _said(mended, reply)
    return found


def _said(question: Normal, reply: Normal) -> tuple[Answer, tuple[int, int]] | None:
    for start, end in places(reply.raw):
        text = normalise(reply.raw[start:end])
        if not text.words:
            continue
        guess = None if _LEFT_OPEN.search(text.text) else _guess(text)
        if found := (guess and _read(question, guess, start, end)) or _read(question, text, start, end):
            return found
    return None


def _read(question: Normal, text: Normal, start: int, end: int) -> tuple[Answer, tuple[int, int]] | None:
    text = without_courtesy(text)
    if _LEFT_OPEN.search(text.text):
        return None
    if (plainly := excepted(question, text)) and not text.raw.rstrip().endswith("?"):
        return plainly, (start, end)
    if (side := missing(question, text)) and not text.raw.rstrip().endswith("?"):
        return side, (start, end)
    found = _begins(text, start, end)
    if found is None and (more := is_more(question, text) or is_beyond(question, text)):
        return more, (start, end)
    found = found or _states(question, text, start, end)
    side = follows(question, text) if found is None and start == 0 else None
    if found is None and side is None and (main := unconditional(text)):
        found = _read(question, main, start, end)
    return (side, (start, end)) if side else found


def _guess(sentence: Normal) -> Normal | None:
    """What a sentence goes on to after it doubts: "it is not", of "Not sure, but I think it is not"."""
    if len(sentence.words) > _SPOKEN or _UNSURE.isdisjoint(sentence.words):
        return None
    found = _GUESSED.search(sentence.text)
    return normalise(found["what"]) if found else None


def _mended(question: Normal, reply: Normal) -> Normal | None:
    """The question with the reply's word for each that is nearly one of its own ("Can tikcets be reafunded?"),
    where two or more of its words are then the reply's, too."""
    words = [_nearest(word, reply.words[:_SPOKEN]) for word in question.words]
    if words == list(question.words):
        return None
    mended = normalise(" ".join(words))
    return mended if len(content(mended) & content(reply)) > 1 else None


def _nearest(word: str, others: tuple[str, ...]) -> str:
    """Of other words the one that differs by one slip of the pen; the word itself where it is short or among them."""
    from rapidfuzz.distance import OSA

    if len(word) < _LONG - 1 or word in others:
        return word
    mine = stem(word)
    for other in others:
        theirs = stem(other)
        if theirs[0] != mine[0] or OSA.distance(mine, theirs, score_cutoff=1) != 1:
            continue
        long = min(len(word), len(other)) >= _LONG
        if sorted(mine) == sorted(theirs) or (long and (len(mine) != len(theirs) or len(mine) > _LONG)):
            return other
    return word


def partly(reply: Normal) -> bool:
    """Whether a reply answers yes for some and no for others, or leaves it open: "Only people with long hair"."""
    return bool(_PARTLY.match(reply.text) or _LEFT_OPEN.search(reply.text))


def both(question: Normal, reply: Normal) -> bool:
    """Whether a reply says yes and no: "The answer is yes, but in a way the answer is no", "No, lead is lighter"."""
    if _BOTH.search(reply.text):
        return True
    question = plain_question(question)
    plain = _PLAIN.match(reply.text)
    if plain is None:
        return False
    first = normalise(reply.raw[slice(*sentence_of(reply.raw, reply.span(0, 0)))])
    rest = normalise(first.raw[first.span(0, 0)[1] :])
    if plain[1] == "yes" and _counts_otherwise(question, content(question), [stem(word) for word in rest.words]):
        return True
    brief = len(rest.words) <= len(question.words) + 2
    return brief and (_said_whole(question, rest) or opposed(question, rest)) not in (None, plain[1])


def _begins(sentence: Normal, start: int, end: int) -> tuple[Answer, tuple[int, int]] | None:
    side = None if sentence.raw.rstrip().endswith("?") else begins(sentence)
    if side is None and sentence.words and sentence.words[-1] in _POLAR and (last := _AT_LAST.search(sentence.raw)):
        side = polar(last["side"].casefold())
    return (side, (start, end)) if side else None


def _states(question: Normal, sentence: Normal, start: int, end: int) -> tuple[Answer, tuple[int, int]] | None:
    if sentence.text.endswith(" or not "):
        sentence = normalise(_OR_NOT.sub("", sentence.raw))
    leave = _leave(question, sentence)
    if sentence.raw.rstrip().endswith("?"):
        return None
    side = leave or _nobody(question, sentence) or _said_whole(question, sentence)
    return (side, (start, end)) if side else None


def _nobody(question: Normal, sentence: Normal) -> Answer | None:
    """ "No one but you can see it", "We neither sell nor keep it"."""
    denies = _NOBODY.search(sentence.text)
    asked = content(question)
    return "no" if denies and _NEGATIVE.isdisjoint(question.words) and asked & content(sentence) else None


def _said_whole(question: Normal, sentence: Normal) -> Answer | None:
    """What a sentence says that holds the question: denied, where a negation stands before the last of its words.

    "It is open on Mondays": a pronoun stands for what the question speaks of first.
    """
    if not _OWING.isdisjoint(question.words) and not _RELEASING.isdisjoint(sentence.words):
        return None
    asked = content(question)
    if "than" in question.words and "than" not in sentence.words:
        if len(sentence.words) > len(question.words) + 2:
            return None
        asked = content(normalise(question.text.partition(" than ")[0]))
    if sentence.words[:1] and sentence.words[0] in _PRONOUNS and len(asked) > 1 and question.words[1] not in _PRONOUNS:
        asked -= {next(stem(word) for word in question.words if stem(word) in asked)}
    asked = _without_doer(question, sentence, asked)
    did = question.words[0] == "did"
    stems = [stem(_PAST.get(word, word) if did else word) for word in sentence.words]
    if _counts_otherwise(question, asked, stems):
        return "no"
    if len({*question.words} - _SMALL) < 2 or not asked or not asked <= {*stems} or _SUPPOSES & {*sentence.words}:
        return None
    last = max(stems.index(word) for word in asked)
    if _parted(asked, stems, last):
        return None
    ceased = _CEASED.search(sentence.text)
    negative = (
        not _NEGATIVE.isdisjoint(sentence.words[: last + 1])
        or sentence.words[last + 2 : last + 3] == ("not",)
        or (ceased is not None and stem(ceased["act"]) in asked)
    )
    return "no" if negative != (not _NEGATIVE.isdisjoint(question.words)) else "yes"


def _parted(asked: frozenset[str], stems: list[str], last: int) -> bool:
    """ "The price includes parking, but a towel is extra": what was asked about stands in two statements."""
    if stem("included") in asked and not _APART.isdisjoint(stems):
        return True
    return "but" in stems[:last] and not asked <= {*stems[stems.index("but") :]}


def _without_doer(question: Normal, sentence: Normal, asked: frozenset[str]) -> frozenset[str]:
    """ "Damage is covered", to "Does my policy cover damage?": said of what is done, it need not say who does it."""
    done = _DONE.search(sentence.text) if question.words[0] in ("do", "does") else None
    stems = [stem(word) for word in question.words] if done else []
    act = stem(done["act"]) if done else ""
    if act not in stems:
        return asked
    after = stems[stems.index(act) :]
    return asked & frozenset(after) if len(after) > 1 else asked


def _counts_otherwise(question: Normal, asked: frozenset[str], stems: list[str]) -> bool:
    """ "There are six lifts", to "Are there eight lifts?"."""
    numbers = {word for word in asked if word.isdecimal()}
    if not numbers or not _HOW_MANY.search(question.text) or not _NEGATIVE.isdisjoint(stems):
        return False
    halved = {str(int(number) + _HALF_DAY) for number in numbers if len(number) < _TIMED}
    if not (numbers | halved).isdisjoint(stems):
        return False
    return any(map(str.isdecimal, stems)) and asked - numbers <= {*stems}


def _shares(question: Normal, sentence: Normal) -> bool:
    """Whether a sentence speaks of what was asked about: "Glass is forbidden" says nothing of pets."""
    asked = {word.removesuffix("s")[:6] for word in question.words if len(word) > 2 and word not in _LEAVE | _SMALL}
    first = next((at for at, word in enumerate(sentence.words) if _FORBIDS.search(f" {word} ")), 0)
    return not first or any(word.removesuffix("s")[:6] in asked for word in sentence.words)


def _leave(question: Normal, sentence: Normal) -> Answer | None:
    """What a sentence says to "is it allowed?"."""
    if _LEAVE.isdisjoint(question.words):
        return None
    if _FORBIDS.search(sentence.text):
        return "no" if not _SUBJECTS.isdisjoint(sentence.words) or _shares(question, sentence) else None
    asked = {"allowed", "permitted", "welcome", "legal"} & {*question.words}
    granted = _GRANTS.search(sentence.text) and not {"only", "not", "no"} & {*sentence.words}
    return "yes" if granted and (asked or _shares(question, sentence)) else None
