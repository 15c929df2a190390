"""Which words of a question an attack changes: DPAEG's Algorithm 1 and the two baselines of its Table 7. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Literal

from botattack.model import Token
from botattack.protocols import Needing
from botattack.text.clusters import clusters
from botattack.text.word_lists import word_groups

Tokens = Sequence[Token]
Chosen = Needing[list[Token]]
"""Asks for a parse and returns the words."""

RELATIONS = frozenset(
    {
        *("nsubj", "nsubjpass", "csubj", "csubjpass", "agent", "dobj", "dative"),
        *("pobj", "attr", "acomp", "oprd", "ccomp", "xcomp", "pcomp"),
        *("amod", "compound", "nummod", "nmod", "appos", "poss"),
        *("npadvmod", "advmod", "acl", "relcl", "advcl"),
    }
)
"""The relation set, as spaCy names relations: arguments, then modifiers. The paper's Figure 3 is missing from its text,
which says that relations are auxiliaries, arguments or modifiers (after de Marneffe & Manning)."""

CLAUSES = frozenset(["csubj", "csubjpass", "ccomp", "xcomp", "pcomp", "acl", "relcl", "advcl"])
"""Relations whose dependent is the head of a clause."""

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV"})


IsContent = Callable[[Token], bool]


def is_content(token: Token) -> bool:
    """A noun, name, verb, adjective or adverb that is not a stop word."""
    return token.pos in CONTENT and not token.stop


def is_content_or_number(token: Token) -> bool:
    return is_content(token) or token.pos == "NUM"


def is_word(token: Token) -> bool:
    return any(map(str.isalnum, token.text))


def dependency_keywords(tokens: Tokens, content: IsContent, through_prepositions: bool) -> list[int]:
    """Algorithm 1 (section 3.3): indices of the keywords, ascending.

    Heads are the root of every sentence, then the head of every clause found below one. A head is a keyword where it
    is a content word, and so is each child of it that is one and whose relation to it is in the relation set. Words
    of a wrapper ("can you tell me") are none.
    """
    children = _children(tokens)
    heads = [i for i, token in enumerate(tokens) if token.head == i]
    found: set[int] = set()
    while heads:
        head = heads.pop()
        found.add(head)
        related = [i for i in children[head] if tokens[i].relation in RELATIONS]
        found.update(related)
        if through_prepositions:
            found.update(_objects(tokens, children, head))
        heads += _clauses_below(tokens, children, head)
    return sorted(i for i in found if i >= wrapped(tokens) and content(tokens[i]))


def wrapped(tokens: Tokens) -> int:
    """How many words at the start only ask to be told what follows; none where nothing follows."""
    start = tuple(token.text.lower() for token in tokens[: max(map(len, word_groups("attacks.wrappers"))) + 1])
    led = next((len(words) for words in word_groups("attacks.wrappers") if start[: len(words)] == words), 0)
    return led if any(map(is_word, tokens[led:])) else 0


def content_keywords(tokens: Tokens, content: IsContent) -> list[int]:
    """Every content word (section 4.4.1)."""
    return [i for i, token in enumerate(tokens) if i >= wrapped(tokens) and content(token)]


def random_keywords(tokens: Tokens, count: int, rng: Random) -> list[int]:
    """`count` words drawn from all of the question's, fewer where it has fewer (section 4.4.1)."""
    words = [i for i, token in enumerate(tokens) if is_word(token)]
    return sorted(rng.sample(words, min(count, len(words))))


def _children(tokens: Tokens) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in tokens]
    for i, token in enumerate(tokens):
        if token.head != i:
            children[token.head].append(i)
    return children


def _objects(tokens: Tokens, children: list[list[int]], head: int) -> Iterator[int]:
    """Objects of prepositions that hang on the head, on one of its related children, or on such an object again."""
    pending = [head, *(i for i in children[head] if tokens[i].relation in RELATIONS - CLAUSES)]
    while pending:
        for i in children[pending.pop()]:
            if tokens[i].relation in ("prep", "agent"):
                objects = [j for j in children[i] if tokens[j].relation == "pobj"]
                yield from objects
                pending += [i, *objects]


def _clauses_below(tokens: Tokens, children: list[list[int]], head: int) -> Iterator[int]:
    """Heads of the clauses below a head that no other clause stands between, however deep they hang."""
    pending = [head]
    while pending:
        for i in children[pending.pop()]:
            if tokens[i].relation in CLAUSES:
                yield i
            else:
                pending.append(i)


Keywords = Literal["dependency", "content", "random", "all"]


def choose_keywords(tokens: Tokens, how: Keywords, rng: Random) -> list[int]:
    """DPAEG's keywords or one of its baselines, or `all` words.

    Where a language has no parser, `dependency` and `content` take the words that look like content: no stop words,
    and of two characters or more; all words if none does.
    """
    words = [i for i, token in enumerate(tokens) if is_word(token)]
    parsed = any(token.relation for token in tokens)
    if how == "all":
        return words
    if not parsed:
        content = [i for i in words if not tokens[i].stop and len(clusters(tokens[i].text)) > 1] or words
        return content if how != "random" else sorted(rng.sample(words, min(max(1, len(content) // 2), len(words))))
    if how == "content":
        return content_keywords(tokens, is_content)
    found = dependency_keywords(tokens, is_content, False)
    return found if how == "dependency" else random_keywords(tokens, max(1, len(found)), rng)
