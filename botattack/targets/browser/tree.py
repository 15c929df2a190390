"""Recorded HTML as a tree, searched by the part of CSS that needs no page: tags, ids, classes, attributes, `:not`,
`:is`, `:where`, `:has`, descendants and children."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

from botattack.errors import ExtractionFailed
from botattack.targets.messages.markup import readable

_VOID = frozenset(["area", "br", "col", "embed", "hr", "img", "input", "link", "source", "track", "wbr"])
MAX_DEPTH = 200
_COMPOUND = re.compile(
    r"""(?P<tag>\*|[a-zA-Z][\w-]*)|\#(?P<id>[\w-]+)|\.(?P<cls>[\w-]+)"""
    r"""|\[\s*(?P<attr>[\w:-]+)\s*(?:(?P<op>[~|^$*]?=)\s*(?P<value>"[^"]*"|'[^']*'|[\w-]+)\s*(?P<flag>i)?\s*)?\]"""
    r"""|:(?P<pseudo>not|is|where|has)\("""
)


class NotRecorded(ExtractionFailed):
    """What was recorded does not tell; only the live page would."""

    kind = "unknown"


@dataclass(eq=False)
class Node:
    """An element; children are elements and texts."""

    tag: str
    attrs: Mapping[str, str]
    parent: Node | None
    children: list[Node | str] = field(default_factory=list)

    def elements(self) -> Iterator[Node]:
        """Every element below, in order."""
        stack = [child for child in reversed(self.children) if isinstance(child, Node)]
        while stack:
            node = stack.pop()
            yield node
            stack += [child for child in reversed(node.children) if isinstance(child, Node)]


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.at = Node("", {}, None)
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(node)
        if tag not in _VOID:
            self.at = node
            self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotRecorded(f"the recorded HTML is nested too deeply, beyond {MAX_DEPTH} levels")

    def handle_endtag(self, tag: str) -> None:
        around = list(_upwards(self.at))
        closed = next((index for index, node in enumerate(around[:-1]) if node.tag == tag), None)
        if closed is not None:
            self.at = around[closed + 1]
            self.depth -= closed + 1

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


Test = Callable[[Node], bool]


class Tree:
    """The tree of a piece of HTML."""

    def __init__(self, root: Node) -> None:
        self._root = root

    @classmethod
    def of(cls, html: str) -> Tree:
        builder = _Builder()
        builder.feed(html)
        builder.close()
        return cls(builder.root)

    def select(self, selector: str, exclude: str | None = None) -> list[Node]:
        """Outermost elements that match, but for those inside what is excluded. Raises NotRecorded for selectors
        that need more than the tree."""
        wanted, unwanted = compiled(selector), compiled(exclude) if exclude else _never
        found: list[Node] = []
        for node in self._root.elements():
            around = list(_upwards(node))
            if wanted(node) and not any(unwanted(at) or at in found for at in around):
                found.append(node)
        return found

    def text(self, node: Node, exclude: str | None = None) -> str:
        """Readable text, without what is excluded or was hidden."""
        unwanted = compiled(exclude) if exclude else _never
        return readable("".join(_markup(node, unwanted)))


def _never(_: Node) -> bool:
    return False


def _upwards(node: Node | None) -> Iterator[Node]:
    while node is not None:
        yield node
        node = node.parent


def _markup(node: Node, unwanted: Test) -> Iterator[str]:
    if unwanted(node) or "hidden" in node.attrs:
        return
    yield f"<{node.tag}>"
    for child in node.children:
        if isinstance(child, str):
            yield escape(child)
        else:
            yield from _markup(child, unwanted)
    if node.tag not in _VOID:
        yield f"</{node.tag}>"


def compiled(selector: str) -> Test:
    """Whether an element matches; raises NotRecorded where that cannot be told from a tree alone."""
    parser = _Parser(selector)
    test = parser.alternatives()
    if parser.rest:
        parser.refuse()
    return test


