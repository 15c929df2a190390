"""What must not reach a recording or a report: values of the environment, and literals where secrets stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from botattack.config.target import TargetConfig
from botattack.errors import Excerpt, TargetError
from botattack.model import Reply
from botattack.options import BadValue, file
from botattack.protocols import NeedHandler, Target
from botattack.recordings.masking import SHORTEST as SHORTEST_MASKED
from botattack.recordings.redaction import Redactor
from botattack.templates import HOLE, literal

NAMES_OF_SECRETS = "auth(?!or(?!i[sz]))|token|secret|passw|cookie|credential|signature|api.?key"
_NAMES = re.compile(rf"{NAMES_OF_SECRETS}|(?:^|[-_])key$", re.IGNORECASE)
_VALUE = re.compile(rf"(?<![^\s;,={HOLE}])[^\s;,={HOLE}]++(?!=[^=;,\s])")
"""Part of a header or a cookie; what `=` and a value follow is the name of one."""
_NAMED = re.compile(r"""(?<![\w.-])([\w.-]++)(?:=([^\s"'&;,]+)|["']\s*:\s*["']([^"']+))""")
"""A name with its value within a text: an argument, a parameter of a URL, a field of a form, a member of JSON."""
_RANDOM = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[^.:@]{8,}")
"""A part of a URL that nobody would have made up."""
_WORD = re.compile(r"[A-Z]?[a-z]{1,11}|[A-Z]{1,12}")
"""A word as it is written in a sentence; what was chosen as a secret with care is longer, or has digits."""
_LOGS_IN = re.compile(r"\b(login|open|headers)\b")
_NAMING, _GIVEN = ("fill", "type", "name", "key"), ("with", "value")
"""Keys whose texts name what stands beside them: a field of a page, a pair of a list."""
_PLAIN = frozenset({"header", "query", "url", "scope", "audience", "user"})
"""Options below `auth` that are no secrets; a URL is looked at by itself."""
SHORTEST = 8
"""Characters of a part of a header that is taken for a secret: `Bearer` is none."""


def secrets_of(config: TargetConfig, target: Target | None) -> set[str]:
    """Every value of the environment that templates may place, and what the target file, or a file that it names for a
    request or a credential, contains literally in places whose names say that it is secret: below `auth`, in headers,
    queries, bodies, messages and arguments of programs."""
    ordinary = ordinary_words(config)
    values = [value for name, value in config.env.items() if name not in ordinary]
    found = {part for value in values for part in _whole_and_parts(value)}
    for value in target.literals() if target is not None else ():
        found.update(_literals(value))
    whole = config.document.value
    return found | literal_secrets(whole.get("connect") if isinstance(whole, Mapping) else None, config.path.parent)


def ordinary_words(config: TargetConfig) -> list[str]:
    """The declared environment names whose values are plain words, and that neither by their own names nor where they
    are placed look like secrets: masking `Paris` in all that a bot says would hide its answers."""
    places = config.env_places
    return [
        name
        for name, value in config.env.items()
        if _WORD.fullmatch(value.strip())
        and not _NAMES.search(name)
        and not any(_NAMES.search(place) or _LOGS_IN.search(place) for place in places.get(name, ()))
    ]


def redactor_of(
    config: TargetConfig, target: object = None, services: Sequence[tuple[TargetConfig, Any]] = ()
) -> Redactor:
    """What masks the secrets of a target file, and of those of services, wherever something is recorded or shown; it
    learns those that `target` comes to know."""
    every = [(config, target), *services]
    hidden = set[str]().union(*(secrets_of(one, opened) for one, opened in every))
    redactor = Redactor(
        hidden, chain.from_iterable(one.redact for one, _ in every), read=_reader(config), pieces=config.options.masked
    )
    for _, opened in every:
        if opened is not None:
            opened.confide(redactor.mask.learn)
    return redactor


def unmasked(config: TargetConfig) -> list[str]:
    """A sentence for each value of the environment that is not masked: it is too short, or a plain word."""
    short = [name for name, value in config.env.items() if len(value.strip()) < SHORTEST_MASKED]
    why = f"has fewer than {SHORTEST_MASKED} characters, so it is not masked; use a longer one if it is a secret"
    ordinary = [name for name in ordinary_words(config) if name not in short]
    word = "is a plain word, so it is not masked; if it is a secret, let its name end in _TOKEN or _PASSWORD"
    return [f"the value of {name} {reason}" for names, reason in ((short, why), (ordinary, word)) for name in names]


@contextmanager
def quoting(excerpt: Excerpt) -> Iterator[None]:
    """A TargetError that ends a command shows what was said."""
    try:
        yield
    except TargetError as error:
        error.args = (error.told(excerpt),)
        raise


def _reader(config: TargetConfig) -> Callable[[str], Reply] | None:
    """Reads a raw reply again; made when it is first needed, as it may load code."""
    made: list[Callable[[str], Reply] | None] = []

    def read(raw: str) -> Reply:
        if not made:
            made.append(config.options.extractor(config.path.parent))
        return made[0](raw) if made[0] else Reply("")

    return read


def is_secret_name(name: str) -> bool:
    """Whether what is called so is taken for a secret."""
    return bool(_NAMES.search(name))


def literal_secrets(connect: object, folder: Path) -> frozenset[str]:
    """What `connect` of a target file, or a file of its folder that is named there, contains literally as a secret."""
    return frozenset(_literals(connect, folder))


def services_of(handlers: Iterable[NeedHandler]) -> list[tuple[TargetConfig, Target | None]]:
    """The target files of services that handlers of Needs ask, each with the target where it names hosts."""
    configs = [handler.asks for handler in handlers if handler.asks is not None]
    return [(config, config.open() if config.hosts else None) for config in configs]


def _whole_and_parts(value: str) -> Iterator[str]:
    """A secret, and of a URL those of its parts that are one by themselves."""
    yield value
    yield from _in_text(value)
    if re.match(r"\w+://", value):
        yield from (part for part in re.split(r"[/?&=#]+", value) if _RANDOM.fullmatch(part))


def _literals(source: object, folder: Path | None = None, *, secret: bool = False) -> Iterator[str]:
    """What is written under names of secrets, whole and in parts, and the content of files of the folder that are
    named there; `secret` says that `source` stands under one."""
    if secret and folder and isinstance(source, Mapping) and set(source) == {"file"}:
        yield from _content(folder, source["file"])
    elif isinstance(source, Mapping):
        named = any(_NAMES.search(str(source.get(key, ""))) for key in _NAMING)
        for name, value in source.items():
            below = secret or bool(_NAMES.search(str(name))) or (named and name in _GIVEN)
            yield from _literals(value, folder, secret=below and name not in _PLAIN)
    elif isinstance(source, list | tuple):
        for before, item in pairwise(["", *source]):
            flag = str(before).startswith("-") and "=" not in str(before) and is_secret_name(str(before))
            yield from _literals(item, folder, secret=secret or flag)
    elif isinstance(source, str):
        text = literal(source)
        yield from _in_secret(text) if secret else ()
        yield from _in_text(text)


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


def _in_text(text: str) -> Iterator[str]:
    """The password of a URL, and values whose names within the text say that they are secret."""
    found = [value or member for name, value, member in _NAMED.findall(text) if _NAMES.search(name)]
    with suppress(ValueError):
        found += [(urlsplit(text).password if "://" in text else None) or ""]
    for value in found:
        yield from _in_secret(value)
        yield from _in_secret(unquote(value))
