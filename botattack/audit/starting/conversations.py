"""What one request cannot show, added to it if it is of a shape that comes with botattack: the calls that open a
conversation before it, and those that fetch the answer after it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import yaml

from botattack.audit.starting.call import Call
from botattack.audit.starting.draft import Draft, draft
from botattack.audit.starting.shapes import own_file, products, to_fill_in

_LONGER = re.compile(r"^  (?:open|poll):", re.MULTILINE)
_ORIGIN = re.compile(r"https?://[^/]+")
_HOLE = re.compile(r"(YOUR_\w+)|\\\{\\\{.*?\\\}\\\}")


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


def _filled(connect: dict[str, Any], url: str) -> dict[str, Any] | None:
    """A shape for the host of a URL, with what is in the URL; None if it is of another one, or more is missing."""
    parts = urlsplit(url)
    pattern = re.escape(_ORIGIN.sub("", connect["request"]["url"]))
    pattern = _HOLE.sub(lambda hole: f"(?P<{hole[1]}>[^/]+)" if hole[1] else "[^/]+", pattern)
    if not (found := re.fullmatch(f"(?P<base>.*){pattern}", parts.path)):
        return None
    values = found.groupdict()
    origin = f"{parts.scheme}://{parts.netloc}{values.pop('base')}"

    def put(value: Any) -> Any:
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


def _joined(made: dict[str, Any], shape: dict[str, Any]) -> dict[str, Any]:
    """The calls of a shape with the headers, and so the secrets, of the request that was drafted."""
    known = {name.casefold() for name in shape["request"].get("headers", {})}
    given = made["request"].get("headers", {})
    headers = {name: text for name, text in given.items() if name.casefold() not in known}

    def call(value: Any) -> Any:
        if isinstance(value, list):
            return [*map(call, value)]
        found = headers | value.get("headers", {})
        return value | ({"headers": found} if found else {})

    request = made["request"] | call(shape["request"])
    return made | shape | {"request": request} | {key: call(shape[key]) for key in ("open", "poll") if key in shape}
