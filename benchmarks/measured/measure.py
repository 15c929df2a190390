"""Measures what ablation.md, attacks-measured.md, context-measured.md, conversations-measured.md, persian.md and
requests-measured.md say: starts bots, runs campaigns, writes the pages.

From the project's root, with the environment of the live tests:

    python -m benchmarks.measured.measure                                  every campaign, one after the other
    python -m benchmarks.measured.measure keywords-nlpjs pos-hayhooks      these only; the other figures stay
    python -m benchmarks.measured.measure keywords-nlpjs=FOLDER            the figures of a recording that exists, or of
                                                            several, with commas between them
    python -m benchmarks.measured.measure --pages                          nothing is asked, the pages are written again

The figures are kept in measured.json. XQuAD's and HotpotQA's questions are taken from the folder that
BOTATTACK_DATA names.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

from benchmarks.measured import context_figures, context_pages, conversation_pages, pages, persian_pages, request_pages
from botattack.events import VariantJudged
from botattack.recordings.reader import events
from botattack.report.figures.figure_values import AttackFigures, Row
from botattack.report.figures.metrics import figures_of
from botattack.report.statistics.intervals import MIN_QUESTIONS, t_quantile
from tests.live import environments
from tests.live.bots import LiveBot
from tests.live.conftest import ferry_bot, hayhooks_bot, llama_bot, nlpjs_bot, reader_bot

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
KEPT = HERE / "measured.json"
XQUAD = "xquad/xquad.en.part1.json"
PARTS = {"BOTATTACK_PARAPHRASES": "paraphrase/ppdb_synonyms.txt", "BOTATTACK_GRAMMAR_ERRORS": "grammar-errors"}
"""Language parts by the name that leads to them, and where the folder of data sets holds them."""
FILES: dict[str, dict[str, dict[str, str]]] = {
    "hayhooks": {"hayhooks": {}, "hayhooks-passages": {}},
    "rag": {"hayhooks-reader": {}},
    "ferry": {"nlpjs": {}},
    "page": {"nlpjs-page": {}},
    "llama": {"openai-compatible": {"max_tokens": "24", "fields": '{stop: [".", "\\n"], cache_prompt: true}'}},
}
"""The target files that name the address of a bot, and what else is put into them; by default that of its name."""
ON_PASSAGES = {
    "context-reader": "context",
    "context-hayhooks": "context",
    "context-smollm2": "context-smollm2",
    "multi-hop-reader": "multi-hop",
    "multi-hop-hayhooks": "multi-hop",
    "multi-hop-smollm2": "multi-hop-smollm2",
    "retrieval-rag": "retrieval",
    "persian-reader": "persian",
    "persian-hayhooks": "persian",
}
"""Campaigns on passages, each with a bot: the name of the campaign's file."""
TARGETS = {"reader": "reader", "hayhooks": "hayhooks-passages", "rag": "hayhooks-reader"}
"""The target files of bots that take passages, unless a campaign is one bot's own and names it."""
CONSENT = "consent: {authorised_by: whoever measures, until: 2099-12-31, writes: documents}\n"
COMPARED = 10
"""Attacks of a campaign, at most, that are compared one by one."""
Counts = dict[str, tuple[float, int]]
"""Of one attack: successes, or another sum, and outcomes by question."""


def campaigns() -> dict[str, Path]:
    """The campaigns that are measured, by the names of their files, those that share a bot together."""
    found = [*(ROOT / "campaigns").glob("*/*.yaml"), *(ROOT / "campaigns").glob("all-attacks-*.yaml")]
    named = {path.stem: path for path in found}
    named |= {name: ROOT / "campaigns" / f"{file}.yaml" for name, file in ON_PASSAGES.items()}
    return {name: named[name] for name in sorted(named, key=lambda name: (name.rpartition("-")[2], name))}


def measured(folder: Path, *, passages: bool = False, spoken: bool = False) -> dict[str, Any]:
    """What the pages need to know of a recording, one of a campaign on `passages`, of dialogues (`spoken`) or of
    neither."""
    figures = figures_of(events(folder))
    counts, distances = counted(folder)
    more = context_figures.measured(folder, figures, difference) if passages else {}
    if spoken:
        more = conversation_pages.measured(folder, figures, difference)
    return {
        "run": {"exit": figures.run.exit, "seed": figures.run.seed, "date": figures.run.started[:10]},
        "questions": asdict(figures.questions),
        "attacks": {
            name: {**rows(attack), "distance": distances.get(name)} for name, attack in figures.attacks.items()
        },
        "differences": differences(counts) if len(counts) <= COMPARED else {},
        **more,
    }


