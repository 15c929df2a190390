"""Ways to read replies that are no JSON: words as the data of events, markup, plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from botattack.targets.messages.selectors import clean
from botattack.targets.proving.behaviour import squeezed, steady
from botattack.targets.proving.joining import joined
from botattack.targets.proving.readings import EVENT, Only, Reading
from botattack.targets.proving.replies import Form, Parsed

NO_JSON = r"(?s)^(?!\s*[{\[]).+"
"""A piece that is no JSON object or list."""
_TAG = re.compile(r"<([A-Za-z_][\w:.-]*)([^<>]{0,300})>")
_LABEL = re.compile(r"\s*(?:[\w -]{1,30}[:=]\s*\S|[{\[<]|[\w.:/+=-]*[\d_][\w.:/+=-]*\s*$)")
"""A line of a protocol rather than of an answer: a name with a value, JSON, markup, an id."""
Found = Iterator[tuple[Reading, str, str]]
"""Readings, each with its doubt and its reason."""


def plain_readings(form: Form, replies: Sequence[Parsed]) -> Found:
    if form == "markup":
        yield from _markup(replies)
    elif form == "text":
        yield (
            Reading(form, whole=True),
            _lines(replies),
            "the whole reply is a text, and no line of it is always the same",
        )
    else:
        yield from _words(form, replies)


def _words(form: Form, replies: Sequence[Parsed]) -> Found:
    """The data of pieces as it is, without pieces that are JSON, and without events of other names."""
    events = list(dict.fromkeys(piece.event for each in replies for piece in each.pieces))
    kept = [
        name
        for name in events
        if all(any(piece.event == name and not _is_json(piece.data) for piece in each.pieces) for each in replies)
    ]
    for names in [kept[at : at + 1] for at in range(len(kept))] if len(events) > 1 else [[]]:
        only = (Only((EVENT,), tuple(names), -2),) if names and names != [""] else ()
        if names == [""]:
            return  # events without a name cannot be chosen by one
        taken = [piece for each in replies for piece in each.pieces if not names or piece.event in names]
        regex = NO_JSON if any(_is_json(piece.data) for piece in taken) else ""
        reading = Reading(form, only=only, regex=regex, whole=not regex)
        how = joined(form, [each.message for each in replies], [reading.parts(each) for each in replies])
        yield reading.with_(pieces=how.pieces, several=how.several), how.doubt, how.reason


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def _lines(replies: Sequence[Parsed]) -> str:
    """What a plain text contains that may be no part of an answer; empty if nothing does."""
    texts = {each.message: each.pieces[0].data.strip() for each in replies}
    rows = [[line for line in text.splitlines() if line.strip()] for text in texts.values()]
    if all(re.fullmatch(r"(?s)[\w.$]+\(.*\)\s*;?", text) for text in texts.values()):
        return "the reply is a call of a function of a page"
    lines = [line for row in rows for line in row]
    if sum(bool(_LABEL.match(line)) for line in lines) * 2 > len(lines) or any("\x1e" in line for line in lines):
        return f"lines like {squeezed(lines[0])[:80]!r} look like those of a protocol"
    if len({*texts.values()}) < 2 or max(map(len, rows)) == 1:
        return ""
    for at, where in ((0, "begins"), (-1, "ends")):
        edge = [row[at] for row in rows]
        if len({steady(line) for line in edge}) == 1 or all(map(_LABEL.match, edge)):
            return f"every reply {where} with a line like {squeezed(edge[0])[:80]!r}: it may be more than the answer"
    return ""


def _markup(replies: Sequence[Parsed]) -> Found:
    """The whole, if nothing in it is always the same; else what is inside one tag."""
    texts = [each.pieces[0].data for each in replies]
    readable = [clean(text, html=True) for text in texts]
    rows = [[line for line in text.splitlines() if line.strip()] for text in readable]
    constant = set.intersection(*({steady(line) for line in row} for row in rows)) if len({*readable}) > 1 else set()
    doubt = "a whole page may be more than the answer" if constant or _is_page(texts[0]) else ""
    if not doubt:
        yield (
            Reading("markup", whole=True, html=True),
            "",
            "the whole reply is markup of which nothing is always the same",
        )
        return
    tags = [dict.fromkeys(found[0] for found in _TAG.finditer(text)) for text in texts]
    for tag in tags[0]:
        if all(tag in found for found in tags[1:]) and not tag.endswith("/>"):
            yield from _inside(tag, texts)


def _inside(tag: str, texts: Sequence[str]) -> Found:
    name = _TAG.match(tag)[1]  # type: ignore[index]
    regex = rf"(?s){re.escape(tag)}(.*?)</{re.escape(name)}>".replace(r"\ ", " ").replace(r"\-", "-")
    cdata = rf"(?s){re.escape(tag)}\s*<!\[CDATA\[(.*?)\]\]>".replace(r"\ ", " ").replace(r"\-", "-")
    chosen = cdata if all(re.search(cdata, text) for text in texts) else regex
    found = [re.findall(chosen, text) for text in texts]
    if not all(found) or any(f"<{name}" in inner for row in found for inner in row):
        return
    doubt = "it is there several times" if max(map(len, found)) > 1 else ""
    at = re.sub(r"<|[\w:.-]+=|[\"'/>]", " ", tag)
    yield Reading("markup", tuple(at.split()), regex=chosen, html=chosen == regex), doubt, f"what is inside {tag}"


def _is_page(text: str) -> bool:
    return bool(re.search(r"<(?:!doctype|html|body|\?xml|title)\b", text, re.IGNORECASE))
