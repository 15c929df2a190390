"""Every command that botattack proposes: one place quotes it, and gives it the flags of the run that it follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from botattack.report.escape import quoted

_FLAGS = ("--env-file", "--recordings", "--allow-code")
"""Flags without which a later command about the same bot does not find, or may not do, what the run did."""
_TAKES = {**dict.fromkeys(("check", "nightly", "run", "shrink", "why"), _FLAGS), "mark": ("--recordings",)}


def command(*words: str, flags: Sequence[str] = ()) -> str:
    """A command to paste: each word quoted as a shell needs it, and those of a run's `flags` that this command takes.
    What sets a baseline finds its folder by the run that it names."""
    takes = () if words[:2] == ("nightly", "baseline") else _TAKES.get(words[0], ())
    return " ".join(("botattack", *map(quoted, (*words, *_kept(flags, takes)))))


def inherited(words: Sequence[str]) -> tuple[str, ...]:
    """Of the words of a command, those flags that later commands need, too."""
    return tuple(_kept(words, _FLAGS))


def _kept(words: Sequence[str], flags: Sequence[str]) -> Iterator[str]:
    for before, word in pairwise(["", *words]):
        takes_value = before in flags and before != "--allow-code"
        if takes_value or word.partition("=")[0] in flags:
            yield word
