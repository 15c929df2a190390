from __future__ import annotations

import httpx
import pytest

from botattack.net.hosts import Hosts
from botattack.options import BadValue
from botattack.targets.messages.calls import host_of, read_host


@pytest.mark.parametrize(
    ("urls", "extra", "url", "allowed"),
    [
        (["http://a.example/x"], [], "http://a.example/y?z", True),
        (["http://a.example/x"], [], "http://A.EXAMPLE:80/", True),
        (["http://a.example/x"], [], "https://a.example/", True),
        (["http://a.example:8080/x"], [], "https://a.example:8080/", True),
        (["https://a.example/x"], [], "http://a.example/", False),
        (["http://a.example/x"], [], "http://a.example:81/", False),
        (["http://a.example/x"], [], "http://b.a.example/", False),
        (["http://a.example/x"], [], "http://a.example.evil/", False),
        (["http://a.example/x"], [], "ftp://a.example/", False),
        (["wss://a.example/x"], [], "wss://a.example/y", True),
        (["ws://a.example/x"], [], "http://a.example/y", True),
        (["http://[::1]:8080/"], [], "http://[::1]:8080/y", True),
        ([], ["b.example"], "https://b.example:444/", True),
        ([], ["b.example:444"], "https://b.example:444/", True),
        ([], ["b.example:444"], "https://b.example/", False),
        ([], ["[::1]:9"], "http://[::1]:9/", True),
        ([], ["::1"], "http://[::1]:9/", True),
    ],
)
def test_where_requests_may_go(urls: list[str], extra: list[str], url: str, allowed: bool) -> None:
    assert Hosts.of(urls, map(read_host, extra)).allow(httpx.URL(url)) is allowed


@pytest.mark.parametrize(
    "url", ["", "x", "/path", "file:///etc/passwd", "http://", "http://u:p@a.example/", "http://a:b:c/"]
)
def test_what_is_no_url(url: str) -> None:
    with pytest.raises(ValueError):
        Hosts.of([url])


def test_hosts_are_read() -> None:
    assert [host_of(read_host(host)) for host in ("A.example", "a.example:80", "[::1]:80", "::1", "127.0.0.1:1")] == [
        "a.example",
        "a.example",
        "::1",
        "::1",
        "127.0.0.1",
    ]
    for bad in ("", "http://a.example", "a.example/x", "a b", 3, "a:b"):
        with pytest.raises(BadValue):
            read_host(bad)
