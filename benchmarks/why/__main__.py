"""How often `botattack why` names the planted cause of a failure, at bots whose insides are known:

    BOTATTACK_DATA=FOLDER python -m benchmarks.why [--set view] [--bots faq,chat,library] [--each 20] [CELL…]

FOLDER holds `banking77/`, `xquad/`, `lexicons/`, `cocoa/` and `paraphrase/`. Each cell of `cells.yaml` is a bot with
no, one or two faults that is attacked, and then asked why. What is true of a failure is read in the bot's own log: the
faults that must be fixed, as that very request fails with all others fixed, in the order of the steps. What fails
without any fault is counted apart. `--runs-only` attacks and counts the failures, and asks nothing more.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, NamedTuple

from benchmarks.why.bots import FOLDER, PHASE
from benchmarks.why.cells import CELLS, FILE, Cell, write
from botattack.cases import cases
from botattack.model import content_id
from botattack.recordings.reader import events
from botattack.report.figures.findings import findings_of
from botattack.targets.messages.placed_values import small_seed

ROOT = Path(__file__).parents[2]
STEPS = {fault: cause for cause, faults in FILE["causes"].items() for fault in faults}


class Truth(NamedTuple):
    """What is true of a failure. `causes` must all be fixed, the earliest step first; none if the bot fails without any
    fault, too. Where only all of `together` make it fail, one fix is enough, whichever: then any of them is right.
    `hidden` is whether one of the causes changes no reply to anything that was asked."""

    unit: str
    causes: tuple[str, ...]
    together: tuple[str, ...] = ()
    hidden: bool = False
    said: Mapping[str, Any] = MappingProxyType({})
    """What `why` told of it."""

    @property
    def right(self) -> bool:
        return self.said["cause"] in (self.causes[:1] or self.together)

    @property
    def named(self) -> bool:
        """Whether all that must be fixed is named."""
        return {self.said["cause"], *self.said["also"]} >= set(self.causes)

    def __str__(self) -> str:
        causes = " + ".join(self.causes) or " or ".join(self.together) or "none planted"
        return f"{causes}, one hidden" if self.hidden else causes


def botattack(cell: Cell, folder: Path, *words: str) -> None:
    """Raises RuntimeError if the command could not do its work; that something broke is no failure."""
    lexicon = Path(os.environ["BOTATTACK_DATA"]) / "paraphrase" / "ppdb_synonyms.txt"
    environ = {**os.environ, FOLDER: str(folder), PHASE: words[0], "BOTATTACK_PARAPHRASES": str(lexicon)}
    command = [sys.executable, "-m", "botattack", *words, "--recordings", f"{folder}/{words[0]}", "--allow-code"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{cell.name}: {' '.join(words)}\n{done.stderr[-1500:]}{done.stdout[-1500:]}")


def recording(folder: Path) -> Path:
    return next((folder / "run").glob("*-bot-*"))


def truths(cell: Cell, folder: Path) -> Iterator[Truth]:
    """What is true of each failure of a run; originals that are wrong are failures, too."""
    said = [json.loads(line) for line in (folder / "log.jsonl").open(encoding="utf-8")]
    entries = {each["seed"]: each for each in said if each["phase"] == "run"}  # of a conversation the last turn
    run_seed = json.loads((folder / "campaign.yaml").read_bytes())["seed"]
    # Of faults that are planted together: those without which the bot would have said the same to everything.
    hidden = {STEPS[fault] for fault in cell.faults if all(each["said"] == each["without"][fault] for each in said)}
    for case in cases(events(recording(folder))):
        originals = case.original.units if case.original and not case.right else ()
        asked = [(unit, case.expected("gold"), "same") for unit in originals]
        for unit, expected, expect in [*asked, *((one.unit, one.expected, one.expect) for one in findings_of(case))]:
            name, repeat = unit.rsplit(".", 1)
            entry = entries[small_seed(int(content_id("seed", run_seed, name, int(repeat)), 16))]
            replies = entry["said"], entry["clean"], *entry["only"].values()
            wrong = {text for text in replies if any(answer in text for answer in expected) == (expect == "different")}
            if entry["said"] not in wrong or entry["clean"] in wrong:
                yield Truth(unit, ())
                continue
            # A fault must be fixed if it makes the bot fail when everything else is fixed.
            causes = {STEPS[fault]: None for fault in STEPS if entry["only"].get(fault) in wrong}
            together = () if causes else tuple(STEPS[fault] for fault in STEPS if fault in cell.faults)
            yield Truth(unit, tuple(causes), together, not hidden.isdisjoint(causes))


def measured(cell: Cell, data: Path, folder: Path, seed: int, each: int | None) -> tuple[list[Truth], list[Truth]]:
    """The failures of a cell, and what was told of those that `why` took up."""
    if not folder.exists():
        write(cell, data, folder, seed)
        botattack(cell, folder, "run", str(folder / "campaign.yaml"))
    if each is None or not any(truths(cell, folder)):
        return list(truths(cell, folder)), []
    told = folder / "told.json"
    if not told.exists():
        botattack(cell, folder, "why", str(recording(folder)), "--each", str(each), "-o", str(told))
    by_unit = {one.unit: one for one in truths(cell, folder)}
    said = json.loads(told.read_bytes())["why"]["explained"]
    return list(by_unit.values()), [by_unit[one["variant"]]._replace(said=one) for one in said]


def row(*cells: object) -> None:
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def head(*cells: str) -> None:
    """The first row of a table."""
    row(*cells)
    row(*["---"] * len(cells))


def share(found: list[bool]) -> str:
    return f"{sum(found)}/{len(found)} ({sum(found) / len(found):.0%})" if found else "–"


def told(scores: list[Truth]) -> None:
    """The figures over all cells, and which causes were taken for which."""
    known = [one for one in scores if one.causes or one.together]
    single, two = ([one for one in known if (len(one.causes) > 1) is many] for many in (False, True))
    print(f"\n{len(scores)} failures asked about, {len(scores) - len(known)} of them without a fault")
    print(f"one cause: right {share([one.right for one in single])}, at least 90 %")
    print(f"one cause, and no other named beside it: {share([one.right and not one.said['also'] for one in single])}")
    for many, which in (two, "two causes"), ([one for one in two if not one.hidden], "two causes, none hidden"):
        both, first = share([one.named for one in many]), share([one.right for one in many])
        print(f"{which}: both named {both}, at least 75 %; the first right {first}")
    # Until November 2026, causes that only fail together were two.
    old = [one for one in known if len(one.causes or one.together) > 1]
    named = [{one.said["cause"], *one.said["also"]} >= {*one.causes, *one.together} for one in old]
    print(f"two causes, as they were counted before: both named {share(named)}")
    requests = [one.said["requests"] for one in scores] or [0]
    print(f"requests: {sum(requests) / len(requests):.2f} on average (at most 4), {max(requests)} at most")
    by_truth = defaultdict[str, Counter[str]](Counter)
    for one in scores:
        by_truth[str(one)][one.said["cause"]] += 1
    alike = [by_truth[cause][cause] / by_truth[cause].total() for cause in FILE["causes"] if cause in by_truth]
    print(f"one cause, each cause alike: right {sum(alike) / max(1, len(alike)):.0%}\n")
    named = [*FILE["causes"], "unclear"]
    head("true", *named)
    for true, counts in sorted(by_truth.items()):
        row(true, *(counts[cause] or "" for cause in named))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells", nargs="*", metavar="CELL", help="names of cells; all where left out")
    parser.add_argument("--set", choices=CELLS, default="view", help="which cells of cells.yaml")
    parser.add_argument("--bots", default="faq,chat,library", help="which bots")
    parser.add_argument("--each", type=int, default=20, help="failures of a group that are asked about")
    parser.add_argument("--seed", type=int, default=0, help="decides the questions and their variants")
    parser.add_argument("--runs-only", action="store_true")
    parser.add_argument("--keep", type=Path, help="a folder for recordings and logs; what is there is not asked again")
    given = parser.parse_args()
    chosen = [cell for cell in CELLS[given.set] if cell.bot in given.bots]
    chosen = [cell for cell in chosen if not given.cells or cell.name in given.cells]
    head("cell", "failures", "without a fault", "true causes", "asked", "first right", "all named")
    scores = list[Truth]()
    with TemporaryDirectory() as where:
        for cell in chosen:
            folder = (given.keep or Path(where)).absolute() / cell.name
            each = None if given.runs_only or not cell.faults else given.each
            found, fresh = measured(cell, Path(os.environ["BOTATTACK_DATA"]), folder, given.seed, each)
            scores += fresh
            counts = Counter(str(one) for one in found if one.causes or one.together)
            shown = ", ".join(f"{name} {count}" for name, count in counts.most_common())
            known = [one for one in fresh if one.causes or one.together]
            figures = len(fresh), share([one.right for one in known]), share([one.named for one in known])
            row(cell.name, len(found), len(found) - counts.total(), shown, *figures)
    if not given.runs_only:
        told(scores)


if __name__ == "__main__":
    main()
