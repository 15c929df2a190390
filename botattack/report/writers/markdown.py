"""The report as Markdown, for the summary of a CI job.

Foreign text is in fences, or with every sign escaped that would mark, link or mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from botattack.protocols import Report
from botattack.report import numbers
from botattack.report.escape import visible
from botattack.report.figures.findings import ORDER_TOLD
from botattack.report.writers import mark_words, measure_words, words
from botattack.report.writers.material import Material
from botattack.report.writers.report_files import whole_file

_SIGNS = re.compile(r"([\\`*_\[\]<>#|&~@$:!]|(?<=www)\.)", re.IGNORECASE)
HEADER = ("attack", "broken", "rate", "95 % interval", "unchanged")


def write(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    with whole_file(path) as file:
        file.writelines(f"{line}\n" for line in markdown(source))


def markdown(source: Material) -> Iterator[str]:
    """The lines of the report."""
    figures = source.figures
    yield f"# botattack: {escaped(figures.run.target)}"
    yield ""
    yield escaped(words.headline(figures), foreign=False)
    yield ""
    yield f"- run: {escaped(figures.run.id)}, {escaped(words.run_line(figures), foreign=False)}"
    yield f"- judge: {escaped(words.judge(figures.run.judge), foreign=False)}"
    yield f"- questions: {escaped(words.questions_line(figures), foreign=False)}"
    yield from (f"- weaker: {escaped(sentence, foreign=False)}" for sentence in words.weaker(figures.run.weaker))
    yield from (f"- marked: {escaped(sentence)}" for sentence in mark_words.lines(figures.marks))
    yield from (f"- variants: {escaped(sentence, foreign=False)}" for sentence in words.few_variants(figures))
    yield from (f"- faults: {escaped(sentence, foreign=False)}" for sentence in words.faults(figures))
    yield f"- requests: {escaped(words.requests_line(figures), foreign=False)}"
    yield from (f"- gate {state}: {escaped(gate, foreign=False)}" for state, gate in words.gates(figures))
    yield ""
    yield _row(HEADER)
    yield _row(("---", "---:", "---:", "---:", "---:"))
    for line in words.lines(figures):
        name = "&emsp;" * line.depth + escaped(line.name, foreign=False)
        yield _row((name, words.share(line.row), numbers.percent(line.row.success_rate), line.interval, line.control))
    for legend in words.legends(figures):
        yield ""
        yield escaped(legend, foreign=False)
    yield ""
    for name, value, sure in measure_words.overall(figures):
        means = measure_words.explained(name)
        yield f"- {name}{f' ({means})' if means else ''}: {escaped(f'{value}, {sure}', foreign=False)}"
    for name, change, sure in measure_words.against_control(figures):
        yield f"- {escaped(name, foreign=False)} over unchanged: " + ", ".join(filter(None, (change, sure)))
    yield ""
    for name, detail, note in words.details(figures):
        yield f"- {escaped(name, foreign=False)}: " + escaped(detail + (f" ({note})" if note else ""), foreign=False)
    yield from _findings(source)


def escaped(text: str, foreign: bool = True) -> str:
    """Text that Markdown shows as it is; `foreign` text is made visible first."""
    return _SIGNS.sub(r"\\\1", visible(text) if foreign else text)


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _findings(source: Material) -> Iterator[str]:
    if source.findings:
        yield ""
        yield "## Shortest successful edits"
        yield ""
        yield ORDER_TOLD
    for finding in source.findings:
        yield ""
        yield from fenced(words.story(finding, source.recording))


def fenced(lines: list[str]) -> Iterator[str]:
    """A fence longer than any run of backticks inside."""
    runs = (len(run) for line in lines for run in re.findall("`+", line))
    fence = "`" * max(3, 1 + max(runs, default=0))
    yield f"{fence}text"
    yield from lines
    yield fence


REPORT = Report((".md",), write)
