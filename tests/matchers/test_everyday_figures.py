"""Hours, prices, lengths and numbers as shops, hotels and town halls write them, and as bots say them."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

ROWS = """What time does the library close on Saturdays?|5 pm|On Saturdays we shut our doors at five in the \
afternoon, an hour earlier than during the week.|correct
What time does the library close on Saturdays?|5 pm|The library is open until 17:00 on Saturdays.|correct
What time does the library close on Saturdays?|5 pm|On weekdays we close at 5 pm, but on Saturdays it's 1 pm.|wrong
When does breakfast start?|7 am|Breakfast is served from 7 until 10:30 every morning in the garden room.|correct
When does breakfast start?|7 am|Breakfast runs until 7 am.|wrong
When was the mill built?|around 1850|In 1849.|correct
When was the mill built?|around 1850|In 1780.|wrong
How many live in the valley?|about 100|It has 140 inhabitants.|wrong
How many live in the valley?|about 100|It has 51 inhabitants.|wrong
How many live in the valley?|about 1,000|There were 1,400.|wrong
How many live in the valley?|about 5,000|There were 4,800.|correct
How many guests fit in?|up to 40|40 at the very least.|wrong
Who rides for free?|people over 65|Nobody over 65.|wrong
What discount do members get?|20 percent off tickets|20% off drinks.|wrong
What discount do members get?|20 percent off tickets|20% off the normal price.|correct
What are the opening hours?|10 am to 6 pm|Closed 10-18.|wrong
When does the market take place?|Saturday and Sunday|Not at the weekend.|wrong
At what temperature does it boil?|373 K|At 373 degrees Celsius.|wrong
At what temperature does it boil?|373 K|At 100 degrees Celsius.|correct
How much is the ticket?|£6|Until last year it was £6.|wrong
What are your opening hours?|9 am to 5 pm|We're open from nine to five, Monday to Friday. We look forward to \
seeing you!|correct
What are your opening hours?|9 am to 5 pm|We are open between 9:00 and 17:00.|correct
What are your opening hours?|9 am to 5 pm|Our doors open at 9 and we close at 6.|wrong
How long does the tour last?|75 minutes|The guided tour takes about an hour and a quarter.|correct
How long does the tour last?|75 minutes|Plan on one hour and fifteen minutes, plus time for the gift shop.|correct
How long does the tour last?|75 minutes|The tour lasts three quarters of an hour.|wrong
How long does the tour last?|an hour and a quarter|It lasts 75 minutes, and there is a short break halfway.|correct
How long is the return period?|14 days|You have a fortnight to return anything you're unhappy with.|correct
How long is the return period?|14 days|You can send items back within two weeks of delivery.|correct
How long is the return period?|14 days|Returns are accepted for 30 days; refunds take up to 14 days.|wrong
How long does the workshop last?|one and a half days|The workshop takes a day and a half.|correct
How long does the workshop last?|one and a half days|It runs for 1.5 days, from Friday noon to Saturday \
evening.|correct
What coin do I need for the locker?|£1 coin|The lockers take a one-pound coin, which you get back.|correct
What coin do I need for the locker?|£1 coin|You'll need a pound coin for the locker; it is returned after use.|correct
What coin do I need for the locker?|£1 coin|You will need a £2 coin.|wrong
How much is parking?|free|Parking is free of charge for all our guests.|correct
How much is parking?|free|There is no charge for parking.|correct
How much is parking?|free|You can park here at no cost, just register at reception.|correct
How much is parking?|free|Parking costs £5 a day; wifi is free.|wrong
How much is parking?|£5 per day|Parking isn't free, I'm afraid: it's five pounds a day.|correct
How much does a child ticket cost?|£6.50|A ticket for a child is six pounds fifty.|correct
How much does a child ticket cost?|£6.50|Adults pay £12.50 and children £6.50.|correct
How much does a child ticket cost?|£6.50|Adults pay £6.50, children get in free.|wrong
How much does a set menu cost?|£12.50|Our set menu is twelve pounds fifty and includes a drink.|correct
How much does a set menu cost?|from £9|Set menus start at £9.|correct
How much does a set menu cost?|from £9|Prices begin at nine pounds per person.|correct
How much are the towels?|£5 each|Towels can be hired for five pounds apiece.|correct
How much are the towels?|£5 each|You can rent a towel for £5.|correct
How much are the towels?|£5 each|A towel is £3, a robe is £5.|wrong
How many eggs are in a box?|12|Each box holds a dozen eggs.|correct
How many eggs are in a box?|a dozen|There are 12 eggs in every box.|correct
How many gloves are in a pack?|2|You get one pair per pack.|correct
How many gloves are in a pack?|a pair|Each pack contains two gloves.|correct
How often does the shuttle run?|every 20 minutes|There's a shuttle three times an hour.|correct
How often does the shuttle run?|every 20 minutes|The shuttle leaves every twenty minutes from platform 4.|correct
How often does the shuttle run?|every 20 minutes|The ride takes 20 minutes.|wrong
How often does the shuttle run?|every half hour|It goes every 30 minutes from the main entrance.|correct
How often does the shuttle run?|every half hour|Two buses an hour leave from the station.|correct
How often are the bins emptied?|twice a week|We collect rubbish two times a week, on Mondays and Thursdays.|correct
How often are the bins emptied?|twice a week|Bins are emptied once every two weeks.|wrong
How often are the bins emptied?|every two weeks|Your bin is emptied fortnightly.|correct
How often are the bins emptied?|every two weeks|We come once a fortnight.|correct
How often are the bins emptied?|weekly|Bins are collected once a week.|correct
How often are the bins emptied?|weekly|We empty them every week, usually on a Tuesday.|correct
How often does the newsletter appear?|monthly|You'll get it once a month in your inbox.|correct
How often does the newsletter appear?|four times a year|Our newsletter comes out quarterly.|correct
How often does the newsletter appear?|quarterly|We send it every three months.|correct
How often does the newsletter appear?|twice a year|It is published every six months.|correct
How often does the newsletter appear?|daily|We send it out every day at noon.|correct
What discount do students get?|20%|Students save a fifth on all tickets.|correct
What discount do students get?|20%|Students get twenty per cent off with a valid card.|correct
What discount do students get?|20%|Seniors get 20% off; students 15%.|wrong
What discount do members get?|half price|Members pay 50% less.|correct
What discount do members get?|50%|Members get in for half price.|correct
What is the minimum age for the gym?|16|You have to be at least sixteen years old to join.|correct
What is the minimum age for the gym?|16|Anyone aged 16 and over is welcome.|correct
What is the minimum age for the gym?|16|You have to be 18 to train alone; under-16s can swim.|wrong
What is the minimum age for the gym?|16|No one younger than 16 may join.|correct
How far is the hotel from the station?|500 metres|We are half a kilometre from the station, an easy walk.|correct
How far is the hotel from the station?|500 metres|It's 0.5 km away.|correct
How far is the hotel from the station?|500 metres|The hotel is 500 feet away from the station.|wrong
How far is the beach?|10 minutes' walk|The beach is a ten-minute walk from our front door.|correct
How far is the beach?|10 minutes' walk|It's a 10-minute drive.|wrong
How heavy may my suitcase be?|23 kg|Each suitcase can weigh a maximum of 23 kilos.|correct
How heavy may my suitcase be?|23 kg|Hand luggage is limited to 8 kg and checked bags to 23 kg.|correct
How heavy may my suitcase be?|23 kg|Up to 23 pounds.|wrong
How heavy may my suitcase be?|23 kg|The limit is 50 lb (23 kg) per bag.|correct
How warm is the pool?|28 °C|The water is kept at a pleasant twenty-eight degrees.|correct
How warm is the pool?|28 °C|The sauna is 90 degrees, the pool 31.|wrong
On which day are you closed?|Monday|We're open every day except Monday.|correct
On which day are you closed?|Monday|We are open every day but Monday.|correct
On which day are you closed?|Monday|We are closed on Sundays and open again on Monday.|wrong
When is the castle open?|from Easter to October|From October to Easter.|wrong
When is admission free?|the first Sunday of the month|Entry is free on the first Sunday of each month.|correct
When is admission free?|the first Sunday of the month|On every first Sunday in a month you get in without \
paying.|correct
When is admission free?|the first Sunday of the month|Admission is free on the last Sunday of the month.|wrong
Until when can I cancel free of charge?|24 hours before arrival|You can cancel without charge up to 24 hours \
before you arrive.|correct
Until when can I cancel free of charge?|24 hours before arrival|Cancellations are free until 48 hours before \
check-in, after that we charge one night.|wrong
How many books can I borrow at once?|10|You may take out up to ten books at a time.|correct
How many books can I borrow at once?|10|No more than 10 books per card.|correct
How many books can I borrow at once?|10|You can borrow 5 books and 10 DVDs.|wrong
What is your phone number?|020 7946 0123|You can reach us on 02079460123.|correct
What is your phone number?|020 7946 0123|Call us on +44 20 7946 0123 between 9 and 5.|correct
What is your phone number?|020 7946 0123|Please ring 020 7946 0321.|wrong
Which bus goes to the museum?|number 42|Take the 42 from the town hall.|correct
Which bus goes to the museum?|number 42|Bus 42 stops right in front of the door.|correct
Which bus goes to the museum?|number 42|Bus 24; it's 42 pence.|wrong
Which room is the meeting in?|Room 204|Room 214, opposite the lift.|wrong
On which floor is the gym?|the third floor|You'll find it on floor 3.|correct
On which floor is the gym?|the third floor|The gym is on the 3rd floor, next to the spa.|correct
On which floor is the gym?|the third floor|The spa is on the third floor and the gym on the second.|wrong
When does the sale end?|31 January|It's on until January 31st.|correct
When does the sale end?|31 January|The last day is 01/31.|correct
When is the next committee meeting?|Tuesday 3 March|It's on the third of March, a Tuesday.|correct
When is the next committee meeting?|Tuesday 3 March|We meet on Thursday, 3 April.|wrong
How long will my delivery take?|3 to 5 working days|Expect your parcel within three to five business days.|correct
How long will my delivery take?|3 to 5 working days|Usually between 3 and 5 weekdays, depending on your \
postcode.|correct
How long will my delivery take?|3 to 5 working days|Standard delivery takes 5 to 7 working days, express 3.|wrong
How long is the warranty?|2 years|All our bikes come with a 24-month guarantee.|correct
How long is the warranty?|2 years|The guarantee covers you for two whole years.|correct
How many people fit in the hall?|200|The hall seats two hundred.|correct
How many people fit in the hall?|200|Up to 200 guests.|correct
How many people fit in the hall?|200|The hall has 20 tables and holds 150 guests; the garden 200.|wrong
What is the excess on my policy?|£250|You pay the first £250 of any claim yourself.|correct
What is the excess on my policy?|£250|Your excess is 250 euros.|wrong
How much notice must I give?|one month|Please give us a month's notice in writing.|correct
How much notice must I give?|one month|Three months' notice is required.|wrong
When is check-out?|11 am|Please vacate your room by eleven o'clock.|correct
When is check-out?|11 am|Check-in is from 3 pm and check-out is by 11 in the morning.|correct
When is check-out?|11 am|Check-in is from 11 am.|wrong
When is check-out?|noon|You must be out by 12 o'clock midday.|correct
When is check-out?|noon|Check-out is at 12:00.|correct
When is check-out?|noon|By midnight.|wrong
How much is shipping?|€4.95|Shipping costs 4.95 euros, but is free from 50 euros on.|correct
When was the museum founded?|1887|It opened its doors back in 1887 with just forty paintings.|correct
When was the museum founded?|1887|The building is from 1887, but the museum itself was founded in 1921.|wrong
What time does the pool open?|6:30 am|You can swim from half past six in the morning.|correct
What time does the pool open?|6:30 am|The gym opens at 6:30 am, but the pool not until 8.|wrong
What time does the pool open?|6:30 am|The pool opens at 7:30 am.|wrong
When does the last train leave?|11:45 pm|It leaves at 23:45 on weekdays and an hour later on Saturdays.|correct
How long does the flight take?|2 hours 45 minutes|The drive takes 2 hours 45 minutes, the flight 50 minutes.|wrong
How long does the film last?|an hour and three quarters|The film is 105 minutes long.|correct
How long is the lease?|18 months|The lease runs for a year and a half.|correct
How long can I keep a DVD?|two weeks|You may keep DVDs for a fortnight.|correct
How long can I keep a DVD?|two weeks|You may keep books for four weeks and DVDs for two weeks.|correct
How much is a locker?|50p|Lockers cost fifty pence.|correct
How much is a locker?|£2|You need a two-pound coin for a locker.|correct
How much is a locker?|£2|Each locker is two pounds, payable by card.|correct
How much is a locker?|£2|A locker costs $2.|wrong
How much is a day pass?|£12|A day pass costs £12, a weekly pass £30.|correct
How much is a day pass?|£12|A week pass is £30 and a day pass is £14.|wrong
How much is a yoga class?|£8 per person|Each class is eight pounds a head.|correct
How much is a room?|€90 per night|Rooms are 90 euros a night, breakfast included.|correct
How much is a room?|€90 per night|A room costs €90 per week.|wrong
How much is entry?|free|Admission is complimentary for everyone.|correct
How much is entry?|free|Entry is not free; it costs £4.|wrong
How many lanes does the pool have?|6|Our pool has half a dozen lanes.|correct
How many lanes does the pool have?|6|It has eight lanes, and six of our coaches teach there.|wrong
How often is the water tested?|three times a day|We test it 3 times daily.|correct
How often is the water tested?|every four hours|We test the water six times a day.|correct
How often do the trains run?|every 15 minutes|There are four trains an hour.|correct
How often do the trains run?|every 15 minutes|Trains run every quarter of an hour.|correct
How often is the magazine published?|six times a year|It comes out every two months.|correct
How often is the lift inspected?|once a year|The lift is checked annually by an engineer.|correct
How often is the lift inspected?|once a year|It is inspected twice a year.|wrong
What share of the power is solar?|75%|Three quarters of our power comes from the sun.|correct
What share of the power is solar?|75%|Wind makes up 75%, solar only 20%.|wrong
From what age do you pay full price?|12|Children under twelve pay less; from their twelfth birthday it's full \
price.|correct
How far is the airport?|12 km|It's around twelve kilometres from the city centre.|correct
How far is the airport?|12 km|The airport is 12 miles away.|wrong
How heavy can a parcel be?|30 kg|Parcels may weigh up to thirty kilograms; letters up to 2 kg.|correct
How heavy can a parcel be?|30 kg|Pallets can weigh 300 kg, parcels 20 kg.|wrong
Which days is the market on?|Tuesdays and Fridays|You can find it every Tuesday and Friday in the square.|correct
Which days is the market on?|Tuesdays and Fridays|It's held on Fridays and Tuesdays.|correct
Which day is the shop shut?|Sunday|We trade every day but Sunday.|correct
Which day is the shop shut?|Sunday|The shop is open on all days except Sundays.|correct
When is the garden open?|April to September|From September to April.|wrong
Until when can I change my booking?|48 hours before departure|Changes are possible without a fee up to 48 \
hours before departure.|correct
Until when can I change my booking?|48 hours before departure|Bookings cannot be changed later than 48 hours \
before departure.|correct
Until when can I change my booking?|48 hours before departure|Changes are possible up to 24 hours before \
departure.|wrong
What number do I call for help?|0800 123 4567|Just dial 08001234567, we're there round the clock.|correct
What number do I call for help?|0800 123 4567|Call 0800 123 4576.|wrong
Which platform does the Leeds train use?|platform 3|It departs from platform three.|correct
Which platform does the Leeds train use?|platform 3|The York train uses platform 3, the Leeds train platform 5.|wrong
What floor is the restaurant on?|top floor|You'll find it on the top floor, with views over the harbour.|correct
When is check-in?|from 3 pm|You can check in any time after 3 pm.|correct
When is check-in?|from 3 pm|Check-out is by 3 pm.|wrong
When is the deadline?|30 June|Applications must reach us by the 30th of June.|correct
When is the deadline?|30 June|Please send it no later than June 30.|correct
How long does a refund take?|5 to 10 business days|Expect your money back in 5-10 working days.|correct
How long does a refund take?|5 to 10 business days|A refund takes 5 to 10 weeks.|wrong
How many berths does the marina have?|about 250|Roughly 250 boats can moor there.|correct
How many berths does the marina have?|about 250|It has 248.|correct
How many berths does the marina have?|about 250|Around 2,500.|wrong
How many berths does the marina have?|about 250|In 1250 it had 90.|wrong
How many signatures are needed?|at least 40|A minimum of forty signatures is needed.|correct
How many signatures are needed?|at least 40|Forty or more.|correct
How many signatures are needed?|at least 40|No more than 40.|wrong
Who travels free?|people over 70|Everybody aged 70 and above.|correct
Who travels free?|people over 70|The over-70s do.|correct
Who travels free?|people over 70|People under 70 who live in town.|wrong
Who gets the small bed?|children under 6|Kids younger than six.|correct
Who gets the small bed?|children under 6|Children over 6.|wrong
Where is the surgery?|9 Abbey Road, Derby|You'll find us at Abbey Road 9.|correct
Where is the surgery?|9 Abbey Road, Derby|At 9 Abbey Rd. in Derby, next to the chemist.|correct
Where is the surgery?|9 Abbey Road, Derby|9 Abbey Road, Leicester.|wrong
Where is the surgery?|9 Abbey Road, Derby|It moved from 9 Abbey Road to Kirk Street.|wrong
When does the night bus go?|23:50|At ten minutes to midnight.|correct
When does the night bus go?|12:20|Twenty past noon.|correct
How often is the choir's rehearsal?|twice a month|Every other week.|correct
How often is the choir's rehearsal?|every 14 days|Two times a month.|correct
How often is the pond cleaned?|every day|Seven days a week.|correct
How warm should the oven be?|180 °C|Medium heat will do; set it to 180.|correct
How warm should the oven be?|180 °C|Use shelf 180.|wrong
Is there a group rate?|yes, 15 %|Groups of ten or more save 15 percent.|correct
Is there a group rate?|yes, 15 %|No, 15 % is for members.|unsure
How much is the deposit?|£30|It went down from £30 to £20 in April.|wrong
How much is the deposit?|£30|It went up from £20 to £30 in April.|correct
How much is the deposit?|£30|It's £30. Oh wait, no, sorry, £40 since May.|wrong
How much is the deposit?|£30|It's £40. Sorry, I meant £30.|correct
How much is the deposit?|£30|£30 - no, sorry, £40.|wrong
How much is the deposit?|£30|It was £30, but it has been raised to £40.|wrong
On which days is the pharmacy open?|Tuesday to Friday|Tue-Fri|correct
On which days is the pharmacy open?|Tuesday to Friday|Tuesday through Friday, closed on Mondays.|correct
On which days is the pharmacy open?|Tuesday to Friday|Tuesdays, Wednesdays, Thursdays and Fridays.|correct
On which days is the pharmacy open?|Tuesday to Friday|Every weekday except Monday.|correct
On which days is the pharmacy open?|Tuesday to Friday|Tuesday and Friday.|wrong
On which days is the pharmacy open?|Tuesday to Friday|Monday to Friday.|wrong
What does a refit cost?|40 % of the price|Forty percent of the list price.|correct
How long do thin noodles cook?|6 minutes|9 minutes for wide noodles, 6 for thin noodles.|correct
How far is the quarry?|80 km|About 50 miles.|correct
How far is the quarry?|80 km|Roughly 60 miles.|wrong
How fast may I drive in the village?|30 km/h|You may go at 30 in the whole village.|correct
How many residents are there?|about 52,000|51,873 (2022).|correct
How many residents are there?|about 52,000|Roughly fifty thousand.|correct
When is the viewing?|4:30 pm|Half four.|correct
When is the viewing?|6 June 2031|06/06/31|correct
When is the viewing?|6 June 2031|16/06/31|wrong
How much is delivery?|£3.50, free from £40|£3.50, but from £40 on it is free.|correct
How much is delivery?|£3.50, free from £40|£3.50, and not free from £40 either.|wrong
Is there an age limit?|yes, 18 and over|Over-18s only.|correct
How much rice do I need?|150 g|150 g lentils and 80 g rice.|wrong
How much rice do I need?|150 g|80 g lentils and 150 g rice.|correct
When do you open on Sunday?|10 am|Mon-Fri 10 am, Sun 11 am.|wrong
When do you open on Sunday?|10 am|Mon-Fri 8 am, Sun 10 am.|correct
When do you open on Sunday?|10 am|Weekdays from 10 am, Sundays from noon.|wrong
What is the second prize?|£50|1st prize: £50, 2nd prize: £25|wrong
What is the second prize?|£50|1st prize: £100, 2nd prize: £50|correct
What share of the mix is sand?|60 %|0.6 of the volume.|correct
What are the desk's hours on Wednesdays?|9:30-17:30|9.30-17.30|correct
What are the desk's hours on Wednesdays?|8 am to 4 pm|We are there 8–4.|correct
What are the desk's hours on Wednesdays?|8 am to 4 pm|Mon-Tue 8-4, Wed 8-2|wrong
What are the desk's hours on Wednesdays?|8 am to 4 pm|Mon-Tue 8-2, Wed 8-4|correct
What are the desk's hours on Wednesdays?|8 am to 4 pm|8-4 euros|wrong
By when must the form be in?|30 June|By the end of June.|correct
By when must the form be in?|30 June|Before 1 July.|correct
By when must the form be in?|30 June|By the end of July.|wrong
How hot is the furnace?|1200 °C|1473 K|correct
How hot is the furnace?|1200 °C|1373 K|wrong
How many skis are in the rack?|12|Six pairs of skis.|correct
How many skis are in the rack?|12|Twelve pairs of skis.|wrong
How long is a bout?|9 minutes|Three rounds of 3 minutes.|correct
How long is a bout?|9 minutes|Two rounds of 3 minutes.|wrong
How long is the drive?|105 minutes|1h45|correct
How long is the drive?|105 minutes|1:45 h|correct
From what age may I vote?|16|From your sixteenth birthday.|correct
What does the grant pay?|£3,000|It pays £3k.|correct
What share of homes have gas?|two thirds|Around 67 percent.|correct
What share of homes have gas?|two thirds|Around 76 percent.|wrong
Who may enter the race?|juniors aged 14 to 17|Anyone between 14 and 17.|correct
Who may enter the race?|juniors aged 14 to 17|Anyone between 18 and 27.|wrong
When are the feedings?|10:40 am and 3:25 pm|At 10:40 and 15:25.|correct
When are the feedings?|10:40 am and 3:25 pm|At 10:40 and 16:25.|wrong
How long may I stay?|up to 60 days|For two months.|correct
How long may I stay?|up to 60 days|For three months.|wrong
How many litres does the urn hold?|12|It is 12 inches high and holds 8 litres.|wrong
How many litres does the urn hold?|12|It holds 12 litres and is 30 inches high.|correct
What does the newsletter cost?|£24|It was £24 last year, now it's £30.|wrong"""


ROWS_OF_LINES = [
    ("How much salt goes in?", "5 g", "Sugar: 5 g\nSalt: 2 g", "wrong"),
    ("How much salt goes in?", "5 g", "Sugar: 2 g\nSalt: 5 g", "correct"),
    ("When are you open on Tuesday?", "9-5", "Monday: 9-5\nTuesday: 10-4", "wrong"),
    ("When are you open on Tuesday?", "9-5", "Monday: 10-4\nTuesday: 9-5", "correct"),
]


@pytest.mark.parametrize(("question", "gold", "reply", "label"), ROWS_OF_LINES)
def test_figures_in_lines(question: str, gold: str, reply: str, label: str) -> None:
    assert Judge().judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind == label


@pytest.mark.parametrize("row", ROWS.splitlines())
def test_figures_of_every_day(row: str) -> None:
    question, gold, reply, label = row.split("|")
    assert Judge().judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind == label
