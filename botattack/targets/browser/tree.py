"""Recorded HTML, searched by the part of CSS that needs no live page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from botattack.errors import ExtractionFailed
from botattack.targets.messages.markup import text_of

if TYPE_CHECKING:
    from turbohtml import Element

_VOID = frozenset(["area", "br", "col", "embed", "hr", "img", "input", "link", "source", "track", "wbr"])
MAX_DEPTH = 200
_CONTROLS = (
    "button, input, select, textarea, [role=button], [role=toolbar], [role=menu], [role=menubar], [role=tooltip]"
)
"""What is there to be used, not read; page.js leaves out the same."""
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
_LIVE = re.compile(r":(?!(?:not|is|where|has)\()|[+~](?!=)")
"""States, pseudo-elements and neighbours: a recording has none of the first, and not all of the last."""


class NotRecorded(ExtractionFailed):
    """What was recorded does not tell; only the live page would."""

    kind = "unknown"


class _TreeBuilder(HTMLParser):
    """Nests elements as their tags say and no other way: scripts nest what no parser of HTML would, such as a `div` in
    a `p`, and what was recorded is what they made."""

    def __init__(self) -> None:
        from turbohtml import Element

        super().__init__(convert_charrefs=True)
        self.open = [Element("page")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        from turbohtml import Element

        node = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].append(node)
        if tag not in _VOID:
            self.open.append(node)
        if len(self.open) > MAX_DEPTH:
            raise NotRecorded(f"the recorded HTML is nested too deeply, beyond {MAX_DEPTH} levels")

    def handle_endtag(self, tag: str) -> None:
        if any(node.tag == tag for node in self.open[1:]):
            while self.open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        from turbohtml import Text

        self.open[-1].append(Text(data))


def texts(html: str, selector: str, exclude: str = "") -> list[str]:
    """The readable text of each outermost element that matches, without what is excluded or was hidden; elements inside
    what is excluded do not count. Raises NotRecorded for selectors that need more than the recorded elements."""
    builder = _TreeBuilder()
    builder.feed(html)
    builder.close()
    page = builder.open[0]
    found, unwanted = _select(page, selector), {*_select(page, exclude)} if exclude else set()
    taken = unwanted.union(found)
    kept = [node for node in found if node not in unwanted and taken.isdisjoint(node.ancestors)]
    for node in (*unwanted, *page.select("[hidden]"), *(each for each in page.select(_CONTROLS) if each not in found)):
        node.clear()
        node.decompose()
    return [text_of(node) for node in kept]


def _select(page: Element, selector: str) -> list[Element]:
    from turbohtml import SelectorSyntaxError

    try:
        if not _LIVE.search(_QUOTED.sub("", selector)):
            return page.select(selector)
    except SelectorSyntaxError:
        pass
    raise NotRecorded(f"{selector!r} can only be looked for on the live page")
