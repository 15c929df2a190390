"""Nobody cuts what came from outside before it is masked: a `TargetError` is given it whole, as `said`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import botattack
from botattack import errors
from botattack.errors import TargetError

ROOT = Path(botattack.__file__).parent
MODULES = sorted(str(path.relative_to(ROOT)) for folder in ("net", "targets") for path in (ROOT / folder).rglob("*.py"))
FAILURES = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, TargetError)}


def cuts(tree: ast.AST) -> Iterator[ast.Slice]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Slice))


@pytest.mark.parametrize("module", [*MODULES, "engine/ask.py", "resources/asked.py"])
def test_no_text_is_cut_where_a_sentence_is_made(module: str) -> None:
    tree = ast.parse((ROOT / module).read_text("utf-8"))
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    made = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in FAILURES]
    sentences = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    lines = {ast.unparse(node) for each in (*made, *sentences) for node in cuts(each)}
    assert not lines, f"{module}: give the whole text to TargetError(said=…); it is cut once it is masked"


@pytest.mark.parametrize("kind", [errors.BrokenReply, errors.ServerFailed, errors.ExtractionFailed])
def test_what_was_said_is_shown_by_an_excerpt_alone(kind: type[TargetError]) -> None:
    error = kind("it failed", said="s3cret " * 1000)
    assert "s3cret" not in str(error) + repr(error)
    assert error.told(errors.withheld) == "it failed"
    assert len(error.told(errors.excerpt)) < 300
