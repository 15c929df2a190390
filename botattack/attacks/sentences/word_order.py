"""The order of words: neighbours swapped (dialogue 3.1), phrases moved (semantic parsers 3.1). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.drafting import Drafting, Drafts
from botattack.attacks.building.guard import Draft
from botattack.attacks.building.parsed import below, body_of, paired, phrase_of
from botattack.attacks.building.plain_words import word_tokens
from botattack.model import Edit, Token
from botattack.options import Several
from botattack.protocols import ENGLISH, Context
from botattack.text.parse_need import parse


@dataclass(frozen=True)
class SwapWords(Drafting):
    """Swaps neighbouring words: "I don't want you to go" becomes "I don't want to you go" (dialogue 3.1, Random Swap).

    One swap for every `per` words; only neighbours with nothing but white space between them, none twice; the first
    and the last word stay.
    """

    name: ClassVar[str] = "swap-words"
    plain: ClassVar[str] = "Swapped words"
    advice: ClassVar[str] = WORDINGS
    typed: ClassVar[bool] = False
    drawn: ClassVar[bool] = True

    per: Several = 4
    """Words for one swap: the paper's 4; its code has 3."""

    def drafts(self, context: Context, rng: Random) -> Drafts:
        yield from ()
        return self._swaps(context.question.text, rng)

    def _swaps(self, text: str, rng: Random) -> Iterator[Draft]:
        words = word_tokens(text)
        pairs = [
            i
            for i in range(1, len(words) - 2)
            if text[words[i].end : words[i + 1].start].isspace() and words[i].text != words[i + 1].text
        ]
        most = len(words) // self.per
        for chosen in _few(pairs, most, rng) or _drawn(pairs, most, rng):
            yield Draft(tuple(_swap(text, words[i], words[i + 1]) for i in sorted(chosen)))


FEW = 400
"""Sets of pairs that are listed and shuffled; more are drawn one by one."""


def _few(pairs: list[int], most: int, rng: Random) -> list[tuple[int, ...]]:
    """All sets of so many pairs that share no word, in random order; none where there are many, or not so many."""
    if comb(len(pairs), most) > FEW or not most:
        return []
    found = [chosen for chosen in combinations(pairs, most) if all(other - one > 1 for one, other in pairwise(chosen))]
    return rng.sample(found, len(found))


def _drawn(pairs: list[int], most: int, rng: Random) -> Iterator[frozenset[int]]:
    """Different sets of pairs that share no word, as large as they can be, until none is new for long: the more are
    known, the more often a draw repeats one while others are left."""
    seen: set[frozenset[int]] = set()
    idle = 0
    while pairs and most and idle <= 8 + len(seen):
        chosen: set[int] = set()
        for i in rng.sample(pairs, len(pairs)):
            if len(chosen) < most and chosen.isdisjoint((i - 1, i, i + 1)):
                chosen.add(i)
        new = frozenset(chosen)
        idle = idle + 1 if new in seen else 0
        if new not in seen:
            seen.add(new)
            yield new


def _swap(text: str, one: Token, other: Token) -> Edit:
    between = text[one.end : other.start]
    return Edit(one.start, text[one.start : other.end], other.text + between + one.text, "swapped")


@dataclass(frozen=True)
class Reorder(Drafting):
    """Moves phrases of the question, all words kept: "what state is the largest in population" becomes "in population
    what state is the largest" (semantic parsers 3.1, Reordering).

    By rule, where the paper has the reordering model SOW-REAP: a phrase with a preposition, an adverb or a clause at
    the side goes to the front; the parts before and after a form of "be" are exchanged; so are the two sides of an
    "and" or "or". All keep the meaning. Nothing moves out of a second sentence, or away from a mark next to it.

    Decided here: the first word of the text gives its capital to the one that comes to be there, unless it is a
    name or "I".
    """

    name: ClassVar[str] = "reorder"
    plain: ClassVar[str] = "Rearranged phrases"
    advice: ClassVar[str] = WORDINGS
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    uses: ClassVar[tuple[str, ...]] = ("parse",)

    def drafts(self, context: Context, rng: Random) -> Drafts:
        question = context.question
        tokens = yield from parse(question.text, question.lang)
        orders = [*_fronted(tokens), *_turned(tokens), *_exchanged(tokens)]
        return [Draft(edits) for order in orders if (edits := _moved(question.text, tokens, order))]


