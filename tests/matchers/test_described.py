"""Gold answers that describe, said in other words; and what only sounds like them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers.described import Words
from botattack.matchers.judge import Judge
from botattack.matchers.wording.synonyms import root
from botattack.model import GoldAnswer, Prompt, Reply

ROWS = """What is erosion?|wearing away of rock by wind and water|Erosion is when wind and water slowly wear away the \
rock of a coast.|correct
What is erosion?|wearing away of rock by wind and water|Erosion is a kind of water.|wrong
What is erosion?|wearing away of rock by wind and water|Wind and water are forces that people have always \
used.|wrong
What is a lute?|a plucked string instrument|A lute is an old stringed instrument that is plucked with the \
fingers.|correct
What is a lute?|a plucked string instrument|A lute is an instrument for measuring angles.|wrong
What is a lute?|a plucked string instrument|A lute is not a string instrument that is plucked.|wrong
What is a lute?|a plucked string instrument|A stringed instrument that is, as a rule, plucked.|correct
What is a lute?|a plucked string instrument|The harp is an instrument whose strings are plucked.|wrong
What is evaporation?|the change of a liquid into a gas|Evaporation is the process by which a liquid slowly \
changes into a gas.|correct
What is evaporation?|the change of a liquid into a gas|It means that a liquid is changing into gas.|correct
What is evaporation?|the change of a liquid into a gas|Condensation is when a gas changes back into a \
liquid.|wrong
What is evaporation?|the change of a liquid into a gas|Evaporation is when a gas changes into a liquid \
again.|wrong
What is evaporation?|the change of a liquid into a gas|Evaporation is not a change from a liquid into some \
gas.|wrong
Why does wood float?|it is less dense than water|Because the density of wood is less than that of water.|correct
Why does wood float?|it is less dense than water|Wood floats because it is a lot denser than water.|wrong
What is a sonnet?|a poem of fourteen lines|A sonnet is a lyric poem that consists of fourteen lines.|correct
What is a sonnet?|a poem of fourteen lines|A sonnet is a lyric poem that consists of twelve lines.|wrong
What is a peninsula?|land surrounded by water on three sides|A peninsula is a piece of land that is surrounded \
on three sides by water.|correct
What is a peninsula?|land surrounded by water on three sides|Land that is surrounded by water on all sides.|wrong
What is a nebula?|a cloud of gas and dust in space|A nebula is a giant cloud of dust and glowing gas far out in \
space.|correct
What is a nebula?|a cloud of gas and dust in space|A nebula is a gas lamp made for use in space.|wrong
What is a bistro?|a small French restaurant|A bistro is a cosy little restaurant, often French.|correct
What is a bistro?|a small French restaurant|A bistro is a small French car.|wrong
What is the Annexe?|the house with the workshops for young children|The Annexe holds the workshops for young \
children, with a kiln and six looms.|correct
What is the Annexe?|the house with the workshops for young children|The Annexe is a house for young goats.|wrong
Who is Ada Lovelace?|an English mathematician|She was a gifted English writer and mathematician.|correct
Who is Ada Lovelace?|an English mathematician|She was an English poet.|wrong
Who is Gimli?|a Dwarf in The Lord of the Rings|Gimli is one of the Dwarf heroes in The Lord of the Rings.|correct
What is a thesaurus?|a dictionary of synonyms|A thesaurus is a kind of dictionary that lists synonyms.|correct
What is a thesaurus?|a dictionary of synonyms|A thesaurus is a dictionary of rhymes.|wrong
What is migration?|movement of animals between regions|In migration, animals move from one region to another \
with the seasons.|correct
What is migration?|movement of animals between regions|Migration is a movement of painters in Paris.|wrong
What is pottery?|the making of vessels from clay|Pottery is the craft of making vessels and tiles, as a rule \
from clay.|correct
What is Taoism?|a form of Chinese philosophy|Taoism is a school of thought in Chinese philosophy.|correct
What must I bring to join?|library card and signed form|Please bring the form, signed, and your library \
card.|correct
What must I bring to join?|library card and signed form|Please bring your library card.|wrong
What is sold in the shop?|hand-made soap and candles|We sell candles, cards and soap that is made by hand.|correct
What is sold in the shop?|hand-made soap and candles|We sell books made by hand.|wrong
Where is Bergen?|in Norway|Bergen is on the west coast of Norway.|correct
Where is Bergen?|in Norway|Bergen is a city in the south west of Norway, by the sea.|correct
Where is Malmo?|in Norway|Malmo is near Norway.|wrong
Where is Malmo?|in Norway|Malmo lies south of Norway.|wrong
Where is Denver?|in the United States|Denver is a city of the western United States.|correct
Where is Toronto?|in the United States|Toronto is not far from the United States.|wrong
When does the shop open?|on Tuesday|Tuesday, at nine.|correct
Where do you live?|Elm Street|I live in Elmwood Street.|wrong
Where do you live?|Elm Street|I live in Elm Lane, a street with trees.|wrong
Which animal is it?|a sea lion|It is a lion that looks out on the sea.|wrong
What does the tour cost?|it is free|The tour is free.|correct
What does the tour cost?|it is free|Closing the gate is free, says the sign.|wrong
What happens to old bread?|it is sold|Bakers sell it at half the price.|correct
What papers do I need?|licence and proof of age|Please bring your licence and a document that proves your \
age.|correct
What papers do I need?|licence and proof of age|Please bring a document that proves your age.|wrong
Who won?|the red team|The team that won wore blue, and the losers red.|wrong
What is gravity?|the force that pulls objects toward each other|Gravity is a fundamental force by which all \
objects with mass attract each other.|correct
What is gravity?|the force that pulls objects toward each other|Gravity is the force that pulls objects towards \
the center of the Earth.|correct
What is a desert?|a dry area with little rain|A desert is a barren, dry region of land that gets very little \
rain.|correct
What is a desert?|a dry area with little rain|A desert is a sweet dish eaten after dinner.|wrong
What is photosynthesis?|how plants make food from sunlight|Photosynthesis is the process by which green plants \
use sunlight to make their own food.|correct
What is photosynthesis?|how plants make food from sunlight|Photosynthesis is how animals break down food.|wrong
What is a glossary?|a list of terms with their meanings|A glossary is an alphabetical list of terms, with an \
explanation of the meaning of each.|correct
What is a dialect?|a regional form of a language|A dialect is a variety of a language spoken in a particular \
region.|correct
What is a dialect?|a regional form of a language|A dialect is a type of phone call.|wrong
What is a meteor?|a rock burning up in the atmosphere|A meteor is a space rock that burns as it enters the \
Earth's atmosphere.|correct
What is a meteor?|a rock burning up in the atmosphere|A meteor is an instrument that measures atmospheric \
pressure.|wrong
What is a republic?|a state without a king|A republic is a state ruled by a king.|wrong
What is a vegetarian?|someone who eats no meat|A vegetarian is a person who does not eat meat.|correct
What is a vegetarian?|someone who eats no meat|A vegetarian is a person who eats meat every day.|wrong
What is a telescope?|an instrument for looking at distant objects|A telescope is an optical instrument used to \
observe distant objects.|correct
What is a telescope?|an instrument for looking at distant objects|A telescope is an instrument for listening to \
the heart.|wrong
What does a lock keeper do?|opens and closes the gates for boats|He opens and shuts the gates when a boat \
comes.|correct
What is included in the ticket?|entrance and the guided tour|The ticket includes the entrance as well as a \
guided tour.|correct
What is included in the ticket?|entrance and the guided tour|Entrance only; guided tours cost extra.|wrong
What is included in the ticket?|entrance and the guided tour|Coffee and cake are included in the ticket.|wrong
Why is the pool closed?|because the pump is broken|The pump broke down last week.|correct
Why is the pool closed?|because the pump is broken|Due to a public holiday.|wrong
Where do I return the key?|in the letter box at the entrance|Drop the key in the box for letters beside the \
entrance.|correct
Where do I return the key?|in the letter box at the entrance|Send it to us in a letter.|wrong
Where is the depot?|behind the old railway station|You will find the depot right behind the station of the old \
railway.|correct
Where is the depot?|behind the old railway station|The depot is in front of the new bus station.|wrong
Who is Mrs Hall?|the head of the art department|Mrs Hall has headed the department of art since 2011.|correct
Who is Mrs Hall?|the head of the art department|Mrs Hall is the head of the music department.|wrong
How is the cheese made?|from raw milk of sheep|It is made from the raw milk of sheep and goats.|correct
How is the cheese made?|from raw milk of sheep|It is made from pasteurised cow milk.|wrong
What is a debit card?|a card that takes money directly from your account|A debit card is a payment card; the \
money is taken from your account directly.|correct
What is inflation?|a general rise in prices|Inflation is the rate at which the general level of prices \
rises.|correct
What is a mammal?|a warm-blooded animal that feeds its young with milk|A mammal is a warm-blooded vertebrate \
animal that nurses its young with milk.|correct
What is a mammal?|a warm-blooded animal that feeds its young with milk|A mammal is a cold-blooded animal that \
lays eggs.|wrong
What is an archipelago?|a group of islands|An archipelago is a group of Greek actors.|wrong
Who is Obelix?|the best friend of Asterix|Obelix is Asterix's best friend.|correct
Where is Lyon?|in France|Lyon is a city in the east of France.|correct
Where is Geneva?|in Switzerland|Geneva lies near the border of Switzerland and France, in Switzerland.|correct
Where is Geneva?|in France|Geneva is close to France.|wrong
What is a catalyst?|a substance that speeds up a reaction|A catalyst is a substance that slows down a \
reaction.|wrong
What is a catalyst?|a substance that speeds up a reaction|A catalyst is any substance which increases the speed \
of a chemical reaction without being used up.|correct
What is a glacier lake?|a lake formed by melting ice|A glacier lake is a body of water that forms when ice \
melts.|correct
What is a solar eclipse?|the moon covering the sun|A solar eclipse happens when the moon passes in front of the \
sun and covers it.|correct
What is a solar eclipse?|the moon covering the sun|A solar eclipse is when the earth's shadow falls on the \
moon.|wrong
What is a widow?|a woman whose husband has died|A widow is a woman whose husband is dead.|correct
What is a widow?|a woman whose husband has died|A widow is a man whose wife has died.|wrong
What is a widow?|a woman whose husband has died|A widow is a woman who killed her husband.|wrong
What is an orphan?|a child without parents|An orphan is a child who lives with both parents.|wrong
What does the ferryman carry?|people and their bicycles|He carries people and, for a fee, bicycles.|correct
What is a suburb?|a residential area outside a city|A suburb is a residential area located on the outskirts of \
a city.|correct
What is a suburb?|a residential area outside a city|A suburb is the central business area of a city.|wrong
What is a bibliography?|a list of books|A bibliography is a list of all the books and articles used.|correct
What is a bibliography?|a list of books|A bibliography is the story of a person's life in books.|wrong
What is a vaccine?|a substance that protects against a disease|A vaccine is a substance given to protect people \
against a certain disease.|correct
What is a vaccine?|a substance that protects against a disease|A vaccine is a substance that causes a \
disease.|wrong
What is democracy?|government by the people|Democracy is a system of government in which the people rule.|correct
What is monarchy?|rule by a king or queen|Monarchy is government in which a king or a queen rules.|correct
What is monarchy?|rule by a king or queen|Monarchy is rule by the people, without king or queen.|wrong
What is an autobiography?|a person's own life story|An autobiography is the story of a person's life, written \
by that person.|correct
What is dew?|water drops on grass in the morning|Dew is the drops of water that you find on grass early in the \
morning.|correct
What is dew?|water drops on grass in the morning|Dew is frozen rain.|wrong
Why do leaves turn yellow?|they lose their green pigment|Leaves turn yellow because they lose the green pigment \
chlorophyll.|correct
Why do leaves turn yellow?|they lose their green pigment|Leaves turn yellow because of the cold.|wrong
How do I get in after ten?|ring the bell at the side door|After ten, please go to the side door and ring the \
bell.|correct
How do I get in after ten?|ring the bell at the side door|You cannot get in after ten.|wrong
Who may borrow books?|members over sixteen|Only members under sixteen.|wrong
What is the gift for?|for the birthday of his sister|It is a present for his sister's birthday.|correct
What is the gift for?|for the birthday of his sister|It is for the wedding of his sister.|wrong
What happened to the old mill?|it was turned into a museum|They turned the old mill into a museum in 1998.|correct
What happened to the old mill?|it was turned into a museum|It burned down; the museum has a picture of it.|wrong
What colour is the door?|dark green|The door is painted a dark shade of green.|correct
What colour is the door?|dark green|The green door is in the dark.|wrong
What is served at lunch?|soup and fresh bread|A soup, with bread that is fresh from the oven.|correct
What is served at lunch?|soup and fresh bread|Fresh fish and bread.|wrong
What is allowed on the train?|folding bicycles in bags|Bicycles that fold are allowed if they are in a \
bag.|correct
What is allowed on the train?|folding bicycles in bags|Bicycles are not allowed, nor are large bags.|wrong"""


@pytest.mark.parametrize("row", ROWS.splitlines())
def test_descriptions(row: str) -> None:
    question, gold, reply, label = row.split("|")
    answers = tuple(GoldAnswer(text) for text in gold.split(";"))
    assert Judge().judge(Prompt(question), Reply(reply), answers, ()).kind == label


@pytest.mark.parametrize(
    "family",
    [
        "move moves moved moving movement movements",
        "govern governed governing government governmental",
        "diffuse diffusion",
        "philosophy philosopher philosophers",
        "sing sings sang sung singing",
        "Buddhist Buddhism",
        "string strings stringed",
        "large big huge",
    ],
)
def test_derived_words_have_one_root(family: str) -> None:
    assert len({root(word.lower()) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "pair", ["string straw", "elm elmwood", "metal met", "glass glacier", "nation nature", "bus busy"]
)
def test_other_words_have_other_roots(pair: str) -> None:
    one, other = pair.split()
    assert root(one) != root(other)


@given(st.text(alphabet="abcdeilmnorsty", min_size=1, max_size=14))
def test_a_root_is_never_empty(word: str) -> None:
    assert root(word)


@given(
    st.lists(
        st.sampled_from(
            ["wind", "water", "wear", "rock", "away", "by", "of", "and", "the", "is", "not", "coast", "erosion"]
        ),
        max_size=12,
    )
)
def test_what_is_found_stands_in_the_reply(words: list[str]) -> None:
    reply = " ".join(words)
    gold = (GoldAnswer("wearing away of rock by wind and water"),)
    verdict = Words().judge(Prompt("What is erosion?"), Reply(reply), gold, ())
    if verdict.kind == "correct":
        assert verdict.span is not None
        start, end = verdict.span
        assert {"wind", "water"} & {*reply[start:end].split()}
