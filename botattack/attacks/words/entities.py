"""Other questions with the same shape: random words, and entities exchanged (dialogue 3.2). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from math import floor
from operator import eq
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import DETAILS
from botattack.attacks.building.agreeing import ARTICLES, takes_an
from botattack.attacks.building.drafting import Drafting, Drafts
from botattack.attacks.building.guard import Draft, Judgement
from botattack.attacks.building.known_names import (
    GIVEN,
    PEOPLE,
    alone_in,
    beside_answers,
    entities_among,
    entities_known,
    others_than,
    suits,
)
from botattack.attacks.building.parsed import Entity, asking, entities_of, needs_relations, related
from botattack.attacks.building.plain_words import Frame, word_tokens
from botattack.model import Edit, Expect, Need, Question, Token
from botattack.options import Word
from botattack.places import QUESTION
from botattack.protocols import ENGLISH, Context
from botattack.text.clusters import alphabet, clusters
from botattack.text.spelling import quick_distance
from botattack.text.tokens import match_case, normalised
from botattack.text.word_lists import others as others_of_kind
from botattack.text.word_lists import word_table

DRAWN = 1000
"""Words drawn of the dictionary for a question that takes more: those of a list that long lie all over the memory."""


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
    advice: ClassVar[str] = DETAILS
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
        frame, quick = Frame(question.text, words), quick_distance()
        pool = context.parts["dictionary"].words if self.words == "dictionary" and question.language == "en" else ()
        starts, before = [word.start for word in words], [word.text for word in words]
        lower = [word.lower() for word in before]
        plain = before == lower
        chance, size = rng.random, len(pool)
        if size > DRAWN < self.per_question * len(words):
            pool = [pool[floor(chance() * size)] for _ in range(DRAWN)]
            size = DRAWN
        while words:
            others = [pool[floor(chance() * size)] for _ in words] if pool else _letters(before, question.lang, rng)
            if pool and any(map(eq, others, lower)):
                others = [_another(word, low, pool) for word, low in zip(others, lower, strict=True)]
            if pool and not plain:
                others = list(map(match_case, before, others))
            text = frame.written(others)
            edits = tuple(map(Edit, starts, before, others, repeat("random")))
            yield Draft(edits, judgement, quick(question.text, text))


def _another(word: str, than: str, pool: Sequence[str]) -> str:
    """`word`, or where it is the one to be replaced, the first of the pool that is not, if there is one."""
    return word if word != than else next((other for other in pool if other != than), word)


def _letters(words: Sequence[str], lang: str, rng: Random) -> list[str]:
    """Words of random letters of the same scripts, as long."""
    return [
        "".join([rng.choice(alphabet(letter.lower(), lang) or "0123456789") for letter in clusters(word)])
        for word in words
    ]


@dataclass(frozen=True)
class RandomInputKeepEntities(RandomInput):
    """Replaces every word but those of names and numbers with a random one (dialogue 3.2, Random Inputs with Kept
    Entities).

    A bot that answers as before only uses the entities: `expect: different`, meaning changed.

    Decided here: an entity is what the parser says, a run of proper nouns, or a number; a question without one has no
    variant. Raises MissingPart for a language without a parser.
    """

    name: ClassVar[str] = "random-input-keep-entities"
    plain: ClassVar[str] = "Random words around the names"
    advice: ClassVar[str] = DETAILS
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    WHY: ClassVar[str] = "every word but names and numbers was replaced with a random one"

    def parts(self) -> tuple[str, ...]:
        return ("parse", *super().parts())

    def drafts(self, context: Context, rng: Random) -> Drafts:
        question = context.question
        tokens = yield from related(self.name, question, entities=True)
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
    `entities`, from the question's own passages, and from small lists of our own. A right bot gives a different answer:
    `expect: different`.

    Decided here: one entity a variant, of a type that is known: one of `entities` becomes another of them; a country,
    city, state, person or year by our lists one of its type; a person or place that the parser finds in the question
    and in a passage alike, outside the sentences with the answer. Meaning is changed if the question asks for something
    that is known to differ between the two names (facts of a person's life; of a place, what is not shared by many),
    and if it contains no other name or number that may not fit the new one. It is unsure elsewhere, as for all other
    names of `entities` and for names that the parser alone types. Never the whole question, a gold answer or what is in
    the question. "The" before a name goes with it, and "a" agrees with what follows. Raises MissingPart for a language
    without a parser.
    """

    name: ClassVar[str] = "confuse-entity"
    plain: ClassVar[str] = "Exchanged names"
    advice: ClassVar[str] = DETAILS
    expect: ClassVar[Expect] = "different"
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    uses: ClassVar[tuple[str, ...]] = ("parse",)
    spares: ClassVar[bool] = False

    entities: tuple[Word, ...] = ()
    """Names of one kind, such as your products: of one that the question has, the others are tried before all else."""

    def drafts(self, context: Context, rng: Random) -> Drafts:
        question = context.question
        texts = (question.text, *question.passages)
        parsed = yield [Need("parse", {"text": text, "lang": question.lang, "entities": True}) for text in texts]
        needs_relations(parsed[0], self.name, question.lang)
        return list(self._confused(context, parsed, rng))

    def _confused(self, context: Context, parsed: Sequence[Sequence[Token]], rng: Random) -> Iterator[Draft]:
        question, tokens = context.question, parsed[0]
        text, openly = question.text, context.depends or asking(tokens) == "open"
        taken = normalised(" ".join((text, *(answer.text for answer in question.answers))))
        runs = entities_of(tokens)
        certain = [*entities_among(text, self.entities), *entities_known(text, tokens, runs)]
        apart = [one for one in runs if not any(one[0] < end and start < one[1] for start, end, _ in certain)]
        near = list(_in_passages(question, parsed[1:]))
        for entity in (*certain, *apart):
            start, end, _ = entity
            if not (text[:start] + text[end:]).strip(MARKS):
                continue
            fits = entity[2] == GIVEN or alone_in(tokens, entity)
            for other, sure in self._others(question, entity, near, rng):
                if normalised(other) not in taken:
                    edit = _exchanged(text, tokens, entity, other)
                    yield Draft((edit,), _judged(text[start:end], other, sure and fits, openly))

    def _others(
        self, question: Question, entity: Entity, near: Sequence[tuple[str, str]], rng: Random
    ) -> Iterator[tuple[str, bool]]:
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
        elif others_of_kind(kind):
            yield from _of_type(question, kind, near, rng)
        elif kind in TYPED:
            sure = kind == "PERSON" and suits(question.text, kind)
            yield from ((name, sure and " " in name) for name, its in near if its == kind)


