"""The files for Kubernetes: checked against its API's schema, and their commands run as its pods would run them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from botattack.audit.nights.job_files import NightlyJob, ScheduleError
from botattack.audit.nights.kubernetes import IMAGE, manifests, name_of
from botattack.audit.nights.requirements import Requirements
from botattack.events import Asked
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack
from tests.cli.test_bicycles import ONE, rental
from tests.cli.test_ci_jobs import BOTATTACK

OLDEST = "1.29"
"""The oldest version in which all that these files use is switched on."""
SHARED = Requirements(env=("HELPDESK_TOKEN",), has_rate=True)


def job(name: str = "help desk", cron: str = "30 2 * * *", needs: Requirements = SHARED, **more: Any) -> NightlyJob:
    words = ("botattack", "nightly", "a $(HOME) b.yaml", "--pin")
    return NightlyJob(name, Path(), words, cron, needs=needs, **more)


def documents(made: dict[str, str]) -> list[dict[str, Any]]:
    return [document for text in made.values() for document in yaml.safe_load_all(text)]


def pods(made: dict[str, str]) -> list[dict[str, Any]]:
    specs = [document["spec"] for document in documents(made) if "Claim" not in document["kind"]]
    return [spec.get("jobTemplate", {"spec": spec})["spec"]["template"]["spec"] for spec in specs]


@pytest.mark.parametrize("version", [OLDEST, kubernetes_validate.latest_version()])
@pytest.mark.parametrize(
    "one",
    [
        job(),
        job("Ünder_scored.And.Very " + "long " * 20, "*/15 2,3 1-5 jan mon-fri", Requirements()),
        job(zone="Europe/Berlin", recordings="kept/nights", needs=Requirements(("A", "B"), has_pace=True)),
    ],
)
def test_the_schema_of_the_api_takes_every_document(one: NightlyJob, version: str) -> None:
    made = documents(manifests(one, "a 'b'.yaml", 8, allow_code=True))
    assert [each["kind"] for each in made] == ["PersistentVolumeClaim", "CronJob", "Job", "Job"]
    for document in made:
        kubernetes_validate.validate(document, version, strict=True)
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(made[1] | {"spec": {**made[1]["spec"], "scedule": ""}}, version, strict=True)


def test_a_secret_of_the_target_and_of_the_pace_is_given_once() -> None:
    needs = Requirements(env=("BOTATTACK_REDIS_PASSWORD", "RUN", "CAMPAIGN"), has_pace=True)
    for pod in pods(manifests(job(needs=needs), "a.yaml", 2)):
        names = [each["name"] for each in pod["containers"][0]["env"]]
        assert len(names) == len(set(names))


@pytest.mark.parametrize("name", ["help desk", "Ünder_scored.And.Very " + "long " * 20, "-", "вечер"])
def test_names_are_those_of_hosts_and_leave_room(name: str) -> None:
    made = name_of(job(name))
    assert made.isascii()
    assert made.replace("-", "").isalnum()
    assert name_of(job(name + "2")) != made
    assert (made, made[0] != "-", made[-1] != "-", len(made) <= 40) == (made.lower(), True, True, True)


def test_pods_may_do_nothing_but_ask_and_record() -> None:
    for pod in pods(manifests(job(), "night.yaml", 4)):
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


def test_secrets_are_named_and_go_to_those_who_ask() -> None:
    night, part, merge = [
        {
            one["name"]: one["valueFrom"]["secretKeyRef"]
            for one in pod["containers"][0]["env"]
            if "secretKeyRef" in str(one)
        }
        for pod in pods(manifests(job(needs=Requirements(("TOKEN",), has_pace=True)), "night.yaml", 4))
    ]
    assert night == part
    assert merge == {}
    assert {name: key["optional"] for name, key in night.items()} == {
        "TOKEN": False, "BOTATTACK_NIGHTLY_WEBHOOK": True, "BOTATTACK_REDIS_PASSWORD": True,
    }  # fmt: skip
    assert {key["name"] for key in night.values()} == {"botattack-help-desk"}


def test_nights_never_overlap_and_are_not_repeated() -> None:
    _, cron, *_ = documents(manifests(job(zone="Europe/Berlin"), "night.yaml", 4))
    spec = cron["spec"]
    assert (spec["schedule"], spec["timeZone"], spec["concurrencyPolicy"]) == ("30 2 * * *", "Europe/Berlin", "Forbid")
    assert spec["jobTemplate"]["spec"]["backoffLimit"] == 0
    container = spec["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
    assert container["args"] == ["nightly", "a $$(HOME) b.yaml", "--pin"]


def test_names_mean_nothing_to_kubernetes() -> None:
    """It replaces $(NAME) in arguments and values, and reads $$ as $."""
    hostile = "$$(TOKEN) $(BOTATTACK_PARTS).yaml"
    words = ("botattack", "nightly", hostile)
    made = manifests(NightlyJob("night", Path(), words, "30 2 * * *", needs=SHARED), hostile, 4)
    night, part, _ = [pod["containers"][0] for pod in pods(made)]
    given = {one["name"]: one.get("value", "") for one in part["env"]}
    for written in (night["args"][1], given["BOTATTACK_CAMPAIGN"]):
        assert re.sub(r"\$\$|\$\(\w+\)", lambda found: "$" if found[0] == "$$" else "VALUE", written) == hostile


def test_words_are_no_numbers_and_no_truths_to_any_reader_of_yaml() -> None:
    """Kubernetes reads 1e3 as a number and y as true, unlike the reader that these tests use."""
    made = manifests(job(recordings="1e3", needs=Requirements(("Y", "n"))), "1e3", 4)
    for text in made.values():
        assert not re.search(r": (1e3|[YyNn])$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("needs", "at_once"), [(Requirements(), 1), (Requirements(has_rate=True), 4), (Requirements(has_pace=True), 4)]
)
def test_parts_that_do_not_know_of_each_other_ask_one_after_the_other(needs: Requirements, at_once: int) -> None:
    made = manifests(job(needs=needs), "night.yaml", 4)
    split = documents(made)[2]["spec"]
    assert (split["completions"], split["parallelism"], split["completionMode"]) == (4, at_once, "Indexed")
    assert ("One pod at a time" in made["botattack-help-desk-parts.yaml"]) is (at_once == 1)


@pytest.mark.parametrize(
    ("cron", "campaign", "recordings", "words"),
    [
        ("0 2 * * 7", "night.yaml", "recordings", "Sunday is 0"),
        ("0 2 L * *", "night.yaml", "recordings", "cannot keep '0 2 L"),
        ("0 2 * * 1#2", "night.yaml", "recordings", "cannot keep"),
        ("0 2 * * *", "/srv/night.yaml", "recordings", "as it is in the folder of the image"),
        ("0 2 * * *", "../night.yaml", "recordings", "as it is in the folder of the image"),
        ("0 2 * * *", "night.yaml", "/srv/$(x)", "name it like recordings"),
    ],
)
def test_what_kubernetes_cannot_do_is_refused(cron: str, campaign: str, recordings: str, words: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        manifests(job(cron=cron, recordings=recordings), campaign, 4)
    assert words in str(caught.value)


def test_printed_and_written(botattack: Botattack, folder: Path) -> None:
    rental(folder, ONE)
    call = ("schedule", "night.yaml", "--at", "02:30", "--allow-code", "--as")
    printed = botattack(*call, "kubernetes")
    assert (printed.status, printed.err) == (0, "")
    assert len(list(yaml.safe_load_all(printed.out))) == 4
    written = botattack(*call, "kubernetes", "--parts", "2", "--install")
    assert written.out.count("wrote botattack-night") == 3
    (split,) = yaml.safe_load_all(Path("botattack-night-parts.yaml").read_text())
    assert split["spec"]["completions"] == 2
    wrong = botattack(*call, "cron", "--parts", "2")
    assert (wrong.status, "--parts belongs to --as kubernetes" in wrong.err) == (2, True)


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
    assert botattack(
        "schedule", "night.yaml", "--at", "02:30", "--as", "kubernetes", "--parts", "2", "--allow-code", "--install"
    ).status == 0  # fmt: skip
    assert _start("parts", JOB_COMPLETION_INDEX="0", lost=True) == -signal.SIGKILL
    assert [_start("parts", JOB_COMPLETION_INDEX=str(index)) for index in (0, 1)] == [0, 0]
    assert _start("merge") == 1
    (whole,) = Path("recordings").glob("2*")
    asked = [event.unit for event in events(whole) if isinstance(event, Asked)]
    assert len(asked) == len(set(asked))
    assert botattack("run", "night.yaml", "--allow-code", "--recordings", "alone").status == 1
    (alone,) = Path("alone").glob("2*")
    assert set(asked) == {event.unit for event in events(alone) if isinstance(event, Asked)}


def _start(name: str, *, lost: bool = False, **env: str) -> int:
    """Runs the container of a Job; a pod that is `lost` is killed once it has recorded something."""
    text = Path(f"botattack-night-{name}.yaml").read_text().replace("RUN_OF_PARTS", "botattack-night-parts-x1y2z")
    (document,) = yaml.safe_load_all(text)
    (container,) = document["spec"]["template"]["spec"]["containers"]
    given = {one["name"]: one.get("value", "botattack-night-parts-x1y2z") for one in container["env"]}
    pod = subprocess.Popen(container["command"], env={**os.environ, **given, **env}, start_new_session=True)
    while lost and pod.poll() is None:
        if any(file.stat().st_size > 20_000 for file in Path("recordings").rglob("events*")):
            os.killpg(pod.pid, signal.SIGKILL)
        time.sleep(0.01)
    return pod.wait()
