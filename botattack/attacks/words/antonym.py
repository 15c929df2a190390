"""One word becomes its opposite: the right answer must change (dialogue 3.1). Pure; English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import DETAILS
from botattack.attacks.building.agreeing import edit_of
from botattack.attacks.building.combinations import Option, Slot, one_span
from botattack.attacks.building.guard import Edits, Judgement
from botattack.attacks.building.listing import Listing, Slots
from botattack.attacks.building.parsed import PERSONS, WH, asking, complains, main_verbs, phrases
from botattack.attacks.building.plain_words import single
from botattack.attacks.words.grammar_errors import within
from botattack.model import Expect, Token
from botattack.options import Count
from botattack.protocols import ENGLISH, Context, PartsByName
from botattack.text.parse_need import parse
from botattack.text.parts.inflection import Inflection, category
from botattack.text.tokens import match_case, normalised
from botattack.text.word_lists import attack_words, grammar_words, opposites
from botattack.text.wordlist import Vocabulary

LEAST = 4
"""Letters of a word that takes "un"."""
CLAIMED = "antonym"
"""The kind of edits that must change the answer."""
TOWARDS = frozenset({"to", "into", "onto", "from"})
"""Prepositions that the opposite of a verb turns round as well: "add to", "remove from"."""
UNWANTED = frozenset({"stop", "end", "fail", "lose"})
"""What people do to, or with, what they do not want: nobody asks how to start fraud."""


@dataclass(frozen=True)
class Antonym(Listing):
    """Replaces a word with its antonym: "You need to install Ubuntu" becomes "You need to uninstall Ubuntu"
    (dialogue 3.1, Antonym). The right answer must change.

    The first verb, adjective or adverb that has an antonym, inflected as it was; where a word has several, each is a
    variant.

    Decided here: antonyms are those of a list of our own ("open" and "close") and the direct ones of WordNet, of the
    most frequent sense that has any; if there are none, "un" before a verb, adjective or adverb that makes a word of
    the dictionary. Auxiliaries and "be" are skipped. That the answer must change is the paper's claim. It is made here
    for one end of an order ("the largest", "the first") and for a verb of our list that the question turns on, and of
    all words the first that it is made for is taken. Otherwise it is unsure. A yes/no question, a question about a
    scale ("how old" and "how young") or a place ("where can I buy it?"), a text that says what happened, or one of
    several sentences may keep its answer. A question why something happened to the asker, or how to stop it, may make
    no sense the other way round. Other antonyms may not fit the sense of the word.
    """

    name: ClassVar[str] = "antonym"
    plain: ClassVar[str] = "Opposite words"
    advice: ClassVar[str] = DETAILS.format("opposites")
    expect: ClassVar[Expect] = "different"
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    uses: ClassVar[tuple[str, ...]] = ("parse", "thesaurus", "inflection", "dictionary")

    combine: Count | None = field(default=1, init=False)
    """No option here: two opposites may cancel out."""
    every: bool = False
    """Any word that has an antonym, nouns too, instead of the first only; still one a variant."""
    vocabulary: Vocabulary = None
    """A file with words; an antonym is put in only if it is one of them."""

    def slots(self, context: Context, rng: Random) -> Slots:
        question = context.question
        tokens = yield from parse(question.text, question.lang, entities=True)
        found = (self._slot(question.text, tokens, i, context.parts) for i in range(len(tokens)))
        slots = [slot for slot in found if slot]
        claimed = [slot for slot in slots if any(option.edits[0].kind == CLAIMED for option in slot)]
        return slots if self.every else (claimed or slots)[:1]

    def _slot(self, text: str, tokens: Sequence[Token], i: int, parts: PartsByName) -> Slot:
        token = tokens[i]
        kinds = ("VERB", "ADJ", "ADV", *(("NOUN",) if self.every else ()))
        lemma = parts["inflection"].lemma(token.text, token.pos)
        if token.pos not in kinds or category(token.tag) != token.pos or lemma == "be":
            return ()
        found: dict[str, Option] = {}
        for other in self._opposites(lemma, token, parts):
            form = match_case(token.text, _inflected(other, token, tokens, parts["inflection"]))
            if normalised(form) != normalised(token.text):
                kind = _kind(tokens, i, lemma, other, parts["inflection"])
                edit = edit_of(text, tokens, i, form, kind)
                found.setdefault(normalised(form), single(edit.start, edit.before, edit.after, kind, token))
        return one_span(text, within(list(found.values()), self.vocabulary))

    def _opposites(self, lemma: str, token: Token, parts: PartsByName) -> list[str]:
        pos = token.pos
        kinds, word = (("done", "happens", "holds"), lemma) if pos == "VERB" else (("ends",), token.text.lower())
        listed = dict.fromkeys(other for kind in kinds for other in opposites(kind).get(word, ()))
        known = [other for sense in parts["thesaurus"].antonyms(lemma, pos)[:1] for other in sense]
        found = list(dict.fromkeys(listed or known))
        undone = f"un{lemma}"
        if found or pos == "NOUN" or len(lemma) < LEAST or undone not in parts["dictionary"].words:
            return found
        return [undone] if pos in (parts["dictionary"].parts_of_speech(undone) or (pos,)) else []

    def judge(self, edits: Edits) -> Judgement:
        edit = edits[0]
        if edit.kind == CLAIMED:
            return "changed", f"{edit.after!r} is the opposite of {edit.before!r}"
        if edit.kind == "scale":
            return "unsure", f"'how {edit.before}' and 'how {edit.after}' may have the same answer"
        return "unsure", f"the answer may be the same with {edit.after!r} for {edit.before!r}"


def _inflected(other: str, token: Token, tokens: Sequence[Token], inflection: Inflection) -> str:
    """The opposite in the word's form; superlatives that have a form of their own are listed in it."""
    if token.text.lower() in opposites("ends"):
        plural = token.head < len(tokens) and tokens[token.head].tag == "NNS" and token.relation == "amod"
        return "fewest" if other == "least" and plural else other
    form: str = inflection.inflected(other, token.tag)
    return form


