"""Train a small parser in six ways, and measure how robust each is: `python examples/white-box`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import comparing
import page
import torch
from material import Exports, Row, record
from measuring import Case, answers, score
from methods import Settings, TrainingSet, train
from sets import Names, Pair, form_tokens, read

import botattack

HERE = Path(__file__).parent
HALVES = {"train": "test", "test": "train"}
"""The half that a parser is trained on, and the one that it is tested on."""
QUICK = Settings(updates=20)


def main() -> None:
    """Run what the command line asks for."""
    told = _arguments()
    torch.set_num_threads(1)
    settings = QUICK if told.quick else Settings()
    sets = ["jobs"] if told.quick else told.sets
    seeds = range(1, 2 if told.quick else told.seeds + 1)
    told_settings = {name: value for name, value in asdict(settings).items() if name != "method"}
    results: dict[str, Any] = {"versions": _versions(), "settings": told_settings, "seeds": len(seeds), "sets": {}}
    for name in sets:
        results["sets"][name] = _measured(name, told.data, told.work, seeds, settings)
    path = told.work / "results.json" if told.quick else HERE / "results.json"
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(path)
    if not told.quick:
        page.update(HERE / "README.md", results)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="white-box", description=__doc__)
    data = Path(os.environ.get("BOTATTACK_DATA", "data")) / "semantic-parsing"
    parser.add_argument("--data", type=Path, default=data, help="the folder with geo.tsv and jobs.tsv (%(default)s)")
    parser.add_argument("--work", type=Path, default=Path("white-box-work"), help="recordings, exports and scores")
    parser.add_argument("--sets", nargs="+", default=["geo", "jobs"], help="which sets (%(default)s)")
    parser.add_argument("--seeds", type=int, default=3, help="how often each method is trained (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="only see that everything runs: one set, one seed")
    told = parser.parse_args()
    missing = [str(told.data / f"{name}.tsv") for name in told.sets if not (told.data / f"{name}.tsv").is_file()]
    if missing:
        parser.error(
            f"no file {', '.join(missing)}; give their folder with --data (README.md says where they are from)"
        )
    told.work.mkdir(parents=True, exist_ok=True)
    return told


def _versions() -> dict[str, str]:
    return {"botattack": botattack.__version__, "torch": torch.__version__, "python": platform.python_version()}


def _measured(name: str, data: Path, work: Path, seeds: Sequence[int], settings: Settings) -> dict[str, Any]:
    """Return the figures of all methods on a set."""
    folder = work / ("quick" if settings is QUICK else name)
    folder.mkdir(exist_ok=True)
    pairs = read(data / f"{name}.tsv")
    names = Names.of(pair.form for pair in pairs)
    recording = _recording(name, pairs, names, folder, settings)
    exports = {half: Exports(recording, half, folder) for half in HALVES}
    cases = {half: list(_cases(exports[half])) for half in HALVES}
    variants = [row for half in cases.values() for case in half for row in case.variants]
    must_change = any(row.changed for row in variants)
    scores: dict[str, list[list[comparing.Counts]]] = {}
    for seed in seeds:
        for method in (method for method in page.METHODS if must_change or method != "max-margin"):
            how = replace(settings, method=method)
            found = (_scored(exports[half], names, cases[other], how, seed) for half, other in HALVES.items())
            scores.setdefault(method, []).append([counts for half in found for counts in half])
    return {
        "questions": sum(map(len, cases.values())),
        "same": sum(not row.changed for row in variants),
        "must change": sum(row.changed for row in variants),
        "methods": comparing.figures(scores, page.BASE),
        "attacks": comparing.by_attack(scores),
    }


def _recording(name: str, pairs: Sequence[Pair], names: Names, folder: Path, settings: Settings) -> Path:
    """Return the recording of an attack on a parser that was trained plainly on all questions of a set."""
    note = folder / "recording.txt"
    if not note.exists():
        everything = tuple(_tokens(names, pair.question, pair.form) for pair in pairs)
        parser = train(TrainingSet(everything), settings, 0)
        started = time.monotonic()
        made = record(lambda text: answers(parser, names, [text])[0] or "none", pairs, name, folder / "recordings")
        note.write_text(str(made), encoding="utf-8")
        print(f"{name}: recorded in {time.monotonic() - started:.0f} s", flush=True)
    return Path(note.read_text(encoding="utf-8"))


def _cases(exports: Exports) -> Iterator[Case]:
    """The questions of a half, each with all its variants."""
    variants: dict[str, list[Row]] = {}
    for row in exports.rows("pairs", 0, "--per-attack", "3"):
        variants.setdefault(row.original, []).append(row)
    for original in exports.originals():
        yield Case(original, tuple(variants.get(original.asked, ())))


def _scored(
    exports: Exports, names: Names, cases: Sequence[Case], settings: Settings, seed: int
) -> list[comparing.Counts]:
    """Return what came of each question of the other half, from an earlier run if there is one."""
    path = exports.folder / f"score-{exports.half}-{settings.method}-{seed}.json"
    if not path.exists():
        started = time.process_time()
        data = _training_set(exports, names, settings.method, seed)
        parser = train(data, settings, seed)
        trained = time.process_time()
        found = score(parser, names, cases)
        path.write_text(json.dumps(found), encoding="utf-8")
        right = sum(counts["right"] for counts in found)
        spent = f"{trained - started:.0f} s to train, {time.process_time() - trained:.0f} s to test"
        print(f"{path.stem}: {right} of {len(found)} right, {len(data.examples)} examples, {spent}", flush=True)
    scored: list[comparing.Counts] = json.loads(path.read_text(encoding="utf-8"))
    return scored


def _training_set(exports: Exports, names: Names, method: str, seed: int) -> TrainingSet:
    """Return what a method is trained on: an export of its own, or the unchanged questions."""
    rows = exports.rows(method, seed) if method in ("mda", "concat") else exports.originals()
    must_change: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    if method == "max-margin":
        for row in exports.rows("pairs", 0, "--per-attack", "3"):
            if row.changed:
                original, _ = _tokens(names, row.original, row.form)
                must_change.setdefault(original, []).append(_tokens(names, row.asked, row.form)[0])
    return TrainingSet(tuple(_tokens(names, row.asked, row.form) for row in rows), must_change)


def _tokens(names: Names, question: str, form: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words, meant = names.replaced(question)
    return tuple(words), tuple(form_tokens(form, meant))


if __name__ == "__main__":
    main()
