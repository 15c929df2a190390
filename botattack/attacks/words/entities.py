"""Other questions with the same shape: random words, and entities exchanged (dialogue 3.2), among them names whose type
our lists know. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import DETAILS
from botattack.attacks.building.agreeing import ARTICLES
from botattack.attacks.building.drafting import Drafting, Drafts
from botattack.attacks.building.guard import Draft, Judgement
from botattack.attacks.building.parsed import Entity, asking, below, entities_of
from botattack.attacks.building.plain_words import word_tokens
from botattack.model import Edit, Expect, Question, Token, edited_text
from botattack.options import Word
from botattack.places import QUESTION
from botattack.protocols import ENGLISH, Context
from botattack.text.clusters import alphabet, clusters
from botattack.text.parse_need import parse
from botattack.text.spelling import quick_distance
from botattack.text.tokens import match_case, normalised, words
from botattack.text.word_lists import name_words, word_table
from botattack.text.word_lists import others as others_of_kind

PEOPLE = frozenset({"man alive", "man dead", "woman alive", "woman dead", "PERSON"})
GIVEN = "given"
"""The type of the names that the user lists."""
_ALONE = frozenset({"pobj", "nsubj", "nsubjpass", "poss", "dobj"})
_YEAR = re.compile(r"[12]\d{3}")


def entities_among(text: str, names: Iterable[str]) -> Iterator[Entity]:
    """Where names of a list are in a text, whole words, the longest first."""
    listed = sorted((name for name in names if name.strip()), key=len, reverse=True)
    if listed:
        pattern = "|".join(map(re.escape, listed))
        found = re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)
        yield from ((match.start(), match.end(), GIVEN) for match in found)


def entities_known(text: str, tokens: Sequence[Token], runs: Iterable[Entity]) -> Iterator[Entity]:
    """Countries, cities, states, persons and years of a text by our lists; none that is a part of a longer name."""
    for i, token in enumerate(tokens):
        for length in (3, 2, 1):
            last = min(i + length, len(tokens)) - 1
            said = text[token.start : tokens[last].end].lower()
            kind = next((kind for kind, names in word_table("names.places").items() if said in names), "")
            if kind and _alone(tokens, i, last):
                yield token.start, tokens[last].end, kind
                break
        before = tokens[i - 1].text.lower() if i else ""
        if _YEAR.fullmatch(token.text) and before in ("in", "of", "during") and not _followed(tokens, i, "-/"):
            yield token.start, token.end, "year"
    yield from _persons(text, tokens, runs)


def _persons(text: str, tokens: Sequence[Token], runs: Iterable[Entity]) -> Iterator[Entity]:
    tense = _tense(text)
    for start, end, kind in runs:
        inside = [i for i, token in enumerate(tokens) if start <= token.start < end]
        first = tokens[inside[0]].text.lower()
        sex = "man" if first in name_words.men else "woman" if first in name_words.women else ""
        if sex and kind in ("PERSON", "NAME") and 2 <= len(inside) <= 3 and _alone(tokens, inside[0], inside[-1]):
            yield start, end, f"{sex} {tense}"


@lru_cache(8)
def _said(text: str) -> frozenset[str]:
    """The words of a text; each of its names asks for them."""
    return frozenset(word.text.lower() for word in words(text))


def _tense(text: str) -> str:
    said = _said(text)
    return "dead" if said & name_words.death or not said & {"does", "is", "do", "are", "has", "have"} else "alive"


def _alone(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether a run of tokens is a whole phrase with a role of its own, and none of several."""
    inside = range(first, last + 1)
    heads = [i for i in inside if tokens[i].head not in inside]
    if len(heads) != 1 or tokens[heads[0]].relation not in _ALONE or _followed(tokens, last):
        return False
    before = tokens[first - 1] if first else None
    joined = before is not None and (before.pos in ("PROPN", "ADJ", "NUM") or before.text in "-/")
    hung = [tokens[i] for i in below(tokens, heads[0]) if i not in inside]
    return not joined and all(token.text.lower() in ("the", "'s", "’s", "'", "’") for token in hung)


def _followed(tokens: Sequence[Token], i: int, ties: str = "-/,&") -> bool:
    """Whether what follows may belong to the name: "Oxford University", "Paris, Texas"."""
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    return following is not None and (following.pos in ("NOUN", "PROPN", "NUM") or following.text in ties)


