"""What a browser recorded in a HAR file of talking to a bot: the request that carried the messages, and the replies."""

from __future__ import annotations

import binascii
import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from botattack.audit.starting.call import BadStart, Call
from botattack.audit.starting.places import BOT_WORDS, MESSAGE_NAMES, question_place
from botattack.errors import reason
from botattack.files import content
from botattack.options import JsonObject
from botattack.targets.messages.selectors import leaves
from botattack.targets.proving.behaviour import plain_name
from botattack.targets.proving.replies import Asking

MOST = 100_000_000
"""Bytes of the largest file."""
_TEXTS = re.compile(r"json|event-stream|text/(?:plain|html|xml)|javascript|xml|^$", re.IGNORECASE)
"""What a bot replies with: not scripts, styles, pictures and fonts of the page."""


@dataclass(frozen=True)
class _Exchange:
    """A request with the message in it, and its reply."""

    call: Call
    message: str
    reply: str
    named: bool
    """Whether the message stands under a name that messages have."""

    @property
    def where(self) -> str:
        parts = urlsplit(self.call.url)
        return f"{self.call.method} {parts.scheme}://{parts.netloc}{parts.path}"


def read_har(path: Path, message: str = "") -> tuple[Call, list[Asking]]:
    """The request that carried the messages, as it was sent last, and every message with its reply; `message` is a text
    that was sent, where nothing else tells which request that is. Raises BadStart if none is clear."""
    groups: dict[str, list[_Exchange]] = {}
    for exchange in _exchanges(_entries(path), message):
        groups.setdefault(exchange.where, []).append(exchange)
    ranked = sorted(groups, key=lambda where: _likelihood(groups[where]), reverse=True)
    if not ranked:
        what = f"in which {message!r} was sent" if message else "that carried a message"
        raise BadStart(
            f"{path} has no request {what} and was answered in text; record it while you chat, and save it with content"
        )
    if len(ranked) > 1 and _likelihood(groups[ranked[0]]) == _likelihood(groups[ranked[1]]):
        raise BadStart(f"{path}: which asks the bot: {'; '.join(ranked[:5])}? Give --message with a text you sent")
    found = groups[ranked[0]]
    return found[-1].call, [Asking(each.message, each.reply) for each in found]


def _likelihood(exchanges: Sequence[_Exchange]) -> tuple[bool, bool, int]:
    """What a message is called, what the address is called, and how many different messages were sent there."""
    first, messages = exchanges[0], {each.message for each in exchanges}
    return first.named, bool(BOT_WORDS.search(urlsplit(first.call.url).path)), len(messages)


def _entries(path: Path) -> list[object]:
    try:
        log = _mapping(_mapping(msgspec.json.decode(content(path, MOST))).get("log"))
    except OSError as error:
        raise BadStart(f"{path} cannot be read: {reason(error)}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadStart(f"{path} is not a HAR file, which is JSON: {error}") from None
    if not isinstance(entries := log.get("entries"), list):
        raise BadStart(f"{path} is not a HAR file: it has no log.entries; save it in the network tab of a browser")
    return entries


def _exchanges(entries: Sequence[object], message: str) -> Iterator[_Exchange]:
    for entry in entries:
        request, response = (_mapping(_mapping(entry).get(name)) for name in ("request", "response"))
        status, reply = response.get("status"), _reply(_mapping(response.get("content")))
        call = _call(request)
        if call is not None and _is_url(call.url) and reply.strip() and isinstance(status, int) and 200 <= status < 300:
            said, named = _said(call, message)
            if said.strip():
                yield _Exchange(call, said, reply, named)


def _is_url(text: str) -> bool:
    try:
        return urlsplit(text).scheme in ("http", "https") and bool(urlsplit(text).hostname)
    except ValueError:
        return False


def _said(call: Call, message: str) -> tuple[str, bool]:
    """The message in a request, empty if there is none, and whether its name says that it is one."""
    body = call.json if call.json is not None else call.form or call.multipart
    if message and message in call.text:
        return message, True
    query: object = dict(parse_qsl(urlsplit(call.url).query, keep_blank_values=True))
    for part in filter(None, (body, query)):
        if (place := question_place(part, message)) is not None:
            names = [plain_name(key) for key in place if isinstance(key, str)]
            return message or str(dict(leaves(part))[place]), bool(message or (names and names[-1] in MESSAGE_NAMES))
    return "", False


def _reply(body: Mapping[str, object]) -> str:
    """The text of a reply; empty for pictures, scripts and the like."""
    kind, text = str(body.get("mimeType") or ""), body.get("text")
    if not isinstance(text, str) or not _TEXTS.search(kind.partition(";")[0]):
        return ""
    if body.get("encoding") != "base64":
        return text
    with suppress(binascii.Error, ValueError):
        return b64decode(text).decode("utf-8", "replace")
    return ""


def _call(request: Mapping[str, object]) -> Call | None:
    url, method = request.get("url"), request.get("method")
    if not isinstance(url, str) or method not in ("GET", "POST", "PUT", "PATCH"):
        return None
    listed = _pairs(request.get("headers"))
    # HTTP/2 has the parts of the URL among its headers.
    headers = {name: value for name, value in listed.items() if not name.startswith(":")}
    return Call(url, method, headers, **_body(_mapping(request.get("postData"))))


def _body(data: Mapping[str, object]) -> JsonObject:
    kind, text = str(data.get("mimeType") or ""), data.get("text")
    text, fields = text if isinstance(text, str) else "", _pairs(data.get("params"))
    if "multipart" in kind and fields:
        return {"multipart": fields}
    if "urlencoded" in kind:
        return {"form": fields or dict(parse_qsl(text, keep_blank_values=True))}
    with suppress(ValueError, RecursionError):
        return {"json": json.loads(text)} if text else {}
    return {"text": text}


def _pairs(listed: Any) -> dict[str, str]:
    """Names and values of HAR's lists of {name, value}."""
    found = (_mapping(each) for each in (listed if isinstance(listed, list) else []))
    pairs = ((each.get("name"), each.get("value")) for each in found)
    return {name: value for name, value in pairs if isinstance(name, str) and isinstance(value, str)}


def _mapping(value: object) -> JsonObject:
    return value if isinstance(value, dict) else {}
