"""A question with "do" whose verb a parser took for a noun: "who did Tesla partner with". Pure; English."""

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
    asked = asked_for(tokens, body)
    after = len(asked)
    if not asked or after + 1 >= len(body) or tokens[after].text.lower() not in DO:
        return None
    behind = body[after + 1 :]
    if any(tokens[i].tag in _VERBS and tokens[i].relation not in ("acl", "relcl", "amod") for i in behind):
        return None
    verb = next((i for i in reversed(behind[1:]) if _may_be_verb(tokens, i, body[-1], inflection)), None)
    if verb is None:
        itself = any(tokens[i].relation.startswith("nsubj") for i in asked)
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
