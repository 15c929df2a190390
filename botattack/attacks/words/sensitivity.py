"""Leaves out one word at a time: which of them carry the answer (leave one out; Li, Monroe & Jurafsky, "Understanding
neural networks through representation erasure", 2016). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import msgspec

from botattack.attacks.building.plain_words import removal, word_tokens
from botattack.model import Edit, Token, Variant, edited_text
from botattack.options import Count
from botattack.protocols import Attack, Context, Proposals
from botattack.text.languages import codes, language
from botattack.text.parse_need import parse
from botattack.text.word_lists import function_words, grammar_words

LEFT_OUT_ALONE = "left out alone"
"""The kind of its edits."""
MOST = 40
"""Words of a question that are left out, the first ones first."""


@dataclass(frozen=True)
class Sensitivity(Attack):
    """Leaves out each word of the question, one at a time, and shows which words carry the answer.

    This is a diagnosis: a question without a word may well have another answer, so that nothing counts as broken and
    no rate contains it. The report shows a map of the words and how often each role broke the answer.

    The role of a word is its dependency relation. With `roles: false`, or in a language without a parser, it is the
    sort of word: question word, function word, number, name, other word.
    """

    name: ClassVar[str] = "sensitivity"
    plain: ClassVar[str] = "One word left out"
    diagnosis: ClassVar[bool] = True

    roles: bool = True
    """Whether to parse questions, for which a parser must be installed."""
    times: Count = 1
    """How often to ask without each word. A bot whose answers vary needs 3 or more."""

    def parts(self) -> tuple[str, ...]:
        return ("parse",) if self.roles else ()

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        question = context.question
        parsed = (yield from parse(question.text, question.lang)) if self.roles else ()
        words = word_tokens(question.text)
        seen = set[str]()
        for word in words[:MOST] if len(words) > 1 else ():
            (edit,) = removal(question.text, word, LEFT_OUT_ALONE, leads=word is words[0]).edits
            text = edited_text(question.text, (edit,))
            if text in seen:
                continue  # of two equal words in a row, it does not matter which one goes
            seen.add(text)
            without = question.worded(text)
            probe = Variant(
                without, self.name, (_with_role(edit, word, parsed),), distance=len(edit.before), probe=True
            )
            yield [msgspec.structs.replace(probe, again=number) for number in range(self.times)]
        return 0


def _with_role(edit: Edit, word: Token, parsed: Sequence[Token]) -> Edit:
    """Of a word that the parser cuts in several, the role of the one that the others hang on."""
    inside = [i for i, token in enumerate(parsed) if word.start <= token.start < word.end and token.relation]
    head = next((parsed[i] for i in inside if parsed[i].head not in inside or parsed[i].head == i), None)
    relation, pos = (head.relation, head.pos) if head else ("", _sort_of(word))
    return msgspec.structs.replace(edit, relation=relation, pos=pos)


def _sort_of(word: Token) -> str:
    folded = word.text.casefold()
    if folded in grammar_words.question_words:
        return "question word"
    if folded in function_words() or any(folded in language(code).stop_words for code in codes()):
        return "function word"
    if any(sign.isdigit() for sign in word.text):
        return "number"
    return "name" if word.start and word.text[0].isupper() else "other word"
