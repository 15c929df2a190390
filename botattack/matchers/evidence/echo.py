"""What a reply says of the question's own words: which of the options it picks, and what it says the opposite of."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading
from botattack.text.languages import Language, stemmer

_NEAR = 4
_OPTION = 2
"""Content words that are read of an option that is not the answer."""


class Echo(NamedTuple):
    """`offered`: how many options the question offers beside the answer, and `others`: the share of these that the
    reply says. `first`: it says the answer first (1) or another option (-1). `denied`: it denies another option.
    `more`: of two that are compared, the answer comes first (1) or second (-1), turned about by an opposite.
    `opposed`: how many words of the question the reply says the opposite of instead."""

    offered: float
    others: float
    first: float
    denied: float
    more: float
    opposed: float


def echo(key: AnswerKey, reply: Reading, found: Match) -> Echo:
    gold = found.gold.reading.known
    others = _others(key, found)
    opposed, turned = _opposed(key, reply)
    if not others:
        return Echo(0, -1.0, 0.0, False, 0.0, opposed)
    at = {stem: place for place, stem in reversed(list(enumerate(reply.stems)))}
    named = sorted(at[stem] for stem in others if stem in at)
    mine = min((at[stem] for stem in gold if stem in at), default=-1)
    return Echo(
        offered=len(others),
        others=len(named) / len(others),
        first=0.0 if mine < 0 and not named else 1.0 if not named or 0 <= mine < named[0] else -1.0,
        denied=any(
            not key.language.negations.isdisjoint(reply.words[max(0, place - _NEAR) : place]) for place in named
        ),
        more=_more(key, reply, mine, turned),
        opposed=opposed,
    )


def _others(key: AnswerKey, found: Match) -> frozenset[str]:
    """The first content words of each option that the question offers beside the answer."""
    spoken, question = key.language, key.question
    if spoken.alternatives.isdisjoint(question.words):
        return frozenset()
    others = set[str]()
    gold = found.gold.reading.known
    for at, word in enumerate(question.words):
        if word in spoken.alternatives:
            for side in (range(at - 1, -1, -1), range(at + 1, len(question.words))):
                content = [each for each in side if question.words[each] not in spoken.function_words][:_OPTION]
                mine = [question.stems[each] for each in content]
                if gold.isdisjoint(mine[:1]):
                    others.update(mine[:1])
    return frozenset(others)


def _more(key: AnswerKey, reply: Reading, mine: int, turned: float) -> float:
    """Which of the two compared the answer is: the first, if it comes before "than", turned about by an opposite."""
    than = next((at for at, word in enumerate(reply.words) if word in key.language.comparing), -1)
    if than < 0 or mine < 0:
        return 0.0
    return (1.0 if mine < than else -1.0) * (-1.0 if turned else 1.0)


def _opposed(key: AnswerKey, reply: Reading) -> tuple[float, bool]:
    """How many words of the question are opposed, and whether one of them is not said beside its opposite."""
    table = _table(key.language)
    here = table.keys() & key.question.known
    if not here:
        return 0.0, False
    opposed = 0
    for stem in here:
        against = frozenset().union(*(other for _, other in table[stem]))
        own = frozenset().union(*(group for group, _ in table[stem]))
        if own.isdisjoint(reply.known) and not against.isdisjoint(reply.known - key.question.known):
            opposed += 1
    return float(opposed), opposed > 0


@lru_cache(maxsize=8)
def _table(language: Language) -> dict[str, tuple[tuple[frozenset[str], frozenset[str]], ...]]:
    """For the stem of each word that has opposites: the words that say the same, and those that say the opposite."""
    stem = stemmer(language.code)
    table = dict[str, tuple[tuple[frozenset[str], frozenset[str]], ...]]()
    for row in language.opposites:
        groups = [frozenset(map(stem, group.split())) for group in row.split("|")]
        for group in groups:
            others = frozenset().union(*(other for other in groups if other is not group))
            for word in group:
                table[word] = (*table.get(word, ()), (group, others))
    return table
