"""Numbers in digits and words."""

from __future__ import annotations

from typing import NamedTuple

from botattack.text.folding import folded
from botattack.text.tokens import PlacedWords
from botattack.text.values.vocabulary import Vocabulary

_BETWEEN = frozenset((" ", "-", "", "\u00a0", "\u202f", "\u2009", "\u2011"))
_MINUS, _BEFORE_SIGN = "-\u2212", frozenset(" \n\t\u00a0(:=~<>*")
_GROUPING = frozenset("'\u2019")
_MOST = 12
"""Words of one number."""


class Number(NamedTuple):
    """`end` is the word after it. `digits` is how many digits a whole number without marks has, 0 for any other;
    `step` the worth of its last digit that is not zero, 0 if it is written in words."""

    value: float
    end: int
    digits: int = 0
    step: float = 0.0


class WordCursor(PlacedWords, frozen=True):
    """The words of a text, beside those that values are written with."""

    vocabulary: Vocabulary

    def word(self, at: int) -> str:
        """Nothing, beyond the end."""
        return self.words[at] if 0 <= at < len(self.words) else ""

    def spelt(self, at: int) -> str:
        """The word as it is spelt, where a number word was read as digits: "second"."""
        word = self.word(at)
        return folded(self.raw(at)) if word.isdecimal() and self.raw(at)[0].isalpha() else word

    def plain(self, at: int) -> int:
        """The whole number that a word is in digits; -1 if it is none."""
        word = self.word(at)
        return int(word) if word.isdecimal() and len(word) < 7 and self.raw(at)[0].isdecimal() else -1

    def small(self, at: int) -> float:
        """The number that a single word is, in digits or spelt; 0 if it is none."""
        word = self.word(at)
        return float(word) if word.isdecimal() and len(word) < 7 else 0.0

    def has(self, role: str, at: int) -> bool:
        return self.word(at) in self.vocabulary.roles[role]

    def number(self, at: int) -> Number | None:
        """The number that begins at a word."""
        words, known = self.words, self.vocabulary
        word, raw = words[at], self.raw(at)
        if raw[0].isdecimal():
            raw, end = self._grouped(folded(raw).replace(" ", ""), at + 1)
            value, step = written(raw, comma=known.comma)
            digits = len(word) if raw.isdecimal() and end == at + 1 else 0
            return self._scaled(Number(value, end, digits, step)) if value >= 0 else None
        if word.isdecimal():
            return self._spelt(float(word), at, at + 1)
        if word in known.scales and known.scales[word] >= 12 and len(word) > 2:
            return self._spelt(1.0, at, at)
        return self._part(known.fractions[word], at + 1) if word in known.fractions else None

    def _grouped(self, digits: str, end: int) -> tuple[str, int]:
        """A number with the thousands that follow it after a space ("1 250,5") or an apostrophe; where these end."""
        first = len(digits) <= 3 and digits[0] != "0"
        marks = _GROUPING if not self.vocabulary.spaced else _GROUPING | {" "}
        while digits.isdecimal() and first and end < len(self.words) and self.gap(end) in marks:
            more = folded(self.raw(end))
            whole, _, _ = more.partition("," if self.vocabulary.comma else ".")
            if not (whole.isdecimal() and len(whole) == 3 and len(digits) <= 18):
                break
            digits, end = digits + more, end + 1
        return digits, end

    def _part(self, value: float, at: int) -> Number:
        """ "Half a dozen", "a quarter of a million"."""
        end = at
        while end < at + 2 and (self.has("article", end) or self.has("of", end)):
            end += 1
        if scale := self.vocabulary.scales.get(self.word(end)):
            return Number(value * scale, end + 1)
        return Number(value, at)

    def _scaled(self, number: Number) -> Number:
        """ "3.5 million", "3 1/2", "2 and a half"."""
        value, end, step = number.value, number.end, number.step
        known = self.vocabulary
        while end < len(self.words) and (scale := known.scales.get(self.words[end])) and self.gap(end) in _BETWEEN:
            value, step, end = value * scale, step * scale, end + 1
        end, more = self._and_part(end)
        return number if end == number.end else Number(value + more, end, step=step)

    def _and_part(self, end: int) -> tuple[int, float]:
        """ "And a half", or a sign such as \u00bd: where it ends, and what it is; or where it began, and nothing."""
        part = self.vocabulary.fractions.get(self.word(end), 0.0)
        if part and not self.word(end).isalpha() and self.gap(end) in _BETWEEN:
            return end + 1, part
        if self.has("and", end):
            at = end + 1 + self.has("article", end + 1)
            if part := self.vocabulary.fractions.get(self.word(at), 0.0):
                return at + 1, part
        return end, 0.0

    def _spelt(self, group: float, at: int, end: int) -> Number:
        """A number in words: groups below a thousand, each with its scale."""
        total, scale = 0.0, 0.0
        while end < len(self.words) and end < at + _MOST and (end == at or self.gap(end) in _BETWEEN):
            step = self._joined(end, group, scale)
            word = self.words[end + step]
            if known := self.vocabulary.scales.get(word, 0.0):
                if known >= 1000:
                    total, group = total + (group or 1) * known, 0.0
                else:
                    group = (group or 1) * known
                scale = known
            elif word.isdecimal() and self.raw(end + step).isalpha():
                added = _added(group, float(word), scale, total)
                if added < 0:
                    break
                group, scale = added, 0.0
            elif self.vocabulary.fractions.get(word, 0.5) < 0.5 and not total and 1 < group < 10:
                return Number(group * self.vocabulary.fractions[word], end + 1)
            else:
                break
            end += 1 + step
        end, more = self._and_part(end)
        return Number(total + group + more, end)

    def _joined(self, end: int, group: float, scale: float) -> int:
        """1 where "and" goes on with the number: after a hundred, and in other languages than English after tens."""
        joins = self.has("and", end) and end + 1 < len(self.words) and self.words[end + 1].isdecimal()
        tens = group % 10 == 0 and (group % 100 >= 20 or group >= 100 > group % 100 == 0)
        return int(joins and (scale > 0 or (tens and self.vocabulary.code != "en")))


