"""What was seen of a page while it answered, when that counts as an answer, and how it is read again offline. Pure.

A recording (`Reply.raw`) is JSON: the selectors used, one row for each change that was seen, and the HTML of the
smallest element that held all messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, pairwise, repeat, zip_longest
from operator import attrgetter
from typing import TYPE_CHECKING

import msgspec

from botattack.errors import ExtractionFailed
from botattack.model import Reply
from botattack.protocols import Explained, Masks
from botattack.targets.browser.tree import NotRecorded, texts
from botattack.targets.messages.selectors import MAX_RAW, clean

if TYPE_CHECKING:
    from botattack.targets.browser.page_options import PageOptions

MAX_HTML = 100_000
"""Characters of HTML that a recording keeps; what is longer is left out whole."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
MAX_ROWS = 2_000
BETWEEN = "\x1e"
"""Separates the messages of one row."""


@dataclass(frozen=True)
class PageRow:
    """What the page showed at one moment. `at` is seconds since the message was sent; `text` holds the messages
    that are new since then, with BETWEEN between them; `coming` counts the responses that may bring more of it, and
    `over` says that nothing that can be seen may. `change` counts changes of a text that was masked: what differed may
    look the same now."""

    at: float
    count: int
    busy: int
    done: int
    text: str
    coming: int = 0
    over: int = 0
    change: int = 0

    def shows(self, other: PageRow) -> bool:
        """Whether nothing has changed."""
        return self._state == other._state

    @property
    def _state(self) -> tuple[object, ...]:
        return self.count, self.busy, self.done, self.text, self.coming, self.over, self.change


@dataclass
class Settling:
    """Decides, row by row, whether an answer is complete.

    An answer looks complete while there is one more message than `before`, not empty, and the page does not look busy:
    the busy sign is gone and no response is still coming, or the done sign is there. It has settled once its text has
    been the same for `still` seconds, and it has looked complete for the last `linger` of them; both are shorter by
    `spare` while nothing that can be seen may bring more. Whenever it continues after it looked complete, both grow, to
    `most` more at the most, and nothing is spared any more.

    A text seen again after that time has not changed in between, so an answer whose pauses are shorter is never cut,
    however late the rows come.
    """

    still: float
    gone: bool
    done: bool
    before: int
    done_before: int = 0
    linger: float = 0.0
    most: float = 0.0
    spare: float = 0.0
    settled: float | None = None
    """When that was seen; None while it is not so."""
    complete: float = 0.0
    """When the bot was ready: the last change before."""
    first: float | None = None
    """When the first piece of text was seen."""
    pause: float = 0.0
    """The longest pause inside the text."""
    silence: float = 0.0
    """The longest time for which it looked complete before it continued."""
    _changed: float = 0.0
    _ready: float | None = None
    _text: str = ""
    _change: int = 0
    _dipped: bool = field(default=False)
    over: bool = False
    """Whether nothing that can be seen may bring more, by the last row."""

    def see(self, row: PageRow) -> bool:
        """Whether the answer has settled, by this row."""
        self._dipped = self._dipped or row.done < self.done_before
        if (row.text, row.change) != (self._text, self._change):
            self._goes_on(row)
        self.over = row.over > 0
        there = row.count > self.before and not _is_blank(row.text)
        if there and self.first is None:
            self.first = row.at
        if not (there and self._signs(row)):
            self._ready = None
        elif self._ready is None:
            self._ready = row.at
        self.settled = row.at if self.looks_complete and row.at >= self.due else None
        self.complete = max(self._ready or 0.0, self._changed)
        return self.settled is not None

    @property
    def looks_complete(self) -> bool:
        return self._ready is not None

    @property
    def due(self) -> float:
        """The earliest moment at which a row like the last one would settle."""
        spare = min(self.spare, self.linger) if self.over else 0.0
        return max(self._changed + self.still - spare, (self._ready or 0.0) + self.linger - spare)

    def stood(self, at: float) -> float:
        """For how long the text has been the same."""
        return at - self._changed

    def _goes_on(self, row: PageRow) -> None:
        if not _is_blank(self._text):
            self.pause = max(self.pause, row.at - self._changed)
        if self._ready is not None:
            self.silence = max(self.silence, row.at - max(self._ready, self._changed))
            quiet = self.still - self.linger
            more = max(0.0, min(learnt_linger(self.silence, quiet), self.most) - self.linger)
            self.linger, self.still = self.linger + more, self.still + more
            self.spare = 0.0 if self.silence > quiet else self.spare
        self._text, self._change, self._changed = row.text, row.change, row.at

    def _signs(self, row: PageRow) -> bool:
        if self.done and (row.done > self.done_before or (row.done > 0 and self._dipped)):
            return True
        if row.coming:
            return False
        return row.busy == 0 if self.gone else not self.done


