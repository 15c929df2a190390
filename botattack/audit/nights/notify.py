"""Telling people of a night: a message with figures, worst findings and the place of the report."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from botattack.audit.nights.night import Night
from botattack.errors import BotattackError, MissingPart, TargetError
from botattack.protocols import Unpaced
from botattack.recordings.masking import Masker
from botattack.report.comparison import diff_words
from botattack.report.escape import visible
from botattack.report.writers import words

if TYPE_CHECKING:
    from botattack.net.hosts import Hosts

SECONDS = 15.0
PAUSES = (0.0, 2.0, 8.0)
"""Before each try to deliver a message."""
WORST = 5
NOT_COMPARED = "There is no baseline: this night was compared with nothing."


class NotifyError(BotattackError):
    """A message that could not be delivered."""


def subject(night: Night) -> str:
    state = {0: "held", 1: "FAILED"}.get(night.exit, f"BROKE OFF (exit {night.exit})")
    return f"botattack {visible(night.name)}: {state}"


def text(night: Night) -> str:
    """The message as plain text; nothing a bot said can hide or reorder anything in it."""
    lines = [subject(night), visible(night.why, words.WHY)]
    if night.figures is not None:
        lines += ["", words.headline(night.figures, failure=False)]
    if night.comparison is None and night.exit in (0, 1):
        lines += [NOT_COMPARED]
    if night.comparison is not None:
        lines += [diff_words.verdict(night.comparison)]
        for shown in diff_words.named(night.comparison, str(night.folder), WORST):
            lines += ["", *shown]
    if night.folder is not None:
        lines += ["", f"report  {night.folder / 'report.html'}"]
    return "\n".join(lines)


def message(night: Night) -> dict[str, Any]:
    """What a webhook gets: `text` is what chat services show, the rest is for programs."""
    comparison = night.comparison
    return {
        "text": text(night),
        "campaign": night.name,
        "exit": night.exit,
        "why": visible(night.why, words.WHY),
        "run": night.figures.run.id if night.figures else "",
        "target": night.figures.run.target if night.figures else "",
        "rows": msgspec.to_builtins(comparison.rows) if comparison else [],
        "broken": [
            {
                "question": visible(change.alteration.question),
                "row": change.row,
                "unit": change.unit,
                "got": visible(change.got),
            }
            for change in (comparison.changes if comparison else ())
            if change.broke
        ][:100],
        "report": str(night.folder / "report.html") if night.folder else "",
    }


def check(webhooks: Sequence[str], apprise: Sequence[str]) -> None:
    """Raises NotifyError or MissingPart for a message that could never be sent, before a night is spent on it."""
    for url in webhooks:
        _hosts(url)
    if apprise:
        _sender(apprise)


def tell(night: Night, webhooks: Sequence[str], apprise: Sequence[str]) -> list[str]:
    """Sends the message everywhere, and gives a sentence for each place it did not reach."""
    failed = []
    for url in webhooks:
        try:
            asyncio.run(post(url, message(night)))
        except BotattackError as error:
            failed.append(f"the webhook was not reached: {error}")
    if apprise:
        try:
            _by_apprise(apprise, subject(night), text(night))
        except BotattackError as error:
            failed.append(str(error))
    return failed


async def post(url: str, payload: dict[str, Any]) -> None:
    """Raises NotifyError if the place did not take it after several tries. Every part of the URL but its host may be
    a secret: none is part of a message, though a page that says what was not found there repeats them."""
    from botattack.net import Call, Client

    client = Client(_hosts(url))
    call = Call("POST", url, (("content-type", "application/json"),), msgspec.json.encode(payload))
    mask, last = Masker(_secret_parts(url)), ""
    try:
        for pause in PAUSES:
            await asyncio.sleep(pause)
            try:
                async with asyncio.timeout(SECONDS):
                    await client.fetch(call, Unpaced())
                return
            except TargetError as error:
                last = mask.text(error.told(mask.excerpt))
            except TimeoutError:
                last = f"no answer within {SECONDS:g} s"
    finally:
        await client.close()
    raise NotifyError(last)


def _secret_parts(url: str) -> set[str]:
    """All that follows the host, and every part of it but plain words, such as `services`, on the way."""
    rest = re.sub("^[^/?#]*", "", url.partition("://")[2])
    path, _, query = rest.strip("/").partition("?")
    *way, last = path.split("/")
    words = (part for part in way if not re.fullmatch("[a-z]+", part))
    return {rest, last, *words, *re.split("[?&=#]", query)}


def _hosts(url: str) -> Hosts:
    from botattack.net.hosts import Hosts

    try:
        return Hosts.of([url])
    except ValueError:
        raise NotifyError("the URL of a webhook must start with http:// or https:// and name a host") from None


def _by_apprise(urls: Sequence[str], title: str, body: str) -> None:
    if not _sender(urls).notify(body=body, title=title):
        raise NotifyError("apprise could not deliver to every place")


def _sender(urls: Sequence[str]) -> Any:
    try:
        from apprise import Apprise, AppriseAsset
    except ImportError:
        raise MissingPart('notifying by apprise needs it: pip install "botattack[notify]"') from None
    # A place that sends a message on to another would give it, and what a URL of apprise contains, to a stranger.
    sender = Apprise(asset=AppriseAsset(http_redirects=False))
    for url in urls:
        if not sender.add(url):
            raise NotifyError("apprise does not understand one of its URLs")
    return sender
