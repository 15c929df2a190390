"""Options that a campaign gives to all of its attacks at once, under `variants`."""

from __future__ import annotations

from typing import Any

import pytest

import botattack
from botattack.attacks.building.choosing import VariantKeys
from botattack.config.docstrings import entry_of, options_in
from botattack.protocols import Attack
from botattack.registry import BUILT_IN

QUESTIONS = [{"question": "who wrote Hamlet", "answers": ["Shakespeare"]}]


def bot(text: str, passages: Any) -> str:
    return text


def attack_of(item: Any, **variants: Any) -> Attack:
    campaign = botattack.campaign(bot, QUESTIONS, [item], variants=variants, unchanged=False)
    ((_, attack),) = campaign.attacks
    return attack


@pytest.mark.parametrize(
    ("item", "variants", "expected"),
    [
        ("noise", {"per_question": 3}, {"per_question": 3, "take": "sample", "stop_at_break": False}),
        (
            {"noise": {"per_question": 5}},
            {"per_question": 3, "take": "nearest"},
            {"per_question": 5, "take": "nearest"},
        ),
        ({"noise": {"stop_at_break": False}}, {"stop_at_break": True}, {"stop_at_break": False}),
        ("dpaeg", {"take": "nearest"}, {"take": "nearest", "epsilon": 4, "combine": None}),
        ("dpaeg", {"epsilon": 2, "combine": 1}, {"epsilon": 2, "combine": 1}),
        ("drop-stopwords", {"combine": None}, {"combine": None}),
        ("dpaeg", {"epsilon": None}, {"epsilon": None}),
        ("add-any", {"per_question": 9, "stop_at_break": True}, {"queries": 60, "words": 10}),
        ("antonym", {"combine": 3}, {"combine": 1}),
        ("delete-function-word", {"combine": 3, "epsilon": 3}, {"combine": 1, "epsilon": 3}),
        ("reword", {"per_question": 2, "stop_at_break": True}, {"per_question": 2}),
        ("order", {"per_question": 2}, {"spots": ("first", "middle", "last")}),
    ],
)
def test_an_attack_takes_what_it_has_and_its_own_options_come_first(
    item: Any, variants: dict[str, Any], expected: dict[str, Any]
) -> None:
    attack = attack_of(item, **variants)
    assert {name: getattr(attack, name) for name in expected} == expected


def test_attacks_in_attacks_take_them_and_only_the_last_of_a_chain_stops_at_a_break() -> None:
    chain = attack_of({"chain": ["restate", {"dpaeg": {"per_question": 4}}]}, stop_at_break=True, per_question=2)
    first, last = chain.links
    assert (first.counts_questions, last.counts_questions, chain.counts_questions) == (False, True, True)
    assert [vars(link)["per_question"] for link in chain.links] == [2, 4]
    (inner,) = attack_of({"at": {"place": "context", "attack": "noise"}}, per_question=2).links
    assert vars(inner)["per_question"] == 2


@pytest.mark.parametrize(
    ("item", "variants", "said"),
    [
        ("noise", {"per_question": 0}, r"variants\.per_question: expected a whole number of at least 1"),
        ("noise", {"queries": 9}, r"variants\.queries: no such key \(.*per_question limits what is asked"),
        ("noise", {"successes": 2}, r"variants\.successes: no such key \(.*stop_at_break: true"),
        (
            {"add-any": {"successes": 2}},
            {},
            r"add-any\.successes: no such key \(leave it out: add-any (?!.*stop_at_break)",
        ),
        ("noise", {"per_quesion": 1}, r"variants\.per_quesion: no such key \(did you mean 'per_question'"),
        ("noise", {"search": "beam"}, r"variants\.search: no such key \(guided search is gone.*stop_at_break: true"),
        ({"noise": {"search": "in-order"}}, {}, r"noise\.search: no such key \(.*stop_at_break: true"),
        ({"delete-function-word": {"combine": 2}}, {}, r"delete-function-word\.combine: no such key \(known: epsilon"),
        ({"chain": [{"noise": {"stop_at_break": True}}, "filler"]}, {}, r"noise tries.* only be the last of a chain"),
        ({"antonym": {"combine": 2}}, {}, r"antonym\.combine: no such key"),
        ({"case": {"epsilon": 2}}, {}, r"case\.epsilon: no such key"),
    ],
)
def test_what_is_wrong_is_said_once_where_it_is(item: Any, variants: dict[str, Any], said: str) -> None:
    with pytest.raises(botattack.BotattackError, match=said) as caught:
        attack_of(item, **variants)
    assert len(str(caught.value).splitlines()) == 1


def test_an_option_of_many_attacks_is_declared_once() -> None:
    found = [entry_of(name) for name in BUILT_IN["attacks"]]
    shared = [*options_in(VariantKeys)]
    assert {option.name for entry in found for option in entry.shared} == {option.name for option in shared}
    assert len(shared) + sum(len(entry.options) for entry in found) <= 130
