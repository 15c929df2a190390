"""Pieces of a stream with secrets masked: what stands at one place of piece after piece is one text. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from botattack.protocols import Masks
from botattack.targets.http.streams import StreamPiece, pack, split, unpack
from botattack.targets.messages.selectors import Body, leaves

Place = tuple[str | int, ...]


def masked_stream(raw: str, form: str, masks: Masks) -> str | None:
    """The raw form of a stream, masked; None if it contains no pieces."""
    return _masked(raw, list(split(Body.of_raw(raw).text, form)), form, masks)


def masked_messages(raw: str, masks: Masks) -> str | None:
    """The raw form of the messages of a socket, masked; None if it contains none."""
    return _masked(raw, list(unpack(Body.of_raw(raw).text)), "", masks)


def _masked(raw: str, pieces: Sequence[StreamPiece], form: str, masks: Masks) -> str | None:
    values = [_value(piece.data) for piece in pieces]
    places: dict[tuple[str, Place], list[int]] = {}
    texts: list[list[tuple[Place, Any]]] = [list(leaves(value)) for value in values]
    for index, (piece, said) in enumerate(zip(pieces, texts, strict=True)):
        for place, leaf in said:
            if isinstance(leaf, str):
                places.setdefault((piece.event, place), []).append(index)
    new: list[dict[Place, Any]] = [{} for _ in pieces]
    for (_, place), indexes in places.items():
        series = masks.pieces([dict(texts[index])[place] for index in indexes])
        for index, text in zip(indexes, series, strict=True):
            new[index][place] = text
    written = [_written(piece, value, placed, masks) for piece, value, placed in zip(pieces, values, new, strict=True)]
    body = Body.of_raw(raw)
    known = {masks.text(name): _data(value, masks) for name, value in body.values.items()}
    if written == list(pieces) and known == dict(body.values):
        return raw
    return Body(_together(written, form), known).raw


def _value(data: str) -> Any:
    """JSON, or the text itself."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return data


def _written(piece: StreamPiece, value: object, leaves: dict[Place, object], masks: Masks) -> StreamPiece:
    """The same piece, where nothing in it was masked."""
    new = _placed(value, (), leaves, masks)
    if new == value:
        return piece
    return StreamPiece(new if value is piece.data else msgspec.json.encode(new).decode(), piece.event)


def _placed(value: object, place: Place, leaves: dict[Place, object], masks: Masks) -> Any:
    if isinstance(value, dict):
        return {masks.text(key): _placed(item, (*place, key), leaves, masks) for key, item in value.items()}
    if isinstance(value, list):
        return [_placed(item, (*place, index), leaves, masks) for index, item in enumerate(value)]
    return leaves[place] if isinstance(value, str) else _data(value, masks)


def _data(value: object, masks: Masks) -> Any:
    if isinstance(value, dict):
        return {masks.text(key): _data(item, masks) for key, item in value.items()}
    if isinstance(value, list):
        return [_data(item, masks) for item in value]
    if isinstance(value, bool) or value is None:
        return value
    text = str(value)
    return value if masks.text(text) == text else masks.text(text)


def _together(pieces: Sequence[StreamPiece], form: str) -> str:
    if form in ("", "aws"):
        return pack(pieces)
    if form == "ndjson":
        return "".join(piece.data + "\n" for piece in pieces)
    return "".join(map(_event, pieces))


def _event(piece: StreamPiece) -> str:
    name = f"event: {piece.event}\n" if piece.event else ""
    return name + "".join(f"data: {line}\n" for line in piece.data.split("\n")) + "\n"
