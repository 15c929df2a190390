"""Whole sentences rewritten by a translator or a paraphraser (semantic parsers 3.1, dialogue 3.1). Pure."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.choosing import PerQuestion
from botattack.attacks.building.guard import KEPT, Draft, Judgement, answer_spans, batches, guarded
from botattack.attacks.building.meaning_gates import Gate, MeaningGates, allowed, filled, gated
from botattack.attacks.sentences.rewriting import doubt, in_form_of, rewritten
from botattack.errors import MissingPart
from botattack.model import Need, Question, Token, Variant
from botattack.options import Count, Share
from botattack.protocols import Attack, Context, Proposals
from botattack.text.languages import script_of
from botattack.text.parse_need import parse
from botattack.text.parts.translation import Apertium
from botattack.text.tokens import words
from botattack.text.word_lists import grammar_words
from botattack.text.wordlist import Vocabulary

Sentences = Generator[Sequence[Need], Sequence[Any], list[tuple[str, str]]]
"""Yields Needs, is sent their results, returns sentences with the kind of their edits."""
_LETTERS = "ABCDEFGHJKLMNPRSTUVWYZ"
Span = tuple[int, int]


@dataclass(frozen=True)
class Wholly(MeaningGates, Attack):
    """What attacks share that write a sentence in other words."""

    gates: tuple[Gate, ...] = ("similar", "grammar", "opposites")
    """Checks of each variant: `similar` (cosine of the two sentences), `grammar` (it can be parsed if the original can)
    and `opposites` (it contains no antonym of a removed word). If one fails, the meaning is unsure, and `why` says
    which."""
    vocabulary: Vocabulary = None
    """A file with words; a sentence with a new word that is none of them is left out."""

    @abstractmethod
    def sentences(self, question: Question) -> Sentences:
        """The whole sentences to propose, each with the kind of its edits."""

    def _guarded(self, question: Question, found: Iterable[tuple[str, str]]) -> list[Variant]:
        return list(guarded(question, self._drafts(question, found), attack=self.name))

    def _drafts(self, question: Question, found: Iterable[tuple[str, str]]) -> Iterator[Draft]:
        for sentence, kind in found:
            edits = rewritten(question.text, in_form_of(question.text, sentence), kind)
            known = script_of(sentence) == script_of(question.text)  # a model may answer in its own language
            if known and edits and allowed(edits, self.vocabulary):
                yield Draft(edits, self.looked_at(question, sentence))

    def looked_at(self, question: Question, sentence: str) -> Judgement:
        """What a sentence does to the meaning, as far as that is known without a model."""
        del question, sentence
        return KEPT


@dataclass(frozen=True)
class BackTranslation(Wholly):
    """Translates the question into another language and back: "list job using sql" becomes "what kind of work do you
    have with sql" (semantic parsers 3.1, Back Translation; Persian QA's augmentation).

    Several bridges are tried and the best is taken, by the similarity of the sentences. The paper's bridges are
    Russian, French and Japanese by Google; here any that the translator has (`BOTATTACK_TRANSLATOR`, else Apertium).

    Decided here: names are entities, proper nouns and words of a gold answer; a translation that lost one is left
    out, and so is one that only differs in case. The question's mark and first letter stay as they were.
    """

    name: ClassVar[str] = "back-translation"
    plain: ClassVar[str] = "Translations there and back"
    advice: ClassVar[str] = WORDINGS
    strict: ClassVar[bool] = True

    at_least: Share = 0.95
    """The cosine below which meaning is unsure: rules translate by the first sense of a word."""
    bridges: tuple[str, ...] = ("eo", "es")
    """Languages by their two-letter codes."""
    best: Count = 1
    """How many of the translations are taken, those that pass the gates and the most similar first; the paper's 1."""
    placeholders: bool = True
    """Whether names are replaced with letters that no translator touches, and put back afterwards."""

    def __post_init__(self) -> None:
        if not self.bridges:
            raise ValueError("bridges must name at least one language")

    def parts(self) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys((("parse",) if self.placeholders else ()) + ("translate", "similar", *self.gate_parts()))
        )

    def check_parts(self, parts: Mapping[str, Any]) -> None:
        """Raises MissingPart if the translator tells its languages and a bridge is none of them."""
        known = parts["translate"].pairs if isinstance(parts["translate"], Apertium) else None
        lost = [bridge for bridge in self.bridges if known is not None and not _reached(bridge, known)]
        if lost:
            reached = ", ".join(sorted({pair[3:] for pair in known or () if pair.startswith("en-")}))
            raise MissingPart(
                f"{self.name} has no way there and back to {', '.join(lost)}; from English there are {reached}: "
                "install that pair (apt-get install apertium-…), or give other bridges"
            )

    def looked_at(self, question: Question, sentence: str) -> Judgement:
        why = doubt(question, sentence, compared="similar" in self.gates) or _other_question(question.text, sentence)
        return ("unsure", why) if why else KEPT

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        return (yield from filled(self._propose(context), context, self, self.best))

    def _propose(self, context: Context) -> Proposals:
        question = context.question
        variants = self._guarded(question, (yield from self.sentences(question)))
        asked = [Need("similar", {"one": question.text, "other": variant.prompt.text}) for variant in variants]
        cosines = (yield asked) if asked else ()
        order = sorted(range(len(variants)), key=lambda i: (-cosines[i], i))
        yield from batches(variants[i] for i in order)
        return len(variants)

    def sentences(self, question: Question) -> Sentences:
        names: list[str] = []
        text, lang = question.text, question.lang.partition("-")[0]
        bridges = [bridge for bridge in self.bridges if bridge != lang]
        if self.placeholders:
            tokens = yield from parse(text, question.lang, entities=True)
            text, names = veiled(question, tokens)
        there = yield [Need("translate", {"text": text, "from": lang, "to": bridge}) for bridge in bridges]
        said = [(bridge, found) for bridge, found in zip(bridges, there, strict=True) if found]
        if not said:
            return []
        back = yield [Need("translate", {"text": found, "from": bridge, "to": lang}) for bridge, found in said]
        unveiled = ((_unveiled(found or "", names), bridge) for found, (bridge, _) in zip(back, said, strict=True))
        return [(sentence, f"by way of {bridge}") for sentence, bridge in unveiled if sentence]


