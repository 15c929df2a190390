"""Text that is JSON once its placeholders are filled, perhaps after the digits of a Socket.IO frame. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

from botattack.templates.filters import as_text

_FRAME = re.compile(r"\d{1,6}(?:/[^,\[{]{1,100},\d{0,6})?(?=[\[{])")
"""What stands before the JSON of an Engine.IO or Socket.IO message."""


def in_strings(pieces: Sequence[str | None]) -> Iterator[bool]:
    """Of each piece, whether it is a placeholder (None) inside a string of JSON, where it has to be escaped."""
    text = "".join("0" if piece is None else piece for piece in pieces).strip("\x1e \n")
    text = text[found.end() :] if (found := _FRAME.match(text)) else text
    if not text.startswith(("{", "[")) or not _is_json(text):
        yield from repeat(False, len(pieces))
        return
    inside = False
    for piece in pieces:
        yield piece is None and inside
        # Each quote that no backslash escapes begins or ends a string.
        inside ^= len(re.findall(r'"', re.sub(r"\\.", "", piece or "", flags=re.DOTALL))) % 2 == 1


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def escaped(value: Any) -> str:
    """A value as the content of a JSON string."""
    return json.dumps(as_text(value), ensure_ascii=False)[1:-1]
