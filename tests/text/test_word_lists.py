"""The word lists that attacks read by name: each name leads to a list, each list is read, sorted, and written once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import botattack
from botattack.text import word_lists
from botattack.text.languages import read_lists
from botattack.text.word_lists import WordSets

HOME = Path(botattack.__file__).parent
SETS = {name: value for name, value in vars(word_lists).items() if isinstance(value, WordSets)}
LANG = HOME / "lang"
FILES = {(path.parent.name, path.stem): read_lists(path) for path in LANG.glob("??/*.yaml")}
SOURCES = [path.read_text() for path in HOME.rglob("*.py")]
BY_SET = {
    (SETS[name].code, SETS[name].file, key)
    for text in SOURCES
    for name, key in re.findall(rf"\b({'|'.join(SETS)})\.(\w+)", text)
}
BY_NAME = {
    (code or "en", *name.split("."))
    for text in SOURCES
    for name, code in re.findall(r"word_(?:tuple|groups|table|kinds)\(\"(\w+\.\w+)\"(?:, \"(\w+)\")?", text)
}
PLAIN = [
    (code, name) for code, file in FILES if file == "words" for name in ("stop_words", "said_before", "said_after")
]


@pytest.mark.parametrize(("code", "file", "key"), sorted(BY_SET | BY_NAME))
def test_a_list_that_is_named_exists(code: str, file: str, key: str) -> None:
    assert FILES[code, file][key]


@pytest.mark.parametrize(("code", "file"), sorted({(code, file) for code, file, _ in BY_SET | BY_NAME}))
def test_every_list_is_read(code: str, file: str) -> None:
    by_hand = {("en", "names", "others"), ("en", "kinds", "words"), ("en", "chats", "streets")}
    by_hand |= {("en", "chats", key) for key in re.findall(r"(?:phrases|behind)\(\"(\w+)\"", "".join(SOURCES))}
    by_hand |= {
        ("en", "memory", key) for key in re.findall(r"\.(?:told|said)\((?:question, )?\"(\w+)\"", "".join(SOURCES))
    }
    assert {(code, file, key) for key in FILES[code, file]} <= BY_SET | BY_NAME | by_hand


@pytest.mark.parametrize(("code", "file", "key"), sorted(BY_SET))
def test_a_set_is_sorted_and_has_each_word_once(code: str, file: str, key: str) -> None:
    listed = FILES[code, file][key]
    words = listed.split() if isinstance(listed, str) else listed
    assert words == sorted({*words})


@pytest.mark.parametrize(("code", "name"), PLAIN)
def test_what_attacks_drop_and_add_is_sorted(code: str, name: str) -> None:
    listed = FILES[code, "words"][name]
    assert listed == sorted({*listed})


def test_no_set_is_written_twice() -> None:
    written = [(frozenset(str(FILES[each[:2]][each[2]]).split()), each) for each in sorted(BY_SET)]
    same = [(one, other) for words, one in written for others, other in written if words == others and one < other]
    assert not same
