"""Formats of one record a line: JSON lines, CSV, TSV, CuratedTREC, WikiMovies, plain text.

Blank lines are no records. Memory holds one record.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import chain, islice
from pathlib import Path

import msgspec

from botattack.errors import QuestionsError
from botattack.model import Question
from botattack.options import JsonObject
from botattack.protocols import BadRecord
from botattack.questions import records
from botattack.questions.files import Unfit, decode, lines
from botattack.questions.naming import Columns, locate, missing_question, misspelt, unnamed_answers
from botattack.questions.records import Row

_LOOKED_AT = 20
"""Rows of a table that are looked at for a question where the header names none."""
_SPLIT = re.compile(r"(?<!\\)\|")
r"""Between several answers or tags in one cell of a CSV or TSV file; a bar inside an answer is written `\|`."""
_NUMBER = re.compile(r"\A\d+\s+")
_SEPARATOR_LINE = re.compile(r'"?sep=(?P<sign>[^\s"]|\t)"?', re.IGNORECASE)
_LINE_BREAK = re.compile(r"[^\S\n]*\n\s*")
_SPANNED = 50
"""Lines after its first that a header may span; more is a quote that nobody closed."""
HEADING = re.compile(r"#{1,6}[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
ASKS = re.compile("[?؟？]")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_decode = msgspec.json.Decoder(float_hook=Decimal).decode
"""A decimal keeps its digits: an answer of 4.50 is not 4.5."""


def read_jsonl(path: Path, columns: Columns | None = None, lang: str = "") -> Iterator[Row]:
    """One JSON mapping a line, with the usual names or those of `columns`, or bare text.

    `answers` is text, a number, {text, regex: true}, or a list of these; `history` a list of {speaker, text}. A right
    reply also has every text of `contains` and every value of `fields`; with `refuses: true` it declines.
    `turns` in place of `question` makes a dialogue: a list of texts or {user, answers, contains, refuses, fields}.
    """
    return _each_line(path, lambda line: records.to_question(decode_json(line), columns or {}, lang))


def read_csv(path: Path, columns: Columns | None = None, lang: str = "") -> Iterator[Row]:
    """A header, then one record a row; both may span lines. Comma, semicolon or tab, whichever the header uses, or
    what a line before it names (`sep=;`).

    Several answers or tags stand in one cell with `|` between them; a cell of `regex` is one pattern, and one of
    `passage` one passage. A cell contains at most 131,072 characters. Quotes are those of RFC 4180.
    """
    source = _Lines(path)
    header, delimiter = _header(source, columns or {})
    table = csv.reader(source, delimiter=delimiter, strict=True)
    make = cells(path, header, columns or {}, lang, iter(partial(_next, table), None))
    line = source.number + 1
    while (row := _next(table)) is not None:
        yield from source.drain()
        if isinstance(row, str):
            yield BadRecord(line, row)
        elif any(cell.strip() for cell in row):
            yield records.reading(line, "", make, row)
        line = source.number + 1
    yield from source.drain()


def table(path: Path) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Line and cells of every row of a CSV file, whatever its header; or why there is none."""
    source = _Lines(path)
    header, delimiter = _header(source, {})
    rows = csv.reader(source, delimiter=delimiter, strict=True)
    at = source.number + 1
    while (row := _next(rows)) is not None:
        yield at, row if isinstance(row, str) else dict(zip(header, row, strict=False))
        at = source.number + 1


def columns_of(path: Path, columns: Columns) -> list[str]:
    """The header of a CSV or TSV file."""
    return _header(_Lines(path), columns)[0]


