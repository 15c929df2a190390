"""Many runs of one suite in a row: the runs on which a question broke and was fixed, and what goes back and forth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec

from botattack.cases import Alteration, QuestionCase, cases
from botattack.events import Event
from botattack.model import Edit
from botattack.places import read_place, write_place
from botattack.report import numbers
from botattack.report.comparison.diff import ORIGINALS
from botattack.report.comparison.lost import one_reply
from botattack.report.comparison.sides import is_control, key_of, unchanged_replies
from botattack.report.escape import visible
from botattack.report.numbers import count
from botattack.report.wording.alterations import marked
from botattack.report.wording.marks import join

FLAKY = 3
"""Changes from which on an asking is flaky: one break and its fix are two, and have a reason more often than not."""
State = Literal["held", "broke", "mixed", "unsure", ""]
"""In one run: right, wrong, or one and the other in several askings; of `unsure`, the judge was unsure of one and the
same reply to each asking; empty where nothing was decided."""
_SIGNS: Mapping[State, str] = {"held": "✓", "broke": "✗", "mixed": "~", "unsure": "?", "": "·"}
LEGEND = "✓ held, ✗ broke, ~ both in one run, ? unsure of one reply, · not decided; oldest run first"


@dataclass(frozen=True)
class History:
    """One state a run, oldest first."""

    states: tuple[State, ...] = field(default=())

    @property
    def changes(self) -> int:
        """How often it changed from run to run, or did so within one."""
        decided = [state for state in self.states if state in ("held", "broke")]
        return sum(before != after for before, after in pairwise(decided)) + self.states.count("mixed")

    @property
    def flaky(self) -> bool:
        return self.changes >= FLAKY

    @property
    def signs(self) -> str:
        """`✓✓✗✓✗`"""
        return "".join(_SIGNS[state] for state in self.states)

    @property
    def told(self) -> str:
        """`flaky: it changed 4 times in 9 runs`; empty if it is not."""
        return f"flaky: it changed {self.changes} times in {count(len(self.states), 'run')}" if self.flaky else ""


_STATES: Mapping[str, State] = {"kept": "held", "wrong": "broke", "refused": "broke", "unstable": "mixed"}
_RESULTS: Mapping[str, State] = {"success": "broke", "robust": "held"}


Key = tuple[str, str, str]
"""A row, the id of a question, and a unit."""
_decode = msgspec.msgpack.Decoder(Alteration, dec_hook=read_place).decode
_encode = msgspec.msgpack.Encoder(enc_hook=write_place).encode
_NONE = msgspec.Raw(_encode(None))


class UnitState(NamedTuple):
    """What became of a unit in one run; `unit` is the one that was asked, where `key` is that of a search. What broke
    has its `alteration` in msgpack: few are shown."""

    key: Key
    state: State
    unit: str = ""
    alteration: msgspec.Raw = _NONE


def unit_states(events: Iterable[Event]) -> Iterator[UnitState]:
    """Every unit of a run."""
    for case in cases(events):
        if case.original is not None:
            standing = case.original.standing
            state = "unsure" if one_reply(standing, [*unchanged_replies(case)]) else _STATES.get(standing, "")
            yield _state(case, (ORIGINALS, case.unit), state, case.unit)
        # What is asked of a question in other words decides nothing if somebody marked the question itself.
        results = {} if case.left_out else _RESULTS
        for one in case.judged:
            # Whether another answer than a wrong one is right, nobody knows: no rate counts it either.
            known = results if case.right or one.expect != "different" else {}
            if one.claimed and one.is_outcome:
                yield _state(case, key_of(one), known.get(one.result, ""), one.unit, one.edits)


def _state(
    case: QuestionCase, key: tuple[str, str], state: State, unit: str, edits: tuple[Edit, ...] = ()
) -> UnitState:
    whole = key[0], case.question.id, key[1]
    if state != "broke":
        return UnitState(whole, state)
    return UnitState(whole, state, unit, msgspec.Raw(_encode(case.alteration(unit, edits))))


@dataclass(frozen=True)
class Flip:
    """A unit that broke, or was fixed; `first` is the run on which that began.

    If it broke and was fixed later, `fixed_in` is the run on which it was, and `fixed_day` its day. Of an original,
    `variants` went the same way on the same runs and are not listed again.
    """

    row: str
    broke: bool
    first: str
    day: str
    question_id: str
    unit: str
    alteration: Alteration
    variants: int = 0
    fixed_in: str = ""
    fixed_day: str = ""
    history: History = field(default_factory=History)

    @property
    def beside(self) -> str:
        return f" (and {numbers.count(self.variants, 'variant')} of it)" if self.variants else ""

    @property
    def since_fixed(self) -> str:
        return f", right again on {self.fixed_day}, {visible(self.fixed_in)}" if self.fixed_in else ""

    @property
    def shown(self) -> str:
        return " · ".join(join(line) for line in marked(self.alteration))


@dataclass(slots=True)
class _Track:
    """`broke` and `fixed` are the last runs on which that happened; `alteration` is of the last break; `states` are
    those of each run by its number."""

    state: State
    broke: int | None = None
    fixed: int | None = None
    unit: str = ""
    alteration: msgspec.Raw | None = None
    states: dict[int, State] = field(default_factory=dict)

    def keep(self, seen: UnitState) -> None:
        # A copy does not keep the whole file that it was read from.
        self.unit, self.alteration = seen.unit, seen.alteration.copy()


class Bisect:
    """Follows every unit over the runs, given in order of time; undecided askings change nothing."""

    def __init__(self) -> None:
        self._tracks: dict[Key, _Track] = {}
        self._runs: list[tuple[str, str]] = []

    def add(self, name: str, day: str, units: Iterable[UnitState]) -> None:
        """One more run."""
        number, known = len(self._runs), self._tracks.get
        self._runs.append((name, day))
        for seen in units:
            track = known(seen.key)
            # Nearly all units of a year of nights are as they were the night before.
            if track is not None and track.state == seen.state:
                track.states[number] = track.state
            else:
                self._see(seen, track, number)

    def _see(self, seen: UnitState, track: _Track | None, number: int) -> None:
        state = seen.state
        if state in ("mixed", "unsure") and track:
            track.states[number] = state
            return
        if state in ("", "mixed"):
            return
        if track is None:
            track = self._tracks[seen.key] = _Track(state)
            if state == "broke":
                track.keep(seen)
        track.states[number] = state
        if track.state != state:
            before, track.state = track.state, state
            if state == "broke":
                # Also after a reply of which the judge was unsure: that it was another one is sure.
                track.broke, track.fixed = number, None
                track.keep(seen)
            elif before == "broke":
                track.fixed = number

    def history(self, key: Key) -> History:
        """What became of a unit, by its row, its question's id and its own."""
        # A search ends with another variant in each run: its track has no unit (`key_of`), but what changed names one.
        track = self._tracks.get(key) or self._tracks.get((*key[:2], ""))
        return History(tuple(track.states.get(number, "") for number in range(len(self._runs))) if track else ())

    def flips(self) -> list[Flip]:
        """The last break of each unit, with the run that fixed it, or its fix if it was broken from the beginning. What
        is still broken comes first, then what broke and was fixed, the latest first. Variants that went with their
        original are only counted.
        """
        found: list[tuple[int, Flip]] = []
        for (row, question_id, key), track in self._tracks.items():
            if is_control(row):
                continue
            number = track.fixed if track.broke is None else track.broke
            alteration = _shown(track.alteration)
            if number is None or alteration is None:
                continue
            told = *self._runs[number], question_id, track.unit, alteration
            flip = Flip(row, track.broke is not None, *told, history=self.history((row, question_id, key)))
            if track.broke is not None and track.fixed is not None:
                fixed_in, day = self._runs[track.fixed]
                flip = replace(flip, fixed_in=fixed_in, fixed_day=day)
            found.append((number, flip))
        found = list(_with_originals(found))
        found.sort(key=lambda entry: (_urgency(entry[1]), -entry[0], entry[1].row != ORIGINALS, entry[1].row))
        return [flip for _, flip in found]


def _shown(alteration: msgspec.Raw | None) -> Alteration | None:
    """None if there is none, or it cannot be decoded."""
    try:
        return _decode(alteration) if alteration else None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _urgency(flip: Flip) -> int:
    return 2 if not flip.broke else 1 if flip.fixed_in else 0


def _with_originals(found: Sequence[tuple[int, Flip]]) -> Iterator[tuple[int, Flip]]:
    """Variants of an original that went the same way on the same runs stand with it, as their number."""
    same = Counter(_way(flip) for _, flip in found if flip.row != ORIGINALS)
    originals = {_way(flip) for _, flip in found if flip.row == ORIGINALS}
    for run, flip in found:
        if flip.row == ORIGINALS:
            yield run, replace(flip, variants=same[_way(flip)])
        elif _way(flip) not in originals:
            yield run, flip


def _way(flip: Flip) -> tuple[str, bool, str, str]:
    return flip.question_id, flip.broke, flip.first, flip.fixed_in
