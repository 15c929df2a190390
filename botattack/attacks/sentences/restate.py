"""Questions asked in other words (DPAEG 4.2.1). Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product
from random import Random
from typing import Any, ClassVar, Literal

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.agreeing import agreeing, edit_of
from botattack.attacks.building.clauses import clause_of
from botattack.attacks.building.drafting import Drafting, Drafts
from botattack.attacks.building.guard import KEPT, Draft, Judgement, answer_spans
from botattack.attacks.building.meaning_gates import MeaningGates, allowed, gated_draw
from botattack.attacks.building.parsed import needs_relations
from botattack.attacks.building.restating import REQUEST, content_words, restated
from botattack.attacks.sentences.rewriting import in_form_of, rewritten
from botattack.model import Question, Token, Variant
from botattack.options import Share
from botattack.protocols import ENGLISH, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.parts.inflection import category
from botattack.text.tokens import match_case
from botattack.text.word_lists import attack_words

MOST = 2000
"""Drafts of a question that are looked at."""
UNLOOKED: Judgement = ("unsure", "it was not checked whether the synonym fits here: the gate similar is off")


@dataclass(frozen=True)
class Restate(MeaningGates, Drafting):
    """Asks the same in other words: restructures the question, replaces words with synonyms, or both.

    DPAEG 4.2.1 restated its questions by hand; this does it by rules over the parse. `{chain: [restate, dpaeg]}` is
    that section's experiment.

    Decided here: synonyms are those of WordNet for the word's part of speech, inflected as the word was; a word of a
    name, of a gold answer or with little sense of its own ("get", "make", "kind") keeps its place. The question's mark
    (a full stop where the sentence no longer asks) and the case of its first letter stay. Meaning is kept where the
    gates let it pass.
    """

    name: ClassVar[str] = "restate"
    plain: ClassVar[str] = "Other wordings"
    advice: ClassVar[str] = WORDINGS
    languages: ClassVar[frozenset[str] | None] = ENGLISH

    ways: tuple[Literal["structure", "synonyms"], ...] = ("structure", "synonyms")
    """`structure` (the question made indirect, passive, a cleft sentence, a request; "the capital of France" and
    "France's capital"; "why" and "for what reason"), `synonyms`, or both."""
    synonyms: int = 1
    """How many words may become synonyms at once."""
    senses: int = 1
    """From how many senses, the most frequent first, to take synonyms. More senses give more synonyms that fit
    worse."""
    synonym_at_least: Share = 0.93
    """The cosine that a variant with synonyms needs. A word has several senses and the thesaurus does not know which is
    meant ("capital" and "working capital"): what is less alike is unsure."""

    def __post_init__(self) -> None:
        if not self.ways:
            raise ValueError("ways must name structure, synonyms or both")
        if self.synonyms < 1 or self.senses < 1:
            raise ValueError("synonyms and senses must be at least 1")

    def parts(self) -> tuple[str, ...]:
        return ("parse", "inflection", *(("thesaurus",) if "synonyms" in self.ways else ()), *self.gate_parts())

    def least(self, variant: Variant) -> float:
        replaced = any("synonym" in edit.kind for edit in variant.edits)
        return max(self.at_least, self.synonym_at_least) if replaced else self.at_least

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from gated_draw(lambda wider: Drafting.propose(wider, context, rng), context, self))

    def drafts(self, context: Context, rng: Random) -> Drafts:
        question = context.question
        tokens = yield from parse(question.text, question.lang, entities=True)
        needs_relations(tokens, self.name, question.lang)
        return islice(self._drafts(question, tokens, context.parts, rng), MOST)

    def _drafts(
        self, question: Question, tokens: Sequence[Token], parts: Mapping[str, Any], rng: Random
    ) -> Iterator[Draft]:
        clause = clause_of(question.text, tokens) if "structure" in self.ways else None
        for words in self._choices(question, tokens, parts, rng):
            edits = tuple(edit_of(question.text, tokens, i, words[i], "synonym") for i in sorted(words))
            written = {place: new for i in words for place, new in agreeing(tokens, i, words[i]).items()}
            judgement = KEPT if not words or "similar" in self.gates else UNLOOKED
            if edits and allowed(edits, self.vocabulary):
                yield Draft(edits, judgement)
            if clause is None:
                continue
            for sentence, rule in restated(replace(clause, words=written), parts["inflection"]):
                kind = f"{rule} + synonym" if words else rule
                after = in_form_of(question.text, sentence, asks=rule != REQUEST)
                whole = rewritten(question.text, after, kind)
                if whole and allowed(whole, self.vocabulary):
                    yield Draft(whole, judgement)

    def _choices(
        self, question: Question, tokens: Sequence[Token], parts: Mapping[str, Any], rng: Random
    ) -> Iterator[dict[int, str]]:
        """No synonym, then every set of at most as many as allowed, in random order of words."""
        yield {}
        if "synonyms" not in self.ways:
            return
        spans = answer_spans(question.text, question.answers)
        by_word = {
            i: found
            for i in content_words(tokens)
            if not any(tokens[i].start < end and start < tokens[i].end for start, end in spans)
            and not any(token.relation == "prt" and token.head == i for token in tokens)
            and (found := synonyms_of(tokens[i], parts, self.senses))
        }
        order = rng.sample(sorted(by_word), len(by_word))
        for count in range(1, self.synonyms + 1):
            for places in combinations(order, count):
                for chosen in product(*(by_word[i] for i in places)):
                    yield dict(zip(places, chosen, strict=True))


def synonyms_of(token: Token, parts: Mapping[str, Any], senses: int) -> list[str]:
    """The synonyms of a word in its own form and case."""
    lemma = parts["inflection"].lemma(token.text, token.pos)
    if (
        lemma in attack_words.light_verbs
        or category(token.tag) != token.pos
        or (not token.text.islower() and not token.text.istitle())
    ):
        return []
    others = parts["thesaurus"].synonyms(lemma, token.pos, senses)
    forms = (parts["inflection"].inflected(other, token.tag) for other in others if other == other.lower())
    return [match_case(token.text, form) for form in dict.fromkeys(forms) if form.lower() != token.text.lower()]
