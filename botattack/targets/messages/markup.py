"""The text of HTML that a bot sent, as people read it. The parser needs time that grows with the length alone: others
can be kept busy for minutes by a few kilobytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Document, Element

_UNSEEN = "head, noscript, script, style, template"
_BLOCKS = (
    "address, article, aside, blockquote, br, dd, div, dl, dt, figure, footer, form, h1, h2, h3, h4, h5, h6, header, "
    "hr, li, main, nav, ol, p, pre, section, table, tr, ul"
)
_BREAK = "\x1e"
"""Stands around blocks until other white space, which means nothing in HTML, is gone."""


def readable(markup: str) -> str:
    """The text of a whole page, or of a part of one."""
    from turbohtml import parse

    return text_of(parse(markup))


def text_of(node: Document | Element) -> str:
    """Text without tags and scripts, blocks on lines of their own, entities resolved, no empty lines."""
    from turbohtml import Text

    node.remove(_UNSEEN)
    for block in node.select(_BLOCKS):
        block.insert_before(Text(_BREAK))
        block.insert_after(Text(_BREAK))
    lines = (" ".join(line.split()) for line in node.text.split(_BREAK))
    return "\n".join(filter(None, lines))
