"""Whether a reader takes a question with other letters for the original: its words can be recovered. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal

from botattack.attacks.building.guard import KEPT, Edits, Judgement
from botattack.model import Edit, Question
from botattack.protocols import Attack, Context
from botattack.text.parts.speller import FAR, Doubt, Meant, Speller
from botattack.text.spelling import quick_distance
from botattack.text.tokens import Word, words

PART = "speller"
SHORT = 8
"""Words of a question that is short: of 40 with all their keywords altered readers understood 19."""
ABBREVIATION = 4
"""Letters of an abbreviation at most; longer words of capitals are mostly shouted."""
Judge = Callable[[Edits], Judgement]
_Place = tuple[tuple[str, int], tuple[str, int], dict[tuple[bool, bool], Meant]]
"""The words beside an edit, each with its start, and what was meant there, by whether either was changed, too."""
_WHY: Mapping[Doubt, str] = {
    "far": "{0.after!r} is too far from {0.before!r} to be recovered",
    "other": "{0.after!r} may be another word, and the words next to it do not show that it was {0.before!r}",
}


@dataclass(frozen=True, kw_only=True)
class Recoverable(Attack):
    """What attacks share that write words differently and leave it to the reader to see which were meant."""

    meaning: Literal["recoverable", "paper"] = "recoverable"
    """When the meaning is kept. `recoverable`: a misspelt word is close to the intended word and no abbreviation
    ("IRS"), no other word is likelier between its neighbours, and at most one keyword became another real word, which
    these make clear (in other languages than English only how close it is counts, and that one word alone of a short
    question changed). `paper`: always, as in the paper."""

    def reader_parts(self) -> tuple[str, ...]:
        return (PART,) if self.meaning == "recoverable" else ()

    def judge_of(self, context: Context) -> Judge | None:
        """What judges edits of this question; None if all count as kept."""
        if self.meaning == "paper":
            return None
        question = context.question
        judge = (
            Reader(question, context.parts[PART]).judge
            if question.language == "en"
            else partial(by_letters, question.text)
        )
        return partial(_but_for_abbreviations, judge, question.text)


def _but_for_abbreviations(judge: Judge, text: str, edits: Edits) -> Judgement:
    """What `judge` says of edits, unless one changes a short word of capitals in a text of small letters: nothing but
    its letters says what it means, and others are often another one ("IRS" and "IRA")."""
    short = next((e for e in edits if 1 < len(e.before) <= ABBREVIATION and e.before.isupper()), None)
    if short and not text.isupper():
        return "unsure", f"{short.after!r} may be another abbreviation than {short.before!r}"
    return judge(edits)


def by_letters(text: str, edits: Edits) -> Judgement:
    """What edits of words do to the meaning where no list of words is known: at most a third of the letters of a word
    may change, however long it is three, and one word alone of a short question, whose others do not tell what it
    was. Of a third rounded up, two letters of five could change, and readers took many of these for another word."""
    measure = quick_distance()
    far = next((e for e in edits if measure(e.before.lower(), e.after.lower()) > min(FAR, len(e.before) // 3)), None)
    if far:
        return "unsure", f"{far.after!r} is too far from {far.before!r} to be recovered"
    if len(edits) > 1 and _short(text):
        return "unsure", f"{len(edits)} words of a short question changed"
    return KEPT


def one_alone(question: Question) -> bool:
    """Whether no reader would recover a second word."""
    return question.language != "en" and _short(question.text)


def _short(text: str) -> bool:
    return sum(1 for _ in words(text)) <= SHORT


class Reader:
    """Looks at edits of one question, each of which replaces a word."""

    def __init__(self, question: Question, speller: Speller) -> None:
        self._text = question.text
        self._speller = speller
        self._counts = speller.counts
        self._places: dict[tuple[int, str], _Place] = {}

    @cached_property
    def _words(self) -> Sequence[Word]:
        return [Word(word.text.lower(), word.start) for word in words(self._text)]

    def judge(self, edits: Edits) -> Judgement:
        """What the edits do to the meaning. Of two other words side by side in one question neither tells what the
        other was, so that one at most is recovered."""
        starts: Collection[int] = ()
        if len(edits) > 1:
            starts = {edit.start for edit in edits}
            others = [edit.after for edit in edits if edit.after.lower() in self._counts]
            if len(others) > 1:
                return "unsure", f"{others[0]!r} and {others[1]!r} are other words than were asked"
        for edit in edits:
            if doubt := self._meant(edit, starts).doubt(edit.after.lower()):
                return "unsure", _WHY[doubt].format(edit)
        return KEPT

    def reads_past(self, edit: Edit) -> bool:
        """Whether a reader passes over what a single edit wrote."""
        (before, _), (after, _), _ = self._place(edit)
        return self._speller.reads_past(edit.before.strip().lower(), edit.after.strip().lower(), before, after)

    def _meant(self, edit: Edit, starts: Collection[int]) -> Meant:
        """The word that an edit replaced, beside the words that none did."""
        (before, at), (after, end), meant = self._place(edit)
        changed = at in starts, end in starts
        if changed not in meant:
            beside = "" if changed[0] else before, "" if changed[1] else after
            meant[changed] = Meant(self._speller, edit.before.lower(), *beside)
        return meant[changed]

    def _place(self, edit: Edit) -> _Place:
        """The words before and after, each with its start; "" where there is none or a mark is between."""
        if known := self._places.get((edit.start, edit.before)):
            return known
        start, end = edit.start, edit.start + len(edit.before)
        at = bisect_right(self._words, start, key=lambda word: word.end)
        before = self._words[at - 1] if at else Word("", 0)
        at = bisect_left(self._words, end, key=lambda word: word.start)
        after = self._words[at] if at < len(self._words) else Word("", len(self._text))
        known = self._places[start, edit.before] = (
            ("" if self._text[before.end : start].strip() else before.text, before.start),
            ("" if self._text[end : after.start].strip() else after.text, after.start),
            {},
        )
        return known
