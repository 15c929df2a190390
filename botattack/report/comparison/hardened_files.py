"""What retraining did to a bot as a file: JSON or Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from botattack.report.comparison import hardened_words
from botattack.report.comparison.diff_files import change_json, rows_json
from botattack.report.comparison.diff_words import name_of
from botattack.report.comparison.hardened import Hardened
from botattack.report.writers.markdown import escaped
from botattack.report.writers.report_files import ReportFiles


def as_json(found: Hardened) -> dict[str, Any]:
    """Plain values in a stable order; intervals are of changes, and negative changes of rates are good."""
    return {
        "target": found.after.target,
        "before": found.before.id,
        "after": found.after.id,
        "verdict": found.verdict,
        "totals": rows_json(found.totals),
        "accuracy": msgspec.to_builtins(found.accuracy),
        "rows": rows_json(found.rows),
        "replies": found.replies,
        "changed replies": found.changed,
        "searched": list(found.searched),
        "training": msgspec.to_builtins(found.training),
        "seconds": found.seconds,
        "lost": [change_json(change) for change in found.lost],
        "found": [change_json(change) for change in found.found],
        "notes": list(found.notes),
    }


def _json(found: Hardened) -> Iterator[str]:
    yield json.dumps(as_json(found), indent=2, ensure_ascii=False)


def _markdown(found: Hardened) -> Iterator[str]:
    yield f"# botattack: {escaped(found.after.target)} before and after retraining"
    for sentence in hardened_words.summary(found):
        yield ""
        yield escaped(sentence, foreign=False)
    yield ""
    yield from (f"- note: {escaped(note)}" for note in found.notes)
    yield f"| {' | '.join(hardened_words.HEADER)} |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    for name, *cells in hardened_words.table(found):
        yield f"| {escaped(name, foreign=False)} | {' | '.join(cells)} |"
    yield ""
    yield "\n\n".join(escaped(remark, foreign=False) for remark in hardened_words.remarks(found))
    for title, changes in hardened_words.groups(found):
        yield ""
        yield f"## {title[0].upper()}{title[1:]}"
        yield ""
        yield from (f"- {escaped(name_of(change))}" for change in changes)


FILES = ReportFiles("report of a hardening", {".json": _json, ".md": _markdown})
