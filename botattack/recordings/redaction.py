"""Secrets never reach a disk: every line is cleaned before its first byte is written."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from html.entities import codepoint2name
from typing import Any

import msgspec

from botattack.model import Question
from botattack.text.patterns import in_time

MASK = "[redacted]"
LONGEST = 0.25
"""Seconds a pattern may search one text."""
SHORTEST = 4
"""Characters a secret must have: masking every `1` would make a recording useless without hiding anything."""

KEPT = frozenset(
    "event run target started question unit units need kind matcher parent attack attacks expect standing reference "  # noqa: SIM905
    "meaning filter gates service speaker where".split()
)
"""Fields that hold botattack's own words and ids: a secret that happens to look like one must not break them."""
_FOREIGN = frozenset(("fields", "payload", "result"))
"""Fields that hold data with names of its own."""


class Redactor:
    """Masks secrets in the values of an encoded event, however JSON, URLs and HTML write them, and in base64.

    `patterns` are regular expressions of the `regex` package; whatever they find is masked as well.
    """

    def __init__(self, secrets: Iterable[str] = (), patterns: Iterable[str] = ()) -> None:
        known = {secret for secret in secrets if len(secret) >= SHORTEST}
        forms = known.union(*(_base64_cores(secret.encode()) for secret in known))
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        self._pattern = re.compile("|".join(map(_written, longest_first))) if forms else None
        self._patterns = _compiled(tuple(patterns))

    def __call__(self, line: bytes) -> bytes:
        """The same object where there was nothing to mask."""
        if not self._patterns and (self._pattern is None or not self._pattern.search(line.decode())):
            return line
        event: dict[str, Any] = msgspec.json.decode(line)
        masked = self._record(event)
        if masked == event:
            return line
        if event["event"] == "question opened" and _unnamed(masked["question"]) != _unnamed(event["question"]):
            # The events of a question name it by what it was.
            masked["question"]["masked"] = msgspec.convert(event["question"], Question).id
        return msgspec.json.encode(masked)

    def _record(self, value: Any) -> Any:
        """What botattack wrote: its names stay."""
        if isinstance(value, list):
            return [self._record(item) for item in value]
        if isinstance(value, dict):
            return self._whole({name: self._field(name, item) for name, item in value.items()}, value)
        return self._data(value)

    def _field(self, name: str, value: Any) -> Any:
        if name in KEPT and not (name == "question" and isinstance(value, dict)):
            return value
        return self._data(value) if name in _FOREIGN else self._record(value)

    def _data(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._data(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self._data(item) for key, item in value.items()}
        return value

    @staticmethod
    def _whole(masked: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
        """What was read from a reply's `raw` may hold a secret that is in pieces there: then that cannot be kept."""
        if "raw" in reply and masked != reply and masked["raw"] == reply["raw"]:
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


def _unnamed(question: dict[str, Any]) -> dict[str, Any]:
    """What is asked and what is right, without the user's own names for it."""
    return {name: value for name, value in question.items() if name not in ("key", "tags")}


def _compiled(patterns: tuple[str, ...]) -> tuple[Any, ...]:
    if not patterns:
        return ()
    import regex

    return tuple(regex.compile(pattern) for pattern in patterns)


def _written(secret: str) -> str:
    """A pattern for every way in which a secret may be written."""
    # A run of backslashes is one sign: else there were a hundred ways to match one.
    return "".join(map(_sign, re.findall(r"\\+|.", secret, re.DOTALL)))


def _sign(sign: str) -> str:
    """Letters and digits are written as they are; any other sign may be quoted for JSON, a URL or HTML, and JSON, which
    is often quoted inside JSON, up to four times over."""
    if sign.isascii() and sign.isalnum():
        return sign
    code, times = ord(sign[0]), len(sign)
    plain = rf"\\{{{times},{16 * times}}}" if sign[0] == "\\" else r"\\{0,15}" + re.escape(sign)
    units = sign[0].encode("utf-16-be").hex()
    in_json = "".join(rf"\\{{1,16}}u{units[start : start + 4]}" for start in range(0, len(units), 4))
    in_url = "".join(f"%(?:25){{0,3}}{byte:02x}" for byte in sign[0].encode())
    name = f"|{_NAMES[code]}" if code in _NAMES else ""
    in_html = rf"&(?:amp;){{0,3}}(?:#0{{0,4}}{code}|#x0{{0,4}}{code:x}{name});"
    return rf"(?:{plain}|(?i:{in_json}|{in_url}|{in_html}){{{times}}}{_SHORT.get(sign, '')})"


_NAMES = {ord("'"): "apos", **codepoint2name}
_SHORT = {" ": r"|\+", "\n": r"|\\{1,16}n", "\r": r"|\\{1,16}r", "\t": r"|\\{1,16}t"}
"""Ways to write a sign that no other has."""


def _base64_cores(secret: bytes) -> Iterable[str]:
    """The characters that a secret gives at each of three alignments, whatever stands around it."""
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for offset in range(3):
            text = encode(b"\0" * offset + secret).decode().rstrip("=")
            first = (0, 2, 3)[offset]
            last = len(text) - (1 if (offset + len(secret)) % 3 else 0)
            if last - first >= SHORTEST + 2:
                yield text[first:last]
