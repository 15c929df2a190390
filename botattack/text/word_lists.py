"""Word lists that attacks read by name, as `file.list` of `botattack/lang/CODE/file.yaml`, when they first need one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from botattack.text.languages import written


@cache
def word_tuple(name: str, code: str = "en") -> tuple[str, ...]:
    """Return the words of a list in the order in which they are written; none if the language has no such list."""
    return _words(_listed(name, code) or [])


@cache
def word_groups(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the groups of English words of a list, such as words that sound alike."""
    return tuple(map(_words, _listed(name, "en")))


@cache
def word_table(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return lists of English words by their names."""
    return {key: _words(listed) for key, listed in _listed(name, "en").items()}


@cache
def word_kinds(name: str) -> Mapping[str, str]:
    """Return the name of the list that each word of a table is in."""
    return {word: key for key, listed in word_table(name).items() for word in listed}


class WordSets:
    """The English sets of words of a file: `stated.months` is the set `months` of `statements.yaml`."""

    def __init__(self, file: str) -> None:
        self.file = file

    def __getattr__(self, name: str) -> frozenset[str]:
        words = frozenset(word_tuple(f"{self.file}.{name}"))
        setattr(self, name, words)  # found without this method from now on
        return words


attack_words = WordSets("attacks")
fake_words = WordSets("fakes")
name_words = WordSets("names")
stated = WordSets("statements")


def _listed(name: str, code: str) -> Any:
    file, _, key = name.partition(".")
    return written(code, file)[key] if code == "en" else written(code, file).get(key)


def _words(listed: str | list[str]) -> tuple[str, ...]:
    """Words that are apart by spaces, or names in a list."""
    return tuple(listed.split() if isinstance(listed, str) else listed)
