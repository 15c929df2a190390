"""Writes docs/files.md, every key of target, campaign and games files, every question format, every matcher, and
docs/report.schema.json, every key of the JSON reports.

Run from the project's root: python -m benchmarks.measured.make_reference
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec._json_schema import _collect_component_types

from botattack import registry
from botattack.config.schema import schema
from botattack.places import Place, write_place
from botattack.report.comparison.diff import RunComparison
from botattack.report.comparison.hardened import Hardened
from botattack.report.comparison.side_by_side import SideBySide
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.games import GamesFigures
from tests.plugs import hide_installed_plugs

Part = Mapping[str, Any]
FOLDER = Path(__file__).parents[2] / "docs"
FILES = """# Target, campaign and games files, and matchers

Written by `python -m benchmarks.measured.make_reference` from what `botattack schema target`, `campaign` and `games` print for
editors. botattack reports every mistake in a file at once, with the line and how to fix it. Durations are written
like `500ms`, `30s` or `5m`, shares like `0.05` or `5%`, rates like `5/s` or `100/min`."""
FORMATS = """## Question files

A file is UTF-8, UTF-16, or in another encoding that botattack finds and says. If more than 2 % of its records cannot be
read, the run does not start, and the records are named. A row whose `role`, `sender`, `speaker`, `author` or `from` is
a bot or an agent is such a record. The column `question` may also be called `text`, `query`, `utterance` or `q`, and
what these words are in some thirty languages (`Frage`, `Pregunta`, `質問`); so may `answers`. A name that is one
slip from these or another that is read (`anwsers`) is refused; any other is passed over. `format` is one of:"""
MATCHERS = """How verdicts come about, and how to change that, is in [judging.md](judging.md). A campaign names them under `match`: a name, `{name: {option: value}}`, or a tree of them."""
ENDS = ("minimum", "at least"), ("exclusiveMinimum", "more than"), ("maximum", "at most")
DURATION = "(ms|s|m|min|h|d)"


def files() -> str:
    """The page on the kinds of files."""
    made = schema("games")
    games = ["## Games file", "", *_keys(made)]
    for name, part in made["$defs"].items():
        if name not in schema("campaign")["$defs"]:
            games += _section(name, part)
    lines = [
        FILES,
        "",
        *_target(schema("target")),
        *_campaign(schema("campaign")),
        *games,
        *_formats(),
        "",
        *_matchers(),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _formats() -> Iterator[str]:
    yield from (FORMATS, "")
    for name in sorted(registry.BUILT_IN["readers"]):
        said = inspect.getdoc(registry.find("readers", name)) or ""
        yield f"- `{name}`: {' '.join(said.split())}"


def _matchers() -> Iterator[str]:
    """What a campaign's `match` may name."""
    named = schema("campaign")["$defs"]
    combined = ("any", "all", "not", "second", "by-kind")
    first = {name: part for name, part in _named(named["matcher"]).items() if name not in combined}
    for title, about, parts in (("Matchers", MATCHERS, first), ("Second opinions", "", _named(named["opinion"]))):
        yield from (f"## {title}", "", *([about, ""] if about else []))
        for name in sorted(parts):
            yield from (f"### {name}", "", parts[name]["description"], "", *_keys(parts[name]))


REPORTS = {
    "run": Figures,
    "diff": RunComparison,
    "compare": SideBySide,
    "harden": Hardened,
    "play": GamesFigures,
}
"""By the command whose JSON it is."""


