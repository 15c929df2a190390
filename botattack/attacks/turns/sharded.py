"""Says a question piece by piece, over several turns. Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import EARLIER
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.parsed import WH, body_of, paired
from botattack.attacks.turns.said_turns import phrase, turns_before
from botattack.model import Edit, Token
from botattack.options import Several
from botattack.places import PlaceKind
from botattack.protocols import ENGLISH, Attack, Context, Proposals
from botattack.text.parse_need import parse

_CUT = frozenset({"prep", "advcl", "relcl", "agent", "npadvmod"})
"""Relations of phrases that may be said later."""
_NEVER = frozenset({"of", "as", "than"})
"""What begins no piece: without it the words before are not complete."""
_NEEDED = frozenset({"for", "on", "to", "upon", "with"})
"""What verbs need of their own: "deals with"."""
_ONE = ("the one", "the ones")
"""What a relative clause is said of."""
_LEAST = 3
"""Words of what is asked first."""


@dataclass(frozen=True)
class Sharded(Attack):
    """Asks a question without its last phrases and says these in further turns (Laban et al. 2025, "LLMs Get Lost In
    Multi-Turn Conversation"): "Which team won?", "I mean at Super Bowl 50.", "To be exact, in 2016."

    A phrase begins with a preposition, or is a clause, and goes to the end of what is left; a relative clause is said
    of "the one". By the last turn everything has been said, and only the reply to it is judged: a right bot combines
    the turns. The question begins with its asking words; these, and at least three words in all, stay in the first
    turn. Decided here: the paper has a model write the pieces; no piece begins with "of", "as", "than" or an
    infinitive, or behind a participle or an auxiliary that needs it, because the words before it would be incomplete.
    """

    name: ClassVar[str] = "sharded"
    plain: ClassVar[str] = "Questions spread over several messages"
    advice: ClassVar[str] = EARLIER
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    uses: ClassVar[tuple[str, ...]] = ("parse",)
    per_question: ClassVar[int] = 1
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"question", "added turn"})

    turns: Several = 3
    """How many turns there are at most."""

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        tokens = yield from parse(question.text, question.lang)
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
            piece = text[tokens[start].start : tokens[end - 1].end].strip()
            yield f"{_ONE[_of_many(tokens, start, end)]} {piece}" if start and tokens[start].tag in WH else piece


def _is_phrase(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether these tokens hang together below one that stands outside, and what stays before them asks."""
    heads = [i for i in range(start, end) if not start <= tokens[i].head < end]
    first, last = tokens[start], tokens[start - 1]
    if len(heads) != 1 or tokens[heads[0]].relation not in _CUT or first.text.lower() in _NEVER or end - start < 2:
        return False
    above = tokens[tokens[heads[0]].head]
    if first.pos == "PART" or above.pos not in ("VERB", "AUX", "NOUN", "PROPN"):
        return False
    related = tokens[heads[0]].relation == "relcl"
    asks = any(token.tag in WH for token in tokens[:2]) and any(
        token.pos in ("VERB", "AUX") for token in tokens[:start]
    )
    said = all(tokens[i].tag not in WH for i in range(start + 1, end)) and (first.tag in WH) == related
    needed = last.pos == "VERB" and first.text.lower() in _NEEDED
    closed = all(token.head < start for token in tokens[:start]) and not needed and not _incomplete(last)
    return asks and said and closed and paired(tokens, range(start, end))


def _incomplete(last: Token) -> bool:
    """Whether more must follow a word: "a game designed", "which writer was"."""
    described = last.tag in ("VBN", "VBG") and last.relation == "acl"
    return described or last.pos in ("ADP", "AUX", "PUNCT", "PRON") or last.relation == "relcl"


def _of_many(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether a relative clause describes more than one."""
    head = next(tokens[i].head for i in range(start, end) if not start <= tokens[i].head < end)
    return tokens[head].tag in ("NNS", "NNPS")
