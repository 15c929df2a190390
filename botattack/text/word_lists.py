"""Word lists that attacks read by name, as `file.list` of `botattack/lang/CODE/file.yaml`, when they first need one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from botattack.text.languages import written


@cache
def word_tuple(name: str, code: str = "en") -> tuple[str, ...]:
    """Return the words of a list in the order in which they are written; none if the language has no such list."""
    return _words(_listed(name, code) or [])


@cache
def word_groups(name: str, code: str = "en") -> tuple[tuple[str, ...], ...]:
    """Return the groups of words of a list, such as words that sound alike."""
    return tuple(map(_words, _listed(name, code) or []))


@cache
def word_table(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return lists of English words by their names."""
    return {key: _words(listed) for key, listed in _listed(name, "en").items()}


@cache
def word_kinds(name: str) -> Mapping[str, str]:
    """Return the name of the list that each word of a table is in."""
    return {word: key for key, listed in word_table(name).items() for word in listed}


@cache
def alike(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return what may stand in place of each English word of a list of groups, saying something else."""
    found: dict[str, tuple[str, ...]] = {}
    for group in word_groups(name):
        mark = group.index(">") if ">" in group else len(group)
        for word in group[:mark]:
            found.setdefault(word, tuple(other for other in group[mark + 1 :] or group if other != word))
    return found


def function_words() -> Mapping[str, str]:
    """Return the class of each function word of English: determiner, preposition, auxiliary and so on."""
    return word_kinds("grammar.classes")


@cache
def contractions(code: str = "en") -> Mapping[str, str]:
    """Return what is written out in full, each with its short form, in lower case."""
    return {pair[0]: pair[1] for pair in word_groups("everyday.contractions", code)}


@cache
def denied() -> Mapping[str, str]:
    """Return the auxiliaries of English, each as it is written with "not" run into it."""
    return {full.removesuffix(" not"): short for full, short in contractions().items() if full.endswith(" not")}


@cache
def opposites(kind: str) -> Mapping[str, tuple[str, ...]]:
    """Return the words that turn each word of a kind of pair round."""
    found: dict[str, tuple[str, ...]] = {}
    for one, other in (pair.split("/") for pair in word_table("attacks.opposites")[kind]):
        found[one] = (*found.get(one, ()), other)
        found[other] = (*found.get(other, ()), one)
    return found


class WordSets:
    """The sets of words of a file, of English if no code says otherwise: `stated.sites` is `sites` of
    `statements.yaml`."""

    def __init__(self, file: str, code: str = "en") -> None:
        self.file, self.code = file, code

    def __getattr__(self, name: str) -> frozenset[str]:
        words = frozenset(word_tuple(f"{self.file}.{name}", self.code))
        setattr(self, name, words)  # found without this method from now on
        return words


attack_words = WordSets("attacks")
fake_words = WordSets("fakes")
grammar_words = WordSets("grammar")
name_words = WordSets("names")
persian_fakes = WordSets("fakes", "fa")
persian_words = WordSets("statements", "fa")
stated = WordSets("statements")


def _listed(name: str, code: str) -> Any:
    file, _, key = name.partition(".")
    return written(code, file)[key] if code == "en" else written(code, file).get(key)


def _words(listed: str | list[str]) -> tuple[str, ...]:
    """Words that are apart by spaces, or names in a list."""
    return tuple(listed.split() if isinstance(listed, str) else listed)


class Named(NamedTuple):
    """A name to put in place of another, and words of answers that may be right for it."""

    name: str
    facts: frozenset[str]


@cache
def others(kind: str) -> tuple[Named, ...]:
    """Return the names to put in place of one of a type; none if it is not one of ours."""
    listed = written("en", "names")["others"].get(kind, {})
    return tuple(Named(name, frozenset(f"{name.lower()} {facts}".split())) for name, facts in listed.items())
