"""Questions of every form, with what a statement of the answer looks like, the right answer and two wrong ones."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """`says` is a statement with a place for the answer; `it` a short one."""

    question: str
    says: str
    gold: tuple[str, ...]
    wrong: str
    other: str
    it: str = "It is {}"


OPEN = (
    Case("What is the capital of Norway?", "The capital of Norway is {}", ("Oslo",), "Bergen", "Trondheim"),
    Case("Who wrote Emma?", "Emma was written by {}", ("Jane Austen", "Austen"), "Emily Dickinson", "Mary Shelley"),
    Case("Who painted the ceiling?", "{} painted the ceiling", ("Michelangelo",), "Raphael", "Titian"),
    Case("Which planet has rings?", "The planet with rings is {}", ("Saturn",), "Mars", "Venus"),
    Case("What do bees make?", "Bees make {}", ("honey",), "silk", "butter"),
    Case("What is bread made from?", "Bread is made from {}", ("flour",), "sand", "clay"),
    Case("Which language is spoken in Brazil?", "The language of Brazil is {}", ("Portuguese",), "Spanish", "Dutch"),
    Case("What colour is the sofa?", "The sofa is {}", ("green",), "red", "blue"),
    Case("What is the name of the dog?", "The dog is called {}", ("Rex",), "Bello", "Fido"),
    Case("Which instrument does Ann play?", "Ann plays {}", ("the cello", "cello"), "the flute", "the harp"),
    Case("What does a cobbler mend?", "A cobbler mends {}", ("shoes",), "clocks", "roofs"),
    Case("Which metal rusts?", "The metal that rusts is {}", ("iron",), "gold", "silver"),
    Case("Who runs the school?", "The school is run by {}", ("Ann Lee", "Lee"), "Bob Ray", "Tim Fox"),
    Case("Which king built the castle?", "The castle was built by {}", ("Henry II",), "Richard I", "Stephen"),
    Case(
        "What animal lays the largest egg?",
        "The largest egg is laid by {}",
        ("the ostrich", "ostrich"),
        "the eagle",
        "the goose",
    ),
    Case("What is H2O?", "H2O is {}", ("water",), "salt", "sugar"),
    Case(
        "Who was the first man on the Moon?",
        "The first man on the Moon was {}",
        ("Neil Armstrong", "Armstrong"),
        "Yuri Gagarin",
        "John Glenn",
    ),
    Case("Where is the Eiffel Tower?", "The Eiffel Tower stands in {}", ("Paris",), "London", "Rome", "It is in {}"),
    Case(
        "Where does the bus stop?",
        "The bus stops {}",
        ("at the station", "station"),
        "at the church",
        "at the pond",
        "It is {}",
    ),
    Case("Where do penguins live?", "Penguins live in {}", ("Antarctica",), "Greenland", "Norway", "It is in {}"),
    Case("In which country is Turin?", "Turin lies in {}", ("Italy",), "France", "Spain", "It is in {}"),
    Case("How many legs does a spider have?", "A spider has {} legs", ("8", "eight"), "6", "10"),
    Case("How many legs do ants have?", "Ants have {} legs", ("six", "6"), "eight", "ten"),
    Case("How many days are in a week?", "There are {} days in a week", ("7", "seven"), "5", "10"),
    Case("How much is a ticket?", "A ticket costs {}", ("12 euros",), "9 euros", "20 euros"),
    Case("How much does the tour cost?", "The tour costs {}", ("£7.50",), "£12", "£9"),
    Case("How long is the tunnel?", "The tunnel is {} long", ("57 km", "57 kilometres"), "30 km", "90 km"),
    Case("How long does the ride take?", "The ride takes {}", ("40 minutes",), "25 minutes", "3 hours"),
    Case("How high is the tower?", "The tower is {} high", ("330 metres", "330 m"), "200 metres", "500 metres"),
    Case("How fast is the train?", "The train runs at {}", ("300 km/h",), "120 km/h", "80 km/h"),
    Case("When did the war end?", "The war ended in {}", ("1945",), "1918", "1963", "It was in {}"),
    Case("When was Mozart born?", "Mozart was born in {}", ("1756",), "1770", "1685", "It was in {}"),
    Case("When does the shop open?", "The shop opens at {}", ("9 am", "9:00"), "11 am", "7 am", "It is at {}"),
    Case("When is the fair?", "The fair is in {}", ("June",), "March", "August", "It is in {}"),
    Case("On which day is the market?", "The market is on {}", ("Friday",), "Monday", "Sunday", "It is on {}"),
    Case("What is 6 times 7?", "6 times 7 is {}", ("42", "forty-two"), "48", "36"),
    Case("Tell me the currency of Japan.", "The currency of Japan is {}", ("the yen", "yen"), "the won", "the rupee"),
    Case(
        "At what temperature does water boil?",
        "Water boils at {}",
        ("100 degrees Celsius", "100 °C"),
        "80 degrees Celsius",
        "50 degrees Celsius",
    ),
)
"""Nothing of the answer stands in the question."""

CHOICE = (
    Case(
        "Is coffee made from beans or from leaves?",
        "Coffee is made from {}",
        ("beans", "from beans"),
        "leaves",
        "roots",
        "It is made from {}",
    ),
    Case(
        "Does honey come from bees or from wasps?",
        "Honey comes from {}",
        ("bees", "from bees"),
        "wasps",
        "ants",
        "It comes from {}",
    ),
    Case("Is a dolphin a fish or a mammal?", "A dolphin is {}", ("a mammal", "mammal"), "a fish", "a bird"),
    Case("Is a tomato a fruit or a mineral?", "A tomato is {}", ("a fruit", "fruit"), "a mineral", "a gas"),
    Case(
        "Was Mozart a painter or a composer?",
        "Mozart was {}",
        ("a composer", "composer"),
        "a painter",
        "a baker",
        "He was {}",
    ),
    Case("Which is bigger, the Sun or the Moon?", "The bigger one is {}", ("the Sun", "Sun"), "the Moon", "the Earth"),
    Case("Which is older, Rome or Berlin?", "The older city is {}", ("Rome",), "Berlin", "Paris"),
    Case(
        "Which gemstone is green: an emerald or a sapphire?",
        "The green one is {}",
        ("an emerald", "emerald"),
        "a sapphire",
        "a ruby",
    ),
    Case(
        "Is the Sahara in Africa or in Asia?",
        "The Sahara is in {}",
        ("Africa", "in Africa"),
        "Asia",
        "Europe",
        "It is in {}",
    ),
    Case(
        "Does the shop close at five or at six?",
        "The shop closes at {}",
        ("six", "at six"),
        "five",
        "seven",
        "It closes at {}",
    ),
    Case(
        "What is cheese made of, milk or flour?", "Cheese is made of {}", ("milk",), "flour", "sand", "It is made of {}"
    ),
    Case("Who won, Ann or Bob?", "The winner was {}", ("Ann",), "Bob", "Carl", "It was {}"),
    Case("What makes milk curdle? Yeast or rennet?", "What makes it curdle is {}", ("rennet",), "yeast", "salt"),
    Case(
        "Who flew too near the Sun? Could it be Icarus or Daedalus?",
        "The one who did it was {}",
        ("Icarus",),
        "Daedalus",
        "Zeus",
    ),
    Case(
        "Who lives in Baker Street? Could it be Poirot or Holmes?",
        "The one who lives there is {}",
        ("Sherlock Holmes", "Holmes"),
        "Poirot",
        "Marple",
    ),
    Case(
        "Do plants need oxygen or light to grow?",
        "To grow plants need {}",
        ("light",),
        "oxygen",
        "gold",
        "They need {}",
    ),
    Case("Gold or iron: which is heavier?", "The heavier metal is {}", ("gold",), "iron", "tin"),
    Case("Would you say that gold or iron is heavier?", "The heavier one is {}", ("gold",), "iron", "tin"),
    Case(
        "Was it Bach or Handel who wrote the Messiah?",
        "The Messiah is by {}",
        ("Handel",),
        "Bach",
        "Verdi",
        "It was {}",
    ),
    Case(
        "Which of the two is a fruit, the apple or the carrot?",
        "The fruit is {}",
        ("the apple", "apple"),
        "the carrot",
        "the leek",
    ),
    Case(
        "Is Peru in Europe, Asia or South America?",
        "Peru is in {}",
        ("South America",),
        "Europe",
        "Asia",
        "It is in {}",
    ),
    Case(
        "What is a light-year, a time or a distance?",
        "A light-year is {}",
        ("a distance", "distance"),
        "a time",
        "a weight",
    ),
    Case(
        "Do whales breathe with lungs or gills?", "Whales breathe with {}", ("lungs",), "gills", "skin", "They use {}"
    ),
    Case("Did Edison or Bell invent the telephone?", "The inventor was {}", ("Bell",), "Edison", "Morse", "It was {}"),
    Case(
        "Which came first, the telephone or the television?",
        "The first to come was {}",
        ("the telephone", "telephone"),
        "the television",
        "the radio",
    ),
    Case(
        "Does the Danube flow into the Black Sea or the North Sea?",
        "The Danube flows into {}",
        ("the Black Sea", "Black Sea"),
        "the North Sea",
        "the Red Sea",
    ),
    Case("Is New York or New Delhi in India?", "The city in India is {}", ("New Delhi",), "New York", "Boston"),
    Case(
        "Tell me whether tea comes from China or from Chile.",
        "Tea comes from {}",
        ("China",),
        "Chile",
        "Cuba",
        "It comes from {}",
    ),
    Case(
        "How do people breathe, with lungs or with gills?",
        "People breathe with {}",
        ("lungs", "with lungs"),
        "gills",
        "skin",
        "They use {}",
    ),
    Case(
        "When is it colder, in summer or in winter?",
        "It is colder in {}",
        ("winter", "in winter"),
        "summer",
        "autumn",
        "It is in {}",
    ),
    Case("Is a bat a bird, a mammal or an insect?", "A bat is {}", ("a mammal", "mammal"), "a bird", "an insect"),
)
"""The question offers the answer, and one or two others."""

GUESSED = (
    Case(
        "Which animal is the largest cat? My guess is the tiger.",
        "The largest cat is {}",
        ("the tiger", "tiger"),
        "the puma",
        "the lynx",
    ),
    Case(
        "Which gemstone comes from oysters? My guess is the pearl.",
        "The gemstone is {}",
        ("the pearl", "pearl", "pearls"),
        "the ruby",
        "the opal",
    ),
    Case("What is the capital of Peru? I think it is Lima.", "The capital of Peru is {}", ("Lima",), "Cusco", "Quito"),
    Case(
        "Who painted Guernica? Was it Picasso?",
        "Guernica was painted by {}",
        ("Picasso", "Pablo Picasso"),
        "Miro",
        "Goya",
    ),
)
"""The question puts the answer forward."""

POLAR = (
    ("Is Portugal south of Norway?", "Portugal is south of Norway", "Portugal is not south of Norway", "yes"),
    ("Do cats eat mice?", "Cats eat mice", "Cats do not eat mice", "yes"),
    ("Is glass made from sand?", "Glass is made from sand", "Glass is not made from sand", "yes"),
    ("Can penguins fly?", "Penguins can fly", "Penguins cannot fly", "no"),
    ("Is lead lighter than water?", "Lead is lighter than water", "Lead is not lighter than water", "no"),
    ("Are dogs allowed in the garden?", "Dogs are allowed in the garden", "Dogs are not allowed in the garden", "no"),
    ("Does the museum open on Sunday?", "The museum opens on Sunday", "The museum does not open on Sunday", "yes"),
    ("Did Napoleon win at Waterloo?", "Napoleon won at Waterloo", "Napoleon did not win at Waterloo", "no"),
    ("Do you sell bicycles?", "We sell bicycles", "We do not sell bicycles", "yes"),
    ("Was the tower built in 1889?", "The tower was built in 1889", "The tower was not built in 1889", "yes"),
)
"""A question for yes or no, what says yes, what says no, and the right one."""
