"""Gold words said of something else: part of a longer name or measure, said of another subject or of the opposite."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from botattack.matchers.claimless.void import content, stem
from botattack.matchers.gold import golds
from botattack.matchers.sentences import sentences
from botattack.text.normalise import Normal, normalise

if TYPE_CHECKING:
    from botattack.matchers.context import Asked

_NEXT_NAME = re.compile(r"^\s+(?P<more>(?:(?:of|von|van|de|da|del|der|the)\s+)*(?P<name>[A-Z][\w'\u2019-]+|[IVX]+\b))")
_JUNIOR = re.compile(r"^,?\s+(?:Jr|Sr|Junior|Senior)\b")
_PARTNERS = re.compile(r"^\s*(?:&|and)\s+(?:Sons?|Daughters?|Brothers|Bros|Partners|Co|Company)\b")
_MORE_PARTS = re.compile(
    r"^\s*(?:,|and|,\s*and)\s+(?:\d+|an?|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+"
    r"(?:more\s+)?(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|feet|foot|inch(?:es)?|metres?|meters?|cm"
    r"|cents?)\b",
    re.I,
)
_GOES_ON = frozenset(",aA")
"""Beside spaces, what any of these three begins with."""
_MEASURE_END = re.compile(
    r"\b(?:years?|months?|weeks?|days?|hours?|minutes?|feet|foot|metres?|meters?|euros?|crowns?|dollars?)$", re.I
)
_BESIDE = re.compile(
    r" (?:independent(?:ly)? (?:of|from)|different from|differs from|similar to|inspired by|influenced by"
    r"|compared (?:to|with)"
    r"|(?:son|daughter|wife|husband|brother|sister|mother|father|friend|student|pupil|rival|successor|predecessor"
    r"|colleague"
    r"|contemporary|teacher|assistant|cousin|nephew|uncle|widow|(?<! is )(?<! was )(?<! are )works?"
    r"|ideas|theory|followers?) of|named after"
    r"|(?:foreword|preface|introduction|afterword|illustrations|photographs|translation) by"
    r"|beats?|defeat(?:s|ed)|in honou?r of"
    r"|long before|long after|competed with|based on work of) (?:\S+ )?$"
)
_BESIDE_TEXT = (
    "independent independently different differs similar inspired influenced compared son daughter wife husband "
    "brother sister mother father friend student pupil rival successor predecessor colleague contemporary teacher "
    "assistant cousin nephew uncle widow work works ideas theory follower followers named honor honour before "
    "after competed based "
    "beat beats defeated defeats foreword preface introduction afterword illustrations photographs translation"
)
BESIDE = frozenset(_BESIDE_TEXT.split())
"""A word of each phrase that `beside` knows."""
_UNTIL = re.compile(r" (?:until|till|to|through) (?:\S+ )?$")
_CLOSED = re.compile(r" (?:closed?|shut|not open) ")
_OPEN_BUT = re.compile(
    r" (?:open|trade|daily|every day|all days|all week|7 days)(?= ).* (?:except|excluding|but|apart from|other than)"
    r"(?: for| on)? $"
)
_BEGINS = re.compile(
    r"^ (?:when|(?:at |from )?what time|from when) (?:do|does|did|is|will) .*(?:start|begin|opens?) "
    r"(?!.* (?:and|until|close|end) )"
)
_SHUT = re.compile(r" (?:closed|shut|not|no|wait|postponed|delayed|nothing) ")
_CORRECTS = re.compile(r" (?:no|sorry|actually|wait|rather|correction|mean|i meant|or rather|not) ")
_CLAIM = re.compile(
    r"\b(?:is|was|are|were)\s+(?:actually\s+|in fact\s+|indeed\s+|really\s+)?(?:\w+(?:ed|en|de)\s+by\s+)?(?:the\s+"
    r"|an?\s+|called\s+|in\s+)*\**(?P<what>[A-Z][\w'\u2019-]+(?:\s+[A-Z][\w'\u2019-]+)*|\d[\d,.]*)"
)


def longer(context: Asked, text: str, span: tuple[int, int]) -> str:
    """The longer name or measure that the answer is only a part of; empty where it stands for itself."""
    said, after = text[slice(*span)], text[span[1] : span[1] + 80]
    if not (after[:1].isspace() or after[:1] in _GOES_ON):
        return ""
    if more := _JUNIOR.match(after) or _PARTNERS.match(after):
        return said + more.group()
    if more := _goes_on(context, said, after):
        return said + more.group()
    name = _NEXT_NAME.match(after) if after[0].isspace() else None
    if name is None or said[-1:] in ".,;:":
        return ""
    if _of_person(context, said) and " " in said and name["more"] == name["name"] and len(name["name"]) > 1:
        following = normalise(name["name"]).text
        known = {word for gold in golds((*context.fresh, *context.stale)).literals for word in gold.words}
        return "" if following.strip() in known or following in context.question.text else said + name.group()
    return said + name.group() if _other_name(context, said, name["name"]) else ""


_MULTIPLE = re.compile(r"^\s+(?P<by>pairs|dozen|hundred|thousand|million|billion)\b", re.I)


def _goes_on(context: Asked, said: str, after: str) -> re.Match[str] | None:
    """ "And 20 minutes", behind an hour; "pairs", behind twelve, where pairs were not asked for."""
    if said[-1:].isalpha() and _MEASURE_END.search(said) and (more := _MORE_PARTS.match(after)):
        return more
    found = _MULTIPLE.match(after)
    if found is None or not all(map(str.isdecimal, normalise(said).words[-1:])):
        return None
    by = found["by"].casefold()
    known = by in context.question.words or any(
        by in gold.words for gold in golds((*context.fresh, *context.stale)).literals
    )
    return None if known else found


def _of_person(context: Asked, said: str) -> bool:
    return bool({"who", "whom", "whose"} & {*context.question.words}) and said[:1].isupper()


def _other_name(context: Asked, said: str, following: str) -> bool:
    """Whether a name goes on in another way than a longer gold answer that begins alike does."""
    words = normalise(said).words
    following = normalise(following).text.strip()
    longer = [
        gold.words
        for gold in golds((*context.fresh, *context.stale)).literals
        if gold.words[: len(words)] == words and len(gold.words) > len(words) and gold.raw[:1].isupper()
    ]
    return (
        bool(longer) and not any(following in gold for gold in longer) and f" {following} " not in context.question.text
    )


def beside(before: str) -> str:
    """The words by which the answer is only set beside another thing ("independently of"); `before` in normal form."""
    found = _BESIDE.search(before)
    return found.group().strip() if found else ""


def left_out(context: Asked, before: str) -> bool:
    """ "Open every day but Monday", to when it is closed."""
    return bool(_OPEN_BUT.search(before)) and bool(_CLOSED.search(context.question.text))


_ABSTAINS = re.compile(
    r" (?:do|must|should|may|can) not (?P<verb>\S+) (?:\S+ ){0,3}?(?:for|within|until)(?: at least| least| about)? $"
)


def abstains(context: Asked, before: str) -> bool:
    """ "Do not eat for twelve hours", to how long one has to fast."""
    found = _ABSTAINS.search(before)
    asked = found and context.question.text.startswith((" how long ", " for how long ")) and not context.negated
    return bool(found and asked and stem(found["verb"]) not in context.content)


_NEGATIONS = frozenset(("not", "never", "no", "neither", "nor"))


def denies_the_opposite(context: Asked, clause: str) -> bool:
    """ "It does not open on Mondays", to when it is closed."""
    if not context.opposites or context.negated:
        return False
    said = {stem(word) for word in normalise(clause).words}
    return any(said & other and not said & mine for mine, other in context.opposites)


def opposite(context: Asked, clause: str, before: str) -> str:
    """The word of a clause that says the opposite of what was asked; empty where it says both or neither, or where
    the answer ends it ("open until four" is when it closes)."""
    if _UNTIL.search(before):
        return "until" if _BEGINS.search(context.question.text) and not _SHUT.search(normalise(clause).text) else ""
    if not context.opposites:
        return ""
    said = {stem(word): word for word in normalise(clause).words}
    if not _NEGATIONS.isdisjoint(said):
        return ""
    every = golds((*context.fresh, *context.stale)).literals
    golden = {stem(word) for gold in every for word in gold.words}
    for mine, other in context.opposites:
        found = said.keys() & other
        if found and not said.keys() & mine and found.isdisjoint(golden):
            return said[min(found)]
    return ""


def has_two_clauses(sentence: Normal) -> bool:
    """Whether a comma or semicolon parts two clauses with one verb, as `other_subject` needs."""
    raw, words = sentence.raw, sentence.words
    return ("," in raw or ";" in raw) and any(words.count(verb) > 1 for verb in _VERBS.intersection(words))


def other_subject(
    context: Asked, text: str, span: tuple[int, int], sentence: tuple[int, int], clause: tuple[int, int]
) -> str:
    """ "The school is run by Ann, the library by Bob": the subject of the answer's clause, where another clause of the
    sentence has the one that was asked for."""
    start, end = clause
    if start == sentence[0]:
        return _first_of_two(context, text[start : span[0]], text[end : sentence[1]])
    own = content(normalise(text[start : span[0]]))
    asked = context.content
    rest = content(normalise(text[sentence[0] : start])) | content(normalise(text[end : sentence[1]]))
    lead = normalise(text[start : span[0]]).text
    verb = _TO_THE_END.search(lead)
    parallel = verb and verb.group() in normalise(text[sentence[0] : start]).text
    new = own - asked - rest
    if not parallel or not new or not (asked & rest) - own or (asked & own and not own & rest):
        return ""
    return min(new) if len((asked & rest) - own) >= len(asked & own) and own & rest else ""


def _first_of_two(context: Asked, lead: str, following: str) -> str:
    """ "The shop is on the first floor; the café is in the basement.", to "Where is the café?"."""
    if len(following) < _CLAUSE or not _VERB.search(following):
        return ""
    first = normalise(lead)
    verb = _VERB.search(first.text)
    second = normalise(following).text
    at = second.find(verb.group()) if verb else -1
    if verb is None or at < 0:
        return ""
    own = content(normalise(first.text[: verb.start() + 1]))
    subject = content(normalise(second[: at + 1])) - _GENERAL
    mine = subject and subject <= context.content and own.isdisjoint(context.content)
    return min(own) if mine and own - _GENERAL else ""


_CLAUSE = 10
"""Letters that a clause with a subject of its own has at least."""
_VERB = re.compile(r" (?:is|was|are|were|has|have|lies|runs|costs|opens|closes|starts|belongs) ")
_TO_THE_END = re.compile(r" (?:is|was|are|were|has|have|lies|runs|built|directed|painted|wrote) .*$")
_VERB_WORDS = "is was are were has have lies runs costs opens closes starts belongs built directed painted wrote"
_VERBS = frozenset(_VERB_WORDS.split())
"""All of both."""
_GENERAL = frozenset(("but", "whil", "wherea", "answ"))
"""Stems that join two clauses, or name no subject."""


def rival(context: Asked, text: str, span: tuple[int, int]) -> tuple[str, bool]:
    """Another answer that an earlier sentence of the reply gives in the question's own words, and whether the question
    itself offered it; ("", False) where there is none, or the reply corrects itself."""
    if not _CLAIM.search(text, 0, span[0]):
        return "", False
    asked = context.content
    if len(asked) < 2:
        return "", False
    at = 0
    for sentence in sentences(text[: span[0]]):
        at += len(sentence)
        found = _CLAIM.search(sentence)
        if found is None or sentence.rstrip().endswith("?") or at >= span[0]:
            continue
        normal = normalise(sentence)
        name = normalise(found["what"])
        fresh = [word for word in name.words if f" {word} " not in context.question.text]
        if context.choice:
            asked_rest = asked - {stem(word) for word in name.words}
            if len(asked_rest & content(normal)) >= 2 and _offered(context, name.text):
                return found["what"], True
        missing = asked - content(normal)
        if (
            fresh
            and not missing
            and not _CORRECTS.search(normalise(text[at : span[0]]).text)
            and "not" not in normal.words[:6]
        ):
            return found["what"], False
    return "", False


def _offered(context: Asked, name: str) -> bool:
    return name in context.question.text and not any(
        gold.padded in name for gold in golds((*context.fresh, *context.stale)).literals
    )
