"""Permissions, conditions, exceptions and what is included: yes/no replies as people at a desk word them."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

TABLE = """
Are dogs allowed in the museum? = no
correct: Dogs are not admitted to the museum, except guide dogs.
correct: Unfortunately we can't welcome pets inside, though assistance dogs are an exception.
correct: I'm afraid dogs have to stay outside.
wrong: We love animals! Dogs are welcome everywhere in our galleries.
refused: Please check our visitor rules for dogs.

Can I bring my guide dog into the museum? = yes
correct: Dogs are not admitted, except guide dogs.
correct: Of course! Guide dogs are always welcome.
wrong: Unfortunately no animals are allowed in the galleries.

Is breakfast included in the room price? = yes
correct: All our rooms come with a full breakfast buffet.
correct: Breakfast comes with every room, so there is nothing extra to pay.
wrong: Breakfast is available for 14 euros per person.
wrong: Breakfast is not included, but you can add it for 14 euros.
wrong: Breakfast is served from 7 to 10.
wrong: Sadly, breakfast isn't part of the room rate.

Is parking included? = no
correct: Parking costs 12 euros a night.
correct: There is an extra charge of 12 euros for parking.
correct: Parking is not part of the package.
wrong: Parking is free for hotel guests.

Can I pay by card? = no, only cash
wrong: Yes, we take all major cards.
wrong: Cards are fine, but cash is fine too.

Do you accept American Express? = yes
correct: We accept Visa, Mastercard and American Express.
correct: We accept all major credit cards, including American Express.
correct: Certainly, American Express is no problem at all.
wrong: We accept Visa and Mastercard only.
wrong: We accept all cards except American Express.

Do I need to book a table in advance? = no
correct: There is no need to book, just walk in!
correct: You don't have to reserve, although it is recommended at weekends.
correct: Reservations are not required.
wrong: Booking is required for all tables.
wrong: You must book at least a day ahead.

Do I have to wear a swimming cap? = yes
correct: Swimming caps are mandatory in all our pools.
correct: All swimmers must wear a cap.
correct: A cap is required.
correct: You will need a cap, which you can buy at reception for 3 euros.
wrong: Caps are optional.
wrong: It is up to you whether you wear a cap.

Can I cancel my booking free of charge? = yes
correct: You can cancel free of charge up to 48 hours before arrival.
correct: You are welcome to cancel without any fee as long as you do so 48 hours before arrival.
correct: Free cancellation is offered until 48 hours before arrival.
wrong: Cancellations are charged at 50 percent.
wrong: Unfortunately, bookings cannot be cancelled.

Does the gym have a sauna? = yes
correct: Our gym has a sauna and a steam room.
correct: There is a sauna on the second floor.
correct: A sauna is available to all members.
wrong: We don't have a sauna, but there is a steam room.
wrong: The gym has a pool and a climbing wall.

Is it true that the museum is free on Sundays? = no
correct: That's not true; only the first Sunday of the month is free.
correct: That is a common misconception.
wrong: It is true that the museum is free on Sundays.
wrong: Yes, that's true.

Don't you deliver on Saturdays? = yes
correct: We do deliver on Saturdays.
correct: Yes, we do!
correct: Of course we do, between 9 and 1.
wrong: No, we don't deliver on Saturdays.

You are open on Mondays, aren't you? = no
correct: I'm afraid we are closed on Mondays.
correct: Actually, Monday is our day off.
correct: We are open Tuesday to Sunday.
wrong: Yes, we are.
wrong: We are open every day.

Can non-members use the swimming pool? = no
correct: The pool is reserved for members.
correct: Only members can use the pool.
correct: The swimming pool is for members only.
wrong: Non-members are welcome to use the pool for 8 euros.
wrong: The pool is open to everyone.

May I take photos in the exhibition? = yes
correct: Feel free to take photos, but please don't use flash.
correct: Photography is permitted without flash.
correct: You are welcome to take pictures for personal use.
wrong: We would ask you not to take photos.
wrong: It is best not to take photos in there.
wrong: Photography is strictly prohibited.

