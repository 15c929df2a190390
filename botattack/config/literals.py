"""Finds secrets that somebody wrote into a file: by the names of what stands there, and by the form of a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

from botattack.options import BadValue, file, shown
from botattack.templates import HOLE, literal

# "auth" and "authorization" name secrets, "author" does not.
NAMES_OF_SECRETS = "auth(?!or(?!i[sz]a))|token|secret|passw|cookie|credential|signature|api.?key"
_NAMES = re.compile(rf"{NAMES_OF_SECRETS}|(?:^|[-_])key$", re.IGNORECASE)
_VALUE = re.compile(rf"(?<![^\s;,={HOLE}])[^\s;,={HOLE}]++(?!=[^=;,\s])")
"""Part of a header or a cookie; what `=` and a value follow is the name of one."""
_NAMED = re.compile(r"""(?<![\w.-])([\w.-]++)(?:=([^\s"'&;,]+)|["']\s*:\s*["']([^"']+))""")
"""A name with its value within a text: an argument, a parameter of a URL, a field of a form, a member of JSON."""
_NAMING, _GIVEN = ("fill", "type", "name", "key"), ("with", "value")
"""Keys whose texts name what stands beside them: a field of a page, a pair of a list."""
_PLAIN = frozenset({"header", "query", "url", "scope", "audience", "user"})
"""Options below `auth` that are no secrets; a URL is looked at by itself."""
SHORTEST_MASKED = 4
"""Characters a secret must have: masking every `1` would make a recording useless without hiding anything."""
SHORTEST = 8
"""Characters of a part of a header that is taken for a secret: `Bearer` is none."""
_NAMED_LINE = re.compile(rf"(?:{NAMES_OF_SECRETS})[\w-]*[\"']?\s*[:=]\s*\S", re.IGNORECASE)
"""A name of a secret with what follows it, in a line of which nothing else is known."""
_HIDDEN = "a value that is not shown, as it may be secret"


def is_secret_name(name: str) -> bool:
    """Whether what is called so is taken for a secret."""
    return bool(_NAMES.search(name))


def names_secret(line: str) -> bool:
    """Whether a line names a secret and gives something for it."""
    return bool(_NAMED_LINE.search(line))


def written_secrets(whole: Mapping[str, object]) -> frozenset[str]:
    """What no error about a file may quote; the names of columns that `questions` holds are none."""
    kept = {key: value for key, value in whole.items() if key != "questions"}
    found = {*literals(kept), *(text for _, text in texts(kept) if names_secret(text))}
    return frozenset(text for text in found if len(text) >= SHORTEST_MASKED)


def secret_number(found: object, path: Iterable[str | int]) -> frozenset[str]:
    """A number to which a name of a secret leads: too short for a mask, and still not to be quoted."""
    number = isinstance(found, int | float) and not isinstance(found, bool)
    return frozenset({str(found)} if number and any(is_secret_name(str(part)) for part in path) else ())


def unquoted(said: str, found: object, secrets: Iterable[str]) -> str:
    """A sentence about a value that was found, without the secrets it quotes."""
    if isinstance(found, str | int | float) and any(secret in str(found) for secret in secrets):
        said = said.replace(shown(found), _HIDDEN)
    forms = {form for secret in secrets for form in (secret, repr(secret)[1:-1], json.dumps(secret)[1:-1])}
    for form in sorted(forms - {""}, key=len, reverse=True):
        said = said.replace(form, "…")
    return said


def texts(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text of a raw value, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from texts(item, (*path, index))


def literals(source: object, folder: Path | None = None, *, secret: bool = False) -> Iterator[str]:
    """What is written under names of secrets, as in `connect` of a target file, whole and in parts, and the content of
    files of the folder that are named there; `secret` says that `source` stands under one."""
    if secret and folder and isinstance(source, Mapping) and set(source) == {"file"}:
        yield from _content(folder, source["file"])
    elif isinstance(source, Mapping):
        named = any(_NAMES.search(str(source.get(key, ""))) for key in _NAMING)
        for name, value in source.items():
            below = secret or bool(_NAMES.search(str(name))) or (named and name in _GIVEN)
            yield from literals(value, folder, secret=below and name not in _PLAIN)
    elif isinstance(source, list | tuple):
        for before, item in pairwise(["", *source]):
            flag = str(before).startswith("-") and "=" not in str(before) and is_secret_name(str(before))
            yield from literals(item, folder, secret=secret or flag)
    elif isinstance(source, str):
        text = literal(source)
        yield from _in_secret(text) if secret else ()
        yield from in_text(text)
    elif secret and isinstance(source, int) and len(str(source)) >= SHORTEST:
        # A shorter one is rather a limit, as `max_tokens` is: masking it would hide numbers that a bot says.
        yield str(source)


def _in_secret(text: str) -> Iterator[str]:
    """A text that is a secret, and its parts; of one with placeholders the parts alone: what touches a placeholder is
    part of what it makes, however short."""
    if text and HOLE not in text:
        yield text
    for part in _VALUE.finditer(text):
        touching = HOLE in text[max(0, part.start() - 1) : part.end() + 1]
        if len(part[0]) >= (SHORTEST_MASKED if touching else SHORTEST):
            yield part[0]


def _content(folder: Path, name: object) -> Iterator[str]:
    with suppress(BadValue, OSError, ValueError):
        yield file(name).under(folder).read_text("utf-8").strip()


def in_text(text: str) -> Iterator[str]:
    """The password of a URL, and values whose names within the text say that they are secret."""
    found = [value or member for name, value, member in _NAMED.findall(text) if _NAMES.search(name)]
    with suppress(ValueError):
        found += [(urlsplit(text).password if "://" in text else None) or ""]
    for value in found:
        yield from _in_secret(value)
        yield from _in_secret(unquote(value))
