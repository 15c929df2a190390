"""What a started program sees of the environment: what it cannot do without, and what the user gave it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar

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
