"""Names in a question whose type is known, and others of that type for which the answer is another. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from botattack.attacks.building.parsed import Entity, below
from botattack.model import Question, Token
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import name_words, word_table
from botattack.text.word_lists import others as others_of_kind

PEOPLE = frozenset({"man alive", "man dead", "woman alive", "woman dead", "PERSON"})
GIVEN = "given"
"""The type of the names that the user lists."""
_ALONE = frozenset({"pobj", "nsubj", "nsubjpass", "poss", "dobj"})
_YEAR = re.compile(r"[12]\d{3}")
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")


def entities_among(text: str, names: Iterable[str]) -> Iterator[Entity]:
    """Where names of a list are in a text, whole words, the longest first."""
    listed = sorted((name for name in names if name.strip()), key=len, reverse=True)
    if listed:
        pattern = "|".join(map(re.escape, listed))
        found = re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)
        yield from ((match.start(), match.end(), GIVEN) for match in found)


def entities_known(text: str, tokens: Sequence[Token], runs: Iterable[Entity]) -> Iterator[Entity]:
    """Countries, cities, states, persons and years of a text by our lists; none that is a part of a longer name."""
    for i, token in enumerate(tokens):
        for length in (3, 2, 1):
            last = min(i + length, len(tokens)) - 1
            said = text[token.start : tokens[last].end].lower()
            kind = next((kind for kind, names in word_table("names.places").items() if said in names), "")
            if kind and _alone(tokens, i, last):
                yield token.start, tokens[last].end, kind
                break
        before = tokens[i - 1].text.lower() if i else ""
        if _YEAR.fullmatch(token.text) and before in ("in", "of", "during") and not _followed(tokens, i, "-/"):
            yield token.start, token.end, "year"
    yield from _persons(text, tokens, runs)


def _persons(text: str, tokens: Sequence[Token], runs: Iterable[Entity]) -> Iterator[Entity]:
    tense = _tense(text)
    for start, end, kind in runs:
        inside = [i for i, token in enumerate(tokens) if start <= token.start < end]
        first = tokens[inside[0]].text.lower()
        sex = "man" if first in name_words.men else "woman" if first in name_words.women else ""
        if sex and kind in ("PERSON", "NAME") and 2 <= len(inside) <= 3 and _alone(tokens, inside[0], inside[-1]):
            yield start, end, f"{sex} {tense}"


def _tense(text: str) -> str:
    said = {word.text.lower() for word in words(text)}
    return "dead" if said & name_words.death or not said & {"does", "is", "do", "are", "has", "have"} else "alive"


def _alone(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether a run of tokens is a whole phrase with a role of its own, and none of several."""
    inside = range(first, last + 1)
    heads = [i for i in inside if tokens[i].head not in inside]
    if len(heads) != 1 or tokens[heads[0]].relation not in _ALONE or _followed(tokens, last):
        return False
    before = tokens[first - 1] if first else None
    joined = before is not None and (before.pos in ("PROPN", "ADJ", "NUM") or before.text in "-/")
    hung = [tokens[i] for i in below(tokens, heads[0]) if i not in inside]
    return not joined and all(token.text.lower() in ("the", "'s", "’s", "'", "’") for token in hung)


def _followed(tokens: Sequence[Token], i: int, ties: str = "-/,&") -> bool:
    """Whether what follows may belong to the name: "Oxford University", "Paris, Texas"."""
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    return following is not None and (following.pos in ("NOUN", "PROPN", "NUM") or following.text in ties)


def alone_in(tokens: Sequence[Token], entity: Entity) -> bool:
    """Whether a text says no other name or number, with which another name may not go together."""
    start, end, _ = entity
    others = [token for token in tokens if not start <= token.start < end and token.tag not in ("POS", "DT")]
    listed = frozenset().union(*word_table("names.places").values())
    return not any(
        token.entity not in ("", "ORDINAL") or token.pos in ("PROPN", "NUM") or token.text.lower() in listed
        for token in others
    )


def suits(text: str, kind: str) -> bool:
    """Whether what is asked of a name of this type differs from one to the next, as far as its words tell."""
    said = {word.text.lower() for word in words(text)}
    return not said & name_words.same_for_many and (kind not in PEOPLE or bool(said & name_words.lives))


def others_than(question: Question, kind: str) -> list[str]:
    """Names of a type for which no gold answer, and nothing that is said in the question, may be right."""
    answers = " ".join((question.text, *(answer.text for answer in question.answers)))
    said = {word.text.lower() for word in words(answers)}
    return [other.name for other in others_of_kind(kind) if not other.facts & said]


def beside_answers(question: Question, passage: str) -> list[tuple[int, int]]:
    """The sentences of a passage that have a gold answer in them: what else they name may be right as well."""
    answers = [normalised(answer.text) for answer in question.answers if answer.text.strip()]
    cuts = (match.span() for match in _SENTENCE.finditer(passage))
    return [cut for cut in cuts if any(answer in normalised(passage[slice(*cut)]) for answer in answers)]
