"""The printed CI jobs, run in the empty checkout of a company's repository: what a runner would do, step by step."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import Botattack
from tests.cli.test_bicycles import ONE, rental

ROOT = Path(__file__).parents[2]
GH = """#!/bin/sh
# GitHub's own command, over a folder of artifacts.
[ "$GH_TOKEN" = token ] || exit 4
case "$1 $2" in
"api "*) [ -d "$ARTIFACTS/botattack-night" ] && echo 1 || echo 0 ;;
"run download") mkdir -p "$6" && cp -R "$ARTIFACTS/$4/." "$6" ;;
*) exit 2 ;;
esac
"""
BOTATTACK = f"""#!/bin/sh
PYTHONPATH={ROOT} exec {sys.executable} -c "from botattack.cli import main; main()" "$@"
"""


@dataclass(frozen=True)
class Company:
    """A repository, and what a CI keeps between jobs; `bin` holds the programs of its runners."""

    repository: Path
    kept: Path
    bin: Path

    def checkout(self, name: str) -> Path:
        return Path(shutil.copytree(self.repository, self.repository.parent / name))

    def sh(self, command: str, folder: Path, env: dict[str, str]) -> int:
        own = {"PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(folder), "ARTIFACTS": str(self.kept)}
        return subprocess.run(["bash", "-e", "-c", command], cwd=folder, env=own | env, check=False).returncode

    def github(self, folder: Path) -> int:
        """The exit status of a job: that of the first step that failed; then only steps run that follow any night."""
        workflow = yaml.safe_load((folder / ".github/workflows/botattack-night.yml").read_text())
        status, begun = 0, False
        for step in workflow["jobs"]["night"]["steps"]:
            after_the_night = step.get("if") == "always() && steps.night.outcome != 'skipped'"
            if (not begun) if after_the_night else status:
                continue
            begun |= step.get("id") == "night"
            if step.get("uses", "").startswith("actions/upload-artifact"):
                self.keep(folder / step["with"]["path"], step["with"]["name"])
            if "run" in step:
                told = {
                    name: re.sub(r"\$\{\{ secrets\.\w+ \}\}", "", value) for name, value in step.get("env", {}).items()
                }
                told = {name: value.replace("${{ github.token }}", "token") for name, value in told.items()}
                told |= {"GITHUB_STEP_SUMMARY": str(folder / "summary"), "GITHUB_REPOSITORY": "a/b"}
                told |= {"RUNNER_TEMP": str(self.bin)}
                told = {
                    name: re.sub(r"\$\{\{ github\.(\w+) \}\}", r"\1", value) for name, value in told.items() if value
                }
                ended = self.sh(step["run"], folder, told)
                status = status or ended
        return status

    def gitlab(self, folder: Path) -> int:
        """The same; what GitLab shows is kept where GitHub's summary is."""
        job: dict[str, Any] = yaml.safe_load((folder / "botattack-night.gitlab-ci.yml").read_text())["botattack-night"]
        (cached,) = job["cache"]["paths"]
        if (self.kept / job["cache"]["key"]).exists():
            shutil.copytree(self.kept / job["cache"]["key"], folder / cached)
        status = self.sh("\n".join(job["script"]), folder, {"CI_JOB_URL": "https://gitlab.example/a/b/-/jobs/7"})
        self.sh("\n".join(job.get("after_script", [])), folder, {})
        if status == 0 or job["cache"]["when"] == "always":
            self.keep(folder / cached, job["cache"]["key"])
        (folder / "summary").write_text("")
        for report in folder.glob(job["artifacts"]["reports"]["junit"]):
            with (folder / "summary").open("a") as summary:
                summary.write(report.read_text())
        return status

    def keep(self, folder: Path, name: str) -> None:
        shutil.rmtree(self.kept / name, ignore_errors=True)
        shutil.copytree(folder, self.kept / name)


@pytest.fixture
def company(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Company:
    """Its repository holds a campaign, the bot, and a wheel of botattack."""
    repository, programs, kept = folder / "repository", folder / "bin", folder / "kept"
    for made in (repository / "vendor", programs, kept):
        made.mkdir(parents=True)
    rental(repository, ONE)
    (repository / "vendor" / "botattack-1.0-py3-none-any.whl").write_bytes(b"")
    for name, text in (("gh", GH), ("botattack", BOTATTACK), ("pip", '#!/bin/sh\n[ -e "${2%%[*}" ]\n')):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.chdir(repository)
    return Company(repository, kept, programs)


both = pytest.mark.parametrize(("how", "run"), [("github", Company.github), ("gitlab", Company.gitlab)])


@pytest.mark.slow
@both
def test_the_first_night_in_an_empty_checkout_pins_and_the_second_rings(
    botattack: Botattack, company: Company, how: str, run: Callable[[Company, Path], int]
) -> None:
    made = botattack(
        "nightly", "schedule", "night.yaml", "--at", "02:30", "--as", how, "--allow-code", "--install",
        "--from", "vendor/botattack-1.0-py3-none-any.whl",
    )  # fmt: skip
    assert made.status == 0, made.err
    first = company.checkout("first")
    assert run(company, first) == 0
    assert list(first.glob("recordings/baselines/pedal.json"))
    (company.repository / "deleted.txt").write_text("3")
    second = company.checkout("second")
    assert run(company, second) == 1
    assert "Lost answers (1)" in (second / "summary").read_text() or how == "gitlab"
    (report,) = second.glob("recordings/2*/diff.md")
    assert "Lost answers (1)" in report.read_text()
    (company.repository / "deleted.txt").write_text("")
    assert run(company, company.checkout("third")) == 0


@both
def test_what_a_job_shows_is_of_this_night_alone(
    botattack: Botattack, company: Company, how: str, run: Callable[[Company, Path], int]
) -> None:
    """The second night breaks off before it has anything to show, the third has."""
    botattack("nightly", "schedule", "night.yaml", "--at", "02:30", "--as", how, "--install", "--from", "botattack")
    (company.bin / "pip").write_text("#!/bin/sh\n")
    shown = []
    for night in ("1", "", "3"):
        into = f"recordings/2{night}"
        made = f"sleep 0.1; mkdir -p {into}; cd {into}; echo night {night} | tee diff.md > diff.xml"
        (company.bin / "botattack").write_text(f"#!/bin/sh\n{made if night else 'exit 2'}\n")
        folder = company.checkout(f"checkout{night}")
        assert run(company, folder) == (0 if night else 2)
        shown.append((folder / "summary").read_text().split())
    assert shown == [["night", "1"], [], ["night", "3"]]


def test_an_artifact_that_cannot_be_fetched_ends_the_job(botattack: Botattack, company: Company) -> None:
    """Else the night would silently become a new baseline."""
    botattack(
        "nightly", "schedule", "night.yaml", "--at", "02:30", "--as", "github", "--install", "--from", "botattack"
    )
    (company.bin / "gh").write_text("#!/bin/sh\nexit 1\n")
    (company.bin / "pip").write_text("#!/bin/sh\n")
    folder = company.checkout("first")
    assert company.github(folder) == 1
    assert not (folder / "recordings").exists()
