"""Matchers that compare letters: exact, contains, regex, token F1, fuzzy, list.

All of them match any one gold answer, in normal form (`botattack.text.normalise`), and a gold answer that is a regular
expression as one. They compare letters and nothing else: "it is not Paris" contains Paris.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import ClassVar

from rapidfuzz import fuzz

from botattack.matchers.gold import LONGEST_PATTERN_TIME, Literal, compiled, golds, search
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.options import Share
from botattack.protocols import Matcher
from botattack.text.languages import language, stem
from botattack.text.normalise import Normal, normalise
from botattack.text.values.identifiers import glued_codes, is_number
from botattack.text.wordlist import Vocabulary, WordList

_LONGEST_FIXED = 4
"""Letters up to which a word must be spelt as it is."""
_CUT = re.compile(r"\s*(?:[,;]\s*(?:and\b|or\b|&)?|\band\b|\bor\b|&|\+)\s*", re.I)
_NOT_FOUND = "no gold answer was found"
_Hit = tuple[float, str, tuple[int, int] | None]


@dataclass(frozen=True)
class Lexical(Matcher):
    """What all of them share: gold patterns first, then the matcher's own way with literal answers."""

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        """Correct or wrong; unsure where there is no gold answer, or a pattern ran out of time."""
        normal, (literals, patterns) = normalise(reply.text), golds(gold)
        score, why, span = self._compare(normal, literals) if literals else (0.0, "", None)
        if span is not None:
            return Verdict("correct", score, self.name, why, span)
        if patterns:
            return _by_pattern(self.name, normal, patterns)
        if not literals:
            return Verdict("unsure", 0.0, self.name, "there is no gold answer to compare with")
        return Verdict("wrong", score, self.name, why or _not_found(normal))

    @abstractmethod
    def _compare(self, normal: Normal, answers: tuple[Literal, ...]) -> _Hit:
        """The best hit among literal gold answers."""


def _by_pattern(name: str, normal: Normal, patterns: tuple[str, ...]) -> Verdict:
    try:
        for pattern in patterns:
            if (found := search(pattern, normal.raw)) and found.group():
                return Verdict("correct", 1.0, name, f"the pattern {pattern!r} matches", found.span())
    except TimeoutError:
        return Verdict("unsure", 0.0, name, f"a gold pattern took longer than {LONGEST_PATTERN_TIME} s")
    return Verdict("wrong", 0.0, name, _not_found(normal))


@dataclass(frozen=True)
class Exact(Lexical):
    """The whole reply is a gold answer."""

    name: ClassVar[str] = "exact"
    cost: ClassVar[int] = 1

    def _compare(self, normal: Normal, answers: tuple[Literal, ...]) -> _Hit:
        if normal.text == " ":
            bare = normal.raw.strip(" \t\r\n.!?\"'").casefold()
            same = bare and any(bare == gold.raw.strip().casefold() for gold in answers)
        else:
            same = any({gold.padded, f" {gold.accentless} "} & {normal.text, normal.accentless} for gold in answers)
        return (1.0, "the reply is the gold answer", _whole(normal)) if same else (0.0, "", None)


@dataclass(frozen=True)
class Contains(Lexical):
    """The reply contains a gold answer as whole words: "15" is not in "1500", nor "Iran" in "Tirana".

    Words that only differ in accents match too.
    """

    name: ClassVar[str] = "contains"
    cost: ClassVar[int] = 2

    def _compare(self, normal: Normal, answers: tuple[Literal, ...]) -> _Hit:
        for gold in answers:
            if span := _place(normal, gold):
                return 1.0, f"the reply contains {gold.raw!r}", span
        return 0.0, "", None


@dataclass(frozen=True)
class Regex(Matcher):
    """A pattern matches the reply, ignoring case: `pattern` or, if that is empty, the gold answers as patterns.

    A search may take a quarter of a second; beyond it the verdict is unsure.
    """

    name: ClassVar[str] = "regex"
    cost: ClassVar[int] = 5
    pattern: str = ""
    """The pattern; if empty, the gold answers are patterns."""

    def __post_init__(self) -> None:
        if self.pattern:
            compiled(self.pattern)

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        """As every lexical matcher; raises BadPattern where a gold answer is not a regular expression."""
        patterns = (self.pattern,) if self.pattern else tuple(answer.text for answer in gold if answer.text.strip())
        if not patterns:
            return Verdict("unsure", 0.0, self.name, "there is no gold answer to compare with")
        return _by_pattern(self.name, normalise(reply.text), patterns)


@dataclass(frozen=True)
class Measured:
    """Correct from some similarity on; from 0 on, every reply would be."""

    at_least: Share = 0.8

    def __post_init__(self) -> None:
        if not 0 < self.at_least <= 1:
            raise ValueError(f"at_least must be above 0 and at most 1, not {self.at_least}")


@dataclass(frozen=True)
class TokenF1(Measured, Lexical):
    """SQuAD's token F1 between the reply and the best gold answer; numbers and negations must be the same in both.

    With a list of `words`, F1 is that of the listed words that reply and gold answer say, in any form; it is 1 if
    neither says any. Of replies that people wrote this is activity F1 if the list has verbs, and entity F1 if it has
    nouns (Serban et al. 2017).
    """

    name: ClassVar[str] = "f1"
    cost: ClassVar[int] = 3
    at_least: Share = 0.8
    """The least F1, 0 to 1."""
    words: Vocabulary = None
    """A file with words; no others count."""

    def _compare(self, normal: Normal, answers: tuple[Literal, ...]) -> _Hit:
        f1 = _f1 if self.words is None else partial(_listed_f1, self.words)
        best = max(f1(normal.words, gold) for gold in answers)
        if best < self.at_least:
            return best, "", None
        return best, f"{best:.0%} of the words are the gold answer's", _whole(normal)


