"""What a keyword may be replaced with: DPAEG's Algorithm 2. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from botattack.attacks.building.combinations import Option
from botattack.model import Edit, Token
from botattack.places import QUESTION
from botattack.text.parts.dictionary import Dictionary, PosRule
from botattack.text.parts.typos import Typos
from botattack.text.spelling import distance
from botattack.text.tokens import match_case, normalised

WordKind = Literal["typo", "similar", "similar-typo"]


@dataclass(frozen=True)
class WordRules:
    """Algorithm 2's constraints. `within` is how far a word that is taken may be from the keyword, `d` how far a
    spell-similar word whose typos are looked up; None is the paper's rule by length and part of speech."""

    words: tuple[WordKind, ...] = ("typo", "similar", "similar-typo")
    pos: PosRule = "same"
    d: int | None = None
    within: int = 2

    def reach(self, keyword: Token) -> int:
        """d: 1 for a verb, else half the keyword's length, rounded down, and at least 1."""
        if self.d is not None:
            return self.d
        return 1 if keyword.pos in ("VERB", "AUX") else max(1, len(keyword.text) // 2)


def adversarial_words(
    keyword: Token, rules: WordRules, dictionary: Dictionary | None, typos: Typos | None
) -> list[Option]:
    """The replacements of a keyword, nearest first; each differs from the keyword and the others when normalised.

    A word found in more than one way has the first of Algorithm 2's kinds. A part may be None if no kind needs it.
    """
    found = {normalised(keyword.text): ("", 0, "")}
    for word, kind in _candidates(keyword, rules, dictionary, typos):
        same = normalised(word)
        if same not in found:
            after = match_case(keyword.text, word)
            found[same] = (after, distance(keyword.text, after), kind)
    near = sorted((edits, after, kind) for after, edits, kind in found.values() if 0 < edits <= rules.within)
    where = QUESTION, keyword.relation, keyword.pos
    return [Option.of(Edit(keyword.start, keyword.text, after, kind, *where), edits) for edits, after, kind in near]


def _candidates(
    keyword: Token, rules: WordRules, dictionary: Dictionary | None, typos: Typos | None
) -> Iterator[tuple[str, WordKind]]:
    """Words that Algorithm 2 takes, in its order, in any case."""
    word = keyword.text.lower()
    if typos and "typo" in rules.words:
        yield from ((typo, "typo") for typo in _near(word, typos.of(word), rules))
    if dictionary is None:
        return
    similar = dictionary.similar(word, rules.reach(keyword), keyword.pos, rules.pos)
    if "similar" in rules.words:
        yield from ((other, "similar") for other, edits in similar if edits <= rules.within)
    if typos and "similar-typo" in rules.words:
        for other in (other for other, edits in similar if edits > rules.within):
            yield from ((typo, "similar-typo") for typo in _near(word, typos.of(other), rules))


def _near(word: str, typos: Iterable[str], rules: WordRules) -> Iterator[str]:
    return (typo for typo in typos if distance(word, typo.lower()) <= rules.within)
