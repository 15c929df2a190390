"""Target files that come with botattack, one for each shape of a protocol, found by the product that speaks it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from botattack.audit.starting.call import BadStart, Call
from botattack.audit.starting.draft import Draft, draft
from botattack.options import JsonObject

_PRODUCTS = re.compile(r"^# For: (.+)$", re.MULTILINE)
_ABOUT = ("# For: ", "# Lines that end with names ")
"""How lines about the file as a whole begin."""
_OPTION = re.compile(r"( *)# (\w+:.*)")
_OWN = re.compile(r"\bYOUR_\w+")
_LONGER = re.compile(r"^  (?:open|poll):", re.MULTILINE)
_ORIGIN = re.compile(r"https?://[^/]+")
_HOLE = re.compile(r"(YOUR_\w+)|\\\{\\\{.*?\\\}\\\}")
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
    """The file for a product, as a user's own with this name."""
    return own_file(products()[product].read_text("utf-8"), product, name)


def own_file(text: str, product: str, name: str) -> str:
    """One of these files for a product: without the lines that are for others alone."""
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


def drafted(call: Call, bot: str, message: str = "") -> Draft:
    """The target of a request, with the calls around it of the first shape that has its URL and its keys. A request
    for a stream needs none."""
    made = draft(call, bot, message)
    if "request" not in made.connect or not isinstance(call.json, dict) or call.json.get("stream"):
        return made
    for product, path in products().items():
        text = own_file(path.read_text("utf-8"), product, bot)
        if not _LONGER.search(text):
            continue
        connect = yaml.safe_load(text)["connect"]
        is_alike = connect["request"]["json"].keys() <= call.json.keys()
        if is_alike and (filled := _filled(connect, call.url)):
            note = f"this is how {product} is asked: the calls before and after it are those of its documentation"
            return replace(made, connect=_joined(made.connect, filled), notes=(*made.notes, note))
    return made


def _filled(connect: JsonObject, url: str) -> JsonObject | None:
    """A shape for the host of a URL, with what is in the URL; None if it is of another one, or more is missing."""
    parts = urlsplit(url)
    pattern = re.escape(_ORIGIN.sub("", connect["request"]["url"]))
    pattern = _HOLE.sub(lambda hole: f"(?P<{hole[1]}>[^/]+)" if hole[1] else "[^/]+", pattern)
    if not (found := re.fullmatch(f"(?P<base>.*){pattern}", parts.path)):
        return None
    values = found.groupdict()
    origin = f"{parts.scheme}://{parts.netloc}{values.pop('base')}"

    def put(value: object) -> object:
        if isinstance(value, Mapping):
            return {key: put(item) for key, item in value.items()}
        if isinstance(value, list):
            return [put(item) for item in value]
        if not isinstance(value, str):
            return value
        for word, said in values.items():
            value = value.replace(word, said)
        return _ORIGIN.sub(origin, value)

    calls = {key: put(value) for key, value in connect.items() if key in ("open", "poll", "extract", "stream")}
    own = {key: put(connect["request"][key]) for key in ("url", "take", "headers") if key in connect["request"]}
    return None if to_fill_in(f"{calls}{own['url']}") else {"request": own, **calls}


def _joined(made: JsonObject, shape: JsonObject) -> JsonObject:
    """The calls of a shape with the headers, and so the secrets, of the request that was drafted."""
    known = {name.casefold() for name in shape["request"].get("headers", {})}
    given = made["request"].get("headers", {})
    headers = {name: text for name, text in given.items() if name.casefold() not in known}

    def call(value: Any) -> object:
        if isinstance(value, list):
            return [*map(call, value)]
        found = headers | value.get("headers", {})
        return value | ({"headers": found} if found else {})

    request = made["request"] | call(shape["request"])
    return made | shape | {"request": request} | {key: call(shape[key]) for key in ("open", "poll") if key in shape}
