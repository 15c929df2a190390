"""Which reader a question file wants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path

import msgspec

from botattack import registry
from botattack.errors import QuestionsError
from botattack.model import Question, tag_of
from botattack.protocols import BadRecord, QuestionReader
from botattack.questions import lines, workbooks
from botattack.questions.files import sample
from botattack.questions.naming import Columns, check_columns, locate
from botattack.text.languages import language_among, language_of_all

WITH_COLUMNS = ("jsonl", "json", "csv", "tsv", "xlsx", "yaml")
"""The readers that take `columns`."""

UNTOLD = "und"
"""BCP 47's tag for a language that nobody has told."""
_LATIN = "en"
"""What a question in Latin letters has from a format that cannot name a language."""
_LOOKED_AT = 200
"""Questions of a file that tell its language."""
_BY_SUFFIX = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".yaml": "yaml", ".yml": "yaml"}
_JSON_SIGNS = (
    ("webquestionssp", rb'"(?:RawQuestion|ProcessedQuestion)"\s*:'),
    ("webquestions", rb'"(?:qText|targetValue)"\s*:'),
    ("squad", rb'"(?:paragraphs|qas)"\s*:'),
    ("hotpotqa", rb'"supporting_facts"\s*:'),
    ("faqpage", rb'"acceptedAnswer"\s*:'),
    ("jsonl", rb"\A\s*\{[^\n]*\}\s*\n\s*\{"),
    ("json", rb"\A\s*[\[{]"),
)
_CHATS = (
    # A record of our own form may have a field "messages" too, behind its question.
    (
        "openai-chat",
        rb'\A[\s\[]*\{(?:(?!"(?:question|text|query|turns|dialogue)").)*?"messages"\s*:\s*\[\s*\{\s*"role"',
    ),
    ("langsmith", rb'\A[\s\[]*\{(?:(?!"(?:question|turns)"\s*:\s*").)*?"inputs"\s*:\s*\{.*"outputs"\s*:'),
    ("langfuse", rb'\A[\s\[]*\{.*?"expectedOutput"\s*:'),
)
"""What the exports of chat tools look like, whatever their ending."""
_BOTIUM = re.compile(rb"^#(?:me|bot)\b", re.MULTILINE)
_WIKIMOVIES = re.compile(rb"\d+ \S[^\t\n]*\t")
_TREC = re.compile(rb"(?:\d+\t\w+\t)?[^\t\n]*\?\"?\s*\t[^\t\n]+\r?$", re.MULTILINE)


def reader_for(path: Path, name: str = "", columns: Columns | None = None, lang: str = "") -> QuestionReader:
    """The reader of that name, or the one that fits the file, with `columns` bound, and with `lang` as the language of
    what names none; without one, the script and the words of each question and of its file tell it.

    Raises QuestionsError if the format is not clear or takes no columns, UnknownName if no reader has the name.
    """
    name, lang = name or detect(path, columns), tag_of(lang)
    reader = registry.find("readers", name)
    check_columns(columns or {})
    if name in WITH_COLUMNS:
        bound = partial(reader, columns=columns, lang=lang or UNTOLD)
        return bound if lang else partial(_told_by_words, bound, UNTOLD)
    if columns:
        raise QuestionsError(
            f"`columns` is for {', '.join(WITH_COLUMNS)}; {path} is read as {name}, which has no columns"
        )
    return partial(_in_language, reader, lang) if lang else partial(_told_by_words, reader, _LATIN)


def columns_of(path: Path, name: str = "", columns: Columns | None = None) -> list[str]:
    """The names of the columns of a table; nothing for any other format."""
    name = name or detect(path, columns)
    of = {"xlsx": workbooks.columns_of, "csv": lines.columns_of, "tsv": lines.columns_of}.get(name)
    return of(path, columns or {}) if of else []


def _told_by_words(reader: QuestionReader, untold: str, path: Path) -> Iterator[Question | BadRecord]:
    """With the language of each question whose record names none, which is `untold` until then."""
    rows = reader(path)
    first = list(islice(rows, _LOOKED_AT))
    common = language_of_all([row.text for row in first if isinstance(row, Question) and row.lang == untold])
    for row in chain(first, rows):
        if isinstance(row, Question) and row.lang == untold:
            yield msgspec.structs.replace(row, lang=language_among(row.text, common))
        else:
            yield row


def _in_language(reader: QuestionReader, lang: str, path: Path) -> Iterator[Question | BadRecord]:
    """For formats whose records cannot name a language."""
    return (msgspec.structs.replace(row, lang=lang) if isinstance(row, Question) else row for row in reader(path))


def detect(path: Path, columns: Columns | None = None) -> str:
    """The name of the reader for the file's ending and content; raises QuestionsError if they leave it open."""
    if workbooks.is_workbook(path):
        return "xlsx"
    head = sample(path)
    suffix = path.suffix.lower()
    name = "" if columns else next((name for name, sign in _CHATS if re.search(sign, head, re.DOTALL)), "")
    name = name or _BY_SUFFIX.get(suffix, "")
    if not name and suffix in (".tsv", ".tab", ".txt"):
        name = _by_cells(head, path, columns or {})
    elif not name and suffix in (".md", ".markdown"):
        text = head.decode("utf-8", "replace")
        if not any(lines.ASKS.search(heading) for heading in lines.HEADING.findall(text)):
            raise QuestionsError(
                f"no heading of {path} has a question mark: write each question as a heading, ## …?, "
                "and its answer below it"
            )
        name = "markdown"
    elif not name:
        name = next((name for name, sign in _JSON_SIGNS if re.search(sign, head, re.DOTALL)), "")
    if not name:
        known = ", ".join(sorted(registry.names("readers")))
        raise QuestionsError(f"the format of {path} is not clear; name it by `format`, one of {known}")
    return name


def _by_cells(head: bytes, path: Path, columns: Columns) -> str:
    first = head.lstrip().split(b"\n", 1)[0]
    header = [cell.strip().strip('"') for cell in first.decode("utf-8", "replace").split("\t")]
    if len(header) > 1 and "question" in locate(header, columns):
        return "tsv"
    if _BOTIUM.search(head):
        fix = "write it as a line of JSON with `turns`"
        raise QuestionsError(f"{path} is a conversation of Botium, in which a bot speaks, too; {fix}")
    if _WIKIMOVIES.match(first):
        return "wikimovies"
    if _TREC.match(first):
        return "curatedtrec"
    return "txt" if path.suffix.lower() == ".txt" and b"\t" not in first else ""