def _added(group: float, more: float, scale: float, total: float) -> float:
    """A word of a number after others: "twenty" "two", "hundred" "five", "nineteen" "eighty"; -1 if it is another."""
    if group == 0:
        return more if total else -1.0
    if group == 4 and more == 20:
        return 80.0
    if (more < 100 and group >= 100 and group % 100 == 0) or (group % 100 == 10 and 7 <= more <= 9):  # "dix-sept"
        return group + more
    if group % 10 == 0 and 20 <= group % 100 <= 90 and more < (20 if group % 100 in (60, 80) else 10):
        return group + more
    if 10 <= group <= 20 and 10 <= more <= 99 and not total and not scale:
        return group * 100 + more
    return -1.0


def written(digits: str, *, comma: bool) -> tuple[float, float]:
    """A number in digits with marks, and the worth of its last digit that is not zero; -1 where it is none. `comma` is
    whether the language writes one before decimals."""
    if digits.isdecimal():
        if len(digits) > 18:
            return -1.0, 0.0
        return float(digits), 10.0 ** (len(digits) - len(digits.rstrip("0")) if digits.strip("0") else 0)
    mark = max(",", ".", key=digits.rfind)
    other = "." if mark == "," else ","
    head, _, tail = digits.rpartition(mark)
    grouped = len(tail) == 3 and not head.startswith(("0", mark)) and other not in head
    if mark in head or (grouped and len(head) <= 3 and (mark == ",") != comma):
        parts = digits.split(mark)
        inner, last = {len(part) for part in parts[1:-1]}, len(parts[-1])
        if other in digits or last != 3 or inner not in (set(), {3}, {2}) or len(digits) > 24:  # "12,50,000" in India
            return -1.0, 0.0
        return written("".join(parts), comma=comma)
    if len(head) > 18:
        return -1.0, 0.0
    return float(f"{head.replace(other, '')}.{tail}"), 10.0 ** -len(tail)


def negative(text: str, start: int) -> bool:
    """Whether the number that begins at `start` has a sign before it. In "3 -5" and "a-5", this is a dash."""
    before = text[max(0, start - 3) : start]
    if before[-1:] not in _MINUS or not before:
        return False
    return len(before) == 1 or (before[-2] in _BEFORE_SIGN and not before[:-1].strip()[-1:].isdecimal())
