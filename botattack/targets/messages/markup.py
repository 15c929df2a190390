"""The readable text of HTML that a bot sent.

Read in one pass whose time grows with the length alone: the standard library's parser needs minutes for 100 kB of tags
that are never closed.
"""

from __future__ import annotations

import re
from html import unescape

_HIDDEN = frozenset({"script", "style", "template", "head", "noscript"})
_BLOCKS = re.compile(
    "address|article|aside|blockquote|br|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section"
    "|table|tr|ul"
)
# Each construct ends with its own end or with the text, so that no start is tried in vain.
_CONSTRUCT = re.compile(
    r"""<!--(?:-?>|.*?(?:--!?>|\Z))
    |   <[!?][^>]*+>?
    |   </(?![a-zA-Z])[^>]*+>?
    |   <(?P<end>/?)(?P<tag>[a-zA-Z][^\s/>]*+)
        (?P<rest>(?>=\s*+"[^"]*+"|=\s*+'[^']*+'|[^>])*+)(?P<closed>>?)
    """,
    re.VERBOSE | re.DOTALL,
)
_RAW = {name: re.compile(rf"</{name}(?=[\s/>])|\Z", re.IGNORECASE) for name in ("script", "style")}
"""Where elements end in which nothing else is markup."""
_NO_CHARACTER = re.compile(r"&#(?:[xX][0-9a-fA-F]{9,}+|\d{9,}+);?")


class _Reader:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.hidden = 0

    def feed(self, markup: str) -> None:
        at = 0
        while (start := markup.find("<", at)) >= 0:
            self.text(markup[at:start])
            found = _CONSTRUCT.match(markup, start)
            if found is None or (found["tag"] and not found["closed"]):
                at = start + 1 if found is None else len(markup)
                self.text(markup[start:at])
                continue
            at = found.end()
            if found["tag"]:
                at = self.tag(found, markup)
        self.text(markup[at:])

    def tag(self, found: re.Match[str], markup: str) -> int:
        """Where to go on."""
        name, opens, alone = found["tag"].lower(), not found["end"], found["rest"].endswith("/")
        if _BLOCKS.fullmatch(name):
            self.pieces.append("\n")
        if name in _HIDDEN and not (opens and alone):
            self.hidden = self.hidden + 1 if opens else max(0, self.hidden - 1)
        if opens and name in _RAW and not alone:
            return _RAW[name].search(markup, found.end()).start()  # type: ignore[union-attr]  # \Z is always there
        return found.end()

    def text(self, piece: str) -> None:
        if piece and not self.hidden:
            self.pieces.append(re.sub(r"\s+", " ", unescape(_NO_CHARACTER.sub("\ufffd", piece))))


def readable(markup: str) -> str:
    """Text without tags and scripts, blocks on lines of their own, entities resolved, no empty lines."""
    reader = _Reader()
    reader.feed(markup)
    lines = (" ".join(line.split()) for line in "".join(reader.pieces).split("\n"))
    return "\n".join(line for line in lines if line)
