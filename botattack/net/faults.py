"""Tells failures apart by what really happened: those of the wire, and statuses that are no success."""

from __future__ import annotations

import errno
import os
import re
import ssl
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from botattack.errors import (
    BrokenReply,
    HostRefused,
    RateLimited,
    RequestRefused,
    ServerFailed,
    TargetError,
    Unreachable,
)
from botattack.protocols import Pace


class Elsewhere(OSError):
    """An address that is not this machine, where only this machine may be asked."""


ERRORS = (aiohttp.ClientError, HttpProcessingError, OSError, zlib.error)
"""Whatever the libraries below may raise of a failed exchange."""


_PLAIN = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL"})
"""What OpenSSL says of a first reply that is not of TLS."""


@contextmanager
def told_apart(where: str) -> Iterator[None]:
    """Raises the right TargetError for a failure of the exchange with `where` (host and port)."""
    try:
        yield
    except ERRORS as error:
        raise classified(error, where) from error


def classified(error: BaseException, where: str) -> TargetError:
    """Unreachable with `delivered=False` only if nothing can have arrived; else BrokenReply."""
    for kind, tell in _TELLERS:
        if isinstance(error, kind):
            return tell(error, where)
    return BrokenReply(f"the exchange with {where} failed", said=f"{type(error).__name__}: {error}")


def _untrusted(error: aiohttp.ClientConnectorCertificateError, where: str) -> TargetError:
    cause = error.certificate_error
    why = (cause.verify_message if isinstance(cause, ssl.SSLCertVerificationError) else "") or str(cause)
    sentence = f"the certificate of {where} is not trusted ({why}); name the file of its CA"
    return Unreachable(sentence, delivered=False, place="connect.tls.ca")


def _not_there(why: Callable[[Any], str]) -> Tell:
    return lambda error, where: Unreachable(f"no connection to {where}: {why(error)}", delivered=False)


def _not_connected(error: aiohttp.ClientConnectorError, where: str) -> TargetError:
    if not isinstance(error.os_error, Elsewhere):
        refused = error.os_error.errno == errno.ECONNREFUSED
        fix = "; is the bot running, and is the port right?" if refused else ""
        return Unreachable(f"no connection to {where}: {_strerror(error.os_error)}{fix}", delivered=False)
    sentence = f"{where} now means {error.os_error}, which is not this machine, and nobody has consented to that"
    return HostRefused(sentence, delivered=False)


def _no_tls(error: aiohttp.ClientConnectorSSLError) -> str:
    """Why TLS failed. An error of OpenSSL has a reason in words; its number is not one of the system's."""
    reason = (error.os_error.reason if isinstance(error.os_error, ssl.SSLError) else None) or ""
    if reason in _PLAIN:
        return "it does not speak TLS there; if it speaks plain HTTP, write http:// (or ws://)"
    said = reason.replace("_", " ").lower() if isinstance(error.os_error, ssl.SSLError) else _strerror(error.os_error)
    return f"TLS failed: {said or error.os_error}"


def _damaged(_: BaseException, where: str) -> TargetError:
    return BrokenReply(f"the reply of {where} was cut short or damaged", delivered=True)


def _garbage(error: aiohttp.ClientResponseError | HttpProcessingError, where: str) -> TargetError:
    sentence = f"the reply of {where} is not HTTP, or its headers are too long"
    return BrokenReply(sentence, said=str(error.message), delivered=True)


def _strerror(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error) or "it hung up"


Tell = Callable[[Any, str], TargetError]
"""What a failure of the exchange with a host means."""
# The first that fits counts, so a class stands before its bases.
_TELLERS: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Tell], ...] = (
    (aiohttp.ClientConnectorCertificateError, _untrusted),
    (aiohttp.ClientSSLError, _not_there(_no_tls)),
    (aiohttp.ClientConnectorDNSError, _not_there(lambda _: "the host name is not known")),
    (aiohttp.ClientConnectorError, _not_connected),
    (aiohttp.ConnectionTimeoutError, _not_there(lambda _: "it does not accept one in time")),
    (aiohttp.ClientHttpProxyError, _not_there(lambda error: f"the proxy refused with HTTP {error.status}")),
    (aiohttp.ServerDisconnectedError, lambda _, where: BrokenReply(f"{where} hung up without an answer")),
    ((aiohttp.ClientPayloadError, zlib.error), _damaged),
    ((aiohttp.ClientResponseError, HttpProcessingError), _garbage),
    (OSError, lambda error, where: BrokenReply(f"the connection to {where} broke: {_strerror(error)}")),
)


LONGEST = 1e9
"""Thirty years in seconds: the longest wait that is read from a reply, so that sentences about it stay short."""


def refusal(status: int, headers: Mapping[str, str], where: str, pace: Pace, clock: Callable[[], float]) -> TargetError:
    """What a status that is not a success means; one that asks to wait shuts the pace at once."""
    wait = retry_after(headers, clock)
    if status == 429 or (status == 503 and wait is not None):
        pace.shut(wait)
        return RateLimited(f"{where} asked to wait (HTTP {status})", status=status, delivered=True, retry_after=wait)
    # 408 says that the request did not arrive in time, so it may be sent again, as after a failure of the server.
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
