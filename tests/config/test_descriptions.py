"""What reports call attacks: each says it itself, and a label of a recording is put in words from it."""

from __future__ import annotations

import re

import pytest

from botattack.attacks.letters.dpaeg import Dpaeg
from botattack.config.docstrings import described, entry_of
from botattack.config.labels import AttackLabel
from botattack.registry import BUILT_IN


@pytest.mark.parametrize("name", sorted(BUILT_IN["attacks"]))
def test_every_attack_has_a_plain_name_and_a_sentence(name: str) -> None:
    entry = entry_of(name)
    assert re.fullmatch(r"[A-Z][a-z -]+", entry.plain)
    assert entry.plain.casefold() != name
    assert len(entry.plain.split()) <= 5
    assert re.fullmatch(r"[A-Z].*\.", entry.line)


def test_no_two_attacks_share_a_name() -> None:
    assert len({entry_of(name).plain for name in BUILT_IN["attacks"]}) == len(BUILT_IN["attacks"])


def test_a_label_is_put_in_words() -> None:
    plain = {name: entry_of(name).plain for name in ("restate", "dpaeg")}
    assert described("dpaeg")[:2] == (entry_of("dpaeg").plain, entry_of("dpaeg").line)
    assert described("restate | dpaeg")[0] == f"{plain['restate']}, then {plain['dpaeg'].lower()}"
    assert described("dpaeg at context")[0] == f"{plain['dpaeg']} in the passages"
    assert described("dpaeg at turns 1")[0] == f"{plain['dpaeg']} in earlier turns, number 1"
    assert described("dpaeg(epsilon=3)")[0] == f"{plain['dpaeg']} (epsilon=3)"


@pytest.mark.parametrize(
    ("item", "label"),
    [
        ("dpaeg", "dpaeg"),
        ({"dpaeg": {"take": "nearest", "epsilon": 3}}, "dpaeg(epsilon=3, take=nearest)"),
        ({"dpaeg": {"words": ["typo", "similar"]}}, "dpaeg(words=typo+similar)"),
        ({"at": {"place": "history", "attack": {"dpaeg": {"epsilon": 3}}}}, "dpaeg(epsilon=3) at history"),
        ({"at": {"place": "turns", "only": 0, "attack": "noise"}}, "noise at turns 0"),
        ({"chain": ["restate", {"at": {"attack": "dpaeg"}}]}, "restate | dpaeg at context"),
    ],
)
def test_a_label_is_read_as_it_was_written(item: object, label: str) -> None:
    assert str(AttackLabel.of(item)) == label
    assert AttackLabel.parse(label) == AttackLabel.of(item)


@pytest.mark.parametrize("label", ["dpaeg", "dpaeg(epsilon=3)", "dpaeg at turns", "restate | dpaeg at context"])
def test_what_to_do_against_an_attack_is_its_own_word(label: str) -> None:
    assert described(label).advice == Dpaeg.advice != described("restate").advice


@pytest.mark.parametrize(
    "labels",
    [
        ("case", "punctuation", "contraction", "filler"),
        ("invisible", "homoglyph"),
        ("are-you-sure", "leading", "false-premise"),
        ("negate", "antonym", "confuse-entity", "contrast-set", "random-input"),
    ],
)
def test_what_to_do_against_an_attack_is_not_what_to_do_against_another(labels: tuple[str, ...]) -> None:
    assert len({described(label).advice for label in labels}) == len(labels)


@pytest.mark.parametrize("label", ["", "<b>x</b>", "a(", "x at y", "a at turns" * 20_000, " | " * 20_000, "os:system"])
def test_a_label_that_nobody_knows_is_itself(label: str) -> None:
    name, sentence, *_ = described(label)
    assert sentence == ""
    assert name in (label, label.replace(" | ", ", then "))
