"""The sets of questions with logical forms, and the names in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_CONSTANT = re.compile(r"(.+):(?!(?:t|i|e)$)([a-z]+)")
"""A constant of a logical form with its type, as in austin_tx:c. Types t, i and e are those of predicates."""
_PREDICATES = frozenset(["capital:c"])
_LEFT_OUT = re.compile(r"_[a-z]{2}$|_river$|^mount_")
"""What questions leave out of a name: the state of a city, "river" and "mount"."""
_SHORTEST = 4
"""Shorter names are codes such as as:al, which are words of their own as well."""


@dataclass(frozen=True)
class Pair:
    """A question and its logical form."""

    question: str
    form: str


def read(path: Path) -> tuple[Pair, ...]:
    """Return the questions of a file with `question TAB logical form` on each line, each question once."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    found: dict[str, str] = {}
    for question, form in rows:
        found.setdefault(" ".join(question.split()), form.strip())
    return tuple(Pair(question, form) for question, form in found.items())


@dataclass(frozen=True)
class Names:
    """The names that the knowledge base has: how questions write them, with the constant of each type.

    Parsers of these sets replace names before they parse (Dong & Lapata 2016, section 4.2): "rivers in new york" is
    parsed as "rivers in @s0", and @s0:s of the logical form is replaced with new_york:s.
    """

    constants: dict[tuple[str, ...], dict[str, str]] = field(repr=False)

    @classmethod
    def of(cls, forms: Iterable[str]) -> Names:
        """Return the names of all constants in logical forms."""
        found: dict[tuple[str, ...], dict[str, str]] = {}
        for constant in sorted({token for form in forms for token in form.split()} - _PREDICATES):
            match = _CONSTANT.fullmatch(constant)
            if match and len(match[1]) >= _SHORTEST:
                for name in {match[1], _LEFT_OUT.sub("", match[1])}:
                    found.setdefault(tuple(name.split("_")), {}).setdefault(match[2], constant)
        return cls(found)

    def replaced(self, question: str) -> tuple[list[str], dict[str, str]]:
        """Return the words of a question with its names replaced, the longest first, and the constants of these."""
        words, tokens, meant = question.split(), list[str](), dict[str, str]()
        longest = max(map(len, self.constants), default=0)
        at = 0
        while at < len(words):
            sizes = range(min(longest, len(words) - at), 0, -1)
            size = next((size for size in sizes if tuple(words[at : at + size]) in self.constants), 0)
            if size:
                typed = self.constants[tuple(words[at : at + size])]
                kind = "+".join(sorted(typed))
                token = next(name for n in range(len(words)) if (name := f"@{kind}{n}") not in tokens)
                tokens.append(token)
                meant.update({f"{token}:{kind}": constant for kind, constant in typed.items()})
            else:
                tokens.append(words[at])
            at += max(size, 1)
        return tokens, meant


def form_tokens(form: str, meant: dict[str, str]) -> list[str]:
    """Return the tokens of a logical form, its names replaced as in its question."""
    known: dict[str, str] = {}
    for token, constant in meant.items():
        known.setdefault(constant, token)
    return [known.get(token, token) for token in form.split()]


def written(tokens: Sequence[str], meant: dict[str, str]) -> str:
    """Return the logical form that tokens stand for."""
    return " ".join(meant.get(token, token) for token in tokens)
