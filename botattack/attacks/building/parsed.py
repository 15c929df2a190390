"""What attacks ask of a parse. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from botattack.errors import MissingPart
from botattack.model import Question, Token, code_of
from botattack.text.parse_need import Asking, parse

ENDS = "?!.…؟。"
"""Marks that end a sentence."""
WHITE = " \t\n\u00a0\u202f"
"""White space that may stand before them."""
Entity = tuple[int, int, str]
"""Where a name starts and ends, and its type."""
_TYPES = {"FAC": "GPE", "LOC": "GPE", "": "NAME"}
PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))


def needs_relations(tokens: Sequence[Token], attack: str, lang: str) -> None:
    """Raises MissingPart if the tokens come from a language without a parser."""
    if tokens and not any(token.relation for token in tokens):
        raise MissingPart(
            f"{attack} needs dependency relations, and no parser for the language {lang!r} is installed: botattack "
            f"resources get parser-{code_of(lang)} --from UD_FOLDER trains one"
        )


def related(attack: str, question: Question, text: str = "", *, lemmas: bool = False, entities: bool = False) -> Asking:
    """The tokens of a question, or of its text as it is given; raises MissingPart where no parser relates them."""
    tokens = yield from parse(text or question.text, question.lang, lemmas=lemmas, entities=entities)
    needs_relations(tokens, attack, question.lang)
    return tokens


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
