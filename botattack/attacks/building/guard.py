"""What every variant must keep: it differs, tears no character, leaves the answer's words alone. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from random import Random

import msgspec

from botattack.attacks.building.choosing import Take
from botattack.attacks.building.combinations import Edited, Slot
from botattack.model import Edit, Expect, GoldAnswer, Meaning, Question, Variant, edited_text
from botattack.text.clusters import boundaries, clusters
from botattack.text.spelling import LONG, measure_of, text_distance
from botattack.text.tokens import normalised

BATCH = 64
"""Variants yielded at once; four times as many cost a fifth more each, for they leave the processor's cache."""

DRAWN = 8
"""Variants drawn for each that is wanted, where some may not be asked, as their meaning is not as claimed."""

Edits = tuple[Edit, ...]
Span = tuple[int, int]
Form = Callable[[str], str]
Judgement = tuple[Meaning, str]
"""What edits do to the meaning, and why if it is not kept."""
KEPT: Judgement = ("kept", "")


class Draft(msgspec.Struct, frozen=True, gc=False):
    """Edits of the question that may become a variant, with what they do to the meaning; `far` is their distance, where
    it is known."""

    edits: Edits
    judgement: Judgement = KEPT
    far: int = 0


def emit(
    question: Question,
    found: Iterable[Edited],
    attack: str,
    expect: Expect = "same",
    judge: Callable[[Edits], Judgement] | None = None,
) -> Iterator[Variant]:
    """A variant for each edited text; they are known to differ."""
    for text, edits, far in found:
        meaning, why = judge(edits) if judge else KEPT
        yield Variant(question.worded(text), attack, edits, expect, far, meaning, why)


def guarded(
    question: Question,
    drafts: Iterable[Draft],
    *,
    attack: str,
    expect: Expect = "same",
    form: Form = normalised,
    spare: bool = True,
) -> Iterator[Variant]:
    """The variants of drafts that pass, in their order.

    Left out is what equals the original or an earlier one in `form`, cuts a character (grapheme cluster) in two, or,
    unless told not to `spare` them, touches words of a gold answer.
    """
    original = question.text
    spans = answer_spans(original, question.golds) if spare else ()
    plain, measure = original.isascii(), measure_of(original)
    seen: set[str] = {form(original)}
    for draft in drafts:
        edits, (meaning, why) = draft.edits, draft.judgement
        text = edited_text(original, edits)
        key = form(text)
        if key in seen or (spans and any(_touches(edit, spans) for edit in edits)):
            continue
        if (plain and text.isascii()) or whole(original, edits):
            seen.add(key)
            # What edits leave alone before and behind them adds nothing to the distance. Of long texts, whose distance
            # is no exact one, that of several is their sum.
            in_parts = len(edits) == 1 or len(original) > LONG
            far = draft.far or (
                sum(measure(edit.before, edit.after) for edit in edits) if in_parts else text_distance(original, text)
            )
            yield Variant(question.worded(text), attack, edits, expect, far, meaning, why)


def take(variants: Sequence[Variant], most: int, how: Take, rng: Random) -> list[Variant]:
    """At most `most` of them, those whose meaning is as claimed first: a uniform draw, or the nearest with ties broken
    by chance."""
    drawn = rng.sample(variants, len(variants))
    return claimed_first(drawn if how == "sample" else sorted(drawn, key=lambda variant: variant.distance), most)


def claimed_first(variants: Iterable[Variant], most: int) -> list[Variant]:
    """At most `most` of variants in their order: those whose meaning is as claimed, which are asked, then others. Looks
    at no more of them than it needs."""
    claimed: list[Variant] = []
    others: list[Variant] = []
    for variant in variants:
        (claimed if variant.meaning_as_claimed else others).append(variant)
        if len(claimed) == most:
            break
    return [*claimed, *others][:most]


def batches(variants: Iterable[Variant]) -> Iterator[list[Variant]]:
    variants = iter(variants)
    while batch := list(islice(variants, BATCH)):
        yield batch


def safe(question: Question, slots: Iterable[Slot]) -> list[Slot]:
    """Slots of the question without what would touch an answer's words or tear a character; empty ones left out."""
    text, spans = question.text, answer_spans(question.text, question.golds)
    plain = text.isascii()
    found = []
    for slot in slots:
        options = [option for option in slot if not overlaps(option.start, option.end, spans)] if spans else slot
        if not plain or any(not option.after.isascii() for option in options):
            options = [option for option in options if whole(text, option.edits)]
        if options:
            found.append(options)
    return found


@lru_cache(512)
def answer_spans(text: str, answers: tuple[GoldAnswer, ...]) -> tuple[Span, ...]:
    """Where whole words of gold answers stand in a text; answers that are regular expressions are not looked for."""
    folded = text.casefold()
    literal = [answer.text for answer in answers if not answer.regex and answer.text.strip()]
    present = [answer for answer in literal if answer.casefold() in folded]
    return tuple(
        match.span()
        for answer in present
        for match in re.finditer(rf"(?<!\w){re.escape(answer)}(?!\w)", text, re.IGNORECASE)
    )


def whole(text: str, edits: Edits) -> bool:
    """Whether every character a reader sees outside of edits is the same one afterwards."""
    cuts = _cuts(text)
    for edit in edits:
        start, end = edit.start, edit.start + len(edit.before)
        first, last = bisect_left(cuts, start), bisect_left(cuts, end)
        if [*cuts[first : first + 1], *cuts[last : last + 1]] != [start, end]:
            return False
        before = text[cuts[first - 1] : start] if first else ""
        after = text[end : cuts[last + 1]] if last + 1 < len(cuts) else ""
        pieces = clusters(before + edit.after + after)
        if (before and pieces[0] != before) or (after and pieces[-1] != after):
            return False
    return True


@lru_cache(64)
def _cuts(text: str) -> list[int]:
    return sorted(boundaries(text))


def _touches(edit: Edit, spans: Sequence[Span]) -> bool:
    """Whether an edit changes words of an answer; to move them, or to write beside them, changes none."""
    for start, end in spans:
        if edit.start < end and start < edit.start + len(edit.before):
            inside = edit.before[max(start - edit.start, 0) : end - edit.start]
            if len(inside) < end - start or inside not in edit.after:
                return True
        elif start < edit.start < end:
            return True
    return False


def overlaps(start: int, end: int, spans: Sequence[Span]) -> bool:
    """Whether a span covers a character of another, or stands inside it."""
    return any((start < stop and begin < end) or begin < start < stop for begin, stop in spans)
