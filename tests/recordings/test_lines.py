"""A line of a recording means the same in every version that reads its format: what it leaves out included."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
import pytest

from botattack.events.lines import AnyEvent, decode, encode
from botattack.events.readings import LABELS
from botattack.model import Question

ID = "0123456789abcdef"
ASKED = {"question": ID, "unit": "u1.0"}
KINDS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    # what a line says, what it means where it does not say it, and what tells it from others of its run
    "run started": (
        {"run": "r", "target": "t", "started": "s", "seed": 1, "filter": "right", "total": 2, "attacks": {"a": "same"}}
        | {"judge": {"botattack": "1", "matcher": "m"}},
        {"gone": 0, "weaker": [], "carriers": ["request"], "stops": None, "shrinks": None, "whys": None}
        | {"campaign": "", "flags": []},
        "",
    ),
    "record skipped": ({"line": 3, "why": "torn"}, {}, "skipped 3 torn"),
    "boilerplate known": ({}, {"sentences": [], "learnt_from": 0}, "boilerplate"),
    "memory probed": (
        {"attacks": ["a"], "seen": "kept"},
        {"replies": [], "possible": True, "requests": 0},
        "memory",
    ),
    "question opened": ({"question": {"text": "who?"}}, {"duplicates": 0}, f"opened {Question('who?').id}"),
    "need met": (
        {"question": ID, "need": "n1", "kind": "parse", "payload": "p", "result": [1]},
        {},
        f"need {ID} n1",
    ),
    "left": (ASKED, {}, f"left {ID} u1.0"),
    "conversation begun": (ASKED, {"conversation": 0}, f"begun {ID} u1.0 0"),
    "turn said": (
        ASKED | {"turn": 2, "said": "a", "reply": "b"},
        {"requests": 0, "conversation": 0},
        f"said {ID} u1.0 0 2",
    ),
    "asked": (
        ASKED | {"turns": [{"text": "who?"}]},
        {"replies": [], "failure": None, "attempts": []},
        f"asked {ID} u1.0",
    ),
    "original judged": (
        {"question": ID, "units": ["u1.0"], "standing": "kept", "verdict": {"kind": "correct"}},
        {"reference": "gold", "attacked": False, "turns": []},
        f"original {ID}",
    ),
    "variant judged": (
        ASKED | {"attack": "a", "verdict": {"kind": "wrong"}},
        {"expect": "same", "edits": [], "distance": 0, "meaning": "kept", "why": "", "parent": "", "reference": "gold"}
        | {"probe": False, "decoy": "", "took_decoy": False, "turns": [], "play": None, "search": "", "right": []},
        f"variant {ID} a u1.0",
    ),
    "attack ended": (
        {"question": ID, "attack": "a", "existing": 3, "variants": 2},
        {"skipped": 0, "failed": "", "why": "", "foreign": False},
        f"ended {ID} a",
    ),
    "question closed": ({"question": ID}, {}, f"closed {ID}"),
    "service asked": ({"kind": "parse", "service": "s", "requests": 2}, {"cost": 0.0}, ""),
    "document adding": ({"name": "d"}, {}, ""),
    "document added": ({"name": "d"}, {"fields": {}, "requests": 0}, ""),
    "document removed": ({"name": "d"}, {"requests": 0, "left_by": ""}, ""),
    "paced": ({"why": "429"}, {"rate": None, "wait": 0.0, "ceiling": None}, ""),
    "reading": (
        {"unit": "u1.0", "ask": "meaning", "reader": "ann", "label": "same"},
        {"group": "", "said": "", "repeat": False, "chance": 1.0, "traits": {}},
        "reading meaning u1.0 ann",
    ),
    "known read": (
        {"item": "i1", "ask": "verdict", "reader": "ann", "right": True},
        {},
        "known verdict i1 ann",
    ),
    "run ended": (
        {"exit": 0, "why": "done", "seconds": 1.0, "requests": 2, "retried": 0, "rate_limited": 0},
        {"cost": 0.0, "gates": [], "first_success": False, "headline": ""},
        "",
    ),
}


def test_every_kind_of_event_is_here() -> None:
    fields = {kind: {"event", "at", *said, *meant} for kind, (said, meant, _) in KINDS.items()}
    assert fields == {
        str(each.__struct_config__.tag): {"event", *(field.encode_name for field in msgspec.structs.fields(each))}
        for each in get_args(AnyEvent)
    }


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_line_leaves_out_has_one_meaning(kind: str) -> None:
    said, meant, key = KINDS[kind]
    line = {"event": kind} | said
    event, whole = (decode(json.dumps(each).encode()) for each in (line, {"at": 0.0} | meant | line))
    assert event == whole
    assert json.loads(encode(event)) == line
    assert event.key == key
    for field in said:
        with pytest.raises(msgspec.ValidationError, match=field):
            decode(json.dumps({key: value for key, value in line.items() if key != field}).encode())


def test_what_is_asked_twice_of_one_unit_has_a_name_of_its_own() -> None:
    said, _, key = KINDS["variant judged"]
    for more, name in (({"probe": True}, " probe"), ({"search": "again"}, " again"), ({"probe": False}, "")):
        assert decode(json.dumps({"event": "variant judged"} | said | more).encode()).key == key + name
    said, _, key = KINDS["reading"]
    assert decode(json.dumps({"event": "reading", "repeat": True} | said).encode()).key == f"{key} again"


@pytest.mark.parametrize(("ask", "label"), [(ask, label) for ask, labels in LABELS.items() for label in labels])
def test_a_reader_says_what_can_be_recorded(ask: str, label: str) -> None:
    line = {"event": "reading"} | KINDS["reading"][0] | {"ask": ask, "label": label}
    assert json.loads(encode(decode(json.dumps(line).encode()))) == line


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("reading", {"ask": "colour"}),
        ("reading", {"label": "6"}),
        ("reading", {"chance": 0}),
        ("reading", {"chance": 1.01}),
        ("asked", {"turns": []}),
        ("original judged", {"standing": "lost"}),
        ("memory probed", {"seen": "never"}),
        ("run started", {"filter": "wrong"}),
    ],
)
def test_a_value_that_means_nothing_is_refused(kind: str, changed: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError, match=next(iter(changed))):
        decode(json.dumps({"event": kind} | KINDS[kind][0] | changed).encode())
