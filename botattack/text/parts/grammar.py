"""Meets the Need `grammar`: whether a sentence can be parsed whole. The link grammar parser, as a program.

Of 20 ordinary questions it passes 19, and it catches two of three broken ones: a gate, no judge.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from botattack.protocols import NeedHandler, PartInfo
from botattack.text.parts.installed import digest_of
from botattack.text.parts.programs import answer_of, package_version, program

MISSING = "there is no grammar checker: apt-get install link-grammar (or leave the gate `grammar` out)"
DICTIONARY = Path("/usr/share/link-grammar/en")
OPTIONS = ("-null=0", "-graphics=0", "-limit=100", "-timeout=5", "-echo=1")
LONGEST = 40
"""Words of a sentence that is still looked at: the time grows with their cube."""
_FOUND = re.compile(r"Found (\d+) linkage", re.ASCII)


@dataclass(frozen=True)
class Grammar(NeedHandler):
    """A payload is `{"text"}`; a result is whether a linkage takes in all its words, None if nothing is known
    (a text of over 40 words, or one that the parser gives up)."""

    info: PartInfo
    command: str
    result_type: ClassVar[object] = bool | None

    def meet(self, payloads: Sequence[Mapping[str, object]]) -> list[bool | None]:
        asked = [_line(str(payload["text"])) for payload in payloads]
        short = list(dict.fromkeys(text for text in asked if text and len(text.split()) <= LONGEST))
        said = answer_of([self.command, "en", *OPTIONS], "".join(f"{text}\n" for text in short)) if short else ""
        known = _read(said, short)
        return [known.get(text) for text in asked]


def _line(text: str) -> str:
    """One line that is no command of the parser's; it knows a sentence by its capital."""
    line = " ".join(text.split()).lstrip("!%&")
    return line[:1].upper() + line[1:]


def _read(said: str, texts: Sequence[str]) -> dict[str, bool]:
    """The parser echoes each sentence, then says how many linkages it found."""
    found: dict[str, bool] = {}
    waiting = iter(texts)
    current, following = "", next(waiting, None)
    for line in said.splitlines():
        if line == following:
            current, following = line, next(waiting, None)
        elif current and current not in found and (match := _FOUND.match(line)):
            found[current] = int(match[1]) > 0
        elif current and current not in found and line.startswith("No complete linkages"):
            found[current] = False
    return found


def load() -> Grammar:
    """Raises MissingPart if the program is not installed."""
    command = program("link-parser", MISSING)
    words = sorted(DICTIONARY.glob("*.dict")) + sorted(DICTIONARY.glob("4.0.*"))
    info = PartInfo("link-grammar", package_version("link-grammar"), "LGPL-2.1", digest_of(dict.fromkeys(words)))
    return Grammar(info, command)