def learnt_linger(silence: float, quiet: float) -> float:
    """How long an answer of a bot is watched after `quiet` if one once continued after so long a silence: 1.2 times as
    long in all."""
    return max(0.0, 1.2 * silence - quiet)


def _is_blank(text: str) -> bool:
    return not text.strip(f" \n{BETWEEN}")


class _Raw(msgspec.Struct, omit_defaults=True):
    answer: str
    exclude: str | None
    gone: str | None
    done: str | None
    before: int
    done_before: int
    rows: list[tuple[float, int, int, int, int, str]]
    """(at, count, busy, done, characters kept from the text before, the rest of the text)"""
    html: str | None = None
    still: float = 0.0
    """What the text had to stay the same for, and below how long it had to look complete, where that was learnt in the
    run; recordings without them settled after the file's `quiet` alone."""
    linger: float = 0.0
    coming: list[int] = []
    """Of each row, from the first on, how many responses were still coming; what is left out were none."""
    over: list[int] = []
    """Of each row, from the first on, whether nothing that can be seen could bring more; what is left out could."""
    change: list[int] = []
    """Of each row, from the first on, how often its text had changed, where it was masked."""
    spare: float = 0.0
    page: int = 1


_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(_Raw).decode


def raw_of(options: PageOptions, rows: list[PageRow], settling: Settling, html: str | None) -> str:
    """What `Reply.raw` keeps; empty if even the rows are too long."""
    packed = list(_packed(rows))
    made = _Raw(
        options.answer,
        options.exclude,
        options.settled.gone,
        options.settled.done,
        settling.before,
        settling.done_before,
        packed,
        html,
        settling.still,
        settling.linger,
        _column([row.coming for row in rows]),
        _column([row.over for row in rows]),
        spare=settling.spare,
    )
    text = _encode(made).decode("utf-8", "replace")
    if len(text) > MAX_RAW:
        made.html = None
        text = _encode(made).decode("utf-8", "replace")
    return text if len(text) <= MAX_RAW and len(packed) <= MAX_ROWS else ""


def masked(raw: str, masks: Masks) -> str | None:
    """A recording with what is secret masked in each row and in the HTML; None if it is none of ours. What differed
    before and looks the same now still counts as a change, so that the answer settles when it did."""
    try:
        seen = _decode(raw)
    except msgspec.MsgspecError:
        return None
    rows = _rows(seen)
    texts = masks.growing([row.text for row in rows])
    html = masks.text(seen.html) if seen.html else seen.html
    if texts == [row.text for row in rows] and html == seen.html:
        return raw
    changed = accumulate([0, *(one.text != other.text for one, other in pairwise(rows))])
    new = [replace(row, text=text) for row, text in zip(rows, texts, strict=True)]
    made = msgspec.structs.replace(seen, rows=list(_packed(new)), html=html, change=list(changed))
    return _encode(made).decode("utf-8", "replace")


def _column(values: list[int]) -> list[int]:
    """Nothing where all are 0."""
    return values if any(values) else []


def _packed(rows: list[PageRow]) -> Iterator[tuple[float, int, int, int, int, str]]:
    text = ""
    for row in rows:
        kept = _shared(text, row.text)
        text = row.text
        yield row.at, row.count, row.busy, row.done, kept, text[kept:]


def _shared(old: str, new: str) -> int:
    """Characters at the start of both."""
    most = min(len(old), len(new))
    if old[:most] == new[:most]:
        return most
    return next(index for index in range(most) if old[index] != new[index])


def _rows(raw: _Raw) -> list[PageRow]:
    rows, text = [], ""
    more = zip_longest(raw.coming, raw.over, raw.change, fillvalue=0)
    for (at, count, busy, done, kept, rest), columns in zip(raw.rows, chain(more, repeat((0, 0, 0))), strict=False):
        text = text[:kept] + rest
        rows.append(PageRow(at, count, busy, done, text, *columns))
    return rows


def plain(line: str) -> str:
    """A line as it is compared with others: numbers, as in a time, make no difference."""
    return " ".join(_NUMBER.sub("#", line).split())


def without(text: str, lines: Sequence[str]) -> str:
    """A text without these lines, numbers apart."""
    if not lines:
        return text
    unwanted = {plain(line) for line in lines}
    return "\n".join(line for line in text.split("\n") if plain(line) not in unwanted)


def together(text: str, several: str) -> str:
    """The messages of a row as one answer."""
    messages = [_trimmed(clean(part, html=False)) for part in text.split(BETWEEN)]
    messages = [part for part in messages if part]
    if several == "join" or not messages:
        return "\n".join(messages)
    return messages[0 if several == "first" else -1]


