"""Questions whose parse is wrong, taken apart by the tags of their words. Pure; English."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from botattack.attacks.building.clauses import DO, Clause, asked_for
from botattack.attacks.building.parsed import body_of
from botattack.attacks.building.restating import Inflects
from botattack.model import Token

_VERBS = frozenset(["VB", "VBP", "VBD", "VBN"])
_BEFORE_A_NOUN = frozenset(["DET", "ADJ", "NUM", "ADP"])


def helped(text: str, tokens: Sequence[Token], inflection: Inflects) -> Clause | None:
    """The clause of such a question; None if there is no "do" behind the question phrase, or its verb was found.

    A "do" with no verb behind it is the verb itself: "who did the national anthem".
    """
    body = body_of(tokens)
    asked = asked_for(tokens, body) if body else ()
    after = len(asked)
    if not asked or after + 1 >= len(body) or tokens[after].text.lower() not in DO:
        return None
    behind = body[after + 1 :]
    below_it = [
        i for i in behind if tokens[i].tag == "VB" and tokens[i].relation == "ccomp" and tokens[i].head == after
    ]
    if below_it and tokens[after].head == after and below_it[0] > after + 1:
        verb = below_it[0]
        return Clause(text, tokens, verb, asked, after, tuple(range(after + 1, verb)), tuple(body[verb:]))
    if any(tokens[i].tag in _VERBS and tokens[i].relation not in ("acl", "relcl", "amod") for i in behind):
        return None
    verb = next((i for i in reversed(behind[1:]) if _may_be_verb(tokens, i, body[-1], inflection)), None)
    whole = len(asked) == 1 and tokens[after + 1].pos == "DET" and tokens[0].text.lower() == "who"
    if verb is None or (whole and verb != body[-1] and tokens[verb + 1].text == "of"):
        named = tokens[after + 1].pos == "DET" or (tokens[after + 1].pos == "NOUN" and tokens[after + 1].text.islower())
        itself = named and any(tokens[i].relation.startswith("nsubj") for i in asked)
        return Clause(text, tokens, after, asked, None, (), tuple(body[after:])) if itself else None
    tagged = [
        msgspec.structs.replace(token, tag="VB", pos="VERB") if i == verb else token for i, token in enumerate(tokens)
    ]
    return Clause(text, tagged, verb, asked, after, tuple(range(after + 1, verb)), tuple(body[verb:]))


def _may_be_verb(tokens: Sequence[Token], i: int, last: int, inflection: Inflects) -> bool:
    """A base form in front of a preposition or the end that no article, adjective or preposition is before."""
    token = tokens[i]
    ends = i == last or tokens[i + 1].pos in ("ADP", "SCONJ", "PUNCT")
    base = token.text.islower() and token.text.isalpha() and inflection.lemma(token.text, "VERB") == token.text
    return (
        ends
        and base
        and token.relation not in ("pobj", "compound")
        and token.tag in ("NN", "NNP", "JJ", "VB")
        and tokens[i - 1].pos not in _BEFORE_A_NOUN
    )


def with_both(text: str, tokens: Sequence[Token]) -> Clause | None:
    """A yes/no question with "both", which goes in front of what is asked of the two."""
    body = body_of(tokens)
    at = next((i for i in body if tokens[i].text.lower() == "both"), 0)
    if not at or tokens[0].pos not in ("AUX", "VERB") or tokens[0].tag.startswith("W"):
        return None
    end = at
    if at == 1:
        end = 2
        while end < len(body) and (
            tokens[end].text[:1].isupper() or tokens[end].text.lower() in _JOINS or _digits(tokens[end])
        ):
            end += 1
    subject = tuple(range(1, at)) if at > 1 else tuple(range(2, end))
    rest = (at, *(i for i in body if i >= (at + 1 if at > 1 else end)))
    return Clause(text, tokens, 0, (), 0, subject, rest) if subject and len(rest) > 1 else None


_JOINS = frozenset(["and", ",", "of", "the", "in", "'s"])


def _digits(token: Token) -> bool:
    return token.text[:1].isdigit()


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
    asked, after = tuple(range(after)), _behind_commas(tokens, after, len(body))
    if after >= len(body) or tokens[after].pos not in ("AUX", "VERB"):
        return None
    if tokens[after].pos == "VERB" and tokens[after].text.lower() not in DO:
        return Clause(text, tokens, after, asked, None, (), tuple(body[after:])) if not first else None
    if asked[-1] + 1 < after or (not first and tokens[after + 1].tag in ("VBN", "VBG", "RB")):
        return Clause(text, tokens, after, asked, None, (), tuple(body[after:]))
    verb = next((i for i in body[after + 2 :] if tokens[i].tag in _VERBS | {"VBG"}), None)
    clear = verb is not None and not any(tokens[i].tag.startswith("W") for i in range(after + 1, verb))
    if verb is None or not clear or tokens[after + 1].pos not in ("DET", "PROPN", "PRON", "NOUN", "ADJ"):
        return None
    return Clause(text, tokens, verb, asked, after, tuple(range(after + 1, verb)), tuple(body[verb:]))


def _behind_commas(tokens: Sequence[Token], at: int, end: int) -> int:
    """Where the sentence goes on behind ", Letters to Cleo or Screaming Trees,"."""
    if at >= end or tokens[at].text != ",":
        return at
    commas = [i for i in range(at + 1, end - 1) if tokens[i].text == "," and tokens[i + 1].pos in ("AUX", "VERB")]
    return commas[0] + 1 if commas else at
