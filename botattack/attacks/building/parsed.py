"""What attacks ask of a parse, and how a text asks as far as that shows: whether a change of one word must change the
right answer. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from botattack.model import Token
from botattack.text.word_lists import grammar_words

ENDS = "?!.…؟。"
"""Marks that end a sentence."""
WHITE = " \t\n\u00a0\u202f"
"""White space that may stand before them."""
Entity = tuple[int, int, str]
"""Where a name starts and ends, and its type."""
_TYPES = {"FAC": "GPE", "LOC": "GPE", "": "NAME"}
PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))


def body_of(tokens: Sequence[Token]) -> list[int]:
    """All tokens but the marks that end the text."""
    end = len(tokens)
    while end and not tokens[end - 1].text.strip(ENDS):
        end -= 1
    return list(range(end))


def paired(tokens: Sequence[Token], piece: Sequence[int]) -> bool:
    """Whether a piece has both or none of each pair of quotation marks and brackets."""
    said = [tokens[i].text for i in piece]
    return said.count('"') % 2 == 0 and all(said.count(one) == said.count(other) for one, other in PAIRS)


def above(tokens: Sequence[Token], i: int) -> list[int]:
    """A token, what it depends on, what that does, and so on."""
    found = [i]
    while tokens[found[-1]].head not in found:
        found.append(tokens[found[-1]].head)
    return found


def below(tokens: Sequence[Token], head: int) -> list[int]:
    """A token and all that hangs below it, ascending."""
    under: dict[int, list[int]] = {}
    for i, token in enumerate(tokens):
        under.setdefault(token.head, []).append(i)
    found, new = {head}, [head]
    while new:
        new = [i for one in new for i in under.get(one, ()) if i not in found]
        found.update(new)
    return sorted(found)


def phrase_of(tokens: Sequence[Token], head: int) -> list[int]:
    """The same if it is in one piece; else nothing."""
    found = below(tokens, head)
    return found if found == list(range(found[0], found[-1] + 1)) else []


def entities_of(tokens: Sequence[Token]) -> list[Entity]:
    """Names and numbers: runs of one entity label, else runs of proper nouns, else numbers."""
    found: list[Entity] = []
    last = ""
    for i, token in enumerate(tokens):
        label = token.entity or ("NAME" if token.pos == "PROPN" else "NUM" if token.pos == "NUM" else "")
        ends = i + 1 == len(tokens) or tokens[i + 1].entity != token.entity
        if token.tag in ("DT", "POS", "IN") and (ends or not (label and last == label)):
            label = ""
        if label and label == last and found[-1][1] >= tokens[i - 1].end:
            found[-1] = (found[-1][0], token.end, found[-1][2])
        elif label:
            found.append((token.start, token.end, _TYPES.get(label, label)))
        last = label
    return found


Asks = Literal["open", "polar", "wish", "request", "other"]
"""`open` asks with a question word, `polar` for yes or no; a `wish` says what somebody wants, a `request` what to show.
`other` is all else: a statement of what happened, several sentences, or a statement beside a question, of which one
half may change alone."""
WH = frozenset({"WDT", "WP", "WP$", "WRB"})
PERSONS = frozenset({"i", "we", "you", "one"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})


def asking(tokens: Sequence[Token]) -> Asks:
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


def main_verbs(tokens: Sequence[Token], asks: Asks, lemma: Callable[[str, str], str]) -> set[int]:
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
