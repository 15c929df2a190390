"""Bots side by side as a file: JSON, Markdown, or a page that needs no network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from botattack.places import write_place
from botattack.report.comparison import side_words
from botattack.report.comparison.diff import DiffRow
from botattack.report.comparison.side_by_side import Breaks, SharedAdversary, SideBySide, differs
from botattack.report.writers.markdown import escaped, fenced
from botattack.report.writers.page_template import rendered
from botattack.report.writers.report_files import ReportFiles


def as_json(found: SideBySide) -> dict[str, Any]:
    """Plain values in a stable order; bots are numbered from 0 as they are listed."""
    return {
        "bots": [
            {
                "name": bot.name,
                "run": bot.run.id,
                "started": bot.run.started,
                "right": bot.right,
                "decided": bot.decided,
            }
            for bot in found.bots
        ],
        "questions": found.questions,
        "attacks": {name: list(map(_breaks, breaks)) for name, breaks in found.rows.items()},
        "variants by number of bots": {str(number): units for number, units in found.spread.items()},
        "transfer": [
            {
                "from": one.source,
                "to": one.to,
                "both": _breaks(one.both),
                "every": _breaks(one.every),
                "by chance": one.chance,
            }
            for one in found.transfers
        ],
        "pairs": [
            {"first": pair.first, "second": pair.second, "rows": [_row(row) for row in pair.rows]}
            for pair in found.pairs
        ],
        "shared": [_adversary(one) for one in found.shared],
        "shared variants": found.shared_units,
        "shared questions": found.shared_questions,
        "notes": list(found.notes),
    }


def _breaks(breaks: Breaks) -> dict[str, Any]:
    return {**msgspec.to_builtins(breaks), "rate": breaks.rate}


def _row(row: DiffRow) -> dict[str, Any]:
    """What compares two bots; the words for two runs of one bot are left out."""
    names = ("name", "questions", "units", "change", "interval", "p", "q", "undecided")
    plain = msgspec.to_builtins(row)
    both = {"first": row.old, "second": row.new, "first_alone": row.fixed, "second_alone": row.broken}
    return {**{name: plain[name] for name in names}, **both, "breaks_more": differs(row)}


def _adversary(one: SharedAdversary) -> dict[str, Any]:
    return {
        "attack": one.row,
        "question": one.alteration.question,
        "question_id": one.question_id,
        "unit": one.unit,
        "edits": msgspec.to_builtins(one.alteration.edits, enc_hook=write_place),
        "sent": [turn.text for turn in one.alteration.sent],
        "expected": list(one.expected),
        "expect": one.expect,
        "broke": list(one.broke),
        "replies": {str(number): reply for number, reply in sorted(one.replies.items())},
    }


def _json(found: SideBySide) -> Iterator[str]:
    yield json.dumps(as_json(found), indent=2, ensure_ascii=False)


def markdown(found: SideBySide) -> Iterator[str]:
    """The lines of the comparison, foreign text fenced or escaped."""
    yield "# botattack: bots side by side"
    yield ""
    yield f"**{escaped(side_words.headline(found), foreign=False)}**"
    yield ""
    yield from (f"- note: {escaped(note)}" for note in found.notes)
    for table in side_words.tables(found):
        yield from ("", f"## {table.title}", "", escaped(table.note, foreign=False), "")
        yield f"| {' | '.join(escaped(cell, foreign=False) for cell in table.header)} |"
        yield f"|{' --- |' * len(table.header)}"
        for row in table.rows:
            yield f"| {' | '.join(escaped(cell, foreign=False) for cell in row)} |"
    if found.shared:
        yield from ("", "## Shared adversaries")
    for one in found.shared[: side_words.LISTED]:
        yield ""
        yield from fenced(side_words.adversary(one, found))


def page(found: SideBySide) -> Iterator[str]:
    """One page without scripts that needs no network."""
    shown = [side_words.adversary(one, found) for one in found.shared[: side_words.ON_PAGE]]
    yield rendered("side_by_side.html", ("page.css",), found=found, words=side_words, shown=shown)


FILES = ReportFiles("comparison of bots", {".json": _json, ".md": markdown, ".html": page})