def _trimmed(text: str) -> str:
    """Without white space around it; the first of several lines keeps its indentation, as the others do."""
    text = text.rstrip()
    lines = text.lstrip("\n")
    return lines if "\n" in lines else text.strip()


def extract(raw: str, options: PageOptions) -> Reply:
    """The reply as these options read it; raises NotRecorded if the page itself would be needed."""
    try:
        seen = _decode(raw)
    except msgspec.MsgspecError:
        raise NotRecorded("the page was not recorded, or is too long to be kept") from None
    rows = _rows(seen)
    if (options.answer, options.exclude) == (seen.answer, seen.exclude):
        return _settled_again(seen, rows, options)
    if not seen.html:
        raise NotRecorded("the page's HTML is not kept: it was too long")
    if not _same_end(seen, rows, options):
        raise NotRecorded("the HTML is that of the end, and with these options the answer settles before")
    return _from_html(seen.html, options)


def explain(raw: str, options: PageOptions) -> Explained:
    """What the page showed, and what was made of it; raises NotRecorded."""
    reply = extract(raw, options)
    seen = _decode(raw)
    rows = _rows(seen)
    yield "connect.answer", options.answer, rows[-1].text.split(BETWEEN) if rows else []
    for name, seen_as in (("gone", "busy"), ("done", "done")):
        sign, shown = getattr(options.settled, name), attrgetter(seen_as)
        if sign:
            yield f"connect.settled.{name}", sign, [f"{row.at:.2f} s: {shown(row)}" for row in _turns(rows, shown)]
    times = [f"first text after {reply.first or 0:.2f} s", f"complete after {reply.latency:.2f} s"]
    yield "connect.settled", f"quiet {options.settled.quiet:g} s, waited {seen.still:g} s", times


def _turns(rows: list[PageRow], sign: Callable[[PageRow], object]) -> list[PageRow]:
    """The rows at which a sign came or went."""
    pairs = zip(rows, [None, *rows], strict=False)
    return [row for row, before in pairs if before is None or sign(row) != sign(before)]


def _settled_again(seen: _Raw, rows: list[PageRow], options: PageOptions) -> Reply:
    moment = _replayed(seen, rows, options)
    if moment.settled is None:
        raise NotRecorded("with these options the answer had not settled when the recording ended")
    text = next(row.text for row in reversed(rows) if row.at <= moment.settled)
    text = BETWEEN.join(without(part, options.leave_out) for part in text.split(BETWEEN))
    return Reply(together(text, options.several), latency=moment.complete, first=moment.first)


def _replayed(seen: _Raw, rows: list[PageRow], options: PageOptions) -> Settling:
    """The first and the last row of each state are kept: in between, nothing was seen to change."""
    wanted, had = options.settled, seen
    for name, sign, kept in (("gone", wanted.gone, had.gone), ("done", wanted.done, had.done)):
        if sign is not None and sign != kept:
            raise NotRecorded(f"settled.{name} was not watched for {sign!r}")
    settling = Settling(
        max(wanted.quiet, had.still),
        wanted.gone is not None,
        wanted.done is not None,
        had.before,
        had.done_before,
        had.linger,
        spare=had.spare,
    )
    for row, following in pairwise([*rows, *rows[-1:]]):
        if settling.see(row):
            break
        if row.shows(following) and settling.due <= following.at and settling.see(replace(row, at=settling.due)):
            break
    return settling


def _same_end(seen: _Raw, rows: list[PageRow], options: PageOptions) -> bool:
    """Whether what the recording ends with is also what settles."""
    moment = _replayed(seen, rows, options)
    return (
        moment.settled is not None
        and bool(rows)
        and all(row.text == rows[-1].text for row in rows if row.at >= moment.settled)
    )


def _from_html(html: str, options: PageOptions) -> Reply:
    found = [
        clean(without(text, options.leave_out), html=False)
        for text in texts(html, options.answer, options.exclude or "")
    ]
    found = [text for text in found if text.strip() or not options.leave_out]
    if not found:
        sentence = f"nothing in the recorded page matches {options.answer!r}"
        raise ExtractionFailed(sentence, delivered=True, place="connect.answer")
    # How many messages there were before is known for the recorded selector alone: the last one is the answer.
    return Reply(found[-1])


def changes(rows: list[PageRow]) -> list[PageRow]:
    """The first and the last row of each state."""
    around = zip([None, *rows[:-1]], rows, [*rows[1:], None], strict=True)
    return [row for before, row, after in around if not (before and after and before.shows(row) and row.shows(after))]
