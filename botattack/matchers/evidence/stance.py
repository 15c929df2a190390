"""How the sentences that say a gold answer say it: denied, doubted, asked, of somebody else."""

from __future__ import annotations

from collections import namedtuple

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading
from botattack.text.values.identifiers import is_number

_NEAR = 4
"""Words before and after an answer in which a word bears on it."""
_STOPS = frozenset(",;:()\u2013\u2014\u060c")
_MENTIONS = 8
"""Places of the answer that are looked at."""


Stance = namedtuple(
    "Stance",
    "place,at,mentions,denied,denied_after,either,condition,attributed,asked,hedged,stands,free,last_free,"
    "contrast,negated,about,before,bare,subject,longer,turned,personal,negations,hedges",
)
"""How the answer is said. All but the last two are -1 if nothing of it is said.

`place`: where it begins, as a share of the reply; `at`: the same in words; `mentions`: how often it is said. Shares
of the mentions: `denied` before, `denied_after`, beside an "or" (`either`), after a `condition` such as "if",
`attributed` to somebody, only `asked`, `hedged`. A mention is free if it is none of these, hedged aside: `free`
counts them, `last_free` says whether the last one is, and `stands` how much of the answer is said then.

In the sentence of the first mention: `contrast` and `negated` count such words; `about` is the share of what the
question asks about that is said there, and `before` the share that is said before the answer; `bare` the share of
words that are the question's, the answer's or carry no content; `subject`: its first content word is the
question's (1), another (0) or the answer's (-1); `personal`: words for the speaker and the one spoken to.
`longer`: it is part of a longer name. `turned`: names and numbers after the next contrast. `negations`, `hedges`:
in the whole reply.
"""


def stance(key: AnswerKey, reply: Reading, found: Match) -> Stance:
    words, stems, spoken = reply.words, reply.stems, key.language
    whole = [_count(words, listed) for listed in (spoken.negations, spoken.hedges)]
    if found.first < 0:
        return Stance(*(-1.0,) * (len(Stance._fields) - 2), *whole)
    gold, functions, question = found.gold.reading.known, spoken.function_words, key.question.known
    first = found.first
    start, end = reply.sentence(reply.sentences[first])
    content, said = key.content - gold, words[start:end]
    places = _places(reply, found)
    seen = [_mention(key, reply, at, gold) for at in places]
    free = [not any(each[:6]) for each in seen]
    telling = [stem for word, stem in zip(said, stems[start:end], strict=True) if word not in functions]
    line = (
        first / len(words),
        first,
        len(places),
        *(sum(flags) / len(flags) for flags in zip(*seen, strict=True)),
        found.alike if free[-1] else 0.0,
        sum(free),
        free[-1],
        _count(said, spoken.contrasts),
        _count(said, spoken.negations),
        len(content.intersection(stems[start:end])) / len(content) if content else -1.0,
        len(content.intersection(stems[start:first])) / len(content) if content else -1.0,
        1 - sum([stem not in gold and stem not in question for stem in telling]) / len(said),
        -1.0 if not telling or telling[0] in gold else float(telling[0] in question),
        _longer(reply, found, key),
        _turned(key, reply, places[-1], gold),
        _count(said, spoken.persons),
        *whole,
    )
    return Stance._make(line)


def _count(words: tuple[str, ...], listed: frozenset[str]) -> int:
    return sum(map(listed.__contains__, words))


def _places(reply: Reading, found: Match) -> list[int]:
    """Where the weightiest word of the answer that is said stands: all that is new beside the question, if any is."""
    gold = found.gold
    among = [at for at in gold.fresh if gold.reading.stems[at] in reply.known] or range(len(gold.weights))
    spoken = [at for at in among if gold.reading.stems[at] in reply.known]
    key = gold.reading.stems[max(spoken, key=gold.weights.__getitem__)]
    places = [at for at, stem in enumerate(reply.stems) if stem == key]
    return places if len(places) <= _MENTIONS else [*places[: _MENTIONS - 1], places[-1]]


def _mention(key: AnswerKey, reply: Reading, at: int, gold: frozenset[str]) -> tuple[bool, ...]:
    """What bears on the answer where it is said. Words of the question do not: they may be a title's."""
    spoken, sentence = key.language, reply.sentences[at]
    start, end = reply.sentence(sentence)
    first = last = at
    while first > start and reply.stems[first - 1] in gold:
        first -= 1
    while last + 1 < end and reply.stems[last + 1] in gold:
        last += 1
    words, own = reply.words, key.question.vocabulary
    return (
        _beside(key, reply, range(first - 1, start - 1, -1), spoken.negations | spoken.exceptions),
        _beside(key, reply, range(last + 1, end), spoken.negations - spoken.exceptions),
        _has_or(key, reply, max(start, first - _NEAR), first)
        or _has_or(key, reply, last + 1, min(end, last + 1 + _NEAR)),
        not (spoken.conditions - own).isdisjoint(words[start:first]),
        any(start <= place < end for place in reply.places("attributions")),
        sentence in reply.asks,
        not (spoken.hedges - own).isdisjoint(words[start:end]),
    )


def _beside(key: AnswerKey, reply: Reading, places: range, wanted: frozenset[str]) -> bool:
    """Whether one of the words wanted stands beside the answer, with no other between them than words of no content or
    of the question, and no stop. The question's own words do not count."""
    for at in places[: 2 * _NEAR]:
        word = reply.words[at]
        if not _STOPS.isdisjoint(reply.gap(at + 1 if places.step < 0 else at)):
            return False
        if word in wanted:
            return word not in key.question.vocabulary
        if word not in key.language.function_words and reply.stems[at] not in key.question.known:
            return False
    return False


def _has_or(key: AnswerKey, reply: Reading, start: int, end: int) -> bool:
    """Whether words offer an alternative outside of brackets."""
    if key.language.alternatives.isdisjoint(reply.words[start:end]):
        return False
    text = reply.text[reply.spans[max(0, start - 1)][1] : reply.spans[end - 1][1]]
    return "(" not in text and ")" not in text


def _longer(reply: Reading, found: Match, key: AnswerKey) -> int:
    """How many capitalised words that are not the answer's stand right before or after it."""
    gold = found.gold.reading.known
    beside = [at for at in (found.first - 1, found.last + 1) if 0 <= at < len(reply.words)]
    return sum(
        reply.capitals[at]
        and reply.sentences[at] == reply.sentences[found.first]
        and reply.stems[at] not in gold
        and reply.words[at] not in key.language.function_words
        for at in beside
    )


def _turned(key: AnswerKey, reply: Reading, last: int, gold: frozenset[str]) -> int:
    """Names and numbers that are neither the question's nor the answer's, after a contrast that follows the answer; -1
    if none does."""
    turn = next((at for at in range(last + 1, len(reply.words)) if reply.words[at] in key.language.contrasts), -1)
    if turn < 0:
        return turn
    return sum(
        (reply.capitals[at] or is_number(reply.words[at]))
        and reply.stems[at] not in gold
        and reply.stems[at] not in key.question.known
        for at in range(turn + 1, len(reply.words))
    )
