"""Questions of shops, hotels, libraries and town halls as people write them, and replies as assistants give them."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

ROWS = """\
Where is Norway?|in Europe|Norway is a country in northern europe.|correct
Who runs the shop?|Mary Stone|Mary Stone ran it until 2015.|wrong
Who ran the shop in 1990?|Mary Stone|Mary Stone, who has since retired.|correct
Who owns the mill?|Charles Augustus Tinker|The cat.|wrong
Which body declared it?|World Health Organization|Who?|refused
Which body declared it?|World Health Organization|The WHO.|correct
Which island is it?|Great Britain|The United Kingdom.|wrong
When do prices rise?|autumn|They fall in spring.|wrong
When do prices rise?|autumn|In the fall.|correct
Which firm built the ferry?|Harrow Ltd|Harrow & Sons.|wrong
Which firm built the ferry?|Harrow Ltd|Harrow Limited.|correct
Who is the mayor?|Anna Wilk|Anna Wilk, who has just retired.|wrong
Who is the mayor?|Anna Wilk|Karl Baum succeeded Anna Wilk.|wrong
Who is the mayor?|Anna Wilk|Anna Wilk succeeded Karl Baum.|correct
Where is the museum café?|on the second floor|You'll find our café up on the 2nd floor, right beside\
 the gift shop.|correct
Where is the museum café?|on the second floor|The gift shop is on the second floor; the café is in the basement.|wrong
How can I return an item?|by e-mail or at the desk|You can return it at the desk, or just send us an\
 email and we'll arrange it.|correct
How do I cancel my membership?|in writing|You need to send us a written cancellation request.|correct
How do I cancel my membership?|in writing|Simply give us a call and we'll cancel it for you.|wrong
Who is the manager of the hotel?|Mr John Whitfield|Our hotel manager is John Whitfield.|correct
Who is the head librarian?|Dr. Anna Berg|Hello! Our head librarian is Anna Berg, who has been with u\
s since 2015.|correct
Who is the head librarian?|Anna Berg|Anna Berg was head librarian until 2019; the post is now held by Peter Moss.|wrong
Who is the head librarian?|Peter Moss|Anna Berg was head librarian until 2019; the post is now held \
by Peter Moss.|correct
Where can I park?|in the car park behind the building|There's a car park behind the building that gu\
ests can use.|correct
Where can I park?|in the car park behind the building|Parking is available on the street in front of\
 the building.|wrong
Where is the town hall?|next to the station|The town hall is located right beside the railway station.|correct
What is the ring made of?|sterling silver|This ring is handcrafted from sterling silver.|correct
What is the ring made of?|sterling silver|The ring is made of gold, not sterling silver.|wrong
What material is the sofa cover?|cotton|The cover of the sofa is 100% cotton, so it can be washed easily.|correct
Why was my flight delayed?|because of fog|Your flight was delayed due to heavy fog at the departure airport.|correct
Why was my flight delayed?|because of fog|Your flight was delayed due to a technical problem.|wrong
Why is the pool closed?|maintenance|The pool is currently closed for maintenance work. We apologise \
for the inconvenience.|correct
Why is the pool closed?|maintenance|I'm sorry, but I don't have information on why the pool is closed.|refused
Which payment methods do you accept?|cash and credit cards|We accept credit cards as well as cash.|correct
Which payment methods do you accept?|cash and credit cards|We take Visa and Mastercard credit cards \
and cash payments.|correct
Which payment methods do you accept?|cash and credit cards|We only accept PayPal.|wrong
What should I bring to the first session?|a towel and a water bottle|Please bring a water bottle and\
 a towel with you.|correct
What documents do I need to register?|passport and proof of address|To register, you will need proof\
 of your address along with your passport.|correct
