"""Gold answers that are sentences, as in a FAQ: what of one answers by itself, and whether a reply contradicts it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, groupby, product
from typing import Literal

import msgspec
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from botattack.matchers.evidence.reading import Reading
from botattack.text.values.identifiers import is_number
from botattack.text.values.typed_value import TypedValue, likeness

_WEEK = 7
_SHORTEST = 4
"""Words that a sentence has at least."""
_NAMES = 2 / 3
"""The share of words with capitals from which a gold answer names something: "The University of Michigan." """
_COPIES = 0.75
"""The share of the words of a gold sentence from which a reply copies it."""
_SPELT = 70
"""Similarity in percent from which one word is another one's other form or spelling."""
_STOPS = (".", "!", "\u06d4", "\u3002")


def is_sentence(gold: Reading) -> bool:
    """Whether a gold answer is one, in languages whose question words are known, or a timetable."""
    ends = gold.text.rstrip().endswith(_STOPS) and bool(gold.language.questions)
    names = sum(gold.capitals) >= _NAMES * len(gold.words)
    return (ends and len(gold.words) >= _SHORTEST and not names) or _is_timetable(gold)


def _is_timetable(gold: Reading) -> bool:
    """Whether a gold answer says from when to when and nothing else of another kind: "Mon-Fri 8-18h". The trees
    reward a timetable of which most values agree and miss the one that differs, so its values are compared one by one,
    as those of a sentence are."""
    hours = any(value.kind == "clock" and value.low != value.high for value in gold.values)
    return hours and all(value.kind in ("clock", "weekday", "number") for value in gold.values)


@lru_cache(maxsize=64)
def asked_for(question: Reading) -> frozenset[str]:
    """What the first words of a question ask for, such as "who"."""
    return frozenset(filter(None, map(question.language.questions.get, question.words[:4])))


def heads(said: Reading, question: Reading) -> Iterator[str]:
    """What of a sentence answers by itself: whom it names, if that is asked, or its yes or no; and its first
    values. For "who" and "where" no value is given: a number in an address is not the answer by itself."""
    text, spoken, values = said.text, said.language, _telling(said, question)
    asked = asked_for(question)
    if "who" in asked:
        yield from _longest_name(said, question)
    elif said.words[0] in spoken.polar:
        yield said.raw(0)
    if values and asked.isdisjoint(("who", "where")):
        last, sentence = values[0].last, said.sentences[values[0].first]
        for value in values:
            between = said.words[last + 1 : value.first]
            if said.sentences[value.first] == sentence and spoken.function_words.issuperset(between):
                last = max(last, value.last)
        start, end = said.span(values[0].first, last)
        yield f"{text[:start].rpartition(' ')[2]}{text[start:end]}{text[end:].partition(' ')[0].rstrip('.,;:!?)')}"


def _longest_name(said: Reading, question: Reading) -> Iterator[str]:
    """The longest run of capitalised words that the question does not have, without the first word of a sentence."""
    begins = {said.sentence(number)[0] for number in said.sentences}
    named = [big and at not in begins and said.stems[at] not in question.known for at, big in enumerate(said.capitals)]
    runs = groupby(range(len(named)), named.__getitem__)
    best = max((list(run) for is_name, run in runs if is_name), key=len, default=[])
    if len(best) > 1:
        yield said.text[slice(*said.span(best[0], best[-1]))]


def answers(gold: Reading, whole: Reading | None, question: Reading, reply: Reading) -> bool:
    """Whether a reply is to be read beside a gold answer, which may be the head of a sentence. Beside a sentence that
    names whom the question asks for, only if it is said word for word; beside yes or no, only if all else in the reply
    is in the sentence or the question, as yes to another question is no answer."""
    spoken = gold.language
    if gold is whole and "who" in asked_for(question) and any(_longest_name(gold, question)):
        return gold.joined_stems in reply.joined_stems
    if whole is None or whole is gold or gold.vocabulary.isdisjoint(spoken.polar):
        return True
    known, plain = whole.known | question.known, spoken.polar | spoken.function_words | spoken.exceptions
    return all(word in plain or stem in known for word, stem in zip(reply.words, reply.stems, strict=True))


