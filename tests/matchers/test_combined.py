"""Matchers joined by any, all and not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers.combine import AllOf, AnyOf, BadMatcher, Not
from botattack.matchers.lexical import Contains, Exact, Fuzzy, Listed, Regex, TokenF1
from botattack.matchers.value_matchers import DateMatch, Numeric
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher

GOLD = (
    "Paris", "George Washington", "red, green and blue", "they are collected", "5 feet", "12", "4 July 1776", "1840s",
    "half past four", "17th century", "free", "U.S.", "half a dozen", "third", "US", "a quarter", "10:00-15:00",
)  # fmt: skip
SAID = (
    "it is", "at", "in", "not", "or", "1845", "1650", "4:30", "July 4th", "six", "3rd", "Washington", "4 inches",
    "euros", *GOLD,
)  # fmt: skip
MATCHERS: tuple[Matcher, ...] = (
    Exact(), Contains(), TokenF1(), Fuzzy(), Numeric(), Numeric(bare=True), DateMatch(), Listed(),
)  # fmt: skip


def judged(matcher: Matcher, reply: str, *gold: str) -> Verdict:
    return matcher.judge(Prompt("What is it?"), Reply(reply), tuple(map(GoldAnswer, gold)), ())


def test_trees_ask_the_cheapest_first() -> None:
    tree = AnyOf((Fuzzy(), AllOf((TokenF1(), Contains())), Exact()))
    assert [matcher.name for matcher in tree.matchers] == ["exact", "all", "fuzzy"]
    assert judged(tree, "Paris.", "Paris").matcher == "exact"
    with pytest.raises(BadMatcher, match="'any' needs at least one matcher"):
        AnyOf(())


def test_all_and_not() -> None:
    both = AllOf((Contains(), Regex("capital")))
    assert judged(both, "Paris is the capital", "Paris").kind == "correct"
    assert judged(both, "Paris", "Paris").kind == "wrong"
    assert judged(Not(Contains()), "Paris", "Paris").kind == "wrong"
    assert judged(Not(Contains()), "Rome", "Paris").kind == "correct"
    assert judged(Not(Contains()), "Rome").kind == "unsure"


@pytest.mark.slow
def test_unsure_outranks_wrong_in_any() -> None:
    assert judged(AnyOf((Exact(), Regex())), "a" * 5000 + "!", "(a|aa)+$").kind == "unsure"


@given(
    st.lists(st.sampled_from(MATCHERS), min_size=1, max_size=5),
    st.lists(st.sampled_from(SAID), max_size=8).map(" ".join),
    st.lists(st.sampled_from(GOLD), min_size=1, max_size=3, unique=True),
)
def test_any_says_what_the_best_of_all_says(matchers: list[Matcher], said: str, gold: list[str]) -> None:
    verdicts = [judged(matcher, said, *gold) for matcher in sorted(matchers, key=lambda matcher: matcher.cost)]
    best = max(verdicts, key=lambda verdict: (verdict.kind == "unsure", verdict.score))
    right = next((verdict for verdict in verdicts if verdict.kind == "correct"), best)
    assert all(0 <= verdict.score <= 1 for verdict in verdicts)
    assert judged(AnyOf(tuple(matchers)), said, *gold) == right
