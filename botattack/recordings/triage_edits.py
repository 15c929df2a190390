"""`triage.yaml` with a mark more or less: its other rows and its comments stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
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


def write(path: Path, changes: dict[tuple[str, str], Mark | None]) -> None:
    """Adds, replaces, or with None deletes the marks of bots; a file without any mark is deleted.

    Written whole or not at all, by one process at a time. Raises ConfigError if the file there is wrong or this one
    would grow too large, and RecordingError if it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing(path):
            _write(path, changes)
    except OSError as error:
        raise RecordingError(f"{path} cannot be written: {error.strerror}; check the folder and its disk") from None


def _write(path: Path, changes: dict[tuple[str, str], Mark | None]) -> None:
    after = _changed(read(path), changes)
    if not any(after.values()):
        path.unlink(missing_ok=True)
        return
    text = edited(content(path, MAX_BYTES).decode("utf-8-sig") if path.exists() else HEAD, path, changes, after)
    parsed(text.encode(), path)
    write_whole(path, text.encode())


def _changed(before: Triage, changes: dict[tuple[str, str], Mark | None]) -> dict[str, dict[str, Mark]]:
    after = {bot: dict(marks) for bot, marks in before.marks.items()}
    for (bot, name), mark in changes.items():
        after.setdefault(bot, {}).pop(name, None)
        if mark is not None:
            after[bot][name] = mark
    return {bot: marks for bot, marks in after.items() if marks}


def edited(
    text: str, path: Path, changes: dict[tuple[str, str], Mark | None], after: dict[str, dict[str, Mark]]
) -> str:
    """The text with the changes made in place; where its form does not allow that, all rows are written again."""
    rewritten = HEAD + "".join(_bot(bot, after[bot]) for bot in sorted(after))
    with suppress(ConfigError):
        for (bot, name), mark in changes.items():
            text = _in_place(text, path, bot, name, mark)
        if parsed(text.encode(), path).marks == parsed(rewritten.encode(), path).marks:
            return text
    return rewritten


def _in_place(text: str, path: Path, bot: str, name: str, mark: Mark | None) -> str:
    lines = text.replace("\r\n", "\n").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    found = parse(text.encode(), str(path)).keys if any(_says(line) for line in lines) else {}
    starts = {key: _with_comments(lines, mark[0] - 1) for key, mark in found.items() if len(key) <= 2}
    own = sorted(str(key[1]) for key in starts if len(key) == 2 and key[0] == bot)
    ends = sorted([*starts.values(), len(lines)])
    row = [] if mark is None else [_row(name, mark)]
    if (bot, name) in starts:
        # The comment above a row is of the row, and goes with it alone.
        first = starts[bot, name] if mark is None else found[bot, name][0] - 1
        lines[first : ends[ends.index(starts[bot, name]) + 1]] = row
        if mark is None and own == [name]:
            del lines[starts[(bot,)] : starts[bot, name]]
    elif later := [one for one in own if one > name]:
        at = starts[bot, later[0]]
        lines[at:at] = row
    elif own:
        at = ends[ends.index(starts[bot, own[-1]]) + 1]
        lines[at:at] = row
    elif mark is not None:
        after = [str(key[0]) for key in starts if len(key) == 1 and str(key[0]) > bot]
        at = starts[(min(after),)] if after else len(lines)
        lines[at:at] = [_bot(bot, {name: mark})]
    return "".join(lines)


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
