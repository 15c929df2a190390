"""Passages alone, without questions: of a question set, or of a file of their own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from botattack.errors import QuestionsError
from botattack.model import Question
from botattack.protocols import QuestionReader
from botattack.questions.files import Unfit, lines
from botattack.questions.lines import decode_json
from botattack.questions.records import clean

MOST = 20_000
"""Passages that are taken of a file, from its beginning."""
LONGEST = 20_000
"""Characters of the longest that is taken."""


def of_questions(path: Path, read: QuestionReader) -> list[str]:
    """The distinct passages of a question set, in their order."""
    return _first(text for row in read(path) if isinstance(row, Question) for text in row.passages)


def of_file(path: Path) -> list[str]:
    """The distinct texts of a file, in their order: its lines, each a JSON text or {text: …}, where it is called
    .jsonl, else what blank lines set apart. Raises QuestionsError with the line that is no passage."""
    return _first(_of_lines(path) if path.suffix.lower() in (".jsonl", ".ndjson") else _of_text(path))


def _first(texts: Iterator[str]) -> list[str]:
    found: dict[str, None] = {}
    for text in texts:
        if text.strip() and len(text) <= LONGEST:
            found[text] = None
        if len(found) == MOST:
            break
    return [*found]


def _of_lines(path: Path) -> Iterator[str]:
    for number, line in _lines(path):
        if line.strip():
            try:
                yield _text(decode_json(line))
            except Unfit as error:
                raise QuestionsError(f'{path}:{number}: {error}; write a text, or {{"text": …}}') from None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    for row in lines(path, "passage"):
        if not isinstance(row, tuple):
            raise QuestionsError(f"{path}:{row.line}: {row.why}")
        yield row


def _text(value: object) -> str:
    return clean(value.get("text") if isinstance(value, dict) else value, "the passage")


def _of_text(path: Path) -> Iterator[str]:
    texts = (line.decode("utf-8", "replace").strip() for _, line in _lines(path))
    for is_text, together in groupby(texts, bool):
        if is_text:
            yield clean(" ".join(together), "the passage")
