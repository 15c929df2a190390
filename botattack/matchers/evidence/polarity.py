"""Yes and no: what the gold answers say, and what the reply says or lets follow."""

from __future__ import annotations

from collections import Counter, namedtuple

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading

_OPENING = 8
"""Words within which a reply that begins with yes or no does so."""


Polarity = namedtuple("Polarity", "expected,agrees,implies,grants,stated,opens")
"""`expected`: whether the gold answer begins with yes (1) or no (-1); all others are 0 if it does not. What speaks for
it is above 0, what speaks against it below: `agrees`: the reply begins with yes or no; `implies`: the sentence
that says most of the question is affirmed or denied, by negations and words that forbid; `grants`: words that
grant less words that forbid, in the whole reply. `stated`: share of what the question asks about that this
sentence says. `opens`: the reply begins with yes (1) or no (-1), whatever is expected."""


def polarity(key: AnswerKey, reply: Reading, found: Match) -> Polarity:
    spoken, first = key.language, found.gold.reading.words[0]
    expected = (first in spoken.yes) - (first in spoken.no)
    opens = _opening(key, reply)
    if not expected or not reply.words:
        return Polarity(expected, 0.0, 0.0, 0.0, 0.0, opens)
    turned = -1 if key.question.vocabulary & (spoken.negations | spoken.forbids) else 1
    start, end = _telling(key, reply)
    said = reply.words[start:end]
    denies = not spoken.negations.isdisjoint(said if start else said[1:])
    forbids = not spoken.forbids.isdisjoint(said)
    regrets = not (denies or forbids or spoken.regrets.isdisjoint(said))
    granting = sum([(word in spoken.grants) - (word in spoken.forbids) for word in reply.words])
    return Polarity(
        expected,
        agrees=expected * opens,
        implies=expected * turned * (-1 if denies != forbids or regrets else 1),
        grants=expected * turned * granting,
        stated=len(key.content.intersection(reply.stems[start:end])) / (len(key.content) or 1),
        opens=opens,
    )


def _opening(key: AnswerKey, reply: Reading) -> int:
    """Whether a reply begins with yes (1) or no (-1), fillers and words of no content aside."""
    spoken = key.language
    for at, word in enumerate(reply.words[:_OPENING]):
        if at in reply.places("declines"):
            break
        if word in spoken.denying:
            return 1 if word in spoken.yes else -1
        if word not in spoken.fillers and word not in spoken.function_words:
            break
    return 0


def _telling(key: AnswerKey, reply: Reading) -> tuple[int, int]:
    """The words of the sentence that says most of what the question asks about; of the first one if none says any."""
    said = zip(reply.stems, reply.sentences, strict=True)
    counted = Counter([sentence for stem, sentence in said if stem in key.content])
    return reply.sentence(max(counted, key=counted.__getitem__, default=reply.sentences[0]))
