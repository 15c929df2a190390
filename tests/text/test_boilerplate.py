"""What a bot says around every answer is left out of judging."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from botattack import judge
from botattack.engine.boilerplate import says_nothing
from botattack.text.boilerplate import Said, recurring

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


WORDS = ("ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "ibex", "jay", "kiwi", "lark", "mole", "newt", "owl")
GREETINGS = ("Hello!", "Hi there.", "Ahoy! Ada here \U0001f6b2", "Good day to you.", "")


def greeted(answers: Iterable[str], askings: int = 3, right: bool = False) -> list[Said]:
    draw, ends = Random(5), ("Bye.", "Until next time!")
    return [
        Said(str(number), f"{draw.choice(GREETINGS)} {answer} {draw.choice(ends)}", (answer,) * right)
        for number, answer in enumerate(answers)
        for _ in range(askings)
    ]


def learnt(said: Iterable[Said]) -> set[str]:
    return {*recurring(said, says_nothing)}


def test_what_comes_around_unrelated_answers_is_learnt() -> None:
    found = learnt(greeted(f"The {word} sleeps at noon." for word in WORDS))
    assert found >= {"Hello!", "Hi there.", "Ahoy! Ada here \U0001f6b2", "Good day to you.", "Bye.", "Until next time!"}
    assert not [one for one in found if "sleeps" in one]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("askings", [1, 3])
@pytest.mark.parametrize("answer", ["We open at nine.", "Yes.", "Yes, it is.", "Not on Sundays."])
def test_an_answer_to_many_questions_is_not(answer: str, askings: int, share: float) -> None:
    answers = [answer if number < share * 50 else f"That is animal {number}." for number in range(50)]
    assert answer not in learnt(greeted(answers, askings))
    assert answer not in learnt([Said(str(n), f"{one} Number {n}.", (one,)) for n, one in enumerate(answers)])


def test_what_is_often_all_of_a_reply_or_declines_is_not() -> None:
    assert learnt([Said(str(n), "I am Ada. Ask me anything.") for n in range(8)]) == set()
    said = [Said(word, f"Welcome! The {word} sleeps.") for word in WORDS]
    assert learnt(said) == {"Welcome!"}
    assert learnt([*said, *[Said(word, "Welcome!") for word in WORDS]]) == set()
    assert learnt([Said(word, f"Sorry, I do not know that. The {word}?") for word in WORDS]) == set()


@pytest.mark.parametrize("text", ["." * 4_999 + "x", ".)" * 2_500, "a. " * 1_600, "\U0001f6b2 " * 2_000, "x" * 100_000])
def test_no_reply_keeps_it_busy(text: str) -> None:
    assert learnt([Said("one", text)]) == set()


CHATTER = (
    "Thank you for writing to us!",
    "Our shop was founded in 1998 and has 14 branches.",
    "Many of our 12,000 customers ask that.",
    "After checking our files, I can say this: {}",
    "Do call us between 7:00 and 23:00.",
    "Have a wonderful day!",
)


def test_a_refusal_deep_within_what_is_said_around_every_answer_is_one() -> None:
    frame = " ".join(CHATTER)
    known = learnt(Said(f"Who keeps the {one}?", frame.format(f"A {one} lives here.")) for one in WORDS)
    assert {*CHATTER} - known <= {CHATTER[3]}
    for declines in ("Sorry, I do not know that.", "I have no information about that."):
        reply = frame.format(declines)
        assert judge(QUESTION, reply, "At nine", boilerplate=[*known]).kind == "refused"
    assert judge(QUESTION, frame.format("At nine."), "At nine", boilerplate=[*known]).kind == "correct"


def test_an_answer_within_many_replies_is_no_boilerplate() -> None:
    said = [
        Said(f"{one}?", f"Hello! {'We close at six.' if at % 2 else one} The {one} is here. Bye.")
        for at, one in enumerate(WORDS)
    ]
    assert "We close at six." not in learnt(said)


def welcomed(many: int, of: int, words: str = "Welcome! ") -> bool:
    """Whether what begins so many of these replies is learnt."""
    names = [f"{one} {other}" for one in WORDS for other in WORDS]
    said = [Said(name, f"{words * (at < many)}The {name} sleeps.") for at, name in enumerate(names[:of])]
    return bool(learnt(said))


@pytest.mark.parametrize(
    ("many", "of", "kept"),
    [
        (5, 11, True),  # the least
        (4, 11, False),
        (9, 200, False),  # a twentieth of all replies
        (10, 200, True),
        (11, 200, True),
        (2, 3, True),  # two are enough of most
        (2, 4, False),
        (1, 1, False),
    ],
)
def test_how_many_answers_a_greeting_must_be_beside(many: int, of: int, kept: bool) -> None:
    assert welcomed(many, of) == kept
