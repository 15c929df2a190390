"""Probes: requests that are no outcomes, and are shown as what they are. An older recording has those of a search."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

from botattack.model import Verdict
from botattack.recordings.suite import suite_of
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.metrics import figures_of
from botattack.report.wording.words import details
from botattack.report.writers.material import material, write_report
from tests.report.streams import Asking, Try, edit, ended, of_unit, stream

TEXT = "what is the capital of france"
TYPO = edit(TEXT, "capital", "captial")
PROBE = Try("wrong", (edit(TEXT, "capital", "", "left-out"),), meaning="unsure", requests=2, probe=True)
TRIED = (Try("correct", (TYPO,)), PROBE, replace(PROBE, verdict="error"), Try("wrong", (TYPO,)))


def figures(tries: tuple[Try, ...], standing: str = "kept") -> Figures:
    return figures_of(stream([Asking(TEXT, tries=tries, standing=standing)], end=ended()))  # type: ignore[arg-type]


def test_they_count_as_requests_and_as_nothing_else() -> None:
    with_, without = figures(TRIED), figures((TRIED[0], TRIED[3]))
    row, plain = with_.attacks["dpaeg"].gold, without.attacks["dpaeg"].gold
    assert row == replace(plain, requests=plain.requests + 4, probes=2)
    assert (row.success / row.requests, plain.success / plain.requests) == (1 / 6, 0.5)
    for split in ("kind", "distance"):
        assert with_.attacks["dpaeg"].splits[split] == without.attacks["dpaeg"].splits[split]
    assert with_.attacks["dpaeg"].unsure.asked == 0
    assert with_.measures == without.measures
    assert with_.requests.sent == without.requests.sent + 4


def test_a_question_that_is_not_right_counts_none() -> None:
    assert figures(TRIED, "wrong").attacks["dpaeg"].gold.probes == 0


def test_they_are_told_of_beside_the_figures() -> None:
    assert "not counted: 2 only to compare" in str(details(figures(TRIED)))
    assert "compare" not in str(details(figures((TRIED[0],))))


def test_each_is_a_row_that_says_so_and_no_finding(tmp_path: Path) -> None:
    events = stream([Asking(TEXT, tries=(TRIED[0], PROBE))], end=ended())
    write_report(tmp_path / "cases.csv", material(lambda: events))
    rows = list(csv.DictReader((tmp_path / "cases.csv").open(encoding="utf-8")))
    assert [row["result"] for row in rows[1:]] == ["robust", "probe"]
    write_report(tmp_path / "page.html", material(lambda: events))
    assert '"probe","wrong"' in (tmp_path / "page.html").read_text("utf-8")
    assert not material(lambda: events).findings
    probe = next(event for event in events if getattr(event, "probe", False))
    assert "so         a probe" in of_unit(events, probe.unit)
    assert probe.verdict == Verdict("wrong")


def test_a_failure_counts_the_variants_that_rates_count(tmp_path: Path) -> None:
    """Probes whose meaning is kept, as those of `memory` and the controls of `injection`, are in no rate either."""
    broken = [replace(PROBE, meaning="kept", attack="memory"), replace(PROBE, meaning="kept", verdict="correct")]
    events = stream([Asking(TEXT, tries=(TRIED[0], TRIED[3], *broken))], end=ended())
    write_report(tmp_path / "junit.xml", material(lambda: events))
    (failure,) = ET.parse(tmp_path / "junit.xml").getroot().iter("failure")
    assert "1 of 2 " in failure.attrib["message"]


def test_no_suite_asks_them_again() -> None:
    suite = suite_of(stream([Asking(TEXT, tries=TRIED)]))
    assert suite.variants == 2
