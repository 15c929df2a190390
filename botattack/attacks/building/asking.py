"""How a text asks, as far as its parse shows: whether a change of one word must change the right answer. Pure;
English."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from botattack.attacks.building.parsed import body_of
from botattack.model import Token
from botattack.text.word_lists import grammar_words

Asking = Literal["open", "polar", "wish", "request", "other"]
"""`open` asks with a question word, `polar` for yes or no; a `wish` says what somebody wants, a `request` what to show.
`other` is all else: a statement of what happened, several sentences, or a statement beside a question, of which one
half may change alone."""
WH = frozenset({"WDT", "WP", "WP$", "WRB"})
PERSONS = frozenset({"i", "we", "you", "one"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})


def asking(tokens: Sequence[Token]) -> Asking:
    """How a text asks; by its first words."""
    body = [tokens[i] for i in body_of(tokens)]
    if not body or len(roots(tokens)) != 1 or any(token.text in ".?!;:" for token in body):
        return "other"
    led = body[1:] if body[0].tag == "IN" or body[0].tag == "TO" else body
    if led and led[0].tag in WH:
        return "open"
    if led is body and body[0].text.lower() in grammar_words.finite:
        return "polar"
    if body[0].text.lower() in grammar_words.requests:
        return "request"
    root = roots(tokens)[0]
    wishes = (tokens[root].lemma or tokens[root].text).lower() in grammar_words.wishes
    first = (
        wishes
        and tokens[root].relation == "ROOT"
        and any(
            token.head == root and token.relation in _SUBJECTS and token.text.lower() in ("i", "we", "you")
            for token in body
        )
    )
    return "wish" if first and tokens[-1].text != "?" else "other"


def complains(tokens: Sequence[Token]) -> bool:
    """Whether a text asks why something happened to the asker: nobody asks why the opposite happened."""
    return tokens[0].text.lower() == "why" and any(token.text.lower() in grammar_words.own for token in tokens)


def roots(tokens: Sequence[Token]) -> list[int]:
    return [i for i, token in enumerate(tokens) if token.head == i and token.pos != "PUNCT"]


def main_verbs(tokens: Sequence[Token], asks: Asking, lemma: Callable[[str, str], str]) -> set[int]:
    """The verbs that what is asked turns on: the root's, and what is wished ("I need to open it")."""
    (root, *_) = roots(tokens) or [-1]
    if root < 0:
        return set()
    wishes = lemma(tokens[root].text, "VERB") in grammar_words.wishes
    wished = {i for i, token in enumerate(tokens) if token.head == root and token.relation == "xcomp"} if wishes else ()
    return set(wished) if asks == "wish" else {root, *wished}


def phrases(tokens: Sequence[Token], heads: Sequence[Token]) -> list[Token]:
    """Some tokens and what hangs right below them."""
    places = {i for i, token in enumerate(tokens) if token in heads}
    return [token for i, token in enumerate(tokens) if i in places or token.head in places]
