"""Which place of a target file is to blame for a request that failed, and what may be wrong there."""

from __future__ import annotations

from collections.abc import Mapping

from botattack.errors import HostRefused, RequestRefused, TargetError, Unreachable

WHO_ASKS = "see auth and headers"


def blame(error: TargetError, request: str, url: str, env: Mapping[str, str]) -> None:
    """Names the place in the target file that is to blame, `request` or its `url`, and what may be wrong there."""
    if isinstance(error, RequestRefused):
        error.args = (f"{error}{_mend(error.status, env)}",)
    if isinstance(error, RequestRefused | HostRefused):
        error.place = error.place or request
    elif isinstance(error, Unreachable):
        error.place = error.place or url


def _mend(status: int | None, env: Mapping[str, str]) -> str:
    if status in (401, 403):
        names = ", ".join(sorted(env))
        return f" (is the value of {names} right?)" if names else f" (it wants to know who asks: {WHO_ASKS})"
    return {404: " (check the path of the URL)", 405: " (check the method)"}.get(status or 0, "")
