"""Question files as bounded streams of UTF-8 bytes, whatever encoding they are kept in."""

from __future__ import annotations

import codecs
import io
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, cast

from botattack.errors import QuestionsError, nearest_path
from botattack.protocols import BadRecord

MOST = 200_000
"""Bytes that are not ASCII, with their lines, that tell the encoding."""
_PIECE = 1 << 20
_KNOWN = (
    *(f"windows-125{number}" for number in range(9)),
    *("cp874", "cp932", "gb18030", "big5", "cp949", "euc-jp", "koi8-r", "macroman", "cp850"),
)
"""What spreadsheets write. With all that there are, chardet takes "5 €" for Hebrew of DOS."""
_MARGIN = 1.1
"""How much likelier than Windows-1252 another encoding must be. Of 76 short files in 22 languages and encodings 72 were
read correctly so (1.05 and 1.2: 68; chardet alone 62; charset-normalizer 51). A few quotes and dashes tell little."""


def encoding_of(file: BinaryIO) -> str:
    """The encoding of text without a byte order mark: empty for UTF-8, also for text in which most characters beyond
    ASCII are UTF-8 and the others damaged. Raises QuestionsError if nothing tells it."""
    found, good, bad = bytearray(), 0, 0
    while len(found) < MOST and (piece := file.read(_PIECE)):
        piece += file.readline(_PIECE)  # no character is cut
        if piece.isascii():
            continue
        for line in piece.splitlines(keepends=True):
            if not line.isascii():
                text = line.decode("utf-8", "replace")
                wrong = text.count("\ufffd")
                bad += wrong
                good += sum(character > "\x7f" for character in text) - wrong
                found += line
    return "" if bad <= good else _likeliest(bytes(found[:MOST]))


def _likeliest(text: bytes) -> str:
    import chardet

    ranked = chardet.detect_all(text, ignore_threshold=True, include_encodings=_KNOWN, no_match_encoding="windows-1252")
    sure = {str(one["encoding"] or ""): one["confidence"] for one in ranked}
    best = max(sure, key=sure.__getitem__, default="")
    if not best:
        raise QuestionsError("nothing tells in which encoding it is; save the file as UTF-8")
    return "Windows-1252" if sure.get("Windows-1252", 0) * _MARGIN >= sure[best] else best


