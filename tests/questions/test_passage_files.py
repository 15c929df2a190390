"""Files of passages, which contain no questions."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from botattack.errors import QuestionsError
from botattack.questions import passages


@pytest.mark.parametrize("name", ["pool.txt", "pool.jsonl"])
def test_what_is_wrong_with_a_passage_file_speaks_of_passages(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / name, tmp_path / f"no-{name}", tmp_path / "folder", tmp_path / "pipe"):
        with pytest.raises(QuestionsError, match=r"\bpassages?\b") as refused:
            passages.of_file(path)
        assert "question" not in str(refused.value)
