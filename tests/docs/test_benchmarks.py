"""Every benchmark that needs no bot of others runs, with next to nothing to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = """
import importlib, json, sys
name, changed, words = json.loads(sys.argv[1])
module = importlib.import_module(f"benchmarks.{name}")
for constant, value in changed.items():
    assert hasattr(module, constant), constant
    setattr(module, constant, value)
sys.argv[1:] = words
module.main()
"""
PASSAGES = [
    ["Canberra", ["Canberra is the capital of Australia.", " It lies in the south-east."]],
    ["Australia", ["Australia is a country.", " Its largest city is Sydney."]],
]
ONE_OF_EACH = (
    "2,000 questions of a file of 2,000",
    "`local:1`, file of 2,000",
    "told rate",
    "without attacks",
    "on one question",
    "trend",
    "comparing",
    "page",
    "µs",
)
"""Of rows that are measured in the same way, the one that costs least."""
ROW = {"question": "What is the capital of the country whose largest city is Sydney?", "answer": "Canberra"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "webquestions").mkdir()
    asked = [{"qText": "what is the capital of australia?"}, {"qText": "who plays ken barlow in coronation street?"}]
    (tmp_path / "webquestions" / "trainmodel.json").write_text(json.dumps(asked))
    (tmp_path / "banking77").mkdir()
    (tmp_path / "banking77" / "test.csv").write_text(
        "text,category\nwhere is my card?,arrival\nmay I pay here?,yes_you\n"
    )
    (tmp_path / "hotpotqa").mkdir()
    row = {"_id": "1", "type": "bridge", "level": "easy", **ROW, "supporting_facts": [["Canberra", 0]]}
    (tmp_path / "hotpotqa" / "hotpot_dev_distractor_first50.json").write_text(json.dumps([row | {"context": PASSAGES}]))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changed", "words", "says"),
    [
        ("attacks", {"RUNS": 1, "MANY": 3, "CHARACTERS": ["noise"], "WORDS": ["negate"]}, [], "disfluency"),
        ("dpaeg", {"RUNS": 1}, [], "loose rules"),
        ("corrected_rates", {}, ["1"], "least of all worlds"),
        ("why.__main__", {}, ["--each", "1", "faq-banking77-no-speller"], "one cause: right"),
        ("stopping", {}, ["--draws", "1"], "wrong"),
        ("replay", {}, ["--transcripts", "200", "--outcomes", "200", "--recordings", "60"], "view, the list"),
        ("trend", {}, ["{data}/year", "--nights", "3", "--questions", "20"], "CPU s"),
        ("runner", {"REQUESTS": 256, "ROUNDS": 1}, [], "of it: recording"),
        ("http_target", {"REQUESTS": 512, "ROUNDS": 1}, [], "multiple"),
        ("rates", {}, ["--requests", "3", "--rate", "50"], "| a loop | yes |"),
        ("before_after", {"ROUNDS": 1}, ["--part", "0.001", *ONE_OF_EACH], "µs a variant | "),
        ("fleet", {}, ["pace", "--askings", "40"], "4 processes"),
        ("peers", {"FEW": 2, "MANY": 4}, [], "botattack"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_benchmark_runs(data: Path, name: str, changed: dict[str, object], words: list[str], says: str) -> None:
    environ = {**os.environ, "BOTATTACK_DATA": str(data), "PATH": str(Path(sys.executable).parent)}
    command = [sys.executable, "-c", RUN, json.dumps([name, changed, [word.format(data=data) for word in words]])]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert says in done.stdout
