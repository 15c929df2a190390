from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from botattack import registry
from botattack.attacks.building.choosing import Search
from botattack.attacks.building.hunt import DOUBTED, LEFT_OUT, CombiningHunt
from botattack.attacks.building.roles import PART, Role, Roles
from botattack.attacks.building.search import UNGUIDED
from botattack.attacks.letters.characters import Noise
from botattack.attacks.letters.dpaeg import Dpaeg
from botattack.attacks.words.function_words import DropStopwords
from botattack.model import Edit, GoldAnswer, Outcome, Prompt, Question, Reply, Variant, Verdict
from botattack.protocols import Context
from botattack.text.tokens import normalised
from tests.attacks.conftest import drive
from tests.attacks.everything import ON_PASSAGES
from tests.attacks.resources import Judge
from tests.attacks.test_every_attack import MODEL_FREE
from tests.edits import apply_edits

TEXT = "Which famous river flows through the old capital of Austria"


def broken_by(*words: str, graded: bool = False) -> Judge:
    """A bot that breaks once none of these words is there."""

    def judge(variant: Variant) -> Verdict:
        left = sum(word in variant.prompt.text for word in words)
        score = left / len(words) if graded else float(left > 0)
        return Verdict("correct" if left else "wrong", score)

    return judge


def hunt(
    attack: Any, parts: dict[str, Any], parser: Any, judge: Judge, seed: int = 0, roles: Roles | None = None
) -> list[Variant]:
    known = {**parts, PART: roles} if roles else parts
    return drive(attack, Context(Question(TEXT), (), known), Random(seed), parser, judge)[0]


def test_it_stops_at_the_first_success_and_the_budget(english: Any, parser: Any) -> None:
    attack = Dpaeg(meaning="paper", keywords="content", search="beam", queries=25)
    found = hunt(attack, english, parser, broken_by("river"))
    assert "river" not in found[-1].prompt.text
    assert all("river" in variant.prompt.text for variant in found[:-1] if variant.edits[0].kind != LEFT_OUT)
    never = hunt(attack, english, parser, broken_by("Which"))
    assert len(never) == 25
    assert never == hunt(attack, english, parser, broken_by("Which"))


def test_every_request_is_new_within_the_limits_and_exact(english: Any, parser: Any) -> None:
    attack = Dpaeg(meaning="paper", keywords="content", search="beam", queries=60, combine=2)
    found = hunt(attack, english, parser, broken_by("Which"), seed=3)
    asked = [variant for variant in found if variant.edits[0].kind != LEFT_OUT]
    assert 40 < len(asked) < len(found) <= 60
    assert len({normalised(variant.prompt.text) for variant in asked}) == len(asked)
    for variant in asked:
        assert apply_edits(TEXT, variant.edits) == variant.prompt.text
        assert variant.distance <= 4
        assert len(variant.edits) <= 2
        assert variant.meaning == "kept"
    for probe in (variant for variant in found if variant.edits[0].kind == LEFT_OUT):
        assert probe.meaning == "unsure"
        assert probe.why


def test_scores_lead_to_what_one_edit_cannot_do(english: Any, parser: Any) -> None:
    attack = Dpaeg(meaning="paper", keywords="content", search="beam", queries=80)
    judge = broken_by("river", "Austria", graded=True)
    found = [hunt(attack, english, parser, judge, seed)[-1] for seed in range(4)]
    broken = [variant for variant in found if judge(variant).kind == "wrong"]
    assert len(broken) >= 3
    assert all(len(variant.edits) >= 2 for variant in broken)


def test_it_begins_with_the_role_that_broke_most_often(english: Any, parser: Any) -> None:
    attack = Dpaeg(meaning="paper", keywords="content", search="beam")
    roles = Roles().with_([((Edit(0, "a", "b", "x", relation="pobj", pos="PROPN"),), "success")] * 5)
    for seed in range(5):
        first = hunt(attack, english, parser, broken_by("Which"), seed, roles)[0]
        assert first.edits[0].before == "Austria"
    firsts = {hunt(attack, english, parser, broken_by("Which"), seed)[0].edits[0].before for seed in range(20)}
    assert len(firsts) > 2


def test_words_are_left_out_only_after_three_failures(english: Any, parser: Any) -> None:
    attack = Noise(search="beam", keywords="content", queries=30)
    found = hunt(attack, english, parser, broken_by("Which"))
    probes = [n for n, variant in enumerate(found) if variant.edits[0].kind == LEFT_OUT]
    assert probes == [UNGUIDED, *range(UNGUIDED + 1, UNGUIDED + len(probes))]
    weigh = [variant.edits[0].before for variant in found if variant.edits[0].kind == LEFT_OUT]
    assert {"river", "Austria", "capital"} <= set(weigh)


