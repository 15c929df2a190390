"""Regular expressions that other people wrote, searched in bounded time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def in_time(search: Callable[..., Any], *args: object, seconds: float) -> Any:
    """What `search(*args, timeout=seconds)` of the `regex` package finds; raises TimeoutError.

    The package's clock may run on while the whole machine stands still, so what was late gets a second go: an
    expression that backtracks without end is late in both.
    """
    try:
        return search(*args, timeout=seconds)
    except TimeoutError:
        return search(*args, timeout=seconds)
