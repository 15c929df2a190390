"""The files for Kubernetes in docs/: checked against its API's schema, and their commands run as its pods would run
them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from botattack.events import Asked
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack
from tests.cli.test_bicycles import ONE, rental
from tests.cli.test_ci_jobs import BOTATTACK

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "kubernetes"
NAMES = ("night.yaml", "parts.yaml")
OLDEST = "1.29"
"""The oldest version in which all that these files use is switched on."""
IMAGE = "REGISTRY/IMAGE:TAG"
"""No image is called so: a cluster refuses a job in which nobody has replaced it."""


def documents() -> list[dict[str, Any]]:
    return [found for name in NAMES for found in yaml.safe_load_all((FOLDER / name).read_text("utf-8"))]


def pods() -> list[dict[str, Any]]:
    specs = [document["spec"] for document in documents() if "Claim" not in document["kind"]]
    return [spec.get("jobTemplate", {"spec": spec})["spec"]["template"]["spec"] for spec in specs]


@pytest.mark.parametrize("version", [OLDEST, kubernetes_validate.latest_version()])
def test_the_schema_of_the_api_takes_every_document(version: str) -> None:
    made = documents()
    assert [each["kind"] for each in made] == ["PersistentVolumeClaim", "CronJob", "Job", "Job"]
    for document in made:
        kubernetes_validate.validate(document, version, strict=True)
        with pytest.raises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(document | {"spec": {**document["spec"], "scedule": ""}}, version, strict=True)


def test_pods_may_do_nothing_but_ask_and_record() -> None:
    for pod in pods():
        (container,) = pod["containers"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert not pod["automountServiceAccountToken"]
        assert container["securityContext"]["readOnlyRootFilesystem"]
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert [mount["mountPath"] for mount in container["volumeMounts"]] == [
            f"{container['workingDir']}/recordings",
            "/tmp",
        ]
        assert container["image"] == IMAGE


def test_all_files_mean_one_volume_and_secrets_go_to_those_who_ask() -> None:
    volume, *_ = documents()
    name = volume["metadata"]["name"]
    for pod in pods():
        assert pod["volumes"][0] == {"name": "recordings", "persistentVolumeClaim": {"claimName": name}}
    given = [pod["containers"][0].get("envFrom", []) for pod in pods()]
    assert given == [[{"secretRef": {"name": name}}]] * 2 + [[]]


def test_nights_never_overlap_and_are_not_repeated() -> None:
    spec = documents()[1]["spec"]
    assert (spec["concurrencyPolicy"], spec["jobTemplate"]["spec"]["backoffLimit"]) == ("Forbid", 0)


def test_parts_that_do_not_know_of_each_other_ask_one_after_the_other() -> None:
    ask, merge = documents()[2:]
    (container,) = ask["spec"]["template"]["spec"]["containers"]
    parts = next(one["value"] for one in container["env"] if one["name"] == "BOTATTACK_PARTS")
    assert (ask["spec"]["completions"], ask["spec"]["parallelism"]) == (int(parts), 1)
    assert [job["metadata"]["labels"]["step"] for job in (ask, merge)] == ["ask", "merge"]


def test_the_night_is_a_command_that_botattack_takes(botattack: Botattack, folder: Path) -> None:
    (args,) = (pod["containers"][0]["args"] for pod in pods() if "args" in pod["containers"][0])
    (folder / "campaigns").mkdir()
    (folder / args[1]).write_text("target: 1\n")
    refused = botattack(*args)
    assert (refused.status, "target" in refused.err) == (2, True)
    assert "No such option" not in refused.err


@pytest.mark.slow
def test_pods_ask_the_campaign_in_parts_and_one_merges_them(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One pod is lost halfway, another takes its place. A gate fails in every part and in the whole."""
    campaign = rental(folder, ONE)
    campaign.write_text(campaign.read_text() + "gates: [{metric: standard_accuracy, at_least: 0.999}]\n")
    (folder / "deleted.txt").write_text("3 40")
    program = folder / "bin" / "botattack"
    program.parent.mkdir()
    program.write_text(BOTATTACK)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    assert _start("ask", 0, lost=True) == -signal.SIGKILL
    assert [_start("ask", index) for index in range(4)] == [0] * 4
    assert _start("merge") == 1
    (whole,) = Path("recordings").glob("2*")
    asked = [event.unit for event in events(whole) if isinstance(event, Asked)]
    assert len(asked) == len(set(asked))
    assert botattack("run", "night.yaml", "--allow-code", "--recordings", "alone").status == 1
    (alone,) = Path("alone").glob("2*")
    assert set(asked) == {event.unit for event in events(alone) if isinstance(event, Asked)}


def _start(step: str, index: int = 0, *, lost: bool = False) -> int:
    """Runs the container of a Job; a pod that is `lost` is killed once it has recorded something."""
    run = "botattack-helpdesk-parts-x1y2z"
    text = (FOLDER / "parts.yaml").read_text("utf-8").replace("RUN_OF_PARTS", run)
    (document,) = (each for each in yaml.safe_load_all(text) if each["metadata"]["labels"]["step"] == step)
    (container,) = document["spec"]["template"]["spec"]["containers"]
    given = {one["name"]: one.get("value", run) for one in container["env"]}
    given |= {"BOTATTACK_CAMPAIGN": "night.yaml", "JOB_COMPLETION_INDEX": str(index)}
    args = ["--allow-code"] if step == "ask" else []
    pod = subprocess.Popen([*container["command"], *args], env={**os.environ, **given}, start_new_session=True)
    while lost and pod.poll() is None:
        if any(file.stat().st_size > 20_000 for file in Path("recordings").rglob("events*")):
            os.killpg(pod.pid, signal.SIGKILL)
        time.sleep(0.01)
    return pod.wait()


def test_schedule_names_the_files(botattack: Botattack) -> None:
    assert "docs/kubernetes/night.yaml" in botattack("nightly", "schedule", "--help").out
    assert all((ROOT / "docs/kubernetes" / name).is_file() for name in NAMES)
