"""Markdown, JUnit and CSV over the same run as the terminal's."""

import csv
import os
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botattack.model import Edit
from botattack.report.escape import hidden, visible
from botattack.report.report_files import ReportError
from botattack.report.story.in_markdown import ours
from botattack.report.writers.csv_file import COLUMNS, cell, uncelled
from botattack.report.writers.material import Material, material, write_report
from botattack.report.writers.text_files import markdown
from tests.report.streams import Asking, Try, stream
from tests.report.test_terminal import HOSTILE, run

EVERY_CONTROL = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x202E, 0xFFFE, 0xFFFF, 0x1F600]))


def hostile(text: str) -> Material:
    edits = (Edit(0, text[:1], text, text),)
    verdicts = ("wrong", "refused", "error", "unsure", "correct")
    tries = tuple(Try(verdict, edits, text, reply=text) for verdict in verdicts)
    many = [
        Asking(text=text or "?", answers=(text,), reply=text, tries=tries),
        Asking(text="w" + text, standing="wrong"),
    ]
    return material(lambda: stream(many, {text: "same"}, target=text, run=text))


@pytest.fixture(scope="module")
def source() -> Material:
    return material(run)


def test_markdown_says_first_what_a_summary_is_read_for(source: Material) -> None:
    text = "\n".join(markdown(source))
    places = [
        text.index(part) for part in ("# alice", "**Typing", "What to do", "## Failures", "| attack |", "## About")
    ]
    assert places == sorted(places)


def test_markdown_fences_hold() -> None:
    lines = list(markdown(hostile("````\n</script>| x |\n# title [a](http://b) <b>")))
    assert "`````text" in lines
    outside, fence = [], ""
    for line in lines:
        if fence:
            fence = "" if line == fence else fence
        elif begun := re.fullmatch("(`{3,})text", line):
            fence = begun[1]
        else:
            outside.append(line)
    assert not fence
    outside = "\n".join(outside)
    assert not re.search(r"(?<!\\)[<\[]", outside)
    assert ours(visible("a|b www.x.org @you")) == r"a\|b www\.x.org \@you"


def junit(source: Material, folder: Path) -> ET.Element:
    path = folder / "junit.xml"
    write_report(path, source)
    return ET.parse(path).getroot()


def test_junit(source: Material, tmp_path: Path, snapshot) -> None:
    root = junit(source, tmp_path)
    names = ("tests", "failures", "errors", "skipped")
    counts = {suite.get("name"): [suite.get(name) for name in names] for suite in root}
    assert counts == {
        "questions": ["40", "19", "0", "0"],
    }
    assert [root.get(name) for name in names] == ["40", "19", "0", "0"]
    assert ET.tostring(root.findall("testsuite")[0][0], "unicode") == snapshot
    for suite in root:
        kinds = [child.tag for case in suite for child in case]
        assert [str(kinds.count(tag)) for tag in ("failure", "error", "skipped")] == counts[suite.get("name")][1:]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.just(HOSTILE) | st.just(EVERY_CONTROL))
def test_files_stay_whole_whatever_the_bot_says(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("hostile")
    source = hostile(text)
    assert junit(source, folder).get("tests") == "1"
    for name in ("out.csv", "out.md"):
        write_report(folder / name, source)
        shown = (folder / name).read_text("utf-8")
        assert not any(hidden(character) for character in shown if character not in "\n")


def rows(source: Material, folder: Path) -> list[dict[str, str]]:
    path = folder / "out.csv"
    write_report(path, source)
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_csv(source: Material, tmp_path: Path, snapshot) -> None:
    found = rows(source, tmp_path)
    assert len(found) == 42 + 40 * 3
    assert tuple(found[0]) == COLUMNS
    assert found[:3] == snapshot
    assert sum(row["result"] == "success" for row in found if row["attack"] == "dpaeg") == 22


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "\r=1", "＝1"])
def test_no_cell_is_a_formula(text: str, tmp_path: Path) -> None:
    assert cell(text).startswith("'")
    found = rows(hostile(text), tmp_path)
    assert all(not value.lstrip().startswith(("=", "+", "-", "@")) for row in found for value in row.values())


@pytest.mark.parametrize("text", ["one\n=1+1", "- one\n- two\n\n+ three", "a;=1+1", "a; -1", "a\n\n@x"])
def test_only_the_beginning_of_a_cell_can_be_a_formula(text: str) -> None:
    assert cell(text).removeprefix("'") == text
    assert cell(text).startswith("'") is text.startswith("-")


@pytest.mark.parametrize("text", ["", "Paris", "'Tis Pity", "'", "=1", "'=1", "-3 °C", "''@x", '"=1"', "one\n=1"])
def test_a_cell_says_what_it_was_made_of(text: str) -> None:
    assert uncelled(cell(text)) == text


def test_a_cell_keeps_its_lines(tmp_path: Path) -> None:
    assert cell("one\r\ntwo\rx") == "one\ntwo\\rx"
    (row, *_) = [row for row in rows(hostile("one\ntwo"), tmp_path) if "one" in row["reply"]]
    assert "one\ntwo" in row["reply"]


def test_a_raw_table_has_every_text_as_it_is(tmp_path: Path) -> None:
    text = "=1+1\r\n\t\u200b-2"
    replies = {row["reply"] for row in rows(replace(hostile(text), raw=True), tmp_path)}
    assert text in replies
    assert text not in {row["reply"] for row in rows(hostile(text), tmp_path)}


def test_a_table_for_excel_begins_with_a_byte_order_mark(source: Material, tmp_path: Path) -> None:
    write_report(tmp_path / "out.csv", replace(source, bom=True))
    assert (tmp_path / "out.csv").read_bytes().startswith(b"\xef\xbb\xbfquestion_id,")


@pytest.mark.parametrize("ending", ["html", "md", "json", "csv", "xml"])
def test_no_report_takes_the_place_of_what_is_no_file(source: Material, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"report.{ending}"
    os.mkfifo(path)
    with pytest.raises(ReportError, match="is not a regular file"):
        write_report(path, source)
    assert path.is_fifo()


def test_numbers_stay_numbers() -> None:
    assert cell(0.25) == "0.25"
    assert cell(-1) == "-1"
    assert cell("Paris") == "Paris"
    assert cell("one\n\ntwo\n") == "one\n\ntwo\n"
