"""Matchers for answers that are no prose: SQuAD's exact match, and logical forms."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_TOKEN = re.compile(r"[(),]|\"[^\"]*\"|'[^']*'|[^\s(),]+")
_NEGATION = re.compile(r"\\\+\s+")
_VARIABLE = re.compile(r"\$\w+|\?\w+|[A-Z][A-Z0-9_]*|_\w*")
_ANY_ORDER = frozenset(("and", "or", "&", "|", "\u2227", "\u2228", ",", ";", "=", "intersection", "union"))
_LONGEST = 4000
"""Characters of a reply that are read."""
_DEEPEST = 60
"""Brackets inside one another; each takes a call of its own."""
_MOST_STEPS = 5000
"""Pairs of terms that are compared. Conjuncts in any order can be paired in as many ways as they have orders."""

Term = str | tuple["Term", ...]


@dataclass(frozen=True)
class ExactMatch(Matcher):
    """SQuAD's EM (Rajpurkar et al. 2016, section 5): equal but for case, punctuation, articles and spaces.

    Stricter than `exact`, which also reads numbers in words, contractions and accents.
    """

    name: ClassVar[str] = "em"
    cost: ClassVar[int] = 1

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        said = squad_form(reply.text[:_LONGEST])
        if any(squad_form(answer.text) == said for answer in gold if not answer.regex):
            return Verdict("correct", 1.0, self.name, "the reply is the gold answer", (0, len(reply.text)))
        return Verdict("wrong", 0.0, self.name, "the reply is not a gold answer")


def squad_form(text: str, language: str = "en") -> str:
    """A text as SQuAD's evaluation script (1.1) compares it; in other languages, whose articles it does not know, the
    same with every word."""
    text = text.lower().translate(_PUNCTUATION)
    return " ".join((_ARTICLE.sub(" ", text) if language in ("", "en") else text).split())


@dataclass(frozen=True)
class LogicalForm(Matcher):
    """The reply is a gold logical form; spaces, names of variables and the order of conjuncts do not matter.

    Reads Lisp (`(and (state $0) (loc $0 texas))`) and Prolog (`job(ANS), loc(ANS, austin)`). Variables begin with `$`,
    `?` or `_`, or are all capitals. Unsure if comparing would take too long.
    """

    name: ClassVar[str] = "logical-form"
    cost: ClassVar[int] = 5

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        said = parse(reply.text)
        try:
            same = said != () and any(_same(said, parse(answer.text)) for answer in gold if not answer.regex)
        except TimeoutError:
            return Verdict("unsure", 0.0, self.name, "the logical form is too involved to be compared")
        if same:
            return Verdict("correct", 1.0, self.name, "the reply is the gold logical form", (0, len(reply.text)))
        return Verdict("wrong", 0.0, self.name, "the reply is another logical form")


def parse(text: str) -> Term:
    """A logical form as nested tuples, operator first; empty where there is none or it nests too deep.

    A bracket that is missing at the end is taken as there.
    """
    tokens = _TOKEN.findall(_NEGATION.sub(r"\\+", text[:_LONGEST]))  # what is negated has another name
    lisp = tokens[:1] == ["("]
    terms = _terms(iter(tokens), lisp=lisp, depth=0)
    if terms is None:
        return ()
    return terms[0] if len(terms) == 1 else (",", *terms) if terms else ()


def _terms(tokens: Iterator[str], *, lisp: bool, depth: int) -> list[Term] | None:
    """The terms up to the closing bracket; in Prolog a bracket holds the arguments of the name before it."""
    found: list[Term] = []
    for sign in tokens:
        if sign == ")":
            return found
        if sign == "(":
            inside = _terms(tokens, lisp=lisp, depth=depth + 1) if depth < _DEEPEST else None
            if inside is None:
                return None
            head = [] if lisp else [found.pop() if found else ","]
            found.append((*head, *inside))
        elif sign != "," or lisp:
            found.append(sign)
    return found


def _same(one: Term, other: Term) -> bool:
    return next(_ways(one, other, {}, [_MOST_STEPS]), None) is not None


def _ways(one: Term, other: Term, names: dict[str, str], steps: list[int]) -> Iterator[dict[str, str]]:
    """Every renaming of variables, one to one, that extends `names` and makes two forms equal."""
    steps[0] -= 1
    if steps[0] < 0:
        raise TimeoutError
    if isinstance(one, str) and isinstance(other, str):
        yield from _atoms(one, other, names)
    elif not isinstance(one, str) and not isinstance(other, str) and len(one) == len(other):
        head = one[0] if one else ""
        free = isinstance(head, str) and head.casefold() in _ANY_ORDER and head == other[0]
        yield from _paired(one, other, names, steps, free=free)


def _atoms(one: str, other: str, names: dict[str, str]) -> Iterator[dict[str, str]]:
    variables = _VARIABLE.fullmatch(one), _VARIABLE.fullmatch(other)
    if not any(variables):
        if one.casefold() == other.casefold():
            yield names
    elif all(variables) and (names.get(one) == other or (one not in names and other not in names.values())):
        yield names | {one: other}


def _paired(
    one: Sequence[Term], other: Sequence[Term], names: dict[str, str], steps: list[int], *, free: bool
) -> Iterator[dict[str, str]]:
    """Every way to pair the terms of one form with those of another: in their order, or in any if they are `free`."""
    if not one:
        yield names
        return
    for at, candidate in enumerate(other if free else other[:1]):
        for renamed in _ways(one[0], candidate, names, steps):
            yield from _paired(one[1:], (*other[:at], *other[at + 1 :]), renamed, steps, free=free)
