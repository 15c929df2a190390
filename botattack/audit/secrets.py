"""What must not reach a recording or a report: values of the environment, and what is written where secrets stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from botattack.config.literals import SHORTEST_MASKED, in_text, is_secret_name, literals
from botattack.config.target import TargetConfig
from botattack.errors import Excerpt, TargetError
from botattack.model import Reply
from botattack.protocols import NeedHandler, Target
from botattack.recordings.redaction import Redactor

_RANDOM = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[^.:@]{8,}")
"""A part of a URL that nobody would have made up."""
_WORD = re.compile(r"[A-Z]?[a-z]{1,11}|[A-Z]{1,12}")
"""A word as it is written in a sentence; what was chosen as a secret with care is longer, or has digits."""
_LOGS_IN = re.compile(r"\b(login|open|headers)\b")


def secrets_of(config: TargetConfig, target: Target | None) -> set[str]:
    """Every value of the environment that templates may place, and what the target file, or a file that it names for a
    request or a credential, contains literally in places whose names say that it is secret: below `auth`, in headers,
    queries, bodies, messages and arguments of programs."""
    ordinary = ordinary_words(config)
    values = [value for name, value in config.env.items() if name not in ordinary]
    found = {part for value in values for part in _whole_and_parts(value)}
    for value in target.literals() if target is not None else ():
        found.update(literals(value))
    return found.union(literals(config.document.mapping.get("connect"), config.path.parent))


def ordinary_words(config: TargetConfig) -> list[str]:
    """The declared environment names whose values are plain words, and that neither by their own names nor where they
    are placed look like secrets: masking `Paris` in all that a bot says would hide its answers."""
    places = config.env_places
    return [
        name
        for name, value in config.env.items()
        if _WORD.fullmatch(value.strip())
        and not is_secret_name(name)
        and not any(is_secret_name(place) or _LOGS_IN.search(place) for place in places.get(name, ()))
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


def services_of(handlers: Iterable[NeedHandler]) -> list[tuple[TargetConfig, Target | None]]:
    """The target files of services that handlers of Needs ask, each with the target where it names hosts."""
    configs = [handler.asks for handler in handlers if handler.asks is not None]
    return [(config, config.open() if config.hosts else None) for config in configs]


def _whole_and_parts(value: str) -> Iterator[str]:
    """A secret, and of a URL those of its parts that are one by themselves."""
    yield value
    yield from in_text(value)
    if re.match(r"\w+://", value):
        yield from (part for part in re.split(r"[/?&=#]+", value) if _RANDOM.fullmatch(part))
