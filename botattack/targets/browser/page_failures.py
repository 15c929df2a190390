"""What Playwright raises, and what a page's server answers, as failures in our words."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from botattack.errors import (
    BrokenReply,
    ExtractionFailed,
    HostRefused,
    RateLimited,
    RequestRefused,
    TargetError,
    TimedOut,
    Unreachable,
)
from botattack.net.faults import refusal
from botattack.protocols import Pace, Unpaced
from botattack.targets.browser.launch import brief

if TYPE_CHECKING:
    import playwright.async_api as pw

LOG_IN = "; log in with: botattack targets login FILE"
_SYNTAX = re.compile("selector|unknown engine|unexpected token|xpath|exclude: not CSS", re.IGNORECASE)


def is_playwrights(error: Exception) -> bool:
    """Whether it is Playwright's; it raises a bare Exception where its driver is gone."""
    from playwright.async_api import Error

    return isinstance(error, Error) or (type(error) is Exception and "onnection closed" in str(error))


def is_end(error: Exception) -> bool:
    """Whether the page, or its browser, is gone."""
    ended = re.search("crashed|connection closed", brief(error), re.IGNORECASE)
    return type(error).__name__ == "TargetClosedError" or ended is not None


def classified(error: Exception, place: str, delivered: bool | None, *, strayed: bool) -> TargetError:
    """The failure that an error of Playwright's is; `strayed` says that the page was led to a foreign host."""
    said = brief(error)
    if is_end(error):
        return BrokenReply("the page crashed, or its browser ended", delivered=delivered)
    if "net::ERR_BLOCKED" in said or (strayed and "net::" in said):
        return HostRefused("the page leads to a host this file does not name", said=said, place=place)
    if re.search("net::ERR_|NS_ERROR_|could not connect|Connection refused", said):
        return Unreachable("the page cannot be opened", said=said, delivered=False, place=place)
    if type(error).__name__ == "TimeoutError":
        sentence = "the element could not be used in time"
        return TimedOut(sentence, said=_reason(error), delivered=delivered, place=place)
    if _SYNTAX.search(said):
        return ExtractionFailed("this is not a selector", said=said, delivered=delivered, place=place)
    return BrokenReply("the browser failed", said=said, delivered=delivered, place=place)


def _reason(error: Exception) -> str:
    """The last thing Playwright waited for."""
    lines = [line.strip(" -") for line in str(error).splitlines() if line.strip().startswith("-")]
    return lines[-1] if lines else brief(error)


def of_request(response: pw.Response, said: str, pace: Pace) -> TargetError:
    """The failure of a request that the page made after a message was sent. It has left, so it is not made again."""
    error = of_status(response.url.partition("?")[0], response.status, response.headers, "connect.answer", pace)
    if not isinstance(error, RateLimited):
        fix = LOG_IN if response.status in (401, 403) else ""
        sentence = f"a request of the page after the message failed with HTTP {response.status}{fix}"
        place = "connect.login" if fix else "connect.answer"
        error = RequestRefused(sentence, status=response.status, delivered=True, place=place)
    error.said = said
    return error


def of_status(url: str, status: int, headers: Mapping[str, str], place: str, pace: Pace | None) -> TargetError:
    error = refusal(status, headers, f"the page {url}", pace or Unpaced(), time.time)
    if not isinstance(error, RateLimited):
        error.place = place
        error.args = (f"{error}{LOG_IN if status in (401, 403) else ''}",)
    return error
