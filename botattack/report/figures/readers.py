"""What people who read a run said of it, and the rates that their labels correct."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from botattack.cases import QuestionCase
from botattack.events import LABELS, AskedOf, KnownRead, Reading, VariantJudged
from botattack.model import CONTROL
from botattack.recordings.triage import variant_of
from botattack.report.figures.figure_values import (
    AttackFigures,
    Corrected,
    LeftVariant,
    Measure,
    ReaderFigures,
    ReadFigures,
)
from botattack.report.statistics.agreement import Item as Said
from botattack.report.statistics.agreement import Same, fleiss_kappa, krippendorff_alpha, pairs
from botattack.report.statistics.intervals import MIN_QUESTIONS, ClusterSums, interval
from botattack.report.statistics.powered import Item, Moments, powered

UNDERSTOOD: Mapping[AskedOf, str] = {"meaning": "same", "comprehension": "right"}
"""The label of a variant that its reader understood."""
OF_REPLY: frozenset[AskedOf] = frozenset({"verdict", "preference"})
"""What is asked of a reply; all else is asked of the text that was sent, whatever came back."""
_GUESS = {"success": 1.0, "robust": 0.0, "unsure": 0.5}
"""How likely a reply is broken, where the judge gives no probability."""
_ALL = ""


class ReaderFold:
    """Takes readings, which come before the questions that they are of, and questions as they close."""

    def __init__(self) -> None:
        self._readings: dict[str, Reading] = {}
        self._known: dict[str, KnownRead] = {}
        self._names: set[str] = set()
        """Of what was read: units, and variants."""
        self._question: dict[str, str] = {}
        """Of what was read, the question it belongs to."""
        self._left: list[LeftVariant] = []
        self._clusters: defaultdict[str, Moments] = defaultdict(Moments)
        self._items: defaultdict[str, Moments] = defaultdict(Moments)
        """By attack, and of all together."""
        self._judged = ClusterSums()
        self._graded: defaultdict[str, list[Reading]] = defaultdict(list)
        """Verdicts by unit."""
        self._as_judged = [0, 0]

    def update(self, reading: Reading | KnownRead) -> None:
        if isinstance(reading, KnownRead):
            self._known.setdefault(reading.key, reading)
            return
        if reading.key in self._readings:
            return
        self._readings[reading.key] = reading
        self._names.add(_read(reading))
        if reading.ask == "verdict" and not reading.repeat:
            self._graded[reading.unit].append(reading)

    def add(self, *doors: QuestionCase) -> None:
        """A question, once for each door that it was asked through: all that came of it is one cluster."""
        if not self._readings:
            return
        of_attack: defaultdict[str, list[Item]] = defaultdict(list)
        right = [case for case in doors if case.right]
        counted = [event for case in right for event in case.counted if _can_be_corrected(event)]
        items = [(event, self._item(event)) for event in counted]
        # What is known to be bad has no label, yet the judge has guessed what of it was drawn as it did of all.
        items += [(event, self._item(event)._replace(label=None)) for case in right for event in _left_of(case)]
        for event, item in items if self._graded else ():
            for name in (event.attack, *([] if event.attack == CONTROL else [_ALL])):
                of_attack[name].append(item)
        for name, own in of_attack.items():
            self._clusters[name] = self._clusters[name].add(own)
            for item in own:
                self._items[name] = self._items[name].add([item])
        results = Counter(event.result for event in counted if event.attack != CONTROL)
        self._judged = self._judged.add(results["success"], results["success"] + results["robust"])
        for case in doors:
            self._note(case)
            self._compare(case)

    def _compare(self, case: QuestionCase) -> None:
        """What the judge said of replies that people graded."""
        original = [(case.unit, case.original.verdict)] if case.original else []
        for unit, verdict in dict([*original, *((event.unit, event.verdict) for event in case.judged)]).items():
            broken = called_broken(self._graded.get(unit, ()))
            if broken in (0, 1) and verdict.kind != "unsure":
                self._as_judged[0] += (verdict.kind != "correct") == broken
                self._as_judged[1] += 1

    def _note(self, case: QuestionCase) -> None:
        for unit in case.asked:
            for name in {unit, variant_of(unit)} & self._names:
                self._question[name] = case.question.base
        for marked in case.marked:
            if marked.by_readers:
                mark = marked.mark
                self._left.append(LeftVariant(marked.unit, mark.attack, mark.sent, mark.why))

    def _item(self, event: VariantJudged) -> Item:
        p, read = event.verdict.probability, self._graded.get(event.unit, ())
        guess = _GUESS[event.result] if p is None else 1 - p
        return Item(guess, weight_of(read), called_broken(read))

    def corrected(self, attack: AttackFigures, name: str) -> Corrected | None:
        """By the labels of this attack's replies; None if they are of too few questions, or the attack counts
        questions: a question that three replies broke is no reply."""
        row = attack.gold
        if attack.expect != "same" or row.success_rate is None or attack.by_question:
            return None
        return self._powered(name)

    def _powered(self, name: str) -> Corrected | None:
        found = powered(self._clusters[name], self._items[name]) if name in self._clusters else None
        return Corrected(found.rate, found.interval, found.labels) if found else None

    def value(self) -> ReaderFigures:
        by_ask: defaultdict[AskedOf, list[Reading]] = defaultdict(list)
        for reading in self._readings.values():
            by_ask[reading.ask].append(reading)
        return ReaderFigures(
            {ask: self._read(ask, by_ask[ask]) for ask in LABELS if ask in by_ask},
            tuple(sorted(self._left, key=lambda one: (one.attack, one.unit))),
            self._powered(_ALL),
            _share(self._judged),
        )

    def _read(self, ask: AskedOf, readings: Sequence[Reading]) -> ReadFigures:
        first = [one for one in readings if not one.repeat]
        said: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for one in first:
            said[_read(one)][one.reader] = one.label
        items: list[Said] = [said[name] for name in sorted(said)]
        groups = sorted({group for one in first for group in _groups(one)} - {_ALL})
        labels = Counter(one.label for one in first)
        return ReadFigures(
            len(items),
            len({one.reader for one in first}),
            {label: labels[label] for label in LABELS[ask]},
            self._rates(first, UNDERSTOOD[ask], [_ALL, *groups]) if ask in UNDERSTOOD else {},
            fleiss_kappa(items),
            krippendorff_alpha(items, "ordinal" if ask == "scale" else "nominal"),
            pairs(items),
            _repeats(readings),
            tuple(name for name in sorted(said) if len(set(said[name].values())) > 1),
            _by_reader((one.reader, one.right) for one in self._known.values() if one.ask == ask),
            Same((), *(self._as_judged if ask == "verdict" else (0, 0))),
        )

    def _rates(self, first: Iterable[Reading], label: str, groups: Iterable[str]) -> dict[str, Measure]:
        """The share of readings with a label, of each group of readers; questions are the clusters."""
        counts: dict[str, defaultdict[str, list[int]]] = {group: defaultdict(lambda: [0, 0]) for group in groups}
        for one in first:
            name = self._question.get(_read(one), _read(one))
            for group in _groups(one):
                counts[group][name][0] += one.label == label
                counts[group][name][1] += 1
        return {group: _share(_clusters(found.values())) for group, found in counts.items()}


def _groups(reading: Reading) -> set[str]:
    """The groups of readers that a reading counts in: all, that of its review, and one for each trait of its reader."""
    return {_ALL, reading.group, *(f"{trait}: {value}" for trait, value in reading.traits.items())}


def _clusters(counts: Iterable[Sequence[int]]) -> ClusterSums:
    sums = ClusterSums()
    for x, n in counts:
        sums = sums.add(x, n)
    return sums


def _share(sums: ClusterSums) -> Measure:
    if sums.clusters < MIN_QUESTIONS:
        return Measure(n=sums.n, note=f"too few questions ({sums.clusters} of {MIN_QUESTIONS})", x=sums.x)
    return Measure(sums.rate, sums.n, interval(sums), x=sums.x)


def _read(reading: Reading) -> str:
    """What a reader saw: a reply, or a text that may have been asked several times."""
    return reading.unit if reading.ask in OF_REPLY else variant_of(reading.unit)


def _left_of(case: QuestionCase) -> Iterator[VariantJudged]:
    """What readers left out of the rates that is like what these count."""
    for marked in case.marked:
        event = marked.judged
        if marked.by_readers and isinstance(event, VariantJudged) and event.counted and _can_be_corrected(event):
            yield event


def _can_be_corrected(event: VariantJudged) -> bool:
    """Whether it was of those that readers are drawn from: their grades say nothing of others."""
    return event.expect == "same" and event.result != "error" and event.reference == "gold" and not event.turns


def called_broken(read: Sequence[Reading]) -> float | None:
    """1 if most readers call a reply wrong or refused, 0 if most call it correct, ½ if as many do the one as the other;
    None if none could say."""
    decided = [one.label != "correct" for one in read if one.label != "unclear"]
    broken = sum(decided)
    return None if not decided else 0.5 if 2 * broken == len(decided) else float(2 * broken > len(decided))


def weight_of(read: Sequence[Reading]) -> float:
    """For how many replies what was read of one stands: each draw by itself tells the truth of the whole, and so do
    several together."""
    return sum(1 / chance for chance in {one.chance for one in read})


def _repeats(readings: Sequence[Reading]) -> tuple[Same, ...]:
    """How often each reader says the same of an item that she is shown again."""
    first = {(one.reader, one.unit): one.label for one in readings if not one.repeat}
    again = [one for one in readings if one.repeat and (one.reader, one.unit) in first]
    return _by_reader((one.reader, first[one.reader, one.unit] == one.label) for one in again)


def _by_reader(said: Iterable[tuple[str, bool]]) -> tuple[Same, ...]:
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for reader, same in said:
        found[reader].append(same)
    return tuple(Same((reader,), sum(same), len(same)) for reader, same in sorted(found.items()))
