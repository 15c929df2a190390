"""Values are frozen, as CONTRIBUTING.md says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import botattack

PACKAGE = Path(str(botattack.__file__)).parent
OPEN = re.compile(r"@dataclass(?!\(.*frozen=True)|^\s*class .*Struct(?!.*frozen=True)|frozen=False", re.MULTILINE)
"""What a file with a value that is not frozen has; to parse the others would take a second."""
FILLED = ("list[", "dict[", "set[", "deque[", "Counter[", "defaultdict[", "bytearray")


def is_open(node: ast.ClassDef) -> bool:
    """Whether a class is a dataclass or a Struct that may be changed; one of a frozen base has to say so."""
    calls = [each for each in node.decorator_list if isinstance(each, ast.Call)]
    names = {ast.unparse(getattr(each, "func", each)).split(".")[-1] for each in (*node.decorator_list, *node.bases)}
    words = {ast.unparse(word) for each in (node, *calls) for word in each.keywords}
    return "frozen=False" in words or (bool(names & {"dataclass", "Struct"}) and "frozen=True" not in words)


def is_changed(node: ast.ClassDef, module: ast.Module) -> bool:
    """Whether a field is set after the object was made, or has a type that is filled."""
    fields = {
        ast.unparse(each.target): ast.unparse(each.annotation) for each in node.body if isinstance(each, ast.AnnAssign)
    }
    stored = {
        each.attr for each in ast.walk(module) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
    }
    return bool(stored & {*fields}) or any(kind.startswith(FILLED) for kind in fields.values())


def test_a_value_that_nobody_changes_is_frozen() -> None:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text("utf-8")
        module = ast.parse(text) if OPEN.search(text) else ast.Module([], [])
        nodes = [each for each in ast.walk(module) if isinstance(each, ast.ClassDef) and is_open(each)]
        found += [f"{path.relative_to(PACKAGE)}: {each.name}" for each in nodes if not is_changed(each, module)]
    assert found == []
