"""Writes docs/attacks.md: every attack that comes with botattack, from its docstring.

Run from the project's root: python docs/make_catalogue.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from botattack.config.docstrings import AttackEntry, entry_of
from botattack.registry import BUILT_IN

HEAD = """# Attacks

Written by `python docs/make_catalogue.py` from the docstrings; `botattack attacks show NAME` prints the same.
`expect` says what a right bot does: give the `same` answer, or a `different` one; `languages` are
those it works in: questions in others are never given to it, and reports count them."""


def page() -> str:
    """The page as it should be."""
    found = [entry_of(name) for name in sorted(BUILT_IN["attacks"])]
    rows = [
        _row(f"[`{each.name}`](#{each.name})", each.plain, each.expect, each.languages, each.needs) for each in found
    ]
    table = ["| attack | in reports | expect | languages | needs |", "|---|---|---|---|---|", *rows]
    return "\n".join([HEAD, "", *table, "", *(line for entry in found for line in section(entry))]).rstrip() + "\n"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def section(entry: AttackEntry) -> Iterator[str]:
    yield from (f"## {entry.name}", "", f"{entry.plain}. {entry.text}", "")
    for option in entry.options:
        yield f"- `{option.name}` ({option.kind}; default {option.default}): {option.text}".rstrip(": ")
    if entry.options:
        yield ""


if __name__ == "__main__":
    Path(__file__).with_name("attacks.md").write_text(page(), encoding="utf-8")