def read_tsv(path: Path, columns: Columns | None = None, lang: str = "") -> Iterator[Row]:
    """Like CSV, but with a tab between cells and one line a record. A quote is an ordinary character,
    but for a cell that is quoted whole, as spreadsheets write one that holds quotes.
    """
    stream = _texts(path)
    first = next((row for row in stream if isinstance(row, tuple) and row[1].strip()), (1, ""))
    header = [_unquoted(cell) for cell in first[1].split("\t")]
    make = cells(path, header, columns or {}, lang, (row[1].split("\t") for row in stream if isinstance(row, tuple)))
    for row in stream:
        if isinstance(row, BadRecord):
            yield row
        elif row[1].strip():
            yield records.reading(row[0], "", make, [_unquoted(cell) for cell in row[1].split("\t")])


def read_curatedtrec(path: Path) -> Iterator[Row]:
    """CuratedTREC: `question TAB regex`, or `id TAB type TAB question TAB regex`, without a header.

    A pattern that does not compile, or that takes more than 0.25 s on a probe, is a bad record.
    """
    return _each_line(path, lambda line: _trec(decode(line)))


def read_wikimovies(path: Path) -> Iterator[Row]:
    """WikiMovies: `1 question?` TAB `answer, answer`.

    The format cannot tell a comma inside a title from one between titles; like everybody's, this reader splits at each.
    """
    return _each_line(path, lambda line: _movies(decode(line)))


def read_txt(path: Path) -> Iterator[Row]:
    """One question a line, without gold answers."""
    return _each_line(path, lambda line: records.question(decode(line)))


def read_markdown(path: Path) -> Iterator[Row]:
    """A FAQ: each heading with a question mark is a question, and the text up to the next heading its answer."""
    asked, line, below, in_code = "", 0, list[str](), False
    for row in chain(_texts(path), [(0, "# ")]):
        if isinstance(row, BadRecord):
            yield row
            continue
        in_code ^= row[1].lstrip().startswith("```")  # a comment in code is no heading
        heading = None if in_code else HEADING.match(row[1])
        if not heading:
            below.append(row[1])
            continue
        if ASKS.search(asked):
            yield records.reading(line, "", records.question, asked, "\n".join(below).strip() or ())
        asked, line, below = heading[1], row[0], []


def decode_json(text: bytes) -> object:
    """The value of a JSON text; raises Unfit."""
    try:
        return _decode(text)
    except UnicodeDecodeError as error:
        raise Unfit(f"it contains a byte that is not UTF-8 ({error.reason}); save the file as UTF-8") from None
    except msgspec.DecodeError as error:
        raise Unfit(f"it is not JSON: {error}") from None
    except RecursionError:
        raise Unfit("its JSON is nested too deeply") from None
    except InvalidOperation:
        raise Unfit("it contains a number that is out of range") from None


def _each_line(path: Path, make: Callable[[bytes], Question]) -> Iterator[Row]:
    for row in lines(path):
        if isinstance(row, BadRecord):
            yield row
        elif row[1].strip():
            yield records.reading(row[0], "", make, row[1].rstrip(b"\r\n"))


def _trec(line: str) -> Question:
    cells = line.split("\t")
    if len(cells) == 4:
        key, kind, text, regex = cells
        return records.question(text, regex=regex, key=key, kind=kind)
    if len(cells) == 2:
        return records.question(cells[0], regex=cells[1])
    raise Unfit(
        f"it has {len(cells)} cells; CuratedTREC has `question TAB regex` or `id TAB type TAB question TAB regex`"
    )


def _movies(line: str) -> Question:
    text, tab, answers = line.partition("\t")
    if not tab:
        raise Unfit("it has no tab between the question and its answers")
    return records.question(_NUMBER.sub("", text), [answer for answer in answers.split(", ") if answer.strip()])


def _texts(path: Path) -> Iterator[tuple[int, str] | BadRecord]:
    for row in lines(path):
        if isinstance(row, BadRecord):
            yield row
            continue
        try:
            yield row[0], decode(row[1]).rstrip("\r\n")
        except Unfit as why:
            yield BadRecord(row[0], str(why))


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if _QUOTED.fullmatch(cell) else cell


