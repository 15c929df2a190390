"""Gold answers that a sentence gives to something else, that are compared, or that the reply takes back."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

ROWS = """Who sang?|Maria Lindt;Lindt|Marie Lindt sang.|wrong
Who sang?|Maria Lindt;Lindt|Maria Lindt sang.|correct
Who sang?|Maria Lindt;Lindt|Mrs Lindt sang.|correct
Who sang?|Maria Lindt;Lindt|The singer was Lindt.|correct
Who sang?|Maria Lindt;Lindt|M. Lindt sang.|correct
Who won?|Ruth Abebe|Ruth Abele won.|wrong
Who won?|Ruth Abebe|Ruth Abbebe won.|correct
Who won?|Catherine Moser|Katherine Moser won.|correct
How many colours has a rainbow?|7|A rainbow has seven bands, each with 27 colours.|wrong
How many colours are in a rainbow?|7|It has seven colours and 2 ends.|correct
How many legs does a spider have?|8|Insects have 6 legs, spiders 8.|correct
How many keys are on a piano?|88|There are 52 white keys and 36 black ones, 88 in all.|correct
How long does it take?|4 hours|It takes 2.5 hours, which is 4 hours.|unsure
How long does it take?|4 hours|It takes 4 hours, which is 240 minutes.|correct
How much was it?|2.4 million euros|2.4 million euros, approximately 3.5 million euros.|unsure
How heavy is it?|3200 kg|It weighs 3,200 kg and weighs 1.5 tonnes.|unsure
How heavy is it?|3200 kg|It weighs 3,200 kg and carries 1.5 tonnes.|correct
How much is it?|4 crowns|A new card costs 4 crowns, a lost one 6 crowns.|correct
When was the battle?|1815|It took place in 1995, during the reign of a king who ruled until 1815.|wrong
When was the battle?|1815|It took place in 1815, when the emperor, who was born in 1769, came back.|correct
When did the war end?|1945|The war, which began in 1939, ended in 1945.|correct
Where does the professor teach?|Heidelberg|The professor at Heidelberg teaches at Freiburg.|wrong
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
Which is older, Oslo or Ruhla?|Oslo|Oslo was founded in 1040, Ruhla in 1355.|correct
Which is older, Oslo or Ruhla?|Oslo|Oslo was founded in 1355, Ruhla in 1040.|wrong
Who lived earlier, Plato or Darwin?|Plato|Plato was born around 428 BC, while Darwin was born in 1809.|correct
Which is farther north, Oslo or Rome?|Oslo|Rome is 2,000 km north of Oslo.|wrong
Which is farther north, Oslo or Rome?|Oslo|Rome lies south of Oslo.|correct
Which is longer, the Nile or the Rhine?|the Nile|The Nile is 6,650 km long, the Rhine 1,230 km.|correct
Which is shorter, the Nile or the Rhine?|the Rhine|The Nile is 6,650 km long, the Rhine 1,230 km.|correct
Which is heavier, lead or gold?|lead|The answer is gold. A litre of lead weighs 11 kilograms.|wrong
Which is bigger, the Sun or Mars?|the Sun|The Sun is a star in the vast expanse of space. Mars is a planet.|wrong
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
Who was the oldest?|Elway|The oldest was not Elway, but a man named Elway.|unsure
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
Which came first, the wheel or the car?|the wheel|The wheel and the car are two of the most iconic things in history.|wrong
Which metal is the lightest? Lithium, iron or lead?|lithium|The lightest metal is indeed lithium, iron, and lead.|wrong
How high is it?|46 m|46.57 metres.|wrong
How high is it?|46 m|46.3 metres.|correct"""


@pytest.mark.parametrize("row", ROWS.splitlines())
def test_replies(row: str) -> None:
    question, gold, reply, kind = row.split("|")
    answers = tuple(GoldAnswer(text) for text in gold.split(";"))
    verdict = Judge().judge(Prompt(question), Reply(reply), answers, ())
    assert verdict.kind == kind, verdict
