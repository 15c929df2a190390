"""Signs that a reply declines: it does not know, did not understand, may not say, sends the asker elsewhere."""

from __future__ import annotations

from collections import namedtuple

from rapidfuzz import fuzz, process

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading

_LONGER = 1.5
"""A reply longer than the longest known refusal by this factor is none of them."""


Declining = namedtuple("Declining", "declines,place,rest,persons,asks_back,known,within")
"""`declines`: how many such phrases the reply has. `place`: where the first one is, or one that sends the asker
elsewhere, in words; -1: nowhere. `rest`: content words beside the question's in sentences without one. `persons`:
share of the words that are the speaker or the one spoken to. `asks_back`: it ends with a question. `known`:
similarity to one of the bot's known refusals, and `within`: how many of these it contains; -1 if none are known."""


def declining(key: AnswerKey, reply: Reading, _found: Match | None = None) -> Declining:
    """What needs no gold answer; `found` is not looked at."""
    spoken, words, asked = key.language, reply.words, key.question.known
    functions, hedges = spoken.function_words, spoken.hedges
    if not words:
        return Declining(0, -1, 0, 0, 0, -1, -1)
    declines = reply.places("declines")
    places = declines + reply.places("redirects")
    silent = {reply.sentences[place] for place in places} | reply.asks
    said = zip(words, reply.stems, reply.sentences, strict=True)
    telling = [
        sentence for word, stem, sentence in said if word not in functions and word not in hedges and stem not in asked
    ]
    return Declining(
        len(declines),
        min(places, default=-1),
        sum([sentence not in silent for sentence in telling]),
        sum(map(spoken.persons.__contains__, words)) / len(words),
        reply.sentences[-1] in reply.asks,
        *_known(key.refusals, reply),
    )


def _known(refusals: tuple[str, ...], reply: Reading) -> tuple[float, float]:
    if not refusals:
        return -1.0, -1.0
    is_longer = len(reply.joined) > _LONGER * max(map(len, refusals))
    alike = 0.0 if is_longer else process.extractOne(reply.joined, refusals, scorer=fuzz.ratio)[1] / 100
    return alike, float(sum(each in reply.joined for each in refusals))
