"""A small intent model of our own: naive Bayes over the words of an utterance and pairs of them, with their case.

As a server it answers {"text"} with {"reply": {"text"}}: the answer of the likeliest intent, from a model file that it
reads again whenever that has changed. As a program it trains, on JSON lines or corpora of `botattack export`:

    python intents.py MODEL TRAINING_SET...

or answers a line of JSON on its input by one on its output: python intents.py --answer MODEL
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.servers.http import Received, Server

UNKNOWN = "Sorry, I do not know that."
Examples = Iterable[tuple[str, str]]


def grams(text: str) -> list[str]:
    words = re.findall(r"\w+", text)
    return [*words, *map(" ".join, pairwise(words))]


def trained(examples: Examples) -> dict[str, dict[str, int]]:
    """How often each answer had each gram; an example that is there twice counts once."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text, answer in dict.fromkeys(examples):
        counts[answer].update(grams(text))
    return {answer: dict(counts[answer]) for answer in sorted(counts)}


class Model:
    """The likeliest answer to a text, every answer as likely as another before; `UNKNOWN` if no word is known."""

    def __init__(self, counts: dict[str, dict[str, int]]) -> None:
        self._counts = counts
        self._known = frozenset(gram for each in counts.values() for gram in each)
        self._totals = {answer: sum(each.values()) + len(self._known) for answer, each in counts.items()}

    def answer(self, text: str) -> str:
        found = [gram for gram in grams(text) if gram in self._known]
        if not found:
            return UNKNOWN
        return max(self._counts, key=lambda answer: self._score(answer, found))

    def _score(self, answer: str, found: list[str]) -> float:
        counts, total = self._counts[answer], self._totals[answer]
        return sum(log((counts.get(gram, 0) + 1) / total) for gram in found)


def examples_of(path: Path) -> Iterator[tuple[str, str]]:
    """What a training set teaches."""
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        for item in json.loads(text)["data"]:
            yield from ((said, item["answers"][0]) for said in item["utterances"])
        return
    for row in map(json.loads, text.splitlines()):
        if "label" not in row:
            yield row["question"], row["answers"][0]
        elif row["label"] == "positive":
            yield row["variant"]["question"], row["answers"][0]


def train(model: Path, sets: Iterable[Path]) -> None:
    draft = model.with_suffix(".part")
    draft.write_text(json.dumps(trained(row for path in sets for row in examples_of(path))), "utf-8")
    draft.replace(model)


def intent_server(model: Path) -> Server:
    from tests.servers.http import Server, replying, response

    loaded: dict[tuple[int, int], Model] = {}

    def newest() -> Model:
        state = model.stat()
        key = state.st_mtime_ns, state.st_ino
        if key not in loaded:
            loaded.clear()
            loaded[key] = Model(json.loads(model.read_text("utf-8")))
        return loaded[key]

    def reply(request: Received) -> bytes:
        return response({"reply": {"text": newest().answer(request.json["text"])}})

    return Server(replying(reply))


def answer_lines(model: Path) -> None:
    known = Model(json.loads(model.read_text("utf-8")))
    for line in sys.stdin:
        sys.stdout.write(json.dumps({"text": known.answer(json.loads(line)["text"])}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "--answer":
        answer_lines(Path(sys.argv[2]))
    else:
        first, *others = map(Path, sys.argv[1:])
        train(first, others)
