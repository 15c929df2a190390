"""Which texts say the same in nearly the same words. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache

from botattack.text.languages import language
from botattack.text.tokens import normalised, words

_ALIKE, _OF = 9, 10
"""Twins have nine tenths of their words of content in common (Dice's coefficient); whole numbers are exact."""

Content = frozenset[str]


@lru_cache(64)
def _empty(lang: str) -> frozenset[str]:
    known = language(lang)
    return frozenset().union(known.function_words, known.fillers, known.stop_words, known.courtesies)


def content_words(text: str, lang: str) -> Content:
    """The words that carry what a text says, without case, order, punctuation and politeness; all if none does."""
    said = {normalised(word.text) for word in words(text)}
    return frozenset(said - _empty(lang) or said)


class Twins:
    """Texts known by their words of content, and the groups they are in: twins, and twins of twins."""

    def __init__(self, texts: Iterable[Content]) -> None:
        texts = set(texts)
        self._seldom = Counter(word for text in texts for word in text)
        self._by_word: defaultdict[str, list[Content]] = defaultdict(list)
        self._leader: dict[Content, Content] = {}
        for text in texts:
            self._leader[text] = text
            for twin in self.of(text):
                self._leader[self.leader(twin)] = self.leader(text)
            for word in self._first_words(text):
                self._by_word[word].append(text)

    def of(self, text: Content) -> Iterator[Content]:
        """The known texts that are twins of one, itself among them if it is known."""
        for one in {one for word in self._first_words(text) for one in self._by_word.get(word, ())}:
            if 2 * _OF * len(text & one) >= _ALIKE * (len(text) + len(one)):
                yield one

    def groups(self) -> Iterator[list[Content]]:
        """Every known text, in the group it belongs to."""
        found: defaultdict[Hashable, list[Content]] = defaultdict(list)
        for text in self._leader:
            found[self.leader(text)].append(text)
        return iter(found.values())

    def leader(self, text: Content) -> Content:
        """The same for all texts of a group."""
        while (up := self._leader[text]) != text:
            self._leader[text] = text = self._leader[up]
        return text

    def _first_words(self, text: Content) -> list[str]:
        """The rarest words, so many that every twin has one of them: with a twin that has no other words, a text shares
        9 of 11 of its own."""
        shared = -(-len(text) * _ALIKE // (2 * _OF - _ALIKE))
        return sorted(text, key=lambda word: (self._seldom[word], word))[: len(text) - shared + 1]
