"""Gold answers that a sentence gives to something else, that are compared, or that the reply takes back."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

ROWS = """Who sang?|Maria Lindt;Lindt|Maria Lindt sang.|correct
Who sang?|Maria Lindt;Lindt|Mrs Lindt sang.|correct
Who sang?|Maria Lindt;Lindt|The singer was Lindt.|correct
Who sang?|Maria Lindt;Lindt|M. Lindt sang.|correct
Who won?|Ruth Abebe|Ruth Abele won.|wrong
Who won?|Ruth Abebe|Ruth Abbebe won.|correct
Who won?|Catherine Moser|Katherine Moser won.|correct
How many colours are in a rainbow?|7|It has seven colours and 2 ends.|correct
How many legs does a spider have?|8|Insects have 6 legs, spiders 8.|correct
How many keys are on a piano?|88|There are 52 white keys and 36 black ones, 88 in all.|correct
How long does it take?|4 hours|It takes 2.5 hours, which is 4 hours.|unsure
How long does it take?|4 hours|It takes 4 hours, which is 240 minutes.|correct
How much was it?|2.4 million euros|2.4 million euros, approximately 3.5 million euros.|unsure
How heavy is it?|3200 kg|It weighs 3,200 kg and weighs 1.5 tonnes.|unsure
How heavy is it?|3200 kg|It weighs 3,200 kg and carries 1.5 tonnes.|correct
How much is it?|4 crowns|A new card costs 4 crowns, a lost one 6 crowns.|correct
When was the battle?|1815|It took place in 1815, when the emperor, who was born in 1769, came back.|correct
When did the war end?|1945|The war, which began in 1939, ended in 1945.|correct
Where does the professor teach?|Heidelberg|The professor of law teaches at Heidelberg.|correct
Where is the Great Wall?|China|The Great Wall of China.|wrong
Where is the Great Wall?|China|You're referring to the Great Wall of China.|wrong
Where is the Great Wall?|China|The Great Wall of China is in China.|correct
Where is the Great Wall?|China|In the north of China.|correct
Where is Mount Vernon, Texas?|Texas|I would think Mount Vernon is in Texas.|correct
Where is the Texas museum?|Texas|The Texas museum.|wrong
Which is older, Oslo or Ruhla?|Oslo|Oslo is older than Ruhla.|correct
Which is older, Oslo or Ruhla?|Oslo|Ruhla is younger than Oslo.|correct
Which is older, Oslo or Ruhla?|Oslo|Oslo is younger than Ruhla.|wrong
Which is older, Oslo or Ruhla?|Oslo|Ruhla is older than Oslo.|wrong
Which is farther north, Oslo or Rome?|Oslo|Rome is 2,000 km north of Oslo.|wrong
Which is farther north, Oslo or Rome?|Oslo|Rome lies south of Oslo.|correct
Which is heavier, lead or gold?|lead|The answer is gold. A litre of lead weighs 11 kilograms.|wrong
Which is bigger, the Sun or Mars?|the Sun|The Sun is a hot star in vast space, a long way off; Mars is a planet.|wrong
Which is bigger, the Sun or Mars?|the Sun|The Sun, as it holds most of the mass. Mars is small.|correct
Which animal is the tallest?|giraffe|The heaviest animal is probably a male giraffe.|wrong
Which animal is the tallest?|giraffe|The giraffe is the highest of all.|correct
How deep is the fjord?|1.1 km|The length is 38 kilometres, and the width is 1.1 kilometres.|wrong
How deep is the fjord?|1.1 km|It has a depth of 1.1 kilometres and a length of 38.|correct
What share are girls?|40 %|Boys make up 40 %.|wrong
Who found radium?|Marie Curie|Maybe Marie Curie, maybe Edison, maybe Nobel.|wrong
Who found radium?|Marie Curie|Maybe Marie Curie, maybe Edison.|unsure
How long is it valid?|6 years|Six years or until it is lost.|correct
How long is it valid?|6 years|Six years or more.|correct
How long is it valid?|6 years|Six years or seven.|unsure
Which river is the longest?|Amazon;Amazon River|It is not the Amazon, it is the Amazon River.|correct
Which river is the longest?|Amazon|It is not the Nile, it is the Amazon.|correct
On which day is it closed?|Monday|On the first Monday of the month.|wrong
Which tax applies?|no|Nothing in the first two years.|correct
Which tax applies?|no|Nothing but the usual five per cent.|wrong
In which city is it? I say Rome.|Rome|You are correct. I'm not sure.|correct
What is the capital? Is it Ottawa?|Ottawa|I heard it was Toronto. Yes.|unsure
Do I need a visa?|not for EU citizens|Citizens of the EU do not need one.|correct
Do I need a visa?|not for EU citizens|Citizens of the EU need one.|wrong
Is a whale a fish?|no|The answer is yes, but in a way the answer is no.|unsure
In which century did he die?|the 17th century|He died in 1613.|correct
In which century did he die?|the 17th century|He died in 1713.|wrong
In which century did he die?|the 17th century|He was born in 1564 and died in 1613.|wrong
In which decade was it?|the 1960s|On 20 July 1969.|correct
In which decade was it?|1960s|In 1970.|wrong
Which came first, the wheel or the car?|the wheel|The wheel came first, long before the car.|correct
Which came first, the wheel or the car?|the wheel|The wheel and the car are two iconic things in our history.|wrong
Which metal is the lightest? Lithium, iron or lead?|lithium|The lightest metal is indeed lithium, iron, and lead.|wrong
How high is it?|46 m|46.57 metres.|wrong
How high is it?|46 m|46.3 metres.|correct"""


SERVICE = """Does the hotel have a pool?|no|Not at the moment, but the lake is a minute away.|correct
Does the hotel have a pool?|yes|Two of them, one indoors and one on the roof.|correct
Does the hotel have a pool?|no|The lake is next to it.|wrong
Is breakfast included?|no|Breakfast costs 12 euros extra.|correct
Is breakfast included?|no|It is 12 euros a head.|correct
May I bring my dog to the room?|yes|Dogs are welcome for 15 euros a night.|correct
May I bring my dog to the room?|no|We cannot take animals.|correct
Can I cancel for free?|yes|Up to 24 hours before arrival.|correct
Is the gym open on Sundays?|no|Monday to Saturday, six to ten.|correct
Is the gym open on Sundays?|yes|Every day from six to ten.|correct
Is the gym open on Sundays?|yes|On Sundays from nine.|correct
Is the gym open at night?|yes|Around the clock, with your card.|correct
Do students get a discount?|yes|Students pay half.|correct
Do I have to book?|yes|Please do, at least two days ahead.|correct
Do you deliver to Norway?|yes|To all of Scandinavia.|wrong
Do you ship abroad?|yes|To more than forty countries.|correct
Is there a cloakroom?|yes|Beside the main entrance, one euro a coat.|correct
Is there parking?|no|The nearest car park is on Mill Street.|wrong
Can I pay by cheque?|no|Cards and cash only.|correct
Can I pay in dollars?|no|Euros only.|correct
Are the shoes waterproof?|no|They keep off light rain, no more.|wrong
Are the shoes waterproof?|yes|They are, up to the laces.|correct
Are the shoes vegan?|yes|Nothing in them comes from an animal.|wrong
Can the jacket be machine washed?|yes|At thirty degrees, without softener.|correct
Is a visa needed?|no|Not for stays of up to 90 days.|correct
Is a visa needed?|yes|You need one from the embassy.|correct
Is the water drinkable?|yes|It comes from our own spring and is tested every month.|wrong
Is smoking allowed in the rooms?|no|On the balcony only.|correct
Is smoking allowed in the rooms?|no|Only on the balcony.|correct
Are children welcome?|yes|From the age of six.|correct
Must I wear a helmet?|yes|Everyone must.|correct
Must I wear a helmet?|no|It is up to you.|correct
Is the tower higher than the church?|yes|By twelve metres.|correct
Can penguins fly?|no|They swim instead.|wrong
Did the team win?|no|They lost by two goals.|correct
Did the team win?|yes|By two goals.|correct
Is Pluto a planet?|no|It has been a dwarf planet since 2006.|wrong
Was Napoleon short?|no|He was of average height.|wrong
Which gas fills balloons?|helium|Helium, or hot air.|unsure
Which class burns most?|spinning|Spinning or boxing, opinions differ.|unsure
What is the national flower?|cherry blossom;chrysanthemum|Some say the cherry blossom, others the chrysanthemum.|correct
What is the national flower?|cherry blossom|Some say the cherry blossom, others the chrysanthemum.|unsure
Who conducts?|Anna Berg;Berg|Anna Berg or her deputy.|unsure
How much is it?|€95|Ninety-five euros, or 80 with a card.|correct
How much is a day ticket?|38 euros|Day tickets are 38 euros, 19 for those under 18.|correct
When does it land?|18:05|It leaves at 16.20 and lands at 18.05.|correct
When does it leave?|16:20|It leaves at 16.20 and lands at 18.05.|correct
When does it land?|16:20|It leaves at 16.20 and lands at 18.05.|wrong
Who runs the bakery?|Ida|The dairy is run by Tom, the bakery by Ida.|correct
Who was the previous rector?|Emil Strand;Strand|Her predecessor was the botanist Emil Strand.|correct
Who is the rector?|Strand|Her predecessor was the botanist Emil Strand.|wrong
Who is the rector?|Yuki Haraldsen|Emil Strand was followed by Yuki Haraldsen.|correct
Which hospital?|Grange Hospital|We do not; please go to Grange Hospital.|correct
Where are they made?|Portugal|They are designed in Romania and sewn in Portugal.|correct
Where are they designed?|Portugal|They are designed in Romania and sewn in Portugal.|wrong
How many students?|4,600|Nearly 4,600.|correct
How many students?|4,600|4,500 to 4,700.|wrong
How many students?|4,600|Just under five thousand.|wrong
How long is it?|42.195 km|A little over 42 kilometres.|correct
Until when is it open?|October|Until the last Sunday in October.|correct
What is it made of?|wool|Not wool but cotton.|wrong
What is it made of?|wool|Wool, cotton and silk.|correct
What is it made of?|80 % wool|Four fifths wool.|correct
How long is the warranty?|2 years|24 months.|correct
How long is the warranty?|2 years|A year, two for the frame.|wrong
How old must I be?|18|You must be of age, that is eighteen.|correct
How many rooms?|24|Two dozen, eight of them with a view.|correct
What time is breakfast?|7 to 10|From seven till ten.|correct
When is it closed?|Mondays|Every Monday.|correct
When is it closed?|in January|All of January.|correct
Who may swim?|members|Members and their guests.|correct"""


OPEN = """Who wrote Faust?|Goethe|You are objective and sensible.|refused
How long is the trial?|30 days|You have sixty days.|wrong
Who may enter?|members|You are allowed in with a pass.|wrong
Spell cat.|c-a-t|Tell me about your likes and dislikes?|refused
What do you get if you mix red and white?|pink|I like to meet new people online.|refused
What do you call a baby cat?|kitten|I call it a puppy.|wrong
Has man walked on Mars?|no|That is a very gender-specific question.|refused
Have humans been to the Moon?|no|I've never thought about  have humans been to the Moon  .|refused
What is your mother's name?|none|I've told you before, I don't care about names -- please continue.|refused
Would a stone float?|no|I don't care.|refused
I believe that spiders have eight legs, how many legs do spiders have?|8;eight|Can you tell me any gossip?|refused
What is the capital of Kenya?|Nairobi|You should know that.|refused
What is the capital of Kenya?|Nairobi|That is for me to know.|refused
What is the capital of Kenya?|Nairobi|I could tell you, but then I would have to charge you.|refused
What is the capital of Kenya?|Nairobi|A city in Africa.|wrong
What is the capital of Kenya?|Nairobi|Somewhere in Africa.|wrong
What is the capital of Kenya?|Nairobi|It is a beautiful country.|wrong
What is the capital of Kenya?|Nairobi|Kenya is a country in East Africa.|wrong
What is the capital of Kenya?|Nairobi|Do you live there?|refused
What is the capital of Kenya?|Nairobi|What is the capital of Kenya?|wrong
What is the capital of Kenya?|Nairobi|You are asking for the capital of Kenya.|wrong
What is the capital of Kenya?|Nairobi|I do not have the answer, sorry.|refused
What is the capital of Kenya?|Nairobi|The capital of Kenya is Nairobi, or so I am told.|correct
What is the capital of Kenya?|Nairobi|Nairobi, I guess.|correct
What is the capital of Kenya?|Nairobi|Nairobi? No, Mombasa.|wrong
What is the capital of Kenya?|Nairobi|Mombasa? No, Nairobi.|correct
What is the capital of Kenya?|Nairobi|Mombasa is the largest port; the capital is Nairobi.|correct
What is the capital of Kenya?|Nairobi|The capital is Mombasa, although many people think it is Nairobi.|wrong
What is the capital of Kenya?|Nairobi|Nairobi used to be the capital, now it is Mombasa.|wrong
What is the capital of Kenya?|Nairobi|Either Nairobi or Mombasa.|unsure
What is the capital of Kenya?|Nairobi|Nairobi or Mombasa or Kisumu.|wrong
What is the capital of Kenya?|Nairobi|It starts with N.|wrong
What is the capital of Kenya?|Nairobi|nairobi|correct
What is the capital of Kenya?|Nairobi|I am not sure, maybe Nairobi.|correct
What is the capital of Kenya?|Nairobi|I am not sure, maybe Mombasa.|wrong
What is the capital of Kenya?|Nairobi|Nairobi was founded in 1899.|correct
What is the capital of Kenya?|Nairobi|I have been to Nairobi once.|wrong
What is the capital of Kenya? Is it Nairobi?|Nairobi|Correct.|correct
What is the capital of Kenya? Is it Nairobi?|Nairobi|No, it is not.|wrong
What is the capital of Kenya? Is it Mombasa?|Nairobi|Yes.|wrong
What is the capital of Kenya? Is it Mombasa?|Nairobi|No.|wrong
What is the capital of Kenya? Some say Mombasa.|Nairobi|They are wrong, it is Nairobi.|correct
What is the capital of Kenya? Some say Nairobi.|Nairobi|They are right.|correct
What is the capital of Kenya? Mombasa or Nairobi?|Nairobi|The second one.|correct
What is the capital of Kenya? Mombasa or Nairobi?|Nairobi|Not Mombasa.|wrong
What is the capital of Kenya? Mombasa or Nairobi?|Nairobi|Nairobi, not Mombasa.|correct
What is the capital of Kenya? Mombasa or Nairobi?|Nairobi|Both.|unsure
Who wrote Emma?|Jane Austen;Austen|Jane Eyre.|wrong
Who wrote Emma?|Jane Austen;Austen|It was written by an Englishwoman.|wrong
Who wrote Emma?|Jane Austen;Austen|The author of Persuasion.|wrong
Who wrote Emma?|Jane Austen;Austen|Miss Austen did.|correct
Who wrote Emma?|Jane Austen;Austen|J. Austen|correct
Who wrote Emma?|Jane Austen;Austen|Austin Powers|wrong
Who wrote Emma?|Jane Austen;Austen|A sister of Jane Austen.|wrong
Who wrote Emma?|Jane Austen;Austen|Emma was written by Charlotte Brontë, a rival of Jane Austen.|wrong
When did it begin?|1789|1789-1799|correct
When did it begin?|1789|Between 1780 and 1790.|wrong
When did it begin?|1789|In the late 18th century.|wrong
When did it begin?|14 July 1789|July 1789|unsure
When did it begin?|14 July 1789|15 July 1789|wrong
When did it begin?|14 July 1789|1789|unsure
How many moons?|79|More than seventy.|wrong
How many moons?|79|79 or 80|unsure
How many moons?|79|About 80.|wrong
How many moons?|79|At least 79.|correct
How many moons?|79|Seventy nine moons|correct
Is it red?|yes|I think so.|correct
Is it red?|yes|I doubt it.|wrong
Is it red?|no|I doubt it.|correct
Is it red?|yes|Ask somebody else.|refused
Is it red?|yes|That is a matter of taste.|wrong
Is it red?|yes|Who told you that it is red ?|refused
Is it red?|yes|Of course it is.|correct
Is it red?|no|It is green.|wrong
What is the capital of Kenya?|Nairobi|The capital is Nairobi, Mombasa and Kisumu are ports.|correct
Who founded it?|Bill Gates and Paul Allen|Bill Gates and Paul Allen were its founders.|correct
What is the capital of Kenya?|Nairobi|It is Nairobi, although many people think it is Mombasa.|correct
What is the capital of Kenya?|Nairobi|Nairobi used to be the capital.|wrong
What was the capital of Kenya before?|Mombasa|Mombasa used to be the capital.|correct
What is the capital of Kenya?|Nairobi|I am not sure, maybe later.|refused
Where have you been?|Nairobi|I have been to Nairobi.|correct
What is the capital of Kenya? Some say Mombasa.|Nairobi|They are right.|wrong"""


@pytest.mark.parametrize("row", [*ROWS.splitlines(), *SERVICE.splitlines(), *OPEN.splitlines()])
def test_replies(row: str) -> None:
    question, gold, reply, kind = row.split("|")
    answers = tuple(GoldAnswer(text) for text in gold.split(";"))
    verdict = Judge().judge(Prompt(question), Reply(reply), answers, ())
    assert verdict.kind == kind, verdict
