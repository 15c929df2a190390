"""What follows for a yes/no question from a reply that says neither word: "May I take photographs?" – "Without flash."

Only what a reader takes as said beyond doubt: conditions grant, exceptions and other places or days refuse, a number
or a place answers whether there is one. Everything else follows not.
"""

from __future__ import annotations

import re
from typing import Literal

from botattack.matchers.claimless.void import stem
from botattack.matchers.figures.periods import DAYS, EVERY, MONTHS, SEASONS, SETS, left_out, points, week
from botattack.matchers.wording.opposites import opposites
from botattack.matchers.yes_no.dues import ABOUT_PRICES, of_price
from botattack.matchers.yes_no.house_rules import rule
from botattack.matchers.yes_no.offered import offered
from botattack.text.normalise import Normal

Side = Literal["yes", "no"]

_WHERE = frozenset(("in", "on", "at", "to", "inside", "outside", "within", "under", "behind", "beside", "near"))
_FRAGMENT = 9
"""Words that an answer without a verb has at most."""
_MAY_TEXT = (
    "may can could allowed permitted allow permit welcome possible legal available accessible open able accept "
    "accepted ok okay"
)
_MAY = frozenset(_MAY_TEXT.split())
_FORBIDDEN_TEXT = "forbidden banned prohibited illegal disallowed"
_FORBIDDEN = frozenset(_FORBIDDEN_TEXT.split())
_OWING = frozenset(("must", "need"))
_MANY = frozenset(("several", "many", "some", "plenty", "few", "dozens", "hundreds", "lots"))
_OWES = re.compile(
    r" (?:must|expected|supposed|need|needs|needed|required|necessary|obliged|mandatory|compulsory|have to|has to) "
)
_IN_NAME = re.compile(r"^(?:Is|Are|Was|Were|Does|Do|Did)\b.*\bin\s+(?:the\s+)?(?P<name>[A-Z]\w+)\s*\?*\s*$")
_IN = re.compile(r"\b(?:in|from|of)\s+(?:the\s+)?[A-Z]\w+")
_THERE = re.compile(
    r" (?:(?:is|are) there|do you (?:have|offer|sell|rent|lend|serve|keep)"
    r"|(?:does|do) \S+(?: \S+){0,3} (?:have|offer|sell|rent|lend|serve|keep|contain|own)) "
)
_IS_A = re.compile(
    r"\s*(?:is|are|was|were)\s+(?!there\b|it (?:possible|allowed)\b)(?:(?:the|an?)\s+)?\w+(?:\s+\w+){0,3}?\s+"
    r"(?<!\bin )(?<!\bon )(?<!\bat )(?<!\bto )(?<!\bof )(?<!\bby )(?<!\bfor )"
    r"(?<!with )(?<!from )(?<!than )(?<!during )(?:an?|the)\s",
    re.I,
)
""" "Is the Sun a star?": no place or time answers it."""
_VERBS_TEXT = (
    "is are was were do does did can could may might must will would should shall has have had need needs costs cost "
    "stands closed opens closes leaves takes"
)
_VERBS = frozenset(_VERBS_TEXT.split())
_NEGATIVE_TEXT = "not no never nothing nobody none without neither nor only hardly"
_NEGATIVE = frozenset(_NEGATIVE_TEXT.split())
_PLACES_TEXT = (
    "at in on behind under beneath below above beside near next opposite by from between until till after before "
    "during every each through via with within inside outside upstairs downstairs daily weekdays weekends along up over"
)
_PLACED = frozenset(_PLACES_TEXT.split())
_EVERY = re.compile(
    r"^ (?:all|every|everything|everyone|everybody|everywhere|anyone|anybody|anything|anywhere|any|always|both|most"
    r"|around clock"
    r"|almost all|nearly all|day and night|round clock|24 hours|seven days) "
)
_NOT_SO = re.compile(
    r"^ not (?:below|above|under|over|until|till|from|beyond|within|inside|outside|unless|if|while|when|this|yet|today"
    r"|tomorrow|by|near|more|less|here|anymore|any|required|necessary|needed|allowed|permitted|available|possible"
    r"|included|along|between|beside|next to|at all|even|to) "
)
_TERMS = re.compile(
    r"^ (?:you|they|it|one|he|she|dogs|visitors|guests) (?:only )?(?:need|needs|must|have to|has to|require"
    r"|requires|pay|pays) (?!not )"
)
_TOO = re.compile(
    r"^ (?:(?:it|they|that|this|he|she|you|we) (?:is|are|was|were) )?(?:far |much |way |simply )?too (?!early|late)\S+"
    r"(?: (?:for|to) \S+){0,2} $"
)
""" "It is far too narrow for that", to "Can it be seen?"."""
_RELEASED = re.compile(
    r" (?:up to you|if you like|as you like|not (?:necessary|required|needed|have to|need|compulsory|obligatory"
    r"|mandatory)|need not|needs not|optional"
    r"|voluntary|no need|(?:just|simply) (?:turn|show|walk|come) (?:up|in|along|by)"
    r"|walk ins? (?:is |are )?welcome|needs? no|requires? no|unnecessary|without obligation"
    r"|(?:can|may) (?:\S+ ){0,3}without) "
)
_DUE = re.compile(r"^ (?:please do|you (?:do )?(?:need|must|have to) (?:one|1|it|this|that|so)) ")
_ALL_DO = re.compile(
    r"^ (?:everyone|everybody|all(?: \S+)?|each(?: \S+)?) (?:must|may|can|does|do|is|are|has|have|should)(?: \S+)? $"
)
_REFUSED = re.compile(
    r"^ (?:you|they) (?:can|may|must) not | we (?:can|do|will) not (?:take|accept|allow|let|offer|serve|ship|deliver"
    r"|admit"
    r"|permit|sell|have|rent|lend) "
)
_ANYONE = re.compile(r"^ (?:anyone|anybody|everyone|everybody) (?:can|may) (?!not )")
_REBATES = frozenset(("discount", "discounts", "reduction", "reductions"))
_LESS = re.compile(r" (?:half|percent|reduced|less|cheaper|free|off|third) ")
_BOUND = re.compile(r" (?:mandatory|compulsory|obligatory|required by law|always required) ")
_SHORT = re.compile(
    r"^\s*(?:it|he|she|they|you|we|there|that|this|i)(?:'s|'re)?\s+"
    r"(?:is|are|was|were|do|does|did|can|could|may|might|must|will|would|should|has|have|had|need|am)\s*"
    r"(?P<not>not|n['\u2019]t|never)?\s*(?:[,.;!]|$)",
    re.I,
)
_LIMITS = re.compile(r" (?:must|at least|only|except|members|needs?|from age) ")
_ALL = frozenset(("everybody", "everyone", "anybody", "anyone", "all"))
_SOLD = frozenset(map(stem, ("buy", "sell")))
"""What is sold can be bought."""
_SHARED = 5
"""Letters two words must begin with alike to be of one family: "archive", "archivist"."""
_ACTS_TEXT = (
    "ask use call bring book write go take buy show apply contact fill come register sign visit leave put hand return "
    "order choose click get download reserve follow ring send log select tap scan enter"
)
_ACTS = frozenset(_ACTS_TEXT.split())
_SENDS = frozenset(("ask", "call", "contact", "speak", "about"))
_GENTLY = frozenset(("just", "simply", "please"))


