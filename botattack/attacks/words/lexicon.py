"""Words and phrases exchanged by tables: paraphrases and real grammar errors (dialogue 3.1). Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from botattack.attacks.building.advice import SPELLING, WORDINGS
from botattack.attacks.building.combinations import Option, Slot, one_span
from botattack.attacks.building.guard import KEPT, Edits, Judgement
from botattack.attacks.building.listing import Listing, Slots
from botattack.attacks.building.meaning_gates import Gate, MeaningGates, gated_draw
from botattack.attacks.building.plain_words import single, word_tokens
from botattack.attacks.words.function_words import judged
from botattack.attacks.words.known_phrases import matched, options
from botattack.model import Edit, Token
from botattack.options import Count, Share
from botattack.protocols import ENGLISH, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.parts.inflection import category
from botattack.text.spelling import distance
from botattack.text.tokens import match_case
from botattack.text.word_lists import attack_words, function_words, grammar_words
from botattack.text.wordlist import WordList

NEAR = "near paraphrase"
"""The kind of edit that puts in what the thesaurus does not call a synonym."""


def within(slot: Sequence[Option], vocabulary: WordList | None) -> list[Option]:
    """The options that put in nothing but words of the vocabulary, if there is one."""
    return [option for option in slot if vocabulary is None or vocabulary.holds(option.after)]


@dataclass(frozen=True)
class ParaphraseLexicon(MeaningGates, Listing):
    """Replaces words and phrases with their paraphrases: "She bought a bike" becomes "She purchased a bicycle"
    (dialogue 3.1, Data-level Paraphrasing).

    At every place, from left to right, the longest phrase in the lexicon is taken. The paper's lexicon is the small
    PPDB 2.0; any file in PPDB's form, or of two words a line, will do (`BOTATTACK_PARAPHRASES`).

    Decided here: single function words are not replaced, nor are capitalised words within the sentence, which are names
    ("New York"), and entries that the lexicon lists as opposites are ignored. A variant is drawn at random from all
    ways to choose a paraphrase or none at each place. A single word of a parsed language is put in the form of the word
    that it replaces, if it can be the same part of speech; a verb or adjective that governs a preposition stays
    ("married to"). Meaning is unsure if the thesaurus knows a word and does not list the other among its synonyms.
    """

    name: ClassVar[str] = "paraphrase-lexicon"
    plain: ClassVar[str] = "Synonyms"
    advice: ClassVar[str] = WORDINGS

    gates: tuple[Gate, ...] = ("similar", "opposites")
    at_least: Share = 0.93
    """The cosine below which meaning is unsure: a word has several senses, and the lexicon does not say of which."""
    combine: Count | None = None
    """How many places may change at once; none, as in the paper, means all that match."""

    def parts(self) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(("paraphrases", "parse", "inflection", "dictionary", "thesaurus", *self.gate_parts()))
        )

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from gated_draw(lambda wider: Listing.propose(wider, context, rng), context, self))

    def judge(self, edits: Edits) -> Judgement:
        near = next((edit for edit in edits if edit.kind == NEAR), None)
        return ("unsure", f"{near.after!r} is not a synonym of {near.before!r} in the thesaurus") if near else KEPT

    def slots(self, context: Context, rng: Random) -> Slots:
        del rng
        lexicon, question = context.parts["paraphrases"], context.question
        text, tokens = question.text, word_tokens(question.text)
        parsed = yield from parse(text, question.lang, entities=True)
        # Of a text of capitals, or with one at each word, the parser takes all words for names.
        plain = not (text.isupper() or text.istitle())
        places = {token.start: i for i, token in enumerate(parsed) if token.tag and plain}

        def others(span: Sequence[Token], phrase: str) -> Sequence[str]:
            alone = len(span) == 1 and phrase.lower() in function_words()
            found: Sequence[str] = () if alone or any(map(named, span)) else lexicon.of(phrase)
            place = places.get(span[0].start) if len(span) == 1 else None
            return found if place is None or not found else fitting(parsed, place, found, context.parts)

        def named(word: Token) -> bool:
            return word.text[:1].isupper() and word is not tokens[0] and plain

        slots, stop = list[Slot](), 0
        for phrase in matched(text, tokens, lexicon.longest, others):
            # An article that another phrase takes in is that phrase's.
            place = places.get(tokens[phrase.first].start) if phrase.stop == phrase.first + 1 else None
            said = (lambda other, i=place: synonyms(parsed[i], other, context.parts)) if place is not None else bool
            sure, near = ([other for other in phrase.others if bool(said(other)) is kind] for kind in (True, False))
            room = text if phrase.first > stop else ""
            found = options(phrase._replace(others=sure), tokens, "paraphrase", room)
            known = {option.after.lower() for option in found}
            found += [
                one
                for one in options(phrase._replace(others=near), tokens, NEAR, room)
                if one.after.lower() not in known
            ]
            slots.append(one_span(text, within(found, self.vocabulary)))
            stop = phrase.stop
        return [slot for slot in slots if slot]


def synonyms(token: Token, other: str, parts: Any) -> bool:
    """Whether the thesaurus, where it knows a word, lists another among its synonyms."""
    pos = category(token.tag)
    if pos not in ("NOUN", "VERB", "ADJ", "ADV"):
        return True
    lemma = parts["inflection"].lemma(token.text, pos)
    senses = parts["thesaurus"].senses(lemma, pos)
    return not senses or parts["inflection"].lemma(other, pos) in {
        word.lower() for sense in senses for word in sense.words
    }


def fitting(tokens: Sequence[Token], i: int, others: Sequence[str], parts: Any) -> list[str]:
    """Of words that are said to mean the same as a token, those that can be its part of speech, in its form.

    Nothing for a name, nor for a word that governs what follows: "married to", but not "wedded to". A word of which
    no dictionary knows the part of speech, and a form of the same word, are none.
    """
    token, inflection = tokens[i], parts["inflection"]
    pos = category(token.tag)
    if not pos:
        return list(others)
    following = tokens[i + 1] if i + 1 < len(tokens) else token
    governs = following.head == i and following.relation in ("prep", "prt", "dative", "agent")
    compound = token.relation == "compound" or any(other.head == i and other.relation == "compound" for other in tokens)
    lemma = inflection.lemma(token.text, pos)
    if (
        pos == "PROPN"
        or token.entity
        or token.pos != pos
        or compound
        or lemma in attack_words.light
        or (governs and pos != "NOUN")
    ):
        return []
    lemmas = {other: inflection.lemma(other, pos) for other in others if " " not in other}
    known = parts["dictionary"].parts_of_speech
    forms = [
        inflection.inflected(lemmas.get(other, other), token.tag)
        for other in others
        if " " in other or (not _related(lemmas[other], lemma) and pos in known(lemmas[other]))
    ]
    return [form for form in dict.fromkeys(forms) if form.lower() != token.text.lower()]


def _related(one: str, other: str) -> bool:
    """Whether two words are forms of one, as "direct" and "directed"."""
    return one.startswith(other) or other.startswith(one)


@dataclass(frozen=True)
class GrammarErrors(MeaningGates, Listing):
    """Makes grammar errors: "He doesn't like cakes" becomes "He don't like cake" (dialogue 3.1, Grammar Errors).

    Correct words are replaced with mistakes that writers really made, from a table learnt from corrected text (M2
    files, `BOTATTACK_GRAMMAR_ERRORS`; the paper's is AESW); and by the paper's two rules, an inflected verb becomes its
    infinitive and a plural noun its singular.

    Decided here: "does" and "has" become "do" and "have" by the rule for verbs; forms of "be" stay, because nobody
    writes "he be" by mistake. Meaning is kept for errors of form; an error of the table that puts another word in (no
    function word, and further than half its length away) is unsure, and so is one between "be" and another verb, or
    between prepositions that carry sense of their own; one that adds or drops a negation changes it.
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
    most: int = 5
    """How many errors of the table are taken for a place, the most frequent first."""
    other_words: bool = False
    """Also errors of the table that put another word in ("gives" for "has"); their meaning is unsure."""

    def parts(self) -> tuple[str, ...]:
        table = ("grammar-errors",) if self.table else ()
        return ("parse", "inflection", *table, *self.gate_parts())

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from gated_draw(lambda wider: Listing.propose(wider, context, rng), context, self))

    def slots(self, context: Context, rng: Random) -> Slots:
        del rng
        question = context.question
        tokens = yield from parse(question.text, question.lang)
        slots = self._slots(question.text, tokens, context)
        return [slot for slot in (within(slot, self.vocabulary) for slot in slots) if slot]

    def _slots(self, text: str, tokens: Sequence[Token], context: Context) -> Iterator[Slot]:
        table = context.parts["grammar-errors"] if self.table else None

        def wrong(span: Sequence[Token], phrase: str) -> Sequence[str]:
            learnt = self._learnt(table, phrase)
            return learnt if learnt or len(span) > 1 else _by_rule(span[0], context.parts["inflection"])

        for phrase in matched(text, tokens, table.longest if table else 1, wrong):
            learnt = self._learnt(table, phrase.text)
            slot = options(phrase, tokens, "learnt" if learnt else "rule")
            first = tokens[phrase.first]
            if phrase.stop == phrase.first + 1 and learnt:
                known = {option.after.lower() for option in slot}
                by_rule = [form for form in _by_rule(first, context.parts["inflection"]) if form not in known]
                slot += [
                    single(first.start, first.text, match_case(first.text, form), "rule", first) for form in by_rule
                ]
            yield slot

    def _learnt(self, table: Any, phrase: str) -> list[str]:
        """What the table has in place of a phrase, the most frequent first."""
        wrong: Sequence[str] = table.of(phrase) if table else ()
        kept = [other for other in wrong if self.other_words or self.judge((Edit(0, phrase, other, "learnt"),)) == KEPT]
        return kept[: self.most]

    def judge(self, edits: Edits) -> Judgement:
        for edit in edits:
            before, after = edit.before.lower().split(), edit.after.lower().split()
            if grammar_words.denials.isdisjoint(before) != grammar_words.denials.isdisjoint(after):
                return "changed", f"{edit.before!r} and {edit.after!r} differ in a negation"
        worst = judged(tuple(edit for edit in edits if edit.kind == "learnt"))
        for edit in edits:
            if worst == KEPT and edit.kind == "learnt" and not _same_words(edit.before.lower(), edit.after.lower()):
                worst = "unsure", f"{edit.after!r} is another word than {edit.before!r}"
        return worst


def _by_rule(token: Token, inflection: Any) -> Sequence[str]:
    if token.tag in ("VBD", "VBZ", "VBN", "VBG") and token.text.isalpha():
        infinitive = inflection.lemma(token.text, "VERB")
        return () if infinitive in ("be", token.text.lower()) else (infinitive,)
    if token.tag == "NNS" and token.text.isalpha():
        singular = inflection.lemma(token.text, "NOUN")
        return () if singular == token.text.lower() else (singular,)
    return ()


def _same_words(before: str, after: str) -> bool:
    """Whether what differs is function words of one kind, or the form of a word."""
    one, other = before.split(), after.split()
    if len(one) == len(other) and any(
        a != b and function_words().get(a) != function_words().get(b) for a, b in zip(one, other, strict=True)
    ):
        return False
    if grammar_words.be.isdisjoint(one) != grammar_words.be.isdisjoint(other):
        return False
    left, right = ([word for word in words if word not in function_words()] for words in (one, other))
    if len(left) != len(right):
        return False
    return all(distance(a, b) <= max(len(a), len(b)) // 2 and a[:2] == b[:2] for a, b in zip(left, right, strict=True))
