"""Checks parts of a document against plain dataclasses; collects every problem, each at its place."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from botattack.config.yaml import Document, Where, words
from botattack.errors import BotattackError, ConfigError, Problem, TrustRefused, nearest
from botattack.options import BadValue, Reaching, shown
from botattack.templates import Template

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

T = TypeVar("T")
Special = Template | Reaching


_PLUGS = {"targets": "kind of target", "readers": "format", "opinions": "second opinion"}
"""What messages call what a group of the registry holds, if it is not its own name."""


class Checker:
    """Gathers the problems of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = list(document.problems)

    def wrong(self, path: Where, message: str, hint: str = "", *, at_key: bool = False) -> None:
        self.problems.append(self.document.problem(path, message, hint, at_key=at_key))

    def read(self, cls: type[T], value: object, path: Where = (), *, partly: bool = False) -> T | None:
        """An instance of a dataclass from a raw value, or None once the problems are noted.

        With `partly` it is what the value says without its wrong parts, if that is an instance: for whoever looks for
        further problems before `finish` raises them all.
        """
        from pydantic import ValidationError
        from pydantic_core import to_json

        try:
            return cast(
                "T", validator(cast("Any", cls)).validate_json(to_json(value, inf_nan_mode="constants"), strict=True)
            )
        except ValidationError as error:
            faults = error.errors(include_url=False)
            for fault in faults:
                self.note(cls, fault, value, path)
            return _right_part(cls, value, {_within(value, fault["loc"]) for fault in faults}) if partly else None

    def plugin(self, group: str, name: str, path: Where, *, at_key: bool = False) -> Any:
        """The class registered under a name, or None once the problem is noted."""
        from botattack.registry import find, meant, names

        if name not in names(group):
            what = _PLUGS.get(group, group.removesuffix("s"))
            self.wrong(path, f"no {what} is called {name!r}", meant(group, name), at_key=at_key)
            return None
        try:
            return find(group, name)
        except BotattackError as error:
            self.wrong(path, str(error), at_key=at_key)
            return None

    def note(self, cls: type, fault: ErrorDetails, value: object, path: Where) -> None:
        """Notes one of pydantic's errors in our words."""
        kind, context = fault["type"], fault.get("ctx", {})
        if kind == "too_short" and len(fault["input"]) >= context["min_length"]:
            return  # some of its items are wrong, which is noted of each
        place = path + _within(value, fault["loc"])
        if kind == "missing" or kind.startswith("missing_"):
            self.wrong((*place, fault["loc"][-1]), "is required, but not given")
        elif kind in ("unexpected_keyword_argument", "extra_forbidden"):
            known = keys_at(validator_schema(cls), fault["loc"][:-1])
            self.wrong(place, "no such key", _moved(place) or nearest(str(place[-1]), known), at_key=True)
        elif isinstance(error := context.get("error"), BadValue):
            for part in error.mistakes:
                self.wrong(place + part.path, part.message, part.hint)
        elif error is not None and kind == "value_error":
            self.wrong(place, str(error))
        else:
            message, hint = _said(kind, context, fault["input"], fault["msg"])
            if kind == "dataclass_type":
                keys = keys_at(validator_schema(cls), fault["loc"])
                hint = "; ".join(filter(None, (_longer(cls, value, place[len(path) :], keys), nearest("", keys))))
            self.wrong(place, message, hint)

    def wrong_below(self, key: str) -> bool:
        """Whether anything is wrong at a key of the file, or below it."""
        return any(re.match(rf"{re.escape(key)}(?![\w-])", problem.path) for problem in self.problems)

    def finish(self, refusal: BotattackError | None = None) -> None:
        """Raises ConfigError if anything was wrong, else the `refusal`, if there is one: what it refuses is one of the
        problems then."""
        if self.problems:
            refused = refusal.problems if isinstance(refusal, TrustRefused) else ()
            problems = {*self.problems, *refused}
            raise ConfigError(tuple(sorted(problems, key=lambda p: (p.file, p.line, p.column, p.path, p.message))))
        if refusal:
            raise refusal

    def sure(self, value: T | None) -> T:
        """A value that is there unless something was wrong; raises ConfigError if so."""
        self.finish()
        assert value is not None  # noqa: S101  # finish() has raised otherwise
        return value


def _longer(cls: type, whole: object, at: Where, keys: Iterable[str]) -> str:
    """The mapping that was meant where its first value that fits stands alone, as in `questions: faq.csv`; nothing if
    none fits."""
    from pydantic import ValidationError
    from pydantic_core import to_json

    def fits(key: str, said: object) -> bool:
        try:
            validator(cls).validate_json(to_json(_with(whole, at, {key: said}), inf_nan_mode="constants"), strict=True)
        except ValidationError as error:
            return all(_within(whole, fault["loc"])[: len(at)] != at for fault in error.errors(include_url=False))
        return True

    said: Any = whole
    for part in at:
        said = said[part]
    if not isinstance(said, str | int | float):
        return ""
    shown_as = (
        said if isinstance(said, str) and re.fullmatch(r"[\w./-]+", said) else json.dumps(said, ensure_ascii=False)
    )
    return next((f"write {{{key}: {shown_as}}}" for key in keys if fits(key, said)), "")


def _with(value: Any, at: Where, new: object) -> Any:
    """A value with another part."""
    if not at:
        return new
    items = enumerate(value) if isinstance(value, list) else value.items()
    changed = {key: _with(item, at[1:], new) if key == at[0] else item for key, item in items}
    return [*changed.values()] if isinstance(value, list) else changed


