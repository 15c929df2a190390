"""A reply held against the bot's own."""

from __future__ import annotations

import re

import pytest

from botattack.matchers.own import OwnReference
from botattack.model import Prompt, Reply

CARD = "Your card will arrive within 5 working days. You can track it in the Orders page."


@pytest.mark.parametrize(
    ("own", "reply", "kind"),
    [
        (CARD, CARD, "correct"),
        (CARD, CARD.upper(), "correct"),
        (CARD, "Your card will arrive within five working days. You can track it on the Orders page.", "correct"),
        (CARD, "Your card will arrive within 10 working days. You can track it in the Orders page.", "wrong"),
        (CARD, "Your card will not arrive within 5 working days. You can track it in the Orders page.", "wrong"),
        (CARD, "Your card will arrive within 5 working days. You can track it in the Returns page.", "wrong"),
        (CARD, "We sell apples and oranges every Monday.", "wrong"),
        (CARD, "", "refused"),
        (CARD, "Sorry, I didn't understand that.", "refused"),
        (CARD, "I only speak French", "refused"),
        ("The capital of France is Paris.", "The capital of Frnace is Paris.", "correct"),
        ("The capital of France is Paris.", "The capital of France is Rome.", "wrong"),
        ("Paris is the capital of that country.", "Rome is the capital of that country.", "wrong"),
        ("It is yellow, I would say so.", "Yellow. It is, I would say so.", "correct"),
        (f"There is no fee for it. {CARD}", f"There is not a fee for it. {CARD}", "correct"),
        (f"Please note: {CARD}", f"Kindly note: {CARD}", "correct"),
    ],
)
def test_same_or_changed(own: str, reply: str, kind: str) -> None:
    matcher = OwnReference(refusals=("I only speak French.",))
    verdict = matcher.judge(Prompt("What is the captial of Frnace?"), Reply(reply), (), (Reply(own),) * 3)
    assert verdict.kind == kind, verdict
    assert verdict.why


@pytest.mark.parametrize(
    ("own", "kind"), [("Ask in the hall.", "correct"), ("Ask the hall.", "wrong"), ("Ask us.", "wrong")]
)
def test_a_reply_of_four_words_is_the_same_within_more(own: str, kind: str) -> None:
    reply = f"{own} Tea and cake are sold beside its red door from noon on."
    assert OwnReference().judge(Prompt("Where?"), Reply(reply), (), (Reply(own),)).kind == kind


def test_any_of_its_own_replies_will_do() -> None:
    baseline = (Reply("It is blue."), Reply("It is Green."))
    assert OwnReference().judge(Prompt("Colour?"), Reply("It is Green!"), (), baseline).kind == "correct"


def test_no_stricter_than_the_bot_is_with_itself() -> None:
    baseline = (Reply("we open at nine in the morning"), Reply("our doors are open from nine in the morning"))
    reply = Reply("our shop is open at nine in the morning")
    assert OwnReference().judge(Prompt("When?"), reply, (), baseline).kind == "correct"
    assert OwnReference().judge(Prompt("When?"), reply, (), baseline[:1]).kind == "wrong"


def test_intent_decides_where_the_target_gives_one() -> None:
    def reply(text: str, intent: str | None) -> Reply:
        return Reply(text, fields={} if intent is None else {"intent": intent})

    own = (reply("Your card comes soon.", "card_arrival"),)
    matcher = OwnReference()
    assert matcher.judge(Prompt("?"), reply("It is on its way to you!", "card_arrival"), (), own).kind == "correct"
    verdict = matcher.judge(Prompt("?"), reply("Your card comes soon.", "lost_card"), (), own)
    assert (verdict.kind, verdict.why) == ("wrong", "another intent: 'lost_card' instead of 'card_arrival'")
    assert matcher.judge(Prompt("?"), reply("It is on its way.", None), (), own).kind == "wrong"


def test_without_replies_of_its_own_nothing_is_known() -> None:
    assert OwnReference().judge(Prompt("?"), Reply("Hello"), (), ()).kind == "unsure"


