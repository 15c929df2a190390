"""Spreadsheets: .xlsx, and what else the library reads (.xls, .xlsb, .ods)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

from botattack.errors import QuestionsError
from botattack.model import Question
from botattack.questions import records
from botattack.questions.files import Unfit
from botattack.questions.lines import cells, on_one_line
from botattack.questions.naming import Columns, locate
from botattack.questions.records import Row

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

SUFFIXES = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
MAX_SIZE = 64 << 20
"""Bytes of the largest workbook, also once it is unpacked eight times as much: the library keeps a sheet in memory."""
_UNPACKED = 8 * MAX_SIZE
_PERCENT = re.compile(rb'formatCode="[^"]*%|<cellXfs.*?numFmtId="(?:9|10)".*?</cellXfs', re.DOTALL)
"""What shows 0.19 as 19%, which the library does not tell of any cell."""


def read_xlsx(path: Path, columns: Columns | None = None, lang: str = "") -> Iterator[Row]:
    """The visible sheets whose first row names a question; rows and cells are those of CSV.

    A whole number is read without a decimal point, a date as 2027-01-31. If the workbook shows numbers as percentages,
    a row whose answer is a number is a bad record, because nothing tells whether it is 0.19 or 19%.
    """
    sheets = [*_sheets(path)]
    tables = [(name, rows, at) for name, rows in sheets if (at := _header_at(rows)) is not None]
    fitting = [table for table in tables if "question" in locate(table[1][table[2]], columns or {})] or tables[:1]
    if not fitting:
        raise QuestionsError(f"{path} is empty; it should contain questions")
    percent = _shows_percent(path)
    for name, rows, at in fitting:
        header, place = rows[at], f"sheet {name!r}" if len(fitting) > 1 else ""
        make = cells(path, header, columns or {}, lang, iter(rows[at + 1 :]))
        for number, row in enumerate(rows[at + 1 :], at + 2):
            if any(row):
                yield records.reading(number, place, _question, make, header, columns or {}, row, percent)


def columns_of(path: Path, columns: Columns) -> list[str]:
    """The first header with a question, else the first one."""
    headers = [rows[at] for _, rows in _sheets(path) if (at := _header_at(rows)) is not None]
    return next((header for header in headers if "question" in locate(header, columns)), headers[0] if headers else [])


def _question(make: Any, header: list[str], columns: Columns, row: list[str], percent: bool) -> Question:
    answers = locate(header, columns).get("answers")
    if percent and answers and re.fullmatch(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", row[header.index(answers)]):
        raise Unfit(
            "its answer is a number that may be shown as a percentage: format it as text, or save the sheet as CSV"
        )
    made: Question = make(row)
    return made


def _sheets(path: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """Name and cells of every visible sheet; raises QuestionsError for a file that is none."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

    _check_size(path)
    try:
        with CalamineWorkbook.from_path(path) as workbook:
            for known in workbook.sheets_metadata:
                if known.visible == SheetVisibleEnum.Visible:
                    yield known.name, _texts(workbook.get_sheet_by_name(known.name))
    except PasswordError:
        raise QuestionsError(f"{path} has a password: save it without one") from None
    except (CalamineError, OSError, ValueError) as error:
        raise QuestionsError(f"{path} is not a workbook that can be read: {error}; save it again, or as CSV") from None


def _texts(sheet: CalamineSheet) -> list[list[str]]:
    rows = sheet.to_python(skip_empty_area=False)
    used = max((at + 1 for row in rows for at, cell in enumerate(row) if cell not in ("", None)), default=0)
    texts = [[_text(cell) for cell in row[:used]] for row in rows]
    if (at := _header_at(texts)) is not None:
        texts[at] = on_one_line(texts[at])
    return texts


def _text(cell: object) -> str:
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    if isinstance(cell, date | time):
        return cell.isoformat()
    return str(cell).strip()


def is_workbook(path: Path) -> bool:
    """Whether a file is one of those, by its name or its content."""
    if path.suffix.lower() in SUFFIXES:
        return True
    with suppress(BadZipFile, OSError), ZipFile(path) as parts:
        return any(name.startswith("xl/workbook.") or name == "content.xml" for name in parts.namelist())
    return False


def _header_at(rows: list[list[str]]) -> int | None:
    return next((at for at, row in enumerate(rows) if any(row)), None)


def _shows_percent(path: Path) -> bool:
    with suppress(BadZipFile, KeyError, OSError, RuntimeError, NotImplementedError), ZipFile(path) as parts:
        return bool(_PERCENT.search(parts.read("xl/styles.xml")))
    return False


def _check_size(path: Path) -> None:
    size = path.stat().st_size
    with suppress(BadZipFile, OSError), ZipFile(path) as parts:
        size = max(size, sum(part.file_size for part in parts.infolist()) * MAX_SIZE // _UNPACKED)
    if size > MAX_SIZE:
        raise QuestionsError(f"{path} is larger than {MAX_SIZE >> 20} MB; save it as CSV")
