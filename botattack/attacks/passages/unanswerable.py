"""Questions that the passages do not answer any more: a right bot declines. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import DECLINE
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.guard import answer_spans, batches
from botattack.attacks.building.stretches import Alteration
from botattack.attacks.fakes.answers import plain
from botattack.attacks.passages.alterations import names_altered
from botattack.attacks.passages.other_questions import asks_another
from botattack.attacks.passages.reading import title_of
from botattack.model import Edit, Expect, Question, Token, Variant
from botattack.options import Some
from botattack.places import QUESTION, Place, PlaceKind
from botattack.protocols import ENGLISH, Attack, Context, Proposals
from botattack.text.folding import folded
from botattack.text.languages import stem
from botattack.text.parse_need import parse
from botattack.text.sentences import sentence_spans
from botattack.text.tokens import normalised
from botattack.text.word_lists import function_words

Way = Literal["support", "hop", "entity"]


@dataclass(frozen=True)
class Unanswerable(Attack):
    """Removes the facts that answer the question: a right bot says that it does not know (`expect: declines`).

    `support` removes every sentence that says a gold answer or is marked as supporting it, and for yes or no all that
    is said of what the marked sentences are about. `hop` removes every sentence that says a gold answer or what the
    question leads to it by: the title of another passage with a marked sentence. Where a sentence that stays has half
    of an answer's words or most of the question's, there is no variant. `entity` replaces a whole name in the question
    with another of its type that no passage mentions; a yes/no question has none. If the bot answers anyway, it counts
    as broken, right or wrong: nothing supports the answer. Each possible way is a variant; a passage that loses all its
    sentences is sent empty.

    For bots that answer from the passages they are given; an answer does not count against a bot that may use its own
    knowledge.
    """

    name: ClassVar[str] = "unanswerable"
    plain: ClassVar[str] = "Removed facts"
    one_of_each: ClassVar[str] = "ways"
    advice: ClassVar[str] = DECLINE
    expect: ClassVar[Expect] = "declines"
    must_reach: ClassVar[frozenset[PlaceKind]] = frozenset({"passage"})

    ways: Some[Way] = ("support", "entity")
    """`support`, `hop` and `entity`, each a variant."""

    @property
    def edits(self) -> frozenset[PlaceKind]:
        kinds: set[PlaceKind] = {"question"} if "entity" in self.ways else set()
        return frozenset(kinds | ({"passage"} if {"support", "hop"} & set(self.ways) else set()))

    @property
    def languages(self) -> frozenset[str] | None:  # sentences are cut in any language
        return ENGLISH if "entity" in self.ways else None

    def parts(self) -> tuple[str, ...]:
        return ("parse",) if "entity" in self.ways else ()

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        if not question.passages or not question.answers:
            return 0
        tokens: Sequence[Token] = ()
        if "entity" in self.ways:
            tokens = yield from parse(question.text, question.lang, entities=True)
        found = [variant for way in self.ways if (variant := self._variant(question, way, tokens, rng))]
        yield from batches(found)
        return len(found)

    def _variant(self, question: Question, way: Way, tokens: Sequence[Token], rng: Random) -> Variant | None:
        if way == "entity":
            edits, why = _other_entity(question, tokens, rng), "it asks about what no passage mentions"
        else:
            spans = _supporting(question) if way == "support" else _hop(question)
            edits = () if _still_said(question, spans) else tuple(_removed(question, spans, f"{way} removed"))
            why = "no passage says the answer" if way == "support" else "a step to the answer is missing"
        if not edits:
            return None
        return variant_of(question, self.name, edits, expect=self.expect, meaning="changed", why=why)


Sentence = tuple[int, int, int]
"""The number of a passage, and where in it a sentence starts and ends."""


def _supporting(question: Question) -> list[Sentence]:
    """Every sentence that says a gold answer or is a fact; none if an answer is said across sentences, or if one is a
    pattern, of which nobody can tell what else it fits. Of yes and no all that is said of what a passage with a fact is
    about."""
    facts = {(fact.passage, fact.start, fact.end) for fact in question.facts}
    if any(answer.regex for answer in question.answers):
        return []
    if not _golds(question):
        return _naming(question, [_titled(question)[i] for i, _, _ in facts])
    found = []
    for i, text in enumerate(question.passages):
        answers = answer_spans(text, question.answers)
        sentences = [(i, start, end) for start, end in sentence_spans(text)]
        if any(not any(start <= a and b <= end for _, start, end in sentences) for a, b in answers):
            return []
        found += [
            (i, start, end)
            for _, start, end in sentences
            if any(start <= a and b <= end for a, b in answers)
            or any(passage == i and start < stop and begin < end for passage, begin, stop in facts)
        ]
    return found


def _hop(question: Question) -> list[Sentence]:
    """All that says a gold answer or a bridge; nothing without a bridge. That is the title of a passage with a fact, if
    the question does not say it."""
    asked, golds, titles = _content(question.text), _golds(question), _titled(question)
    bridges = [titles[fact.passage] for fact in question.facts]
    bridges = [title for title in bridges if title and not _half(title, asked) and title not in golds]
    return _naming(question, [*golds, *bridges]) if bridges and golds else []


def _naming(question: Question, names: Sequence[set[str]]) -> list[Sentence]:
    """Every sentence with half of the words of a name, and every passage with such a title; other titles stay."""
    found = []
    for i, (text, title) in enumerate(zip(question.passages, _titled(question), strict=True)):
        if any(_half(name, title) for name in names):
            found.append((i, 0, len(text)))
            continue
        behind = len(title_of(text)) + 2 if title else 0
        spans = [(behind + start, behind + end) for start, end in sentence_spans(text[behind:])]
        found += [(i, *span) for span in spans if any(_half(name, _content(text[slice(*span)])) for name in names)]
    return found


def _titled(question: Question) -> list[set[str]]:
    return [_content(title_of(text).partition("(")[0]) for text in question.passages]


def _removed(question: Question, sentences: Sequence[Sentence], kind: str) -> Iterator[Edit]:
    """A sentence goes with the white space behind it."""
    for i, start, end in sorted(sentences):
        text = question.passages[i]
        gap = len(text) - end - len(text[end:].lstrip())
        yield Edit(start, text[start : end + gap], "", kind, Place("passage", i))


def _still_said(question: Question, gone: Collection[Sentence]) -> bool:
    """Whether a sentence that stays has half of a gold answer's words, or most of the question's: it may say the answer
    in other words."""
    asked, golds = _content(question.text), _golds(question)
    for i, text in enumerate(question.passages):
        for start, end in sentence_spans(text):
            if any(i == passage and start < stop and begin < end for passage, begin, stop in gone):
                continue
            said = _content(text[start:end])
            if any(_half(gold, said) for gold in golds) or 2 * len(asked & said) > len(asked):
                return True
    return False


def _golds(question: Question) -> list[set[str]]:
    """The words of each gold answer that says something itself."""
    texts = [answer.text for answer in question.answers if not answer.regex]
    return [words for text in texts if normalised(text) not in ("yes", "no") and (words := _content(text))]


def _half(name: set[str], said: set[str]) -> bool:
    """Whether at least half of the words of a name are among others."""
    return bool(name) and 2 * len(name & said) >= len(name)


def _content(text: str) -> set[str]:
    """The stems of the words that are no function words."""
    return {stem(folded(word)) for word in plain(text).split() if word not in function_words()}


def _other_entity(question: Question, tokens: Sequence[Token], rng: Random) -> tuple[Edit, ...]:
    """A name, else a number, exchanged as a whole; none of a yes/no question, which is simply answered with no."""
    passages = plain(" ".join(question.passages))
    if any(normalised(answer.text) in ("yes", "no") for answer in question.answers):
        return ()
    names = names_altered(question.text, question.answers, tokens, rng)
    found = [one for one in names if asks_another(tokens, [one]) and _whole(question.text, tokens, one)]
    for one in sorted(found, key=lambda one: one.kind):  # names before numbers
        before = question.text[one.start : one.end]
        if plain(before) in passages and plain(one.after) not in passages:
            return (Edit(one.start, before, one.after, "entity exchanged", QUESTION),)
    return ()


def _whole(text: str, tokens: Sequence[Token], one: Alteration) -> bool:
    """Whether nothing of a name stays, and it is no part of what names another thing: "the Force India driver"."""
    inside = [token for token in tokens if one.start <= token.start < one.end]
    kept = {*plain(text[one.start : one.end]).split()} & {*plain(one.after).split()} - function_words().keys()
    return one.kind == "number" or (not kept and all(token.relation != "compound" for token in inside[-1:]))
