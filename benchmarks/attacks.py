"""What variants of the attacks without a model cost, in process CPU time, parsing apart; and importing them.

    BOTATTACK_DATA=FOLDER python benchmarks/attacks.py

FOLDER holds webquestions/trainmodel.json. A variant counts with its edits, distance, id and the proof that it is new.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from botattack import registry
from botattack.audit.language_parts import parts_of
from botattack.model import Edit, Need, Prompt, Question, Token, Variant
from botattack.protocols import Context
from botattack.text.parts import parse

QUESTIONS = 300
RUNS = 3
DATA = Path(os.environ.get("BOTATTACK_DATA") or Path(__file__).parents[2] / "shared" / "data")
CHARACTERS = ("random-characters", "noise", "homoglyph", "invisible")
"""Bare character edits."""
WORDS = (
    *("swap-words", "drop-stopwords", "insert-function-word", "delete-function-word", "substitute-function-word"),
    *("case", "punctuation", "contraction", "filler", "homophone", "reorder", "negate"),
    *("random-input", "random-input-keep-entities", "confuse-entity"),
)
MANY = 500
"""Variants asked for of each question: what is done once for a question is a question's cost."""
ONE = 1
"""What the first variant of a question costs is nearly all a question's own."""

Met = Mapping[str, tuple[Token, ...]]


def proposed(attack: Any, question: Question, met: Met, parts: Mapping[str, Any]) -> Iterator[Sequence[Variant]]:
    """The batches of variants of a question whose Needs were met before."""
    steps = attack.propose(Context(question, (), parts), Random(0))
    answer: Any = None
    while True:
        try:
            batch = steps.send(answer)
        except StopIteration:
            return
        if isinstance(batch[0], Need):
            answer = [met[need.id] for need in batch]
        else:
            yield batch
            answer = ()


def needs_of(attack: Any, question: Question, parts: Mapping[str, Any]) -> list[Need]:
    steps = attack.propose(Context(question, (), parts), Random(0))
    batch: Sequence[Any] = next(steps, ())
    return [item for item in batch if isinstance(item, Need)]


def measure(name: str, most: int, questions: Sequence[Question], parts: Mapping[str, Any]) -> tuple[float, float]:
    """(variants a question, microseconds of CPU a variant: the least of several runs)"""
    attack = registry.find("attacks", name)(per_question=most)
    met: dict[str, tuple[Token, ...]] = {}
    if "parse" in attack.parts():
        needs = [need for question in questions for need in needs_of(attack, question, parts)]
        met = dict(zip((n.id for n in needs), parse.load().meet([n.payload for n in needs]), strict=True))
    times, count = [], 0
    for _ in range(RUNS):
        start = process_time()
        count = 0
        for question in questions:
            for batch in proposed(attack, question, met, parts):
                count += len(batch)
                for variant in batch:
                    variant.id  # noqa: B018
        times.append(process_time() - start)
    return count / len(questions), min(times) / max(1, count) * 1e6


def milliseconds(name: str, questions: Sequence[Question], parts: Mapping[str, Any], meets: Mapping[str, Any]) -> float:
    """What a question costs an attack that reads passages, in process CPU time beyond what it asks for: the least of
    several runs."""
    attack = registry.find("attacks", name)()
    met: dict[str, Any] = {}
    times = []
    for _ in range(RUNS + 1):  # the first run meets the needs
        spent = 0.0
        for question in questions:
            steps = attack.propose(Context(question, (), parts), Random(0))
            answer: Any = None
            while True:
                start = process_time()
                batch = next(steps, None) if answer is None else _sent(steps, answer)
                spent += process_time() - start
                if batch is None:
                    break
                needs = [item for item in batch if isinstance(item, Need)]
                met |= {need.id: meets[need.kind].meet([need.payload])[0] for need in needs if need.id not in met}
                answer = [met[need.id] for need in needs]
        times.append(spent)
    return min(times) / len(questions) * 1000


def _sent(steps: Any, answer: Sequence[Any]) -> Any:
    try:
        return steps.send(answer)
    except StopIteration:
        return None


def passages() -> None:
    """The table of attacks that read passages, where the questions and the parts are here."""
    path = DATA / "hotpotqa" / "hotpot_dev_distractor_first50.json"
    if not path.is_file():
        print(f"no {path}: attacks that read passages are left out")
        return
    questions = [row for row in registry.find("readers", "hotpotqa")(path) if isinstance(row, Question)]
    print(f"\n{'attack that reads passages':<28}{'ms a question':>14}   limit, ms")
    for name, most in (("add-sent", 5), ("reasoning-chain", 5), ("disfluency", 3)):
        parts = parts_of([registry.find("attacks", name)()])
        print(f"{name:<28}{milliseconds(name, questions, parts.data, parts.handlers):>14.2f}   <= {most}")


def import_seconds() -> float:
    """Of `botattack.attacks` and all its modules, beyond bare Python: the least of several processes."""
    modules = sorted({place.partition(":")[0] for place in registry.BUILT_IN["attacks"].values()})
    code = f"import time; s = time.process_time(); import {', '.join(modules)}; print(time.process_time() - s)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(RUNS)]
    return min(float(run.stdout) for run in runs)


def bare() -> float:
    """Microseconds that a finished variant and its id take to build, whatever the attack."""
    text, edits = "who plays ken barlow in coronation street?", (Edit(4, "plays", "palys", "swap"),)
    times = []
    for _ in range(RUNS):
        start = process_time()
        for _ in range(20_000):
            Variant((Prompt(text),), "noise", edits, "same", 1).id  # noqa: B018
        times.append(process_time() - start)
    return min(times) / 20_000 * 1e6


def main() -> None:
    path = DATA / "webquestions" / "trainmodel.json"
    if not path.is_file():
        sys.exit(f"no {path}: set BOTATTACK_DATA to the folder that holds webquestions/")
    questions = [Question(record["qText"]) for record in json.loads(path.read_bytes())[:QUESTIONS]]
    parts = parts_of([registry.find("attacks", name)() for name in (*CHARACTERS, *WORDS)]).data
    print(f"import of every attack {import_seconds():.3f} s   (<= 0.3 s)")
    print(f"a finished variant and its id, without any attack: {bare():.2f} us\n")
    head = ("a question", "us each", "first us", "further us")
    print(f"{'attack':<28}" + "".join(f"{word:>12}" for word in head) + "   limit, us each")
    for names, limit in ((CHARACTERS, 4), (WORDS, 5)):
        for name in names:
            count, each = measure(name, MANY, questions, parts)
            few, first = measure(name, ONE, questions, parts)
            further = (count * each - few * first) / (count - few) if count - few >= 1 else None
            row = (f"{count:.1f}", f"{each:.2f}", f"{few * first:.0f}", "-" if further is None else f"{further:.2f}")
            print(f"{name:<28}" + "".join(f"{cell:>12}" for cell in row) + f"   <= {limit}")
    passages()


if __name__ == "__main__":
    main()
