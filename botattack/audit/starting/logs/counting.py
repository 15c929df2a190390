"""The first look at a log: which words at least three conversations share, and which are names of people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from babel.dates import get_day_names

from botattack.text.folding import folded
from botattack.text.languages import language
from botattack.text.locales import locale
from botattack.text.made_up import listed_names, public_kind
from botattack.text.personal import FIRST, LAST
from botattack.text.tokens import ZWNJ, joined_matches
from botattack.text.word_lists import word_tuple

SHARED = 3
"""Conversations that must share a word, else it is taken to be somebody's."""
COMMON, MANY = 0.01, 20
"""A word of the lists of names is an everyday word if this share of the conversations, and so many, write it small."""
LOWER, WRITTEN = 0.9, 0.5
"""Of an everyday word, at least the first share is written small. That tells nothing in a log that has fewer messages
with capitals than the second share of its conversations."""
PROPER = 0.001
"""The share of the conversations that must have a word which is mostly written with a capital."""
TITLE = 0.5
"""The share of words with a capital from which a text is a title, where capitals say nothing."""
LONGEST = 5
"""Words of a phrase in our lists."""
AS_NAME = 0.2
"""A word is a name if so large a share of its uses follows "my name is" or the like, or has a capital inside a
sentence. A share of 0.5 left three times as many names of the seventh log (benchmarks/logs); 0.05 cost questions."""
_PARTS = re.compile(f"[-'’{ZWNJ}]")
_STOP = re.compile(r"[.!?؟…:\n][\"')]*\s*\Z")


class Token(NamedTuple):
    """A word of a text. `initial`: it begins a sentence, where a capital says nothing."""

    text: str
    start: int
    end: int
    initial: bool

    @property
    def folded(self) -> str:
        word = folded(self.text)
        return word[:-2] if word.endswith("'s") else word

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def like_a_name(self) -> bool:
        """Whether it is written as names are: with a capital, if its script has any."""
        return self.capital == cased(self.text)

    @property
    def is_sign(self) -> bool:
        return FIRST <= self.text <= LAST

    @property
    def sign(self) -> int:
        """The number of the slot that a sign stands for."""
        return ord(self.text) - ord(FIRST)


def tokens(text: str) -> list[Token]:
    """The words of a text, and the signs in it."""
    found: list[Token] = []
    at = 0
    for match in sorted(
        (*re.finditer(f"[{FIRST}-{LAST}]", text), *joined_matches(text)), key=lambda each: each.start()
    ):
        found.append(Token(match[0], *match.span(), bool(_STOP.search(text[at : match.start()])) or not found))
        at = match.end()
    return found


@cache
def ordinary(code: str) -> frozenset[str]:
    """Words that nobody is called in this language, however they are written."""
    spoken = language(code)
    days = frozenset(
        folded(f"{day}{end}") for day in get_day_names("wide", locale=locale(code)).values() for end in ("", "s")
    )
    return (
        days | spoken.function_words | spoken.courtesies | spoken.fillers | spoken.persons | frozenset(spoken.questions)
    )


def is_ordinary(key: str, code: str) -> bool:
    """Whether a word, or what is before its apostrophe ("I'm"), is one of these."""
    begin, _, end = key.partition("'")
    return key in ordinary(code) or (begin in ordinary(code) and len(end) <= 2)


@cache
def phrases(name: str, code: str) -> frozenset[tuple[str, ...]]:
    """The phrases of a list, each of at most LONGEST folded words."""
    return frozenset(tuple(map(folded, phrase.split())) for phrase in word_tuple(f"chats.{name}", code))


def behind(name: str, code: str, words: list[Token], at: int) -> bool:
    """Whether the word at a place follows a phrase of the list `name`."""
    said = [word.folded for word in words[max(0, at - LONGEST) : at]]
    return any(tuple(said[start:]) in phrases(name, code) for start in range(len(said)))


def cased(text: str) -> bool:
    """Whether a word is written in a script that has capitals."""
    return text.upper() != text.lower()


def speaks(words: list[Token], at: int, code: str) -> bool:
    """Whether a sentence or its first clause ends behind a word as "Maria here." and "sorry, maria again, where" do."""
    if at + 1 >= len(words) or words[at + 1].folded not in word_tuple("chats.after_names", code):
        return False
    ends = at + 2 >= len(words) or words[at + 2].initial or words[at + 2].start > words[at + 1].end + 1
    return ends or (words[max(0, at - 1)].initial and is_ordinary(words[at + 2].folded, code))


