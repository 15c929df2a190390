"""Target files that come with botattack, one for each shape of a protocol, found by the product that speaks it."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

from botattack.audit.starting.call import BadStart

_PRODUCTS = re.compile(r"^# For: (.+)$", re.MULTILINE)
_ABOUT = ("# For: ", "# Lines that end with names ")
"""How lines about the file as a whole begin."""
_OPTION = re.compile(r"( *)# (\w+:.*)")
_OWN = re.compile(r"\bYOUR_\w+")
_SURE = 80
"""How alike two names must be, of 100, for one to be taken for the other: a letter or two of difference."""
_NEAR = 75
"""The same, for one to be proposed."""


def shipped() -> list[Path]:
    """The target files that come with botattack, by name: in the wheel, and in a clone of its repository."""
    package = Path(__file__).parents[2]
    folders = (package / "targets_shipped", package.parent / "targets")
    folder = next((each for each in folders if each.is_dir()), package)
    return sorted(folder.rglob("*.yaml"), key=lambda path: path.stem)


def products() -> dict[str, Path]:
    """Each product that one of these files is for."""
    return {name: path for path in shipped() for name in products_in(path.read_text("utf-8"))}


def products_in(text: str) -> list[str]:
    """The products that a target file says it is for."""
    return [name.strip() for line in _PRODUCTS.findall(text) for name in line.split(",")]


def product_named(said: str) -> str:
    """The product that is meant, whatever its case and punctuation; raises BadStart, which names similar ones."""
    from rapidfuzz import fuzz, process

    known = {name: _plain(name) for name in products()}
    alike = [(fuzz.ratio(_plain(said), plain), name) for name, plain in known.items()]
    score, best = max(alike)
    if score >= _SURE:
        return best
    inside = [name for name in known if {*said.casefold().split()} <= {*name.casefold().split()}]
    if len(inside) == 1:
        return inside[0]
    near = inside or [name for _, score, name in process.extract(said, known, limit=5) if score >= _NEAR]
    instead = f"there are files for {', '.join(near)}" if near else "botattack targets list names all that there are"
    raise BadStart(f"no target file is for {said!r}; {instead}")


def file_for(product: str, name: str) -> str:
    """The file for a product, as a user's own with this name: without the lines that are for others alone."""
    text = products()[product].read_text("utf-8")
    known, lines = set(products_in(text)), list[str]()
    for line in text.splitlines():
        told, _, comment = line.rpartition("# ")
        names = {each.strip() for each in comment.split(",")}
        if line.startswith(_ABOUT) or (told.strip() and names <= known and product not in names):
            continue
        if told.strip() and names <= known:
            _put(told.rstrip(), lines)
        else:
            lines.append(line)
    lines.insert(1, f"# For {product}.")
    return re.sub(r"^name: .*", f"name: {name}", "\n".join(lines) + "\n", flags=re.MULTILINE)


def to_fill_in(text: str) -> list[str]:
    """The words in a file that stand for something of the user's, in their order."""
    return list(dict.fromkeys(_OWN.findall(text)))


def _put(line: str, lines: list[str]) -> None:
    """Adds a key of one product; the same key of most products, with what is below it, goes."""
    if option := _OPTION.fullmatch(line):
        line = option[1] + option[2]
    key, depth = line.split(":")[0], _depth(line)
    at = len(lines)
    while at and _depth(lines[at - 1]) >= depth:
        at -= 1
        if lines[at].startswith(f"{key}:"):
            below = takewhile(lambda each: _depth(each) > depth, lines[at + 1 :])
            del lines[at : at + 1 + len(list(below))]
            break
    lines.append(line)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _plain(name: str) -> str:
    return re.sub(r"\W+", "", name).casefold()
