"""Hand-made language resources in the form of the real ones, small enough to know by heart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from botattack.model import GoldAnswer, Need, Outcome, Question, Reply, Variant, Verdict
from botattack.protocols import Context
from botattack.text.parts import speller

SENSES: Mapping[str, Sequence[tuple[str, ...]]] = {
    "noun": [
        ("car", "auto", "motorcar"),
        ("voice", "vocalisation"),
        ("capital", "working_capital"),
        ("night",),
        ("day",),
        ("motorcycle", "bike"),
        ("bicycle", "bike"),
    ],
    "verb": [("play", "act"), ("buy", "purchase"), ("sell",), ("lose",), ("find",), ("grow",)],
    "adj": [("large", "big"), ("small", "little"), ("old",), ("young",), ("beautiful(a)", "fair")],
    "adv": [("early",), ("late",)],
}
OPPOSITES = [
    ("noun", "night", "day"),
    ("verb", "buy", "sell"),
    ("verb", "lose", "find"),
    ("adj", "large", "small"),
    ("adj", "old", "young"),
    ("adv", "early", "late"),
]


def write_wordnet(folder: Path) -> Path:
    """Index and data files as WordNet has them, the licence's lines included."""
    for pos, synsets in SENSES.items():
        _write(folder, pos, synsets)
    return folder


def _write(folder: Path, pos: str, synsets: Sequence[tuple[str, ...]]) -> None:
    head = "  1 This software and database is being provided to you, the LICENSEE, by  \n"
    letter = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}[pos]
    place = {word.partition("(")[0]: (i, n) for i, words in enumerate(synsets) for n, word in enumerate(words, 1)}
    width = 200
    offsets = [len(head) + i * (width + 1) for i in range(len(synsets))]
    lines = []
    for i, words in enumerate(synsets):
        pointers = [
            f"! {offsets[place[other][0]]:08d} {letter} {place[one][1]:02x}{place[other][1]:02x}"
            for kind, a, b in OPPOSITES
            for one, other in ((a, b), (b, a))
            if kind == pos and place[one][0] == i
        ]
        said = " ".join(f"{word} 0" for word in words)
        line = (
            f"{offsets[i]:08d} 00 {letter} {len(words):02x} {said} {len(pointers):03d} {' '.join(pointers)} | a gloss"
        )
        lines.append(line.ljust(width))
    (folder / f"data.{pos}").write_text(head + "\n".join(lines) + "\n", "ascii")
    senses: dict[str, list[str]] = {word: [] for word in sorted(place)}
    for offset, words in zip(offsets, synsets, strict=True):
        for word in words:
            senses[word.partition("(")[0]].append(f"{offset:08d}")
    index = [f"{word} {letter} {len(found)} 1 ! {len(found)} 0 {' '.join(found)}  " for word, found in senses.items()]
    (folder / f"index.{pos}").write_text(head + "\n".join(index) + "\n", "ascii")


def overlap(payload: Mapping[str, Any]) -> float:
    """The share of words that two sentences have in common: stands for a model of similarity."""
    one, other = (set(re.findall(r"\w+", payload[side].lower())) for side in ("one", "other"))
    return round(len(one & other) / max(1, len(one | other)), 4)


reads = cache(speller.load)
Meet = Callable[[Mapping[str, Any]], Any]
Judge = Callable[[Variant], Verdict]


def right(_: Variant) -> Verdict:
    """A bot that holds."""
    return Verdict("correct", 1.0)


def proposed(
    attack: Any, context: Context, rng: Random, meet: Callable[[Sequence[Need]], Sequence[Any]], judge: Judge = right
) -> tuple[list[Variant], int | None]:
    """All variants of an attack, and how many it says exist. Words are recovered by the real list."""
    context = replace(context, parts={"speller": reads(), **context.parts})
    steps = attack.propose(context, rng)
    variants: list[Variant] = []
    answer: Any = None
    while True:
        try:
            batch = steps.send(answer)
        except StopIteration as stop:
            return variants, stop.value
        assert len({isinstance(item, Need) for item in batch}) <= 1
        if batch and isinstance(batch[0], Need):
            assert {need.kind for need in batch} <= set(attack.parts())
            answer = meet(batch)
        else:
            variants += batch
            answer = [Outcome(variant, (Reply("x"),), judge(variant), 1) for variant in batch]


def drive(
    attack: Any, question: Question | str, parts: Mapping[str, Any], meets: Mapping[str, Meet], seed: int = 0
) -> tuple[list[Variant], int | None]:
    """The same; each kind of Need is met by a function."""
    asked = Question(question) if isinstance(question, str) else question
    context = Context(asked, (), parts)
    return proposed(attack, context, Random(seed), lambda needs: [meets[need.kind](need.payload) for need in needs])


def texts(variants: Iterable[Variant]) -> set[str]:
    return {variant.prompt.text for variant in variants}


def with_answers(text: str, *answers: str) -> Question:
    return Question(text, tuple(map(GoldAnswer, answers)))
