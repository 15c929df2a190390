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
Are there four lions?|no;three|Yes, four.|wrong"""


@pytest.mark.parametrize("row", ROWS.splitlines())
def test_figures(row: str) -> None:
    question, gold, reply, label = row.split("|")
    answers = tuple(GoldAnswer(text) for text in gold.split(";"))
    assert Judge().judge(Prompt(question), Reply(reply), answers, ()).kind == label