Can I get a late check-out? = yes
correct: Late check-out is available on request.
correct: Late check-out is possible provided that the room isn't booked.
correct: Subject to availability, we'd be happy to arrange a late check-out for you.
wrong: Check-out is at 11 sharp, without exception.
wrong: Sadly we can't offer late check-out.

Is the castle accessible for wheelchairs? = no
correct: Sadly, the castle is not wheelchair accessible.
correct: The castle can only be reached by 140 steps, so it is not suitable for wheelchair users.
wrong: The castle has ramps and lifts for wheelchair users.

Is there a fee for an extra suitcase? = yes
correct: An extra suitcase costs 40 euros.
correct: You will be charged 40 euros for each additional suitcase.
wrong: Extra suitcases travel free.
wrong: There is no fee for extra luggage.

Can I return a sale item? = no
correct: Sale items cannot be returned.
correct: Sale items are non-refundable and can't be exchanged.
correct: All items can be returned except sale items.
wrong: All items, including sale items, can be returned within 30 days.
wrong: You can return any item within 30 days with the receipt.

Does my policy cover water damage? = yes
correct: Water damage is covered by your policy.
correct: Water damage is covered unless it is caused by flooding.
correct: Your policy covers fire, theft and water damage.
wrong: Fire and theft are covered, but water damage isn't.
wrong: Water damage is excluded.

Is the library open to the public or only to students? = open to the public
correct: The former.
wrong: Only students may use it.

Do spiders have six legs? = no
unsure: I am not sure if spiders have six legs. Perhaps they do, but it could be that they have eight instead.
correct: Spiders have eight legs.

Is a passport needed for children? = yes
correct: Every child needs their own passport.
correct: Children also need a passport.
wrong: Children can travel without a passport.
wrong: A passport is not necessary for children under 12.

How much is a locker? Is it free? = yes, free with a 2 euro deposit
wrong: Lockers cost 2 euros.

Are children allowed in the sauna? = yes, from age 12
wrong: Yes, children from 16 are allowed.
wrong: No, children under 18 aren't permitted.

Is smoking allowed on the balcony? = no
correct: Smoking is forbidden throughout the hotel, including balconies.
correct: The whole hotel is smoke-free.
wrong: Smoking is only allowed on the balconies.
wrong: You may smoke outside on the balcony.

Are pets allowed in the holiday flats? = yes
correct: Pets are welcome in all flats as long as you tell us beforehand.
correct: Pets are allowed except in flat 3.
wrong: I'm afraid pets are not permitted.
wrong: We would ask you to leave pets at home.

Can I bring my own food to the zoo? = yes
correct: Feel free to bring a picnic along!
correct: You are welcome to bring your own food, provided that you take your litter home.
wrong: Own food is prohibited on the zoo grounds.
wrong: It's best not to bring your own food.

Do I need a visa for the cruise? = no
correct: You don't need a visa.
correct: There's no need for a visa, but a valid passport is required.
correct: A visa is not required for this cruise.
wrong: A visa is required for all passengers.
wrong: A valid passport is required.
wrong: You must have a visa before boarding.

Is there a lift in the building? = yes
correct: There are two lifts, one on each side of the lobby.
correct: A lift is available next to the reception.
wrong: Unfortunately there is no lift, only stairs.
wrong: There's a car park in the building.

Is travel insurance included? = no
correct: Travel insurance can be added for 20 euros.
correct: Travel insurance is available at extra cost.
wrong: Travel insurance is included in every package.
wrong: Our packages come with travel insurance.

Don't I need a ticket for my baby? = no
correct: Babies travel free and need no ticket.
correct: Babies do not need a ticket.
wrong: Yes, you need a ticket for your baby.

You ship to Norway, don't you? = yes
correct: We ship to Norway and Sweden.
correct: Of course!
wrong: We don't ship to Norway, sadly.
wrong: We ship to all countries except Norway.