def cells(
    path: Path, header: list[str], columns: Columns, lang: str, rows: Iterator[object]
) -> Callable[[list[str]], Question]:
    """What makes a question of a row, once the header is known; raises QuestionsError without a question column. The
    first of the `rows` are read only to say what could be one."""
    at = locate(header, columns)
    for field, name in columns.items():
        if field not in at:
            have = ", ".join(header)
            raise QuestionsError(
                f"{path} has no column {name!r}, which `columns` maps to {field}; its columns are {have}"
            )
    if "question" not in at:
        first = [dict(zip(header, row, strict=False)) for row in islice(rows, _LOOKED_AT) if isinstance(row, list)]
        raise QuestionsError(f"{path}:1: the header names no question: {missing_question(header, columns, first)}")
    unnamed = unnamed_answers(dict.fromkeys(header, "text"), at, {*at.values()})
    if wrong := misspelt(tuple(header), tuple(columns.items())) or unnamed:
        raise QuestionsError(f"{path}: the header: {wrong}")
    where = {field: header.index(name) for field, name in at.items() if field != "turns"}
    return partial(_from_cells, len(header), where, lang)


def _from_cells(width: int, at: Mapping[str, int], lang: str, row: list[str]) -> Question:
    if len(row) != width:
        raise Unfit(f"it has {len(row)} cells where the header has {width}; quote a cell that contains the separator")
    cells: JsonObject = {field: row[index] for field, index in at.items() if row[index].strip()}
    for field in ("answers", "tags", "contains"):
        if field in cells:
            cells[field] = [part.replace(r"\|", "|") for part in _SPLIT.split(cells[field]) if part.strip()]
    for field in ("history", "fields"):
        if field in cells:
            cells[field] = decode_json(cells[field].encode("utf-8", "surrogateescape"))
    return records.question(cells.pop("question", ""), **{"lang": lang, **cells})


def _header(source: _Lines, columns: Columns) -> tuple[list[str], str]:
    """The first row that is not blank, whose quoted cells may span lines, cut by the delimiter that gives a question
    column, else by the comma; a line before it that names the delimiter, as Excel wants it (`sep=;`), decides."""
    line = next((text for text in source if text.strip()), "")
    named = _SEPARATOR_LINE.fullmatch(line.rstrip("\r\n"))
    if named:
        line = next((text for text in source if text.strip()), "")
    signs = named["sign"] if named else ",;\t"
    if any("unexpected end" in str(_next(csv.reader([line], delimiter=sign, strict=True))) for sign in signs):
        after = islice(source, _SPANNED)
        while line.count('"') % 2 and (more := next(after, "")):
            line += more
    cut = ((sign, _next(csv.reader([line], delimiter=sign))) for sign in signs)
    tables = {sign: on_one_line(cells) for sign, cells in cut if isinstance(cells, list)}
    fitting = (sign for sign, cells in tables.items() if "question" in locate(cells, columns))
    delimiter = next(fitting, "") or max(signs, key=line.count)
    return tables.get(delimiter, [line]), delimiter


def on_one_line(header: list[str]) -> list[str]:
    """The names of columns as people read them: a line break in one is a space."""
    return [_LINE_BREAK.sub(" ", name.strip()) for name in header]


def _next(table: Iterator[list[str]]) -> list[str] | str | None:
    """The next row, why there is none here, or None at the end."""
    try:
        return next(table, None)
    except csv.Error as error:
        return f"the row is not CSV: {error}; is a quote missing?"


class _Lines:
    """Lines for the csv module, which has no way to hear of a bad one: those wait in `drain`."""

    def __init__(self, path: Path) -> None:
        self.number = 0
        self._rows = lines(path)
        self._bad: list[BadRecord] = []

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        for row in self._rows:
            self.number += 1
            if not isinstance(row, BadRecord):
                return row[1].decode("utf-8", "surrogateescape")
            self._bad.append(row)
        raise StopIteration

    def drain(self) -> Iterator[BadRecord]:
        while self._bad:
            yield self._bad.pop(0)
