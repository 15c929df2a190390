"""Attacks and matchers as a campaign names them: `dpaeg`, `{dpaeg: {epsilon: 4}}`, `{chain: [a, b]}`, `{not: a}`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from botattack import registry
from botattack.config.checking import Checker, key_of, values_of
from botattack.config.labels import AT, CHAIN, AttackLabel
from botattack.config.yaml import Document, Source, Where, dotted
from botattack.matchers import combine
from botattack.matchers.combine import ByKind, Seconded
from botattack.matchers.learned import Learned, Taught
from botattack.matchers.weights import Weights
from botattack.options import File
from botattack.protocols import Attack, Matcher, Opinion

Named = tuple[str, Any, Where]
"""A name, its options, and where the name stands."""
Options = Mapping[str, Any]
NONE: Options = MappingProxyType({})
KEPT = "run.json"
"""The file of a recording that keeps attacks and matchers as plain values."""


def read_attacks(
    checker: Checker, items: Sequence[object], path: Where, common: Options = NONE
) -> tuple[tuple[str, Attack], ...]:
    """(label, attack) of each item; a label is the attack's name, with the options it was given where two share it.
    Of the `common` options an attack takes those that it has and is not given itself."""
    read = [(item, read_attack(checker, item, (*path, index), common)) for index, item in enumerate(items)]
    labels = [AttackLabel.of(item) for item, _ in read]
    shared = Counter(label.short for label in labels)
    found: dict[str, Attack] = {}
    for index, (label, (_, attack)) in enumerate(zip(labels, read, strict=True)):
        if attack is None:
            continue
        name = str(label if shared[label.short] > 1 else label.short)
        if name in found:
            checker.wrong((*path, index), f"{name} is listed twice", "give it other options, or delete it")
        found[name] = attack
    return tuple(found.items())


def read_attack(checker: Checker, item: object, path: Where, shared: Options = NONE) -> Attack | None:
    named = _named(checker, item, path, "attack")
    if named is None:
        return None
    name, options, where = named
    if name == AT:
        return _at(checker, options, where, shared)
    if name != CHAIN:
        return cast("Attack | None", _plugin(checker, "attacks", named, shared))
    cls = checker.plugin("attacks", CHAIN, where, at_key=True)
    *first, last = _list(checker, options, where, 2) or [(None, where)]
    # Only the last of a chain is asked.
    unasked = {key: value for key, value in shared.items() if key != "stop_at_break"}
    links = [read_attack(checker, link, at, unasked) for link, at in first]
    links.append(read_attack(checker, *last, shared) if first else None)
    if not cls or not links or None in links:
        return None
    try:
        return cast("Attack", cls(tuple(links)))
    except ValueError as error:  # these attacks cannot be chained in this order
        checker.wrong(where, str(error), "put it last, or leave out stop_at_break")
        return None


def _at(checker: Checker, options: object, where: Where, shared: Options) -> Attack | None:
    if not isinstance(options, Mapping) or "attack" not in options:
        checker.wrong(where, "at needs an attack", "write {at: {place: context, attack: dpaeg}}")
        return None
    inner = read_attack(checker, options["attack"], (*where, "attack"), shared)
    made = _plugin(checker, "attacks", (AT, {**options, "attack": ""}, where))
    return cast("Attack", replace(made, attack=inner)) if made and inner else None


def with_wrong_options(checker: Checker, items: object, path: Where) -> set[str]:
    """The attacks of a list that are known, but have wrong options, and so no label that a gate could be held to."""
    wrong = [
        item if isinstance(item, str) else next(iter(item), "") if isinstance(item, Mapping) else ""
        for index, item in enumerate(items if isinstance(items, list) else ())
        if checker.wrong_below(dotted((*path, index)))
    ]
    return {*wrong} & {*registry.names("attacks")}


def read_matcher(checker: Checker, item: object, path: Where) -> Matcher | None:
    """A tree of matchers: `any` and `all` hold lists, `not` holds one."""
    named = _named(checker, item, path, "matcher")
    if named is None:
        return None
    name, options, where = named
    if name in combine.COMBINE:
        members = [_member(checker, member, at) for member, at in _list(checker, options, where, 1)]
        found = tuple(member for member in members if member is not None)
        return combine.COMBINE[name](found) if found and len(found) == len(members) else None
    if name == "not":
        member = _member(checker, options, where)
        return combine.Not(member) if member else None
    if name in ("second", "by-kind"):
        return _branched(checker, name, options, where)
    if name in registry.names("opinions") and name not in registry.names("matchers"):
        checker.wrong(
            where, f"{name!r} is a second opinion", f"write {{second: {{match: any matcher, ask: [{name}]}}}}"
        )
        return None
    return cast("Matcher | None", _plugin(checker, "matchers", named))


def _member(checker: Checker, item: object, path: Where) -> Matcher | None:
    """A matcher inside any, all or not, which look at verdicts alone."""
    found = read_matcher(checker, item, path)
    if found is not None and (isinstance(found, ByKind) or found.parts()):
        message = "no matcher inside any, all or not asks a second opinion or looks at the kind of a question"
        checker.wrong(path, message, "put second or by-kind outside: {second: {match: {any: […]}, ask: [judge]}}")
        return None
    return found


def _branched(checker: Checker, name: str, options: object, where: Where) -> Matcher | None:
    """`{second: {match: a, ask: [judge]}}`, and `{by-kind: {number: a, other: b}}`."""
    if not isinstance(options, Mapping) or (name == "second" and (not {"ask"} <= set(options) <= {"ask", "match"})):
        expected = "ask: [judge, similar], and match: the matcher before them" if name == "second" else "kind: matcher"
        checker.wrong(where, f"{name} takes a mapping", f"write {expected}")
        return None
    default = Learned()
    if name == "by-kind":
        kinds = {str(kind): read_matcher(checker, item, (*where, kind)) for kind, item in options.items()}
        found = {kind: matcher for kind, matcher in kinds.items() if matcher is not None}
        return ByKind(found, found.pop("other", default)) if len(found) == len(kinds) else None
    first = read_matcher(checker, options["match"], (*where, "match")) if "match" in options else default
    asked = [_opinion(checker, item, at) for item, at in _list(checker, options["ask"], (*where, "ask"), 1)]
    opinions = tuple(opinion for opinion in asked if opinion is not None)
    return Seconded(first, opinions) if first and opinions and len(opinions) == len(asked) else None


def _opinion(checker: Checker, item: object, path: Where) -> Opinion | None:
    named = _named(checker, item, path, "opinion")
    if named and named[0] in registry.names("matchers") and named[0] not in registry.names("opinions"):
        known = ", ".join(sorted(registry.names("opinions")))
        checker.wrong(path, f"{named[0]} is not a second opinion", f"ask: {known}")
        return None
    return cast("Opinion | None", _plugin(checker, "opinions", named)) if named else None


def matcher_from(tree: object, file: str = KEPT) -> Matcher:
    """The matcher of a `match` tree that was kept as plain values; None is the default. Raises ConfigError."""
    if tree is None:
        return Learned()
    checker = Checker(Document(Source(file), tree, {}, {}))
    return checker.sure(read_matcher(checker, tree, ("match",)))


def with_weights(part: object, known: Weights | None) -> Any:
    """A tree of matchers of which every learned one judges by these weights; None are those of the package."""
    if known is None:
        return part
    if isinstance(part, Learned):
        return Taught(part.correct, part.unsure, part.partial, known)
    if isinstance(part, tuple):
        return tuple(with_weights(item, known) for item in part)
    if isinstance(part, Mapping):
        return {key: with_weights(item, known) for key, item in part.items()}
    if isinstance(part, combine.AnyOf | combine.AllOf | combine.Not | Seconded | ByKind):
        return replace(part, **{name: with_weights(value, known) for name, value in values_of(part)})
    return part


def _named(checker: Checker, item: object, path: Where, what: str) -> Named | None:
    if isinstance(item, str):
        return item, {}, path
    if not isinstance(item, Mapping) or not item:
        checker.wrong(
            path,
            f"expected the name of {'a' if what == 'matcher' else 'an'} {what}",
            "write name, or {name: {option: value}}",
        )
        return None
    name = next(iter(item))
    if len(item) > 1:
        other = list(item)[1]
        message = f"{other!r} is in the same item as {name!r}, but an item is one {what}"
        checker.wrong((*path, other), message, f"indent the options of {name!r} one step more", at_key=True)
        return None
    return name, item[name], (*path, name)


def _plugin(checker: Checker, group: str, named: Named, shared: Options = NONE) -> Any:
    name, options, where = named
    cls = checker.plugin(group, name, where, at_key=True)
    if cls is None:
        return None
    given = {} if options is None else options
    if shared and isinstance(given, Mapping):
        known = {field.name for field in fields(cls) if field.init}
        given = {**{key: value for key, value in shared.items() if key in known}, **given}
    return checker.read(cls, given, where)


def _list(checker: Checker, value: object, path: Where, least: int) -> list[tuple[object, Where]]:
    if not isinstance(value, list) or len(value) < least:
        checker.wrong(path, f"expected a list of at least {least}")
        return []
    return [(item, (*path, index)) for index, item in enumerate(value)]


def options_of(part: object) -> dict[str, object]:
    """The options of an attack or matcher by key, as plain values."""
    return {key_of(name): _plain(value) for name, value in values_of(part)}


def _plain(value: object) -> Any:
    if isinstance(value, frozenset | set):
        return sorted(map(_plain, value))
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, File):
        return value.text
    if is_dataclass(value):
        return {type(value).__name__: options_of(value)}
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