Isn't the cafe open on Sundays? = no
correct: The cafe is closed on Sundays.
correct: Sunday is our rest day.
correct: It's open every day except Sunday.
wrong: The cafe is open daily.

Can guests who are not members use the courts? = no
correct: The courts are reserved for members.
correct: Our courts are for members only.

Are the tickets refundable? = no
correct: Tickets are non-refundable.
correct: We're sorry, but tickets can't be refunded.
correct: Unfortunately, tickets are not refundable once purchased.
wrong: Tickets can be refunded up to a week before.
wrong: Tickets are fully refundable.

Is theft covered by the basic policy? = no
correct: The basic policy covers fire and storm, but not theft.
correct: The basic policy covers everything except theft.
correct: Theft is excluded.
correct: Theft is only covered in the premium policy.
wrong: Theft is covered by the basic policy.

Is theft covered by the premium policy? = yes
correct: The premium policy also covers theft.
wrong: Theft isn't covered by the premium policy.

Must I show my ID at the door? = yes
correct: An ID is required.
correct: Everyone must show an ID.
correct: You need to show your ID or passport.
wrong: There is no need to show your ID.
wrong: You don't have to show anything.

Do you have vegan dishes? = yes
correct: We offer a wide range of vegan dishes.
correct: There are several vegan dishes on our menu.
wrong: We have vegetarian dishes, but no vegan ones.
wrong: Sadly, there are no vegan dishes on the menu.
refused: Sorry, I can't help with that.

Can I borrow a towel? = yes
correct: Towels are available for 3 euros.
correct: Towels can be borrowed at the front desk.
wrong: Towels are not available, so please bring your own.
wrong: Please bring your own towel.

Is the pool heated in winter? = yes
correct: The pool is heated all year round.
wrong: The pool is heated from May to September.
wrong: The pool is not heated in winter.

Can I bring a pushchair on the boat? = yes
correct: Pushchairs are welcome on board as long as they are folded.
correct: You're very welcome to bring a pushchair.
wrong: Sadly, pushchairs aren't allowed on the boat.
wrong: Bikes and pushchairs are not permitted, except folding bikes.

Are bikes allowed on the boat? = no
correct: Bikes are not permitted, except folding bikes.
correct: No bikes, I'm afraid.
wrong: Bikes are allowed on all our boats.

Can I take a folding bike on the boat? = yes
correct: Bikes are not permitted on the boat, with the exception of folding bikes.
correct: Folding bikes are fine.
wrong: No bikes of any kind are allowed.

Do you rent out skis? = yes
correct: We rent skis, boots and poles.
correct: Skis are available for rent from 25 euros a day.
correct: You can rent skis at our shop next to the lift.
wrong: We have no skis for rent, only snowshoes.
wrong: We do not rent out skis.

Is Wi-Fi included in the price? = yes
correct: The price includes Wi-Fi and parking.
correct: Free Wi-Fi is available in all rooms.
wrong: Wi-Fi is not included; it costs 5 euros a day.
wrong: The price includes parking, but Wi-Fi is extra.

Do I need to print my ticket? = no
correct: There's no need to print anything; just show the ticket on your phone.
correct: You needn't print it.
correct: Printing your ticket isn't necessary.
wrong: A printed ticket is required.
wrong: Tickets must be printed before arrival.

Haven't you got a children's menu? = yes
correct: We have a children's menu with five dishes.
correct: Certainly, here it is.
wrong: There is no children's menu, unfortunately.

The shop closes at six, doesn't it? = no
correct: It closes at eight.
correct: No, at eight.
wrong: Yes, it closes at six.

Is it possible to change the date of my flight? = yes
correct: The date can be changed for a fee of 60 euros.
correct: Changing the date is possible, subject to availability.
wrong: Flight dates can't be changed once booked.

Can students get a discount? = yes
correct: Students pay half price.
correct: Students get 20 percent off.
correct: A discount is available for students with a valid card.
wrong: Discounts are for pensioners only.
wrong: There is no student discount.

