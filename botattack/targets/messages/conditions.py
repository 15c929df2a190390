"""What is in a reply, or in a piece of one: `{type: text-delta}`. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from botattack.options import BadValue, Read, shown
from botattack.targets.messages.jsonpath import json_path
from botattack.targets.messages.selectors import PLACES, PLAIN, Body, JsonPath, Selector, selector

EARLIER = re.compile(r"_\.(\w+)\.(\w+)")


@dataclass(frozen=True)
class Where:
    """Finds `true` if a reply, or a piece of one, has one of the named values at each of these places."""

    places: tuple[tuple[Selector, tuple[str | int | float, ...]], ...]

    @property
    def source(self) -> str:
        return ", ".join(f"{place.source}: {'|'.join(map(str, values))}" for place, values in self.places)

    def find(self, body: Body) -> list[object]:
        fits = all(
            any(_same(value, wanted, body) for value in place.find(body) for wanted in values)
            for place, values in self.places
        )
        return [True] if fits else []


def _same(value: object, wanted: object, body: Body) -> bool:
    """`_.request.id` stands for what an earlier call took."""
    if isinstance(wanted, str) and (call := EARLIER.fullmatch(wanted)):
        wanted = body.values.get(call[1], {}).get(call[2], wanted)
    return bool(value == wanted)


def condition(value: object) -> Selector:
    """What `selector` takes, or `{where: …}`. Raises BadValue."""
    if not isinstance(value, Mapping) or set(value) != {"where"}:
        return selector(value)
    try:
        return read_where(value["where"])
    except BadValue as error:
        raise BadValue(mistakes=(replace(one, path=("where", *one.path)) for one in error.mistakes)) from None


def read_where(value: object) -> Where:
    """Names, or JSONPaths, with the value or the list of values that may be there. Raises BadValue."""
    if not isinstance(value, Mapping) or not value:
        raise BadValue(f"expected names with values, found {shown(value)}", hint="write it like {type: text-delta}")
    return Where(tuple(_wanted(str(name), wanted) for name, wanted in value.items()))


def _wanted(name: str, wanted: object) -> tuple[Selector, tuple[str | int | float, ...]]:
    values = tuple(wanted) if isinstance(wanted, list | tuple) else (wanted,)
    if not values or not all(isinstance(one, str | int | float) for one in values):
        hint = "write it like text-delta or [text-delta, text]"
        raise BadValue(f"expected a value or a list of values, found {shown(wanted)}", (name,), hint)
    try:
        path = name if name.startswith("$") else f"$.{name}" if PLAIN.fullmatch(f"$.{name}") else f"$[{name!r}]"
        return JsonPath(path if PLAIN.fullmatch(path) else json_path(path)), values
    except BadValue as error:
        raise BadValue(str(error), (name,)) from None


_VALUE = {"type": ["string", "number", "boolean"]}
_WHERE = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {"anyOf": [_VALUE, {"type": "array", "items": _VALUE, "minItems": 1}]},
}
Conditions = Annotated[Where, Read(read_where, _WHERE)]
"""Names with the values that must be there."""
Condition = Annotated[
    Selector,
    Read(condition, {"anyOf": [*PLACES, {"type": "object", "properties": {"where": _WHERE}, "required": ["where"]}]}),
]
"""`Selected`, or conditions."""


def earlier(places: Iterable[Selector | None]) -> frozenset[tuple[str, str]]:
    """(call, name) of the values of earlier calls that places look at."""
    return frozenset(pair for place in places if place is not None for pair in EARLIER.findall(place.source))