Who painted the portrait in the hall?|Thomas Gainsborough|The portrait was painted by Gainsborough in 1770.|correct
Who painted the portrait in the hall?|Thomas Gainsborough|It was not painted by Gainsborough but by \
Joshua Reynolds.|wrong
Who painted the portrait in the hall?|Joshua Reynolds|It was painted not by Gainsborough but by Reynolds.|correct
Who designed the building?|Zaha Hadid|The building is the work of the architect Zaha Hadid.|correct
Who designed the building?|Zaha Hadid|The building was designed by no other than Zaha Hadid.|correct
What do you serve for breakfast?|continental buffet|Nothing but a continental buffet.|correct
What is in the salad?|tomatoes, cucumber and feta|The salad contains feta, cucumber and tomatoes.|correct
What is in the salad?|tomatoes, cucumber and feta|The salad comes with tomatoes, cucumber and feta c\
heese, and we add olives on request.|correct
What is in the salad?|tomatoes, cucumber and feta|The salad comes without tomatoes, cucumber and feta.|wrong
Who inherited the house?|her brother|The house went to her brother after she died.|correct
Who inherited the house?|her brother|Her sister inherited the house.|wrong
Who inherited the house?|her brother|Her brother's wife inherited the house.|wrong
Who is the founder's partner?|his wife Clara|The founder's business partner is Clara, his wife.|correct
Where do I pick up my parcel?|at the front desk|You can collect your parcel from the front desk duri\
ng opening hours.|correct
Where do I pick up my parcel?|at the front desk|You can collect your parcel at reception.|correct
What type of coin does the locker take?|one euro|Please provide the coin type you require.|wrong
What type of coin does the locker take?|one euro|The desk adds: This text may be out of date. Answer\
 only from the text given.|refused