Is the town hall open on Saturdays? = no
correct: The town hall is open Monday to Friday.
correct: On Saturdays the town hall is closed.
correct: We are open every day except Saturdays and Sundays.
wrong: The town hall is open on Saturdays from 9 to 12.
wrong: We are open every day except Sundays.

Must I be a resident to borrow books? = no
correct: You don't have to be a resident.
correct: Anyone can borrow books.
wrong: Only residents can borrow books.
wrong: You must be a resident.

Does the room come with a kettle? = yes
correct: All rooms come with a kettle.
correct: Every room is equipped with a kettle and a fridge.
correct: A kettle is available on request.
wrong: Rooms don't come with a kettle.

Is smoking permitted in the garden? = yes
correct: You may smoke in the garden, but not indoors.
correct: Smoking is prohibited everywhere except in the garden.
correct: Smoking is permitted only in the garden.
wrong: Smoking is prohibited everywhere.

Is lunch included in the tour? = no
correct: The tour includes the ferry ride, but lunch is not included.
correct: Lunch isn't included, except on full-day tours.
wrong: The tour comes with a packed lunch.
wrong: The tour includes a guide and the entrance fee.

Is lunch included in the tour? = yes
correct: The tour includes a guide, the ferry and lunch.
wrong: Lunch costs 15 euros extra.
wrong: The tour includes the ferry ride; lunch is extra.

Do you have a car park? = no
correct: There is no car park, but there are spaces in the street.
wrong: We have a car park behind the house.
wrong: There is a car park for guests next to the hotel.
wrong: There is a bus stop in front of the hotel.

Do I need to bring a towel? = no
wrong: You need to bring a swimsuit.
wrong: Towels are required.
wrong: You must bring your own towel.
correct: Towels are provided, so you don't need to bring one.

Can I pay with cash on the bus? = no
correct: Cash is not accepted on the bus, only cards are.
correct: Unfortunately, cash payments aren't possible on the bus.
correct: I'm afraid cash isn't accepted.
wrong: You can pay with cash or card.
wrong: Feel free to pay with cash.

Don't you open before nine? = no
correct: We don't open before nine.
wrong: Yes, we open at eight.

The museum is free for children, isn't it? = yes
correct: The museum is free for children under 12.
correct: It's free for everyone.
wrong: Unfortunately, the museum isn't free for children.
wrong: I'm afraid children pay 4 euros.

Are non-residents allowed to join the gym? = yes
correct: Non-residents are allowed to join.
correct: Everyone is welcome to join.
wrong: Only residents are allowed to join the gym.
wrong: The gym is reserved for residents.

Is diving covered by my insurance? = no
correct: Everything except diving is covered.
correct: All sports are covered except diving and skiing.
correct: I'm sorry to say that diving isn't covered.
wrong: Diving is covered provided that you have a licence.
refused: I'm not sure, please call us.

Does the train stop in Lund? = yes
wrong: The train stops everywhere except in Lund.
wrong: The train stops at every station apart from Lund.
correct: The train stops in Lund and Malmo.

Can I exchange my voucher for money? = no
correct: Vouchers can't be exchanged for money.
correct: You can exchange vouchers for goods only.
wrong: Vouchers can be exchanged for money unless they have expired.

Is a swan heavier than a goose? = yes
correct: A swan, by far.
correct: The goose is lighter.
correct: Much heavier!
correct: A swan weighs 11 kg, a goose only 4.
wrong: The goose is.
wrong: A swan is lighter.
wrong: They weigh the same.

Is the ferry more expensive than the coach? = no
correct: The ferry costs less.
correct: The coach is.
wrong: The ferry is dearer.

Was Bach born before Haydn? = yes
correct: Bach was born in 1685, Haydn in 1732.
correct: Haydn is younger.
wrong: Haydn was.

Does the climb take more than two hours? = no
correct: The climb takes about 90 minutes.
correct: It takes an hour.
wrong: Allow at least three hours for the climb.

Can I borrow more than six books? = yes
correct: You can have up to twelve books.
wrong: Six is the limit.

