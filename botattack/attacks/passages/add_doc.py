"""Whole passages that answer wrongly, shuffled among the others (AddDoc of Jiang and Bansal 2019; reasoning chain 3.2).
Pure; English and Persian."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import PASSAGES
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.guard import answer_spans
from botattack.attacks.fakes.answers import shortest_gold
from botattack.attacks.fakes.pool import Faking
from botattack.attacks.passages.counterfactual import LANGUAGES, fits, other_answer
from botattack.attacks.passages.reading import answer_tokens
from botattack.attacks.passages.renaming import spoken_of, subject_of
from botattack.model import Edit, Question
from botattack.places import Place, PlaceKind
from botattack.protocols import Attack, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.tokens import normalised

COPIES = 4
"""Fake documents for each that has the answer, as in the paper."""
MOST = 10
"""Passages that there are at most afterwards, as in the paper."""


@dataclass(frozen=True)
class AddDoc(Faking, Attack):
    """Adds fake documents: copies of each passage that has the answer, which speak of somebody or something else and
    give another answer of the same kind (AddDoc; reasoning chain 3.2).

    They are mixed with the passages in random order, at most ten in all: passages that neither contain nor support an
    answer are dropped first. A right bot answers as before. Yes/no questions are left out, as in the paper. The first
    fake answer is the decoy.

    Decided here: the title of a passage is the text before its first colon, if it is short. What it names becomes
    another of its kind all through the copy (full name, surname, initials), and in each copy another, so that no copy
    tells other facts under the title of a passage. There is no copy where the first sentence does not speak of what the
    title names, or gives it a second name. There is none of a passage without a title: copies of such passages said
    other facts of what kept its name. In Persian, names come from the lexicon.
    """

    name: ClassVar[str] = "add-doc"
    plain: ClassVar[str] = "Fake documents"
    advice: ClassVar[str] = PASSAGES
    languages: ClassVar[frozenset[str] | None] = LANGUAGES
    uses: ClassVar[tuple[str, ...]] = ("parse",)
    per_question: ClassVar[int] = 1
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"passage", "added passage"})
    must_reach: ClassVar[frozenset[PlaceKind]] = frozenset({"passage"})

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        holding = [i for i, text in enumerate(question.passages) if answer_spans(text, question.answers)]
        if not holding or normalised(shortest_gold(question)) in ("", "yes", "no"):
            return 0
        asked = yield from parse(question.text, question.lang, entities=True)
        answer = yield from answer_tokens(question)
        made: list[tuple[str, str]] = []
        for i in holding:
            subject = subject_of(question, i)
            for _ in range(COPIES if subject else 0):
                beside = " ".join(text for _, text in made)
                fake = other_answer(question, asked, answer, rng, beside=beside, others=self.others)
                text = (
                    spoken_of(question, i, subject, fake, rng, taken=beside)
                    if subject and fake and fits(question, [i], fake)
                    else ""
                )
                made += [(fake, text)] if text else []
        edits = _placed(question, [text for _, text in made], rng)
        if not edits:
            return 0
        yield [variant_of(question, self.name, edits, decoy=made[0][0])]
        return 1


def _placed(question: Question, texts: Sequence[str], rng: Random) -> tuple[Edit, ...]:
    """As many of the texts as there is room for: in place of passages that are of no use, then between passages."""
    count, needed = len(question.passages), {fact.passage for fact in question.facts}
    idle = [
        i for i, text in enumerate(question.passages) if i not in needed and not answer_spans(text, question.answers)
    ]
    room = max(0, MOST - count)
    texts = rng.sample(list(texts), min(len(texts), room + len(idle)))
    gone = sorted(rng.sample(idle, max(0, len(texts) - room)))
    replaced = [
        Edit(0, question.passages[i], text, "fake document", Place("passage", i))
        for i, text in zip(gone, texts, strict=False)
    ]
    put = sorted((rng.randrange(count + 1), text) for text in texts[len(gone) :])
    return (*replaced, *(Edit(0, "", text, "fake document", Place("added passage", at)) for at, text in put))
