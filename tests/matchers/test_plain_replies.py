"""Replies of the simplest kinds, made from templates: a judge that errs on one of these errs on anything."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply
from tests.matchers.plain_cases import CHOICE, GUESSED, OPEN, POLAR, Case

JUDGE = Judge()


def verdict(question: str, reply: str, *gold: str) -> str:
    return JUDGE.judge(Prompt(question), Reply(reply), tuple(GoldAnswer(text) for text in gold), ()).kind


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# {s} states the right answer at length, {i} in short; {g} is it, {w} and {z} are wrong; capitals begin a sentence.
RIGHT = (
    "{S}.",
    "{I}.",
    "{G}.",
    "{g}",
    "{G}!",
    "{G}, of course.",
    "{G}, I think.",
    "The answer is {g}.",
    "I think {i}.",
    "I believe {s}.",
    "I would say {g}.",
    "I'm not sure, but I believe {i}.",
    "Yes, {s}.",
    "Well, {i}.",
    "{S}, as far as I know.",
    "{S}, which most people know.",
    "{S}, a fact that is taught at school.",
    "{S}, and there is a song about that.",
    "{S}. There is a book about that, too.",
    "{S}, such as the old books tell us.",
    "{S}, where the story begins.",
    "{S}, because nature wants it so.",
    "{S}. I like to talk about things that matter, and I have all day.",
    "Good question! {S}.",
    "That is easy: {g}.",
    "{I}, not {w}.",
    "Not {w} but {g}.",
    "{G}, not {w}.",
    "It is not {w}, it is {g}.",
    "{S}. Do you want to know more?",
)
WRONG = (
    "{X}.",
    "{V}.",
    "{W}.",
    "{W}, of course.",
    "I think {v}.",
    "I'm not sure, but I believe {v}.",
    "It is not {g}.",
    "{V}, not {g}.",
    "{W}, not {g}.",
    "Not {g} but {w}.",
    "It is not {g}, it is {w}.",
    "{G}, {w} or {z}.",
    "It could be {g}, {w} or {z}.",
    "Whoever says {g} is wrong.",
    "I don't think it is {g}.",
    "Maybe {g}, maybe {w}, maybe {z}.",
    "Some say it is {g}, but that is false.",
)
UNSURE = (
    "{G} or {w}.",
    "It is {g} or {w}.",
    "Either {g} or {w}.",
    "It could be {g} or {w}.",
    "Some say {g}, others say {w}.",
)
REFUSED = (
    "I don't know.",
    "I am not sure.",
    "Sorry, I did not understand that.",
    "That is not specified.",
    "It is not possible to determine that based on the available data.",
    "I have no information about that.",
    "Why do you ask?",
    "",
)


def filled(case: Case, template: str) -> str:
    gold = case.gold[0]
    parts = {
        "s": case.says.format(gold),
        "i": case.it.format(gold),
        "x": case.says.format(case.wrong),
        "v": case.it.format(case.wrong),
        "g": gold,
        "w": case.wrong,
        "z": case.other,
    }
    return template.format(**parts, **{key.upper(): capital(text) for key, text in parts.items()})


def missed(case: Case, templates: tuple[str, ...], label: str) -> list[str]:
    made = ((template, filled(case, template)) for template in templates)
    found = ((reply, verdict(case.question, reply, *case.gold)) for _, reply in made)
    return [f"{reply!r} is {label}, not {kind}" for reply, kind in found if kind != label]


EVERY = (*OPEN, *CHOICE, *GUESSED)
KINDS = {"correct": RIGHT, "wrong": WRONG, "unsure": UNSURE, "refused": REFUSED}


@pytest.mark.parametrize("label", KINDS)
@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.question)
def test_plain_replies(case: Case, label: str) -> None:
    assert missed(case, KINDS[label], label) == []


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.question)
def test_a_question_said_back_is_no_answer(case: Case) -> None:
    assert missed(case, (case.question.replace("My guess", "Your guess"),), "wrong") == []


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case.question)
def test_an_answer_asked_back_is_none(case: Case) -> None:
    assert missed(case, ("Do you mean {g}?", "What is {g}?"), "wrong") == []


@pytest.mark.parametrize("case", GUESSED, ids=lambda case: case.question)
def test_a_guess_told_back_is_no_answer(case: Case) -> None:
    assert missed(case, ("Your guess is {g}.", "You think it is {g}."), "wrong") == []


@pytest.mark.parametrize(("question", "yes", "no", "gold"), POLAR)
def test_yes_and_no(question: str, yes: str, no: str, gold: str) -> None:
    said = {"yes": yes, "no": no}
    for side in ("yes", "no"):
        label = "correct" if side == gold else "wrong"
        bare, statement = capital(side), said[side]
        lower = statement if statement.split()[0] in ("Portugal", "Napoleon") else statement[0].lower() + statement[1:]
        told = (
            f"{bare}.",
            bare,
            f"{bare}!",
            f"{bare}, {lower}.",
            f"{statement}.",
            f"{bare}, of course.",
            f"I think {lower}.",
            f"{statement}, as everybody knows.",
            f"{bare}. I like to talk about that.",
        )
        for reply in told:
            assert (reply, verdict(question, reply, gold)) == (reply, label)
    assert verdict(question, question, gold) == "wrong"
    for reply in REFUSED:
        assert (reply, verdict(question, reply, gold)) == (reply, "refused")
