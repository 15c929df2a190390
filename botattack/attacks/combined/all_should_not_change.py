"""All strategies under which the answer should stay, as one attack (dialogue 6.1). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

import msgspec

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.choosing import PerQuestion
from botattack.attacks.building.guard import batches, claimed_first
from botattack.attacks.combined.chain import shared_languages, unasked
from botattack.attacks.sentences.reword.attack import WORDS, Reword
from botattack.attacks.sentences.word_order import SwapWords
from botattack.attacks.words.function_words import DropStopwords
from botattack.attacks.words.grammar_errors import GrammarErrors
from botattack.model import Variant
from botattack.options import Some
from botattack.protocols import Attack, Context, Proposals
from botattack.text.tokens import normalised
from botattack.text.wordlist import Vocabulary

Strategy = Literal["swap-words", "drop-stopwords", "reword", "grammar-errors"]


@dataclass(frozen=True)
class AllShouldNotChange(PerQuestion, Attack):
    """Changes the question in every way that should not change the answer, in turn. These are the
    should-not-change strategies of the dialogue paper (6.1).

    Decided here: the paper trains on the data of all strategies together, it does not apply them to one sentence at
    once; so does this. The strategies take turns until none has more. Each edit's kind begins with its strategy. For
    all of them on one sentence, write a chain.
    """

    name: ClassVar[str] = "all-should-not-change"
    plain: ClassVar[str] = "Several harmless changes"
    advice: ClassVar[str] = WORDINGS

    strategies: Some[Strategy] = ("swap-words", "drop-stopwords", "reword", "grammar-errors")
    """Which of the four. All are on, so that all their parts are needed."""
    vocabulary: Vocabulary = None
    """A file with words; a word is put in only if it is one of them."""

    @property
    def languages(self) -> frozenset[str] | None:
        return shared_languages(self._attacks())

    def parts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part for attack in self._attacks() for part in attack.parts()))

    def propose(self, context: Context, rng: Random) -> Proposals:
        attacks = self._attacks()
        starts = [attack.propose(context, Random(rng.getrandbits(64))) for attack in attacks]
        made, existing = yield from unasked(starts)
        relabelled = [
            [_relabelled(variant, attack.name, self.name) for variant in variants]
            for attack, variants in zip(attacks, made, strict=True)
        ]
        yield from batches(_in_turn(relabelled, self.per_question))
        return sum(len(made[i]) if known is None else known for i, known in enumerate(existing))

    def _attacks(self) -> list[Attack]:
        known: Mapping[str, Attack] = {
            "swap-words": SwapWords(per_question=self.per_question),
            "drop-stopwords": DropStopwords(per_question=self.per_question),
            "reword": Reword(per_question=self.per_question, vocabulary=self.vocabulary, sources=WORDS),
            "grammar-errors": GrammarErrors(per_question=self.per_question, vocabulary=self.vocabulary),
        }
        return [known[strategy] for strategy in self.strategies]


def _in_turn(made: Sequence[Sequence[Variant]], most: int) -> list[Variant]:
    """One of each in turn, those whose meaning is kept first; what is the same when normalised comes once."""
    found: dict[str, Variant] = {}
    for place in range(max((len(variants) for variants in made), default=0)):
        for variants in made:
            if place < len(variants):
                found.setdefault(normalised(variants[place].prompt.text), variants[place])
    return claimed_first(found.values(), most)


def _relabelled(variant: Variant, strategy: str, name: str) -> Variant:
    edits = tuple(msgspec.structs.replace(edit, kind=f"{strategy}: {edit.kind}") for edit in variant.edits)
    return msgspec.structs.replace(variant, attack=name, edits=edits)
