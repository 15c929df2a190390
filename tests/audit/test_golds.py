"""The table of proposed answers, as a person fills it in."""

from __future__ import annotations

from pathlib import Path

import pytest

from botattack.audit.reviewing import golds
from botattack.errors import BotattackError


def table(folder: Path, *decisions: str, head: str = "id,question,proposed,sure,decision,reply 1") -> Path:
    path = folder / "golds.csv"
    rows = (f"q{at},Who?,Austen,0.9,{said},Jane Austen" for at, said in enumerate(decisions))
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


@pytest.mark.parametrize(
    ("written", "read"),
    [*[(said, "yes") for said in ("yes", "YES", " Yes ")], *[(said, "no") for said in ("no", "No", "NO ")], (" ", "")],
)
def test_a_decision_is_read_whatever_its_case(tmp_path: Path, written: str, read: str) -> None:
    (row,) = golds.rows(table(tmp_path, written))
    assert (row["decision"], row["proposed"], golds.replies(row)) == (read, "Austen", ["Jane Austen"])


@pytest.mark.parametrize("written", ["y", "maybe", "yes no", "1"])
def test_another_decision_is_refused_at_its_line(tmp_path: Path, written: str) -> None:
    with pytest.raises(BotattackError, match=rf"golds\.csv:3: the decision is '{written}'; write yes, no, or nothing"):
        list(golds.rows(table(tmp_path, "yes", written)))


@pytest.mark.parametrize("column", ["id", "proposed", "decision"])
def test_a_table_without_a_column_is_refused(tmp_path: Path, column: str) -> None:
    path = table(tmp_path, "yes", head="id,question,proposed,sure,decision,reply 1".replace(column, "other"))
    with pytest.raises(BotattackError, match=r"golds\.csv:2: .* judge golds wrote"):
        list(golds.rows(path))