def rows(attack: AttackFigures) -> dict[str, Any]:
    return {
        "expect": attack.expect,
        **{name: row(part) for name, part in (("as claimed", attack.gold), ("unsure", attack.unsure)) if part.asked},
    }


def row(found: Row) -> dict[str, Any]:
    return {
        "success": found.success,
        "rated": found.rated,
        "asked": found.asked,
        "questions": found.questions,
        "rate": found.success_rate,
        "interval": found.interval,
        "note": found.note,
        "requests": found.requests,
        "per 100 requests": 100 * found.success / found.requests if found.requests else None,
    }


def counted(folder: Path) -> tuple[dict[str, Counts], dict[str, float]]:
    """Of each attack, gold references only: successes of clear outcomes, and the mean distance of its variants."""
    counts: dict[str, Counts] = defaultdict(dict)
    far: dict[str, list[int]] = defaultdict(list)
    for event in events(folder):
        if isinstance(event, VariantJudged) and event.reference == "gold" and not event.probe:
            success = event.result == "success"
            _add(counts[event.attack], event.question, success, event.result in ("success", "robust"))
            far[event.attack].append(event.distance)
    return counts, {name: sum(found) / len(found) for name, found in far.items()}


def _add(counts: Counts, question: str, success: bool, counts_at_all: bool) -> None:
    x, n = counts.get(question, (0, 0))
    counts[question] = x + success, n + counts_at_all


def differences(counts: dict[str, Counts]) -> dict[str, Any]:
    """Of every two attacks the first's rate less the second's, with its 95 % interval."""
    return {f"{a} - {b}": difference(counts[a], counts[b]) for a, b in combinations(counts, 2)}


def difference(one: Counts, other: Counts) -> list[float] | None:
    """Difference of the rates, low and high end: linearised, questions as clusters that both rates share; None with
    too few questions."""
    sums = [tuple(map(sum, zip(*counts.values(), strict=True))) for counts in (one, other)]
    questions = one.keys() | other.keys()
    if min(sum(n > 0 for _, n in counts.values()) for counts in (one, other)) < MIN_QUESTIONS:
        return None
    rates = [x / n for x, n in sums]
    weights = [
        sum(
            sign * (counts.get(question, (0, 0))[0] - rate * counts.get(question, (0, 0))[1]) / total[1]
            for sign, counts, rate, total in zip((1, -1), (one, other), rates, sums, strict=True)
        )
        for question in questions
    ]
    error = sqrt(sum(weight**2 for weight in weights) * len(questions) / (len(questions) - 1))
    half, found = t_quantile(0.95, len(questions) - 1) * error, rates[0] - rates[1]
    return [found, found - half, found + half]


@contextmanager
def laid_out(folder: Path) -> Iterator[Path]:
    """The campaigns and target files in a folder of their own, where addresses can be put in."""
    for name in ("campaigns", "targets"):
        shutil.copytree(ROOT / name, folder / name)
    if (data() / XQUAD).is_file():
        shutil.copy(data() / XQUAD, folder / "campaigns" / "ablation")
    yield folder


def data() -> Path:
    return Path(os.environ.get("BOTATTACK_DATA") or ROOT.parent / "shared" / "data")


def environ() -> dict[str, str]:
    """Where the language parts are, for attacks and bots that need them."""
    found = {name: str(data() / path) for name, path in PARTS.items()}
    packages = environments.smollm2().folder() / "packages"
    return {
        **os.environ,
        "BOTATTACK_DATA": str(data()),
        **found,
        "BOTATTACK_PARAPHRASER": str(ROOT / "targets" / "bots" / "smollm2.yaml"),
        "PYTHONPATH": str(packages),
    }


