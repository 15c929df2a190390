"""A whole HTTP request in a file, as copied from a proxy, read into a `Request`."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from botattack.errors import ConfigError, Problem
from botattack.options import BadValue
from botattack.targets.messages.calls import (
    Request,
    read_headers,
    read_mapping,
    read_method,
    read_text,
    read_url,
    template,
)

# What the client sets itself, or what belongs to the connection it was copied from.
_DROPPED = re.compile(
    "host|content-length|connection|accept-encoding|transfer-encoding|proxy-connection|keep-alive|te|upgrade"
)


def read_raw(request: Request, folder: Path) -> Request:
    """`request` with what its raw file says, if it names one; its own headers and query come on top. Raises
    ConfigError."""
    if request.raw is None:
        return request
    path = request.raw.under(folder)
    try:
        return _read(request, path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        problem = "is not UTF-8"
    except ValueError as error:
        problem = str(error)
    raise ConfigError((Problem(str(path), 1, 1, "", problem),))


def _read(request: Request, content: str) -> Request:
    head, _, body = content.replace("\r\n", "\n").partition("\n\n")
    first, *lines = head.strip("\n").split("\n")
    words = first.split()
    if len(words) not in (2, 3) or (len(words) == 3 and not words[2].startswith("HTTP/")):
        raise BadValue("does not start with a request line such as: POST /chat HTTP/1.1")
    fields = dict(_field(number, line) for number, line in enumerate(lines, 2))
    own = request.headers.source if request.headers is not None else {}
    kept = {name: value for name, value in fields.items() if not _DROPPED.fullmatch(name)} | own
    there, asked = urlsplit(request.url.source), urlsplit(words[1])
    place = asked._replace(scheme=there.scheme, netloc=there.netloc).geturl()
    filled = replace(request, raw=None, url=read_url(place), method=read_method(words[0]), headers=read_headers(kept))
    return replace(filled, **_body(body.strip("\n"), fields.get("content-type", "")))


def _field(number: int, line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name.strip():
        # The line itself may contain a secret, and nobody masks what a message says of a file.
        raise BadValue(f"line {number} is not a header", hint="write it like NAME: value")
    return name.strip().lower(), value.strip()


def _body(body: str, kind: str) -> dict[str, Any]:
    """Read structurally where its type is known, so that a quote in a question does not break it."""
    if not body:
        return {}
    if "json" in kind:
        try:
            return {"json": template(json.loads(body))}
        except json.JSONDecodeError as error:
            raise BadValue(f"its body is not JSON: {error}", hint="put quotes around a placeholder") from None
    if "x-www-form-urlencoded" in kind:
        return {"form": read_mapping(dict(parse_qsl(body, keep_blank_values=True)))}
    return {"text": read_text(body)}
