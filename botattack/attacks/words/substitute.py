"""Content words replaced in their sentence (semantic parsers 3.1). Pure; English."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Literal

import msgspec

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.agreeing import edit_of
from botattack.attacks.building.choosing import PerQuestion
from botattack.attacks.building.guard import DRAWN, Draft, Edits, answer_spans, batches, guarded
from botattack.attacks.building.meaning_gates import Gate, MeaningGates, allowed, filled
from botattack.attacks.building.parsed import needs_relations
from botattack.attacks.building.restating import content_words
from botattack.model import Need, Question, Token, Variant
from botattack.options import Count
from botattack.protocols import ENGLISH, Attack, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.parts.inflection import category
from botattack.text.tokens import match_case

KIND = "neighbour"
"""The kind of its edits: a neighbour of the word's vector, not a masked model's guess."""
Candidates = Generator[Sequence[Need], Sequence[Any], list[Variant]]


@dataclass(frozen=True)
class SubstituteWord(PerQuestion, MeaningGates, Attack):
    """Replaces one content word with a word that fits its place: "what are the major rivers in ohio" becomes "what are
    the main rivers in ohio" (semantic parsers 3.1, Substitution (nf)).

    The paper asks the masked language model ELECTRA for candidates. No package contains a masked model, so this attack
    uses other words, and its edits say so (kind `neighbour`): the words with the nearest GloVe vectors that can be the
    same part of speech, get the same tag as the word when the new sentence is parsed, and have another lemma. They are
    ranked by the similarity of the sentences, as in the paper, or by a small language model too. The paper gives no
    number for its n, which is `per_question` here.

    Decided here: neighbours include opposites, which neither model recognises: direct antonyms of WordNet are left out,
    and so are words that only share a category ("five" and "six", "boston" and "denver") because numbers and names are
    no candidates. Meaning is kept from a cosine of `at_least` on, if the thesaurus lists the neighbour among the
    synonyms of each sense of the word: near words are as often siblings ("atom", "molecule") as they are synonyms, and
    which sense was meant is not known ("bike": motorcycle, bicycle). Else it is unsure.
    """

    name: ClassVar[str] = "substitute-word"
    plain: ClassVar[str] = "Replaced words"
    advice: ClassVar[str] = WORDINGS
    languages: ClassVar[frozenset[str] | None] = ENGLISH

    k: Count = 40
    """How many neighbours of each word are looked at; the paper gives no number."""
    rank: tuple[Literal["similar", "fluency"], ...] = ("similar",)
    """`similar`, or `similar` and `fluency`: the mean of both ranks. Fluency costs about a second a candidate."""
    gates: tuple[Gate, ...] = ("similar",)

    def __post_init__(self) -> None:
        if "similar" not in self.rank:
            raise ValueError("rank must name similar")

    def parts(self) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(
                ("parse", "inflection", "dictionary", "neighbours", "thesaurus", *self.rank, *self.gate_parts())
            )
        )

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from filled(self._propose(context, rng), context, self, self.per_question))

    def _propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        question = context.question
        tokens = yield from parse(question.text, question.lang, entities=True)
        needs_relations(tokens, self.name, question.lang)
        variants = yield from self._fitting(question, tokens, context.parts)
        ranked = yield from self._ranked(question, variants)
        yield from batches(ranked[: DRAWN * self.per_question])
        return len(variants)

    def _fitting(self, question: Question, tokens: Sequence[Token], parts: Any) -> Candidates:
        """One variant for each neighbour that takes its word's place in the parse."""
        spans = answer_spans(question.text, question.answers)
        free = [
            i for i in content_words(tokens) if not any(tokens[i].start < e and s < tokens[i].end for s, e in spans)
        ]
        near = yield [Need("neighbours", {"word": tokens[i].text.lower(), "top": self.k}) for i in free]
        made: dict[Edits, tuple[int, str]] = {
            (edit_of(question.text, tokens, i, match_case(tokens[i].text, word), KIND),): (i, word)
            for i, found in zip(free, near, strict=True)
            for word, _ in found
            if _may_stand(tokens[i], word, parts)
        }
        drafts = (Draft(edits) for edits in made if allowed(edits, self.vocabulary))
        variants = list(guarded(question, drafts, attack=self.name))
        texts = [variant.prompt.text for variant in variants]
        parses = yield [Need("parse", {"text": text, "lang": question.lang}) for text in texts]
        return [
            _marked(variant, tokens[i], word, parts)
            for variant, other in zip(variants, parses, strict=True)
            for i, word in [made[variant.edits]]
            if len(other) == len(tokens) and other[i].tag == tokens[i].tag
        ]

    def _ranked(self, question: Question, variants: Sequence[Variant]) -> Candidates:
        asked = [Need("similar", {"one": question.text, "other": variant.prompt.text}) for variant in variants]
        cosines = (yield asked) if asked else ()
        best = [variants[i] for i in sorted(range(len(variants)), key=lambda i: (-cosines[i], i))]
        if "fluency" not in self.rank:
            return best
        best = best[: 2 * self.per_question]
        fluent = yield [Need("fluency", {"text": variant.prompt.text}) for variant in best]
        by_fluency = {i: place for place, i in enumerate(sorted(range(len(best)), key=lambda i: (-fluent[i], i)))}
        return [best[i] for i in sorted(range(len(best)), key=lambda i: (i + by_fluency[i], i))]


def _may_stand(token: Token, word: str, parts: Any) -> bool:
    """Another lemma, and no direct antonym."""
    inflection, thesaurus = parts["inflection"], parts["thesaurus"]
    lemma, other = inflection.lemma(token.text, token.pos), inflection.lemma(word, token.pos)
    if category(token.tag) != token.pos or lemma == other or token.pos not in parts["dictionary"].parts_of_speech(word):
        return False
    opposites = (*thesaurus.antonyms(lemma, token.pos), *thesaurus.antonyms(other, token.pos))
    return not any(word in found for found in opposites for word in (lemma, other))


def _marked(variant: Variant, token: Token, word: str, parts: Any) -> Variant:
    """Unsure where the neighbour is not a synonym of the word in each of its senses."""
    inflection, thesaurus = parts["inflection"], parts["thesaurus"]
    senses = thesaurus.senses(inflection.lemma(token.text, token.pos), token.pos)
    other = inflection.lemma(word, token.pos)
    if senses and all(other in map(str.lower, sense.words) for sense in senses):
        return variant
    return msgspec.structs.replace(
        variant, meaning="unsure", why=f"{word!r} is near {token.text!r}, but no synonym of it in each of its senses"
    )
