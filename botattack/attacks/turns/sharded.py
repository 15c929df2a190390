"""Says a question piece by piece, over several turns. Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import EARLIER
from botattack.attacks.building.asking import WH
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.parsed import ENDS, body_of, paired, related
from botattack.attacks.turns.said_turns import phrase, turns_before
from botattack.model import Edit, Token
from botattack.options import Several
from botattack.places import PlaceKind
from botattack.protocols import ENGLISH, Attack, Context, Proposals

_CUT = frozenset({"prep", "advcl", "relcl", "agent", "npadvmod"})
"""Relations of phrases that may be said later."""
_NEVER = frozenset({"of", "as", "than", ","})
"""What begins no piece: without it the words before are not complete."""
_LEAST = 3
"""Words of what is asked first."""


@dataclass(frozen=True)
class Sharded(Attack):
    """Asks a question without its last phrases and says these in further turns (Laban et al. 2025, "LLMs Get Lost In
    Multi-Turn Conversation"): "Which team won?", "I mean at Super Bowl 50.", "To be exact, in 2016."

    A phrase begins with a preposition, or is a clause, and goes to the end of what is left. By the last turn everything
    has been said, and only the reply to it is judged: a right bot combines the turns. The asking words, and at least
    three words in all, stay in the first turn. Decided here: the paper has a model write the pieces; no piece begins
    with "of", "as", "than" or an infinitive, because the words before it would be incomplete.
    """

    name: ClassVar[str] = "sharded"
    plain: ClassVar[str] = "Questions spread over several messages"
    advice: ClassVar[str] = EARLIER
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    per_question: ClassVar[int] = 1
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"question", "added turn"})

    turns: Several = 3
    """How many turns there are at most."""

    def parts(self) -> tuple[str, ...]:
        return ("parse",)

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        tokens = yield from related(self.name, question)
        pieces = list(pieces_of(question.text, tokens, self.turns))
        if len(pieces) < 2:
            return 0
        first, *others = pieces
        *said, last = [f"{first}?", *(phrase(question, "shard", rng).format(phrase=other) for other in others)]
        edits = (*turns_before(question, said, ["shard"] * len(said)), Edit(0, question.text, last, "shard"))
        yield [variant_of(question, self.name, edits)]
        return 1


def pieces_of(text: str, tokens: Sequence[Token], most: int) -> Iterator[str]:
    """What is asked, and the phrases behind it, in their order; the whole text if nothing can be cut off."""
    body = body_of(tokens)
    cuts = [len(body)]
    while body and len(cuts) < most:
        end = cuts[0]
        start = next((i for i in range(end - 1, _LEAST - 1, -1) if _is_phrase(tokens, i, end)), None)
        if start is None:
            break
        cuts.insert(0, start)
    bounds = [0, *cuts]
    for start, end in pairwise(bounds):
        if end > start:
            yield text[tokens[start].start : tokens[end - 1].end].strip(" ,;" + ENDS)


def _is_phrase(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether these tokens hang together below one that stands outside, and what stays before them asks."""
    heads = [i for i in range(start, end) if not start <= tokens[i].head < end]
    first, before = tokens[start], range(start)
    if len(heads) != 1 or tokens[heads[0]].relation not in _CUT or first.text.lower() in _NEVER or end - start < 2:
        return False
    if first.pos == "PART" or tokens[tokens[heads[0]].head].pos not in ("VERB", "AUX", "NOUN", "PROPN"):
        return False
    asks = any(tokens[i].tag in WH for i in before) and any(tokens[i].pos in ("VERB", "AUX") for i in before)
    closed = all(tokens[i].head < start for i in before)
    return asks and closed and tokens[start - 1].pos not in ("ADP", "DET") and paired(tokens, range(start, end))
