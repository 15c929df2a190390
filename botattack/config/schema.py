"""JSON Schema of target, campaign and games files, made from the same dataclasses that check them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal

from botattack import registry
from botattack.config.campaign import CampaignFile
from botattack.config.checking import rewritten, validator_schema
from botattack.config.docstrings import field_docs
from botattack.config.games import GamesFile
from botattack.config.labels import AT, CHAIN
from botattack.config.target import TargetFile
from botattack.options import JsonObject

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Kind = Literal["target", "campaign", "games"]
_TITLES: Mapping[Kind, str] = {
    "target": "a botattack target",
    "campaign": "a botattack campaign",
    "games": "games of two bots",
}


def schema(kind: Kind) -> dict[str, object]:
    """What `# yaml-language-server: $schema=` wants: every key, its type and what it means."""
    made = {"target": _target, "campaign": _campaign, "games": _games}[kind]()
    return {"$schema": DIALECT, "title": _TITLES[kind], **_pruned(made)}


def _pruned(made: JsonObject) -> dict[str, object]:
    """Without definitions that nothing refers to."""
    used: set[str] = set()
    wanted = set(_references({**made, "$defs": {}}))
    while wanted - used:
        used |= wanted
        wanted = {name for known in used for name in _references(made["$defs"][known])}
    return {**made, "$defs": {name: part for name, part in made["$defs"].items() if name in used}}


def _references(part: object) -> Iterator[str]:
    if isinstance(part, Mapping):
        if isinstance(reference := part.get("$ref"), str):
            yield reference.removeprefix("#/$defs/")
        part = list(part.values())
    for item in part if isinstance(part, list) else ():
        yield from _references(item)


def _target() -> dict[str, object]:
    kinds = _registered("targets")
    made, definitions = _generate({"file": TargetFile, **kinds})
    for name in kinds:
        made[name] = {
            **made[name],
            "properties": {"kind": {"const": name}, **made[name].get("properties", {})},
            "required": ["kind", *made[name].get("required", ())],
        }
    known = {"properties": {"kind": {"enum": sorted(kinds)}}, "required": ["kind"]}
    choice = {"oneOf": [made[name] for name in sorted(kinds)]}
    return _with(made["file"], definitions, connect={"type": "object", **known, **choice})


def _campaign() -> dict[str, object]:
    attacks, matchers, opinions = _registered("attacks"), _registered("matchers"), _registered("opinions")
    classes = {
        "file": CampaignFile,
        **{f"attack {name}": cls for name, cls in attacks.items()},
        **{f"matcher {name}": cls for name, cls in matchers.items()},
        **{f"opinion {name}": cls for name, cls in opinions.items()},
    }
    made, definitions = _generate(classes)
    attack, matcher = {"$ref": "#/$defs/attack"}, {"$ref": "#/$defs/matcher"}
    several = {"type": "array", "items": matcher, "minItems": 1}
    definitions["attack"] = _choice(
        {name: made[f"attack {name}"] for name in attacks if name not in (AT, CHAIN)},
        {
            CHAIN: {"type": "array", "items": attack, "minItems": 2},
            AT: {**made[f"attack {AT}"], "properties": {**made[f"attack {AT}"]["properties"], "attack": attack}},
        },
    )
    definitions["opinion"] = _choice({name: made[f"opinion {name}"] for name in opinions}, {})
    definitions["matcher"] = _choice(
        {name: made[f"matcher {name}"] for name in matchers},
        {
            "any": several,
            "all": several,
            "not": matcher,
            "second": _second(matcher),
            "by-kind": {"type": "object", "additionalProperties": matcher, "minProperties": 1},
        },
    )
    return _with(made["file"], definitions, attacks={"type": "array", "items": attack}, match=matcher)


def _games() -> dict[str, object]:
    made, definitions = _generate({"file": GamesFile})
    return _with(made["file"], definitions)


def _second(matcher: JsonObject) -> dict[str, object]:
    asked = {"type": "array", "items": {"$ref": "#/$defs/opinion"}, "minItems": 1}
    return {
        "type": "object",
        "properties": {"match": matcher, "ask": asked},
        "required": ["ask"],
        "additionalProperties": False,
    }


def _registered(group: str) -> dict[str, object]:
    """What is registered and can be imported; a broken third-party plug-in does not spoil the schema."""
    found = {}
    for name in sorted(registry.names(group)):
        with suppress(Exception):
            found[name] = registry.find(group, name)
    return found


def _choice(parts: Mapping[str, Any], combined: Mapping[str, Any]) -> dict[str, object]:
    """A name, or one name with its options."""
    bare = [name for name, part in parts.items() if not part.get("required")]
    options = {name: {"anyOf": [part, {"type": "null"}]} for name, part in parts.items()}
    named = {
        "type": "object",
        "properties": {**options, **combined},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    return {"anyOf": [{"enum": sorted(bare)}, named]}


def _with(file: Mapping[str, Any], definitions: dict[str, object], **properties: Any) -> JsonObject:
    described = {
        name: {**part, "description": file["properties"][name].get("description", "")}
        for name, part in properties.items()
    }
    whole = {**file["properties"], **described}
    # What must be written comes first.
    ordered = sorted(whole, key=lambda name: name not in file["required"])
    return {**file, "properties": {name: whole[name] for name in ordered}, "$defs": definitions}


def _generate(classes: Mapping[str, object]) -> tuple[dict[str, JsonObject], dict[str, object]]:
    """(the schema of each class by name, the definitions they share)"""
    from pydantic.json_schema import GenerateJsonSchema

    inputs = [(name, "validation", rewritten(validator_schema(cls), _describe)) for name, cls in classes.items()]
    made, definitions = GenerateJsonSchema().generate_definitions(inputs)  # type: ignore[arg-type]
    plain: dict[str, object] = {str(name): _plain(part) for name, part in definitions.items()}
    roots = {str(key): _resolved(_plain(part), plain) for (key, _), part in made.items()}
    return roots, plain


def _resolved(part: JsonObject, definitions: Mapping[str, Any]) -> dict[str, object]:
    reference = part.get("$ref")
    return dict(definitions[reference.removeprefix("#/$defs/")]) if reference else part


def _describe(copy: dict[str, Any]) -> None:
    """The docstrings of fields are their descriptions."""
    if copy.get("type") == "dataclass" and copy["schema"]["type"] == "dataclass-args":
        docs = field_docs(copy["cls"])
        for entry in copy["schema"]["fields"]:
            if said := docs.get(entry["name"]):
                entry["metadata"] = {**entry.get("metadata", {}), "pydantic_js_updates": {"description": said}}


def _plain(part: object) -> Any:
    """Without the titles pydantic invents, and without defaults that no file could hold."""
    if isinstance(part, list):
        return [_plain(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: {name: _plain(item) for name, item in value.items()} if key == "properties" else _plain(value)
        for key, value in part.items()
        if not (key == "title" and isinstance(value, str))
        and (key != "default" or isinstance(value, bool | int | float | str) or value == [])
    }