def _kind(tokens: Sequence[Token], i: int, lemma: str, other: str, inflection: Inflection) -> str:
    token = tokens[i]
    if i and tokens[i - 1].text.lower() == "how":
        return "scale"
    asks = asking(tokens)
    if asks not in ("open", "wish", "request") or complains(tokens) or _in_one_place(tokens, i):
        return "other antonym"
    if token.pos == "VERB":
        said = [inflection.lemma(word.text, "VERB") for word in tokens]
        turns = said.count(lemma) == 1 and other not in said and i in main_verbs(tokens, asks, inflection.lemma)
        turns = turns and _turns_round(tokens, i, lemma, other)
        return CLAIMED if turns else "other antonym"
    return CLAIMED if _is_end(tokens, i) else "other antonym"


def _in_one_place(tokens: Sequence[Token], i: int) -> bool:
    """Whether both may be in the same place: where one buys one sells, and the first may be where the last is."""
    return tokens[0].text.lower() == "where" and tokens[i].tag not in ("JJS", "RBS")


def _turns_round(tokens: Sequence[Token], i: int, lemma: str, other: str) -> bool:
    """Whether one verb for the other turns what is said round, with this subject and what follows."""
    below = [token for token in tokens if token.head == i]
    ties = any(token.relation in ("prt", "agent", "dative") for token in below)
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    governed = following and following.tag in ("IN", "TO", "RP") and following.text.lower() not in attack_words.free
    does = any(token.relation == "aux" and token.text.lower() in ("do", "does", "did") for token in below)
    ties = ties or any(token.relation == "prep" and token.text.lower() in TOWARDS for token in tokens[i:])
    if ties or governed or tokens[i].entity or (does and tokens[i].tag not in ("VB", "VBP")):
        return False
    if other in opposites("holds").get(lemma, ()):
        return True
    passive = tokens[i].tag in ("VBN", "VBD") and any(token.text.lower() in grammar_words.be for token in below)
    subjects = [token for token in below if token.relation == "nsubj"] or [
        token for token in tokens if token.head == tokens[i].head and token.relation == "nsubj"
    ]
    if passive or not subjects or any(token.tag in WH for token in phrases(tokens, subjects)):
        return False
    person = subjects[0].text.lower() in PERSONS
    if person and lemma in UNWANTED:
        return False
    return other in opposites("happens").get(lemma, ()) or (person and other in opposites("done").get(lemma, ()))


def _is_end(tokens: Sequence[Token], i: int) -> bool:
    """Whether an adjective names the one at an end of an order: "the largest city", "his first wife"."""
    token = tokens[i]
    if token.text.lower() not in opposites("ends") and token.tag not in ("JJS", "RBS"):
        return False
    noun = token.head if token.relation == "amod" else tokens[token.head].head if token.tag == "RBS" else -1
    glued = any(token.text == "-" for token in tokens[i + 1 : i + 2]) or any(
        other.head == noun and other.relation == "nummod" for other in tokens
    )
    if (
        noun <= i
        or glued
        or tokens[noun].pos not in ("NOUN", "PROPN")
        or tokens[noun].text.lower() in attack_words.idioms
    ):
        return False
    # A time or a name with an ordinal in it is one thing: "last year", "the First Lady".
    inside = token.entity and token.entity != "ORDINAL"
    definite = [other for other in tokens[:i] if other.head == noun and other.relation in ("det", "poss")]
    return not inside and any(other.text.lower() == "the" or other.relation == "poss" for other in definite)
