"""Whether an altered question asks for something else, in words that people write. Pure; English."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from botattack.attacks.building.parsed import below
from botattack.model import Token

_APART = frozenset(["appos", "compound", "nmod", "amod", "flat"])
"""Relations between a name and the noun that it tells from others: "the comedy Big Stone Gap"."""
_DESCRIBING = frozenset(["relcl", "acl", "appos"])
_NUMBERS = frozenset(["DATE", "TIME", "ORDINAL", "CARDINAL", "NUM", "MONEY", "QUANTITY", "PERCENT"])
QUOTES = frozenset(['"', "“", "”"])


class Pairs(Protocol):
    def together(self, one: str, other: str) -> bool: ...


class Stretch(Protocol):
    """What stands in place of a stretch of a question, in characters."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def written(tokens: Sequence[Token], i: int, other: str, parts: Mapping[str, Any]) -> bool:
    """Whether people write a word beside the words that stand before and behind a token, names and marks aside: nobody
    writes "foreign estate"."""
    return all(_pairs(tokens, i, other, parts["speller"]))


def written_as_well(tokens: Sequence[Token], i: int, other: str, parts: Mapping[str, Any]) -> bool:
    """Whether people write a word beside the words beside a token wherever they write that of the token there: they
    write of a fourth quarter, but of no eighth one."""
    speller: Pairs = parts["speller"]
    old, new = _pairs(tokens, i, tokens[i].text, speller), _pairs(tokens, i, other, speller)
    return all(new_known or not known for known, new_known in zip(old, new, strict=True))


def ranks(tokens: Sequence[Token], span: tuple[int, int], other: str, parts: Mapping[str, Any]) -> bool:
    """Whether each number word may stand before the noun or superlative behind: no "eighth quarter", no "first
    largest"."""
    first, last = span
    new = other.split()
    for i, word in zip(range(first, last + 1), new, strict=False):
        behind = tokens[i + 1] if i + 1 < len(tokens) else None
        fixed = behind is not None and (behind.pos in ("NOUN", "PROPN") or behind.tag == "JJS")
        moved = len(new) == last - first + 1 and word.isalpha() and word != tokens[i].text
        if moved and fixed and not written_as_well(tokens, i, word, parts):
            return False
    return True


def _pairs(tokens: Sequence[Token], i: int, word: str, speller: Pairs) -> list[bool]:
    """Whether a word in place of a token is known with what stands before it, and with what stands behind."""
    before, behind, word = _word(tokens, i - 1), _word(tokens, i + 1), word.lower()
    return [not before or speller.together(before, word), not behind or speller.together(word, behind)]


def _word(tokens: Sequence[Token], i: int) -> str:
    """A word that is no part of a name, in lower case; "" if none stands there."""
    inside = 0 <= i < len(tokens) and tokens[i].text.isalpha() and tokens[i].pos != "PROPN"
    return tokens[i].text.lower() if inside else ""


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
    head = tokens[i].head if tokens[i].relation == "amod" else i
    inside = set(below(tokens, head))
    names = {*_names(tokens)} - {i, *compared}
    return all(name in inside and not _tells_apart(tokens, name, head) for name in names)


def asks_another(tokens: Sequence[Token], changes: Collection[Stretch]) -> bool:
    """Whether one change at least does not stand in what is said of a name or title that stays: "a game by Ann Lee"
    says nothing of which game is meant behind its title; nor in a clause that describes something, where a name
    outside says as much. A title in quotation marks that stays says it anyway."""
    changed = {i for i, token in enumerate(tokens) if any(_within(token, change) for change in changes)}
    stay = {*_names(tokens)} - changed
    if not changed or {*quoted(tokens)} - changed:
        return False
    told = {head for name in stay for head in _told_apart(tokens, name)}
    return any(not told & {*_above(tokens, i)} and stay <= _clause(tokens, i) for i in changed)


def _clause(tokens: Sequence[Token], i: int) -> set[int]:
    """What the clause that a token says something in reaches: one that describes a noun, else all."""
    top = next((at for at in (i, *_above(tokens, i)) if tokens[at].relation in _DESCRIBING), None)
    return {*range(len(tokens))} if top is None else {*below(tokens, top)}


def _within(token: Token, change: Stretch) -> bool:
    return token.start < change.end and change.start < token.end


def _names(tokens: Sequence[Token]) -> Iterator[int]:
    """The words of names, and those in quotation marks."""
    titles = {*quoted(tokens)}
    for i, token in enumerate(tokens):
        kind = token.entity.rpartition("-")[2]
        named = token.pos == "PROPN" or (token.text[:1].isupper() and bool(kind) and kind not in _NUMBERS)
        if i in titles or (named and token.text.isalpha()):
            yield i


def _tells_apart(tokens: Sequence[Token], name: int, head: int) -> bool:
    """Whether a name stands beside a word itself, with nothing that relates them."""
    return any(up == head for up in _told_apart(tokens, name))


def _told_apart(tokens: Sequence[Token], name: int) -> Iterator[int]:
    """A name, and the nouns that it tells from others."""
    at = name
    yield at
    while tokens[at].relation in _APART and tokens[at].head != at:
        at = tokens[at].head
        yield at


def _above(tokens: Sequence[Token], i: int) -> list[int]:
    """What a token depends on, and on what that does."""
    found = [i]
    while tokens[found[-1]].head not in found:
        found.append(tokens[found[-1]].head)
    return found[1:]
