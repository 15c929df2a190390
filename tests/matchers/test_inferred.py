"""Yes/no questions answered without either word, and what claims nothing at all."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

FOLLOWS = [
    ("May I fish in the lake?", "You need a licence.", "yes"),
    ("May I fish in the lake?", "Only with a licence.", "yes"),
    ("May I swim in the fountain?", "Only in the pool.", "no"),
    ("Is skating on the pond allowed?", "Only on the rink.", "no"),
    ("Can I visit the tower in summer?", "Only in summer.", "yes"),
    ("Are dogs allowed on the beach?", "They must be on a leash.", "yes"),
    ("Are dogs allowed on the beach?", "Not before October.", "no"),
    ("Are dogs allowed in the castle?", "All rooms except the chapel.", "yes"),
    ("Is filming forbidden in the theatre?", "You need the director's consent.", "no"),
    ("Can I bring my own food?", "Without alcohol.", "yes"),
    ("Can I enter without a ticket?", "You need a ticket.", "no"),
    ("Is the museum open on Sunday?", "From Tuesday to Saturday.", "no"),
    ("Is the museum open on Wednesday?", "From Tuesday to Saturday.", "yes"),
    ("Is the café open on Saturdays?", "Weekdays from eight to six.", "no"),
    ("Is the terrace open in winter?", "From May to September.", "no"),
    ("Is the terrace open in July?", "From May to September.", "yes"),
    ("Is the sauna open to everyone?", "Members only.", "no"),
    ("Can everybody use the climbing wall?", "Climbers must be at least six years old.", "no"),
    ("Can I pay by card?", "Cash only.", "no"),
    ("Is there a lift?", "Two, behind the ticket desk.", "yes"),
    ("Is there a lift?", "Behind the ticket desk.", "yes"),
    ("Are there lockers in the station?", "On platform one.", "yes"),
    ("Are there toilets on the train?", "In every second coach.", "yes"),
    ("Is parking free?", "Two euros an hour.", "no"),
    ("Is parking free?", "Free of charge.", "yes"),
    ("Is there a fee for the guided tour?", "It is free.", "no"),
    ("Is there a fee for the guided tour?", "Three euros.", "yes"),
    ("Do I have to register?", "It is optional.", "no"),
    ("Do I have to register?", "Registration is compulsory.", "yes"),
    ("Do I need a visa?", "You do.", "yes"),
    ("Do I need a visa?", "You don't, for a stay below three months.", "no"),
    ("Does the ferry run at night?", "It does not.", "no"),
    ("Is the bridge open?", "It is closed for repairs.", "no"),
    ("Can I borrow an umbrella?", "At the reception.", "yes"),
    ("Can I research my family in the archive?", "The archivist helps you.", "yes"),
    ("Does the cat like milk?", "Always.", "yes"),
    ("Is the Sun a star?", "Indubitably.", "yes"),
    ("Is the Sun cold?", "Doesn't seem likely.", "no"),
    ("Is the Sun cold?", "There is no reason to think so.", "no"),
    ("Is the Sun cold?", "Not to my knowledge.", "no"),
    ("Is the Sahara in Asia?", "The Sahara is a desert in North Africa.", "no"),
    ("Is Oslo in Sweden?", "It is in Norway.", "no"),
    ("Can I get a refund for my boots?", "Boots are not refunded.", "no"),
    ("Can I get my money back?", "Unfortunately we do not refund tickets.", "no"),
    ("Is it possible to change the date of my lesson?", "Dates cannot be changed, only the teacher.", "no"),
    ("Could you repair the heel of my boot today?", "Heels are never repaired, only replaced.", "no"),
    ("May visitors feed the horses?", "Please leave the feeding to the riders; the horses are shy.", "no"),
    ("Can my daughter touch the glass?", "Please do not touch it.", "no"),
    ("Is smoking allowed on the balcony?", "We ask our guests to refrain from smoking.", "no"),
    ("Am I allowed to smoke on the balcony?", "Smoking is reserved for the courtyard.", "no"),
    ("Can I fly a drone over the field?", "Kindly keep your drone at home.", "no"),
    ("Can I print at the library from my phone?", "Printing works from the reading room only.", "no"),
    ("Can I park a van in the courtyard?", "Parking is only possible in the street.", "no"),
    ("Are phones permitted in the reading room?", "Phones may be used only in the lobby.", "no"),
    ("Can I use the pool?", "The pool is only for members of the club.", "no"),
    ("May I bring a stroller?", "Prams may go everywhere except the tower.", "yes"),
    ("Are bicycles allowed on the ferry?", "Bikes can go on every ferry apart from the express.", "yes"),
    ("Can I rent a shared boat?", "Any three people can rent a boat, provided that one of them is of age.", "yes"),
    ("Can I camp in the forest?", "Anyone may camp there.", "yes"),
    ("Can tikcets be reafunded?", "Unfortunately we do not refund tickets.", "no"),
    ("Are lugages stored at the statoin?", "We do not store luggage at the station.", "no"),
    ("Can I borow an umbrela?", "You can borrow an umbrella at the desk.", "yes"),
]
FOLLOWS_NOT = [
    ("May I fish in the lake?", "Only people of the village."),
    ("Must swimmers wear a cap?", "Only people with long hair."),
    ("May I barbecue on the lawn?", "On the stone circles."),
    ("Can I take my bicycle on the tram?", "Ring the patrol on 3030 after ten."),
    ("Is a tomato a fruit?", "A flock of eighty sheep."),
    ("Is a whale a fish?", "In the sea."),
    ("Is there a dress code?", "Ask me another question."),
    ("Did Einstein invent the telephone?", "He proved the theory of relativity."),
    ("Is fire cold?", "That's feasible."),
    ("Is the bridge open?", "It was built in 1912."),
    ("Is Oslo in Sweden?", "Rome is in Italy."),
    ("Is Oslo in Sweden?", "Oslo is a city."),
    ("Is parking free?", "Free on Sundays, else two euros."),
    ("Do I need a ticket?", "Tickets are sold at the desk."),
    ("Can I change my flight on the day of travel?", "Names cannot be changed."),
    ("Do lions eat grass?", "Lions do not eat at night."),
    ("Is the café open on Sunday?", "The café does not open before nine."),
    ("Can I take my dog to the garden?", "Please leave your umbrella at the entrance."),
    ("May I use a tripod?", "Prams may go everywhere except the tower."),
    ("Can I rent a boat?", "Any two people can share a room."),
    ("Can I sing in the hall?", "The restaurant is only for members."),
    ("Is cash accepted?", "Please leave the keys to the porter."),
    ("Is the Sun a star?", "At the harbour."),
    ("Was Oslo the old capital?", "Every Tuesday at four."),
    ("May my cat sit on the lawn?", "Lectures start in October."),
    ("Are you a penguin?", "Twenty-eight degrees all year."),
    ("Can my sister see my letters?", "Any two people can share a letter."),
    ("Do bees sleep?", "Beer is sold only in the lobby."),
    ("Is the mouth of the river far?", "The tickets of a month cannot be returned."),
]


def judged(question: str, gold: str, reply: str) -> str:
    return Judge().judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind


@pytest.mark.parametrize(("question", "reply", "side"), FOLLOWS)
def test_what_follows_is_an_answer(question: str, reply: str, side: str) -> None:
    other = "no" if side == "yes" else "yes"
    assert judged(question, side, reply) == "correct"
    assert judged(question, other, reply) == "wrong"


@pytest.mark.parametrize(("question", "reply"), FOLLOWS_NOT)
def test_what_does_not_follow_is_none(question: str, reply: str) -> None:
    assert judged(question, "yes", reply) != "correct"
    assert judged(question, "no", reply) != "correct"


REMARKS = [
    ("How many moons has Mars?", "Unlikely."),
    ("How many moons has Mars?", "Doesn't seem likely."),
    ("Who painted Guernica?", "For all I know."),
    ("Who painted Guernica?", "Not that I know of."),
    ("Where is Oslo?", "There is no reason to think so."),
    ("Where is Oslo?", "That may be true."),
    ("Where is Oslo?", "Within the realm of possibility."),
    ("Where is Oslo?", "That could be the case."),
    ("Where is Oslo?", "I can imagine it."),
    ("When did the war end?", "You don't have to ask."),
    ("When did the war end?", "We were discussing you -- not me."),
    ("When did the war end?", "You seem to be quite positive."),
    ("When did the war end?", "It's obvious."),
    ("When did the war end?", "What answer would please you most ?"),
    ("What is rain?", "Does rain worry you ?"),
    ("What is rain?", "In what way ?"),
    ("What is rain?", "Why not?"),
]
ANSWERS = [
    ("When did the war end?", "Recently."),
    ("When did the war end?", "A while ago."),
    ("When did the war end?", "Sometime in the last century."),
    ("Which car is theirs?", "The blue one, I think."),
    ("How many moons has Mars?", "Three, as far as I know."),
    ("How many moons has Mars?", "About one million."),
    ("Who painted Guernica?", "You know the man: Matisse."),
    ("Who painted Guernica?", "Nobody."),
    ("Is it likely or unlikely to rain?", "Likely."),
    ("What do parrots do?", "They talk."),
    ("Where is Oslo?", "You can see it in Sweden."),
    ("Where is Oslo?", "Sweden? I wouldn't know."),
    ("How did he die?", "Carefully."),
]


@pytest.mark.parametrize(("question", "reply"), REMARKS)
def test_a_remark_claims_nothing(question: str, reply: str) -> None:
    assert judged(question, "quicksilver", reply) == "refused"


@pytest.mark.parametrize(("question", "reply"), ANSWERS)
def test_whatever_stands_in_the_answers_place_is_one(question: str, reply: str) -> None:
    assert judged(question, "quicksilver", reply) == "wrong"