def follows(question: Normal, reply: Normal) -> Side | None:
    """What one sentence of a reply says to a yes/no question without saying yes or no; None where nothing is sure."""
    if reply.raw.rstrip().endswith("?") or not reply.words:
        return None
    short = _SHORT.match(reply.raw)
    if short:
        return "no" if short["not"] else "yes"
    if _NOT_SO.match(reply.text):
        return "no"
    if _ALL_DO.match(reply.text) and _NEGATIVE.isdisjoint(question.words):
        return "yes"
    for read in (_what_is_due, _when, opposed, offered, rule, _leave, _detail, _elsewhere):
        if side := read(question, reply):
            return side
    return None


def _leave(question: Normal, reply: Normal) -> Side | None:
    """To a question for leave or for what is possible, open, or forbidden."""
    asked = {*question.words}
    forbidden = bool(asked & _FORBIDDEN)
    if not forbidden and not asked & _MAY:
        return None
    if asked & _ALL and _LIMITS.search(reply.text):
        return "no"
    if _TERMS.match(reply.text):
        return "no" if forbidden or "without" in asked else "yes"
    if forbidden:
        return "yes" if _TOO.match(reply.text) or (_EVERY.match(reply.text) and _is_fragment(reply)) else None
    return "no" if _TOO.match(reply.text) or _REFUSED.search(reply.text) else _granted(question, reply)