@dataclass(frozen=True)
class Fuzzy(Measured, Lexical):
    """The reply contains a gold answer, maybe misspelt: similarity (indel, by rapidfuzz) at least `at_least`.

    Each word must be similar to its counterpart. Words of four letters or fewer, words with a digit, and answers under
    five letters must be equal.
    """

    name: ClassVar[str] = "fuzzy"
    cost: ClassVar[int] = 4
    at_least: Share = 0.9
    """The least similarity, 0 to 1."""

    def _compare(self, normal: Normal, answers: tuple[Literal, ...]) -> _Hit:
        best: _Hit = (0.0, "", None)
        for gold in answers:
            alike, span = _similar(normal, gold, self.at_least)
            if span and alike > best[0]:
                best = alike, f"{gold.raw!r} is in the reply, spelt {alike:.0%} alike", span
        return best


def _not_found(normal: Normal) -> str:
    return f"{_NOT_FOUND} in the first {len(normal.raw):,} characters" if normal.cut else _NOT_FOUND


def _whole(normal: Normal) -> tuple[int, int]:
    start = len(normal.raw) - len(normal.raw.lstrip())
    return start, max(start, len(normal.raw.rstrip()))


def _place(normal: Normal, gold: Literal) -> tuple[int, int] | None:
    """Where a reply first says a gold answer as whole words outside of codes, with its accents or without."""
    is_said = gold.padded in normal.text or (normal.text.isascii() and gold.phrase.isascii())
    places = normal.find(gold.phrase) if is_said else normal.find(gold.accentless, normal.accentless)
    codes = glued_codes(normal.raw) if gold.phrase.isdecimal() else ()
    return next((place for place in places if not any(a <= place[0] and place[1] <= b for a, b in codes)), None)


def _f1(words: tuple[str, ...], gold: Literal) -> float:
    if _fixed(words) != _fixed(gold.words):
        return 0.0
    common = (Counter(words) & Counter(gold.words)).total()
    return 2 * common / (len(words) + len(gold.words)) if common else 0.0


def _listed_f1(listed: WordList, words: tuple[str, ...], gold: Literal) -> float:
    said, right = ({*map(stem, some)} & _stems(listed) for some in (words, gold.words))
    return 2 * len(said & right) / (len(said) + len(right)) if said or right else 1.0


@cache
def _stems(listed: WordList) -> frozenset[str]:
    return frozenset(map(stem, listed.words))


def _fixed(words: tuple[str, ...]) -> set[str]:
    negations = language("en").negations
    return {word for word in words if word in negations or is_number(word) or word[0] == "-"}


def _similar(normal: Normal, gold: Literal, at_least: float) -> tuple[float, tuple[int, int] | None]:
    """The best run of words that is spelt like the gold answer: similarity and place."""
    if len(gold.phrase) < 5 or any(map(str.isdecimal, gold.phrase)):
        return 1.0, _place(normal, gold)
    if not all(f" {word} " in normal.text for word in gold.words if len(word) <= _LONGEST_FIXED):
        return 0.0, None
    cutoff = 100 * at_least
    if fuzz.partial_ratio(gold.phrase, normal.text, score_cutoff=cutoff - 20) < cutoff - 20:
        return 0.0, None
    words, size = normal.words, len(gold.words)
    best = (0.0, 0)
    for at in range(len(words) - size + 1):
        run = words[at : at + size]
        if all(map(_alike, run, gold.words)):
            best = max(best, (fuzz.ratio(" ".join(run), gold.phrase), -at))
    return best[0] / 100, normal.span(-best[1], size - 1 - best[1]) if best[0] >= cutoff else None


def _alike(word: str, gold: str) -> bool:
    if word == gold:
        return True
    if min(len(word), len(gold)) <= _LONGEST_FIXED or is_number(word) or abs(len(word) - len(gold)) > 2:
        return False
    return fuzz.ratio(word, gold) >= 80


@dataclass(frozen=True)
class Listed(Lexical):
    """The reply says every item of a gold answer that is a list ("red, green and blue"), in any order.

    A reply that says a part of the items is unsure.
    """

    name: ClassVar[str] = "list"
    cost: ClassVar[int] = 5

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        verdict = super().judge(prompt, reply, gold, baseline)
        if verdict.kind == "wrong" and verdict.score:
            return Verdict("unsure", verdict.score, self.name, f"the reply says {verdict.score:.0%} of the items")
        return verdict

    def _compare(self, normal: Normal, answers: tuple[Literal, ...]) -> _Hit:
        best: _Hit = (0.0, "", None)
        for gold in answers:
            items = gold_items(gold.raw)
            places = [place for item in items if (place := next(normal.find(item), None))]
            if items and len(places) == len(items):
                span = min(place[0] for place in places), max(place[1] for place in places)
                return 1.0, f"the reply says all of {gold.raw!r}", span
            if places:
                best = max(best, (len(places) / len(items), "", None), key=lambda hit: hit[0])
        return best


@lru_cache(maxsize=1024)
def gold_items(raw: str) -> tuple[str, ...]:
    """The items of a list, in normal form; empty for what is none."""
    items = tuple(" ".join(normalise(item).words) for item in _CUT.split(raw) if item.strip())
    return items if len(items) > 1 and all(items) else ()
