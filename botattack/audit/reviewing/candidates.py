"""What of a run can be read, how it is shown, and which of it is drawn to be read next.

Every chance of the draw is known, so that what readers say of it is unbiased.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from math import floor, sqrt
from random import Random
from typing import NamedTuple

from botattack.cases import QuestionCase, VariantCase, right_in
from botattack.events import AskedOf
from botattack.model import CONTROL, Turns, content_id
from botattack.recordings.reviews import Text
from botattack.recordings.triage import variant_of
from botattack.report.numbers import count
from botattack.report.wording.marks import alike

LONGEST = 4000
"""Characters of a text that are shown."""
AROUND = 200
"""Characters of a passage that are shown before and after what was changed."""
POOL = 2000
"""Questions among which those are chosen that a variant might be taken for."""


class Candidate(NamedTuple):
    """A unit that may be drawn. `probability` is the judge's that a reader calls the reply correct, if it knows."""

    unit: str
    probability: float | None


@dataclass(frozen=True)
class Shown:
    """What of a unit may be shown: its question unchanged and as it was sent, the reply to each, and what is right."""

    unit: str
    lang: str
    original: tuple[Text, ...]
    altered: tuple[Text, ...]
    right: tuple[str, ...]
    reply: str
    altered_reply: str


@dataclass(frozen=True)
class Asking:
    """An unchanged question that may stand beside others: for items with a known answer, and to choose among. `said` is
    a right answer that can be read out; empty if there is none."""

    lang: str
    texts: tuple[Text, ...]
    right: tuple[str, ...]
    said: str
    reply: str

    @property
    def text(self) -> str:
        return self.texts[-1].text


def candidates(cases: Iterable[QuestionCase], ask: AskedOf) -> Iterator[Candidate]:
    """The variants of which this can be asked, each text once where it is the text that is read."""
    seen: set[str] = set()
    for case in filter(lambda one: one.right, cases):
        for variant in filter(lambda one: _can_be_asked(one, ask), case.variants):
            unit = variant.judged.unit
            read = unit if ask in ("verdict", "preference") else variant_of(unit)
            if read not in seen:
                seen.add(read)
                yield Candidate(unit, variant.judged.verdict.probability)


def _can_be_asked(variant: VariantCase, ask: AskedOf) -> bool:
    """Only what rates count: claimed, no probe, nor an original that was asked again. What is to change the meaning is
    no other wording of its question."""
    judged = variant.judged
    if not judged.is_outcome or judged.attack == CONTROL or not variant.claimed or not variant.alteration.sent:
        return False
    replied = variant.asked is not None and not variant.asked.failure
    if ask == "verdict":
        return replied and judged.reference == "gold" and not judged.turns
    return judged.expect == "same" and (replied or ask != "preference")


def shown(cases: Iterable[QuestionCase], units: frozenset[str]) -> tuple[dict[str, Shown], list[Asking]]:
    """What is shown of these units, and unchanged questions, as many as `POOL`, whatever the order of the run."""
    found: dict[str, Shown] = {}
    pool: list[Asking] = []
    for case in cases:
        if case.right:
            pool.append(_asking(case))
            found |= {each.judged.unit: _shown(case, each) for each in case.variants if each.judged.unit in units}
        if len(pool) > 2 * POOL:
            pool = _few(pool)
    return found, _few(pool)


def _asking(case: QuestionCase) -> Asking:
    question = case.question
    said = next((answer.text for answer in question.answers if not answer.regex), "") if not question.requires else ""
    return Asking(question.lang, texts(question.turns, question.turns), right_in(question), said, _cut(case.reply))


def _few(pool: list[Asking]) -> list[Asking]:
    return sorted(pool, key=lambda one: content_id(one.text))[:POOL]


def _shown(case: QuestionCase, variant: VariantCase) -> Shown:
    before, sent = variant.alteration.original, variant.alteration.sent
    return Shown(
        variant.judged.unit,
        case.question.lang,
        texts(before, sent),
        texts(sent, before),
        right_in(case.question),
        _cut(case.reply),
        _cut(variant.reply),
    )


def texts(turns: Turns, other: Turns) -> tuple[Text, ...]:
    """What a reader needs of a conversation: every message, and where its passages are not those of the `other`."""
    here, there = _passages(turns), _passages(other)
    changed = [passage for passage in here if passage not in there]
    beside = [passage for passage in there if passage not in here]
    read = [
        Text("passage", _cut(_around(*pair))) for pair in zip_longest(changed, beside[: len(changed)], fillvalue="")
    ]
    before = [Text(said.speaker, _cut(said.text)) for said in turns[0].history]
    return (*read, *before, *(Text("user", _cut(turn.text)) for turn in turns))


def _passages(turns: Turns) -> dict[str, None]:
    return dict.fromkeys(chain.from_iterable(turn.passages for turn in turns))


def _around(passage: str, other: str) -> str:
    """A passage without most of what it begins and ends with like the other: nobody compares pages letter by letter."""
    head = alike(passage, other)
    tail = alike(passage[head:][::-1], other[head:][::-1])
    start, end = max(0, head - AROUND), len(passage) - max(0, tail - AROUND)
    return "… " * (start > 0) + passage[start:end] + " …" * (end < len(passage))


def _cut(text: str) -> str:
    more = len(text) - LONGEST
    return f"{text[:LONGEST]}… ({count(more, 'more character')})" if more > 0 else text


AT_RANDOM = 0.5
"""The share of items that are drawn whatever the judge says: where it is sure and wrong, only these show it."""


def drawn(candidates: Sequence[Candidate], ask: AskedOf, items: int, seed: int) -> list[tuple[str, float]]:
    """So many units, each with the chance with which it is drawn: its inverse is the weight of what is said of it.

    For verdicts, half of the items are drawn in proportion to the judge's uncertainty √(p (1 − p)), which makes the
    corrected rate most exact for the number of labels, and half with equal chances (Zrnic and Candès, Active
    Statistical Inference, 2024). For everything else all chances are equal. The order of candidates changes nothing.
    """
    order = sorted(candidates, key=lambda one: content_id("drawn", seed, ask, one.unit))
    chances = _chances([_uncertainty(one) if ask == "verdict" else 1.0 for one in order], min(items, len(order)))
    start = Random(f"drawn {seed} {ask}").random()
    picked = _systematic(chances, start)
    return [(order[at].unit, chances[at]) for at in picked]


def _uncertainty(one: Candidate) -> float:
    p = 0.5 if one.probability is None else one.probability
    return sqrt(max(0.0, p * (1 - p)))


def _chances(sizes: Sequence[float], items: int) -> list[float]:
    """Chances that sum to `items`, none over 1: what would have more is drawn for certain, and the others share."""
    certain: set[int] = set()
    while True:
        free = [at for at in range(len(sizes)) if at not in certain]
        left, whole = items - len(certain), sum(sizes[at] for at in free)
        chances = [1.0] * len(sizes)
        for at in free:
            of_size = sizes[at] / whole if whole else 1 / len(free)
            chances[at] = left * (AT_RANDOM / len(free) + (1 - AT_RANDOM) * of_size)
        over = {at for at in free if chances[at] >= 1}
        if not over:
            return chances
        certain |= over


def _systematic(chances: Sequence[float], start: float) -> Iterator[int]:
    """Places in a random order, each with exactly its chance (Madow 1949): those where the running sum passes a whole
    number."""
    passed = start
    for at, chance in enumerate(chances):
        before, passed = passed, passed + chance
        # A certain one is drawn whatever rounding makes of the sum.
        if chance >= 1 or floor(passed) > floor(before):
            yield at
