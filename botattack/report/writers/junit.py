"""The report as JUnit XML: a suite for each attack, in it a case for each attacked question.

A case fails where the attack broke the bot, or where the bot did not notice that the right answer changed. It is an
error where some variant brought no answer and none broke it, and is skipped if nothing could be decided. Originals
that were not attacked are skipped cases of their own suite; each bound of a gate is a case of the suite of gates, and
each attack that failed itself an error in the suite of faults. What people marked is a skipped case of its own suite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from botattack.cases import QuestionCase, VariantCase
from botattack.protocols import Report
from botattack.report.escape import visible
from botattack.report.figures.findings import finding
from botattack.report.writers import mark_words, words
from botattack.report.writers.families import FAMILIES
from botattack.report.writers.material import Material
from botattack.report.writers.report_files import whole_file

ORIGINALS, GATES, FAULTS, MARKED = "originals", "gates", "faults", "marked"
SHOWN = 5
"""Broken variants that a failure spells out."""


@dataclass
class _CaseSpool:
    """Cases are spooled to a file, for their counts stand before them."""

    cases: IO[str]
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: str, case: str) -> None:
        self.counts["tests"] += 1
        self.counts[outcome] += 1
        self.cases.write(case)


class _CaseSpools(dict[str, _CaseSpool]):
    """A suite for each name asked for; their files go when the stack does."""

    def __init__(self, stack: ExitStack) -> None:
        super().__init__()
        self._stack = stack

    def __missing__(self, name: str) -> _CaseSpool:
        spool = self._stack.enter_context(TemporaryFile("w+", encoding="utf-8"))  # noqa: SIM115 (the stack closes it)
        self[name] = _CaseSpool(spool)
        return self[name]


def write(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    with whole_file(path) as file, ExitStack() as stack:
        suites = _CaseSpools(stack)
        _fill(suites, source)
        _write(file, suites, source)


def _fill(suites: _CaseSpools, source: Material) -> None:
    target = source.figures.run.target
    for question in source.cases():
        if question.original is not None and not question.original.attacked:
            why = _skipped(f"{question.original.standing}: not attacked")
            suites[ORIGINALS].add("skipped", _case(target, ORIGINALS, question, why))
        for attack, cases in _by_attack(question.variants):
            outcome, body = _outcome(question, cases, source.recording)
            suites[attack].add(outcome, _case(target, attack, question, body))
    for state, gate in words.gates(source.figures):
        outcome, body = {
            "held": ("passed", ""),
            "undecided": ("skipped", _skipped(gate)),
            "FAILED": ("failures", f'<failure type="gate" message={attribute(gate)}/>'),
        }[state]
        suites[GATES].add(outcome, element(f"{target}.{GATES}", gate, body))
    for line in mark_words.lines(source.figures.marks):
        suites[MARKED].add("skipped", element(f"{target}.{MARKED}", line, _skipped(line)))
    for fault in words.faults(source.figures, "attack"):
        error = f'<error type="fault" message={attribute(fault)}/>'
        suites[FAULTS].add("errors", element(f"{target}.{FAULTS}", fault, error))


def _by_attack(cases: Iterable[VariantCase]) -> Iterator[tuple[str, list[VariantCase]]]:
    found: dict[str, list[VariantCase]] = {}
    for case in cases:
        found.setdefault(case.judged.attack, []).append(case)
    yield from sorted(found.items())


def _outcome(question: QuestionCase, cases: list[VariantCase], recording: str) -> tuple[str, str]:
    """What the case counts as, and the element that says so."""
    if not question.right:
        return "skipped", _skipped("the original is not right, so it enters no rate")
    claimed = [case for case in cases if case.claimed]
    broken = [case for case in claimed if case.result == "success"]
    if broken:
        return "failures", _failure(question, broken, len(claimed), recording)
    failed = [case for case in claimed if case.result == "error"]
    if failed:
        why = "; ".join(
            sorted({visible(case.asked.failure.message) for case in failed if case.asked and case.asked.failure})
        )
        return "errors", f'<error type="error" message={attribute(f"{len(failed)} of {len(claimed)}: {why}")}/>'
    if not any(case.result == "robust" for case in claimed):
        return "skipped", _skipped("nothing could be decided")
    return "passed", ""


def _failure(question: QuestionCase, broken: list[VariantCase], asked: int, recording: str) -> str:
    found = sorted((finding(question, case) for case in broken), key=lambda each: each.size)
    lines = [line for each in found[:SHOWN] for line in (*words.story(each, recording), "")]
    family = FAMILIES[found[0].expect]
    message = family.told.format(len(broken), asked)
    return f'<failure type="{family.failure}" message={attribute(message)}>{escape(chr(10).join(lines))}</failure>'


def _skipped(why: str) -> str:
    return f"<skipped message={attribute(why)}/>"


def _case(target: str, suite: str, question: QuestionCase, body: str) -> str:
    door = "" if question.question.carrier == "request" else f" {question.door}"
    return element(f"{target}.{suite}", f"{question.question.text[:200]}{door} [{question.question.id}]", body)


def element(group: str, name: str, body: str) -> str:
    """A case of the suite `group`."""
    return f"<testcase classname={attribute(group)} name={attribute(name)}>{body}</testcase>\n"


def _write(file: IO[str], suites: _CaseSpools, source: Material) -> None:
    run = source.figures.run
    total: Counter[str] = sum((suite.counts for suite in suites.values()), Counter())
    file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    file.write(f'<testsuites name={attribute(f"botattack {run.target}")} {_counts(total)} time="{run.seconds:.3f}">\n')
    for name, suite in sorted(suites.items(), key=lambda entry: (entry[0] != ORIGINALS, entry[0])):
        file.write(f"<testsuite name={attribute(name)} {_counts(suite.counts)}>\n")
        suite.cases.seek(0)
        copyfileobj(suite.cases, file)
        file.write("</testsuite>\n")
    file.write("</testsuites>\n")


def _counts(counts: Counter[str]) -> str:
    return " ".join(f'{name}="{counts[name]}"' for name in ("tests", "failures", "errors", "skipped"))


def attribute(text: str) -> str:
    """A quoted attribute without any character that XML does not allow."""
    return quoteattr(visible(text, 500))


REPORT = Report((".xml",), write)
