"""Questions asked in another structure (DPAEG 4.2.1). Pure; English."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.clauses import clause_of
from botattack.attacks.building.drafting import Drafting, Drafts
from botattack.attacks.building.guard import Draft
from botattack.attacks.building.meaning_gates import MeaningGates, allowed, gated_draw
from botattack.attacks.building.parsed import related
from botattack.attacks.building.restating import REQUEST, restated
from botattack.attacks.sentences.rewriting import in_form_of, rewritten
from botattack.protocols import ENGLISH, Context, Proposals


@dataclass(frozen=True)
class Restate(MeaningGates, Drafting):
    """Asks the same in another structure: indirectly, passively, as a cleft sentence or a request; with "the capital of
    France" and "France's capital", "why" and "for what reason".

    DPAEG 4.2.1 restated its questions by hand; this does it by rules over the parse. `{chain: [restate, dpaeg]}` is
    that section's experiment, `{chain: [reword, restate]}` has other words too.

    Decided here: the question's mark (a full stop where the sentence no longer asks) and the case of its first letter
    stay. Meaning is kept where the gates let it pass.
    """

    name: ClassVar[str] = "restate"
    plain: ClassVar[str] = "Other wordings"
    advice: ClassVar[str] = WORDINGS
    languages: ClassVar[frozenset[str] | None] = ENGLISH

    def parts(self) -> tuple[str, ...]:
        return ("parse", "inflection", *self.gate_parts())

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from gated_draw(lambda wider: Drafting.propose(wider, context, rng), context, self))

    def drafts(self, context: Context, rng: Random) -> Drafts:
        del rng
        question = context.question
        tokens = yield from related(self.name, question, entities=True)
        clause = clause_of(question.text, tokens)
        found = restated(clause, context.parts["inflection"]) if clause else ()
        return self._drafts(question.text, iter(found))

    def _drafts(self, text: str, found: Iterator[tuple[str, str]]) -> Iterator[Draft]:
        for sentence, rule in found:
            edits = rewritten(text, in_form_of(text, sentence, asks=rule != REQUEST), rule)
            if edits and allowed(edits, self.vocabulary):
                yield Draft(edits)
