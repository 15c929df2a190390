"""What the judge makes of options, suggestions, values, lists and replies that claim nothing."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

ROWS = [
    ("What is the capital of Poland? Krakow, Warsaw or Gdansk?", "Warsaw", "Warsaw, one of them.", "correct"),
    (
        "What is the capital of Poland? Krakow, Warsaw or Gdansk?",
        "Warsaw",
        "Warsaw and Krakow, both of them.",
        "unsure",
    ),
    (
        "What is the capital of Poland? Krakow, Warsaw or Gdansk?",
        "Warsaw",
        "It could be Warsaw, I am not sure.",
        "correct",
    ),
    ("What is the capital of Poland? Krakow, Warsaw or Gdansk?", "Warsaw", "Warsaw.", "correct"),
    (
        "What is the capital of Poland? Krakow, Warsaw or Gdansk?",
        "Warsaw",
        "The capital of Poland is Warsaw.",
        "correct",
    ),
    ("What is the capital of Poland? Krakow, Warsaw or Gdansk?", "Warsaw", "The capital of Poland is Krakow.", "wrong"),
    (
        "What is the capital of Poland? Krakow, Warsaw or Gdansk?",
        "Warsaw",
        "It could be Krakow or Warsaw, I am not sure.",
        "unsure",
    ),
    (
        "What is the capital of Poland? Krakow, Warsaw or Gdansk?",
        "Warsaw",
        "It could be Krakow or Gdansk, I am not sure.",
        "wrong",
    ),
    (
        "What is the capital of Poland? Krakow, Warsaw or Gdansk?",
        "Warsaw",
        "It could be Krakow, Warsaw, or Gdansk.",
        "wrong",
    ),
    ("What is the capital of Poland?", "Warsaw", "Maybe Warsaw, I do not know.", "correct"),
    ("What is the capital of Poland?", "Warsaw", "Maybe Krakow, I do not know.", "wrong"),
    ("What is the capital of Poland? Is it Warsaw?", "Warsaw", "Yes, it is Warsaw.", "correct"),
    ("What is the capital of Poland? Is it Warsaw?", "Warsaw", "Yes.", "correct"),
    ("What is the capital of Poland? Is it Warsaw?", "Warsaw", "No, it is Krakow.", "wrong"),
    ("What is the capital of Poland? Is it Krakow?", "Warsaw", "No, it is Warsaw.", "correct"),
    ("What is the capital of Poland? Is it Krakow?", "Warsaw", "Yes, Krakow is the capital of Poland.", "wrong"),
    ("What is the capital of Poland? Is it Warsaw?", "Warsaw", "No, it is not Warsaw.", "wrong"),
    ("What is the capital of Poland? Some say Warsaw.", "Warsaw", "Some say Warsaw.", "wrong"),
    (
        "What is the capital of Poland? Some say Warsaw.",
        "Warsaw",
        "You say that some say Warsaw is the capital of Poland.",
        "wrong",
    ),
    ("What is the capital of Poland? Some say Warsaw.", "Warsaw", "Warsaw is the capital of Poland.", "correct"),
    ("Who wrote Faust?", "Goethe", "Johann Wolfgang von Goethe wrote Faust.", "correct"),
    ("Who wrote Faust?", "Goethe|Johann Wolfgang von Goethe", "Goethe, a German poet.", "correct"),
    ("How high is the tower?", "90 metres", "The tower is 295 feet high.", "correct"),
    ("How high is the tower?", "90 metres", "The tower is 85 metres high.", "wrong"),
    ("How high is the tower?", "90 metres", "90", "correct"),
    ("How long is the tunnel?", "3 km", "3,000 metres", "correct"),
    ("How long is the tunnel?", "3 km", "The tunnel is 3 km long, 30 feet high.", "correct"),
    ("When was Shakespeare born?", "1564", "He was born in 1564 and died in 1616.", "correct"),
    ("When was Shakespeare born?", "1564", "He died in 1564.", "wrong"),
    ("When did man first walk on the Moon?", "20 July 1969|July 1969", "On July 20, 1969.", "correct"),
    ("When did man first walk on the Moon?", "20 July 1969", "In July 1969.", "unsure"),
    ("When did man first walk on the Moon?", "20 July 1969", "1969", "unsure"),
    ("What are the primary colours of light?", "red, green and blue", "Green, red, and blue.", "correct"),
    ("What are the primary colours of light?", "red, green and blue", "Red, yellow and blue.", "wrong"),
    ("Which metals are in bronze?", "copper and tin", "Tin and copper", "correct"),
    ("Which metals are in bronze?", "copper and tin", "Copper.", "unsure"),
    ("Who founded Microsoft?", "Bill Gates and Paul Allen", "Bill Gates.", "unsure"),
    ("Who founded Microsoft?", "Bill Gates and Paul Allen", "Paul Allen and Bill Gates founded it.", "correct"),
    ("What do koalas eat?", "eucalyptus leaves", "They eat the leaves of the eucalyptus.", "correct"),
    ("Is there a dress code?", "no", "None is required.", "wrong"),
    ("Is smoking allowed?", "no", "Smoking is prohibited everywhere.", "correct"),
    ("Is smoking allowed?", "yes", "Smoking is not allowed.", "wrong"),
    ("Is smoking allowed?", "yes", "It is allowed on the deck.", "correct"),
    ("What is the speed of light?", "299,792 km/s", "About 300,000 kilometers per second.", "correct"),
    ("What is the capital of France?", "Paris", "What do you mean by capital?", "refused"),
    ("What is the capital of France?", "Paris", "That is a good question.", "refused"),
    ("What is the capital of France?", "Paris", "I'm sorry, I can't help with that.", "refused"),
    ("What is the capital of France?", "Paris", "The text does not mention the capital of France.", "refused"),
    ("What is the capital of France?", "Paris", "I am a chatbot.", "refused"),
    ("What is the capital of France?", "Paris", "The capital of France is a city.", "wrong"),
    ("What is the capital of France?", "Paris", "The capital of France is what?", "wrong"),
    ("What is the capital of France?", "Paris", "Lyon. Paris is the capital of Texas.", "wrong"),
    ("What is the capital of Italy?", "Rome", "Rome is the capital of Italy and Vatican City is in Rome.", "correct"),
    ("Who invented the telephone?", "Alexander Graham Bell|Bell", "It was not Bell but Meucci.", "wrong"),
    (
        "Who invented the telephone?",
        "Alexander Graham Bell|Bell",
        "Bell did, unlike Edison, who invented the light bulb.",
        "correct",
    ),
    ("How many legs does a spider have?", "8|eight", "A spider has 8 legs, an insect has 6.", "correct"),
    ("How many legs does a spider have?", "8|eight", "6 or 8", "unsure"),
    ("How many legs does a spider have?", "8|eight", "Not 8.", "wrong"),
    ("How much is a ticket?", "2.50 euros", "Two euros fifty", "correct"),
    ("How much is a ticket?", "2.50 euros", "250 cents", "correct"),
    ("How long is it valid?", "10 years;ten", "For a decade.", "wrong"),
    ("What share?", "50 %|half", "One half.", "correct"),
    ("What time?", "16:30", "At 4:30 in the afternoon.", "correct"),
    ("What time?", "16:30", "At 4:30 am.", "wrong"),
    ("What time does it open?", "9 am", "It opens at nine.", "correct"),
]


@pytest.mark.parametrize(("question", "gold", "reply", "kind"), ROWS)
def test_replies(question: str, gold: str, reply: str, kind: str) -> None:
    answers = tuple(GoldAnswer(text) for text in gold.split("|"))
    verdict = Judge().judge(Prompt(question), Reply(reply), answers, ())
    assert verdict.kind == kind, verdict
