"""How much of a gold answer a reply says, and where."""

from __future__ import annotations

from collections import namedtuple

import msgspec
from rapidfuzz import fuzz, process
from rapidfuzz.distance import LCSseq, Prefix

from botattack.matchers.evidence.answer_key import AnswerKey, Gold
from botattack.matchers.evidence.reading import Reading

_LIKE = 70
"""Similarity in percent from which a word of the reply may be a misspelt word of the answer."""
_SHORT = 4
"""Words of fewer letters must be spelt as they are."""


class Match(msgspec.Struct, frozen=True):
    """Where a reply says most of a gold answer: `first` and `last` word of the reply, or -1 if it says nothing of it.

    `recall` is the share of the answer that is said, by weight, and `fresh` that of what the question does not contain
    (-1 if it contains all). `alike` counts misspelt words and common beginnings, too.
    """

    gold: Gold
    exact: bool
    recall: float
    fresh: float
    alike: float
    first: int
    last: int


Coverage = namedtuple(
    "Coverage",
    "exact,glued,recall,fresh,alike,in_order,compact,partial,sorted,begins,ends,names,given,acronym,all,"
    "length,letters,golds,known,whole",
)
"""How much of the gold answer is said, of which most is said.

`exact`: word for word; `glued`: letter for letter. `recall`, `fresh`, `alike`: see Match. `in_order`: share of its
words said in its order. `compact`: share of the words between the first and the last said that are its own.
`partial`, `sorted`: similarity of letters. `begins`, `ends`, `names`: whether its first and last word are said, and
the share of its capitalised ones. `given`, `acronym`: see `_given` and `_acronym` below. `all`: share of the content
words of all gold answers that the question does not have.
`length`, `letters`: of the answer. `golds`: how many gold answers there are. `known`: how many words of this one
the question has. `whole`: whether it is a sentence, or what of one answers by itself.
"""


def match(key: AnswerKey, reply: Reading) -> Match | None:
    """The gold answer of which the reply says most; None if there is none."""
    every = (_match(gold, reply) for gold in key.golds)
    return max(every, key=lambda found: (found.exact, found.alike, found.recall), default=None)


def _match(gold: Gold, reply: Reading) -> Match:
    stems, weights, known = gold.reading.stems, gold.weights, reply.known
    recall = sum([weight for weight, stem in zip(weights, stems, strict=True) if stem in known]) / sum(weights)
    counted = gold.fresh or range(len(stems))
    said = [at for at in counted if stems[at] in known]
    total = sum([weights[at] for at in counted])
    alike = sum([weights[at] for at in said]) / total
    fresh = alike if gold.fresh else -1.0
    if alike < 1 and reply.words:
        near = sum([weights[at] * _nearest(gold.reading.words[at], reply) for at in counted if at not in said])
        alike += near / total
    exact = recall == 1 and gold.reading.joined_stems in reply.joined_stems
    first, last = _window(reply, frozenset([stems[at] for at in said]))
    return Match(gold, exact, recall, fresh, alike, first, last)


def _nearest(word: str, reply: Reading) -> float:
    """How like a word is to the most similar one of the reply, 0 to 1: letters, or a long common beginning."""
    if len(word) < _SHORT or not word.isalpha():
        return 0.0
    found = process.extractOne(word, reply.vocabulary, scorer=fuzz.ratio, score_cutoff=_LIKE)
    near = found[1] / 100 if found else 0.0
    return max(near, _beginning(word, reply)) if near < 0.9 else near


def _beginning(word: str, reply: Reading) -> float:
    """ "Norway" and "Norwegian": the share of the letters before the first that differs."""
    others = [other for other in reply.known if other.startswith(word[:4])]
    return max((Prefix.similarity(word, other) for other in others), default=0) / len(word)


def _window(reply: Reading, wanted: frozenset[str]) -> tuple[int, int]:
    """The shortest stretch of words that has all that are wanted; -1, -1 if nothing is."""
    if not wanted:
        return -1, -1
    latest, best = dict[str, int](), (0, len(reply.stems))
    for at, stem in enumerate(reply.stems):
        if stem in wanted:
            latest[stem] = at
            if len(latest) == len(wanted):
                start = min(latest.values())
                if at - start < best[1] - best[0]:
                    best = start, at
    return best


def coverage(key: AnswerKey, reply: Reading, found: Match) -> Coverage:
    gold = found.gold.reading
    wanted = gold.stems
    names = [stem in reply.known for stem, capital in zip(wanted, gold.capitals, strict=True) if capital]
    text, said = gold.joined, reply.joined
    literally = text in said  # which most right replies do: all three likenesses are then known
    return Coverage(
        exact=found.exact,
        glued=len(gold.letters) > 3 and gold.letters in reply.letters,
        recall=found.recall,
        fresh=found.fresh,
        alike=found.alike,
        in_order=1.0 if found.exact else LCSseq.similarity(wanted, reply.stems) / len(wanted),
        compact=_compact(found, reply),
        partial=1.0 if literally else fuzz.partial_ratio(text, said) / 100 if reply.words else 0.0,
        sorted=1.0 if literally else fuzz.token_set_ratio(text, said) / 100,
        begins=wanted[0] in reply.known,
        ends=wanted[-1] in reply.known,
        names=sum(names) / len(names) if names else -1.0,
        given=_given(found.gold, reply),
        acronym=_acronym(found.gold, reply),
        all=len(key.telling & reply.known) / len(key.telling) if key.telling else -1.0,
        length=len(wanted),
        letters=len(gold.text),
        golds=len(key.golds),
        known=len(wanted) - len(found.gold.fresh),
        whole=found.gold.whole is not None,
    )


def _compact(found: Match, reply: Reading) -> float:
    if found.first < 0:
        return -1.0
    said = reply.stems[found.first : found.last + 1]
    return sum(map(found.gold.reading.known.__contains__, said)) / len(said)


def _given(gold: Gold, reply: Reading) -> float:
    """Of a name whose last word is said: how far a first name before it begins as the gold answer's does ("Kate" and
    "Kathleen": 3 of 4 letters); -1 if this is no name, or its last word is not said; 0.5 if no first name is."""
    name = gold.reading
    if len(name.words) < 2 or not (name.capitals[0] and name.capitals[-1]) or name.stems[-1] not in reply.known:
        return -1.0
    at = reply.stems.index(name.stems[-1])
    said = [reply.words[place] for place in range(max(0, at - 3), at) if reply.capitals[place]]
    shared = (Prefix.similarity(one, own) / min(len(one), len(own)) for one in said for own in name.words[:-1])
    return max(shared, default=0.5)


def _acronym(gold: Gold, reply: Reading) -> float:
    """Whether the reply says the initials of the answer ("WHO")."""
    name = gold.reading
    spoken = reply.language.function_words
    content = [word for word in name.words if word not in spoken]
    if len(content) < 2 or not name.capitals[-1]:
        return -1.0
    return float("".join(word[0] for word in content) in reply.known)
