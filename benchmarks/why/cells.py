"""The cells: which bot has which faults, and what it is attacked with; and the data that the bots know."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

import yaml

Row = dict[str, Any]


class Cell(NamedTuple):
    """A line of `cells.yaml`. `attacks` are names of groups of attacks."""

    bot: str
    data: str
    faults: list[str]
    attacks: list[str]
    carrier: str = "request"
    options: Mapping[str, Any] = MappingProxyType({})
    kept: Sequence[str] = ()
    limit: int = 40

    @property
    def name(self) -> str:
        return "-".join((self.bot, self.data, *(self.faults or ("sound", self.carrier)), *self.kept))


FILE = yaml.safe_load(Path(__file__).with_name("cells.yaml").read_text("utf-8"))
CELLS = {
    name: [Cell(**line) for line in FILE[group]]
    for name, group in (
        ("view", "cells"),
        ("looked-at", "looked at"),
        ("kept-back", "kept back"),
        ("never-met", "never met"),
        ("never-met-second", "never met, second"),
        ("never-met-third", "never met, third"),
        ("never-met-fourth", "never met, fourth"),
    )
}


def webquestions(folder: Path) -> Iterator[tuple[str, str]]:
    for each in json.loads((folder / "webquestions" / "trainmodel.json").read_bytes()):
        yield each["qText"], (each.get("answers") or ["nobody"])[0]


def banking(folder: Path) -> Iterator[tuple[str, str]]:
    with (folder / "banking77" / "test.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["text"].strip(), row["category"].replace("_", " ")


def first_of_each(rows: Iterable[tuple[str, str]]) -> Iterator[Row]:
    """One question of each answer, of those that are neither long nor hold it."""
    seen = set[str]()
    for text, gold in rows:
        if gold not in seen and 3 <= len(text.split()) <= 16 and gold.lower() not in text.lower() and len(seen) < 150:
            seen.add(gold)
            yield {"question": text, "answers": [gold]}


def xquad(data: Path) -> Iterator[Row]:
    """All questions of the file, each with its passage."""
    for article in json.loads((data / "xquad" / "xquad.en.part1.json").read_bytes())["data"]:
        for paragraph in article["paragraphs"]:
            for each in paragraph["qas"]:
                answers = [answer["text"] for answer in each["answers"]]
                yield {"question": each["question"], "answers": answers, "passages": [paragraph["context"]]}


ASKED = {
    "born": "Where was {} born?",
    "employer": "Who is the employer of {}?",
    "school": "Which school did {} attend?",
    "hobby": "What is the favourite hobby of {}?",
}


def people(data: Path) -> Iterator[Row]:
    """Four facts of twenty people."""
    names = json.loads((data / "lexicons" / "basic.json").read_bytes())
    schema = json.loads((data / "cocoa" / "schema.json").read_bytes())["values"]
    values: Mapping[str, list[str]] = {"born": names["city"], "employer": schema["company"], **schema}
    rng = Random("people")
    drawn = {topic: rng.sample(values[topic], 20) for topic in ASKED}
    first, last = rng.sample(names["first_name"], 20), rng.sample(names["last_name"], 20)
    for i, person in enumerate(map(" ".join, zip(first, last, strict=True))):
        for topic, text in ASKED.items():
            yield {"question": text.format(person), "answers": [drawn[topic][i]], "person": person, "topic": topic}


def known(data: Path, name: str) -> list[Row]:
    """What a bot knows."""
    made = {"xquad": xquad, "people": people}
    return list(
        made[name](data)
        if name in made
        else first_of_each({"webquestions": webquestions, "banking77": banking}[name](data))
    )


def write(cell: Cell, data: Path, folder: Path, seed: int) -> None:
    """The files of a cell: what the bot knows and which faults it has, target file, questions and campaign."""
    rows = known(data, cell.data)
    asked = Random(f"{cell.data} {seed}").sample(rows, min(cell.limit, len(rows)))
    sent = ([*row["passages"], row["question"]] if cell.carrier == "message" else [row["question"]] for row in asked)
    kept = ["\n\n".join(texts) for texts in sent]
    config = {
        "bot": cell.bot,
        "faults": cell.faults,
        "options": {**cell.options},
        "kept": dict.fromkeys(cell.kept, kept),
    }
    connect = {"kind": "local", "call": "benchmarks.why.bots:Bot"}
    target: Row = {"name": "bot", "connect": connect, "limits": {"rate": "unlimited", "concurrency": 1}}
    campaign: Row = {"target": "target.yaml", "questions": {"file": "questions.jsonl"}, "seed": seed}
    campaign |= {"carrier": cell.carrier, "attacks": [each for name in cell.attacks for each in FILE["attacks"][name]]}
    # JSON is YAML, too.
    files: dict[str, list[Row]] = {"config.json": [config], "target.yaml": [target], "campaign.yaml": [campaign]}
    folder.mkdir(parents=True)
    for name, lines in {**files, "known.jsonl": rows, "questions.jsonl": asked}.items():
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
