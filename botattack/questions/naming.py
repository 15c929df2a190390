"""Which value of a record is which part of a question: by known names, by names that a campaign gives, or by JSONPath.

If none is the question or its answers, an error says what could be, in words that make that very file load.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product
from typing import Any

import msgspec

from botattack.errors import QuestionsError
from botattack.questions.files import Unfit
from botattack.text.folding import folded
from botattack.text.languages import column_names
from botattack.text.spelling import quick_distance

Columns = Mapping[str, str]
"""What the file calls a field, where it is none of the known names: `{question: Frage, answers: $.gold[0].text}`."""


class _Names(msgspec.Struct, rename=lambda name: name.replace("_", " ")):
    """What `names.yaml` says."""

    fields: dict[str, tuple[str, ...]]
    like_answers: tuple[str, ...]
    like_questions: tuple[str, ...]
    other_words: tuple[str, ...]


_NAMES = msgspec.yaml.decode((files("botattack.questions") / "names.yaml").read_bytes(), type=_Names)
NAMES: Mapping[str, tuple[str, ...]] = _NAMES.fields
"""Every field and the names it may have in a file."""
RIGHT = ("answers", "regex", "contains", "refuses", "fields")
"""The fields that say what a right reply is."""

_NAME_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[^a-zA-Z]+")
_ASKS = re.compile(r"[?؟？]\W*\Z")
_PLAIN_KEY = re.compile(r"[^\W\d]\w*", re.ASCII)
_DEEP = 6
_MOST = 200
"""Values of a record that are looked at for a question."""


def check_columns(columns: Columns) -> None:
    """Raises QuestionsError if `columns` names a field that no question has, or a JSONPath is none."""
    for field, name in columns.items():
        if field not in NAMES:
            raise QuestionsError(f"`columns` maps {field!r}, which no question has; it may map {', '.join(NAMES)}")
        if is_path(name):
            _path(name)


def is_path(name: str) -> bool:
    return name.startswith(("$.", "$["))


def locate(names: Sequence[str], columns: Columns) -> dict[str, str]:
    """Which of a record's `names` holds which field."""
    return dict(_located(tuple(names), tuple(columns.items())))


# The records of a file have the same names, and finding them takes as long as all else that is done with a record.
@lru_cache(256)
def _located(names: tuple[str, ...], columns: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    lower = {name.strip().lower(): name for name in reversed(names)}
    found = {field: next((lower[a] for a in aliases if a in lower), "") for field, aliases in NAMES.items()}
    if found["answers"].strip().lower() == "a" and found["question"].strip().lower() != "q":
        found["answers"] = ""  # the first of several choices
    if len(lower) > sum(map(bool, found.values())):
        _in_other_words(names, found)
    exact = {name.strip(): name for name in reversed(names)}
    found.update({field: exact.get(name.strip(), "") for field, name in columns})
    return {field: name for field, name in found.items() if name}


def _in_other_words(names: Sequence[str], found: dict[str, str]) -> None:
    """Adds the fields whose names are of other languages; such a name of the question says more than `text` does."""
    used = {*found.values()}
    for name in names:
        field = column_names().get(plain(name), "") if name not in used else ""
        if field and (not found[field] or (field == "question" and found[field].strip().lower() in NAMES[field][1:])):
            found[field] = name
            used.add(name)


def plain(name: str) -> str:
    """A name as `column_names` has it: folded, with a space between its words."""
    return " ".join(re.split(r"[\s_-]+", folded(name).strip(" :?*")))


def fields_of(record: Mapping[str, object], columns: Columns) -> dict[str, object]:
    """The values of a JSON record by their fields; raises Unfit if none of them is a question."""
    at, fields = _found(record, columns)
    if "question" not in at and fields.keys().isdisjoint(("question", "turns")):
        raise Unfit(missing_question([*record], columns, [record]))
    unnamed = unnamed_answers(record, fields, {*at.values()}) if at.keys().isdisjoint(RIGHT) else ""
    if wrong := misspelt(tuple(record), tuple(columns.items())) or unnamed:
        raise Unfit(wrong)
    return fields


def has_question(record: Mapping[str, object], columns: Columns) -> bool:
    """Whether a JSON record has a question or a dialogue."""
    return not _found(record, columns)[1].keys().isdisjoint(("question", "turns"))


def _found(record: Mapping[str, object], columns: Columns) -> tuple[Mapping[str, str], dict[str, object]]:
    """The names of fields in a record, and the values of these and of the JSONPaths."""
    at, paths = _layout(tuple(record), tuple(columns.items()) if columns else ())
    fields = {field: value for field, name in at.items() if (value := record[name]) is not None}
    for field, path in paths.items():
        if found := _path(path).findall(record):
            fields[field] = found[0] if len(found) == 1 else found
    return at, fields


@lru_cache(256)
def _layout(
    names: tuple[str, ...], columns: tuple[tuple[str, str], ...]
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Which of a record's `names` holds which field, and the JSONPaths of the others. Most records of a file have the
    same names, and finding their fields takes as long as all else that is done with a record."""
    paths = {field: name for field, name in columns if is_path(name) and name not in names}
    at = locate(names, {field: name for field, name in columns if field not in paths})
    return {field: name for field, name in at.items() if field not in paths}, paths


@cache
def _path(path: str) -> Any:
    import jsonpath

    # A filter or a descent in somebody's campaign file could be made to take hours on somebody's questions.
    if "?" in path or ".." in path:
        raise QuestionsError(f"`columns` has {path!r}: write the keys and indexes themselves, without `?` and `..`")
    try:
        return jsonpath.compile(path)
    except jsonpath.JSONPathError as error:
        raise QuestionsError(f"`columns` has {path!r}, which is not a JSONPath: {error}") from None


def missing_question(names: Sequence[str], columns: Columns, rows: Sequence[Mapping[str, object]]) -> str:
    """What a record or a table lacks, with the name in its `rows` that is likeliest a question."""
    wanted = columns.get("question")
    expected = f"no `{wanted}`" if wanted else "neither `question` nor `text`"
    have = ", ".join(short(name) for name in names[:8]) or "nothing"
    found = likely_question(rows, {*columns.values()})
    if not found:
        return f"it has {expected} (it has {have}); write the question into `question`"
    return f"it has {expected} (it has {have}); {offered('question', found)}"


@lru_cache(256)
def misspelt(names: tuple[str, ...], columns: tuple[tuple[str, str], ...] = ()) -> str:
    """What to do about a name of a record that is one slip from that of a field it lacks; empty if there is none."""
    at = {**dict(columns), **locate(names, dict(columns))}
    known = {**{plain(name): field for field, some in NAMES.items() for name in some}, **column_names()}
    # A slip in four letters is another word as often as not: `test` is no `text`.
    lacking = [name for name, field in known.items() if field not in at and len(name) > 4]
    # A plural is a word of its own: `contexts` may be what a bot found, and not what it is sent.
    others = {*known, *(f"{name}s" for name in known), *_NAMES.other_words}
    unread = (name.strip() for name in names if name not in at.values() and plain(name) not in others)
    return slip(tuple(unread), tuple(lacking))


@lru_cache(256)
def slip(names: tuple[str, ...], known: tuple[str, ...]) -> str:
    """What to do about a name that is one slip from a known one that is not there; empty if there is none."""
    # Three letters are one slip from too many words.
    lacking = [each for each in known if each not in names and len(each) > 3]
    for own, other in product(sorted({*names} - {*known}), lacking):
        if quick_distance()(plain(own), plain(other)) == 1 and own != f"{other}s":
            return f"nothing reads its {own!r}; did you mean {other!r}? Call it so, or by a name less like that"
    return ""


def unnamed_answers(
    record: Mapping[str, object], at: Mapping[str, object], used: set[str], *, turn: bool = False
) -> str:
    """What to do about a name that looks like that of the answers, where nothing says what is right; empty if there is
    none. `at` has the fields that the record has, under the names `used`."""
    if not at.keys().isdisjoint(RIGHT):
        return ""
    likely = [(rank, name) for name in record if name not in used and (rank := _like_answers(name)) is not None]
    found = next((place for _, name in sorted(likely) if (place := _answer_in(name, record[name]))), "")
    if not found:
        return ""
    if turn:
        return f"it has no `answers`; did you mean {found!r}? Call it `answers`, or delete it"
    return f"it has no `answers`; {offered('answers', found)}; delete it if it is something else"


def offered(field: str, found: str) -> str:
    """How a user says that this is the column of a field."""
    own = "Name it" if is_path(found) else f"Call it `{field}`, or name it"
    return f"did you mean {found!r}? {own} {_by(field, found)}"


def _by(field: str, name: str) -> str:
    """Where a user says what a field is called."""
    return (
        f"in a campaign by `questions: {advice(**{field: name})}`, for botattack init by "
        f"`--column {shlex.quote(f'{field}={name}')}`"
    )


def advice(**columns: str) -> str:
    """The key of a campaign as YAML, in which any name can stand."""
    import yaml

    dumped: str = yaml.safe_dump({"columns": columns}, default_flow_style=True, allow_unicode=True, width=float("inf"))
    return dumped.strip()


def likely_question(rows: Sequence[Mapping[str, object]], used: set[str]) -> str:
    """The name, or the JSONPath, of the text in all rows that is most like a question; empty if none is."""
    scores: dict[str, float] = {}
    for row in rows:
        for way, text in _texts(row):
            place = way[0] if len(way) == 1 else _as_path(way)
            if place not in used:
                scores[str(place)] = scores.get(str(place), 0) + _asking(str(way[-1]), text)
    best = max(scores, key=scores.__getitem__, default="")
    return best.strip() if scores.get(best) else ""


def _asking(name: str, text: str) -> float:
    named = plain(name) in _NAMES.like_questions or plain(name) in NAMES["question"]
    words = len(text.split())
    return (3 * bool(_ASKS.search(text.strip())) + 2 * named + (words > 1)) / 6 if text.strip() else 0


def _texts(value: object, way: tuple[str | int, ...] = (), left: list[int] | None = None) -> Iterator[Any]:
    """The texts within a record, with the keys that lead there; at most `_MOST`."""
    left = left if left is not None else [_MOST]
    children = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        left[0] -= 1
        if left[0] < 0 or len(way) == _DEEP:
            return
        if isinstance(child, str):
            yield (*way, key), child
        else:
            yield from _texts(child, (*way, key), left)


def _as_path(way: Sequence[str | int]) -> str:
    keys = ("." + key if isinstance(key, str) and _PLAIN_KEY.fullmatch(key) else f"[{_quoted(key)}]" for key in way)
    return "$" + "".join(keys)


def _quoted(key: str | int) -> str:
    if isinstance(key, int):
        return str(key)
    return "'" + key.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _like_answers(name: str) -> int | None:
    parts = [part for part in _NAME_PARTS.split(name.strip()) if part]
    known = "_".join(parts).lower().removesuffix("s")
    likely = _NAMES.like_answers
    return likely.index(known) if known in likely else None


def _answer_in(name: str, value: object) -> str:
    """The name, or the JSONPath, of what can be an answer; empty if nothing in the value can."""
    plain_values = value if isinstance(value, list) else [value]
    if plain_values and all(_is_answer(each) for each in plain_values):
        return name.strip()
    return next((_as_path((name, *way)) for way, text in _texts(value) if text.strip()), "")


def _is_answer(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else not isinstance(value, bool | Mapping | list | None)


def short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
