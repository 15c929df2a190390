"""How JSON, URLs, HTML and programs write a character, taken back one layer at a time, with where each one stood."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from bisect import bisect_right
from collections.abc import Callable, Iterator
from html import unescape

LAYERS = 8
"""Encodings inside one another that are taken back."""
_X = "[0-9A-Fa-f]"
_CODED = re.compile(
    rf"""\\(?:u(?P<high>[dD][89abAB]{_X}{{2}})\\u(?P<low>[dD][c-fC-F]{_X}{{2}})
        |   (?:u(?P<u>{_X}{{4}})|u\{{0*(?P<ub>{_X}{{1,6}})\}}|U00(?P<U>{_X}{{6}})|x\{{0*(?P<xb>{_X}{{1,6}})\}})
        |   (?P<bytes>x[89a-fA-F]{_X}(?:\\x[89a-fA-F]{_X})*)|x(?P<x>[0-7]{_X})
        |   (?P<short>[nrtbf"'/\\]))
    |   (?P<url>%[89a-fA-F]{_X}(?:%[89a-fA-F]{_X})*)|%(?P<p>[0-7]{_X})
    |   (?P<html>&(?:\#\d{{1,9}}|\#[xX]{_X}{{1,8}}|[A-Za-z][A-Za-z0-9]{{1,31}});)
    """,
    re.VERBOSE,
)
_SHORT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_BLANK = re.compile(r"[\s+]{2,}|[^\S ]|\+")
_RUN = re.compile(r"(?:[A-Za-z0-9+/_-]{60,}\s{1,4})*[A-Za-z0-9+/_-]{8,}={0,2}")
"""Base64 or hexadecimal digits; of several lines where those are long."""
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+")
Span = tuple[int, int]


class Layer:
    """A text in which something was replaced, and where each sign of it came from."""

    def __init__(self, text: str, pattern: re.Pattern[str], sign: Callable[[re.Match[str]], str]) -> None:
        pieces: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._sources: list[Span] = []
        size = at = 0
        for found in pattern.finditer(text):
            new = sign(found)
            pieces += (text[at : found.start()], new)
            size += found.start() - at
            at = found.end()
            self._starts.append(size)
            size += len(new)
            self._ends.append(size)
            self._sources.append(found.span())
        self.text = "".join([*pieces, text[at:]]) if self._sources else text

    @property
    def changed(self) -> bool:
        return bool(self._sources)

    def source(self, span: Span) -> Span:
        """Where in the text before a span of this one was; what encoded one sign is taken whole."""
        return self._place(span[0])[0], self._place(span[1] - 1)[1]

    def _place(self, at: int) -> Span:
        index = bisect_right(self._starts, at) - 1
        if index < 0:
            return at, at + 1
        if at < self._ends[index]:
            return self._sources[index]
        moved = at - self._ends[index] + self._sources[index][1]
        return moved, moved + 1


def decoded(text: str) -> Layer:
    """One layer of encodings taken back."""
    return Layer(text, _CODED, _sign)


def folded(text: str) -> Layer:
    """Every run of white space, and every `+`, which is a space in a URL, as one space."""
    return Layer(text, _BLANK, lambda _: " ")


def plain(text: str) -> str:
    """A text with all encodings taken back."""
    for _ in range(LAYERS):
        layer = decoded(text)
        if not layer.changed:
            break
        text = layer.text
    return folded(text).text


def _sign(found: re.Match[str]) -> str:
    kind = found.lastgroup
    code = found[kind or 0]
    if kind == "short":
        return _SHORT.get(code, code)
    if kind == "html":
        return unescape(code)
    if kind in ("url", "bytes"):
        return bytes.fromhex(re.sub(r"[%x\\]", "", code)).decode(errors="replace")
    if kind == "low":
        return chr(0x10000 + ((int(found["high"], 16) & 0x3FF) << 10) + (int(code, 16) & 0x3FF))
    number = int(code, 16)
    return chr(number) if number < 0x110000 else "\ufffd"


def runs(text: str) -> Iterator[tuple[Span, str]]:
    """Each run of digits of base64 or hexadecimal, without the ends of its lines and what fills it up."""
    return ((run.span(), "".join(run[0].split()).rstrip("=")) for run in _RUN.finditer(text))


def contents(digits: str) -> Iterator[str]:
    """What digits of base64 or hexadecimal may encode; other letters may come before them."""
    for skip in range(4):
        code = digits[skip:].replace("+", "-").replace("/", "_")
        whole = code[: len(code) - (len(code) % 4 == 1)]
        yield urlsafe_b64decode(whole + "=" * (-len(whole) % 4)).decode(errors="replace")
    for skip in range(2):
        for found in _HEX.finditer(digits, skip):
            yield bytes.fromhex(found[0]).decode(errors="replace")
