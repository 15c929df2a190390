"""What of a run goes to standard output."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Botattack, newest


@pytest.mark.parametrize("flags", [("--json",), ("-o", "-"), ("--json", "--quiet")])
def test_json_has_standard_output_to_itself(botattack: Botattack, campaign: Path, flags: tuple[str, ...]) -> None:
    ended = botattack("run", campaign.name, "--allow-code", "--limit", "2", *flags)
    assert json.loads(ended.out)["questions"]["asked"] == 2
    assert bool(ended.err) is ("--quiet" not in flags)


def test_a_quiet_run_says_only_what_went_wrong(botattack: Botattack, campaign: Path, folder: Path) -> None:
    words = ("run", campaign.name, "--allow-code", "--limit", "2", "--quiet")
    ended = botattack(*words, "-o", "out.csv", "--bom")
    assert (ended.status, ended.out, ended.err) == (0, "", "")
    assert (folder / "out.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    stopped = botattack(*words, "--budget", "requests=1")
    assert stopped.status == 4
    assert "budget" in stopped.err


@pytest.mark.parametrize(("flags", "begins"), [([], "'- What"), (["--raw"], "- What")])
def test_a_table_for_programs_has_texts_as_they_are(
    botattack: Botattack, campaign: Path, folder: Path, flags: list[str], begins: str
) -> None:
    faq = folder / "faq.jsonl"
    faq.write_text(faq.read_text().replace("What", "- What"))
    botattack("run", campaign.name, "--allow-code", "--limit", "2", "-o", "out.csv", *flags)
    with (folder / "out.csv").open(newline="") as file:
        questions = [row["question"] for row in csv.DictReader(file)]
    assert any(text.startswith(begins) for text in questions)


def test_a_replay_gives_json_too(botattack: Botattack, campaign: Path, folder: Path) -> None:
    botattack("run", campaign.name, "--allow-code", "--limit", "2")
    (recording,) = folder.glob("recordings/2*")
    assert json.loads(botattack("replay", recording, "--json").out)["questions"]["asked"] == 2


@pytest.mark.slow
def test_reports_are_written_though_nobody_reads_the_output(botattack: Botattack, campaign: Path, folder: Path) -> None:
    botattack("run", campaign.name, "--allow-code", "--limit", "2", "--quiet")
    reads, writes = os.pipe()
    os.close(reads)
    command = [sys.executable, "-m", "botattack", "replay", str(newest()), "-o", "x.json", "-o", "x.html"]
    ended = subprocess.run(command, stdout=writes, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writes)
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "written    x.html" in ended.stderr
    assert json.loads((folder / "x.json").read_text())["questions"]["asked"] == 2
