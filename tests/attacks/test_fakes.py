"""Names and numbers that stand in place of others: of the same kind and form, row by row of the tables that say so."""

from __future__ import annotations

import re
from random import Random

import pytest

from botattack.attacks.fakes.answers import spoken
from botattack.attacks.fakes.names import fake_names, is_given, is_name, known_kind, named_anew, names_of, renamed
from botattack.attacks.fakes.numbers import ascends, other_roman, shifted, years_apart
from botattack.model import GoldAnswer, Question
from botattack.text.word_lists import word_table
from tests.attacks.everything import Parts

SEEDS = range(40)


@pytest.mark.parametrize("kind", ["MAN", "WOMAN", "PERSON"])
def test_people_have_as_many_names_as_are_wanted(kind: str) -> None:
    surnames = {name.split()[-1] for name in fake_names()[kind]}
    assert all(name in surnames for name in names_of(kind, Random(1), 1))
    assert all(is_given(name, kind) and len(name.split()) == 2 for name in names_of(kind, Random(1)))
    assert all(re.fullmatch(r"\w+ [A-Z]\. \w+", name) for name in names_of(kind, Random(1), 3))


@pytest.mark.parametrize(("kind", "place"), [("COUNTRY", "country"), ("CITY", "city"), ("STATE", "state")])
def test_places_are_those_that_are_known_beside_a_few(kind: str, place: str) -> None:
    listed, known = word_table("fakes.names")[kind], word_table("names.places")[place]
    assert all(name in listed or name.lower() in known for name in fake_names()[kind])
    assert not {"Netherlands", "Philippines", "United Kingdom", "United States"} & {*fake_names()[kind]}
    assert {*listed} <= {*fake_names()[kind]}
    assert all(name[0].isupper() for name in fake_names()[kind] if not name.startswith("the "))


def test_cities_and_languages_of_the_world_are_names() -> None:
    names = fake_names()
    assert {"Helsinki", "Cairo"} <= {*names["CITY"]}
    assert {"German", "Hindi", "Czech"} <= {*names["LANGUAGE"]}
    assert not {"Latin", "Esperanto"} & {*names["LANGUAGE"]}
    assert {"Norway", "France"} <= {*names["COUNTRY"]}
    assert {"Alabama", "Texas"} <= {*names["STATE"]}


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("Albert Lasker", {"MAN", "PERSON"}),
        ("Charlotte Bronte", {"WOMAN", "PERSON"}),
        ("Vincent van Gogh", {"MAN", "PERSON"}),
        *((name, set[str]()) for name in ("Albert", "Albert Lasker Award", "Jerry the Minion", "Charlotte Hornets")),
    ],
)
def test_who_has_a_given_name(name: str, kinds: set[str]) -> None:
    assert {kind for kind in ("MAN", "WOMAN", "PERSON") if is_given(name, kind)} == kinds


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Norway", "COUNTRY"),
        ("the Netherlands", "COUNTRY"),
        ("Texas", "STATE"),
        ("Oslo", "CITY"),
        ("Africa", "CONTINENT"),
    ],
)
def test_a_place_is_known_by_its_kind(name: str, kind: str) -> None:
    assert (known_kind(name), known_kind(f"{name}ian")) == (kind, "")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        *((text, True) for text in ("Rome", "the Louvre", "Duke of York", "Simon & Schuster", "R2D2")),
        *((text, False) for text in ("", "rome", "of Rome", "Rome - Oslo", "Bank from Rome", "a Rome")),
    ],
)
def test_a_name_has_capitals_but_for_small_words(text: str, named: bool) -> None:
    assert is_name(text) is named


NEW = r"[A-Z][a-z]+"


@pytest.mark.parametrize(
    ("text", "form", "behind_article"),
    [
        ("the Battle of Hastings", f"the Battle of {NEW}", None),
        ("the Maastricht Treaty", f"the {NEW} Treaty", None),
        ("Blue River", f"{NEW} River", None),
        ("the Big Apple", f"the {NEW} Apple", None),
        ("Super Bowl XX", "Super Bowl [IVXL]+", None),
        ("World War II", f"{NEW} War", None),
        ("New England Patriots", "", f"{NEW} Patriots"),
        *((text, "", "") for text in ("University of Phoenix Stadium", "Duke of York", "Tesla")),
    ],
)
def test_what_says_what_is_named_stays(text: str, form: str, behind_article: str | None) -> None:
    for article in (False, True):
        wanted = behind_article if article and behind_article is not None else form
        made = renamed(text, Random(3), article=article)
        assert bool(made) is bool(wanted)
        assert all(re.fullmatch(wanted, name) and name != text for name in made)


@pytest.mark.parametrize(
    ("text", "form", "plural"),
    [
        ("Tesla", NEW, f"{NEW}s"),
        ("the Tesla", f"the {NEW}", f"the {NEW}s"),
        ("NASA", "[B-Z]{4}", "[B-Z]{4}"),
        ("X", NEW, f"{NEW}s"),
        ("Duke of York", f"{NEW} of {NEW}", f"{NEW} of {NEW}"),
        ("Alpha Beta Gamma Delta", " ".join([NEW] * 4), " ".join([NEW] * 4)),
        ("Alpha Beta Gamma Delta Eta", "", ""),
        ("Parliament", "", ""),
    ],
)
def test_a_name_of_no_known_kind_gets_one_of_its_form(text: str, form: str, plural: str) -> None:
    for wanted, many in ((form, False), (plural, True)):
        made = named_anew(text, Random(3), plural=many)
        assert bool(made) is bool(wanted)
        assert all(re.fullmatch(wanted, name) for name in made)
    assert named_anew(text, Random(3), compound=True) or not form


