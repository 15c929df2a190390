"""What `botattack check` does with a bot's knowledge base: one harmless document, added, waited for and removed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

import click

if TYPE_CHECKING:
    from botattack.cli.exchange import Exchange
    from botattack.config.target import TargetConfig
    from botattack.doors import Document, Library
    from botattack.protocols import Target

HARMLESS = "botattack added this text to see how documents are added and removed. It means nothing."
_T = TypeVar("_T")


async def try_documents(config: TargetConfig, target: Target, heard: Exchange) -> None:
    """Says each step's outcome in a line, or why none was tried. Raises TargetError for a step that fails; the document
    is removed all the same, also after Ctrl-C."""
    from botattack.doors import documents

    library = target.library(uuid4().hex)
    if library is None:
        return
    if not config.may_write:
        ended = config.consent.until if config.consent and config.consent.writes else None
        why = f"the consent to add any ended on {ended}" if ended else "the file has no consent to add any"
        click.echo(f"\ndocuments  not tried, as {why}: consent: {{…, writes: documents}}")
        return
    (document,) = documents([HARMLESS])
    heard.quiet = False
    click.echo()
    await _tried(config, library, heard, document)


async def clean_up(config: TargetConfig, target: Target, heard: Exchange, recordings: Path) -> None:
    """Removes what unfinished runs left in the bot's knowledge base, and says so. Raises TargetError if it stays."""
    from botattack.audit.job import address_of
    from botattack.events import DocumentRemoved
    from botattack.recordings.leftovers import leftovers

    library, address = target.library(uuid4().hex), address_of(config)
    with ExitStack() as stack:
        if library is not None and address is not None:
            for left in leftovers(recordings, config, address, redactor=heard.redactor, stack=stack):
                for name, fields in left.documents.items():
                    done = f"removed {name}, which {left.run} had left,"
                    call = library.remove(name, fields, heard)
                    await _remove(heard, done, (name, fields), call, config.limits.timeout)
                    left.record(DocumentRemoved(name=name))


async def _remove(
    heard: Exchange, done: str, there: tuple[str, Mapping[str, Any] | None], call: Awaitable[None], seconds: float
) -> None:
    known = "".join(f", {key}: {value}" for key, value in (there[1] or {}).items())
    heard.littered = f"{there[0]}{known} may still be in the bot's knowledge base: remove it by hand"
    await _step(heard, "remove", done, call, seconds)
    heard.littered = ""


async def _tried(config: TargetConfig, library: Library, heard: Exchange, document: Document) -> None:
    from botattack.errors import TargetError

    limits, fields = config.limits, None
    failed: BaseException | None = None
    try:
        fields = await _step(heard, "add", f"added {document.name}", library.add(document, heard), limits.timeout)
        for name, value in fields.items():
            heard.say("  took", f"{name}: {value}")
        await _step(heard, "ready", "found", library.ready(document, fields, heard), limits.question_timeout)
    except (TargetError, asyncio.CancelledError) as error:
        failed = error
    if not (isinstance(failed, TargetError) and failed.delivered is False and fields is None):
        try:
            call = library.remove(document.name, fields, heard, certain=fields is not None)
            await _remove(heard, "removed", (document.name, fields), call, limits.timeout)
        except TargetError as error:
            failed = failed or error
    if failed is not None:
        raise failed


async def _step(heard: Exchange, step: str, done: str, call: Awaitable[_T], seconds: float) -> _T:
    from botattack.errors import TargetError, TimedOut

    began = time.monotonic()
    try:
        async with asyncio.timeout(seconds):
            found = await call
    except TimeoutError:
        failed: TargetError = TimedOut(f"not done within {seconds:g} s")
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
