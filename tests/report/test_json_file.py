import json
from pathlib import Path

import pytest

from botattack.model import Edit
from botattack.report.report_files import ReportError, whole_file
from botattack.report.writers.json_file import as_json, write
from botattack.report.writers.material import Material, kind_of, material, write_report
from tests.report.streams import Asking, Try, ended, stream

TYPO = Edit(0, "w", "v", "typo of keyword")
ROW = ["questions", "existing", "variants", "asked", "success", "refused", "robust", "error", "unsure"]
ROW += [
    "success_rate",
    "interval",
    "note",
    "requests",
    "probes",
    "difference",
    "difference_interval",
    "broken_questions",
    "first_success",
    "decoys",
    "took_decoy",
    "broken_by_decoy",
    "per_100_requests",
]


def source() -> Material:
    many = [
        Asking(text=f"w{number}", tries=(Try("wrong" if number % 4 == 0 else "correct", (TYPO,)),))
        for number in range(24)
    ]
    return material(lambda: stream(many, end=ended(requests=50)))


def test_the_shape_is_the_promised_one(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "out.json"
    write(path, source())
    read = json.loads(path.read_text("utf-8"))
    keys = [
        "run",
        "questions",
        "attacks",
        "requests",
        "measures",
        "unanswered",
        "gates",
        "early",
        "spending",
        "faults",
        "causes",
        "marks",
        "readers",
        "memory",
    ]
    assert list(read) == keys
    assert list(read["run"]) == [
        *("id", "target", "started", "seconds", "seed", "filter", "exit", "why", "weaker", "judge", "boilerplate"),
    ]
    assert list(read["questions"]) == [
        *("total", "asked", "correct", "wrong", "refused", "error", "unsure", "unstable"),
        *("kept", "bad_records", "duplicates", "gone"),
    ]
    assert list(read["requests"]) == ["sent", "retried", "rate_limited", "services", "learned_rate"]
    dpaeg = read["attacks"]["dpaeg"]
    assert list(dpaeg) == [
        *("expect", *ROW, "by_meaning", "by_reference", "by_door", "by_question", "repeated", "p", "q", "coverage"),
        *("corrected_for_judge_errors", "measures"),
    ]
    assert list(dpaeg["by_meaning"]) == ["as_claimed", "unsure"]
    assert list(dpaeg["by_reference"]) == ["gold", "own"]
    assert all(list(row) == ROW for split in ("by_meaning", "by_reference") for row in dpaeg[split].values())
    assert dpaeg["success_rate"] == 0.25
    assert len(dpaeg["interval"]) == 2
    assert read["attacks"]["unchanged"]["interval"] is None
    assert [entry.name for entry in path.parent.iterdir()] == ["out.json"]


def test_as_json_snapshot(snapshot) -> None:
    assert json.dumps(as_json(source().figures), indent=1) == snapshot


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
