"""Regular expressions over a bot's reply, which may be made to be slow to look through. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from botattack.errors import ExtractionFailed
from botattack.patterns import compiled as compiled_pattern
from botattack.patterns import in_time

MAX_REGEX = 100_000
"""Characters that a regular expression, or the stripping of HTML, looks at."""
REGEX_SECONDS = 0.5
_FRAMED = re.compile(r"[\w:/,.-]{0,100}\s{0,100}[\[{]", re.ASCII)
"""How JSON begins, also inside a frame of Socket.IO or a line of an event stream."""


def whole(text: str) -> str:
    """Text that can be written as UTF-8."""
    return text if text.isascii() else text.encode(errors="surrogatepass").decode(errors="replace")


def bounded(text: str) -> str:
    """At most MAX_REGEX characters, cut between words if it can be: half a secret is not known as one."""
    part = text[:MAX_REGEX]
    return part if part == text else part[: max(map(part.rfind, " \n<>"))] or part


class _Said(Protocol):
    text: str


@dataclass(frozen=True)
class Pattern:
    """A regular expression over the reply's text: its group `answer`, else its first group, else the whole match. What
    is taken out of a string of JSON is read as such."""

    source: str

    @cached_property
    def _compiled(self) -> Any:
        return compiled_pattern(self.source)

    def find(self, body: _Said) -> list[object]:
        group = "answer" if "answer" in self._compiled.groupindex else min(1, self._compiled.groups)
        try:
            found = in_time(self._matches, bounded(body.text), seconds=REGEX_SECONDS)
            return [_unescaped(match, group) for match in found if match[group] is not None]
        except TimeoutError:
            sentence = f"the regular expression {self.source!r} takes more than {REGEX_SECONDS:g} s; make it simpler"
            raise ExtractionFailed(sentence, delivered=True) from None

    def _matches(self, text: str, timeout: float) -> list[object]:
        return list(self._compiled.finditer(text, timeout=timeout, concurrent=True))


def _unescaped(match: Any, group: str | int) -> str:
    """What matched; where that is part of a JSON string, without the escapes of JSON."""
    found: str = match[group]
    start, end = match.span(group)
    is_quoted = match.string[max(start - 1, 0) : start] == '"' == match.string[end : end + 1]
    if "\\" not in found or not (is_quoted or _FRAMED.match(match.string)):
        return found
    try:
        return whole(json.loads(f'"{found}"', strict=False))
    except ValueError:
        return found
