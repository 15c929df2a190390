"""What attacks ask of a parse. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from botattack.errors import MissingPart
from botattack.model import Token, code_of

ENDS = "?!.…؟。"
"""Marks that end a sentence."""
PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))


def needs_relations(tokens: Sequence[Token], attack: str, lang: str) -> None:
    """Raises MissingPart if the tokens come from a language without a parser."""
    if tokens and not any(token.relation for token in tokens):
        raise MissingPart(
            f"{attack} needs dependency relations, and no parser for the language {lang!r} is installed: botattack "
            f"resources get parser-{code_of(lang)} --from UD_FOLDER trains one"
        )


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


def below(tokens: Sequence[Token], head: int) -> list[int]:
    """A token and all that hangs below it, ascending."""
    found = {head}
    grown = True
    while grown:
        more = {i for i, token in enumerate(tokens) if token.head in found} - found
        found |= more
        grown = bool(more)
    return sorted(found)


def phrase_of(tokens: Sequence[Token], head: int) -> list[int]:
    """The same if it is in one piece; else nothing."""
    found = below(tokens, head)
    return found if found == list(range(found[0], found[-1] + 1)) else []
