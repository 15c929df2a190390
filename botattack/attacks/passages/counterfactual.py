"""Passages that say another answer: whom does the bot believe, and from how many of them on. Pure; English and
Persian."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import PASSAGES
from botattack.attacks.building.agreeing import ARTICLES, takes_an
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.guard import KEPT, answer_spans, batches
from botattack.attacks.fakes import answers as english
from botattack.attacks.fakes.answers import shortest_gold
from botattack.attacks.fakes.pool import Answers, Faking
from botattack.attacks.passages.reading import answer_tokens
from botattack.attacks.persian import fakes as persian
from botattack.model import Edit, Expect, Question, Token, Variant
from botattack.options import Share
from botattack.places import Place, PlaceKind
from botattack.protocols import Attack, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.tokens import normalised

LANGUAGES = frozenset({"en", "fa"})


def other_answer(
    question: Question,
    asked: Sequence[Token],
    answer: Sequence[Token],
    rng: Random,
    *,
    beside: str = "",
    others: Answers | None = None,
) -> str:
    """What `fake_answer` of the language gives for the parsed question and answer; "" without one."""
    if question.language == "fa":
        fake = persian.fake_answer(question, rng, beside, others)
        spans = (span for text in question.passages for span in exchanged(question, text, fake))
        return fake if all(start < end for start, end in spans) else ""
    return english.fake_answer(question, asked, answer, rng, beside=beside, others=others)


@dataclass(frozen=True)
class Counterfactual(Faking, Attack):
    """Replaces the gold answer with a fake one of its kind in the passages that contain it.

    A dose is the share of those passages that say the fake answer afterwards: each dose is a variant, and the figures
    by dose show from which dose on the bot believes it. The fake answer is the decoy. You decide what is right: with
    `trust: knowledge` a right bot answers as before; with `trust: passage` it gives another answer once no passage says
    the right one.

    Questions with the answer yes or no have no variant; nor, with `trust: passage`, have those whose gold answer is a
    pattern. A passage is altered wherever it contains whole words of a gold answer. With `how: add` the passages stay,
    and altered copies are added among them; a dose of 1 is then out of reach. The fake answer is
    one to a question of the set that asks for the same, else a name from elsewhere in the passages, else from lists.
    """

    name: ClassVar[str] = "counterfactual"
    plain: ClassVar[str] = "Passages with a false fact"
    one_of_each: ClassVar[str] = "doses"
    advice: ClassVar[str] = PASSAGES
    languages: ClassVar[frozenset[str] | None] = LANGUAGES
    uses: ClassVar[tuple[str, ...]] = ("parse",)

    trust: Literal["passage", "knowledge"] = "knowledge"
    """What a right bot trusts: what it knows (`knowledge`, the answer stays) or what it reads (`passage`)."""
    doses: tuple[Share, ...] = (1.0,)
    """Shares above 0. With `trust: passage` only the dose 1 has a right answer, and no other is asked."""
    how: Literal["replace", "add"] = "replace"
    """`replace` alters passages, `add` adds altered copies of them."""

    def __post_init__(self) -> None:
        if not self.doses or min(self.doses) <= 0:
            raise ValueError("doses must be shares above 0")
        if self.how == "add" and max(self.doses) == 1:
            raise ValueError("how: add keeps what is right, so that no dose can be 1: take one below, as 0.75")
        if self.how == "add" and self.trust == "passage":
            raise ValueError(
                "trust: passage needs how: replace: with the original still there, it is unclear which is right"
            )

    @property
    def expect(self) -> Expect:
        return "same" if self.trust == "knowledge" else "different"

    @property
    def edits(self) -> frozenset[PlaceKind]:
        return frozenset({"passage" if self.how == "replace" else "added passage"})

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        holding = [i for i, text in enumerate(question.passages) if answer_spans(text, question.answers)]
        unclear = self.trust == "passage" and any(answer.regex for answer in question.answers)
        if not holding or unclear or normalised(shortest_gold(question)) in ("", "yes", "no"):
            return 0
        asked = yield from parse(question.text, question.lang, entities=True)
        answer = yield from answer_tokens(question)
        fake = other_answer(question, asked, answer, rng, others=self.others)
        if not fake or not fits(question, holding, fake):
            return 0
        order = rng.sample(holding, len(holding))
        found = {variant.id: variant for variant in self._variants(question, order, fake, rng)}
        yield from batches(found.values())
        return len(found)

    def _variants(self, question: Question, order: Sequence[int], fake: str, rng: Random) -> Iterator[Variant]:
        for dose in sorted(self.doses):
            if self.trust == "passage" and dose < 1:
                continue
            edits = (
                tuple(self._replaced(question, sorted(order[: ceil(dose * len(order))]), fake, dose))
                if self.how == "replace"
                else tuple(self._added(question, order, fake, dose, rng))
            )
            meaning, why = KEPT if self.expect == "same" else ("changed", f"every passage says {fake!r}")
            more = {"expect": self.expect, "meaning": meaning, "why": why}
            yield variant_of(question, self.name, edits, decoy=fake, **more)

    def _replaced(self, question: Question, passages: Sequence[int], fake: str, dose: float) -> Iterator[Edit]:
        for i in passages:
            text = question.passages[i]
            for start, end in exchanged(question, text, fake):
                yield Edit(
                    start,
                    text[start:end],
                    in_place(text, (start, end), fake),
                    f"counterfactual {dose:g}",
                    Place("passage", i),
                )

    def _added(self, question: Question, order: Sequence[int], fake: str, dose: float, rng: Random) -> Iterator[Edit]:
        """So many copies that their share is the dose, in front of passages drawn by chance."""
        copies = max(1, round(dose * len(order) / (1 - dose)))
        put = [(rng.randrange(len(question.passages) + 1), order[n % len(order)]) for n in range(copies)]
        for where, i in sorted(put):
            text = with_fake(question, i, fake)
            yield Edit(0, "", text, f"counterfactual {dose:g}", Place("added passage", where))


def in_place(text: str, span: tuple[int, int], fake: str) -> str:
    """A fake answer as it is written where a gold one stands: no second article, a capital at the beginning of a
    sentence, the mark at its end."""
    start, end = span
    before = text[:start].split()[-1:]
    mark = text[end - 1 : end] if text[end - 1 : end] in (".", "?", "!") and fake[-1:].isalnum() else ""
    last = before[0].lower() if before else ""
    fake = fake[4:] if last in ("the", "a", "an") and fake.lower().startswith("the ") else fake
    ends = not before or before[0].endswith((".", "!", "?"))
    return (fake[:1].upper() + fake[1:] if ends and text[start : start + 1].isupper() else fake) + mark


def fits(question: Question, passages: Sequence[int], fake: str) -> bool:
    """Whether "a" or "an" before each gold answer fits the fake one."""
    for text in (question.passages[i] for i in passages):
        for span in exchanged(question, text, fake):
            before = [word.lower() for word in text[: span[0]].split()[-1:]]
            if before in (["a"], ["an"]) and before != [ARTICLES[takes_an(in_place(text, span, fake))]]:
                return False
    return True


def exchanged(question: Question, text: str, fake: str) -> list[tuple[int, int]]:
    """Where the fake answer takes the place of gold ones, ascending: spans that overlap are one; in Persian, without
    the words that frame the answer, and empty if there is no place for it."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(answer_spans(text, question.answers)):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    if question.language == "fa":
        found = [(at + i, at + j) for at, end in found for i, j in [persian.stretch(question, text[at:end], fake)]]
    return found


def with_fake(question: Question, passage: int, fake: str) -> str:
    """A passage in which the fake answer stands wherever a gold answer did."""
    text, end, pieces = question.passages[passage], 0, []
    for start, stop in exchanged(question, text, fake):
        pieces += [text[end:start], in_place(text, (start, stop), fake)]
        end = stop
    return "".join([*pieces, text[end:]])
