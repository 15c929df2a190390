"""What passes between `botattack check` and a bot, and how its knowledge base is tried: one harmless document is added,
waited for and removed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

import click

if TYPE_CHECKING:
    from botattack.config.target import TargetConfig
    from botattack.doors import Document
    from botattack.engine.ask import Asker
    from botattack.engine.library_calls import LibraryCalls
    from botattack.protocols import Target
    from botattack.recordings.redaction import Redactor

SHOWN = 2_000
"""Characters of a request or reply that are shown."""
LINES = 40
"""Lines of it that are shown."""


@dataclass
class Exchange:
    """What passes, which is shown once it is known what it means."""

    redactor: Redactor
    asker: Asker
    notes: list[str] = field(default_factory=list)
    passed: list[tuple[str, str]] = field(default_factory=list)
    """What was sent and what came; a body piece by piece."""
    quiet: bool = False
    first: str = ""
    """The first raw reply."""
    littered: str = ""
    """Says which document may still be in what the bot reads, if one may."""

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


HARMLESS = "botattack added this text to see how documents are added and removed. It means nothing."
_T = TypeVar("_T")


async def try_documents(config: TargetConfig, target: Target, heard: Exchange) -> None:
    """Says each step's outcome in a line, or why none was tried. Raises TargetError for a step that fails; the document
    is removed all the same, also after Ctrl-C."""
    from botattack.doors import documents
    from botattack.engine.library_calls import LibraryCalls

    library = target.library(uuid4().hex)
    if library is None:
        return
    if not config.may_write("documents"):
        ended = config.consent.until if config.consent and "documents" in config.consent.writes else None
        why = f"the consent to add any ended on {ended}" if ended else "the file has no consent to add any"
        click.echo(f"\ndocuments  not tried, as {why}: consent: {{…, writes: documents}}")
        return
    (document,) = documents([HARMLESS])
    heard.quiet = False
    click.echo()
    await _tried(heard, LibraryCalls(library, heard.asker), document)


async def clean_up(config: TargetConfig, target: Target, heard: Exchange, recordings: Path) -> None:
    """Removes what unfinished runs left in the bot's knowledge base, and says so. Raises TargetError if it stays."""
    from botattack.audit.job import address_of
    from botattack.engine.library_calls import LibraryCalls
    from botattack.events import DocumentRemoved
    from botattack.recordings.leftovers import leftovers

    library, address = target.library(uuid4().hex), address_of(config)
    with ExitStack() as stack:
        if library is not None and address is not None:
            for left in leftovers(recordings, config, address, redactor=heard.redactor, stack=stack):
                for name, fields in left.documents.items():
                    done = f"removed {name}, which {left.run} had left,"
                    await _remove(heard, LibraryCalls(library, heard.asker), done, name, fields)
                    left.record(DocumentRemoved(name=name))


async def _remove(
    heard: Exchange, calls: LibraryCalls, done: str, name: str, fields: Mapping[str, object] | None
) -> None:
    known = "".join(f", {key}: {value}" for key, value in (fields or {}).items())
    heard.littered = f"{name}{known} may still be in the bot's knowledge base: remove it by hand"
    await _step(heard, "remove", done, calls.remove(name, fields))
    heard.littered = ""


async def _tried(heard: Exchange, calls: LibraryCalls, document: Document) -> None:
    from botattack.errors import TargetError

    fields = None
    failed: BaseException | None = None
    try:
        fields = await _step(heard, "add", f"added {document.name}", calls.add(document))
        for name, value in fields.items():
            heard.say("  took", f"{name}: {value}")
        await _step(heard, "ready", "found", calls.ready(document, fields))
    except (TargetError, asyncio.CancelledError) as error:
        failed = error
    if not (isinstance(failed, TargetError) and failed.delivered is False and fields is None):
        try:
            await _remove(heard, calls, "removed", document.name, fields)
        except TargetError as error:
            failed = failed or error
    if failed is not None:
        raise failed


async def _step(heard: Exchange, step: str, done: str, call: Awaitable[_T]) -> _T:
    from botattack.errors import RateLimited, RunStopped, TargetError

    began = time.monotonic()
    try:
        found = await call
    except RunStopped as error:  # no run has ended, and a document that was added is removed all the same
        failed: TargetError = RateLimited(str(error), delivered=True)
    except TargetError as error:
        failed = error
    else:
        took = f"{done} after {time.monotonic() - began:.2f} s"
        click.echo(f"documents  {took if heard.passed else f'nothing to do, as the file has no {step}'}")
        heard.passed.clear()
        return found
    heard.flush()
    click.echo(f"documents  {step} failed")
    failed.place = failed.place or f"connect.documents.{step}"
    raise failed
