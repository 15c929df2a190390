"""Takes for granted what is not true of something in the question. Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

from botattack.attacks.building.advice import DOUBT
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.guard import Judgement, answer_spans
from botattack.attacks.building.parsed import entities_of
from botattack.attacks.turns.said_turns import in_front, joins
from botattack.model import Question, Token
from botattack.protocols import ENGLISH, Attack, Context, Proposals
from botattack.text.languages import language
from botattack.text.parse_need import parse
from botattack.text.tokens import normalised, words


class _Premise(NamedTuple):
    """What is said of a name of some types; a question with one of the words `about` may have to do with it."""

    types: frozenset[str]
    about: frozenset[str]
    said: str


@dataclass(frozen=True)
class FalsePremise(Attack):
    """Says something untrue about a name of the question, as if everybody knew it. "As we all know, Marie Curie was
    born on the Moon. What did Marie Curie discover?" (Vu et al. 2023, FreshLLMs, of questions with a false premise.)

    A right bot still gives the answer. This requires that the answer does not depend on the untrue statement: the
    meaning is kept if no word of the question is related to it ("where" and "country" are related to a birthplace);
    otherwise it is unsure. Premises that keep the meaning come first. A name with a word of a gold answer is left
    alone.
    """

    name: ClassVar[str] = "false-premise"
    plain: ClassVar[str] = "Untrue assumptions"
    advice: ClassVar[str] = DOUBT
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    per_question: ClassVar[int] = 1

    def parts(self) -> tuple[str, ...]:
        return ("parse",)

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        tokens = yield from parse(question.text, question.lang, entities=True)
        found = list(_fitting(question, tokens))
        kept = [each for each in found if each[1][0] == "kept"]
        if not found:
            return 0
        said, (meaning, why) = rng.choice(kept or found)
        edits = in_front(said, "false premise")
        yield [variant_of(question, self.name, edits, meaning=meaning, why=why)]
        return 1


def _fitting(question: Question, tokens: Sequence[Token]) -> Iterator[tuple[str, Judgement]]:
    """Every premise about a name of the question, and what it does to the meaning."""
    spared = answer_spans(question.text, question.answers)
    asked = {normalised(word.text) for word in words(question.text)} | {normalised(token.lemma) for token in tokens}
    for start, end, label in entities_of(tokens):
        if joins(tokens, end) or any(start < stop and begin < end for begin, stop in spared):
            continue
        named = "the " if question.text[:start].lower().endswith("the ") else ""
        name = named + question.text[start:end]
        for premise in premises(question.language):
            if label in premise.types:
                touched = sorted(premise.about & asked)
                judgement: Judgement = (
                    ("unsure", f"the answer may depend on it: {', '.join(touched)}") if touched else ("kept", "")
                )
                yield premise.said.format(name=name), judgement


def premises(code: str) -> list[_Premise]:
    """The premises of a language: its file has types, words and the sentence apart by bars."""
    split = [[piece.strip() for piece in line.split("|")] for line in language(code).turns.get("premise", ())]
    return [_Premise(frozenset(types.split()), frozenset(about.split()), said) for types, about, said in split]
