"""Numbers, times and dates as people say them: in other units, in parts, side by side, or put forward by the asker."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

ROWS = """Does the ferry leave at 7:40 or at 9:10?|7:40|The ferry leaves at 7:40.|correct
Does the ferry leave at 7:40 or at 9:10?|7:40|The ferry leaves at 9:10.|wrong
Does the ferry leave at 7:40 or at 9:10?|7:40|At 9:10, not at 7:40.|wrong
Does the ferry leave at 7:40 or at 9:10?|7:40|At 7:40, not at 9:10.|correct
Does the ferry leave at 7:40 or at 9:10?|7:40|Either at 7:40 or at 9:10.|unsure
Is the tour at 10.15 or at 14.45?|10.15|The tour begins at 10.15.|correct
Is the tour at 10.15 or at 14.45?|10.15|The tour begins at 14.45.|wrong
Does it hold 1.5 or 2.5 litres?|1.5 litres|It holds 1.5 litres.|correct
Does it hold 1.5 or 2.5 litres?|1.5 litres|It holds 2.5 litres.|wrong
When must I be at the gate?|half an hour before departure|Be at the gate thirty minutes before the train \
departs.|correct
When must I be at the gate?|half an hour before departure|Be at the gate thirty minutes after the train \
departs.|wrong
When must I be at the gate?|half an hour before departure|Be at the gate ten minutes before the train \
departs.|wrong
Until when can I cancel?|two days before arrival|You can cancel up to 48 hours before you arrive.|correct
Until when can I cancel?|two days before arrival|You can cancel up to 24 hours before you arrive.|wrong
When do bats fly out?|an hour after sunset|Sixty minutes after the sun sets.|wrong
When is bail due?|within two weeks of signing|It is due within 14 days of signing the papers.|correct
How tall is Ida?|160 cm|Tom measures 175 centimetres, Ida 160.|correct
How tall is Ida?|160 cm|Tom measures 160 centimetres, Ida 175.|wrong
How tall is Ida?|160 cm|Tom measures 175 centimetres, and Ida only 160.|correct
How long is the red rope?|12 m|The blue rope is 20 metres long and the red rope 12.|correct
How long is the red rope?|12 m|The red rope is 20 metres long and has 12 knots.|wrong
How heavy is the bell?|40 tonnes|The tower weighs 900 tonnes and has 40 bells.|wrong
How long is a day on Mimir?|10 hours 14 minutes|A day on Mimir lasts 10.23 hours.|correct
How long is a day on Mimir?|10 hours 14 minutes|A day on Mimir lasts 10.53 hours.|wrong
How long is a day on Mimir?|10 hours 14 minutes|A day on Mimir lasts 10.14 hours.|wrong
How long does Ana need?|2 h 20 min|She needs 2.33 hours.|correct
How long does Ana need?|2 hours 20 minutes|She needs 2.2 hours.|wrong
How deep is the lake?|1,642 metres|It is about 5, 387 feet deep.|correct
How deep is the lake?|1,642 metres|The lake is 1, 642 metres deep.|correct
How deep is the lake?|1,642 metres|It took 5, 387 people a year.|wrong
How high is Mount Teide? I say 3714 metres.|3,715 metres|Correct! Mount Teide is 3714 metres high.|wrong
How high is Mount Teide? I say 3714 metres.|3,715 metres|It is 3,715 metres high.|correct
How high is Mount Teide? I say 3,715 metres.|3,715 metres|Yes, it is 3,715 metres high.|correct
How high is Mount Teide?|3,715 metres|It is about 3,768 metres high.|wrong
How high is Mount Teide?|3,715 metres|It is about 3,700 metres high.|correct
When will the bridge be ready?|October 2031|In the spring of 2031, perhaps as early as October.|correct
When will the bridge be ready?|October 2031|In the spring of 2032, perhaps as early as October.|wrong
When will the bridge be ready?|October 2031|In 2031, probably in the month of October.|correct
When will the bridge be ready?|October 2031|In the spring of 2031.|unsure
When was the church built?|April 1911|The church was begun in 1911, and the choir sings every April.|unsure
Who is older, Finn or Greta?|Finn|Finn is 52, Greta is only 17.|correct
Who is older, Finn or Greta?|Finn|Finn is 17, Greta is 52.|wrong
Who is younger, Finn or Greta?|Greta|Finn is 52, Greta is only 17.|correct
Greta or Finn, who has more years?|Finn|Finn is 52 and Greta 17.|correct
Which is longer, the Elbe or the Oder?|the Elbe|The Elbe is 1,094 km long, the Oder 866 km.|correct
Which is longer, the Elbe or the Oder?|the Elbe|The Elbe is 794 km long, the Oder 866 km.|wrong
Which is heavier, Finn or Bruno?|Bruno|Bruno weighs 90 kilograms, Finn 70.|correct
Which is heavier, Finn or Bruno?|Bruno|Bruno is 12, Carla is only 3.|wrong
Which is older, the tower or the gate?|the gate|The gate was built in 1320, the tower in 1471.|correct
Which is older, the tower or the gate?|the gate|The gate was built in 1520, the tower in 1471.|wrong
Who lived earlier, Euclid or Euler?|Euclid|Euclid lived around 300 BC, while Euler was born in 1707.|correct
Who lived later, Euclid or Euler?|Euler|Euclid lived around 300 BC, while Euler was born in 1707.|correct
Who wrote Emma, Jane Austen or Emily Bronte?|Jane Austen|Emily Bronte wrote Emma, and Jane Austen wrote Jane \
Eyre.|wrong
Who wrote Emma, Jane Austen or Emily Bronte?|Jane Austen|Jane Austen wrote Emma, and Emily Bronte wrote \
poems.|correct
Who wrote Emma, Jane Austen or Emily Bronte?|Jane Austen|No, Emily Bronte did not; Jane Austen wrote Emma.|correct
Who wrote Emma, Jane Austen or Emily Bronte?|Jane Austen|It is wrong that Emily Bronte wrote Emma. Jane Austen \
did.|correct
What is 30 % of 90?|27|30% of 90 is 0.3 * 90 = 24.|wrong
What is 30 % of 90?|27|30% of 90 is 0.3 * 90 = 27.|correct
What is 30 % of 90?|27|0.3 * 90|correct
Are there four lions?|no;three|Yes, there are three lions and a cub.|unsure
Are there four lions?|no;three|There are three lions.|correct
Are there four lions?|no;three|No, three.|correct
Are there four lions?|no;three|Yes, four.|wrong
How long is the film?|two and a half hours|The film runs for 150 minutes.|correct
How long is the film?|two and a half hours|It runs two hours.|wrong
How old is Ben?|12 years|Anna is 9 years old and Ben 12.|correct
How old is Ben?|12 years|Anna is 12 years old and Ben 9.|wrong
How much is a child's ticket?|£4|Adults pay £9, children £4.|correct
How much is a child's ticket?|£4|Adults pay £4, children nothing.|wrong
When does the course begin?|in March 2030|The course starts in 2030, in the month of March.|correct
Which is cheaper, the bus or the tram?|the bus|The bus costs 2 euros, the tram 3 euros.|correct
Which is cheaper, the bus or the tram?|the bus|The bus costs 4 euros, the tram 3 euros.|wrong
Which is taller, the oak or the elm?|the oak|The elm is 20 metres tall and the oak 25.|correct
Is the shop open until 17:30 or 18:30?|18:30|The shop closes at 17:30.|wrong
How far is it to Kell? I think 41 km.|42 km|Yes, it is 41 km to Kell.|wrong
How far is it to Kell? I think 41 km.|42 km|It is 42 km.|correct
How tall is Mia?|1.55 m|Mia is 1.55 m tall, Leo 1.70 m.|correct
How tall is Mia?|1.55 m|Leo is 1.55 m tall, Mia 1.70 m.|wrong
How tall is Mia?|1.55 m|Leo is 1.70 m tall and his sister Mia 1.55 m.|correct
How long is the Tagus?|1,007 km|The Tagus, which is the longest river of Iberia, flows for 1,007 km; the Ebro \
is 930 km long.|correct
How long is the Tagus?|1,007 km|In Spain and Portugal the Tagus is 1,007 km long, of which 731 km are in \
Spain.|correct
How long is the Tagus?|1,007 km|The river has a length of 1,007 km, and of these 731 km are in Spain before the \
Tagus reaches Portugal 47 km on.|correct
How much does a kilo of cod cost?|12 euros|A kilo of cod costs 12 euros and one of plaice 10.|correct
How far is Rome from Milan?|480 km|Milan is 480 km from Rome.|correct
How far is Rome from Milan?|480 km|It is about 480 km (300 miles) from Milan to Rome.|correct
How high is the Zugspitze?|2,962 m|The Zugspitze is 2962 metres high, and the Watzmann 2713.|correct
How heavy is Rex?|30 kg|Rex weighs 30 kg; last year Rex weighed 25 kg.|correct
Who painted the ceiling, Leo or Rafa?|Leo|Leo painted the ceiling.|correct
Who painted the ceiling, Leo or Rafa?|Leo|It was Leo who painted the ceiling, not Rafa.|correct
Who discovered oxygen, Priestley or Newton?|Priestley|Joseph Priestley discovered oxygen in 1774, long after \
Newton.|correct
Which is older, the Louvre or the Prado?|the Louvre|The Louvre opened in 1793, the Prado in 1819.|correct
Which is older, the Louvre or the Prado?|the Louvre|The Louvre opened in 1893, the Prado in 1819.|wrong
Which is bigger, Malta or Cyprus?|Cyprus|Cyprus has 9,251 square kilometres, Malta 316.|correct
Which is faster, a hare or a fox?|a hare|A hare runs at 70 km/h, a fox at 50 km/h.|correct
Which is longer, a mile or a kilometre?|a mile|A mile is 1.609 kilometres.|correct
Which city has more inhabitants, Graz or Linz?|Graz|Graz has 300,000 inhabitants, Linz 210,000.|correct
Which city has more inhabitants, Graz or Linz?|Graz|Graz has 200,000 inhabitants, Linz 210,000.|wrong
Who is younger, Max or Moritz?|Moritz|Max is 12 and Moritz is 11.|correct
Who is younger, Max or Moritz?|Moritz|Moritz was born in 1990 and Max in 1985.|correct
Who was born first, Bach or Mozart?|Bach|Bach was born in 1685, Mozart in 1756.|correct
Does the course cost anything?|no;it is free|Yes, 20 euros.|wrong
Does the course cost anything?|no;it is free|It is free of charge.|correct
Does the course cost anything?|no;it is free|Yes, it is free.|unsure
Is the tomato a vegetable?|no;a fruit|No, it is a fruit.|correct
Is the tomato a vegetable?|no;a fruit|Botanically it is a fruit.|correct
Is the tomato a vegetable?|no;a fruit|Yes, but botanically it is a fruit.|unsure
Are there any lockers?|yes;40|Yes, there are 40 lockers.|correct
When does the sale start? I heard on 3 May.|4 May|It starts on 3 May.|wrong
How old is the oak? I think 300 years.|310 years|Yes, the oak is about 300 years old.|wrong
How hot does it get? I say 39 degrees.|40 degrees|Right, up to 39 degrees.|wrong
How long is the wall? Some say 21,000 km.|21,196 km|It is 21,196 km long.|correct
How long is the wall? Some say 21,000 km.|21,196 km|It is roughly 21,000 km long.|correct
How long does it take?|1 hour 20 minutes|It takes 1.33 hours.|correct
How long does it take?|1 hour 20 minutes|It takes 1.2 hours.|wrong
How long does it take?|80 minutes|It takes 1.33 hours.|correct
How long was he king?|9 years|He was king for 9.5 years.|wrong
When is the fair?|in May|The fair is in the second week of May.|correct
When is the fair?|in May|You may visit it when it opens.|wrong
When was the treaty signed?|March 1957|It was signed in Rome in March of the year 1957.|correct
When was the treaty signed?|March 1957|In 1957, on the 25th of March.|correct
When was the treaty signed?|25 March 1957|In 1957, on the 25th of March.|correct
When was the treaty signed?|25 March 1957|In 1958, on the 25th of March.|wrong"""


@pytest.mark.parametrize("row", ROWS.splitlines())
def test_figures(row: str) -> None:
    question, gold, reply, label = row.split("|")
    answers = tuple(GoldAnswer(text) for text in gold.split(";"))
    assert Judge().judge(Prompt(question), Reply(reply), answers, ()).kind == label
