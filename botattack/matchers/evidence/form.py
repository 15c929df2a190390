"""The form of a question and a reply, and what the reply names beside the answer."""

from __future__ import annotations

from collections import namedtuple

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.heads import asked_for
from botattack.matchers.evidence.reading import Reading
from botattack.text.values.identifiers import is_number

Form = namedtuple("Form", "words,commas,novel,precise,from_question,rival_numbers,rival_names,share,asks")
"""Counts of words and commas of the reply. `novel`: content words that are not the question's, and
`precise` the share of them that the gold answer has. `from_question`: share of its words that are the question's.
`rival_*`: numbers and capitalised words that are neither the question's nor the answer's. `share`: words of
the answer for each of the reply."""


Asks = namedtuple("Asks", "who,where,what,which")
"""Which question word the question begins with."""


def form(key: AnswerKey, reply: Reading, found: Match) -> Form:
    functions, question = key.language.function_words, key.question.known
    gold = found.gold.reading.known
    novel = precise = numbers = names = shared = 0
    for word, stem, capital in zip(reply.words, reply.stems, reply.capitals, strict=True):
        if stem in question:
            shared += 1
        elif word not in functions:
            novel += 1
            if stem in gold:
                precise += 1
            elif is_number(word):
                numbers += 1
            elif capital:
                names += 1
    count = len(reply.words)
    return Form(
        words=count,
        commas=reply.text.count(",", reply.spans[0][0], reply.spans[-1][1]) if count else 0,
        novel=novel,
        precise=precise / novel if novel else -1.0,
        from_question=shared / count if count else 0.0,
        rival_numbers=numbers,
        rival_names=names,
        share=len(found.gold.reading.words) / (count or 1),
        asks=len(reply.asks),
    )


def asks(key: AnswerKey, _reply: Reading, _found: Match) -> Asks:
    """What the first words of the question ask for."""
    return Asks._make(map(float, map(asked_for(key.question).__contains__, Asks._fields)))