def alone_in(tokens: Sequence[Token], entity: Entity) -> bool:
    """Whether a text says no other name or number, with which another name may not go together."""
    start, end, _ = entity
    others = [token for token in tokens if not start <= token.start < end and token.tag not in ("POS", "DT")]
    listed = frozenset().union(*word_table("names.places").values())
    return not any(
        token.entity not in ("", "ORDINAL") or token.pos in ("PROPN", "NUM") or token.text.lower() in listed
        for token in others
    )


def suits(text: str, kind: str) -> bool:
    """Whether what is asked of a name of this type differs from one to the next, as far as its words tell."""
    said = _said(text)
    return not said & name_words.same_for_many and (kind not in PEOPLE or bool(said & name_words.lives))


def others_than(question: Question, kind: str) -> list[str]:
    """Names of a type for which no gold answer, and nothing that is said in the question, may be right."""
    said = _said(" ".join((question.text, *(answer.text for answer in question.answers))))
    return [other.name for other in others_of_kind(kind) if not other.facts & said]


@dataclass(frozen=True)
class RandomInput(Drafting):
    """Replaces every word of the question with a random one (dialogue 3.2, Random Inputs).

    Two bots play in the paper; here any question is asked. A bot that reads its input gives a different answer:
    `expect: different`, meaning changed.

    Decided here: punctuation and case stay, and a word becomes a single word, so that only words differ. The distance
    is that of optimal string alignment, never less than the true one, which takes twenty times as long where nothing
    is left of a text.
    """

    name: ClassVar[str] = "random-input"
    plain: ClassVar[str] = "Random words"
    advice: ClassVar[str] = DETAILS.format("words")
    expect: ClassVar[Expect] = "different"
    drawn: ClassVar[bool] = True
    WHY: ClassVar[str] = "every word was replaced with a random one"
    spares: ClassVar[bool] = False

    words: Literal["dictionary", "letters"] = "dictionary"
    """`dictionary`, common English words; or `letters`, random letters of the word's own script and as many, as always
    where the question is not English."""

    def parts(self) -> tuple[str, ...]:
        return ("dictionary",) if self.words == "dictionary" else ()

    def drafts(self, context: Context, rng: Random) -> Drafts:
        yield from ()
        return self._random(context, word_tokens(context.question.text), rng)

    def _random(self, context: Context, words: Sequence[Token], rng: Random) -> Iterator[Draft]:
        question = context.question
        judgement: Judgement = ("changed", self.WHY)
        quick = quick_distance()
        pool = context.parts["dictionary"].words if self.words == "dictionary" and question.language == "en" else ()
        while words:
            edits = tuple(
                Edit(word.start, word.text, match_case(word.text, other), "random")
                for word in words
                if (other := rng.choice(pool) if pool else _letters(word.text, question.lang, rng)) != word.text.lower()
            )
            yield Draft(edits, judgement, quick(question.text, edited_text(question.text, edits)))


def _letters(word: str, lang: str, rng: Random) -> str:
    """A word of random letters of the same script, as long."""
    return "".join(rng.choice(alphabet(letter.lower(), lang) or "0123456789") for letter in clusters(word))


@dataclass(frozen=True)
class RandomInputKeepEntities(RandomInput):
    """Replaces every word but those of names and numbers with a random one (dialogue 3.2, Random Inputs with Kept
    Entities).

    A bot that answers as before only uses the entities: `expect: different`, meaning changed.

    Decided here: an entity is what the parser says, a run of proper nouns, or a number; a question without one has no
    variant.
    """

    name: ClassVar[str] = "random-input-keep-entities"
    plain: ClassVar[str] = "Random words around the names"
    advice: ClassVar[str] = DETAILS.format("words around names")
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    WHY: ClassVar[str] = "every word but names and numbers was replaced with a random one"

    def parts(self) -> tuple[str, ...]:
        return ("parse", *super().parts())

    def drafts(self, context: Context, rng: Random) -> Drafts:
        question = context.question
        tokens = yield from parse(question.text, question.lang, entities=True)
        entities = entities_of(tokens)
        others = [
            word
            for word in word_tokens(question.text)
            if not any(word.start < end and start < word.end for start, end, _ in entities)
        ]
        return self._random(context, others if entities else (), rng)


