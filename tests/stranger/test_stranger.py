"""A stranger's package, installed as a distribution: each plug is one file, and nothing else need know of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import botattack

PACKAGE = Path(__file__).parent / "package"
LONGEST = 30
"""Lines that a plug may have."""
Run = Callable[..., "subprocess.CompletedProcess[str]"]
QUESTIONS = """\
Who wrote it? -> Ann -> It was written by Ann
Who drew it? -> Ben -> It was drawn by Ben
Who made it? -> Dan -> It was made by Dan
Who kept it? -> Eve -> It was kept by Eve
Who sold it? -> Cid -> It was sold by Cid!
"""
CAMPAIGN = """\
target: bot.yaml
questions: {file: who.arrows, format: arrows}
attacks: [shout, {small-talk: {says: Hello}}, thanks]
match: {second: {match: starts, ask: [{calm: {at_most: 0}}]}}
max_errors: 1
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the package was installed as pip installs a wheel: the files beside their dist-info."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(PACKAGE / "stranger", site / "stranger")
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    metadata = site / f"{name}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = {group: "\n".join(map(" = ".join, plugs.items())) for group, plugs in project["entry-points"].items()}
    (metadata / "entry_points.txt").write_text("".join(f"[{group}]\n{plugs}\n" for group, plugs in groups.items()))
    return site


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> Run:
    """Runs a command where the package is installed."""
    paths = os.pathsep.join((str(installed), str(Path(botattack.__file__).parents[1])))
    environ = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "80", "NO_COLOR": "1", "XDG_CONFIG_HOME": str(tmp_path)}

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        program = "import sys; from botattack.cli import main; main(sys.argv[1:])"
        command = [sys.executable, "-c", program, *map(str, words)]
        return subprocess.run(
            command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=300, check=False
        )

    return run


@pytest.mark.slow
def test_every_plug_of_a_stranger_works_in_every_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "who.arrows").write_text(QUESTIONS)
    (tmp_path / "bot.yaml").write_text("connect: {kind: library}\n")
    (tmp_path / "campaign.yaml").write_text(CAMPAIGN)
    ended = run("run", "campaign.yaml", "-o", "now.tally", "-o", "now.json", "-o", "now.md")
    assert ended.returncode == 0, ended.stderr
    figures = json.loads((tmp_path / "now.json").read_text())
    assert (figures["questions"]["kept"], figures["questions"]["unsure"]) == (4, 1)  # the opinion heard "Cid!"
    tally = (tmp_path / "now.tally").read_text()
    assert tally == "unchanged: 0 of 4\nshout: 4 of 4\nsmall-talk: 4 of 4\nthanks: 0 of 4\n"
    assert "What to do: Let the bot read capitals" in (tmp_path / "now.md").read_text().replace("\\", "")
    (recording,) = (tmp_path / "recordings").iterdir()
    (tmp_path / "bad.arrows").write_text("no record\n")
    (tmp_path / "bad.yaml").write_text(CAMPAIGN.replace("who.arrows", "bad.arrows"))
    refused = run("run", "bad.yaml")
    assert (refused.returncode, "it has no two arrows" in refused.stderr) == (2, True)

    again = run("replay", recording, "-o", "again.tally", "-o", "again.json")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again.tally").read_text() == tally
    assert json.loads((tmp_path / "again.json").read_text())["attacks"] == figures["attacks"]
    shown = run("replay", recording, "--as-recorded", "-o", "then.tally", "-o", "then.html")
    assert shown.returncode == 0, shown.stderr
    assert (tmp_path / "then.tally").read_text() == tally
    assert (tmp_path / "then.html").is_file()


@pytest.mark.slow
def test_a_language_of_a_stranger_is_attacked_and_judged(run: Run, tmp_path: Path) -> None:
    asked = {"question": "Chi ha scritto il libro?", "answers": ["Anna"], "passages": ["Ha scritto Anna"], "lang": "it"}
    (tmp_path / "chi.jsonl").write_text(json.dumps(asked))
    (tmp_path / "bot.yaml").write_text("connect: {kind: library}\n")
    (tmp_path / "campaign.yaml").write_text(
        "{target: bot.yaml, questions: {file: chi.jsonl}, attacks: [are-you-sure, drop-stopwords, filler, noise]}"
    )
    ended = run("run", "campaign.yaml", "-o", "now.json")
    assert ended.returncode == 0, ended.stderr
    assert "may be misjudged" not in ended.stderr  # as it is said of a language whose words are not known
    figures = json.loads((tmp_path / "now.json").read_text())
    for attack in ("are-you-sure", "drop-stopwords", "filler"):
        assert any(name.startswith(attack) for name in figures["attacks"]), attack

    def judged(reply: str, gold: str) -> str:
        asked = ("judge", "explain", "Quanti anni ha Anna?", reply, "--gold", gold, "--lang", "it")
        return run(*asked).stdout.split()[1]

    assert [judged(reply, "12") for reply in ("Ha dodici anni.", "Ha tredici anni.", "Mi dispiace, non lo so.")] == [
        "correct",
        "wrong",
        "refused",
    ]
    assert "it" in next(row for row in run("attacks", "list").stdout.split("\n\n") if "are-you-sure" in row)


@pytest.mark.slow
def test_what_a_stranger_installed_is_listed(run: Run) -> None:
    listed = run("resources", "list")
    assert listed.returncode == 0, listed.stderr
    assert "+ marks: marks, 1, public domain" in listed.stdout
    attacks = run("attacks", "list").stdout
    assert "shout" in attacks
    assert "small-talk" in attacks


@pytest.mark.slow
def test_the_schema_knows_what_a_stranger_installed(run: Run) -> None:
    target = json.loads(run("schema", "target").stdout)
    assert "library" in json.dumps(target["properties"]["connect"])
    campaign = json.loads(run("schema", "campaign").stdout)["$defs"]
    assert "small-talk" in json.dumps(campaign["attack"])
    assert "starts" in json.dumps(campaign["matcher"])
    assert "at_most" in json.dumps(campaign["opinion"])


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.[py]*[yl]")), ids=lambda path: path.name)
def test_a_plug_is_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST
