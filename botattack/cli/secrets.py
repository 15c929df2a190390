"""What must not reach a recording or a report: values of the environment, and literals where secrets stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from botattack.config.target import TargetConfig

_NAMES = re.compile(r"auth|token|secret|passw|cookie|credential|signature|api.?key|(?:^|[-_])key$", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s;,=]+")
SHORTEST = 8
"""Characters of a part of a header that is taken for a secret: `Bearer` is none."""


def secrets_of(config: TargetConfig, target: Any) -> set[str]:
    """Every value of the environment that templates may place, and what the target file, or the raw request it names,
    holds literally in places whose names say that it is secret."""
    found = set(config.env.values())
    for caller in getattr(target, "callers", {}).values():
        request = caller.request
        for part in (request.headers, request.query, request.json, request.form):
            found.update(_literals(getattr(part, "source", None)))
        query = urlsplit(str(getattr(request.url, "source", ""))).query
        found.update(_literals(dict(parse_qsl(query))))
    return found


def _literals(source: Any) -> Iterator[str]:
    """Texts without a placeholder under names of secrets, whole and in parts."""
    if isinstance(source, Mapping):
        for name, value in source.items():
            if isinstance(value, str) and _NAMES.search(str(name)) and "{{" not in value:
                yield value
                yield from (part for part in _BETWEEN.split(value) if len(part) >= SHORTEST)
            else:
                yield from _literals(value)
    elif isinstance(source, list | tuple):
        for item in source:
            yield from _literals(item)
