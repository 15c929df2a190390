"""DPAEG: adversarial questions by dependency parse (paper "… for Q&A robots", sections 3.2 to 3.5), and what a keyword
may be replaced with (Algorithm 2). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import SPELLING
from botattack.attacks.building.combinations import Option
from botattack.attacks.building.keywords import (
    Chosen,
    content_keywords,
    dependency_keywords,
    is_content,
    is_content_or_number,
    random_keywords,
)
from botattack.attacks.building.listing import Listing, Slots, offer
from botattack.attacks.building.recovering import Recoverable
from botattack.model import Edit, Question, Token, Variant, edited_text
from botattack.options import Count, Some
from botattack.places import QUESTION
from botattack.protocols import ENGLISH, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.parts.dictionary import Dictionary, PosRule
from botattack.text.parts.typos import Typos
from botattack.text.spelling import distance
from botattack.text.tokens import match_case, normalised

WordKind = Literal["typo", "similar", "similar-typo"]
WITHIN = 2
"""The largest distance of an adversarial word from its keyword, as in the paper."""


@dataclass(frozen=True)
class Dpaeg(Recoverable, Listing):
    """Replaces keywords of a question with typos, spell-similar words, and typos of spell-similar words.

    Keywords come from the dependency parse (Algorithm 1), their replacements from a typo corpus and a dictionary
    (Algorithm 2); up to `combine` keywords change at once while the edits stay within `epsilon` (section 3.5). The
    filter of section 3.2, to attack only what the bot answers correctly, is the run's.

    Decided here: heads are the roots of all sentences of the text and of the clauses below them, because clauses may
    depend on nouns. A word that is in the question twice is two keywords. Epsilon limits the sum of the distances of
    the replaced words, which is never less than the Damerau-Levenshtein distance of the questions; each variant states
    its true distance. Replacements take the case of what they replace.

    Meaning is kept if a reader can recover the replaced words. The paper counts it as kept for spell-similar real words
    too, as does `meaning: paper`. With `edit: remove` it is unsure, because a right bot may no longer know what is
    asked.

    The paper asks all variants that exist, which is too many for a live bot.

    Returns how many variants exist under these options.
    """

    name: ClassVar[str] = "dpaeg"
    plain: ClassVar[str] = "Typing mistakes"
    advice: ClassVar[str] = SPELLING
    languages: ClassVar[frozenset[str] | None] = ENGLISH

    epsilon: Count | None = 4
    """Most edits in a question; none: no limit. "Smaller than" in the prose, "maximum" in the definition: here at
    most."""
    words: Some[WordKind] = ("typo", "similar", "similar-typo")
    """Which of the three kinds of words to use."""
    pos: PosRule = "same"
    """Whether a spell-similar word has the `same` part of speech as the keyword, a `different` one, or is `free`
    (section 4.3.1). A name is not a noun here: under `same` only names replace names."""
    keywords: Literal["dependency", "content", "random"] = "dependency"
    """`dependency`, or the baselines of section 4.4.1: all `content` words, or `random` words, as many as Algorithm 1
    finds and at least one, so that the three differ in which words they take, not in how many."""
    through_prepositions: bool = False
    """Off, Algorithm 1 as printed: children of a head only, so "Who played the voice of Aladdin" has the keywords
    played and voice. On, objects of prepositions below a head count too: Aladdin."""
    numbers: bool = False
    """Whether numbers are content words. Off: a number changed is another question, and has few typos."""
    d: Count | None = None
    """The largest distance of spell-similar words. The paper's text lacks the formula: 1 for verbs, else max(1,
    f(length)). Here f is half the length, rounded down, because Algorithm 2 expects distances above 2 for ordinary
    words. A number given here is used for every keyword."""
    combine: Count | None = None
    edit: Literal["replace", "remove"] = "replace"
    """`replace`, or `remove`: all keywords go and nothing else is done (section 4.4.1), whatever epsilon is."""

    def parts(self) -> tuple[str, ...]:
        if self.edit == "remove":
            return ("parse",)
        typos = ("typos",) if {"typo", "similar-typo"} & set(self.words) else ()
        dictionary = ("dictionary", "lemmas") if {"similar", "similar-typo"} & set(self.words) else ()
        return ("parse", *dictionary, *typos, *self.reader_parts())

    def propose(self, context: Context, rng: Random) -> Proposals:
        if self.edit == "remove":
            keywords = yield from self._keywords(context.question, rng)
            without = removed(context.question, keywords, self.name)
            yield without
            return len(without)
        slots = yield from self.slots(context, rng)
        return (yield from offer(self, context, slots, rng, self.judge_of(context)))

    def _keywords(self, question: Question, rng: Random) -> Chosen:
        tokens = yield from parse(question.text, question.lang)
        content = is_content_or_number if self.numbers else is_content
        if self.keywords == "content":
            return [tokens[i] for i in content_keywords(tokens, content)]
        found = dependency_keywords(tokens, content, self.through_prepositions)
        chosen = found if self.keywords == "dependency" else random_keywords(tokens, max(1, len(found)), rng)
        return [tokens[i] for i in chosen]

    def slots(self, context: Context, rng: Random) -> Slots:
        keywords = yield from self._keywords(context.question, rng)
        rules = WordRules(self.words, self.pos, self.d, min(WITHIN, self.epsilon or WITHIN))
        dictionary, typos = context.parts.get("dictionary"), context.parts.get("typos")
        if dictionary and (lemmas := context.parts.get("lemmas")):
            dictionary = dictionary.widened(lemmas)
        return [adversarial_words(keyword, rules, dictionary, typos) for keyword in keywords]


def removed(question: Question, keywords: Sequence[Token], attack: str) -> list[Variant]:
    """The question without its keywords, or nothing if nothing would change or be left."""
    edits = tuple(_removals(question.text, keywords))
    if not edits:
        return []
    after = edited_text(question.text, edits)
    if not after.strip():
        return []
    why = "keywords were removed: what is left may ask something else"
    far = distance(question.text, after)
    return [Variant(question.worded(after), attack, edits, distance=far, meaning="unsure", why=why)]


def _removals(text: str, keywords: Sequence[Token]) -> Iterator[Edit]:
    """Each keyword goes with the white space before it, and with that after it if nothing is left before."""
    end, kept = 0, False
    for word in keywords:
        start, stop = max(end, len(text[: word.start].rstrip())), word.end
        kept = kept or start > end
        if not kept:
            stop = len(text) - len(text[stop:].lstrip())
        yield Edit(start, text[start:stop], "", "removed", QUESTION, word.relation, word.pos)
        end = stop


@dataclass(frozen=True)
class WordRules:
    """Algorithm 2's constraints. `within` is how far a word that is taken may be from the keyword, `d` how far a
    spell-similar word whose typos are looked up; None is the paper's rule by length and part of speech."""

    words: tuple[WordKind, ...] = ("typo", "similar", "similar-typo")
    pos: PosRule = "same"
    d: int | None = None
    within: int = WITHIN

    def reach(self, keyword: Token) -> int:
        """d: 1 for a verb, else half the keyword's length, rounded down, and at least 1."""
        if self.d is not None:
            return self.d
        return 1 if keyword.pos in ("VERB", "AUX") else max(1, len(keyword.text) // 2)


def adversarial_words(
    keyword: Token, rules: WordRules, dictionary: Dictionary | None, typos: Typos | None
) -> list[Option]:
    """The replacements of a keyword, nearest first; each differs from the keyword and the others when normalised.

    A word found in more than one way has the first of Algorithm 2's kinds. A part may be None if no kind needs it.
    """
    found = {normalised(keyword.text): ("", 0, "")}
    for word, kind in _candidates(keyword, rules, dictionary, typos):
        same = normalised(word)
        if same not in found:
            after = match_case(keyword.text, word)
            found[same] = (after, distance(keyword.text, after), kind)
    near = sorted((edits, after, kind) for after, edits, kind in found.values() if 0 < edits <= rules.within)
    where = QUESTION, keyword.relation, keyword.pos
    return [Option.of(Edit(keyword.start, keyword.text, after, kind, *where), edits) for edits, after, kind in near]


def _candidates(
    keyword: Token, rules: WordRules, dictionary: Dictionary | None, typos: Typos | None
) -> Iterator[tuple[str, WordKind]]:
    """Words that Algorithm 2 takes, in its order, in any case."""
    word = keyword.text.lower()
    if typos and "typo" in rules.words:
        yield from ((typo, "typo") for typo in _near(word, typos.of(word), rules))
    if dictionary is None:
        return
    similar = dictionary.similar(word, rules.reach(keyword), keyword.pos, rules.pos)
    if "similar" in rules.words:
        yield from ((other, "similar") for other, edits in similar if edits <= rules.within)
    if typos and "similar-typo" in rules.words:
        for other in (other for other, edits in similar if edits > rules.within):
            yield from ((typo, "similar-typo") for typo in _near(word, typos.of(other), rules))


def _near(word: str, typos: Iterable[str], rules: WordRules) -> Iterator[str]:
    return (typo for typo in typos if distance(word, typo.lower()) <= rules.within)
