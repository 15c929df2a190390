"""Asks the question as what is left of it behind a similar one: "And in 1999?". Pure; English."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

from botattack.attacks.building.advice import EARLIER
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.guard import answer_spans
from botattack.attacks.building.parsed import entities_of
from botattack.attacks.fakes.answers import plain
from botattack.attacks.fakes.names import fake_names, is_name, known_kind, renamed
from botattack.attacks.fakes.numbers import shifted
from botattack.attacks.turns.said_turns import joins, phrase, turns_before
from botattack.model import Edit, Question, Token, edited_text
from botattack.places import PlaceKind
from botattack.protocols import ENGLISH, Attack, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.word_lists import attack_words

_EXCHANGED = frozenset(["PERSON", "GPE", "ORG", "NORP", "EVENT", "WORK_OF_ART", "LANGUAGE", "PRODUCT"])


class _Phrase(NamedTuple):
    """What differs from the twin: where it starts and ends, where it starts with its preposition, and others."""

    start: int
    end: int
    whole: int
    kind: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class Elliptic(Attack):
    """Asks a twin of the question first, with another year or name, and then only what differs: "Who won in 1987?",
    "And in 1999?" for "Who won in 1999?". Only the second reply is judged: a right bot remembers the rest from the
    first turn. The `kind` is `year` or `name`.

    A name is a person, a place on a list, or one that says what it is of ("the Yosemite Freeway"), and the only one of
    its type in the question, so that it is clear what it refers to; neither it nor the twin's is in a gold answer.
    """

    name: ClassVar[str] = "ellipsis"
    plain: ClassVar[str] = "Shortened follow-up questions"
    advice: ClassVar[str] = EARLIER
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    uses: ClassVar[tuple[str, ...]] = ("parse",)
    per_question: ClassVar[int] = 1
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"question", "added turn"})

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        tokens = yield from parse(question.text, question.lang, entities=True)
        found = next(_phrases(question, tokens, rng), None)
        if found is None:
            return 0
        text, kind = question.text, found.kind
        other = Edit(found.start, text[found.start : found.end], rng.choice(found.others), kind)
        twin = edited_text(text, [other])
        said = phrase(question, "ellipsis", rng).format(phrase=text[found.whole : found.end])
        edits = (*turns_before(question, [twin], [kind]), Edit(0, text, said, kind))
        yield [variant_of(question, self.name, edits)]
        return 1


def _phrases(question: Question, tokens: Sequence[Token], rng: Random) -> Iterator[_Phrase]:
    """Years first, then names."""
    text, spared = question.text, answer_spans(question.text, question.answers)
    taken = plain(" ".join((text, *(answer.text for answer in question.answers))))

    def phrase_at(start: int, end: int, kind: str, others: Sequence[str]) -> Iterator[_Phrase]:
        free = tuple(dict.fromkeys(other for other in others if plain(other).strip() and plain(other) not in taken))
        if free and not any(start < stop and begin < end for begin, stop in spared):
            before = next((token for token in tokens if token.end + 1 == start), None)
            yield _Phrase(
                start, end, before.start if before and before.text.lower() in attack_words.before else start, kind, free
            )

    years = [token for token in tokens if token.text.isdecimal() and len(token.text) == 4]
    for token in years if len(years) == 1 else ():
        before = next((other.text.lower() for other in tokens if other.end + 1 == token.start), "")
        if before in attack_words.before and not joins(tokens, token.end):
            yield from phrase_at(token.start, token.end, "year", [*shifted(token.text, rng)])
    named = [one for one in entities_of(tokens) if one[2] in _EXCHANGED]
    counts = Counter(label for _, _, label in named)
    for start, end, label in named:
        article = text[:start].lower().endswith((" a ", " an "))
        if counts[label] == 1 and is_name(text[start:end]) and not article and not joins(tokens, end):
            begin = start - len("the ") * text[:start].lower().endswith("the ")
            yield from phrase_at(begin, end, "name", _others(text[begin:end], label, rng))


def _others(name: str, label: str, rng: Random) -> Sequence[str]:
    """Other names of the type; nothing where it is not sure."""
    kind = known_kind(name) or ("PERSON" if label == "PERSON" else "")
    return fake_names()[kind] if kind else renamed(name, rng, article=False)
