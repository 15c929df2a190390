"""A question set in seeded random order, for any size: the questions lie on disk, memory holds 16 bytes of each."""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from hashlib import blake2b
from itertools import chain, groupby, islice
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO, NamedTuple, Self, TypeVar

import msgspec

from botattack.errors import QuestionsError
from botattack.model import Question, UserTurn
from botattack.protocols import BadRecord, QuestionReader

Table = list["array[int]"]
"""Order key and place in the spool of every record, one after the other: sorted, in one array for each first byte of
the keys, so that sorting takes no memory to speak of."""

PLACES = 5
"""Bad records that are listed with their place; all are counted."""
MOST_LOST = 0.02
"""The share of a file's records that may be bad. More is a file that was misread, or that needs another column."""
_NAMED = 50
"""Bad records that are named where so many of them stop the run."""
MOST_LANGUAGES = 50
"""Languages of which a sample question is kept: a file may have another `lang` in each record."""
MOST_DISPUTED = 3
"""Questions with different answers that are named."""

_T = TypeVar("_T")
_LINE = 1024
"""Bytes that hold most questions."""


def order_key(seed: int, question_id: str) -> int:
    """64 bits that put questions in an order of `seed` alone, whatever their order in the file."""
    return int.from_bytes(blake2b(f"{seed}/{question_id}".encode(), digest_size=8).digest())


class Disputed(NamedTuple):
    """A question, the numbers of its records in the file, from 1, and the answers of each."""

    text: str
    records: tuple[int, ...]
    answers: tuple[tuple[str, ...], ...]


class QuestionSet:
    """Distinct questions in seeded order. A context manager: its spool, an unnamed temporary file, goes with it,
    even when the process is killed.

    `total` counts the distinct questions of the file and `duplicates` the records that asked one of them again, so that
    `total + duplicates + bad_records` is every record; `len()` counts the questions left by limit and shard.
    """

    def __init__(
        self, spool: IO[bytes], table: Table, total: int, duplicates: int, bad_records: int, *, seed: int
    ) -> None:
        self._spool = spool
        self._table = table
        self._decode = msgspec.json.Decoder(Question).decode
        self._size = sum(1 for _ in _groups(table))
        self.total = total
        self.duplicates = duplicates
        self.bad_records = bad_records
        self._seed = seed
        self.samples: tuple[Question, ...] = ()
        """The file's first question in each of its first MOST_LANGUAGES languages."""
        self.has_gold = False
        """Whether the file says of any of its questions what a right reply is."""
        self.disputed: tuple[Disputed, ...] = ()
        """The first questions left by limit and shard whose records have no answer in common."""

    @classmethod
    def load(
        cls,
        path: Path,
        reader: QuestionReader,
        seed: int,
        limit: int | None = None,
        *,
        on_bad: Callable[[BadRecord], None],
        shard: tuple[int, int] = (1, 1),
    ) -> Self:
        """Reads the whole file once; raises QuestionsError if it contains no question, if more than MOST_LOST of its
        records are bad, or if the disk is full.

        `limit` takes the first n distinct questions in seeded order, which is a random sample of the set.
        `shard` (i, n) then takes the i-th of n parts, i from 1: by order key, so every part is a random sample as well,
        and the n parts of one seed and limit are the set.
        """
        try:
            # Closing a file on a full disk fails again, so that must be inside, too.
            with ExitStack() as stack:
                spool = stack.enter_context(TemporaryFile())
                filling = _Filling(spool, seed)
                bad = filling.fill(reader(path), on_bad)
                table, total = filling.table()
                if not total:
                    raise QuestionsError(_nothing(path, bad, filling.first_bad))
                records = sum(map(len, table)) // 2
                if bad > MOST_LOST * (records + bad):
                    raise QuestionsError(_too_many_lost(path, bad, records + bad, filling.first_bad))
                disputed = filling.disputed(limit, shard) if records > total else ()
                found = tuple(islice(disputed, MOST_DISPUTED))
                _select(table, limit, shard)
                questions = cls(spool, table, total, records - total, bad, seed=seed)
                questions.disputed = found
                questions.samples = tuple(filling.samples.values())
                questions.has_gold = filling.has_gold
                stack.pop_all()
                return questions
        except OSError as error:
            where = gettempdir()
            raise QuestionsError(f"{path} does not fit into {where}: {error.strerror}; set TMPDIR") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Removes the spool."""
        self._spool.close()

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[tuple[Question, int]]:
        """Each question with how many more records asked it; their answers and tags are joined, in the file's order."""
        for _, offsets in _groups(self._table):
            first, *again = [self._read(offset) for offset in offsets]
            yield _joined(first, again), len(again)

    @property
    def digest(self) -> str:
        """The same for the same questions left by limit and shard, in whatever order their file has them."""
        found = blake2b(digest_size=16)
        for key, _ in _groups(self._table):
            found.update(key.to_bytes(8))
        return found.hexdigest()

    def records(self, parts: int) -> Callable[[int], Iterator[Question]]:
        """Gives the records of the i-th of n parts, i from 1, which has the questions that `shard` would take."""
        places = [array("Q") for _ in range(parts)]
        for key, place in _entries(self._table):
            places[key % parts].append(place)
        return lambda part: map(self._read, places[part - 1])

    def lacks(self, ids: Iterable[str]) -> int:
        """How many of these ids are of none of the questions left by limit and shard."""
        return sum(not self._holds(order_key(self._seed, question)) for question in ids)

    def _holds(self, key: int) -> bool:
        keys = self._table[key >> 56][::2]
        at = bisect_left(keys, key)
        return at < len(keys) and keys[at] == key

    def _read(self, offset: int) -> Question:
        return self._decode(_line(self._spool, offset))