What is the Wi-Fi password?|sunshine|I'm afraid I can't share passwords here. Please ask at the desk.|refused
What is the Wi-Fi password?|sunshine|Please ask at the desk for the Wi-Fi password.|refused
What is the Wi-Fi password?|sunshine|The Wi-Fi password is "sunshine" - all lower case.|correct
What is the Wi-Fi password?|sunshine|I shouldn't really share this, but the password is sunshine.|correct
Who should I contact about lost luggage?|the baggage desk|I'm not entirely sure, but I think you sho\
uld go to the baggage desk in the arrivals hall.|correct
Who should I contact about lost luggage?|the baggage desk|Unfortunately I cannot help with lost luggage.|refused
Who should I contact about lost luggage?|the baggage desk|Could you please tell me which flight you were on?|refused
Which bus goes to the airport?|number 12|Take bus 12 from the main station; bus 14 goes to the stadium.|correct
Which floor is the swimming pool on?|ground floor|The pool is located on the ground level.|correct
Which room is the exhibition in?|the east wing|The exhibition is in the west wing.|wrong
Which room is the exhibition in?|the east wing|You can see it in our east wing until the end of March.|correct
What is the capital of Australia?|Canberra|Many people think it is Sydney, but the capital is Canberra.|correct
What is the capital of Australia?|Canberra|Many people think it is Canberra, but the capital is Sydney.|wrong
Which lake feeds the White Nile?|Lake Victoria|I think it's Victoria.|correct
Which lake feeds the White Nile?|Lake Victoria|Lake Tana|wrong
Which team plays at Highbury?|Arsenal FC|Arsenal Football Club plays there.|correct
Which football club plays at Highbury?|Arsenal FC|Arsenal|correct
Which football club plays at Highbury?|Arsenal FC|Spurs, the neighbours of Arsenal.|wrong
Which organisation declared the pandemic?|World Health Organization|That was the WHO.|correct
Which organisation declared the pandemic?|World Health Organization|People who know about it.|wrong
Which gas makes lemonade fizz?|carbon dioxide|It's CO2.|correct
What do people pay with in Tokyo?|yen|In JPY.|correct
Which tram goes to the zoo?|the T4|Take the T 4.|correct
Which tram goes to the zoo?|the T4|Take the T 14.|wrong
Who runs the surgery ward?|Dr Lena Holt|Dr Max Roth runs the ward; Lena Holt is his assistant.|wrong
Who is Dr Roth's assistant?|Lena Holt|Max Roth runs the ward; Lena Holt is his assistant.|correct
What is the largest island?|Greenland|Islands lie in water. Examples are Iceland, Borneo and Greenland.|wrong
What is the largest island?|Greenland|The largest island is **Borneo**. Some consider Greenland an island, too.|wrong
What is the largest island?|Greenland|The largest island is **Greenland**, with 2.2 million square kilometres.|correct
What do candles consume?|oxygen|Candles consume wax and release oxygen.|wrong
What do candles consume?|oxygen|Candles consume wax and oxygen.|correct
Which is taller, Ben Nevis or Snowdon?|Ben Nevis|Snowdon is tall, but Ben Nevis is even taller.|correct
Which is taller, Ben Nevis or Snowdon?|Ben Nevis|Ben Nevis is tall, but Snowdon is even taller.|wrong
Which languages are spoken in the valley?|German, Italian and Ladin|Mostly German and Italian.|unsure
Was the altar carved by Riemenschneider or by Stoss?|by Stoss|Stoss carved it.|correct
Was the altar carved by Riemenschneider or by Stoss?|by Stoss|Riemenschneider did.|wrong
Do I eat in the bar or in the dining room?|in the dining room|The dining room.|correct
Do I eat in the bar or in the dining room?|in the dining room|At the bar.|wrong
Which ship sails to Bergen?|MS Finnmarken|The Finnmarken does.|correct
Who opened the bazaar?|Princess Sophie of Greece|Princess Sophie opened it.|correct
Who opened the bazaar?|Princess Sophie of Greece|Prince Paul of Greece opened it.|wrong
Who wrote the chronicle?|Hanna Lindqvist|H. Lindqvist|correct
Who wrote the chronicle?|Hanna Lindqvist|O. Lindqvist|wrong
Who wrote the chronicle?|Hanna Lindqvist|Per Moe wrote it, with a foreword by Hanna Lindqvist.|wrong
What goes into the dressing?|olive oil, lime juice and honey|Olive oil and lime juice.|unsure
What can I learn there?|pottery, weaving and basketry|You can learn weaving there.|unsure
Which room is the yoga class in?|Room 5|Yoga is in Room 4; Room 5 has the judo class.|wrong
Which room is the yoga class in?|Room 5|Judo is in Room 4; Room 5 has the yoga class.|correct
Which line goes to the harbour?|the U3|Take the U2 to the harbour. The U3 goes to the zoo.|wrong
Which line goes to the harbour?|the U3|The U2 goes to the zoo. The U3 goes to the harbour.|correct
What is the name of the captain?|Ms Osei|Ms Lund. Ms Osei is the deputy captain.|wrong
Which team won the cup?|Rovers|United beat Rovers.|wrong
Which county has the most lakes?|Kent|Essex has the most lakes. Kent comes third.|wrong
Which county has the most lakes?|Kent|Kent has the most lakes. Essex comes third.|correct
Which county has the most lakes?|Kent|I thought Essex has the most lakes. Kent has more, though.|correct
Who is the harbour master?|Olga Brandt|Harbour master Brandt.|correct
Who is the harbour master?|Olga Brandt|Jan Smit was chosen when Olga Brandt resigned.|wrong
Which team won the cup?|Rovers|Rovers beat United.|correct
When is the bakery closed?|on Tuesdays|It doesn't open on Tuesdays.|correct
When is the bakery closed?|on Tuesdays|It doesn't close on Tuesdays.|wrong
When is the bakery open?|on Tuesdays|It doesn't open on Tuesdays.|wrong
Do apples ripen in spring or in autumn?|in autumn|In the fall.|correct
Where does the coach stop?|in front of the theatre|Right outside the city theatre.|correct
Where does the coach stop?|in front of the theatre|Behind the theatre.|wrong
What can I learn there?|pottery, weaving and basketry|Weaving, singing and dancing.|wrong
What is the main crop of the island?|sugar|Crops such as sugar, rice and tea. Mainly tea.|wrong
Which lake is the deepest?|Baikal|Lake Tanganyika is the deepest, and far deeper than Baikal.|wrong
Which lake is the deepest?|Baikal|No lake is deeper than Baikal.|correct
Which is farther from the Sun, Mars or Venus?|Mars|Mars and Venus are planets. So Venus is farther.|wrong
Which is farther from the Sun, Mars or Venus?|Mars|Mars and Venus are planets. So Mars is farther.|correct
How can I reach you?|by phone|The best way to reach us is by telephone.|correct
How can I reach you?|by phone|You can call us on 555 0199.|correct
How can I reach you?|by phone|We can only be reached by post, not by phone.|wrong
How can I pay my bill?|online or at the branch|Bills can be paid either at any branch or online thro\
ugh your account.|correct
How can I pay my bill?|online|You cannot pay online; please come to the branch.|wrong
Where are you located?|12 High Street|Our shop is at 12 High St, opposite the bakery.|correct
Where are you located?|12 High Street|We're at 21 High Street.|wrong
What is covered by the insurance?|fire and theft|The policy covers theft and fire, but not flooding.|correct
What is covered by the insurance?|fire and theft|The policy covers flooding, but not fire and theft.|wrong
What is not covered by the insurance?|flood damage|Flood damage is covered by the policy.|wrong
What is excluded from the discount?|gift cards|The discount applies to everything except gift cards.|correct
What is excluded from the discount?|gift cards|The discount applies to everything including gift cards.|wrong
Who can use the gym?|hotel guests|Only guests of the hotel may use the gym.|correct
Who can use the gym?|hotel guests|The gym is open to everyone, not only hotel guests.|wrong
What language is the tour in?|English|Our guided tours are given in English.|correct
What language is the tour in?|English|Tours are held in German, without any English.|wrong
What kind of animal is Bo?|a dog|Bo is a Portuguese water dog.|correct
What colour is the carpet?|dark blue|It's a light blue carpet.|wrong
What is the hotel's check-in requirement?|a valid photo ID|All guests must show valid photo identifi\
cation when checking in.|correct
What does the ticket include?|entry and an audio guide|Your ticket includes an audio guide and entry\
 to all rooms.|correct
