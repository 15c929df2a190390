"""Replies inside a text: JSON in a string, base64, the argument of a function, lines with a tag before each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from botattack.errors import BrokenReply, ExtractionFailed
from botattack.targets.http.streams import StreamPiece
from botattack.targets.messages.selectors import Body, Selector, find, json_or_none, leaves, selector, texts
from botattack.targets.proving.behaviour import Said
from botattack.targets.proving.readings import Reading
from botattack.targets.proving.replies import Form, Parsed, Path

CALL = r"(?s)^[^(]*[\w.$]\((.*)\)[;\s]*$"
"""A call of a function of a page, with JSON as its argument."""
_TAG = re.compile(r"^((?:[\w.-]{1,20}:[ ]?){1,3}|\d{1,3})(?=[\[{\"])")
"""What stands before the JSON of a line or of a message."""


@dataclass(frozen=True)
class Inside:
    """What is inside texts of all replies, and the places that lead to it."""

    form: Form
    before: tuple[object, ...]
    outer: tuple[Parsed, ...]
    """The replies, in lines where it is lines that contain something."""
    replies: tuple[Parsed, ...]


def unwrapped(form: Form, replies: Sequence[Parsed]) -> Iterator[Inside]:
    """Everything that is inside a text and may contain the answer."""
    if form == "text":
        texts_ = [each.pieces[0].data for each in replies]
        if all(re.search(CALL, text) for text in texts_):
            yield from _inside("json", ({"regex": CALL},), replies)
        yield from _tagged("ndjson", [_in_lines(each) for each in replies])
        if Said(tuple(each.message for each in replies), tuple(texts_)).encoded:
            yield from _inside("text", ("base64",), replies)
        return
    if form in ("socket", "sse"):
        yield from _tagged(form, replies)
    for place in dict.fromkeys(text.place for each in replies for text in each.texts):
        said = Said(
            tuple(each.message for each in replies),
            tuple(next((text.text for text in each.texts if text.place == place), "") for each in replies),
        )
        at = Reading(form, place).at
        if said.code:
            yield from _inside(form, (_one(at, place, replies),), replies)
        elif said.encoded:
            yield from _inside(form, (at, "base64"), replies)


def _one(at: str, place: Path, replies: Sequence[Parsed]) -> str:
    """The place of the only member of a list that may be the answer: the newest, wherever the list begins."""
    rows = [[text.text for text in each.texts if text.place == place] for each in replies]
    if place.count("*") != 1 or min(map(len, rows)) < 2:
        return at
    first, last = (
        Said(tuple(each.message for each in replies), tuple(_words(row[index]) for row in rows)).fault
        for index in (0, -1)
    )
    return at if bool(first) == bool(last) else at.replace("[*]", "[-1]" if first else "[0]")


def _words(text: str) -> str:
    """The sentences in a JSON text."""
    found = (leaf for _, leaf in leaves(json_or_none(text)) if isinstance(leaf, str))
    return "\n".join(leaf for leaf in found if " " in leaf.strip())


def _in_lines(parsed: Parsed) -> Parsed:
    pieces = (StreamPiece(line) for line in parsed.pieces[0].data.splitlines() if line.strip())
    return Parsed(parsed.message, tuple(pieces))


def _tagged(form: Form, replies: Sequence[Parsed]) -> Iterator[Inside]:
    """Pieces with the same tag before their JSON."""
    tags = [{found[1] for piece in each.pieces if (found := _TAG.match(piece.data))} for each in replies]
    for tag in sorted(set.intersection(*tags)):
        regex = rf"(?s)^{re.escape(tag)}(.*)$".replace(r"\ ", " ").replace(r"\-", "-")
        yield from _inside(form, ({"regex": regex},), replies)


def _inside(form: Form, before: tuple[object, ...], replies: Sequence[Parsed]) -> Iterator[Inside]:
    """What the places lead to, if it is there in every reply."""
    place = selector([*before])
    made = tuple(Parsed(each.message, tuple(_found(place, each))) for each in replies)
    if all(each.pieces for each in made):
        yield Inside(form, before, tuple(replies), made)


def _found(place: Selector, parsed: Parsed) -> Iterator[StreamPiece]:
    for piece in parsed.pieces:
        try:
            values = texts(find(place, "", Body(piece.data)), "")
        except (ExtractionFailed, BrokenReply):
            continue
        yield from (StreamPiece(value, piece.event) for value in values if _is_whole(value))


def _is_whole(value: str) -> bool:
    return bool(value.strip()) and (value.lstrip()[:1] not in ("{", "[") or json_or_none(value) is not None)
