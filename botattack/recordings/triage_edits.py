"""`triage.yaml` with a mark more or less: its other rows and its comments stay as they are."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from botattack.config.yaml import MAX_BYTES, parse, scalar
from botattack.errors import ConfigError, RecordingError
from botattack.events import Mark
from botattack.files import content, write_whole
from botattack.recordings.locks import writing
from botattack.recordings.triage import Triage, parsed, read

HEAD = (
    "# Findings that somebody looked at: botattack leaves them out of its figures and names them in every report.\n"
    "# Written by `botattack mark`; rows and comments may be edited by hand.\n"
)
_PLAIN = re.compile(r"[A-Za-z][\w-]*", re.ASCII)


Changes = Mapping[tuple[str, str], Mark | None]
"""Marks by bot and by what was sent; with None they go."""


def write(path: Path, changes: Changes) -> None:
    """Adds, replaces, or with None deletes the marks of bots; a file without any mark is deleted.

    Written whole or not at all, by one process at a time. Raises ConfigError if the file there is wrong or this one
    would grow too large, and RecordingError if it cannot be written.
    """
    with writing(path):
        _write(path, changes)


def _write(path: Path, changes: Changes) -> None:
    after = _changed(read(path), changes)
    if not any(after.values()):
        path.unlink(missing_ok=True)
        return
    before = content(path, MAX_BYTES).decode("utf-8-sig") if path.exists() else HEAD
    data = edited(before, path, changes, after).encode()
    if len(data) > MAX_BYTES:
        raise RecordingError(
            f"{path} has no room for {len(changes):,} more marks: it would take {len(data) // 1000:,} kB of "
            f"{MAX_BYTES // 1000}; delete marks that are no longer needed, or mark single units instead of a run"
        )
    parsed(data, path)
    write_whole(path, data)


def _changed(before: Triage, changes: Changes) -> dict[str, dict[str, Mark]]:
    after = {bot: dict(marks) for bot, marks in before.marks.items()}
    for (bot, name), mark in changes.items():
        after.setdefault(bot, {}).pop(name, None)
        if mark is not None:
            after[bot][name] = mark
    return {bot: marks for bot, marks in after.items() if marks}


def edited(text: str, path: Path, changes: Changes, after: dict[str, dict[str, Mark]]) -> str:
    """The text with the changes made in place; where its form does not allow that, all rows are written again."""
    rewritten = _in_place(HEAD, path, {}, after)
    if len(rewritten) > MAX_BYTES:
        return rewritten
    with suppress(ConfigError):
        text = _in_place(text, path, changes, after)
        if parsed(text.encode(), path).marks == parsed(rewritten.encode(), path).marks:
            return text
    return rewritten


def _in_place(text: str, path: Path, changes: Changes, after: dict[str, dict[str, Mark]]) -> str:
    """The rows of the text, sorted; those that do not change are kept to the letter."""
    lines = text.replace("\r\n", "\n").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    found = parse(text.encode(), str(path)).keys if any(_says(line) for line in lines) else {}
    keys = {key: mark[0] - 1 for key, mark in found.items() if len(key) <= 2}
    starts = {key: _with_comments(lines, at) for key, at in keys.items()}
    ends = sorted([*starts.values(), len(lines)])
    changed = {key for key, mark in changes.items() if mark is not None}

    def block(key: tuple[str, ...], row: str) -> str:
        """The lines of a key, from the comment above it to the next key."""
        if key not in starts:
            return row
        if key in changed:
            return "".join(lines[starts[key] : keys[key]]) + row
        return "".join(lines[starts[key] : ends[bisect_right(ends, starts[key])]])

    written = lines[: ends[0]]
    for bot in sorted(after):
        written.append(block((bot,), _bot(bot)))
        written += [block((bot, name), _row(name, after[bot][name])) for name in sorted(after[bot])]
    return "".join(written)


def _says(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _with_comments(lines: list[str], at: int) -> int:
    """Where a block begins: with the comment right above it, but that at the top of the file."""
    first = at
    while first and lines[first - 1].lstrip().startswith("#"):
        first -= 1
    return first if first else at


def _bot(bot: str) -> str:
    plain = _PLAIN.fullmatch(bot) and isinstance(scalar(bot), str)
    return f"{bot if plain else _quoted(bot)}:\n"


def _row(name: str, mark: Mark) -> str:
    return f'  "{name}":\n' + "".join(f"    {key}: {value}\n" for key, value in _values(mark))


def _values(mark: Mark) -> Iterator[tuple[str, str]]:
    yield "mark", mark.mark
    for key, value in asdict(mark).items():
        if key != "mark" and value:
            yield key, _quoted(value) if isinstance(value, str) else f"[{', '.join(map(_quoted, value))}]"


def _quoted(text: str) -> str:
    """Text as YAML and JSON quote it, on one line; whatever does not print is escaped."""
    whole = text.encode(errors="replace").decode()
    quoted = json.dumps(whole, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in quoted)