def run(campaign: Path, folder: Path, flags: Sequence[str] = ()) -> Path:
    """The recording of a campaign, asked with further flags."""
    recordings = folder / "recordings" / "-".join((campaign.stem, *flags))
    command = [sys.executable, "-c", "from botattack.cli import main; main()", "run", str(campaign)]
    done = subprocess.run(
        [*command, "--allow-code", "--recordings", str(recordings), *flags],
        env=environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1, 4):
        sys.exit(f"{campaign.name} ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    (found,) = recordings.iterdir()
    return found


def asked(names: list[str], found: Callable[[str, list[Path]], None]) -> None:
    """Runs campaigns, each bot started once, and hands over the recordings of each as soon as they are there."""
    with tempfile.TemporaryDirectory() as temporary, laid_out(Path(temporary)) as folder:
        known = campaigns()
        for bot in dict.fromkeys(name.rpartition("-")[2] for name in names):
            with started(bot, folder):
                for name in (name for name in names if name.endswith(bot)):
                    campaign = folder / known[name].relative_to(ROOT)
                    if name in ON_PASSAGES:
                        campaign = asking(campaign, name)
                    found(name, [run(campaign, folder, flags) for flags in ((), *again(campaign))])


def again(campaign: Path) -> list[tuple[str, ...]]:
    """The flags of the further runs of a campaign."""
    return [request_pages.FLAGS[campaign.stem.partition("-")[0]]] if campaign.parent.name == "requests" else []


def asking(campaign: Path, name: str) -> Path:
    """The campaign under the name of its bot, which it asks."""
    if campaign.stem == name:
        return campaign
    text = campaign.read_text("utf-8")
    target = f"target: ../targets/bots/{TARGETS[name.rpartition('-')[2]]}.yaml"
    copy = campaign.with_stem(name)
    copy.write_text(re.sub(r"^target: .*$", target, text, flags=re.MULTILINE), "utf-8")
    return copy


@contextmanager
def started(bot: str, folder: Path) -> Iterator[None]:
    """The bot, where it is a server; its address stands in its target file."""
    if bot not in BOTS:
        yield
        return
    (folder / bot).mkdir()
    with BOTS[bot](folder / bot) as live:
        for file, lines in FILES.get(bot, {bot: {}}).items():
            live.target_file(file, folder / "targets" / "bots", **lines)
        if bot == "rag":
            writable(folder / "targets" / "bots" / "hayhooks-reader.yaml")
        yield


def rag_bot(folder: Path) -> AbstractContextManager[LiveBot]:
    """A retriever over XQuAD's passages, and SmolLM2 as the reader behind it."""
    return reader_bot(folder, environments.smollm2().folder() / "packages", data() / XQUAD)


BOTS: dict[str, Callable[[Path], AbstractContextManager[LiveBot]]] = {
    "nlpjs": nlpjs_bot,
    "hayhooks": hayhooks_bot,
    "rag": rag_bot,
    "ferry": ferry_bot,
    "page": ferry_bot,
    "llama": lambda folder: llama_bot(folder, environments.smollm2().folder() / "packages"),
}


def writable(target: Path, *, holds_passages: bool = True) -> None:
    """Lets campaigns add documents to a bot that was started here, whose knowledge base has the questions' passages or
    not."""
    text = target.read_text("utf-8")
    text = text.replace("    # holds_passages: true", "    holds_passages: true") if holds_passages else text
    target.write_text(text + CONSENT, "utf-8")


def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    return found


def keep(name: str, recordings: list[Path]) -> None:
    if name.startswith(tuple(request_pages.FLAGS)):
        _put(name, request_pages.measured([figures_of(events(recording)) for recording in recordings]))
        return
    persian = ON_PASSAGES.get(name) == "persian"
    passages, spoken = name in ON_PASSAGES and not persian, name.startswith(conversation_pages.CAMPAIGNS)
    found = measured(recordings[0], passages=passages, spoken=spoken)
    if persian:
        found["table 1"] = persian_pages.measured(recordings[0], difference)
    _put(name, found)
    print(name, found["questions"]["kept"], "questions kept", flush=True)


def _put(name: str, found: dict[str, Any]) -> None:
    KEPT.write_text(json.dumps(dict(sorted({**kept(), name: found}.items())), indent=1, ensure_ascii=False) + "\n")


def main(words: list[str]) -> None:
    for name, _, folder in (word.partition("=") for word in words if "=" in word):
        keep(name, [Path(one) for one in folder.split(",")])
    names = [word for word in words if "=" not in word and word != "--pages"]
    if names or not words:
        asked(names or list(campaigns()), keep)
    pages.write(kept(), HERE)
    context_pages.write(kept(), HERE)
    persian_pages.write(kept(), ROOT / "docs")
    conversation_pages.write(kept(), HERE)
    request_pages.write(kept(), HERE)


if __name__ == "__main__":
    main(sys.argv[1:])
