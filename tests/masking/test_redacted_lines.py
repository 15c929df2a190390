"""Which fields of a recorded line are cleaned: all but our own words, and a raw reply in its pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest

from botattack.model import Reply
from botattack.recordings.masking import MASK
from botattack.recordings.redaction import WITHHELD, Redactor

SECRET = "s3cret-v4lue"
OURS = [
    *("event", "run", "target", "started", "question", "unit", "units", "need", "kind", "matcher", "parent", "attack"),
    *("attacks", "expect", "standing", "reference", "meaning", "filter", "gates", "service", "speaker", "where", "ask"),
    "label",
]


def cleaned(line: dict[str, Any], **how: Any) -> Any:
    return json.loads(Redactor([SECRET], **how)(json.dumps(line).encode()))


@pytest.mark.parametrize("name", OURS)
def test_words_of_ours_stay_though_they_look_like_a_secret(name: str) -> None:
    line = {"event": "said", "why": SECRET, name: SECRET, "of": {name: SECRET, "text": SECRET}}
    assert cleaned(line) == line | {"why": MASK, "of": {name: SECRET, "text": MASK}}


@pytest.mark.parametrize("name", ["fields", "payload", "result"])
def test_data_of_others_is_cleaned_with_its_names_and_numbers(name: str) -> None:
    data = {"kind": SECRET, SECRET: [SECRET, 7, True, None], "n": 77001234}
    how = {"patterns": ["7700[0-9]+"]}
    assert cleaned({"event": "said", name: data}, **how)[name] == {
        "kind": MASK, MASK: [MASK, 7, True, None], "n": MASK,
    }  # fmt: skip
    assert cleaned({"event": "said", "why": SECRET, "n": 77001234}, **how)["n"] == 77001234


def test_a_question_of_which_the_text_was_masked_keeps_its_id() -> None:
    question = {"text": f"Is it {SECRET}?"}
    found = cleaned({"event": "question opened", "question": question})["question"]
    assert found["text"] == f"Is it {MASK}?"
    assert found["masked"]
    assert (
        "masked" not in cleaned({"event": "question opened", "question": {"text": "Is it?", "key": SECRET}})["question"]
    )


RAW = "s3cr|et-v4lue"


@pytest.mark.parametrize(
    ("pieces", "read", "kept"),
    [
        (lambda raw, masks: "x|y", lambda raw: Reply("hm"), "x|y"),
        (lambda raw, masks: "x|y", lambda raw: Reply("other"), WITHHELD),
        (lambda raw, masks: raw, lambda raw: Reply("other"), RAW),
        (lambda raw, masks: None, lambda raw: Reply("other"), RAW),
        (lambda raw, masks: 1 / 0, lambda raw: Reply("hm"), WITHHELD),
        (None, None, RAW),
    ],
)
def test_a_raw_reply_is_masked_in_its_pieces_if_nothing_else_shows_a_secret(pieces: Any, read: Any, kept: str) -> None:
    reply = {"text": "hm", "raw": RAW}
    assert cleaned({"event": "asked", "reply": reply}, pieces=pieces, read=read)["reply"] == {**reply, "raw": kept}


@pytest.mark.parametrize(
    ("read", "kept"),
    [
        (None, WITHHELD),
        (lambda raw: Reply(MASK), "x"),
        (lambda raw: Reply(SECRET), WITHHELD),
        (lambda raw: 1 / 0, WITHHELD),
    ],
)
def test_a_raw_reply_beside_a_secret_is_kept_only_if_it_reads_clean(read: Any, kept: str) -> None:
    found = cleaned({"event": "asked", "reply": {"text": SECRET, "raw": "x"}}, read=read)
    assert found["reply"] == {"text": MASK, "raw": kept}


def test_settings_are_cleaned_but_for_their_names_and_numbers() -> None:
    settings = {SECRET: [SECRET, 7, True], "of": (SECRET, None)}
    assert Redactor([SECRET]).settings(settings) == {SECRET: [MASK, 7, True], "of": [MASK, None]}