What does the ticket include?|entry and an audio guide|Entry is included, but the audio guide costs extra.|wrong
Where does the tour start?|at the main entrance|The tour ends at the main entrance.|wrong
Where does the tour start?|at the main entrance|As an AI language model, I do not have access to rea\
l-time tour details.|refused
Where does the tour start?|at the main entrance|Great question! Let me check that for you.|refused
Where does the tour start?|at the main entrance|Thank you for your interest in our tours! Is there a\
nything else I can help you with?|refused
Where does the tour start?|at the main entrance|I do not have that in my notes, but tours usually st\
art at the main entrance.|correct
Who wrote the hymn?|Charles Wesley|The hymn was composed by Charles Wesley's brother John.|wrong
Who wrote the hymn?|Charles Wesley|It was written by Wesley, Charles.|correct
Who wrote the hymn?|Charles Wesley|"Charles Wesley" wrote it.|correct
Who wrote the hymn?|Charles Wesley|It was John Wesley.|wrong
Why do leaves turn yellow?|they lose chlorophyll|Leaves go yellow because of the loss of chlorophyll.|correct
Why do leaves turn yellow?|they lose chlorophyll|Because they get more chlorophyll.|wrong
What is the dress code?|smart casual|We ask guests to dress smart casual in the evening.|correct
What is the dress code?|smart casual|There is no dress code.|wrong
What is a deductible?|the amount you pay before insurance pays|A deductible is the sum that you have\
 to pay yourself before your insurance pays anything.|correct
