"""The normal form, and the way back to the raw text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.text.normalise import LONGEST, normalise
from botattack.text.numerals import ordinal


@pytest.mark.parametrize(
    ("signs", "usual", "text"),
    [
        ("\u2018\u2019\u201b\u02bc\u2032\u00b4`", "'", "é it{}s o{}clock, isn{}t Ann{}s"),
        ("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"', "a {}b c{} d"),
        ("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-", "twenty{}one of {}5, a{}b"),
        ("\u00a0\u2007\u202f\u2009\u200a\u3000", " ", "twenty{}one a{}b 5{}km"),
        ("\u2026", ".", "a{} b{} c"),
        ("\u2044", "/", "1{}2 a{}b"),
    ],
)
def test_signs_of_typesetters_are_read_as_those_of_a_keyboard(signs: str, usual: str, text: str) -> None:
    plain = text.replace("{}", usual)
    for sign in signs:
        found = normalise(text.replace("{}", sign))
        assert (found.words, found.text) == (normalise(plain).words, normalise(plain).text)
        assert [found.span(at, at) for at in range(len(found.words))] == [
            normalise(plain).span(at, at) for at in range(len(found.words))
        ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The U.S. isn't the UK.", "us is not uk"),
        ("I don’t know, can't say — won't", "i do not know can not say will not"),
        ("Einstein's", "einstein"),
        ("“It’s”  Brasília…", "it brasília"),
        ("cafe\u0301", "café"),
        ("twenty-one", "21"),
        ("1,000.50 km", "1000.5 km"),
        ("two hundred and five", "205"),
        ("the twenty-first of 19th", "21st of 19th"),
        ("nineteen eighty-four", "1984"),
        ("1.4 billion", "1400000000"),
        ("Five thousand two hundred eighty feet", "5280 feet"),
        ("a million and two", "1000002"),
        ("2.5 million 93 million", "2500000 93000000"),
        ("one two three", "1 2 3"),
        ("no one, one of them", "no one one of them"),
        ("three point one four", "3.14"),
        ("−5 to 3-4, 1861-1865", "-5 to 3 4 1861 1865"),
        ("300km in the 1980s", "300 km in 1980s"),
        ("C++, C# and H2O", "c++ c# and h2o"),
        ("Dr. & Doctor, Mount Everest", "dr and dr mt everest"),
        ("ﬁne ＡＢＣ １２ ۱۲", "fine abc 12 12"),
        ("شماره ۱۴ است.", "شماره 14 است"),
        ("شماره ۱۴ است.\n\nok", "شماره 14 است ok"),
        ("१४", "14"),
        ("法国的首都", "法 国 的 首 都"),
        ("हिन्दी भाषा", "हिन्दी भाषा"),
        ("İstanbul Straße", "istanbul strasse"),
        ("The", ""),
        ("?!…", ""),
    ],
)
def test_normal_form(text: str, words: str) -> None:
    assert " ".join(normalise(text).words) == words


def test_accents_are_an_alternative() -> None:
    normal = normalise("São Tomé, Łódź")
    assert normal.words == ("são", "tomé", "łódź")
    assert normal.accentless == " sao tome lodz "
    assert [normal.raw[slice(*span)] for span in normal.find("lodz", normal.accentless)] == ["Łódź"]


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("It has twenty-one gates.", "21", ["twenty-one"]),
        ("The U.S. and the US", "us", ["U.S.", "US"]),
        ("Cafe\u0301 Noir", "café", ["Cafe\u0301"]),
        ("“Brasília” — Brasília!", "brasília", ["Brasília", "Brasília"]),
        ("1500 and 15", "15", ["15"]),
        ("The capital of the realm", "capital of realm", ["capital of the realm"]),
        ("We don't see Einstein's", "not", ["don't"]),
        ("We don't see Einstein's", "einstein", ["Einstein's"]),
        ("O'Brien's and L'Aquila", "aquila", ["L'Aquila"]),
        ("fine", "", []),
    ],
)
def test_find_gives_raw_places(text: str, phrase: str, found: list[str]) -> None:
    assert [text[slice(*span)] for span in normalise(text).find(phrase)] == found


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    normal = normalise("word " * 200_000)
    assert normal.cut
    assert len(normal.raw) == LONGEST
    assert not normalise("word").cut


WORDS = st.sampled_from(
    (
        *(
            "the",
            "twenty",
            "one",
            "hundred",
            "and",
            "million",
            "1,000",
            "3.5",
            "don't",
            "it's",
            "U.S.",
            "19th",
            "c++",
            "Paris,",
        ),
        *(
            "é",
            "'",
            "-5",
            "%",
            "point",
            "o'brien",
            "won't",
            "x.",
            "法国",
            "a",
            "isn",
            "0",
            ".5",
            "1,2,3",
            "second",
            "İ",
            "\u0301",
            "ﬁ",
            "x\u200by",
        ),
    )
)
TEXTS = st.one_of(
    st.text(), st.lists(WORDS, max_size=12).map(" ".join), st.text(alphabet="the a1,.'-n tU%é", max_size=30)
)


@given(TEXTS)
def test_every_word_has_its_place_in_order(text: str) -> None:
    normal = normalise(text)
    spans = [normal.span(at, at) for at in range(len(normal.words))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)


@given(TEXTS)
def test_case_and_spaces_say_nothing(text: str) -> None:
    ascii_text = "".join(c for c in text if c.isascii())
    assert normalise(ascii_text.upper()).text == normalise(ascii_text).text
    assert normalise(f"  {text}\n").text == normalise(text).text


@given(st.integers(0, 999_999))
def test_numbers_in_words_are_their_digits(number: int) -> None:
    assert normalise(in_words(number)).text == f" {number} "
    assert normalise(f"{number:,}").text == f" {number} "


@given(st.integers(1, 99))
def test_ordinals_in_words_are_their_digits(number: int) -> None:
    assert normalise(ordinal_in_words(number)).text == f" {ordinal(number)} "


UNDER_20 = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
ONES = UNDER_20.split()
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
IRREGULAR = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def in_words(number: int) -> str:
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f"-{ONES[number % 10]}" if number % 10 else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = number % size
    joint = " and " if rest < 100 else " "
    return f"{in_words(number // size)} {name}" + (joint + in_words(rest) if rest else "")


def ordinal_in_words(number: int) -> str:
    head, dash, last = in_words(number).rpartition("-")
    last = IRREGULAR.get(last) or (last[:-1] + "ieth" if last.endswith("y") else last + "th")
    return head + dash + last
