"""The JSON Schema says what the checks say: for every file that is shipped, and for wrong ones."""

from __future__ import annotations

import json
import re
from datetime import date
from functools import cache
from pathlib import Path
from shutil import copy, copytree
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from botattack.config.campaign import load_campaign
from botattack.config.games import load_games
from botattack.config.schema import schema
from botattack.config.target import load_target
from botattack.config.yaml import read_yaml
from botattack.errors import TrustRefused

ROOT = Path(__file__).parents[2]
TARGETS = sorted(ROOT.glob("targets/**/*.yaml"))
XQUAD = sorted(ROOT.glob("campaigns/ablation/*-smollm2.yaml"))
"""Campaigns on questions that nobody may ship."""
DIALOGUES = ROOT.glob("campaigns/conversations/dialogues/*.yaml")
CAMPAIGNS = sorted({*ROOT.glob("campaigns/**/*.yaml")} - {*XQUAD, *DIALOGUES})
GAMES = sorted({*ROOT.glob("games/*.yaml"), ROOT / "tests" / "games" / "games.yaml"})
ON_DATA = [path for path in CAMPAIGNS if "BOTATTACK_DATA" in path.read_text("utf-8")]
ADDING = [path for path in ON_DATA if re.search(r"^carrier:.*document", path.read_text("utf-8"), re.MULTILINE)]
"""Campaigns that add documents to what a bot reads."""
ALICE = {"connect": {"kind": "local", "call": "botattack.bots.alice:bot"}}
HTTP = {"connect": {"kind": "http", "request": {"url": "http://127.0.0.1/", "json": {"q": "{{ question }}"}}}}
CONSENT = {"authorised_by": "x", "until": "2027-01-01"}
RUN = {"target": "a.yaml", "questions": {"file": "q.jsonl"}, "attacks": ["unchanged"]}


validator = cache(lambda kind: Draft202012Validator(schema(kind)))


def errors(kind: Any, value: Any) -> list[str]:
    return [error.message for error in validator(kind).iter_errors(value)]


@pytest.mark.parametrize("kind", ["target", "campaign", "games"])
def test_it_is_a_schema_and_every_key_is_explained(kind: Any) -> None:
    made = schema(kind)
    Draft202012Validator.check_schema(made)
    assert json.loads(json.dumps(made)) == made
    assert [name for name, part in made["properties"].items() if not (part.get("description") or "$ref" in part)] == []
    assert all(name in made["$defs"] for name in _references(made))


@pytest.mark.data
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_every_games_file_fits_and_is_accepted(path: Path, data: Path) -> None:
    document, _ = read_yaml(path)
    assert errors("games", document.value) == []
    assert load_games(path, environ={"BOTATTACK_DATA": str(data)}, allow_code=True).keys.rows
    assert errors("games", {**document.value, "rows": 1})


@pytest.mark.parametrize("path", TARGETS, ids=lambda path: path.name)
def test_every_target_file_fits_and_is_accepted(path: Path) -> None:
    document, _ = read_yaml(path)
    assert errors("target", document.value) == []
    environ = dict.fromkeys(document.value.get("env", ()), "x")
    load_target(path, environ=environ, today=date(2026, 11, 20), allow_code=True, resolve=lambda _: ["127.0.0.1"])


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted({*CAMPAIGNS} - {*ON_DATA}), ids=lambda path: path.name)
def test_every_campaign_fits_and_is_accepted(path: Path) -> None:
    document, _ = read_yaml(path)
    assert errors("campaign", document.value) == []
    load_campaign(path, environ={}, today=date(2026, 11, 20), resolve=lambda _: ["127.0.0.1"])


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("path", sorted({*ON_DATA} - {*ADDING}), ids=lambda path: path.name)
def test_campaigns_on_published_data_fit_and_are_accepted(path: Path, data: Path) -> None:
    document, _ = read_yaml(path)
    assert errors("campaign", document.value) == []
    load_campaign(path, environ={"BOTATTACK_DATA": str(data)}, today=date(2026, 11, 20))


