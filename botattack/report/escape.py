"""Foreign text made harmless to read: whatever a bot or a file says, it stays on its line and shows what it is."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise

_PUNCTUATION = "\"'“”„«».,:;?!()"
LIMIT = 200
"""Characters of a reply that a report shows, unless it says otherwise."""

_MARKDOWN = (
    (re.compile(r"(?m)^[ \t]*(?:```|~~~)[^\n]*$"), ""),
    (re.compile(r"(?m)^[ \t]*#{1,6}[ \t]+"), ""),
    (re.compile(r"(?m)^[ \t]*[*+-][ \t]+(?=\S)"), "• "),
    (re.compile(r"!?\[([^\[\]\n]*)\]\(([^()\s]*)\)"), r"\1 (\2)"),
    (re.compile(r"(?<![\w*])\*\*(?=\S)([^*\n]+)(?<=\S)\*\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<!\w)__(?=\S)([^_\n]+)(?<=\S)__(?!\w)"), r"\1"),
    (re.compile(r"`([^`\n]+)`"), r"\1"),
)
"""Fences, headings, bullets, links, bold and code: what a chat window draws, and a reader would see as signs."""
_SIGNS = frozenset("`~#*+-[_")
"""Without any of these there is nothing to take away."""
_SPACES = re.compile(r"[ \t\r\n]+")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me"})
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_MARKS_IN_A_ROW = 3
_APART = re.compile("(?<=[ئبت-خس-غف-نهيیکپچگ])\u200c(?=[آ-غف-يیپچژکگ])")
"""The non-joiner as Persian writes it: a reader sees that it keeps apart two letters, the first of which would join."""


def visible(text: str, limit: int | None = LIMIT, at: int = 0) -> str:
    """One line in which every control, bidirectional, invisible or space-like character is a backslash escape, but for
    the non-joiner within Persian words.

    Longer texts are cut to `limit` characters, those around `at` if it is not among the first, and say how many are
    missing. Marks that pile up on one letter (zalgo) are escaped from the fourth on.
    """
    limit = len(text) if limit is None else limit
    start = max(0, min(at - limit // 4, len(text) - limit)) if at > limit // 2 else 0
    shown = text[start : start + limit]
    missing = len(text) - start - len(shown)
    before = f"({start:,} characters before) …" if start else ""
    return before + _shown(shown) + (f"… ({missing:,} more characters)" if missing else "")


def flowing(text: str, limit: int | None = LIMIT, usual: str = "", sent: str = "") -> str:
    """What a bot said, on one line to read: as `visible`, with one space for line breaks, tabs and spaces in a row. A
    long one is cut around what is neither in the `usual` reply nor in the question that was `sent`."""
    line = _SPACES.sub(" ", text).strip(" ")
    is_cut = limit is not None and len(line) > limit
    return visible(line, limit, _departure(line, usual, sent) if usual and is_cut else 0)


def _departure(line: str, usual: str, sent: str) -> int:
    """Where the longest part begins of which no two words are neighbours in the usual reply or in what was sent; 0 if
    most of what is before it is new, too: then the beginning says most."""
    told = _pairs(line.split())
    known = {*_pairs(usual.split()), *_pairs(sent.split())}
    runs = [(is_new, [*run]) for is_new, run in groupby(range(len(told)), lambda at: told[at] not in known)]
    new = max((run for is_new, run in reversed(runs) if is_new), key=len, default=[0])
    same = sum(len(run) for is_new, run in runs if not is_new and run[0] < new[0])
    return len(" ".join(line.split()[: new[0] + 1])) if 2 * same > new[0] else 0


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    return [*pairwise(word.strip(_PUNCTUATION).casefold() for word in words)]


def unmarked(text: str) -> str:
    """A reply in Markdown as one reads it: without the signs of headings, bold text, code and links, whose addresses
    stand behind them."""
    if _SIGNS.isdisjoint(text):
        return text
    for signs, plain in _MARKDOWN:
        text = signs.sub(plain, text)
    return text


def spoken(text: str, known: Sequence[str]) -> str:
    """A reply as one reads it, on one line, with `…` for what of `known` stands before and behind what it says."""
    line = says = " ".join(unmarked(text).split())
    while before := next((one for one in known if says.startswith(f"{one} ")), ""):
        says = says[len(before) + 1 :]
    head = "… " if says != line else ""
    line = says
    while behind := next((one for one in known if says.endswith(f" {one}")), ""):
        says = says[: -len(behind) - 1]
    return f"{head}{says}{' …' if says != line else ''}"


def printable(text: str) -> str:
    """As `visible`, over the lines and tabs of the text itself, and whole."""
    return "\n".join("\t".join(map(_shown, line.split("\t"))) for line in text.split("\n"))


def _shown(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "\u200c".join(map(_escaped, _APART.split(text)))


def _escaped(text: str) -> str:
    if any(map(_is_mark, text)):
        return "".join(_without_piles(text))
    return "".join(map(_character, text))


def _without_piles(text: str) -> Iterator[str]:
    marks = 0
    for character in text:
        marks = marks + 1 if _is_mark(character) else 0
        yield escaped(character) if marks > _MARKS_IN_A_ROW else _character(character)


@lru_cache(maxsize=1 << 14)
def _character(character: str) -> str:
    return escaped(character) if hidden(character) else character


@lru_cache(maxsize=1 << 14)
def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in _MARKS


def hidden(character: str) -> bool:
    """Whether a reader could not see this character, or could take it for a plain space."""
    if " " <= character <= "~":
        return False
    category = unicodedata.category(character)
    return category in _HIDDEN or category == "Zs" or character in _BLANK or _selects(character)


def _selects(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef" or character == "\u034f"


def escaped(character: str) -> str:
    """A character as a backslash escape, as strings of YAML and Python write it."""
    written = character.encode("unicode_escape").decode()
    return f"\\x{ord(character):02x}" if written == character else written


def quoted(text: str) -> str:
    """One word of a shell command."""
    return shlex.quote(visible(text, None))