class AsUtf8(io.RawIOBase):
    """Text in another encoding turned into UTF-8. What is damaged comes out as a byte that is not UTF-8, so that its
    line is reported."""

    def __init__(self, raw: BinaryIO, encoding: str) -> None:
        self._raw = raw
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        more = True
        while more and not self._ready:
            chunk = self._raw.read(io.DEFAULT_BUFFER_SIZE)
            more = bool(chunk)
            self._ready = self._decoder.decode(chunk, final=not chunk).encode().replace(b"\xef\xbf\xbd", b"\xff")
        size = min(len(target), len(self._ready))
        target[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


MAX_LINE = 16 << 20
"""Bytes of the longest line that is read whole; a longer one is a bad record."""
MAX_PIPED = 1 << 30
"""Bytes of questions that are read from a pipe."""

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NOT_TEXT = {
    b"\x1f\x8b": "it is compressed by gzip: unpack it first",
    b"PK\x03\x04": "it is a zip archive, as documents and workbooks are: save it as .csv, or unpack it",
    b"%PDF": "it is a PDF: copy the questions into a .csv",
    b"PAR1": "it is Parquet: write it as .csv or .jsonl",
    b"\xd0\xcf\x11\xe0": "it is an old document of Microsoft Office: save it as .xlsx",
    b"SQLite": "it is a database: export it as CSV",
}


class Unfit(ValueError):
    """Why a record cannot become a question, in words that follow the place."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The text of a file as UTF-8 bytes without a byte order mark; raises QuestionsError if there is
    none."""
    _require_file(path)
    try:
        with path.open("rb") as raw:
            yield _as_utf8(path, raw)
    except OSError as error:
        raise QuestionsError(f"{path} cannot be read: {error.strerror}; check its owner and its disk") from error


def lines(path: Path) -> Iterator[tuple[int, bytes] | BadRecord]:
    """Every line with its number, from 1; one longer than MAX_LINE is a bad record."""
    with opened(path) as file:
        for number in count(1):
            line = file.readline(MAX_LINE)
            if not line:
                return
            if len(line) == MAX_LINE and not line.endswith(b"\n"):
                _skip_line(file)
                yield BadRecord(number, f"the line is longer than {MAX_LINE >> 20} MB")
            else:
                yield number, line


@contextmanager
def at_rest(path: Path) -> Iterator[Path]:
    """A file that can be read as often as needed: the path itself, or a copy of what comes out of a pipe, which goes
    afterwards. Raises QuestionsError for more than MAX_PIPED; what is raised meanwhile names the pipe, not the copy."""
    if not stat.S_ISFIFO(path.stat().st_mode):
        yield path
        return
    with TemporaryDirectory(prefix="botattack-") as folder:
        copy = Path(folder) / "questions"
        with path.open("rb") as pipe, copy.open("wb") as file:
            while piece := pipe.read(1 << 20):
                file.write(piece)
                if file.tell() > MAX_PIPED:
                    raise QuestionsError(f"more than {MAX_PIPED >> 20} MB come out of {path}; write them to a file")
        try:
            yield copy
        except QuestionsError as error:
            raise QuestionsError(str(error).replace(str(copy), str(path))) from None


def sample(path: Path, size: int = 1 << 16) -> bytes:
    """The first `size` bytes of the text."""
    with opened(path) as file:
        return file.read(size)


def decode(line: bytes) -> str:
    """The text of a line; raises Unfit naming the byte that is not UTF-8."""
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        byte = line[error.start]
        raise Unfit(f"byte {error.start + 1} of the line (0x{byte:02x}) is not UTF-8; save the file as UTF-8") from None


def _require_file(path: Path) -> None:
    if path.is_dir():
        raise QuestionsError(f"{path} is a directory; name a question file inside it")
    if not path.exists():
        hint = nearest_path(path) or "check the path, which is taken from the file naming it"
        raise QuestionsError(f"there is no question file {path}; {hint}")
    if not path.is_file():
        raise QuestionsError(f"{path} is not a regular file; copy the questions into one, or name a pipe with -q")


def _as_utf8(path: Path, raw: io.BufferedReader) -> BinaryIO:
    head = raw.peek(1024)[:1024]
    if not head:
        raise QuestionsError(f"{path} is empty; it should contain questions")
    if head.startswith(_UTF16) and not head.startswith(codecs.BOM_UTF32_LE):
        return cast("BinaryIO", io.BufferedReader(AsUtf8(raw, "utf-16")))
    for magic, why in _NOT_TEXT.items():
        if head.startswith(magic):
            raise QuestionsError(f"{path} is not text: {why}")
    if (at := head.find(0)) >= 0:
        raise QuestionsError(f"{path} is not text that can be read: byte {at + 1} is zero; save the file as UTF-8")
    if b"\r" in head[:-1] and b"\n" not in head:
        raise QuestionsError(f"the lines of {path} end with carriage returns alone; save it with line feeds")
    if head.startswith(codecs.BOM_UTF8):
        raw.read(len(codecs.BOM_UTF8))
        return raw
    if not (encoding := _other_encoding(path, raw)):
        return raw
    return cast("BinaryIO", io.BufferedReader(AsUtf8(raw, encoding)))


def _other_encoding(path: Path, raw: io.BufferedReader) -> str:
    """The encoding of a file from its beginning, where it goes back to; empty for UTF-8."""
    try:
        return encoding_of(raw)
    except QuestionsError as error:
        raise QuestionsError(f"{path}: {error}") from None
    finally:
        raw.seek(0)


def read_as(path: Path) -> str:
    """The name of the encoding that botattack guessed for a file; empty for one in UTF-8 or UTF-16."""
    _require_file(path)
    with path.open("rb") as raw:
        head = raw.peek(1024)[:1024]
        known = head.startswith((codecs.BOM_UTF8, *_UTF16, *_NOT_TEXT)) or b"\0" in head
        return "" if known else _other_encoding(path, raw)


def _skip_line(file: BinaryIO) -> None:
    while (piece := file.readline(1 << 20)) and not piece.endswith(b"\n"):
        pass
