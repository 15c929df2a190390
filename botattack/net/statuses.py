"""What a status that is not a success means."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime

from botattack.errors import RateLimited, RequestRefused, ServerFailed, TargetError
from botattack.protocols import Pace

LONGEST = 1e9
"""Seconds, thirty years: whoever asks for more wants no more questions, and no sentence about it need be longer."""


def refusal(status: int, headers: Mapping[str, str], where: str, pace: Pace, clock: Callable[[], float]) -> TargetError:
    """What a status that is not a success means; one that asks to wait shuts the pace at once."""
    wait = retry_after(headers, clock)
    if status == 429 or (status == 503 and wait is not None):
        pace.shut(wait)
        return RateLimited(f"{where} asked to wait (HTTP {status})", status=status, delivered=True, retry_after=wait)
    if status >= 500 or status == 408:
        return ServerFailed(f"{where} failed with HTTP {status}", status=status, retry_after=wait)
    return RequestRefused(f"{where} refused the request with HTTP {status}", status=status, delivered=True)


def retry_after(headers: Mapping[str, str], clock: Callable[[], float]) -> float | None:
    """Seconds that a reply asks to wait, told in seconds or as an HTTP date, at most `LONGEST`; None if it does not
    say."""
    said = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", said):
        return min(float(said), LONGEST)
    try:
        until = parsedate_to_datetime(said).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, until - _now(headers, clock))


def _now(headers: Mapping[str, str], clock: Callable[[], float]) -> float:
    """By the server's own clock, where it says."""
    try:
        return parsedate_to_datetime(headers.get("date", "")).timestamp()
    except (ValueError, TypeError, OverflowError):
        return clock()
