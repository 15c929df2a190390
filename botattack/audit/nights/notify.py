"""Telling people of a night: a message with figures, worst findings and the place of the report."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import msgspec

from botattack.audit.nights.night import Night, NightSettings
from botattack.errors import BotattackError, MissingPart, TargetError
from botattack.protocols import Unpaced
from botattack.recordings.masking import Masker
from botattack.report.comparison.diff import ORIGINALS
from botattack.report.escape import visible
from botattack.report.stories.comparison import example, first_line, groups, name_of
from botattack.report.story.in_markdown import example_lines
from botattack.report.wording import words
from botattack.report.wording.headlines import headline
from botattack.version import pip_install

if TYPE_CHECKING:
    from botattack.net.hosts import Hosts

SECONDS = 15.0
"""How long one try to deliver a message may take."""
PAUSES = (0.0, 2.0, 8.0)
"""Before each try to deliver a message."""
WORST = 5
"""Changes that a message shows with what the bot said; it only names the others."""
MOST = 100
"""Lost answers, and those that are right again, that a message for programs names."""
PAGE = "report.html"
NOT_COMPARED = "There was no baseline: this night was compared with nothing."


class NotifyError(BotattackError):
    """A message that could not be delivered."""


def subject(night: Night) -> str:
    return f"botattack {visible(night.name)}: {_state(night)}"


def _state(night: Night) -> str:
    """A night `held` only if nothing at all got worse."""
    if night.exit:
        return "FAILED" if night.exit == 1 else f"DID NOT FINISH (exit {night.exit})"
    if night.comparison is None:
        return "pinned as the baseline" if night.pinned else "not compared"
    return "held" if night.comparison.held else "no alarm, but not all held"


def text(night: Night, base_url: str = "") -> str:
    """The message as plain text, what was lost first; nothing a bot said can hide or reorder anything in it."""
    comparison = night.comparison
    compared = [first_line(comparison, night.back)] if comparison else []
    why = words.unsaid(night.why, " ".join(compared))
    lines = [subject(night), *compared, *([why] if why else [])]
    lines += [NOT_COMPARED] * (comparison is None and night.exit in (0, 1))
    lines += filter(None, [night.edited])
    if night.figures is not None and night.figures.failures:
        lines.append(f"requests: {words.requests_line(night.figures)}")
    if comparison is not None:
        left = WORST
        for title, changes in groups(comparison):
            lines += ["", f"{title}:"]
            for change in changes:
                # Each is named once, the worst with what was said.
                whole = left > 0 and change.broke is not False
                left -= whole
                lines += [*example_lines(example(change, comparison)), ""] if whole else [f"- {name_of(change)}"]
                reason = night.reasons.get(change.alteration.question) if change.row == ORIGINALS else None
                lines += [f"why: {reason}", ""] if reason else []
    if night.figures is not None:
        lines += ["", headline(night.figures, failure=False)]
    if night.folder is not None:
        lines += ["", f"report  {report_link(night, base_url)}"]
    return "\n".join(lines)


def report_link(night: Night, base_url: str) -> str:
    """Where the page is: below the URL under which the folder of recordings is published, else its absolute path."""
    if night.folder is None:
        return ""
    if base_url:
        return f"{base_url.rstrip('/')}/{quote(night.folder.name)}/{PAGE}"
    return str(night.folder.resolve() / PAGE)


def message(night: Night, base_url: str = "") -> dict[str, object]:
    """What a webhook gets: `text` is what chat services show, the rest is for programs; the night's files have more."""
    comparison = night.comparison
    lost = comparison.originals(comparison.lost.confirmed) if comparison else []
    return {
        "text": text(night, base_url),
        "campaign": night.name,
        "exit": night.exit,
        "why": visible(night.why, words.WHY),
        "run": night.figures.run.id if night.figures else "",
        "target": night.figures.run.target if night.figures else "",
        "lost": [visible(change.alteration.question) for change in lost[:MOST]],
        "right_again": night.back[:MOST],
        "report": report_link(night, base_url),
    }


def check(settings: NightSettings) -> None:
    """Raises NotifyError or MissingPart for a message that could never be sent, before a night is spent on it."""
    for url in settings.webhooks:
        _hosts(url)
    if settings.apprise:
        _sender(settings.apprise)


def tell(night: Night, settings: NightSettings) -> list[str]:
    """Sends the message everywhere, and gives a sentence for each place it did not reach."""
    failed = []
    for url in settings.webhooks:
        try:
            asyncio.run(post(url, message(night, settings.base_url)))
        except BotattackError as error:
            failed.append(f"the webhook was not reached: {error}")
    if settings.apprise:
        try:
            _by_apprise(settings.apprise, subject(night), text(night, settings.base_url))
        except BotattackError as error:
            failed.append(str(error))
    return failed


async def post(url: str, payload: dict[str, object]) -> None:
    """Raises NotifyError if the place did not take it after several tries. Every part of the URL but its host may be
    a secret: none is part of a message, though a page that says what was not found there repeats them."""
    from botattack.net.client import Client
    from botattack.net.messages import Call

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
        if "@" in urlsplit(url).netloc:
            raise NotifyError(
                "the URL of a webhook contains a user name or password, which would not be sent; if its place needs "
                "one, use --apprise"
            )
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
        raise MissingPart(f"notifying by apprise needs it: {pip_install('notify')}") from None
    # A place that sends a message on to another would give it, and what a URL of apprise contains, to a stranger.
    sender = Apprise(asset=AppriseAsset(http_redirects=False))
    for url in urls:
        if not sender.add(url):
            raise NotifyError("apprise does not understand one of its URLs")
    return sender
