"""Questions whose parse is wrong, taken apart by the tags of their words. Pure; English."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from botattack.attacks.building.clauses import DO, Clause, stranded
from botattack.attacks.building.parsed import body_of, paired
from botattack.model import Token

_HAVE = frozenset(["has", "have", "had"])
_VERBS = frozenset(["VB", "VBP", "VBD", "VBN"])
_NOMINAL = frozenset(["DET", "PROPN", "NOUN", "PRON", "ADJ"])
_NO_VERB = frozenset(["NOUN", "PROPN", "ADJ", "NUM", "DET"])


def with_both(text: str, tokens: Sequence[Token]) -> Clause | None:
    """A yes/no question with "both", which goes in front of what is asked of the two."""
    body = body_of(tokens)
    at = next((i for i in body if tokens[i].text.lower() == "both"), 0)
    if not at or tokens[0].pos not in ("AUX", "VERB"):
        return None
    end = at
    if at == 1:
        end = 2
        while end < len(body) and (tokens[end].text[:1].isupper() or tokens[end].text.lower() in _JOINS):
            end += 1
    subject = tuple(range(1, at)) if at > 1 else tuple(range(2, end))
    rest = (at, *(i for i in body if i >= (at + 1 if at > 1 else end)))
    return Clause(text, tokens, 0, (), 0, subject, rest) if subject and len(rest) > 1 else None


# What stands inside a name with "both" before it; no set of words of its own.
_JOINS = frozenset(["and", ",", "of", "the", "in", "'s"])


def by_tags(text: str, tokens: Sequence[Token]) -> Clause | None:
    """The clause of a question by its tags alone: the question phrase up to a verb, and, if that is an auxiliary, the
    subject up to the next verb. What stands between commas behind the phrase is left out."""
    body = body_of(tokens)
    first = 1 if tokens and tokens[0].pos == "ADP" else 0
    if len(body) < first + 3 or not tokens[first].tag.startswith("W"):
        return None
    after = first + 1
    while after < len(body) and tokens[after].pos in ("ADJ", "NUM", "NOUN", "PROPN", "DET"):
        after += 1
    asked = tuple(range(after))
    if after >= len(body) or tokens[after].pos not in ("AUX", "VERB"):
        return None
    if tokens[after].pos == "VERB" and tokens[after].text.lower() not in DO | _HAVE:
        return Clause(text, tokens, after, asked, None, (), tuple(body[after:])) if not first else None
    verb = next((i for i in body[after + 2 :] if tokens[i].tag in _VERBS | {"VBG"}), None)
    clear = verb is not None and not any(tokens[i].tag.startswith("W") for i in range(after + 1, verb))
    if verb is None or not clear or tokens[after + 1].pos not in ("DET", "PROPN", "PRON", "NOUN", "ADJ"):
        return None
    start = verb
    while start > after + 2 and tokens[start - 1].pos == "ADV":  # "is it still allowed"
        start -= 1
    return Clause(text, tokens, verb, asked, after, tuple(range(after + 1, start)), tuple(body[start:]))


def bare(tokens: Sequence[Token], i: int, rest: Sequence[int]) -> bool:
    """Whether a preposition has lost its object to the question phrase, at the end whatever it is taken for."""
    return stranded(tokens, i) or (
        i == rest[-1] and tokens[i].relation != "prt" and not any(token.head == i for token in tokens[i + 1 :])
    )


def complete(clause: Clause) -> bool:
    """Whether the clause has a subject that the question phrase is, or one of its own, and no bracket is open."""
    tokens, rest = clause.tokens, clause.rest
    joined = any(one.pos == "CCONJ" and other.tag in ("WP", "WRB") for one, other in pairwise(tokens))
    if joined or not paired(tokens, rest):
        return False
    if not clause.asks_for_subject or not rest:
        return True
    helps = tokens[rest[0]].pos == "AUX" or tokens[rest[0]].text in _HAVE
    turned = len(rest) > 1 and helps and tokens[rest[1]].pos in _NOMINAL
    modal = [n for n, i in enumerate(rest) if n and tokens[i].tag == "MD"]
    inner = any(tokens[i].tag.startswith("W") or tokens[i].text == "that" for i in rest[: (modal or [0])[0]])
    there = tokens[rest[-1]].text.lower() == "there" and tokens[clause.asked[0]].tag == "WRB"
    done = helps and tokens[rest[-1]].tag in ("VBN", "VBD")  # "what is it called"
    hangs = (tokens[rest[-1]].pos == "ADP" and not there) or done or (bool(modal) and not inner)
    hangs = hangs or any(tokens[i].tag == "VBN" for i in rest[2:])  # "how many Grammys has she won"
    return tokens[rest[0]].pos not in _NO_VERB and not (turned and hangs) and tokens[clause.asked[0]].pos != "ADP"
