"""What a browser recorded in a HAR file of talking to a bot: the request that carried the messages, and the replies."""

from __future__ import annotations

import binascii
import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from botattack.audit.starting.call import BadStart, Call, Place, placed
from botattack.audit.starting.draft import OF_TRANSPORT
from botattack.audit.starting.fetching import at, body_of, sign_of
from botattack.audit.starting.places import BOT_WORDS, ID, MESSAGE_NAMES, RANDOM, question_place
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
    """A request, the message in it if there is one, and its reply."""

    call: Call
    message: str
    reply: str
    named: bool
    """Whether the message stands under a name that messages have."""

    @property
    def where(self) -> str:
        parts = urlsplit(self.call.url)
        return f"{self.call.method} {parts.scheme}://{parts.netloc}{ID.sub('*', parts.path)}"

    @property
    def made_up(self) -> Iterator[tuple[Place, str]]:
        """The ids in its reply, which other calls may name."""
        told = ((path, str(value)) for path, value in leaves(body_of(self.reply)))
        return ((path, text) for path, text in told if RANDOM.fullmatch(text))


def read_har(path: Path, message: str = "") -> tuple[Call, list[Asking]]:
    """The request that carried the messages, as it was sent last, with the calls around it, and every message with its
    reply; `message` is a text that was sent, where nothing else tells which request that is. Raises BadStart if none
    is clear."""
    groups: dict[str, list[_Exchange]] = {}
    exchanges = [*_exchanges(_entries(path), message)]
    for exchange in filter(lambda each: each.message.strip(), exchanges):
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
    fetched = [_fetched(each, exchanges[exchanges.index(each) + 1 :]) for each in found]
    replies = [
        Asking(each.message, polls[-1].reply if polls else each.reply)
        for each, (_, polls) in zip(found, fetched, strict=True)
    ]
    call = _opened(found[-1].call, [each for each in exchanges[: exchanges.index(found[-1])] if each not in found])
    (place, value), polls = fetched[-1]
    if polls:
        sign = sign_of([body_of(each.reply) for each in (found[-1], *polls[:-1])], body_of(polls[-1].reply))
        ends = {"until": {"where": sign}} if sign else {"quiet": "2s"}
        poll = _named(_told(polls[-1].call), value, "{{ request.job }}")
        call = replace(call, take={"job": at(place)}, fetching={**poll, "every": "500ms", **ends})
    return call, replies


def _fetched(asked: _Exchange, later: Sequence[_Exchange]) -> tuple[tuple[Place, str], list[_Exchange]]:
    """What was fetched after a reply by an id in it, and where that is; nothing if the reply was all."""
    for place, value in asked.made_up:
        if polls := [each for each in later if each.call.method == "GET" and value in each.call.url]:
            return (place, value), polls
    return ((), ""), []


def _opened(call: Call, earlier: Sequence[_Exchange]) -> Call:
    """The call with the id of its conversation taken from the reply of the call that opened it, if it was recorded."""
    for each in reversed([each for each in earlier if each.call.method == "POST"]):
        for place, value in each.made_up:
            if value in call.url or value in (text for _, text in leaves(call.json)):
                told = _named({"url": call.url, "json": call.json}, value, "{{ open.id }}")
                return replace(call, **told, opening={**_told(each.call), "take": {"id": at(place)}})
    return call


def _told(call: Call) -> JsonObject:
    """The call as a target file has it."""
    parts = urlsplit(call.url)
    headers = {name: text for name, text in call.headers.items() if not OF_TRANSPORT.fullmatch(name)}
    told: JsonObject = {
        "url": parts._replace(query="", fragment="").geturl(),
        "method": call.method,
        "headers": headers,
    }
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    told |= {"query": query, "form": call.form, "text": call.text}
    return {key: each for key, each in told.items() if each} | ({} if call.json is None else {"json": call.json})


def _named(told: JsonObject, value: str, name: str) -> JsonObject:
    """The same with a placeholder wherever the value is."""
    for path, text in list(leaves(told)):
        if isinstance(text, str) and value in text:
            told = placed(told, path, text.replace(value, name))
    return told


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
        return b64decode(text).decode(errors="replace")
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
