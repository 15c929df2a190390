"""A suite: every original and every variant that a recorded run asked, to be asked again exactly so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from botattack.errors import RecordingError
from botattack.events import AnyEvent, Asked, QuestionClosed, QuestionOpened, RunStarted, VariantJudged
from botattack.model import Expect, Prompt, Question, Variant
from botattack.protocols import Attack, Context, Proposals

Variants = Mapping[str, tuple[Variant, ...]]
"""Of one attack, by the id of the question."""


@dataclass(frozen=True)
class Pinned(Attack):
    """An attack that proposes what was asked before, whatever comes of it: no search, no early stop.

    `suite` is the run it was first asked in; the variants are no option, the suite names them.
    """

    suite: str
    name: str  # type: ignore[misc]  # it is that of the attack whose variants these are
    expect: Expect  # type: ignore[misc]

    @classmethod
    def of(cls, suite: str, name: str, expect: Expect, variants: Variants) -> Pinned:
        pinned = cls(suite, name, expect)
        object.__setattr__(pinned, "variants", variants)
        return pinned

    def __post_init__(self) -> None:
        self.variants: Variants
        object.__setattr__(self, "variants", {})

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        variants = self.variants.get(context.question.id, ())
        if variants:
            yield variants
        return len(variants)


@dataclass(frozen=True)
class Suite:
    """Iterates like a question set: each question once, in the order it was first asked."""

    run: str
    questions: tuple[Question, ...]
    attacks: Mapping[str, Pinned]

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[tuple[Question, int]]:
        return ((question, 0) for question in self.questions)

    def lacks(self, ids: Iterable[str]) -> int:
        """How many of these ids are of none of its questions."""
        return len(set(ids).difference(question.id for question in self.questions))

    @property
    def attacked(self) -> frozenset[str]:
        """Ids of the questions that have variants."""
        return frozenset(question for attack in self.attacks.values() for question in attack.variants)

    @property
    def variants(self) -> int:
        return sum(len(variants) for attack in self.attacks.values() for variants in attack.variants.values())

    def unit_ids(self) -> Iterator[str]:
        """The id of each variant, with its attack and question."""
        for label, attack in self.attacks.items():
            for question, variants in attack.variants.items():
                for variant in variants:
                    yield f"{question} {label} {variant.id}"


def suite_of(events: Iterable[AnyEvent]) -> Suite:
    """Reads a recording once, and leaves probes out; raises RecordingError where it has no beginning or no question, or
    one that cannot be asked again as it was."""
    questions: list[Question] = []
    turns: dict[str, dict[str, tuple[Prompt, ...]]] = {}
    found: dict[str, dict[str, list[Variant]]] = {}
    started: RunStarted | None = None
    for event in events:
        match event:
            case RunStarted():
                started = event
            case QuestionOpened():
                if event.question.masked:
                    raise RecordingError(
                        f"{event.question.text!r} cannot be asked again: it held what env: of the target file names, "
                        "which was masked; change the question, or leave that name out of env:, and run anew"
                    )
                questions.append(event.question)
            case Asked():
                turns.setdefault(event.question, {})[event.unit] = event.turns
            case VariantJudged(probe=False):
                asked = turns.get(event.question, {}).get(event.unit)
                if asked is not None:
                    found.setdefault(event.attack, {}).setdefault(event.question, []).append(_variant(event, asked))
            case QuestionClosed():
                turns.pop(event.question, None)
    if started is None or not questions:
        raise RecordingError("this recording holds no question that a suite could be made of")
    return Suite(started.run, tuple(questions), _pinned(started, found))


def _pinned(started: RunStarted, found: dict[str, dict[str, list[Variant]]]) -> dict[str, Pinned]:
    return {
        label: Pinned.of(
            started.run,
            label,
            expect,
            {question: tuple(variants) for question, variants in found.get(label, {}).items()},
        )
        for label, expect in started.attacks.items()
    }


def _variant(event: VariantJudged, turns: tuple[Prompt, ...]) -> Variant:
    return Variant(
        turns,
        event.attack,
        event.edits,
        event.expect,
        event.distance,
        event.meaning,
        event.why,
        event.parent,
    )
