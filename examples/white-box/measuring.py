"""How well a parser does: what came of each question of a test set, in counts that can be added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from material import Row
from model import Parser, padded_batch
from sets import Names, form_tokens, written

import botattack

Counts = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A question for testing with its variants."""

    original: Row
    variants: tuple[Row, ...]


def score(parser: Parser, names: Names, cases: Sequence[Case]) -> list[Counts]:
    """Return for each question: whether it is parsed correctly (`right`), and for variants that mean the same (`same`)
    and others (`changed`) how many there are, how many are parsed as the original should be, by attack, and the sum
    of the F1 of their forms. `harder` are variants that mean the same and are less likely to be parsed correctly."""
    rows = [row for case in cases for row in (case.original, *case.variants)]
    forms = answers(parser, names, [row.asked for row in rows])
    parsed = zip(rows, forms, _likelihoods(parser, names, rows), strict=True)
    return [_counts([next(parsed) for _ in (case.original, *case.variants)]) for case in cases]


def answers(parser: Parser, names: Names, questions: Sequence[str]) -> list[str]:
    """Return the logical forms that a parser gives questions."""
    read = [names.replaced(question) for question in questions]
    order = sorted(range(len(read)), key=lambda place: len(read[place][0]))
    parsed = dict(zip(order, parser.parsed([read[place][0] for place in order]), strict=True))
    return [written(parsed[place], meant) for place, (_, meant) in enumerate(read)]


@torch.no_grad()
def _likelihoods(parser: Parser, names: Names, rows: Sequence[Row], batch: int = 200) -> list[float]:
    """Return log P of the form of each question."""
    read = [(row.form, *names.replaced(row.asked)) for row in rows]
    found: list[float] = []
    for start in range(0, len(read), batch):
        part = read[start : start + batch]
        questions = padded_batch([parser.words.encoded(tokens) for _, tokens, _ in part])
        forms = padded_batch([parser.signs.encoded(form_tokens(form, meant)) for form, _, meant in part])
        found += parser.log_likelihood(questions, forms).tolist()
    return found


def _counts(parsed: Sequence[tuple[Row, str, float]]) -> Counts:
    (original, answer, likelihood), *variants = parsed
    counts: Counts = {"right": _right(original.form, answer), "f1": f1(original.form, answer)}
    for kind in ("same", "changed"):
        told = [(row, said) for row, said, _ in variants if row.changed == (kind == "changed")]
        by_attack: dict[str, list[int]] = {}
        for row, said in told:
            number = by_attack.setdefault(row.attack, [0, 0])
            number[0] += 1
            number[1] += _right(row.form, said)
        counts[kind] = by_attack
        counts[f"{kind} f1"] = round(sum(f1(row.form, said) for row, said in told), 4)
    harder = [_right(row.form, said) for row, said, likely in variants if not row.changed and likely < likelihood]
    counts["harder"] = [len(harder), sum(harder)]
    return counts


@lru_cache(200_000)
def _right(form: str, answer: str) -> int:
    return int(botattack.judge("", answer or "none", [form], match="logical-form").kind == "correct")


def f1(form: str, answer: str) -> float:
    """Return the F1 of the tokens of an answer, each as often as it is there."""
    wanted, said = Counter(form.split()), Counter(answer.split())
    shared = (wanted & said).total()
    return round(2 * shared / (wanted.total() + said.total()), 4)