def test_the_weightiest_word_comes_next(english: Any, parser: Any) -> None:
    def judge(variant: Variant) -> Verdict:
        gone = variant.edits[0].kind == LEFT_OUT and "capital" not in variant.prompt.text
        return Verdict("wrong" if gone else "correct", 0.0 if gone else 1.0)

    found = hunt(Noise(search="beam", keywords="content", queries=30), english, parser, judge)
    last_probe = max(n for n, variant in enumerate(found) if variant.edits[0].kind == LEFT_OUT)
    assert found[last_probe + 1].edits[0].before == "capital"


def test_probes_that_are_not_asked_end_the_probing(english: Any, parser: Any) -> None:
    attack = Noise(search="beam", keywords="content", queries=12)
    steps = attack.propose(Context(Question(TEXT), (), english), Random(0))
    answer: Any = parser.meet([need.payload for need in next(steps)])
    kinds, requests = [], 0
    while True:
        try:
            (variant,) = steps.send(answer)
        except StopIteration:
            break
        kinds.append(variant.edits[0].kind)
        asked = variant.meaning == "kept"
        requests += asked
        verdict = Verdict("correct", 1.0) if asked else Verdict("unsure", why="not asked")
        answer = [Outcome(variant, (Reply("x"),) if asked else (), verdict, int(asked))]
    assert kinds.count(LEFT_OUT) == 1
    assert requests == 12


def test_retries_count_against_the_budget(english: Any, parser: Any) -> None:
    steps = Noise(search="beam", keywords="content", queries=10).propose(
        Context(Question(TEXT), (), english), Random(0)
    )
    answer: Any = parser.meet([need.payload for need in next(steps)])
    asked = 0
    while True:
        try:
            (variant,) = steps.send(answer)
        except StopIteration:
            break
        asked += 1
        answer = [Outcome(variant, (Reply("x"),), Verdict("correct", 1.0), 4)]
    assert asked == 3


def test_few_candidates_end_the_search(english: Any, parser: Any) -> None:
    attack = DropStopwords(search="beam", queries=50)
    context = Context(Question("Ben ate the carrot"), (), english)
    found, existing = drive(attack, context, Random(0), parser, broken_by("Ben"))
    assert existing == 1
    assert [variant.prompt.text for variant in found if variant.edits[0].kind != LEFT_OUT] == ["Ben ate carrot"]


def test_roles_count_single_edits_with_a_clear_result() -> None:
    edit = Edit(0, "a", "b", "x", relation="dobj", pos="NOUN")
    name = Edit(0, "a", "b", "x", relation="pobj", pos="NOUN")
    roles = Roles().with_([((edit,), "error"), ((edit,), "success"), ((edit,), "success")])
    roles = roles.with_([((edit,), "robust"), ((edit, name), "success")])
    assert dict(roles.by_role) == {Role("dobj", "NOUN"): (1, 2)}
    assert roles.role_rate(edit) == roles.role_rate(name) > Roles().role_rate(edit)
    assert roles.with_([]) == roles


SEARCHING = sorted(
    name
    for name in registry.BUILT_IN["attacks"]
    if hasattr(registry.find("attacks", name), "search")
    and name not in ON_PASSAGES
    and set(registry.find("attacks", name)().parts()) <= MODEL_FREE
)
ENTITIES = "In which town did Anna visit the river Thames in 1992, and how long didn't she stay?"


def test_every_attack_that_lists_candidates_or_drafts_them_searches() -> None:
    assert {"dpaeg", "noise", "delete-function-word", "case", "punctuation", "filler", "swap-words", "reorder"} <= set(
        SEARCHING
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHING)
@pytest.mark.parametrize("method", ["in-order", "beam"])
def test_every_attack_asks_what_is_new_and_ends_at_the_first_success(
    name: str, method: Search, english: Any, parser: Any
) -> None:
    attack = registry.find("attacks", name)(search=method, queries=12)
    right = "wrong" if attack.expect == "different" else "correct"
    broken = "correct" if attack.expect == "different" else "wrong"
    context = Context(Question(ENTITIES, (GoldAnswer("1887"),)), (Reply("x"),), english)
    found, _ = drive(attack, context, Random(1), parser, lambda _: Verdict(right, float(right == "correct")))
    again, _ = drive(attack, context, Random(1), parser, lambda _: Verdict(right, float(right == "correct")))
    assert found == again
    asked = [variant for variant in found if not variant.probe]
    assert 1 <= len(found) <= 12
    assert len({variant.prompt.text for variant in asked}) == len(asked)
    for variant in asked:
        assert apply_edits(ENTITIES, variant.edits) == variant.prompt.text
        assert variant.attack == name
    first, _ = drive(attack, context, Random(1), parser, lambda _: Verdict(broken, 0.0))
    claimed = [number for number, variant in enumerate(found) if variant.meaning_as_claimed]
    assert first == found[: claimed[0] + 1 if claimed else None]


