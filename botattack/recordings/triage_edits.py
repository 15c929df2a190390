"""`triage.yaml` with a mark more or less: its other rows and its comments stay as they are."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

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
    rewritten = HEAD + "".join(_bot(bot, after[bot]) for bot in sorted(after))
    if len(rewritten) > MAX_BYTES:
        return rewritten
    with suppress(ConfigError):
        text = _in_place(text, path, changes)
        if parsed(text.encode(), path).marks == parsed(rewritten.encode(), path).marks:
            return text
    return rewritten


class _Cut(NamedTuple):
    """Lines of the file from one to another, and what takes their place. Of those that begin at one line, rows of a bot
    that is there come before a new bot."""

    first: int
    end: int
    is_bot: bool
    text: str


def _in_place(text: str, path: Path, changes: Changes) -> str:
    lines = text.replace("\r\n", "\n").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    found = parse(text.encode(), str(path)).keys if any(_says(line) for line in lines) else {}
    rows = _Rows(lines, {key: mark[0] - 1 for key, mark in found.items() if len(key) <= 2})
    cuts = [cut for bot in sorted({bot for bot, _ in changes}) for cut in rows.cuts(bot, changes)]
    for cut in sorted(cuts, key=lambda one: one[:3])[::-1]:
        lines[cut.first : cut.end] = [cut.text]
    return "".join(lines)


class _Rows:
    """Where the bots and marks of a file are: each from the comment above it to the next."""

    def __init__(self, lines: list[str], keys: Mapping[tuple[str | int, ...], int]) -> None:
        self._keys = keys
        self._starts = {key: _with_comments(lines, at) for key, at in keys.items()}
        self._ends = sorted([*self._starts.values(), len(lines)])

    def _end(self, key: tuple[str, ...]) -> int:
        return self._ends[bisect_right(self._ends, self._starts[key])]

    def cuts(self, bot: str, changes: Changes) -> Iterator[_Cut]:
        """What must change in the lines of a bot, in the order of its marks."""
        ours = sorted((name, mark) for (of, name), mark in changes.items() if of == bot)
        own = sorted(str(key[1]) for key in self._starts if len(key) == 2 and key[0] == bot)
        new = {name: mark for name, mark in ours if mark is not None}
        if not own:
            if new:
                after = [str(key[0]) for key in self._starts if len(key) == 1 and str(key[0]) > bot]
                at = self._starts[(min(after),)] if after else self._ends[-1]
                yield _Cut(at, at, True, _bot(bot, new))
        elif new or {*own} > {name for name, _ in ours}:
            yield from (self._cut(bot, name, mark, own) for name, mark in ours if mark is not None or name in own)
        else:
            yield _Cut(self._starts[(bot,)], max(self._end((bot, name)) for name in own), True, "")

    def _cut(self, bot: str, name: str, mark: Mark | None, own: list[str]) -> _Cut:
        row = "" if mark is None else _row(name, mark)
        if name in own:
            # The comment above a row is of the row, and goes with it alone.
            first = (self._starts if mark is None else self._keys)[bot, name]
            return _Cut(first, self._end((bot, name)), False, row)
        later = next((one for one in own if one > name), None)
        at = self._end((bot, own[-1])) if later is None else self._starts[bot, later]
        return _Cut(at, at, False, row)


def _says(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _with_comments(lines: list[str], at: int) -> int:
    """Where a block begins: with the comment right above it, but that at the top of the file."""
    first = at
    while first and lines[first - 1].lstrip().startswith("#"):
        first -= 1
    return first if first else at


def _bot(bot: str, marks: dict[str, Mark]) -> str:
    plain = _PLAIN.fullmatch(bot) and isinstance(scalar(bot), str)
    return f"{bot if plain else _quoted(bot)}:\n" + "".join(_row(name, marks[name]) for name in sorted(marks))


def _row(name: str, mark: Mark) -> str:
    return f'  "{name}":\n' + "".join(f"    {key}: {value}\n" for key, value in _values(mark))


def _values(mark: Mark) -> Iterator[tuple[str, str]]:
    yield "mark", mark.mark
    for key, value in asdict(mark).items():
        if key != "mark" and value:
            yield key, _quoted(value) if isinstance(value, str) else f"[{', '.join(map(_quoted, value))}]"


def _quoted(text: str) -> str:
    """Text as YAML and JSON quote it, on one line; whatever does not print is escaped."""
    whole = text.encode("utf-8", "replace").decode()
    quoted = json.dumps(whole, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in quoted)
