"""Every flag and every key of a file is on a page, and in a test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast, get_args

import click
import pytest

from botattack.cli import commands
from botattack.config.schema import Kind, schema

ROOT = Path(__file__).parents[2]
HELD = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
PAGES = "\n".join(path.read_text("utf-8") for path in HELD if path.name != "CHANGELOG.md")
ASKED = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "campaigns").rglob("*.yaml"), *(ROOT / "targets").rglob("*.yaml")]
TESTS = "\n".join(path.read_text("utf-8") for path in ASKED if path != Path(__file__))


def flags(command: click.Command = commands) -> Iterator[tuple[str, ...]]:
    context = click.Context(command)
    for each in command.list_commands(context) if isinstance(command, click.Group) else ():
        yield from flags(cast("click.Command", cast("click.Group", command).get_command(context, each)))
    yield from ((*each.opts, *each.secondary_opts) for each in command.params if isinstance(each, click.Option))


def keys(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from part.get("properties", {})
        for each in part.values():
            yield from keys(each)
    elif isinstance(part, list):
        for each in part:
            yield from keys(each)


def test_every_flag_is_there() -> None:
    page, test = (frozenset(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text)) for text in (PAGES, TESTS))
    assert sorted({names[-1] for names in flags() if not page & {*names}}) == [], "flags on no page"
    assert sorted({name for names in flags() for name in names if name not in test}) == [], "flags in no test"


@pytest.mark.parametrize(("where", "text"), [("page", PAGES), ("test", TESTS)])
@pytest.mark.slow
def test_every_key_is_there(where: str, text: str) -> None:
    named = frozenset(re.findall(r"[A-Za-z][\w-]*", text))
    made = {key for kind in get_args(Kind) for key in keys(schema(kind))}
    assert sorted(made - named) == [], f"keys in no {where}"
