"""Readers' answers checked against what they were asked, and written into the recording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from botattack.audit.reviewing.answers import BadAnswers, Row, rows
from botattack.events import LABELS, AnyEvent, Asked, AskedOf, KnownRead, Label, Reading
from botattack.recordings import manifest, reviews
from botattack.recordings.reader import events
from botattack.recordings.redaction import Redactor
from botattack.recordings.reviews import Item, Review
from botattack.recordings.triage import variant_of
from botattack.recordings.writer import Recorder
from botattack.report.numbers import count

SHOWN = 20
"""Problems that are named one by one."""
_READER = re.compile(r"\w[\w.@+-]{0,63}")


@dataclass(frozen=True)
class Collected:
    """What was collected: readings written, those that the recording had already, and labels of units that the run
    never asked."""

    added: int
    before: int
    elsewhere: int


@dataclass
class _Recorded:
    """What the recording has: units, readings, and the time of the last event."""

    units: dict[str, str] = field(default_factory=dict)
    readings: dict[str, Reading] = field(default_factory=dict)
    known: dict[str, KnownRead] = field(default_factory=dict)
    at: float = 0.0

    def add(self, event: AnyEvent) -> None:
        self.at = event.at
        if isinstance(event, Asked):
            self.units[event.unit] = event.unit
            self.units.setdefault(variant_of(event.unit), event.unit)
        elif isinstance(event, Reading):
            self.readings[event.key] = event
        elif isinstance(event, KnownRead):
            self.known[event.key] = event


def collect(folder: Path, files: Sequence[Path], ask: AskedOf | None = None, *, partial: bool = False) -> Collected:
    """Checks all answers, then writes readings of them into the recording, or nothing at all. What was collected before
    is not written again. `ask` is what label files are about that do not say it; `partial` takes incomplete answers.

    Raises BadAnswers with every problem, and RecordingError.
    """
    manifest.read(folder)
    with Recorder(folder, Redactor()) as recorder:
        recorded = _Recorded()
        for event in events(folder):
            recorded.add(event)
        checking = _Checking(folder, recorded, ask)
        for path in files:
            checking.file(path, partial=partial)
        checking.finish()
        new = [one for key, one in checking.readings.items() if key not in recorded.readings]
        for one in (*new, *(one for key, one in checking.known.items() if key not in recorded.known)):
            recorder(one)
    return Collected(len(new), len(checking.readings) - len(new), checking.elsewhere)


class _Checking:
    """Reads files of answers; keeps readings, and every problem."""

    def __init__(self, folder: Path, recorded: _Recorded, ask: AskedOf | None) -> None:
        self._folder = folder
        self._recorded = recorded
        self._ask = ask
        self._reviews: dict[str, Review | None] = {}
        self._problems: list[str] = []
        self.readings: dict[str, Reading] = {}
        self.known: dict[str, KnownRead] = {}
        self.elsewhere = 0

    def file(self, path: Path, *, partial: bool) -> None:
        try:
            found = rows(path)
        except BadAnswers as error:
            self._problems.append(str(error))
            return
        if not found:
            self._problems.append(f"{path}: has no answer; hand over the file again once its reader has answered")
        found.sort(key=lambda row: (row.review, row.reader))
        for (review, reader), of in groupby(found, key=lambda row: (row.review, row.reader)):
            if review:
                self._sheet(path, review, reader, list(of), partial=partial)
            else:
                for row in of:
                    self._label(row)

    def _sheet(self, path: Path, number: str, reader: str, found: list[Row], *, partial: bool) -> None:
        """The answers of one reader to one review."""
        review = self._review(number)
        if review is None:
            self._problems.append(
                f"{path}: the review {number!r} was not made from {self._folder}; name the run that it was made from"
            )
            return
        items = {item.id: item for item in review.items}
        said: dict[str, str] = {}
        for row in found:
            item = items.get(row.item)
            if item is None:
                self._wrong(row, f"the review has no item {row.item!r}; do not edit the column or key `item`")
            elif row.answer not in item.means:
                self._wrong(row, f"{row.answer!r} is no answer to item {row.item}; use one of {', '.join(item.means)}")
            elif said.setdefault(row.item, row.answer) != row.answer:
                self._wrong(row, f"item {row.item} was answered {said[row.item]!r} before; keep one of the two answers")
            else:
                self._item(row, review, item)
        missing = len(items) - len(said.keys() & items.keys())
        if missing and not partial:
            self._problems.append(
                f"{path}: {reader} left {count(missing, 'item')} of {len(items)} without an answer; ask for the rest, "
                "or add --partial to take what is there"
            )

    def _review(self, number: str) -> Review | None:
        if number not in self._reviews:
            plain = re.fullmatch(r"[0-9a-f]{16}", number) is not None
            self._reviews[number] = reviews.read(self._folder, number) if plain else None
        return self._reviews[number]

    def _item(self, row: Row, review: Review, item: Item) -> None:
        label = item.means[row.answer]
        if item.role == "known":
            self._add_known(row, review.ask, label == item.expected)
        else:
            self._add(
                row, review.ask, item.unit, label, group=review.group, repeat=item.role == "repeat", chance=item.chance
            )

    def _label(self, row: Row) -> None:
        """A label of a unit, however it was come by."""
        ask = next((one for one in LABELS if one == (row.ask or self._ask)), None)
        unit = self._recorded.units.get(row.unit)
        if ask is None:
            self._wrong(row, f"it is not said what was asked; add --ask or the key `ask`: {', '.join(LABELS)}")
        elif row.answer not in LABELS[ask]:
            self._wrong(row, f"{row.answer!r} is no label for {ask}; use one of {', '.join(LABELS[ask])}")
        elif unit is None:
            self.elsewhere += 1
        else:
            label = LABELS[ask][LABELS[ask].index(row.answer)]
            self._add(row, ask, unit, label, group=row.group, repeat=row.repeat, chance=row.chance)

    def _add(
        self, row: Row, ask: AskedOf, unit: str, label: Label, *, group: str, repeat: bool = False, chance: float = 1.0
    ) -> None:
        if not self._named(row):
            return
        at, reader = self._recorded.at, row.reader
        reading = Reading(
            at=at,
            unit=unit,
            ask=ask,
            reader=reader,
            label=label,
            group=group,
            repeat=repeat,
            chance=chance,
            traits=row.traits,
        )
        before = self._recorded.readings.get(reading.key) or self.readings.setdefault(reading.key, reading)
        if before.label != label:
            what = f"{reader} called {unit} {before.label!r} before and {label!r} here"
            self._wrong(row, f"{what}; leave one of the two out, or name the reader of this one otherwise")
        self.readings[reading.key] = reading

    def _add_known(self, row: Row, ask: AskedOf, right: bool) -> None:
        """Whether this reader was attentive."""
        if not self._named(row):
            return
        read = KnownRead(at=self._recorded.at, item=row.item, ask=ask, reader=row.reader, right=right)
        before = self._recorded.known.get(read.key) or self.known.setdefault(read.key, read)
        if before.right != right:
            self._wrong(row, f"{row.reader} answered item {row.item} otherwise before; leave one of the two out")
        self.known[read.key] = read

    def _named(self, row: Row) -> bool:
        named = _READER.fullmatch(row.reader) is not None
        if not named:
            self._wrong(row, f"{row.reader!r} cannot name a reader; use letters, digits and . _ @ + -")
        return named

    def _wrong(self, row: Row, what: str) -> None:
        self._problems.append(f"{row.where}: {what}")

    def finish(self) -> None:
        """Raises BadAnswers if there was any problem."""
        if self.elsewhere and not self.readings and not self._problems:
            units = count(self.elsewhere, "labelled unit")
            self._problems.append(f"{self._folder}: this run asked none of the {units}; name the run that did")
        more = len(self._problems) - SHOWN
        if self._problems:
            raise BadAnswers("\n".join(self._problems[:SHOWN]) + (f"\n… and {more:,} more" if more > 0 else ""))
