"""The only door to regular expressions that other people wrote: they compile to a bounded size, and are searched in
bounded time."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import prod
from typing import Any

LONGEST = 10_000
"""Characters of the longest expression."""
MOST_REPEATED = 100_000
"""How often an expression may repeat something, all its repeats together. The package writes out what is repeated:
that takes 0.1 s and 60 MB for this many, and all memory for a hundred times as many."""
_REPEAT = re.compile(r"\{\s*(\d*)\s*(?:(,)\s*(\d*)\s*)?\}")
_PART = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\]){0,500}+\]|\{[\d\s,]*\}|.", re.DOTALL)
"""An escaped character, a class (what is longer counts letter by letter), a repeat, or any other character."""
_COMMENTED = re.compile(r"\(\?(?:#|[\w-]*x)")
_ENDLESS = 10**12


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
    except (regex.error, ValueError) as error:  # a number of 5,000 digits is none for Python
        raise BadPattern(f"is not a regular expression: {str(error).partition(';')[0]}") from None
    except (RecursionError, OverflowError, MemoryError):
        raise BadPattern("is too deep") from None


def _repeated(source: str) -> int:
    """How many parts it has once repeats are written out: a repeat of a group repeats what is within it. Where comments
    may be between a part and its repeat, every repeat counts as if all others were within it."""
    if _COMMENTED.search(source):
        return min(prod(map(_times, _REPEAT.finditer(source))), _ENDLESS)
    sums, last = [0], 0
    for token in _PART.finditer(source):
        part = token[0]
        if part == "(":
            sums.append(0)
            last = 0
        elif part == ")" and len(sums) > 1:
            last = sums.pop()
            sums[-1] += last
        elif found := _REPEAT.fullmatch(part):
            more = last * (_times(found) - 1)
            sums[-1] = min(sums[-1] + more, _ENDLESS)
            last = min(last + more, _ENDLESS)
        elif part not in "*+?":
            last = 1
            sums[-1] += 1
    return sum(sums)


def _times(repeat: re.Match[str]) -> int:
    # Many digits would take long to read as a number, and mean too many in any case.
    least, _, most = (int(number[:9]) if number and number.isdecimal() else 0 for number in repeat.groups())
    return max(least, most, 1)


def in_time(search: Callable[..., Any], *args: object, seconds: float) -> Any:
    """What `search(*args, timeout=seconds)` of the `regex` package finds; raises TimeoutError.

    The package's clock may run on while the whole machine stands still, so what was late gets a second go: an
    expression that backtracks without end is late in both.
    """
    try:
        return search(*args, timeout=seconds)
    except TimeoutError:
        return search(*args, timeout=seconds)
