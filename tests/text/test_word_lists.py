"""The word lists that attacks read by name: each name leads to a list, each list is read, sorted, and written once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import botattack
from botattack.text import word_lists
from botattack.text.word_lists import WordSets

HOME = Path(botattack.__file__).parent
SETS = {name: value for name, value in vars(word_lists).items() if isinstance(value, WordSets)}
FILES = {path.stem: yaml.safe_load(path.read_text()) for path in (HOME / "lang/en").glob("*.yaml")}
SOURCES = [path.read_text() for path in HOME.rglob("*.py")]
BY_SET = {(SETS[name].file, key) for text in SOURCES for name, key in re.findall(rf"\b({'|'.join(SETS)})\.(\w+)", text)}
BY_NAME = {
    tuple(name.split("."))
    for text in SOURCES
    for name in re.findall(r"word_(?:tuple|groups|table|kinds)\(\"(\w+\.\w+)\"", text)
}


@pytest.mark.parametrize(("file", "key"), sorted(BY_SET | BY_NAME))
def test_a_list_that_is_named_exists(file: str, key: str) -> None:
    assert FILES[file][key]


@pytest.mark.parametrize("file", sorted({file for file, _ in BY_SET | BY_NAME}))
def test_every_list_is_read(file: str) -> None:
    by_hand = {("names", "others")}
    assert {(file, key) for key in FILES[file]} <= BY_SET | BY_NAME | by_hand


@pytest.mark.parametrize(("file", "key"), sorted(BY_SET))
def test_a_set_is_sorted_and_has_each_word_once(file: str, key: str) -> None:
    listed = FILES[file][key]
    words = listed.split() if isinstance(listed, str) else listed
    assert words == sorted({*words})


def test_no_set_is_written_twice() -> None:
    written = [(frozenset(str(FILES[file][key]).split()), f"{file}.{key}") for file, key in sorted(BY_SET)]
    same = [(one, other) for words, one in written for others, other in written if words == others and one < other]
    assert not same
