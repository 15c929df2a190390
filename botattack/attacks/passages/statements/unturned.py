"""Questions of which no statement is made, whatever the answer: they ask for deeds or twice, or are garbled. Pure;
English."""

from __future__ import annotations

from collections.abc import Sequence

from botattack.model import Token

_NEAR = 6
"""Words at the front that are looked at."""
_FINITE = frozenset(["VBD", "VBZ", "VBP", "MD"])
_WHOLE = frozenset(["ROOT", "ccomp", "parataxis"])
_ASKS = frozenset(["WP", "WP$", "WDT", "WRB"])


def is_unturned(tokens: Sequence[Token]) -> bool:
    return _asks_for_deeds(tokens) or _asks_twice(tokens) or _is_garbled(tokens)


def _asks_for_deeds(tokens: Sequence[Token]) -> bool:
    """Whether what is done is asked for, to which no noun is an answer: "what did it do", "what happened to him"."""
    if not tokens or tokens[0].text.lower() != "what":
        return False
    bare = len(tokens) > 1 and tokens[1].pos in ("AUX", "VERB")
    return any(
        (token.text.lower() == "do" and token.tag == "VB" and i > 1)
        or (bare and i < _NEAR and token.text.lower().startswith("happen"))
        for i, token in enumerate(tokens)
    )


def _asks_twice(tokens: Sequence[Token]) -> bool:
    """Whether a second question word follows "and"."""
    return any(
        tokens[i].tag == "CC" and tokens[i + 1].tag in _ASKS - {"WP$"} and tokens[0].tag.startswith("W")
        for i in range(1, len(tokens) - 1)
    )


def _is_garbled(tokens: Sequence[Token]) -> bool:
    """Whether no verb is finite, or a question follows a sentence that is whole: "he came home, what was his name"."""
    comma = next((i for i, token in enumerate(tokens[:-1]) if token.text == "," and tokens[i + 1].tag in _ASKS), 0)
    whole = any(
        token.relation == "nsubj" and i < comma and tokens[token.head].relation in _WHOLE and token.head < comma
        for i, token in enumerate(tokens)
    )
    asks = bool(comma) and comma + 2 < len(tokens) and tokens[comma + 2].pos == "AUX" and tokens[comma + 1].tag == "WP"
    own = any(token.head == comma + 2 and token.relation == "nsubj" and i > comma + 2 for i, token in enumerate(tokens))
    return not any(token.tag in _FINITE for token in tokens) or (asks and own and whole)
