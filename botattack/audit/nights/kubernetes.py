"""Kubernetes' words for a nightly job, and for one run that several pods share: a CronJob and Jobs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import yaml

from botattack.audit.nights.job_files import NightlyJob, ScheduleError, check_recordings
from botattack.model import content_id

IMAGE = "REGISTRY/IMAGE:TAG"
"""No image is called so: a cluster refuses a job in which nobody has replaced it."""
FOLDER = "/work"
_FIELDS = re.compile(r"(?:[\d*,/-]|(?<![A-Za-z])[A-Za-z]{3}(?![A-Za-z]))+", re.ASCII)
_LONGEST = 40
"""Kubernetes appends to the name of a CronJob and of a Job, and no name of a pod has more than 63 characters."""
_PART = """\
into=$BOTATTACK_RECORDINGS/$BOTATTACK_RUN/$((JOB_COMPLETION_INDEX + 1))
# A pod that was lost left a recording, which is continued.
if ls "$into"/*/run.json > /dev/null 2>&1; then
  botattack run --resume "$(dirname "$into"/*/run.json)" "$@"
else
  part=$((JOB_COMPLETION_INDEX + 1))/$BOTATTACK_PARTS
  botattack run "$BOTATTACK_CAMPAIGN" --shard "$part" --recordings "$into" "$@"
fi
# 1 means that a gate failed in this part alone. The gates of the whole are checked by the merge.
status=$?; [ "$status" -eq 1 ] || exit "$status"
"""
_MERGE = 'exec botattack merge "$BOTATTACK_RECORDINGS/$BOTATTACK_RUN"/*/* --recordings "$BOTATTACK_RECORDINGS"'


def manifests(job: NightlyJob, campaign: str, parts: int, *, allow_code: bool = False) -> dict[str, str]:
    """The files by name: the volume and the nights, a run in parts, and what merges these. Raises ScheduleError."""
    check_recordings(job)
    _check(job, campaign)
    name, more = name_of(job), ("--allow-code",) if allow_code else ()
    nights = [_volume(name), _cron_job(name, job)]
    split = _parts(name, job, campaign, parts, more)
    merge = _job(f"{name}-merge-", _merge(name, job), backoffLimit=0)
    return {
        f"{name}.yaml": _written(_about(name, job), *nights),
        f"{name}-parts.yaml": _written(_about_parts(name, job, parts), split),
        f"{name}-merge.yaml": _written(f"Joins the parts of a run: see {name}-parts.yaml.", merge),
    }


def name_of(job: NightlyJob) -> str:
    """The job's label as Kubernetes names objects: small letters, digits and dashes. Where others are
    replaced, or some are cut off, a hash keeps two jobs apart."""
    name = re.sub("[^a-z0-9]+", "-", job.label.lower()).strip("-")
    if name == job.label and len(name) <= _LONGEST:
        return name
    mark = content_id("job", job.label)[:6]
    return f"{name[: _LONGEST - len(mark) - 1].strip('-')}-{mark}"


def _check(job: NightlyJob, campaign: str) -> None:
    path = PurePosixPath(campaign)
    if path.is_absolute() or ".." in path.parts:
        raise ScheduleError(f"{campaign}: name the campaign as it is in the folder of the image, without / or ..")
    fields = job.cron.split()
    if not all(map(_FIELDS.fullmatch, fields)) or "7" in fields[4]:
        raise ScheduleError(
            f"Kubernetes cannot keep {job.cron!r}: write it in numbers with * , - and /, or names such as mon and jan; "
            "Sunday is 0"
        )


def _written(about: str, *documents: dict[str, Any]) -> str:
    comment = "".join(f"# {line}".rstrip() + "\n" for line in about.splitlines())
    return comment + "".join(
        "---\n" + yaml.dump(each, Dumper=_Dumper, sort_keys=False, width=120) for each in documents
    )


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines as it is."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    # To other readers of YAML than ours, 1e3 is a number and y a truth.
    quoted = "'" if text[:1].isdigit() or len(text) == 1 else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else quoted)


_Dumper.add_representer(str, _text)


def _about(name: str, job: NightlyJob) -> str:
    given = " ".join(f"--from-literal={secret}=…" for secret in job.needs.secrets)
    optional = f"; {' and '.join(job.needs.optional)} may be left out"
    installed = "\n".join(f"  RUN {command}" for command in job.needs.install("botattack"))
    return f"""\
Replace {IMAGE}, here and in the other files, with an image that contains botattack and this campaign:
  FROM botattack
  USER root
{installed}
  USER botattack
  COPY . {FOLDER}
`botattack` is the image that its own Dockerfile builds. Recordings stay in the volume below; a storage class whose
volumes can be written by several pods at once is needed for runs in parts only.
Secrets{optional}:
  kubectl create secret generic {name} {given}
  kubectl apply -f {name}.yaml
"""


def _about_parts(name: str, job: NightlyJob, parts: int) -> str:
    alone = f"""\
