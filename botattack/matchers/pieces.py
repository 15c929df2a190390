"""Two replies of one bot side by side: which of their pieces both say, and whether the rest is only greetings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import msgspec
from rapidfuzz import fuzz

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.reading import Reading
from botattack.text.languages import Language
from botattack.text.values.identifiers import is_number

_JOINS = re.compile(r"[ '\"\u2018\u2019\u201c\u201d()\[\]*_&/%$\u20ac\u00a3\u00a5@#+.-]*")
"""What may be between two words of one piece; a comma, a dash, an emoji or the end of a line may not."""
_CLEAR = 4
"""Words from which a piece is known within a longer one."""
_MOST = 200
"""Pieces of a reply beyond which it is another one: a greeting is not so long, and each is compared with each."""
_ALIKE = 50
"""Similarity in percent of the words of two pieces, from which one takes the place of the other."""
Around = Literal["same", "changed", "unclear"]


class Piece(msgspec.Struct, frozen=True):
    """Words between two pauses. `weight` counts those that are neither function words nor greetings; `tells`: one of
    them is a number, a word of the question, or a bare yes or no; `negates`: one of them denies."""

    words: tuple[str, ...]
    weight: int
    tells: bool
    negates: bool


@lru_cache(maxsize=8)
def ordinary(spoken: Language) -> frozenset[str]:
    """Words that name nothing and answer nothing: function words, and those of greetings."""
    lists = (spoken.function_words, spoken.courtesies, spoken.fillers, spoken.contrasts, spoken.persons)
    return frozenset().union(*lists, spoken.denying)


def pieces(said: Reading, context: AnswerKey) -> tuple[Piece, ...]:
    """The pieces of a reply, in order."""
    cuts = [0, *(at for at in range(1, len(said.words)) if _pause(said, at)), len(said.words)]
    return tuple([_piece(said, start, end, context) for start, end in pairwise(cuts) if end > start])


def _pause(said: Reading, at: int) -> bool:
    return said.sentences[at] != said.sentences[at - 1] or " - " in said.gap(at) or not _JOINS.fullmatch(said.gap(at))


def _piece(said: Reading, start: int, end: int, context: AnswerKey) -> Piece:
    words, stems, spoken = said.words[start:end], said.stems[start:end], said.language
    content = [at for at, word in enumerate(words) if word not in ordinary(spoken)]
    polar = len(words) == 1 and words[0] in spoken.polar
    counts = (words[at] != "1" and is_number(words[at]) for at in content)  # "one" is as often no number
    tells = polar or any(counts) or any(stems[at] in context.content for at in content)
    return Piece(words, len(content) + polar, tells, not spoken.negations.isdisjoint(words))


def common(context: AnswerKey, own: Sequence[Reading]) -> list[Piece]:
    """The pieces that all of the bot's own replies say."""
    first, *others = (pieces(each, context) for each in own)
    return [piece for piece in first if all(_within(piece, other) for other in others)]


def around(context: AnswerKey, reply: Reading, own: Sequence[Reading]) -> Around:
    """What a reply says beside all of the bot's own replies to the same question.

    What it lost is what all own replies say and it does not; what is new, what it says and none of them does. If the
    bot's own replies already differ from each other, anything new may be a greeting, and what counts is whether it lost
    what they have in common. With one own reply, what both say is the answer if the rest is around it; else numbers and
    words of the question tell an answer from a greeting, and if they do not, what weighs more.
    """
    said, *others = (pieces(each, context) for each in (reply, *own))
    if len(said) > _MOST:
        return "changed"
    stable = common(context, own)
    shared = [piece for piece in stable if _within(piece, said)]
    lost = [piece for piece in stable if piece not in shared]
    new = [piece for piece in said if not any(_within(piece, other) for other in others)]
    varies = any(each.words != own[0].words for each in own[1:])
    if not shared or (len(own) > 1 and not varies) or _replaced(stable, lost, said, new):
        return "changed"
    if varies:
        return _beside_varying(shared, lost)
    if _sum(shared) > 1 and (_framed(stable, lost) or _framed(said, new)):
        return "same"
    return _beside_one(shared, lost, new)


def _beside_varying(shared: Sequence[Piece], lost: Sequence[Piece]) -> Around:
    """Where the bot's own replies differ, what they have in common must be there."""
    if lost and _sum(shared) <= _sum(lost):
        return "changed"
    return ("unclear" if _tells(shared) else "changed") if _tells(lost) else "same"


def _beside_one(shared: Sequence[Piece], lost: Sequence[Piece], new: Sequence[Piece]) -> Around:
    """With one reply of the bot's own: what tells more, and what weighs more."""
    kept, most = _sum(shared), max(_sum(lost), _sum(new))
    if _tells(lost) and _tells(new):
        return "unclear" if kept > most else "changed"
    if _tells(shared) or kept >= most:
        return "same"
    return "unclear" if 2 * kept >= most else "changed"


def _replaced(stable: Sequence[Piece], lost: Sequence[Piece], said: Sequence[Piece], new: Sequence[Piece]) -> bool:
    """Whether a piece that is like a lost one is in its place: greetings that take turns have nothing in common."""
    was, now = _places(stable, lost), _places(said, new)
    return any(
        place == other and fuzz.ratio(one.words, two.words) >= _ALIKE for one, place in was for two, other in now
    )


def _framed(every: Sequence[Piece], apart: Sequence[Piece]) -> bool:
    """Whether the others stand together, between pieces that are apart."""
    return {place for _, place in _places(every, apart)} == {0, len(every) - len(apart)}


def _places(every: Sequence[Piece], apart: Sequence[Piece]) -> list[tuple[Piece, int]]:
    """Pieces, each with how many of the others come before it."""
    return [(piece, sum(each not in apart for each in every[:at])) for at, piece in enumerate(every) if piece in apart]


def _within(piece: Piece, other: Sequence[Piece]) -> bool:
    """Whether other pieces say it: one is the same, or one of them contains the other."""
    return any(
        piece.words == each.words
        or (piece.negates == each.negates and _contains(*sorted((piece.words, each.words), key=len)))
        for each in other
    )


def _contains(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    return len(short) >= _CLEAR and f" {' '.join(short)} " in f" {' '.join(long)} "


def _tells(found: Sequence[Piece]) -> bool:
    return any(piece.tells for piece in found)


def _sum(found: Sequence[Piece]) -> int:
    return sum(piece.weight for piece in found)
