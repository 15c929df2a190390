"""Text that is JSON (perhaps after the digits of a Socket.IO frame) or XML once its placeholders are filled. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import repeat
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate

from botattack.templates.filters import as_text

Escape = Callable[[Any], str]
_FRAME = re.compile(r"\d{1,6}(?:/[^,\[{]{1,100},\d{0,6})?(?=[\[{])")
"""What stands before the JSON of an Engine.IO or Socket.IO message."""


def escapes(pieces: Sequence[str | None]) -> Iterator[Escape | None]:
    """For each piece, how a value is escaped there: where it is a placeholder (None) inside a string of JSON, or in a
    document of XML outside of CDATA. None where it is not."""
    text = "".join("0" if piece is None else piece for piece in pieces).strip("\x1e \n")
    text = text[found.end() :] if (found := _FRAME.match(text)) else text
    is_xml = text.startswith("<") and "<!DOCTYPE" not in text and _is_xml(text)
    if not is_xml and not (text.startswith(("{", "[")) and _is_json(text)):
        yield from repeat(None, len(pieces))
        return
    inside, before = is_xml, ""
    for piece in pieces:
        yield (in_xml if is_xml else in_json) if piece is None and inside else None
        before += piece or ""
        if is_xml:
            inside = before.rfind("<![CDATA[") <= before.rfind("]]>")
        else:
            # Each quote that no backslash escapes begins or ends a string.
            inside ^= len(re.findall(r'"', re.sub(r"\\.", "", piece or "", flags=re.DOTALL))) % 2 == 1


def _is_xml(text: str) -> bool:
    try:
        ParserCreate().Parse(text, True)
    except (ExpatError, ValueError):
        return False
    return True


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def in_xml(value: object) -> str:
    """A value as the content of an element or attribute."""
    return escape(as_text(value), quote=False).replace('"', "&quot;")


def in_json(value: object) -> str:
    """A value as the content of a JSON string."""
    return json.dumps(as_text(value), ensure_ascii=False)[1:-1]
