"""What attacks on passages promise: statements, fake answers, and what is added where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from botattack.attacks.building.stretches import Alteration, altered
from botattack.attacks.fakes.answers import spoken
from botattack.attacks.fakes.numbers import shifted
from botattack.attacks.passages.add_any import AddAny
from botattack.attacks.passages.add_doc import AddDoc
from botattack.attacks.passages.add_sent import AddSent
from botattack.attacks.passages.alterations import names_altered
from botattack.attacks.passages.counterfactual import Counterfactual
from botattack.attacks.passages.distractor import KINDS, Distractor
from botattack.attacks.passages.order import Order
from botattack.attacks.passages.other_questions import asks_another, relates
from botattack.attacks.passages.statements.readable import readable
from botattack.attacks.passages.statements.statement import statement
from botattack.attacks.passages.unanswerable import Unanswerable
from botattack.errors import MissingPart
from botattack.model import Fact, GoldAnswer, Outcome, Question, Reply, Variant, Verdict, edited, result_of, says_decoy
from botattack.places import Place
from botattack.protocols import Attack, Context
from botattack.text.numerals import cardinals
from botattack.text.sentences import sentence_spans
from tests.attacks.everything import Parts
from tests.attacks.resources import drive, right

PARIS = Question(
    "What is the capital of France?",
    (GoldAnswer("Paris"),),
    ("Berlin is in Germany. It is large.", "France is in Europe. Paris is the capital of France. It has 12 bridges."),
    facts=(Fact(1, 21, 52),),
)


def made(attack: Attack, question: Question, everything: Parts, seed: int = 0) -> list[Variant]:
    try:
        needed = {name: everything[name] for name in attack.parts()}
    except MissingPart as missing:
        pytest.skip(str(missing))
    meets: dict[str, Any] = {"parse": lambda payload: everything.met("parse", payload)}
    return drive(attack, question, needed, meets, seed)[0]


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("What city did Tesla move to in 1880?", "Prague", "Tesla moved to Prague in 1880."),
        ("What has four legs?", "dogs and cats", "Dogs and cats have four legs."),
        ("Who was killed in the war?", "the kings", "The kings were killed in the war."),
        ("Who is killed in the war?", "the kings", "The kings are killed in the war."),
        ("Who is killed in the war?", "the king", "The king is killed in the war."),
        ("Who played the voice of Aladdin?", "Scott Weinger", "Scott Weinger played the voice of Aladdin."),
        ("What is the capital of France?", "Lyon", "The capital of France is Lyon."),
        ("When did Denmark join the EU?", "1972", "Denmark joined the EU in 1972."),
        ("When did the war end?", "11 November 1918", "The war ended on 11 November 1918."),
        ("Where is the venue located?", "Oslo", "The venue is located in Oslo."),
        (
            "How many people died of plague in Paris in 1466?",
            "40,000",
            "40,000 people died of plague in Paris in 1466.",
        ),
        ("How many times has Polonia won the cup?", "twice", "Polonia has won the cup twice."),
        ("In what year did Luther die?", "1546", "Luther died in 1546."),
        ("What are cilia used for?", "swimming", "Cilia are used for swimming."),
        ("The museum was built in what city?", "Warsaw", "The museum was built in Warsaw."),
        ("Are Ferocactus and Silene both types of plant?", "yes", "Ferocactus and Silene are both types of plant."),
        (
            "Were Derrickson and Wood of the same nationality?",
            "no",
            "Derrickson and Wood were not of the same nationality.",
        ),
        ("He was born in a civil war that ended when?", "1922", "He was born in a civil war that ended in 1922."),
        ("How many cups has the team won?", "six", "The team has won six cups."),
        ("In 1880, what city did Tesla move to?", "Prague", "In 1880, Tesla moved to Prague."),
        ("Which dog's ancestors include setters?", "Collie", "Collie's ancestors include setters."),
        ("Are both Ann Lee and Bob Ray from Oslo?", "no", "Ann Lee and Bob Ray are not both from Oslo."),
        ("The forest makes up what amount of the land?", "over half", "The forest makes up over half of the land."),
        ("The science can be traced to where?", "Persia", "The science can be traced to Persia."),
        ("When did Lee announce that it will close?", "May 2013", "Lee announced that it will close in May 2013."),
        ("How many nations are within the Amazon Basin?", "Nine", "Nine nations are within the Amazon Basin."),
        (
            "How many species of Ctenophores have been validated?",
            "100–150",
            "100–150 species of Ctenophores have been validated.",
        ),
        ("When does it open?", "May", "It opens in May."),
        ("When did Newcastle's first indoor market open?", "1835", "Newcastle's first indoor market opened in 1835."),
        ("How old was Elway during his Super Bowl XXXIII win?", "38", "Elway was 38 during his Super Bowl XXXIII win."),
        ("Who was the leader for 2015?", "Ann Lee", "The leader for 2015 was Ann Lee."),
        ("How many Grammys has Lady Gaga won?", "nine", "Lady Gaga has won nine Grammys."),
        ("What award has Marlee Matlin won?", "the Booker Prize", "Marlee Matlin has won the Booker Prize."),
        (
            "How many points did the Broncos score in the final three minutes of the Pittsburgh game?",
            "15",
            "The Broncos scored 15 points in the final three minutes of the Pittsburgh game.",
        ),
        ("What is the hymn known as in English?", "Dawn", "The hymn is known as Dawn in English."),
        (
            "What continent are the Canary Islands off the coast of?",
            "Asia",
            "The Canary Islands are off the coast of Asia.",
        ),
        (
            "What were the astronauts wearing during the mission?",
            "coats",
            "The astronauts were wearing coats during the mission.",
        ),
        (
            "When were some of his best-known works published?",
            "1520",
            "Some of his best-known works were published in 1520.",
        ),
        ("What device is used to treat poisoning?", "helium chambers", "Helium chambers are used to treat poisoning."),
        ("What do these insects make?", "honey", "These insects make honey."),
        ("When did the extinction happen?", "53 million years ago", "The extinction happened 53 million years ago."),
        (
            "What was the name of the stadium that the teams played in?",
            "Levi's Stadium",
            "The name of the stadium that the teams played in was Levi's Stadium.",
        ),
        (
            "What percentage of Warsaw's population was Protestant in 1901?",
            "3%",
            "3% of Warsaw's population was Protestant in 1901.",
        ),
        ("What was produced at the company?", "arc lamps", "Arc lamps were produced at the company."),
        (
            "What tool do geologists use to see their data in three dimensions?",
            "computers",
            "Geologists use computers to see their data in three dimensions.",
        ),
        ("What causes the plates to move?", "slow currents", "Slow currents cause the plates to move."),
        ("How old do you have to be to buy a car?", "18", "You have to be 18 to buy a car."),
        (
            "How long does it take for new areas to have oil?",
            "five years",
            "It takes five years for new areas to have oil.",
        ),
        ("What kind of forest is the Amazon rainforest?", "swamp", "The Amazon rainforest is swamp."),
        ("When were attacks on teachers reported?", "2005", "Attacks on teachers were reported in 2005."),
        ("What are the attacks on teachers causing?", "concern", "The attacks on teachers are causing concern."),
        ("Where is corporal punishment no longer used?", "Asia", "Corporal punishment is no longer used in Asia."),
        ("Who started the war and how did it end?", "Ann Lee", ""),
        ("How much heavier is oxygen 18 than oxygen 16?", "12%", ""),
        ("What year did Michael Jordan get drafted?", "1984", ""),
        ("What place did Thomas Jefferson died?", "Oslo", ""),
        ("What did the fossils found in the shale lack?", "tentacles", ""),
        ("How many people were on the test flight?", "unmanned", ""),
        ("Was it the one or the other?", "maybe", ""),
        ("why", "because", ""),
        ("", "x", ""),
        ("where do the royalties for winnie the pooh go?", "a family", ""),
    ],
)
def test_statements(question: str, answer: str, said: str, everything: Parts) -> None:
    tokens = everything.met("parse", {"text": question, "lang": "en", "entities": True})
    assert statement(question, tokens, answer, everything["inflection"]) == said


@pytest.mark.parametrize(
    ("said", "asked", "answer", "fits"),
    [
        ("The youngest player is Ann Lee.", "Who is the youngest player?", "Ann Lee", True),
        ("Bob Marley win at 31 years olded Cairo.", "Which Bowl did Bob Marley win at 31 years old?", "Cairo", False),
        ("The time that it is is good for ten years.", "What is the time that it is good for?", "ten years", False),
        ("The Kelmars victoried Oslo in the game.", "Who did the Kelmars victory in the game?", "Oslo", False),
        ("The Romans fearful would were invade us.", "What would the Romans fearful were invade us?", "us", False),
        ("The Town is in Oslo.", "What town is in Oslo?", "Oslo", False),
        ("The center is of Sarvick.", "The center is of which group?", "Sarvick", True),
        ("Oslo moved to Oslo.", "Where did Oslo move?", "Oslo", False),
        ("What Ann Lee is.", "What is Ann Lee?", "Ann Lee", False),
        ("Texas famous for using is canals.", "What is Texas famous for using?", "canals", False),
        ("Paris is near Ann Lee.", "What is Paris near?", "Ann Lee", False),
        ("13 tons are absorbed the lake in a year.", "How many tons are absorbed the lake in a year?", "13", False),
        ("The Lions got 32 1986 baskets.", "How many 1986 baskets did the Lions get?", "32", False),
        ("The hall can seat 400 seated.", "How many can the hall seat?", "400 seated", False),
    ],
)
def test_a_statement_that_is_torn_or_says_the_answer_is_not_readable(
    said: str, asked: str, answer: str, fits: bool, everything: Parts
) -> None:
    tokens = everything.met("parse", {"text": said, "lang": "en", "entities": True})
    assert readable(said, tokens, everything, asked=asked, answer=answer, golds=["Paris"]) == fits


@pytest.mark.parametrize("gold", ["granite", "small intestine", "a painting"])
def test_common_nouns_have_no_fake_that_stands_in_for_them(gold: str, everything: Parts) -> None:
    # Two readers called no more than 44 and 39 of 60 nouns of WordNet's kinds right in such a place.
    question = Question("What is it?", (GoldAnswer(gold),), (f"It is {gold} there.",))
    assert made(Counterfactual(), question, everything) == []


@pytest.mark.parametrize("at", ["end", "beginning", "random"])
def test_add_sent_puts_one_sentence_with_a_fake_answer_into_the_passage_that_answers(
    at: Any, everything: Parts
) -> None:
    (variant,) = made(AddSent(at=at), PARIS, everything)
    (edit,) = variant.edits
    assert (edit.place, edit.before, variant.prompt.text) == (Place("passage", 1), "", PARIS.text)
    assert variant.turns == edited(PARIS.turns, variant.edits)
    assert edit.after.strip().endswith(f"is {variant.decoy}.")
    assert variant.prompt.passages[0] == PARIS.passages[0]
    text = variant.prompt.passages[1]
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    assert len(sentences) == 4
    assert {"end": sentences[-1], "beginning": sentences[0]}.get(at, edit.after.strip()) == edit.after.strip()
    assert (variant.meaning, variant.expect) == ("kept", "same")


def test_a_question_without_a_name_has_a_word_that_relates_changed(everything: Parts) -> None:
    """No amount becomes the "littlest"."""
    passage = "Ann Lee sang the anthem. Bo Lind had most sacks of the season. The capital was small."
    asked = {"Who sang the national anthem?": "Ann Lee", "Which player had the most sacks for the season?": "Bo Lind"}
    added = [
        variant.edits[0].after
        for text, gold in asked.items()
        for seed in range(5)
        for variant in made(AddSent(), Question(text, (GoldAnswer(gold),), (passage,)), everything, seed)
    ]
    assert added
    assert not any("littlest" in sentence or " sang " in sentence for sentence in added)


@pytest.mark.parametrize(
    ("text", "gold", "stays"),
    [
        ("What is the approximate condenser temperature in a turbine?", "30 °C", "temperature"),
        ("what's the egyptian currency?", "Egyptian pound", "currency"),
        ("who were the major countries involved in the cold war", "the Soviet Union", "countries"),
        ("who is the actor that plays ducky on ncis", "David McCallum", "actor"),
        ("who is the girl that played darlene in roseanne", "Sara Gilbert", "girl"),
        ("Which airport is home to the busiest single runway in the world?", "San Diego Airport", "runway"),
        ("which body part occupies the greatest portion of the primary motor cortex", "face", "cortex"),
        ("who was the spanish civil war fought between", "Republicans", "fought between"),
    ],
)
def test_the_kind_that_is_asked_for_stays_and_so_do_words_that_nothing_else_stands_for(
    text: str, gold: str, stays: str, everything: Parts
) -> None:
    question = Question(text, (GoldAnswer(gold),), (f"It is {gold}.",))
    found = [one for seed in range(5) for one in made(AddSent(per_question=5), question, everything, seed)]
    assert all(stays in one.edits[0].after for one in found)


@pytest.mark.parametrize(
    ("text", "gold", "entails"),
    [
        ("who has britney spears married?", "Kevin Federline", "divorced"),
        ("who sang the original scooby doo theme song", "Larry Marks", "recorded"),
        ("who is nolan ryan married to?", "Ruth Holdorff", "hired"),
    ],
)
def test_another_verb_neither_entails_the_asked_one_nor_takes_another_preposition(
    text: str, gold: str, entails: str, everything: Parts
) -> None:
    question = Question(text, (GoldAnswer(gold),), (f"It is {gold}.",))
    found = [one for seed in range(5) for one in made(AddSent(), question, everything, seed)]
    assert found
    assert not any(entails in one.edits[0].after for one in found)


def test_a_word_is_changed_where_no_change_of_a_name_makes_a_sentence(everything: Parts) -> None:
    question = Question(
        "Which German architect was asked to produce a design for the museum?",
        (GoldAnswer("Gottfried Semper"),),
        ("The German architect Gottfried Semper was asked to produce a design for the museum.",),
    )
    (variant,) = made(AddSent(), question, everything)
    assert "produce a design for the museum" not in variant.edits[0].after


def test_the_added_sentence_says_nothing_of_what_is_asked(everything: Parts) -> None:
    for seed in range(20):
        for variant in made(AddSent(per_question=3), PARIS, everything, seed):
            added = variant.edits[0].after
            assert "Paris" not in added
            assert "France" not in added
            assert not any(variant.decoy in text for text in (PARIS.passages[1], PARIS.text))


def test_nothing_is_added_that_answers_what_is_asked(everything: Parts) -> None:
    """A change of "Danish" is in the question phrase, which the fake answer replaces."""
    question = Question("Which Danish school won the prize?", (GoldAnswer("Lund"),), ("Lund won the prize.",))
    assert not any("won the prize" in one.edits[0].after for one in made(AddSent(per_question=5), question, everything))


@pytest.mark.parametrize("gold", ["they keep for six weeks", "the bakers had more time"])
def test_an_answer_with_a_verb_of_its_own_stands_in_no_statement(gold: str, everything: Parts) -> None:
    question = Question("What did Ann Lee say of loaves?", (GoldAnswer(gold),), (f"Ann Lee said that {gold}.",))
    assert made(AddSent(), question, everything) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("who sang a whiter shade of pale first", "first"),
        ("How many frames per second is standard?", "per second"),
        ("What is the Catholic Church of the Nestle forest?", "Church of the"),
        ('What did the 4:51 clock of "Shut Up, Make Love" show?', '"Shut Up, Make Love"'),
        ("Who first saw the tower?", "first"),
    ],
)
def test_parts_of_names_titles_and_adverbs_stay(text: str, left: str, everything: Parts) -> None:
    tokens = everything.met("parse", {"text": text, "lang": "en", "entities": True})
    for seed in range(10):
        assert left in altered(text, list(names_altered(text, (), tokens, Random(seed))))


@pytest.mark.parametrize(
    ("gold", "fits"),
    [
        ("4:51", r"\d:[0-5]\d"),
        ("January 31, 1967", r"[A-Z][a-z]+ ([1-9]|1\d|2[0-8]), (19|20)\d\d"),
        ("1950s", r"[12]\d\d0s"),
        ("the 3rd", r"the ([4-9]|1\d|20)th"),
        ("95%", r"\d\d?%"),
    ],
)
def test_fake_numbers_have_the_form_of_their_kind(gold: str, fits: str) -> None:
    for seed in range(50):
        assert all(re.fullmatch(fits, other) for other in shifted(gold, Random(seed)))


@pytest.mark.parametrize(
    ("asked", "gold", "passage", "fits"),
    [
        ("Who lost to the Lions?", "Lee Steelers", "The Lee Steelers lost to the Lions.", r"\w+ (?!Steelers)\w+s"),
        ("Where does it stand?", "Lee Street", "It stands in Lee Street.", r"\w+ Street"),
        ("Which Super Bowl was it?", "Super Bowl XXXIII", "It was Super Bowl XXXIII.", r"Super Bowl [XVI]+"),
        ("From which direction does it come?", "west", "It comes from the west.", r"(north|south)?(east|west)?"),
        (
            "What do they use as teeth?",
            "stiffened cilia",
            "They use stiffened cilia.",
            "",
        ),  # nobody writes "rural cilia"
        ("What did it sell?", "patents", "It sold patents to them.", ""),
        ("What are the two groups living there?", "Hmong or Laotian", "The Hmong or Laotian live there.", ""),
        ("Who won, the Broncos or the Steelers?", "Broncos", "The Broncos won.", ""),
        ("Who decides there?", "each state", "There each state decides.", ""),
        ("How long does it take?", "five to ten years", "It takes five to ten years.", r"\w+ to \w+ years"),
        ("What has it decided?", "be reborn", "It has decided to be reborn.", ""),
        ("Did Norway join?", "not", "Norway did not join.", ""),
        ("What timezone is it in?", "Central Time Zone", "It is in the Central Time Zone.", r".* Time"),
        (
            "What kind of government did he have?",
            "Dictator",
            "The government was Dictator.",
            r"\w+ (?:monarchy|dictatorship)|Federation|Theocracy|Oligarchy",
        ),
        ("Which instrument measures steam?", "gauge", "Steam is measured by a gauge.", ""),
        ("Which instrument does she play?", "violin", "She plays the violin.", r"(?!violin)\w+(?: \w+)?"),
        ("How many are left?", "two-thirds of them", "There are two-thirds of them left.", ""),
        ("what did montesquieu die from?", "Fever", "Fever.", ""),
        ("what represents ghana?", "Flag of Ghana", "Flag of Ghana.", r"Flag of \w+"),
        ("what does msc stand for", "Lee Shipping Company", "It stands for Lee Shipping Company.", ""),
        ("what kind of dog is nulla", "Border Collie", "In the film, Nulla is a Border Collie.", ""),
        ("where was the poem published", "1890", "The poem was published in 1890.", ""),
        ("where does it rank", "second", "It ranks second.", r"\w+"),
        ("where was abraham buried?", "Cave of the Patriarchs", "Cave of the Patriarchs.", ""),
        ("where does sam bradford play?", "St. Louis Rams", "St. Louis Rams.", r"\w+ \w+s"),
        ("who did they beat", "Atlanta Falcons", "They beat the Atlanta Falcons.", r"\w+ \w+s"),
        ("who plays zoey in the film", "Rashida Jones", "Zoey is Rashida Jones.", r"(?!Rashida)\w+ (?!Jones)\w+"),
        ("Who bought the firm?", "Microsoft", "Microsoft bought the firm in 1999.", ""),
    ],
)
def test_a_fake_answer_is_of_the_kind_of_the_right_one_or_there_is_none(
    asked: str, gold: str, passage: str, fits: str, everything: Parts
) -> None:
    question = Question(asked, (GoldAnswer(gold),), (passage,))
    for seed in range(10):
        made_up = [variant.decoy for variant in made(Counterfactual(), question, everything, seed)]
        assert not made_up if not fits else all(re.fullmatch(fits, decoy) for decoy in made_up) and made_up
        assert gold not in made_up


def test_no_word_of_a_title_typed_in_small_letters_is_altered_so_that_nobody_would_write_it(everything: Parts) -> None:
    text, passage = "who played the mad hatter in the batman show", "David Wayne played the Mad Hatter."
    question = Question(text, (GoldAnswer("David Wayne"),), (passage,))
    found = [one for seed in range(5) for one in made(AddSent(), question, everything, seed)]
    assert all("mad hatter" in one.edits[0].after for one in found)


NAMED = (
    ("Who drew the map?", "Arthur Lee", "The map was drawn by Arthur Lee."),
    ("Who cut the stone?", "Simon Brandt", "The stone was cut by Simon Brandt."),
    ("Which country did she leave?", "Norway", "She left Norway."),
    ("Which country did he love?", "Kenya", "He loved Kenya."),
    ("What treaty was signed?", "the Treaty of Paris", "They signed the Treaty of Paris."),
    ("Which university is it?", "Lund University", "It is Lund University."),
    ("Who lost the game?", "Oregon Ducks", "The Oregon Ducks lost the game."),
    ("Who built the ship?", "Robert Lane and Benjamin Vail", "Robert Lane and Benjamin Vail built the ship."),
    ("How far is it?", "12 km", "It is 12 km."),
    ("What share is it?", "91%", "It is 91%."),
    ("How many are there?", "100-150", "There are 100-150."),
)
OF_THE_SET = [Question(asked, (GoldAnswer(gold),), (passage,), lang="en") for asked, gold, passage in NAMED]


@pytest.mark.slow
def test_nothing_of_the_right_answer_is_left_in_the_fake_and_its_form_is_kept(everything: Parts) -> None:
    """A group becomes no person, a unit and what is named stay, nothing else does."""
    kept = {"the", "treaty", "of", "university", "and", "km"}
    attack = Counterfactual().with_questions(lambda *_, **__: OF_THE_SET)
    for question in OF_THE_SET:
        gold = question.answers[0].text
        for seed in range(10):
            (variant,) = made(attack, question, everything, seed)
            fake = variant.decoy
            assert [each.decoy for each in made(attack, question, everything, seed)] == [fake]
            shared = {*re.findall("[a-z]+", gold.lower())} & {*re.findall("[a-z]+", fake.lower())}
            assert shared == {*re.findall("[a-z]+", gold.lower())} & kept
            assert abs(len(fake.split()) - len(gold.split())) <= 1
            assert (" and " in fake, "%" in fake) == (" and " in gold, "%" in gold)
            assert fake.endswith("s") or not gold.endswith("Ducks")
            figures = [int(run) for run in re.findall(r"\d+", fake)]
            assert figures == sorted(figures)
            assert max(figures, default=0) <= (100 if "%" in gold else 1000)


def test_answers_of_the_set_come_first_then_names_of_the_passages(everything: Parts) -> None:
    attack = Counterfactual().with_questions(lambda *_, **__: OF_THE_SET)
    ann = Question("Who wrote the song?", (GoldAnswer("Martin Moss"),), ("Martin Moss wrote it. Peter Vogel sang it.",))
    for seed in range(10):
        (variant,) = made(attack, ann, everything, seed)
        assert variant.decoy in ("Arthur Lee", "Simon Brandt")
        (alone,) = made(Counterfactual(), ann, everything, seed)
        assert alone.decoy == "Peter Vogel"


@pytest.mark.parametrize(
    ("question", "gold", "passage", "other"),
    [
        ("What does Frida play?", "the piano", "Frida plays the piano.", r"the (?!piano)[a-z]+"),
        (
            "Which organ filters old blood?",
            "the spleen",
            "In animals the spleen filters old blood.",
            r"the (?!spleen)[a-z]+",
        ),
        ("What kind of trees line the road?", "tall palm trees", "It has tall palm trees.", "short palm trees"),
        (
            "What did Luther call for?",
            "private confession",
            "Luther called for private confession.",
            "public confession",
        ),
        ("Why was Frida fined?", "for her views", "Frida was fined for her views.", "for her [a-z]+s"),
    ],
)
def test_an_answer_that_is_no_name_has_a_word_changed_and_keeps_its_form(
    question: str, gold: str, passage: str, other: str, everything: Parts
) -> None:
    (variant,) = made(AddSent(), Question(question, (GoldAnswer(gold),), (passage,)), everything)
    assert re.fullmatch(other, variant.decoy)


def test_a_set_of_one_question_is_enough_for_fakes() -> None:
    asked: list[int] = []

    def others(named: object = None, /, least: int = 2) -> list[Question]:
        asked.append(least)
        return [PARIS]

    Counterfactual().with_questions(others)
    assert asked == [0]


def test_number_words_of_a_range_keep_their_order() -> None:
    row = [word for word, value in cardinals().items() if value > 1]
    for seed in range(30):
        for other in shifted("five to ten years", Random(seed)):
            low, _, high, _ = other.split()
            assert row.index(high) - row.index(low) == 5


@pytest.mark.parametrize(
    ("passage", "gold", "said"),
    [
        ("It flew over the United States.", "United States", r"It flew over the [A-Z]\w+\."),
        ("The Lee Treaty was signed. It held.", "The Lee Treaty", r"The \w+ Treaty was signed\. It held\."),
        ("He met Ann Lee. Bob came.", "Ann Lee.", r"He met \w+ \w+\. Bob came\."),
    ],
)
def test_what_replaces_an_answer_fits_where_it_stands(passage: str, gold: str, said: str, everything: Parts) -> None:
    question = Question("Who or what was it?", (GoldAnswer(gold),), (passage,))
    for seed in range(5):
        for variant in made(Counterfactual(), question, everything, seed):
            assert re.fullmatch(said, variant.prompt.passages[0])


def test_names_of_no_sure_type_become_names_of_nobody_that_few_share(everything: Parts) -> None:
    text = "When did BSkyB and Tesla tell the Maastricht Council of the Oxenford Treaty?"
    tokens = everything.met("parse", {"text": text, "lang": "en", "entities": True})
    new: list[str] = []
    for seed in range(10):
        found = [one.after for one in names_altered(text, (), tokens, Random(seed))]
        assert found == [one.after for one in names_altered(text, (), tokens, Random(seed))]
        new += {word for name in found for word in name.split() if word not in ("Council", "Treaty", "of", "the")}
    assert len({*new}) > 0.8 * len(new) > 20
    assert not {*new} & {"BSkyB", "Tesla", "Maastricht", "Oxenford"}


@pytest.mark.parametrize(
    ("gold", "passage", "said"),
    [
        ("New England Patriots", "They beat the champion New England Patriots.", "the New England Patriots"),
        ("Turkish forces", "They met Turkish forces there.", "Turkish forces"),
        ("Persia", "It began in Persia, as the Persians say.", "Persia"),
        ("Tesla", "Tesla came. The Tesla coil is known.", "Tesla"),
        ("polo", "They play a polo game.", "polo"),
    ],
)
def test_an_answer_has_the_article_and_the_capitals_that_a_passage_gives_it(
    gold: str, passage: str, said: str, everything: Parts
) -> None:
    question = Question("Who won?", (GoldAnswer(gold),), (passage,))
    tokens = everything.met("parse", {"text": passage, "lang": "en", "entities": True})
    at = passage.index(gold)
    parsed = [token for token in tokens if at <= token.start < at + len(gold)]
    assert spoken(question, gold, parsed) == said


def test_years_of_a_range_stay_in_order(everything: Parts) -> None:
    text = "How much was it from 2000 to 2005?"
    tokens = everything.met("parse", {"text": text, "lang": "en", "entities": True})
    for seed in range(10):
        other = altered(text, [*names_altered(text, (), tokens, Random(seed))])
        one, second = map(int, re.findall(r"\d{4}", other))
        assert second - one == 5


def test_an_article_agrees_with_the_name_behind_it(everything: Parts) -> None:
    text = "Who was an Italian singer?"
    tokens = everything.met("parse", {"text": text, "lang": "en", "entities": True})
    said = [altered(text, [*names_altered(text, (), tokens, Random(seed))]) for seed in range(10)]
    assert any(one.startswith("Who was a ") for one in said)
    assert not any(re.search(r"\ban [B-DF-GJ-NP-TV-Z]", one) for one in said)


@pytest.mark.parametrize(
    "text",
    [
        "Besides the castle in Oslo, what did Ann Lee build?",
    ],
)
def test_what_still_holds_of_a_name_that_stays_is_no_other_question(text: str, everything: Parts) -> None:
    tokens = everything.met("parse", {"text": text, "lang": "en", "entities": True})
    start = text.index("Oslo" if "Oslo" in text else "Bob")
    end = start + (4 if "Oslo" in text else 7)
    assert not asks_another(tokens, [Alteration(start, end, "Veldor", "name")])
    assert asks_another(tokens, [Alteration(text.index("Ann"), text.index("Ann") + 7, "Veldor", "name")]) == (
        "Oslo" in text
    )


@pytest.mark.parametrize(
    "text",
    [
        'What is the adventure in "Tunnels and Trolls", a game designed by Ken St. Andre?',
        'Who directed the romantic comedy "Big Stone Gap"?',
    ],
)
def test_a_question_with_a_title_that_stays_is_no_other_one(text: str, everything: Parts) -> None:
    question = Question(text, (GoldAnswer("Ann Lee"),), ("Ann Lee did it.",))
    assert not [variant for seed in range(5) for variant in made(AddSent(), question, everything, seed)]


@pytest.mark.parametrize(
    ("text", "word", "other"),
    [
        ("Who is the mother of Ann Lee?", "mother", True),
        ("Which tall man met Ann Lee?", "tall", False),
        ("Who wrote the long book Moby Dick?", "long", False),
        ("Who lives in the northern part of Oslo?", "northern", True),
    ],
)
def test_a_word_makes_another_question_where_all_names_depend_on_it(
    text: str, word: str, other: bool, everything: Parts
) -> None:
    tokens = everything.met("parse", {"text": text, "lang": "en", "entities": True})
    assert relates(tokens, next(i for i, token in enumerate(tokens) if token.text == word)) == other


def test_where_support_is_left_or_a_question_is_answered_with_no_nothing_is_unanswerable(everything: Parts) -> None:
    left = ("Henry J. Kaiser founded it. Henry Kaiser had a shipyard.", "It is old.")
    founded = Question("Who founded Kaiser Ventures?", (GoldAnswer("Henry J. Kaiser"),), left)
    assert made(Unanswerable(ways=("support",)), founded, everything) == []
    polar = Question("Is Ann Lee from Oslo?", (GoldAnswer("yes"),), ("Ann Lee is from Oslo.",))
    assert made(Unanswerable(ways=("entity",)), polar, everything) == []
    part = Question("Who is the Force India driver?", (GoldAnswer("Ann Lee"),), ("Ann Lee drives for Force India.",))
    for seed in range(5):
        assert not any(
            "India" in one.prompt.text for one in made(Unanswerable(ways=("entity",)), part, everything, seed)
        )


def test_a_range_of_years_stays_one() -> None:
    for seed in range(50):
        for other in shifted("from 1986 to 2013", Random(seed)):
            start, end = (int(word) for word in other.split()[1::2])
            assert end - start == 27


def test_variants_differ_by_what_is_altered(everything: Parts) -> None:
    question = Question(
        "What is the largest city of France in 1990?", (GoldAnswer("Paris"),), ("Paris was the largest city.",)
    )
    variants = made(AddSent(per_question=5), question, everything)
    assert len({variant.id for variant in variants}) == len(variants) > 1
    assert variants == made(AddSent(per_question=5), question, everything)


@pytest.mark.parametrize(
    "question",
    [
        Question(PARIS.text, PARIS.answers),
        Question(PARIS.text, (), PARIS.passages),
        Question(PARIS.text, (GoldAnswer("P.*", regex=True),), PARIS.passages),
        Question("Why?", PARIS.answers, PARIS.passages),
    ],
    ids=["no passage", "no answer", "a pattern", "nothing to alter"],
)
def test_nothing_is_added_without_a_passage_an_answer_or_something_to_alter(
    question: Question, everything: Parts
) -> None:
    assert made(AddSent(), question, everything) == []


def test_a_decoy_is_found_in_a_reply(everything: Parts) -> None:
    (variant,) = made(AddSent(), PARIS, everything)
    assert says_decoy(variant.decoy, Reply(f"I think it is {variant.decoy.upper()}!"))
    assert not says_decoy(variant.decoy, Reply("Paris"))


TWO = Question(
    "Who painted the old gate of the town?",
    (GoldAnswer("Ann Lee"), GoldAnswer("Lee")),
    ("Gate: Ann Lee painted the gate. Lee liked it.", "Town: It is old.", "Lee: Ann Lee was a painter.", "Sun: hot."),
    facts=(Fact(0, 6, 31),),
)


@pytest.mark.parametrize(("dose", "passages"), [(0.5, 1), (0.51, 2), (1.0, 2)])
def test_a_dose_is_the_share_of_passages_that_say_the_fake_answer(
    dose: float, passages: int, everything: Parts
) -> None:
    (variant,) = made(Counterfactual(doses=(dose,)), TWO, everything)
    said = [text for text in variant.prompt.passages if variant.decoy in text]
    assert len(said) == passages
    assert not any("Lee" in text for text in said)
    assert len({edit.place for edit in variant.edits}) == passages
    assert (variant.expect, variant.meaning) == ("same", "kept")
    assert variant.turns == edited(TWO.turns, variant.edits)


def test_copies_leave_the_passages_as_they_are(everything: Parts) -> None:
    (variant,) = made(Counterfactual(doses=(0.75,), how="add"), TWO, everything)
    assert [text for text in variant.prompt.passages if variant.decoy not in text] == list(TWO.passages)
    assert len(variant.prompt.passages) == 4 + 6


def test_where_passages_are_trusted_the_answer_must_change(everything: Parts) -> None:
    (variant,) = made(Counterfactual(doses=(0.5, 1.0), trust="passage"), TWO, everything)
    assert (variant.expect, variant.meaning) == ("different", "changed")
    assert not any("Lee" in text for text in variant.prompt.passages)


def test_the_smallest_dose_is_one_passage(everything: Parts) -> None:
    (variant,) = made(Counterfactual(doses=(0.1,), how="add"), TWO, everything)
    assert len(variant.prompt.passages) == len(TWO.passages) + 1


@pytest.mark.parametrize(
    "options", [{"doses": (0.0,)}, {"doses": ()}, {"how": "add"}, {"how": "add", "doses": (0.5,), "trust": "passage"}]
)
def test_doses_that_mean_nothing_are_refused(options: Any) -> None:
    with pytest.raises(ValueError, match=r"dose|how"):
        Counterfactual(**options)


def test_order_moves_the_passage_with_the_answer_and_nothing_else(everything: Parts) -> None:
    variants = made(Order(), TWO, everything)
    held = [variant.prompt.passages.index(TWO.passages[0]) for variant in variants]
    assert held == [1, 3]  # it is first already
    for variant in variants:
        assert sorted(variant.prompt.passages) == sorted(TWO.passages)
        assert variant.turns == edited(TWO.turns, variant.edits)
    assert made(Order(), PARIS, everything)[0].prompt.passages == PARIS.passages[::-1]
    assert made(Order(), Question("Why?", TWO.answers, TWO.passages[:1]), everything) == []


def test_fake_documents_go_among_the_passages_and_take_the_room_of_idle_ones(everything: Parts) -> None:
    texts = (
        "Old Gate: The Old Gate is by Ann Lee. Lee liked it.",
        "Town: It is old.",
        "Lee: Lee was a painter.",
        "Sun: hot.",
    )
    two = msgspec.structs.replace(TWO, passages=texts, facts=())
    (variant,) = made(AddDoc(), two, everything)
    assert len(variant.prompt.passages) == 10
    assert {texts[0], texts[2]} < {*variant.prompt.passages}
    fakes = [text for text in variant.prompt.passages if text not in texts]
    assert not any("Lee" in text for text in fakes)
    assert variant.turns == edited(two.turns, variant.edits)
    for answer in ("yes", "no"):
        assert made(AddDoc(), Question("Is it?", (GoldAnswer(answer),), ("It is: yes, no.",)), everything) == []


@pytest.mark.parametrize("way", ["support", "entity"])
def test_nothing_supports_an_answer_any_more(way: Any, everything: Parts) -> None:
    for question in (PARIS, TWO):
        for variant in made(Unanswerable(ways=(way,)), question, everything):
            assert (variant.expect, variant.meaning) == ("declines", "changed")
            assert variant.meaning_as_claimed
            assert variant.turns == edited(question.turns, variant.edits)
            said = " ".join(variant.prompt.passages)
            if way == "support":
                assert not any(answer.text in said for answer in question.answers)
                assert variant.prompt.text == question.text
            else:
                assert variant.prompt.passages == question.passages
                assert variant.edits[0].after not in said
    assert made(Unanswerable(ways=("support",)), PARIS, everything)[0].prompt.passages[1] == (
        "France is in Europe. It has 12 bridges."
    )
    assert "France" not in made(Unanswerable(ways=("entity",)), PARIS, everything)[0].prompt.text


def test_a_missing_step_is_another_kind_of_edit_than_missing_support(everything: Parts) -> None:
    found = [made(Unanswerable(ways=(way,)), PAINTED, everything)[0].edits for way in ("support", "hop")]
    support, hop = ({edit.kind for edit in edits} for edits in found)
    assert (support, hop) == ({"support removed"}, {"hop removed"})


def test_odd_answers_make_no_nonsense(everything: Parts) -> None:
    for answer in ("10²", "①", "7" * 5000):
        asked = Question("How large is it?", (GoldAnswer(answer),), (f"It is {answer} large. It is old.",))
        for attack in (AddSent(), AddDoc(), Counterfactual()):
            assert all(variant.decoy != answer for variant in made(attack, asked, everything))
    polar = Question("Was it no ship?", (GoldAnswer("no"),), ("There were no wings. No one came.",))
    assert made(Counterfactual(), polar, everything) == []
    assert made(Unanswerable(ways=("support",)), polar, everything) == []
    pattern = Question("Where?", (GoldAnswer("Par[ia]s", regex=True), GoldAnswer("the city of light")), PARIS.passages)
    assert made(Counterfactual(trust="passage"), pattern, everything) == []
    assert made(Unanswerable(ways=("support",)), pattern, everything) == []


def test_long_passages_are_cut_quickly() -> None:
    assert len(_spans("a. " * 100_000)) > 0
    assert len(_spans("word " * 60_000)) == 1


PAINTED = Question(
    "Where was the painter of the gate born?",
    (GoldAnswer("Leeds"), GoldAnswer("Loidis")),
    (
        "Gate: Ann Lee painted the gate. It is old.",
        "Ann Lee: She was born in Leeds. She was tall.",
        "Leeds: It is a town.",
        "Oslo: Lee went to Oslo. Old Loidis is far away. It is large.",
    ),
    facts=(Fact(0, 6, 31), Fact(1, 9, 31)),
)


def test_neither_answer_nor_bridge_is_left_where_a_hop_is_missing(everything: Parts) -> None:
    (variant,) = made(Unanswerable(ways=("hop",)), PAINTED, everything)
    assert variant.prompt.passages == ("Gate: It is old.", "", "", "Oslo: It is large.")
    assert made(Unanswerable(ways=("hop",)), PARIS, everything) == []


def test_without_support_nothing_is_said_of_what_a_yes_or_no_is_about(everything: Parts) -> None:
    passages = ("Ann Lee: She is a Dane. She was born in Oslo.", "Eve Roe: A poet. She met Ann Lee. She is old.")
    facts = (Fact(0, 9, 23), Fact(1, 9, 16))
    polar = Question("Are Ann Lee and Eve Roe Danes?", (GoldAnswer("no"),), passages, facts=facts)
    (variant,) = made(Unanswerable(ways=("support",)), polar, everything)
    assert variant.prompt.passages == ("", "")


@pytest.mark.parametrize(("verdict", "result"), [("correct", "success"), ("wrong", "success"), ("refused", "robust")])
def test_a_bot_that_answers_without_support_is_broken(verdict: Any, result: str) -> None:
    assert result_of("declines", verdict) == result


def searched(attack: AddAny, reply: Any, everything: Parts, verdict: Any = right, each: int = 1) -> list[Variant]:
    """The variants of a search, given what the bot says to each, which takes so many requests."""
    steps = attack.propose(Context(PARIS, (), {"dictionary": everything["dictionary"]}), Random(3))
    asked: list[Variant] = []
    outcomes: Any = None
    while True:
        try:
            batch: Any = steps.send(outcomes)
        except StopIteration:
            return asked
        asked += batch
        outcomes = [Outcome(variant, (Reply(reply(variant)),), verdict(variant), each) for variant in batch]


def test_add_any_spends_its_requests_and_no_more(everything: Parts) -> None:
    asked = searched(AddAny(queries=37), lambda _: "Paris", everything)
    assert len(asked) == 37 == len({variant.id for variant in asked})
    for variant in asked:
        (edit,) = variant.edits
        assert edit.place == Place("passage", 1)
        assert len(edit.after.split()) == 10
        assert "paris" not in edit.after
    assert len(searched(AddAny(queries=40), lambda _: "Paris", everything, each=3)) == 14


def test_add_any_ends_when_nothing_is_left_of_the_answer_or_the_bot_breaks(everything: Parts) -> None:
    attack = AddAny()
    assert len(searched(attack, lambda _: "nothing alike", everything)) <= 10
    assert len(searched(attack, lambda _: "Paris", everything, lambda _: Verdict("wrong"))) <= 10


def test_add_any_goes_on_to_f1_0_where_the_paper_does(everything: Parts) -> None:
    """A bot that breaks at once and still says a word of the gold answer."""
    found = {
        until: searched(
            AddAny(until=until, queries=40), lambda _: "Paris, or Rome", everything, lambda _: Verdict("wrong")
        )
        for until in ("break", "zero")
    }
    assert len(found["break"]) < len(found["zero"]) == 40
    assert len(searched(AddAny(until="zero"), lambda _: "nothing alike", everything)) <= 10


def test_add_any_finds_what_the_replies_lead_to(everything: Parts) -> None:
    """A bot whose reply loses the answer with each word of the question that is added to the passage."""
    bait = {"what", "is", "the", "capital", "of", "france"}

    def reply(variant: Variant) -> str:
        return "Paris " + "x y " * len(bait & set(variant.edits[0].after.split()))

    asked = searched(AddAny(queries=200, words=4), reply, everything)
    found = [len(bait & set(variant.edits[0].after.split())) for variant in asked]
    assert max(found) > found[0]


def _spans(text: str) -> Sequence[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. J. S. Bach came. He saw.", ["Dr. J. S. Bach came.", "He saw."]),
        ("It cost 3.50 euros. Fine.", ["It cost 3.50 euros.", "Fine."]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("این یک است. آن چیست؟ خوب", ["این یک است.", "آن چیست؟", "خوب"]),
        ("  \n ", []),
        ("no end", ["no end"]),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert _spans(text) == sentences


ELSEWHERE = (
    "Berlin is in Germany. It is large.",
    "Paris, the capital of France, has 12 bridges.",
    "France is known for cheese. It has a long coast and many farms.",
    "The city of London is older than France.",
    "The capital of a column is its upper end.",
    "An oyster breathes through gills.",
    "A violin has four strings.",
)


def ladder(everything: Parts, question: Question = PARIS, seed: int = 0, **options: Any) -> dict[str, Variant]:
    attack = Distractor(**options).with_questions(lambda _: [Question("Where?", passages=ELSEWHERE)])
    return {variant.edits[0].kind: variant for variant in made(attack, question, everything, seed)}


def test_the_rungs_of_the_ladder_are_nearer_and_nearer(everything: Parts) -> None:
    found = ladder(everything)
    added = {kind: variant.edits[0].after for kind, variant in found.items()}
    assert added.pop(KINDS["random"]) in ELSEWHERE[5:]
    assert added == {KINDS["topic"]: ELSEWHERE[4], KINDS["name"]: ELSEWHERE[2], KINDS["answer"]: ELSEWHERE[3]}
    assert found[KINDS["answer"]].decoy == "London"
    assert [variant.decoy for kind, variant in found.items() if kind != KINDS["answer"]] == [""] * 3
    for variant in found.values():
        assert variant.turns == edited(PARIS.turns, variant.edits)
        assert variant.prompt.passages == (*PARIS.passages, variant.edits[0].after)
        assert (variant.meaning, variant.expect) == ("kept", "same")


def test_no_distractor_answers_the_question_or_is_there_already(everything: Parts) -> None:
    for seed in range(20):
        for variant in ladder(everything, seed=seed).values():
            assert variant.edits[0].after not in ELSEWHERE[:2]


@pytest.mark.parametrize(("at", "spots"), [("first", {0}), ("last", {2}), ("random", {0, 1, 2})])
def test_where_a_distractor_stands(at: Any, spots: set[int], everything: Parts) -> None:
    found = [variant for seed in range(12) for variant in ladder(everything, seed=seed, at=at).values()]
    assert {variant.prompt.passages.index(variant.edits[0].after) for variant in found} == spots


def test_only_the_rungs_that_are_wanted(everything: Parts) -> None:
    assert [*ladder(everything, rungs=("topic",))] == [KINDS["topic"]]
    assert ladder(everything, Question("Why?")) == {}
    assert made(Distractor(), PARIS, everything) == []
