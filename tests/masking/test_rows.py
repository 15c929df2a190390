"""Secrets in the rows of a page that showed its answer piece by piece: masked in each, and the answer read again."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from botattack.model import Reply
from botattack.recordings.masking import MASK
from botattack.recordings.redaction import Redactor
from botattack.targets.browser.browser_kind import Browser
from botattack.targets.browser.recorded import PageRow, Settling, extract, raw_of
from tests.masking.forms import SECRETS
from tests.targets.asking import options
from tests.targets.browser.conftest import described


def streamed(text: str, rest: str = "", step: int = 3) -> list[PageRow]:
    """Rows 0.6 s apart, the text a few characters longer in each; `rest` replaces it at the end."""
    shown = [text[:end] for end in range(step, len(text) + step, step)] + ([rest] if rest else [])
    rows = [PageRow(round(0.6 * index, 4), 2, 0, 0, part) for index, part in enumerate(shown)]
    return [*rows, PageRow(rows[-1].at + 5, 2, 0, 0, rows[-1].text)]


def recorded(rows: list[PageRow], page: Browser, **redactor: Any) -> dict[str, Any]:
    """The reply of a recorded page as a recording keeps it."""
    raw = raw_of(page, rows, Settling(1.0, gone=False, done=False, before=1), f"<p class=bot>{rows[-1].text}</p>")
    read = extract(raw, page)
    event = {"event": "asked", "replies": [msgspec.to_builtins(msgspec.structs.replace(read, raw=raw))]}
    redact = Redactor(read=lambda raw: extract(raw, page), pieces=page.masked, **redactor)
    masked: dict[str, Any] = msgspec.json.decode(redact(msgspec.json.encode(event)))["replies"][0]
    return masked


@pytest.fixture
def page() -> Browser:
    made: Browser = options(Browser, described("http://127.0.0.1:1/", settled={"quiet": "1s"}))
    return made


@pytest.mark.parametrize("name", ["SHORT", "HEX", "JWT", "UUID", "CASE"])
def test_every_row_is_masked_and_the_answer_settles_as_it_did(name: str, page: Browser) -> None:
    secret = SECRETS[name]
    kept = recorded(streamed(f"It is {secret}, they say. Bye."), page, secrets=[secret])
    assert kept["text"] == f"It is {MASK}, they say. Bye."
    assert extract(kept["raw"], page).text == kept["text"]
    assert not any(secret[at : at + 3] in kept["raw"] for at in range(len(secret) - 3))


def test_what_only_earlier_rows_showed_is_masked(page: Browser) -> None:
    secret = SECRETS["HEX"]
    kept = recorded(streamed(f"the key is {secret}", rest="I may not tell you that."), page, secrets=[secret])
    assert (kept["text"], extract(kept["raw"], page).text) == ("I may not tell you that.",) * 2
    assert not any(secret[at : at + 4] in kept["raw"] for at in range(len(secret) - 4))


def test_a_pattern_that_takes_shape_row_by_row_is_masked(page: Browser) -> None:
    kept = recorded(streamed("call 555-0199-4242 now"), page, patterns=[r"\d{3}-\d{4}-\d{4}"])
    assert kept["text"] == f"call {MASK} now" == extract(kept["raw"], page).text
    assert "55" not in kept["raw"]


def test_a_row_that_only_looks_the_same_now_still_is_a_change(page: Browser) -> None:
    """With a mask over both, the answer would seem to stand still from the first letter of a long secret on."""
    secret = "abcdefgh" * 4 + "9"
    kept = recorded(streamed(f"It is {secret} and more"), page, secrets=[secret])
    again = extract(kept["raw"], page)
    assert (again.text, isinstance(again, Reply)) == (f"It is {MASK} and more", True)
    assert again.latency > 5