@dataclass(frozen=True)
class ConfuseEntity(Drafting):
    """Replaces a name or year of the question with another of its type (dialogue 3.2, Normal Inputs with Confusing
    Entities).

    The paper takes entities of the other bot's table that are not in the row both look for. Here they come from
    `entities` and from small lists of our own. A right bot gives a different answer: `expect: different`.

    Decided here: one entity a variant, of a type that is known: one of `entities` becomes another of them; a country,
    city, state, person or year by our lists one of its type. Meaning is changed if the question asks for something that
    is known to differ between the two names (facts of a person's life; of a place, what is not shared by many), and if
    it contains no other name or number that may not fit the new one. It is unsure elsewhere, as for all other names of
    `entities`. Never the whole question, a gold answer or what is in
    the question. An article before a name goes with it.
    """

    name: ClassVar[str] = "confuse-entity"
    plain: ClassVar[str] = "Exchanged names"
    advice: ClassVar[str] = DETAILS.format("names")
    expect: ClassVar[Expect] = "different"
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    uses: ClassVar[tuple[str, ...]] = ("parse",)
    spares: ClassVar[bool] = False

    entities: tuple[Word, ...] = ()
    """Names of one kind, such as your products: of one that the question has, the others are tried before all else."""

    def drafts(self, context: Context, rng: Random) -> Drafts:
        question = context.question
        tokens = yield from parse(question.text, question.lang, entities=True)
        return list(self._confused(context, tokens, rng))

    def _confused(self, context: Context, tokens: Sequence[Token], rng: Random) -> Iterator[Draft]:
        question = context.question
        text, openly = question.text, context.depends or asking(tokens) == "open"
        taken = normalised(" ".join((text, *(answer.text for answer in question.answers))))
        runs = entities_of(tokens)
        certain = [*entities_among(text, self.entities), *entities_known(text, tokens, runs)]
        apart = [one for one in runs if not any(one[0] < end and start < one[1] for start, end, _ in certain)]
        for entity in (*certain, *apart):
            start, end, _ = entity
            if not (text[:start] + text[end:]).strip(MARKS):
                continue
            fits = entity[2] == GIVEN or alone_in(tokens, entity)
            for other, sure in self._others(question, entity, rng):
                if normalised(other) not in taken:
                    edit = _exchanged(text, tokens, entity, other)
                    yield Draft((edit,), _judged(text[start:end], other, sure and fits, openly))

    def _others(self, question: Question, entity: Entity, rng: Random) -> Iterator[tuple[str, bool]]:
        """What may be put in place of an entity, and whether the right answer is known to be another."""
        start, end, kind = entity
        before = question.text[start:end]
        if kind == GIVEN:
            yield from ((other, True) for other in self.entities if normalised(other) != normalised(before))
            return
        yield from ((other, False) for other in self.entities)
        if kind == "year":
            years = range(max(1000, int(before) - 60), max(1001, int(before) - 24))
            yield from ((str(year), True) for year in rng.sample(years, min(len(years), self.per_question)))
        else:
            sure, lower, others = suits(question.text, kind), question.text.islower(), others_than(question, kind)
            yield from ((one.lower() if lower else one, sure) for one in rng.sample(others, len(others)))


def _judged(before: str, other: str, sure: bool, openly: bool) -> Judgement:
    why = f"{before!r} became {other!r}"
    if not sure:
        return "unsure", f"{why}, for which the answer may be the same, or there may be none"
    return ("changed", why) if openly else ("unsure", f"{why}, which may not matter to what is asked")


def _exchanged(text: str, tokens: Sequence[Token], entity: Entity, other: str) -> Edit:
    """The edit that puts another entity in the place of one, with the words before it that do not fit the other."""
    start, end, kind = entity
    first = next(i for i, token in enumerate(tokens) if token.start == start)
    article = tokens[first - 1] if first and tokens[first - 1].text.lower() in ("the", *ARTICLES) else None
    if article and kind not in KEEP_ARTICLE and start <= tokens[article.head].start < end:
        start = article.start
    return Edit(start, text[start:end], other, "confused", QUESTION, "", kind)


MARKS = " \t\n.,;:!?…'\"()“”"
KEEP_ARTICLE = frozenset({"NORP", "ORDINAL", "CARDINAL", "NUM", "PERCENT", "MONEY", "QUANTITY"})
"""Types of entity that "the" does not belong to: "the French", "the second"."""
