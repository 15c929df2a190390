"""JSONPaths over a bot's reply, which may be made to be slow to look through."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from inspect import CO_GENERATOR
from time import monotonic, thread_time
from types import FrameType
from typing import Any

from botattack.options import BadValue, Fault, word
from botattack.text.patterns import in_time

PATH_SECONDS = 1.0
"""CPU time that following a path through one reply may take."""

PATH_CALLS = 10_000
"""Calls of the library below which no path is stopped, whatever the clocks say: an ordinary one needs a few hundred."""


@contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in the Python code inside. Each call of a function is looked at: the library has no limit of
    its own that would stop `$..*..*`. Only ordinary functions of the library are: what is raised in a callback of the
    garbage collector, or while a generator is closed, would be lost, and the limit with it. What counts is the CPU
    time of this thread, after so many calls that a machine which stood still for a second fails nothing; the clock,
    which is cheaper to ask, is asked first."""
    end, spent, before = monotonic() + seconds, thread_time() + seconds, sys.getprofile()
    calls = 0

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        if event != "call" or not frame.f_globals.get("__name__", "").startswith("jsonpath."):
            return
        calls += 1
        may_raise = calls > PATH_CALLS and not frame.f_code.co_flags & CO_GENERATOR
        if may_raise and monotonic() > end and thread_time() > spent:
            raise TimeoutError

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(before)


class _Timed:
    """A pattern of the `regex` package that gives up."""

    def __init__(self, pattern: Any) -> None:
        self._pattern = pattern

    def fullmatch(self, text: str) -> Any:
        return in_time(self._pattern.fullmatch, text, seconds=PATH_SECONDS)

    def search(self, text: str) -> Any:
        return in_time(self._pattern.search, text, seconds=PATH_SECONDS)


@cache
def _environment() -> Any:
    """The library's, with patterns that give up."""
    import regex
    from jsonpath import JSONPathEnvironment
    from jsonpath.function_extensions import Match, Search

    class TimedMatch(Match):
        def check_cache(self, pattern: str) -> Any:
            found = super().check_cache(pattern)
            return found and _Timed(found)

    class TimedSearch(Search):
        def check_cache(self, pattern: str) -> Any:
            found = super().check_cache(pattern)
            return found and _Timed(found)

    class Environment(JSONPathEnvironment):
        def setup_function_extensions(self) -> None:
            super().setup_function_extensions()
            self.function_extensions |= {"match": TimedMatch(), "search": TimedSearch()}

        def compare(self, left: object, operator: str, right: object) -> bool:
            if operator == "=~" and isinstance(right, re.Pattern) and isinstance(left, str):
                pairs = ((re.A, regex.A), (re.I, regex.I), (re.M, regex.M), (re.S, regex.S))
                flags = sum(ours for theirs, ours in pairs if right.flags & theirs)
                return bool(_Timed(regex.compile(right.pattern, flags)).fullmatch(left))
            return super().compare(left, operator, right)

    return Environment()


def compiled(path: str) -> Any:
    """A JSONPath of the library's; raises BadValue where it is none."""
    from jsonpath import JSONPathError

    try:
        return _environment().compile(path)
    except JSONPathError as error:
        message = str(error).splitlines()[0].rstrip(".")
        raise BadValue(Fault(f"{path!r} is not a JSONPath: {message}", hint="write it like $.reply.text")) from None
    except RecursionError:
        raise BadValue(Fault("the JSONPath is nested too deeply")) from None


def json_path(value: Any) -> str:
    """A JSONPath such as `$.reply.text`, checked, kept as text."""
    compiled(word(value))
    return str(value)


def follow(path: Any, data: Any, known: Any) -> list[Any]:
    """What stands at a compiled path; `known` is what its filters find under `_`. Raises ValueError, in a sentence."""
    from jsonpath import JSONPathError

    if isinstance(data, str):
        return []  # the library would read it as JSON once more
    try:
        with _no_longer_than(PATH_SECONDS):
            found: list[Any] = path.findall(data, filter_context=known)
    except TimeoutError:
        raise ValueError(f"cannot be followed in {PATH_SECONDS:g} s; make it simpler") from None
    except (JSONPathError, RecursionError) as error:
        raise ValueError(f"cannot be followed: {str(error).splitlines()[0]}") from None
    return found
