"""One word becomes its opposite: the right answer must change (dialogue 3.1). Pure; English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from botattack.attacks.building.agreeing import edit_of
from botattack.attacks.building.combinations import Option, Slot, one_span
from botattack.attacks.building.guard import Edits, Judgement
from botattack.attacks.building.listing import Listing, Slots
from botattack.attacks.building.parsed import needs_relations
from botattack.attacks.building.plain_words import single
from botattack.attacks.words.lexicon import within
from botattack.model import Expect, Token
from botattack.options import Count
from botattack.protocols import Context
from botattack.text.inflection import category
from botattack.text.parse_need import parse
from botattack.text.tokens import match_case, normalised
from botattack.text.wordlist import Vocabulary

LEAST = 4
"""Letters of a word that takes "un"."""


@dataclass(frozen=True)
class Antonym(Listing):
    """Replaces a word with its antonym: "You need to install Ubuntu" becomes "You need to uninstall Ubuntu"
    (dialogue 3.1, Antonym). The right answer must change.

    The first verb, adjective or adverb that has an antonym, inflected as it was; where a word has several, each is a
    variant.

    Decided here: antonyms are the direct ones of WordNet, of the most frequent sense that has any; where it has none,
    "un" before a verb, adjective or adverb that makes a word of the dictionary ("uninstall"). Auxiliaries and "be" are
    passed over. Whether the answer must change is the paper's claim; it is unsure for a
    question that asks for a scale, where both ends have one answer ("how old" and "how young").
    """

    name: ClassVar[str] = "antonym"
    expect: ClassVar[Expect] = "different"

    senses: Count = 1
    """Of how many senses antonyms are taken, the most frequent first."""
    every: bool = False
    """Any word that has an antonym, nouns too, instead of the first only; still one a variant."""
    vocabulary: Vocabulary = None
    """A file with words; an antonym is put in only if it is one of them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.combine != 1:
            raise ValueError("combine must be 1: two opposites may cancel out")

    def parts(self) -> tuple[str, ...]:
        return ("parse", "thesaurus", "inflection", "dictionary")

    def slots(self, context: Context, rng: Random) -> Slots:
        del rng
        question = context.question
        tokens = yield from parse(question.text, question.lang)
        needs_relations(tokens, self.name, question.lang)
        slots = [slot for i in range(len(tokens)) if (slot := self._slot(question.text, tokens, i, context.parts))]
        return slots if self.every else slots[:1]

    def _slot(self, text: str, tokens: Sequence[Token], i: int, parts: Any) -> Slot:
        token = tokens[i]
        kinds = ("VERB", "ADJ", "ADV", *(("NOUN",) if self.every else ()))
        lemma = parts["inflection"].lemma(token.text, token.pos)
        if token.pos not in kinds or category(token.tag) != token.pos or lemma == "be":
            return ()
        kind = "scale" if i and tokens[i - 1].text.lower() == "how" else "antonym"
        found: dict[str, Option] = {}
        for other in self._opposites(lemma, token.pos, parts):
            form = match_case(token.text, parts["inflection"].inflected(other, token.tag))
            if normalised(form) != normalised(token.text):
                edit = edit_of(text, tokens, i, form, kind)
                found.setdefault(normalised(form), single(edit.start, edit.before, edit.after, kind, token))
        return one_span(text, within(list(found.values()), self.vocabulary))

    def _opposites(self, lemma: str, pos: str, parts: Any) -> list[str]:
        found = [other for sense in parts["thesaurus"].antonyms(lemma, pos)[: self.senses] for other in sense]
        undone = f"un{lemma}"
        if found or pos == "NOUN" or len(lemma) < LEAST or undone not in parts["dictionary"].words:
            return found
        kinds = parts["dictionary"].parts_of_speech(undone)
        return [undone] if pos in (kinds or (pos,)) else []

    def judge(self, edits: Edits) -> Judgement:
        edit = edits[0]
        if edit.kind == "scale":
            return "unsure", f"'how {edit.before}' and 'how {edit.after}' may have the same answer"
        return "changed", f"{edit.after!r} is the opposite of {edit.before!r}"
