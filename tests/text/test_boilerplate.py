"""What a bot says around every answer is left out of judging."""

from __future__ import annotations

import pytest

from botattack import judge
from botattack.text.boilerplate import recurring

AROUND = ("This service is run by the city of Ulm.", "It is 10:32. You are talking to Ada.")
QUESTION = "When does the pool open?"
REFUSALS = ("Please ask at the counter.",)


@pytest.mark.parametrize(
    "before", ["", AROUND[0], "THIS service is run by the city of Ulm!\n", AROUND[1].replace("32", "47")]
)
@pytest.mark.parametrize("said", ["At nine.", "At ten.", "Please ask at the counter."])
def test_a_reply_means_the_same_with_boilerplate_around_it(before: str, said: str) -> None:
    reply = f"{before} {said} {AROUND[0]}"
    for beside in ({"answers": "At nine"}, {"before": f"At nine. {AROUND[1]}"}):
        bare = judge(QUESTION, said, refusals=REFUSALS, **beside)
        assert judge(QUESTION, reply, refusals=REFUSALS, boilerplate=AROUND, **beside).kind == bare.kind


@pytest.mark.parametrize("beside", [{"answers": "At nine"}, {"before": "At nine."}])
def test_nothing_but_boilerplate_is_no_answer(beside: dict[str, str]) -> None:
    found = judge(QUESTION, " ".join(AROUND), boilerplate=AROUND, **beside)
    assert (found.kind, found.why) == ("refused", "the bot said nothing")


def test_what_answers_this_question_is_no_boilerplate() -> None:
    assert judge("Who runs this service?", AROUND[0], "the city of Ulm", boilerplate=AROUND).kind == "correct"


def test_a_refusal_is_no_boilerplate_whoever_lists_it() -> None:
    found = judge(QUESTION, REFUSALS[0], "At nine", boilerplate=REFUSALS, refusals=REFUSALS)
    assert "refusal" in found.why


def test_only_what_recurs_around_unrelated_answers_is_learnt() -> None:
    words = ["ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"]
    replies = [f"Welcome! The {word} sleeps. It has {number} legs." for number, word in enumerate(words)]
    assert recurring(replies, 5) == ["Welcome!"]
    assert recurring(["I am Ada. Ask me anything."] * 8, 5) == []
    assert recurring([*replies, *["Welcome!"] * 8], 5) == []


@pytest.mark.parametrize("text", ["." * 100_000 + "x", ".)" * 50_000, "a. " * 30_000])
def test_no_reply_keeps_it_busy(text: str) -> None:
    assert recurring([text], 5) == []
