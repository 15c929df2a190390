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

_KEPT = {ord("\n"): _BREAK, ord(" "): "\x00", ord("\t"): "\x01"}
"""What white space of preformatted text is until then."""
_BACK = {0: " ", 1: "\t"}


def readable(markup: str) -> str:
    """The text of a whole page, or of a part of one."""
    from turbohtml import parse

    return text_of(parse(markup))


def text_of(node: Document | Element) -> str:
    """Text without tags and scripts, blocks on lines of their own, entities resolved, no empty lines. Preformatted
    lines keep their indentation."""
    from turbohtml import Text

    node.remove(_UNSEEN)
    for kept in node.select("pre"):
        for text in [each for each in kept.descendants if isinstance(each, Text)]:
            text.replace_with(Text(text.data.translate(_KEPT)))
    for block in node.select(_BLOCKS):
        block.insert_before(Text(_BREAK))
        block.insert_after(Text(_BREAK))
    lines = (" ".join(line.split()).translate(_BACK).rstrip() for line in node.text.split(_BREAK))
    return "\n".join(filter(None, lines))