One pod at a time: the target file says neither `limits: {{rate: …}}` nor `pace: redis://…`, so several would together
ask more than one may. With one of these, parallelism can be {parts}.
"""
    return f"""\
One run of the campaign in {parts} parts. Each pod asks at its share of the rate; with `pace: redis://…` in the target
file all pods share one pace. `concurrency` and `budget` are those of each pod.
{"" if job.needs.shares_rate else alone}\
  kubectl create -f {name}-parts.yaml      # says how it is called: {name}-parts-XXXXX
  kubectl wait --for=condition=complete --timeout=24h job/{name}-parts-XXXXX
  sed s/RUN_OF_PARTS/{name}-parts-XXXXX/ {name}-merge.yaml | kubectl create -f -
"""


def _volume(name: str) -> dict[str, Any]:
    """Where recordings and baselines stay. Pods of several machines write to it at once."""
    storage = {"requests": {"storage": "5Gi"}}
    spec = {"accessModes": ["ReadWriteMany"], "resources": storage}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": spec}


def _cron_job(name: str, job: NightlyJob) -> dict[str, Any]:
    container = {"args": [_as_it_is(word) for word in job.words[1:]]}
    # A night that failed has told what it found: a second one the same night would only ask again.
    night = {
        "backoffLimit": 0,
        "activeDeadlineSeconds": 18_000,
        "template": _pod(name, job, container, job.needs.secrets),
    }
    spec = {
        "schedule": job.cron,
        "timeZone": job.zone or "Etc/UTC",
        "concurrencyPolicy": "Forbid",
        "startingDeadlineSeconds": 3600,
        "jobTemplate": {"spec": night},
    }
    return {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": name}, "spec": spec}


def _parts(name: str, job: NightlyJob, campaign: str, parts: int, more: tuple[str, ...]) -> dict[str, Any]:
    run = {"fieldRef": {"fieldPath": "metadata.labels['batch.kubernetes.io/job-name']"}}
    given = {"BOTATTACK_CAMPAIGN": campaign, "BOTATTACK_PARTS": str(parts), "BOTATTACK_RECORDINGS": job.recordings}
    env = [*_plain(given), {"name": "BOTATTACK_RUN", "valueFrom": run}]
    container = {"command": ["sh", "-c", _PART, "sh", *more], "env": env}
    rules = [
        {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
        # 2: a file is wrong, for every pod. 4: a budget is spent, and stays so.
        {"action": "FailJob", "onExitCodes": {"operator": "In", "values": [2]}},
        {"action": "FailIndex", "onExitCodes": {"operator": "In", "values": [4]}},
    ]
    return _job(
        f"{name}-parts-",
        _pod(name, job, container, job.needs.secrets),
        completionMode="Indexed",
        completions=parts,
        parallelism=parts if job.needs.shares_rate else 1,
        backoffLimitPerIndex=3,
        podFailurePolicy={"rules": rules},
    )


def _merge(name: str, job: NightlyJob) -> dict[str, Any]:
    env = _plain({"BOTATTACK_RECORDINGS": job.recordings, "BOTATTACK_RUN": "RUN_OF_PARTS"})
    return _pod(name, job, {"command": ["sh", "-c", _MERGE], "env": env})


def _job(prefix: str, pod: dict[str, Any], **spec: Any) -> dict[str, Any]:
    """A Job of its own each time it is created."""
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"generateName": prefix},
        "spec": {**spec, "template": pod},
    }


def _pod(name: str, job: NightlyJob, container: dict[str, Any], secrets: Sequence[str] = ()) -> dict[str, Any]:
    """A pod as the strictest of Kubernetes' standards wants it. It may write to the recordings and to /tmp alone."""
    keys = [{"name": name, "key": key, "optional": key in job.needs.optional} for key in secrets]
    hidden = [{"name": key["key"], "valueFrom": {"secretKeyRef": key}} for key in keys]
    whole = {
        "name": "botattack",
        "image": IMAGE,
        "workingDir": FOLDER,
        **container,
        "env": [*container.get("env", []), *hidden],
        "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"memory": "2Gi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [
            {"name": "recordings", "mountPath": f"{FOLDER}/{job.recordings}"},
            {"name": "tmp", "mountPath": "/tmp"},  # noqa: S108  # of the container
        ],
    }
    spec = {
        "restartPolicy": "Never",
        # What is on its way to the bot is awaited.
        "terminationGracePeriodSeconds": 60,
        "automountServiceAccountToken": False,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": 1000,
            "runAsGroup": 1000,
            "fsGroup": 1000,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [whole],
        "volumes": [
            {"name": "recordings", "persistentVolumeClaim": {"claimName": name}},
            {"name": "tmp", "emptyDir": {}},
        ],
    }
    return {"spec": spec}


def _plain(given: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"name": name, "value": _as_it_is(value)} for name, value in given.items()]


def _as_it_is(text: str) -> str:
    """Kubernetes replaces $(NAME) in arguments and in values of the environment, and writes $ for $$."""
    return text.replace("$", "$$")
