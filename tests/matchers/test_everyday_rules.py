"""What houses, shops and manuals tell people to do, and on what terms, as assistants say it in other words."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

ROWS = """\
Are cats allowed on the bus?|yes, in a basket|Sure, as long as it's in a basket.|correct
Are cats allowed on the bus?|yes, in a basket|Cats must be carried in a basket.|correct
Are cats allowed on the bus?|yes, in a basket|No, not even in a basket.|wrong
Are cats allowed on the bus?|yes, in a basket|Yes, if they wear a muzzle.|wrong
Are cats allowed on the bus?|yes, in a basket|Yes.|unsure
Are cats allowed on the bus?|yes, cats are allowed|Yes.|correct
Can I smoke here?|no, only on the terrace|No. Smoking is only possible on the terrace.|correct
Can I smoke here?|no, only on the terrace|Yes, you can.|wrong
Can I exchange the toaster?|only unused and in its box|Yes, provided it hasn't been used and is in its box.|correct
Can I exchange the toaster?|only unused and in its box|You can exchange it, used or not, in its box or without.|wrong
How do I change my seat?|tap "Change seat" in the app|Open the app and choose "Change seat".|correct
How do I change my seat?|tap "Change seat" in the app|1. Open the app.\\n2. Tap on "Change seat".|correct
How do I change my seat?|tap "Change seat" in the app|1. Go to the desk.\\n2. Ask for another seat.|wrong
How do I leave the club?|by sending a form to the club office|Just post the form to our office.|correct
How do I leave the club?|by sending a form to the club office|Just tell the trainer.|wrong
What should I do in case of fire?|leave the hall by the nearest exit|Exit the hall through the closest exit.|correct
What should I do in case of fire?|leave the hall by the nearest exit|Stay in the hall until somebody comes.|wrong
When do I take the drops?|after meals|Take them after eating, with some water.|correct
When do I take the drops?|after meals|Take them before eating.|wrong
Why is the lounge shut?|for renovation|The lounge is being refurbished.|correct
Why is the lounge shut?|for renovation|The lounge is shut because it flooded.|wrong
Where do I hand in the key?|at the desk on the third floor|Take it up to the third-floor counter.|correct
Where do I hand in the key?|at the desk on the third floor|Take it up to the fourth-floor desk.|wrong
What does the policy not cover?|damage caused by fire|Fire damage is excluded.|correct
How do I get to the abbey?|on foot|You can walk there in ten minutes.|correct
How do I get to the abbey?|on foot|Take the bus.|wrong
How can I quit?|by sending a letter to the office|Write us a letter.|correct
Is the lesson held indoors or outdoors?|outdoors|It takes place outside, on the lawn.|correct
Is the lesson held indoors or outdoors?|outdoors|We'll be inside.|wrong
Is rhubarb a fruit or a vegetable?|a vegetable|It can be both.|unsure
Who may use the sauna?|club members only|The sauna is reserved for members of the club.|correct
Who may use the sauna?|club members only|Anyone may use it.|wrong
May I swap my seat?|yes, for a fee of 5 euros|Sure, that costs you 5 euros.|correct
May I swap my seat?|yes, for a fee of 5 euros|Yes, that's possible.|unsure
May I swap my seat?|yes, for a fee of 5 euros|Yes, at no charge.|wrong
What is a boom?|a general rise in prices|In a boom prices in general go up.|correct
What is a boom?|a general rise in prices|In a boom prices in general go down.|wrong
What is a lodger?|a person who rents a room or flat from an owner|Someone who rents a flat from its owner.|correct
What is a chandler?|a rope seller|A chandler is a seller of ropes.|correct
What is a hothouse?|a building for growing plants in the warm|It's a place where plants are grown in warmth.|correct
What does ambidextrous mean?|being able to write with both hands|It means you write with both hands.|correct
What does ambidextrous mean?|being able to write with both hands|It means that you write with your left hand.|wrong
What is a warehouse loan?|a loan to buy goods|Money you borrow from a bank in order to purchase goods.|correct
What is the colour of the fence paint?|dark coloured varnish|Dark varnish with color in it.|correct
May I bring a dog?|no, but there is a kennel|Sorry, dogs have to stay out. There's a kennel next door.|correct
Is the course taught here or online?|online|One of the two.|unsure
How do I wash it?|soak it in cold water|Soak it in hot water.|wrong
What does the pump do?|it stops the flow of fuel|It starts the flow of fuel.|wrong
What does the bank do?|it lends money to firms|It borrows money from firms.|wrong
May I pay by card?|yes, from 10 euros|Yes, up to 10 euros.|unsure
What is a premium?|the amount that you pay for your insurance|It's the sum you have to pay your insurer.|correct
What is a premium?|the amount that you pay for your insurance|It's what the insurer gives back to you.|wrong
"""


@pytest.mark.parametrize("row", ROWS.splitlines())
def test_rules_in_other_words(row: str) -> None:
    question, gold, reply, label = row.replace("\\n", "\n").split("|")
    assert Judge().judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind == label


SENT_ON = """\
I can help with menus and allergies, but not with questions about the building.
For questions about the house, please ask one of our guides.
You'd have to check with the county archive.
You're best off asking the staff.
That's a question for our historian.
Our visitor team will be happy to tell you more.
Please have a look at our website.
All details can be found on our website.
Here are some topics I know: opening hours, tickets, tours.
Oh, you've got me there!
I'd have to look that up.
There's nothing about that in my notes.
The leaflet is short. The text doesn't go into that.
It's not for me to say.
Buildings aren't really my thing.
I'd need to know which manor you mean.
I can't give out names, sorry."""


@pytest.mark.parametrize("reply", SENT_ON.splitlines())
def test_who_is_only_sent_on_was_given_no_answer(reply: str) -> None:
    gold = (GoldAnswer("Otto Brenner"),)
    assert Judge().judge(Prompt("Who designed the manor?"), Reply(reply), gold, ()).kind == "refused"


@pytest.mark.parametrize(
    "row",
    [
        "Who should I ask about parking?|the porter|You should ask the gardener.|wrong",
        "Who designed the manor?|Otto Brenner|For questions please ask our guides. It was Otto Brenner.|correct",
        "Who designed the manor?|Otto Brenner|Please see our website. It was Karl Weiss.|wrong",
    ],
)
def test_where_to_turn_may_be_the_answer(row: str) -> None:
    question, gold, reply, label = row.split("|")
    assert Judge().judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind == label