def reports() -> str:
    """The JSON Schema of every JSON report: the figures' own fields."""
    # msgspec writes the defaults of fields without asking how a place is written.
    with patch("msgspec._json_schema.to_builtins", partial(msgspec.to_builtins, enc_hook=write_place)):
        made, parts = msgspec.json.schema_components(REPORTS.values(), schema_hook=_hook, ref_template="#/$defs/{name}")
    values = _collect_component_types(msgspec.inspect.multi_type_info(REPORTS.values()))
    for kind in values:
        part = parts[kind.__name__]
        # Every field is written, but not which event it is of.
        names = [one.name for one in fields(kind)] if is_dataclass(kind) else kind.__struct_encode_fields__
        part["properties"] = {name: part["properties"][name] for name in names}
        for key in part["properties"].values():
            key.pop("default", None)
        part |= {"required": list(names), "additionalProperties": False}
        part["description"] = " ".join(part["description"].split())
    commands = dict(zip(REPORTS, made, strict=True))
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "JSON reports of botattack",
        "description": "Written by python -m benchmarks.measured.make_reference. Each property is the command that writes the report.",
        "properties": commands,
        "$defs": dict(sorted(parts.items())),
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _hook(kind: type) -> dict[str, Any]:
    if kind is Place:
        return {"type": "string", "description": "A place in a conversation, such as `question` or `passage 2`."}
    raise NotImplementedError(kind)


def _named(choice: Part) -> dict[str, Part]:
    """Name -> options, of a choice that is a name or one name with its options."""
    options = choice["anyOf"][1]["properties"]
    return {name: part["anyOf"][0] if "anyOf" in part else part for name, part in options.items()}


def _target(made: Part) -> Iterator[str]:
    yield from ("## Target file", "", *_keys(made))
    for kind in made["properties"]["connect"]["oneOf"]:
        yield from (f"### `connect` of kind `{kind['properties']['kind']['const']}`", "", kind["description"], "")
        yield from _keys(kind, without=("kind",))
    for name, part in sorted(made["$defs"].items()):
        yield from _section(name, part)


def _campaign(made: Part) -> Iterator[str]:
    yield from ("## Campaign file", "", *_keys(made))
    for name, part in sorted(made["$defs"].items()):
        if name not in ("attack", "matcher", "opinion"):
            yield from _section(name, part)


def _section(name: str, part: Part) -> Iterator[str]:
    yield from (f"### {name}", "", part.get("description", ""), "", *_keys(part))


def _keys(part: Part, without: tuple[str, ...] = ()) -> Iterator[str]:
    """One line a key: its type, whether it must be there or what it is else, what it means."""
    wanted = part.get("required", ())
    for name, key in part.get("properties", {}).items():
        if name not in without:
            default = "required" if name in wanted else _default(key)
            told = " ".join(key.get("description", "").split())
            yield f"- `{name}` ({'; '.join(filter(None, (_kind(key), default)))}): {told}".removesuffix(": ")
    if part.get("properties"):
        yield ""


def _default(key: Part) -> str:
    if "default" not in key or key["default"] in (None, "", [], {}):
        return ""
    value = key["default"]
    if isinstance(value, float) and DURATION in key.get("pattern", ""):
        return f"default {value:g}s"
    shown = value if isinstance(value, str) and value.isprintable() else json.dumps(value)
    return f"default {shown}"


def _kind(key: Part) -> str:
    if "$ref" in key:
        name = str(key["$ref"]).rsplit("/", 1)[-1]
        links = {"attack": "attacks.md", "matcher": "#matchers", "opinion": "#second-opinions"}
        return f"[{name}]({links.get(name, '#' + name.lower())})"
    if "anyOf" in key:
        return " or ".join(dict.fromkeys(_kind(part) for part in key["anyOf"] if part.get("type") != "null"))
    if "enum" in key:
        return " \\| ".join(f"`{value}`" for value in key["enum"])
    if "pattern" in key:
        return "duration" if DURATION in key["pattern"] else "share" if "%" in key["pattern"] else "text"
    kind = key.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(_typed(one, key) for one in kind)
    return _typed(kind, key)


def _typed(kind: str, key: Part) -> str:
    bounds = ", ".join(f"{words} {key[name]:g}" for name, words in ENDS if name in key)
    if kind == "array":
        return f"list of {_kind(key['items'])}" if key.get("items") else "list"
    words = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
    return " ".join(filter(None, (words.get(kind, "mapping" if kind == "object" else kind), bounds)))


if __name__ == "__main__":
    hide_installed_plugs()
    (FOLDER / "files.md").write_text(files(), encoding="utf-8")
    (FOLDER / "report.schema.json").write_text(reports(), encoding="utf-8")