class _Parser:
    """Reads a selector from left to right."""

    def __init__(self, selector: str) -> None:
        self.selector = selector
        self.rest = selector.strip()

    def refuse(self) -> None:
        raise NotRecorded(f"{self.selector!r} can only be looked for on the live page")

    def alternatives(self, relative: bool = False) -> Test:
        tests = [self.chain(relative)]
        while self.rest.startswith(","):
            self.rest = self.rest[1:].lstrip()
            tests.append(self.chain(relative))
        return lambda node: any(test(node) for test in tests)

    def chain(self, relative: bool) -> Test:
        """Compounds joined by space or `>`; a relative one says what an element has below it."""
        child = relative and self.rest.startswith(">")
        if child:
            self.rest = self.rest[1:].lstrip()
        test = self.compound()
        depth_one = child
        parts: list[tuple[Test, bool]] = [(test, depth_one)]
        while (joint := re.match(r"\s*(>)\s*|\s+(?=[^\s,)>+~])", self.rest)) is not None:
            self.rest = self.rest[joint.end() :]
            parts.append((self.compound(), joint[1] is not None))
        self.rest = self.rest.lstrip()
        return _below(parts) if relative else _at(parts)

    def compound(self) -> Test:
        tests: list[Test] = []
        while match := _COMPOUND.match(self.rest):
            if match["tag"] and tests:
                break
            self.rest = self.rest[match.end() :]
            tests.append(self.pseudo(match["pseudo"]) if match["pseudo"] else _simple(match))
        if not tests:
            self.refuse()
        return lambda node: all(test(node) for test in tests)

    def pseudo(self, name: str) -> Test:
        self.rest = self.rest.lstrip()
        inner = self.alternatives(relative=name == "has")
        if not self.rest.startswith(")"):
            self.refuse()
        self.rest = self.rest[1:]
        return (lambda node: not inner(node)) if name == "not" else inner


def _at(parts: list[tuple[Test, bool]]) -> Test:
    """The last compound at the element itself, those before it further up."""

    def test(node: Node, index: int = len(parts) - 1) -> bool:
        if not parts[index][0](node):
            return False
        if index == 0:
            return True
        above = list(_upwards(node.parent))
        return any(test(at, index - 1) for at in (above[:1] if parts[index][1] else above))

    return test


def _below(parts: list[tuple[Test, bool]]) -> Test:
    def test(node: Node) -> bool:
        return any(_ends(at, node, parts, len(parts) - 1) for at in node.elements())

    return test


def _ends(at: Node, top: Node, parts: list[tuple[Test, bool]], index: int) -> bool:
    """Whether a chain that begins below `top` ends at this element."""
    if not parts[index][0](at):
        return False
    above = list(_upwards(at.parent))
    above = above[: above.index(top) + 1]
    if parts[index][1]:
        above = above[:1]
    if index == 0:
        return top in above
    return any(_ends(up, top, parts, index - 1) for up in above if up is not top)


def _simple(match: re.Match[str]) -> Test:
    if tag := match["tag"]:
        return lambda node: node.tag != "" and tag in ("*", node.tag)
    if match["id"]:
        return lambda node: node.attrs.get("id") == match["id"]
    if match["cls"]:
        return lambda node: match["cls"] in node.attrs.get("class", "").split()
    return _attribute(match["attr"], match["op"], (match["value"] or "").strip("\"'"), bool(match["flag"]))


_HOLDS: Mapping[str, Callable[[str, str], bool]] = {
    "=": lambda has, value: has == value,
    "~=": lambda has, value: value in has.split(),
    "|=": lambda has, value: has == value or has.startswith(value + "-"),
    "^=": lambda has, value: bool(value) and has.startswith(value),
    "$=": lambda has, value: bool(value) and has.endswith(value),
    "*=": lambda has, value: bool(value) and value in has,
}


def _attribute(name: str, op: str | None, value: str, ignore_case: bool) -> Test:
    if op is None:
        return lambda node: name in node.attrs
    if ignore_case:
        return lambda node: name in node.attrs and _HOLDS[op](node.attrs[name].lower(), value.lower())
    return lambda node: name in node.attrs and _HOLDS[op](node.attrs[name], value)
