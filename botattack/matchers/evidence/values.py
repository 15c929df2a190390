"""Numbers, measures, money, dates and times of day, compared as values."""

from __future__ import annotations

from typing import NamedTuple

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading
from botattack.text.values.comparing import Likeness, likeness
from botattack.text.values.typed_value import TypedValue


class Values(NamedTuple):
    """Of the gold value that the reply comes closest to. `kind`: 0 number, 1 date, 2 time of day, 3 measure; `whole`:
    the share of the gold answer's words that it has. `agreed`, `distance`, `missing`, `wrong`: see Likeness.
    `all`: the mean of `agreed` over the values of its gold answer. `rivals`: other values of the kind in the reply
    that disagree and are not the question's, and `before` how many of them come first (-1 if none agrees). `at`:
    where it is said, as a share of the reply. `rough`: the reply says "about". All are -1 where no gold answer has
    a value; `agreed` is where the reply has none of the kind."""

    kind: float
    whole: float
    agreed: float
    distance: float
    missing: float
    wrong: float
    all: float
    rivals: float
    before: float
    at: float
    rough: float


_NONE = Values(*(-1.0,) * 11)
_KINDS = {"number": 0.0, "date": 1.0, "clock": 2.0}
_OTHER = Likeness(-1.0, 2.0)


def values(key: AnswerKey, reply: Reading, found: Match) -> Values:
    del found
    golds = [gold.reading for gold in key.golds if gold.reading.values]
    if not golds:
        return _NONE
    said = reply.values
    best: tuple[Likeness, TypedValue | None] = (Likeness(-2.0, 2.0), None)
    gold, mean, chosen = golds[0].values[0], -1.0, golds[0]
    for reading in golds:
        compared = [_closest(said, value) for value in reading.values]
        nearest = max(range(len(compared)), key=lambda at: (compared[at][0].level, -compared[at][0].distance))
        if (compared[nearest][0].level, -compared[nearest][0].distance) > (best[0].level, -best[0].distance):
            best, gold, chosen = compared[nearest], reading.values[nearest], reading
            mean = sum(like.level for like, _ in compared) / len(compared)
    like, place = best
    rivals, before = _rivals(said, gold, place, key.question.values)
    return Values(
        kind=_KINDS.get(gold.kind, 3.0),
        whole=(gold.last - gold.first + 1) / len(chosen.words),
        agreed=like.level,
        distance=like.distance,
        missing=like.missing,
        wrong=like.wrong,
        all=mean,
        rivals=rivals,
        before=before if place and like.level > 0.25 else -1.0,
        at=place.first / len(reply.words) if place else -1.0,
        rough=place.rough if place else -1.0,
    )


def _closest(said: tuple[TypedValue, ...], gold: TypedValue) -> tuple[Likeness, TypedValue | None]:
    best, place = _OTHER, None
    for value in said:
        like = likeness(value, gold)
        if like and (like.level, -like.distance) > (best.level, -best.distance):
            best, place = like, value
    return best, place


def _rivals(
    said: tuple[TypedValue, ...], gold: TypedValue, place: TypedValue | None, asked: tuple[TypedValue, ...]
) -> tuple[float, float]:
    count = before = 0
    for value in said:
        if value.kind != gold.kind or (place and place.first <= value.first <= place.last):
            continue
        like = likeness(value, gold)
        if like and like.level < 0.5 and not any((known := likeness(value, one)) and known.level == 1 for one in asked):
            count += 1
            before += place is not None and value.first < place.first
    return float(count), float(before)
