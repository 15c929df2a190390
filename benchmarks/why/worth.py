"""What `botattack why` says a normaliser would bring back, compared with real spellers in front of the same bots:

    python -m benchmarks.why.worth FOLDER [--seed 7] [nlpjs] [alice]

NLP.js over a FAQ and ALICE are attacked with typing mistakes, and asked why they failed. Then each speller (nspell with
Hunspell's English dictionary, pyspellchecker) is put in front of the bot, and the failures that `why` calls `input` are
asked again in the same words. `+ words`: the speller is given the words of what the bot knows; `own words`: it knows
no others. What FOLDER has is kept. Builds the environments of the live tests: needs Node.js.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from botattack.cases import QuestionCase, cases
from botattack.recordings.reader import events
from botattack.text.tokens import words
from tests.live.environments import FAQ

ROOT = Path(__file__).parents[2]
QUESTIONS = {"nlpjs": "faq-questions.jsonl", "alice": "demo-questions.jsonl"}
EACH = {"nlpjs": 3, "alice": 1}
"""Variants of a question by each attack: most of them break ALICE."""
KINDS = ["replace", "swap", "middle", "keyboard"]
SPELLERS = {
    "no speller": ("", False),
    "nspell": ("nspell", False),
    "nspell + words": ("nspell", True),
    "pyspellchecker": ("pyspellchecker", False),
    "pyspellchecker + words": ("pyspellchecker", True),
    "pyspellchecker, own words": ("pyspellchecker-own", True),
}


def botattack(folder: Path, *flags: str | Path) -> None:
    command = [sys.executable, "-m", "botattack", *map(str, flags), "--allow-code"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr + done.stdout)


def campaign(folder: Path, questions: Path, options: Mapping[str, Any], **keys: Any) -> None:
    """A campaign over the bot, unless the folder has it already."""
    if (folder / "run.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    connect = {"kind": "local", "call": "benchmarks.why.spelled:Spelled", "options": options}
    target = {"name": "spelled", "connect": connect, "limits": {"rate": "unlimited", "concurrency": 1}}
    (folder / "bot.yaml").write_text(json.dumps(target), "utf-8")
    asked = {"target": "bot.yaml", "questions": {"file": str(questions)}, **keys}
    (folder / "campaign.yaml").write_text(json.dumps(asked), "utf-8")
    botattack(ROOT, "run", folder / "campaign.yaml", "--recordings", folder / "run", "-o", folder / "run.json")


def recorded(folder: Path) -> tuple[Path, Iterator[QuestionCase]]:
    run = max((folder / "run").glob("*-spelled-*"))
    return run, cases(events(run))


def known(bot: str, folder: Path) -> dict[str, Any]:
    """What the bot knows: its options, beside the words of the questions that it was taught."""
    if bot == "alice":
        rows = [json.loads(line) for line in (ROOT / "campaigns" / QUESTIONS[bot]).read_text("utf-8").splitlines()]
        texts = [row["question"] for row in rows]
        options = {}
    else:
        rows = [json.loads(line) for line in FAQ.read_text("utf-8").splitlines()]
        texts = [row[key] for row in rows for key in ("question", "also")]
        data = [
            {"intent": row["id"], "utterances": [row["question"], row["also"]], "answers": [row["answer"]]}
            for row in rows
        ]
        (folder / "corpus.json").write_text(json.dumps({"name": "faq", "locale": "en", "data": data}), "utf-8")
        options = {"corpus": str(folder / "corpus.json")}
    own = dict.fromkeys(word.text for text in texts for word in words(text))
    (folder / "words.json").write_text(json.dumps([*own]), "utf-8")
    return options


def measured(bot: str, folder: Path, seed: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    options = known(bot, folder)
    each = {"per_question": EACH[bot]}
    attacks = [{"noise": {**each, "kinds": KINDS}}, {"dpaeg": each}]
    asked = ROOT / "campaigns" / QUESTIONS[bot]
    campaign(folder / "audit", asked, options, attacks=attacks, seed=seed, repeat=2)
    run, found = recorded(folder / "audit")
    if not (told := folder / "why.json").exists():
        flags = ("--each", "0", "--attack", "noise", "--attack", "dpaeg", "-t", folder / "audit" / "bot.yaml")
        botattack(ROOT, "why", run, *flags, "--recordings", folder / "why", "-o", told, "-o", folder / "why.md")
    said = json.loads(told.read_bytes())["why"]["explained"]
    units = {one["variant"] for one in said if "input" in (one["cause"], *one["also"])}
    failing, right = list[tuple[str, list[str]]](), list[tuple[str, list[str]]]()
    for case in found:
        answers = [answer.text for answer in case.question.answers]
        failing += [(one.alteration.text, answers) for one in case.variants if one.judged.unit in units]
        right += [(case.question.text, answers)] * case.right
    print(f"\n{bot}: {len(failing)} failures of cause input")
    print(next(line for line in (folder / "why.md").read_text("utf-8").splitlines() if "before look-up" in line))
    # A bot that is right about none of the first questions is taken for a login page: right ones are among them.
    rows = (json.dumps({"question": text, "answers": answers}) + "\n" for text, answers in [*failing, *right])
    (folder / "failing.jsonl").write_text("".join(rows), "utf-8")
    for label, (name, own) in SPELLERS.items():
        behind = {**options, "name": name, "words": str(folder / "words.json") if own else ""}
        again = folder / label.replace(" ", "-")
        campaign(again, folder / "failing.jsonl", behind, attacks=["unchanged"], filter="all", seed=seed)
        again_right = {case.question.text: case.right for case in recorded(again)[1]}
        back = sum(again_right[text] for text, _ in failing)
        print(f"| {bot} | {label} | {back} of {len(failing)} | {back / len(failing):.1%} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("bots", nargs="*", default=[*QUESTIONS])
    given = parser.parse_intermixed_args()
    for bot in given.bots:
        measured(bot, given.folder.absolute() / bot, given.seed)


if __name__ == "__main__":
    main()
