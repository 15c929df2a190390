import json
from dataclasses import fields
from pathlib import Path

import pytest

from botattack.model import Edit
from botattack.report.figures.figure_values import Figures
from botattack.report.report_files import ReportError, whole_file
from botattack.report.writers.material import Material, kind_of, material, write_report
from botattack.report.writers.text_files import write_json as write
from tests.report.streams import Asking, Try, ended, fits, stream

TYPO = Edit(0, "w", "v", "typo of keyword")


def source() -> Material:
    many = [
        Asking(text=f"w{number}", tries=(Try("wrong" if number % 4 == 0 else "correct", (TYPO,)),))
        for number in range(24)
    ]
    return material(lambda: stream(many, end=ended(requests=50)))


def test_a_report_is_the_figures_themselves(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "out.json"
    write(path, source())
    read = fits("run", path)
    assert list(read) == [field.name for field in fields(Figures)]
    assert read["attacks"]["dpaeg"]["gold"]["success_rate"] == 0.25
    assert read["attacks"]["unchanged"]["gold"]["interval"] is None
    assert read["causes"][0]["example"]["alteration"]["edits"][0]["before"] == TYPO.before
    assert [entry.name for entry in path.parent.iterdir()] == ["out.json"]


def test_a_broken_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("old")
    with pytest.raises(TypeError), whole_file(path) as file:
        file.writelines(["half", None])  # type: ignore[list-item]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    with pytest.raises(ReportError, match="cannot be written"):
        write(blocker / "out.json", source())


def test_the_file_name_chooses_the_report(tmp_path: Path) -> None:
    write_report(tmp_path / "a.JSON", source())
    assert json.loads((tmp_path / "a.JSON").read_text("utf-8"))["run"]["target"] == "alice"
    with pytest.raises(ReportError, match=r"no report ends in '.docx'; use one of .json"):
        kind_of(tmp_path / "a.docx")
    with pytest.raises(ReportError, match="'pdf'"):
        write_report(tmp_path / "a.json", source(), "pdf")
