"""Which requests are the same request after a redirect, as the Fetch standard says."""

from __future__ import annotations

import httpx
import pytest

from botattack.net.messages import Call

THERE = httpx.URL("http://127.0.0.1/there")


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_only_a_post_or_see_other_turns_into_a_get(method: str, status: int) -> None:
    asked = Call(method, "http://127.0.0.1/here", (("content-type", "text/plain"), ("x-key", "1")), b"text")
    went = asked.redirected(status, THERE)
    turns = method not in ("GET", "HEAD") and (status == 303 or (method == "POST" and status in (301, 302)))
    assert went.url == str(THERE)
    assert went.method == ("GET" if turns else method)
    assert (went.body, dict(went.headers).keys()) == (
        (b"", {"x-key"}) if turns else (asked.body, {"content-type", "x-key"})
    )
