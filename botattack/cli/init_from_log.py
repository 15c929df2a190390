"""`botattack init --from-log`: real conversations become a question file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from botattack.cli.shared_flags import Flags, say

if TYPE_CHECKING:
    from botattack.audit.starting.logs.suite import Summary
    from botattack.audit.starting.starter_files import StarterFiles

_MOST = 1 << 20
"""Bytes of the words to keep."""
_TOLD = 20_000
"""Messages between two lines of progress."""


def from_log(files: StarterFiles, given: Flags, *, alone: bool) -> None:
    """Writes the question file, which then is the one given, and prints what was found and replaced. `alone`: nothing
    else is written."""
    from botattack.audit.starting.call import BadStart
    from botattack.audit.starting.logs.suite import LogSettings, suite_from, write_suite
    from botattack.questions.conversations import FIELDS
    from botattack.questions.files import sample
    from botattack.report.wording.commands import command
    from botattack.text.folding import folded
    from botattack.text.tokens import words

    path = files.template.with_suffix(".jsonl")
    if path.exists():
        raise BadStart(f"{path} is there already; give another --name or --into, or move it away")
    if not alone:
        files.check(path)
    if unknown := sorted(given["columns"].keys() - set(FIELDS)):
        raise BadStart(f"--column maps {unknown[0]!r}, which no log has; it may map {', '.join(FIELDS)}")
    kept = sample(given["keep"], _MOST).decode(errors="replace") if given["keep"] else ""
    keep = frozenset(folded(word.text) for word in words(kept))
    rows, summary = suite_from(LogSettings(given["logs"], given["lang"], keep, given["columns"]), _progress)
    write_suite(path, rows)
    _tell(summary, len(rows))
    click.echo(f"wrote      {path}")
    given |= {"questions": path, "columns": {}}
    if alone:
        click.echo(f"next       read it, then {command('init', '-q', str(path))} says what the bot is")


def _progress(look: int, messages: int) -> None:
    if messages % _TOLD == 0:
        say(f"reading    {'counting words' if look == 1 else 'taking questions out'}: {messages:,} messages")


def _tell(summary: Summary, different: int) -> None:
    from botattack.report.escape import visible
    from botattack.report.numbers import count

    replaced = ", ".join(f"{times:,} {kind}" for kind, times in summary.replaced.most_common())
    click.echo(f"read       {count(summary.messages, 'message')} of users in {count(summary.chats, 'conversation')}")
    for why in summary.broken[:3]:
        say(f"skipped    {visible(why)}")
    if len(summary.broken) > 3:
        say(f"skipped    {len(summary.broken) - 3:,} more records that cannot be read")
    asked = count(summary.asked - summary.lost, "question")
    click.echo(f"asked      {asked}, {different:,} different ones after near-duplicates")
    if summary.lost:
        click.echo(f"left out   {summary.lost:,} more: they have a word that fewer than three conversations share")
    click.echo(f"replaced   {replaced or 'nothing'}")
    if summary.named:
        named = count(summary.named, "question")
        click.echo(f"hint       {named} got made-up names; name products in a file for --keep, and they stay")
    click.echo("            read the file before you share it: names that no list has may be left")