def _moved(place: Where) -> str:
    """How to write now what a key said in an earlier version; nothing if it never did."""
    old = ".".join(map(str, place[-2:]))
    return next((hint for known, hint in words().moved.items() if re.fullmatch(known, old)), "")


def specials(value: object, path: Where = ()) -> Iterator[tuple[Where, Special]]:
    """Every template, and all that reaches beyond the file (files, code, programs, models), with its path."""
    if isinstance(value, Special):
        yield path, value
    elif dataclasses.is_dataclass(value):
        for name, item in values_of(value):
            yield from specials(item, (*path, key_of(name)))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from specials(item, (*path, key))
    elif isinstance(value, list | tuple | set | frozenset):
        for index, item in enumerate(value):
            yield from specials(item, (*path, index))


def values_of(part: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass by name, with their values; without what it only carries along, which no file says."""
    for field in dataclasses.fields(part):
        if field.compare:
            yield field.name, getattr(part, field.name)


def key_of(field: str) -> str:
    """The key of a field: `with_` is written `with`."""
    return field.rstrip("_")


@cache
def validator_schema(cls: Any) -> Any:
    """The pydantic schema of a plain dataclass that takes no unknown key."""
    from pydantic import TypeAdapter

    return rewritten(TypeAdapter(cls).core_schema, _close)


@cache
def validator(cls: object) -> Any:
    from pydantic_core import SchemaValidator

    return SchemaValidator(validator_schema(cls))


def rewritten(schema: object, change: Callable[[dict[str, Any]], None]) -> Any:
    """A copy of a core schema, each mapping of which was changed after those within it."""
    if isinstance(schema, list):
        return [rewritten(item, change) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: rewritten(value, change) for key, value in schema.items()}
    change(copy)
    return copy


def _close(copy: dict[str, Any]) -> None:
    """No dataclass takes unknown keys, and `with_` is written `with`."""
    if copy.get("type") == "dataclass-args":
        copy["extra_behavior"] = "forbid"
        copy["fields"] = [field for field in copy["fields"] if field.get("init", True)]
    if copy.get("type") == "dataclass":
        copy["config"] = {**copy.get("config", {}), "extra_fields_behavior": "forbid"}
    if copy.get("type") == "dataclass-field" and copy["name"].endswith("_"):
        copy["validation_alias"] = copy["serialization_alias"] = key_of(copy["name"])


def _right_part(cls: object, value: object, wrong: Set[Where]) -> Any:
    """An instance from a value without its wrong parts; None if that is none."""
    from pydantic import ValidationError
    from pydantic_core import to_json

    try:
        return validator(cls).validate_json(to_json(_without(value, wrong), inf_nan_mode="constants"), strict=True)
    except ValidationError:
        return None


def _without(value: object, wrong: Set[Where], path: Where = ()) -> object:
    if isinstance(value, Mapping):
        return {key: _without(item, wrong, (*path, key)) for key, item in value.items() if (*path, key) not in wrong}
    if isinstance(value, list):
        items = enumerate(value)
        return [_without(item, wrong, (*path, index)) for index, item in items if (*path, index) not in wrong]
    return value


def _within(value: Any, loc: tuple[str | int, ...]) -> Where:
    """The part of pydantic's location that is a path in the value: it also names members of unions."""
    path: Where = ()
    for part in loc:
        known = range(len(value)) if isinstance(value, list) else value if isinstance(value, Mapping) else ()
        if part in known:
            value = value[part]
            path = (*path, part)
    return path


def keys_at(schema: Any, loc: tuple[str | int, ...], definitions: Any = None) -> list[str]:
    """The keys of the dataclass at a location."""
    definitions = definitions or {item["ref"]: item for item in schema.get("definitions", ())}
    kind = schema["type"]
    if kind == "definition-ref":
        return keys_at(definitions[schema["schema_ref"]], loc, definitions)
    if kind == "dataclass-args":
        fields = {key_of(field["name"]): field["schema"] for field in schema["fields"]}
        if not loc:
            return list(fields)
        return keys_at(fields[str(loc[0])], loc[1:], definitions) if loc[0] in fields else []
    if kind in ("list", "tuple", "dict"):
        inner = schema.get("items_schema") or schema.get("values_schema")
        inner = inner[min(int(loc[0]), len(inner) - 1)] if isinstance(inner, list) and loc else inner
        return keys_at(inner, loc[1:], definitions) if inner and loc else []
    return keys_at(schema["schema"], loc, definitions) if "schema" in schema else []


def _said(kind: str, context: Mapping[str, object], value: object, message: str) -> tuple[str, str]:
    """(what is wrong, how to fix it)"""
    if wanted := words().expected.get(kind):
        return f"expected {wanted}, found {shown(value)}", _hint(wanted, value)
    if kind == "literal_error":
        known = [word.strip("'") for word in str(context["expected"]).replace(" or ", ", ").split(", ")]
        return f"{shown(value)} is not a choice here", nearest(value if isinstance(value, str) else "", known)
    if kind in ("too_short", "string_too_short"):
        return "must not be empty" if context["min_length"] == 1 else f"needs at least {context['min_length']}", ""
    return message[:1].lower() + message[1:], ""


def _hint(wanted: str, value: object) -> str:
    if wanted == "true or false" and isinstance(value, str):
        word = {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(value.lower())
        return f"write {word}" if word else ""
    if wanted == "text" and isinstance(value, bool | int | float):
        return "put it in quotes"
    if wanted == "a list" and isinstance(value, str):
        return f"write [{value}]"
    return ""
