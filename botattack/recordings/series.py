"""Secrets in texts that belong together: pieces that make one text, and looks at one text while it grows. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from botattack.recordings.decoding import Span

Find = Callable[[str], Sequence[Span]]
"""Where secrets stand in a text."""


def masked(text: str, spans: Iterable[Span], mask: str, continued: Iterable[Span] = ()) -> str:
    """A text with each span replaced, those that overlap as one; what is `continued` from a text before is left out."""
    found: list[tuple[int, int, str]] = []
    for start, end, sign in sorted([*((*span, mask) for span in spans), *((*span, "") for span in continued)]):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1]), found[-1][2] or sign
        else:
            found.append((start, end, sign))
    parts, at = [], 0
    for start, end, sign in found:
        parts += [text[at:start], sign]
        at = end
    return "".join([*parts, text[at:]])


def pieces(texts: Sequence[str], find: Find, mask: str) -> list[str]:
    """Pieces of one text, or looks at one that grows, masked: the mask stands in the piece in which a secret begins,
    and what continues it is left out of the pieces after."""
    own = _grown(texts, find)
    rest: list[list[Span]] = [[] for _ in texts]
    ends = list(accumulate(map(len, texts)))
    for start, end in find("".join(texts)):
        for index in range(bisect_right(ends, start), bisect_left(ends, end) + 1):
            begin = ends[index] - len(texts[index])
            part = max(start - begin, 0), min(end - begin, len(texts[index]))
            (own if start >= begin else rest)[index].append(part)
    return [masked(text, spans, mask, more) for text, spans, more in zip(texts, own, rest, strict=True)]


def _grown(texts: Sequence[str], find: Find) -> list[list[Span]]:
    """Where secrets stand in each text, and in the next one as far as that begins in the same way."""
    spans = [list(find(text)) for text in texts]
    for index in range(len(texts) - 2, -1, -1):
        same = shared(texts[index], texts[index + 1])
        spans[index] += [(start, min(end, same)) for start, end in spans[index + 1] if start < same]
    return spans


def shared(old: str, new: str) -> int:
    """How many characters both begin with."""
    most = min(len(old), len(new))
    if old[:most] == new[:most]:
        return most
    return next(index for index in range(most) if old[index] != new[index])
