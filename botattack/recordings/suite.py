"""A suite: every original and every variant that a recorded run asked, to be asked again exactly so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from operator import itemgetter
from random import Random

from botattack.cases import QuestionCase, cases
from botattack.errors import RecordingError
from botattack.events import AnyEvent, MemoryProbed, RunStarted
from botattack.model import Expect, Question, Variant, edited
from botattack.places import PlaceKind
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
    expect: Expect = "same"
    diagnosis: bool = False  # type: ignore[misc]  # as that of the attack was
    variants: Variants = field(default_factory=dict, repr=False, compare=False)

    def only(self, questions: frozenset[str]) -> Pinned:
        """That of some of the questions."""
        kept = {question: variants for question, variants in self.variants.items() if question in questions}
        return replace(self, variants=kept)

    @property
    def must_reach(self) -> frozenset[PlaceKind]:
        """Where all of its variants edit: an attack on everything is not pointless if some of it does not arrive."""
        variants = [variant for each in self.variants.values() for variant in each]
        places = [{edit.place.kind for edit in variant.edits} for variant in variants]
        return frozenset(places[0].intersection(*places)) if places else self.edits

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        variants = self.variants.get(context.question.id, ())
        # What one asking of a diagnosis tells the bot must not be known to the one before.
        # (`yield from` a list takes no outcomes. The slice saves the step of an empty batch.)
        for batch in [[one] for one in variants] if self.diagnosis else [variants][: len(variants)]:  # noqa: UP028
            yield batch
        return 0 if self.diagnosis else len(variants)


@dataclass(frozen=True)
class Recorded:
    """Iterates like a question set: each question once, in the order it was first asked in `run`."""

    run: str
    questions: tuple[Question, ...]

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[tuple[Question, int]]:
        return ((question, 0) for question in self.questions)

    def lacks(self, ids: Iterable[str]) -> int:
        """How many of these ids are of none of its questions."""
        return len(set(ids).difference(question.id for question in self.questions))


@dataclass(frozen=True)
class Suite(Recorded):
    """The questions of a run, with the variants that it asked."""

    attacks: Mapping[str, Pinned]

    @property
    def attacked(self) -> frozenset[str]:
        """Ids of the questions that have variants."""
        return frozenset(question for attack in self.attacks.values() for question in attack.variants)

    @property
    def variants(self) -> int:
        return sum(len(variants) for attack in self.attacks.values() for variants in attack.variants.values())

    def only(self, wanted: Callable[[Question], bool]) -> Suite:
        """The suite of some of the questions."""
        kept = tuple(question for question in self.questions if wanted(question))
        ids = frozenset(question.id for question in kept)
        attacks = {label: attack.only(ids) for label, attack in self.attacks.items()}
        return Suite(self.run, kept, attacks)

    def each(self) -> Iterator[tuple[Question, str, Variant]]:
        """Every variant with its question and attack, question by question."""
        for question in self.questions:
            for label, attack in self.attacks.items():
                yield from ((question, label, variant) for variant in attack.variants.get(question.id, ()))


def suite_of(events: Iterable[AnyEvent]) -> Suite:
    """Reads a recording once, and leaves out all that is neither an outcome nor compared with later runs; raises
    RecordingError if it has no beginning or no question, or one that cannot be asked again as it was."""
    of_run: list[AnyEvent] = []
    # What a forgetful bot was asked is asked again, whether or not it is an outcome.
    told = (event for event in events if not isinstance(event, MemoryProbed))
    found = [(case.number, case.question, _variants(case)) for case in cases(told, besides=of_run.append)]
    asked = sorted((one for one in found if one[0] >= 0), key=itemgetter(0))
    started = next((event for event in reversed(of_run) if isinstance(event, RunStarted)), None)
    if started is None or not asked:
        raise RecordingError("this recording has no question that a suite could be made of")
    refuse_masked(question for _, question, _ in asked)
    pinned = dict[str, Pinned]()
    for label in dict.fromkeys((*started.attacks, *(label for *_, variants in asked for label in variants))):
        facts = {question.id: tuple(variants[label]) for _, question, variants in asked if label in variants}
        is_diagnosis, expect = label not in started.attacks, started.attacks.get(label, "same")
        pinned[label] = Pinned(started.run, label, expect, is_diagnosis, facts)
    return Suite(started.run, tuple(question for _, question, _ in asked), pinned)


def refuse_masked(questions: Iterable[Question]) -> None:
    """Raises RecordingError for a question that cannot be asked again as it was."""
    if masked := next((question.text for question in questions if question.masked), None):
        raise RecordingError(
            f"{masked!r} cannot be asked again: it contained what env: of the target file names, which was masked; "
            "change the question, or leave that name out of env:, and run again"
        )


@cache
def _compared() -> frozenset[str]:
    """The edits of probes that a later run is compared by: what `memory` asks, and the controls of `injection`."""
    from botattack.attacks.passages.injection import CONTROL_OF
    from botattack.attacks.turns.memory import CHECKS

    return frozenset((*CHECKS, *CONTROL_OF.values()))


def _variants(case: QuestionCase) -> dict[str, list[Variant]]:
    """By attack."""
    found: dict[str, list[Variant]] = {}
    for judged, asked, _ in case.variants:
        again = judged.probe and bool(judged.edits) and {edit.kind for edit in judged.edits} <= _compared()
        if asked is not None and (judged.is_outcome or again):
            variant = Variant(
                # A play is played again, as its turns hang on replies.
                asked.turns if judged.play is None else edited(case.question.turns, judged.edits),
                judged.attack,
                judged.edits,
                judged.expect,
                judged.distance,
                judged.meaning,
                judged.why,
                judged.parent,
                judged.probe,
                judged.decoy,
                judged.play,
                # A fact is asked for twice in the same words.
                int(judged.unit.partition(".")[2] or 0) if again else 0,
                judged.search,
                judged.right,
            )
            found.setdefault(judged.attack, []).append(variant)
    return found
