"""Replies of two made-up bots to the questions of ten FAQs, each labelled when it was written (tests/verdicts/faq)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

FOLDER = Path(__file__).parents[1] / "verdicts" / "faq"
LANGUAGES, HALVES, KEPT_BACK = ("en", "de", "fa", "es", "fr"), ("tune", "held-out"), "kept-back"


class Row(NamedTuple):
    question: str
    gold: str
    reply: str
    label: str
    kind: str


@cache
def frames(half: str) -> dict[str, dict[str, list[str]]]:
    return dict(yaml.safe_load((_folder(half) / "frames.yaml").read_text(encoding="utf-8")))


def _folder(half: str) -> Path:
    return FOLDER / KEPT_BACK if half == KEPT_BACK else FOLDER


def entries(language: str, half: str) -> list[dict[str, Any]]:
    """In pairs of neighbours: two prices, two deadlines."""
    lines = (_folder(half) / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return [entry for entry in map(json.loads, lines) if entry["half"] == half]


def rows(language: str, half: str) -> Iterator[Row]:
    """Twelve replies to each question, all of the same half: none is judged beside a text of the other one."""
    every, around = entries(language, half), frames(half)[language]
    for at, entry in enumerate(every):
        neighbour, other = every[at ^ 1], every[(at + 8) % len(every)]
        for label, kind, reply in _replies(at, entry, neighbour, other, around):
            yield Row(entry["question"], entry["answer"], reply, label, kind)


def _replies(
    at: int, entry: dict[str, Any], neighbour: dict[str, Any], other: dict[str, Any], around: dict[str, list[str]]
) -> Iterator[tuple[str, str, str]]:
    """Label, kind and text; frames take turns."""
    quoting, rewording = around["template"], around["assistant"]
    short, reworded = entry["right"]
    changed, contrary = entry["wrong"]
    yield "correct", "quoted", entry["answer"]
    yield "correct", "greeted", quoting[at % 4].format(entry["answer"])
    yield "wrong", "neighbour", quoting[(at + 1) % 4].format(neighbour["answer"])
    yield "wrong", "topic", quoting[(at + 2) % 4].format(other["answer"])
    yield "refused", "fallback", around["fallback"][at % 4]
    yield "correct", "short", short
    yield "correct", "reworded", reworded
    yield "correct", "talkative", rewording[at % 4].format(reworded)
    yield "wrong", "neighbour reworded", rewording[(at + 1) % 4].format(neighbour["right"][1])
    yield "wrong", "changed", changed if at % 2 else rewording[(at + 2) % 4].format(changed)
    yield "wrong", "contrary", contrary if at % 4 < 2 else rewording[(at + 3) % 4].format(contrary)
    yield "refused", "declined", around["declines"][(at + at // 4) % 4].format(question=entry["question"])
