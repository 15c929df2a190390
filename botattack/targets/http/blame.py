"""Which place of a target file is to blame for a request that failed, and what may be wrong there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from botattack.errors import HostRefused, RequestRefused, TargetError, Unreachable

WHO_ASKS = "see auth and headers"
_TWICE = re.compile(r"(?i)([a-z-]+) \1 ")
"""A scheme that the target file writes and the value of the environment repeats."""


def blame(
    error: TargetError, request: str, url: str, env: Mapping[str, str], headers: Iterable[tuple[str, str]]
) -> None:
    """Names the place in the target file that is to blame, `request` or its `url`, and what may be wrong there. The
    request left with these headers."""
    if isinstance(error, RequestRefused):
        error.args = (f"{error}{_mend(error.status, env, headers)}",)
    if isinstance(error, RequestRefused | HostRefused):
        error.place = error.place or request
    elif isinstance(error, Unreachable):
        error.place = error.place or url


def _mend(status: int | None, env: Mapping[str, str], headers: Iterable[tuple[str, str]]) -> str:
    if status in (401, 403):
        names = ", ".join(sorted(env))
        if twice := next(filter(None, (_TWICE.match(value) for _, value in headers)), None):
            return f" (the file writes {twice[1]} already: is that word in the value of {names}, too?)"
        return f" (is the value of {names} right?)" if names else f" (it wants to know who asks: {WHO_ASKS})"
    return {404: " (check the path of the URL)", 405: " (check the method)"}.get(status or 0, "")
