"""Sums over questions: what is left of a question once it is closed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cache
from operator import add
from statistics import median
from typing import Any, Literal, NamedTuple

from botattack.cases import QuestionCase
from botattack.events import AttackEnded, VariantJudged
from botattack.model import CONTROL, Expect, Prompt, Result, Verdict, VerdictKind, result_of
from botattack.places import QUESTION
from botattack.report.figures.coverage import NOT_RIGHT, Coverage
from botattack.report.figures.figure_values import SPLITS, AttackFigures, Row
from botattack.report.figures.turns import TurnFigures
from botattack.report.figures.whereabouts import MIXED, Whereabouts, common
from botattack.report.statistics.intervals import MIN_QUESTIONS, ClusterSums, interval_at

FEW_CARRIERS = 5
"""Questions that broke, or that held, whichever are fewer: with less than so many, a report warns of its interval."""
AS_CLAIMED = "as claimed"

_REFERENCES = frozenset({"gold", "own"})
_SHOWN = frozenset({("gold", AS_CLAIMED), ("gold", "unsure"), ("own", AS_CLAIMED)})

_NAMED_SPLITS = ("kind", "relation", "part of speech", "place", "distance to the answer")
Key = tuple[str, str, str | int]
"""Attack, what it is split by, and the value of that: `("dpaeg", "kind", "typo")`, `("dpaeg", "gold", AS_CLAIMED)`."""


class Sort(NamedTuple):
    """Outcomes that are in the same rows; `kind` and what follows are empty if they are in no split."""

    attack: str
    reference: str
    meaning: str
    result: Result | Literal["probes", "marked"]
    refused: bool
    planted: bool = False
    took: bool = False
    other: bool = False
    distance: int = 0
    # What follows is in the order of _NAMED_SPLITS.
    kind: str = ""
    relation: str = ""
    pos: str = ""
    place: str = ""
    near: str = ""

    @classmethod
    def of(cls, event: VariantJudged, where: Whereabouts) -> Sort:
        kind, edits, planted = event.verdict.kind, event.edits, event.decoy != ""
        reference, meaning = (
            str(event.reference),
            AS_CLAIMED if event.claimed or not event.is_outcome else event.meaning,
        )
        if event.search in ("repeat", "control"):
            reference, meaning = CONTROL, reference
        if not event.is_outcome and event.search != "control":
            return cls(event.attack, reference, meaning, "probes", refused=False)
        whole = cls(event.attack, reference, meaning, event.result, kind == "refused", planted, event.took_decoy)
        whole = whole._replace(other=kind == "other")
        # Which variant is the outcome of a search is its own choice: no kind of edit has a rate in it.
        if meaning is not AS_CLAIMED or event.reference != "gold" or not edits or event.search:
            return whole
        kinds, relations, parts = zip(*((edit.kind, edit.relation, edit.pos) for edit in edits), strict=True)
        shared = common(kinds), common(relations), common(parts)
        return cls(*whole[:8], event.distance, *shared, where.place(edits), where.distance(edits))

    def judged(self, expect: Expect, kind: VerdictKind) -> Sort:
        """The same for one turn with this verdict, in which nothing is planted."""
        result = result_of(expect, kind)
        return self._replace(result=result, refused=kind == "refused", planted=False, took=False, other=kind == "other")

    def rows(self, *, split: bool) -> Iterator[Key]:
        """Every row they stand in."""
        yield self.attack, self.reference, self.meaning
        if split:
            yield self.attack, "distance", self.distance
            for name, value in zip(_NAMED_SPLITS, self[-len(_NAMED_SPLITS) :], strict=True):
                if value:
                    yield self.attack, name, value


Tally = Counter[str]
"""Outcomes in one row, by their names in `Row`: `refused` and `other` ones are results of another name, too, `probes`
are none, and of `marked` ones only their number counts."""


def _tally(sort: Sort, times: int, requests: int) -> Tally:
    broken = sort.took and sort.result == "success"
    planted = sort.planted and sort.result != "error"
    said = {"refused": sort.refused, "decoys": planted, "took_decoy": sort.took, "broken_by_decoy": broken}
    names = [sort.result, *(name for name, is_so in {**said, "other": sort.other}.items() if is_so)]
    return Counter({"requests": requests, **dict.fromkeys(names, times)})


def _rated(tally: Tally) -> int:
    return tally["success"] + tally["robust"]


def _asked(tally: Tally) -> int:
    return _rated(tally) + tally["unsure"] + tally["error"] + tally["marked"]


def _turn_kinds(question: QuestionCase, event: VariantJudged) -> Iterator[tuple[str, Verdict]]:
    """The verdicts on the turns of a conversation that an edit made, with its kind: what has several kinds in all may
    have one in each turn. A turn with several is left out."""
    asked = question.asked.get(event.unit)
    added = {edit.after: edit.kind for edit in event.edits if edit.place.kind == "added turn"}
    last = common([edit.kind for edit in event.edits if edit.place == QUESTION] or [MIXED])
    for each in event.turns if asked else ():
        prompt = asked.turns[each.turn] if asked and each.turn < len(asked.turns) else Prompt("", asks=-1)
        here = last if prompt.asks in (None, len(question.question.earlier)) else MIXED
        if (kind := added.get(prompt.text, here)) != MIXED:
            yield kind, each.verdict


def _marked(question: QuestionCase) -> Iterator[VariantJudged]:
    """The outcomes that somebody left out: they were asked, and are in no other figure."""
    for marked in question.marked:
        if marked.left_out and isinstance(marked.judged, VariantJudged) and marked.judged.is_outcome:
            yield marked.judged


def _tallies(question: QuestionCase) -> dict[Key, Tally]:
    """The outcomes by row."""
    counts: defaultdict[Sort, list[int]] = defaultdict(lambda: [0, 0])
    found: defaultdict[Key, Tally] = defaultdict(Counter)
    where = Whereabouts(question.question)
    paid: set[tuple[str, str]] = set()
    for event in question.judged:
        sort = Sort.of(event, where)
        if sort.kind == MIXED and (turns := list(_turn_kinds(question, event))):
            sort = sort._replace(kind="")
            for kind, verdict in turns:
                found[event.attack, "kind", kind].update(_tally(sort.judged(event.expect, verdict.kind), 1, 1))
        count = counts[sort]
        count[0] += 1
        count[1] += question.requests(event.unit) * ((event.attack, event.unit) not in paid)
        paid.add((event.attack, event.unit))
    for event in _marked(question):
        sort = Sort.of(event, where)._replace(result="marked", refused=False, planted=False, took=False)
        counts[sort][0] += 1
    for sort, (times, requests) in counts.items():
        tally = _tally(sort, times, requests)
        for key in sort.rows(split=bool(sort.kind or sort.distance)):
            found[key].update(tally)
    return dict(found)


def _until(question: QuestionCase, outcome: VariantJudged) -> int:
    """The requests of a search until it first asked the variant that it ended with, which it then asked again."""
    tried = [one.unit for one in question.judged if one.attack == outcome.attack and one.search == "attempt"]
    return sum(map(question.requests, tried[: tried.index(outcome.unit) + 1] if outcome.unit in tried else tried))


@dataclass(frozen=True, slots=True)
class RowSums:
    """All questions of one row."""

    questions: int = 0
    tally: Tally = field(default_factory=Counter)
    clusters: ClusterSums = field(default_factory=ClusterSums)
    broken: int = 0
    unchanged: int = 0
    unchanged_broken: int = 0

    def add(self, more: Tally, control: Tally) -> RowSums:
        """One more question, with what the control did to it."""
        clusters, broke = self.clusters.add(more["success"], _rated(more)), control["success"]
        broken, unchanged = self.broken + (more["success"] > 0), self.unchanged + _rated(control)
        whole = self.tally + more
        return RowSums(self.questions + 1, whole, clusters, broken, unchanged, self.unchanged_broken + broke)

    def row(self, existing: int = 0, variants: int = 0, note: str = "", *, any_time: bool = False) -> Row:
        """With `any_time`, the interval is one of a confidence sequence."""
        asked, counts = _asked(self.tally), dict[str, Any](self.tally)
        variants = max(variants, asked)
        counts |= {"broken_questions": self.broken, "unchanged": self.unchanged}
        counts["unchanged_broken"] = self.unchanged_broken
        row = Row(self.questions, max(existing, variants), variants, asked, **counts)
        return _with_rate(row, self.clusters, note, any_time=any_time)


def _with_rate(row: Row, clusters: ClusterSums, note: str, *, any_time: bool) -> Row:
    if clusters.clusters < MIN_QUESTIONS:
        few = f"too few questions ({clusters.clusters} of {MIN_QUESTIONS})"
        return replace(row, note="; ".join(filter(None, (few, note))))
    rests = not clusters.single and 0 < clusters.carriers < FEW_CARRIERS
    rarer = "broke" if 2 * clusters.x <= clusters.n else "held"
    thin = f"few questions {rarer}, so the true interval may be wider" if rests else ""
    return replace(
        row,
        success_rate=clusters.rate,
        interval=interval_at(clusters, any_time=any_time),
        note="; ".join(filter(None, (thin, note))),
    )


_NOTHING: Tally = Counter()


def _control_of(key: Key) -> Key:
    """The row of the control that a row is compared with."""
    _, split, value = key
    return (CONTROL, split, value) if split == "door" else (CONTROL, "own" if split == "own" else "gold", AS_CLAIMED)


def _by_question(question: QuestionCase, tallies: Mapping[Key, Tally], *, doors: bool) -> Iterator[tuple[Key, Tally]]:
    for (attack, split, value), tally in tallies.items():
        if (split, value) == ("gold", AS_CLAIMED):
            asked = question.question
            named = ("question kind", asked.kind), ("language", asked.lang), ("door", question.door if doors else "")
            yield from (((attack, name, of), tally) for name, of in named if of)


class Sums:
    """All closed questions, as sums for each row."""

    def __init__(self) -> None:
        self._rows: dict[Key, RowSums] = {}
        self._existing: Counter[tuple[str, str]] = Counter()
        self._variants: Counter[tuple[str, str]] = Counter()
        self._left_out: Counter[str] = Counter()
        self._with_marked: Counter[str] = Counter()
        """Those of `_left_out` that are marked, or whose original is."""
        self._foreign: Counter[str] = Counter()
        self._first: dict[str, Counter[int]] = {}
        """Of each attack that counts questions how often it broke one after so many requests."""
        self._by_question: set[str] = set()
        self._coverage: dict[str, Coverage] = {}
        self._turns: dict[str, TurnFigures] = {}
        self.doors = 1
        """How many each question with passages is asked through."""
        self.any_time = False
        """Whether the run stops when it is sure, so that intervals are those of a confidence sequence."""

    def add(self, *doors: QuestionCase) -> None:
        """A question, once for each door that it was asked through: all that came of it is one cluster."""
        together: defaultdict[Key, Tally] = defaultdict(Counter)
        self._cover(doors)
        for question in doors:
            self._add_door(question, together)
        for key, tally in together.items():
            control = together.get(_control_of(key), _NOTHING) if _rated(tally) else _NOTHING
            self._rows[key] = self._rows.get(key, RowSums()).add(tally, control)

    def _add_door(self, question: QuestionCase, together: defaultdict[Key, Tally]) -> None:
        tallies = _tallies(question)
        was = question.left_out
        if was and was.standing == "kept":
            tallies = {key: Counter(marked=_asked(tally)) for key, tally in tallies.items()}
        elif not question.right:
            self._leave_out(tallies, marked=was is not None)
            return
        compares = self.doors > 1 and bool(question.question.passages)  # without, it went through one door alone
        for key, tally in [*tallies.items(), *_by_question(question, tallies, doors=compares)]:
            together[key].update(tally)
        for event in question.judged:
            if event.claimed and event.is_outcome:
                self._turns[event.attack] = self._turns.get(event.attack, TurnFigures()).add(question, event)
        for event in question.judged:
            if event.search == "outcome":
                self._by_question.add(event.attack)
                if event.counted and event.result == "success":
                    self._first.setdefault(event.attack, Counter())[_until(question, event)] += 1
        self._foreign.update(attack for attack, end in question.ended.items() if end.foreign)
        for attack in {key[0] for key in tallies} | set(question.ended):
            self._emitted(attack, question, tallies)

    def _leave_out(self, tallies: Mapping[Key, Tally], *, marked: bool) -> None:
        """What was asked of a question that is not right, or is `marked`."""
        for (attack, split, _), tally in tallies.items():
            if split in _REFERENCES:
                self._with_marked[attack] += _asked(tally) if marked else tally["marked"]
                self._left_out[attack] += 0 if marked else _asked(tally) - tally["marked"]

    def _cover(self, doors: Sequence[QuestionCase]) -> None:
        """Counts a question once: what an attack makes of it is the same by each of its doors."""
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for question in doors:
            judged, was = [*question.judged, *_marked(question)], question.left_out
            right = question.right or (was is not None and was.standing == "kept")
            carried = {event.attack for event in judged if event.claimed or event.probe}
            asked = Counter(event.attack for event in judged)
            for name in dict.fromkeys((*question.ended, *asked)):
                end, number = question.ended.get(name) or AttackEnded(question.question.id, name, 0, 0), asked[name]
                if end.foreign:
                    continue
                unsure, wrong = number > 0 or end.skipped > 0, 0 if right else number
                found[name].update(
                    has=name in carried, unsure=unsure, failed=end.failed != "", asked=number, wrong=wrong
                )
        for name, of in found.items():
            has = of["has"] > 0
            unsure = not has and of["unsure"] > 0
            failed = not (has or unsure) and of["failed"] > 0
            now = 1, has, unsure, failed, of["asked"], of["wrong"]
            self._coverage[name] = Coverage(*map(add, astuple(self._coverage.get(name, Coverage())), now))

    def _emitted(self, attack: str, question: QuestionCase, tallies: Mapping[Key, Tally]) -> None:
        """What was never asked counts as claimed; of an attack that was cut off, only what was asked is known."""
        reference = question.original.reference if question.original else "gold"
        asked = _asked(tallies.get((attack, reference, AS_CLAIMED), Counter()))
        existing = variants = asked
        if (end := question.ended.get(attack)) is not None:
            elsewhere = end.skipped + _asked(tallies.get((attack, reference, "unsure"), Counter()))
            variants = max(end.variants - elsewhere, asked)
            existing = max(end.existing - elsewhere, variants)
        self._existing[attack, reference] += existing
        self._variants[attack, reference] += variants

    def attack(self, name: str, expect: Expect) -> AttackFigures:
        gold = self._main(name, "gold", self._note(name))
        return AttackFigures(
            expect,
            gold=replace(gold, first_success=self._median(name)),
            unsure=self._row((name, "gold", "unsure")),
            own=self._main(name, "own"),
            splits={split: rows for split in SPLITS if (rows := self._split(name, split))},
            coverage=self._coverage.get(name, Coverage()),
            turns=self._turns.get(name, TurnFigures()),
            by_question=name in self._by_question,
            control=self._row((name, CONTROL, "gold" if gold.asked else "own")),
        )

    def _median(self, name: str) -> float | None:
        found = self._first.get(name)
        return float(median(found.elements())) if found else None

    def _row(self, key: Key) -> Row:
        return self._rows.get(key, RowSums()).row(any_time=self.any_time)

    def _main(self, name: str, reference: str, note: str = "") -> Row:
        sums = self._rows.get((name, reference, AS_CLAIMED), RowSums())
        existing, variants = self._existing[name, reference], self._variants[name, reference]
        return sums.row(existing, variants, note, any_time=self.any_time)

    def _split(self, name: str, split: str) -> dict[str | int, Row]:
        """Sorted, rungs as they are climbed, `mixed` last."""
        values, rungs = {key[2] for key in self._rows if key[:2] == (name, split)}, _rungs()
        ordered = sorted(values, key=lambda value: (value == MIXED, rungs.get(value, len(rungs)), value))
        return {value: self._row((name, split, value)) for value in ordered}

    def _note(self, name: str) -> str:
        unclaimed = sum(
            _asked(sums.tally)
            for (attack, split, meaning), sums in self._rows.items()
            if attack == name and (split, meaning) not in _SHOWN and split in _REFERENCES
        )
        notes = (
            (self._left_out[name], NOT_RIGHT),
            (self._with_marked[name], "by marks or readers, or asked of questions whose original is marked"),
            (unclaimed, "whose meaning is not as claimed"),
            (self._foreign[name], "of the questions, in a language that it does not work in"),
        )
        return "; ".join(f"left out: {count} {what}" for count, what in notes if count)


@cache
def _rungs() -> Mapping[str | int, int]:
    """The kinds of edits that are steps of a ladder, each with its place on it."""
    from botattack.attacks.passages import distractor
    from botattack.attacks.turns import are_you_sure

    kinds = (are_you_sure.ASKED, *are_you_sure.KINDS.values(), *distractor.KINDS.values())
    return {kind: place for place, kind in enumerate(kinds)}
