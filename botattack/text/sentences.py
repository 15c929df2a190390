"""Where the sentences of a passage are. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from botattack.text.word_lists import attack_words

_LONGEST = 16
"""Characters before a full stop that are looked at: an abbreviation is shorter."""
_END = re.compile(r"[.!?…؟۔。！？]++[\"'”’»)\]]*+(?:\s+|$)|\n\s*\n\s*|(?<=[。！？])")


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, white space around it left out.

    A full stop behind an initial or a common English abbreviation, or before a small letter, ends none.
    """
    start = 0
    for match in _END.finditer(text):
        if match.end() < len(text) and not _ends(text, start, match):
            continue
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    if "\n" in match[0] or match[0].strip() != ".":
        return True
    words = text[max(start, match.start() - _LONGEST) : match.start()].split()
    last = words[-1].lstrip("(\"'“").lower() if words else ""
    initial = len(last) == 1 and last.isalpha()
    return not (initial or last in attack_words.short_forms or text[match.end()].islower())


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    if piece.strip():
        yield start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
