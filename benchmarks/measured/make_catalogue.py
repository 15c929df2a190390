"""Writes docs/attacks.md: every attack that comes with botattack, from its docstring.

Run from the project's root: python -m benchmarks.measured.make_catalogue
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from botattack.attacks.building.choosing import VariantKeys
from botattack.config.docstrings import AttackEntry, OptionEntry, entry_of, options_in
from botattack.registry import BUILT_IN
from tests.plugs import hide_installed_plugs
from tests.variants.measured import FOLDER, Read, lines, newest, typed

MARK = "<!-- Below this line the page is written by `python -m benchmarks.measured.make_catalogue`. -->"
HEAD = """## Each attack

Written by `python -m benchmarks.measured.make_catalogue` from the docstrings; `botattack attacks show NAME` prints the same.
`expect` says what a right bot does: give the `same` answer, or a `different` one; `languages` are
those it works in: questions in others are never given to it, and reports count them.
`Readers` says how many variants mean what the attack claims, by those who read it last ([meaning.md](../benchmarks/measured/meaning.md)).{typed}"""
TYPED = """
`typed` says of how many a person might type them so, as two language models read them: a variant may be understood and yet be
typed by nobody."""

SHARED = """### Options of many attacks

A campaign sets these once for all of its attacks: `variants: {per_question: 3, stop_at_break: true}`. The section of an attack
lists those that it takes, with its defaults. An attack's own options come first: `dpaeg: {per_question: 5}`."""


PAGE = Path(__file__).parents[2] / "docs" / "attacks.md"


def page(labels: Iterable[dict[str, str]] | None = None) -> str:
    """The page as it should be: what is above the mark stays. With `labels` of who might type what, by default
    those that were given so far, it has a column."""
    found = [entry_of(name) for name in sorted(BUILT_IN["attacks"])]
    readers, seen = newest(), typed(read_so_far() if labels is None else labels)
    heads = ("attack", "in reports", "expect", "languages", "needs", *["typed"] * bool(seen))
    table = [_row(*heads), f"|{'---|' * len(heads)}"]
    for each in found:
        cells = (f"[`{each.name}`](#{each.name})", each.plain, each.expect, each.languages, each.needs)
        table.append(_row(*cells, *[plausible(seen.get(each.name))] * bool(seen)))
    sections = (line for entry in found for line in section(entry, readers.get(entry.name)))
    shared = (SHARED, "", *_listed(options_in(VariantKeys)))
    by_hand = PAGE.read_text("utf-8").partition(MARK)[0]
    return (
        by_hand
        + "\n".join([MARK, HEAD.format(typed=TYPED if seen else ""), "", *table, "", *shared, "", *sections]).rstrip()
        + "\n"
    )


def read_so_far() -> list[dict[str, str]]:
    """The labels of who might type what; none before somebody has read `plausible.jsonl`."""
    return [*lines("plausible_labels.jsonl")] if (FOLDER / "plausible_labels.jsonl").exists() else []


def plausible(read: tuple[float, int] | None) -> str:
    """`5.5 of 60`: how many variants a person might type, by those who read them."""
    return "–" if read is None else f"{read[0]:g} of {read[1]}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def section(entry: AttackEntry, readers: tuple[Read, str] | None) -> Iterator[str]:
    yield from (f"### {entry.name}", "", f"{entry.plain}. {entry.text}", "")
    if readers:
        read, who = readers
        yield from (f"Readers: {read.claimed:g} of {read.variants} as claimed ({who}).", "")
    if entry.options:
        yield from (*_listed(entry.options), "")
    if entry.shared:
        defaults = ", ".join(f"`{option.name}` {option.default}" for option in entry.shared)
        yield from (f"It takes these [options of many attacks](#options-of-many-attacks), by default: {defaults}.", "")


def _listed(options: Iterable[OptionEntry]) -> Iterator[str]:
    for option in options:
        yield f"- `{option.name}` ({option.kind}; default {option.default}): {option.text}".rstrip(": ")


if __name__ == "__main__":
    hide_installed_plugs()
    PAGE.write_text(page(), encoding="utf-8")
