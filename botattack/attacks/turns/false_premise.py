"""Takes for granted what is not true of something in the question. Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

from botattack.attacks.building.advice import DOUBT
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.guard import Judgement, answer_spans
from botattack.attacks.building.parsed import WH, entities_of
from botattack.attacks.fakes.names import fake_names, is_given, known_kind
from botattack.attacks.turns.said_turns import in_front, joins
from botattack.model import Question, Token
from botattack.protocols import ENGLISH, Attack, Context, Proposals
from botattack.text.languages import language
from botattack.text.parse_need import parse
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import fake_words


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
    advice: ClassVar[str] = DOUBT.format("assumes something untrue")
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    uses: ClassVar[tuple[str, ...]] = ("parse",)
    per_question: ClassVar[int] = 1

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
        if (
            joins(tokens, end)
            or not _is_sure(question.text, tokens, (start, end), label)
            or any(start < stop and begin < end for begin, stop in spared)
        ):
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


def _is_sure(text: str, tokens: Sequence[Token], span: tuple[int, int], label: str) -> bool:
    """Whether a name is of the type that the parser takes it for, by what else is known of it: nobody says of a poet
    that an emperor founded her."""
    name, before, behind = text[slice(*span)], text[: span[0]].split()[-1:], text[span[1] :].split()[:1]
    if behind and behind[0][0].isdigit():  # "the Australia 2022 bid"
        return False
    if label == "PERSON":
        if (
            before
            and before[0].istitle()
            and len(text[: span[0]].split()) > 1
            and before[0] not in fake_words.before_names
        ):
            return False  # "Fort William Henry", "Tugh Temur"
        one = name.isalpha() and name.istitle() and not is_given(f"{name} {name}") and not name.endswith("s")
        return is_given(name) or (
            one and not known_kind(name) and before not in (["the"], ["The"]) and _acts(tokens, span)
        )
    if label == "GPE":
        return bool(known_kind(name)) or before in (["in"], ["from"])
    known = name.split()[-1].lower() in fake_words.organisations or name in fake_names()["COMPANY"]
    return known and not _hangs_on_name(tokens, span)


def _acts(tokens: Sequence[Token], span: tuple[int, int]) -> bool:
    """Whether a name of one word does something, as persons do: what is only spoken of, or stands behind a preposition,
    may be a place, a law or an animal. A word that begins a question in which nothing else asks may be a misspelt one
    that asks: "Whatare"."""
    at = next(i for i, token in enumerate(tokens) if token.start == span[0])
    head = tokens[tokens[at].head]
    asks = at or any(token.tag in WH for token in tokens)
    return bool(asks) and (
        (tokens[at].relation == "nsubj" and head.pos == "VERB")
        or (tokens[at].relation == "pobj" and head.text.lower() == "by")
    )


def _hangs_on_name(tokens: Sequence[Token], span: tuple[int, int]) -> bool:
    """Whether a name of one word is the end of a longer one: "the Palace on the Bank"."""
    inside = [token for token in tokens if span[0] <= token.start < span[1]]
    preposition = tokens[inside[0].head]
    return len(inside) == 1 and inside[0].relation == "pobj" and tokens[preposition.head].pos == "PROPN"


def premises(code: str) -> list[_Premise]:
    """The premises of a language: its file has types, words and the sentence apart by bars."""
    split = [[piece.strip() for piece in line.split("|")] for line in language(code).turns.get("premise", ())]
    return [_Premise(frozenset(types.split()), frozenset(about.split()), said) for types, about, said in split]
