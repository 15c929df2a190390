"""Numbers, measures, money, dates and times of day, compared as values."""

from __future__ import annotations

from collections import namedtuple

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading
from botattack.text.values.typed_value import Likeness, TypedValue, likeness

Values = namedtuple("Values", "kind,whole,agreed,distance,missing,wrong,all,rivals,before,at,rough")
"""Of the value of the gold answer that the reply comes closest to. `kind`: 0 number, 1 date, 2 time of day, 3 measure;
`whole`: the share of the gold answer's words that it has. `agreed`, `distance`, `missing`, `wrong`: see Likeness.
`all`: the mean of `agreed` over the values of its gold answer. `rivals`: other values of the kind in the reply
that disagree and are not the question's, and `before` how many of them come first (-1 if none agrees). `at`:
where it is said, as a share of the reply. `rough`: the reply says "about". All are -1 where the gold answer has
no value; `agreed` is where the reply has none of the kind."""


_NONE = Values(*(-1.0,) * 11)
_KINDS = {"number": 0.0, "date": 1.0, "clock": 2.0}
_OTHER = Likeness(-1.0, 2.0)


def values(key: AnswerKey, reply: Reading, found: Match) -> Values:
    wanted = found.gold.reading
    if not wanted.values:
        return _NONE
    every = [(*_closest(reply.values, gold), gold) for gold in wanted.values]
    like, place, gold = max(every, key=lambda each: _rank(each[0]))
    rivals, before = _rivals(reply.values, gold, place, key.question)
    return Values(
        kind=_KINDS.get(gold.kind, 3.0),
        whole=(gold.last - gold.first + 1) / len(wanted.words),
        agreed=like.level,
        distance=like.distance,
        missing=like.missing,
        wrong=like.wrong,
        all=sum(each.level for each, *_ in every) / len(every),
        rivals=rivals,
        before=before if place and like.level > 0.25 else -1.0,
        at=place.first / len(reply.words) if place else -1.0,
        rough=place.rough if place else -1.0,
    )


def _closest(said: tuple[TypedValue, ...], gold: TypedValue) -> tuple[Likeness, TypedValue | None]:
    compared = [(like, value) for value in said if (like := likeness(value, gold))]
    return max([(_OTHER, None), *compared], key=lambda each: _rank(each[0]))


def _rank(like: Likeness) -> tuple[float, float]:
    return like.level, -like.distance


def _rivals(
    said: tuple[TypedValue, ...], gold: TypedValue, place: TypedValue | None, asked: Reading
) -> tuple[float, float]:
    rivals = [
        value
        for value in said
        if value.kind == gold.kind
        and not (place and place.first <= value.first <= place.last)
        and (like := likeness(value, gold))
        and like.level < 0.5
        and not any((known := likeness(value, one)) and known.level == 1 for one in asked.values)
    ]
    return float(len(rivals)), float(sum(place is not None and value.first < place.first for value in rivals))
