"""Secrets never reach a disk: every line is cleaned before its first byte is written."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, quote_plus

import msgspec

from botattack.text.patterns import in_time

MASK = "[redacted]"
LONGEST = 0.25
"""Seconds a pattern may search one text."""
SHORTEST = 4
"""Characters a secret must have: masking every `1` would make a recording useless without hiding anything."""


KEPT = {"event", "run", "question", "unit", "units", "need", "parent", "attack", "started"}
"""Fields that hold botattack's own words and ids: a secret that happens to look like one must not break them."""


class Redactor:
    """Masks secrets in the values of an encoded event: verbatim, JSON-escaped, percent-encoded and in base64.

    `patterns` are regular expressions of the `regex` package; whatever they find is masked as well.
    """

    def __init__(self, secrets: Iterable[str] = (), patterns: Iterable[str] = ()) -> None:
        forms = {form for secret in secrets if len(secret) >= SHORTEST for form in _forms(secret)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if forms else None
        self._patterns = _compiled(tuple(patterns))

    def __call__(self, line: bytes) -> bytes:
        """The same object where there was nothing to mask."""
        if not self._patterns and (self._pattern is None or not self._pattern.search(line.decode())):
            return line
        event: dict[str, Any] = msgspec.json.decode(line)
        masked = {name: self._masked(name, value) for name, value in event.items()}
        return line if masked == event else msgspec.json.encode(masked)

    def _masked(self, name: str, value: Any) -> Any:
        return value if name in KEPT and isinstance(value, str | list) else self._walk(value)

    def _walk(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._walk(item) for item in value]
        if isinstance(value, dict):
            return self._whole({self.text(key): self._walk(item) for key, item in value.items()}, value)
        return value

    @staticmethod
    def _whole(masked: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
        """A secret may be whole in a reply's text and in pieces in its `raw`: then that cannot be kept."""
        if "raw" in reply and masked["raw"] == reply["raw"] and masked.get("text") != reply.get("text"):
            return {**masked, "raw": MASK}
        return masked

    def text(self, text: str) -> str:
        """Plain text with every secret masked, for whatever is shown and is not an event."""
        if self._pattern:
            text = self._pattern.sub(MASK, text)
        for pattern in self._patterns:
            try:
                text = in_time(pattern.sub, MASK, text, seconds=LONGEST)
            except TimeoutError:
                # What cannot be searched in time may hold anything.
                return MASK
        return text


def _compiled(patterns: tuple[str, ...]) -> tuple[Any, ...]:
    if not patterns:
        return ()
    import regex

    return tuple(regex.compile(pattern) for pattern in patterns)


def _forms(secret: str) -> set[str]:
    plain = {secret, quote(secret), quote(secret, safe=""), quote_plus(secret), *_base64_cores(secret.encode())}
    escaped = plain
    # A bot may quote JSON as text inside JSON: each round of quoting escapes once more.
    for _ in range(3):
        escaped = escaped | {
            json.dumps(text, ensure_ascii=ascii_)[1:-1] for text in escaped for ascii_ in (True, False)
        }
    return escaped


def _base64_cores(secret: bytes) -> Iterable[str]:
    """The characters that a secret gives at each of three alignments, whatever stands around it."""
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for offset in range(3):
            text = encode(b"\0" * offset + secret).decode().rstrip("=")
            first = (0, 2, 3)[offset]
            last = len(text) - (1 if (offset + len(secret)) % 3 else 0)
            if last - first >= SHORTEST + 2:
                yield text[first:last]
