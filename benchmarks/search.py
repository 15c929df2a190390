"""What a guided search finds per 100 requests, beside the same attack in order, by the size of the question file:

    BOTATTACK_DATA=FOLDER python -m benchmarks.search [--sizes 20,60,200,400] [--seeds 3]

FOLDER holds `webquestions/` and `banking77/`. Two bots answer with the entry that is nearest to what they are asked: by
the words of both, or by the letters of both; what is not near enough they do not answer. Probes and confirmations
count as requests.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

BOT = """
import json
from pathlib import Path
from rapidfuzz import fuzz, process
KNOWN = [json.loads(line) for line in (Path(__file__).parent / "q.jsonl").open()]
TEXTS = [each["question"].lower() for each in KNOWN]
def words(one, other, **_):
    a, b = set(one.split()), set(other.split())
    return 100 * len(a & b) / len(a | b)
def answer(text, scorer, least):
    found = process.extractOne(text.lower(), TEXTS, scorer=scorer, score_cutoff=least)
    return KNOWN[found[2]]["answers"][0] if found else "Sorry, I did not understand that."
def by_words(text): return answer(text, words, 75)
def by_letters(text): return answer(text, fuzz.ratio, 92)
"""
CELLS = (("by_words", "dpaeg"), ("by_letters", "dpaeg"), ("by_letters", "swap-words"))
"""Bots and attacks: words in another order are the same to a bot that goes by words."""


def webquestions(folder: Path) -> Iterator[tuple[str, str]]:
    for each in json.loads((folder / "webquestions" / "trainmodel.json").read_bytes()):
        yield each["qText"], (each.get("answers") or ["nobody"])[0]


def banking(folder: Path) -> Iterator[tuple[str, str]]:
    with (folder / "banking77" / "test.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["text"].strip(), row["category"].replace("_", " ")


FILES = {"webquestions": webquestions, "banking77": banking}


def found(folder: Path, bot: str, attack: str, search: str, seed: int) -> tuple[int, int]:
    """The questions that broke, and the requests of an attack."""
    (folder / "t.yaml").write_text(
        f'connect: {{kind: local, call: "file://bot.py:{bot}"}}\nlimits: {{rate: unlimited, concurrency: 8}}\n'
    )
    named = f"{attack}:search={search},per_question=20,queries=20"  # as many as a search may ask
    words = ["-t", "t.yaml", "-q", "q.jsonl", "-a", named, "--seed", str(seed), "--allow-code"]
    command = [sys.executable, "-m", "botattack", "run", *words, "-o", "run.json", "--quiet"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    figures = json.loads((folder / "run.json").read_bytes())
    (row,) = (each["gold"] for name, each in figures["attacks"].items() if name != "unchanged")
    return row["broken_questions"], row["requests"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="20,60,200,400")
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    data = Path(os.environ["BOTATTACK_DATA"])
    print("| file | questions | bot | attack | in order, per 100 requests | searched | factor |")
    print("|---|---|---|---|---|---|---|")
    for name, read in FILES.items():
        rows = [(text, gold) for text, gold in dict(read(data)).items() if gold.lower() not in text.lower()]
        for size in map(int, given.sizes.split(",")):
            some = Random(f"{name} {size}").sample(rows, min(size, len(rows)))
            with TemporaryDirectory() as where:
                folder = Path(where)
                (folder / "bot.py").write_text(BOT)
                asked = (json.dumps({"question": text, "answers": [gold]}) for text, gold in some)
                (folder / "q.jsonl").write_text("\n".join(asked) + "\n")
                for bot, attack in CELLS:
                    shares = []
                    for search in ("in-order", "beam"):
                        seen = [found(folder, bot, attack, search, seed) for seed in range(given.seeds)]
                        broken, requests = map(sum, zip(*seen, strict=True))
                        shares.append(100 * broken / max(1, requests))
                    factor = f"{shares[1] / shares[0]:.2f}" if shares[0] else "–"
                    cells = name, len(some), bot, attack, f"{shares[0]:.1f}", f"{shares[1]:.1f}", factor
                    print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
