"""From one request to `connect` of a target file: where the question goes, and which values are secrets."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from botattack.audit.starting.call import BadStart, Call, Place, placed
from botattack.audit.starting.places import QUESTION, asked_in, inner_place, question_place, with_fresh, with_fresh_path
from botattack.config.literals import is_secret_name, literals
from botattack.options import JsonObject
from botattack.targets.messages.selectors import leaves

OF_TRANSPORT = re.compile(
    r"sec-.*|accept-encoding|content-length|host|connection|priority|te|dnt|upgrade.*|pragma|cache-control"
    r"|transfer-encoding|alt-used|content-type",
    re.IGNORECASE,
)
"""Headers that the library sets, or that say nothing to a bot."""
SCHEMES = "Bearer|Basic|Token|Api-?Key|Bot"
_SCHEME = re.compile(rf"({SCHEMES})\s+(.+)", re.IGNORECASE | re.DOTALL)
_PLACED = re.compile(r"\{\{ env\.(\w+) \}\}")
_VALUE = re.compile(
    rf"(\{{\{{.*?\}}\}}|^(?:{SCHEMES})\s+)|(?<![^\s;,={{}}])[^\s;,={{}}]++(?!=[^=;,\s])",
    re.IGNORECASE | re.DOTALL,
)
"""A placeholder or a scheme, which stays, or a value: not what `=` and a value follow, which is its name."""
_CHAT_PATH = "/chat/completions"
_COOKIE = (
    "every question sends the copied cookie, so all may share one session: if the bot sets a cookie by itself, delete "
    "the header Cookie from the target file, and each conversation keeps its own"
)


@dataclass(frozen=True)
class Draft:
    """`connect` of a target file, and the values of the environment that it places: these are never written. `asked` is
    the question in the request, if it has one of several words."""

    connect: JsonObject
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()
    asked: str = ""


def draft(call: Call, bot: str, message: str = "") -> Draft:
    """The target of a request. `message` is the text in it that is the question, where names do not tell.

    Raises BadStart if nothing in it looks like a question.
    """
    try:
        parts = urlsplit(call.url)
    except ValueError as error:
        raise BadStart(f"the URL is none ({error}); write it like https://HOST/PATH") from None
    if parts.scheme in ("ws", "wss") or any(name.lower() == "sec-websocket-key" for name in call.headers):
        url = call.url.replace("http", "ws", 1) if parts.scheme in ("http", "https") else call.url
        given = f"--kind websocket --url {shlex.quote(url)} --send-json '…'"
        raise BadStart(f"this opens a WebSocket, and the command does not say what is sent over it: give {given}")
    query: Any = dict(parse_qsl(parts.query, keep_blank_values=True))
    body: Any = call.json if call.json is not None else call.form or call.multipart
    headers = with_fresh({name: value for name, value in call.headers.items() if not OF_TRANSPORT.fullmatch(name)})
    url = urlunsplit(parts._replace(query="", fragment="", path=with_fresh_path(parts.path)))
    is_chat = isinstance(body, dict) and isinstance(body.get("model"), str) and _is_chat(body.get("messages"))
    if parts.path.endswith(_CHAT_PATH) and is_chat and not query and not call.user:
        connect = _openai(url, body, headers)
    else:
        request: JsonObject = {"url": url}
        kind = "json" if call.json is not None else "form" if call.form else "multipart"
        request |= _asking(call, kind, body, query, message)
        if call.method and call.method != ("POST" if body is not None or call.text else "GET"):
            request["method"] = call.method
        if headers:
            request["headers"] = headers
        if call.take:
            request["take"] = dict(call.take)
        around = {"open": call.opening, "request": request, "poll": call.fetching}
        connect = {"kind": "http", **{key: value for key, value in around.items() if value}}
        if call.user:
            user, _, password = call.user.partition(":")
            connect["auth"] = {"basic": {"user": user, "password": password}}
        placed_whole = isinstance(body, dict) and request.get("json", {}).get("messages") == "{{ messages }}"
        if placed_whole and (system := _system_of(body)):
            connect["chat"] = {"system": system}
    hidden = _Hidden(bot, call.env)
    whole = hidden.whole(connect)
    notes = (*call.notes, *([_COOKIE] if "cookie" in map(str.lower, headers) else []))
    return Draft(hidden.swept(whole), hidden.env, notes, message or _question_in(body) or _question_in(query))


def _question_in(body: object) -> str:
    path = question_place(body) if body else None
    text = "" if path is None else str(dict(leaves(body))[path])
    return text if len(text.split()) > 1 and QUESTION not in text else ""


def _asking(call: Call, kind: str, body: object, query: dict[str, str], message: str) -> JsonObject:
    """The parts of the request that carry the question, with the places for it and for the conversation."""
    found: JsonObject = {"query": query} if query else {}
    if call.text:
        return found | {"text": _in_text(call.text, message)}
    if kind == "json" and isinstance(body, dict) and not message and _is_chat(body.get("messages")):
        return found | {"json": with_fresh({**body, "messages": "{{ messages }}"})}
    path = (question_place(body, message) or inner_place(body)) if body is not None else None
    if path is not None:
        return found | {kind: with_fresh(_everywhere(body, path, message), path)}
    if (path := question_place(query, message)) is not None:
        asked = {"query": with_fresh(placed(query, path, asked_in(query, path, message)), path)}
        return asked | ({kind: with_fresh(body)} if body is not None else {})
    where = "the body" if body is not None else "the URL"
    raise BadStart(f"no text in {where} looks like a question; say which one is with --message 'TEXT'")


def _everywhere(body: object, path: Place, message: str) -> Any:
    """The body with the question at a place, and wherever else a sentence is the same text: some APIs want it twice."""
    said = dict(leaves(body))[path]
    same = [other for other, text in leaves(body) if text == said and " " in str(said).strip()]
    for each in dict.fromkeys((path, *same)):
        body = placed(body, each, asked_in(body, each, message))
    return body


def _in_text(text: str, message: str) -> str:
    """A body of any form with the question in it; raises BadStart where it is not clear which part is one."""
    said = [found for found in re.findall(r">([^<>]*)<", text) if len(found.split()) > 1]
    message = message or (said[0] if len(said) == 1 else "" if re.search(r"[<>{}=]", text) else text)
    if not message or text.count(message) != 1:
        raise BadStart("it is not clear which part of the body is the question; say it with --message 'TEXT'")
    return text.replace(message, QUESTION)


def _is_chat(messages: object) -> bool:
    return (
        isinstance(messages, list)
        and bool(messages)
        and all(isinstance(each, dict) and {"role", "content"} == each.keys() for each in messages)
        and all(isinstance(each["content"], str) for each in messages)
    )


def _system_of(body: JsonObject) -> str:
    """The first system message of a chat that is placed whole."""
    messages = [each for each in body.get("messages") or () if isinstance(each, dict)]
    found = next((each.get("content") for each in messages if each.get("role") in ("system", "developer")), "")
    return found if isinstance(found, str) else ""


def _openai(url: str, body: dict[str, object], headers: dict[str, str]) -> dict[str, object]:
    """The target of a server of the OpenAI shape."""
    connect = {"kind": "openai", "url": url.removesuffix(_CHAT_PATH), "model": body["model"]}
    name = next((name for name in headers if name.lower() == "authorization"), "")
    if name and (scheme := _SCHEME.fullmatch(headers[name])) and scheme[1].lower() == "bearer":
        connect["api_key"] = scheme[2]
        headers = {each: value for each, value in headers.items() if each != name}
    if system := _system_of(body):
        connect["system"] = system
    known = {key: body[key] for key in ("temperature", "max_tokens", "stream") if key in body}
    more = {
        key: value
        for key, value in body.items()
        if key not in (*known, "model", "messages", "stream", "seed", "stream_options")
    }
    return connect | known | ({"fields": more} if more else {}) | ({"headers": headers} if headers else {})


class _Hidden:
    """Replaces secrets by names of the environment, and keeps their values in memory alone."""

    def __init__(self, bot: str, of_shell: frozenset[str]) -> None:
        self.env: dict[str, str] = {}
        self._of_shell = of_shell
        self._prefix = re.sub(r"[^A-Z0-9]+", "_", bot.upper()).strip("_") or "BOT"
        if self._prefix[0].isdigit():
            self._prefix = f"BOT_{self._prefix}"

    def whole(self, value: object, name: str = "") -> Any:
        """Every value under a name of a secret becomes a name; what the shell would have placed is one already."""
        if isinstance(value, dict):
            return {key: self.whole(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self.whole(item, name) for item in value]
        if not isinstance(value, str):
            return value
        for each in self._of_shell.intersection(_PLACED.findall(value)):
            self.env.setdefault(each, os.environ.get(each, ""))
        if not is_secret_name(name) or not value:
            return value
        if "{{" in value:
            return _VALUE.sub(lambda match: match[1] or self._new(name, match[0]), value)
        scheme = _SCHEME.fullmatch(value)
        return f"{scheme[1]} {self._new(name, scheme[2])}" if scheme else self._new(name, value)

    def swept(self, connect: dict[str, object]) -> JsonObject:
        """Whatever a recording would mask as a secret becomes a name, too: a password in a URL."""
        for secret in sorted(literals(connect, Path()), key=len, reverse=True):
            for path, text in list(leaves(connect)):
                if isinstance(text, str) and path[-1] != "kind":
                    hide = re.compile(rf"(\{{\{{.*?\}}\}})|{re.escape(secret)}", re.DOTALL)
                    hidden = hide.sub(lambda found: found[1] or self._new("SECRET", found[0]), text)
                    connect = placed(connect, path, hidden) if hidden != text else connect
        return connect

    def _new(self, name: str, value: str) -> str:
        base = f"{self._prefix}_{re.sub(r'[^A-Z0-9]+', '_', name.upper()).strip('_')}"
        taken, number = base, 2
        while self.env.get(taken, value) != value:
            taken, number = f"{base}_{number}", number + 1
        self.env[taken] = value
        return f"{{{{ env.{taken} }}}}"
