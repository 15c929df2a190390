"""What passes between `botattack check` and a bot."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from botattack.recordings.redaction import Redactor

SHOWN = 2_000
"""Characters of a request or reply that are shown."""
LINES = 40


@dataclass
class Exchange:
    """A pace at which everything leaves at once, and what passes, which is shown once it is known what it means."""

    redactor: Redactor
    notes: list[str] = field(default_factory=list)
    passed: list[tuple[str, str]] = field(default_factory=list)
    """What was sent and what came; a body piece by piece."""
    quiet: bool = False
    first: str = ""
    """The first raw reply."""
    littered: str = ""
    """Says which document may still be in what the bot reads, if one may."""

    async def leave(self) -> None:
        return

    def shut(self, seconds: float | None) -> None:
        self.notes.append("the bot asked to wait" + (f" {seconds:g} s" if seconds else ""))

    def __call__(self, what: str, text: str) -> None:
        if what == "note":
            self.notes.append(text)
        elif not self.quiet:
            self.passed.append((what, text))

    def flush(self, raw: str = "") -> None:
        """Shows what has passed; nothing that came where `raw` tells that it could not be masked."""
        from botattack.recordings.redaction import WITHHELD

        passed, self.passed = self.passed, []
        for what, pieces in groupby(passed, lambda each: each[0]):
            texts = [text for _, text in pieces]
            for text in ["".join(texts)] if what == "body" else texts:
                self.say("->" if what == "sent" else "<-", raw if raw == WITHHELD and what != "sent" else text)

    def say(self, sign: str, text: str) -> None:
        """Masked, bounded, and harmless to a terminal."""
        from botattack.report.escape import visible

        text = self.redactor.mask.text(text, cut=True)  # a reply may have broken off
        lines = text[:SHOWN].split("\n")
        more = len(text) > SHOWN or len(lines) > LINES
        for line in lines[:LINES]:
            click.echo(f"  {sign} {visible(line, None)}".rstrip())
        if more:
            click.echo(f"  {sign} … ({len(text):,} characters)")