@pytest.mark.parametrize(
    ("texts", "agree"),
    [
        ((CARD, CARD, CARD), True),
        ((CARD, CARD.replace("You can", "You may"), CARD), True),
        ((CARD, CARD, CARD.replace("5", "6")), False),
        (("Yes.", "No.", "Yes."), False),
        (("blue", "green", "red"), False),
        ((CARD,), True),
    ],
)
def test_agreeing_with_itself(texts: tuple[str, ...], agree: bool) -> None:
    assert OwnReference().agree(Prompt(""), tuple(map(Reply, texts))) is agree


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("The ferry from Oslo to Calais costs 37 euros.", "correct"),
        ("The ferry from Venice to Calais costs 37 euros.", "wrong"),
        ("The ferry from Oslo to Calais costs 42 euros.", "wrong"),
        ("The ferry from New York to Calais costs 37 euros.", "wrong"),
        ("Take 37 euros with you for the crossing.", "correct"),
        ("Sorry, I do not know that.", "refused"),
    ],
)
def test_an_intent_whose_slots_are_filled_otherwise_is_another_answer(said: str, kind: str) -> None:
    own = Reply("The ferry from Oslo to Calais costs 37 euros.", fields={"intent": "price"})
    prompt = Prompt("How much is a ticket to Calais?")
    assert OwnReference().judge(prompt, Reply(said, fields={"intent": "price"}), (), (own,)).kind == kind


@pytest.mark.parametrize("without", ["the reply", "an own reply", "all"])
def test_texts_decide_where_any_reply_lacks_an_intent(without: str) -> None:
    fields = {"intent": "price"}
    own = [
        Reply(CARD, fields={} if without == "all" else fields),
        Reply(CARD, fields=fields if without == "the reply" else {}),
    ]
    for text, kind in ((CARD, "correct"), (CARD.replace("5", "6"), "wrong")):
        reply = Reply(text, fields=fields if without == "an own reply" else {})
        verdict = OwnReference().judge(Prompt("When?"), reply, (), tuple(own))
        assert (verdict.kind, verdict.span) == (kind, (0, len(text)))


@pytest.mark.parametrize("said", [*({"intent": value} for value in (7, "card", None)), {}, {"topic": "card"}])
def test_the_intent_is_in_the_field_of_that_name(said: dict[str, object]) -> None:
    own, other = Reply("Soon.", fields={"intent": "7", "topic": "card"}), Reply("It is on its way.", fields=said)
    by_intent = OwnReference().judge(Prompt("?"), other, (), (own,)).kind
    by_topic = OwnReference(intent="topic").judge(Prompt("?"), other, (), (own,)).kind
    assert by_intent == ("correct" if said.get("intent") == 7 else "wrong")
    assert by_topic == ("correct" if said.get("topic") else "wrong")


@pytest.mark.parametrize(
    ("own", "reply", "why"),
    [
        ("We open at nine.", "We open at nine!", "the bot's own"),
        ("We open at nine.", "We open at nine. Please come by the main door.", "contains the bot's own"),
        ("It is in Rome.", "It is in Oslo.", "another name .*: new 'oslo'; lost 'rome'"),
        ("It is in Rome.", "It is in there.", "another name .*: lost 'rome'"),
        ("It costs 5 euros today.", "It costs 6 7 8 9 euros today.", "another number .*: new '6', '7', '8'; lost '5'"),
        ("You can pay by card.", "You can not pay by card.", "a negation is new"),
        ("You can not pay by card.", "You can pay by card.", "a negation was lost"),
        ("You can pay by card.", "We sell apples and oranges.", r"only \d\d% like"),
        ("You can pay us by card.", "You may pay us by card.", r"^\d\d% like"),
    ],
)
def test_a_verdict_says_what_changed(own: str, reply: str, why: str) -> None:
    verdict = OwnReference().judge(Prompt("How?"), Reply(reply), (), (Reply(own),))
    assert re.search(why, verdict.why), verdict
    assert verdict.score == 1 or "contains" not in verdict.why


def test_intents_decide_agreement() -> None:
    one, other = Reply("a", fields={"intent": "x"}), Reply("b", fields={"intent": "x"})
    assert OwnReference().agree(Prompt(""), (one, other))
    assert not OwnReference().agree(Prompt(""), (one, Reply("a", fields={"intent": "y"})))


def test_a_bot_that_said_nothing_has_refused_though_its_intent_is_the_same() -> None:
    own = Reply(CARD, fields={"intent": "card"})
    verdict = OwnReference().judge(Prompt("When?"), Reply("", fields={"intent": "card"}), (), (own,))
    assert (verdict.kind, verdict.why) == ("refused", "the bot said nothing")
