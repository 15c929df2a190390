"""What of a message is a question: one that stands alone, or one that needs what was asked before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import NamedTuple

from botattack.audit.starting.logs.counting import LONGEST, Token, is_ordinary, phrases, tokens
from botattack.text.languages import language
from botattack.text.sentences import sentence_spans
from botattack.text.word_lists import word_tuple

SHORTEST, MOST = 3, 60
"""Words of a question. Below, it is an answer or a fragment; above, a story or a pasted document."""
_BEFORE_IT = 2
"""Words of content before a pronoun that it may stand for: then the message says itself what "it" is."""
_CLAUSE = re.compile("[,;،]")
_WHOM = re.compile(r"^ +[^\W\d_]+[,،] +")
"""Who is greeted, behind the greeting: "Hello there, …"."""
_ASKS = re.compile(r"[?؟？]")


IsName = Callable[[Token, str], bool]


class Asked(NamedTuple):
    """A question of a user. `alone`: it needs nothing that was said before."""

    text: str
    alone: bool


def asked(text: str, code: str, is_name: IsName, *, answers: bool) -> list[Asked]:
    """The questions of one message; `answers` says that the bot had asked something just before.

    Sentences of courtesies and small talk, and those that say who writes, are left out. Sentences that ask and stand
    alone are the questions; else the message is one. A statement ("My card has not arrived.") counts as a question
    unless it answers one.
    """
    said = [text[start:end] for start, end in sentence_spans(text)]
    # Who writes all in small letters begins sentences so, too: "i'm tina. contract is over, what now".
    parts = [(each, *each.partition(". ")) for each in said]
    said = [rest if rest and _is_idle(head, code, is_name) else each for each, head, _, rest in parts]
    said = [each for each in said if not all(_is_idle(clause, code, is_name) for clause in _CLAUSE.split(each))]
    if not said or (answers and not any(_asks(sentence, code) for sentence in said)):
        return []
    asking = [sentence for sentence in said if _asks(sentence, code)]
    if asking and all(stands_alone(sentence, code) for sentence in asking):
        return [Asked(_without_greeting(sentence, code), True) for sentence in asking]
    whole = _without_greeting(" ".join(said), code)
    number = len(tokens(whole))
    alone = stands_alone(whole, code)
    if number > MOST or (number < SHORTEST and not (asking and not alone)):
        return []
    return [Asked(whole, alone)] if asking or alone else []


def stands_alone(text: str, code: str) -> bool:
    """Whether a question says all that it is about: it does not begin like a continuation, and what its pronouns stand
    for is in it."""
    words = tokens(text)
    said = [word.folded for word in words]
    content = sum(_has_content(word, code) for word in words)
    if not content or len(said) < SHORTEST or _begins(said, phrases("begins", code)):
        return False
    leans, seen = frozenset(word_tuple("chats.leans", code)), 0
    for at, word in enumerate(words):
        if said[at] in leans and seen < _BEFORE_IT and not _stands(said, at, code) and _is_pronoun(words, at, code):
            return False
        seen += _has_content(word, code)
    return True


def _is_pronoun(words: Sequence[Token], at: int, code: str) -> bool:
    """Whether a word like "this" stands for a thing itself: no word of content follows it at once, but for "later"."""
    after = words[at + 1 : at + 2]
    aside = not after or not _has_content(after[0], code) or after[0].folded in word_tuple("chats.asides", code)
    return aside or words[at].folded in ("it", "es", "er", "sie")


def _has_content(word: Token, code: str) -> bool:
    return word.is_sign or not is_ordinary(word.folded, code)


def _is_idle(sentence: str, code: str, is_name: IsName) -> bool:
    """Whether a sentence without commas is a courtesy, small talk, or only says who writes."""
    words = tokens(sentence)
    said = [word.folded for word in words]
    if not _asks(sentence, code) and all(is_ordinary(word.folded, code) or is_name(word, code) for word in words):
        return True
    polite = language(code).greetings | language(code).fillers
    without = (polite, polite | language(code).courtesies)
    bare = [tuple(word.replace("'", "") for word in said if word not in left_out) for left_out in without]
    return () in bare or not phrases("small_talk", code).isdisjoint(bare)


def _without_greeting(text: str, code: str) -> str:
    """A text without the greetings and courtesies that it begins with, and whom they greet."""
    greetings = language(code).greetings | {"please", "bitte", "لطفا"}
    start = max((word.end for word in takewhile(lambda word: word.folded in greetings, tokens(text))), default=0)
    rest = _WHOM.sub("", text[start:]).lstrip(" ,!.،-") if start else text
    return rest[:1].upper() + rest[1:] if start and text[:1].isupper() else rest


def _asks(sentence: str, code: str) -> bool:
    said = [word.folded for word in tokens(sentence)]
    return bool(_ASKS.search(sentence)) or _begins(said, phrases("asks", code))


def _begins(said: Sequence[str], found: frozenset[tuple[str, ...]]) -> bool:
    return any(tuple(said[:size]) in found for size in range(1, LONGEST + 1))


def _stands(said: Sequence[str], at: int, code: str) -> bool:
    """Whether a pronoun at a place is part of a phrase in which it stands for nothing: "is it possible"."""
    near = f" {' '.join(said[max(0, at - 2) : at + 3])} "
    return any(f" {' '.join(phrase)} " in near for phrase in phrases("stands", code))
