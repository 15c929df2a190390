"""Replies with readers' verdicts, as rows of evidence."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import yaml

from botattack.errors import MissingPart
from botattack.matchers.evidence.all import NAMES
from botattack.matchers.evidence.answer_key import answer_key
from botattack.matchers.learned import Weighed, seen_beside
from botattack.model import GoldAnswer
from botattack.text.languages import spoken_in
from botattack.text.parts.installed import fetched
from tests.matchers.faq import HALVES, LANGUAGES
from tests.matchers.faq import rows as faq_rows

ROOT = Path(__file__).parents[1]
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
WRONG = frozenset(["wrong"])


@dataclass(frozen=True)
class Row:
    """One reply that a reader judged; `labels` are those of all its readers, any of which counts as agreement.

    `source` is the system or the collection it is from, `kind` what sort of reply it is; `group` tells which rows
    have the same question.
    """

    question: str
    gold: tuple[GoldAnswer, ...]
    reply: str
    labels: frozenset[str]
    source: str
    kind: str = ""
    group: int = 0
    language: str = ""
    refusals: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return "correct" if "correct" in self.labels else min(self.labels)


def evouna() -> list[Row]:
    """Natural Questions answered by five systems; rows marked improper are left out."""
    rows = json.loads(_evouna_file().read_text(encoding="utf-8"))
    return [row for number, each in enumerate(rows) if not each["improper"] for row in _of_systems(each, number)]


def _evouna_file() -> Path:
    """In the folder that BOTATTACK_DATA names, else as fetched. Raises MissingPart.

    `NQ-tune.json` is the published `NQ.json` without the questions that somebody keeps for a blind count.
    """
    data = os.environ.get("BOTATTACK_DATA")
    folders = [*([Path(data) / "evouna"] if data else []), fetched("evouna")]
    places = [folder / name for folder in folders for name in ("NQ-tune.json", "NQ.json")]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise MissingPart(f"EVOUNA is not in {', '.join(map(str, folders))}: botattack resources get evouna")
    return found


def _of_systems(each: dict[str, Any], number: int) -> Iterator[Row]:
    gold = tuple(GoldAnswer(text.strip()) for text in each["golden_answer"].split("/") if text.strip())
    for system in SYSTEMS:
        verdict = each[f"judge_{system}"]
        if verdict is not None:
            label = frozenset(["correct" if verdict else "wrong"])
            yield Row(each["question"], gold, each[f"answer_{system}"] or "", label, system, group=number)


def collected(*names: str) -> list[Row]:
    """Rows of tests/verdicts: those of the collections named, else of all."""
    files = [(path, collection(path.stem)) for path in sorted((ROOT / "tests/verdicts").glob("*.jsonl"))]
    return [row for path, name in files if not names or name in names for row in _of_file(path, name)]


def invented() -> list[Row]:
    """Replies that somebody thought up, of tests/verdicts/invented: they may train, and never count as agreement."""
    files = sorted((ROOT / "tests/verdicts/invented").glob("*.jsonl"))
    return [row for path in files for row in _of_file(path, "invented")]


def faqs() -> list[Row]:
    """Replies to the questions of tests/verdicts/faq, whose gold answers are sentences; none of those kept back."""
    every = ((code, row) for code in LANGUAGES for half in HALVES for row in faq_rows(code, half))
    return [
        Row(row.question, (GoldAnswer(row.gold),), row.reply, frozenset([row.label]), "faq", row.kind, language=code)
        for code, row in every
    ]


def mismatched(rows: Sequence[Row], seed: int, many: int) -> list[Row]:
    """`many` replies that are right for their own question, under another question of `rows`: wrong there.

    What they have in common with the gold answer is so by chance. Replies that hold it as text are left out. Every
    source gives as many replies and questions as every other, so that no form of question is rare.
    """
    chance, found = Random(seed), list[Row]()
    right, asked_of = _by_source(row for row in rows if row.label == "correct"), _by_source(rows)
    for _ in range(20 * many if right else 0):
        said, other = (chance.choice(chance.choice(groups)) for groups in (right, asked_of))
        if said.question != other.question and not _holds(said.reply, other.gold):
            found.append(replace(other, reply=said.reply, labels=WRONG, source=said.source, kind="mismatched"))
        if len(found) == many:
            break
    return found


def _by_source(rows: Iterable[Row]) -> list[list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.source, []).append(row)
    return list(groups.values())


def _holds(reply: str, gold: tuple[GoldAnswer, ...]) -> bool:
    folded = reply.casefold()
    return any(answer.regex or answer.text.casefold() in folded for answer in gold)


def collection(stem: str) -> str:
    """`third-2-held-out` and `third-tune` are one collection."""
    return "five-bots" if stem.startswith("five-bots") else stem.partition("-")[0]


def _of_file(path: Path, source: str) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        each = json.loads(line)
        gold = tuple(GoldAnswer(answer["text"], answer.get("regex", False)) for answer in each["gold"])
        labels = frozenset([each["label"], each.get("second", each["label"])])
        yield Row(
            each["question"],
            gold,
            each["reply"],
            labels,
            source,
            each["kind"],
            language=each.get("language", ""),
            refusals=tuple(each.get("refusals", ())) or refusals_of(each["source"].rpartition("-")[2]),
        )


@cache
def refusals_of(bot: str) -> tuple[str, ...]:
    """The sentences by which a bot is known to decline, from its target file or from what it said to nonsense."""
    target, learned = ROOT / "targets" / "bots" / f"{bot}.yaml", ROOT / "tests/verdicts" / f"{bot}-refusals.txt"
    if target.exists():
        return tuple(yaml.safe_load(target.read_text(encoding="utf-8")).get("signs", {}).get("refused", ()))
    return tuple(learned.read_text(encoding="utf-8").splitlines()) if learned.exists() else ()


def measured(rows: Iterable[Row]) -> np.ndarray[Any, Any]:
    """A line of evidence for each row; zeros where there is no gold answer to look for."""
    return np.array([_line(row) for row in rows], dtype=np.float64).reshape(-1, len(NAMES))


def _line(row: Row) -> tuple[float, ...]:
    """Beside the gold answer of which the reply says most, as the judge looks at each alone."""
    seen = _seen(row)
    return _best(seen).line if seen else (0.0,) * len(NAMES)


def _seen(row: Row) -> list[Weighed]:
    asked = answer_key(row.question, row.gold, row.language or spoken_in(row.question, row.reply), row.refusals)
    return [each for alone in asked.alone if (each := seen_beside(alone, row.reply, ()))]


def _best(seen: list[Weighed]) -> Weighed:
    return max(seen, key=lambda each: (each.found.exact, each.found.alike, each.found.recall))


def beside_heads(rows: Iterable[Row]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Lines of evidence beside gold sentences, and whether each is of a correct reply: a wrong one is so beside every
    head of the sentence, a correct one beside the best. What no tree decides is left out."""
    lines, right = list[tuple[float, ...]](), list[bool]()
    for row in rows:
        seen = [each for each in _seen(row) if each.cap != "contrary"]
        kept = [_best(seen)] if seen and row.label == "correct" else seen
        lines += [each.line for each in kept]
        right += [row.label == "correct"] * len(kept)
    return np.array(lines, dtype=np.float64), np.array(right, dtype=bool)