@dataclass(frozen=True)
class Paraphrase(PerQuestion, Wholly):
    """Has a model rewrite the question: "How old are you" becomes "What's your age" (dialogue 3.1, Generative-level
    Paraphrasing).

    The paper trains a pointer-generator network on ParaNMT-5M; here any model that a target file names
    (`BOTATTACK_PARAPHRASER`): a server of the OpenAI shape, or one in this process.

    Decided here: a paraphrase that lost words of a gold answer is left out. Models add and drop things, so all gates
    are on. Small models also answer, ramble and repeat. So a sentence is always unsure if it is not a question,
    contains the answer, negates, loses a number, leaves content words out, adds several, or is half or twice as long;
    or if it shares less than half of the content words and no gate compares the two.
    """

    name: ClassVar[str] = "paraphrase"
    plain: ClassVar[str] = "Paraphrases"
    advice: ClassVar[str] = WORDINGS

    per_question: Count = 3
    """How many paraphrases to ask for."""

    def parts(self) -> tuple[str, ...]:
        return ("paraphrase", *self.gate_parts())

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from gated(self._propose(context, rng), context, self))

    def _propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        variants = self._guarded(context.question, (yield from self.sentences(context.question)))
        yield from batches(variants[: self.per_question])
        return len(variants)

    def looked_at(self, question: Question, sentence: str) -> Judgement:
        why = doubt(question, sentence, compared="similar" in self.gates)
        return ("unsure", why) if why else KEPT

    def sentences(self, question: Question) -> Sentences:
        (found,) = yield [Need("paraphrase", {"text": question.text, "n": self.per_question})]
        return [(sentence, "paraphrased") for sentence in found]


def _other_question(before: str, after: str) -> str:
    """What tells that a sentence asks with another word ("how" became "as"); "what" and "which" are one."""
    one, other = (
        {"what" if word.text.lower() == "which" else word.text.lower() for word in words(text)}
        & grammar_words.question_words
        for text in (before, after)
    )
    lost = sorted(one - other)
    return f"it lost {lost[0]!r}" if lost else ""


def _reached(bridge: str, pairs: Collection[str]) -> bool:
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
