"""Whole sentences in other words: there and back through a translator, or by a model. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterator, Sequence
from typing import Any

from botattack.attacks.building.guard import KEPT, Draft, answer_spans
from botattack.attacks.sentences.rewriting import doubt, in_form_of, rewritten
from botattack.model import Need, Question, Token
from botattack.text.languages import script_of
from botattack.text.tokens import words
from botattack.text.word_lists import grammar_words

Sentences = Generator[Sequence[Need], Sequence[Any], list[tuple[str, str]]]
"""Yields Needs, is sent their results, returns sentences with the kind of their edits."""
_LETTERS = "ABCDEFGHJKLMNPRSTUVWYZ"
Span = tuple[int, int]


def drafts_of(question: Question, found: Sequence[tuple[str, str]], *, compared: bool) -> Iterator[Draft]:
    """The sentences in the form of the question; one that may ask for something else is unsure."""
    for sentence, kind in found:
        edits = rewritten(question.text, in_form_of(question.text, sentence), kind)
        if edits and script_of(sentence) == script_of(question.text):  # a model may answer in its own language
            why = doubt(question, sentence, compared=compared)
            why = why or (_other_question(question.text, sentence) if kind != MODEL else "")
            yield Draft(edits, ("unsure", why) if why else KEPT)


MODEL = "model"


def modelled(question: Question, most: int) -> Sentences:
    """What a model writes."""
    (found,) = yield [Need("paraphrase", {"text": question.text, "n": most})]
    return [(sentence, MODEL) for sentence in found]


def translated(question: Question, tokens: Sequence[Token], bridges: Sequence[str]) -> Sentences:
    """The question in other languages and back, its names behind letters that no translator touches."""
    lang = question.language
    bridges = [bridge for bridge in bridges if bridge != lang]
    text, names = veiled(question, tokens)
    there = yield [Need("translate", {"text": text, "from": lang, "to": bridge}) for bridge in bridges]
    said = [(bridge, found) for bridge, found in zip(bridges, there, strict=True) if found]
    if not said:
        return []
    back = yield [Need("translate", {"text": found, "from": bridge, "to": lang}) for bridge, found in said]
    unveiled = ((_unveiled(found or "", names), bridge) for found, (bridge, _) in zip(back, said, strict=True))
    return [(sentence, f"by way of {bridge}") for sentence, bridge in unveiled if sentence]


def _other_question(before: str, after: str) -> str:
    """What tells that a sentence asks with another word ("how" became "as"); "what" and "which" are one."""
    one, other = (
        {"what" if word.text.lower() == "which" else word.text.lower() for word in words(text)}
        & grammar_words.question_words
        for text in (before, after)
    )
    lost = sorted(one - other)
    return f"it lost {lost[0]!r}" if lost else ""


def reached(bridge: str, pairs: Collection[str]) -> bool:
    """Whether some language leads to the bridge and back."""
    return any(there.endswith(f"-{bridge}") and f"{bridge}-{there[: -len(bridge) - 1]}" in pairs for there in pairs)


def veiled(question: Question, tokens: Sequence[Token]) -> tuple[str, list[str]]:
    """The question with XQA, XQB … in place of names, and the names; every run of names is one."""
    text, veiled_text, names, end = question.text, "", list[str](), 0
    for start, stop in _name_spans(question, tokens):
        if len(names) < len(_LETTERS):
            veiled_text += text[end:start] + f"XQ{_LETTERS[len(names)]}"
            names.append(text[start:stop])
            end = stop
    return veiled_text + text[end:], names


def _name_spans(question: Question, tokens: Sequence[Token]) -> list[Span]:
    spans = [(token.start, token.end) for token in tokens if token.entity or token.pos == "PROPN"]
    joined: list[Span] = []
    for start, end in sorted([*spans, *answer_spans(question.text, question.answers)]):
        if joined and start <= joined[-1][1] + 1 and not question.text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _unveiled(text: str, names: Sequence[str]) -> str:
    """The text with its names back; empty if one was lost or doubled, or got an ending, which no name takes."""
    for letter, name in zip(_LETTERS, names, strict=False):
        found = re.findall(rf"\w*XQ{letter}\w*", text)
        if found != [f"XQ{letter}"]:
            return ""
        text = text.replace(f"XQ{letter}", name)
    return text