def _is_beside(word: Token, name: Token) -> bool:
    """Whether a word stands directly before or behind a listed name and is written like one: one is the first name then
    and the other the last."""
    gap = max(word.start, name.start) - min(word.end, name.end)
    return gap == 1 and word.like_a_name and name.like_a_name and name.folded in listed_names()


def capitals_inside(words: list[Token], code: str) -> frozenset[int]:
    """Places of words that have a capital inside a sentence of small words, where only names have one: "what Temple
    said". German writes every noun so; abbreviations ("ATM") are no names, and in titles capitals say nothing."""
    inner = [at for at, word in enumerate(words) if not (word.initial or word.is_sign)]
    found = [at for at in inner if words[at].capital]
    if code == "de" or len(found) > TITLE * len(inner):
        return frozenset()
    return frozenset(at for at in found if not words[at].text.isupper() and words[at].text.isalpha())


class _Use(NamedTuple):
    chats: tuple[int, ...]
    """The first conversations that have it, up to SHARED."""
    times: int
    small: int
    followed: int
    """How often it was said or written as a name."""
    last: int
    changes: int


class Words:
    """The words of users in a log. Memory grows with the different words, not with the messages."""

    def __init__(self, keep: frozenset[str] = frozenset()) -> None:
        self.keep = keep
        self.chats: set[int] = set()
        self._with_capitals = 0
        self._uses: dict[str, _Use] = {}

    def add(self, chat: int, text: str, code: str) -> None:
        """Counts the words of a message without structured values."""
        self.chats.add(chat)
        words = tokens(text)
        self._with_capitals += any(word.capital for word in words)
        names = capitals_inside(words, code).union(self._introduced(words, code))
        for at, word in enumerate(words):
            if word.is_sign:
                continue
            chats, times, small, followed, last, changes = self._uses.get(word.folded, _NEVER)
            if chat not in chats and len(chats) < SHARED:
                chats = (*chats, chat)
            small, followed = small + (not word.capital), followed + (at in names)
            self._uses[word.folded] = _Use(chats, times + 1, small, followed, chat, changes + (chat != last))

    def _introduced(self, words: list[Token], code: str) -> Iterator[int]:
        """Places of words that stand where a name is said, and of the one that follows such a name."""
        for at, word in enumerate(words):
            if word.is_sign or is_ordinary(word.folded, code):
                continue
            if (
                behind("before_names", code, words, at)
                or (word.capital and not word.initial and behind("before_capitals", code, words, at))
                or (word.like_a_name and speaks(words, at, code))
            ):
                yield at
                # A last name is written like the first, with nothing but a space between.
                if any(last.start == word.end + 1 and last.capital == word.capital for last in words[at + 1 : at + 2]):
                    yield at + 1
            elif any(_is_beside(word, name) for name in words[max(0, at - 1) : at + 2]):
                yield at

    def shared(self, key: str) -> bool:
        """Whether enough conversations have the word."""
        use = self._uses.get(key, _NEVER)
        # A word that is mostly written with a capital may be a name that is in no list.
        proper = cased(key) and use.small <= use.times / 2
        return len(use.chats) >= SHARED and use.changes >= proper * PROPER * len(self.chats)

    def common(self, key: str) -> bool:
        """Whether so many conversations write a word small that it is an everyday word; scripts that know no small
        letters do not tell."""
        use = self._uses.get(key, _NEVER)
        told = cased(key) and self._with_capitals >= WRITTEN * len(self.chats)
        return told and use.changes >= max(MANY, COMMON * len(self.chats)) and use.small >= LOWER * use.times

    def named(self, key: str, code: str) -> bool:
        """Whether people of this log introduce themselves by the word, or write it as names are written, so that it may
        be a name that is in no list."""
        use = self._uses.get(key, _NEVER)
        return 0 < use.followed >= AS_NAME * use.times and not public_kind(key, code)

    def is_name(self, word: Token, code: str) -> bool:
        """Whether the word names a person: it is in the lists of names, or was learnt from this log."""
        key = word.folded
        parts = (key, *map(folded, _PARTS.split(word.text)))
        if any(self.named(part, code) for part in parts):
            return True
        plain = (key,) in phrases("also_words", code) and (not word.capital or word.initial)
        return any(part in listed_names() for part in parts) and not (plain or self.common(key))


_NEVER = _Use((), 0, 0, 0, 0, 0)
