"""Figures in every spelling a person uses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers.figures import plain
from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

SAME = """1.80 euros|It costs €1.80.
1.80 euros|1,80 €
1.80 euros|EUR 1.80
90 cents|€0.90
£3.50|Three pounds fifty.
5 million dollars|$5 million
6|Half a dozen.
24|Two dozen.
3.5 hours|3½ hours
3.5 hours|3 1/2 hours
90 minutes|An hour and a half.
45 minutes|Three quarters of an hour.
45 minutes|¾ of an hour
18 months|A year and a half.
2 weeks|A fortnight.
a week|Seven days.
10 years|A decade.
an hour|60 minutes.
1.5 km|1,5 km
250 g|A quarter of a kilo.
25 %|One quarter of them.
75 percent|Three quarters
one third|1/3
half|0.5
20 %|A fifth
10 %|One in ten.
midnight|At 12 at night
8 pm|8 in the evening
9 am|0900 hours
15 May|15.5.
15 May|15/05
1961|In '61
1905|Nineteen oh five
the 1990s|In the nineties
1800s|19th century
44 BC|44 BCE
100 °C|212 °F
-5 °C|Five degrees below zero.
35 x 45 mm|3.5 by 4.5 cm
20 m²|20 square metres
2 hectares|20,000 square metres
1000|1 000
1,000|1.000
1.5 million|One and a half million
4600|About 4.6 thousand, a third of them from abroad.
2|A couple
twice|two times
120|2 * 60
120|Two hours is two * 60 minutes.
3 to 5|between three and five
18 years|From 18.
Louis XIV|Louis the Fourteenth
World War II|the Second World War
0.5 l|5 dl
once a week|weekly
every day|daily
every two weeks|fortnightly
free|It costs nothing.
0|none
1|Earth has only one moon."""
OTHER = """3 pounds|3 kg
20 square metres|20 metres
8 pm|8 am
100 °C|100 °F
-5 °C|5 degrees
44 BC|44 AD
120|2 * 50
200|A couple of hundred
50|Half.
1|Do I look like one who knows?
6|Half an hour.
3|A third of them.
90 minutes|An hour and a quarter of work.
1.80 euros|€18.0
2 weeks|Two days a week.
1 year|Seventy crowns a year.
the 1990s|In 1890.
33 %|On the third of May."""


def judged(gold: str, reply: str) -> str:
    return Judge().judge(Prompt("How much is it?"), Reply(reply), (GoldAnswer(gold),), ()).kind


@pytest.mark.parametrize("row", SAME.splitlines())
def test_the_same_figure_in_another_spelling(row: str) -> None:
    gold, reply = row.split("|")
    assert judged(gold, reply) == "correct"


@pytest.mark.parametrize("row", OTHER.splitlines())
def test_another_figure_is_another(row: str) -> None:
    gold, reply = row.split("|")
    assert judged(gold, reply) != "correct"


@given(st.text(alphabet="0123456789 .,/€½ahlfourtwoxIVXtimes*-'", max_size=60))
def test_every_character_knows_where_it_came_from(text: str) -> None:
    spelt = plain(text)
    if spelt is not None:
        assert len(spelt.text) == len(spelt.starts) == len(spelt.ends)
        for at in range(len(spelt.text)):
            start, end = spelt.raw_span((at, at + 1))
            assert 0 <= start < end <= len(text)