def _line(spool: IO[bytes], offset: int) -> bytes:
    line = os.pread(spool.fileno(), _LINE, offset)
    while (end := line.find(b"\n")) < 0:
        line += os.pread(spool.fileno(), len(line), offset + len(line))
    return line[:end]


class _Filling:
    """Writes questions to the spool, and collects their entries by first byte."""

    def __init__(self, spool: IO[bytes], seed: int) -> None:
        self._spool = spool
        self._seed = seed
        self._table = [array("Q") for _ in range(256)]
        self.first_bad: list[BadRecord] = []
        self.samples: dict[str, Question] = {}
        self.has_gold = False
        self._bad = array("Q")
        """Where in the spool a bad record would be."""

    def fill(self, rows: Iterator[Question | BadRecord], on_bad: Callable[[BadRecord], None]) -> int:
        """Takes every row; returns how many were bad."""
        encode = msgspec.json.Encoder().encode
        offset = bad = 0
        for row in rows:
            if isinstance(row, BadRecord):
                bad += 1
                self._bad.append(offset)
                if len(self.first_bad) < _NAMED:
                    self.first_bad.append(row)
                on_bad(row)
                continue
            if row.lang not in self.samples and len(self.samples) < MOST_LANGUAGES:
                self.samples[row.lang] = row
            self.has_gold = self.has_gold or row.has_gold
            key = order_key(self._seed, row.id)
            entries = self._table[key >> 56]
            entries.append(key)
            entries.append(offset)
            offset += self._spool.write(encode(row) + b"\n")
        self._spool.flush()
        return bad

    def table(self) -> tuple[Table, int]:
        """The entries sorted, and how many questions they are of."""
        for number, entries in enumerate(self._table):
            self._table[number] = _array(sorted(_entries([entries])))
        return self._table, sum(len({*entries[::2]}) for entries in self._table)

    def disputed(self, limit: int | None, shard: tuple[int, int]) -> Iterator[Disputed]:
        """Questions left by limit and shard whose records have no answer in common, once the entries are sorted."""
        decode = msgspec.json.Decoder(Question).decode
        for key, offsets in islice(_groups(self._table), limit):
            if not offsets[1:] or key % shard[1] != shard[0] - 1:
                continue
            questions = [(offset, decode(_line(self._spool, offset))) for offset in offsets]
            given = [(offset, tuple(gold.text for gold in each.answers)) for offset, each in questions if each.answers]
            folded = [{answer.strip().casefold() for answer in answers} for _, answers in given]
            if given and not set.intersection(*folded):
                numbers = tuple(self._number(offset) for offset, _ in given)
                yield Disputed(questions[0][1].text, numbers, tuple(answers for _, answers in given))

    def _number(self, offset: int) -> int:
        before = sum(place < offset for _, place in _entries(self._table))
        return before + bisect_right(self._bad, offset) + 1