def _granted(question: Normal, reply: Normal) -> Side | None:
    first = reply.words[0]
    if first == "without":
        return None if "without" in question.words else "yes"
    if first == "just" and _SENDS.isdisjoint(reply.words) and _tells_how(question, reply):
        return "yes"
    if first in ("only", "just", "solely") or reply.words[-1] == "only":
        return _only(question, reply)
    if _tells_how(question, reply):
        return "yes"
    placed = (
        first in _PLACED
        and _NEGATIVE.isdisjoint({*reply.words} - {"without"})
        and not _rivals(question, first, {*reply.words})
    )
    return "yes" if _is_fragment(reply) and (placed or _EVERY.match(reply.text)) else None


def opposed(question: Normal, reply: Normal) -> Side | None:
    """ "It is closed", to "Is it open?"."""
    if len(reply.words) > _FRAGMENT or not _NEGATIVE.isdisjoint((*question.words, *reply.words)):
        return None
    said = {stem(word) for word in reply.words}
    sides = (pair for pair in opposites(question) if _SOLD.isdisjoint(pair[0]))
    return "no" if any(said & other and not said & mine for mine, other in sides) else None


def _detail(question: Normal, reply: Normal) -> Side | None:
    """ "Behind the desk", "two of them", to "Is there a lift?": whoever says where or how many, says that it is so."""
    asked, first = {*question.words}, reply.words[0]
    served = not {"you", "there", "the"}.isdisjoint(question.raw.casefold().split())
    if not served or _IS_A.match(question.raw) or not _is_fragment(reply) or asked & (_FORBIDDEN | _NEGATIVE | _OWING):
        return None
    counted = first in _MANY or (first[0].isdecimal() and first.strip("0.") != "" and _THERE.search(question.text))
    placed = first in _PLACED or first in ("to", "for", "since")
    named = not _WHERE.isdisjoint(asked) and not _content(question) & {_stem(word) for word in reply.words}
    if not _NEGATIVE.isdisjoint({*reply.words} - {"without"}) or _rivals(question, first, {*reply.words}):
        return None
    return "yes" if counted or (placed and (not named or _THERE.search(question.text))) else None


def _elsewhere(question: Normal, reply: Normal) -> Side | None:
    """ "It lies in Africa", to "Is the Sahara in Asia?"."""
    asked, said = _IN_NAME.search(question.raw), _IN.search(reply.raw)
    if asked is None or said is None or asked["name"] in reply.raw or not _NEGATIVE.isdisjoint(reply.words):
        return None
    pronoun = reply.words[0] in ("it", "he", "she", "they")
    return "no" if pronoun or _content(question) & {_stem(word) for word in reply.words} else None


def _only(question: Normal, reply: Normal) -> Side | None:
    """ "Only on the stone circles": no, where another place was asked about; yes, where it is a condition."""
    rest = [word for word in reply.words if word not in ("only", "just", "solely")]
    if not rest or not _is_fragment(reply):
        return None
    shared = _content(question) & {_stem(word) for word in rest}
    if rest[0] in _PLACED or rest[0] in ("if", "when", "for", "to"):
        if shared:
            return "yes"
        elsewhere = rest[0] in _WHERE and not _WHERE.isdisjoint(question.words) and not _says_when(reply)
        if rest[0] in question.words or elsewhere:
            return "no"
        return "yes" if rest[0] in ("with", "if", "when", "after", "before", "by", "via", "through") else None
    mine = {"i", "we"} & {*question.words}
    paid = {"by", "with", "speak", "pay"} & {*question.words}
    return None if shared or (mine and not paid) or len(rest) > 4 else "no"


def _says_when(reply: Normal) -> bool:
    stems = {_stem(word) for word in reply.words}
    return not stems.isdisjoint((*DAYS, *MONTHS, *SEASONS, *SETS, "day", "night", "morning", "evening", "afternoon"))


