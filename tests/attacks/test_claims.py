"""Wrong answers out of another bot's recording, claimed by `are-you-sure` and `leading`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botattack.attacks.turns.are_you_sure import ASKED, KINDS
from botattack.config.campaign import CampaignConfig, load_campaign
from botattack.errors import ConfigError, TrustRefused
from botattack.model import Edit, Question, Variant
from botattack.questions.detect import reader_for
from tests.report.reviewed import recording
from tests.report.streams import Asking, Try, ended, stream

WHO = "Who built the harbour of Ravensbrook?"
DEEP = "How deep is Lake Ostera?"
SAID = "The harbour of Ravensbrook was built by Kim Okafor."
COLOUR = "What colour is the gate of Marlow?"
ROWS = [{"question": WHO, "answers": ["Clara Voss"]}, {"question": DEEP, "answers": ["88 metres"]}]
BOT = "connect: {kind: http, request: {url: 'http://127.0.0.1:9/', json: {q: '{{ question }}', s: '{{ session }}'}}"


def wrong(text: str, reply: str, right: str = "Clara Voss", **more: Any) -> Asking:
    return Asking(text, (right,), "wrong", reply=reply, **more)


def run_of(folder: Path, *askings: Asking) -> Path:
    return recording(folder, stream(list(askings), {"dpaeg": "same"}, ended()))


def campaign(folder: Path, attacks: str, bot: str = BOT, rows: Any = ROWS, **more: Any) -> CampaignConfig:
    (folder / "bot.yaml").write_text(f"{bot}, extract: {{answer: $.a}}}}\n")
    (folder / "q.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "c.yaml").write_text(f"target: bot.yaml\nquestions: {{file: q.jsonl}}\nattacks: [{attacks}]\n")
    return load_campaign(folder / "c.yaml", **more)


def asked(folder: Path) -> list[Question]:
    return [row for row in reader_for(folder / "q.jsonl")(folder / "q.jsonl") if isinstance(row, Question)]


def made(folder: Path, attack: str, propose_all: Any, rows: Any = ROWS) -> list[list[Variant]]:
    """The variants of each question by the attack of a campaign, which takes claims from `other`."""
    (_, (_, one)) = campaign(folder, f"{{{attack}: {{claims: other}}}}", rows=rows).attacks
    return [propose_all(one, question)[0] for question in asked(folder)]


def test_each_attack_claims_what_another_bot_said_wrongly_and_plants_it(tmp_path: Path, propose_all: Any) -> None:
    run_of(tmp_path / "other", wrong(WHO, SAID))
    (doubted,), none = made(tmp_path, "are-you-sure", propose_all)
    assert [edit.kind for edit in doubted.edits] == [
        ASKED,
        *(KINDS[rung] for rung in ("doubt", "claim", "authority", "insist", "truth")),
    ]
    assert [KINDS[rung] for rung in ("claim", "authority", "insist")] == [
        edit.kind for edit in doubted.edits if "Kim Okafor" in edit.after
    ]
    (led,), without = made(tmp_path, "leading", propose_all)
    assert WHO in led.prompt.text
    assert "Kim Okafor" in led.prompt.text
    assert doubted.decoy == led.decoy == "Kim Okafor"
    assert not none + without  # nobody was asked how deep the lake is


@pytest.mark.parametrize(
    ("text", "reply", "claim"),
    [
        (WHO, "Kim Okafor", "Kim Okafor"),
        (WHO, "Hello! It was Kim Okafor, not Clara Voss, who built the harbour.", "Kim Okafor"),
        (DEEP, "Lake Ostera is 41 metres deep.", "41 metres"),
        (DEEP, "The answer is 41.", "41"),
        (WHO, "I do not know who built it, sorry.", ""),
        (WHO, "Who do you think built the harbour of Ravensbrook?", ""),
        (WHO, "It was built by Clara Weber.", ""),  # a part of the right answer
        (WHO, "Ravensbrook", ""),  # a part of the question
        (WHO, "in 1887", ""),  # of another form than the right answer
        (DEEP, "Lake Ostera is deep.", ""),
        (WHO, "harbours were usually built by prisoners and their families " * 9, ""),
        (WHO, "", ""),
    ],
)
def test_a_claim_is_a_short_answer_of_the_form_of_the_right_one(
    text: str, reply: str, claim: str, tmp_path: Path, propose_all: Any
) -> None:
    other = DEEP if text == WHO else WHO
    always = {WHO: SAID, DEEP: "41 metres"}[other]
    right = {WHO: "Clara Voss", DEEP: "88 metres"}
    run_of(tmp_path / "other", wrong(text, reply, right[text]), wrong(other, always, right[other]))
    found = dict(zip((WHO, DEEP), made(tmp_path, "leading", propose_all), strict=True))
    assert found[other]
    assert [variant.decoy for variant in found[text]] == [claim] * bool(claim)


@pytest.mark.parametrize(
    ("reply", "claims"),
    [("The gate of Marlow is red.", ["red"]), ("red", ["red"]), ("Marlow has a gate used by all.", [])],
)
def test_words_in_lower_case_are_claimed_if_the_reply_says_that_it_is_so(
    reply: str, claims: list[str], tmp_path: Path, propose_all: Any
) -> None:
    run_of(tmp_path / "other", wrong(COLOUR, reply, "green"), wrong(WHO, SAID))
    rows = [{"question": COLOUR, "answers": ["green"]}, ROWS[0]]
    colour, who = made(tmp_path, "leading", propose_all, rows)
    assert [variant.decoy for variant in colour] == claims
    assert who


@pytest.mark.parametrize(
    ("one", "taken"),
    [
        (Try("wrong", (Edit(0, "W", "w", "typo"),), reply=SAID), True),
        (Try("correct", (Edit(0, "W", "w", "typo"),), reply=SAID), False),
        (Try("wrong", (Edit(0, "W", "w", "typo"),), reply=SAID, expect="different"), False),
        (Try("wrong", (Edit(0, "W", "w", "typo"),), reply=SAID, meaning="unsure"), False),
    ],
)
def test_what_altered_versions_were_answered_counts_if_it_is_wrong(
    one: Try, taken: bool, tmp_path: Path, propose_all: Any
) -> None:
    asking = Asking(WHO, ("Clara Voss",), reply="Clara Voss", tries=(one,))
    run_of(tmp_path / "other", asking, wrong(DEEP, "41 metres", "88 metres"))
    who, deep = made(tmp_path, "leading", propose_all)
    assert (bool(who), bool(deep)) == (taken, True)


def test_what_is_recorded_of_the_claims_depends_on_them_alone(tmp_path: Path) -> None:
    both = [wrong(WHO, SAID), wrong(DEEP, "41 metres", "88 metres")]
    settings = []
    for name, askings in (("a", both), ("b", both[::-1]), ("c", both[:1])):
        (tmp_path / name).mkdir()
        run_of(tmp_path / name / "other", *askings)
        settings.append(campaign(tmp_path / name, "leading: {claims: other}").settings["attacks"])
    first, turned, fewer = settings
    assert first == turned != fewer
    assert SAID not in str(first)


def test_what_another_bot_said_leaves_for_another_machine_only_with_permission(tmp_path: Path) -> None:
    other, folder = tmp_path / "other", tmp_path / "campaign"
    run_of(other, wrong(WHO, SAID))
    folder.mkdir()
    bot = "consent: {authorised_by: me, until: 2999-01-01}\n" + BOT.replace("127.0.0.1:9", "bot.example")
    given: dict[str, Any] = {"bot": bot, "trusted": lambda _: False, "resolve": lambda *_: ["192.0.2.1"]}
    with pytest.raises(TrustRefused, match="would send a file from outside the folder of this campaign"):
        campaign(folder, f"leading: {{claims: {other}}}", **given)
    assert campaign(folder, f"leading: {{claims: {other}}}", **given, allow_code=True)


def _of_format(folder: Path, number: int) -> None:
    run_of(folder / "other", wrong(WHO, SAID))
    file = folder / "other" / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "format": number}))


def _damaged(folder: Path) -> None:
    events = run_of(folder / "other", wrong(WHO, SAID)) / "events.jsonl"
    events.write_text(events.read_text().replace('{"event":"asked"', '{"event":"axed"', 1))


@pytest.mark.parametrize(
    ("prepare", "attacks", "told"),
    [
        (lambda folder: None, "leading: {claims: other}", "other cannot be read as a recording"),
        (lambda folder: (folder / "other").write_text("{}"), "leading: {claims: other}", "Not a directory"),
        (lambda folder: _of_format(folder, 1), "leading: {claims: other}", "has format 1, and this botattack reads"),
        (_damaged, "are-you-sure: {claims: other}", "events.jsonl:3: not an event of a recording"),
        (
            lambda folder: run_of(folder / "other", Asking(WHO, ("Clara Voss",), reply="Clara Voss")),
            "leading: {claims: other}",
            "other has no short wrong answer to any question of q.jsonl",
        ),
        (
            lambda folder: run_of(folder / "other", wrong("Who built the bridge of Torvale?", SAID)),
            "leading: {claims: other}",
            "other has no short wrong answer to any question of q.jsonl",
        ),
        (
            lambda folder: run_of(folder / "other", wrong(WHO, SAID)),
            "chain: [case, {leading: {claims: other}}]",
            "another attack alters it",
        ),
    ],
)
def test_a_recording_that_has_no_claims_is_refused_in_one_sentence(
    prepare: Callable[[Path], Any], attacks: str, told: str, tmp_path: Path
) -> None:
    prepare(tmp_path)
    with pytest.raises(ConfigError) as raised:
        campaign(tmp_path, f"{{{attacks}}}")
    (problem,) = raised.value.problems
    assert told in problem.message
    assert (problem.line, bool(problem.hint)) == (3, True)
