"""The figures as JSON, for other tools: the keys below are a promise."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from botattack.protocols import Report
from botattack.report.figures.figure_values import AttackFigures, Figures, Measure, ReaderFigures, ReadFigures, Row
from botattack.report.report_files import whole_file
from botattack.report.wording import causes, diagnoses
from botattack.report.writers.material import Material


def as_json(figures: Figures) -> dict[str, Any]:
    """Plain values in a stable order. Top-level figures of an attack count gold reference and meaning as claimed."""
    run = figures.run
    return {
        "run": {
            "id": run.id,
            "target": run.target,
            "started": run.started,
            "seconds": round(run.seconds, 3),
            "seed": run.seed,
            "filter": run.filter,
            "exit": run.exit,
            "why": run.why,
            "weaker": list(run.weaker),
            "judge": _struct(run.judge),
            "boilerplate": {"sentences": list(run.boilerplate), "learnt_from": run.learnt_from},
        },
        "questions": asdict(figures.questions),
        "attacks": {name: _attack(attack) for name, attack in figures.attacks.items()},
        "requests": asdict(figures.requests),
        "measures": _measures(figures.measures),
        "unanswered": {**asdict(figures.unanswered), "rises": figures.unanswered.rises},
        "gates": [asdict(gate) for gate in figures.gates],
        "early": asdict(figures.early) if figures.early else None,
        "spending": asdict(figures.spending) if figures.spending else None,
        "faults": [asdict(fault) for fault in figures.faults],
        "causes": list(causes.as_json(figures)),
        "marks": [asdict(mark) for mark in figures.marks],
        "readers": _readers(figures.readers),
        "memory": _struct(figures.memory),
        **diagnoses.as_json(figures),
    }


def write(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    with whole_file(path) as file:
        json.dump(as_json(source.figures), file, indent=2, ensure_ascii=False)
        file.write("\n")


def _attack(attack: AttackFigures) -> dict[str, Any]:
    gold = _row(attack.gold)
    return {
        "expect": attack.expect,
        **gold,
        "by_meaning": {"as_claimed": gold, "unsure": _row(attack.unsure)},
        "by_reference": {"gold": gold, "own": _row(attack.own)},
        "by_door": {str(door): _row(row) for door, row in attack.splits.get("door", {}).items()},
        "by_question": attack.by_question,
        "repeated": _row(attack.control) if attack.by_question else None,
        "p": attack.p,
        "q": attack.q,
        "coverage": asdict(attack.coverage),
        "corrected_for_judge_errors": asdict(attack.corrected) if attack.corrected else None,
        "measures": _measures(attack.measures),
    }


def _readers(found: ReaderFigures) -> dict[str, Any]:
    return {
        "read_by_people": bool(found.asked),
        "asked": {ask: _read(read) for ask, read in found.asked.items()},
        "left": [asdict(variant) for variant in found.left],
        "corrected": asdict(found.corrected) if found.corrected else None,
        "judged": asdict(found.judged),
    }


def _read(read: ReadFigures) -> dict[str, Any]:
    return {
        **asdict(read),
        "kappa": read.kappa._asdict(),
        "alpha": read.alpha._asdict(),
        "pairs": [{"readers": list(pair), **same._asdict()} for pair, same in read.pairs.items()],
        "repeats": {reader: same._asdict() for reader, same in read.repeats.items()},
        "known": {reader: {"right": same.same, "n": same.n} for reader, same in read.known.items()},
    }


def _struct(value: msgspec.Struct | None) -> dict[str, Any] | None:
    return {name: msgspec.to_builtins(each) for name, each in msgspec.structs.asdict(value).items()} if value else None


def _row(row: Row) -> dict[str, Any]:
    between = row.difference_interval
    return {
        **asdict(row),
        "interval": list(row.interval) if row.interval else None,
        "difference_interval": list(between) if between else None,
        "per_100_requests": row.per_100_requests,
    }


def _measures(measures: dict[str, Measure]) -> dict[str, Any]:
    return {
        name: {**asdict(measure), "interval": list(measure.interval) if measure.interval else None}
        for name, measure in measures.items()
    }


REPORT = Report((".json",), write)
