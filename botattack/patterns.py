"""The only door to regular expressions that other people wrote: they compile to a bounded size, and are searched in
bounded time."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

LONGEST = 10_000
"""Characters of the longest expression."""
MOST_REPEATED = 100_000
"""How often an expression may repeat something, all its repeats together. The package writes out what is repeated:
that takes 0.1 s and 60 MB for this many, and all memory for a hundred times as many."""
_REPEAT = re.compile(r"\{\s*(\d*)\s*(?:(,)\s*(\d*)\s*)?\}")
_OF_ONE = re.compile(r"[^\s)*+?}]")
"""What stands before a repeat of one character or class; anything else may be the end of a group."""


class BadPattern(ValueError):
    """Why an expression cannot be used, in words that follow its text."""


def compiled(source: str, flags: int = 0) -> Any:
    """An expression of the `regex` package; raises BadPattern."""
    import regex

    if len(source) > LONGEST:
        raise BadPattern(f"is longer than {LONGEST:,} characters")
    if (times := _repeated(source)) > MOST_REPEATED:
        raise BadPattern(f"repeats its parts {times:,} times, more than {MOST_REPEATED:,}")
    try:
        return regex.compile(source, flags)
    except regex.error as error:
        raise BadPattern(f"is not a regular expression: {error}") from None
    except (RecursionError, OverflowError, MemoryError):
        raise BadPattern("is too deep") from None


def _repeated(source: str) -> int:
    """No fewer times than anything is repeated. Every repeat of a group counts as if all others were within it, so that
    nobody has to know where groups end."""
    groups, ones = 1, 0
    for found in _REPEAT.finditer(source):
        # Many digits would take long to read as a number, and mean too many in any case.
        least, _, most = (int(number[:9]) if number and number.isdigit() else 0 for number in found.groups())
        times = max(least, most, 1)
        if _OF_ONE.fullmatch(source[max(0, found.start() - 1) : found.start()]):
            ones += times
        else:
            groups = min(groups * times, 10**12)
    return groups * max(ones, 1)


def in_time(search: Callable[..., Any], *args: object, seconds: float) -> Any:
    """What `search(*args, timeout=seconds)` of the `regex` package finds; raises TimeoutError.

    The package's clock may run on while the whole machine stands still, so what was late gets a second go: an
    expression that backtracks without end is late in both.
    """
    try:
        return search(*args, timeout=seconds)
    except TimeoutError:
        return search(*args, timeout=seconds)