How do I reset my password?|click 'Forgot password' on the login page|On the login page, click on "F\
orgot password" and follow the instructions.|correct
How do I reset my password?|click 'Forgot password' on the login page|Please call our support team a\
nd they will reset it.|wrong
Which airline flies to Malta?|Air Malta or Ryanair|Both Ryanair and Air Malta fly there.|correct
Who may borrow books?|residents|Anyone who lives in the town can borrow books, that is, all residents.|correct
Which pets are allowed?|dogs|We welcome dogs but no other pets.|correct
Which pets are allowed?|dogs|All pets but dogs are allowed.|wrong
Which pets are allowed?|dogs|Cats are allowed. Dogs are not.|wrong
What is the nearest metro station?|Central Park|The nearest metro stop is Central Park, just 5 minut\
es' walk away.|correct
Where is the gift shop?|near the exit|The gift shop is close to the exit.|correct
Where is the gift shop?|to the left of the entrance|As you come in, it's on your left, beside the entrance.|correct
Where is the gift shop?|to the left of the entrance|It is to the right of the entrance.|wrong
What was the old name of the street?|King Street|The street was called King Street until 1950; now i\
t is Liberty Road.|correct
What is the name of the street?|Liberty Road|The street was called Liberty Road until 1950; now it i\
s King Street.|wrong
What is the name of the street?|Liberty Road|Formerly King Street, it's now called Liberty Road.|correct
Where is Lake Como?|in Italy|Lake Como lies in the north of italy.|correct
Where is Lake Como?|in Italy|It is a lake in Switzerland, near Italy.|wrong
Where is Cusco?|in Peru|Cusco is a city in southern peru, high in the Andes.|correct
Where can I find the lockers?|next to the showers|The lockers are located beside the men's showers.|correct
Where can I find the lockers?|next to the showers|The lockers are in the hall, far from the showers.|wrong
Where is the nearest cash machine?|opposite the post office|There's one across from the post office.|correct
Where is the nearest cash machine?|opposite the post office|It's behind the post office.|wrong
Who is the mayor?|Dr Helen Fischer|Our current mayor is Helen Fischer.|correct
Who is the mayor?|Helen Fischer|The mayor is called Fischer and she took office in 2021.|correct
Who is the mayor?|Helen Fischer|Helen Fischer was mayor until 2018. Today it is Tom Brandt.|wrong
Who is the mayor?|Helen Fischer|The mayor is Helen Fischer's husband.|wrong
Who is the mayor?|Helen Fischer|The mayor is Karl Fischer.|wrong
Who was the mayor in 2010?|Helen Fischer|Helen Fischer was mayor until 2018.|correct
Who teaches spinning?|Mr. Omar Diaz|Spinning classes are taught by Omar Diaz on Mondays.|correct
How can I book a table?|by phone|Just give us a call and we will reserve a table for you.|correct
How can I book a table?|by phone|You can phone our restaurant or drop in.|correct
How can I book a table?|by phone|You can only book online; bookings by phone are not possible.|wrong
How can I submit a claim?|by e-mail|Please send an email with your documents to our claims team.|correct
How can I submit a claim?|by e-mail|Claims can be submitted by post only.|wrong
How can I renew my books?|online or by phone|You can renew them over the phone or on our website.|correct
How can I renew my books?|online or by phone|You have to come to the library in person.|wrong
How do I complain?|in writing|Complaints have to be made in written form.|correct
Why was the concert cancelled?|due to illness|The concert was cancelled because of the singer's illness.|correct
Why was the concert cancelled?|due to illness|The concert was cancelled because of bad weather.|wrong
Why is the lift out of order?|because of a power cut|It was caused by a power cut last night.|correct
Why is the lift out of order?|because of a power cut|It's not because of a power cut; the motor is broken.|wrong
Which platform does the train leave from?|number 4|It departs from platform 4.|correct
Which platform does the train leave from?|number 4|It departs from platform 5.|wrong
Where is your office?|45 Station Road|You'll find us at 45 Station Rd., next to the bank.|correct
Where is your office?|45 Station Road|You'll find us at 54 Station Road.|wrong
Where is the sauna?|on the ground floor|Our sauna is on the ground level by the pool.|correct
Where is the sauna?|on the ground floor|The pool is on the ground floor, but the sauna is on the top floor.|wrong
Which items are excluded from returns?|underwear and earrings|You can return everything except under\
wear and earrings.|correct
Which items are excluded from returns?|underwear|You can return anything, including underwear.|wrong
Which days are you closed?|Monday and Tuesday|We're closed on Tuesdays and Mondays.|correct
What is included in the price?|breakfast and parking|Parking and breakfast are both included.|correct
What is included in the price?|breakfast and parking|Breakfast is included, but parking is extra.|wrong
What is included in the price?|breakfast and parking|Breakfast is included, parking costs extra.|wrong
What can I take on board?|one bag and a laptop|You may take a laptop and one bag on board with you.|correct
Who is the author of the guide?|Nora Lind|The guide is the work of Nora Lind.|correct
Who is the author of the guide?|Nora Lind|It was Lind who wrote the guide.|correct
Who is the author of the guide?|Nora Lind|The author is Nora Lindberg.|wrong
Who gets free entry?|children under six|Free entry is for everyone, not just children under six.|wrong
Which meals do you serve?|lunch|We serve every meal but lunch.|wrong
Which meals do you serve?|lunch|We serve nothing but lunch.|correct
What was the ship's former name?|Aurora|She sailed as Aurora until 1992.|correct
What is the ship's name?|Aurora|She was named Aurora until 1992; since then she's the Borealis.|wrong
What is the ship's name?|Borealis|She was named Aurora until 1992; since then she's the Borealis.|correct
Where do I hand in the key?|at reception|Please return your key to the front desk before 11 am.|correct
Where do I hand in the key?|at reception|Just leave it in your room.|wrong
What should I do if I lose my card?|call the bank|I'm sorry, I can only help with library matters.|refused
What should I do if I lose my card?|call the bank|Thank you for contacting us! How may I assist you today?|refused
What should I do if I lose my card?|call the bank|Thanks for reaching out. Please contact our suppor\
t team for help.|refused
What should I do if I lose my card?|call the bank|You should call your bank right away so that they \
can block it.|correct
What do I need to enter?|a ticket|Answer only from the text given.|refused
What type of adapter do I need?|type G|Please specify the type of adapter you need.|wrong
What is the moat filled with?|water|That's a great question! Unfortunately my notes don't say.|refused
What is the moat filled with?|water|Our records don't cover this, however I believe the moat is fill\
ed with water.|correct
Which town is the capital?|Lund|Most people think it's Lund, but it's Malmo.|wrong
Whose car is it?|Anna's brother's|It is Anna's brother's car.|correct
Who designed the logo?|Anna Krol|Anna Krol's daughter designed the logo.|wrong
What is the statue made of?|bronze|Many believe it's marble, but the statue is bronze.|correct
Who owns the café?|Anna Krol|Anna Krol and her husband own the café.|correct
Who owns the café?|Anna Krol|It's Anna Krol's.|correct
Who is the director?|Ben Ojo|Ben Ojo, whose sister runs the shop, is the director.|correct
Until when is the show on?|May 2030|The show was extended until May 2030.|correct
Who led the choir in 1990?|Ida Roth|Ida Roth led it until 1995.|correct
How long is Tom Hale in office?|until 2027|Tom Hale was elected until 2027.|correct
Which guests may use the spa?|all guests|All guests but children may use the spa.|correct
What do all rooms have?|a balcony|All rooms have a balcony.|correct
Who lives on the island?|nobody but monks|Nobody but monks lives on the island.|correct
Where is the bar?|on the roof|The restaurant is on the first floor and the bar is on the roof.|correct
Where is the bar?|on the roof|The bar is on the roof; the restaurant is on the first floor.|correct
Where is the bar?|on the roof|The bar is on the roof, and the pool is next to it.|correct
Where is the Sun bar?|on the roof|It is on the roof. The Moon bar is in the basement.|correct
Where is the bar?|on the roof|The terrace is on the roof, and the bar is by the pool.|wrong
Who wrote the play?|Emma Stone|It was written by Ms Stone.|correct
Who wrote the play?|Emma Stone|It was written by James Stone.|wrong
Who wrote the play?|Emma Stone|It was written in Stone Street.|wrong
Who wrote the play?|Emma Stone|The play tells of a stone.|wrong
Who plays the king?|Dr Paul Reed|Paul Reed plays the king, and Anna Reed the queen.|correct
What is the drink called?|Dr Pepper|It's pepper.|wrong
How can I reach the office?|by phone|Please give them a ring.|correct
How can I reach the office?|by phone|Please do not call us; write us a letter.|wrong
How can I reach the office?|by phone|You cannot reach us by phone.|wrong
Why did it close?|because of debt|It closed because of a huge debt.|correct
Why did it close?|because of debt|It closed because of a lack of staff, not because of debt.|wrong
Where is the bank?|near the church|It's not near the church.|wrong
Where is the bank?|near the church|It's right next to St Mary's church.|correct
Which sizes are not available?|XL|XL is not available.|correct
Which sizes are not available?|XL|XL is available.|wrong
Which sizes are not available?|XL|Everything but XL is available.|correct
Which countries are excluded?|Malta|All countries are included, even Malta.|wrong
Which countries are excluded?|Malta|Malta is the only one excluded.|correct
Who may enter?|members or guests|Guests and members may enter.|correct
Who may enter?|members or guests|Nobody but staff may enter.|wrong
Which dishes are vegan?|soup and salad|Soup and salad are vegan, not the pie.|correct
Which dishes are vegan?|soup and salad|The soup is vegan but not the salad.|wrong
What does the fee cover?|cleaning and towels|It covers cleaning as well as towels; parking is extra.|correct
What is the museum's address?|8 Mill Lane|8 Mill Ln.|correct
Which tram goes to the zoo?|number 5|Tram 5 goes there. Tram 6 goes to the port.|correct
Which documents do I need?|passport|Please provide your passport.|correct
What kind of lamp should I buy?|LED|Please tell us what kind of lamp you need.|refused
When was the tower built?|1889|Thank you for asking. It was built in 1889.|correct
When was the tower built?|1889|Thanks for your question, the tower was built in 1901.|wrong
Where do kangaroos live?|in Australia|They live in australia.|correct
Which bird do we eat at Christmas?|a goose|Roast turkey.|wrong
Where was the recipe found?|in Turkey|It was in roast turkey.|wrong
What is the capital of Norway?|Oslo|Stockholm, Oslo and Helsinki.|wrong
What is the capital of Norway?|Oslo|It is Bergen, Oslo, Trondheim and Stavanger.|wrong
Which city hosted the fair?|Oslo|Oslo, Bergen and Turku.|wrong
Which cities have trams?|Oslo|Oslo, Bergen and Trondheim.|correct
Who discovered it?|Crick|Watson, Crick and Franklin.|correct
Where is the fair?|in Oslo|In Oslo, Norway.|correct
What is the address of the shop?|Hill Road|Hill Road 3, Oslo, Norway.|correct
What did she buy?|milk|Milk, Bread and Eggs.|correct
Is there a sauna in the hostel?|no|There is no sauna, but the lake is close.|correct
Is there a sauna in the hostel?|yes|There is a sauna.|correct
Is there a sauna in the lodge?|yes|There is a sauna in the baths next door.|wrong
How long should I rest after the operation?|three days|Do not work for three days.|correct
How long should I rest after the operation?|three days|You should not rest for three days.|wrong
Do you rent skis?|no|We stopped renting skis last winter.|correct
Does the bus run on Sundays?|yes|It stopped to run on Sundays.|wrong
Is the garden open on Mondays?|yes|It stopped raining, and the garden is open on Mondays.|correct"""


@pytest.mark.parametrize("row", ROWS.splitlines())
def test_names_places_and_ways(row: str) -> None:
    question, gold, reply, label = row.split("|")
    assert Judge().judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind == label
