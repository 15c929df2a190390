"""What it costs to judge a recording again, to write its HTML report, to compare two recordings, and to look at them.

python benchmarks/replay.py [--transcripts 1000000] [--outcomes 100000] [--recordings 1000] [--jobs 1]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec

from botattack.events import (
    NOBODY,
    AnyEvent,
    Asked,
    AttackEnded,
    OriginalJudged,
    QuestionClosed,
    QuestionOpened,
    RunEnded,
    RunStarted,
    VariantJudged,
)
from botattack.model import Attempt, Edit, GoldAnswer, Prompt, Question, Reply, Unit, Variant, Verdict
from botattack.recordings import manifest

VARIANTS = 99
"""Of a question, beside its original."""
REPLY = 400
SMALL = "the a of and to in is was for on that with as by at from his her it an are which this also"
LARGE = "river city mountain king painter song treaty island planet engine garden castle forest"


def name(number: int) -> str:
    """A name of letters, another one for each number."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    made = ""
    for _ in range(3):
        number, at = divmod(number, len(syllables))
        made += syllables[at]
    return made.capitalize() + "sk"


def words(random: Random, length: int) -> str:
    """Plain prose of so many characters."""
    small, large = SMALL.split(), LARGE.split()
    text = ""
    while len(text) < length:
        text += random.choice(small if random.random() < 0.6 else large) + " "
    return text[:length]


def transcripts(count: int, seed: int) -> Iterator[AnyEvent]:
    """A run of so many askings; half of the replies hold one of the two gold answers, four in five are unlike any
    other of their question."""
    random = Random(seed)
    questions = count // (VARIANTS + 1)
    yield RunStarted(
        run=f"bench-{seed}", target="bench", started="2026-01-01T00:00:00Z", seed=7, filter="right", total=questions,
        attacks={"dpaeg": "same", "unchanged": "same"}, judge=NOBODY,
    )  # fmt: skip
    attempts = (Attempt(1, 0.01),)
    for number in range(questions):
        text = f"what is the famous capital of the country number {number}"
        gold = (name(number), f"City of {name(number + 5000)}")
        question = Question(text, tuple(map(GoldAnswer, gold)))
        yield QuestionOpened(question=question)
        replies = [_reply(random, gold[random.random() < 0.5] if random.random() < 0.5 else "") for _ in range(80)]
        first = Unit.of(Variant((question.prompt,), "original"), 0, 7).id
        right = _reply(random, gold[0])
        yield _asked(question.id, first, question.prompt, right, attempts)
        yield OriginalJudged(
            question=question.id, units=(first,), standing="kept", verdict=Verdict("correct", 1.0), attacked=True
        )
        for variant in range(VARIANTS):
            edit = Edit(5, "is", f"si{variant}", "typo of keyword", relation="nsubj", pos="NOUN")
            prompt = Prompt(f"what si{variant} the famous capital of the country number {number}")
            unit = Unit.of(Variant((prompt,), "dpaeg"), 0, 7).id
            reply = replies[variant % 80]
            yield _asked(question.id, unit, prompt, reply, attempts)
            held = gold[0] in reply or gold[1] in reply
            verdict = Verdict("correct" if held else "wrong", float(held), "contains", "the reply contains it")
            yield VariantJudged(
                question=question.id, unit=unit, attack="dpaeg", verdict=verdict, edits=(edit,), distance=2
            )
        yield AttackEnded(question=question.id, attack="dpaeg", existing=1000, variants=VARIANTS)
        yield QuestionClosed(question=question.id)
    yield RunEnded(exit=0, why="all held", seconds=1.0, requests=count, retried=0, rate_limited=0)


def _reply(random: Random, answer: str) -> str:
    where = random.randrange(REPLY - 100)
    text = words(random, REPLY - len(answer) - 6)
    return f"{text[:where]} {f'it is {answer}.' if answer else ''}{text[where:]}"


def _asked(question: str, unit: str, prompt: Prompt, reply: str, attempts: tuple[Attempt, ...]) -> Asked:
    raw = msgspec.json.encode({"reply": {"text": reply}}).decode()
    return Asked(question=question, unit=unit, turns=(prompt,), replies=(Reply(reply, raw=raw),), attempts=attempts)


TARGET = """name: bench
connect: {kind: http, request: {url: "http://127.0.0.1/?q={{ question }}"}, extract: {answer: "$.reply.text"}}
"""


