"""Ways to read replies that are no JSON: words as the data of events, markup, plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from botattack.targets.http.streams import StreamPiece
from botattack.targets.messages.selectors import clean, json_or_none
from botattack.targets.proving.behaviour import squeezed, steady
from botattack.targets.proving.joining import joined
from botattack.targets.proving.readings import EVENT, Only, Reading
from botattack.targets.proving.replies import Form, Parsed

_FIRST_KEY = re.compile(r'\s*\{\s*"([^"\\]{1,60})"')
_TAG = re.compile(r"<([A-Za-z_][\w:.-]*)([^<>]{0,300})>")
_RUN = re.compile(r"(?:<[A-Za-z_][^<>]{0,300}>\s*){1,4}")
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
    """The data of pieces as it is, without pieces that are JSON objects, and without events of other names."""
    events = list(dict.fromkeys(piece.event for each in replies for piece in each.pieces))
    kept = [name for name in events if all(any(_is_word(piece, name) for piece in each.pieces) for each in replies)]
    for names in [kept[at : at + 1] for at in range(len(kept))] if len(events) > 1 else [[]]:
        if names == [""]:
            return  # events without a name cannot be chosen by one
        only = (Only((EVENT,), tuple(names), -2),) if names else ()
        taken = [piece for each in replies for piece in each.pieces if not names or piece.event in names]
        keys = sorted({found[1] for piece in taken if _keys(piece) and (found := _FIRST_KEY.match(piece.data))})
        regex = rf"(?s)^(?!\s*\{{\s*\"(?:{'|'.join(map(re.escape, keys))})\").+" if keys else ""
        reading = Reading(form, only=only, regex=regex, whole=not regex)
        how = joined(form, [each.message for each in replies], [reading.parts(each) for each in replies])
        yield reading.with_(pieces=how.pieces, several=how.several), how.doubt, how.reason


def _is_word(piece: StreamPiece, event: str) -> bool:
    return piece.event == event and bool(piece.data.strip()) and not _keys(piece)


def _keys(piece: StreamPiece) -> bool:
    """Whether a piece is a JSON object with something in it."""
    return piece.data.lstrip().startswith("{") and bool(json_or_none(piece.data))


def _lines(replies: Sequence[Parsed]) -> str:
    """What a plain text contains that may be no part of an answer; empty if nothing does."""
    texts = {each.message: each.pieces[0].data.strip() for each in replies}
    rows = [[line for line in text.splitlines() if line.strip()] for text in texts.values()]
    if all(re.fullmatch(r"(?s)[\w.$]+\(.*\)\s*;?", text) for text in texts.values()):
        return "the reply is a call of a function of a page"
    lines = [line for row in rows for line in row]
    if sum(bool(_LABEL.match(line)) for line in lines) * 2 > len(lines) or any("\x1e" in line for line in lines):
        return "its lines look like those of a protocol"
    if len({*texts.values()}) < 2 or max(map(len, rows)) == 1:
        return ""
    where = _edge(rows)
    return f"every reply {where} with a line of the same kind: it may be more than the answer" if where else ""


def _edge(rows: Sequence[Sequence[str]]) -> str:
    """Where all texts have a line of the same kind, such as a time."""
    for at, where in ((0, "begins"), (-1, "ends")):
        edge = [row[at] for row in rows]
        if len({steady(line) for line in edge}) == 1 or all(map(_LABEL.match, edge)):
            return where
    return ""


def _markup(replies: Sequence[Parsed]) -> Found:
    """The whole, if nothing in it is always the same; else what is inside one tag."""
    texts = [each.pieces[0].data for each in replies]
    readable = [clean(text, html=True) for text in texts]
    rows = [{steady(line) for line in text.splitlines() if line.strip()} for text in readable]
    quoted = all(squeezed(each.message) in squeezed(text) for each, text in zip(replies, readable, strict=True))
    if not set.intersection(*rows) and not quoted and not _is_page(texts[0]):
        yield Reading("markup", whole=True, html=True), "", "the whole reply is markup, and no line is always the same"
        return
    runs = [dict.fromkeys(run for found in _RUN.finditer(text) for run in _runs(found[0])) for text in texts]
    for run in runs[0]:
        if all(run in found for found in runs[1:]):
            yield from _inside(run, replies, texts)


def _runs(run: str) -> Iterator[str]:
    """Tags that follow one another, as regular expressions, those around all others first: what a number or an id is
    in stands for any. What is inside an outer one has all parts of an answer, not its first paragraph alone."""
    tags = [found[0] for found in _TAG.finditer(run)]
    for end in range(1, len(tags) + 1):
        for at in range(end):
            yield r"\s*".join(re.sub(r"(=[\"'])[^\"']*\d[^\"']*", r"\1[^\"']*", _escaped(tag)) for tag in tags[at:end])


def _escaped(text: str) -> str:
    return re.sub(r"([.^$*+?{}\[\]\\|()])", r"\\\1", text)


def _inside(run: str, replies: Sequence[Parsed], texts: Sequence[str]) -> Found:
    """What is inside a tag of each reply, unless it is around more than an answer: the question, or a time."""
    name = _TAG.findall(run)[-1][0]
    regex, cdata = rf"(?s){run}(.*?)</{name}>", rf"(?s){run}\s*<!\[CDATA\[(.*?)\]\]>"
    chosen = cdata if all(re.search(cdata, text) for text in texts) else regex
    found = [re.findall(chosen, text) for text in texts]
    if not all(found) or any(f"<{name}" in inner for row in found for inner in row):
        return
    asked = [squeezed(each.message) for each in replies]
    said = [clean(" ".join(row), html=True).strip() for row in found]
    if all(message in squeezed(text) != message for message, text in zip(asked, said, strict=True)):
        return
    if all("\n" in text for text in said) and _edge([text.splitlines() for text in said]):
        return
    doubt = "it is there several times" if max(map(len, found)) > 1 else ""
    at = re.sub(r"<|[\w:.-]+=|[^\w ]", " ", run)
    yield Reading("markup", tuple(at.split()), regex=chosen, html=chosen == regex), doubt, f"what is inside {run}"


def _is_page(text: str) -> bool:
    return bool(re.search(r"<(?:!doctype|html|body|\?xml|title)\b", text, re.IGNORECASE))
