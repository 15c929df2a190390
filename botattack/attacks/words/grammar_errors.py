"""Real grammar errors by a table and two rules (dialogue 3.1). Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from botattack.attacks.building.advice import SPELLING
from botattack.attacks.building.combinations import Option, Slot
from botattack.attacks.building.guard import KEPT
from botattack.attacks.building.listing import Listing, Slots
from botattack.attacks.building.meaning_gates import Gate, MeaningGates, gated_draw
from botattack.attacks.building.plain_words import single
from botattack.attacks.words.function_words import judged
from botattack.attacks.words.known_phrases import matched, options
from botattack.model import Token
from botattack.options import Count
from botattack.protocols import ENGLISH, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.spelling import distance
from botattack.text.tokens import match_case
from botattack.text.word_lists import function_words, grammar_words
from botattack.text.wordlist import WordList

MOST = 5
"""Errors of the table that are taken for a place."""


def within(slot: Sequence[Option], vocabulary: WordList | None) -> list[Option]:
    """The options that put in nothing but words of the vocabulary, if there is one."""
    return [option for option in slot if vocabulary is None or vocabulary.holds(option.after)]


@dataclass(frozen=True)
class GrammarErrors(MeaningGates, Listing):
    """Makes grammar errors: "He doesn't like cakes" becomes "He don't like cake" (dialogue 3.1, Grammar Errors).

    Correct words are replaced with mistakes that writers really made, from a table learnt from corrected text (M2
    files, `BOTATTACK_GRAMMAR_ERRORS`; the paper's is AESW); and by the paper's two rules, an inflected verb becomes its
    infinitive and a plural noun its singular.

    Decided here: "does" and "has" become "do" and "have" by the rule for verbs; forms of "be" stay, because nobody
    writes "he be" by mistake. Left out are errors of the table that put another word in (no function word, and further
    than half its length away), one between "be" and another verb or between prepositions that carry sense of their own,
    or that add or drop a negation. Of a place the five most frequent are taken.
    """

    name: ClassVar[str] = "grammar-errors"
    plain: ClassVar[str] = "Grammar mistakes"
    advice: ClassVar[str] = SPELLING
    languages: ClassVar[frozenset[str] | None] = ENGLISH

    gates: tuple[Gate, ...] = ()
    combine: Count | None = 2
    """How many errors at once; none, as in the paper, means as many as there are places, which few can read."""
    table: bool = True
    """Whether the table is used; off, the two rules alone, which need no file."""

    def parts(self) -> tuple[str, ...]:
        table = ("grammar-errors",) if self.table else ()
        return ("parse", "inflection", *table, *self.gate_parts())

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from gated_draw(lambda wider: Listing.propose(wider, context, rng), context, self))

    def slots(self, context: Context, rng: Random) -> Slots:
        question = context.question
        tokens = yield from parse(question.text, question.lang)
        slots = self._slots(question.text, tokens, context)
        return [slot for slot in (within(slot, self.vocabulary) for slot in slots) if slot]

    def _slots(self, text: str, tokens: Sequence[Token], context: Context) -> Iterator[Slot]:
        table = context.parts["grammar-errors"] if self.table else None

        def wrong(span: Sequence[Token], phrase: str) -> Sequence[str]:
            learnt = _learnt(table, phrase)
            return learnt if learnt or len(span) > 1 else _by_rule(span[0], context.parts["inflection"])

        for phrase in matched(text, tokens, table.longest if table else 1, wrong):
            learnt = _learnt(table, phrase.text)
            slot = options(phrase, tokens, "learnt" if learnt else "rule")
            first = tokens[phrase.first]
            if phrase.stop == phrase.first + 1 and learnt:
                known = {option.after.lower() for option in slot}
                by_rule = [form for form in _by_rule(first, context.parts["inflection"]) if form not in known]
                slot += [
                    single(first.start, first.text, match_case(first.text, form), "rule", first) for form in by_rule
                ]
            yield slot


def _learnt(table: Any, phrase: str) -> list[str]:
    """What the table has in place of a phrase, the most frequent first."""
    wrong: Sequence[str] = table.of(phrase) if table else ()
    return [other for other in wrong if _keeps(phrase.lower(), other.lower())][:MOST]


def _by_rule(token: Token, inflection: Any) -> Sequence[str]:
    if token.tag in ("VBD", "VBZ", "VBN", "VBG") and token.text.isalpha():
        infinitive = inflection.lemma(token.text, "VERB")
        return () if infinitive in ("be", token.text.lower()) else (infinitive,)
    if token.tag == "NNS" and token.text.isalpha():
        singular = inflection.lemma(token.text, "NOUN")
        return () if singular == token.text.lower() else (singular,)
    return ()


def _keeps(before: str, after: str) -> bool:
    """Whether what differs is function words of one kind, or the form of a word, and no negation."""
    one, other = before.split(), after.split()
    if any(words.isdisjoint(one) != words.isdisjoint(other) for words in (grammar_words.denials, grammar_words.be)):
        return False
    if judged(before, after) != KEPT:
        return False
    if len(one) == len(other) and any(
        a != b and function_words().get(a) != function_words().get(b) for a, b in zip(one, other, strict=True)
    ):
        return False
    left, right = ([word for word in words if word not in function_words()] for words in (one, other))
    if len(left) != len(right):
        return False
    return all(distance(a, b) <= max(len(a), len(b)) // 2 and a[:2] == b[:2] for a, b in zip(left, right, strict=True))
