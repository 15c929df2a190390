"""What somebody who is new to botattack is told of files and flags that do not say what they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Botattack

FLAGS = ("-t", "bot.yaml", "-a", "case:per_question=1", "--allow-code")


@pytest.mark.parametrize("flags", [(), ("--dry-run",)])
def test_a_file_without_right_answers_is_named_with_its_columns(
    botattack: Botattack, folder: Path, campaign: Path, flags: tuple[str, ...]
) -> None:
    (folder / "faq.csv").write_text("question,Notes\nWhat is the famous capital of Italy?,Rome\n")
    said = " ".join(botattack("run", *FLAGS, "-q", "faq.csv", *flags).out.split())
    assert "faq.csv says of no question what a right reply is (its columns are question, Notes)" in said


def test_a_file_with_a_right_answer_is_not(botattack: Botattack, folder: Path, campaign: Path) -> None:
    (folder / "faq.csv").write_text("question,answers\nWhat is the famous capital of Italy?,Rome\nWho are you?,\n")
    planned = botattack("run", *FLAGS, "-q", "faq.csv", "--dry-run")
    assert planned.status == 0, planned
    assert "faq.csv says" not in planned.out