def _rivals(question: Normal, preposition: str, said: set[str]) -> bool:
    """Whether the question has a place or time of its own beside the same preposition, and the reply another."""
    return preposition in question.words and not _content(question) & {_stem(word) for word in said}


def _tells_how(question: Normal, reply: Normal) -> bool:
    """ "Archivist Brandt guides you", to "Can I search the archive?": it tells how it is done."""
    if not _NEGATIVE.isdisjoint(reply.words) or {"but", "instead", "own"} & {*reply.words} - {*question.words}:
        return False
    first = next((word for word in reply.words if word not in _GENTLY), "")
    if not {"you", "your"} & {*reply.words} and first not in _ACTS:
        return False
    asked = {word[:_SHARED] for word in question.words if len(word) >= _SHARED}
    return any(word[:_SHARED] in asked for word in reply.words if len(word) >= _SHARED)


def _what_is_due(question: Normal, reply: Normal) -> Side | None:
    """To a question whether something is needed, free or due."""
    asked = {*question.words}
    if not _NEGATIVE.isdisjoint(asked):
        return None
    bound = _DUE.match(reply.text) or _RELEASED.search(reply.text) or _BOUND.search(reply.text)
    if bound and _OWES.search(question.text):
        return "no" if bound.re is _RELEASED else "yes"
    if not asked.isdisjoint(_OWING) and _ANYONE.match(reply.text) and _content(question) & {*map(_stem, reply.words)}:
        return "no"
    if asked & _REBATES and _LESS.search(reply.text) and _NEGATIVE.isdisjoint(reply.words):
        return "yes"
    return of_price(question, reply)


_OFF = re.compile(r" (?:day off|days off|off day|rest day|closing day|day of rest) ")


def _when(question: Normal, reply: Normal) -> Side | None:
    """To a question that names a day, a month or a season: whether the reply's days or months take it in."""
    if _UNPLAIN & {*question.words, *reply.words} or not ABOUT_PRICES.isdisjoint(question.words):
        return "no" if _is_left_out(question, reply) else None
    for names in (DAYS, MONTHS):
        asked = points(question.words, names)
        said = (week(reply) if names is DAYS else points(reply.words, names)) if asked else asked
        if asked and (names is MONTHS or asked <= said) and EVERY.search(reply.text) and _speaks_of(question, reply):
            return "yes"
        if asked and said:
            if _OFF.search(reply.text):
                return "no" if asked <= said else None
            if asked <= said:
                return "yes" if _is_of_it(question, reply) else None
            return None if asked & said else "no"
    return None


def _is_left_out(question: Normal, reply: Normal) -> bool:
    """ "Every day but Monday", to "Is it open on Mondays?"."""
    asked = points(question.words, DAYS)
    return bool(asked) and asked <= left_out(reply) and _SHUT.isdisjoint(question.words + reply.words)


_SHUT = frozenset(("closed", "closes", "close", "shut", "not", "no", "free", "charge", "pay"))
_UNPLAIN = frozenset(("closed", "closes", "close", "except", "but", "not"))


def _is_of_it(question: Normal, reply: Normal) -> bool:
    """Whether what is said of a day is said of what was asked about: not "Our shop is open on Saturdays", to "Do you
    deliver on Saturdays?"."""
    named = {name for names in (DAYS, MONTHS) for name in names}
    shared = _content(question) & {_stem(word) for word in reply.words} - named
    subject = not _PRONOUNS.isdisjoint(reply.words) or any(_stem(word) in named for word in reply.words[:2])
    return bool(shared) or subject or _is_fragment(reply)


_PRONOUNS = frozenset(("we", "it", "they", "you"))


def _speaks_of(question: Normal, reply: Normal) -> bool:
    """Whether a reply has a word of the question, or one that stands for it."""
    return not _PRONOUNS.isdisjoint(reply.words) or bool(_content(question) & {_stem(word) for word in reply.words})


def _is_fragment(reply: Normal) -> bool:
    return len(reply.words) <= _FRAGMENT and _VERBS.isdisjoint(reply.words)


def _stem(word: str) -> str:
    return word.removesuffix("s")


def _content(question: Normal) -> set[str]:
    return {_stem(word) for word in question.words if len(word) > 3}
