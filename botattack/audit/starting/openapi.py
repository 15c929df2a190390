"""The request to a bot that an OpenAPI document describes: a file, or what is at a URL."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import msgspec

from botattack.audit.starting.call import BadStart, Call
from botattack.audit.starting.places import BOT_WORDS, MESSAGE_NAMES
from botattack.config.yaml import parse
from botattack.errors import reason
from botattack.files import content
from botattack.net.client import Client
from botattack.net.hosts import Hosts
from botattack.net.messages import Call as Request
from botattack.options import JsonObject
from botattack.protocols import Unpaced
from botattack.targets.proving.behaviour import plain_name

MOST_BYTES = 10_000_000
"""Bytes of the largest document."""
SECONDS = 20
"""How long fetching a document may take."""
DEPTH = 12
"""Schemas inside one another that an example is made of."""
MOST = 1_000
"""Schemas that one example is made of: schemas that name one another ten times each make billions within DEPTH."""
_VERBS = ("post", "get", "put")
_NAMES_OF_CREDENTIALS = frozenset({"BOT_API_KEY", "BOT_LOGIN", "BOT_TOKEN"})
_EXAMPLES = {"string": "text", "integer": 1, "number": 1, "boolean": False}


def read_openapi(source: str, url: str, operation: str) -> Call:
    """The request of one operation, such as `POST /chat`, of a file or a URL; by default the one that takes a message.

    `url` is the server where the document names none. Raises BadStart, ConfigError for what is not YAML or JSON, and
    TargetError if nothing is at the URL.
    """
    api = _document(source)
    if not isinstance(api, dict) or not isinstance(api.get("paths"), dict):
        raise BadStart(f"{source} is not an OpenAPI document: it has no paths; give the openapi.json of the bot")
    verb, place, described = _chosen(api, operation, source)
    base = url or _server(api, source)
    call = _joined(base.rstrip("/") + "/", re.sub(r"\{[^}]*\}", "{{ session }}", place).lstrip("/"))
    content = _at(api, _at(api, described.get("requestBody")).get("content"))
    headers = _credentials(api, described)
    make = partial(Call, call, verb.upper(), headers, env=_NAMES_OF_CREDENTIALS)
    for kind, media in content.items():
        given = _at(api, media).get("example")
        example = _Examples(api).of(_at(api, media).get("schema")) if given is None else given
        if "json" in kind:
            return make(json=example)
        if "form" in kind and isinstance(example, dict):
            body = {name: str(value) for name, value in example.items()}
            return make(multipart=body) if "multipart" in kind else make(form=body)
    query = [name for name in _queries(api, described) if plain_name(name) in MESSAGE_NAMES]
    return replace(make(), url=f"{call}?{query[0]}=" + "{{ question }}") if query else make()


def _chosen(api: object, operation: str, source: str) -> tuple[str, str, dict[str, object]]:
    every = {f"{verb.upper()} {place}": (verb, place, described) for verb, place, described in _operations(api)}
    if operation and (found := every.get(" ".join(operation.split()))):
        return found
    likely = sorted(every, key=lambda name: _likelihood(api, *every[name]), reverse=True)
    if operation or not likely or _likelihood(api, *every[likely[0]]) <= 0:
        known = ", ".join(likely[:20]) or "none"
        what = f"has no operation {operation!r}" if operation else "has no operation that takes a message"
        raise BadStart(f"{source} {what}; name one with --operation, of: {known}")
    return every[likely[0]]


def _operations(api: Any) -> Iterator[tuple[str, str, JsonObject]]:
    for place, item in api["paths"].items():
        for verb in _VERBS:
            if isinstance(found := _at(api, item).get(verb), dict):
                yield verb, place, found


def _likelihood(api: object, verb: str, place: str, described: dict[str, object]) -> int:
    """How surely an operation takes a message: by what its body or query is called, then by its path."""
    names = set(_queries(api, described))
    for media in _at(api, _at(api, described.get("requestBody")).get("content")).values():
        example = _Examples(api).of(_at(api, media).get("schema"))
        names.update(example if isinstance(example, dict) else ())
    takes = any(plain_name(name) in (*MESSAGE_NAMES, "messages") for name in names)
    return 4 * takes + 2 * bool(BOT_WORDS.search(place)) * bool(names) + (verb == "post") * takes


def _queries(api: object, described: dict[str, object]) -> Iterator[str]:
    for parameter in _listed(described.get("parameters")):
        found = _at(api, parameter)
        if found.get("in") == "query" and isinstance(found.get("name"), str):
            yield found["name"]


def _server(api: Any, source: str) -> str:
    """Where the bot is; a document at a URL may say so from there, or not at all."""
    first = _at(api, (_listed(api.get("servers")) or [None])[0]).get("url")
    named = first if isinstance(first, str) else ""
    if _is_url(source):
        return _joined(source, named or "/")
    if "://" not in named:
        raise BadStart(f"{source} does not say where the bot is; add --url http://HOST:PORT")
    return named


def _joined(base: str, place: str) -> str:
    try:
        return urljoin(base, place)
    except ValueError as error:
        raise BadStart(f"the URL of the bot is none: {base} ({error}); give --url http://HOST:PORT") from None


def _is_url(source: str) -> bool:
    return source.startswith(("http://", "https://"))


def _document(source: str) -> Any:
    """The values of the JSON or the YAML."""
    if _is_url(source):
        data = asyncio.run(_fetched(source))
    else:
        try:
            data = content(Path(source), MOST_BYTES)
        except OSError as error:
            raise BadStart(f"{source} cannot be read: {reason(error)}; check the path") from None
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return parse(data, source).value


async def _fetched(url: str) -> bytes:
    client = Client(Hosts.of([url]), max_body=MOST_BYTES)
    try:
        async with asyncio.timeout(SECONDS):
            return (await client.fetch(Request("GET", url), Unpaced()))[1]
    except TimeoutError:
        raise BadStart(f"{url} gave no document within {SECONDS} s; save it, and give the file") from None
    finally:
        await client.close()


def _credentials(api: Any, described: JsonObject) -> dict[str, str]:
    """A header for each credential that the operation wants, from the environment."""
    wanted = described.get("security", api.get("security"))
    schemes = _at(api, _at(api, api.get("components")).get("securitySchemes"))
    headers = {}
    for name in (name for each in _listed(wanted) if isinstance(each, dict) for name in each):
        scheme = _at(api, schemes.get(name))
        if scheme.get("type") == "apiKey" and scheme.get("in") == "header":
            headers[str(scheme.get("name"))] = "{{ env.BOT_API_KEY }}"
        elif scheme.get("type") in ("http", "oauth2", "openIdConnect"):
            headers["Authorization"] = (
                "Basic {{ env.BOT_LOGIN }}" if scheme.get("scheme") == "basic" else "Bearer {{ env.BOT_TOKEN }}"
            )
    return headers


def _at(api: Any, value: object) -> JsonObject:
    """A mapping, or the one in the same file that it refers to; empty for anything else."""
    for _ in range(DEPTH):
        if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
            break
        found = api
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(found, dict) else {}
        value = found
    return value if isinstance(value, dict) else {}


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


class _Examples:
    """Makes values that fit schemas of one file."""

    def __init__(self, api: Any) -> None:
        self._api = api
        self._left = MOST

    def of(self, schema: object, way: tuple[int, ...] = ()) -> Any:
        """A value that fits a schema: what it gives as an example or default, else the plainest of its type. A schema
        that is met again on its `way` is {}: filters of real search APIs contain themselves."""
        found = _at(self._api, schema)
        told = [found.get(key) for key in ("example", "default", "const")]
        told += [values[0] for key in ("examples", "enum") if (values := _listed(found.get(key)))]
        if (first := next((value for value in told if value is not None), None)) is not None:
            return first
        self._left -= 1
        if id(found) in way or len(way) == DEPTH or self._left < 0:
            return {}
        return self._made(found, (*way, id(found)))

    def _made(self, found: dict[str, object], way: tuple[int, ...]) -> object:
        if parts := _listed(found.get("allOf")):
            made = [self.of(part, way) for part in parts]
            whole = {name: value for part in made if isinstance(part, dict) for name, value in part.items()}
            return whole if all(isinstance(part, dict) for part in made) else made[0]
        if parts := _listed(found.get("anyOf")) or _listed(found.get("oneOf")):
            return self.of(parts[0], way)
        if isinstance(properties := found.get("properties"), dict):
            required = _listed(found.get("required")) or list(properties)
            wanted = (name for name in properties if name in required or plain_name(name) in MESSAGE_NAMES)
            return {name: self.of(properties[name], way) for name in wanted}
        if found.get("type") == "array":
            return [self.of(found.get("items"), way)]
        return _EXAMPLES.get(str(found.get("type")), None if found.get("type") == "null" else {} if found else "text")
