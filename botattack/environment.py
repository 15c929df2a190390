"""What a started program sees of the environment: what it cannot do without, and what the user gave it; and what a
proposed command needs of the one that runs."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from itertools import pairwise

FLAGS = ("--env-file", "--recordings", "--allow-code")
"""Flags without which a later command about the same bot does not find, or may not do, what the run did."""
READ: ContextVar[str] = ContextVar("read", default="")
"""The file that --env-file named, and the names in it, for the error that a name is missing."""
_NEEDED = frozenset({"PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT"})
_SCREEN = frozenset({"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR"})


def environment(given: Mapping[str, str], *, screen: bool = False) -> dict[str, str]:
    """The environment of a program: `given`, and of our own what says where programs, files and the user's language
    are (and, with `screen`, where windows open). Everything else may be a secret, and stays here."""
    passed = _NEEDED | _SCREEN if screen else _NEEDED
    kept = {name: value for name, value in os.environ.items() if name in passed or name.startswith("LC_")}
    return {**kept, **given}


def instead(*words: str) -> str:
    """A command to paste in place of the one that runs, with those of its flags that it needs, too."""
    return shlex.join(("botattack", *words, *inherited(sys.argv)))


def inherited(words: Sequence[str], flags: Sequence[str] = FLAGS) -> tuple[str, ...]:
    """Of the words of a command, those flags that later commands need, too."""
    values = [flag for flag in flags if flag != "--allow-code"]
    return tuple(word for before, word in pairwise(["", *words]) if before in values or word.partition("=")[0] in flags)
