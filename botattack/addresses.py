"""What addresses a host name has, and whether that is this machine."""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Sequence


def addresses(host: str) -> tuple[str, ...]:
    """Every address a host name has now; raises OSError if there is none."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except UnicodeError:
        raise OSError(errno.EINVAL, "it is not the name of a host") from None
    return tuple(sorted({str(entry[4][0]) for entry in found}))


def is_loopback(found: Sequence[str]) -> bool:
    """Whether every one of these addresses is this machine's own."""
    return bool(found) and all(map(is_here, found))


def is_here(host: str) -> bool:
    """Whether an address, or the name `localhost`, is this machine; no other name is looked up."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host == "localhost"
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return bool((mapped or address).is_loopback)