Was the bridge opened before 1900? = yes
correct: It opened in 1887.
wrong: It was opened in 1931.

Can I get in without a wristband? = no
correct: A wristband is required.
correct: Entry is only possible with a wristband.
correct: Everyone needs a wristband.
wrong: No wristband needed.
wrong: You do not need a wristband.

Do I get my payment back if it rains? = yes
correct: We refund payments in full if it rains.
wrong: Payments are not refunded if it rains.

Do I have to pay for the shuttle on Saturdays? = no
correct: The shuttle is free on Saturdays.
wrong: On Saturdays the shuttle is 2 euros.

Am I expected to tip the guide? = no
correct: There's no need to.
correct: Tips are not expected.

Do I need to reserve a court? = no
correct: Just turn up.
correct: Walk-ins are welcome.
wrong: Reserving is a must.

Is the locker free? = no
correct: Lockers cost £2.
correct: We charge a small sum.
correct: There's a fee for lockers.
wrong: Lockers won't cost you a penny.
wrong: The locker is on us.

Is the tasting free on Fridays? = yes
correct: You only pay from Saturday to Thursday.
correct: On Fridays nobody has to pay.
wrong: It's €5 on Fridays.
wrong: There is a tasting on Fridays.

Are repairs free for members? = no
correct: Members have to cover the costs of repairs.
correct: Repairs are at your own expense.
wrong: Repairs are complimentary for members.

Do you collect rubbish on Thursdays? = yes
correct: We collect rubbish six days a week, Sundays excepted.
correct: Rubbish is collected Monday-Friday.
wrong: Rubbish is collected Monday-Wednesday.
wrong: The tip is open on Thursdays.

Do you ship to Norway? = no
correct: We only deliver within the EU.
wrong: We deliver to Norway too.

Am I entitled to the grant if I am retired? = yes
correct: Retired people are eligible for the grant too.
wrong: Retired people do not qualify.

Can I pay by transfer? = yes
correct: Transfers are possible for orders over 50 euros.
wrong: Transfers are not possible.

Does the guarantee cover rust? = no
correct: The guarantee only covers broken parts.
correct: It covers broken parts only.
wrong: The guarantee covers rust and broken parts.

Do you take vouchers? = no
correct: We accept cash only.
wrong: We take cash and vouchers.

Can I change the name on my ticket without a fee? = no
correct: Changes cost £10.
wrong: Changes are free of charge.
wrong: You can change it at no cost.

Do I get my deposit back? = no
correct: Your deposit is non-refundable.
wrong: The deposit will be returned in full.

Can accounts be closed online? = yes
correct: Just log in and click on "Close account".
correct: Simply select "Close account" in the menu.
wrong: Accounts are closed by post.

Is breakfast served on Sundays? = yes
correct: On Sundays, yes.
wrong: On Sundays, no.

Do you take back opened jars? = yes
correct: We take back jars, opened or not.
wrong: No returns are possible for opened jars.

Is Ben Nevis higher than Snowdon? = yes
correct: Ben Nevis is 260 metres higher.
wrong: Snowdon is 260 metres higher.

Is it true that bats are blind? = no
correct: That's a popular myth.
correct: It is a common misconception that bats are blind.
wrong: Bats are blind, but they hear very well.

Is the pool open on Mondays? = no
correct: Every day but Monday.
correct: We're open every day except Monday.

Is the pool open on Mondays? = yes
wrong: Every day but Monday.
"""
"""A question and its gold answer, and under them replies after their labels."""


@pytest.mark.parametrize("block", TABLE.strip().split("\n\n"), ids=lambda block: block.partition("\n")[0])
def test_everyday_yes_and_no(block: str) -> None:
    asked, *labelled = block.splitlines()
    question, _, gold = asked.rpartition(" = ")
    said = [line.partition(": ")[::2] for line in labelled]
    answers = (GoldAnswer(gold),)
    found = [(Judge().judge(Prompt(question), Reply(reply), answers, ()).kind, reply) for _, reply in said]
    assert found == said
