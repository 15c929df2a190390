"""Whether an altered question asks for something else, in words that people write. Pure; English."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from botattack.attacks.building.parsed import above, below
from botattack.model import Token
from botattack.text.word_lists import attack_words

_APART = frozenset(["appos", "compound", "nmod", "amod"])
"""Relations between a name and the noun that it tells from others: "the comedy Big Stone Gap"."""
_DESCRIBING = frozenset(["relcl", "acl", "appos"])
_NUMBERS = frozenset(["DATE", "TIME", "ORDINAL", "CARDINAL", "NUM", "MONEY", "QUANTITY", "PERCENT"])
QUOTES = frozenset(['"', "“", "”"])


class Stretch(Protocol):
    """What stands in place of a stretch of a question, in characters."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def quoted(tokens: Sequence[Token]) -> Iterator[int]:
    """The tokens in quotation marks."""
    inside = False
    for i, token in enumerate(tokens):
        if token.text in QUOTES:
            inside = not inside
        elif inside:
            yield i


def relates(tokens: Sequence[Token], i: int, compared: Collection[int] = ()) -> bool:
    """Whether every name and title of a question depends on the word that is altered, so that with another word other
    things are meant: "the mother of Ann Lee". With a name elsewhere, or one that says by itself what the word is about
    ("the comedy Big Stone Gap"), the same may still be meant. What is said
    of names that are `compared` is what is asked.
    """
    inside = set(below(tokens, tokens[i].head if tokens[i].relation == "amod" else i))
    names = {*_names(tokens)} - {i, *compared}
    return names <= inside and not only_describes(tokens, i, compared)


def only_describes(tokens: Sequence[Token], i: int, compared: Collection[int] = ()) -> bool:
    """Whether a word stands beside a name or title, with nothing that relates the two: "the comedy Big Stone Gap".

    What something is of tells apart: "the Rams men's team"."""
    head = tokens[i].head if tokens[i].relation == "amod" else i
    names = {name for name in _names(tokens) if tokens[name].relation != "amod"} - {i, *compared}
    return tokens[i].relation != "poss" and any(up == head for name in names for up in _told_apart(tokens, name))


def asks_another(tokens: Sequence[Token], changes: Collection[Stretch]) -> bool:
    """Whether at least one change alters what is asked, not only a description of a name or title that stays and
    already says which thing is meant ("a game by Ann Lee", behind the title of the game). Nor does a change
    count in a clause that describes something if a name stays outside of it, nor in what is only left out ("besides").
    None counts if a title in quotation marks stays."""
    changed = {
        n for n, one in enumerate(tokens) for change in changes if one.start < change.end and change.start < one.end
    }
    stay = {*_names(tokens)} - changed
    if not changed or {*quoted(tokens)} - changed:
        return False
    told = {head for name in stay for head in _told_apart(tokens, name)}
    return any(
        not told & {*above(tokens, i)[1:]} and stay <= _clause(tokens, i) and not _is_left_out(tokens, i)
        for i in changed
    )


def _is_left_out(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word stands in what the answer is to be besides."""
    return any(tokens[n].text.lower() in attack_words.besides for n in above(tokens, i)[1:])


def _clause(tokens: Sequence[Token], i: int) -> set[int]:
    """What the clause that a token says something in reaches: one that describes a noun, else all."""
    top = next((at for at in above(tokens, i) if tokens[at].relation in _DESCRIBING), None)
    return {*range(len(tokens))} if top is None else {*below(tokens, top)}


def _names(tokens: Sequence[Token]) -> Iterator[int]:
    """The words of names, and those in quotation marks."""
    titles = {*quoted(tokens)}
    for i, token in enumerate(tokens):
        kind = token.entity.rpartition("-")[2]
        named = token.pos == "PROPN" or (token.text[:1].isupper() and bool(kind) and kind not in _NUMBERS)
        if i in titles or (named and token.text.isalpha()):
            yield i


def _told_apart(tokens: Sequence[Token], name: int) -> Iterator[int]:
    """A name, and the nouns that it tells from others."""
    at = name
    yield at
    while tokens[at].relation in _APART and tokens[at].head != at:
        at = tokens[at].head
        yield at