def _array(entries: Iterable[tuple[int, int]]) -> array[int]:
    return array("Q", [*chain.from_iterable(entries)])  # of a list, it takes no more memory than it needs


def _entries(table: Table) -> Iterator[tuple[int, int]]:
    return chain.from_iterable(zip(entries[::2], entries[1::2], strict=True) for entries in table)


def _groups(table: Table) -> Iterator[tuple[int, list[int]]]:
    """Order key and places of each distinct question. Two ids share a key as rarely as two questions share an id."""
    for key, entries in groupby(_entries(table), itemgetter(0)):
        yield key, [offset for _, offset in entries]


def _select(table: Table, limit: int | None, shard: tuple[int, int]) -> None:
    """Drops in place what limit and shard leave out."""
    part, parts = shard
    if limit is None and parts == 1:
        return
    for number, entries in enumerate(table):
        groups = [*islice(_groups([entries]), limit)]
        limit = None if limit is None else limit - len(groups)
        ours = (group for group in groups if group[0] % parts == part - 1)
        table[number] = _array((key, offset) for key, offsets in ours for offset in offsets)


def _joined(first: Question, again: list[Question]) -> Question:
    if not again:
        return first
    every = (first, *again)
    return msgspec.structs.replace(
        first,
        answers=_all(question.answers for question in every),
        requires=_all(question.requires for question in every),
        tags=_all(question.tags for question in every),
        times_asked=sum(question.times_asked for question in every),
        licence="; ".join(_all((question.licence,) for question in every if question.licence)),
        earlier=tuple(
            UserTurn(
                turn.text, _all(each.answers for each in (turn, *same)), _all(each.requires for each in (turn, *same))
            )
            for turn, *same in zip(*(question.earlier for question in every), strict=True)
        ),
    )


def _all(several: Iterable[tuple[_T, ...]]) -> tuple[_T, ...]:
    """The members of each, once."""
    return tuple(dict.fromkeys(member for members in several for member in members))


def _nothing(path: Path, bad: int, first: Sequence[BadRecord]) -> str:
    if not first:
        return f"{path} contains no questions"
    return f"{path} contains no question that can be read: {bad_places(bad, first)}"


def _too_many_lost(path: Path, bad: int, records: int, first: Sequence[BadRecord]) -> str:
    return (
        f"{bad:,} of {records:,} records of {path} cannot be read, more than {MOST_LOST:.0%}: correct or delete them; "
        + bad_places(bad, first, _NAMED)
    )


def bad_places(number: int, first: Sequence[BadRecord], most: int = PLACES) -> str:
    """`7 bad records: line 3: why; … and 2 more`: how many there are, and where the first of them stand."""
    places: dict[str, list[str]] = {}
    for record in first[:most]:
        places.setdefault(record.why, []).append(str(record.line))
    told = [f"line{'s' if lines[1:] else ''} {', '.join(lines)}: {why}" for why, lines in places.items()]
    more = f"; and {number - most:,} more" if number > most else ""
    return f"{number:,} bad record{'' if number == 1 else 's'}: {'; '.join(told)}{more}"
