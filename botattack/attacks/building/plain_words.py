"""Words of a text as tokens, and what may stand in their place; for attacks that need no parser. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import overload

import msgspec

from botattack.attacks.building.combinations import Option
from botattack.attacks.building.guard import answer_spans
from botattack.model import Edit, Question, Token
from botattack.places import QUESTION
from botattack.text.spelling import measure_of
from botattack.text.tokens import ZWNJ, joined_matches, normalised

SHARED = 1
"""Edits of two words may share an operation: with this slack each, the distance of the whole text is measured as soon
as two are combined, and one alone keeps its own."""

Respelt = tuple[str, str]
"""What a word becomes, and the kind of edit."""


def word_tokens(text: str) -> tuple[Token, ...]:
    """The words of a text, ascending, with nothing known of them; each is its own head."""
    return tuple([Token(match[0], match.start(), head=i) for i, match in enumerate(joined_matches(text))])


def stem_of(word: Token) -> Token:
    """The longest piece between zero-width non-joiners: letters change within it, and what it is joined to stays."""
    pieces = word.text.split(ZWNJ)
    at = max(range(len(pieces)), key=lambda i: len(pieces[i]))
    start = word.start + sum(len(piece) + 1 for piece in pieces[:at])
    return word if len(pieces) == 1 else msgspec.structs.replace(word, text=pieces[at], start=start)


def free_words(question: Question) -> Iterator[Token]:
    """The words of a question that are not a gold answer's own."""
    spans = answer_spans(question.text, question.golds)
    for word in word_tokens(question.text):
        if not (spans and any(word.start < end and start < word.end for start, end in spans)):
            yield word


def options_of(word: Token, respelt: Iterable[Respelt]) -> list[Option]:
    """The replacements of a word as options of a slot, each once; a spelling found in two ways has the kind it was
    found by first."""
    found = {normalised(word.text): ("", "")}
    for one in respelt:
        found.setdefault(normalised(one[0]), one)
    return [single(word.start, word.text, after, kind, word) for after, kind in found.values() if kind]


def single(start: int, before: str, after: str, kind: str, word: Token | None = None) -> Option:
    """An option of one edit."""
    relation, pos = (word.relation, word.pos) if word else ("", "")
    edit = Edit(start, before, after, kind, QUESTION, relation, pos)
    return Option(start, start + len(before), after, (edit,), measure_of(before)(before, after), SHARED)


def removal(text: str, word: Token, kind: str, *, leads: bool) -> Option:
    """The word goes with the white space before it, or, where it `leads` the text, with that after it."""
    if leads:
        start, end = word.start, len(text) - len(text[word.end :].lstrip())
    else:
        start, end = len(text[: word.start].rstrip()), word.end
    return single(start, text[start:end], "", kind, word)


class LazySlot(Sequence[Option]):
    """A slot whose options are made when looked at: most of many are never drawn."""

    def __init__(self, words: Sequence[str], make: Callable[[str], Option]) -> None:
        self._words = words
        self._make = make

    def __len__(self) -> int:
        return len(self._words)

    @overload
    def __getitem__(self, at: int) -> Option: ...
    @overload
    def __getitem__(self, at: slice) -> list[Option]: ...
    def __getitem__(self, at: int | slice) -> Option | list[Option]:
        return self._make(self._words[at]) if isinstance(at, int) else [self._make(word) for word in self._words[at]]