def test_in_order_asks_what_fixed_order_asks(english: Any, parser: Any) -> None:
    fixed = hunt(Dpaeg(meaning="paper", keywords="content"), english, parser, broken_by("Which"))
    attack = Dpaeg(meaning="paper", keywords="content", search="in-order")
    assert hunt(attack, english, parser, broken_by("Which")) == fixed
    assert hunt(replace(attack, queries=4), english, parser, broken_by("Which")) == fixed[:4]
    first = next(number for number, variant in enumerate(fixed) if "capital" not in variant.prompt.text)
    assert hunt(attack, english, parser, broken_by("capital")) == fixed[: first + 1]


def test_a_gate_that_doubts_the_meaning_ends_no_search(english: Any, parser: Any) -> None:
    steps = Noise(search="beam", keywords="content", queries=8).propose(Context(Question(TEXT), (), english), Random(0))
    answer: Any = parser.meet([need.payload for need in next(steps)])
    asked = 0
    while True:
        try:
            (variant,) = steps.send(answer)
        except StopIteration:
            break
        asked += 1
        doubted = msgspec.structs.replace(variant, meaning="unsure", why="a gate says so")
        answer = [Outcome(doubted, (Reply("x"),), Verdict("wrong", 0.0), 1)]
    assert asked == 8


def test_a_search_ends_where_nothing_it_proposes_may_be_asked(english: Any, parser: Any) -> None:
    attack = Noise(search="beam", keywords="content", combine=3)
    steps = attack.propose(Context(Question(TEXT), (), english), Random(0))
    answer: Any = parser.meet([need.payload for need in next(steps)])
    for _ in range(DOUBTED):
        (variant,) = steps.send(answer)
        answer = [Outcome(variant, (), Verdict("unsure", why="not asked"))]
    with pytest.raises(StopIteration):
        steps.send(answer)


def test_a_changed_reply_is_a_better_parent_than_an_unchanged_one(english: Any, parser: Any) -> None:
    attack = Noise(search="beam", keywords="content", queries=30)
    steps = attack.propose(Context(Question(TEXT), (Reply("It is the Danube"),), english), Random(0))
    answer: Any = parser.meet([need.payload for need in next(steps)])
    found: list[Variant] = []
    while True:
        try:
            (variant,) = steps.send(answer)
        except StopIteration:
            break
        found.append(variant)
        moved = variant.probe and "capital" not in variant.prompt.text
        reply = "The Danube, I should think" if moved else "It is the Danube"
        answer = [Outcome(variant, (Reply(reply),), Verdict("correct", 1.0), 1)]
    last_probe = max(number for number, variant in enumerate(found) if variant.probe)
    assert found[last_probe + 1].edits[0].before == "capital"


@pytest.mark.parametrize(("said", "near"), [("other words", True), ("word " * 5000 + "other words", False)])
def test_a_flood_of_words_is_read_as_far_as_it_is_judged(said: str, near: bool) -> None:
    context = Context(Question(TEXT), (Reply("word " * 5000),))
    found = CombiningHunt(Noise(search="beam"), context, [], Random(0), Roles())
    outcome = Outcome(Variant((Prompt(TEXT),), "noise"), (Reply(said),), Verdict("correct", 1.0), 1)
    assert (found._count(outcome) > 0) == near


@pytest.mark.parametrize("method", ["in-order", "beam"])
def test_more_successes_are_looked_for_where_one_was_found(method: Search, english: Any, parser: Any) -> None:
    attack = Dpaeg(meaning="paper", keywords="content", search=method, queries=40, per_question=40, successes=5)
    judge = broken_by("river")
    found = hunt(attack, english, parser, judge)
    results = [judge(variant).kind for variant in found if not variant.probe]
    assert results.count("wrong") == 5
    assert results[-1] == "wrong"
    if method != "in-order":
        assert results[-5:] == ["wrong"] * 5, "once a word broke the bot, more edits of it are asked"
    assert len({variant.id for variant in found}) == len(found)
