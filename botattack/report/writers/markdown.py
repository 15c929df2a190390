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
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.findings import ORDER_TOLD
from botattack.report.figures.heat import Heat
from botattack.report.wording import (
    causes,
    cautions,
    diagnoses,
    finding_words,
    headlines,
    judge_words,
    mark_words,
    measure_words,
    reader_words,
    words,
)
from botattack.report.wording.advice import advice
from botattack.report.wording.alterations import marked
from botattack.report.wording.marks import join
from botattack.report.writers.material import Material
from botattack.report.writers.report_files import whole_file

_SIGNS = re.compile(r"([\\`*_\[\]<>#|&~@$!]|:(?! )|(?<=www)\.)", re.IGNORECASE)
"""A colon before a space begins neither an address nor an emoji."""
HEADER = ("attack", "broken", "rate", "95 % interval", "unchanged")


def write(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    with whole_file(path) as file:
        file.writelines(f"{line}\n" for line in markdown(source))


def markdown(source: Material) -> Iterator[str]:
    """The lines of the report: what a summary is read for first, the run itself last."""
    figures = source.figures
    yield f"# {escaped(figures.run.target)}"
    yield ""
    yield f"**{ours(headlines.headline(figures))}**"
    yield from _paragraph(headlines.sure(figures))
    yield ""
    yield from (f"- {state}: {ours(gate)}" for state, gate in words.gates(figures))
    yield from (f"- weaker: {ours(sentence)}" for sentence in words.weaker(figures.run.weaker))
    yield from (f"- marked: {escaped(line)}" for line in mark_words.lines(figures.marks))
    yield from (f"- readers: {escaped(line)}" for line in reader_words.lines(figures))
    yield from (f"- caution: {ours(sentence)}" for sentence in cautions.cautions(figures))
    yield from (f"- faults: {ours(sentence)}" for sentence in words.faults(figures))
    yield ""
    yield from _diagnoses(figures)
    if figures.attacks:
        yield from _attacks(figures)
    yield from _findings(source)
    yield from _advice(source)
    yield from _about(figures)


def _diagnoses(figures: Figures) -> Iterator[str]:
    if shrunk := figures.shrunk:
        yield from ("## Smallest edits that break the bot", "")
        yield from (f"- {ours(line)}" for line in diagnoses.became(shrunk))
        yield from _paragraph(diagnoses.READ)
        for one in shrunk.shrunk[: diagnoses.SHOWN]:
            yield from ("", f"- {ours(diagnoses.title(one))}")
            for finding in filter(None, (one.found, one.smallest)):
                yield from (f"  {line}" for line in fenced([join(line) for line in marked(finding.alteration)]))
        yield ""
    if sensitivity := figures.sensitivity:
        yield from ("## Words that carry the answer", "", ours(f"{diagnoses.MAP} {diagnoses.BRACKETS}"), "")
        yield row(("word", "broken", "rate", "95 % interval"))
        yield row(("---", "---:", "---:", "---:"))
        for name, broken, rate, sure in diagnoses.roles(sensitivity):
            yield row((ours(name), broken, rate, sure))
        yield ""
        for question in sensitivity.map[: diagnoses.SHOWN]:
            pieces = diagnoses.mapped(question)
            yield "- " + "".join(f"**{ours(one.text)}**" if one.role == "broke" else ours(one.text) for one in pieces)
        yield ""


def _attacks(figures: Figures) -> Iterator[str]:
    for number, (columns, lines) in enumerate(words.tables(figures, HEADER)):
        yield from [""] * bool(number)
        yield from (row(tuple(columns)), row(("---", "---:", "---:", "---:", "---:")))
        for line in lines:
            name = "&emsp;" * line.depth + ours(f"{line.plain} ({line.name})" if line.plain else line.name)
            yield row(
                (name, words.share(line.row), numbers.percent(line.row.success_rate), line.interval, line.control)
            )
    for legend in words.legends(figures):
        yield from _paragraph(legend)


def _advice(source: Material) -> Iterator[str]:
    heat = Heat()
    for question in source.cases():
        heat.add(question)
    yield from ("", "## What to do", "")
    for sentence, command in advice(source.figures, heat.broken, source.recording):
        yield f"- {ours(sentence)}"
        if command:
            yield from ("", *(f"  {line}" for line in fenced([command])))


def _about(figures: Figures) -> Iterator[str]:
    yield from ("", "## About this run", "")
    yield f"- run: {escaped(figures.run.id)}, {ours(words.run_line(figures))}"
    yield f"- questions: {ours(words.questions_line(figures))}"
    yield f"- judge: {ours(judge_words.judge(figures.run.judge))}"
    yield from (f"- left out: {ours(sentence)}" for sentence in words.boilerplate(figures.run))
    yield f"- requests: {ours(words.requests_line(figures))}"
    for name, value, sure in measure_words.overall(figures):
        means = measure_words.explained(name)
        yield f"- {name}{f' ({means})' if means else ''}: {ours(f'{value}, {sure}')}"
    for name, change, sure in measure_words.against_control(figures):
        yield f"- {ours(name)} over unchanged: " + ", ".join(filter(None, (change, sure)))
    for name, detail, note in words.details(figures):
        yield f"- {ours(name)}: " + ours(detail + (f" ({note})" if note else ""))
    for name, corrected in words.corrections(figures):
        yield f"- {ours(name)}: {ours(corrected)}"


def _paragraph(text: str) -> Iterator[str]:
    if text:
        yield from ("", ours(text))


def ours(text: str) -> str:
    """Our own words, in which foreign text is visible already."""
    return escaped(text, foreign=False)


def escaped(text: str, foreign: bool = True) -> str:
    """Text that Markdown shows as it is; `foreign` text is made visible first."""
    return _SIGNS.sub(r"\\\1", visible(text) if foreign else text)


def row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _findings(source: Material) -> Iterator[str]:
    if found := causes.shown(source.figures):
        yield from ("", "## Failures by cause", "")
        yield row(("like this", "attack, what it changed: what the bot did", "example"))
        yield row(("---:", "---", "---"))
        for cause in found:
            yield row((f"{cause.broken:,} of {cause.rated:,}", ours(causes.title(cause)), escaped(cause.example.unit)))
    if source.findings:
        yield ""
        yield "## Examples"
        yield f"The shortest edits that broke the bot. {ORDER_TOLD}"
    for finding in source.findings:
        yield ""
        yield from fenced(finding_words.story(finding, source.recording))


def fenced(lines: list[str]) -> Iterator[str]:
    """A fence longer than any run of backticks inside."""
    runs = (len(run) for line in lines for run in re.findall("`+", line))
    fence = "`" * max(3, 1 + max(runs, default=0))
    yield f"{fence}text"
    yield from lines
    yield fence


REPORT = Report((".md",), write)