def write(folder: Path, count: int, seed: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "bench.yaml"
    target.write_text(TARGET)
    started = "2026-01-01T00:00:00Z"
    made = manifest.Manifest(
        run=f"bench-{seed}", target="bench", started=started, seed=7, settings={}, digests={}, target_file=str(target)
    )
    manifest.write(folder, made)
    encode = msgspec.json.Encoder().encode
    with (folder / "events.jsonl").open("wb") as file:
        for event in transcripts(count, seed):
            file.write(encode(event) + b"\n")
    return folder


def judge(folder: Path, jobs: int, *, reextract: bool) -> None:
    from botattack.audit.replays.replaying import today
    from botattack.audit.replays.shares import ReplaySettings
    from botattack.recordings.reader import events
    from botattack.report.figures.metrics import figures_of

    as_of = today(folder, ReplaySettings(reextract=reextract, jobs=jobs))
    figures = figures_of(as_of.again(events(folder)))
    print(f"  {figures.attacks['dpaeg'].gold.asked:,} variants, {figures.attacks['dpaeg'].gold.success:,} broken")


def html(folder: Path, _: int) -> None:
    from botattack.recordings.reader import events
    from botattack.report.writers.material import material, write_report

    write_report(folder / "report.html", material(lambda: events(folder), "recordings/bench"))
    print(f"  {(folder / 'report.html').stat().st_size / 1e6:.1f} MB of HTML")


def diff(folder: Path, _: int) -> None:
    from botattack.recordings.reader import events
    from botattack.report.comparison.diff import compare

    comparison = compare(events(folder), events(folder.with_name("other")))
    print(f"  {sum(row.units for row in comparison.rows):,} units in both")


def looked_at(folder: Path, *path: str) -> None:
    """A page of `botattack view` on the folder of recordings that `folder` is in."""
    from botattack.audit.viewing.desk import Desk
    from botattack.audit.viewing.pages import Pages
    from botattack.net.loopback import Visit

    page = Desk(Pages(folder.parent, "/token/")).answer(Visit(path))
    assert page.status == 200, page.text
    print(f"  {len(page.text) / 1e3:,.0f} kB of HTML")


def become_night(folder: Path) -> None:
    """Leaves beside a recording what a night leaves there and the list of `view` reads."""
    from botattack.recordings.reader import events
    from botattack.report.writers.material import material, write_report

    write_report(folder / "report.json", material(lambda: events(folder), str(folder)))
    suite = {"attacks": {"dpaeg": {"dpaeg": {"suite": "bench-0"}}}}
    made = msgspec.structs.replace(manifest.read(folder), command=[manifest.NIGHTLY], settings=suite)
    manifest.write(folder, made)


def floor(folder: Path, _: int) -> None:
    """What any program in Python would need: every line decoded and encoded again by the standard library."""
    with (folder / "events.jsonl").open("rb") as lines:
        length = sum(len(json.dumps(json.loads(line))) for line in lines)
    print(f"  {length / 1e6:,.0f} MB decoded and encoded again")


TASKS = {
    "floor": floor,
    "judge again": lambda folder, jobs: judge(folder, jobs, reextract=False),
    "judge again, extracted anew": lambda folder, jobs: judge(folder, jobs, reextract=True),
    "HTML report": html,
    "diff": diff,
    "view, the list": lambda folder, _: looked_at(folder),
    "view, failures": lambda folder, _: looked_at(folder, "run", folder.name),
    "view, report": lambda folder, _: looked_at(folder, "run", folder.name, "report"),
}


def measured(task: str, folder: Path, jobs: int = 1) -> None:
    """In a process of its own, so that memory is its own."""
    command = [sys.executable, __file__, "--task", task, "--folder", str(folder), "--jobs", str(jobs)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "0"})


def run(task: str, folder: Path, jobs: int) -> None:
    """The CPU time is that of all processes, the memory that of this one and of the largest of the others."""
    began = time.perf_counter()
    TASKS[task](folder, jobs)
    seconds = time.perf_counter() - began
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(one.ru_utime + one.ru_stime for one in used)
    memory = " + ".join(f"{one.ru_maxrss / 1024:.0f} MB" for one in used if one.ru_maxrss)
    print(f"{task}{f' on {jobs} processes' * (jobs > 1)}: {cpu:.1f} CPU s, {seconds:.1f} s, {memory}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--transcripts", type=int, default=1_000_000, help="judged again")
    parser.add_argument("--outcomes", type=int, default=100_000, help="of the HTML report and of each side of the diff")
    parser.add_argument("--recordings", type=int, default=1000, help="of the folder that `view` lists")
    parser.add_argument("--jobs", type=int, default=1, help="processes that judge again")
    parser.add_argument("--task", choices=TASKS)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.task:
        run(given.task, given.folder, given.jobs)
        return
    with tempfile.TemporaryDirectory() as work:
        large = write(Path(work) / "large", given.transcripts, 1)
        print(f"{given.transcripts:,} transcripts, {(large / 'events.jsonl').stat().st_size / 1e6:.0f} MB")
        measured("floor", large)
        measured("judge again", large, given.jobs)
        measured("judge again, extracted anew", large, given.jobs)
        (large / "events.jsonl").unlink()
        small = write(Path(work) / "small", given.outcomes, 1)
        write(Path(work) / "other", given.outcomes, 2)
        print(f"{given.outcomes:,} outcomes, {(small / 'events.jsonl').stat().st_size / 1e6:.0f} MB")
        measured("HTML report", small)
        measured("diff", small)
        measured("view, failures", small)
        measured("view, report", small)
        become_night(small)
        for number in range(given.recordings):
            # Every one of them is whole, so that a list that read them would be seen.
            copy = Path(work) / "many" / f"20260101T000000Z-bench-{number:08x}"
            copy.mkdir(parents=True)
            for name in (manifest.NAME, "events.jsonl", "report.json"):
                os.link(small / name, copy / name)
        print(f"{given.recordings:,} nights of {given.outcomes:,} outcomes")
        measured("view, the list", copy)


if __name__ == "__main__":
    main()
