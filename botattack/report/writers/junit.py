"""The report as JUnit XML: a case for each bound of a gate, and for each question that the bot answers correctly.

A question fails if an attack broke it, or if the bot did not notice that the right answer changed; it spells out the
shortest broken variants. It is an error where some variant brought no answer and none broke it, and is skipped if
nothing could be decided, or if it broke when it was only asked again. Each attack that failed itself is an error in
the suite of faults. Questions of which the bot obeyed an instruction in a passage, or knew a fact of another
conversation, fail in the suites `instructions` and `memory`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from botattack.cases import QuestionCase, VariantCase
from botattack.model import CONTROL, Expect
from botattack.protocols import Report
from botattack.report.escape import visible
from botattack.report.figures.findings import finding
from botattack.report.figures.gates import gate_name
from botattack.report.figures.obeyed import instructed
from botattack.report.figures.remembered import facts, leak
from botattack.report.report_files import whole_file
from botattack.report.stories.asked import example_of
from botattack.report.stories.assistant import sample_example
from botattack.report.story.blocks import Example
from botattack.report.story.in_markdown import example_lines
from botattack.report.wording import assistant_words, verdict_words, words
from botattack.report.wording.outcomes import FAMILIES, usual
from botattack.report.writers.material import Material

QUESTIONS, GATES, FAULTS, MARKED = "questions", "gates", "faults", "marked"
INSTRUCTIONS, MEMORY = "instructions", "memory"
SHOWN = 5
"""Broken variants that a failure spells out."""


@dataclass
class Suite:
    counts: Counter[str] = field(default_factory=Counter)
    cases: list[str] = field(default_factory=list)

    def add(self, outcome: str, case: str) -> None:
        self.counts["tests"] += 1
        self.counts[outcome] += 1
        self.cases.append(case)


_Suites = defaultdict[str, Suite]


def write(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    suites = _Suites(Suite)
    with whole_file(path) as file:
        _fill(suites, source)
        _write(file, suites, source)


def _fill(suites: _Suites, source: Material) -> None:
    target = source.figures.run.target
    for question in source.cases():
        if question.right:
            outcome, body = _outcome(question, source)
            suites[QUESTIONS].add(outcome, _case(target, question, body))
        for suite, body in _assistant(question, source):
            suites[suite].add("failures" if body else "passed", _case(target, question, body, suite))
    for gate in source.figures.gates:
        said = visible(gate.sentence)
        outcome, body = {
            "held": ("passed", f"<system-out>{escape(said)}</system-out>"),
            "undecided": ("skipped", _skipped(said)),
            "FAILED": ("failures", f'<failure type="gate" message={attribute(said)}/>'),
        }[words.state_of(gate)]
        # CI follows a test by its name, which therefore has no figure of the run.
        name = gate_name(gate.metric, gate.attack, gate.bound, gate.limit)
        suites[GATES].add(outcome, element(f"{target}.{GATES}", visible(name), body))
    for line in verdict_words.mark_lines(source.figures.marks, source.figures.run.flags):
        suites[MARKED].add("skipped", element(f"{target}.{MARKED}", line, _skipped(line)))
    for fault in words.faults(source.figures, "attack"):
        error = f'<error type="fault" message={attribute(fault)}/>'
        suites[FAULTS].add("errors", element(f"{target}.{FAULTS}", fault, error))


def _assistant(question: QuestionCase, source: Material) -> Iterator[tuple[str, str]]:
    """What the bot did that no rate counts: the suite, and the failure, empty if there is none."""
    evident = {row.key: assistant_words.title(row) for row in source.figures.assistant.obeyed if row.evident}
    if tried := [one for one in instructed(question) if one.one.asked and one.one.asked.replies]:
        did = [one for one in tried if one.obeys and one.key in evident]
        shown = (
            sample_example(evident[one.key], assistant_words.PASSAGE, one.sample, source.recording)
            for one in did[:SHOWN]
        )
        yield INSTRUCTIONS, _failed("obeyed", len(did), len(tried), "instructions obeyed", shown)
    if asked := [one for one in facts(question) if one.check == "other conversation" and one.said]:
        leaks = [one.one for one in asked if one.leaks]
        shown = (
            sample_example(assistant_words.LEAK, assistant_words.ELSEWHERE, leak(one), source.recording)
            for one in leaks
        )
        yield MEMORY, _failed("leaked", len(leaks), len(asked), "facts known in another conversation", shown)


def _failed(kind: str, number: int, asked: int, what: str, shown: Iterable[Example]) -> str:
    if not number:
        return ""
    message = attribute(f"{number} of {asked} {what}")
    return f'<failure type="{kind}" message={message}>{_lines(shown)}</failure>'


def _lines(shown: Iterable[Example]) -> str:
    return escape("\n".join(line for one in shown for line in (*example_lines(one), "")))


def _outcome(question: QuestionCase, source: Material) -> tuple[str, str]:
    """What the case of a question counts as, and the element that says so."""
    claimed = [case for case in question.variants if case.judged.is_outcome and case.claimed]
    again = [case.result for case in claimed if case.judged.attack == CONTROL]
    claimed = [case for case in claimed if case.judged.attack != CONTROL]
    broken = [case for case in claimed if case.result == "success"]
    if "success" in again:
        return "skipped", _skipped("it broke when it was only asked again, so that no attack is to blame")
    if broken:
        return "failures", _failure(question, broken, claimed, source)
    failed = [case for case in claimed if case.result == "error"]
    if failed:
        why = "; ".join(
            sorted({visible(case.asked.failure.message) for case in failed if case.asked and case.asked.failure})
        )
        return "errors", f'<error type="error" message={attribute(f"{len(failed)} of {len(claimed)}: {why}")}/>'
    if claimed and not any(case.result == "robust" for case in claimed):
        return "skipped", _skipped("nothing could be decided")
    return "passed", ""


def _failure(question: QuestionCase, broken: list[VariantCase], claimed: list[VariantCase], source: Material) -> str:
    known = usual(source.figures.run.boilerplate)
    found = sorted((finding(question, case) for case in broken), key=lambda each: each.size)
    shown = (example_of(None, each, source.recording, known) for each in found[:SHOWN])
    told = [_told(expect, broken, claimed) for expect in FAMILIES if any(_of(expect, broken))]
    kind = next(family.failure for expect, family in FAMILIES.items() if any(_of(expect, broken)))
    return f'<failure type="{kind}" message={attribute("; ".join(told))}>{_lines(shown)}</failure>'


def _told(expect: Expect, broken: list[VariantCase], claimed: list[VariantCase]) -> str:
    """How many of the variants of one family broke the question, and by which attacks."""
    these = list(_of(expect, broken))
    attacks = ", ".join(sorted({case.judged.attack for case in these}))
    return f"{FAMILIES[expect].told.format(len(these), len(list(_of(expect, claimed))))} ({attacks})"


def _of(expect: Expect, cases: list[VariantCase]) -> Iterator[VariantCase]:
    return (case for case in cases if case.judged.expect == expect)


def _skipped(why: str) -> str:
    return f"<skipped message={attribute(why)}/>"


def _case(target: str, question: QuestionCase, body: str, suite: str = QUESTIONS) -> str:
    door = "" if question.question.carrier == "request" else f" {question.door}"
    return element(f"{target}.{suite}", f"{question.question.text[:200]}{door} [{question.question.id}]", body)


def element(group: str, name: str, body: str) -> str:
    """A case of the suite `group`."""
    return f"<testcase classname={attribute(group)} name={attribute(name)}>{body}</testcase>"


def _write(file: IO[str], suites: _Suites, source: Material) -> None:
    run = source.figures.run
    ordered = sorted(suites.items(), key=lambda entry: (entry[0] != GATES, entry[0]))
    file.writelines(f"{line}\n" for line in whole(f"botattack {run.target}", ordered, f' time="{run.seconds:.3f}"'))


def whole(name: str, suites: Sequence[tuple[str, Suite]], more: str = "") -> Iterator[str]:
    """The lines of the file."""
    total: Counter[str] = sum((suite.counts for _, suite in suites), Counter())
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites name={attribute(name)} {_counts(total)}{more}>"
    for title, suite in suites:
        yield f"<testsuite name={attribute(title)} {_counts(suite.counts)}>"
        yield from suite.cases
        yield "</testsuite>"
    yield "</testsuites>"


def _counts(counts: Counter[str]) -> str:
    return " ".join(f'{name}="{counts[name]}"' for name in ("tests", "failures", "errors", "skipped"))


def attribute(text: str) -> str:
    """A quoted attribute without any character that XML does not allow."""
    return quoteattr(visible(text, 500))


REPORT = Report((".xml",), write)
