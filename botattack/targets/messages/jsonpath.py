"""JSONPaths over a bot's reply, which may be made to be slow to look through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Any

from botattack.options import BadValue, word

if TYPE_CHECKING:
    from jsonpath import JSONPath, JSONPathEnvironment
    from jsonpath.parse import Parser
    from jsonpath.segments import JSONPathSegment
    from jsonpath.stream import TokenStream

PATH_SECONDS = 1.0
"""CPU time that following a path through one reply may take."""

PATH_STEPS = 1000
"""Steps after which a path may be stopped, whatever the clocks say: an ordinary one needs a few hundred."""


class _Counted(dict[str, Any]):
    """What filters find under `_`. The library hands it on from node to node, also into the queries of its filters: so
    it counts the steps and bounds their time. What counts is the CPU time of this thread, after so many steps that a
    machine which stood still for a second fails nothing; the clock, which is cheaper to ask, is asked first."""

    def __init__(self, known: Mapping[str, object]) -> None:
        super().__init__(known)
        self._steps = 0
        self._end, self._spent = monotonic() + PATH_SECONDS, thread_time() + PATH_SECONDS

    def __bool__(self) -> bool:
        """The library would put another in the place of an empty one."""
        return True

    def step(self) -> _Counted:
        """Itself; raises TimeoutError."""
        self._steps += 1
        if self._steps > PATH_STEPS and monotonic() > self._end and thread_time() > self._spent:
            raise TimeoutError
        return self


@cache
def _parser() -> type[Parser]:
    """The library's, for paths that are bounded in time and memory; it has no limit of its own that stops `$..*..*`."""
    from jsonpath import JSONPathMatch
    from jsonpath.parse import Parser
    from jsonpath.segments import JSONPathChildSegment, JSONPathRecursiveDescentSegment

    class BoundedMatch(JSONPathMatch):
        """Keeps neither its path, which a bot can make as long as its reply, nor what is below it."""

        def filter_context(self) -> Any:
            """Asked for each element that a selector looks at."""
            known: Any = super().filter_context()
            return known.step()

        def new_child(self, obj: object, _: int | str) -> BoundedMatch:
            return bounded(self, obj)

        def add_child(self, *children: JSONPathMatch) -> None: ...

    def bounded(node: JSONPathMatch, obj: object) -> BoundedMatch:
        return BoundedMatch(
            filter_context=node.filter_context(), obj=obj, parent=None, path="", parts=(), root=node.root
        )

    class Child(JSONPathChildSegment):
        def resolve(self, nodes: Iterable[JSONPathMatch]) -> Iterable[JSONPathMatch]:
            return super().resolve(bounded(node, node.obj) for node in nodes)

    class Descent(JSONPathRecursiveDescentSegment):
        def resolve(self, nodes: Iterable[JSONPathMatch]) -> Iterable[JSONPathMatch]:
            return super().resolve(bounded(node, node.obj) for node in nodes)

    class BoundedParser(Parser):
        def parse_query(self, stream: TokenStream) -> Iterator[JSONPathSegment]:
            for segment in super().parse_query(stream):
                kind = Descent if isinstance(segment, JSONPathRecursiveDescentSegment) else Child
                yield kind(env=segment.env, token=segment.token, selectors=segment.selectors)

    return BoundedParser


@cache
def _environment() -> JSONPathEnvironment:
    """The library's, without its patterns: those of a list, as [$.text, {regex: …}], are the ones that give up."""
    from jsonpath import JSONPathEnvironment

    class Environment(JSONPathEnvironment):
        parser_class = _parser()

        def setup_function_extensions(self) -> None:
            super().setup_function_extensions()
            for name in ("match", "search"):
                del self.function_extensions[name]

    return Environment()


def compiled(path: str) -> JSONPath:
    """A JSONPath of the library's; raises BadValue if it is none, or has patterns in it, or is several."""
    from jsonpath import JSONPath, JSONPathError

    if "=~" in path:
        raise BadValue("a JSONPath has no patterns here", hint="write a list: [$.text, {regex: …}]")
    try:
        found = _environment().compile(path)
    except JSONPathError as error:
        message = str(error).splitlines()[0].rstrip(".")
        raise BadValue(f"{path!r} is not a JSONPath: {message}", hint="write it like $.reply.text") from None
    except RecursionError:
        raise BadValue("the JSONPath is nested too deeply") from None
    if not isinstance(found, JSONPath):
        raise BadValue(f"{path!r} is several JSONPaths", hint="write one, such as $['text','answer'] for either")
    return found


def json_path(value: object) -> str:
    """A JSONPath such as `$.reply.text`, checked, kept as text."""
    compiled(word(value))
    return str(value)


def follow(path: JSONPath, data: Any, known: Mapping[str, object]) -> list[Any]:
    """What is at a compiled path; `known` is what its filters find under `_`. Raises ValueError, in a sentence."""
    from jsonpath import JSONPathError

    if isinstance(data, str):
        return []  # the library would read it as JSON once more
    try:
        return list(path.findall(data, filter_context=_Counted(known)))
    except TimeoutError:
        raise ValueError(f"cannot be followed in {PATH_SECONDS:g} s; make it simpler") from None
    except (JSONPathError, RecursionError) as error:
        raise ValueError(f"cannot be followed: {str(error).splitlines()[0]}") from None
