"""Sums over questions: what is kept of a question while it is open, and what is left of it once it is closed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Literal, NamedTuple

import msgspec

from botattack.events import Asked, AttackEnded, OriginalJudged, VariantJudged
from botattack.model import Expect, GoldAnswer, Result
from botattack.report.figures.figures import SPLITS, AttackFigures, Row
from botattack.report.figures.statistics import MIN_QUESTIONS, ClusterSums, interval

MIXED = "mixed"
"""What stands for several kinds, relations or parts of speech in one variant."""
FEW_CARRIERS = 5
AS_CLAIMED = "as claimed"
REPLY_LIMIT = 2000
"""Characters of a reply that figures look at."""
RANKED_LIMIT = 100
"""Ranked candidates of a reply that figures look at."""

_REFERENCES = frozenset({"gold", "own"})
_SHOWN = frozenset({("gold", AS_CLAIMED), ("gold", "unsure"), ("own", AS_CLAIMED)})

Key = tuple[str, str, str | int]
"""Attack, what it is split by, and the value of that: `("dpaeg", "kind", "typo")`, `("dpaeg", "gold", AS_CLAIMED)`."""


class Sort(NamedTuple):
    """Outcomes that stand in the same rows; `kind` and what follows are empty where they stand in no split."""

    attack: str
    reference: str
    meaning: str
    result: Result | Literal["probes"]
    refused: bool
    distance: int = 0
    kind: str = ""
    relation: str = ""
    pos: str = ""

    @classmethod
    def of(cls, event: VariantJudged) -> Sort:
        if event.probe:
            return cls(event.attack, event.reference, AS_CLAIMED, "probes", refused=False)
        meaning = AS_CLAIMED if event.claimed else event.meaning
        kind, edits = event.verdict.kind, event.edits
        whole = cls(event.attack, event.reference, meaning, event.result, kind == "refused")
        if meaning is not AS_CLAIMED or event.reference != "gold" or not edits:
            return whole
        kinds, relations, parts = zip(*((edit.kind, edit.relation, edit.pos) for edit in edits), strict=True)
        return cls(*whole[:5], event.distance, _common(kinds), _common(relations), _common(parts))

    def rows(self, *, split: bool) -> Iterator[Key]:
        """Every row they stand in."""
        yield self.attack, self.reference, self.meaning
        if split:
            yield self.attack, "distance", self.distance
            yield self.attack, "kind", self.kind
            if self.relation:
                yield self.attack, "relation", self.relation
            if self.pos:
                yield self.attack, "part of speech", self.pos


@dataclass(slots=True)
class Tally:
    """Outcomes in one row; `refused` ones are results of another name, too, and `probes` are none."""

    success: int = 0
    robust: int = 0
    unsure: int = 0
    error: int = 0
    refused: int = 0
    requests: int = 0
    probes: int = 0

    def count(self, sort: Sort, times: int, requests: int) -> None:
        setattr(self, sort.result, getattr(self, sort.result) + times)
        self.refused += times * sort.refused
        self.requests += requests

    @property
    def rated(self) -> int:
        return self.success + self.robust

    @property
    def asked(self) -> int:
        return self.rated + self.unsure + self.error


class Heard(NamedTuple):
    """What was said in one asking, as far as figures need it, the requests it took, and the kind of its failure."""

    sent: str
    reply: str = ""
    ranked: tuple[str, ...] = ()
    requests: int = 0
    failure: str = ""

    @classmethod
    def of(cls, event: Asked) -> Heard:
        requests = sum([attempt.requests for attempt in event.attempts])
        if not event.replies:
            return cls(event.turns[-1].text, requests=requests, failure=event.failure.kind if event.failure else "")
        reply = event.replies[-1]
        return cls(event.turns[-1].text, reply.text[:REPLY_LIMIT], reply.ranked[:RANKED_LIMIT], requests)


class OpenQuestion(msgspec.Struct):
    """What has come of a question so far; `claimed` are the outcomes that rates count."""

    original: OriginalJudged | None = None
    outcomes: dict[Sort, list[int]] = {}
    """Of each sort how many there were, and the requests they took."""
    ended: dict[str, AttackEnded] = {}
    kind: str = ""
    language: str = ""
    answers: tuple[GoldAnswer, ...] = ()
    claimed: list[VariantJudged] = []
    heard: dict[str, Heard] = {}
    probed: list[tuple[int, VariantJudged]] = []
    """Probes of searches, each with how many claimed outcomes went before it."""

    def judged(self, event: VariantJudged) -> None:
        sort, heard = Sort.of(event), self.heard.get(event.unit)
        counts = self.outcomes.get(sort)
        if counts is None:
            counts = self.outcomes[sort] = [0, 0]
        counts[0] += 1
        counts[1] += heard.requests if heard else 0
        if event.probe:
            self.probed.append((len(self.claimed), event))
        elif sort.meaning == AS_CLAIMED and sort.reference == "gold":
            self.claimed.append(event)

    def tallies(self) -> dict[Key, Tally]:
        """The outcomes by row."""
        found: defaultdict[Key, Tally] = defaultdict(Tally)
        for sort, (times, requests) in self.outcomes.items():
            for key in sort.rows(split=bool(sort.kind or sort.distance)):
                found[key].count(sort, times, requests)
        return dict(found)

    def first_successes(self, attacks: Set[str]) -> Iterator[tuple[str, int | None]]:
        """Of these attacks that broke the bot the requests until they first did; None where one went on after that."""
        ended: dict[str, int | None] = {}
        for number, event in enumerate(self.claimed):
            if event.attack not in attacks:
                continue
            if event.attack in ended:
                ended[event.attack] = None
            elif event.result == "success":
                before = [one for one in self.claimed[: number + 1] if one.attack == event.attack]
                before += [one for place, one in self.probed if place <= number and one.attack == event.attack]
                heard = (self.heard.get(one.unit) for one in before)
                ended[event.attack] = sum(one.requests for one in heard if one)
        yield from ended.items()

    @property
    def right(self) -> bool:
        return self.original is not None and self.original.standing == "kept"

    @property
    def first(self) -> Heard | None:
        """The first asking of the original."""
        return self.heard.get(self.original.units[0]) if self.original and self.original.units else None


def _common(names: Sequence[str]) -> str:
    return names[0] if names.count(names[0]) == len(names) else MIXED


@dataclass(frozen=True, slots=True)
class RowSums:
    """All questions of one row."""

    questions: int = 0
    tally: Tally = field(default_factory=Tally)
    clusters: ClusterSums = field(default_factory=ClusterSums)
    broken: int = 0

    def add(self, more: Tally) -> RowSums:
        ours = self.tally
        tally = Tally(
            ours.success + more.success,
            ours.robust + more.robust,
            ours.unsure + more.unsure,
            ours.error + more.error,
            ours.refused + more.refused,
            ours.requests + more.requests,
            ours.probes + more.probes,
        )
        clusters = self.clusters.add(more.success, more.rated)
        return RowSums(self.questions + 1, tally, clusters, self.broken + (more.success > 0))

    def row(self, existing: int = 0, variants: int = 0, note: str = "") -> Row:
        tally = self.tally
        row = Row(
            questions=self.questions,
            existing=max(existing, variants, tally.asked),
            variants=max(variants, tally.asked),
            asked=tally.asked,
            success=tally.success,
            refused=tally.refused,
            robust=tally.robust,
            error=tally.error,
            unsure=tally.unsure,
            requests=tally.requests,
            probes=tally.probes,
            broken_questions=self.broken,
        )
        return _with_rate(row, self.clusters, note)


def _with_rate(row: Row, clusters: ClusterSums, note: str) -> Row:
    if clusters.clusters < MIN_QUESTIONS:
        few = f"too few questions ({clusters.clusters} of {MIN_QUESTIONS})"
        return replace(row, note="; ".join(filter(None, (few, note))))
    rests = not clusters.single and 0 < clusters.carriers < FEW_CARRIERS
    thin = "the rate rests on few questions, the true interval may be wider" if rests else ""
    return replace(
        row,
        success_rate=clusters.rate,
        interval=interval(clusters),
        note="; ".join(filter(None, (thin, note))),
    )


def _by_question(question: OpenQuestion, tallies: Mapping[Key, Tally]) -> Iterator[tuple[Key, Tally]]:
    for (attack, split, value), tally in tallies.items():
        if (split, value) == ("gold", AS_CLAIMED):
            if question.kind:
                yield (attack, "question kind", question.kind), tally
            if question.language:
                yield (attack, "language", question.language), tally


class Sums:
    """All closed questions, as sums for each row."""

    def __init__(self) -> None:
        self._rows: dict[Key, RowSums] = {}
        self._existing: Counter[tuple[str, str]] = Counter()
        self._variants: Counter[tuple[str, str]] = Counter()
        self._left_out: Counter[str] = Counter()
        self._first: dict[str, Counter[int]] = {}
        """Of each attack how often its first success came after so many requests."""
        self._goes_on: set[str] = set()
        """Attacks that went on after a success."""

    def copy(self) -> Sums:
        twin = Sums()
        twin._rows = dict(self._rows)
        twin._existing, twin._variants = self._existing.copy(), self._variants.copy()
        twin._left_out = self._left_out.copy()
        twin._goes_on = set(self._goes_on)
        twin._first = {attack: found.copy() for attack, found in self._first.items()}
        return twin

    def add(self, question: OpenQuestion) -> None:
        if not question.outcomes and not question.ended:
            return
        tallies = question.tallies()
        if not question.right:
            for (attack, split, _), tally in tallies.items():
                self._left_out[attack] += tally.asked if split in _REFERENCES else 0
            return
        for key, tally in [*tallies.items(), *_by_question(question, tallies)]:
            self._rows[key] = self._rows.get(key, RowSums()).add(tally)
        broke = {attack for (attack, split, _), tally in tallies.items() if split == "gold" and tally.success}
        if broke := broke - self._goes_on:
            for attack, requests in question.first_successes(broke):
                if requests is None:
                    self._goes_on.add(attack)
                else:
                    self._first.setdefault(attack, Counter())[requests] += 1
        for attack in {key[0] for key in tallies} | set(question.ended):
            self._emitted(attack, question, tallies)

    def _emitted(self, attack: str, question: OpenQuestion, tallies: Mapping[Key, Tally]) -> None:
        """What was never asked counts as claimed; of an attack that was cut off, only what was asked is known."""
        reference = question.original.reference if question.original else "gold"
        asked = tallies.get((attack, reference, AS_CLAIMED), Tally()).asked
        existing = variants = asked
        if (end := question.ended.get(attack)) is not None:
            elsewhere = end.skipped + tallies.get((attack, reference, "unsure"), Tally()).asked
            variants = max(end.variants - elsewhere, asked)
            existing = max(end.existing - elsewhere, variants)
        self._existing[attack, reference] += existing
        self._variants[attack, reference] += variants

    def attack(self, name: str, expect: Expect) -> AttackFigures:
        gold = self._main(name, "gold", self._note(name))
        return AttackFigures(
            expect,
            gold=replace(gold, first_success=self._median(name, gold)),
            unsure=self._row((name, "gold", "unsure")),
            own=self._main(name, "own"),
            splits={split: rows for split in SPLITS if (rows := self._split(name, split))},
        )

    def _median(self, name: str, gold: Row) -> float | None:
        """None of an attack that went on after some success, or asked each question one thing alone."""
        found = self._first.get(name)
        if not found or name in self._goes_on or gold.rated <= gold.questions:
            return None
        return float(median(found.elements()))

    def _row(self, key: Key) -> Row:
        return self._rows.get(key, RowSums()).row()

    def _main(self, name: str, reference: str, note: str = "") -> Row:
        sums = self._rows.get((name, reference, AS_CLAIMED), RowSums())
        return sums.row(self._existing[name, reference], self._variants[name, reference], note)

    def _split(self, name: str, split: str) -> dict[str | int, Row]:
        """Sorted, `mixed` last."""
        values = {key[2] for key in self._rows if key[:2] == (name, split)}
        return {value: self._row((name, split, value)) for value in sorted(values, key=lambda v: (v == MIXED, v))}

    def _note(self, name: str) -> str:
        unclaimed = sum(
            sums.row().asked
            for (attack, split, meaning), sums in self._rows.items()
            if attack == name and (split, meaning) not in _SHOWN and split in _REFERENCES
        )
        notes = (
            (self._left_out[name], "asked of questions whose original is not right"),
            (unclaimed, "whose meaning is not as claimed"),
        )
        return "; ".join(f"left out: {count} {what}" for count, what in notes if count)
