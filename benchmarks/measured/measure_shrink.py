"""Measures what docs/figures.md says of the smallest edits that break a bot: starts NLP.js and hayhooks, attacks both, shrinks their findings, and writes the page's tables.

From the project's root, with the environment of the live tests:

    python -m benchmarks.measured.measure_shrink FOLDER            recordings and reports stay in the folder
    python -m benchmarks.measured.measure_shrink --pages FOLDER    nothing is asked, the tables are written again
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.measured.measure import ROOT, environ
from botattack.recordings.reader import events
from botattack.report.figures.diagnoses import Shrunk
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.metrics import figures_of
from botattack.report.wording.headlines import plain
from tests.live.conftest import hayhooks_bot, nlpjs_bot

PAGE = ROOT / "docs" / "figures.md"
BOTS = {"nlpjs": ("NLP.js", nlpjs_bot), "hayhooks": ("hayhooks", hayhooks_bot)}
QUESTIONS = 80
FINDINGS = 80
ATTACKS = [
    {"dpaeg": {"epsilon": 5, "per_question": 3}},
    {"random-characters": {"keywords": "all", "per_question": 3}},
    {"drop-stopwords": {"per_question": 3}},
    {"reword": {"per_question": 2}},
    {"chain": [{"restate": {"per_question": 1}}, {"dpaeg": {"per_question": 3}}]},
]


def measure(folder: Path, name: str) -> None:
    """Runs the attacks over a bot, and what shrinks the findings."""
    folder.mkdir(parents=True)
    with BOTS[name][1](folder) as bot:
        target = bot.target_file(name, folder)
        shutil.copy(ROOT / "campaigns" / "faq-questions.jsonl", folder / "faq.jsonl")
        questions = {"file": "faq.jsonl", "limit": QUESTIONS}
        campaign = {"target": target.name, "questions": questions, "seed": 7, "attacks": ATTACKS}
        (folder / "run.yaml").write_text(json.dumps(campaign), "utf-8")
        _do(folder, "run", "run.yaml", "--recordings", "run")
        (run,) = (folder / "run").iterdir()
        _do(folder, "shrink", str(run.relative_to(folder)), "--limit", str(FINDINGS), "--recordings", "shrink")


def _do(folder: Path, *words: str) -> None:
    command = [sys.executable, "-c", "from botattack.cli import main; main()", *words, "-o", f"{words[-1]}.html"]
    env = {**environ(), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{words} ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")


def figures(folder: Path) -> Figures:
    """Of the run that shrank the findings of a bot."""
    return figures_of(events(next((folder / "shrink").iterdir())))


def shrunk(found: dict[str, Figures]) -> Iterator[str]:
    """One row for each bot, and one for each attack on it."""
    yield "| bot | findings | confirmed | smaller | distance before | after | requests | askings each |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, of_bot in found.items():
        of = of_bot.shrunk
        assert of, "the run shrinks nothing"
        yield _row(BOTS[name][0], of.shrunk, of.requests)
        for attack in sorted({one.found.attack for one in of.shrunk}):
            each = [one for one in of.shrunk if one.found.attack == attack]
            yield _row(f"… {plain(attack)}", each, sum(one.requests for one in each))


def _row(label: str, each: Sequence[Shrunk], requests: int) -> str:
    sure = [(one.found.distance, one.smallest.distance) for one in each if one.smallest]
    medians = [f"{median(column):g}" for column in zip(*sure, strict=True)] or ["–", "–"]
    smaller = sum(one.became == "smaller" for one in each)
    askings = f"{median(one.askings for one in each):g}"
    cells = (label, f"{len(each)}", f"{len(sure)}", f"{smaller}", *medians, f"{requests:,}", askings)
    return f"| {' | '.join(cells)} |"


def written(name: str, lines: list[str]) -> None:
    """Puts lines between the marks of that name on the page."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    text = "\n".join([begin, *lines, end])
    page, count = re.subn(f"{begin}.*?{end}", lambda _: text, PAGE.read_text("utf-8"), flags=re.DOTALL)
    assert count == 1, f"{PAGE} has no marks of {name}"
    PAGE.write_text(page, "utf-8")
    print("\n".join(lines), flush=True)


def main(words: list[str]) -> None:
    folder = Path(words[-1]).resolve()
    for name in BOTS if words[0] != "--pages" else ():
        measure(folder / name, name)
    found = {name: figures(folder / name) for name in BOTS}
    written("shrunk", list(shrunk(found)))


if __name__ == "__main__":
    main(sys.argv[1:])
