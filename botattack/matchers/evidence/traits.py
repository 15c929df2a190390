"""What a question asks for, the form of a reply, yes and no, and signs that it declines."""

from __future__ import annotations

from collections import Counter, namedtuple

from rapidfuzz import fuzz, process

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