@pytest.mark.data
@pytest.mark.parametrize("path", ADDING, ids=lambda path: path.name)
def test_campaigns_that_add_documents_fit_and_are_accepted_with_consent(path: Path, data: Path, tmp_path: Path) -> None:
    document, _ = read_yaml(path)
    assert errors("campaign", document.value) == []
    for folder in ("campaigns", "targets"):
        copytree(ROOT / folder, tmp_path / folder)
    campaign = tmp_path / "campaigns" / path.name
    target = campaign.parent / document.value["target"]
    with pytest.raises(TrustRefused, match="writes: documents"):
        load_campaign(campaign, environ={"BOTATTACK_DATA": str(data)}, today=date(2026, 11, 20), allow_code=True)
    target.write_text(target.read_text("utf-8") + json.dumps({"consent": {**CONSENT, "writes": "documents"}})[1:-1])
    load_campaign(campaign, environ={"BOTATTACK_DATA": str(data)}, today=date(2026, 11, 20), allow_code=True)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("path", XQUAD, ids=lambda path: path.name)
def test_campaigns_on_xquad_fit_and_are_accepted(path: Path, data: Path, tmp_path: Path) -> None:
    document, _ = read_yaml(path)
    assert errors("campaign", document.value) == []
    folder = tmp_path / "campaigns" / "ablation"
    folder.mkdir(parents=True)
    copytree(ROOT / "targets", tmp_path / "targets")
    copy(data / "xquad" / "xquad.en.part1.json", folder)
    copy(path, folder)
    load_campaign(folder / path.name, environ={}, today=date(2026, 11, 20))


def test_files_are_shipped() -> None:
    assert TARGETS


@pytest.mark.parametrize(
    ("kind", "value", "fits"),
    [
        ("target", ALICE, True),
        ("target", HTTP, True),
        (
            "target",
            {
                **ALICE,
                "limits": {"rate": "5/s", "timeout": "30s"},
                "signs": {"refused": ["no", 403, {"regex": "x"}], "busy": ["$.a"]},
            },
            True,
        ),
        (
            "target",
            {**ALICE, "limits": {"rate": "unlimited"}, "consent": {"authorised_by": "x", "until": "2027-01-01"}},
            True,
        ),
        ("target", {**ALICE, "limits": {"rate": 5}}, False),
        ("target", {**ALICE, "limits": {"burst": 0}}, False),
        ("target", {**ALICE, "name": "a/b"}, False),
        ("target", {**ALICE, "nam": "a"}, False),
        ("target", {"connect": {"kind": "local", "cal": "a:b"}}, False),
        ("target", {"connect": {"kind": "htp"}}, False),
        ("target", {}, False),
        ("campaign", RUN, True),
        ("campaign", {**RUN, "attacks": [{"unchanged": {"times": 2}}, {"unchanged": None}]}, True),
        ("campaign", {**RUN, "match": {"any": ["exact", {"not": "contains"}, {"f1": {"at_least": 0.8}}]}}, True),
        (
            "campaign",
            {**RUN, "match": {"second": {"match": {"f1": {"at_least": 0.8}}, "ask": ["similar", "judge"]}}},
            True,
        ),
        (
            "campaign",
            {**RUN, "match": {"by-kind": {"number": "numeric", "other": {"second": {"ask": ["judge"]}}}}},
            True,
        ),
        ("campaign", {**RUN, "match": {"second": {"ask": ["contains"]}}}, False),
        ("campaign", {**RUN, "match": "judge"}, False),
        ("campaign", {**RUN, "gates": [{"metric": "robust_accuracy", "at_least": "80%"}], "max_errors": 0.1}, True),
        ("campaign", {**RUN, "attacks": ["unchangd"]}, False),
        ("campaign", {**RUN, "attacks": [{"unchanged": {"time": 2}}]}, False),
        ("campaign", {**RUN, "match": {"any": []}}, False),
        ("campaign", {**RUN, "gates": [{"metric": "accuracy"}]}, False),
        ("campaign", {**RUN, "carrier": "message"}, True),
        ("campaign", {**RUN, "carrier": ["message", "turn"]}, True),
        ("campaign", {**RUN, "carrier": "letter"}, False),
        ("campaign", {**RUN, "carrier": ["message", "letter"]}, False),
        ("campaign", {**RUN, "carrier": []}, False),
        ("campaign", {**RUN, "filter": "wrong"}, False),
    ],
)
def test_what_fits(kind: Any, value: Any, fits: bool) -> None:
    assert (errors(kind, value) == []) is fits


def _references(part: Any) -> set[str]:
    if isinstance(part, dict):
        own = {str(part["$ref"]).removeprefix("#/$defs/")} if "$ref" in part else set()
        return own.union(*map(_references, part.values()))
    return set[str]().union(*map(_references, part)) if isinstance(part, list) else set()