Order = list[list[int]]
"""Pieces of the sentence, each a run of tokens, in their new order."""
SIDES = frozenset({"prep", "advmod", "npadvmod", "advcl"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
CLAUSE_ENDS = frozenset(".?!…;:")
STOPS = CLAUSE_ENDS | {","}
"""Marks that part what may not change sides."""


def _fronted(tokens: Sequence[Token]) -> Iterator[Order]:
    """A phrase at the side, out of the first sentence; marks stay where they are."""
    body = body_of(tokens)
    for i in body:
        # A question word stays where it asks ("and when was it founded"), and "a week" before its "ago".
        own = tokens[i].relation in ("prep", "advcl") or tokens[tokens[i].head].pos in ("VERB", "AUX")
        moves = tokens[i].relation in SIDES and own and not tokens[i].tag.startswith("W")
        phrase = phrase_of(tokens, i) if moves else []
        if not phrase or phrase[0] == 0 or phrase[-1] > body[-1] or not _may_move(tokens, phrase):
            continue
        before = tokens[: phrase[0]]
        if before[-1].pos != "PUNCT" and not any(token.text in CLAUSE_ENDS for token in before):
            yield [phrase, [j for j in body if j not in phrase]]


def _turned(tokens: Sequence[Token]) -> Iterator[Order]:
    """What stands before a form of "be" that is the root, and what stands behind it."""
    body = body_of(tokens)
    if any(tokens[i].text in STOPS for i in body):
        return
    for i in body:
        be = tokens[i].head == i and tokens[i].text.lower() in ("is", "are", "was", "were")
        # Of two clauses in a row, neither is a side.
        joined = any(token.relation == "conj" and token.head == i for token in tokens)
        joined = joined or any(token.pos in ("VERB", "AUX") for token in tokens[:i])
        # "Where is it located", and "where is he from": the last word belongs to "is".
        split = tokens[body[-1]].pos == "ADP" or any(
            token.relation == "acl" and token.tag in ("VBN", "VBD") and tokens[token.head].head == i for token in tokens
        )
        if be and not joined and not split and 0 < i < body[-1] and _may_move(tokens, body[i + 1 :]):
            yield [body[i + 1 :], [i], body[:i]]


def _exchanged(tokens: Sequence[Token]) -> Iterator[Order]:
    body = body_of(tokens)
    of_head: dict[int, list[int]] = {}
    for i, token in enumerate(tokens):
        links = of_head.setdefault(token.head, [])
        if token.relation == "cc" and i < len(body):
            links.append(i)
        elif token.relation == "conj" and links and token.head < links[-1]:
            other = phrase_of(tokens, i)
            one = list(range(_start(tokens, i, other), links[-1]))
            follows = other and other[0] == links[-1] + 1 and other[-1] <= body[-1]
            # What follows the second may belong to both: "who wrote and directed it".
            shared = follows and len(one) == 1 and other[-1] > i
            if follows and not shared and _may_move(tokens, one) and _may_move(tokens, other):
                yield [body[: one[0]], other, [links[-1]], one, body[other[-1] + 1 :]]


def _start(tokens: Sequence[Token], i: int, phrase: Sequence[int]) -> int:
    """Where the first side begins: with what stands before its head, if the second has such words of its own or is a
    name ("old books and new records", "the UK or Ireland"), else at the head ("the cats and dogs")."""
    start, token = tokens[i].head, tokens[i]
    if token.pos in ("VERB", "AUX"):
        whole = any(tokens[j].head == i and tokens[j].relation in SUBJECTS for j in phrase)
    else:
        whole = token.pos == "PROPN" or phrase[:1] != [i]
    left = below(tokens, start) if whole else ()
    while start - 1 in left:
        start -= 1
    return start


def _may_move(tokens: Sequence[Token], piece: Sequence[int]) -> bool:
    """Whether no mark is at an end of a piece, and it has both or none of a pair of marks."""
    ends = [tokens[i] for i in (piece[0], piece[-1]) if tokens[i].text not in '"()[]“”«»']
    return paired(tokens, piece) and all(token.pos != "PUNCT" for token in ends)


def _moved(text: str, tokens: Sequence[Token], order: Order) -> tuple[Edit, ...]:
    """One edit over all that moved; each token keeps the white space it has before it, the first piece has none."""
    order = [piece for piece in order if piece]
    flat = [i for piece in order for i in piece]
    if not flat or flat == sorted(flat):
        return ()
    start, end = tokens[min(flat)].start, tokens[max(flat)].end
    pieces = [_joined(text, tokens, piece) for piece in order]
    if tokens[flat[0]].start != start:
        pieces = _recapitalised(pieces, tokens, order, start)
    return (Edit(start, text[start:end], " ".join(pieces), "moved"),)


def _joined(text: str, tokens: Sequence[Token], piece: list[int]) -> str:
    words = [text[tokens[piece[0]].start : tokens[piece[0]].end]]
    for last, i in pairwise(piece):
        follows = last == i - 1 or tokens[i].pos == "PUNCT"
        words.append((text[tokens[i - 1].end : tokens[i].start] if follows else " ") + tokens[i].text)
    return "".join(words)


def _recapitalised(pieces: list[str], tokens: Sequence[Token], order: Order, start: int) -> list[str]:
    old = next(token for token in tokens if token.start == start)
    if not (old.text[:1].isupper() and old.text[1:] == old.text[1:].lower()) or old.pos == "PROPN" or old.text == "I":
        return pieces
    found = [piece[:1].upper() + piece[1:] if n == 0 else piece for n, piece in enumerate(pieces)]
    at = next(n for n, piece in enumerate(order) if tokens[piece[0]].start == start)
    found[at] = found[at][:1].lower() + found[at][1:]
    return found
