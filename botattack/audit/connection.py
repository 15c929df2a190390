"""What of a target file decides what a bot is sent and how its replies are read, as a recording may keep it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from botattack.config.checking import specials
from botattack.config.literals import NAMES_OF_SECRETS, literals
from botattack.config.target import TargetConfig
from botattack.config.yaml import Where, dotted
from botattack.model import content_id
from botattack.options import BadValue, File, Reaching

_APART = frozenset({"auth", "login", "tls", "proxy", "hosts", "max_body", "headless"})
"""Options below `connect` that change who asks and on which way, and neither a question nor the reading of a reply."""
_DIGITS = 6
"""Hexadecimal digits of a digest: enough to tell a change, too few to tell what is there."""
_SECRET_LINE = re.compile(rf"^.*(?:{NAMES_OF_SECRETS}).*$", re.IGNORECASE | re.MULTILINE)


def connection_of(config: TargetConfig) -> dict[str, str]:
    """A short digest of each value below `connect`, and of each file that is named there, by its dotted place.

    Environment names enter, their values never do; literal secrets are left out before anything is digested.
    """
    given = config.document.value["connect"]
    secrets = frozenset(literals(given, config.path.parent))
    kept = {key: value for key, value in given.items() if key not in _APART}
    found = {dotted(where): _digest(value, secrets) for where, value in _leaves(kept, ("connect",))}
    for outcome, at, sign in config.signs.each():
        if sign not in config.refusals:  # these are settings of their own
            found[f"signs.{outcome}[{at}]"] = _digest(sign, secrets)
    for where, part in specials(config.options, ("connect",)):
        file = part.file if isinstance(part, Reaching) else None
        if file is not None and where[1] not in _APART:
            found[f"the file of {dotted(where)}"] = content_id(_content(file, config))[:_DIGITS]
    return found


def _leaves(value: object, where: Where) -> Iterator[tuple[Where, object]]:
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _leaves(item, (*where, str(key)))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(item, (*where, index))
    else:
        yield where, value


def _digest(value: object, secrets: frozenset[str]) -> str:
    text = str(value)
    for secret in secrets:
        text = text.replace(secret, "")
    return content_id(text)[:_DIGITS]


def _content(file: File, config: TargetConfig) -> str:
    """The text of a file without the lines that name a secret; of one that is no text, its size."""
    try:
        path = file.under(config.path.parent)
        return _SECRET_LINE.sub("", path.read_text("utf-8")) if path.stat().st_size < 1 << 20 else _size(path)
    except UnicodeDecodeError:
        return _size(path)
    except (BadValue, OSError):
        return ""


def _size(path: Any) -> str:
    return f"{path.stat().st_size} bytes"
