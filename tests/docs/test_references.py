"""Docstrings and comments name modules and what is in them by where they are."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parents[2] / "botattack"
ROOMS = "|".join(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file())
NAMED = re.compile(rf"`((?:{ROOMS})(?:\.\w+)+)`")


def references() -> list[Any]:
    texts = {path.relative_to(PACKAGE): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    return sorted({(str(path), name) for path, text in texts.items() for name in NAMED.findall(text)})


def there(name: str) -> bool:
    """Whether a module is there, or what a module or a class of one holds."""
    found: Any = import_module("botattack")
    for depth, part in enumerate(name.split("."), 2):
        found = getattr(found, part, None)
        if found is None:
            try:
                found = import_module(".".join(("botattack", *name.split(".")[: depth - 1])))
            except ModuleNotFoundError:
                return False
    return True


@pytest.mark.parametrize(("path", "name"), references())
def test_what_a_text_names_is_there(path: str, name: str) -> None:
    assert there(name), f"botattack/{path} names {name}"


def test_a_name_that_is_nowhere_is_found_out() -> None:
    assert len(references()) > 5
    assert not there("attacks.roles.PART")
    assert not there("engine.plan.NOTHING")
