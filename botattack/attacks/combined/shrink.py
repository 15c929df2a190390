"""Smaller versions of an edit that broke the bot, asked until none breaks it any more. Pure."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

import msgspec

from botattack.attacks.building.composed_edits import distance_of
from botattack.attacks.building.guard import whole
from botattack.attacks.building.smaller import Edits, Part, ddmin, edits_of, parts_of, pieces_of
from botattack.model import Outcome, Question, Result, Turns, Variant, edited, places
from botattack.protocols import Attack, Context, Proposals

SPAN = 10_000
"""Askings of one finding are numbered from a multiple of this, so that no two findings share an asking."""
FRESH = SPAN // 2
"""Numbers the first of the askings that decide on a claim: those below it chose what to ask next."""
ASKINGS = 3
"""As many wrong askings in a row make sure that a lost answer is no chance (`engine.plan.WRONG_RUNNING`)."""
MOST = 60


class Broke(msgspec.Struct, frozen=True):
    """An edit that broke the bot in an earlier run: its unit there, and the fake answer it planted, if any."""

    unit: str
    edits: Edits
    decoy: str = ""


@dataclass(frozen=True)
class Shrink(Attack):
    """Asks smaller versions of edits that broke the bot: fewer edits, then less of each.

    A version counts as breaking the bot only if all of its `askings` do. The search ends after `most` askings. The
    smallest is then asked as often again, and so is the unchanged question: what nobody chose it by. If it does not
    break the bot each time, the next larger one is; if the unchanged question breaks it, nothing is claimed.

    Everything asked is a probe, which enters no rate. `run` is the run that found the edits; `units` are theirs.
    """

    diagnosis: ClassVar[bool] = True
    name: str  # type: ignore[misc]  # it is that of the attack that found them
    run: str
    units: tuple[str, ...]
    askings: int = ASKINGS
    most: int = MOST

    @classmethod
    def of(cls, name: str, run: str, found: Mapping[str, Sequence[Broke]], askings: int) -> Shrink:
        """`found` are the edits of an attack by the id of their question."""
        units = tuple(f"{question} {each.unit}" for question, those in found.items() for each in those)
        made = cls(name, run, units, askings)
        object.__setattr__(made, "found", found)
        return made

    def __post_init__(self) -> None:
        self.found: Mapping[str, Sequence[Broke]]
        object.__setattr__(self, "found", {})

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        for number, broke in enumerate(self.found.get(context.question.id, ())):
            yield from _Search(self, context.question, broke, number * SPAN).run()
        return 0


def decides(asking: int) -> bool:
    """Whether an asking of this number was made to decide on a claim."""
    return asking % SPAN >= FRESH


Asking = Generator[list[Variant], Sequence[Outcome], bool]


@dataclass
class _Search:
    """The search from one finding on."""

    attack: Shrink
    question: Question
    root: Broke
    first: int
    """Numbers its first asking."""
    spent: int = 0
    """Askings so far."""
    known: dict[Edits, bool] = field(default_factory=dict)
    broke: list[Edits] = field(default_factory=list)
    """What broke the bot in every asking, ever smaller."""

    def run(self) -> Generator[list[Variant], Sequence[Outcome], None]:
        edits = self.root.edits
        if not (yield from self._breaks(edits)):
            return
        pieces = pieces_of(edits)

        def breaks(selected: Sequence[Part]) -> Asking:
            return self._breaks(edits_of(edits, [piece for part in selected for piece in part]))

        for whole_edits in (True, False):
            left = yield from ddmin(parts_of(pieces, whole_edits=whole_edits), breaks)
            pieces = [piece for part in left for piece in part]
        if (yield from self._each(self._probe(self.question.turns, ()), FRESH, "robust")):
            for smallest in reversed(self.broke):
                if (yield from self._each(self._variant(smallest), FRESH, "success")):
                    return

    def _breaks(self, edits: Edits) -> Asking:
        """Whether edits break the bot in every asking."""
        if edits in self.known:
            return self.known[edits]
        variant = self._variant(edits) if self.spent < self.attack.most else None
        if variant is None or (self.broke and variant.distance >= self._distance(self.broke[-1])):
            return False
        self.known[edits] = yield from self._each(variant, 0, "success")
        if self.known[edits]:
            self.broke.append(edits)
        return self.known[edits]

    def _each(self, variant: Variant | None, first: int, wanted: Result) -> Asking:
        """Whether every one of the askings has the wanted result; it ends with the first that has not."""
        for number in range(first, first + self.attack.askings):
            if variant is None:
                return False
            outcome = (yield [msgspec.structs.replace(variant, again=self.first + number)])[0]
            self.spent += 1
            if outcome.result != wanted:
                return False
        return True

    def _variant(self, edits: Edits) -> Variant | None:
        """The question with these edits; None if they tear a character or change nothing."""
        texts = places(self.question.turns)
        for place in {edit.place for edit in edits if not edit.place.is_added}:
            if not whole(texts[place], tuple(edit for edit in edits if edit.place == place)):
                return None
        turns = edited(self.question.turns, edits)
        return None if turns == self.question.turns else self._probe(turns, edits)

    def _probe(self, turns: Turns, edits: Edits) -> Variant:
        far = self._distance(edits)
        root = self.root
        return Variant(turns, self.attack.name, edits, "same", far, parent=root.unit, probe=True, decoy=root.decoy)

    def _distance(self, edits: Edits) -> int:
        return distance_of(self.question.turns, edits)
