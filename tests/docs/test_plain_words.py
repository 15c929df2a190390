"""What people read uses the common word: pages, help, messages, the report's page, docstrings of public names."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import botattack
from botattack.cli import commands

ROOT = Path(__file__).parents[2]
UNCOMMON = {
    r"rightly": "correctly",
    r"mend(s|ed|ing)?": "fix",
    r"told": "reported, shown, said",
    r"anew": "again",
    r"dear(er|est)?": "expensive",
    r"(held|hold|holds) (\w+ )?against": "compared with",
    r"stands?(?! for| in| by)|stood": "is",
    r"(goes|went|going|go) on(?! with)": "continues",
    r"holds? (a|an|the|one|two|all|no|its|any|each|only|what|\d+)": "contains",
    r"no more than once over": "at most once",
    r"beside": "next to, with",
    r"upon|nought": "on, 0",
    r"(all|just) the same(?= [,.;:]|[,.;:]|$)": "anyway",
    r"(?<!from )where (there|nothing|none|several|both|one|it|they|that) (is|are|has|have|was|were)": "if, when",
}
"""Patterns of words that nobody would say to a colleague, and what one would say."""
DATA = ("botattack/text", "botattack/attacks", "botattack/recordings/redaction.py")
"""Code whose texts are mostly word lists; what attacks say of themselves is on a page."""


def prose(text: str) -> str:
    """Without code, and without links to places."""
    return re.sub(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", "", text, flags=re.DOTALL)


def pages() -> Iterator[tuple[str, str]]:
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md")):
        if path.name != "CHANGELOG.md":
            yield path.name, prose(path.read_text("utf-8"))
    for path in (ROOT / "botattack").rglob("*.html"):
        yield path.name, re.sub(r"\{[{%].*?[%}]\}", "", path.read_text("utf-8"))


def comments() -> Iterator[tuple[str, str]]:
    """What examples say of themselves."""
    found = [path for room in ("campaigns", "targets", "docs") for path in (ROOT / room).rglob("*.yaml")]
    for path in (*found, ROOT / "action.yml", ROOT / "Dockerfile"):
        yield str(path.relative_to(ROOT)), "\n".join(re.findall(r"(?m)(?:^|\s)#(.*)", path.read_text("utf-8")))


def helps() -> Iterator[tuple[str, str]]:
    def below(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
        context = click.Context(command, info_name=name)
        yield f"{name} --help", command.get_help(context)
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                found = command.get_command(context, each)
                assert found
                yield from below(found, f"{name} {each}")

    yield from below(commands, "botattack")


def messages() -> Iterator[tuple[str, str]]:
    """Texts of the code that are sentences or parts of one."""
    for path in (ROOT / "botattack").rglob("*.py"):
        name = str(path.relative_to(ROOT))
        if name.startswith(DATA):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        docs = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
        for each in ast.walk(tree):
            match each:
                case ast.Constant(value=str(text)) if " " in text and id(each) not in docs:
                    yield f"{name}:{each.lineno}", text


def docstrings() -> Iterator[tuple[str, str]]:
    protocols = importlib.import_module("botattack.protocols")
    modules = [value for value in vars(protocols).values() if getattr(value, "__module__", "") == protocols.__name__]
    public = [getattr(botattack, name) for name in botattack.__all__ if name != "__version__"]
    for each in (botattack, *public, *modules):
        for one in (each, *(vars(each).values() if inspect.isclass(each) else ())):
            if text := inspect.getdoc(one) if callable(one) or one is botattack else "":
                yield f"{each.__name__}", text


@pytest.mark.parametrize("read", [pages, comments, helps, messages, docstrings])
@pytest.mark.slow
def test_nothing_that_people_read_has_an_uncommon_word(read: object) -> None:
    assert callable(read)
    uncommon = re.compile(rf"\b(?:{'|'.join(UNCOMMON)})\b", re.IGNORECASE)
    found = [
        f"{place}: {text[max(0, match.start() - 40) : match.end() + 20]!r}: say {better}"
        for place, text in read()
        for match in uncommon.finditer(text)
        for words, better in UNCOMMON.items()
        if re.fullmatch(words, match[0], re.IGNORECASE)
    ]
    assert not found, "\n".join(found)
