"""What a page's server answers, as failures in our words."""

from __future__ import annotations

import pytest

from botattack.errors import RateLimited, ServerFailed
from botattack.targets.browser.page_failures import of_status


@pytest.mark.parametrize(
    ("said", "wait"), [("7", 7.0), ("²", None), ("①", None), ("-1", None), ("nan", None), ("", None)]
)
def test_a_page_that_asks_to_wait_is_believed_only_in_plain_numbers(said: str, wait: float | None) -> None:
    limited = of_status("http://127.0.0.1/", 429, {"retry-after": said}, "connect.open", None)
    assert isinstance(limited, RateLimited)
    assert limited.retry_after == wait
    failed = of_status("http://127.0.0.1/", 503, {"retry-after": said}, "connect.open", None)
    assert isinstance(failed, ServerFailed if wait is None else RateLimited)