def _of_type(question: Question, kind: str, near: Sequence[tuple[str, str]], rng: Random) -> Iterator[tuple[str, bool]]:
    """Names of a type of our lists: those of the passages, then ours, in the case of the question."""
    sure, lower = suits(question.text, kind), question.text.islower()
    for name, its in near:
        if name.lower() in word_table("names.places").get(kind, ()) or (
            kind in PEOPLE and its == "PERSON" and " " in name
        ):
            yield name, sure
    others = others_than(question, kind)
    yield from ((one.lower() if lower else one, sure) for one in rng.sample(others, len(others)))


def _in_passages(question: Question, parsed: Sequence[Sequence[Token]]) -> Iterator[tuple[str, str]]:
    """The names of passages and their types, but for those beside an answer."""
    for passage, tokens in zip(question.passages, parsed, strict=True):
        beside = beside_answers(question, passage)
        for start, end, kind in entities_of(tokens):
            if not any(start < stop and begin < end for begin, stop in beside):
                yield passage[start:end], kind


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
        if article.text.lower() == "the" or other[:1].islower() or other.startswith("The "):
            first, start = first - 1, article.start
        else:
            wanted = match_case(article.text, ARTICLES[takes_an(other)])
            start, other = article.start, wanted + text[article.end : start] + other
    before = tokens[first - 1] if first else None
    if before and kind in ("DATE", "TIME") and other[:1].islower() and before.text.lower() in ("in", "on", "at"):
        start = before.start
    if text[start : start + 1].isupper() and not text[:start].strip():
        other = other[:1].upper() + other[1:]
    return Edit(start, text[start:end], other, "confused", QUESTION, "", kind)


MARKS = " \t\n.,;:!?…'\"()“”"
TYPED = frozenset({"PERSON", "GPE", "ORG", "NORP"})
"""Types that the parser may tell apart in prose."""
KEEP_ARTICLE = frozenset({"NORP", "ORDINAL", "CARDINAL", "NUM", "PERCENT", "MONEY", "QUANTITY"})
"""Types of entity that "the" does not belong to: "the French", "the second"."""