@pytest.mark.parametrize(
    ("gold", "passage", "fake", "said"),
    [
        # A capital that only began a sentence goes with a common word of each kind.
        ("three dogs", "It has three dogs today.", "Four dogs", "four dogs"),
        ("a large house", "He built a large house there.", "A small house", "a small house"),
        ("most people", "It pleased most people there.", "Largest towns", "largest towns"),
        ("freedom", "They wanted freedom then.", "Liberty of speech", "liberty of speech"),
        ("dogs", "They like dogs there.", "Cats and mice", "cats and mice"),
        ("its colour", "They liked its colour most.", "Her voice", "her voice"),
        ("selling books", "He lived by selling books there.", "Buying boats", "buying boats"),
        ("two days", "It took two days to come.", "Three days", "Three days"),
        ("red", "The flag was red then.", "Green one", "Green one"),
        ("Amazon", "It is the Amazon here.", "Rhine", "Rhine"),
        # The article is that of the passage.
        ("book", "He wrote the book there.", "letter", "the letter"),
        ("book", "He wrote a book there.", "apple", "an apple"),
        ("house", "He built an house there.", "boat", "a boat"),
        ("1980s", "It was in the 1980s there.", "1970s", "the 1970s"),
        ("winter", "It was the winter then.", "summer", "summer"),
        ("the best", "He was the best player.", "the worst", "the worst"),
        ("large", "They saw the large town.", "12", "12"),
        ("Chicago Bears", "They beat Chicago Bears then.", "Boston Wolves", "the Boston Wolves"),
    ],
)
def test_a_fake_answer_is_written_as_the_right_one_in_its_passage(
    gold: str, passage: str, fake: str, said: str, everything: Parts
) -> None:
    tokens = everything.met("parse", {"text": passage, "lang": "en", "entities": True})
    parsed = [token for token in tokens if 0 <= token.start - passage.index(gold) < len(gold)]
    assert spoken(Question("Who?", (GoldAnswer(gold),), (passage,)), fake, parsed) == said


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("12 May 1990", r"\d{1,2} [A-Z][a-z]+ (?:19[4-9]\d|20[012]\d)"),
        ("in the 1990s", r"in the (?:19[4-9]0|20[012]0)s"),
        ("the 3rd", "the [4-9]th"),
        ("the 23rd", r"the (?:[4-9]|1\d|20)th"),
        ("at 10:30", r"at \d{1,2}:[0-5]\d"),
        ("1,250", r"\d,\d{3}"),
        ("2.5", r"\d\.\d"),
        ("Monday", "[A-Z][a-z]+day"),
        ("five", "[a-z]+"),
    ],
)
def test_another_number_is_of_the_same_form(text: str, form: str) -> None:
    made = [other for seed in SEEDS for other in shifted(text, Random(seed))]
    assert len({*made}) > 3
    assert all(re.fullmatch(form, other) for other in made)


@pytest.mark.parametrize("text", ["two-thirds", "one-half", "three-quarters", "no number", "may", "monday", "one"])
def test_what_is_no_number_has_no_other(text: str) -> None:
    assert [*shifted(text, Random(1))] == []


def test_years_move_three_to_forty_and_none_beyond_the_latest() -> None:
    for text, latest in (("1990", 2020), ("2019", 2019), ("1000", 2020)):
        far = {years_apart(text, Random(seed)) for seed in SEEDS}
        assert all(3 <= abs(one) <= 40 and int(text) + one <= latest for one in far)
        assert all(int(other) <= latest for seed in SEEDS for other in shifted(text, Random(seed)))
    assert [int(other) - 1990 for other in shifted("1990", Random(1), 7)] == [7] * 4


@pytest.mark.parametrize(
    ("text", "other", "fits"),
    [
        ("2 to 5", "3 to 6", True),
        ("2 to 5", "6 to 6", False),
        ("2 to 5", "7 to 6", False),
        ("5 to 2", "7 to 6", True),
        ("90 %", "100 %", True),
        ("90 %", "101 %", False),
        ("90", "101", True),
    ],
)
def test_other_numbers_ascend_and_no_share_is_more_than_all(text: str, other: str, fits: bool) -> None:
    assert ascends(text, other) is fits


@pytest.mark.parametrize(
    ("text", "near"), [("II", {"III", "IV", "VI"}), ("VI", {"II", "III", "IV", "VII", "VIII", "IX"})]
)
def test_a_roman_number_becomes_one_near_it(text: str, near: set[str]) -> None:
    assert {other_roman(text, Random(seed)) for seed in range(80)} == near
    assert not any(other_roman(other, Random(1)) for other in ("V", "MI", "Vi", ""))
