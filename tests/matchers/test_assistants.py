"""Refusals, guesses, echoes and choices left open, as assistants of today word them."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

TALL = ("How tall is the lighthouse?", "31 metres")
FOUNDED = ("Who founded the brewery?", "Anna Weiss")
SPIDER = ("Is a spider an insect?", "no")
CORK = ("Does cork float?", "yes")
BAKERY = ("Are you open on Easter Monday?", "no")
CODE = ("What is the code of the gate?", "4711")
KEYS = ("How many keys are in my drawer?", "seven")
SIEGE = ("Was Blake the captain's brother or his cousin?", "his cousin")
RIVER = ("Which river flows through Seville?", "the Guadalquivir")
PRIME = ("Is 57 a prime number?", "no")
PRICE = ("What is a quarter of 52? I say 13.", "13")
OWNER = ("Who owns the mill? My guess: Marta Kolb.", "Marta Kolb")
VISIT = ("What did the mayor say to the twins?", "not known")

GUESSES = [
    (TALL, "I'm not sure how tall the lighthouse is. Perhaps it is 45 metres.", "wrong"),
    (TALL, "I don't know, but lighthouses usually have eighty steps.", "wrong"),
    (TALL, "I am unsure; it might be 50 metres.", "wrong"),
    (TALL, "I'm not sure. It could be that it is 31 metres tall.", "correct"),
    (TALL, "I do not know for certain, but it stands 31 metres high.", "correct"),
    (TALL, "I am not sure if the lighthouse is 31 metres tall, as it may be 35 metres.", "unsure"),
    (FOUNDED, "I'm not sure, but it seems that a monk founded it.", "wrong"),
    (FOUNDED, "I am not sure who founded the brewery. It may have been founded by monks.", "wrong"),
    (
        FOUNDED,
        "I am not sure if the brewery was founded by Anna Weiss. It could be that Karl Weiss founded it.",
        "unsure",
    ),
    (FOUNDED, "I am not sure, however most breweries belong to families.", "wrong"),
    (SPIDER, "I am not sure if a spider is an insect; maybe it is.", "wrong"),
    (SPIDER, "I am not sure if a spider is an insect, but I think it is not.", "correct"),
    (SPIDER, "I don't know. Probably not.", "correct"),
    (CORK, "I'm not sure, but I believe it does.", "correct"),
    (CORK, "I am not sure. Probably not.", "wrong"),
    (TALL, "I'm not sure whether the lighthouse is tall.", "refused"),
    (TALL, "I am not sure, but our staff are happy to help.", "refused"),
    (TALL, "I don't know, but you can ask at the harbour office.", "refused"),
    (TALL, "I'm not sure. Perhaps you could ask a guide.", "refused"),
    (TALL, "I don't know. Maybe someone at the desk can help you.", "refused"),
    (TALL, "I am not sure, but I can find out for you.", "refused"),
    (TALL, "I am not sure. Possibly the museum can tell you.", "refused"),
    (FOUNDED, "I'm not sure what it could be about.", "refused"),
    (SPIDER, "I am not sure if a spider is an insect.", "refused"),
    (CORK, "I'm not sure, but that is a good question.", "refused"),
]
REFUSALS = [
    (CODE, "The code of the gate is not mentioned in the text.", "refused"),
    (CODE, "The gate code is not given in the passage above.", "refused"),
    (CODE, "The text makes no mention of a code.", "refused"),
    (CODE, "The code cannot be determined from the information provided.", "refused"),
    (CODE, "The code of the gate is a question that I cannot answer.", "refused"),
    (CODE, "The code of the gate is not something that should be asked.", "refused"),
    (CODE, "It would not be appropriate to share the code of the gate.", "refused"),
    (CODE, "It would be inappropriate to give you the code.", "refused"),
    (CODE, "The gate: just a moment please.", "refused"),
    (CODE, "Code of the gate: one moment please.", "wrong"),
    (CODE, "You ask about the code; please bear with me.", "refused"),
    (KEYS, "To find out how many keys are in your drawer, you would need to open it and count.", "refused"),
    (KEYS, "To answer that, I would need more details about your drawer.", "refused"),
    (KEYS, "Without more information, I can't count your keys.", "refused"),
    (KEYS, "It's important to note that as a language model I am not involved in your home.", "refused"),
    (FOUNDED, "My main purpose is to assist you with any questions you may have.", "refused"),
    (FOUNDED, "My main purpose is to assist you. If you have any other questions, feel free to ask.", "refused"),
    (CODE, "The code is 1234, and it is not mentioned in the guide.", "wrong"),
    (CODE, "The gate is mentioned in the text.", "wrong"),
    (CODE, "The code of the gate is a question of the day: 0000.", "wrong"),
    (CODE, "To open the gate, you need the code 1234.", "wrong"),
    (
        ("How do I measure the depth?", "with a rope"),
        "To find out how deep it is, you would need to drop a stone.",
        "wrong",
    ),
    (KEYS, "Your drawer has one key, please keep it.", "wrong"),
    (KEYS, "It is important to note that drawers have locks.", "wrong"),
    (RIVER, "The moment the river reached Seville it was called the Tajo.", "wrong"),
]
ECHOES = [
    (("How many boats have you got?", "nine"), "How many boats do you have in your harbour?", "wrong"),
    (("Which door leads to the roof?", "the green one"), "Which door of your house leads to the roof?", "wrong"),
    (("What does the ferry cost?", "four pounds"), "What does the ferry to your island cost?", "wrong"),
    (("What is thunder?", "the sound of lightning"), "What does thunder suggest to you?", "refused"),
    (("Where is the library?", "in Mill Lane"), "Which library do you mean?", "refused"),
    (("How many boats have you got?", "nine"), "How many people will come with you?", "refused"),
]
OPEN = [
    (PRIME, "Either 57 could be a prime number or a composite number.", "unsure"),
    (PRIME, "Either 57 is a prime number, or it is not.", "unsure"),
    (PRIME, "57 may or may not be a prime number.", "unsure"),
    (PRIME, "Either 57 is a prime number, or it is not. It is not a prime number.", "correct"),
    (CORK, "Either cork floats or it sinks. There is no evidence that cork does float.", "wrong"),
    (SIEGE, "Either Blake was the captain's brother or his cousin.", "unsure"),
    (SIEGE, "Either Blake was his cousin or the brother of the captain.", "unsure"),
    (SIEGE, "Blake was his cousin.", "correct"),
    (SIEGE, "Blake was the captain's brother.", "wrong"),
    (RIVER, "Either it is the Guadalquivir or it is the Tagus.", "unsure"),
    (RIVER, "Either way, it is the Guadalquivir.", "correct"),
    (RIVER, "It is the Guadalquivir. You can cross it either by boat or by bridge.", "correct"),
    (("How can I pay?", "by card"), "You can pay either by card or in cash.", "correct"),
    (("Can I pay in cash?", "yes"), "You can pay either in cash or by card.", "correct"),
]
TURNED = [
    (BAKERY, "Yes, we are closed on Easter Monday.", "unsure"),
    (BAKERY, "Yes, it is closed.", "unsure"),
    (BAKERY, "No, we are closed on Easter Monday.", "correct"),
    (BAKERY, "Yes, we open at nine.", "wrong"),
    (("Is Peru larger than Chile?", "yes"), "No, Peru is larger.", "unsure"),
    (("Is Peru larger than Chile?", "yes"), "No, Chile is larger.", "wrong"),
    (("Is the lake deeper than the quarry?", "no"), "Yes, the quarry is deeper.", "wrong"),
    (PRICE, "No, that is incorrect. The correct answer is 13.", "unsure"),
    (PRICE, "That's wrong. It is 13.", "unsure"),
    (PRICE, "No, the right answer is 14.", "wrong"),
    (PRICE, "That's right. The answer is 13.", "correct"),
    (OWNER, "Your guess is not correct. Marta Kolb owns the mill.", "unsure"),
    (OWNER, "Your guess is correct. Marta Kolb owns the mill.", "correct"),
    (("Who owns the mill? My guess: Otto Lang.", "Marta Kolb"), "No, that is incorrect. It is Marta Kolb.", "correct"),
]
IGNORANCE = [
    (VISIT, "I do not know what the mayor said to the twins.", "correct"),
    (VISIT, "The text does not mention it.", "correct"),
    (("Who will win the race next year?", "nobody knows"), "I don't know who will win.", "correct"),
    (("When will the comet return?", "unknown"), "It is not possible to say.", "correct"),
    (VISIT, "Sorry, I did not understand that.", "refused"),
    (VISIT, "He wished them luck.", "wrong"),
    (("Who is known as the Old Fox?", "Karl Weiss"), "I don't know.", "refused"),
]


@pytest.mark.parametrize(("asked", "reply", "label"), [*GUESSES, *REFUSALS, *ECHOES, *OPEN, *TURNED, *IGNORANCE])
def test_what_an_assistant_puts_in_the_place_of_an_answer(asked: tuple[str, str], reply: str, label: str) -> None:
    question, gold = asked
    assert Judge().judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind == label
