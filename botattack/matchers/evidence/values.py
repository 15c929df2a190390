"""Numbers, measures, money, dates and times of day, compared as values, and as bounds ("up to 12 kg", "20 or more")."""

from __future__ import annotations

import re
from collections import namedtuple
from itertools import product

from botattack.matchers.evidence.answer_key import AnswerKey, Gold
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.heads import agree, says_another
from botattack.matchers.evidence.reading import Reading, measuring
from botattack.text.values.identifiers import code_in, is_in_code, is_number
from botattack.text.values.typed_value import Likeness, TypedValue, is_open, likeness
from botattack.text.values.vocabulary import vocabulary

_NEAR = 5
"""Words between a number and what makes a bound of it."""
_BEFORE_TIME = 4
"""Words from a value up to the time that it is for."""
_DOTTED = re.compile(r"\d+(?:\.\d+)+")


def contradicts(key: AnswerKey, reply: Reading) -> bool:
    """Whether a reply says a number of the gold answer, but as a least for a most or the reverse, another version that
    is only the same number (7.3 for 7.30), another code, a value within a code, or another value than that of
    a gold sentence, or the same for another time (a day for a week); or has its no only in words that decline: "No lo
    sé"."""
    gold, whole = key.golds[0].reading, key.golds[0].whole
    has_another = code_in(gold.text.strip(), reply.text) == "" or (whole and says_another(whole, key.question, reply))
    spoken, shared = gold.language, gold.vocabulary & reply.vocabulary
    nays = {at for at, word in enumerate(reply.words) if word in shared & spoken.polar}
    plain = shared <= spoken.polar | spoken.function_words and key.content.isdisjoint(reply.stems)
    declined = nays and plain and spoken.grants.isdisjoint(reply.words) and nays.issubset(reply.places("declines"))
    opposed = any(bounds(reply).get(each) == {-way} for each, ways in bounds(gold).items() for way in ways)
    versions = set(_DOTTED.findall(gold.text))
    named = any(each.language.versions & each.vocabulary for each in (key.question, gold, reply))
    another = versions and named and versions.isdisjoint(_DOTTED.findall(reply.text))
    timed = _is_for_another_time(whole or gold, reply)
    return bool(has_another or declined or opposed or another or timed or _is_within_codes(key.golds[0], reply))


def _is_for_another_time(gold: Reading, reply: Reading) -> bool:
    """Whether a reply says a value of the gold answer, but for another time alone: "£5 a week" for "£5 a day"."""
    times = {value: time for value in gold.values if (time := _time_of(gold, value))}
    said = {value: [_time_of(reply, one) for one in reply.values if agree(one, value)] for value in times}
    return any(every and all(each not in (0, times[value]) for each in every) for value, every in said.items())


def _time_of(text: Reading, value: TypedValue) -> float:
    """The seconds of the time that a value is for, which stands one to three words behind it: "£5 a day", "9,90 € al
    mes", "3 parcels per week"; 0 if none does."""
    known = vocabulary(text.language.code).units
    for at in range(value.last + 1, min(value.last + _BEFORE_TIME, len(text.words))):
        if is_number(text.words[at]) or text.gap(at).strip(" /"):
            break
        units = (unit for name, those in known.get(text.words[at], ()) if len(name) == 1 for unit in those)
        if time := next((unit.factor for unit in units if unit.dimension == "duration"), 0.0):
            return time
    return 0.0


def is_another_day_perhaps(key: AnswerKey, reply: Reading) -> bool:
    """Whether the only date of a reply that is the gold answer's is in figures that may be another day."""
    said, wanted = ([value for value in text.values if value.kind == "date"] for text in (reply, key.golds[0].reading))
    agreed = [is_open(*pair) for pair in product(said, wanted) if (like := likeness(*pair)) and like.level >= 0.5]
    return bool(agreed) and all(agreed)


def _is_within_codes(gold: Gold, reply: Reading) -> bool:
    """Whether a value is said within codes alone: "Error E7" for 7. Of "Boeing 747", B747 may be the right one."""
    own, known = gold.reading, measuring(reply.language)
    words = {own.words[at] for at in gold.fresh}
    said = [at for at, word in enumerate(reply.words) if word in words and is_number(word)]
    if not said or not all(is_in_code(reply.text, reply.spans[at], known) for at in said):
        return False
    valued = {at for value in own.values for at in range(value.first, value.last + 1)}
    functions = own.language.function_words
    return all(at in valued or own.words[at] in functions for at in gold.fresh) and not any(
        is_in_code(own.text, span, known) for span in own.spans
    )


def bounds(reading: Reading) -> dict[str, set[int]]:
    """The numbers that are bounds, each with 1 for a most and -1 for a least."""
    spoken, found = reading.language, dict[str, set[int]]()
    for role, way in (("most", 1), ("least", -1)):
        for at in reading.places(role):
            near = [
                (abs(number - at), number)
                for number in range(max(0, at - _NEAR), min(len(reading.words), at + _NEAR))
                if is_number(reading.words[number]) and reading.sentences[number] == reading.sentences[at]
            ]
            if near:
                turned = at > 0 and reading.words[at - 1] in spoken.negations
                found.setdefault(reading.words[min(near)[1]], set()).add(-way if turned else way)
    return found


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
