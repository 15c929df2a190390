"""What broke the bot so far, and what a request may therefore hope for."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.attacks.building.roles import Role, Roles, Tried, spots_of, sureness_of, taught
from botattack.model import Edit, Result
from botattack.places import Place

NOUN = Edit(0, "river", "rivre", "swap", relation="nsubj", pos="NOUN")
VERB = Edit(10, "flows", "folws", "swap", relation="ROOT", pos="VERB")
HARD = [((VERB,), "robust"), ((NOUN,), "robust"), ((NOUN,), "robust")]
EASY = [((VERB,), "robust"), ((NOUN,), "success")]

OUTCOMES = st.lists(
    st.tuples(
        st.lists(st.sampled_from([NOUN, VERB]), min_size=1, max_size=2, unique=True).map(tuple),
        st.sampled_from(["success", "robust", "unsure", "error"]),
    ),
    max_size=8,
)
QUESTIONS = st.lists(st.tuples(OUTCOMES, st.none() | st.floats(0, 1), st.integers(0, 3)), max_size=6)


def of(*questions: list[tuple[tuple[Edit, ...], Result]], sureness: float | None = None) -> Roles:
    roles = Roles()
    for question in questions:
        roles = roles.with_(question, sureness)
    return roles


@given(QUESTIONS, st.randoms(use_true_random=False))
def test_the_order_of_questions_says_nothing(questions: list, random: Random) -> None:  # type: ignore[type-arg]
    one = other = Roles()
    for question in questions:
        one = one.with_(*question)
    for question in random.sample(questions, len(questions)):
        other = other.with_(*question)
    assert one == other
    for sureness in (None, 0.4):
        assert one.chance((NOUN,), Tried(), sureness) == other.chance((NOUN,), Tried(), sureness)
    assert one.cost == sum(len(outcomes) + probes for outcomes, _, probes in questions)
    assert 0 < one.chance((NOUN,), Tried()) <= 1


def test_what_is_new_in_editing_places() -> None:
    noun, verb, both = spots_of((NOUN,)), spots_of((VERB,)), spots_of((NOUN, VERB))
    assert Tried().news(noun) == "fresh"
    assert Tried({noun}).news(both) == "fresh"
    assert Tried({noun, verb}).news(both) == "joint"
    assert Tried({both}).news(noun) == Tried({noun}).news(noun) == "stale"
    assert Tried({verb}, {noun}).news(both) == Tried({verb}, {noun}).news(noun) == "again"
    assert Tried({verb}, {both}).news(noun) == "joint"
    elsewhere = spots_of((Edit(0, "river", "rivre", "swap", Place("passage", 0)),))
    assert Tried({noun}).news(elsewhere) == "fresh"


def test_more_of_the_same_does_not_raise_what_is_worth_a_request() -> None:
    once = of(*[HARD] * 10, *[EASY] * 10)
    often = of(*[HARD] * 10, *[[*EASY, *[((NOUN,), "success")] * 9]] * 10)
    assert often.rate == once.rate
    assert often.chance((NOUN,), Tried(broke={spots_of((NOUN,))})) > 0.9


def test_only_first_edits_of_a_word_tell_of_its_role() -> None:
    roles = of(HARD)
    assert dict(roles.by_role) == {Role("ROOT", "VERB"): (0, 1), Role("nsubj", "NOUN"): (0, 1)}
    assert dict(roles.by_news) == {("fresh", 1): (0, 2), ("stale", 1): (0, 1)}


def test_a_role_that_broke_more_ranks_higher() -> None:
    roles = of(*[EASY] * 3)
    assert roles.rank(NOUN) > roles.rank(Edit(0, "a", "b", "swap", relation="amod", pos="ADJ")) > roles.rank(VERB)


def test_words_edited_in_vain_are_given_up_once_that_never_helped() -> None:
    failed = Tried({spots_of((NOUN,))})
    assert Roles().pays(Roles().chance((NOUN,), failed))
    never = of(*[HARD] * 50)
    assert never.pays(never.chance((NOUN,), failed)), "where nothing ever broke, nothing is better than the rest"
    roles = of(*[HARD] * 10, *[EASY] * 10)
    assert not roles.pays(roles.chance((NOUN,), failed))
    assert roles.pays(roles.chance((NOUN,), Tried()))
    helped = of(*[[((NOUN,), "robust"), ((NOUN,), "success")]] * 10)
    assert helped.pays(helped.chance((NOUN,), failed))


def test_questions_the_bot_is_sure_of_are_begun_only_while_such_ones_break() -> None:
    roles = Roles()
    for _ in range(20):
        roles = roles.with_(EASY, 0.5).with_(HARD, 0.95)
    assert roles.chance((NOUN,), Tried(), 0.5) > roles.chance((NOUN,), Tried()) > roles.chance((NOUN,), Tried(), 0.95)
    assert roles.pays(roles.chance((NOUN,), Tried(), 0.5))
    assert not roles.pays(roles.chance((NOUN,), Tried(), 0.95))
    assert roles.pays(roles.chance((NOUN,), Tried()))


@pytest.mark.parametrize(
    ("said", "sure"),
    [(0.5, 0.5), (1, 1.0), (0, 0.0), (True, None), ("0.5", None), (97.0, None), (-1, None), (float("nan"), None)],
)
def test_only_a_share_is_a_sureness(said: object, sure: float | None) -> None:
    assert sureness_of({"confidence": said}) == sure
    assert sureness_of({}) is None


def test_a_break_with_another_meaning_is_none() -> None:
    assert taught("success", claimed=False) == "robust"
    assert taught("success", claimed=True) == "success"
    assert taught("unsure", claimed=False) == "unsure"
