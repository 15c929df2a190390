"""Labels that attacks look for are labels that a parser gives: one that is misspelt, or that another model does not
have, would turn its rule off without a word."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from botattack.attacks.building import parsed
from botattack.text.parts import parse

ATTACKS = Path(str(parsed.__file__)).parents[1]
UNIVERSAL = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SPACE SYM VERB X"
"""Parts of speech, as universaldependencies.org has them, and spaCy's SPACE."""


def labels() -> dict[str, set[str]]:
    """What each field of a token may be."""
    known = json.loads((parse.load().model / "meta.json").read_bytes())["labels"]
    of = {"tag": {*known["tagger"]}, "relation": {*known["parser"]}, "entity": {*known["ner"]}}
    return {field: some | {""} for field, some in ({"pos": {*UNIVERSAL.split()}} | of).items()}


def texts_in(node: ast.expr) -> set[str]:
    """The texts of a constant, or those that a table is looked up by."""
    tops = [key for key in node.keys if key] if isinstance(node, ast.Dict) else [node]
    found = (each for top in tops for each in ast.walk(top))
    return {each.value for each in found if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def looked_for(path: Path) -> Iterator[tuple[str, str]]:
    """Each field of a token that a module compares, with what it compares it with: there, or in a table above."""
    module = ast.parse(path.read_text("utf-8"))
    tables = {ast.unparse(one.targets[0]): texts_in(one.value) for one in module.body if isinstance(one, ast.Assign)}
    for node in ast.walk(module):
        one: ast.AST | None = None
        others: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            one, others = node.left, node.comparators
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            one, others = node.args[0], [node.func.value]
        elif isinstance(node, ast.Subscript):
            one, others = node.slice, [node.value]
        if isinstance(one, ast.Attribute) and one.attr in ("pos", "tag", "relation", "entity"):
            for other in others:
                found = tables.get(other.id, set()) if isinstance(other, ast.Name) else texts_in(other)
                yield from ((one.attr, text) for text in found)


FOLDERS = sorted({path.parent for path in ATTACKS.rglob("*.py")} - {ATTACKS / "combined"})
"""All but the one that compares texts, not tokens."""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_label_that_is_looked_for_is_one_that_a_parser_gives(folder: Path) -> None:
    known = labels()
    for path in folder.glob("*.py"):
        for field, text in looked_for(path):
            assert text in known[field], (path.name, field, text)


def test_labels_are_looked_for_in_most_folders() -> None:
    found = [each for folder in FOLDERS for path in folder.glob("*.py") for each in looked_for(path)]
    assert len(found) > 100
    assert {field for field, _ in found} == {*labels()}
