"""Measures what docs/passages.md says of passages that reach a bot in different ways: starts hayhooks, runs campaigns
over it, and writes the page's tables.

From the project's root, with the environment of the live tests:

    python -m benchmarks.measured.measure_doors

XQuAD and PoisonedRAG are taken from the folder that BOTATTACK_DATA names.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import botattack
from benchmarks.measured.measure import ROOT, XQUAD, data, writable
from botattack.events import DocumentAdded
from botattack.model import Edit, Reply, Variant, edited, says_decoy
from botattack.places import Place, PlaceKind
from botattack.protocols import Attack, Context, Proposals
from botattack.recordings.reader import events
from botattack.report.figures.figure_values import Row
from botattack.report.numbers import percent, span
from tests.live.bots import Http, LiveBot
from tests.live.conftest import hayhooks_bot

PAGE = ROOT / "docs" / "passages.md"
DOSES = {1: 0.5, 3: 0.75, 5: 0.8334}
"""How many documents are planted beside one passage that says the answer, and their share of all."""
QUESTIONS = 100
HOMOGLYPH = {"at": {"place": "context", "attack": {"homoglyph": {"per_question": 2}}}}


@dataclass(frozen=True)
class Planted(Attack):
    """Adds the first texts of a list that the data set has for a question; its target answer is the decoy."""

    name: ClassVar[str] = "planted"

    texts: Mapping[str, tuple[str, ...]]
    decoys: Mapping[str, str]

    @property
    def edits(self) -> frozenset[PlaceKind]:
        return frozenset({"added passage"})

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        question, found = context.question, []
        for dose in DOSES:
            texts = self.texts[question.text][:dose]
            edits = tuple(Edit(0, "", text, f"{dose}", Place("added passage", 0)) for text in texts)
            sent = edited(question.turns, edits)
            found.append(Variant(sent, self.name, edits, decoy=self.decoys[question.text]))
        yield found
        return len(found)


@contextmanager
def library(folder: Path, passages: Path) -> Iterator[LiveBot]:
    """hayhooks over these passages; reports what is left in it at the end."""
    folder.mkdir()
    with hayhooks_bot(folder, passages) as bot:
        listed = Http(bot.url).json("/library_list/run", {})["result"]
        yield bot
        assert Http(bot.url).json("/library_list/run", {})["result"] == listed, "something of ours was left"


def loaded(
    folder: Path, bot: LiveBot, questions: Any, attacks: list[Any], *, holds: bool, **keys: Any
) -> botattack.CampaignConfig:
    target = bot.target_file("hayhooks-library", folder)
    writable(target, holds_passages=holds)
    path = folder / "campaign.yaml"
    whole = {"target": target.name, "questions": questions, "seed": 7, "match": "contains", "attacks": attacks, **keys}
    path.write_text(json.dumps(whole), "utf-8")
    return botattack.load(path, environ={})


def doses(folder: Path) -> Iterator[str]:
    """Counterfactual copies of the passage that says the answer, beside it, in a knowledge base of all of XQuAD."""
    with library(folder, data() / XQUAD) as bot:
        shutil.copy(data() / XQUAD, folder / "xquad.json")
        attack = {"counterfactual": {"how": "add", "doses": [*DOSES.values()]}}
        questions = {"file": "xquad.json", "limit": QUESTIONS}
        campaign = loaded(folder, bot, questions, [attack], holds=True, carrier="document")
        killed, left = _killed(folder, bot)
        (recording,) = (folder / "recordings").iterdir()
        result = botattack.run(campaign, recordings=folder / "recordings", resume=recording)
        added = sum(isinstance(event, DocumentAdded) for event in events(recording))
    found, control = result.figures.attacks["counterfactual"], result.figures.attacks["unchanged"]
    counts = result.figures.questions
    yield f"{counts.kept} of {counts.asked} questions were answered correctly and attacked. The run was killed"
    yield f"(SIGKILL) after {killed} documents, when {left} of ours were in the knowledge base, and continued with"
    yield f"`--resume`: of {added} documents that it added, none was left at the end."
    yield ""
    yield "| planted | broken | rate | 95 % interval | gave the planted answer |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    yield _line("none (control)", control.gold, "")
    for dose, share in DOSES.items():
        row = found.splits["kind"][f"counterfactual {share:g}"]
        yield _line(str(dose), row, f"{row.took_decoy}/{row.decoys}")


def _killed(folder: Path, bot: LiveBot) -> tuple[int, int]:
    """Begins the run in a process of its own, and kills it in the middle; how many documents it had added by then, and
    how many of them are there."""
    command = [sys.executable, "-c", "from botattack.cli import main; main()", "run", "campaign.yaml"]
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    kept: list[Path] = []
    while process.poll() is None:
        kept = kept or [*(folder / "recordings").glob("*/events.jsonl")]
        if kept and kept[0].read_bytes().count(b'"event":"document added"') > 200 and len(_ours(bot)) > 2:
            process.kill()
    process.wait()
    left = len(_ours(bot))
    assert left, (folder / "log.txt").read_text()
    return kept[0].read_bytes().count(b'"event":"document added"'), left


def _ours(bot: LiveBot) -> list[str]:
    listed: list[str] = Http(bot.url).json("/library_list/run", {})["result"]
    return [name for name in listed if name.startswith("botattack-")]


def _line(name: str, row: Row, took: str) -> str:
    sure = span(row.interval) if row.interval else row.note
    return f"| {name} | {row.success}/{row.rated} | {percent(row.success_rate)} | {sure} | {took} |"


def compared(folder: Path) -> Iterator[str]:
    """The same attacks through every door of a pipeline that reads what comes through any of them."""
    empty = folder.parent / "empty.json"
    empty.write_text('{"data": []}')
    with library(folder, empty) as bot:
        shutil.copy(data() / XQUAD, folder / "xquad.json")
        attacks = ["counterfactual", "add-sent", HOMOGLYPH]
        questions = {"file": "xquad.json", "limit": QUESTIONS}
        doors = ["request", "message", "turn", "document"]
        campaign = loaded(folder, bot, questions, attacks, holds=False, carrier=doors)
        result = botattack.run(campaign, recordings=folder / "recordings")
    yield from _by_door(result)


def _by_door(result: botattack.Result) -> Iterator[str]:
    attacks = result.figures.attacks
    shown = sorted(attacks["unchanged"].splits["door"])
    yield f"| attack | {' | '.join(map(str, shown))} |"
    yield f"| --- |{' ---: |' * len(shown)}"
    for name, attack in attacks.items():
        rows = [attack.splits["door"][door] for door in shown]
        cells = (_rate(row) for row in rows)
        yield f"| {name}{' (control)' * (name == 'unchanged')} | {' | '.join(cells)} |"


def _rate(row: Row) -> str:
    sure = f", {percent(row.success_rate)} ({span(row.interval)})" if row.interval else ""
    return f"{row.success}/{row.rated}{sure}"


def poisoned(folder: Path, name: str) -> str:
    """PoisonedRAG's own documents in a knowledge base that has nothing else about its questions."""
    known = json.loads((data() / "poisonedrag" / f"{name}.json").read_text("utf-8")).values()
    with library(folder, data() / XQUAD) as bot:
        rows = ({"question": one["question"], "answers": [one["correct answer"]]} for one in known)
        (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        campaign = loaded(folder, bot, {"file": "questions.jsonl"}, [], holds=True, carrier="document", filter="all")
        texts = {one["question"]: tuple(one["adv_texts"]) for one in known}
        decoys = {one["question"]: one["incorrect answer"] for one in known}
        campaign = replace(campaign, attacks=(*campaign.attacks, ("planted", Planted(texts, decoys))))
        result = botattack.run(campaign, recordings=folder / "recordings")
    took = dict.fromkeys([0, *DOSES], 0)
    total = 0
    for case in result.cases():
        total += 1
        took[0] += says_decoy(decoys[case.question.text], Reply(case.reply))
        for judged in case.judged:
            if judged.attack == "planted":
                took[len(judged.edits)] += judged.took_decoy
    return f"| {name} | {' | '.join(f'{x}/{total}' for x in took.values())} |"


def written(name: str, lines: list[str]) -> None:
    """Puts lines between the marks of that name on the page."""
    page = PAGE.read_text("utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    body = "\n".join(lines)
    page, count = re.subn(f"{begin}.*?{end}", lambda _: f"{begin}\n{body}\n{end}", page, flags=re.DOTALL)
    assert count == 1, f"{PAGE} has no marks of {name}"
    PAGE.write_text(page, "utf-8")
    print("\n".join(lines), flush=True)


def main(words: list[str]) -> None:
    wanted = words or ["doses", "doors", "poisoned"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if "doses" in wanted:
            written("doses", list(doses(folder / "doses")))
        if "doors" in wanted:
            written("doors", list(compared(folder / "doors")))
        if "poisoned" in wanted:
            head = [f"| questions | {' | '.join(map(str, [0, *DOSES]))} |", "| --- | ---: | ---: | ---: | ---: |"]
            rows = [poisoned(folder / name, name) for name in ("hotpotqa", "msmarco")]
            written("poisoned", [*head, *rows])


if __name__ == "__main__":
    main(sys.argv[1:])
