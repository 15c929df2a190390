"""How the sentence that says a gold answer says it: denied, doubted, asked, of somebody else."""

from __future__ import annotations

from typing import NamedTuple

from botattack.matchers.evidence.asked import Asked
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading

_BEFORE = 5


class Stance(NamedTuple):
    """`place`: where the answer begins, as a share of the reply, and `at`, in words; `sentence`: the number of its sentence. All -1 if
    the answer is not said. `negated`: negations in its sentence, `denied`: right before it; `hedged`, `contrast`: such words in its
    sentence; `asked`: the sentence asks. `about`: share of the question's content words said there. `named_before`: capitalised words
    before it; `longer`: it is part of a longer name. `negations`, `hedges`, `contrasts`: in the whole reply."""

    place: float
    at: float
    sentence: float
    negated: float
    denied: float
    hedged: float
    contrast: float
    asked: float
    about: float
    named_before: float
    longer: float
    negations: float
    hedges: float
    contrasts: float


def stance(asked: Asked, reply: Reading, found: Match) -> Stance:
    words, spoken = reply.words, asked.language
    whole = tuple(
        float(sum(word in listed for word in words)) for listed in (spoken.negations, spoken.hedges, spoken.contrasts)
    )
    if found.first < 0:
        return Stance(*(-1.0,) * 11, *whole)
    first, sentence = found.first, reply.sentences[found.first]
    start, end = first, found.last + 1
    while start and reply.sentences[start - 1] == sentence:
        start -= 1
    while end < len(words) and reply.sentences[end] == sentence:
        end += 1
    around = words[start:end]
    content = [
        stem
        for word, stem in zip(asked.question.words, asked.question.stems, strict=True)
        if word not in spoken.function_words
    ]
    here = frozenset(reply.stems[start:end])
    gold = found.gold.reading.known
    return Stance(
        place=first / len(words),
        at=first,
        sentence=sentence,
        negated=sum(word in spoken.negations for word in around),
        denied=sum(word in spoken.negations for word in words[max(start, first - _BEFORE) : first]),
        hedged=sum(word in spoken.hedges for word in around),
        contrast=sum(word in spoken.contrasts for word in around),
        asked=sentence in reply.asks,
        about=sum(stem in here for stem in content) / len(content) if content else -1.0,
        named_before=sum(
            capital and stem not in asked.question.known and stem not in gold and word not in spoken.function_words
            for word, stem, capital in zip(words[:first], reply.stems[:first], reply.capitals[:first], strict=True)
        ),
        longer=_longer(reply, found, asked),
        negations=whole[0],
        hedges=whole[1],
        contrasts=whole[2],
    )


def _longer(reply: Reading, found: Match, asked: Asked) -> float:
    """Whether capitalised words that are neither the question's nor the answer's stand right before or after it."""
    gold = found.gold.reading.known
    beside = [at for at in (found.first - 1, found.last + 1) if 0 <= at < len(reply.words)]
    return sum(
        reply.capitals[at]
        and reply.sentences[at] == reply.sentences[found.first]
        and reply.stems[at] not in gold
        and reply.words[at] not in asked.language.function_words
        for at in beside
    )
