"""Every command that botattack proposes: one place quotes it, and gives it the flags of the run that it follows."""

from __future__ import annotations

from collections.abc import Sequence

from botattack.environment import FLAGS, inherited
from botattack.report.escape import quoted

_TAKES = {**dict.fromkeys(("check", "nightly", "run", "shrink", "why"), FLAGS), "mark": ("--recordings",)}


def command(*words: str, flags: Sequence[str] = ()) -> str:
    """A command to paste: each word quoted as a shell needs it, and those of a run's `flags` that this command takes.
    What sets a baseline finds its folder by the run that it names."""
    takes = () if words[:2] == ("nightly", "baseline") else _TAKES.get(words[0], ())
    return " ".join(("botattack", *map(quoted, (*words, *inherited(flags, takes)))))