def says_another(gold: Reading, question: Reading, reply: Reading) -> bool:
    """Whether a reply has another value in place of one of a gold sentence, or one of both has a price and the other is
    free. Days of the week are another if none is the same, or other days are said from one to another; "every day but
    Sunday" says the others."""
    wanted, said = _telling(gold, question), _telling(reply, question)
    days, others = _days(wanted), _days(said)
    if days and others and not days & others and len(days | others) < _WEEK:
        return True
    ranges = [[value for value in each if value.low != value.high] for each in (wanted, said)]
    spans = [{(value.low, value.high) for value in each if value.kind == "weekday"} for each in ranges]
    if all(spans) and days != others and not set.intersection(*spans):
        return True
    for kind in {value.kind for value in wanted} - {"weekday"}:
        ours = [value for value in wanted if value.kind == kind]
        left = [value for value in ours if not any(agree(each, value) for each in said)]
        other = [each for each in said if each.kind == kind and not any(agree(each, value) for value in wanted)]
        if left and other:
            return True
    return {_price(gold, wanted), _price(reply, said)} == {(True, False), (False, True)}


def replaced(gold: Reading, question: Reading, reply: Reading) -> Literal["", "contrary", "other"]:
    """What a reply is worth no more for that says nearly all words of a gold sentence in the same order: `contrary` if
    one of both denies, `other` if another word stands in the place of one that the reply says nowhere ("a ticket for
    the castle" for "a ticket for the museum"). Empty where it is no such copy, or may be one in other words."""
    steps, spoken = [*Levenshtein.opcodes(gold.stems, reply.stems)], gold.language
    alike = [at for at, step in enumerate(steps) if step.tag == "equal"]
    if sum(steps[at].src_end - steps[at].src_start for at in alike) < _COPIES * len(gold.stems):
        return ""
    plain, denied = spoken.function_words - {*spoken.most, *spoken.least}, 0
    for step in steps[alike[0] : alike[-1]]:
        every = gold.words[step.src_start : step.src_end], reply.words[step.dest_start : step.dest_end]
        if step.tag != "equal" and plain.union(spoken.negations).issuperset(chain(*every)):  # no aside: ", not bus 21,"
            denied += sum(map(spoken.negations.__contains__, chain(*every)))
        lost, new = ({word for word in each if word not in plain and not is_number(word)} for each in every)
        elsewhere = lost & reply.vocabulary or new & (question.vocabulary | gold.vocabulary)
        if lost and new and not elsewhere and max(fuzz.ratio(*pair) for pair in product(lost, new)) < _SPELT:
            return "other"
    return "contrary" if denied % 2 else ""


def _days(values: list[TypedValue]) -> set[int]:
    """The days of the week that are said, those between two of them as well."""
    spans = [(int(value.low), int(value.high)) for value in values if value.kind == "weekday"]
    return {(low + more - 1) % _WEEK + 1 for low, high in spans for more in range((high - low) % _WEEK + 1)}


def _price(text: Reading, values: list[TypedValue]) -> tuple[bool, bool]:
    """Whether a text says an amount of money, and whether it says that something is free."""
    return any(value.kind.startswith("money") for value in values), not text.language.free.isdisjoint(text.words)


def in_its_words(gold: Reading, reply: Reading) -> Reading:
    """A reply with the words of the gold answer for values that are the same in another notation."""
    ours, order, stems = dict[int, tuple[int, tuple[str, ...]]](), list[int](), list[str]()
    for value in gold.values:
        same = (other for other in reply.values if agree(other, value, 1.0))
        ours |= {other.first: (other.last, gold.stems[value.first : value.last + 1]) for other in same}
    if not ours:
        return reply
    for at in range(len(reply.words)):
        if not order or at > order[-1]:
            last, words = ours.get(at, (at, reply.stems[at : at + 1]))
            room = max(last - at + 1, len(words))
            order += [min(at + more, last) for more in range(room)]
            stems += [*words, *words[-1:] * (room - len(words))]
    parts = ("words", "spans", "capitals", "sentences")
    again = {part: tuple(map(getattr(reply, part).__getitem__, order)) for part in parts}
    return msgspec.structs.replace(reply, stems=tuple(stems), **again)


def _telling(said: Reading, question: Reading) -> list[TypedValue]:
    """The values of a text that the question does not say, without the ends of ranges, without 1, as an article may be
    that, and without what says too little to be equal to itself: a range from one month to another."""
    known = [value for value in said.values if agree(value, value) and not (value.kind == "number" and value.low == 1)]
    return [
        value
        for value in known
        if not any(agree(other, value, 1.0) for other in question.values)
        and not any(each.first <= value.first and value.last <= each.last for each in known if each is not value)
    ]


def agree(said: TypedValue, gold: TypedValue, least: float = 0.5) -> bool:
    """Whether one value is the other, or less exact; of two ranges, neither may be wider."""
    found, ranges = likeness(said, gold), said.low < said.high and gold.low < gold.high
    return found is not None and found.level >= (1.0 if ranges else least)
