"""What became of one asking over many runs, and whether it goes back and forth although nobody changed the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from botattack.report.numbers import count

FLAKY = 3
"""Changes from which on an asking is flaky: one break and its fix are two, and have a reason more often than not."""
State = Literal["held", "broke", "mixed", ""]
"""In one run: right, wrong, or one and the other in several askings; empty where nothing was decided."""
_SIGNS: Mapping[State, str] = {"held": "✓", "broke": "✗", "mixed": "~", "": "·"}
LEGEND = "✓ held, ✗ broke, ~ both in one run, · not decided; oldest run first"


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
