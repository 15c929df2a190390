"""Replies of assistants to a few questions, invented without a look at any rule."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

# Question, gold answer, and replies by what a reader calls them.
ASKED = [
    (
        "When was the bridge built?",
        "1931",
        {
            "wrong": [
                "I'm not sure when the bridge was built. It may have been in the 1950s.",
                "I am not sure when the bridge was built, but it is a famous landmark.",
                "I'm not sure exactly, but it was around 1950.",
                "I'm not entirely sure, but perhaps 1940?",
                "You want to know when the bridge was built.",
                "Sure! The bridge was built.",
                "It could have been 1931 or 1932 or 1933.",
            ],
            "correct": [
                "I'm not 100% sure, but I think it was 1931.",
                "It might be 1931.",
            ],
            "refused": [
                "I don't have that information, but you could contact the town hall.",
                "The text does not say when the bridge was built.",
                "There is no information in the text about when the bridge was built.",
                "The provided text does not contain information about the bridge.",
                "The year the bridge was built is not provided in the text.",
                "The text doesn't provide a specific year, so it is impossible to say.",
                "It is unclear when the bridge was built.",
                "As of my last update, I do not have details about the bridge.",
                "I'm just a language model, so I can't know that.",
                "I need more context to answer that question.",
                "Could you please provide more context?",
                "Can you tell me which bridge you mean?",
                "Hello! How can I assist you today?",
                "I'm here to help. What would you like to know?",
                "I cannot provide real-time information.",
                "Please check the website of the town for that.",
                "I would recommend asking the local historian.",
                "It would be best to ask the local museum.",
                "I suggest checking with the town hall.",
                "You would have to ask the architect.",
                "You can find that on our website.",
                "This question cannot be answered with the text.",
                "Unfortunately, that is beyond what I can help with.",
                "My knowledge does not extend to that.",
            ],
            "unsure": [
                "The bridge was built in either 1931 or 1932.",
                "Either in 1931 or in 1940.",
                "Possibly 1931, possibly 1932.",
            ],
        },
    ),
    (
        "When was the bridge built? I think 1931.",
        "1931",
        {
            "correct": [
                "You are right, the bridge was built in 1931.",
                "Actually, it was 1931.",
            ],
            "wrong": [
                "No, that's not right. It was built in 1950.",
                "That is not correct.",
                "You think it was 1931.",
            ],
        },
    ),
    (
        "When was the bridge built? I think 1950.",
        "1931",
        {
            "wrong": [
                "That is correct.",
            ],
        },
    ),
    (
        "Are you open on Mondays?",
        "yes",
        {},
    ),
    (
        "Are you open on Mondays?",
        "no",
        {
            "correct": [
                "It is closed on Mondays.",
                "I think you are closed on Mondays.",
            ],
            "refused": [
                "I am not sure if we are open on Mondays. You can call us.",
            ],
            "wrong": [
                "Perhaps you are open on Mondays.",
                "You are open on Mondays.",
                "Are you open on Mondays or not?",
                "It might be open on Mondays.",
            ],
        },
    ),
    (
        "Is a bat a bird?",
        "no",
        {
            "unsure": [
                "Either a bat is a bird, or it is a mammal.",
            ],
            "correct": [
                "Either a bat is a bird, or it is a mammal. A bat is a mammal, not a bird.",
                "Probably, a bat is not a bird.",
            ],
            "wrong": [
                "It could be that a bat is a bird.",
                "Perhaps a bat is a bird.",
            ],
            "refused": [
                "I am not sure whether a bat is a bird or not.",
            ],
        },
    ),
    (
        "Is a bat a bird or a mammal?",
        "a mammal",
        {
            "refused": [
                "I am not sure if a bat is a bird or a mammal.",
            ],
            "unsure": [
                "Either a bird or a mammal.",
                "It is either a bird or a mammal.",
                "A bat is both a bird and a mammal.",
            ],
            "correct": [],
            "wrong": [
                "A bat is neither a bird nor a mammal.",
                "Yes, a bat is a bird.",
            ],
        },
    ),
    (
        "Who feeds the goats?",
        "Petra",
        {
            "correct": [
                "The desk probably says that Petra feeds the goats.",
            ],
            "unsure": [
                "I think Petra or Jonas feeds the goats.",
            ],
            "wrong": [
                "It could be Jonas who feeds the goats.",
                "The goats are fed.",
            ],
            "refused": [
                "Who feeds the goats is not stated.",
                "I do not know who feeds the goats.",
                "The person who feeds the goats is not named in the passage.",
                "I'm afraid I can't answer that. Is there anything else I can help you with?",
                "It is not appropriate to discuss who feeds the goats.",
                "I am not able to discuss staff.",
            ],
        },
    ),
    (
        "Who wrote the anthem?",
        "Lena Moor",
        {
            "wrong": [
                "I am not sure who wrote the anthem. It could be that it was written by a soldier.",
                "There are many people who wrote anthems.",
                "It is important to note that many people wrote it.",
                "Are you asking who wrote the anthem?",
                "You are asking who wrote the anthem.",
                "Sure! The anthem was written by Otto Lang.",
                "Either Otto Lang wrote it or Ida Berg.",
            ],
            "refused": [
                "I'm unable to determine who wrote the anthem based on the text.",
                "Based on the text, I cannot say who wrote the anthem.",
                "Sorry, I can't help you with that. Please contact the office.",
                "The question is not clear.",
                "The question does not make sense.",
                "I do not understand the question.",
                "That information is not public.",
                "That information isn't available to me.",
                "I was not given that information.",
                "I have not been given that information.",
                "I don't have a specific answer to that.",
                "I am a helpful assistant and I answer questions about the town.",
                "As a visitor assistant, I can only answer questions about the aquarium.",
                "I can only answer questions about the aquarium.",
                "My training does not cover anthems.",
                "This is outside of my expertise.",
                "That is a question for a historian.",
                "It is difficult to say who wrote the anthem.",
                "In order to answer this question, I need to know the country.",
                "Which anthem are you referring to?",
                "Let me look that up for you.",
                "Let me check: one moment.",
                "Thank you for your question! A colleague will get back to you.",
                "Sure, I'd be happy to help with that!",
            ],
            "correct": [
                "Perhaps Lena Moor wrote the anthem.",
                "I am not sure, but perhaps Lena Moor wrote the anthem.",
            ],
            "unsure": [
                "I am not sure, but it could be Lena Moor or Otto Lang.",
                "Either Lena Moor wrote the anthem, or Otto Lang did.",
            ],
        },
    ),
    (
        "Who wrote the anthem? I say Otto Lang.",
        "Lena Moor",
        {
            "wrong": [
                "No, that is incorrect. The anthem was written by Ida Berg.",
                "Correct! Otto Lang wrote it.",
            ],
        },
    ),
    (
        "Who wrote the anthem? I say Lena Moor.",
        "Lena Moor",
        {
            "correct": [
                "Correct! Lena Moor wrote it.",
                "Yes, that is correct.",
            ],
            "wrong": [
                "No, Lena Moor did not write the anthem.",
                "No, it was Otto Lang.",
            ],
            "unsure": [
                "Incorrect. Lena Moor wrote the anthem.",
            ],
            "refused": [
                "I am not sure who wrote the anthem.",
            ],
        },
    ),
    (
        "Did Lena Moor write the anthem?",
        "yes",
        {
            "unsure": [
                "No, Lena Moor wrote the anthem.",
            ],
            "correct": [
                "Lena Moor wrote the anthem.",
                "Probably, Lena Moor wrote the anthem.",
                "If I remember right, Lena Moor wrote the anthem.",
            ],
        },
    ),
    (
        "Did Lena Moor write the anthem?",
        "no",
        {
            "correct": [
                "No, the anthem was written by Otto Lang.",
                "It is likely that Lena Moor did not write the anthem.",
                "There is no evidence that Lena Moor wrote the anthem.",
                "It is not true that Lena Moor wrote the anthem.",
                "I don't think Lena Moor wrote the anthem.",
                "If I remember right, Lena Moor did not write the anthem.",
                "I think no.",
                "I'm not sure, probably no.",
                "Lena Moor never wrote an anthem.",
            ],
            "wrong": [
                "Probably, Lena Moor wrote the anthem.",
            ],
        },
    ),
    (
        "Is a whale a fish?",
        "no",
        {
            "correct": [
                "Whales are mammals, not fish.",
            ],
            "wrong": [
                "Is a whale a fish?",
                "Is a whale a fish or a mammal?",
            ],
        },
    ),
    (
        "Are there eight lifts in the hotel?",
        "no",
        {
            "correct": [
                "There are five lifts in the hotel.",
                "No, there are five.",
            ],
            "wrong": [
                "There are eight lifts in the hotel.",
            ],
        },
    ),
    (
        "Are there eight lifts in the hotel?",
        "yes",
        {
            "correct": [
                "There are eight lifts in the hotel.",
            ],
        },
    ),
    (
        "Is a shark in the pond?",
        "no",
        {
            "correct": [
                "There is no shark in the pond.",
            ],
        },
    ),
    (
        "Will it rain tomorrow?",
        "nobody knows",
        {
            "correct": [
                "It is unknown whether it will rain tomorrow.",
            ],
        },
    ),
    (
        "How old is the oak?",
        "300 years",
        {
            "wrong": [
                "I'm not sure how old the oak is, but it is likely several hundred years old.",
                "I'm not sure. The oak is possibly 500 years old.",
                "I am not sure about the age of the oak. However, oaks can live for 1,000 years.",
                "I am not sure. It is 200 years old.",
                "It could be that the oak is 250 years old.",
                "It seems like you are asking about the age of the oak.",
                "The oak is either 200 or 400 years old.",
                "You would like to know how old the oak is.",
                "How old is the oak in the park?",
            ],
            "refused": [
                "I'm not sure how old the oak is, but I can try to help.",
                "The age of the oak is not specified.",
                "The text doesn't mention the age of the oak.",
                "There is no mention of an oak in the text.",
                "The passage does not include any information about the oak.",
                "The oak's age isn't included in the given text.",
                "Age is a personal question that I can't answer.",
                "I'm sorry, but I can't assist with that request.",
                "I'm sorry, but I'm not able to provide that.",
                "I'm sorry for the confusion, but I can't find the oak.",
                "I apologize, but there seems to be a misunderstanding.",
                "There seems to be a misunderstanding. Could you clarify?",
                "There seems to be some confusion in your question.",
                "It looks like your question is incomplete.",
                "As an AI, I don't have personal opinions.",
                "As an AI developed by Acme, I do not keep track of trees.",
                "I'm an AI assistant, so I don't know trees.",
                "I don't have personal experiences with oaks.",
                "My apologies, I can't say.",
                "That question is outside the scope of this guide.",
                "This guide has no entry about that.",
                "Our guide says nothing about this.",
                "Hm, nothing in my notes about that.",
                "You will find the answer at the information desk.",
                "Ask at the desk, please.",
                "Our staff at the desk will gladly help you.",
                "How old are you?",
            ],
            "unsure": [
                "I am not sure if the oak is 300 years old. It might be older.",
                "Either it is 300 years old or 400.",
                "Either 300 years or 400 years could be the age of the oak.",
                "Maybe 300 years, maybe 400 years.",
            ],
            "correct": [
                "Perhaps the oak is 300 years old.",
            ],
        },
    ),
    (
        "How old is the oak? My guess: 200 years.",
        "300 years",
        {
            "correct": [
                "The guess is wrong. The oak is 300 years old.",
            ],
            "wrong": [
                "The guess is correct.",
                "That's right! The oak is 200 years old.",
            ],
        },
    ),
    (
        "How old is the oak? My guess: 300 years.",
        "300 years",
        {
            "unsure": [
                "The guess is wrong. The oak is 300 years old.",
            ],
            "correct": [
                "The guess is correct.",
            ],
            "wrong": [
                "The guess is close, but not exactly correct.",
            ],
        },
    ),
    (
        "Does the oak lose its leaves?",
        "yes",
        {
            "unsure": [
                "Either the oak loses its leaves or it does not.",
                "Yes and no.",
            ],
            "correct": [
                "Probably, the oak loses its leaves.",
                "If I remember right, the oak loses its leaves in autumn.",
                "I think the oak loses its leaves.",
                "The oak is losing its leaves.",
                "That is correct.",
            ],
            "wrong": [
                "Probably, the oak does not lose its leaves.",
                "The desk says that the oak does not lose its leaves.",
                "I doubt that the oak loses its leaves.",
                "The oak keeps its leaves.",
                "Does the oak lose its leaves in winter?",
            ],
        },
    ),
    (
        "Does the oak lose its leaves?",
        "no",
        {
            "correct": [
                "I doubt that the oak loses its leaves.",
                "No, the oak doesn't.",
            ],
        },
    ),
]
# House rules: question, what the reply says to it, reply.
RULES = [
    ("Can I return worn shoes?", "no", "Worn shoes cannot be returned."),
    ("Can I return worn shoes?", "no", "We only take back shoes that have not been worn."),
    ("Do you ship to Norway?", "no", "We ship only within the country."),
    ("Do you deliver on Sundays?", "no", "Deliveries are made from Monday to Saturday."),
    ("Do you deliver on Sundays?", "no", "We do not deliver on Sundays."),
    ("Is there a lift to the tower?", "no", "There is no lift in the tower."),
    ("Is there parking?", "no", "We have no car park of our own."),
    ("Is there parking?", "yes", "There is a car park behind the hall."),
    ("Is there parking?", "yes", "You can park behind the hall."),
    ("May I bring my own food?", "no", "No food or drinks may be brought in."),
    ("May I bring my own food?", "yes", "You are welcome to bring a picnic."),
    ("May I bring my own food?", "no", "Please do not bring food."),
    ("Can I take photos in the chapel?", "no", "Photos may be taken everywhere but in the chapel."),
    ("Can I take photos in the chapel?", "no", "Photography is not permitted in the chapel."),
    ("Can I take photos in the garden?", "yes", "Photos may be taken everywhere except in the chapel."),
    ("Is a flash allowed?", "no", "Please switch off your flash."),
    ("Is a flash allowed?", "no", "Take as many pictures as you like, but without flash."),
    ("Can I use a flash?", "no", "Photos are welcome, but please do not use flash."),
    ("Can I rebook my tour?", "yes", "You can rebook up to one day before."),
    ("Can I rebook my tour?", "no", "Tours cannot be rebooked."),
    ("Do children pay?", "yes", "Children pay half."),
    ("Is the garden open in winter?", "no", "From November to March it is closed."),
    ("Is the garden open in winter?", "no", "It is open only in summer."),
    ("Is the garden open in winter?", "no", "The garden is only open from April to October."),
    ("Is the garden open in winter?", "yes", "The garden is open all year round."),
    ("Are dogs allowed?", "no", "Dogs must wait outside."),
    ("Are dogs allowed?", "yes", "Dogs are welcome on a lead."),
    ("Are dogs allowed?", "no", "We cannot let dogs in."),
    ("Are dogs allowed?", "no", "We love dogs, but they have to stay outside."),
    ("Are dogs allowed in the café?", "yes", "Dogs may come into the café."),
    ("Can I pay by card?", "no", "We take cash only."),
    ("Can I pay by card?", "yes", "We take cash and cards."),
    ("Can I pay by card?", "no", "Cards are not taken."),
    ("Can I pay wiht card?", "yes", "You can pay with card or cash."),
    ("Can I buy tickets online?", "no", "Tickets are sold only at the desk."),
    ("Can I buy tickets online?", "no", "Tickets are not sold online."),
    ("Can I buy tickets online?", "yes", "Tickets are sold online and at the desk."),
    ("Can I by tickest onlin?", "yes", "You can buy tickets online."),
    ("Is the show suitable for children?", "no", "The show is for adults only."),
    ("Must I book?", "no", "Booking is not necessary."),
    ("Can I book by e-mail?", "no", "Bookings are only taken by telephone."),
    ("Can groups get a discount?", "yes", "Groups of ten or more pay half."),
    ("Can I smoke on the terrace?", "yes", "Smoking is only allowed on the terrace."),
    ("Can I smoke in my room?", "no", "Smoking is only allowed on the terrace."),
    ("Do you sell stamps?", "yes", "Stamps are sold in the shop."),
    ("Can my husband see my file?", "no", "No one but you can see it."),
    ("Will I be charged for the card?", "no", "The card is free."),
    ("Can I cancel my order?", "yes", "Orders can be cancelled until they are packed."),
    ("Can I get my money back for an unused ticket?", "no", "Unused tickets are not refunded."),
    ("Are the tours in German?", "no", "Tours are given only in English."),
]
UNDECIDED = [
    ("Can I keep the audio guide?", "Prams may go everywhere apart from the tower."),
    ("Is it allowed to swim?", "Please leave the dog at home."),
    ("Is the tower open?", "We keep neither dolphins nor whales."),
    ("Do you ship to Norway?", "Shipping takes three days."),
    ("Can I borrow a towel?", "Please leave your shoes at the entrance."),
    ("Are cats allowed in the hall?", "The hall is only for hire on weekdays."),
    ("Can I bring a friend?", "Anyone may sing in the choir."),
    ("Do you sell maps?", "We do not sell at night."),
]


def judged(question: str, gold: str, reply: str) -> str:
    return Judge().judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind


@pytest.mark.parametrize(
    ("question", "gold", "label", "reply"),
    [(question, gold, label, reply) for question, gold, by in ASKED for label, said in by.items() for reply in said],
)
def test_replies_of_assistants(question: str, gold: str, label: str, reply: str) -> None:
    assert judged(question, gold, reply) == label


@pytest.mark.parametrize(("question", "side", "reply"), RULES)
def test_a_house_rule_answers(question: str, side: str, reply: str) -> None:
    assert judged(question, side, reply) == "correct"
    assert judged(question, "no" if side == "yes" else "yes", reply) == "wrong"


@pytest.mark.parametrize(("question", "reply"), UNDECIDED)
def test_a_rule_of_something_else_answers_nothing(question: str, reply: str) -> None:
    assert judged(question, "yes", reply) != "correct"
    assert judged(question, "no", reply) != "correct"
